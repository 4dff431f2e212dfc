"""The messages to be translated, and what each language's catalogues lack or hold needlessly.

`make messages` prints both for every language, as entries to be put into a .po file.
"""

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import get_args

from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from engine.blackskies import symbols
from engine.blackskies.chart import BEARINGS, COMPASS
from engine.cortex import chart as ranges
from engine.cortex import tables as cortex
from engine.cortex import vessel_types as vessels
from engine.cortex.tables import OPTIONS, PARTS, STATIONS
from engine.registry import RULESETS
from engine.starfarer import body_chart, chart, equipment
from engine.starfarer.model import Options
from engine.starfarer.tables import AREAS, SHOCK
from engine.starfarer.vocabulary import CONDITIONS
from engine.starpilot import tables
from engine.starpilot.model import Fate
from engine.starpilot.rules import STARPILOT
from engine.starpilot.tables import ACE, APTITUDES, SIDES, STATS
from engine.starpilot.view import SHEET_ROWS
from pbem.handlers.accounts import preferences
from pbem.handlers.moderator.ruling_table import RULINGS
from pbem.handlers.order_table import ORDERS
from pbem.handlers.pages.topic_pages import TOPICS
from pbem.i18n.collect_messages import of_code, of_templates
from pbem.i18n.days import MONTHS, WEEKDAYS, ZONES
from pbem.i18n.message_catalogue import SOURCE, languages, parted

ROOT = Path(__file__).parent.parent
TEMPLATES = ROOT / "templates"
LOCALE = TEMPLATES / "locale"

TABLES: dict[str, Iterable[str]] = {
    "pbem/handlers/order_table.py": [order.example.message for order in ORDERS],
    "pbem/handlers/moderator/ruling_table.py": [ruling.example for ruling in RULINGS],
    "pbem/handlers/pages/topic_pages.py": TOPICS,
    "engine/ruleset.py": [
        word
        for rules in RULESETS.values()
        if rules.book
        for word in (*rules.book.topics, *rules.book.classes)
    ],
    "pbem/handlers/accounts/preferences.py": (
        "MAIL",
        "FORMAT",
        *preferences.MAIL,
        *preferences.FORMAT,
    ),
    "pbem/i18n/days.py": (*WEEKDAYS, *MONTHS, *ZONES),
    "engine/starfarer/vocabulary.py": (*CONDITIONS, *AREAS, SHOCK),
    "engine/starfarer/chart.py": (*chart.WORDS, *body_chart.WORDS),
    "engine/starfarer/equipment.py": (
        *(skill for one in equipment.ARCHETYPES.values() for skill in one.skills),
        *equipment.ARMOUR,
        *(one.type for one in equipment.WEAPONS.values()),
        *(key.replace("_", " ") for key in Options.__struct_fields__),
    ),
    "engine/cortex/chart.py": ranges.WORDS,
    "engine/cortex/equipment.py": (
        *vessels.KINDS,
        *vessels.OTHER_KINDS,
        *vessels.DICE_NAMES,
        *vessels.CREWS,
        *STATIONS,
        *PARTS,
        "guns",
        *(key.replace("_", " ") for key in OPTIONS),
    ),
    "engine/cortex/tables.py": (
        *cortex.SCALES,
        *cortex.SIZES,
        *cortex.VECTORS,
        *cortex.KINDS,
    ),
    "engine/blackskies/symbols.py": symbols.WORDS,
    "engine/blackskies/chart.py": (*COMPASS, *BEARINGS, "at the same spot"),
    "engine/starpilot/orders.py": tables.COMMANDS,
    "engine/starpilot/bots.py": STARPILOT.strengths,
    "engine/starpilot/view.py": [row[2] for row in SHEET_ROWS if row[2]],
    "engine/starpilot/tables.py": (
        *(word for name in (*STATS, *APTITUDES) for word in (name, name.upper())),
        *(word for key, side in SIDES.items() for word in (key, side.title, *side.ranks)),
        *(word for side in SIDES.values() for word in (side.forces, side.commander.title)),
        *tables.RANGES,
        *get_args(Fate),
        *(honour.title for honour in (*tables.BADGES.values(), *tables.MEDALS.values(), ACE)),
        *(honour.title for _, *grades in tables.GRADES.values() for _, honour in grades),
        *(f"{times}{ACE.title}" for times in tables.MULTIPLES[1:]),
    ),
}
"""Messages that are in tables of the code, by the table's file."""


def in_templates() -> Iterator[tuple[str, str]]:
    """Yield each message of a template, with the place where it is."""
    for message, file, line in of_templates(TEMPLATES):
        yield message, f"{file.relative_to(ROOT)}:{line}"


@cache
def in_code() -> tuple[tuple[str, str], ...]:
    """Return each message in the code, with the place where it is."""
    said = [
        (message, f"{file.relative_to(ROOT)}:{line}")
        for package in ("engine", "pbem")
        for message, file, line in of_code(ROOT / package)
    ]
    listed = [(message, place) for place, messages in TABLES.items() for message in messages]
    return (*said, *listed)


@cache
def wanted() -> dict[str, str]:
    """Return all messages, each with the first place where it is."""
    found = [*in_templates(), *in_code()]
    return dict(reversed(found))


def template_lines() -> set[str]:
    """Return what each line of each template says: everything that a catalogue may translate."""
    files = TEMPLATES.rglob("*.j2")
    return {parted(line)[1] for file in files for line in file.read_text("utf-8").split("\n")}


@cache
def entries(language: str) -> list[tuple[Path, Message]]:
    """Return every entry of a language's catalogues, with its file."""
    found = []
    for file in sorted((LOCALE / language).rglob("*.po")):
        with file.open("rb") as opened:
            found += [(file, entry) for entry in read_po(opened) if entry.id]
    return found


def missing(language: str) -> dict[str, str]:
    """Return the messages that a language lacks, with the place of each."""
    known = {entry.id for _, entry in entries(language) if entry.string and not entry.fuzzy}
    return {message: place for message, place in wanted().items() if message not in known}


def left_over(language: str) -> list[tuple[Path, str]]:
    """Return the entries of a language that translate nothing any more."""
    alive = wanted().keys() | template_lines()
    return [(file, str(entry.id)) for file, entry in entries(language) if entry.id not in alive]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def main() -> int:
    """Print what each language lacks and what is left over; return 1 if there is anything."""
    faults = 0
    for language in languages(LOCALE):
        if language == SOURCE:
            continue
        lacking, over = missing(language), left_over(language)
        print(f"# {language}: {len(lacking)} missing, {len(over)} left over")
        for message, place in lacking.items():
            print(f'\n#: {place}\nmsgid {_quoted(message)}\nmsgstr ""')
        for file, message in over:
            print(f"\n# left over in {file.relative_to(ROOT)}:\n#~ msgid {_quoted(message)}")
        faults += len(lacking) + len(over)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
