"""Small battles of Black Skies to test rulings with, written one turn a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.blackskies.model import Battle, Element, Order
from engine.blackskies.rules import BLACKSKIES
from engine.codec import change
from engine.dice import ListedDice
from engine.seats import REFEREE, Seat

RED, BLUE = Seat("red"), Seat("blue")

HIT, MISS = 12, 1
"""A d12 that hits where anything can, and one that misses where anything can."""

WEAPONS = {
    "Tail Gun": {"arc": [3], "rof": 1, "range": [6, 12, 18], "die": 6},
    "Turret": {"arc": [0, 1, 2, 3, 4, 5], "rof": 2, "range": [6, 12, 18], "die": 12},
}
ALL = ["rear", "side", "forward"]


def design(weight: str = "medium", *weapons: str, **changes: Any) -> dict[str, Any]:
    """A design with all thrusters, no armour and no shields."""
    plain = {"thrusters": ALL, "armour": 0, "shields": 0}
    return {"weight": weight, "weapons": list(weapons), **plain, **changes}


DESIGNS = {
    "Dart": design("light", "Laser Cannon"),
    "Wolf": design("medium", "Laser Cannon", "Laser Cannon"),
    "Bear": design("heavy", "Laser Cannon", "Turret"),
    "Barge": design("heavy"),
}


def element(name: str, *places: tuple[int, int], **changes: Any) -> dict[str, Any]:
    """An element with a fighter at each place, called `Red 1` and `Red 2`; skill 3."""
    fighters = [
        {"name": f"{name} {n}", "skill": 3, "q": q, "r": r} for n, (q, r) in enumerate(places, 1)
    ]
    plain = {"design": "Wolf", "heading": 0, "speed": 4, "fighters": fighters}
    return {"name": name, **plain, **changes}


def setup(red: list[Any], blue: list[Any], **changes: Any) -> dict[str, Any]:
    """Two sides, of which red moves first."""
    teams = [{"name": "red", "elements": red}, {"name": "blue", "elements": blue}]
    return {"teams": teams, "first": "red", "weapons": WEAPONS, "designs": DESIGNS, **changes}


@dataclass(frozen=True)
class Fight:
    """A battle so far and its last events; each turn returns a new one, so tests can branch."""

    battle: Battle
    events: tuple[Any, ...] = ()

    def turn(self, *lines: str, dice: tuple[int, ...] = ()) -> Fight:
        """Play a turn by lines such as `Red: BREAK LEFT`, with exactly the dice that it draws."""
        orders: dict[Seat, list[Order]] = {}
        for line in lines:
            seat, order = self._order(line)
            orders.setdefault(seat, []).append(order)
        return self._resolve({**orders, REFEREE: [Order(command="end")]}, dice)

    def filed(self, *lines: str) -> Fight:
        """File orders, and leave the turn open."""
        fight = self
        for line in lines:
            seat, order = fight._order(line)
            fight = fight._resolve({seat: [order]}, ())
        return fight

    def rule(self, command: str, seat: str = "") -> Fight:
        """Make a ruling of the referee."""
        return self._resolve({REFEREE: [Order(seat, command)]}, ())

    def own_step(self, *dice: int) -> Fight:
        """Take a step of the referee's own."""
        return self._resolve({}, dice)

    def _resolve(self, orders: dict[Seat, list[Order]], listed: tuple[int, ...]) -> Fight:
        dice = ListedDice(listed)
        battle, events = BLACKSKIES.resolve(self.battle, orders, dice)
        dice.finish()
        return Fight(battle, events)

    def _order(self, line: str) -> tuple[Seat, Order]:
        seat = self.battle.elements[line.partition(":")[0]].seat
        return seat, BLACKSKIES.parse(self.battle, seat, line)

    def refusal(self, line: str) -> str | None:
        """Why an order would be refused now, or None."""
        return BLACKSKIES.refusal(self.battle, *self._order(line))

    def hurt(self, name: str, hull: int) -> Fight:
        """The same with a fighter that has so much hull left."""
        fighter = change(self.battle.fighters[name], hull=hull)
        return Fight(change(self.battle, fighters={**self.battle.fighters, name: fighter}))

    def lost(self, name: str) -> Fight:
        """The same without a fighter."""
        fighter = change(self.battle.fighters[name], hull=0, fate="destroyed")
        return Fight(change(self.battle, fighters={**self.battle.fighters, name: fighter}))

    def chance(self, line: str) -> int | None:
        """An order's chance in percent."""
        return BLACKSKIES.telling.chance(self.battle, *self._order(line))

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What a seat may know."""
        return BLACKSKIES.view(self.battle, seat)

    def element(self, name: str) -> Element:
        """An element as it is now."""
        return self.battle.elements[name]

    def at(self, name: str) -> tuple[int, int]:
        """Where a fighter is."""
        fighter = self.battle.fighters[name]
        return fighter.q, fighter.r

    def events_of(self, kind: str) -> list[Any]:
        """The last events of a kind."""
        return [event for event in self.events if type(event).__name__ == kind]

    @property
    def state(self) -> dict[str, Any]:
        """The state object of rules/blackskies.md."""
        return BLACKSKIES.scenario.state(self.battle)


def begin(given: dict[str, Any]) -> Fight:
    """A battle by its set-up."""
    return Fight(BLACKSKIES.setup(given))


def fight(red: list[Any], blue: list[Any], **changes: Any) -> Fight:
    """A battle that red begins, before its first turn."""
    return begin(setup(red, blue, **changes))


def alone(**changes: Any) -> Fight:
    """Red at the origin, heading east; Blue is far away and does not move."""
    return duel((500, 0), red=changes, blue={"speed": 0})


def duel(
    at: tuple[int, int], red: dict[str, Any] | None = None, blue: dict[str, Any] | None = None
) -> Fight:
    """Red 1 at the origin, heading east at speed 4; Blue 1 where it is put."""
    return fight([element("Red", (0, 0), **(red or {}))], [element("Blue", at, **(blue or {}))])


def facing(inches: int = 5, **blue: Any) -> Fight:
    """Red does not move; Blue is straight ahead of it, and flies at speed 4 away from it."""
    return duel((2 * inches, 0), {"speed": 0}, {"heading": 0, "design": "Barge", **blue})
