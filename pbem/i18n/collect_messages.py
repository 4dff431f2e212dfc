"""The messages that templates and code hold: what a language's catalogues are to translate."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pbem.i18n.message_catalogue import parted

_MARKS = re.compile(r"<[^>]*>|\[/?\w+(?:=[^\]]*)?\]")
_JINJA = re.compile(r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}")
_PRINTED = re.compile(r"\{\{(.*?)\}\}")
_LITERAL = re.compile(r'"([^"{]*)"')
_WORD = re.compile(r"[^\W\d_]{2}")
_TEXTS = {"say": 1, "Tally": 2}
"""How many of a function's arguments are messages."""


class Message(NamedTuple):
    """A text to be translated, with the file and the line where it stands."""

    text: str
    file: Path
    line: int


def of_templates(folder: Path) -> Iterator[Message]:
    """Yield each message of the templates in a folder."""
    for file in sorted(folder.rglob("*.j2")):
        for number, line in enumerate(file.read_text("utf-8").split("\n"), 1):
            message = parted(line)[1]
            if has_words(message):
                yield Message(message, file, number)


def has_words(message: str) -> bool:
    """Return whether a template's line says anything, in its text or in what it prints."""
    bare = _MARKS.sub(" ", message)
    if _WORD.search(_JINJA.sub(" ", bare)):
        return True
    printed = _LITERAL.findall(" ".join(_PRINTED.findall(bare)))
    # In a tag a single word may be the key of a fact; only with a blank it is a phrase.
    phrases = (literal.strip() for literal in _LITERAL.findall(bare))
    return any(map(_WORD.search, printed)) or any(
        " " in phrase and _WORD.search(phrase) for phrase in phrases
    )


def of_code(folder: Path) -> Iterator[Message]:
    """Yield each text of `say`, and both of a `Tally`, in the code of a folder."""
    for file in sorted(folder.rglob("*.py")):
        # By the syntax tree, so that no text of a comment or docstring counts.
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for text in node.args[: _TEXTS.get(node.func.id, 0)]:
                    if (
                        isinstance(text, ast.Constant)
                        and isinstance(text.value, str)
                        and text.value
                    ):
                        yield Message(text.value, file, node.lineno)
