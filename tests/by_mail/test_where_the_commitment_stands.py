"""The commitment to a battle's dice, 64 letters and digits, is the last thing in a letter."""

import re
from email.message import EmailMessage

import pytest

from tests.support.harness import League, duel
from tests.support.link_taps import links
from tests.support.players import HAWK, KESTREL, plain

HEADINGS = {"en": "\nTHE DICE\n", "de": "\nDIE WÜRFEL\n"}


def told_last(received: EmailMessage, commitment: str, language: str) -> bool:
    """Return whether a letter tells a commitment once, under a heading, with nothing below it."""
    text = plain(received).replace("\r\n", "\n")
    above, _, below = text.partition(commitment)
    heading = above.rfind(HEADINGS[language])
    return (
        heading > 0
        and not re.search(r"\n[A-ZÄÖÜ ]{4,}\n", above[heading + len(HEADINGS[language]) :])
        and len(below.split("\n\n")) == 2  # nothing follows but how to get help
    )


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_commitment_stands_at_the_end_of_each_letter_that_tells_it(
    language: str, league: League
) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
        person.ask(f"LANGUAGE {language}")
    sent = {
        "CHALLENGE Kestrel WITH Hawk MAJOR\nShall we?": None,
        "CHALLENGE ANYBODY WITH Hawk": None,
        "PATROL WITH Hawk": None,
    }
    answers = [ann.ask(order) for order in sent]
    told = [pledge.commitment for pledge in league.store.pledges.all()]
    for answer, commitment in zip(answers, told, strict=True):
        assert told_last(answer, commitment, language)
    [challenge] = bob.new()
    assert told_last(challenge, told[0], language)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_challenge_that_is_renewed_tells_it_there_and_is_taken_by_a_tap(
    language: str, league: League
) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
        person.ask(f"LANGUAGE {language}")
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    hawk = league.store.personas.find(name="Hawk")
    assert hawk is not None
    record = hawk.record.replace('"mark": 0', '"mark": 1')
    assert record != hawk.record
    with league.store.transaction():
        league.store.personas.change(hawk.id, record=record)
    bob.new()
    answer = bob.ask("ACCEPT 1")
    fresh = league.store.pledges.all()[-1].commitment
    accept = {"en": "ACCEPT 1", "de": "ANNEHMEN 1"}[language]
    assert accept in links(answer)
    assert told_last(answer, fresh, language)
    [notice] = ann.new()
    assert told_last(notice, fresh, language)


def test_a_report_that_answers_a_challenge_too_tells_it_at_its_end(league: League) -> None:
    ann, bob = duel(league)
    ann.ask(
        "ENLIST Merlin FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S", ann.last
    )
    bob.reply("SCAN", bob.last_about("[G1-"))
    ann.reply("CHALLENGE ANYBODY WITH Merlin\nSCAN", ann.last_about("[G1-T1"))
    [report] = [one for one in ann.new() if one["Subject"].startswith("[G1-T")]
    text = plain(report).replace("\r\n", "\n")
    commitment = league.store.pledges.all()[-1].commitment
    assert text.index("WHAT HAS HAPPENED") < text.index("THE DICE\n") < text.index(commitment)
