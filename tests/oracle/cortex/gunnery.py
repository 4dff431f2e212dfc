"""Stages 4 and 5 of a turn of Cortex, naively: guns and missiles."""

from __future__ import annotations

from typing import Any

from tests.oracle.cortex.figures import FLIGHT, LOCKED_AT, MISSILES, RANGES, TO_HIT, Json, begun
from tests.oracle.cortex.fleet import Unit, immobile, unit_of, worst
from tests.oracle.cortex.flight import Flight
from tests.oracle.cortex.harm import split


class Gunnery(Flight):
    """A fleet that shoots."""

    # ---- steps ---------------------------------------------------------------------------

    def take_action(self, vessel: Json) -> int:
        """CX-15: note a gun order, and return the steps of CX-7 a."""
        if vessel["scale"] == "spacecraft":
            return 0
        vessel["actions"] += 1
        return 1 - int(vessel["actions"])

    def crew_steps(self, ship: Json, weapon: Json) -> int:
        """CX-7 e and CX-56."""
        name = weapon["name"]
        return int(ship["attacks"] + ship["aimed"].get(name, 0) + ship["now"].get(name, 0))

    def together_steps(self, unit: Unit, weapon: Json, guns: int) -> int:
        """CX-7 b: CX-37, CX-39 and CX-50."""
        if weapon["missile"]:
            return 0
        steps = len(unit) - 1
        if self.fires_as_battery(weapon):
            steps += guns - 1
        elif self.fires_linked(weapon):
            steps += guns.bit_length() - 1
        return min(steps, 5)

    def advantage_steps(self, ship: Json, target: Json) -> int:
        """CX-25, and CX-36 for both sides."""
        pair = self.pair(ship, worst(unit_of(target)))
        holder, steps = self.advantages.get(pair, (None, 0))
        return steps if holder == ship["name"] else -steps

    def aim_steps(self, ship: Json, weapon: Json, target: Json) -> int:
        """CX-13: the aim, which ends."""
        aim = ship["aim"].pop(weapon["name"], None)
        return aim["steps"] if aim is not None and aim["at"] == target["name"] else 0

    def fires_as_battery(self, weapon: Json) -> bool:
        """CX-1 and CX-39."""
        return bool(weapon["battery"]) and self.rule("batteries")

    def fires_linked(self, weapon: Json) -> bool:
        """CX-1 and CX-50."""
        return bool(weapon["linked"]) and self.rule("linked")

    def guns_asked(self, ship: Json, weapon: Json, guns: Any) -> int:
        """CX-16: how many guns an order uses; 0 where none is left."""
        if self.fires_linked(weapon):
            return int(weapon["left"])
        if self.fires_as_battery(weapon) and guns is None:
            left = weapon["left"] - ship["used"].get(weapon["name"], 0)
            return int(min(left, 6))
        return 1 if guns is None else int(guns)

    def use(self, ship: Json, weapon: Json, order: Json) -> int:
        """Use guns, or a missile (CX-16)."""
        if weapon["missile"]:
            weapon["left"] -= 1
            return 1
        guns = self.guns_asked(ship, weapon, order.get("guns"))
        ship["used"][weapon["name"]] = ship["used"].get(weapon["name"], 0) + guns
        return guns

    # ---- damage --------------------------------------------------------------------------

    def damage(self, unit: Unit, weapon: Json, guns: int, basic: int) -> tuple[int, int]:
        """CX-10, CX-37, CX-40 and CX-46: Stun and Wound of a hit."""
        stun, wound = split(basic)
        if weapon["missile"]:
            return added((stun, wound), self.blast(weapon, self.missile_dice(weapon, 4)))
        raised = len(unit) > 1 or (self.fires_as_battery(weapon) and guns >= 2)
        step = weapon["damage"] + (1 if raised else 0)
        wound += sum(self.dice(step, "damage"))
        if raised and basic >= 7:
            wound += sum(self.dice(step, "damage"))
        return stun, wound

    def missile_dice(self, weapon: Json, count: int) -> list[int]:
        """CX-66."""
        sides, _ = MISSILES[weapon["scale"], weapon["size"]]
        return [self.die(sides, "warhead") for _ in range(count)]

    def blast(self, weapon: Json, dice: list[int]) -> tuple[int, int]:
        """CX-46: Stun and Wound."""
        return split(sum(dice)) if weapon["warhead"] == "blast" else (0, sum(dice))

    def dice_left(self, weapon: Json, feet: int) -> int:
        """CX-66: how many of four dice are left at a distance."""
        _, increment = MISSILES[weapon["scale"], weapon["size"]]
        return max(4 - (begun(feet, increment) - 1), 0)

    # ---- guns ----------------------------------------------------------------------------

    def defence(self, target: Json) -> int:
        """CX-8."""
        unit = unit_of(target)
        ship = worst(unit)
        if immobile(unit) or (self.rule("crew1") and "press" in ship["given"]):
            return 3
        if self.rule("crew2") and "evade" in ship["given"]:
            return max(ship["evaded"], 3)
        if "defend" in ship["given"] or "evade" in ship["given"]:
            return max(self.pilot_roll(unit, "defence", ship["defence"])["total"], 3)
        return max(sum(self.dice(ship["agi"], "defence")), 3)

    def fire(self, vessel: Json, order: Json) -> None:
        """CX-7 to CX-9, and CX-60: the same roll whoever makes it."""
        unit, target = unit_of(vessel), self.vessels[order["at"]]
        ship = worst(unit)
        weapon = ship["weapons"][order["weapon"]]
        called = order.get("called")
        guns = self.use(ship, weapon, order)
        steps = self.take_action(vessel)
        steps += self.together_steps(unit, weapon, guns)
        steps += len(unit_of(target)) // 2
        steps += self.advantage_steps(ship, target)
        steps += self.crew_steps(ship, weapon)
        if self.rule("scales"):
            steps += TO_HIT.get((weapon["scale"], target["scale"]), 0)
        steps += self.aim_steps(ship, weapon, target) - (2 if called is not None else 0)
        steps -= self.increments(ship, target, weapon)
        roll = self.roll("attack", ship["agi"], ship["gunnery"], steps)
        defence = self.defence(target)
        if roll["total"] >= defence and not roll["botch"]:
            damage = self.damage(unit, weapon, guns, roll["total"] - defence)
            self.hit(unit_of(target), weapon["scale"], damage, called)

    def aim(self, vessel: Json, order: Json) -> None:
        """CX-13."""
        ship = worst(unit_of(vessel))
        weapon = ship["weapons"][order["weapon"]]
        self.take_action(vessel)
        ship["used"][weapon["name"]] = weapon["left"]
        before = ship["aim"].get(weapon["name"])
        same = before is not None and before["at"] == order["at"]
        steps = min(before["steps"] + 1, 3) if same else 1
        ship["aim"][weapon["name"]] = {"at": order["at"], "steps": steps}

    def intercept(self, vessel: Json, order: Json) -> None:
        """CX-43."""
        unit = unit_of(vessel)
        ship = worst(unit)
        weapon = ship["weapons"][order["weapon"]]
        guns = self.use(ship, weapon, order)
        steps = self.take_action(vessel) + self.together_steps(unit, weapon, guns)
        steps += self.crew_steps(ship, weapon)
        roll = self.roll("attack", ship["agi"], ship["gunnery"], steps)
        if roll["total"] >= 15 and not roll["botch"]:
            self.missiles.remove(self.missile(order["missile"]))

    # ---- missiles ------------------------------------------------------------------------

    def missile(self, name: Any) -> Json:
        """The missile of this number."""
        return next(missile for missile in self.missiles if missile["id"] == name)

    def lock(self, vessel: Json, order: Json) -> None:
        """CX-41."""
        unit, target = unit_of(vessel), self.vessels[order["at"]]
        ship = worst(unit)
        weapon = ship["weapons"][order["weapon"]]
        ship["locks"][weapon["name"]] = ship["locks"].get(weapon["name"], 0) + 1
        steps = self.take_action(vessel) + self.crew_steps(ship, weapon)
        steps -= self.increments(ship, target, weapon)
        roll = self.roll("lock", ship["agi"], ship["gunnery"], steps)
        needed = LOCKED_AT[RANGES[self.band(ship, target)]]
        lock = {"by": ship["name"], "weapon": weapon["name"], "at": target["name"]}
        if roll["total"] >= needed and not roll["botch"] and lock not in self.locks:
            self.locks.append(lock)

    def launch(self, vessel: Json, order: Json) -> None:
        """CX-42."""
        target = self.vessels[order["at"]]
        ship = worst(unit_of(vessel))
        weapon = ship["weapons"][order["weapon"]]
        self.take_action(vessel)
        self.use(ship, weapon, order)
        lock = {"by": ship["name"], "weapon": weapon["name"], "at": target["name"]}
        self.locks.remove(lock)
        self.launched += 1
        turns = FLIGHT[RANGES[self.band(ship, target)]]
        flight = {"id": f"M{self.launched}", **lock, "turns": turns, "outflown": 0}
        self.missiles.append(flight)

    def outfly(self, vessel: Json, order: Json) -> None:
        """CX-44."""
        missile = self.missile(order["missile"])
        vessel["full"] = True
        vessel["actions"] += 1
        roll = self.pilot_roll(unit_of(vessel), "out-fly")
        missile["outflown"] += 0 if roll["botch"] else roll["total"]
        if missile["outflown"] >= 15:
            self.missiles.remove(missile)

    def trick(self, vessel: Json, order: Json) -> None:
        """CX-45."""
        unit, missile = unit_of(vessel), self.missile(order["missile"])
        vessel["full"] = True
        vessel["actions"] += 3
        if order["at"] in self.obstacles:
            if self.meet_obstacle(unit, self.obstacles[order["at"]], -1):
                roll = self.pilot_roll(unit, "distraction", -2)
                if roll["total"] >= 7 and not roll["botch"]:
                    self.missiles.remove(missile)
            return
        target = self.vessels[order["at"]]
        if self.fly_close(unit, target, -1) != "avoided":
            return
        own, other = self.pilot_roll(unit, "distraction", -2)["total"], 0
        if not immobile(unit_of(target)):
            other = self.pilot_roll(unit_of(target), "distraction")["total"]
        if other < own:
            missile.update(at=target["name"], outflown=0)

    # ---- stage 5 -------------------------------------------------------------------------

    def fly_missiles(self, launched: list[Json]) -> None:
        """CX-42: those launched this turn fly on from the next one."""
        for missile in list(self.missiles):
            # One that was at a vessel that was just lost is gone.
            if missile in launched or missile not in self.missiles:
                continue
            missile["turns"] -= 1
            if missile["turns"] == 0:
                self.missiles.remove(missile)
                self.arrive(missile)

    def arrive(self, missile: Json) -> None:
        """CX-46, in atmosphere CX-66."""
        target = self.vessels[missile["at"]]
        weapon = self.vessels[missile["by"]]["weapons"][missile["weapon"]]
        dice = self.missile_dice(weapon, 4)
        caught = [(target, 4)]
        if self.atmosphere:
            caught += [(member, 3) for member in unit_of(target) if member is not target]
            caught += [
                (enemy, self.dice_left(weapon, self.ranges[self.pair(enemy, target)]))
                for enemy in self.enemies(target)
            ]
        for vessel, count in caught:
            if count > 0:
                self.strike(vessel, weapon["scale"], self.blast(weapon, dice[:count]))


def added(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Stun and Wound of two parts that were split apart."""
    return one[0] + other[0], one[1] + other[1]
