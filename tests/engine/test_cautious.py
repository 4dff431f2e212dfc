"""What is ordered for a pilot whose player is silent."""

import pytest

from engine.codec import change
from engine.seats import Seat
from engine.starpilot.model import Battle, Pair
from engine.starpilot.rules import STARPILOT
from tests.engine.battles import Fight, duel, hawk, melee, met

HAWK = Seat("Hawk")


def ordered(battle: Battle) -> str:
    """The cautious order for Hawk."""
    return STARPILOT.format(STARPILOT.cautious(battle, HAWK))


def crippled(fight: Fight, *stats: int) -> Battle:
    """The battle with other current values for Hawk."""
    hawk = change(fight.battle.pilots["Hawk"], stats=stats)
    return change(fight.battle, pilots={**fight.battle.pilots, "Hawk": hawk})


def shot(*weapons: str) -> Fight:
    """A team battle with these weapons' shots in flight at Hawk."""
    start = melee().turns("Hawk SCAN", "Harrier SCAN", "Kestrel TARGET Hawk", "Kite TARGET Hawk")
    start = start.turns("Hawk SCAN", "Harrier SCAN")
    for name, weapon in zip(("Kestrel", "Kite"), weapons, strict=False):
        start = start.turn(f"{name} {weapon} Hawk", 1)
    return start if len(weapons) == 2 else start.turns("Kite SCAN")


@pytest.mark.parametrize(
    ("fight", "order"),
    [
        (duel(), "SCAN"),
        (met(), "JINK"),
        (met(hawk(sensors=18)), "ECM"),
        (shot("LAUNCH"), "ECM"),
        (met().turns("Hawk SCAN", "Kestrel TARGET"), "JINK"),
    ],
)
def test_it_scans_and_then_defends_itself(fight: Fight, order: str) -> None:
    assert ordered(fight.battle) == order


def test_it_answers_what_is_on_it() -> None:
    assert ordered(crippled(shot("LAUNCH"), 3, 0, 3, 2, 2, 0, 3)) == "PROTECT"
    assert ordered(crippled(melee(), 3, 0, 3, 2, 2, 0, 3)) == "JINK"


def test_a_ship_that_can_do_nothing_else_still_does_something_legal() -> None:
    """Even where an opponent must be named, and only a shot is left."""
    alone = crippled(melee(), 1, 0, 0, 0, 0, 0, 3)
    assert ordered(alone) == "HOLD"
    pairs = {**alone.pairs, "Hawk|Kite": Pair(advantage="Hawk")}
    assert ordered(change(alone, pairs=pairs)) == "FIRE Kite"
    assert ordered(crippled(met(), 1, 0, 0, 1, 0, 0, 3)) == "OPEN"


def test_it_never_yields() -> None:
    assert ordered(crippled(met(), 0, 0, 0, 0, 0, 0, 3)) == "HOLD"
