"""Bombardment and spotters in a battle of Cortex, naively: CX-67 to CX-72."""

from __future__ import annotations

from tests.oracle.cortex.figures import DIRECTIONS, INCREMENTS, SITES, Json, begun
from tests.oracle.cortex.fleet import unit_of, worst
from tests.oracle.cortex.gunnery import Gunnery


class Bombardment(Gunnery):
    """A fleet that bombards."""

    def mark(self, vessel: Json, name: object) -> Json | None:
        """CX-67 and CX-70: a standing site, or an active, detected spotter of the enemy."""
        for site in self.sites.values():
            if site["name"] == name and site["wound"] < 10 * site["lp"]:
                return site
        for spotter in self.spotters.values():
            seen = spotter["fate"] == "active" and spotter["detected"]
            if seen and spotter["name"] == name and spotter["team"] != vessel["team"]:
                return spotter
        return None

    def bombard(self, vessel: Json, order: Json) -> None:
        """CX-67 and CX-71."""
        unit, mark = unit_of(vessel), self.mark(vessel, order["at"])
        assert mark is not None
        ship = worst(unit)
        weapon = ship["weapons"][order["weapon"]]
        guns = self.use(ship, weapon, order)
        steps = self.take_action(vessel) + self.together_steps(unit, weapon, guns)
        steps += self.crew_steps(ship, weapon)
        far = begun(ship["altitude"], INCREMENTS[weapon["range"]]) - 1
        if order.get("spotter") is not None:
            eye = self.spotters[order["spotter"]]
            steps = -far - (0 if eye["scope"] else 1)
            roll = self.roll("bombardment", eye["alt"], eye["gunnery"], steps)
        else:
            roll = self.roll("bombardment", ship["agi"], ship["gunnery"], steps - far)
        difficulty = SITES[mark["kind"]][1 if weapon["scale"] == "spacecraft" else 0]
        if roll["total"] < difficulty or roll["botch"]:
            self.scatter(weapon, mark, max(difficulty - roll["total"], 0))
            return
        if mark["name"] in self.sites:
            mark["scatter"] = None
        damage = self.damage(unit, weapon, guns, roll["total"] - difficulty)
        self.damage_mark(weapon, mark, damage)

    def scatter(self, weapon: Json, mark: Json, missed_by: int) -> None:
        """CX-68."""
        direction = DIRECTIONS[self.die(8, "scatter") - 1]
        feet = self.die(10, "scatter") + 10 * missed_by
        if mark["name"] in self.sites:
            mark["scatter"] = {"direction": direction, "feet": feet}
        if weapon["missile"] and self.dice_left(weapon, feet) > 0:
            dice = self.missile_dice(weapon, self.dice_left(weapon, feet))
            self.damage_mark(weapon, mark, self.blast(weapon, dice))

    def damage_mark(self, weapon: Json, mark: Json, damage: tuple[int, int]) -> None:
        """CX-67: sites take Wound only; CX-72: spotters take both."""
        stun, wound = self.tenths(weapon["scale"], mark, *damage)
        if mark["name"] in self.spotters:
            self.hurt(mark, stun, wound)
        else:
            mark["wound"] = min(mark["wound"] + wound, 10 * mark["lp"])

    def casualties(self, site: Json) -> tuple[int, int]:
        """CX-69: wounded and killed."""
        struck = site["population"] * site["wound"] // (10 * site["lp"])
        return struck * 2 // 3, struck - struck * 2 // 3
