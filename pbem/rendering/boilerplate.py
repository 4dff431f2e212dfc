"""The words that stand in the templates of letters themselves, whatever facts are filled in."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from pbem.i18n.catalogue import Catalogue
from pbem.package_data import own_folders

_TAGS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.S)
_HEADINGS = re.compile(r"\{\{ kit\.heading\(\"([^\"]*)\"\) \}\}")
# A reply quotes letters alone, so words of posts and printed pages are not looked for in it.
_NO_LETTERS = ("posts", "pdf", "locale")


def fixed_words(templates: Path, words: Catalogue) -> Iterator[str]:
    """Yield all runs of words in the templates of letters, in the language of a catalogue."""
    ours = (
        path
        for path in sorted(templates.rglob("*.j2"))
        if path.relative_to(templates).parts[0] not in _NO_LETTERS
    )
    theirs = (path for folder in own_folders("templates") for path in sorted(folder.glob("*.j2")))
    for path in chain(ours, theirs):
        source = words.template(path.read_text("utf-8"))
        yield from _HEADINGS.findall(source)
        yield from _TAGS.split(source)
