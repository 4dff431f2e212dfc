"""Letters whose lines a mail program wrapped, or that say different things in two forms."""

import json

import pytest

from pbem.people import personas
from pbem.storage import Place
from tests.support.each_system import SYSTEMS, filed, first_reports
from tests.support.harness import League, Person, duel
from tests.support.players import plain, reply, words

RULE = "IF NOT UNDETECTED AND STRUCTURE <= 1 AND ENEMY SHIELDS <= 2 AND NEUTRAL: SURRENDER"
LONG = "ENLIST Merlin the Old FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B"
SQUADRON = "SQUADRON Vultures WITH Red: 2 Black Tiger SKILL 2 1; Gold: 1 Gadfly SKILL 3 SPEED 8"

pytestmark = pytest.mark.league(systems=("starpilot", "blackskies"))


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


def wrapped(line: str, width: int) -> str:
    """Wrap as mail programs do: at the last space that fits."""
    rows = [""]
    for word in line.split():
        if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
            rows.append("")
        rows[-1] = f"{rows[-1]} {word}".strip()
    return "\n".join(rows)


def sheet(league: League, seat: str) -> str:
    place = league.store.first(Place.select().where(Place.seat == seat).order_by(Place.id))
    assert place is not None
    return json.dumps(json.loads(place.sheet))


@pytest.mark.parametrize("width", [70, 72, 76, 78])
def test_a_wrapped_rule_surrenders_nothing(league: League, ann: Person, width: int) -> None:
    ann.reply(f"SCAN\n{wrapped(RULE, width)}")
    league.work()
    assert "SURRENDER" in words(ann.last)
    held = json.loads(sheet(league, "Hawk"))
    assert '"queue": ["SCAN"]' in json.dumps(held)


def test_an_order_below_an_unfinished_rule_is_asked_about(league: League, ann: Person) -> None:
    ann.reply("SCAN\nIF NEAR AND HUNGRY:\nSURRENDER")
    league.work()
    assert '"queue": ["SCAN"]' in sheet(league, "Hawk")
    assert "IF NEAR AND HUNGRY: SURRENDER" in words(ann.last)


@pytest.mark.parametrize("width", [70, 72, 76, 78])
def test_a_wrapped_enlistment_is_whole(league: League, ann: Person, width: int) -> None:
    ann.write(f"{wrapped(LONG, width)}\nSTATUS\n\nKEY {ann.key}")
    league.work()
    assert personas.named(league.store, "Merlin the Old") is not None


@pytest.mark.parametrize("width", [66, 70, 72, 76, 78])
def test_a_wrapped_squadron_has_the_speed_that_was_ordered(
    league: League, ann: Person, width: int
) -> None:
    ann.write(f"{wrapped(SQUADRON, width)}\n\nKEY {ann.key}")
    league.work()
    found = personas.named(league.store, "Vultures")
    assert found is not None
    assert '"speed": 8' in found.record


def test_a_squadron_whose_rest_cannot_be_read_is_refused(league: League, ann: Person) -> None:
    ann.write(f"{wrapped(SQUADRON, 76).replace('SPEED 8', 'SPEDE 8')}\n\nKEY {ann.key}")
    league.work()
    assert personas.named(league.store, "Vultures") is None
    assert "READ, BUT NOT DONE YET" in words(ann.last)


def test_a_story_below_a_long_order_and_a_blank_line_is_no_part_of_it(
    league: League, ann: Person
) -> None:
    ann.write(f"{SQUADRON}\n\nMerlin looks up.\n\nKEY {ann.key}")
    league.work()
    assert personas.named(league.store, "Vultures") is not None


ORDERS = {
    "starpilot": (("SCAN", "SURRENDER", "EJECT"), ("SUCHEN", "ERGEBEN", "AUSSTEIGEN")),
    "blackskies": (
        ("Red: BREAK LEFT", "Gold: STEADY", "Gold: SURRENDER"),
        ("Red: SCHARF LINKS", "Gold: GERADEAUS", "Gold: ERGEBEN"),
    ),
    "cortex": (
        ("Lance: EVADE", "Citadel: HOLD", "Citadel: SURRENDER"),
        ("Lance: AUSWEICHEN", "Citadel: ABWARTEN", "Citadel: ERGEBEN"),
    ),
    "starfarer": (
        ("Kitai: EVADE", "Bo: HOLD", "Bo: YIELD"),
        ("Kitai: AUSWEICHEN", "Bo: ABWARTEN", "Bo: ERGEBEN"),
    ),
}
"""Three orders of each system, in English and in German."""
EACH = pytest.mark.parametrize("system", SYSTEMS), pytest.mark.parametrize("german", [False, True])


def in_two_forms(ann: Person, plain_form: str, html: str) -> str:
    """Reply to the first report with two forms of a letter, and return the answer."""
    written = reply("Ann", ann.last_about("[G1-T1"), "", 900)
    written.set_content(plain_form)
    written.add_alternative(html, subtype="html")
    ann.send(written)
    [answer] = ann.new()
    return words(answer)


@pytest.mark.parametrize("german", [False, True])
def test_orders_in_one_form_only_are_asked_about(league: League, ann: Person, german: bool) -> None:
    if german:
        report = ann.last_about("[G1-")
        ann.ask("LANGUAGE de", report)
    both, plain_only, html_only = ORDERS["starpilot"][german]
    text = in_two_forms(ann, f"{both}\n{plain_only}\n", f"<p>{both}</p><p>{html_only}</p>")
    assert '"queue": ["SCAN"]' in sheet(league, "Hawk")
    asked = text.partition("NICHT AUSGEFÜHRT" if german else "NOT DONE YET")[2]
    assert plain_only in asked
    assert html_only in asked


@EACH[0]
@EACH[1]
@pytest.mark.league(systems=SYSTEMS)
def test_the_html_counts_where_the_plain_form_has_no_line_breaks(
    league: League, system: str, german: bool
) -> None:
    ann, _ = first_reports(league, system, "de" if german else "en")
    first, second, _ = ORDERS[system][german]
    in_two_forms(ann, f"{first} {second}\n", f"<div>{first}</div><div>{second}</div>")
    assert filed(league)["queue"] == list(ORDERS[system][False][:2])


def test_the_words_of_a_letter_to_a_player_are_not_joined(league: League, ann: Person) -> None:
    text = "IF you come,\nELSE\nSURRENDER"
    ann.write(f"KEY {ann.key}\nTELL Kestrel\n{text}")
    league.work()
    answer = plain(league.person("Bob").last_about("Ann"))
    assert "IF you come" in answer
    assert "ELSE SURRENDER" not in answer


def test_orders_below_bare_dashes_are_asked_about(league: League, ann: Person) -> None:
    text = words(ann.ask("\n".join(["SCAN", "", "--", *["EJECT", "TARGET"] * 10])))
    assert '"queue": ["SCAN"]' in sheet(league, "Hawk")
    assert "READ, BUT NOT DONE YET" in text


def test_the_last_word_of_a_wrapped_sentence_is_asked_about(league: League, ann: Person) -> None:
    story = "He never wavered and would never\nsurrender."
    ann.reply(f"SCAN\n\n{story}", ann.last_about("[G1-"))
    league.work()
    assert '"queue": []' in sheet(league, "Hawk")
    assert "READ, BUT NOT DONE YET" in words(ann.last)


@pytest.mark.parametrize("german", [False, True])
@pytest.mark.parametrize("width", [70, 74, 76, 78])
def test_a_rule_that_is_sent_again_is_explained_again(
    league: League, ann: Person, german: bool, width: int
) -> None:
    report = ann.last_about("[G1-")
    if german:
        ann.ask("LANGUAGE de")
    rule = "IF NOT UNDETECTED AND STRUCTURE <= 1 AND ENEMY SHEILDS <= 2 AND NEUTRAL: SURRENDER"
    ann.ask(rule, report)
    report = ann.last
    for _ in range(2):
        text = words(ann.ask(wrapped(rule, width), report))
        assert '"queue": []' in sheet(league, "Hawk")
        assert ("Das ist fast ein Befehl" if german else "That is nearly an order") in text
        assert "ENEMY SHEILDS" in text
