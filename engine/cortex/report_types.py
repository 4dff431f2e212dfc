"""What a report tells of a turn: plain records for templates."""

from engine.codec import Record, Tagged
from engine.cortex.attack_events import AnyEvent, Attacked, PointDefended
from engine.cortex.events import Began


class Hit(Record, frozen=True):
    """A hit that did harm; `way` is how its attacker struck, `friendly` at its own side."""

    stun: int
    wound: int
    by: str
    way: str
    friendly: bool


class Felt(Tagged, frozen=True):
    """What became of a vessel: the hits that did harm, by whom there were any, and the rest."""

    name: str
    mine: bool
    hits: tuple[Hit, ...]
    by: tuple[str, ...]
    then: tuple[AnyEvent, ...]


class Deed(Tagged, frozen=True):
    """What a unit did, and what came of it; or, where they are `alike`, what several did."""

    events: tuple[AnyEvent, ...]
    alike: bool


class TurnPart(Record, frozen=True):
    """A part of a turn; `which` is one of engine.letter_texts, None where all of it is one part."""

    which: int | None
    points: tuple[Felt | Deed, ...]
    shots: tuple[Attacked, ...]
    defence: tuple[PointDefended, ...]


class Report(Record, frozen=True):
    """A turn: `parts` tell it in full, `felt` and `news` in short, and both say how it `ends`.

    `turn` is 0 where none was played. `wings` are the leaders of units that were wings when it
    began. Advantage is told by who has how much over whom, or None where nobody rolled for it.
    """

    turn: int
    many: bool
    wings: tuple[str, ...]
    fights: tuple[Began, ...]
    calm: tuple[Began, ...]
    advantages: tuple[tuple[str, int, tuple[str, ...]], ...] | None
    parts: tuple[TurnPart, ...]
    felt: tuple[Felt, ...]
    news: tuple[Deed, ...]
    ends: tuple[AnyEvent, ...]
