"""Orders never vanish: beside a confirmation, below LANGUAGE, under new rules (issue 13, 6)."""

import pytest

from tests.support.harness import League, duel
from tests.support.players import HAWK, KESTREL, plain, words


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


@pytest.mark.parametrize("between", [" ", ", ", ": ", "\n"])
def test_an_order_behind_the_key_is_carried_out(league: League, between: str) -> None:
    ann, _ = duel(league)
    ann.write(f"KEY {ann.key}{between}SCAN\nTARGET")
    league.work()
    place = league.store.places.find(seat="Hawk")
    assert place is not None
    assert '"queue":["SCAN","TARGET"]' in place.sheet.replace(" ", "")
    assert ann.key not in words(ann.last)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("READY, and good luck!", "READY"), ("READY 1 and good luck, Bob!", "READY 1")],
)
def test_ready_with_words_behind_it_is_asked_about(
    league: League, written: str, meant: str
) -> None:
    ann, _ = duel(league)
    assert f"Perhaps you meant {meant};" in words(ann.ask(f"SCAN\n{written}"))
    assert not league.store.stories.count()


def test_end_below_the_words_of_a_challenge_is_none_of_them(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
    ann.ask("CHALLENGE Kestrel WITH Hawk\nShall we?\nEND\nSTATUS")
    league.work()
    told = plain(bob.last)
    assert "Shall we?" in told
    assert "END" not in told.split()
