"""The frozen state of a fight, its plans, and what can be read off them."""

from typing import Literal

from engine.codec import Record, Tagged
from engine.seats import Seat
from engine.starfarer.tables import AREAS, CIRCLES

Fate = Literal["active", "unconscious", "dead", "surrendered", "left"]
Circles = tuple[str, str, str, str, str, str]
"""An area's circles by level, with the marks in each in the order in which they were made."""

UNHURT: tuple[Circles, ...] = (("",) * len(CIRCLES),) * len(AREAS)  # type: ignore[assignment]
NONE = (0,) * len(AREAS)


class Options(Record, frozen=True):
    """Which of the optional rules are used."""

    declaration: bool = False
    modifiers: bool = False
    multiple: bool = False
    blow_through: bool = False
    blunt: bool = False
    aftermath: bool = False


class Weapon(Record, frozen=True):
    """A weapon; `range` and `extreme` count for ranged ones, `reach` for melee ones."""

    name: str
    skill: str
    melee: bool
    pr: int
    dr: int
    type: str
    range: int = 1
    extreme: bool = False
    reach: int = 1
    initiative: int = 0
    hands: int = 1
    blunt: bool = False


UNARMED = Weapon("unarmed", "unarmed", True, 0, 2, "unarmed", blunt=True)
"""What everybody has (SF-13)."""


class Armour(Record, frozen=True):
    """A piece of armour: the areas that it covers, and its rating by type of weapon."""

    covers: tuple[int, ...]
    ratings: dict[str, int]


class CharacterSheet(Record, frozen=True):
    """What never changes about a character.

    `team` counts from 0. `reach` is the greatest of its melee weapons, at least 1 (SF-9).
    """

    name: str
    team: int
    seat: Seat
    dexterity: int
    agility: int
    endurance: int
    willpower: int
    essence: int
    initiative: int
    mass: int
    resilience: int
    stun: int
    basic_shock: int
    hand: str
    skills: dict[str, int]
    armour: tuple[Armour, ...]
    weapons: tuple[Weapon, ...]
    reach: int


class Body(Record, frozen=True):
    """What changes about a character; `wounds`, `bleeding` and `clock` are by area.

    `at` keeps the last place of one that has left. `steadied` holds areas, and `shock`. `dying`
    counts the survival checks passed without a break. `wakes` is the round of the next waking check
    of one that is unconscious.
    """

    at: int
    fate: Fate = "active"
    prone: bool = False
    ap: int = 0
    shock: int = 0
    wounds: tuple[Circles, ...] = UNHURT
    bleeding: tuple[int, ...] = NONE
    clock: tuple[int, ...] = NONE
    steadied: frozenset[str] = frozenset()
    dying: int = 0
    wakes: int | None = None
    evade: int = 0
    parry: int = 0
    aim: str | None = None


class Team(Record, frozen=True):
    """A team and its characters as listed."""

    name: str
    members: tuple[str, ...]


class Action(Record, frozen=True):
    """One thing to do; `when` is the key `if` of a plan, and `weapon` the key `with`."""

    do: str
    when: str | None = None
    at: str | None = None
    within: int | None = None
    finish: bool = False
    weapon: str | None = None
    arm: str | None = None
    to: int | None = None
    toward: str | None = None
    area: str | None = None


Choices = tuple[Action, ...]
"""An action, what to do else, what to do else than that, and so on."""
Entry = tuple[Choices, ...]
"""What a character does in one phase; more than one thing only by SF-11."""


class Plan(Tagged, frozen=True):
    """What a character is to do in a round, phase by phase (SF-6).

    `round` is None where it means the open round. `index` says where the plan came from, for the
    refusals of its actions. With `keep` it is filed again in each round until another replaces it.
    """

    character: str
    entries: tuple[Entry, ...]
    abort: str | None = None
    round: int | None = None
    index: int = 0
    # For the league, which files it again; a replay has its plans written out.
    keep: bool = False


class End(Tagged, frozen=True):
    """The referee's order that ends a round."""

    round: int | None = None


class Draw(Tagged, frozen=True):
    """The referee's order that ends a fight that all sides want to end."""


class Heal(Tagged, frozen=True):
    """The referee's ruling that a survivor's wounds and shock are healed (SF-40)."""

    character: str


class Free(Tagged, frozen=True):
    """The referee's ruling that a prisoner goes free (SF-40)."""

    character: str


class Done(Tagged, frozen=True):
    """The referee's ruling that the aftermath of a fight is complete (SF-40)."""


class Forfeit(Tagged, frozen=True):
    """The referee's order by which all characters of a seat surrender."""

    seat: Seat


Aftermath = Heal | Free | Done
Order = Plan | End | Draw | Forfeit | Aftermath

DEFAULT: tuple[Entry, ...] = (((Action("attack", at="nearest"), Action("evade")),),)
"""What a character without a plan does (SF-7)."""


class Battle(Record, frozen=True):
    """Everything that decides how a fight goes on.

    `plans` are those of the open round; each is known to its own seat only. `quiet` counts the
    rounds since the last to-hit roll, and `fought` says whether there was one in this round.
    `felled` counts by character whom it has knocked out or killed. One that is `decided` waits for
    what the referee rules on its aftermath (SF-40).
    """

    options: Options
    field: int
    teams: tuple[Team, ...]
    sheets: dict[str, CharacterSheet]
    bodies: dict[str, Body]
    plans: dict[str, Plan]
    felled: dict[str, int]
    round: int = 1
    quiet: int = 0
    fought: bool = False
    over: bool = False
    winner: str | None = None
    decided: bool = False


def everybody(battle: Battle) -> list[str]:
    """Return the names of all characters in setup order (SF-3)."""
    # Setup order is team by team, and rolls, upkeep and ties all follow it (SF-3).
    return [name for team in battle.teams for name in team.members]


def is_present(body: Body) -> bool:
    """Return whether a character is active or unconscious (SF-3)."""
    return body.fate in ("active", "unconscious")


def active(battle: Battle) -> list[str]:
    """Return the active characters in setup order."""
    bodies = battle.bodies
    return [name for name in everybody(battle) if bodies[name].fate == "active"]


def opponents(battle: Battle, name: str) -> list[str]:
    """Return the active opponents of a character in setup order."""
    bodies, own = battle.bodies, battle.sheets[name].team
    return [
        foe
        for number, team in enumerate(battle.teams)
        if number != own
        for foe in team.members
        if bodies[foe].fate == "active"
    ]


def distance(battle: Battle, one: str, other: str) -> int:
    """Return how many metres two characters are apart."""
    return abs(battle.bodies[one].at - battle.bodies[other].at)


def nearest(battle: Battle, name: str) -> str | None:
    """Return the nearest active opponent, of equals the first in setup order (SF-9)."""
    bodies, here = battle.bodies, battle.bodies[name].at
    found = opponents(battle, name)
    # `min` takes the first of equals, which is the first in setup order (SF-9).
    return min(found, key=lambda foe: abs(bodies[foe].at - here)) if found else None


def weapon_of(sheet: CharacterSheet, action: Action) -> Weapon:
    """Return the weapon of an attack or a parry: as named, or by default (SF-17)."""
    if action.weapon is not None:
        return next((one for one in sheet.weapons if one.name == action.weapon), UNARMED)
    parry = action.do == "parry"
    # To parry takes the first melee weapon, to attack the first of all (SF-17).
    return next((one for one in sheet.weapons if one.melee or not parry), UNARMED)


def characters_of(battle: Battle, seat: Seat | None) -> list[str]:
    """Return the names of a seat's characters in setup order; nobody's for None."""
    return [name for name in everybody(battle) if battle.sheets[name].seat == seat]


def seats(battle: Battle) -> tuple[Seat, ...]:
    """Return everyone who has a character, in setup order."""
    return tuple(dict.fromkeys(battle.sheets[name].seat for name in everybody(battle)))


def prisoners(battle: Battle) -> list[str]:
    """Return the unconscious of the teams that have lost, in setup order (SF-39)."""
    # Where nobody has won, the unconscious of all teams are somebody's prisoners to free.
    lost = [team for team in battle.teams if team.name != battle.winner]
    return [n for team in lost for n in team.members if battle.bodies[n].fate == "unconscious"]


def hurt(battle: Battle) -> list[str]:
    """Return who is wounded or in shock, of those who have not died, in setup order."""
    bodies = battle.bodies
    alive = [name for name in everybody(battle) if bodies[name].fate != "dead"]
    return [name for name in alive if bodies[name].shock or bodies[name].wounds != UNHURT]


def to_plan(battle: Battle) -> list[str]:
    """Return the active characters without a plan, in setup order."""
    # A fight that is decided takes rulings alone (SF-40).
    done = battle.over or battle.decided
    return [] if done else [name for name in active(battle) if name not in battle.plans]
