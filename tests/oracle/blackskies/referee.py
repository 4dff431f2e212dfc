"""A deliberately naive referee for Black Skies, written straight from the rulings BS-1 to BS-27."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.oracle.blackskies.card import Card
from tests.oracle.blackskies.cards import refusal_of_card
from tests.oracle.blackskies.tables import (
    ACCELERATION,
    BUILT_IN_DESIGNS,
    BUILT_IN_WEAPONS,
    HULL,
    Json,
    given,
    within,
)
from tests.oracle.dice import DiceList, SeededDice

Die = Callable[[int, str], int]  # (sides, what it is for) -> what it shows

STEADY: Json = {"card": 1, "option": "steady"}


def replay(scenario: Any) -> Json:
    """Play a whole scenario and return the state after the last entry."""
    seed, listed = scenario.get("seed"), scenario.get("dice")
    dice = DiceList(listed) if seed is None else SeededDice(seed)
    battle = Battle(scenario["setup"], dice.roll)
    refused = []
    for index, entry in enumerate(scenario["orders"]):
        reason = battle.give(entry)
        if reason is not None:
            refused.append({"index": index, "reason": reason})
    dice.check_used_up()
    rolls = [{"sides": sides, "result": result} for sides, result in dice.rolled]
    return {"state": battle.state(), "refused": refused, "over": battle.over, "rolls": rolls}


class Battle:
    """One battle, whose entries come one at a time."""

    def __init__(self, setup: Json, die: Die) -> None:
        """Set up the sides and their decks, and find out who moves first."""
        self.die = die
        self.seen: Counter[str] = Counter()  # what kinds of things happened, for the tests only
        self.sides: list[str] = [team["name"] for team in setup["teams"]]
        self.weapons = {**BUILT_IN_WEAPONS, **given(setup, "weapons", {})}
        self.designs = {**BUILT_IN_DESIGNS, **given(setup, "designs", {})}
        self.asteroids: list[Json] = given(setup, "asteroids", [])
        self.last_turn: int = given(setup, "turns", 20)
        self.elements: dict[str, Json] = {}
        self.fighters: dict[str, Json] = {}
        for team in setup["teams"]:
            for element in team["elements"]:
                self.line_up(team["name"], element)
        self.decks = self.cut_decks(setup)
        self.first: str = given(setup, "first", None) or self.roll_for_first()
        self.turn = 1
        self.over = False
        self.pending: dict[str, Json] = {}

    def line_up(self, side: str, element: Json) -> None:
        """One element and its fighters, lead first."""
        design = self.designs[element["design"]]
        self.elements[element["name"]] = {
            "side": side,
            "design": design,
            "heading": element["heading"],
            "speed": element["speed"],
            "retrograde": False,
            "fighters": [fighter["name"] for fighter in element["fighters"]],
        }
        for fighter in element["fighters"]:
            self.fighters[fighter["name"]] = {
                "element": element["name"],
                "skill": fighter["skill"],
                "place": (fighter["q"], fighter["r"]),
                "hull": HULL[design["weight"]],
                "full": HULL[design["weight"]],
                "fate": "active",
                "kills": 0,
            }

    def cut_decks(self, setup: Json) -> dict[str, list[str | None]]:
        """BS-9: as many cards on both sides; the missing ones are placeholders at the bottom."""
        size = max(len(team["elements"]) for team in setup["teams"])
        decks = {}
        for team in setup["teams"]:
            names = [element["name"] for element in team["elements"]]
            deck = list(given(team, "deck", names))
            decks[team["name"]] = deck + [None] * (size - len(deck))
        return decks

    def roll_for_first(self) -> str:
        """BS-8: 1 to 3 is the first-named side."""
        self.seen["first rolled"] += 1
        return self.sides[0] if self.die(6, "first") <= 3 else self.sides[1]

    # ---- who and where -------------------------------------------------------------------

    def active(self, element: str) -> list[str]:
        """The fighters of an element that are still in the battle, lead first."""
        names: list[str] = self.elements[element]["fighters"]
        return [name for name in names if self.fighters[name]["fate"] == "active"]

    def active_of_side(self, side: str) -> list[str]:
        """The active fighters of a side: elements as listed, lead first."""
        return [
            f for name, e in self.elements.items() if e["side"] == side for f in self.active(name)
        ]

    def enemies(self, element: str) -> list[str]:
        """The active enemy fighters of an element."""
        return self.active_of_side(self.other_side(self.elements[element]["side"]))

    def other_side(self, side: str) -> str:
        """The side against this one."""
        return self.sides[1] if side == self.sides[0] else self.sides[0]

    def crippled(self, fighter: str) -> bool:
        """BS-4: at half the hull or less."""
        return bool(2 * self.fighters[fighter]["hull"] <= self.fighters[fighter]["full"])

    def course(self, element: str) -> int:
        """BS-17: the line of flight."""
        flying = self.elements[element]
        return (flying["heading"] + 3) % 6 if flying["retrograde"] else flying["heading"]

    # ---- orders --------------------------------------------------------------------------

    def give(self, entry: Json) -> str | None:
        """Take one entry; return the reason if it is refused."""
        reason = self.refusal(entry)
        if reason is not None:
            self.seen[f"refused: {reason}"] += 1
        elif given(entry, "end", False):
            self.close_turn()
        else:
            self.seen["order replaced"] += entry["element"] in self.pending
            self.pending[entry["element"]] = entry
        return reason

    def refusal(self, entry: Json) -> str | None:
        """The first reason that holds, in the order in which they are listed."""
        if self.over:
            return "over"
        if entry["turn"] != self.turn:
            return "wrong turn"
        if given(entry, "end", False):
            return None
        if entry["element"] not in self.elements:
            return "unknown element"
        if not self.active(entry["element"]):
            return "out of the battle"
        command = given(entry, "command", "fly")
        if command not in ("fly", "withdraw", "surrender"):
            return "unknown command"
        if command == "withdraw" and self.enemy_near(entry["element"]):
            return "enemy near"
        return self.refusal_of_flight(entry) if command == "fly" else None

    def enemy_near(self, element: str) -> bool:
        """BS-24: is an active enemy within 24 inches of one of the element?"""
        places = [self.fighters[name]["place"] for name in self.active(element)]
        others = [self.fighters[name]["place"] for name in self.enemies(element)]
        return any(within(place, other, 24) for place in places for other in others)

    def refusal_of_flight(self, order: Json) -> str | None:
        """What may be wrong with card, option and targets."""
        flying = self.elements[order["element"]]
        design = flying["design"]
        most = ACCELERATION[design["weight"]]
        reason = refusal_of_card(order, design["thrusters"], flying["retrograde"], most)
        if reason is not None:
            return reason
        enemy = self.other_side(flying["side"])
        for target in given(order, "targets", []):
            element = self.fighters[target]["element"] if target in self.fighters else target
            if element not in self.elements or self.elements[element]["side"] != enemy:
                return "bad target"
        return None

    # ---- the turn ------------------------------------------------------------------------

    def close_turn(self) -> None:
        """BS-11: first those who leave, then the cards by turns."""
        orders, self.pending = self.pending, {}
        for element, order in orders.items():
            self.leave(element, given(order, "command", "fly"))
        self.look_for_the_end()
        self.seen["over before any card"] += self.over
        for card in range(len(self.decks[self.first])):
            for side in (self.first, self.other_side(self.first)):
                self.play(self.decks[side][card], orders)
        self.turn += 1
        if self.turn > self.last_turn and not self.over:
            self.seen["last turn played"] += 1
            self.seen["won on points" if self.winner() else "won by nobody"] += 1
            self.over = True

    def leave(self, element: str, command: str) -> None:
        """BS-24: the whole element goes."""
        fates = {"withdraw": "withdrawn", "surrender": "surrendered"}
        if command in fates:
            self.seen[fates[command]] += 1
            for name in self.active(element):
                self.fighters[name]["fate"] = fates[command]

    def look_for_the_end(self) -> None:
        """BS-25: a side without an active fighter."""
        left = [side for side in self.sides if self.active_of_side(side)]
        if len(left) < 2 and not self.over:
            self.over = True
            self.seen["one side left alone" if left else "no side left"] += 1

    def play(self, element: str | None, orders: dict[str, Json]) -> None:
        """One card, unless it is a placeholder or void."""
        if self.over:
            return
        if element is None or not self.active(element):
            self.seen["placeholder"] += 1
            return
        if element not in orders:
            self.seen["flew without an order"] += 1
        Card(self, element, orders.get(element, STEADY)).play()
        self.look_for_the_end()

    # ---- how it stands -------------------------------------------------------------------

    def points(self, side: str) -> int:
        """BS-26: what the enemy's losses are worth to this side."""
        points = 0
        for fighter in self.fighters.values():
            if self.elements[fighter["element"]]["side"] == side:
                continue
            if fighter["fate"] in ("destroyed", "surrendered"):
                points += fighter["full"]
            elif 2 * fighter["hull"] <= fighter["full"]:
                points += fighter["full"] // 2
        return points

    def winner(self) -> str | None:
        """BS-27."""
        one, other = self.sides
        if bool(self.active_of_side(one)) != bool(self.active_of_side(other)):
            return one if self.active_of_side(one) else other
        if self.points(one) != self.points(other):
            return one if self.points(one) > self.points(other) else other
        return None

    def state(self) -> Json:
        """The state as the Scenario section lists it."""
        there = [name for name in self.elements if self.active(name)]
        to_order = [name for name in there if name not in self.pending]
        keys = ("heading", "speed", "retrograde")
        return {
            "turn": None if self.over else self.turn,
            "to_order": [] if self.over else to_order,
            "first": self.first,
            "over": self.over,
            "winner": self.winner() if self.over else None,
            "points": {side: self.points(side) for side in self.sides},
            "elements": {n: {key: self.elements[n][key] for key in keys} for n in there},
            "fighters": {name: self.fighter_state(name) for name in self.fighters},
        }

    def fighter_state(self, name: str) -> Json:
        """One fighter."""
        fighter = self.fighters[name]
        q, r = fighter["place"] if fighter["fate"] == "active" else (None, None)
        return {
            "fate": fighter["fate"],
            "q": q,
            "r": r,
            "hull": fighter["hull"],
            "crippled": self.crippled(name),
            "kills": fighter["kills"],
        }
