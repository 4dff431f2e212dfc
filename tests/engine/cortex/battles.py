"""Small battles of Cortex to test rulings with, one turn at a time.

Unless a test says otherwise nobody is in a dogfight, there is no crew but the pilot, and a turn
begins with an initiative of 13 for the first unit in setup order, 12 for the second, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.codec import change
from engine.cortex.model import Battle, Vessel
from engine.cortex.queries import leaders
from engine.cortex.rules import CORTEX
from engine.cortex.tables import OPTIONS
from engine.dice import ListedDice

assert CORTEX.scenario is not None
SCENARIO = CORTEX.scenario

CALM = [one for one in OPTIONS if one not in ("dogfighting", "crew1", "crew2")]
"""The options of most tests."""

GUN = {"name": "gun", "range": "capital", "damage": "d6", "count": 3}
CANNON = {"name": "cannon", "range": "skirmish", "damage": "d8", "count": 2, "linked": True}
DART = {"name": "dart", "range": "long", "missile": True, "size": "light", "count": 3}
RAILGUN = {"name": "railgun", "range": "capital", "damage": "d10", "count": 8, "battery": True}
FLAK = {"name": "flak", "range": "skirmish", "damage": "d12", "count": 2, "pd": True}


def fighter(name: str, **changes: Any) -> dict[str, Any]:
    """A fighter with Agility d12, Pilot d10 and gunnery d8, and with all kinds of weapons."""
    return {
        "name": name,
        "scale": "planetcraft",
        "str": "d6",
        "agi": "d12",
        "vit": "d6",
        "alt": "d4",
        "gunnery": "d8",
        "speed": 8,
        "lp": 40,
        "crew": {"pilot": {"skill": "d10"}},
        "weapons": [GUN, CANNON, DART],
        **changes,
    }


def ship(name: str, **changes: Any) -> dict[str, Any]:
    """A capital ship with the same dice, a drive, batteries and point defence."""
    craft = {"scale": "spacecraft", "speed": 4, "lp": 100, "ftl": True, "altitude": 1_000}
    return fighter(name, **{**craft, "weapons": [GUN, RAILGUN, FLAK, DART], **changes})


def trooper(name: str, **changes: Any) -> dict[str, Any]:
    """A person on foot."""
    return fighter(name, **{"scale": "personal", "lp": 10, "weapons": [GUN], **changes})


def crewed(**people: Any) -> dict[str, Any]:
    """A crew in which everybody has d8 and d8, but for the pilot's d10."""
    stations = ("commander", "executive", "sensors", "comms", "tactical")
    person = {"attr": "d8", "skill": "d8"}
    return {"pilot": {"skill": "d10"}, **dict.fromkeys(stations, person), **people}


def o(unit: str, do: str, **keys: Any) -> dict[str, Any]:
    """An order."""
    return {"unit": unit, "do": do, **keys}


def shot(unit: str, at: str, weapon: str = "gun", **keys: Any) -> dict[str, Any]:
    """An order to fire."""
    return o(unit, "fire", weapon=weapon, at=at, **keys)


def idle(unit: str) -> dict[str, Any]:
    """An order that does nothing, so that the unit does not defend either (CX-18)."""
    return o(unit, "check_fire")


def setup(*teams: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """A set-up of the teams blue and red, at capital range; spotters are vessels without `agi`."""
    listed = [
        {
            "name": name,
            "vessels": [one for one in members if "agi" in one],
            "spotters": [one for one in members if "agi" not in one],
        }
        for name, members in zip(("blue", "red"), teams, strict=True)
    ]
    return {"options": CALM, "range": "capital", "teams": listed, **changes}


def battle(*teams: list[dict[str, Any]], **changes: Any) -> Skirmish:
    """A battle of blue and red before its first turn."""
    return Skirmish(CORTEX.setup(setup(*teams, **changes)))


def duel(**changes: Any) -> Skirmish:
    """Ann of blue against Bo of red, both in fighters."""
    return battle([fighter("Ann")], [fighter("Bo")], **changes)


@dataclass(frozen=True)
class Skirmish:
    """A battle so far and its last turn; each turn returns a new one, so tests can branch."""

    battle: Battle
    events: tuple[Any, ...] = ()
    refused: tuple[tuple[int, str], ...] = ()
    rolls: tuple[tuple[int, int], ...] = ()

    def turn(self, *orders: Any, dice: Any = (), start: Any = None) -> Skirmish:
        """Play a turn with exactly these dice after those of stage 1."""
        listed = ListedDice([*(self._start() if start is None else start), *dice])
        state, events, refused = self.battle, (), []
        for entry in SCENARIO.orders(state, [list(orders)]):
            reason = CORTEX.refusal(state, entry.seat, entry.order)
            if reason is None:
                state, happened = CORTEX.resolve(state, {entry.seat: [entry.order]}, listed)
                events += happened
                late = map(SCENARIO.refused, happened)
                refused += [(one.index, one.reason) for one in late if one is not None]
            else:
                refused += [(index, reason) for index in entry.indices]
        listed.finish()
        rolls = tuple((roll.sides, roll.result) for roll in listed.rolls)
        return Skirmish(state, events, tuple(sorted(refused)), rolls)

    def _start(self) -> list[int]:
        """Initiative rolls that fall from unit to unit."""
        return [die for n, _ in enumerate(leaders(self.battle)) for die in (12 - n, 1)]

    def why(self, *orders: Any, dice: Any = (), start: Any = None) -> list[str]:
        """Play a turn, and return why orders of it are refused."""
        return [reason for _, reason in self.turn(*orders, dice=dice, start=start).refused]

    def having(self, name: str, **changes: Any) -> Skirmish:
        """The same with a vessel changed."""
        vessels = {**self.battle.vessels, name: change(self.battle.vessels[name], **changes)}
        return self.with_state(vessels=vessels)

    def with_state(self, **changes: Any) -> Skirmish:
        """The same with something else in its state."""
        return Skirmish(change(self.battle, **changes))

    def wing(self, *members: str) -> Skirmish:
        """The same with a wing."""
        return self.with_state(wings=(*self.battle.wings, members))

    def of(self, name: str) -> Vessel:
        """What has changed about a vessel."""
        return self.battle.vessels[name]

    def hurt(self, name: str) -> tuple[int, int]:
        """A vessel's Stun and Wound in tenths."""
        return self.of(name).stun, self.of(name).wound

    @property
    def state(self) -> Any:
        """The state in the replay format."""
        return SCENARIO.state(self.battle)

    def events_of(self, kind: str) -> list[Any]:
        """The last events of a kind."""
        return [event for event in self.events if type(event).__name__ == kind]

    def thrown(self) -> list[tuple[int, int]]:
        """The dice that fell after those of initiative, with their sides."""
        begun = sum(len(event.throw.results) for event in self.events_of("Began"))
        return list(self.rolls[begun:])
