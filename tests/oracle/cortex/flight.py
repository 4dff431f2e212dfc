"""Stages 1 and 3 of a turn of Cortex, naively: Advantage, courses and point defence."""

from __future__ import annotations

from tests.oracle.cortex.crew import Crew
from tests.oracle.cortex.figures import RANGES, Json
from tests.oracle.cortex.fleet import Unit, drop_out, immobile, speed_of, unit_of, worst
from tests.oracle.cortex.harm import split


class Flight(Crew):
    """A fleet that moves."""

    # ---- Advantage and initiative --------------------------------------------------------

    def find_advantage(self) -> None:
        """CX-23 and CX-24."""
        units, rolls = self.units(), []
        for unit in units:
            rolls.append(self.roll_for_initiative(unit))
            for vessel in unit:
                vessel["initiative"] = rolls[-1]["total"]
        self.advantages = {}
        for number, one in enumerate(units):
            for other_number, other in enumerate(units):
                if number < other_number and self.is_dogfight(one, other):
                    self.set_advantage(one, rolls[number], other, rolls[other_number])

    def roll_for_initiative(self, unit: Unit) -> Json:
        """CX-23."""
        flyer = worst(unit)
        if any(self.is_dogfight(unit, other) for other in self.units()):
            holders = [holder for holder, _ in self.advantages.values()]
            steps = 1 if flyer["name"] in holders else 0
            return self.pilot_roll(unit, "advantage", steps, trait=True)
        return self.roll("initiative", flyer["agi"], flyer["alt"])

    def is_dogfight(self, one: Unit, other: Unit) -> bool:
        """CX-23."""
        return (
            self.rule("dogfighting")
            and one[0]["team"] != other[0]["team"]
            and one[0]["scale"] == other[0]["scale"] != "personal"
            and self.band(one[0], other[0]) == 0
            and not immobile(one)
            and not immobile(other)
        )

    def set_advantage(self, one: Unit, roll: Json, other: Unit, other_roll: Json) -> None:
        """CX-24."""
        if roll["total"] == other_roll["total"]:
            return
        if roll["total"] < other_roll["total"]:
            one, roll, other, other_roll = other, other_roll, one, roll
        clearly = roll["total"] >= other_roll["total"] + 7 or other_roll["botch"]
        for vessel in one:
            for loser in other:
                self.advantages[self.pair(vessel, loser)] = (vessel["name"], 2 if clearly else 1)

    # ---- wings ---------------------------------------------------------------------------

    def leave(self, vessel: Json, _order: Json) -> None:
        """CX-35."""
        drop_out(vessel)

    def join(self, vessel: Json, order: Json) -> None:
        """CX-35."""
        self.fly_course(vessel, order)
        unit = unit_of(self.vessels[order["at"]])
        alike = all(
            (member["str"], member["speed"]) == (vessel["str"], vessel["speed"]) for member in unit
        )
        roll = self.pilot_roll([vessel], "join")
        if roll["total"] < (7 if alike else 11) or roll["botch"]:
            return
        wing = [*unit, vessel]
        for member in wing:
            member["wing"] = wing
        if self.atmosphere:
            for enemy in self.enemies(vessel):
                leaders = self.ranges[self.pair(wing[0], enemy)]
                self.ranges[self.pair(vessel, enemy)] = leaders

    # ---- courses -------------------------------------------------------------------------

    def fly_course(self, vessel: Json, order: Json) -> None:
        """CX-17 and CX-35: it holds for each member."""
        at: list[str] = []
        if order["do"] == "close":
            at = [member["name"] for member in unit_of(self.vessels[order["at"]])]
        for member in unit_of(vessel):
            course = {"do": order["do"], "at": at, "named": order.get("at")}
            member["course"] = course

    def withdraw(self, vessel: Json, _order: Json) -> None:
        """CX-21."""
        for member in unit_of(vessel):
            self.take_out(member, "withdrawn")

    def change_ranges(self) -> None:
        """CX-20 and CX-64."""
        units = self.units()
        for one in units:
            for other in units:
                if (one[0]["team"], other[0]["team"]) == tuple(self.teams):
                    self.change_range(one, other)
        for pair in list(self.advantages):
            one_name, other_name = pair.split("|")
            if self.band(self.vessels[one_name], self.vessels[other_name]) != 0:
                del self.advantages[pair]

    def change_range(self, one: Unit, other: Unit) -> None:
        """CX-20 and CX-64, of two units."""
        wish, other_wish = wish_of(one, other), wish_of(other, one)
        for vessel in one:
            for enemy in other:
                pair = self.pair(vessel, enemy)
                if self.atmosphere:
                    moved = 1_000 * (wish * speed_of(one) + other_wish * speed_of(other))
                    self.ranges[pair] = max(self.ranges[pair] + moved, 100)
                    continue
                step = wish or other_wish
                if wish and other_wish == -wish:
                    faster = speed_of(one) - speed_of(other)
                    step = 0 if faster == 0 else wish if faster > 0 else other_wish
                place = RANGES.index(self.ranges[pair]) + step
                self.ranges[pair] = RANGES[min(max(place, 0), len(RANGES) - 1)]

    def meet_obstacles(self) -> None:
        """CX-27."""
        for obstacle in self.obstacles.values():
            if obstacle["turn"] == self.turn and self.rule("collisions"):
                vessel = self.vessels[obstacle["against"]]
                if vessel["fate"] == "active":
                    self.meet_obstacle(unit_of(vessel), obstacle)

    # ---- point defence -------------------------------------------------------------------

    def point_defence(self, bands: dict[str, int]) -> None:
        """CX-47, with the ranges as they were before this stage."""
        if not self.rule("point_defence"):
            return
        for vessel in self.vessels.values():
            if vessel["fate"] != "active" or vessel["silent"]:
                continue
            for unit in self.units():
                if self.enters(unit, vessel, bands):
                    self.defend_point(vessel, unit)

    def enters(self, unit: Unit, vessel: Json, bands: dict[str, int]) -> bool:
        """CX-47."""
        if unit[0]["scale"] != "planetcraft" or vessel in unit:
            return False
        if unit[0]["team"] != vessel["team"]:
            return self.just_met(unit[0], vessel, bands)
        course = unit[0]["course"]
        if course is None or course["do"] != "close":
            return False
        enemy = self.vessels[course["named"]]
        return (
            enemy["fate"] == "active"
            and self.just_met(unit[0], enemy, bands)
            and self.band(vessel, enemy) == 0
        )

    def just_met(self, one: Json, other: Json, bands: dict[str, int]) -> bool:
        """Whether their range has become skirmish in this stage."""
        return bands[self.pair(one, other)] != 0 and self.band(one, other) == 0

    def bands_now(self) -> dict[str, int]:
        """All ranges, to be compared with later."""
        found = {}
        for one in self.active(self.teams[0]):
            for other in self.active(self.teams[1]):
                found[self.pair(one, other)] = self.band(one, other)
        return found

    def defend_point(self, vessel: Json, unit: Unit) -> None:
        """CX-48."""
        for weapon in vessel["weapons"].values():
            entering = [member for member in unit if member["fate"] == "active"]
            if not entering:
                return
            if not weapon["pd"] or not weapon["left"]:
                continue
            roll = {"total": 0, "botch": False}
            if not immobile(entering):
                roll = self.pilot_roll(entering, "point defence", worst(entering)["defence"])
            if roll["total"] >= 19 and not roll["botch"]:
                continue
            stun, wound = split(max(19 - roll["total"], 0))
            raised = weapon["damage"] + (2 if roll["botch"] else 1)
            wound += sum(self.dice(raised, "damage"))
            self.hit(entering, weapon["scale"], (stun, wound))

    # ---- ram and strafe ------------------------------------------------------------------

    def ram(self, vessel: Json, order: Json) -> None:
        """CX-30."""
        self.fly_course(vessel, order)
        unit, target = unit_of(vessel), self.vessels[order["at"]]
        difficulty, other = self.difficulty_near(unit, target), unit_of(target)
        scale = worst(unit)["scale"]
        made, total = self.avoid(other, difficulty)
        if not made:
            self.collide(unit, target["scale"], difficulty, 0)
            self.collide(other, scale, difficulty, total)

    def strafe(self, vessel: Json, order: Json) -> None:
        """CX-31 and CX-32."""
        self.fly_course(vessel, order)
        unit, target = unit_of(vessel), self.vessels[order["at"]]
        if self.fly_close(unit, target) != "avoided":
            return
        strength = target["str"]
        needed = 7 if strength >= 5 else 11 if strength >= 3 else 15
        roll = self.pilot_roll(unit, "strafing run")
        if roll["total"] >= needed and not roll["botch"]:
            target["strafed_by"] += [member["name"] for member in unit]


def wish_of(unit: Unit, other: Unit) -> int:
    """CX-20: -1 nearer, 1 wider."""
    course = unit[0]["course"]
    if course is None:
        return 0
    if course["do"] == "open":
        return 1
    return -1 if course["do"] == "close" and other[0]["name"] in course["at"] else 0
