"""Small fights of Starfarer to test rulings with, one round at a time.

Ann of red and Bo of blue have traits that sum to 10 for most tasks, so that an MCS is ten times the
Ease Factor. Ann has Initiative 9, and so exactly one phase where her d10 is 1; Bo has 0 and none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.codec import change
from engine.dice import ListedDice
from engine.ruleset import RefusedOrder
from engine.seats import REFEREE
from engine.starfarer.model import Battle, Body, End
from engine.starfarer.rules import STARFARER
from engine.starfarer.tables import AREAS

PISTOL = {
    "name": "pistol",
    "skill": "pistol",
    "mode": "ranged",
    "pr": 5,
    "dr": 5,
    "type": "bullet",
    "range": 2,
}
KNIFE = {"name": "knife", "skill": "knife", "mode": "melee", "pr": 5, "dr": 5, "type": "blade"}
STAFF = {**KNIFE, "name": "staff", "hands": 2, "reach": 2, "blunt": True}

HEAD, CHEST, ABDOMEN, RIGHT_ARM, LEFT_ARM, RIGHT_LEG, LEFT_LEG = AREAS


def character(name: str, at: int, **changes: Any) -> dict[str, Any]:
    """A character whose traits sum to 10 in each task but melee, where they sum to 9."""
    traits = {"dexterity": 6, "agility": 5, "endurance": 5, "willpower": 5, "essence": 5}
    return {
        "name": name,
        "traits": {**traits, **changes.pop("traits", {})},
        "initiative": 0,
        "mass": 6,
        "resilience": 10,
        "stun": 50,
        "basic_shock": 100,
        "at": at,
        "skills": {"pistol": 4, "knife": 4, "evade": 5, "first aid": 4, "unarmed": 3},
        "weapons": [PISTOL, KNIFE],
        **changes,
    }


def ann(at: int = 0, **changes: Any) -> dict[str, Any]:
    """Red's character, who acts once where her d10 is 1."""
    return character("Ann", at, **{"initiative": 9, **changes})


def bo(at: int = 15, **changes: Any) -> dict[str, Any]:
    """Blue's character, who does not act where his d10 is below 10."""
    return character("Bo", at, **changes)


def act(do: str, **keys: Any) -> dict[str, Any]:
    """An action; the keys `with`, `if` and `else` are written with a `_` behind them."""
    return {"do": do, **{key.rstrip("_"): value for key, value in keys.items()}}


SHOOT = act("attack", at="Bo")
MISS = 95
"""A roll that misses unless the chance is enormous."""
CHEST_SHOT, ARM_SHOT, LEG_SHOT = 34, 38, 40
"""Rolls for an MCS of 50 that hit with LOS 1, so that the DR is the damage."""


class LuckyDice(ListedDice):
    """Listed dice that show 1 once the list has run out."""

    def roll(self, sides: int, why: str, bounds: Any = ()) -> int:
        """Take the next result of the list, or 1."""
        if len(self.rolls) == len(self._results):
            self._results = [*self._results, 1]
        return super().roll(sides, why)


def setup(*teams: list[dict[str, Any]], field: int = 60, **options: bool) -> dict[str, Any]:
    """A set-up of teams called red, blue, green and gold."""
    named = zip(("red", "blue", "green", "gold"), teams, strict=False)
    listed = [{"name": name, "characters": characters} for name, characters in named]
    return {"options": options, "field": field, "teams": listed}


@dataclass(frozen=True)
class Fight:
    """A fight so far and its last events; each step returns a new one, so tests can branch."""

    battle: Battle
    events: tuple[Any, ...] = ()
    filed: int = field(default=0, compare=False)

    def plan(self, name: str, *entries: Any, abort: str | None = None) -> Fight:
        """File a plan; an entry is an action, or a list of several."""
        entry = self.entry(name, *entries, abort=abort)
        seat, order = STARFARER.scenario.order(self.battle, entry, self.filed)
        battle, events = STARFARER.resolve(self.battle, {seat: [order]}, ListedDice([]))
        return Fight(battle, events, self.filed + 1)

    def entry(self, name: str, *entries: Any, **keys: Any) -> dict[str, Any]:
        """A plan as a scenario writes it."""
        listed = [entry if isinstance(entry, list) else [entry] for entry in entries]
        return {"round": self.battle.round, "character": name, "plan": listed, **keys}

    def refusal(self, entry: dict[str, Any]) -> str | None:
        """Why an entry of a scenario would be refused now."""
        seat, order = STARFARER.scenario.order(self.battle, entry, 0)
        return STARFARER.refusal(self.battle, seat, order)

    def round(self, *dice: int) -> Fight:
        """Play the round with exactly the dice that it draws."""
        listed = ListedDice(dice)
        battle, events = STARFARER.resolve(self.battle, {REFEREE: [End()]}, listed)
        listed.finish()
        return Fight(battle, events, self.filed)

    def well(self, *dice: int) -> Fight:
        """Play the round with these dice, and every check after them passed."""
        battle, events = STARFARER.resolve(self.battle, {REFEREE: [End()]}, LuckyDice(dice))
        return Fight(battle, events, self.filed)

    def having(self, name: str, **changes: Any) -> Fight:
        """The same with a character changed; `wounds` and `bleeding` are by area."""
        body = self.battle.bodies[name]
        for key in ("bleeding", "clock"):
            if key in changes:
                by_area = dict(zip(AREAS, getattr(body, key), strict=True)) | changes[key]
                changes[key] = tuple(by_area.values())
        if "wounds" in changes:
            worn = dict(zip(AREAS, body.wounds, strict=True)) | changes["wounds"]
            changes["wounds"] = tuple(worn.values())
        bodies = {**self.battle.bodies, name: change(body, **changes)}
        return Fight(change(self.battle, bodies=bodies), self.events, self.filed)

    def body(self, name: str) -> Body:
        """What has changed about a character."""
        return self.battle.bodies[name]

    def shown(self, name: str) -> Any:
        """A character in the state object of the replay format."""
        state: Any = STARFARER.scenario.state(self.battle)
        return state["characters"][name]

    def events_of(self, kind: str) -> list[Any]:
        """The last events of a kind."""
        return [event for event in self.events if type(event).__name__ == kind]

    @property
    def refused(self) -> list[tuple[int, str]]:
        """The actions refused in the last round, as index and reason."""
        found = [STARFARER.scenario.refused(event) for event in self.events]
        return [(one.index, one.reason) for one in found if isinstance(one, RefusedOrder)]

    @property
    def mcs(self) -> int:
        """The MCS of the last to-hit roll."""
        return self.events_of("Attacked")[-1].mcs  # type: ignore[no-any-return]

    @property
    def acted(self) -> list[str]:
        """What was carried out, as `Ann attack`."""
        return [f"{event.character} {event.do}" for event in self.events_of("Acted")]


def wound(level: int, marks: str = "X") -> tuple[str, ...]:
    """The circles of an area with one wound, or with these marks."""
    return tuple(marks if place == level else "" for place in range(1, 7))


def fight(
    red: list[dict[str, Any]], blue: list[dict[str, Any]], *more: list[dict[str, Any]], **keys: Any
) -> Fight:
    """A fight before its first round."""
    return Fight(STARFARER.setup(setup(red, blue, *more, **keys)))


def duel(at: int = 15, red: Any = None, blue: Any = None, **keys: Any) -> Fight:
    """Ann at 0, and Bo so many metres away."""
    return fight([ann(**(red or {}))], [bo(at, **(blue or {}))], **keys)


def shot(given: Fight, *dice: int, **keys: Any) -> Fight:
    """Ann attacks Bo as the keys say, and misses."""
    return given.plan("Ann", act("attack", at="Bo", **keys)).round(1, 1, *dice, MISS)


def gun(dr: int, at: int = 15, **blue: Any) -> Fight:
    """Ann shoots at Bo with a pistol of that DR, and he has no resilience to halve wounds."""
    red = {"weapons": [{**PISTOL, "dr": dr}]}
    return duel(at, red, {"resilience": 0, **blue}).plan("Ann", SHOOT)


def ward(at: int = 1, **changes: Any) -> Fight:
    """Ann with a mate, Cy, in need of treatment; Bo is far off."""
    return fight([ann(), character("Cy", at)], [bo(50)]).having("Cy", **changes)


def treats(given: Fight, area: str, *dice: int, **keys: Any) -> Fight:
    """Ann treats Cy."""
    return given.plan("Ann", act("treat", area=area, **{"at": "Cy", **keys})).round(1, 1, 1, *dice)
