"""GM HELP, and the reasons of rulings, which players read."""

import pytest

from pbem.handlers.moderator.ruling_table import RULINGS
from pbem.handlers.request import Refusal
from tests.support.harness import League, Person
from tests.support.players import address_of, words

pytestmark = pytest.mark.league(turns_per_letter=4, moderator=address_of("Mona"))


def moderator(league: League) -> Person:
    mona = league.person("Mona")
    mona.join()
    return mona


def test_an_extension_tells_its_reason(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    mona = moderator(league)
    ann.new()
    mona.ask(f"KEY {mona.key}\nGM EXTEND 1 48h BECAUSE the mail was down")
    [letter] = ann.new()
    assert 'The moderator\'s reason: "the mail was down".' in words(letter)
    assert "(the reason: the mail was down)" in words(ann.ask("HISTORY 1"))


def test_a_ruling_with_a_letter_of_its_own_tells_its_reason(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("LANGUAGE de")
    bob.new()
    ann.new()
    league.rule("MAJOR 1 because both asked for it")
    assert "(the reason: both asked for it)" in words(bob.new()[0])
    assert "(der Grund: both asked for it)" in words(ann.new()[0])


def test_a_ban_tells_why_and_whom_to_write_to(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    ann.new()
    league.rule("BAN Hawk BECAUSE of insults")
    text = words(ann.new()[0])
    assert 'The moderator\'s reason: "of insults".' in text
    assert f"write to the moderator in person, at {address_of('Mona')}" in text


def test_the_reason_of_an_undo_stands_with_what_it_is_for(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    league.rule("PROXY Hawk IN 1\nSCAN")
    league.rule("PROCESS 1 BECAUSE it is late")
    letters = [words(one) for one in ann.new()]
    assert any("with the orders on file (the reason: it is late)" in one for one in letters)
    league.rule("UNDO 1 TO 0 BECAUSE an order was misread")
    told = words(ann.new()[0])
    assert "on file then (the reason: an order was misread); the steps since then" in told
    assert told.count("misread") == 1


@pytest.mark.usefixtures("people")
def test_a_ruling_that_nobody_is_told_of_takes_no_reason(league: League) -> None:
    with pytest.raises(Refusal, match="takes no reason"):
        league.rule("AUDIT because I like to know")


def test_gm_help_lists_the_rulings_by_letter(league: League) -> None:
    mona = moderator(league)
    told = words(mona.ask(f"KEY {mona.key}\nGM HELP"))
    assert "BECAUSE the mail was down" in told
    assert "GM EXTEND 12 48h" in told
    missing = [one.example for one in RULINGS if " ".join(one.example.split()[:2]) not in told]
    assert not missing
