"""A battle of task groups, fought again by the naive referee of Cortex from an export."""

from collections.abc import Callable, Mapping

from engine.seats import REFEREE
from tests.oracle import naive_cortex
from tests.oracle.cortex.figures import RANGES
from tests.oracle.cortex.fleet import Die, unit_of, worst
from tests.season.deeds import Deeds, own_name, seated
from tests.season.logged import Json, group_orders

DAMAGES = {
    "sensors": "sensors damaged",
    "ftl": "the FTL drive gone",
    "engines": "the engines gone",
}
STILL, HARMLESS = 8, 32
"""After so many turns without an attempt, or without harm, a battle of Cortex is a draw."""


class Groups(naive_cortex.Battle):
    """A battle of Cortex, with the referee's draws (CX-22)."""

    def __init__(self, setup: Json, die: Die) -> None:
        super().__init__(setup, die)
        self.seated = seated(setup)
        self.still = self.harmless = 0
        self.tried = False
        self.loaded = {name: _arms(vessel) for name, vessel in self.vessels.items()}

    def take(self, orders: list[tuple[str, str]]) -> None:
        """Play a turn by all orders, or do as the referee rules."""
        given = [one for seat, text in orders if seat != REFEREE for one in self._meant(text)]
        for seat, text in orders:
            word, _, whom = text.partition(" ")
            if seat == REFEREE and word == "END":
                self._end(given)
            elif seat == REFEREE and word == "FORFEIT":
                self._forfeit(whom)
            elif seat == REFEREE:
                self.over = True

    def _end(self, given: list[Json]) -> None:
        before = self._whole()
        self.tried = bool(self.missiles)
        self.play_turn(given)
        self.still = 0 if self.tried else self.still + 1
        self.harmless = 0 if self._whole() != before else self.harmless + 1
        self.over |= self.still >= STILL or self.harmless >= HARMLESS

    def roll(self, why: str, attribute: int, skill: int, steps: int = 0, trait: int = 0) -> Json:
        """Note whether anybody tries to do harm, or meets what might."""
        self.tried |= why in ("attack", "lock", "avoid", "point defence", "strafing run")
        return super().roll(why, attribute, skill, steps, trait)

    def _whole(self) -> list[object]:
        """Return what harm would change."""
        return [
            (one["fate"], one["stun"], one["wound"], _arms(one)) for one in self.vessels.values()
        ]

    def _forfeit(self, seat: str) -> None:
        for vessel in self.active():
            if vessel["name"] in self.seated[seat]:
                self.take_out(vessel, "surrendered")
        left = [team for team in self.teams if self.active(team)]
        if len(left) < 2:
            self.over, self.winner = True, left[0] if left else None

    # ---- whom orders mean that name nobody -----------------------------------------------

    def _meant(self, text: str) -> list[Json]:
        """Return a unit's orders with names; to hold is to have no order (CX-18)."""
        return [self._named(one) for one in group_orders(text) if one["do"] != "hold"]

    def _named(self, order: Json) -> Json:
        vessel = self.vessels[order["unit"]]
        if order.get("at") in ("nearest", "weakest"):
            return order | {"at": self._target(vessel, order)}
        if order.get("missile") == "missile":
            return order | {"missile": self._next(vessel, order)}
        return order

    def _target(self, vessel: Json, order: Json) -> str:
        """Return the foe that is meant: the nearest, or the weakest, of those that will do."""
        by = worst(unit_of(vessel))
        foes = self.enemies(vessel)
        for fits in _FITS.get(order["do"], ()):
            fitting = [foe for foe in foes if fits(self, by, foe, order)]
            if fitting:
                foes = fitting
                break
        if order["at"] == "weakest":
            return str(min(foes, key=_life)["name"])
        near = min(
            foes, key=lambda foe: (RANGES.index(self.ranges[self.pair(by, foe)]), _life(foe))
        )
        return str(near["name"])

    def _next(self, vessel: Json, order: Json) -> str:
        """Return the missile that is meant: the first to arrive of those that will do."""
        unit = unit_of(vessel)
        if order["do"] == "intercept":
            mine = [m for m in self.missiles if self.vessels[m["at"]]["team"] == vessel["team"]]
            late = worst(unit)["weapons"][order["weapon"]]["pd"]
            found = [one for one in mine if not (late and one["turns"] > 1)]
        else:
            names = [one["name"] for one in unit]
            found = [one for one in self.missiles if one["at"] in names]
        return str(min(found, key=lambda one: one["turns"])["id"]) if found else "missile"

    def locked(self, by: Json, foe: Json, order: Json) -> bool:
        """Return whether a weapon has a lock on a foe."""
        lock = {"by": by["name"], "weapon": order.get("weapon"), "at": foe["name"]}
        return lock in self.locks

    def in_reach(self, by: Json, foe: Json, order: Json) -> bool:
        """Return whether a weapon reaches a foe."""
        weapon = by["weapons"].get(order.get("weapon"))
        return weapon is None or self.reaches(by, foe, weapon)

    def to_lock(self, by: Json, foe: Json, order: Json) -> bool:
        """Return whether a missile may be locked on a foe that it is not locked on yet."""
        near = self.band(by, foe) == 0
        return not near and self.in_reach(by, foe, order) and not self.locked(by, foe, order)

    def deeds(self, seat: str, team: str) -> Deeds:
        """Return what a group did, and the damage that it came back with."""
        own = [self.vessels[name] for name in self.seated[seat]]
        fates = ("destroyed", "disabled", "surrendered")
        felled = sum(o["team"] != team and o["fate"] in fates for o in self.vessels.values())
        left = {own_name(seat, one["name"]): self._damage(one) for one in own}
        hurt = {name: phrase for name, phrase in left.items() if phrase}
        return Deeds(self.winner == team, felled, sum(o["fate"] == "destroyed" for o in own), hurt)

    def _damage(self, vessel: Json) -> str:
        """Return what is left of a vessel, as its group's sheet says it."""
        if vessel["fate"] in ("destroyed", "disabled"):
            return str(vessel["fate"])
        damaged = sorted(vessel["damaged"])
        if vessel["stun"] or vessel["wound"] or damaged:
            took = f"{_points(vessel['stun'])} Stun and {_points(vessel['wound'])} Wound"
            return ", ".join([took, *(DAMAGES[one] for one in damaged)])
        return "unharmed" if _arms(vessel) != self.loaded[vessel["name"]] else ""


def _life(vessel: Json) -> int:
    """Return the tenths of Life Points that a vessel has left."""
    return int(10 * vessel["lp"] - vessel["stun"] - vessel["wound"])


def _arms(vessel: Json) -> list[int]:
    """Return how many guns and missiles a vessel has left, by weapon."""
    return [one["left"] for one in vessel["weapons"].values()]


def _points(tenths: int) -> str:
    whole, broken = divmod(tenths, 10)
    return f"{whole}.{broken}" if broken else str(whole)


_FITS: Mapping[str, tuple[Callable[[Groups, Json, Json, Json], bool], ...]] = {
    "fire": (Groups.in_reach,),
    "lock": (Groups.to_lock,),
    "launch": (Groups.locked, Groups.to_lock),
    "strafe": (lambda _battle, _by, foe, _order: foe["scale"] == "spacecraft" or foe["fixed"],),
}
"""Which foes will do for an order; the first that holds of some is what counts."""
