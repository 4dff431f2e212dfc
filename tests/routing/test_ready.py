"""A letter that begins a battle or lets it go on: all it holds counts, and a report answers it."""

from email.message import EmailMessage

import pytest

from pbem.storage import Story
from tests.support.harness import League, Person, duel, skies
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
    assert "game 1 is over" in report["Subject"]
    assert answers(bob, written) == subjects([report])


def test_orders_beside_ready_count_while_another_is_awaited(league: League) -> None:
    ann, bob = duel(league)
    text = words(ann.ask("SCAN\nREADY"))
    assert "Game 1 has your order: SCAN (36 %). You are ready." in text
    assert "could not be done" not in text
    assert "in place of" not in text
    assert "It goes on once Kestrel has ordered" in text
    bob.ask("SCAN")
    assert "Step 1 (your order). Hawk tries SCAN" in words(ann.last)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("READY", "Hawk has no legal order in game 1; send orders"),
        ("Hm.\n\nREADY", "game 1 can't go on: no order of yours on file is possible now"),
    ],
)
def test_ready_without_an_order_says_so(league: League, text: str, told: str) -> None:
    ann, _ = duel(league)
    assert told in words(ann.ask(text))


def test_a_story_below_ready_is_kept(league: League, people: tuple[Person, Person]) -> None:
    bob = people[1]
    written = bob.reply("READY\n\nSTORY\nKestrel ate his last apple.", bob.last_about("Your move"))
    [report] = bob.new()
    assert answers(bob, written) == subjects([report])
    [story] = league.store.all(Story.select().order_by(Story.id))
    assert (story.text, story.after) == ("Kestrel ate his last apple.", 37)


@pytest.mark.parametrize("ready", ["READY", "READY 1"])
@pytest.mark.parametrize("about", ["[G1-", "Welcome"])
@pytest.mark.parametrize("said", ["", "Only Bob knows.\n\n"])
@pytest.mark.parametrize("story", ["", "STORY\nA quiet night."])
def test_a_letter_with_ready_that_ends_a_battle_has_one_answer_and_its_story_is_told(
    league: League, ready: str, about: str, said: str, story: str
) -> None:
    """Where all act together, so that READY alone plays the turn."""
    ann, bob = skies(
        league,
        "Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3",
        "Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3",
    )
    ann.reply("STANDING sound", ann.last_about("[G1-"))
    bob.reply(
        "STANDING\nIF TURN >= 1: Blue: SURRENDER\nIF TURN >= 1: Grey: SURRENDER\nEND\nWAIT",
        bob.last_about("[G1-"),
    )
    bob.new()
    written = bob.reply(f"{ready}\n\n{said}{story}", bob.last_about(about))
    league.work()
    assert not league.game.running
    bob.new()
    assert len(answers(bob, written)) == 1
    told = [words(one) for one in bob.letters if one["In-Reply-To"] == written["Message-ID"]]
    assert ("Only Bob knows" in told[0]) == bool(said)
    assert [one.text for one in league.store.all(Story.select().order_by(Story.id))] == (
        ["A quiet night."] if story else []
    )


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


@pytest.mark.parametrize(
    "text", ["Wish me luck, all of you.\n\nACCEPT 1", "ACCEPT 1\n\nSTORY\nHo!"]
)
def test_a_letter_that_begins_a_battle_has_one_answer(league: League, text: str) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    bob.new()
    written = bob.reply(text)
    assert "battle begins" in " ".join(subjects(bob.new()))
    assert len(answers(bob, written)) == 1


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
    assert "Vielleicht meinst du ERFASSEN Kestrel" in text


def test_ready_beside_orders_counts_in_a_letter_that_answers_none(league: League) -> None:
    ann, _ = duel(league)
    ann.write(f"KEY {ann.key}\nSCAN\nREADY")
    [answer] = ann.new()
    assert "has your order: SCAN (36 %). You are ready." in words(answer)
    assert "could not be done" not in words(answer)
