"""Orders among other words are read and said back, by the form of the letter (decision 0037)."""

import json

import pytest

from pbem.storage import Place
from tests.support.harness import League, Person, duel
from tests.support.players import words

READ = "READ, BUT NOT DONE YET"
pytestmark = pytest.mark.league(systems=("starpilot",))


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


def filed(league: League) -> str:
    """Return what is on file for Hawk's next turns."""
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    return " ".join(json.loads(place.sheet)["queue"])


def answered(league: League, ann: Person, written: str, german: bool = False) -> tuple[str, str]:
    """Return what is on file after Ann's reply, and the answer."""
    report = ann.last_about("[G1-")
    if german:
        ann.ask("LANGUAGE de")
    answer = words(ann.ask(written, report))
    return filed(league), answer


@pytest.mark.parametrize(
    "written",
    [
        "Thinking aloud, the best would be to\nFIRE\nbut I have no lock.\n\nSCAN",
        "You should really\nSURRENDER",
        "I will never\nSURRENDER!\n\nSCAN",
        "Please do not carry out any of these:\nSURRENDER\nEJECT\n\nSCAN",
        "My options are:\n- SCAN\n- SURRENDER",
        "Last turn I ordered:\n\nSURRENDER\n\nNow I order:\nSCAN",
        "Bob, 2 Nov, 10:14\nSURRENDER\n\nI answer:\nSCAN",
        "From the rulebook:\nPROTECT\ncosts a turn.\n\nSCAN",
        "What is the difference between\nprotect\nand the others?\n\nSCAN",
        "SCAN\n\nIf he is near\nFIRE",
        "Once we have found him:\nTARGET",
        "SCAN\nonly if he is far away",
        "SCAN\nor\nTARGET",
        "Surrender!\nthe voice said.\n\nSCAN",
        "If he gets too close,\n\nEJECT\n\nto be safe\n\nthat is",
        "Ignore the following line.\nFIRE",
        "Bob -> me:\nFIRE\nMe -> Bob:\nnever!\n\nSCAN",
        "Bob to me:\nSURRENDER\n\nSCAN",
        "Come on, Kestrel,\nFIRE!\nI dare you.\n\nSCAN",
        "SCAN and if that works\nTARGET",
        "SCAN\n\nIn the unlikely event that I lose:\n- surrender",
        "Close.\nToo close.\nHawk pulled the stick.\nSCAN",
        "Hold.\nHold.\nHold.\nNow!\n\nSCAN",
        "Open\nthe pod bay doors, Hal.\n\nSCAN",
        "On the screen:\nTARGET\nin red letters.\n\nSCAN",
        "Left behind him\nor ahead\nTARGET\n\nSCAN",
        "Option 1\nSCAN\nOption 2\nTARGET",
        "Chapter 1\n\nFire\n\nIt was a cold and a long night.\n\nSCAN",
        "Postpone:\nTARGET\nDo:\nSCAN",
        "Inside\nThe ship was hot.\n\nFire\nThe engine room burned.\n\nSCAN",
        "My wife reckons:\nFIRE\n\nSCAN",
        "Dave insists I do this:\nFIRE\n\nSCAN",
        "The computer recommended:\nFIRE\n\nSCAN",
        "I bet he will order:\nFIRE\n\nSCAN",
        "SCAN\nno wait, TARGET instead",
        "SURRENDER\nscratch that\nSCAN",
        "SURRENDER\n\nSorry, wrong game, please ignore.\n\nSCAN",
        "EJECT\nlol jk\nSCAN",
        "FIRE\nTypo, sorry!\nSCAN",
        "FIRE\n\nPlease don't do that.\n\nSCAN",
        "TARGET\n^ no, SCAN",
        "FIRE\nhm no\nSCAN",
        "FIRE\nOops, wrong button.\nSCAN",
        "SURRENDER\n\nlol no.\n\nSCAN",
        "TARGET\n\nactually make that SCAN",
        "TARGET\n\nSorry, no, SCAN of course!",
        "FIRE\nhold your horses, that was the cat on my keyboard\nSCAN",
        "Bad:\nFIRE\nGood:\nSCAN",
        "FIRE\n\nPas ça, plutôt\n\nSCAN",
        "Hawk's orders:\nSCAN\nTARGET",
        "SCAN\nTARGET\nBut Kestrel only laughs.",
        "My plan:\n\nSCAN\n\nTARGET",
        "2. TARGET\n1. SCAN",
        "12: SCAN",
        "- SCAN\nTARGET",
        "-FIRE\n+SCAN",
        "0. FIRE",
        "SURRENDER\nGood game!",
        "ESCAPE\n\nHer voice was calm.",
        "I give up, dear.\n\nSURRENDER",
        "FIRE\n*SCAN",
    ],
)
def test_an_order_among_other_words_is_asked_about(
    league: League, ann: Person, written: str
) -> None:
    found, answer = answered(league, ann, written)
    # What stands apart from all words is done, and each of these letters has an order that is not.
    assert found in ("", "SCAN")
    assert found != written
    assert READ in answer


@pytest.mark.parametrize(
    "written",
    [
        "Ich frage mich, ob ich\nFEUER\nbefehlen sollte\n\nSUCHEN",
        "Niemals werde ich mich\nergeben!\n\nSUCHEN",
        "Letzte Runde schrieb ich:\nERGEBEN\n\nJetzt:\nSUCHEN",
        "Sobald ich ihn erfasst habe\nFEUER",
        "Was bedeutet\nAUSSTEIGEN\neigentlich?",
        "Feuer!\nrief Hawk.\n\nSUCHEN",
        "Los, Kestrel,\nFEUER!\nTrau dich doch.\n\nSUCHEN",
        "Bobs letzter Befehl war\nFEUER\n\nSUCHEN",
        "Variante A:\nZIEL\n\nVariante B:\nFEUER\n\nJetzt:\nSUCHEN",
        "Bob an mich:\nFEUER\n\nIch:\nSUCHEN",
        "Feuer.\nÜberall Feuer.\nHawk hustete.\n\nSUCHEN",
        "SUCHEN\n\nFür den Fall, dass ich verliere:\nERGEBEN",
        "Ob ich lieber ziele\noder gleich\nFEUER\nnehme?\n\nSUCHEN",
        "Mein Sohn meint:\nFEUER\n\nSUCHEN",
        "Opa würfelte:\nFEUER\n\nSUCHEN",
        "Die Anleitung empfiehlt an dieser Stelle:\nFEUER\n\nSUCHEN",
        "ERGEBEN\nWar nur Spaß.",
        "ERGEBEN\nNein, warte, SUCHEN",
        "ZIEL\nSorry, vertippt, SUCHEN ist gemeint",
        "ZIEL\nnee, doch lieber den anderen",
        "ZIEL\n\nÄh nein, SUCHEN natürlich!",
        "ZIEL\nMach das lieber: SUCHEN",
        "ZIEL\nstopp, doch lieber SUCHEN",
    ],
)
def test_a_german_order_among_other_words_is_asked_about(
    league: League, ann: Person, written: str
) -> None:
    found, answer = answered(league, ann, written, german=True)
    assert found in ("", "SCAN")
    assert "GELESEN, ABER NOCH NICHT AUSGEFÜHRT" in answer


@pytest.mark.parametrize(
    "written",
    [
        "[x] SCAN\n[ ] SURRENDER",
        "☑ SCAN\n☐ SURRENDER",
        "[ ]  SURRENDER   no roll     give up; you are out\n[x]  SCAN        36 %   look",
        "SCAN ✅\nSURRENDER ❌",
        "✔ SCAN\n🚫 SURRENDER",
    ],
)
def test_of_a_list_with_boxes_only_what_is_ticked_is_ordered(
    league: League, ann: Person, written: str
) -> None:
    found, answer = answered(league, ann, written)
    assert found == "SCAN"
    assert "WORDS THAT NOBODY HAS SEEN" in answer


@pytest.mark.parametrize("written", ["❌ SURRENDER", "! FIRE"])
def test_a_crossed_out_line_alone_orders_nothing(league: League, ann: Person, written: str) -> None:
    found, answer = answered(league, ann, written)
    assert found == ""
    assert READ not in answer


@pytest.mark.parametrize(
    "written",
    [
        "SCAN\nTARGET",
        "SCAN\n\nTARGET",
        "Best regards to you, too\n\nSCAN\nTARGET",
        "Hi there\nSCAN\nTARGET\nthanks bob",
        "Hello referee\n\nSCAN\n\nTARGET\n\nthank you",
        "SCAN\nTARGET\n\nBest regards\nAnn\n-- \nAnn Example\nOxford",
        "SCAN\nTARGET\n\nSent from my iPhone",
        "+ SCAN\n+ TARGET",
        "* SCAN\n* TARGET",
        "*SCAN*\n*TARGET*",
        "1. SCAN\n2. TARGET",
        "0. SCAN\n1. TARGET",
        "1️⃣ SCAN\n2️⃣ TARGET",
        "[ ] SCAN\n[ ] TARGET",
        "Turn 1: SCAN\nTurn 2: TARGET",
        "SCAN\nTARGET\n\nHawk said nothing more that day.",
        "Hi!\n\nHawk is cold. The stars are, too.\n\nScan\nTarget\n\nHe waits for a long time.",
        'SCAN\nTARGET\n\n"Eat this!" shouted Hawk.',
        'Did I ask when the deadline is?\n\nSCAN\nTARGET\n\n"You FIRE first," he said.',
        "SCAN\nTARGET\nSTORY\nHawk laughs.\n\nSCAN is what he says.",
        "SCAN\nTARGET\n\nWhen he fires, Hawk will jink",
    ],
)
def test_orders_in_a_paragraph_of_their_own_are_done(
    league: League, ann: Person, written: str
) -> None:
    found, answer = answered(league, ann, written)
    assert found == "SCAN TARGET"
    assert READ not in answer


@pytest.mark.parametrize(
    "written",
    [
        "SURRENDER",
        "Hi,\n\nSURRENDER\n\nBest regards\nAnn",
        "SALT abc\nSURRENDER\nSTATUS",
        "GAME 1\nSURRENDER",
    ],
)
def test_an_order_to_leave_without_any_words_is_done(
    league: League, ann: Person, written: str
) -> None:
    assert answered(league, ann, written)[0].startswith("SURRENDER")


def test_orders_that_were_said_back_are_done_by_yes(league: League, ann: Person) -> None:
    found, _ = answered(league, ann, "I think I\nSCAN\n\nTARGTE\n\nthen")
    assert found == ""
    ann.ask("Yes!")
    assert filed(league) == "SCAN TARGET"


def test_what_is_sure_stays_when_the_rest_is_done_by_yes(league: League, ann: Person) -> None:
    found, answer = answered(league, ann, "SCAN\n\nBest regards\nAnn\n\nTarget\n(Oxford)")
    assert found == "SCAN"
    assert "TARGET: not possible" in answer
    ann.ask("YES")
    assert filed(league) == "SCAN TARGET"


def test_words_below_an_order_that_takes_a_text_are_its_text(league: League, ann: Person) -> None:
    ann.ask("TELL Kestrel\nif you dare,\ncome out and fight. No wait, I come to you.")
    league.work()
    assert "if you dare" in words(league.person("Bob").last)


@pytest.mark.parametrize(
    ("written", "where"),
    [
        ("Turn 1: SCAN\nTurn 2: TARGET", "SCAN TARGET"),
        ("1️⃣ SCAN\n2️⃣ TARGET", "SCAN TARGET"),
        ("Turn 7: SCAN", ""),
    ],
)
def test_orders_with_the_number_of_their_turn_are_taken_where_it_is_the_next(
    league: League, ann: Person, written: str, where: str
) -> None:
    found, answer = answered(league, ann, written)
    assert found == where
    assert ("That is nearly an order" in answer) == (where != "SCAN TARGET")


def test_a_farewell_is_not_nearly_an_order(league: League, ann: Person) -> None:
    answer = answered(league, ann, "SUCHEN\n\nViele Grüße\nAnn", german=True)[1]
    assert "GELESEN" not in answer


@pytest.mark.parametrize("order", ["HELP", "STATUS", "SHEET"])
def test_a_question_is_answered_among_other_words(league: League, ann: Person, order: str) -> None:
    _, answer = answered(league, ann, f"I am lost, so\n{order}\nwould be kind.")
    assert READ not in answer
