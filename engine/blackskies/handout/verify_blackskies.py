"""Check a Black Skies battle, each line by the rules BS-1 to BS-28, without trusting its referee.
Whether commitments, set-up, orders and SALT lines are those of your letters, compare yourself."""

from __future__ import annotations

import hmac
import json
import re
import sys
from argparse import ArgumentParser, FileType, Namespace
from collections import namedtuple
from copy import deepcopy
from hashlib import sha256
from typing import Any

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
for left in [title for title in CARDS if "LEFT" in title]:
    one, other = CARDS[left].legs
    mirrored = CARDS[left]._replace(legs=(-one, -other), turn=-CARDS[left].turn)
    CARDS[left.replace("LEFT", "RIGHT")] = mirrored
line = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def need(holds: object, otherwise: str) -> None:
    """Raise ValueError where something does not hold."""
    if not holds:
        raise ValueError(otherwise)


def norm(one: Namespace, other: Namespace) -> int:  # BS-2
    """Give the square of the distance between two places, in half inches."""
    q, r = other.q - one.q, other.r - one.r
    return int(q * q + q * r + r * r)


def in_arc(shooter: Namespace, target: Namespace, heading: int) -> bool:  # BS-3
    """Tell whether a target lies in the arc of 60 degrees around a heading."""
    q, r = target.q - shooter.q, target.r - shooter.r
    for _ in range(heading % 6):
        q, r = -r, q + r
    return (q, r) != (0, 0) and bool(3 * abs(r) <= 2 * q + r)


def active(element: Namespace) -> list[Namespace]:
    """Give the fighters of an element that still fight, the lead first."""
    return [fighter for fighter in element.fighters if fighter.fate == "active"]


def crippled(fighter: Namespace) -> bool:  # BS-4
    """Tell whether a fighter has half its hull left, or less."""
    return bool(2 * fighter.hull <= fighter.element.hull)


def shown(fighter: Namespace) -> dict[str, Any]:
    """Give a fighter as the result tells of it."""
    told = {key: vars(fighter)[key] for key in ("q", "r", "fate", "hull", "kills")}
    told.update({} if fighter.fate == "active" else {"q": None, "r": None})
    return {**told, "crippled": crippled(fighter)}


def instead(title: str) -> str:  # BS-15
    """Give the plain card that is flown where the lead does not master one."""
    side = "" if "SNAKE" in title else title.partition(" ")[2]
    return f"SMOOTH {side}" if side else "STEADY"


def quoted(name: str) -> str:
    """Write a name as orders do: in quotes where it might be taken for something else."""
    plain = re.fullmatch(r"\w(?:[\w .'-]*[\w'])?", name)
    odd = re.search(r"\bTARGETS?\b|\bHOLD\s+FIRE\b|  ", name, re.I)
    return name if plain and not odd else json.dumps(name, ensure_ascii=False)


class Dice:
    """The dice of one step, and what they showed."""

    def __init__(self, key: bytes) -> None:
        self.key, self.drawn = key, 0
        self.rolls: list[tuple[int, int, str]] = []

    def roll(self, sides: int, why: str) -> int:
        """Draw a die from the stream, and note what it was for."""
        word = 2**32
        while word >= 2**32 - 2**32 % sides:
            block, n = divmod(self.drawn, 8)
            data = hmac.digest(self.key, block.to_bytes(8, "big"), "sha256")
            word, self.drawn = int.from_bytes(data[4 * n : 4 * n + 4], "big"), self.drawn + 1
        self.rolls.append((sides, 1 + word % sides, why))
        return 1 + word % sides


class Battle:
    """A battle as a set-up begins it and steps take it on."""

    def __init__(self, setup: dict[str, Any]) -> None:
        weapons = {**(setup.get("weapons") or {}), "Laser Cannon": LASER}
        tiger = {**TIGER, "weapons": ["Laser Cannon", "Laser Cannon"]}
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

    def flying(self, side: int) -> list[Namespace]:
        """Give a side's active fighters in setup order."""
        own = [element for element in self.elements.values() if element.side == side]
        return [fighter for element in own for fighter in active(element)]

    def led_by(self, seat: str) -> list[Namespace]:
        """Give the elements of a seat that still fight."""
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
        need(not (orders and self.first is None), "it was not rolled yet who moves first")
        for seat, text in orders:
            if seat != "|referee":
                self.file(seat, text)
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
        near = any(norm(f, foe) <= 48 * 48 for f in active(element) for foe in foes)
        if title in FATES:
            legal = order == title and not (near and title == "WITHDRAW")  # BS-24
        else:
            faster = map(str, range(1, element.acceleration + 1))
            legal = title in CARDS and CARDS[title].thruster in (None, *element.thrusters)
            legal = legal and (title in TAIL_FIRST or not element.retrograde)
            legal = legal and (by in faster if title == "ACCELERATE" else not by)
        others = [e for e in self.elements.values() if e.side != element.side]
        known = [name for e in others for name in (e.name, *(f.name for f in e.fighters))]
        aimed = [n for t in NAME.findall(names) for n in known if quoted(n) == t]
        need(legal and ", ".join(map(quoted, aimed)) == names, f"the rules forbid {text}")
        filed = {"title": title, "by": int(by or 0), "targets": aimed, "hold": bool(hold)}
        self.pending[element.name] = Namespace(**filed)

    # ---- a turn

    def close(self) -> None:  # BS-11
        """Play the cards of all elements, in the order of the decks."""
        orders, self.pending = self.pending, {}
        for name, order in orders.items():
            if order.title in FATES:
                self.leave(self.elements[name], FATES[order.title])
        steady = Namespace(title="STEADY", by=0, targets=[], hold=False)
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
        speed = min(max(element.speed + (-gain if element.retrograde else gain), 0), 12)
        course = element.heading + 3 * element.retrograde
        steps = [STEPS[(course + leg) % 6] for leg in CARDS[flown].legs for _ in range(speed)]
        paths = [(fighter, self.fly(fighter, steps)) for fighter in fighters]
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
        needed = (difficulty << crippled(fighter)) - fighter.skill
        if not 1 < needed <= 6:
            return bool(needed <= 1)
        return bool(self.dice.roll(6, f"{fighter.name} piloting") >= needed)

    def fly(self, fighter: Namespace, steps: list[tuple[int, int]]) -> list[Namespace]:
        """Move a fighter along its steps, and give the places that it came by."""
        path = [fighter]
        for q, r in steps:
            path.append(Namespace(q=path[-1].q + q, r=path[-1].r + r))
        fighter.q, fighter.r = path[-1].q, path[-1].r
        return path[1:]

    def dodge(self, fighter: Namespace, path: list[Namespace], failed: list[str]) -> None:  # BS-23
        """Let a fighter strike the asteroids that it met and did not get clear of."""
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
        left = len(weapons) // 2 if crippled(fighter) else len(weapons)
        for name, weapon in weapons:
            aims = self.aims(fighter, weapon, penalty)
            wished = [a for t in targets for a in aims if t in (a[-1].name, a[-1].element.name)]
            if left and aims:
                left -= 1
                self.fire(fighter, name, weapon, wished[0] if wished else min(aims))

    def aims(self, fighter: Namespace, weapon: dict[str, Any], penalty: int) -> list[Any]:  # BS-18
        """Give what a weapon can shoot at: number needed, N, hull, place in setup order, target."""
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
        shots = [self.dice.roll(12, why) for _ in range(weapon["rof"])]
        die = DAMAGE_DICE[DAMAGE_DICE.index(weapon["die"]) + at.element.shields]
        for shot in shots:
            if shot >= needed and at.fate == "active":
                self.strike(at, self.dice.roll(die, f"{by.name} damage to {at.name}"))
                by.kills += at.fate == "destroyed"

    def result(self) -> dict[str, Any]:
        """Give what the last line must say."""
        need(self.over, "the battle is not over after the last step")
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


class Export:
    """The lines of an export, each of which must be what those before it lead to."""

    def head(self, part: dict[str, Any]) -> dict[str, Any]:
        """Begin the battle of the first line."""
        need(part["system"] == "blackskies", "this script checks battles of Black Skies only")
        self.secret = bytes.fromhex(part["secret"])
        self.saved: dict[str, Battle] = {}
        self.game, self.battle = part["id"].encode(), Battle(part["setup"])
        need(len(self.secret) == 32, "the secret is not of 32 bytes")
        known = {"format": "pbem-game-1", "system": "blackskies", "version": 1}
        known.update(commitment=sha256(self.secret).hexdigest(), secret=self.secret.hex())
        return {**known, "id": part["id"], "setup": part["setup"]}

    def step(self, n: int, part: dict[str, Any]) -> dict[str, Any]:
        """Take a step again by the orders and SALT lines that it says."""
        orders, salts = [[seat, text] for seat, text in part["orders"]], [*part["salts"]]
        seats, told = [seat for seat, _ in orders], {"step": n, "orders": orders, "salts": salts}
        need(seats == sorted(seats), "the orders are not in order of their authors")
        need(not salts or {*seats} - {"|referee"}, "nobody sent these salts")
        hashed = line([text for _, text in orders] + ["SALT " + salt for salt in salts])
        digest = sha256(hashed.encode())
        tail = n.to_bytes(8, "big") + digest.digest()
        dice = Dice(hmac.digest(self.secret, b"pbem-dice-1\0%b\0%b" % (self.game, tail), "sha256"))
        if len(orders) == 1 and orders[0][1].startswith("UNDO ") and seats == ["|referee"]:
            told.update(self.undo(orders[0][1], part))
        else:
            need(not self.battle.over, "the battle was over before it")
            self.battle.take(orders, dice)
        self.saved[f"UNDO TO {n}"] = deepcopy(self.battle)
        return {**told, "digest": digest.hexdigest(), "rolls": dice.rolls}

    def undo(self, text: str, part: dict[str, Any]) -> dict[str, Any]:
        """Take the battle back; if it was over, its later dice hang on a new secret."""
        over, back = self.battle.over, text.split(" UNDER ")[0]
        self.secret = bytes.fromhex(part["secret"]) if over else self.secret
        fresh = f" UNDER {sha256(self.secret).hexdigest()}" if over else ""
        need(text == back + fresh and len(self.secret) == 32, "its secret is not as it must be")
        self.battle, kept = deepcopy(self.saved[back]), [*self.saved]
        self.saved = {key: self.saved[key] for key in kept[: kept.index(back) + 1]}
        return {"secret": self.secret.hex()} if over else {}


def check(lines: list[str]) -> None:
    """Check the lines of an export; the script ends at the first that does not agree."""
    export, seal, where, last = Export(), "", "the first and last lines", len(lines) - 5
    try:
        whole = last >= 0 and lines[0] == "[" and lines[-2:] == ["]", ""]
        need(whole, "this is no whole export")
        for n, written in enumerate(lines[1:-2], -1):
            where = f"line {n + 3} ({'head' if n < 0 else f'step {n}' if n < last else 'result'})"
            part = json.loads(written.rstrip(","))
            part = export.head(part) if n < 0 else export.step(n, part) if n < last else part
            part = export.battle.result() if n == last else part
            seal = sha256((seal + line(part)).encode()).hexdigest()
            expected = line({**part, "seal": seal}) + "," * (n < last)
            need(written == expected, f"it should read {expected}")
            print("agrees:", where, "- so all of it agrees" * (n == last))
    except Exception as error:
        print(f"WRONG: {where}: {str(error)!a}")
        sys.exit(1)


(parser := ArgumentParser(description=__doc__)).add_argument("export", type=FileType("rb"))
check(parser.parse_args().export.read().decode("utf-8", "replace").split("\n"))
sys.exit(0)
