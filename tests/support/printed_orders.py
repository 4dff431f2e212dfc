"""The standing orders that are printed anywhere: in letters, guides and other documents."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.order_translations import GRAMMARS
from engine.orders.line_shapes import clean
from engine.orders.orders_on_file import Sheet
from engine.orders.reading import read_for
from engine.registry import RULESETS
from tests.support.paths import ROOT
from tests.support.snapshot import FOLDER

_NUMBERED = re.compile(r"^[> ]*(?:(?:line|Zeile) \d+:|Write:|Schreib:)?\s*")
"""What may stand in front of a line of an example."""
_BLOCK = re.compile(r"```\n(.*?)```", re.S)
_SAMPLE = re.compile(r"kit\.sample\(\[(\"(?:STANDING|DAUERBEFEHLE)\".*?)\]\)")
_QUOTED = re.compile(r'"(.*?)"')
_COLUMN = re.compile(r"\s{2,}.*")


class Printed(NamedTuple):
    """A printed order sheet: its file, language and system, what it orders, and its lines."""

    file: str
    language: str
    system: str
    standing: Sheet
    text: str


def printed() -> list[Printed]:
    """Return each order sheet that is printed."""
    return [
        Printed(file, language, *_read(text, language), text)
        for file, language, lines in _texts()
        for text in _sheets(lines, language)
    ]


def different(sheets: Iterable[Printed]) -> list[Printed]:
    """Return the first of those sheets that order the same, whatever their language."""
    return list({(one.system, one.standing): one for one in reversed([*sheets])}.values())


def _texts() -> Iterator[tuple[str, str, list[str]]]:
    """Yield the texts in which sheets are looked for, each with its language."""
    for path in sorted((ROOT / "docs").rglob("*.md")):
        language = "de" if path.suffixes[:1] == [".de"] else "en"
        for block in _BLOCK.findall(path.read_text("utf-8")):
            yield path.name, language, block.splitlines()
    for path in sorted((FOLDER / "letters").rglob("*.txt")):
        language = "de" if path.parent.name == "de" else "en"
        yield path.name, language, path.read_text("utf-8").splitlines()
    # No letter that is kept has the examples of all systems, so HELP's templates are read too.
    helps = [(path, "en") for path in (ROOT / "templates").glob("*/help.j2")]
    helps += [(path, "de") for path in (ROOT / "templates/locale/de").glob("*.po")]
    for path, language in sorted(helps):
        text = re.sub(r"^msgid .*$", "", path.read_text("utf-8"), flags=re.M)
        for sample in _SAMPLE.findall(text.replace('\\"', '"')):
            yield path.name, language, _QUOTED.findall(sample)


def _sheets(lines: list[str], language: str) -> Iterator[str]:
    """Yield what stands between each STANDING and the END below it."""
    bare = [_COLUMN.sub("", _NUMBERED.sub("", line)) for line in lines]
    english = [_english(line, language) for line in bare]
    for at, line in enumerate(english):
        if line == "STANDING" and "END" in english[at:]:
            yield "\n".join(bare[at : english.index("END", at) + 1])


def _english(line: str, language: str) -> str:
    text = clean(line)
    return GRAMMARS[language].english(text) if language in GRAMMARS else text


def _read(text: str, language: str) -> tuple[str, Sheet]:
    """Return the system that reads a whole sheet, and what it reads."""
    for key, rules in RULESETS.items():
        written = read_for(rules, None, None, text, language)
        if written.standing and not (written.near or written.words):
            return key, written.standing
    raise AssertionError(f"no system reads all of {text!r}")
