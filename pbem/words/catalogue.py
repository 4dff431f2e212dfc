"""The catalogues of one language: gettext's .po files, read together, all below one folder.

A template's message is what a line of it says, with its Jinja expressions, so that a translator
is free in order and grammar, and a letter in any language is written as quickly as in English.
Babel is imported where it is needed: a league that writes English alone never waits for it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.said import Said, translated

SOURCE = "en"
"""The language that templates and code are written in."""

_HEADING = re.compile(r"(\s*\{\{ kit\.heading\(\")([^\"]*)(\"\) \}\}\s*)")
_LINE = re.compile(
    r"(\s*(?:\{%-? (?:call|block|macro)\b[^%]*%\})*(?:\[[^\]]*\] )?)"
    r"(.*?)"
    r"((?:\{%-? end(?:call|block|macro) %\})*\s*)"
)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What each message is in a language; one that is missing stays as it is."""

    language: str
    messages: Mapping[str, str]

    def message(self, message: str) -> str:
        """Translate a message."""
        return self.messages.get(message) or message

    def word(self, word: str) -> str:
        """Translate a single word, with a capital where it has one."""
        found = self.messages.get(word) or self.messages.get(word.lower(), word)
        return found[:1].upper() + found[1:] if word[:1].isupper() else found

    def say(self, said: Said) -> str:
        """Say a sentence in this language."""
        return translated(said, self.word)

    def template(self, source: str) -> str:
        """Translate a template's source, line by line."""
        return "\n".join(map(self._line, source.split("\n")))

    def _line(self, line: str) -> str:
        head, message, tail = parted(line)
        return head + self.message(message) + tail if message else line


def parted(line: str) -> tuple[str, str, str]:
    """Part a template's line into its message and the layout around it."""
    match = _HEADING.fullmatch(line) or _LINE.fullmatch(line)
    assert match is not None
    return match[1], match[2], match[3]


def languages(folder: Path) -> tuple[str, ...]:
    """Give the languages that letters can be written in: the source's, and each with a folder."""
    found = {path.name for path in folder.iterdir() if path.is_dir()} if folder.is_dir() else set()
    return tuple(sorted({SOURCE, *found}))


def named(written: str, known: Sequence[str]) -> str | None:
    """Give the one of some languages that a code means, or a name, its own or the English one."""
    from babel import Locale

    wanted = written.casefold()
    for code in known:
        locale = Locale.parse(code)
        names = (code, locale.get_language_name(code), locale.get_language_name(SOURCE))
        if wanted in (str(name).casefold() for name in names):
            return code
    return None


def read(folder: Path, language: str) -> Catalogue:
    """Read a language's catalogues."""
    files = sorted((folder / language).rglob("*.po"))
    return Catalogue(language, {key: text for file in files for key, text in entries(file)})


def entries(file: Path) -> Iterator[tuple[str, str]]:
    """Give the messages of a file that are translated, and are not fuzzy."""
    from babel.messages.pofile import read_po

    with file.open("rb") as opened:
        for entry in read_po(opened):
            if entry.id and entry.string and not entry.fuzzy:
                yield str(entry.id), str(entry.string)
