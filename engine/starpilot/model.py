"""The frozen state of a StarPilot battle, its orders, whose turn it is and how it ended."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from engine.codec import Record, change
from engine.ruleset import Outcome, Phase
from engine.seats import Seat
from engine.starpilot.tables import (
    APTITUDES,
    EXTREME,
    FAR,
    MARK_BITS,
    SHIPS,
    SKILL_STAT,
    STAT_APTITUDE,
)

Fate = Literal["active", "killed", "ejected", "surrendered", "escaped"]
Weapon = Literal["fire", "launch"]
ACTIVE: Fate = "active"

_ITSELF = ("",)
"""The pieces of a pilot that owes an order: a pilot is one piece, without a name."""


class Order(Record, frozen=True):
    """One command of one pilot; `at` names an opponent as the pilot's player wrote it."""

    command: str
    at: str | None = None


class Card(Record, frozen=True):
    """A pilot as it enters a battle; `hp` is the unspent HP that it brings, in tenths."""

    name: str
    team: str
    side: str
    rank: int
    weapons: int
    piloting: int
    sensors: int
    ship: str
    mark: int
    hp: int
    ratings: tuple[int, ...]
    skills: dict[str, int]


@cache
def ratings(ship: str, mark: int) -> tuple[int, ...]:
    """Return a ship's ratings in the order of STATS, its Mark included (SP-4)."""
    table = SHIPS[ship].stats
    return tuple(value + bool(mark & bit) for value, bit in zip(table, MARK_BITS, strict=True))


def skills(values: tuple[int, ...], aptitudes: dict[str, int]) -> dict[str, int]:
    """Return each command's skill in percent (SP-5)."""
    return {
        command: values[stat] * aptitudes[STAT_APTITUDE[stat]]
        for command, stat in SKILL_STAT.items()
    }


def card(team: str, pilot: dict[str, Any], hp: int) -> Card:
    """Return a pilot's card from the values of a checked set-up."""
    aptitudes = {name: pilot[name] for name in APTITUDES}
    values = ratings(pilot["ship"], pilot["mark"])
    return Card(
        name=pilot["name"],
        team=team,
        side=pilot["side"],
        rank=pilot["rank"],
        ship=pilot["ship"],
        mark=pilot["mark"],
        hp=hp,
        ratings=values,
        skills=skills(values, aptitudes),
        **aptitudes,
    )


class Pilot(Record, frozen=True):
    """A pilot in battle: current stats in the order of STATS; HP in tenths.

    `unfought` means that it left before any FIRE or LAUNCH had succeeded (SP-31).
    """

    card: Card
    stats: tuple[int, ...]
    fate: Fate = ACTIVE
    found: frozenset[str] = frozenset()
    turns: int = 0
    wounded: bool = False
    hp: int = 0
    hp_lost: int = 0
    kills: int = 0
    prizes: int = 0
    unfought: bool = False


class Team(Record, frozen=True):
    """A team's name and its pilots in set-up order."""

    name: str
    pilots: tuple[Seat, ...]


class Pair(Record, frozen=True):
    """Range and Advantage between two opposing pilots (SP-8)."""

    range: int = FAR
    advantage: str | None = None


class Lock(Record, frozen=True):
    """A TARGET lock; `fresh` until the holder's turn is over, so that it counts on the next
    (SP-16)."""

    by: str
    on: str
    fresh: bool = True


class Shot(Record, frozen=True):
    """A FIRE or LAUNCH in flight, with the range it left from (SP-19)."""

    by: str
    at: str
    weapon: Weapon
    origin: int


class Battle(Record, frozen=True):
    """Everything that decides how a battle goes on.

    `agreed` is the team that starts by agreement. `turn` is the team to act, None before the
    initiative (also that of a restart) and after the end. `locks` and `shots` are in order of age.
    `at_edge` means that every pilot that acted in this team turn began it at Extreme to all and
    none escaped; `edge_before` the same of the team turn before (SP-24). `quiet` counts pilots'
    turns since a hit, `struck` marks a hit in the current turn (SP-28c). `fought` means that a FIRE
    or LAUNCH has succeeded (SP-28a).
    """

    teams: tuple[Team, Team]
    pilots: dict[str, Pilot]
    pairs: dict[str, Pair]
    agreed: str | None = None
    turn: str | None = None
    acted: frozenset[str] = frozenset()
    locks: tuple[Lock, ...] = ()
    shots: tuple[Shot, ...] = ()
    at_edge: bool = True
    edge_before: bool = False
    quiet: int = 0
    struck: bool = False
    fought: bool = False
    over: bool = False
    drawn: bool = False


def is_duel(battle: Battle) -> bool:
    """Return whether the battle began with one pilot on each team (SP-28)."""
    # All pilots of the set-up count, not those who are left: HP go by how it began (SP-28).
    return len(battle.pilots) == 2


def team_of(battle: Battle, name: str) -> Team:
    """Return the team that a pilot flies for."""
    first, second = battle.teams
    return first if battle.pilots[name].card.team == first.name else second


def foes_of(battle: Battle, name: str) -> Team:
    """Return the team that a pilot flies against."""
    first, second = battle.teams
    return second if battle.pilots[name].card.team == first.name else first


def active(battle: Battle, team: Team) -> list[Seat]:
    """Return a team's active pilots in set-up order."""
    pilots = battle.pilots
    return [name for name in team.pilots if pilots[name].fate == "active"]


def opponents(battle: Battle, name: str) -> list[Seat]:
    """Return a pilot's active opponents in set-up order."""
    return active(battle, foes_of(battle, name))


def mates(battle: Battle, name: str) -> list[Seat]:
    """Return the active pilots of a pilot's own team, itself included."""
    return active(battle, team_of(battle, name))


def to_move(battle: Battle) -> list[Seat]:
    """Return the pilots of the team whose turn it is that have not acted, in set-up order."""
    if battle.turn is None:
        return []
    first, second = battle.teams
    team = first if battle.turn == first.name else second
    return [name for name in active(battle, team) if name not in battle.acted]


def may_move(battle: Battle, name: str) -> bool:
    """Return whether it is a pilot's turn, and it has not acted in it."""
    pilot = battle.pilots.get(name)
    return (
        pilot is not None
        and pilot.card.team == battle.turn
        and pilot.fate == "active"
        and name not in battle.acted
    )


def pair_key(battle: Battle, one: str, other: str) -> str:
    """Return the key of a pair, the first team's pilot first."""
    # No name of a set-up holds a `|`.
    if battle.pilots[one].card.team == battle.teams[0].name:
        return f"{one}|{other}"
    return f"{other}|{one}"


def pair_of(battle: Battle, one: str, other: str) -> Pair:
    """Return range and Advantage between two opposing pilots."""
    return battle.pairs[pair_key(battle, one, other)]


def all_pairs(battle: Battle) -> Iterator[tuple[str, str, str]]:
    """Yield each pair's key with the first and the second team's pilot."""
    first, second = battle.teams
    # By teams and not by `battle.pairs`, whose order is lost in JSON: its keys are sorted.
    for one in first.pilots:
        for other in second.pilots:
            yield f"{one}|{other}", one, other


def at_edge(battle: Battle, name: str) -> bool:
    """Return whether a pilot is at Extreme to every active opponent (SP-23)."""
    return {pair_of(battle, name, foe).range for foe in opponents(battle, name)} <= {EXTREME}


def holds_lock(battle: Battle, by: str, on: str) -> bool:
    """Return whether a lock from the holder's last turn counts now (SP-16)."""
    # A fresh lock was taken in the turn that is not over yet, and counts from the next on.
    return any(lock.by == by and lock.on == on and not lock.fresh for lock in battle.locks)


def winner(battle: Battle) -> str | None:
    """Return the team with active pilots left when the other has none."""
    # In a draw both teams may have active pilots left: then nobody has won.
    left = [team.name for team in battle.teams if active(battle, team)]
    return left[0] if len(left) == 1 else None


def outcome(battle: Battle) -> Outcome | None:
    """Return how a battle ended, or None while it goes on."""
    return Outcome(winner(battle), battle.drawn) if battle.over else None


def teams(battle: Battle) -> dict[str, tuple[Seat, ...]]:
    """Return each team's pilots, in set-up order."""
    return {team.name: team.pilots for team in battle.teams}


def phase(battle: Battle) -> Phase:
    """Return who may order now, who must, and how the battle ended once it is over."""
    if battle.over:
        return Phase((), {}, outcome=Outcome(winner(battle), battle.drawn))
    # As `to_move`, in one pass: this is asked for after every step of every trial.
    may, owing = [], {}
    for team in battle.teams:
        for name in team.pilots:
            if battle.pilots[name].fate == "active":
                may.append(name)
                if team.name == battle.turn and name not in battle.acted:
                    owing[name] = _ITSELF
    return Phase(tuple(may), owing)


def foresee(battle: Battle, seat: Seat) -> Battle:
    """Return the battle as if it were a pilot's turn now."""
    if battle.over or seat in to_move(battle):
        return battle
    # Nobody has acted there: a pilot that has acted would have no orders at all.
    return change(battle, turn=battle.pilots[seat].card.team, acted=frozenset())
