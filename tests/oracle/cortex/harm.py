"""What hits do in a battle of Cortex, and collisions, naively: CX-10 to CX-14, CX-26 to CX-34."""

from __future__ import annotations

from tests.oracle.cortex.figures import (
    AVOIDED,
    RESISTED,
    SCALES,
    SIZES,
    VECTORS,
    Json,
    size_of,
    speed_modifier,
)
from tests.oracle.cortex.fleet import Die, Fleet, Unit, immobile, speed_of, unit_of, worst

ROWS = ("sensors", "speed", "gun", "weapon", "ftl", "engines")


class Harm(Fleet):
    """A fleet that can be hurt."""

    def __init__(self, setup: Json, die: Die) -> None:
        """Nothing waits to take effect."""
        super().__init__(setup, die)
        self.waiting: list[Json] | None = None  # hits of one initiative (CX-19)

    # ---- scales and armour ---------------------------------------------------------------

    def apart(self, one: str, other: str) -> int:
        """How many scales larger the first is; all count as one with the rule off (CX-1)."""
        return SCALES.index(one) - SCALES.index(other) if self.rule("scales") else 0

    def tenths(self, scale: str, target: Json, stun: int, wound: int) -> tuple[int, int]:
        """CX-11 and CX-62: what is added to Stun and Wound."""
        larger = self.apart(scale, target["scale"])
        factor = (1, 2, 5)[abs(larger)]
        armour = target["armour"]
        if larger >= 0:
            left = (stun * factor - armour["stun"], wound * factor - armour["wound"])
            worth = 10
        else:
            left = (stun - armour["stun"] * factor, wound - armour["wound"] * factor)
            worth = 10 // factor
        return max(left[0], 0) * worth, max(left[1], 0) * worth

    # ---- hits ----------------------------------------------------------------------------

    def hit(
        self, unit: Unit, scale: str, damage: tuple[int, int], called: str | None = None
    ) -> None:
        """A hit on a unit, which waits in stage 4 (CX-19)."""
        found = {"unit": unit, "scale": scale, "damage": damage, "called": called}
        if self.waiting is None:
            self.take_effect(found)
        else:
            self.waiting.append(found)

    def take_effect(self, hit: Json) -> None:
        """CX-19 and CX-38: one of those that are still active is struck."""
        members = [vessel for vessel in hit["unit"] if vessel["fate"] == "active"]
        if not members:
            return
        shield = members[0]["shield"]
        struck = next((vessel for vessel in members if vessel["name"] == shield), None)
        if len(members) == 1:
            struck = members[0]
        elif struck is None:
            struck = members[self.die(len(members), "member") - 1]
        self.strike(struck, hit["scale"], hit["damage"], hit["called"])

    def strike(
        self, vessel: Json, scale: str, damage: tuple[int, int], called: str | None = None
    ) -> None:
        """CX-11 to CX-14 and CX-33."""
        before = vessel["wound"]
        stun, wound = self.tenths(scale, vessel, *damage)
        self.hurt(vessel, stun, wound)
        if vessel["fate"] != "active" or wound < 10:
            return
        if called is not None:
            self.resist(vessel, scale, called)
        if (
            self.rule("battle_damage")
            and vessel["scale"] == "spacecraft"
            and 2 * before >= 10 * vessel["lp"]
        ):
            self.battle_damage(vessel, wound // 10)

    def hurt(self, body: Json, stun: int, wound: int) -> None:
        """CX-12, of a vessel or a spotter."""
        body["stun"] += stun
        body["wound"] += wound
        full = 10 * body["lp"]
        if body["wound"] >= full:
            self.lose(body, "destroyed")
        elif body["stun"] + body["wound"] >= full:
            self.lose(body, "disabled")

    def lose(self, body: Json, fate: str) -> None:
        """Spotters have nothing that ends with them."""
        if body["name"] in self.vessels:
            self.take_out(body, fate)
        else:
            body["fate"] = fate

    def resist(self, vessel: Json, scale: str, called: str) -> None:
        """CX-14 and CX-63."""
        difficulty = RESISTED[scale, vessel["scale"]] if self.rule("scales") else 7
        if difficulty is None:
            return
        roll = self.roll("resistance", vessel["str"], vessel["vit"])
        if roll["total"] >= difficulty and not roll["botch"]:
            return
        row = {"sensors": "sensors", "engines": "speed", "weapon": "gun"}[called]
        if self.applies(vessel, row):
            self.damage_system(vessel, row)

    # ---- battle damage -------------------------------------------------------------------

    def battle_damage(self, vessel: Json, points: int) -> None:
        """CX-34."""
        total = self.die(10, "battle damage") + points
        if total >= 31:
            for _ in range(2):
                self.battle_damage(vessel, points // 2)
            return
        # 2-5 is the first row, and each further one is five numbers long.
        row = max(total - 1, 0) // 5
        for name in ROWS[row:]:
            if self.applies(vessel, name):
                self.damage_system(vessel, name)
                return

    def applies(self, vessel: Json, row: str) -> bool:
        """Whether there is something left to damage."""
        if row == "speed":
            return bool(vessel["speed"] > 0)
        if row in ("gun", "weapon"):
            return any(weapon["left"] for weapon in vessel["weapons"].values())
        if row == "ftl" and not vessel["ftl"]:
            return False
        return row not in vessel["damaged"]

    def damage_system(self, vessel: Json, row: str) -> None:
        """One row of the table that applies."""
        left = [weapon for weapon in vessel["weapons"].values() if weapon["left"]]
        if row == "speed":
            vessel["speed"] //= 2
        elif row == "gun":
            guns = [weapon for weapon in left for _ in range(weapon["left"])]
            self.one_of(guns, "gun")["left"] -= 1
        elif row == "weapon":
            self.one_of(left, "weapon")["left"] = 0
        else:
            vessel["damaged"].append(row)

    def one_of(self, things: list[Json], why: str) -> Json:
        """At random; with one left there is no die."""
        if len(things) == 1:
            return things[0]
        return things[self.die(len(things), why) - 1]

    # ---- collisions ----------------------------------------------------------------------

    def avoid(self, unit: Unit, difficulty: int, steps: int = 0) -> tuple[bool, int]:
        """CX-26 and CX-28: whether the roll to avoid is made, and its total."""
        if not self.rule("collisions") or difficulty < 3:
            return True, 0
        if immobile(unit):
            return False, 0
        roll = self.pilot_roll(unit, "avoid", steps)
        return roll["total"] >= difficulty and not roll["botch"], roll["total"]

    def collide(self, unit: Unit, scale: str, difficulty: int, total: int) -> None:
        """CX-28: the Difficulty hits, and the roll defends."""
        self.hit(unit, scale, split(max(difficulty - total, 0)))

    def meet_obstacle(self, unit: Unit, obstacle: Json, steps: int = 0) -> bool:
        """CX-28: whether the unit avoids it."""
        flyer = worst(unit)
        size = smaller(size_of(flyer["scale"], flyer["str"]), obstacle["size"])
        speed = max(speed_of(unit), obstacle["speed"])
        difficulty = AVOIDED[size] + speed_modifier(speed) + VECTORS[obstacle["vector"]]
        made, total = self.avoid(unit, difficulty, steps)
        if not made:
            small = obstacle["size"] in ("small", "medium", "large")
            self.collide(unit, "planetcraft" if small else "spacecraft", difficulty, total)
        return made

    def difficulty_near(self, unit: Unit, target: Json) -> int:
        """CX-26 and CX-29, of two vessels; of the wing flown at the vessel named (CX-36)."""
        flyer, other = worst(unit), unit_of(target)
        size = smaller(
            size_of(flyer["scale"], flyer["str"]), size_of(target["scale"], target["str"])
        )
        speed = max(speed_of(unit), speed_of(other))
        return AVOIDED[size] + speed_modifier(speed) + VECTORS[vector(unit, other)]

    def fly_close(self, unit: Unit, target: Json, steps: int = 0) -> str:
        """CX-29: `avoided` by the flyer, `missed` thanks to the other, or `collided`."""
        difficulty, other = self.difficulty_near(unit, target), unit_of(target)
        made, total = self.avoid(unit, difficulty, steps)
        if made:
            return "avoided"
        other_made, other_total = self.avoid(other, difficulty)
        if other_made:
            return "missed"
        self.collide(unit, target["scale"], difficulty, total)
        self.collide(other, worst(unit)["scale"], difficulty, other_total)
        return "collided"


def split(points: int) -> tuple[int, int]:
    """CX-10: half Stun and half Wound, the odd point Stun."""
    return points - points // 2, points // 2


def smaller(one: str, other: str) -> str:
    """CX-26: the size of the smaller of the two."""
    return min(one, other, key=SIZES.index)


def vector(unit: Unit, other: Unit) -> str:
    """CX-29: what the other unit has given this turn."""
    course = other[0]["course"]
    if course is not None and course["do"] == "open":
        return "away"
    if course is not None and course["do"] == "close":
        names = [vessel["name"] for vessel in unit]
        if any(name in course["at"] for name in names):
            return "toward"
    return "perpendicular"
