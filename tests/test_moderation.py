"""The moderator's rulings: by mail and by program, logged, and reported to the players."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.handlers.moderation import RULINGS
from pbem.handlers.request import Refusal
from tests.harness import House, Person, duel, open_house
from tests.players import PATIENT, address_of, words


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    moderator = address_of("Mona")
    with open_house(tmp_path, turns_per_letter=4, moderator=moderator) as opened:
        yield opened


@pytest.fixture
def people(house: House) -> tuple[Person, Person]:
    return duel(house)


def moderator(house: House) -> Person:
    mona = house.person("Mona")
    mona.join()
    return mona


def test_an_extended_deadline_is_told_and_reminded_of_anew(
    house: House, people: tuple[Person, Person]
) -> None:
    before = house.game.deadline
    assert before is not None
    house.later(49)
    for person in people:
        assert len(person.new()) == 1
    assert "the deadline is now" in house.rule("EXTEND 1 2 days")
    assert house.game.deadline == before + timedelta(days=2)
    for person in people:
        [told] = person.new()
        assert "The deadline is now" in words(told)
    house.later(48)
    assert [len(person.new()) for person in people] == [1, 1]


def test_a_paused_game_keeps_orders_and_plays_nothing(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    house.later(70)
    house.rule("PAUSE ALL")
    steps = house.game.steps
    ann.ask(PATIENT, ann.last_about("battle begins"))
    bob.ask(PATIENT, bob.last_about("battle begins"))
    house.later(1000)
    house.work()
    assert (house.game.steps, house.game.deadline) == (steps, None)
    house.rule("RESUME ALL")
    assert house.game.steps == steps + 4
    assert house.game.paused is None


def test_time_that_was_left_is_left_after_a_pause(
    house: House, people: tuple[Person, Person]
) -> None:
    house.later(60)
    house.rule("PAUSE 1")
    house.later(500)
    house.rule("RESUME G1")
    assert house.game.deadline == house.now + timedelta(hours=12)


def test_a_ruled_draw_ends_the_game_as_a_step_of_the_referee(
    house: House, people: tuple[Person, Person]
) -> None:
    house.rule("draw game 1")
    assert not house.game.running
    assert house.orders()[-1] == ('[["|referee", "DRAW"]]', "referee")
    assert [row.text for row in house.store.rulings.all(game=1)] == ["the battle ends in a draw"]


def test_a_ruled_forfeit_counts_as_a_surrender(house: House, people: tuple[Person, Person]) -> None:
    house.rule("FORFEIT 1 hawk")
    assert not house.game.running
    ann, _ = people
    assert any("Hawk forfeits" in words(each) for each in ann.new())


def test_a_major_battle_is_approved_or_declined(
    house: House, people: tuple[Person, Person]
) -> None:
    house.rule("NO MAJOR 1")
    assert house.game.major == "declined"
    house.rule("MAJOR 1")
    assert house.game.major == "approved"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("EXTEND 7 48h", "there is no game 7"),
        ("EXTEND 1 soon", "is no ruling"),
        ("FORFEIT 1 Nobody", "is not in game 1"),
        ("DANCE", "is no ruling"),
    ],
)
def test_what_is_no_ruling_is_refused(
    house: House, people: tuple[Person, Person], text: str, reason: str
) -> None:
    with pytest.raises(Refusal, match=reason):
        house.rule(text)
    assert house.store.rulings.count() == 0


def test_a_game_that_is_over_is_not_ruled_over(house: House, people: tuple[Person, Person]) -> None:
    house.rule("DRAW 1")
    for text in ("EXTEND 1 4h", "PAUSE 1", "DRAW 1", "FORFEIT 1 Hawk"):
        with pytest.raises(Refusal, match="is over"):
            house.rule(text)


def test_the_moderator_rules_by_mail_with_the_key(
    house: House, people: tuple[Person, Person]
) -> None:
    mona = moderator(house)
    answer = mona.ask(f"KEY {mona.key}\nGM EXTEND 1 48h")
    assert "its players are told" in words(answer)
    assert house.store.rulings.count() == 1


def test_without_the_key_nothing_is_ruled(house: House, people: tuple[Person, Person]) -> None:
    mona = moderator(house)
    assert "needs your key" in words(mona.ask("GM DRAW 1"))
    assert house.game.running


def test_nobody_else_rules_key_or_not(house: House, people: tuple[Person, Person]) -> None:
    ann, _ = people
    answer = ann.ask(f"KEY {ann.key}\nGM FORFEIT 1 Kestrel", ann.last_about("Welcome"))
    assert "for the league's moderator" in words(answer).replace("\n", " ")
    assert house.game.running


def test_every_example_of_a_ruling_is_one() -> None:
    for ruling in RULINGS:
        assert ruling.pattern.fullmatch(ruling.example.removeprefix("GM "))
