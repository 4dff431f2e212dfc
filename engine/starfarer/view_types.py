"""What a view of a fight holds: plain values for templates, pictures and sentences."""

from typing import Any, TypedDict

from engine.seats import Seat


class WeaponView(TypedDict):
    """A weapon; `range` is the rating of a ranged one, and `reach` the metres of another."""

    name: str
    melee: bool
    pr: int
    dr: int
    type: str
    range: int
    reach: int
    hands: int


class AreaView(TypedDict):
    """An area of the body that is hurt: its circles by level, and its worst level."""

    area: str
    circles: list[str]
    worst: str
    bleeding: int
    steadied: bool


class CharacterView(TypedDict):
    """A character as all see it; `hurt` are the areas with a wound or bleeding.

    `level` is its shock level, `mind` whether its shock is steadied, and `armour` lists what each
    piece covers, with its ratings.
    """

    name: str
    team: str
    seat: Seat
    fate: str
    at: int
    prone: bool
    ap: int
    initiative: int
    shock: int
    basic: int
    level: int
    lost: int
    hurt: list[AreaView]
    mind: bool
    dying: int
    wakes: int | None
    evade: int
    parry: int
    aim: str | None
    engaged: bool
    skills: dict[str, int]
    weapons: list[WeaponView]
    armour: list[dict[str, Any]]


class MoveView(TypedDict):
    """An action that is possible now: in words, its chance, and what limbs must first manage."""

    order: str
    do: str
    at: str | None
    chance: int | None
    checks: list[int]
    metres: int | None
    bracket: str | None


class OwnView(TypedDict):
    """What a seat knows of its own character: its plan on file, and what it could do now."""

    name: str
    plan: list[str]
    moves: list[MoveView]
    seen: list[dict[str, Any]]


class InjuryView(TypedDict):
    """A wound of Medium or worse; from there on each level has one circle (SF-40)."""

    character: str
    area: str
    level: str
    mark: str


class BattleView(TypedDict):
    """All of a fight that a seat, or the public (`me` is None), may know."""

    me: Seat | None
    side: str | None
    round: int | None
    over: bool
    winner: str | None
    quiet: int
    options: list[str]
    field: int
    teams: list[dict[str, Any]]
    mates: list[Seat]
    pilots: list[CharacterView]
    mine: list[OwnView]
    to_order: list[str]
    injuries: list[InjuryView]
