"""Orders that the words around them call off, condition or only quote: each is asked about."""

import json

import pytest

from tests.support.harness import League, Person, duel
from tests.support.players import words

WORDS = "the words next to it may mean that it is no order now"
BACK = "seems to take something back"
BOX = "its box has no tick"
FAREWELL = "it stands below your farewell"

pytestmark = pytest.mark.league(systems=("starpilot",))


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


def answered(league: League, ann: Person, written: str, german: bool = False) -> tuple[str, str]:
    """Return what is on file after Ann's reply, and the answer."""
    report = ann.last_about("[G1-")
    if german:
        ann.ask("LANGUAGE de")
    answer = words(ann.ask(written, report))
    place = league.store.places.find(seat="Hawk")
    assert place is not None
    sheet = json.loads(place.sheet)
    return " ".join(sheet["queue"]), answer


@pytest.mark.parametrize(
    ("written", "filed"),
    [
        ("Thinking aloud, the best would be to\nFIRE\nbut I have no lock.\n\nSCAN", "SCAN"),
        ("You should really\nSURRENDER", ""),
        ("I will never\nSURRENDER!\n\nSCAN", "SCAN"),
        ("Please do not carry out any of these:\nSURRENDER\nEJECT\n\nSCAN", "SCAN"),
        ("My options are:\n- SCAN\n- SURRENDER", ""),
        ("Last turn I ordered:\n\nSURRENDER\n\nNow I order:\nSCAN", "SCAN"),
        ("Bob, 2 Nov, 10:14\nSURRENDER\n\nI answer:\nSCAN", "SCAN"),
        ("From the rulebook:\nPROTECT\ncosts a turn.\n\nSCAN", "SCAN"),
        ("What is the difference between\nprotect\nand the others?\n\nSCAN", "SCAN"),
        ("SCAN\n\nIf he is near\nFIRE", "SCAN"),
        ("Once we have found him:\nTARGET", ""),
        ("SCAN\nonly if he is far away", ""),
        ("SCAN\nor\nTARGET", ""),
        ("Surrender!\nthe voice said.\n\nSCAN", "SCAN"),
        ("If he gets too close,\n\nEJECT\n\nto be safe\n\nthat is", ""),
        ("Ignore the following line.\nFIRE", ""),
        ("Bob -> me:\nFIRE\nMe -> Bob:\nnever!\n\nSCAN", "SCAN"),
        ("Bob to me:\nSURRENDER\n\nSCAN", "SCAN"),
        ("Come on, Kestrel,\nFIRE!\nI dare you.\n\nSCAN", "SCAN"),
        ("SCAN and if that works\nTARGET", ""),
        ("SCAN\n\nIn the unlikely event that I lose:\n- surrender", "SCAN"),
        ("Close.\nToo close.\nHawk pulled the stick.\nSCAN", "SCAN"),
        ("Hold.\nHold.\nHold.\nNow!\n\nSCAN", "SCAN"),
        ("Open\nthe pod bay doors, Hal.\n\nSCAN", "SCAN"),
        ("On the screen:\nTARGET\nin red letters.\n\nSCAN", "SCAN"),
        ("Left behind him\nor ahead\nTARGET\n\nSCAN", "SCAN"),
        ("Option 1\nSCAN\nOption 2\nTARGET", ""),
        ("Chapter 1\n\nFire\n\nIt was a cold and a long night.\n\nSCAN", "SCAN"),
        ("Postpone:\nTARGET\nDo:\nSCAN", "SCAN"),
        ("Inside\nThe ship was hot.\n\nFire\nThe engine room burned.\n\nSCAN", "SCAN"),
        ("My wife reckons:\nFIRE\n\nSCAN", "SCAN"),
        ("Dave insists I do this:\nFIRE\n\nSCAN", "SCAN"),
        ("The computer recommended:\nFIRE\n\nSCAN", "SCAN"),
        ("I bet he will order:\nFIRE\n\nSCAN", "SCAN"),
    ],
)
def test_an_order_within_other_words_is_asked_about(
    league: League, ann: Person, written: str, filed: str
) -> None:
    found, answer = answered(league, ann, written)
    assert found == filed
    assert WORDS in answer


@pytest.mark.parametrize(
    ("written", "filed"),
    [
        ("SCAN\nno wait, TARGET instead", ""),
        ("SURRENDER\nscratch that\nSCAN", "SCAN"),
        ("SURRENDER\n\nSorry, wrong game, please ignore.\n\nSCAN", "SCAN"),
        ("EJECT\nlol jk\nSCAN", "SCAN"),
        ("FIRE\nTypo, sorry!\nSCAN", "SCAN"),
        ("FIRE\n\nPlease don't do that.\n\nSCAN", "SCAN"),
        ("TARGET\n^ no, SCAN", ""),
        ("FIRE\nhm no\nSCAN", "SCAN"),
        ("FIRE\nOops, wrong button.\nSCAN", "SCAN"),
        ("SURRENDER\n\nlol no.\n\nSCAN", "SCAN"),
        ("TARGET\n\nactually make that SCAN", ""),
        ("TARGET\n\nSorry, no, SCAN of course!", ""),
        ("FIRE\n*SCAN", "SCAN"),
    ],
)
def test_an_order_above_a_correction_is_asked_about(
    league: League, ann: Person, written: str, filed: str
) -> None:
    found, answer = answered(league, ann, written)
    assert found == filed
    assert BACK in answer


@pytest.mark.parametrize(
    ("written", "filed"),
    [
        ("Ich frage mich, ob ich\nFEUER\nbefehlen sollte\n\nSUCHEN", "SCAN"),
        ("Niemals werde ich mich\nergeben!\n\nSUCHEN", "SCAN"),
        ("Letzte Runde schrieb ich:\nERGEBEN\n\nJetzt:\nSUCHEN", "SCAN"),
        ("Sobald ich ihn erfasst habe\nFEUER", ""),
        ("Was bedeutet\nAUSSTEIGEN\neigentlich?", ""),
        ("Feuer!\nrief Hawk.\n\nSUCHEN", "SCAN"),
        ("Los, Kestrel,\nFEUER!\nTrau dich doch.\n\nSUCHEN", "SCAN"),
        ("Bobs letzter Befehl war\nFEUER\n\nSUCHEN", "SCAN"),
        ("Variante A:\nZIEL\n\nVariante B:\nFEUER\n\nJetzt:\nSUCHEN", "SCAN"),
        ("Bob an mich:\nFEUER\n\nIch:\nSUCHEN", "SCAN"),
        ("Feuer.\nÜberall Feuer.\nHawk hustete.\n\nSUCHEN", "SCAN"),
        ("SUCHEN\n\nFür den Fall, dass ich verliere:\nERGEBEN", "SCAN"),
        ("Ob ich lieber ziele\noder gleich\nFEUER\nnehme?\n\nSUCHEN", "SCAN"),
        ("Mein Sohn meint:\nFEUER\n\nSUCHEN", "SCAN"),
        ("Opa würfelte:\nFEUER\n\nSUCHEN", "SCAN"),
        ("Die Anleitung empfiehlt an dieser Stelle:\nFEUER\n\nSUCHEN", "SCAN"),
    ],
)
def test_a_german_order_within_other_words_is_asked_about(
    league: League, ann: Person, written: str, filed: str
) -> None:
    found, answer = answered(league, ann, written, german=True)
    assert found == filed
    assert "die Worte daneben können heißen" in answer


@pytest.mark.parametrize(
    "written",
    [
        "ERGEBEN\nWar nur Spaß.",
        "ERGEBEN\nNein, warte, SUCHEN",
        "ZIEL\nSorry, vertippt, SUCHEN ist gemeint",
        "ZIEL\nnee, doch lieber den anderen",
        "ZIEL\n\nÄh nein, SUCHEN natürlich!",
        "ZIEL\nMach das lieber: SUCHEN",
        "ZIEL\nstopp, doch lieber SUCHEN",
    ],
)
def test_a_german_order_above_a_correction_is_asked_about(
    league: League, ann: Person, written: str
) -> None:
    found, answer = answered(league, ann, written, german=True)
    assert not found
    assert "nimmt wohl etwas zurück" in answer


@pytest.mark.parametrize(
    "written",
    [
        "[x] SCAN\n[ ] SURRENDER",
        "☑ SCAN\n☐ SURRENDER",
        "[ ]  SURRENDER   no roll     give up; you are out\n[x]  SCAN        36 in 100   look",
        "SCAN ✅\nSURRENDER ❌",
        "-FIRE\n+SCAN",
        "✔ SCAN\n🚫 SURRENDER",
    ],
)
def test_of_a_list_with_boxes_only_what_is_ticked_is_ordered(
    league: League, ann: Person, written: str
) -> None:
    found, answer = answered(league, ann, written)
    assert found == "SCAN"
    assert BOX in answer


def test_a_list_of_empty_boxes_is_a_list(league: League, ann: Person) -> None:
    assert answered(league, ann, "[ ] SCAN\n[ ] TARGET")[0] == "SCAN TARGET"


@pytest.mark.parametrize("written", ["❌ SURRENDER", "! FIRE", "0. FIRE"])
def test_a_crossed_out_line_alone_orders_nothing(league: League, ann: Person, written: str) -> None:
    found, answer = answered(league, ann, written)
    assert found == ""
    assert BOX in answer


def test_a_list_may_begin_with_nought(league: League, ann: Person) -> None:
    assert answered(league, ann, "0. SCAN\n1. TARGET")[0] == "SCAN TARGET"


def test_an_order_below_a_farewell_is_asked_about(league: League, ann: Person) -> None:
    found, answer = answered(league, ann, "SCAN\n\nBest regards\nAnn\n\nClose\n(Oxford)")
    assert found == "SCAN"
    assert FAREWELL in answer


@pytest.mark.parametrize(
    "written",
    [
        "Best regards to you, too\n\nSCAN\nTARGET",
        "SCAN\n\nBest regards\nAnn\n\nP.S.\nTARGET",
        "Hi there\nSCAN\nTARGET\nthanks bob",
        "Sorry I could not write earlier\nSCAN\nTARGET",
        "Hawk's orders:\nSCAN\nTARGET",
        "And now for the usual:\n\nSCAN\n\nTARGET",
        "SCAN\nTARGET\nWhen the smoke clears, Hawk sees nothing but stars.",
        "SCAN\nTARGET\nBut Kestrel only laughs.",
        "SCAN\nTARGET\nWhen is the deadline?",
        "SCAN\nTARGET\n\nHawk said nothing more that day.",
        "Hello referee\n\nSCAN\n\nTARGET\n\nthank you",
        "Please forget my last mail, here's the new one:\nSCAN\nTARGET",
        "Plan for round one:\nScan\nTarget",
        "My first order is\nSCAN\nTARGET",
        "I'd like to\nSCAN\nTARGET\nplease.",
        "Could you please do the following for me:\nSCAN\nTARGET",
        "scan\ntarget\nlol this is fun",
        "+ SCAN\n+ TARGET",
        "Ok so I only have a minute.\nscan\ntarget\nthat's all from me, good night",
        "Scan\nTarget\nthanks, and good luck",
        "Bob, Cleo,\nSCAN\nTARGET",
        "To begin with,\nSCAN\nTARGET",
        "Hi!\n\nHawk is cold. The stars are, too.\n\nScan\nTarget\n\nHe waits for a long time.",
        "I bet you did not expect this:\nSCAN\nTARGET",
        "My next two moves:\nSCAN\nTARGET",
        "Hawk acts:\nSCAN\nTARGET",
        "My pilot does this:\nSCAN\nTARGET",
        "The order is as follows:\nSCAN\nTARGET",
        "I go with\nSCAN\nTARGET",
        "* SCAN\n* TARGET",
        "*SCAN*\n*TARGET*",
        "SCAN\nTARGET\n\nNo, Kestrel, you never had a chance.",
    ],
)
def test_plain_words_next_to_orders_put_none_in_doubt(
    league: League, ann: Person, written: str
) -> None:
    assert answered(league, ann, written)[0] == "SCAN TARGET"


@pytest.mark.parametrize(
    ("written", "filed"),
    [
        ("Next turn:\nSCAN\nThen:\nTARGET", "SCAN TARGET"),
        ("For this turn I'd like to\nSCAN", "SCAN"),
        ("I will\nSCAN", "SCAN"),
        ("Nächster Zug:\nSUCHEN\nNächste Runde möchte ich\nZIEL", "SCAN TARGET"),
        ("No plan, but:\nSCAN", "SCAN"),
        ("Kein Plan, aber:\nSUCHEN", "SCAN"),
        ("Damit hast du nicht gerechnet:\nSUCHEN", "SCAN"),
        ("Mein Schiff macht:\nSUCHEN\nZIEL", "SCAN TARGET"),
        ("Mein nächster Schritt:\nSUCHEN", "SCAN"),
        ("Ich nehme\nSUCHEN", "SCAN"),
    ],
)
def test_a_line_that_only_leads_to_orders_puts_none_in_doubt(
    league: League, ann: Person, written: str, filed: str
) -> None:
    assert answered(league, ann, written, german="SUCHEN" in written)[0] == filed


@pytest.mark.parametrize(
    "written",
    [
        "SCAN\n\nWhen he fires, Hawk will jink",
        "SCAN\n\nAfter that I want to dogfight",
        "SUCHEN\n\nSobald ich ihn habe, wird gefeuert.",
    ],
)
def test_a_plan_with_a_sentence_of_its_own_puts_no_order_in_doubt(
    league: League, ann: Person, written: str
) -> None:
    assert answered(league, ann, written, german="SUCHEN" in written)[0] == "SCAN"


@pytest.mark.parametrize(
    "written",
    ["SURRENDER\nGood game!", "Fw: Bob\nSURRENDER", "Hi\nEJECT", "ESCAPE\nHer voice was calm."],
)
def test_an_order_to_leave_with_any_words_next_to_it_is_asked_about(
    league: League, ann: Person, written: str
) -> None:
    found, answer = answered(league, ann, written)
    assert not found
    assert WORDS in answer


@pytest.mark.parametrize(
    "written",
    [
        "Hi,\n\nSURRENDER\n\nGood game!\nAnn",
        "I give up.\nSURRENDER",
        "SALT abc\nSURRENDER\nSTATUS",
        "GAME 1\nSURRENDER",
        "FOR Hawk\nSURRENDER",
    ],
)
def test_an_order_to_leave_that_stands_apart_is_done(
    league: League, ann: Person, written: str
) -> None:
    assert answered(league, ann, written)[0].startswith("SURRENDER")


def test_words_below_an_order_that_takes_a_text_are_its_text(league: League, ann: Person) -> None:
    ann.ask("TELL Kestrel\nif you dare,\ncome out and fight. No wait, I come to you.")
    league.work()
    assert "if you dare" in words(league.person("Bob").last)


@pytest.mark.parametrize(
    ("written", "filed"),
    [
        ("Turn 1: SCAN\nTurn 2: TARGET", "SCAN TARGET"),
        ("TURN 1\nSCAN\nTURN 2\nTARGET", "SCAN TARGET"),
        ("1️⃣ SCAN\n2️⃣ TARGET", "SCAN TARGET"),
        ("Turn 7: SCAN", ""),
    ],
)
def test_orders_with_the_number_of_their_turn_are_taken_where_it_is_the_next(
    league: League, ann: Person, written: str, filed: str
) -> None:
    found, answer = answered(league, ann, written)
    assert found == filed
    assert ("That is nearly an order" in answer) == (filed != "SCAN TARGET")


@pytest.mark.parametrize(
    "written", ["We must OPEN the gate", "I think SCAN.", "SCAN, over and out"]
)
def test_a_short_line_with_an_order_in_capitals_is_no_story(
    league: League, ann: Person, written: str
) -> None:
    found, answer = answered(league, ann, f"TARGET\n{written}")
    assert found == "TARGET"
    assert "WORDS THAT NOBODY HAS SEEN" in answer
    assert not league.store.stories.count()


def test_a_farewell_is_not_nearly_an_order(league: League, ann: Person) -> None:
    answer = answered(league, ann, "SUCHEN\n\nViele Grüße\nAnn", german=True)[1]
    assert "Vielleicht meinst du" not in answer
