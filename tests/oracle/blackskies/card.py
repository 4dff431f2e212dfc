"""One card of Black Skies, played step by step as BS-12 lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.oracle.blackskies.cards import MANOEUVRES, SUBSTITUTES
from tests.oracle.blackskies.tables import (
    AFTERBURNER,
    DAMAGE_DICE,
    STEPS,
    TARGET_NUMBERS,
    Place,
    in_arc,
    norm,
    within,
)

if TYPE_CHECKING:
    from tests.oracle.blackskies.referee import Battle

Json = dict[str, Any]
Shot = tuple[int, int, int, int, str]  # number needed, N, hull, setup order, target


class Card:
    """The card that an element plays."""

    def __init__(self, battle: Battle, element: str, order: Json) -> None:
        """Play it."""
        self.battle = battle
        self.element = element
        self.flying = battle.elements[element]
        self.design: Json = self.flying["design"]
        self.order = order
        self.card: int = order["card"]
        self.option: str | None = order.get("option")
        self.ordered = MANOEUVRES[self.card, self.option]
        self.flown = self.ordered
        self.lead_failed = False
        self.failed: set[str] = set()  # pilots who failed a check on this card
        self.paths: dict[str, list[Place]] = {}

    def play(self) -> None:
        """BS-12, from (1) to (6)."""
        self.note(f"card {self.card} {self.option or ''}".strip())
        self.piloting_checks()
        if not self.lead_failed:
            self.change_speed()
        self.move()
        self.take_penalty()
        for name in self.battle.active(self.element):
            self.dodge_asteroids(name)
        if not self.order.get("hold_fire"):
            for name in self.battle.active(self.element):
                self.fire(name)
        else:
            self.note("held fire")

    def note(self, what: str) -> None:
        """Remember for the tests that it happened."""
        self.battle.seen[what] += 1

    # ---- (1) piloting --------------------------------------------------------------------

    def check(self, name: str, difficulty: int, what: str) -> bool:
        """BS-13: d6 + skill against the difficulty; no die where it cannot matter."""
        if self.battle.crippled(name):
            difficulty *= 2
        if name in self.failed:
            difficulty *= 2
        needed = difficulty - self.battle.fighters[name]["skill"]
        if needed <= 1:
            return True
        if needed > 6:
            self.note(f"{what} failed without a die")
            self.failed.add(name)
            return False
        passed = self.battle.die(6, what) >= needed
        self.note(f"{what} {'passed' if passed else 'failed'}")
        if not passed:
            self.failed.add(name)
        return passed

    def piloting_checks(self) -> None:
        """BS-14, BS-15: all check, and the lead decides what is flown."""
        names = self.battle.active(self.element)
        results = [self.check(name, self.ordered.difficulty, "check") for name in names]
        if len(results) == 2 and results[0] != results[1]:
            self.note("only the lead failed" if results[1] else "only the wingman failed")
        if not results[0]:
            self.lead_failed = True
            self.flown = MANOEUVRES[SUBSTITUTES[self.card]]
            self.note(f"substitute for card {self.card}")

    # ---- (2) to (4) flight ---------------------------------------------------------------

    def change_speed(self) -> None:
        """BS-16, BS-17: the engine pushes along the nose."""
        along = -1 if self.flying["retrograde"] else 1
        if self.option == "accelerate":
            self.add_speed(along * self.order["by"])
        elif self.option == "decelerate":
            self.add_speed(-along)
        elif self.card == 4:
            self.add_speed(AFTERBURNER[self.design["weight"]])
        if self.flying["retrograde"] and self.option in ("accelerate", "decelerate"):
            self.note(f"{self.option} in retrograde")

    def add_speed(self, more: int) -> None:
        """BS-16: it stops at 0 and 12."""
        wanted = self.flying["speed"] + more
        self.flying["speed"] = max(0, min(12, wanted))
        if wanted != self.flying["speed"]:
            self.note("speed stopped at 0" if wanted < 0 else "speed stopped at 12")

    def move(self) -> None:
        """Two legs, half-inch by half-inch, and the turn."""
        course = self.battle.course(self.element)
        for name in self.battle.active(self.element):
            q, r = self.battle.fighters[name]["place"]
            self.paths[name] = []
            for leg in self.flown.legs:
                step = STEPS[(course + leg) % 6]
                for _ in range(self.flying["speed"]):
                    q, r = q + step[0], r + step[1]
                    self.paths[name].append((q, r))
            self.battle.fighters[name]["place"] = (q, r)
        self.flying["heading"] = (self.flying["heading"] + self.flown.turn) % 6
        if self.card == 10 and not self.lead_failed:
            self.flying["retrograde"] = not self.flying["retrograde"]
            self.note("retrograde begun" if self.flying["retrograde"] else "retrograde ended")

    def take_penalty(self) -> None:
        """BS-15: that of the card ordered; BS-17: at speed 0 retrograde motion ends."""
        self.add_speed(-self.ordered.penalty)
        if self.flying["retrograde"] and self.flying["speed"] == 0:
            self.flying["retrograde"] = False
            self.note("retrograde ended at speed 0")

    # ---- (5) asteroids -------------------------------------------------------------------

    def dodge_asteroids(self, name: str) -> None:
        """BS-23: every asteroid met, in setup order, as long as the fighter lives."""
        fighter = self.battle.fighters[name]
        for asteroid in self.battle.asteroids:
            centre = (asteroid["q"], asteroid["r"])
            met = any(within(place, centre, asteroid["radius"]) for place in self.paths[name])
            if not met or fighter["fate"] != "active":
                continue
            self.note("asteroid met")
            if not self.check(name, 3, "asteroid"):
                roll = self.battle.die(6, "asteroid damage")
                self.damage(name, roll, "asteroid")

    def damage(self, name: str, roll: int, what: str) -> None:
        """Less the armour, off the hull; a fighter at 0 is destroyed."""
        fighter = self.battle.fighters[name]
        armour = self.battle.elements[fighter["element"]]["design"]["armour"]
        was_crippled = self.battle.crippled(name)
        fighter["hull"] = max(0, fighter["hull"] - max(0, roll - armour))
        if fighter["hull"] == 0:
            fighter["fate"] = "destroyed"
            self.note(f"destroyed by {what}")
        elif self.battle.crippled(name) and not was_crippled:
            self.note(f"crippled by {what}")

    # ---- (6) fire ------------------------------------------------------------------------

    def fire(self, name: str) -> None:
        """BS-19: weapon by weapon; a crippled fighter fires half of them."""
        if name in self.failed:  # BS-14
            self.note("could not fire for a failed check")
            return
        shots_left = len(self.design["weapons"])
        if self.battle.crippled(name):
            shots_left //= 2
        for weapon_name in self.design["weapons"]:
            weapon = self.battle.weapons[weapon_name]
            target = self.target(name, weapon)
            if target is None:
                continue
            if shots_left == 0:
                self.note("weapon silent for a crippled fighter")
                return
            shots_left -= 1
            self.shoot(name, weapon, target)

    def target(self, name: str, weapon: Json) -> str | None:
        """BS-22: the first of the list that can be shot at, otherwise the best."""
        shots = self.shots(name, weapon)
        for entry in self.order.get("targets") or []:
            members = self.battle.active(entry) if entry in self.battle.elements else [entry]
            for member in members:
                if member in [shot[-1] for shot in shots]:
                    self.note("shot at a target of the list")
                    return member
        return min(shots)[-1] if shots else None

    def shots(self, name: str, weapon: Json) -> list[Shot]:
        """All that the weapon can shoot at, to be compared as in BS-22."""
        shots = []
        for order, enemy in enumerate(self.battle.enemies(self.element)):
            needed = self.number_needed(name, weapon, enemy)
            if needed is not None and needed <= 12:
                there = self.battle.fighters[enemy]
                here = self.battle.fighters[name]["place"]
                shots.append((needed, norm(here, there["place"]), there["hull"], order, enemy))
        return shots

    def number_needed(self, name: str, weapon: Json, enemy: str) -> int | None:
        """BS-18: by range, speed and penalty; None if it is out of range or out of arc."""
        here = self.battle.fighters[name]["place"]
        there = self.battle.fighters[enemy]["place"]
        if not any(in_arc(here, self.flying["heading"], there, arc) for arc in weapon["arc"]):
            return None
        speed = self.battle.elements[self.battle.fighters[enemy]["element"]]["speed"]
        for inches, number in zip(weapon["range"], TARGET_NUMBERS, strict=True):
            if within(here, there, inches):
                return number - bonus_for_speed(speed) + self.ordered.penalty
        return None

    def shoot(self, name: str, weapon: Json, target: str) -> None:
        """BS-20, BS-21: all d12s, then the damage of the hits."""
        needed = self.number_needed(name, weapon, target)
        rolls = [self.battle.die(12, "shot") for _ in range(weapon["rof"])]
        self.note(f"shot needing {needed}")
        enemy = self.battle.fighters[target]
        design = self.battle.elements[enemy["element"]]["design"]
        sides = DAMAGE_DICE[min(6, DAMAGE_DICE.index(weapon["die"]) + design["shields"])]
        for roll in rolls:
            if roll < needed:
                self.note("miss")
                continue
            if enemy["fate"] != "active":
                self.note("hit lost on a destroyed fighter")
                continue
            self.note("hit")
            self.damage(target, self.battle.die(sides, f"damage d{sides}"), "fire")
            if enemy["fate"] == "destroyed":
                self.battle.fighters[name]["kills"] += 1


def bonus_for_speed(speed: int) -> int:
    """BS-18: what the target's present speed adds to the roll."""
    if speed == 0:
        return 4
    if speed <= 3:
        return 2
    return -2 if speed >= 10 else 0
