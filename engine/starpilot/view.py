"""What one seat may know of a battle, built up for templates."""

from typing import TypedDict

from engine.seats import Seat
from engine.starpilot.model import (
    ACTIVE,
    Battle,
    Pilot,
    active,
    all_pairs,
    foes_of,
    team_of,
    to_move,
    winner,
)
from engine.starpilot.tables import RANGES, SIDES, STATS, tenths

SHEET_ROWS = (
    ("Beams", "Weapons", "Fire", "FIRE", "01-10"),
    ("Missiles", "Weapons", "Launch", "LAUNCH", "11-20"),
    ("Maneuver", "Piloting", "Dogft/Jink", "DOGFIGHT", "21-30"),
    ("Speed", "Piloting", "Open/Close", "OPEN", "31-40"),
    ("Shields", "Sensors", "Protect", "PROTECT", "41-50"),
    ("Electronics", "Sensors", "Scan/Tgt/ECM", "SCAN", "51-60"),
    ("Structure", "", "", "", "61-00"),
)
"""The rows of the persona sheet (Appendix B): stat, aptitude, skill, a command of it, damage."""


class StatRow(TypedDict):
    """A row of the persona sheet: a stat, and the skill that goes with it."""

    stat: str
    aptitude: str
    skill: str
    percent: int | None
    damage: str
    rating: int
    current: int
    useless: bool


class PilotView(TypedDict):
    """A pilot of a battle; HP are in text, as `1.5`."""

    name: str
    team: str
    side: str
    side_title: str
    rank: int
    rank_title: str
    weapons: int
    piloting: int
    sensors: int
    ship: str
    fate: str
    wounded: bool
    found: list[str]
    turns: int
    kills: int
    prizes: int
    hp: str
    hp_lost: str
    rows: list[StatRow]


class TeamView(TypedDict):
    """A team, with its pilots' names."""

    name: str
    pilots: list[str]


class ShotView(TypedDict):
    """A shot in flight, and the range from which it was fired."""

    by: str
    at: str
    weapon: str
    origin: str


class PairView(TypedDict):
    """What stands between two active opponents; `locks` are the names of those who hold one."""

    one: str
    other: str
    range: str
    advantage: str | None
    locks: list[str]
    shots: list[ShotView]


class BattleView(TypedDict):
    """What a seat may know; `me` is None for the public and the referee."""

    me: str | None
    foes: list[Seat]
    mates: list[Seat]
    teams: list[TeamView]
    turn: str | None
    to_act: list[Seat]
    over: bool
    drawn: bool
    winner: str | None
    fought: bool
    pilots: list[PilotView]
    pairs: list[PairView]


def stat_rows(
    ratings: tuple[int, ...], stats: tuple[int, ...], skills: dict[str, int]
) -> list[StatRow]:
    """Return the sheet's rows with each stat's rating, current value and skill in percent."""
    return [
        {
            "stat": stat,
            "aptitude": aptitude,
            "skill": skill,
            # Structure has neither aptitude nor skill.
            "percent": skills[command] if command else None,
            "damage": damage,
            "rating": ratings[n],
            "current": stats[n],
            # The skill stays as it was, but is of no use with its stat at 0 or less (SP-5).
            "useless": bool(command) and stats[n] <= 0,
        }
        for n, (stat, aptitude, skill, command, damage) in enumerate(SHEET_ROWS)
    ]


def ship_name(ship: str, mark: int) -> str:
    """Return a ship's name, with its Mark if it has one."""
    return f"{ship} Mark {mark}" if mark else ship


def _pilot(pilot: Pilot) -> PilotView:
    card = pilot.card
    return {
        "name": card.name,
        "team": card.team,
        "side": card.side,
        "side_title": SIDES[card.side].title,
        "rank": card.rank,
        "rank_title": SIDES[card.side].ranks[card.rank - 1],
        "weapons": card.weapons,
        "piloting": card.piloting,
        "sensors": card.sensors,
        "ship": ship_name(card.ship, card.mark),
        "fate": pilot.fate,
        "wounded": pilot.wounded,
        "found": sorted(pilot.found),
        "turns": pilot.turns,
        "kills": pilot.kills,
        "prizes": pilot.prizes,
        "hp": tenths(pilot.hp),
        "hp_lost": tenths(pilot.hp_lost),
        "rows": stat_rows(card.ratings, pilot.stats, card.skills),
    }


def view(battle: Battle, seat: str | None) -> BattleView:
    """Return what a seat, the referee or the public (None) may know.

    All orders of StarPilot are spoken on the open channel, so only `me`, `foes` and `mates` differ.
    """
    # The referee's seat is not a pilot: it looks on as the public does.
    me = seat if seat in battle.pilots else None
    foes = [] if me is None else active(battle, foes_of(battle, me))
    mates = [] if me is None else [p for p in team_of(battle, me).pilots if p != me]
    return {
        "me": me,
        "foes": foes,
        "mates": mates,
        "teams": [{"name": t.name, "pilots": list(t.pilots)} for t in battle.teams],
        "turn": battle.turn,
        "to_act": to_move(battle),
        "over": battle.over,
        "drawn": battle.drawn,
        "winner": winner(battle),
        "fought": battle.fought,
        # By teams: the order of `battle.pilots` is lost in JSON, whose keys are sorted.
        "pilots": [_pilot(battle.pilots[name]) for t in battle.teams for name in t.pilots],
        "pairs": _pairs(battle),
    }


def _pairs(battle: Battle) -> list[PairView]:
    return [
        {
            "one": one,
            "other": other,
            "range": RANGES[battle.pairs[key].range],
            "advantage": battle.pairs[key].advantage,
            "locks": [k.by for k in battle.locks if {k.by, k.on} == {one, other}],
            "shots": [
                {"by": s.by, "at": s.at, "weapon": s.weapon, "origin": RANGES[s.origin]}
                for s in battle.shots
                if {s.by, s.at} == {one, other}
            ],
        }
        for key, one, other in _active_pairs(battle)
    ]


def _active_pairs(battle: Battle) -> list[tuple[str, str, str]]:
    pilots = battle.pilots
    return [
        entry
        for entry in all_pairs(battle)
        # The replay format lists no other pairs, also after a draw.
        if pilots[entry[1]].fate == ACTIVE and pilots[entry[2]].fate == ACTIVE
    ]


def scenario_state(battle: Battle) -> dict[str, object]:
    """Return the state in the replay format."""
    return {
        "turn": battle.turn,
        "to_act": to_move(battle),
        "over": battle.over,
        "winner": winner(battle) if battle.over else None,
        "pilots": {name: _scenario_pilot(pilot) for name, pilot in battle.pilots.items()},
        "pairs": {key: _scenario_pair(battle, key, a, b) for key, a, b in _active_pairs(battle)},
    }


def _scenario_pilot(pilot: Pilot) -> dict[str, object]:
    return {
        "fate": pilot.fate,
        "stats": dict(zip(STATS, pilot.stats, strict=True)),
        "found": sorted(pilot.found),
        "wounded": pilot.wounded,
        "hp": tenths(pilot.hp),
        "hp_lost": tenths(pilot.hp_lost),
        "kills": pilot.kills,
        "prizes": pilot.prizes,
    }


def _scenario_pair(battle: Battle, key: str, one: str, other: str) -> dict[str, object]:
    both = {one, other}
    return {
        "range": RANGES[battle.pairs[key].range],
        "advantage": battle.pairs[key].advantage,
        # Sorted, as the replay format asks; shots stay in the order in which they were fired.
        "locks": sorted(k.by for k in battle.locks if {k.by, k.on} == both),
        "shots": [
            {"by": s.by, "weapon": s.weapon, "from": RANGES[s.origin]}
            for s in battle.shots
            if {s.by, s.at} == both
        ],
    }
