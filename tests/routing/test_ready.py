"""A letter that begins a battle or lets it go on: all it holds counts, and a report answers it."""

from email.message import EmailMessage

import pytest

from tests.support.harness import League, Person, duel
from tests.support.players import HAWK, KESTREL, words

YIELDS = "STANDING\nIF TURN >= 1: SURRENDER\nEND\nREADY"
SCANS = "STANDING\nIF TURN >= 1: SCAN\nIF TURN >= 1: OPEN\nELSE: SURRENDER\nEND"


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    """Ann and Bob at their second report; Ann has written READY."""
    ann, bob = duel(league)
    for person in (ann, bob):
        person.reply(SCANS, person.last_about("[G"))
        person.new()
    ann.new()
    ann.ask("READY", ann.last_about("Your move"))
    return ann, bob


def subjects(letters: list[EmailMessage]) -> list[str]:
    return [one["Subject"] for one in letters]


def answers(person: Person, letter: EmailMessage) -> list[str]:
    """Return the subjects of all answers to a letter."""
    return subjects([one for one in person.letters if one["In-Reply-To"] == letter["Message-ID"]])


def test_orders_beside_ready_count(league: League, people: tuple[Person, Person]) -> None:
    bob = people[1]
    written = bob.reply(YIELDS, bob.last_about("Your move"))
    [report] = bob.new()
    assert "victory for Hawk" in report["Subject"]
    assert answers(bob, written) == subjects([report])


def test_orders_beside_ready_count_while_another_is_awaited(league: League) -> None:
    ann, bob = duel(league)
    text = words(ann.ask("SCAN\nREADY"))
    assert "Order 1 is SCAN" in text
    assert "could not be done" not in text
    assert "in place of" not in text
    assert "The referee is waiting for Kestrel." in text
    bob.ask("SCAN")
    assert "Step 1 (your order). Hawk tries SCAN" in words(ann.last)


def test_ready_without_an_order_says_so(league: League) -> None:
    ann, _ = duel(league)
    assert "Hawk has no legal order in game 1; send orders" in words(ann.ask("Hm.\n\nREADY"))


def test_a_story_below_ready_is_kept(league: League, people: tuple[Person, Person]) -> None:
    bob = people[1]
    written = bob.reply("READY\n\nSTORY\nKestrel ate his last apple.", bob.last_about("Your move"))
    [report] = bob.new()
    assert "your letter has arrived; this report is the answer to it" in words(report).lower()
    assert answers(bob, written) == subjects([report])
    [story] = league.store.stories.all()
    assert (story.text, story.after) == ("Kestrel ate his last apple.", 37)


@pytest.mark.parametrize("text", ["READY", "READY 1"])
def test_a_report_answers_ready(league: League, people: tuple[Person, Person], text: str) -> None:
    bob = people[1]
    written = bob.reply(text, bob.last_about("Your move" if text == "READY" else "Welcome"))
    [report] = bob.new()
    assert "[G1-T3 " in report["Subject"]
    assert answers(bob, written) == subjects([report])


def test_the_first_report_answers_who_accepted(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    bob.new()
    written = bob.reply("ACCEPT 1\n\nCheers, Bob")
    [begins] = bob.new()
    assert answers(bob, written) == subjects([begins])


def test_the_head_of_standing_orders_is_no_order_of_the_league(league: League) -> None:
    ann, _ = duel(league)
    assert "NOT UNDERSTOOD" not in words(ann.ask(SCANS))


@pytest.mark.parametrize(
    ("above", "told"),
    [
        ("TARGTE Hawk", "READ, BUT NOT DONE YET - READY"),
        ("SCAN and so on", "READ, BUT NOT DONE YET - READY"),
        ("Thanks for the game so far!", "Other words stand with it"),
    ],
)
def test_ready_beside_other_words_or_a_mistyped_order_is_asked_about(
    league: League, people: tuple[Person, Person], above: str, told: str
) -> None:
    bob, steps = people[1], league.game.steps
    bob.ask(f"{above}\nREADY", bob.last_about("Your move"))
    assert league.game.steps == steps
    assert told in words(bob.last)
    bob.ask("READY")
    assert league.game.steps > steps


def test_german_ready_waits_for_a_mistyped_order(league: League) -> None:
    ann, _ = duel(league)
    report = ann.last
    ann.ask("LANGUAGE de")
    text = words(ann.ask("ZILE Kestrel\nBEREIT", report))
    assert "- BEREIT" in text
    assert "Vielleicht meinst du ZIEL Kestrel" in text


def test_ready_beside_orders_counts_in_a_letter_that_answers_none(league: League) -> None:
    ann, _ = duel(league)
    ann.write(f"KEY {ann.key}\nSCAN\nREADY")
    [answer] = ann.new()
    assert "are filed, and you are ready" in words(answer)
    assert "could not be done" not in words(answer)
