"""What a report tells of a turn: plain records for templates."""

from engine.blackskies.events import Begun, Checked, Destroyed, Flown, Grazed, Left, Over
from engine.codec import Record


class Volley(Record, frozen=True):
    """All that a fighter fired at another: how many shots, and how many of them hit."""

    by: str
    at: str
    distance: int
    weapons: tuple[str, ...]
    shots: int
    hits: int


class Blow(Record, frozen=True):
    """All that a fighter's hits did to another, and the hull that is left."""

    by: str
    at: str
    damage: int
    hull: int


class ElementReport(Record, frozen=True):
    """What an element did, and what was done to it; `full` is a whole hull.

    Checks of cards that were mastered are no news.
    """

    name: str
    full: int
    left: tuple[Left, ...]
    flown: tuple[Flown, ...]
    checks: tuple[Checked, ...]
    volleys: tuple[Volley, ...]
    blows: tuple[Blow, ...]
    lost: tuple[Grazed | Destroyed, ...]


class Flight(Record, frozen=True):
    """Elements that flew alike."""

    names: tuple[str, ...]
    flown: Flown


class Report(Record, frozen=True):
    """A turn: `busy` and `calm` tell it in full, `cards` in short; of `many` shots are in a table.

    `turn` is 0 where none was played. `rows` are all elements that did anything.
    """

    turn: int
    many: bool
    rows: tuple[ElementReport, ...]
    busy: tuple[ElementReport, ...]
    calm: tuple[Flight, ...]
    cards: tuple[Flight, ...]
    ends: tuple[Begun | Over, ...]
