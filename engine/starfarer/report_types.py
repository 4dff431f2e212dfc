"""What a report tells of a round: plain records for templates."""

from engine.codec import Record
from engine.starfarer.events import AnyEvent, Attacked, Defended, Hit, Rolled, Treated, Wounded

Deed = tuple[AnyEvent, ...]
"""What somebody did, and what came of it."""


class Blow(Record, frozen=True):
    """A hit that hurt: where, and how heavy its wounds are, by their names."""

    by: str
    area: int
    levels: tuple[str, ...]


class Felt(Record, frozen=True):
    """What became of somebody: blows, treatments, and the last by which they fell or woke, if any.

    `again` means that it was not the first.
    """

    name: str
    mine: bool
    blows: tuple[Blow, ...]
    treated: tuple[Treated, ...]
    fate: tuple[AnyEvent, ...]
    again: bool


class Attempt(Record, frozen=True):
    """A roll in a table: an attack with its hit and its wound, or a defence."""

    roll: Attacked | Defended
    hit: Hit | None
    wound: Wounded | None


class Report(Record, frozen=True):
    """A round: `points`, `table` and `upkeep` tell it in full, `felt` and `failed` in short; both
    say how it `ends`.

    `failed` is what failed for the reader's side, what is alike together. All but `felt` stand in
    the order in which they happened. `rolled` begins with the most points. `round` is 0 where none
    was played. `upkeep` is what came after all phases, by character.
    """

    round: int
    rolled: tuple[Rolled, ...]
    points: tuple[Deed, ...]
    table: tuple[Attempt, ...]
    upkeep: tuple[Deed, ...]
    felt: tuple[Felt, ...]
    failed: tuple[Deed, ...]
    ends: tuple[AnyEvent, ...]
