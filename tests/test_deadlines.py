"""Deadlines: reminders, standing orders, defaults, the forfeit and the draw; what is in time."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.harness import House, Person, duel, open_house
from tests.players import PATIENT, STANDING, is_last_report, turn_of, words


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, turns_per_letter=4) as opened:
        yield opened


@pytest.fixture
def people(house: House) -> tuple[Person, Person]:
    return duel(house)


def subjects(person: Person) -> list[str]:
    return [each["Subject"] for each in person.new()]


def sources(house: House) -> list[str]:
    return [source for _, source in house.orders() if source]


def test_a_reminder_comes_once_to_those_who_have_not_answered(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    house.later(47)
    assert subjects(bob) == []
    house.later(1)
    [reminder] = bob.new()
    assert "your orders are still needed" in reminder["Subject"]
    house.later(1)
    assert subjects(bob) == subjects(ann) == []
    house.later(17)
    assert len(subjects(bob)) == 1
    assert subjects(ann) == []


def test_a_reminder_can_be_answered(house: House, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    house.later(48)
    bob.new()
    assert turn_of(bob.ask(PATIENT)) == "G1-T2"


def test_the_next_deadline_is_reminded_of_again(
    house: House, people: tuple[Person, Person]
) -> None:
    _, bob = people
    for _ in range(2):
        house.later(48)
        house.work()
        house.later(24)
        house.work()
    reminders = [each["Subject"] for each in bob.letters if "still needed" in each["Subject"]]
    assert len(reminders) == len(set(reminders)) >= 1


def test_no_reminder_is_older_than_the_report(tmp_path: Path) -> None:
    """Twelve hours leave time for the reminder at six, and none for that at twenty-four."""
    with open_house(tmp_path, deadline_hours=12) as house:
        _, bob = duel(house)
        house.later(5)
        assert subjects(bob) == []
        house.later(1)
        assert len(subjects(bob)) == 1


def test_a_miss_is_answered_by_standing_orders(house: House, people: tuple[Person, Person]) -> None:
    ann, bob = people
    for person in people:
        person.reply(PATIENT)
    house.work()
    assert house.game.turn == 2
    house.later(73)
    house.work()
    assert house.game.turn == 3
    assert set(sources(house)) == {"else"}
    assert [place.misses for place in house.store.places.all()] == [0, 0]
    assert turn_of(ann.last) == turn_of(bob.last) == "G1-T3"


def test_a_miss_without_orders_gets_the_cautious_default(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    house.later(72.1)
    [report] = bob.new()
    assert "default" in sources(house)
    [default] = [json.loads(o) for o, source in house.orders() if source == "default"]
    assert default == [["Kestrel", "SCAN"]]
    assert "The last deadline passed without a letter from you." in words(report)


def test_what_comes_of_silence_is_told_as_it_comes(
    house: House, people: tuple[Person, Person]
) -> None:
    """A cautious order at first; with orders on file, those; before the last miss, the forfeit."""
    ann, bob = people
    assert "the referee will order SCAN for you" in words(ann.last)
    ann.reply(PATIENT)
    bob.reply("SCAN")
    house.work()
    told = "If you are silent until then, "
    for misses in (0, 1, 2):
        house.later(48)
        house.work()
        assert [place.misses for place in house.store.places.all()] == [0, misses]
        end = "you forfeit the battle, which" if misses == 2 else "the referee will order"
        assert f"{told}{end}" in words(bob.last_about("please"))
        assert f"{told}{end}" in words(bob.last_about("still needed"))
        house.later(24.1)
        house.work()
    assert not house.game.running


def test_orders_on_file_are_what_comes_of_silence(
    house: House, people: tuple[Person, Person]
) -> None:
    for person in people:
        person.reply(PATIENT)
    house.work()
    for person in people:
        told = words(person.last)
        assert "If you are silent until then, your orders on file are followed; to go on" in told
        assert "write the word READY on a line of its own." in told
        assert "the referee will order" not in told


def test_three_misses_in_a_row_forfeit(house: House, people: tuple[Person, Person]) -> None:
    ann, _ = people
    ann.ask(PATIENT)
    misses = 0
    while house.game.running:
        house.later(73)
        house.work()
        misses += 1
        if house.game.running:
            ann.reply("READY")
            house.work()
    assert misses == 3
    assert sources(house).count("default") == 2
    assert sources(house)[-1] == "referee"
    assert json.loads(house.orders()[-1][0]) == [["|referee", "FORFEIT Kestrel"]]
    for person in people:
        assert is_last_report(person.last)
        assert "the victory is Hawk's" in person.last["Subject"]


def test_two_who_are_silent_draw(house: House, people: tuple[Person, Person]) -> None:
    for _ in range(8):
        house.later(73)
        house.work()
    assert not house.game.running
    assert json.loads(house.orders()[-1][0]) == [["|referee", "DRAW"]]
    for person in people:
        assert "a draw" in person.last["Subject"]


def test_a_letter_clears_the_misses(house: House, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    for _ in range(2):
        house.later(73)
        house.work()
    house.work()
    bob.reply("SCAN")
    house.work()
    kestrel = house.store.places.find(seat="Kestrel")
    assert kestrel is not None
    assert kestrel.misses == 0
    assert house.game.running


def test_a_late_letter_is_stale_and_answered(house: House, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    house.later(72.1)
    bob.reply("TARGET\nFIRE")
    house.work()
    stale = bob.last_about("nothing was taken")
    assert "TARGET" in words(stale)
    assert stale["In-Reply-To"] == bob.sent[-1]["Message-ID"]
    kestrel = house.store.places.find(seat="Kestrel")
    assert kestrel is not None
    assert "FIRE" not in kestrel.sheet


def test_fault_15_a_letter_received_in_time_counts_however_late_it_is_read(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    bob.reply(STANDING, at=house.now + timedelta(hours=71.9))
    house.later(100)
    house.work()
    assert "default" not in sources(house)[:4]
    assert turn_of(bob.last) != ""
    assert not any("nothing was taken" in each["Subject"] for each in bob.letters)


def test_fault_20_letters_and_deadlines_are_taken_in_the_order_of_receipt(
    house: House, people: tuple[Person, Person]
) -> None:
    """Ann is in time, Bob is not, and both letters are read long after the deadline."""
    ann, bob = people
    ann.reply(PATIENT, at=house.now + timedelta(hours=71))
    bob.reply("SCAN", at=house.now + timedelta(hours=73))
    house.later(74)
    house.work()
    assert sources(house)[:2] == ["else", "default"]
    assert any("nothing was taken" in each["Subject"] for each in bob.letters)
    assert not any("nothing was taken" in each["Subject"] for each in ann.letters)


def test_a_letter_of_the_deadlines_own_second_counts(
    house: House, people: tuple[Person, Person]
) -> None:
    """IMAP reports the time of receipt in whole seconds."""
    ann, bob = people
    ann.ask(PATIENT)
    deadline = house.game.deadline
    assert deadline is not None
    bob.reply(PATIENT, at=deadline.replace(microsecond=0))
    house.now = deadline + timedelta(seconds=10)
    house.work()
    assert "default" not in sources(house)


def test_fault_15_letters_from_the_future_are_of_now(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    bob.reply(PATIENT, at=house.now + timedelta(days=400))
    house.work()
    assert house.game.turn == 2
    assert "default" not in sources(house)
