"""The commitment to a battle's dice, 64 letters and digits, comes with a letter as a file."""

import json
import re
from email.message import EmailMessage

import pytest

from pbem.people import personas
from pbem.storage import Persona, Pledge
from tests.support.harness import League, duel
from tests.support.link_taps import links
from tests.support.players import HAWK, KESTREL, attached, plain

HEADINGS = {"en": "\nTHE DICE\n", "de": "\nDIE WÜRFEL\n"}
HASH = re.compile(r"[0-9a-f]{64}")


def told_last(received: EmailMessage, pledge: Pledge, language: str) -> bool:
    """Return whether a letter brings a commitment as a file, and names the file at its end."""
    name = f"receipt-G{pledge.id}.txt"
    line = json.loads(attached(received)[name].splitlines()[-1])
    text = plain(received).replace("\r\n", "\n")
    above, _, below = text.partition(name)
    heading = above.rfind(HEADINGS[language])
    return (
        line["commitment"] == pledge.commitment
        and heading > 0
        and not re.search(r"\n[A-ZÄÖÜ ]{4,}\n", above[heading + len(HEADINGS[language]) :])
        and len(below.split("\n\n")) == 2  # nothing follows but how to get help
        and not HASH.search(received.get_body().as_string())  # type: ignore[union-attr]
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
        "CHALLENGE Kestrel WITH Hawk MAJOR\n\nShall we?": None,
        "CHALLENGE ANYBODY WITH Hawk": None,
        "PATROL WITH Hawk": None,
    }
    answers = [ann.ask(order) for order in sent]
    told = league.store.all(Pledge.select().order_by(Pledge.id))
    for answer, pledge in zip(answers, told, strict=True):
        assert told_last(answer, pledge, language)
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
    hawk = league.store.first(Persona.select().where(Persona.name == "Hawk").order_by(Persona.id))
    assert hawk is not None
    record = hawk.record.replace('"mark": 0', '"mark": 1')
    assert record != hawk.record
    with league.store.transaction():
        personas.set_record(league.store, hawk, record)
    bob.new()
    answer = bob.ask("ACCEPT 1")
    fresh = league.store.all(Pledge.select().order_by(Pledge.id))[-1]
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
    pledge = league.store.all(Pledge.select().order_by(Pledge.id))[-1]
    assert text.index("WHAT HAS HAPPENED") < text.index("THE DICE\n") < text.index("receipt-G2")
    assert pledge.commitment.encode() in attached(report)["receipt-G2.txt"]
    assert b"G2" not in attached(report)["receipt.txt"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_commitment_to_a_reward_comes_as_a_file_with_the_sheet(
    language: str, league: League
) -> None:
    ann = league.person("Ann")
    ann.join()
    ann.ask(f"LANGUAGE {language}")
    answer = ann.ask(HAWK)
    [told] = [one for name, one in attached(answer).items() if name == "receipt-R1.txt"]
    assert HASH.search(told.decode())
    assert not HASH.search(plain(answer))
    assert "receipt-R1.txt" in plain(answer)
