"""Nobody meets silence: letters without an order are answered, and those of robots are not."""

import pytest

from tests.support.harness import League, Person, duel
from tests.support.players import HAWK, plain, words


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


def test_somebody_who_struggles_is_answered_every_time(league: League, ann: Person) -> None:
    report = ann.last
    for number in range(20):
        league.later(0.1)
        ann.reply(f"I do my best, try {number}", report)
        assert ann.new(), number


def test_the_second_answer_lists_what_may_be_ordered(league: League, ann: Person) -> None:
    report, heading = ann.last, "YOUR MOVE"
    ann.reply("I do my best", report)
    league.work()
    assert heading not in words(ann.last)
    ann.reply("Shining stars everywhere", report)
    league.work()
    assert heading in words(ann.last)
    assert "SCAN" in words(ann.last)


def test_who_has_no_pilot_is_shown_how_to_begin(league: League) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.ask("Good evening to you")
    lines = plain(cat.last).splitlines()
    begin = [line for line in lines if line.startswith(("ENLIST", "PRACTICE"))]
    assert len(begin) == 2
    cat.reply("\n".join(begin))
    league.work()
    assert league.store.games.count(practice=True) == 1


def test_mistyped_orders_count_as_struggling_too(league: League, ann: Person) -> None:
    report, heading = ann.last, "YOUR MOVE"
    for text in ("shoot!!", "attack him now"):
        ann.reply(text, report)
        league.work()
        assert "FIRE" in words(ann.last)
    assert heading in words(ann.last)


def test_without_a_game_the_second_answer_shows_lines_to_copy(league: League) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.ask(HAWK)
    for text in ("Good evening to you", "A fine day it is"):
        cat.write(f"{text}\n\nKEY {cat.key}")
        league.work()
    assert "Each of these lines does something" in words(cat.last)
    assert "PRACTICE" in words(cat.last)


def test_a_robot_that_repeats_its_words_is_answered_three_times(
    league: League, ann: Person
) -> None:
    report, before = ann.last, len(ann.letters)
    for _ in range(8):
        league.later(1)
        ann.reply("Thank you for your letter! We shall look into it.", report)
        league.work()
    assert len(ann.letters) - before == 3


def test_a_robot_that_is_quicker_than_a_person_is_not_answered_for_ever(
    league: League, ann: Person
) -> None:
    report, before = ann.last, len(ann.letters)
    for number in range(30):
        ann.reply(f"Ticket {number} has been opened for you.", report)
        league.work()
    assert 1 < len(ann.letters) - before <= 12


def test_help_is_answered_without_a_proof_once_an_hour(league: League, ann: Person) -> None:
    before = len(ann.letters)
    for _ in range(3):
        ann.write("HELP orders")
        league.work()
    helped = [one for one in ann.letters[before:] if "Help: orders" in one["Subject"]]
    assert len(helped) == 1
    league.later(1)
    ann.write("HELP")
    league.work()
    assert "What you asked: HELP" in ann.last["Subject"]


def test_help_without_a_proof_does_nothing_else(league: League, ann: Person) -> None:
    ann.write("HELP\nSURRENDER\nRESIGN Hawk\nSUBSCRIBE newsletter")
    league.work()
    place = league.store.places.find(seat="Hawk")
    assert place is not None
    assert "SURRENDER" not in place.sheet
    assert not league.store.subscriptions.all(active=True)
