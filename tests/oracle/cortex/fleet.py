"""Who takes part in a battle of Cortex: vessels, wings, ranges and rolls, naively."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.oracle.blackskies.tables import given
from tests.oracle.cortex.figures import (
    BANDS,
    INCREMENTS,
    OPTIONS,
    RANDOM_SIZES,
    RANDOM_SPEEDS,
    RANDOM_VECTORS,
    RANGES,
    SITES,
    STATIONS,
    Json,
    begun,
    dice_of,
    step_of,
)

Die = Callable[[int, str], int]  # (sides, what it is for) -> what it shows
Unit = list[Json]


class Fleet:
    """Everybody and everything of one battle."""

    def __init__(self, setup: Json, die: Die) -> None:
        """Line everybody up in setup order, and roll the random obstacles."""
        self.die = die
        every = [option for option in OPTIONS if option != "crew1"]
        self.options: list[str] = given(setup, "options", every)
        self.atmosphere: bool = given(setup, "atmosphere", False)
        self.good_conditions = given(setup, "conditions", "good") == "good"
        self.teams = [team["name"] for team in setup["teams"]]
        self.vessels: dict[str, Json] = {}
        self.spotters: dict[str, Json] = {}
        for team in setup["teams"]:
            for vessel in team["vessels"]:
                made = fresh_vessel(vessel, team["name"], len(self.vessels))
                self.vessels[vessel["name"]] = made
            for spotter in given(team, "spotters", []):
                self.spotters[spotter["name"]] = fresh_spotter(spotter, team["name"])
        self.sites = {site["name"]: fresh_site(site) for site in given(setup, "sites", [])}
        self.obstacles: dict[str, Json] = {}
        for obstacle in given(setup, "obstacles", []):
            self.obstacles[obstacle["name"]] = self.fresh_obstacle(obstacle)
        self.ranges: dict[str, Any] = {}
        for pair in self.pairs():
            self.ranges[pair] = given(given(setup, "ranges", {}), pair, setup["range"])
        self.advantages: dict[str, tuple[str, int]] = {}  # who has it, and by how many steps
        self.locks: list[Json] = []
        self.missiles: list[Json] = []
        self.launched = 0
        self.turn = 0
        self.over = False
        self.winner: str | None = None
        self.refused: list[Json] = []

    def fresh_obstacle(self, obstacle: Json) -> Json:
        """CX-27."""
        kept = {key: obstacle.get(key) for key in ("turn", "against")}
        if given(obstacle, "random", False):
            size = RANDOM_SIZES[self.die(10, "size") - 1]
            speed = RANDOM_SPEEDS[self.die(8, "speed") - 1]
            return {**kept, "size": size, "speed": speed,
                    "vector": RANDOM_VECTORS[self.die(6, "vector") - 1]}  # fmt: skip
        return {**kept, **{key: obstacle[key] for key in ("size", "speed", "vector")}}

    def rule(self, option: str) -> bool:
        """CX-1: whether it is in force."""
        return option in self.options

    # ---- who is there --------------------------------------------------------------------

    def active(self, team: str | None = None) -> Unit:
        """The active vessels, in setup order."""
        return [
            vessel
            for vessel in self.vessels.values()
            if vessel["fate"] == "active" and team in (None, vessel["team"])
        ]

    def enemies(self, vessel: Json) -> Unit:
        """The active vessels of the other team."""
        return [other for other in self.active() if other["team"] != vessel["team"]]

    def enemy(self, vessel: Json, name: Any) -> Json | None:
        """An active enemy by its name."""
        return next((other for other in self.enemies(vessel) if other["name"] == name), None)

    def units(self) -> list[Unit]:
        """CX-17: the active units, in the setup order of their leaders."""
        return [unit_of(vessel) for vessel in self.active() if unit_of(vessel)[0] is vessel]

    def pairs(self) -> list[str]:
        """All pairs of opposing vessels."""
        first, second = (
            [vessel["name"] for vessel in self.vessels.values() if vessel["team"] == team]
            for team in self.teams
        )
        return [f"{one}|{other}" for one in first for other in second]

    def pair(self, one: Json, other: Json) -> str:
        """The name of a pair, the first team's vessel first."""
        if one["team"] == self.teams[0]:
            return f"{one['name']}|{other['name']}"
        return f"{other['name']}|{one['name']}"

    # ---- ranges --------------------------------------------------------------------------

    def band(self, one: Json, other: Json) -> int:
        """CX-6 and CX-64: 0 skirmish, 1 capital, 2 short, 3 long."""
        distance = self.ranges[self.pair(one, other)]
        if self.atmosphere:
            return sum(distance > last for last in BANDS)
        return RANGES.index(distance)

    def increments(self, one: Json, other: Json, weapon: Json) -> int:
        """CX-65: how many increments are begun beyond the first; 0 in space."""
        if not self.atmosphere:
            return 0
        return begun(self.ranges[self.pair(one, other)], INCREMENTS[weapon["range"]]) - 1

    def reaches(self, one: Json, other: Json, weapon: Json) -> bool:
        """CX-6, in atmosphere CX-65."""
        if self.atmosphere:
            return self.increments(one, other, weapon) < 10
        return self.band(one, other) <= RANGES.index(weapon["range"])

    # ---- rolls ---------------------------------------------------------------------------

    def dice(self, step: int, why: str) -> list[int]:
        """The dice of one step."""
        return [self.die(sides, why) for sides in dice_of(step)]

    def roll(self, why: str, attribute: int, skill: int, steps: int = 0, trait: int = 0) -> Json:
        """CX-3 and CX-4: attribute, skill moved by steps, and trait."""
        shown = self.dice(attribute, why)
        shown += self.dice(max(skill + steps, 0), why)
        shown += self.dice(trait, why)
        return {"total": sum(shown), "botch": all(one == 1 for one in shown)}

    def pilot_roll(self, unit: Unit, why: str, steps: int = 0, trait: bool = False) -> Json:
        """Agility + Pilot of the worst pilot (CX-36), with the help of CX-52."""
        vessel = worst(unit)
        pilot = vessel["crew"]["pilot"]
        steps += vessel["now"].get("pilot", 0)
        more = pilot["trait"] if trait else 0
        return self.roll(why, vessel["agi"], pilot["skill"], steps, more)

    # ---- who leaves ----------------------------------------------------------------------

    def take_out(self, vessel: Json, fate: str) -> None:
        """CX-12."""
        vessel["fate"] = fate
        name = vessel["name"]
        self.locks = [lock for lock in self.locks if name not in (lock["by"], lock["at"])]
        self.missiles = [missile for missile in self.missiles if missile["at"] != name]
        for pair in list(self.advantages):
            if name in pair.split("|"):
                del self.advantages[pair]
        drop_out(vessel)


def unit_of(vessel: Json) -> Unit:
    """CX-5: its wing, or itself; a list of its own."""
    return list(vessel["wing"]) if vessel["wing"] else [vessel]


def drop_out(vessel: Json) -> None:
    """CX-35: out of the wing; one left over is not a wing."""
    wing = vessel["wing"]
    if wing is None:
        return
    wing.remove(vessel)
    vessel["wing"] = None
    if len(wing) == 1:
        wing[0]["wing"] = None


def worst(unit: Unit) -> Json:
    """CX-36."""
    return min(unit, key=lambda vessel: (vessel["crew"]["pilot"]["skill"], vessel["place"]))


def is_immobile(vessel: Json) -> bool:
    """CX-5."""
    if vessel["scale"] == "personal":
        return False
    return vessel["fixed"] or vessel["speed"] == 0 or "engines" in vessel["damaged"]


def immobile(unit: Unit) -> bool:
    """CX-5: a wing is if one of its members is."""
    return any(is_immobile(vessel) for vessel in unit)


def speed_of(unit: Unit) -> int:
    """CX-20."""
    return min(vessel["speed"] for vessel in unit)


# ---- how everything starts -----------------------------------------------------------------


def fresh_vessel(vessel: Json, team: str, place: int) -> Json:
    """A vessel with what may be missing filled in."""
    armour = given(vessel, "armour", {})
    crew = {
        station: {key: step_of(person.get(key)) for key in ("attr", "skill", "trait")}
        if station in ("commander", "executive", "comms")
        else {key: step_of(person.get(key)) for key in ("skill", "trait")}
        for station, person in vessel["crew"].items()
        if station in STATIONS and person is not None
    }
    body = {
        **{key: vessel[key] for key in ("name", "scale", "speed", "lp")},
        **{key: step_of(vessel.get(key)) for key in ("str", "agi", "vit", "alt", "gunnery")},
        "team": team,
        "place": place,
        "altitude": vessel.get("altitude"),
        "crew": crew,
        "armour": {key: given(armour, key, 0) for key in ("stun", "wound")},
        "ftl": given(vessel, "ftl", False),
        "fixed": given(vessel, "fixed", False),
        "weapons": {
            weapon["name"]: fresh_weapon(weapon, vessel["scale"])
            for weapon in given(vessel, "weapons", [])
        },
        "fate": "active",
        "stun": 0,
        "wound": 0,
        "damaged": [],
        "wing": None,
        "aim": {},
        "next": {},
        "initiative": None,
    }
    return {**body, **fresh_turn()}


def fresh_turn() -> Json:
    """What is noted of a vessel for one turn."""
    return {
        "now": {},  # the steps of CX-52 and CX-55 that were given last turn
        "given": [],  # of defend, evade, press
        "evaded": 0,  # the total of CX-59
        "defence": 0,  # steps of CX-54 and CX-55
        "attacks": 0,  # steps for all attack rolls: CX-55, CX-57, CX-59
        "aimed": {},  # steps of CX-54 by weapon
        "flying": 0,  # steps of CX-57 for evade and press
        "to_forward": [],  # assists to other vessels (CX-53)
        "actions": 0,
        "full": False,
        "stations": [],
        "course": None,
        "shield": None,
        "strafed_by": [],
        "used": {},
        "locks": {},
        "silent": False,
        "jumps": False,
    }


def fresh_weapon(weapon: Json, scale: str) -> Json:
    """A weapon with all its guns or missiles."""
    return {
        "name": weapon["name"],
        "range": weapon["range"],
        "scale": given(weapon, "scale", scale),
        "left": given(weapon, "count", 1),
        "missile": given(weapon, "missile", False),
        "warhead": given(weapon, "warhead", "blast"),
        "size": weapon.get("size"),
        "damage": None if given(weapon, "missile", False) else step_of(weapon["damage"]),
        **{key: given(weapon, key, False) for key in ("linked", "battery", "pd")},
    }


def fresh_spotter(spotter: Json, team: str) -> Json:
    """CX-70 and CX-72."""
    return {
        **{key: spotter[key] for key in ("name", "lp")},
        **{key: step_of(spotter.get(key)) for key in ("alt", "gunnery")},
        **{key: given(spotter, key, False) for key in ("designator", "scope")},
        "uplink": given(spotter, "uplink", "none"),
        "team": team,
        "scale": "personal",
        "kind": "area",
        "armour": {"stun": 0, "wound": 0},
        "fate": "active",
        "stun": 0,
        "wound": 0,
        "detected": False,
        "spotted": None,
    }


def fresh_site(site: Json) -> Json:
    """CX-67."""
    _, _, scale, points, armour = SITES[site["kind"]]
    if points is None:
        points, armour = site["lp"], given(site, "armour", 0)
    return {
        "name": site["name"],
        "kind": site["kind"],
        "scale": scale,
        "lp": points,
        "armour": {"stun": 0, "wound": armour},
        "population": given(site, "population", 0),
        "wound": 0,
        "scatter": None,
    }
