"""Small battles to test rulings with, written one turn a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.dice import ListedDice
from engine.seats import REFEREE, Seat
from engine.starpilot.model import Battle, Order
from engine.starpilot.rules import STARPILOT

SHIPS = {"cartel": "Angela 313B", "alliance": "Rus 133-A"}
"""Beams 3 and 0, Missiles 0 and 3, Maneuver 3 and 2, Speed 2 and 3, Shields 2, Electronics 3."""

YES, NO = 1, 100
"""A d100 that succeeds where anything can, and one that fails where anything can."""

BEAMS, MISSILES, MANEUVER, SPEED, SHIELDS, ELECTRONICS, STRUCTURE = 1, 11, 21, 31, 41, 51, 61
WOUND = 90
"""Damage rolls that strike each stat, and one that wounds as well as striking Structure."""


def pilot(name: str, side: str = "cartel", **changes: Any) -> dict[str, Any]:
    """A pilot of a set-up: Rank One, aptitudes 12, in a Light fighter."""
    plain = {"rank": 1, "weapons": 12, "piloting": 12, "sensors": 12, "mark": 0, "hp": "0"}
    return {"name": name, "side": side, "ship": SHIPS[side], **plain, **changes}


def hawk(**changes: Any) -> dict[str, Any]:
    """The red pilot of a duel."""
    return pilot("Hawk", "cartel", **changes)


def kestrel(**changes: Any) -> dict[str, Any]:
    """The blue pilot of a duel."""
    return pilot("Kestrel", "alliance", **changes)


def setup(red: list[dict[str, Any]], blue: list[dict[str, Any]]) -> dict[str, Any]:
    """Two teams, of which red starts."""
    teams = [{"name": "red", "pilots": red}, {"name": "blue", "pilots": blue}]
    return {"first": "red", "teams": teams}


@dataclass(frozen=True)
class Fight:
    """A battle so far and its last events; each turn returns a new one, so tests can branch."""

    battle: Battle
    events: tuple[Any, ...] = ()

    def turn(self, line: str, *dice: int) -> Fight:
        """Play `Hawk FIRE` or `Hawk FIRE Kestrel` with exactly the dice that it draws."""
        name, order = _order(line)
        return self._resolve({name: [order]}, dice)

    def turns(self, *lines: str) -> Fight:
        """Play turns that draw one die each and succeed."""
        fight = self
        for line in lines:
            fight = fight.turn(line, YES)
        return fight

    def rule(self, command: str, at: str | None = None) -> Fight:
        """Make a ruling of the referee."""
        return self._resolve({REFEREE: [Order(command, at)]}, ())

    def initiative(self, *dice: int) -> Fight:
        """Roll which team starts."""
        return self._resolve({}, dice)

    def _resolve(self, orders: dict[Seat, list[Order]], listed: tuple[int, ...]) -> Fight:
        dice = ListedDice(listed)
        battle, events = STARPILOT.resolve(self.battle, orders, dice)
        dice.finish()
        return Fight(battle, events)

    def refusal(self, line: str) -> str | None:
        """Why an order would be refused now, or None."""
        return STARPILOT.refusal(self.battle, *_order(line))

    def chance(self, line: str) -> int | None:
        """An order's chance in percent."""
        return STARPILOT.telling.chance(self.battle, *_order(line))

    @property
    def state(self) -> dict[str, Any]:
        """The state object of rules/starpilot.md."""
        return STARPILOT.scenario.state(self.battle)

    def pilot(self, name: str) -> dict[str, Any]:
        """A pilot's part of the state object."""
        found: dict[str, Any] = self.state["pilots"][name]
        return found

    def stat(self, name: str, stat: str) -> int:
        """A current value."""
        value: int = self.pilot(name)["stats"][stat]
        return value

    def pair(self, key: str = "Hawk|Kestrel") -> dict[str, Any]:
        """A pair's part of the state object."""
        found: dict[str, Any] = self.state["pairs"][key]
        return found

    def kinds(self) -> list[str]:
        """The kinds of the last turn's events."""
        return [type(event).__name__ for event in self.events]


def _order(line: str) -> tuple[Seat, Order]:
    name, command, *at = line.split()
    return Seat(name), Order(command, *at)


def fight(red: list[dict[str, Any]], blue: list[dict[str, Any]]) -> Fight:
    """A battle that red starts, before its first turn."""
    return Fight(STARPILOT.setup(setup(red, blue))).initiative()


def duel(red: dict[str, Any] | None = None, blue: dict[str, Any] | None = None) -> Fight:
    """Hawk against Kestrel, Hawk to start."""
    return fight([red or hawk()], [blue or kestrel()])


def met(red: dict[str, Any] | None = None, blue: dict[str, Any] | None = None) -> Fight:
    """A duel in which both have found each other, Hawk to move."""
    return duel(red, blue).turns("Hawk SCAN", "Kestrel SCAN")


def melee() -> Fight:
    """Hawk and Harrier against Kestrel and Kite; all have found all, red to move."""
    red = [hawk(), pilot("Harrier")]
    blue = [kestrel(), pilot("Kite", "alliance")]
    return fight(red, blue).turns("Hawk SCAN", "Harrier SCAN", "Kestrel SCAN", "Kite SCAN")
