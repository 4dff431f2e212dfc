"""Orders never vanish: beside a confirmation, below LANGUAGE, under new rules (issue 13, 6)."""

import pytest

from tests.support.harness import League, duel
from tests.support.players import HAWK, words


def test_orders_in_the_letter_that_confirms_are_carried_out(league: League) -> None:
    cat = league.person("Cat")
    cat.write("JOIN Cat Example")
    league.work()
    cat.reply(f"yes, that was me\n{HAWK}\nPRACTICE WITH Hawk", cat.last)
    league.work()
    assert league.store.persona_named("Hawk") is not None
    assert league.store.games.count(practice=True) == 1
    assert "elcome" in str(cat.letters[1]["Subject"])


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
    place = league.store.places.find(seat="Hawk")
    assert place is not None
    assert '"queue":["SCAN"]' in place.sheet.replace(" ", "")
    assert "FIRE" in place.sheet


def test_a_greeting_above_a_challenge_is_no_story_of_another_game(league: League) -> None:
    ann, bob = duel(league)
    ann.reply("Hello there!\nSTATUS")
    league.work()
    assert "OTHERS WILL READ THIS" not in words(ann.last)
    assert "it is not a story of this battle" in words(ann.last)
    ann.reply("SCAN\nTARGET")
    bob.reply("SCAN\nTARGET")
    league.work()
    assert "Hello there" not in words(bob.last)


def test_a_queue_that_goes_on_under_new_rules_is_said(league: League) -> None:
    ann, bob = duel(league)
    ann.reply("SCAN\nSCAN\nSCAN\nSURRENDER")
    bob.reply("SCAN")
    league.work()
    place = league.store.places.find(seat="Hawk")
    assert place is not None
    assert "SURRENDER" in place.sheet
    ann.reply("STANDING\nIF LOCKED: FIRE\nELSE: TARGET\nEND", ann.last)
    league.work()
    assert "Your earlier queue stays: SCAN" in words(ann.last)
    ann.reply("CLOSE\nSTANDING\nELSE: TARGET\nEND", ann.last)
    league.work()
    assert "Your earlier queue" not in words(ann.last)
