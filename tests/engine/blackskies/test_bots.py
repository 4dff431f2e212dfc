"""The bots of Black Skies: who beats whom, and what they may not see."""

from random import Random
from typing import Any

import pytest

from engine.blackskies.bot_forecast import SURE, flight_of, harm
from engine.blackskies.challenge import standard
from engine.blackskies.rules import BLACKSKIES
from engine.dice import SeededDice
from engine.play import bot_flyer, play_on
from engine.ruleset import Outcome
from engine.seats import Seat
from tests.engine.blackskies.fights import BLUE, RED, Fight, alone, duel, facing
from tests.laws.skies import random_skies


def tigers(name: str) -> dict[str, Any]:
    """A side of one element of two Black Tigers."""
    pair = [{"name": f"{name} {n}", "skill": 2} for n in (1, 2)]
    element = {"name": name, "design": "Black Tiger", "speed": 6, "fighters": pair}
    return {"name": name, "elements": [element]}


def ordered(fight: Fight, strength: str, seat: Seat = RED, seed: int = 0) -> str:
    """A bot's order."""
    dice = SeededDice(b"whims", "G1", seed, b"")
    return BLACKSKIES.format(BLACKSKIES.bots.choose[strength](fight.battle, seat, dice))


def winner(red: str, blue: str, seed: int) -> str | None:
    """Who wins a battle between two strengths."""
    battle = BLACKSKIES.setup(standard(tigers("red"), tigers("blue")))
    dice, whims = (SeededDice(use, "bout", seed, b"") for use in (b"dice", b"whims"))
    flyers = {
        seat: bot_flyer(BLACKSKIES, strength, seat, whims)
        for seat, strength in ((RED, red), (BLUE, blue))
    }
    *_, last = play_on(BLACKSKIES, battle, flyers, dice)
    outcome = BLACKSKIES.outcome(last.state)
    assert isinstance(outcome, Outcome)
    return outcome.winner


def wins(strength: str, other: str, battles: int) -> int:
    """How many battles a strength wins against another, from either side."""
    ends = [winner(strength, other, n) for n in range(battles)]
    turned = [winner(other, strength, n) for n in range(battles)]
    return ends.count("red") + turned.count("blue")


def test_the_house_has_three_strengths_from_the_weakest_up() -> None:
    assert list(BLACKSKIES.strengths) == ["easy", "sound", "sharp"]


def test_sharp_and_sound_beat_easy_clearly() -> None:
    assert wins("sharp", "easy", 10) >= 16
    assert wins("sound", "easy", 10) >= 15


@pytest.mark.parametrize("strength", BLACKSKIES.strengths)
def test_none_looks_at_an_order_that_another_seat_filed(strength: str) -> None:
    for seed in range(20):
        battle = BLACKSKIES.setup({**random_skies(Random(seed)), "first": "red"})
        filed = Fight(battle)
        for seat in BLACKSKIES.seats(battle):
            if BLACKSKIES.side(battle, seat) == "blue":
                orders = [offer.order for offer in BLACKSKIES.offers(battle, seat)]
                filed = Fight(
                    BLACKSKIES.resolve(filed.battle, {seat: orders}, SeededDice(b"", "", 0, b""))[0]
                )
        assert ordered(filed, strength, seed=seed) == ordered(Fight(battle), strength, seed=seed)


@pytest.mark.parametrize("strength", ["sound", "sharp"])
def test_who_can_harm_nobody_leaves(strength: str) -> None:
    assert ordered(alone(design="Barge"), strength) == "Red: WITHDRAW"


@pytest.mark.parametrize("strength", ["sound", "sharp"])
def test_a_good_pilot_turns_to_where_the_enemy_is(strength: str) -> None:
    assert "LEFT" in ordered(duel((6, -20), {"speed": 3}, {"design": "Barge"}), strength)
    assert "RIGHT" in ordered(duel((-4, 24), {"speed": 3}, {"design": "Barge"}), strength)


def test_an_easy_pilot_has_whims() -> None:
    found = {ordered(facing(5), "easy", seed=seed) for seed in range(60)}
    assert len(found) > 5
    assert not any(word in order for order in found for word in ("SURRENDER", "SNAKE"))


def test_harm_is_the_mean_damage_of_a_volley() -> None:
    """Two cannons hit on 4 or more at 5 inches, for 3.5 a hit."""
    battle = facing(5).battle
    red, blue = flight_of(battle, "Red"), flight_of(battle, "Blue")
    assert harm(red, red.now, blue, blue.now) * 4 == SURE * 21
    assert harm(blue, blue.now, red, red.now) == 0
