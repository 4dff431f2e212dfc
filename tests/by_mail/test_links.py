"""Links of letters: what a tap sends counts as a reply, in both languages and without a key."""

from pathlib import Path

import pytest

from tests.support.harness import Person, open_league
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
def test_decline_can_be_tapped(language: str, tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        challenged(ann, bob, language)
        [letter] = bob.new()
        tap(bob, letter, WORDS[language]["decline"])
        bob.new()
        assert league.store.challenges.get(1).state == "declined"
        assert "Kestrel" in ann.new()[-1]["Subject"]


def test_every_letter_has_help_to_tap(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
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
