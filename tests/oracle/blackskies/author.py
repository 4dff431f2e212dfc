"""Writes random scenarios of Black Skies, while it plays them with the naive referee."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from tests.oracle.blackskies.cards import MANOEUVRES
from tests.oracle.blackskies.referee import Battle
from tests.oracle.blackskies.setups import random_setup
from tests.oracle.blackskies.tables import ACCELERATION, STEPS, Json, in_arc, within
from tests.oracle.dice import SeededDice

MOODS = (*["hunt"] * 5, *["any"] * 3, *["spin"] * 2, "slip", "idle", "flee", "brake")
NOT_TAIL_FIRST = (2, 3, 5, 6, 8, 9, 11, 12)


class RecordingDie:
    """Dice that show what the knobs make likely, and remember what they showed."""

    def __init__(self, rng: Random) -> None:
        """Turn the knobs at random for one scenario."""
        self.rng = rng
        self.rolled: list[tuple[int, int]] = []
        self.knobs = {
            "check": rng.choice(("fair", "fair", "low", "high")),
            "asteroid": rng.choice(("fair", "low")),
            "asteroid damage": rng.choice(("fair", "low", "high")),
            "shot": rng.choice(("fair", "high", "high", "low")),
            "damage": rng.choice(("fair", "low", "high")),
            "first": "fair",
        }

    def roll(self, sides: int, purpose: str) -> int:
        """Roll, twice where the knob is turned."""
        knob = self.knobs["damage" if purpose.startswith("damage") else purpose]
        falls = self.rng.randint(1, sides), self.rng.randint(1, sides)
        result = {"fair": falls[0], "low": min(falls), "high": max(falls)}[knob]
        self.rolled.append((sides, result))
        return result


class Author:
    """The author of one scenario."""

    def __init__(self, rng: Random) -> None:
        """Choose the set-up, the dice and the moods."""
        self.rng = rng
        self.seed = f"seed {rng.random()}" if rng.random() < 0.2 else None
        self.die = RecordingDie(rng) if self.seed is None else SeededDice(self.seed)
        self.with_null = rng.random() < 0.1  # the other of seed and dice
        self.setup = random_setup(rng)
        self.battle = Battle(copy.deepcopy(self.setup), self.die.roll)
        self.orders: list[Json] = []
        self.noise = rng.choice((0.0, 0.0, 0.1, 0.5))
        self.moods = {name: rng.choice(MOODS) for name in self.battle.elements}

    def scenario(self) -> Json:
        """What has been written."""
        written = {"system": "blackskies", "setup": self.setup, "orders": self.orders}
        dice = [result for _, result in self.die.rolled] if self.seed is None else None
        drawn = {"seed": self.seed, "dice": dice}
        if not self.with_null:
            drawn = {key: value for key, value in drawn.items() if value is not None}
        return {**written, **drawn}

    def write(self) -> None:
        """Some turns, mostly to the end of the battle and a little beyond it."""
        for _ in range(self.rng.choice((self.rng.randint(0, 4), 12, 20, 40))):
            if not self.battle.over:
                self.write_turn()
                self.give(self.end_of_turn())
        if not self.battle.over and self.rng.random() < 0.3:
            self.write_turn()
        if self.battle.over and self.rng.random() < 0.3:
            self.give({"turn": self.rng.randint(1, 20), "end": True})
            self.give(self.noisy_order(self.rng.choice(sorted(self.battle.elements))))

    def give(self, entry: Json) -> None:
        """Write an entry down and play it."""
        self.orders.append(entry)
        self.battle.give(entry)

    def write_turn(self) -> None:
        """Orders for most elements, in any order, some of them twice."""
        names = [name for name in self.battle.elements if self.battle.active(name)]
        self.rng.shuffle(names)
        if self.rng.random() < 0.01:
            self.moods = dict.fromkeys(self.moods, "panic")
        for name in names:
            if self.rng.random() < self.noise:
                self.give(self.noisy_order(name))
            if self.moods[name] != "idle" or self.rng.random() < 0.1:
                self.give(self.order(name))
            if self.rng.random() < 0.03:
                self.give(self.order(name))
            if self.rng.random() < 0.1:
                self.moods[name] = self.rng.choice(MOODS)

    def end_of_turn(self) -> Json:
        """The referee's entry, and other keys that it may hold."""
        entry: Json = {"turn": self.battle.turn, "end": True}
        if self.rng.random() < 0.05:
            more = ({"element": "nobody"}, {"card": "x"}, {"command": "dance"}, {"targets": 7})
            entry.update(self.rng.choice(more))
        if self.rng.random() < self.noise / 10:
            entry["turn"] += self.rng.choice((-1, 1)) if self.battle.turn > 1 else 1
        return entry

    # ---- plausible orders ----------------------------------------------------------------

    def order(self, name: str) -> Json:
        """A legal order that suits the element's mood."""
        if self.rng.random() < (0.3 if self.moods[name] == "flee" else 0.01):
            entry: Json = {"turn": self.battle.turn, "element": name, "command": "withdraw"}
            if self.battle.refusal(entry) is None or self.rng.random() < 0.1:
                return entry
        if self.moods[name] == "panic" or self.rng.random() < 0.004:
            return {"turn": self.battle.turn, "element": name, "command": "surrender"}
        flight = self.choose(name, self.flights(name))
        return {**flight, **self.fire_orders(name)}

    def flights(self, name: str) -> list[Json]:
        """Every card with every option that may be ordered."""
        start: Json = {"turn": self.battle.turn, "element": name}
        weight = self.battle.elements[name]["design"]["weight"]
        flights = []
        for card, option in MANOEUVRES:
            flight = {**start, "card": card}
            if option is not None:
                flight["option"] = option
            if option == "accelerate":
                most = ACCELERATION[weight]
                flights += [{**flight, "by": by} for by in range(1, most + 1)]
            else:
                flights.append(flight)
        return [flight for flight in flights if self.battle.refusal(flight) is None]

    def choose(self, name: str, flights: list[Json]) -> Json:
        """One of them: at the enemy, tail first, slower, or any."""
        mood = self.moods[name]
        wanted = {
            "spin": [flight for flight in flights if flight["card"] in (1, 10)],
            "slip": [flight for flight in flights if flight["card"] in (8, 9)],
            "brake": [flight for flight in flights if flight.get("option") == "decelerate"],
        }
        if mood == "spin":
            flips = [flight for flight in flights if flight["card"] == 10]
            return self.rng.choice((flips * 3 + wanted["spin"]) or flights)
        some = self.rng.choices(wanted.get(mood) or flights, k=6 if mood == "hunt" else 1)
        return max(some, key=lambda flight: self.promise(name, flight))

    def promise(self, name: str, flight: Json) -> tuple[int, int]:
        """How many shots it would have if nobody else moved, otherwise how near it comes."""
        flying = self.battle.elements[name]
        row = MANOEUVRES[flight["card"], flight.get("option")]
        course, speed = self.battle.course(name), flying["speed"] + flight.get("by", 0)
        q, r = self.battle.fighters[self.battle.active(name)[0]]["place"]
        for leg in row.legs:
            step = STEPS[(course + leg) % 6]
            q, r = q + speed * step[0], r + speed * step[1]
        heading = flying["heading"] + row.turn
        others = [self.battle.fighters[other]["place"] for other in self.battle.enemies(name)]
        ahead = [other for other in others if in_arc((q, r), heading, other, 0)]
        near = sum(within((q, r), other, inches) for other in ahead for inches in (6, 12, 18))
        return near, -min(abs(q - other[0]) + abs(r - other[1]) for other in others)

    def fire_orders(self, name: str) -> Json:
        """Targets and HOLD FIRE."""
        more: Json = {}
        if self.rng.random() < 0.3:
            more["targets"] = self.some_targets(name)
        if self.rng.random() < 0.1:
            more["hold_fire"] = self.rng.choice((True, False, None))
        if self.rng.random() < 0.05:
            more[self.rng.choice(("command", "note"))] = "fly"
        return more

    def some_targets(self, name: str) -> list[str]:
        """Enemy fighters and elements, also some that are out, also twice."""
        side = self.battle.other_side(self.battle.elements[name]["side"])
        elements = [n for n, element in self.battle.elements.items() if element["side"] == side]
        fighters = [n for n, f in self.battle.fighters.items() if f["element"] in elements]
        return self.rng.choices(elements + fighters, k=self.rng.randint(0, 3))

    # ---- orders that are likely to be refused --------------------------------------------

    def noisy_order(self, name: str) -> Json:
        """An order with one thing wrong, or nothing, or several."""
        order: Json = {"turn": self.battle.turn, "element": name, "card": self.rng.randint(1, 12)}
        if self.rng.random() < 0.6 and self.battle.active(name):
            order = self.rng.choice(self.flights(name) or [order])
        for _ in range(self.rng.choice((1, 1, 1, 2))):
            key, values = self.rng.choice(self.mistakes(name))
            order[key] = self.rng.choice(values)
        return order

    def mistakes(self, name: str) -> list[tuple[str, tuple[Any, ...]]]:
        """Keys, and wrong values for them."""
        anybody = (*self.battle.elements, *self.battle.fighters, "nobody", name.upper())
        return [
            ("turn", (1, self.battle.turn + 1, self.battle.turn + 9, 10**20)),
            ("element", anybody),
            ("command", ("withdraw", "withdraw", "dance", "FLY", "fly", None)),
            ("card", (0, 13, -1, 10**20, None, 1, 7, 10)),
            *[("card", NOT_TAIL_FIRST)] * (10 if self.battle.elements[name]["retrograde"] else 1),
            (
                "option",
                ("steady", "accelerate", "smooth", "left-first", "Smooth", "late", None),
            ),
            ("by", (0, 1, 3, 5, -1, 10**20, None)),
            ("targets", ([], [name], ["nobody"], [self.rng.choice(anybody)], None)),
            ("hold_fire", (True, False, None)),
            ("end", (False, None)),
            ("wind", (3, None, "west")),
        ]


def author(rng: Random) -> Author:
    """An author whose scenario is written, for readers who want to see what happened in it."""
    writer = Author(rng)
    writer.write()
    return writer
