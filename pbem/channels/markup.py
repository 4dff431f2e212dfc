"""A player's text made harmless in BBCode and Markdown: it is shown as it is, nothing more."""

import re
from dataclasses import dataclass
from typing import Literal

Format = Literal["text", "bbcode", "markdown"]


@dataclass(frozen=True, slots=True)
class PostFormat:
    """The form of a board's posts.

    `folds` is how it hides what few want to read. `headed`: the title stands in the post, since the
    board shows none.
    """

    format: Format = "text"
    folds: Literal["html", "brackets", "spoilers"] = "html"
    headed: bool = False


_APART = "\u200b"
"""A zero-width space, which no board treats as a part of a word."""

_LINKED = re.compile(r"@|:(?=//)|\bwww(?=\.)", re.I)
_TAGS = re.compile(r"[\[<&]")
_MARKS = re.compile(r"[\\`*_\[\]<>#|~&$^@]|^[-+=]|:(?=\w)")
_NUMBERED = re.compile(r"^\d+(?=[.)])")


def bbcode(text: str) -> str:
    """Return a text that opens no tag, names no member and makes no link."""
    return _TAGS.sub(rf"\g<0>{_APART}", _unlinked(text))


def markdown(text: str) -> str:
    """Return a text that no markup changes in any kind of Markdown."""
    return _NUMBERED.sub(r"\g<0>\\", _MARKS.sub(r"\\\g<0>", _unlinked(text)))


def as_it_stands(text: str, form: PostFormat) -> str:
    """Return a whole text, such as a letter's, as a board shows it line by line."""
    if form.format == "text":
        return text
    if form.format == "bbcode":
        return bbcode(text)
    # Two spaces end a line in every kind of Markdown; an indent could begin a block of code.
    return "  \n".join(markdown(line.strip()) for line in text.splitlines())


def _unlinked(text: str) -> str:
    return _LINKED.sub(rf"\g<0>{_APART}", text)
