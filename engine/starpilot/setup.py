"""A scenario's set-up made into a battle, or a sentence that names the field that is wrong."""

import re
from collections.abc import Iterator

from engine import fields
from engine.errors import SetupError
from engine.fields import Data
from engine.names import fold
from engine.seats import Seat
from engine.starpilot.model import ACTIVE, Battle, Card, Pair, Pilot, Team, card
from engine.starpilot.tables import APTITUDES, LIGHT, SHIPS, SIDES

# Digits are limited, as Python refuses to convert a text of more than 4,300 of them.
_HP = re.compile(r"([0-9]{1,1000})(?:\.([0-9]))?")
# Rank Five has retired (SP-34), and 63 is every bit of a Mark (SP-4).
_NUMBERS = {"rank": (1, 4), "mark": (0, 63)} | dict.fromkeys(APTITUDES, (1, 18))


def setup(value: object) -> Battle:
    """Return the battle of a set-up in the replay format; raise SetupError that names the
    field."""
    value = fields.an_object(value, "setup")
    cards = [list(_team(team, f"teams[{n}]")) for n, team in enumerate(_teams(value))]
    names = [
        fields.text(team, "name", f"setup.teams[{n}]") for n, team in enumerate(value["teams"])
    ]
    if names[0] == names[1]:
        raise SetupError("setup.teams[1].name: the two teams need different names")
    _check_together(cards)
    teams = (_named(names[0], cards[0]), _named(names[1], cards[1]))
    pilots = {c.name: Pilot(card=c, stats=c.ratings, fate=ACTIVE) for team in cards for c in team}
    pairs = {f"{a.name}|{b.name}": Pair() for a in cards[0] for b in cards[1]}
    return Battle(teams=teams, pilots=pilots, pairs=pairs, agreed=_first(value, names))


def _named(name: str, cards: list[Card]) -> Team:
    return Team(name, tuple(Seat(c.name) for c in cards))


def _first(value: Data, names: list[str]) -> str | None:
    first = value.get("first")
    if first is not None and first not in names:
        raise SetupError(
            f"setup.first: {first!r} is neither team; use {names[0]!r} or {names[1]!r}"
        )
    return None if first is None else str(first)


def _teams(value: Data) -> list[object]:
    teams = value.get("teams")
    if not isinstance(teams, list) or len(teams) != 2:
        raise SetupError("setup.teams: a battle needs a list of two teams")
    return teams


def _team(value: object, where: str) -> Iterator[Card]:
    team = fields.an_object(value, f"setup.{where}")
    name = fields.text(team, "name", f"setup.{where}")
    pilots = team.get("pilots")
    if not isinstance(pilots, list) or not pilots:
        raise SetupError(f"setup.{where}.pilots: a team needs at least one pilot")
    for n, pilot in enumerate(pilots):
        yield _pilot(name, pilot, f"setup.{where}.pilots[{n}]")


def _pilot(team: str, value: object, where: str) -> Card:
    pilot = fields.an_object(value, where)
    _name(pilot, where)
    for key, (low, high) in _NUMBERS.items():
        fields.number(pilot, key, low, high, where)
    # At least, not exactly: rewards have raised the aptitudes of older pilots (SP-1).
    total = sum(pilot[name] for name in APTITUDES)
    if total < 36:
        raise SetupError(f"{where}.weapons: aptitudes sum to {total}, 36 or more is needed")
    _ship(pilot, where)
    return card(team, pilot, hp_tenths(pilot.get("hp"), f"{where}.hp"))


def _name(pilot: Data, where: str) -> None:
    name = fields.text(pilot, "name", where)
    # A pair's key joins two names with it, and the referee's seat begins with it.
    if "|" in name:
        raise SetupError(f"{where}.name: {name!r} must hold no '|'")


def _ship(pilot: Data, where: str) -> None:
    side, ship = fields.text(pilot, "side", where), fields.text(pilot, "ship", where)
    fields.one_of(side, SIDES, f"{where}.side")
    if ship not in SHIPS:
        raise SetupError(f"{where}.ship: {ship!r} is not in the ship table")
    if SHIPS[ship].side != side:
        raise SetupError(f"{where}.ship: {ship} flies for {SHIPS[ship].side}, not for {side}")
    # 15 is all bits below Missiles: a Light fighter's weapons are never upgraded (SP-33).
    if SHIPS[ship].weight == LIGHT and pilot["mark"] > 15:
        raise SetupError(f"{where}.mark: a Light fighter's Mark is at most 15")


def hp_tenths(value: object, where: str) -> int:
    """Return HP written as `N` or `N.t` in tenths; raise SetupError."""
    match = _HP.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise SetupError(f'{where}: {value!r} is not HP; write them as "2" or "1.3"')
    return int(match[1]) * 10 + int(match[2] or 0)


def _check_together(cards: list[list[Card]]) -> None:
    """Raise SetupError for a name that is taken, or a side on both teams; it names the field."""
    seen: dict[str, str] = {}
    for t, team in enumerate(cards):
        for n, pilot in enumerate(team):
            where, plain = f"setup.teams[{t}].pilots[{n}]", fold(pilot.name)
            if plain in seen:
                raise SetupError(
                    f"{where}.name: the name {pilot.name!r} is taken by {seen[plain]!r} (SP-2)"
                )
            seen[plain] = pilot.name
            if t and pilot.side in {c.side for c in cards[0]}:
                raise SetupError(f"{where}.side: {pilot.side} flies on both teams (SP-6)")
