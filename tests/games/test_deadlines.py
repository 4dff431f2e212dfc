"""Deadlines: reminders, standing orders, defaults, the forfeit and the draw; what is in time."""

import json
from datetime import timedelta
from typing import Any

import pytest

from pbem.service import deadline_guard, round_tasks
from pbem.storage import Place
from tests.support.harness import League, Person, duel
from tests.support.players import PATIENT, STANDING, is_last_report, turn_of, words

pytestmark = pytest.mark.league(turns_per_letter=4)


def subjects(person: Person) -> list[str]:
    return [each["Subject"] for each in person.new()]


def sources(league: League) -> list[str]:
    return [source for _, source in league.orders() if source]


def test_a_reminder_comes_once_to_those_who_have_not_answered(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    league.later(47)
    assert subjects(bob) == []
    league.later(1)
    [reminder] = bob.new()
    assert "Reminder: your move in" in reminder["Subject"]
    league.later(1)
    assert subjects(bob) == subjects(ann) == []
    league.later(17)
    assert len(subjects(bob)) == 1
    assert subjects(ann) == []


def test_a_reminder_can_be_answered(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    league.later(48)
    bob.new()
    assert turn_of(bob.ask(PATIENT)) == "G1-T2"


def test_the_next_deadline_is_reminded_of_again(
    league: League, people: tuple[Person, Person]
) -> None:
    _, bob = people
    for _ in range(2):
        league.later(48)
        league.work()
        league.later(24)
        league.work()
    reminders = [each["Subject"] for each in bob.letters if "Reminder: " in each["Subject"]]
    assert len(reminders) == len(set(reminders)) >= 1


@pytest.mark.league(deadline_hours=12)
def test_no_reminder_is_older_than_the_report(league: League) -> None:
    """Twelve hours leave time for the reminder at six, and none for that at twenty-four."""
    _, bob = duel(league)
    league.later(5)
    assert subjects(bob) == []
    league.later(1)
    assert len(subjects(bob)) == 1


def test_a_miss_is_answered_by_standing_orders(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    for person in people:
        person.reply(PATIENT)
    league.work()
    assert league.game.turn == 2
    league.later(73)
    league.work()
    assert league.game.turn == 3
    assert set(sources(league)) == {"else"}
    assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [0, 0]
    assert turn_of(ann.last) == turn_of(bob.last) == "G1-T3"


def test_a_miss_without_orders_gets_the_cautious_default(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    league.later(72.1)
    [report] = bob.new()
    assert "default" in sources(league)
    [default] = [json.loads(o) for o, source in league.orders() if source == "default"]
    assert default == [["Kestrel", "SCAN"]]
    assert "The last deadline passed without an order of yours that could be followed." in words(
        report
    )


def test_what_comes_of_silence_is_told_as_it_comes(
    league: League, people: tuple[Person, Person]
) -> None:
    """A cautious order at first; with orders on file, those; before the last miss, the forfeit."""
    ann, bob = people
    assert "the referee orders SCAN for you" in words(ann.last)
    ann.reply(PATIENT)
    bob.reply("SCAN")
    league.work()
    expected = "If you send nothing by the deadline, "
    for misses in (0, 1, 2):
        league.later(48)
        league.work()
        assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [
            0,
            misses,
        ]
        end = "you forfeit the battle, which" if misses == 2 else "the referee orders"
        assert f"{expected}{end}" in words(bob.last_about("Your move in"))
        assert f"{expected}{end}" in words(bob.last_about("Reminder: "))
        league.later(24.1)
        league.work()
    assert not league.game.running


def test_orders_on_file_are_what_comes_of_silence(
    league: League, people: tuple[Person, Person]
) -> None:
    for person in people:
        person.reply(PATIENT)
    league.work()
    for person in people:
        text = words(person.last)
        assert "If you send nothing by the deadline, your orders on file are followed" in text
        assert "to go on with them at once, reply with READY." in text
        assert "the referee orders" not in text


def test_three_misses_in_a_row_forfeit(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    ann.ask(PATIENT)
    misses = 0
    while league.game.running:
        league.later(73)
        league.work()
        misses += 1
        if league.game.running:
            ann.reply("READY")
            league.work()
    assert misses == 3
    assert sources(league).count("default") == 2
    assert sources(league)[-1] == "silence"
    assert json.loads(league.orders()[-1][0]) == [["|referee", "FORFEIT Kestrel"]]
    for person in people:
        assert is_last_report(person.last)
        assert "game 1 is over" in person.last["Subject"]


def test_two_who_are_silent_draw(league: League, people: tuple[Person, Person]) -> None:
    for _ in range(8):
        league.later(73)
        league.work()
    assert not league.game.running
    assert json.loads(league.orders()[-1][0]) == [["|referee", "DRAW"]]
    for person in people:
        assert "A draw" in person.last["Subject"]


def test_a_letter_clears_the_misses(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    for _ in range(2):
        league.later(73)
        league.work()
    league.work()
    bob.reply("SCAN")
    league.work()
    kestrel = league.store.first(Place.select().where(Place.seat == "Kestrel").order_by(Place.id))
    assert kestrel is not None
    assert kestrel.misses == 0
    assert league.game.running


def test_a_late_letter_is_stale_and_answered(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    league.later(72.1)
    bob.reply("TARGET\nFIRE")
    league.work()
    stale = bob.last_about("your orders were not used")
    assert "TARGET" in words(stale)
    assert stale["In-Reply-To"] == bob.sent[-1]["Message-ID"]
    kestrel = league.store.first(Place.select().where(Place.seat == "Kestrel").order_by(Place.id))
    assert kestrel is not None
    assert "FIRE" not in kestrel.sheet


def test_fault_15_a_letter_received_in_time_counts_however_late_it_is_read(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    bob.reply(STANDING, at=league.now + timedelta(hours=71.9))
    league.later(100)
    league.work()
    assert "default" not in sources(league)[:4]
    assert turn_of(bob.last) != ""
    assert not any("your orders were not used" in each["Subject"] for each in bob.letters)


def test_fault_20_letters_and_deadlines_are_taken_in_the_order_of_receipt(
    league: League, people: tuple[Person, Person]
) -> None:
    """Ann is in time, Bob is not, and both letters are read long after the deadline."""
    ann, bob = people
    ann.reply(PATIENT, at=league.now + timedelta(hours=71))
    bob.reply("SCAN", at=league.now + timedelta(hours=73))
    league.later(74)
    league.work()
    assert sources(league)[:2] == ["else", "default"]
    assert any("your orders were not used" in each["Subject"] for each in bob.letters)
    assert not any("your orders were not used" in each["Subject"] for each in ann.letters)


def test_a_letter_of_the_deadlines_own_second_counts(
    league: League, people: tuple[Person, Person]
) -> None:
    """IMAP reports the time of receipt in whole seconds."""
    ann, bob = people
    ann.ask(PATIENT)
    deadline = league.game.deadline
    assert deadline is not None
    bob.reply(PATIENT, at=deadline.replace(microsecond=0))
    league.now = deadline + timedelta(seconds=10)
    league.work()
    assert "default" not in sources(league)


def test_fault_15_letters_from_the_future_are_of_now(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(PATIENT)
    bob.reply(PATIENT, at=league.now + timedelta(days=400))
    league.work()
    assert league.game.turn == 2
    assert "default" not in sources(league)


@pytest.mark.parametrize(
    ("hours", "module", "name"),
    [(72, deadline_guard, "playable"), (48, round_tasks, "reminders_due")],
)
def test_a_ruling_from_the_shell_between_finding_a_game_and_its_turn_counts(
    league: League,
    people: tuple[Person, Person],
    monkeypatch: pytest.MonkeyPatch,
    hours: float,
    module: Any,
    name: str,
) -> None:
    """A round finds all games that are due first, and another program may write meanwhile."""
    _, bob = people
    bob.new()
    real = getattr(module, name)

    def ruled_meanwhile(*given: Any) -> Any:
        found = real(*given)
        if league.game.paused is None:
            league.rule("PAUSE 1")
        return found

    monkeypatch.setattr(module, name, ruled_meanwhile)
    before = league.game.steps
    league.later(hours)
    [paused] = [subject for subject in subjects(bob) if "Reminder" not in subject or hours == 48]
    assert "Reminder" not in paused
    assert (league.game.steps, league.game.deadline) == (before, None)
    assert league.game.paused is not None
