"""Random battles of Cortex, as exports: `python -m tests.games.cortex_fights 20000 --seed 1`.

The author of random scenarios (tests/oracle/cortex) writes set-ups and orders. The orders are put
in words as letters have them, the engine plays them with a game's own dice, and the naive referee
follows with the dice that fell, so that the author knows how things stand. The command says which
of so many exports the script for players does not accept.
"""

import argparse
import copy
import sys
from collections import deque
from collections.abc import Iterator
from random import Random
from typing import Any

from engine.codec import change
from engine.cortex.default_targets import meant
from engine.cortex.model import HOLD, Order, Orders
from engine.cortex.queries import seat_of
from engine.cortex.rules import CORTEX as RULES
from engine.cortex.tables import NEAREST_FOE, NEXT_MISSILE, WEAKEST_FOE
from engine.errors import EngineError
from engine.seats import REFEREE, Seat
from pbem.games import export
from pbem.games.checking_script import script
from tests.oracle.cortex.author import Author
from tests.oracle.cortex.figures import Json
from tests.oracle.cortex.plans import Planner
from tests.oracle.naive_cortex import Battle as NaiveBattle
from tests.support.forging import Recorded

assert RULES.scenario is not None
ENTERED = RULES.scenario.order
LAST_TURN = 12
KEYS = ("do", "at", "to", "weapon", "guns", "called", "station", "missile", "spotter")
AT_FOES = ("fire", "aim", "lock", "launch", "close", "ram", "strafe", "trick")


class Wild(Recorded):
    """A battle by the author of random scenarios, for some turns or to its end."""

    def __init__(self, seed: object) -> None:
        """Let the author choose the set-up."""
        rng = Random(f"{seed}")
        author = Author(rng)
        super().__init__(RULES, author.setup, rng)
        self.opening = deque(author.opening)
        self.loose = rng.choice((0.0, 0.2))
        self.fallen = deque[int]()

    def play(self) -> "Wild":
        """Play until it is over, or all agree to it, or somebody forfeits."""
        if not self.state.ready:
            self.take({})
        naive = NaiveBattle(copy.deepcopy(self.at_first), lambda sides, why: self.fallen.popleft())
        planner = Planner(self.rng, naive)
        last = self.rng.randint(1, LAST_TURN)
        while RULES.outcome(self.state) is None:
            if self.state.turn >= last:
                seat = self.rng.choice(RULES.phase(self.state).may)
                self.follow(self.rng.choice(("DRAW", f"FORFEIT {seat}")))
            else:
                named = self.opening.popleft() if self.opening else planner.turn()
                filed = list(self.filed(named))
                known = [one for orders in filed for one in self.known_as(orders)]
                self.turn(filed)
                naive.play_turn(known)
                assert not self.fallen
        return self

    def take(self, orders: dict[Seat, list[Any]]) -> None:
        """Take a step, and keep how its dice fell for the naive referee."""
        super().take(orders)
        self.fallen.extend(result for _, result, _ in self.steps[-1]["rolls"])

    def turn(self, filed: list[Orders]) -> None:
        """File orders, all at once or some of them before, and play the turn."""
        early = filed[: self.rng.randint(0, len(filed))] if self.rng.random() < 0.3 else []
        if early:
            self.take(self.by_seat(early))
        orders = self.by_seat(filed[len(early) :])
        if orders or RULES.to_act(self.state):
            orders[REFEREE] = [RULES.parse(self.state, REFEREE, "END")]
        self.take(orders)

    def by_seat(self, filed: list[Orders]) -> dict[Seat, list[Any]]:
        """Orders by the seats that they are of."""
        found: dict[Seat, list[Any]] = {}
        for orders in filed:
            found.setdefault(self.seat(orders.unit), []).append(orders)
        return found

    def seat(self, name: str) -> Seat:
        """Whose a unit is."""
        seat = seat_of(self.state, name)
        assert seat is not None
        return seat

    def filed(self, named: list[Json]) -> Iterator[Orders]:
        """The orders of a turn as letters have them, without what none can say."""
        units: dict[str, list[Order]] = {}
        for entry in named:
            _, raw = ENTERED(self.state, entry, 0)
            assert isinstance(raw, Orders)
            loose = self.loosened(raw.orders[0])
            if self.read(Orders(raw.unit, (loose,))) is not None:
                units.setdefault(raw.unit, []).append(loose)
        for name in [*self.state.sheets, *self.state.spotters]:
            if name not in units and self.rng.random() < 0.1:
                units[name] = [Order(HOLD)]
        for name, orders in units.items():
            read = self.read(Orders(name, tuple(orders), keep=self.rng.random() < 0.1))
            if read is not None and RULES.refusal(self.state, self.seat(name), read) is None:
                yield read

    def loosened(self, order: Order) -> Order:
        """An order that may name nobody, but whom it means."""
        if self.rng.random() >= self.loose:
            return order
        at = self.rng.choice((NEAREST_FOE, WEAKEST_FOE)) if order.do in AT_FOES else order.at
        return change(order, at=at, missile=NEXT_MISSILE if order.missile else None)

    def read(self, orders: Orders) -> Orders | None:
        """Orders as their words are read; None where words say something else, or nothing."""
        seat = seat_of(self.state, orders.unit)
        if seat is None:
            return None
        try:
            read = RULES.parse(self.state, seat, RULES.format(orders))
        except EngineError:
            return None
        return orders if read == orders else None

    def known_as(self, orders: Orders) -> Iterator[Json]:
        """Orders as scenarios have them, with whom they mean."""
        for order in meant(self.state, orders).orders:
            expected = {"unit": orders.unit, **{key: getattr(order, key) for key in KEYS}}
            yield {key: one for key, one in expected.items() if one is not None}


def checked(texts: Iterator[str]) -> Iterator[str]:
    """What the script says of each export: "" where it accepts it."""
    space: dict[str, Any] = {"__name__": "checked"}
    exec(compile(script("cortex"), "verify_cortex.py", "exec"), space)
    for text in texts:
        try:
            list(space["check"](text, space["RULES"]))
        except space["Wrong"] as wrong:
            yield str(wrong)
        else:
            yield ""


def wild(seeds: range, seed: str = "") -> Iterator[str]:
    """Random battles as texts."""
    return (export.write(Wild(f"{seed} {number}").play().parts()) for number in seeds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="tests.games.cortex_fights", description=__doc__)
    parser.add_argument("count", type=int, help="how many battles")
    parser.add_argument("--seed", default="0", help="other battles for each seed")
    chosen = parser.parse_args()
    numbers = range(chosen.count)
    found = zip(numbers, checked(wild(numbers, chosen.seed)), strict=True)
    refused = [f"{number}: {wrong}" for number, wrong in found if wrong]
    print(*refused, f"{chosen.count} battles, {len(refused)} of them refused", sep="\n")
    sys.exit(1 if refused else 0)
