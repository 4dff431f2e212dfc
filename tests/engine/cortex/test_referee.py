"""What CX-22 leaves to the league: draws, forfeits, and battles that go nowhere."""

from __future__ import annotations

import pytest

from engine.cortex.model import Battle, Close, Draw, Forfeit, Missile
from engine.cortex.rules import CORTEX
from engine.cortex.tables import HARMLESS_TURNS, OUTFLOWN, STILL_TURNS
from engine.dice import SeededDice
from engine.errors import IllegalOrder
from engine.ruleset import Outcome
from engine.seats import REFEREE, Seat
from tests.engine.cortex.battles import battle, duel, fighter

BLUE = Seat("blue")
DICE = SeededDice(b"referee", "", 0, b"")


def wrecks() -> Battle:
    """Two vessels that can do nothing to each other."""
    wreck = {"weapons": [], "speed": 0}
    return battle([fighter("Lance", **wreck)], [fighter("Raider", **wreck)]).battle


def closed(state: Battle, turns: int, *, judged: bool) -> Battle:
    """The battle after turns in which nobody orders anything."""
    for _ in range(turns):
        if not state.over:
            state, _ = CORTEX.resolve(state, {REFEREE: [Close(judged=judged)]}, DICE)
    return state


def test_two_wrecks_are_a_draw_by_the_referee_and_never_in_a_replay() -> None:
    before = closed(wrecks(), STILL_TURNS - 1, judged=True)
    assert not before.over
    after = closed(before, 1, judged=True)
    assert CORTEX.outcome(after) == Outcome(None, drawn=True)
    assert after.turn == STILL_TURNS
    assert not closed(wrecks(), HARMLESS_TURNS + 1, judged=False).over


def test_a_turn_in_which_a_missile_was_out_flown_is_not_quiet() -> None:
    flying = Missile("M1", "Bo", "dart", "Ann", 3, 0, outflown=OUTFLOWN - 1)
    state = duel().with_state(missiles=(flying,), launched=1, still=STILL_TURNS - 1).battle
    away = CORTEX.parse(state, BLUE, "Ann: OUTFLY M1")
    state, _ = CORTEX.resolve(state, {BLUE: [away], REFEREE: [Close(judged=True)]}, DICE)
    assert (state.missiles, state.still, state.over) == ((), 0, False)


def test_who_shoots_in_vain_goes_on_for_longer() -> None:
    state = battle([fighter("Lance")], [fighter("Raider", armour={"wound": 99, "stun": 99})]).battle
    shot = CORTEX.parse(state, BLUE, "Lance: FIRE gun AT Raider")
    turns = 0
    while not state.over:
        state, _ = CORTEX.resolve(state, {BLUE: [shot], REFEREE: [Close(judged=True)]}, DICE)
        turns += 1
    assert turns == HARMLESS_TURNS
    assert state.winner is None


def test_a_turn_for_which_all_have_ordered_is_the_referees_to_close() -> None:
    state = wrecks()
    for seat in CORTEX.seats(state):
        state, _ = CORTEX.resolve(state, {seat: [CORTEX.cautious(state, seat)]}, DICE)
    assert CORTEX.to_act(state) == ()
    after, _ = CORTEX.resolve(state, {}, DICE)
    assert after.turn == 1


def test_a_draw_and_a_forfeit_end_a_battle_at_once() -> None:
    state = duel().battle
    drawn, _ = CORTEX.resolve(state, {REFEREE: [Draw()]}, DICE)
    assert CORTEX.outcome(drawn) == Outcome(None, drawn=True)
    won, _ = CORTEX.resolve(state, {REFEREE: [Forfeit(BLUE)]}, DICE)
    assert CORTEX.outcome(won) == Outcome("red", drawn=False)
    assert won.vessels["Ann"].fate == "surrendered"


def test_nobody_else_rules_and_nobody_forfeits_twice() -> None:
    state = duel().battle
    for seat, order, reason in (
        (BLUE, Draw(), "unknown unit"),
        (REFEREE, Forfeit(Seat("nobody")), "unknown unit"),
    ):
        with pytest.raises(IllegalOrder) as raised:
            CORTEX.resolve(state, {seat: [order]}, DICE)
        assert raised.value.reason == reason
    three = battle([fighter("Ann", seat="one"), fighter("Cy", seat="two")], [fighter("Bo")]).battle
    left, _ = CORTEX.resolve(three, {REFEREE: [Forfeit(Seat("one"))]}, DICE)
    assert not left.over
    assert CORTEX.refusal(left, REFEREE, Forfeit(Seat("one"))) == "out of the battle"
