"""How often a sharp pilot of Black Skies flies each card."""

from engine.blackskies.challenge import standard
from engine.blackskies.matrix_game import mixture
from engine.blackskies.rules import BLACKSKIES
from engine.dice import SeededDice
from engine.play import bot_flyer, play_on
from tests.engine.blackskies.fights import BLUE, RED, Fight
from tests.engine.blackskies.test_bots import ordered, tigers

ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


def test_nothing_is_flown_so_often_that_it_can_be_foreseen() -> None:
    often = mixture(ROCK_PAPER_SCISSORS, None)
    assert all(100 < count < 170 for count in often)


def test_a_habit_is_punished() -> None:
    rock, paper, scissors = mixture(ROCK_PAPER_SCISSORS, 0)
    assert paper > rock
    assert paper > scissors


def test_a_card_that_is_worse_against_everything_is_never_flown() -> None:
    assert mixture([[3, 2], [1, 0], [2, 3]], None)[1] == 0


def test_a_sharp_pilot_flies_different_cards_in_one_position() -> None:
    sides = tigers("red"), tigers("blue")
    battle = BLACKSKIES.setup({**standard(*sides), "first": "red"})
    dice = SeededDice(b"whims", "G1", 0, b"")
    flyers = {seat: bot_flyer(BLACKSKIES, "sharp", seat, dice) for seat in (RED, BLUE)}
    assert any(
        len({ordered(Fight(turn.state), "sharp", seat, n) for n in range(8)}) > 1
        for turn in play_on(BLACKSKIES, battle, flyers, dice)
        for seat in BLACKSKIES.to_act(turn.state)
    )
