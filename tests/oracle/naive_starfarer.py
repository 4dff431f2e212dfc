"""A deliberately naive referee for Starfarer, written straight from the rulings SF-1 to SF-44."""

from __future__ import annotations

from typing import Any

from tests.oracle.dice import DiceList, SeededDice
from tests.oracle.starfarer import wounds
from tests.oracle.starfarer.areas import AREAS, Json
from tests.oracle.starfarer.deeds import Deeds
from tests.oracle.starfarer.filing import refusal_of_plan, weapon_of

WITHOUT_A_PLAN: Json = {"do": "attack", "at": "nearest", "else": {"do": "evade"}}  # SF-7
SHOWN = (
    *("fate", "at", "prone", "ap", "shock", "wounds", "bleeding", "clock", "dying", "wakes"),
    *("evade", "parry", "aim"),
)


def replay(scenario: Any) -> Json:
    """Play a whole scenario and return the result document."""
    seed, listed = scenario.get("seed"), scenario.get("dice")
    dice = DiceList(listed) if seed is None else SeededDice(seed)
    fight = Fight(scenario["setup"], dice.roll)
    for index, order in enumerate(scenario["orders"]):
        fight.give(index, order)
    dice.check_used_up()
    rolls = [{"sides": sides, "result": result} for sides, result in dice.rolled]
    return {"state": fight.state(), "refused": fight.refused, "over": fight.over, "rolls": rolls}


class Fight(Deeds):
    """One fight, whose orders come one at a time."""

    def state(self) -> Json:
        """The document of the Scenario section."""
        people = {}
        for name, body in self.bodies.items():
            steadied = [area for area in (*AREAS, "shock") if area in body["steadied"]]
            people[name] = {**{key: body[key] for key in SHOWN}, "steadied": steadied}
        waited_for = [body["name"] for body in self.active() if body["plan"] is None]
        return {
            "round": None if self.over else self.round,
            "to_plan": [] if self.over else waited_for,
            "over": self.over,
            "winner": self.winner,
            "quiet": self.quiet,
            "characters": people,
        }

    # ---- orders --------------------------------------------------------------------------

    def give(self, index: int, order: Json) -> None:
        """File a plan or end the round, or refuse that."""
        reason = self.refusal(order)
        if reason is not None:
            self.refused.append({"index": index, "reason": reason})
        elif order.get("end"):
            self.play_round()
        else:
            self.bodies[order["character"]]["plan"] = {
                "index": index,
                "entries": order["plan"],
                "abort": order.get("abort"),
                "next": 0,
            }

    def refusal(self, order: Json) -> str | None:
        """SF-41."""
        if self.over:
            return "over"
        if order["round"] != self.round:
            return "wrong round"
        if order.get("end"):
            return None
        if order["character"] not in self.bodies:
            return "unknown character"
        fate = self.bodies[order["character"]]["fate"]
        if fate != "active":
            return "unconscious" if fate == "unconscious" else "out of the fight"
        return refusal_of_plan(order, self.bodies, bool(self.options.get("multiple")))

    # ---- a round -------------------------------------------------------------------------

    def play_round(self) -> None:
        """SF-3 to SF-5."""
        self.shots = 0
        for body in self.active():
            body["ap"] += self.die(10, "initiative") + body["initiative"]
            body["passed"], body["failed"] = [], []
            if body["plan"] is None:
                entries = [[WITHOUT_A_PLAN]]
                body["plan"] = {"index": None, "entries": entries, "abort": None, "next": 0}
        for body in self.active():
            self.declare(body)
        while True:
            ready = [body for body in self.active() if body["ap"] >= 10]
            if not ready:
                break
            # max() keeps the first in setup order of equals.
            self.play_phase(max(ready, key=lambda body: (body["ap"], body["initiative"])))
        for body in self.active():
            body["ap"] -= self.modifier_of_entry(body)
        self.upkeep()
        for body in self.bodies.values():
            body["plan"] = None
        self.round += 1
        self.find_the_end()

    def find_the_end(self) -> None:
        """SF-39."""
        self.quiet = 0 if self.shots else self.quiet + 1
        left = {body["team"] for body in self.active()}
        if len(left) <= 1 or self.quiet >= 10:
            self.over = True
            self.winner = left.pop() if len(left) == 1 else None

    def next_entry(self, body: Json) -> list[Json]:
        """SF-6: the last entry repeats."""
        entries: list[list[Json]] = body["plan"]["entries"]
        return entries[min(body["plan"]["next"], len(entries) - 1)]

    def modifier(self, body: Json, action: Json) -> int:
        """SF-10: the initiative modifier of an action."""
        if action["do"] != "attack" or not self.options.get("modifiers"):
            return 0
        weapon = weapon_of(body, action)
        assert weapon is not None
        return weapon.get("initiative") or 0

    def modifier_of_entry(self, body: Json) -> int:
        """SF-11: the lowest of the first choices of the next entry."""
        return min(self.modifier(body, action) for action in self.next_entry(body))

    def declare(self, body: Json) -> None:
        """SF-10: add the modifier of the next entry."""
        body["ap"] += self.modifier_of_entry(body)

    def play_phase(self, body: Json) -> None:
        """SF-5, SF-8, SF-10 and SF-11."""
        body["evade"] = body["parry"] = 0
        entry = self.next_entry(body)
        done: list[str] = []
        lost = 0
        for first in entry:
            if body["fate"] != "active":
                return
            action = self.act(body, first, len(entry), done)
            if action is None:
                continue
            done.append(action["do"])
            if action is not first and self.options.get("declaration"):
                lower = self.modifier(body, first) - self.modifier(body, action)
                lost += 1 + max(lower, 0)
        if body["fate"] != "active":
            return
        body["ap"] -= 10 + lost
        if len(entry) > 1:
            others = sorted(self.modifier(body, first) for first in entry)[1:]
            body["ap"] += min(sum(others) - len(entry), 0)
        body["plan"]["next"] += 1
        self.declare(body)

    def act(self, body: Json, first: Json, count: int, done: list[str]) -> Json | None:
        """SF-8: return the action that was carried out, if any."""
        action: Json | None = first
        while action is not None:
            reason = self.hindrance(body, action, done)
            if reason is None:
                self.carry_out(body, action, count)
                return action
            if reason != "if" and body["plan"]["index"] is not None:
                self.refused.append({"index": body["plan"]["index"], "reason": reason})
            action = action.get("else")
        return None

    # ---- upkeep --------------------------------------------------------------------------

    def upkeep(self) -> None:
        """SF-38."""
        for step in (self.wake, self.lose_blood, self.run_clocks, self.survive):
            for body in self.present():
                step(body)

    def wake(self, body: Json) -> None:
        """SF-32."""
        if body["fate"] != "unconscious" or self.round < body["wakes"]:
            return
        worst = max(wounds.worst_level(body, area) for area in AREAS)
        success, lof = self.keep_awake(body, wounds.modifier(worst))
        if success:
            body["fate"], body["wakes"] = "active", None
        else:
            rounds = sum(self.die(10, "sleep") for _ in range(lof))
            body["wakes"] = self.round + max(rounds, 1)

    def lose_blood(self, body: Json) -> None:
        """SF-29, SF-34 and SF-36: shock by bleeding."""
        shock = sum(body["bleeding"].values())
        if shock == 0:
            return
        before = wounds.shock_level(body)
        body["shock"] += shock
        body["steadied"] = [what for what in body["steadied"] if what != "shock"]
        self.die_of_shock(body)
        due = shock >= body["stun"] or wounds.shock_level(body) > before
        if body["fate"] == "active" and due:
            self.shock_check(body, 0)

    def run_clocks(self, body: Json) -> None:
        """SF-35."""
        for area in AREAS:
            if body["bleeding"][area] == 0:
                continue
            body["clock"][area] += 1
            if body["clock"][area] >= body["bleeding"][area]:
                body["clock"][area] = 0
                ease = 5 - body["bleeding"][area]
                success, los, _ = self.roll([body["traits"]["endurance"]], ease, "clock")
                if success:
                    wounds.stop_bleeding(body, area, 1 + los)

    def survive(self, body: Json) -> None:
        """SF-33."""
        mortal = any(wounds.has_mortal_wound(body, area) for area in AREAS)
        if not mortal and not wounds.has_deadly_shock(body):
            body["dying"] = 0
            return
        traits = [body["traits"][key] - body["dying"] for key in ("endurance", "essence")]
        if self.roll(traits, 8, "survival")[0]:
            body["dying"] += 1
        else:
            self.out(body, "dead")
