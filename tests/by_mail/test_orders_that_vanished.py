"""Orders never vanish: beside a confirmation, below LANGUAGE, under new rules (issue 13, 6)."""

import pytest

from pbem.people import personas
from pbem.storage import Game, Place, Story
from tests.support.each_system import FORCES, SYSTEMS, asked, filed, first_reports
from tests.support.harness import League, duel
from tests.support.players import words


@pytest.mark.parametrize(
    ("language", "yes", "practice"),
    [("en", "YES", "PRACTICE WITH"), ("de", "JA", "ÜBEN MIT")],
)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.league(systems=SYSTEMS)
def test_orders_in_the_letter_that_confirms_are_carried_out(
    league: League, system: str, language: str, yes: str, practice: str
) -> None:
    cat = league.person("Cat")
    cat.write(f"JOIN Cat Example\nLANGUAGE {language}")
    league.work()
    enlist = FORCES[system][0]
    cat.reply(f"{yes}\n{enlist}\n{practice} {enlist.split()[1]}", cat.last)
    league.work()
    assert personas.named(league.store, enlist.split()[1]) is not None
    assert league.store.count(Game.select().where(Game.practice == True)) == 1
    assert {"en": "Welcome", "de": "Willkommen"}[language] in str(cat.letters[1]["Subject"])


def test_a_plain_confirmation_has_one_answer(league: League) -> None:
    cat = league.person("Cat")
    cat.write("JOIN Cat Example")
    league.work()
    cat.reply("JOIN Cat Example\nYes, it was me. Hello to all!", cat.last)
    league.work()
    assert len(cat.letters) == 2


@pytest.mark.parametrize("above", [True, False])
def test_german_orders_beside_language_are_orders(league: League, above: bool) -> None:
    ann, _ = duel(league)
    lines = ["LANGUAGE de", "SUCHEN", "WENN ZIEL ERFASST: FEUER", "SONST: ZIEL"]
    ann.reply("\n".join(lines if above else [*lines[1:], lines[0]]))
    league.work()
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert '"queue":["SCAN"]' in place.sheet.replace(" ", "")
    assert "FIRE" in place.sheet


@pytest.mark.parametrize(
    ("language", "written", "told"),
    [
        ("en", "Thanks for that.\nSTATUS", "| Thanks for that."),
        ("en", "Hello there!\nCHALLENGE Kites", ""),
        ("de", "Hello there!\nFORDERE Kites", ""),
    ],
)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.league(systems=SYSTEMS)
def test_a_greeting_above_a_challenge_is_no_story_of_another_game(
    league: League, system: str, language: str, written: str, told: str
) -> None:
    ann, _ = first_reports(league, system, language)
    text = words(asked(ann, written))
    assert told in text
    assert bool(told) == ("NOBODY HAS SEEN" in text)
    assert not league.store.count(Story.select())


QUEUES = {
    "en": ("SCAN\nSCAN\nSCAN\nSURRENDER", "CLOSE", "Your earlier queue stays: SCAN"),
    "de": (
        "SUCHEN\nSUCHEN\nSUCHEN\nERGEBEN",
        "NÄHERN",
        "Warteschlange von vorher geht weiter: SUCHEN",
    ),
}


@pytest.mark.parametrize("language", QUEUES)
def test_a_queue_that_goes_on_under_new_rules_is_said(league: League, language: str) -> None:
    queue, order, told = QUEUES[language]
    ann, bob = first_reports(league, "starpilot", language)
    ann.reply(queue)
    bob.reply("SCAN", bob.last_about("[G1-"))
    league.work()
    assert "SURRENDER" in filed(league)["queue"]
    ann.reply("STANDING\nIF LOCKED: FIRE\nELSE: TARGET\nEND", ann.last)
    league.work()
    assert told in words(ann.last)
    ann.reply(f"{order}\nSTANDING\nELSE: TARGET\nEND", ann.last)
    league.work()
    assert told.partition(":")[0] not in words(ann.last)


@pytest.mark.parametrize(
    ("system", "language", "order", "doctrine", "told"),
    [
        ("blackskies", "en", "Red: BREAK LEFT", "STANDING sound", "stay on file: Red: BREAK LEFT"),
        (
            "blackskies",
            "de",
            "Red: SCHARF LINKS",
            "DAUERBEFEHLE solide",
            "Kraft: Red: SCHARF LINKS",
        ),
        ("cortex", "en", "Lance: EVADE", "STANDING sound", "stay on file: Lance: EVADE"),
        ("cortex", "de", "Lance: AUSWEICHEN", "DAUERBEFEHLE solide", "Kraft: Lance: AUSWEICHEN"),
        ("starfarer", "en", "Kitai: EVADE", "STANDING sound", "stay on file: Kitai: EVADE"),
        ("starfarer", "de", "Kitai: AUSWEICHEN", "DAUERBEFEHLE solide", "Kraft: Kitai: AUSWEICHEN"),
    ],
)
@pytest.mark.league(systems=SYSTEMS)
def test_orders_that_go_on_under_new_rules_are_said(
    league: League, system: str, language: str, order: str, doctrine: str, told: str
) -> None:
    ann, _ = first_reports(league, system, language)
    asked(ann, order)
    assert told in words(asked(ann, doctrine))


@pytest.mark.parametrize("between", [" ", ", ", ": ", "\n"])
def test_an_order_behind_the_key_is_carried_out(league: League, between: str) -> None:
    ann, _ = duel(league)
    ann.write(f"KEY {ann.key}{between}SCAN\nTARGET")
    league.work()
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert '"queue":["SCAN","TARGET"]' in place.sheet.replace(" ", "")
    assert ann.key not in words(ann.last)
