"""Links of letters: what a tap sends counts as a reply, in both languages and without a key."""

from pathlib import Path

import pytest

from pbem.storage import Offer
from tests.support.harness import League, Person, duel, open_league
from tests.support.link_taps import links, tap
from tests.support.players import HAWK, KESTREL, words

WORDS = {
    "en": {"help": "HELP", "accept": "ACCEPT 1", "decline": "DECLINE 1"},
    "de": {"help": "HILFE", "accept": "ANNEHMEN 1", "decline": "ABLEHNEN 1"},
}


def challenged(ann: Person, bob: Person, language: str) -> None:
    """Let two people enlist, and Ann challenge Bob."""
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
        person.ask(f"LANGUAGE {language}")
    ann.ask("CHALLENGE Kestrel WITH Hawk")


@pytest.mark.parametrize("plus", [True, False])
@pytest.mark.parametrize("language", WORDS)
def test_accept_and_help_can_be_tapped(language: str, plus: bool, tmp_path: Path) -> None:
    """Without plus addresses, the token in the subject alone proves who writes."""
    with open_league(tmp_path, plus_addresses=plus) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        challenged(ann, bob, language)
        [letter] = bob.new()
        said = WORDS[language]
        assert {*said.values()} <= {*links(letter)}
        tap(bob, letter, said["help"])
        [answer] = bob.new()
        assert said["help"] in words(answer)
        assert league.last_letter().state == "answered"
        tap(bob, letter, said["accept"])
        [report] = bob.new()
        assert report["Subject"].startswith("[G1-T")
        assert league.game.running


@pytest.mark.parametrize("language", WORDS)
def test_decline_can_be_tapped(language: str, league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    challenged(ann, bob, language)
    [letter] = bob.new()
    tap(bob, letter, WORDS[language]["decline"])
    bob.new()
    assert league.store.get(Offer, 1).state == "declined"
    assert "Kestrel" in ann.new()[-1]["Subject"]


def test_every_letter_has_help_to_tap(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    challenged(ann, bob, "en")
    bob.new()
    known = [one for one in ann.letters + bob.letters if "confirm" not in one["Subject"]]
    assert len(known) > 5
    for letter in known:
        reader = ann if letter["To"] and "ann@" in letter["To"] else bob
        tap(reader, letter, "HELP")
        [answer] = reader.new()
        assert "HELP" in words(answer), letter["Subject"]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ("UNWATCH 1", "HISTORY 1", "SCRIPT 1", "DRAW 1")),
        ("de", ("NICHT BEOBACHTEN 1", "CHRONIK 1", "SKRIPT 1", "REMIS 1")),
    ],
)
def test_an_order_that_a_sentence_names_is_a_link(
    language: str, expected: tuple[str, ...], league: League
) -> None:
    ann, bob = duel(league)
    cat = league.person("Cat")
    cat.join()
    for person in (ann, bob, cat):
        person.ask(f"LANGUAGE {language}", person.last)
    cat.ask("WATCH 1")
    bob.reply("DRAW 1\nSCAN", bob.last_about("[G1-"))
    ann.reply("SCAN", ann.last_about("[G1-"))
    letters = [*ann.new(), *cat.new()]
    ann.reply("DRAW 1", ann.last_about("[G1-"))
    letters += [*ann.new(), *cat.new()]
    found = {lines for one in letters for lines in links(one)}
    assert set(expected) <= found
