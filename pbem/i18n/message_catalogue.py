"""The catalogues of one language: gettext's .po files, read together, all in one folder.

A message of a template is the words of one of its lines, with its Jinja expressions. So a
translator is free in order and grammar, and a letter in any language is rendered as fast as in
English. Babel is imported only where it is needed, so that a league in English never waits for it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.i18n import Said, translated

SOURCE = "en"
"""The language that templates and code are written in."""

# The words of a heading are an argument of the kit; all others stand between tags.
_HEADING = re.compile(r"(\s*\{\{ kit\.heading\(\")([^\"]*)(\"\) \}\}\s*)")
_PART = re.compile(r"\{(\w+)")
"""A part at the beginning of a message."""
_LINE = re.compile(
    r"(\s*(?:\{%-? (?:call|block|macro)\b[^%]*%\})*(?:\[[^\]]*\] )?)"
    r"(.*?)"
    r"((?:\{%-? end(?:call|block|macro) %\})*\s*)"
)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The messages of a language; a missing one stays as it is."""

    language: str
    messages: Mapping[str, str]

    def message(self, message: str) -> str:
        """Return a message translated."""
        return self.messages.get(message) or message

    def word(self, word: str) -> str:
        """Return a word translated; with a capital where only its small form is translated."""
        if found := self.messages.get(word):
            return found
        found = self.messages.get(word.lower(), word)
        return found[:1].upper() + found[1:] if word[:1].isupper() else found

    def say(self, said: Said) -> str:
        """Return a sentence in this language."""
        return translated(said, self.word)

    def sentence(self, text: str) -> str:
        """Return a sentence that stands behind a colon, with a capital unless it begins with a part
        such as a name; another text is returned as it is."""
        if not isinstance(text, Said):
            return text
        shown = self.say(text)
        return shown[:1].upper() + shown[1:] if self._begins(text).isalpha() else shown

    def _begins(self, said: Said) -> str:
        """Return the first letter of a sentence, or nothing where it begins with a part."""
        message = self.word(said.message)
        found = _PART.match(message)
        if found is None:
            return message[:1]
        part = said.parts[found[1]]
        if isinstance(part, Sequence) and not isinstance(part, str):
            part = next(iter(part), "")
        return self._begins(part) if isinstance(part, Said) else ""

    def template(self, source: str) -> str:
        """Return a template's source translated, line by line."""
        return "\n".join(map(self._line, source.split("\n")))

    def _line(self, line: str) -> str:
        head, message, tail = parted(line)
        return head + self.message(message) + tail if message else line


def parted(line: str) -> tuple[str, str, str]:
    """Return a template's line as layout, message, layout."""
    match = _HEADING.fullmatch(line) or _LINE.fullmatch(line)
    # `_LINE` fits every line.
    assert match is not None
    return match[1], match[2], match[3]


def languages(folder: Path) -> tuple[str, ...]:
    """Return the languages that letters can be written in: the source's, and each with a folder."""
    found = {path.name for path in folder.iterdir() if path.is_dir()} if folder.is_dir() else set()
    return tuple(sorted({SOURCE, *found}))


def named(written: str, known: Sequence[str]) -> str | None:
    """Return the language meant by a code, or by its name in any known language, or None."""
    from babel import Locale

    wanted = written.casefold()
    for code in known:
        locale = Locale.parse(code)
        names = (code, *(locale.get_language_name(one) for one in {SOURCE, *known}))
        if wanted in (str(name).casefold() for name in names):
            return code
    return None


def read(folders: Iterable[Path], language: str) -> Catalogue:
    """Return a language's catalogue; a message of a later folder replaces one of an earlier."""
    # Sorted, so that of two entries for one message the same one counts on every machine.
    files = [file for folder in folders for file in sorted((folder / language).rglob("*.po"))]
    return Catalogue(language, {key: text for file in files for key, text in entries(file)})


def entries(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the messages of a file that are translated and not fuzzy."""
    from babel.messages.pofile import read_po

    with file.open("rb") as opened:
        for entry in read_po(opened):
            # Fuzzy entries are a tool's guesses, made from older texts.
            if entry.id and entry.string and not entry.fuzzy:
                yield str(entry.id), str(entry.string)
