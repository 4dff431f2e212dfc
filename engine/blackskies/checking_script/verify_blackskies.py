"""Check a Black Skies battle, each line by the rules BS-1 to BS-28, without trusting its referee.

What only you can check: that the commitment, your own words, your orders, the squadrons and the
rolls are those of your letters. The file says them all; docs/player.md says where each stands.

The file has three parts: the protocol of the dice, what the rules say in figures, and a battle as
the rules move it. It needs nothing but Python 3.8 or later.
"""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from collections import namedtuple
from typing import Any

from engine.checking_script.protocol import Dice, Rules, main, need

# ---- what the rules say in figures -------------------------------------------------------------

STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # BS-1
WEIGHTS = {"light": (4, 4), "medium": (6, 3), "heavy": (8, 2)}  # BS-4: hull, acceleration
LASER = {"arc": [0], "rof": 1, "range": [6, 12, 18], "die": 6}  # BS-6
TIGER = {"weight": "medium", "thrusters": ["rear"], "armour": 1, "shields": 0}
TARGET_NUMBERS = (4, 7, 10, 99)  # BS-18, and what the target's speed adds to the roll
SPEED_MODIFIERS = (4, 2, 2, 2, 0, 0, 0, 0, 0, 0, -2, -2, -2)
DAMAGE_DICE = (12, 10, 8, 6, 4, 3, 2)  # BS-21
FATES = {"WITHDRAW": "withdrawn", "SURRENDER": "surrendered"}
TAIL_FIRST = ("STEADY", "ACCELERATE", "DECELERATE", "BOOTLEGGER")  # BS-17
ORDER = re.compile(r"\A([A-Z ]+?)(?: (\d+))?(?:; TARGETS (.+?))?(; HOLD FIRE)?\Z")
NAME = re.compile(r'"(?:[^"\\]|\\.)*"|[^", ][^",]*')

Card = namedtuple("Card", "thruster difficulty penalty legs turn")
CARDS = {
    "STEADY": Card(None, 0, 0, (0, 0), 0),
    "ACCELERATE": Card(None, 1, 0, (0, 0), 0),
    "DECELERATE": Card(None, 1, 0, (0, 0), 0),
    "BREAK LEFT": Card(None, 2, 2, (1, 1), 1),
    "SMOOTH LEFT": Card(None, 1, 0, (0, 1), 1),
    "LATE LEFT": Card(None, 2, 1, (0, 0), 1),
    "AFTERBURNER": Card("rear", 2, 0, (0, 0), 0),
    "HARD LEFT": Card("rear", 3, 2, (0, 1), 2),
    "SNAKE LEFT": Card("side", 3, 0, (1, -1), 0),
    "SIDESLIP LEFT": Card("side", 2, 0, (1, 1), 0),
    "BOOTLEGGER": Card("forward", 2, 2, (0, 0), 3),
    "REVERSE LEFT": Card("forward", 3, 4, (1, 2), 3),
}
# Each card to the right is the same card to the left, mirrored, as the rules' table says.
for left in [title for title in CARDS if "LEFT" in title]:
    one, other = CARDS[left].legs
    mirrored = CARDS[left]._replace(legs=(-one, -other), turn=-CARDS[left].turn)
    CARDS[left.replace("LEFT", "RIGHT")] = mirrored


def norm(one: Namespace, other: Namespace) -> int:  # BS-2
    """Return the square of the distance between two places, in half inches."""
    q, r = other.q - one.q, other.r - one.r
    return int(q * q + q * r + r * r)


def in_arc(shooter: Namespace, target: Namespace, heading: int) -> bool:  # BS-3
    """Return whether a target lies in the arc of 60 degrees around a heading."""
    q, r = target.q - shooter.q, target.r - shooter.r
    for _ in range(heading % 6):
        q, r = -r, q + r
    return (q, r) != (0, 0) and bool(3 * abs(r) <= 2 * q + r)


def active(element: Namespace) -> list[Namespace]:
    """Return the fighters of an element that still fight, the lead first."""
    return [fighter for fighter in element.fighters if fighter.fate == "active"]


def crippled(fighter: Namespace) -> bool:  # BS-4
    """Return whether a fighter has half its hull left, or less."""
    return bool(2 * fighter.hull <= fighter.element.hull)


def shown(fighter: Namespace) -> dict[str, Any]:
    """Return a fighter as the result shows it."""
    # Only a fighter that is active has a place.
    told = {key: vars(fighter)[key] for key in ("q", "r", "fate", "hull", "kills")}
    told.update({} if fighter.fate == "active" else {"q": None, "r": None})
    return {**told, "crippled": crippled(fighter)}


def instead(title: str) -> str:  # BS-15
    """Return the plain card that is flown where the lead does not master one."""
    side = "" if "SNAKE" in title else title.partition(" ")[2]
    return f"SMOOTH {side}" if side else "STEADY"


def quoted(name: str) -> str:
    """Write a name as orders do: in quotes where it might be taken for something else."""
    plain = re.fullmatch(r"\w(?:[\w .'-]*[\w'])?", name)
    odd = re.search(r"\bTARGETS?\b|\bHOLD\s+FIRE\b|  ", name, re.I)
    return name if plain and not odd else json.dumps(name, ensure_ascii=False)


# ---- a battle as the rules move it -------------------------------------------------------------


class Battle:
    """A battle as a set-up begins it and steps take it on."""

    def __init__(self, setup: dict[str, Any]) -> None:
        weapons = {**(setup.get("weapons") or {}), "Laser Cannon": LASER}
        tiger = {**TIGER, "weapons": ["Laser Cannon", "Laser Cannon"]}
        # BS-6: what is built in cannot be replaced by a set-up.
        designs = {**(setup.get("designs") or {}), "Black Tiger": tiger}
        self.sides, first = [team["name"] for team in setup["teams"]], setup.get("first")
        self.first = None if first is None else self.sides.index(first)
        self.turn, self.last = 1, 20 if setup.get("turns") is None else setup["turns"]
        self.rocks = [Namespace(**rock) for rock in setup.get("asteroids") or []]
        self.elements: dict[str, Namespace] = {}
        self.pending: dict[str, Namespace] = {}
        self.over, self.winner, decks = False, "", []
        for side, team in enumerate(setup["teams"]):
            for given in team["elements"]:
                design, seat = designs[given["design"]], given.get("seat")
                self.elements[given["name"]] = element = Namespace(**{**design, **given})
                element.side, element.retrograde = side, False
                element.hull, element.acceleration = WEIGHTS[element.weight]
                element.weapons = [(name, weapons[name]) for name in element.weapons]
                element.seat = seat if isinstance(seat, str) and seat.strip() else team["name"]
                fresh = {"hull": element.hull, "fate": "active", "kills": 0, "element": element}
                element.fighters = [Namespace(**{**one, **fresh}) for one in element.fighters]
            decks.append(team.get("deck") or [given["name"] for given in team["elements"]])
        most = max(map(len, decks))
        self.decks = [deck + [None] * (most - len(deck)) for deck in decks]  # BS-9

    def seats(self) -> list[str]:
        """Return the names of the seats, in order of the set-up."""
        return list(dict.fromkeys(element.seat for element in self.elements.values()))

    def flying(self, side: int) -> list[Namespace]:
        """Return a side's active fighters in setup order."""
        own = [element for element in self.elements.values() if element.side == side]
        return [fighter for element in own for fighter in active(element)]

    def led_by(self, seat: str) -> list[Namespace]:
        """Return the elements of a seat that still fight."""
        return [e for e in self.elements.values() if e.seat == seat and active(e)]

    def points(self) -> list[int]:  # BS-26
        """Add up what each side has for the other's losses."""
        found = [0, 0]
        for fighter in [f for element in self.elements.values() for f in element.fighters]:
            lost = fighter.fate in ("destroyed", "surrendered")
            share = 2 if lost else crippled(fighter)
            found[1 - fighter.element.side] += fighter.element.hull * share // 2
        return found

    # ---- a step

    def take(self, orders: list[list[str]], dice: Dice) -> None:
        """Take a step: orders filed, then the referee's rulings; or the referee's own step."""
        self.dice = dice
        # BS-8: nobody may order before it is known who moves first.
        need(not (orders and self.first is None), "it was not rolled yet who moves first")
        for seat, text in orders:
            if seat != "|referee":
                self.file(seat, text)
        # BS-10: the referee comes last, so that END sees all the orders of its step.
        for text in [text for seat, text in orders if seat == "|referee"]:
            self.rule(text)
        if not orders and self.first is None:  # BS-8
            first, second = self.sides
            why = f"who moves first, 1-3 {first}, 4-6 {second}"
            self.first = int(dice.roll(6, why) > 3)
        elif not orders:
            owing = [e for e in self.elements.values() if active(e) and e.name not in self.pending]
            need(not owing, "orders are missing")
            self.close()

    def rule(self, text: str) -> None:
        """Carry out a ruling of the referee."""
        command, _, seat = text.partition(" ")
        # BS-27: a forfeit is the surrender of all elements of a seat, at once.
        lost = self.led_by(seat) if command == "FORFEIT" else []
        need(not self.over and (lost or text in ("END", "DRAW")), f"no such ruling: {text}")
        self.over = text == "DRAW"
        if text == "END":
            self.close()
        for element in lost:
            self.leave(element, "surrendered")
        if lost and not (self.flying(0) and self.flying(1)):
            self.finish()

    def file(self, seat: str, text: str) -> None:  # BS-10
        """File a seat's card for an element, if it is one that the rules allow."""
        own = [e for e in self.led_by(seat) if text.startswith(quoted(e.name) + ": ")]
        order = text[len(quoted(own[0].name)) + 2 :] if own else ""
        need(ORDER.findall(order), f"{seat} can't order {text}")
        element, (title, by, names, hold) = own[0], ORDER.findall(order)[0]
        foes = self.flying(1 - element.side)
        # BS-24: within 24 inches, which are 48 half-inches.
        near = any(norm(f, foe) <= 48 * 48 for f in active(element) for foe in foes)
        if title in FATES:
            legal = order == title and not (near and title == "WITHDRAW")  # BS-24
        else:
            faster = map(str, range(1, element.acceleration + 1))
            # What a card needs: thrusters, a course that is not tail first (BS-17), its number.
            legal = title in CARDS and CARDS[title].thruster in (None, *element.thrusters)
            legal = legal and (title in TAIL_FIRST or not element.retrograde)
            legal = legal and (by in faster if title == "ACCELERATE" else not by)
        others = [e for e in self.elements.values() if e.side != element.side]
        # BS-22: targets are named as elements or fighters, whether or not they are still there.
        known = [name for e in others for name in (e.name, *(f.name for f in e.fighters))]
        aimed = [n for t in NAME.findall(names) for n in known if quoted(n) == t]
        need(legal and ", ".join(map(quoted, aimed)) == names, f"the rules forbid {text}")
        filed = {"title": title, "by": int(by or 0), "targets": aimed, "hold": bool(hold)}
        self.pending[element.name] = Namespace(**filed)

    # ---- a turn

    def close(self) -> None:  # BS-11
        """Play the cards of all elements, in the order of the decks."""
        orders, self.pending = self.pending, {}
        # BS-11: those who leave go before the first card is played.
        for name, order in orders.items():
            if order.title in FATES:
                self.leave(self.elements[name], FATES[order.title])
        steady = Namespace(title="STEADY", by=0, targets=[], hold=False)
        # BS-9: the first mover's top card, the other side's, the first mover's second, and so on.
        decks = self.decks[::-1] if self.first else self.decks
        for name in [deck[n] for n in range(len(decks[0])) for deck in decks if deck[n]]:
            if self.flying(0) and self.flying(1) and active(self.elements[name]):
                self.play(self.elements[name], orders.get(name, steady))
        self.finish()

    def leave(self, element: Namespace, fate: str) -> None:
        """Take an element out of the battle."""
        for fighter in active(element):
            fighter.fate = fate

    def finish(self) -> None:  # BS-25, BS-27
        """End the turn, and the battle with it if it is over."""
        one, other = map(len, (self.flying(0), self.flying(1)))
        self.over = not (one and other and self.turn < self.last)
        self.turn += 1
        if bool(one) == bool(other):
            one, other = self.points()
        if self.over and one != other:
            self.winner = self.sides[one < other]

    def play(self, element: Namespace, order: Namespace) -> None:  # BS-12
        """Fly an element's card, and let it fire."""
        card, fighters = CARDS[order.title], active(element)
        failed = [f.name for f in fighters if not self.passes(f, card.difficulty)]  # BS-14
        flown = instead(order.title) if fighters[0].name in failed else order.title
        burst = element.acceleration * 3 // 2
        gain = {"ACCELERATE": order.by, "DECELERATE": -1, "AFTERBURNER": burst}.get(flown, 0)
        # BS-16, BS-17: in retrograde motion the engine pushes the other way.
        speed = min(max(element.speed + (-gain if element.retrograde else gain), 0), 12)
        course = element.heading + 3 * element.retrograde
        steps = [STEPS[(course + leg) % 6] for leg in CARDS[flown].legs for _ in range(speed)]
        paths = [(fighter, self.fly(fighter, steps)) for fighter in fighters]
        # BS-15: the penalty is that of the card ordered, also where another one was flown.
        element.speed = max(speed - card.penalty, 0)
        element.heading = (element.heading + CARDS[flown].turn) % 6
        swung = element.retrograde != (flown == "BOOTLEGGER")
        element.retrograde = swung and element.speed > 0  # BS-17
        for fighter, path in paths:
            self.dodge(fighter, path, failed)
        for fighter in active(element):
            if fighter.name not in failed and not order.hold:
                self.shoot(fighter, order.targets, card.penalty)

    def passes(self, fighter: Namespace, difficulty: int) -> bool:  # BS-13
        """Roll whether a pilot masters a difficulty."""
        # A crippled fighter's difficulty is doubled; `dodge` doubles it after a failure.
        needed = (difficulty << crippled(fighter)) - fighter.skill
        if not 1 < needed <= 6:
            return bool(needed <= 1)
        return bool(self.dice.roll(6, f"{fighter.name} piloting") >= needed)

    def fly(self, fighter: Namespace, steps: list[tuple[int, int]]) -> list[Namespace]:
        """Move a fighter along its steps, and return the places that it came by."""
        # BS-12: in steps of half an inch, since asteroids are met at each of them (BS-23).
        path = [fighter]
        for q, r in steps:
            path.append(Namespace(q=path[-1].q + q, r=path[-1].r + r))
        fighter.q, fighter.r = path[-1].q, path[-1].r
        return path[1:]

    def dodge(self, fighter: Namespace, path: list[Namespace], failed: list[str]) -> None:  # BS-23
        """Damage a fighter by the asteroids that it met and did not dodge."""
        for rock in self.rocks:
            met = any(norm(rock, point) <= 4 * rock.radius**2 for point in path)
            hard = 6 if fighter.name in failed else 3
            if met and fighter.fate == "active" and not self.passes(fighter, hard):
                failed.append(fighter.name)
                self.strike(fighter, self.dice.roll(6, f"asteroid damage to {fighter.name}"))

    def strike(self, fighter: Namespace, damage: int) -> None:  # BS-21
        """Take damage off a fighter's hull, as far as it goes through the armour."""
        fighter.hull = max(fighter.hull - max(damage - fighter.element.armour, 0), 0)
        fighter.fate = fighter.fate if fighter.hull else "destroyed"

    def shoot(self, fighter: Namespace, targets: list[str], penalty: int) -> None:  # BS-19, BS-22
        """Fire as many weapons as a fighter can, at its targets first."""
        weapons = fighter.element.weapons
        # BS-19: of its weapons a crippled fighter fires half, the first that have a target.
        left = len(weapons) // 2 if crippled(fighter) else len(weapons)
        for name, weapon in weapons:
            aims = self.aims(fighter, weapon, penalty)
            wished = [a for t in targets for a in aims if t in (a[-1].name, a[-1].element.name)]
            if left and aims:
                left -= 1
                self.fire(fighter, name, weapon, wished[0] if wished else min(aims))

    def aims(self, fighter: Namespace, weapon: dict[str, Any], penalty: int) -> list[Any]:  # BS-18
        """Return what a weapon can shoot at: number needed, N, hull, setup place, target."""
        found = []
        for place, foe in enumerate(self.flying(1 - fighter.element.side)):
            n, heading = norm(fighter, foe), fighter.element.heading
            band = sum(n > 4 * inches**2 for inches in weapon["range"])
            needed = TARGET_NUMBERS[band] - SPEED_MODIFIERS[foe.element.speed] + penalty
            if needed <= 12 and any(in_arc(fighter, foe, heading + arc) for arc in weapon["arc"]):
                found.append((needed, n, foe.hull, place, foe))
        return found

    def fire(self, by: Namespace, name: str, weapon: dict[str, Any], aim: Any) -> None:  # BS-20
        """Fire a weapon at a target."""
        needed, at = aim[0], aim[-1]
        why = f"{by.name} {name} at {at.name}"
        # All dice to hit fall before any damage is rolled.
        shots = [self.dice.roll(12, why) for _ in range(weapon["rof"])]
        die = DAMAGE_DICE[DAMAGE_DICE.index(weapon["die"]) + at.element.shields]
        for shot in shots:
            # BS-21: once the target is destroyed its other hits are lost, without a roll.
            if shot >= needed and at.fate == "active":
                self.strike(at, self.dice.roll(die, f"{by.name} damage to {at.name}"))
                by.kills += at.fate == "destroyed"

    def result(self) -> dict[str, Any]:
        """Return what the last line must say."""
        elements, winner = self.elements.values(), self.winner or None
        course = [(e, ("heading", "speed", "retrograde")) for e in elements if active(e)]
        state = {
            "turn": None,
            "to_order": [],
            "first": self.sides[self.first or 0],
            "over": True,
            "winner": winner,
            "points": {side: self.points()[n] for n, side in enumerate(self.sides)},
            "elements": {e.name: {key: vars(e)[key] for key in keys} for e, keys in course},
            "fighters": {f.name: shown(f) for e in elements for f in e.fighters},
        }
        return {"state": state, "winner": winner, "drawn": winner is None}


RULES = Rules("blackskies", "Black Skies", 1, ("easy", "sound", "sharp"), Battle)

if __name__ == "__main__":
    sys.exit(main(RULES))
