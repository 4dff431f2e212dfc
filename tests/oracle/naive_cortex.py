"""A deliberately naive referee for Cortex, written straight from the rulings CX-1 to CX-72."""

from __future__ import annotations

from typing import Any

from tests.oracle.cortex.figures import Json
from tests.oracle.cortex.fleet import fresh_turn, immobile, unit_of
from tests.oracle.cortex.legal import ORDERS, STAGES, Legal, has_drive
from tests.oracle.dice import DiceList, SeededDice

Entry = tuple[int, Json, Json]  # its index, who is ordered, the order


def replay(scenario: Any) -> Json:
    """Play a whole scenario and return the result document."""
    seed, listed = scenario.get("seed"), scenario.get("dice")
    dice = DiceList(listed) if seed is None else SeededDice(seed)
    battle = Battle(scenario["setup"], dice.roll)
    for orders in scenario["orders"]:
        battle.play_turn(orders)
    dice.check_used_up()
    rolls = [{"sides": sides, "result": result} for sides, result in dice.rolled]
    refused = sorted(battle.refused, key=lambda one: int(one["index"]))
    return {"state": battle.state(), "refused": refused, "over": battle.over, "rolls": rolls}


class Battle(Legal):
    """One battle, whose turns come one at a time."""

    ordered = 0  # orders of all turns before

    def play_turn(self, orders: list[Json]) -> None:
        """CX-17."""
        entries = self.entries(orders)
        self.ordered += len(orders)
        if self.over:
            return
        self.turn += 1
        self.begin_turn(orders)
        self.find_advantage()
        self.crews_act(entries)
        self.units_fly(entries)
        in_flight = list(self.missiles)
        self.vessels_act(entries)
        self.fly_missiles([one for one in self.missiles if one not in in_flight])
        self.end_turn()

    def entries(self, orders: list[Json]) -> list[Entry]:
        """The orders that somebody can be asked to carry out."""
        found: list[Entry] = []
        for index, order in enumerate(orders, self.ordered):
            unit, do = order.get("unit"), order.get("do")
            body = None
            if isinstance(unit, str):
                body = self.vessels.get(unit) or self.spotters.get(unit)
            if self.over:
                self.refuse(index, "over")
            elif body is None:
                self.refuse(index, "unknown unit")
            elif do not in ORDERS:
                self.refuse(index, "unknown order")
            else:
                found.append((index, body, order))
        return found

    def refuse(self, index: int, reason: str) -> None:
        """Note it."""
        self.refused.append({"index": index, "reason": reason})

    def begin_turn(self, orders: list[Json]) -> None:
        """What was noted of the last turn goes, and CX-18."""
        for vessel in self.vessels.values():
            vessel.update(fresh_turn(), now=vessel["next"], next={}, initiative=None)
        for spotter in self.spotters.values():
            spotter["spotted"] = None
        named = [order.get("unit") for order in orders]
        for unit in self.units():
            if unit[0]["name"] in named or immobile(unit):
                continue
            if unit[0]["scale"] == "spacecraft" and self.rule("crew2"):
                continue
            for vessel in unit:
                vessel["given"].append("defend")

    def carry_out(self, entry: Entry) -> None:
        """An order at its own time."""
        index, body, order = entry
        reason = self.refusal(body, order)
        if reason is None:
            getattr(self, order["do"])(body, order)
        else:
            self.refuse(index, reason)

    def do_all(self, entries: list[Entry], body: Json, dos: tuple[str, ...]) -> None:
        """The orders of these kinds for one vessel or spotter, as listed."""
        for entry in entries:
            if entry[1] is body and entry[2]["do"] in dos:
                self.carry_out(entry)

    # ---- the stages ----------------------------------------------------------------------

    def crews_act(self, entries: list[Entry]) -> None:
        """Stage 2; whatever a spotter is told is looked at there."""
        for body in self.vessels.values():
            for dos in STAGES[:6]:
                self.do_all(entries, body, dos)
        for body in self.vessels.values():
            self.do_all(entries, body, ("spot",))
        for body in self.spotters.values():
            self.do_all(entries, body, (*ORDERS,))

    def units_fly(self, entries: list[Entry]) -> None:
        """Stage 3."""
        bands = self.bands_now()
        for dos in STAGES[7:11]:
            for body in self.vessels.values():
                self.do_all(entries, body, dos)
        self.change_ranges()
        self.meet_obstacles()
        self.point_defence(bands)
        for body in self.vessels.values():
            self.do_all(entries, body, STAGES[11])

    def open(self, vessel: Json, order: Json) -> None:
        """CX-20."""
        self.fly_course(vessel, order)

    close = open

    def vessels_act(self, entries: list[Entry]) -> None:
        """Stage 4 and CX-19."""
        initiatives = {vessel["initiative"] for vessel in self.vessels.values()} - {None}
        for initiative in [*sorted(initiatives, reverse=True), None]:
            self.waiting = []
            for body in self.vessels.values():
                if body["initiative"] == initiative:
                    self.do_all(entries, body, STAGES[12])
            waiting, self.waiting = self.waiting, None
            for hit in waiting:
                self.take_effect(hit)

    def end_turn(self) -> None:
        """The rest of stage 5, and CX-22."""
        for vessel in self.active():
            if vessel["jumps"] and has_drive(vessel):
                self.take_out(vessel, "jumped")
        for spotter in self.spotters.values():
            if spotter["spotted"] is not None:
                spotter["detected"] = True
        left = [team for team in self.teams if self.active(team)]
        if len(left) < 2:
            self.over = True
            self.winner = left[0] if left else None

    # ---- the result ----------------------------------------------------------------------

    def state(self) -> Json:
        """The document of the Scenario section."""
        return {
            "turn": self.turn,
            "over": self.over,
            "winner": self.winner,
            "vessels": {name: shown(vessel) for name, vessel in self.vessels.items()},
            "pairs": {
                self.pair(one, other): self.shown_pair(self.pair(one, other))
                for one in self.active(self.teams[0])
                for other in self.active(self.teams[1])
            },
            "locks": self.locks,
            "missiles": self.missiles,
            "sites": {name: self.shown_site(site) for name, site in self.sites.items()},
            "spotters": {
                name: {key: spotter[key] for key in ("fate", "stun", "wound", "detected")}
                for name, spotter in self.spotters.items()
            },
            "obstacles": {
                name: {key: obstacle[key] for key in ("size", "speed", "vector")}
                for name, obstacle in self.obstacles.items()
            },
        }

    def shown_pair(self, pair: str) -> Json:
        """The range, and who has the Advantage."""
        holder, steps = self.advantages.get(pair, (None, 0))
        return {"range": self.ranges[pair], "advantage": holder, "steps": steps}

    def shown_site(self, site: Json) -> Json:
        """CX-68 and CX-69."""
        wounded, killed = self.casualties(site)
        kept = {key: site[key] for key in ("wound", "scatter")}
        return {**kept, "wounded": wounded, "killed": killed}


def shown(vessel: Json) -> Json:
    """The state of a vessel."""
    return {
        **{key: vessel[key] for key in ("fate", "stun", "wound", "speed", "aim")},
        "weapons": {name: weapon["left"] for name, weapon in vessel["weapons"].items()},
        "damaged": sorted(vessel["damaged"]),
        "wing": unit_of(vessel)[0]["name"] if vessel["wing"] else None,
        "next": {what: steps for what, steps in vessel["next"].items() if steps},
    }
