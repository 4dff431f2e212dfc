"""Streams of dice and their vectors, listed dice, and exact odds; for games see test_fair.py."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import (
    Dice,
    ListedDice,
    Roll,
    SeededDice,
    canonical,
    digest,
    every_roll,
    stream,
    trial_key,
)
from engine.errors import DiceError

SECRET = bytes(range(32))
PRIME = 1_000_000_007

VECTORS = """
0 | | d100 | 74, 75, 71, 89, 68, 44, 67, 95, 88, 70, 6, 99
0 | | d12 | 10, 3, 7, 1, 8, 12, 7, 3, 4, 6, 2, 3
0 | | d6 | 4, 3, 1, 1, 2, 6, 1, 3, 4, 6, 2, 3
0 | | d1000000007 | 634622653, 797893275, 183148150, 17098575
1 | [] | d100 | 46, 84, 70, 94, 33, 80, 34, 25, 23, 79, 82, 87
1 | [] | d12 | 2, 4, 10, 2, 9, 12, 10, 5, 3, 7, 10, 11
1 | [] | d6 | 2, 4, 4, 2, 3, 6, 4, 5, 3, 1, 4, 5
1 | [] | d1000000007 | 335749625, 762126463, 685223170, 194944212
1 | ["FIRE"] | d100 | 56, 21, 50, 20, 14, 73, 92, 72, 62, 20, 2, 71
1 | ["FIRE"] | d12 | 4, 5, 10, 12, 6, 5, 12, 12, 10, 12, 2, 11
1 | ["FIRE"] | d6 | 4, 5, 4, 6, 6, 5, 6, 6, 4, 6, 2, 5
1 | ["FIRE"] | d1000000007 | 347203949, 50703907, 304090643, 26795820
8589934592 | [] | d100 | 95, 43, 83, 77, 8, 36, 19, 60, 51, 37, 67, 43
8589934592 | [] | d12 | 11, 7, 7, 9, 8, 8, 3, 4, 3, 5, 7, 3
8589934592 | [] | d6 | 5, 1, 1, 3, 2, 2, 3, 4, 3, 5, 1, 3
8589934592 | [] | d1000000007 | 28279081, 646906329, 60796483, 417736056
"""


def seeded(step: int = 0, text: str = "") -> SeededDice:
    """The dice of a step of the vectors' game."""
    return SeededDice(SECRET, "demo-1", step, digest(text))


# The seeded stream


@pytest.mark.parametrize("line", VECTORS.strip().splitlines())
def test_the_vectors_of_trials(line: str) -> None:
    step, text, die, listed = (part.strip() for part in line.split("|"))
    dice = seeded(int(step), text)
    expected = [int(result) for result in listed.split(",")]
    assert [dice.roll(int(die[1:]), "") for _ in expected] == expected


def test_the_stream_is_the_blocks_one_after_the_other() -> None:
    message = b"pbem-dice-1\0demo-1\0" + bytes(8) + hashlib.sha256(b"").digest()
    key = hmac.new(SECRET, message, hashlib.sha256).digest()
    blocks = [hmac.new(key, bytes(7) + bytes([n]), hashlib.sha256).digest() for n in range(3)]
    words = list(islice(stream(key), 24))
    assert b"".join(word.to_bytes(4, "big") for word in words) == b"".join(blocks)


def trial(step: int) -> Iterator[int]:
    """The stream of a trial."""
    return stream(trial_key(SECRET, "demo-1", step, digest("")))


def test_a_word_that_would_favour_low_faces_is_dropped() -> None:
    limit = 2**32 - 2**32 % PRIME
    firsts = {step: next(trial(step)) for step in range(200)}
    dropped = [step for step, word in firsts.items() if word >= limit]
    assert dropped
    for step in dropped:
        kept = next(word for word in trial(step) if word < limit)
        assert seeded(step).roll(PRIME, "") == 1 + kept % PRIME


def test_the_last_word_kept_for_a_d100(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = seeded()
    monkeypatch.setattr(dice, "_words", iter([2**32 - 1, 2**32 - 96, 2**32 - 97, 100]))
    assert [dice.roll(100, ""), dice.roll(100, "")] == [100, 1]


@pytest.mark.parametrize(
    "other",
    [
        SeededDice(bytes(32), "demo-1", 1, digest("[]")),
        SeededDice(SECRET, "demo-2", 1, digest("[]")),
        SeededDice(SECRET, "demo-1", 2, digest("[]")),
        SeededDice(SECRET, "demo-1", 1, digest('["FIRE"]')),
    ],
)
def test_the_stream_hangs_on_secret_game_step_and_orders(other: SeededDice) -> None:
    dice = seeded(1, "[]")
    assert [dice.roll(100, "") for _ in range(12)] != [other.roll(100, "") for _ in range(12)]


def test_canonical_json_is_ascii_without_spaces() -> None:
    assert canonical(["FIRE", 'TARGET Grün "x"']) == '["FIRE","TARGET Gr\\u00fcn \\"x\\""]'


# Listed dice


def test_listed_dice_fall_as_listed_and_remember_why() -> None:
    dice = ListedDice([17, 3])
    assert [dice.roll(100, "FIRE"), dice.roll(6, "damage")] == [17, 3]
    assert dice.rolls == [Roll(100, 17, "FIRE"), Roll(6, 3, "damage")]
    dice.finish()


@pytest.mark.parametrize("bad", [0, 7, -1, True, 2.0, "2", None])
def test_a_number_that_the_die_cannot_show_names_its_position(bad: object) -> None:
    dice = ListedDice([1, bad])
    dice.roll(6, "")
    with pytest.raises(DiceError, match=r"dice\[1\]"):
        dice.roll(6, "")


def test_a_list_that_runs_out_names_the_position_and_the_roll() -> None:
    with pytest.raises(DiceError, match=r"dice\[0\].*initiative red"):
        ListedDice([]).roll(100, "initiative red")


def test_left_over_dice_name_the_first_of_them() -> None:
    dice = ListedDice([1, 2, 3])
    dice.roll(6, "")
    with pytest.raises(DiceError, match=r"dice\[1\]: 2 left over"):
        dice.finish()


# Exact odds


def odds(function: Callable[[Dice], object]) -> dict[object, Fraction]:
    """Each result's exact probability."""
    total: Counter[object] = Counter()
    for chance, result in every_roll(function):
        total[result] += chance  # type: ignore[assignment]
    return dict(total)  # type: ignore[arg-type]


def test_two_dice_against_counting() -> None:
    counted = Counter(a + b for a, b in product(range(1, 7), repeat=2))
    found = odds(lambda dice: dice.roll(6, "") + dice.roll(6, ""))
    assert found == {total: Fraction(count, 36) for total, count in counted.items()}


def test_dice_that_decide_how_many_more_are_rolled() -> None:
    found = odds(lambda dice: tuple(dice.roll(2, "") for _ in range(dice.roll(3, ""))))
    assert len(found) == 2 + 4 + 8
    assert found[1,] == Fraction(1, 6)
    assert found[2, 1, 2] == Fraction(1, 24)


def test_a_function_without_dice_runs_once() -> None:
    assert list(every_roll(lambda dice: "done")) == [(Fraction(1), "done")]


@given(
    st.lists(
        st.tuples(st.integers(1, 12), st.lists(st.integers(-2, 14), max_size=3).map(sorted)),
        max_size=3,
    )
)
def test_bounds_change_the_number_of_runs_and_no_odds(rolls: list[tuple[int, list[int]]]) -> None:
    def fall(bounded: bool) -> Callable[[Dice], tuple[int, ...]]:
        def rolled(dice: Dice) -> tuple[int, ...]:
            """Return the band in which each die falls; bands end at the bounds."""
            bands = []
            for sides, bounds in rolls:
                result = dice.roll(sides, "", bounds if bounded else ())
                bands.append(sum(result > bound for bound in bounds) if bounds else result)
            return tuple(bands)

        return rolled

    assert odds(fall(True)) == odds(fall(False))
    assert sum(odds(fall(True)).values()) == 1
    most = 1
    for sides, bounds in rolls:
        most *= len(bounds) + 1 if bounds else sides
    assert len(list(every_roll(fall(True)))) <= most


def test_bounds_of_a_check_take_two_runs_and_a_sure_one_takes_one() -> None:
    assert len(list(every_roll(lambda dice: dice.roll(100, "", (36,)) <= 36))) == 2
    assert len(list(every_roll(lambda dice: dice.roll(100, "", (100,)) <= 100))) == 1
    assert odds(lambda dice: dice.roll(100, "", (36,)) <= 36)[True] == Fraction(36, 100)


def test_dice_without_end_are_refused() -> None:
    def until_two(dice: Dice) -> None:
        while dice.roll(6, "") != 2:
            pass

    with pytest.raises(DiceError, match="more than 1000 dice"):
        list(every_roll(until_two))


@given(st.integers(1, 2**32), st.integers(0, 2**40))
def test_every_fall_is_a_face_of_its_die(sides: int, step: int) -> None:
    assert 1 <= seeded(step).roll(sides, "") <= sides
