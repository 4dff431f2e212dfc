"""Nobody meets silence: letters without an order are answered, and those of robots are not."""

from itertools import pairwise

import pytest

from pbem.settings.sections import LimitSettings
from pbem.storage import Game, Letter, Place, Subscription
from tests.support.each_system import SYSTEMS, asked, first_reports
from tests.support.harness import League, Person, duel
from tests.support.players import HAWK, plain, words

ASKED = "READ, BUT NOT DONE YET"


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


QUESTIONS = (
    "How do I fire?",
    "Where am I on the map, and who is near me?",
    "What does SCAN do?",
    "What does JINK do?",
    "What does TARGET do?",
    "What does CLOSE do?",
    "What does OPEN do?",
    "Is Kestrel hit?",
    "Is Hawk hit?",
    "May I take a move back after I sent it?",
    "I do not know what to write, please tell me.",
    "My sister asks if she can join us next week.",
    "Can I change my ship before the next battle begins?",
    "Can I change my weapons before the next battle begins?",
    "Thanks!",
    "ok",
    "What is my ship?",
    "Who is the moderator of this league, and how do I reach them?",
    "I think that my last letter was lost.",
    "I still do not see how the dice are rolled.",
)
"""What somebody may write one after the other who has not found out what an order is."""


def test_somebody_who_struggles_is_answered_every_time(league: League, ann: Person) -> None:
    report = ann.last
    for question in QUESTIONS:
        league.later(0.1)
        ann.reply(f"Hello referee,\n\n{question}\n\nKind regards\nAnn Example", report)
        assert ann.new(), question


def test_the_same_order_among_words_is_said_back_each_time(league: League, ann: Person) -> None:
    for _ in range(6):
        league.later(5)
        ann.reply("I do not trust this, but let us try\nSCAN\nand see what comes.")
        assert ann.new()


@pytest.mark.parametrize(
    ("language", "heading", "choice"),
    [
        ("en", "YOUR MOVE", "SCAN 36 % finds Kestrel"),
        ("de", "DU BIST AM ZUG", "SUCHEN 36 % findet Kestrel"),
    ],
)
def test_words_alone_are_answered_with_what_may_be_ordered(
    league: League, ann: Person, language: str, heading: str, choice: str
) -> None:
    report = ann.last
    ann.ask(f"LANGUAGE {language}")
    answer = words(ann.ask("I scan for the enemy", report))
    assert heading in answer
    assert choice in answer


def test_a_story_beside_a_game_that_waits_for_others_gets_no_list(
    league: League, ann: Person
) -> None:
    report = ann.last
    ann.ask("SCAN", report)
    answer = words(ann.ask("Hawk looked out into the night.", report))
    assert "Hawk looked out" in answer
    assert "YOUR MOVE" not in answer


@pytest.mark.parametrize("written", ["> SCAN\n> TARGET", "Hello!\n>SCAN", "> SCAN\n> he said"])
def test_orders_that_are_marked_as_quotes_are_asked_about(
    league: League, ann: Person, written: str
) -> None:
    assert "SCAN" in words(ann.ask(written)).partition(ASKED)[2].partition("YES")[0]
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert '"queue":[]' in place.sheet.replace(" ", "")


def test_german_orders_with_quote_marks_are_asked_about(league: League, ann: Person) -> None:
    report = ann.last
    ann.ask("LANGUAGE de")
    answer = words(ann.ask("> SUCHEN", report))
    assert "SUCHEN" in answer.partition("NOCH NICHT AUSGEFÜHRT")[2]


@pytest.mark.parametrize("written", ["Bob wrote:\n> SCAN", "> SCAN\n\nSCAN"])
def test_what_somebody_else_wrote_is_quoted_without_a_word(ann: Person, written: str) -> None:
    assert ASKED not in words(ann.ask(written))


@pytest.mark.parametrize(
    ("language", "written", "meant"),
    [
        ("en", "accpet 1", "Perhaps you meant ACCEPT 1."),
        ("en", "declin 2", "Perhaps you meant DECLINE 2."),
        ("en", "redy 12", "Perhaps you meant READY 12."),
        ("de", "anehmen 1", "Vielleicht meinst du ANNEHMEN 1."),
        ("de", "redy 12", "Vielleicht meinst du BEREIT 12."),
    ],
)
def test_a_mistyped_answer_to_a_challenge_is_asked_about(
    league: League, language: str, written: str, meant: str
) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.ask(f"LANGUAGE {language}")
    answer = words(cat.ask(written))
    assert meant in answer
    assert ("nothing in it is done yet" if language == "en" else "dein Brief ist gelesen") in answer


def test_who_has_no_pilot_is_shown_how_to_begin(league: League) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.ask("Good evening to you")
    lines = plain(cat.last).splitlines()
    begin = [line for line in lines if line.startswith(("ENLIST", "PRACTICE"))]
    assert len(begin) == 2
    cat.reply("\n".join(begin))
    league.work()
    assert league.store.count(Game.select().where(Game.practice == True)) == 1


STRUGGLES = {
    "starpilot": ("SCNA", ("SCAN", "finds Kestrel"), ("SUCHEN", "findet Kestrel")),
    "blackskies": ("Red: BRAEK LEFT", ("Red: BREAK LEFT",), ("Red: SCHARF LINKS",)),
    "cortex": ("Lance: EVDAE", ("Lance: EVADE",), ("Lance: AUSWEICHEN",)),
    "starfarer": ("Kitai: EVDAE", ("Kitai: EVADE",), ("Kitai: AUSWEICHEN",)),
}
"""A mistyped order, and what the answer tells in English and in German."""


LOOKS = ("stars", "suns", "moons", "worlds")


@pytest.mark.parametrize("german", [False, True])
@pytest.mark.parametrize("system", STRUGGLES)
@pytest.mark.league(systems=SYSTEMS)
def test_who_struggles_is_told_each_time_what_was_meant_and_what_can_be_ordered(
    league: League, system: str, german: bool
) -> None:
    ann, _ = first_reports(league, system, "de" if german else "en")
    wrong, *told = STRUGGLES[system]
    heading = "DU BIST AM ZUG" if german else "YOUR MOVE"
    for number in range(4):
        league.later(0.1)
        text = words(asked(ann, wrong))
        for one in (f'"{wrong}"', heading, *told[german]):
            assert one in text
        league.later(0.1)
        assert heading in words(asked(ann, f"Shining {LOOKS[number]}, a tale of nothing else"))


def test_without_a_game_the_second_answer_shows_lines_to_copy(league: League) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.ask(HAWK)
    for text in ("Good evening to you", "A fine day it is"):
        cat.write(f"{text}\n\nKEY {cat.key}")
        league.work()
    assert "Each of these lines does something" in words(cat.last)
    assert "PRACTICE" in words(cat.last)


@pytest.mark.league(limits={"automatic_answers_a_day": 5})
def test_answers_to_letters_without_an_order_have_a_cap_a_day(league: League, ann: Person) -> None:
    assert LimitSettings().automatic_answers_a_day >= 50, "far above any person's patience"
    report = ann.last
    answered = []
    for question in QUESTIONS[:8]:
        league.later(0.3)
        ann.reply(question, report)
        answered.append(len(ann.new()))
    assert answered == [1] * 5 + [0] * 3


def test_a_robot_that_repeats_its_words_is_answered_three_times_a_week(
    league: League, ann: Person
) -> None:
    report, answered = ann.last, []
    for number in range(22):
        ann.reply(f"Ticket {number} was opened on Monday, {number} May. Thank you!", report)
        league.work()
        answered.append(len(ann.letters))
        league.later(8)
        league.work()
    told = [later - before for before, later in pairwise(answered)]
    assert league.store.count(Letter.select().where(Letter.klass == "autoreply")) == 18
    assert sum(told) < 12, "the battle's own letters come as well"


@pytest.mark.parametrize(
    ("language", "asking", "subject"),
    [("en", "HELP", "What you asked: HELP"), ("de", "HILFE", "Deine Frage: HILFE")],
)
def test_help_is_answered_without_a_proof_once_an_hour(
    league: League, language: str, asking: str, subject: str
) -> None:
    ann, _ = first_reports(league, "starpilot", language)
    before = len(ann.letters)
    for _ in range(3):
        ann.write(asking)
        league.work()
    assert [subject in one["Subject"] for one in ann.letters[before:]].count(True) == 1
    league.later(1)
    ann.write(asking)
    league.work()
    assert subject in ann.last["Subject"]


def test_help_without_a_proof_does_nothing_else(league: League, ann: Person) -> None:
    ann.write("HELP\nSURRENDER\nRESIGN Hawk\nSUBSCRIBE newsletter")
    league.work()
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert "SURRENDER" not in place.sheet
    assert not league.store.all(
        Subscription.select().where(Subscription.active == True).order_by(Subscription.id)
    )
