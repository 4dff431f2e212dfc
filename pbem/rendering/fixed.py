"""The words that stand in the templates of letters themselves, whatever facts are filled in."""

import re
from collections.abc import Iterator
from pathlib import Path

from pbem.i18n.catalogue import Catalogue

_TAGS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.S)
_HEADINGS = re.compile(r"\{\{ kit\.heading\(\"([^\"]*)\"\) \}\}")
_NO_LETTERS = ("posts", "pdf", "locale")


def fixed_words(templates: Path, words: Catalogue) -> Iterator[str]:
    """Yield all runs of words in the templates of letters, in the language of a catalogue."""
    for path in sorted(templates.rglob("*.j2")):
        if path.relative_to(templates).parts[0] not in _NO_LETTERS:
            source = words.template(path.read_text("utf-8"))
            yield from _HEADINGS.findall(source)
            yield from _TAGS.split(source)
