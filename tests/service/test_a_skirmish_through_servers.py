"""A skirmish of three squads through Dovecot and Postfix, from JOIN to the moderator's ruling."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.games import export
from pbem.storage import Step
from tests.servers.host import MailHost
from tests.servers.posted import Posted
from tests.servers.postfix import Postfix
from tests.support.harness import Person
from tests.support.players import address_of, words

pytestmark = pytest.mark.services

SQUADS = {
    "Ann": "SQUAD Ravens WITH Kitai: scout; Bo: guard, Sarn 40, jacket",
    "Bob": "TRUPP Milane MIT Jan: Fechter; Cy: Sanitäter, Colt 12, Jacke",
    "Cat": "SQUAD Herons WITH Dan: scout; Eva: medic",
}


@pytest.fixture
def people(
    tmp_path: Path, installed: MailHost, postfix: Postfix
) -> Iterator[tuple[Person, Person, Person]]:
    """Three players, each with a squad; Bob writes German, and Cat is the moderator too."""
    league = Posted(tmp_path, systems=("starfarer",), moderator=address_of("Cat"))
    league.through(installed, postfix, SQUADS)
    with closing(league), closing(league.mailbox), closing(league.transport):
        ann, bob, cat = (league.person(name) for name in SQUADS)
        for person in (ann, bob, cat):
            person.join()
            if person is bob:
                person.ask("LANGUAGE de")
            person.ask(SQUADS[person.name])
        yield ann, bob, cat


def test_a_skirmish_of_three_squads_through_real_servers(
    people: tuple[Person, Person, Person],
) -> None:
    ann, bob, cat = people
    league = ann.league
    ann.ask("CHALLENGE ANYBODY WITH Ravens SEATS 3 OPTIONS aftermath\nSALT through the servers")
    assert "Du hast einen Platz" in words(bob.ask("ANNEHMEN 1"))
    cat.ask("ACCEPT 1")
    # A KEEP plan runs on by itself; a PREVIEW files nothing; German is read.
    answer = words(
        ann.ask("PREVIEW\nKitai: ATTACK Jan WITH Lux 9\nBo: HOLD", ann.last_about("[G1"))
    )
    assert "Nothing was filed" in answer
    assert "played out from here with these orders" in answer
    ann.reply("Kitai: ATTACK nearest WITH Lux 9\nKEEP\nBo: ATTACK nearest\nKEEP", ann.last)
    bob.new()
    answer = words(bob.ask("Jan: GEHEN ZU nächsten\nCy: ANGREIFEN Kitai MIT Colt 12"))
    assert "Jan: GEHEN ZU nächsten" in answer
    # Cat lets the deadline pass: hers attack the nearest, or evade (SF-7).
    league.later(72.5)
    league.work()
    [step] = league.store.all(Step.select().order_by(Step.id))
    orders = {text.partition(": ")[0]: text for _, text in json.loads(step.orders)}
    assert orders["Dan"] == "Dan: ATTACK nearest, ELSE EVADE"
    assert orders["Kitai"] == "Kitai: ATTACK nearest WITH Lux 9; KEEP"
    assert orders["Cy"] == "Cy: ATTACK Kitai WITH Colt 12"
    for person, phrase in ((ann, "Round 1"), (bob, "Runde 1"), (cat, "Round 1")):
        person.new()
        assert phrase in words(person.last_about("[G1-"))
    # To the end: the others stand by a doctrine, then by what they were asked for.
    for person, standing in ((bob, "DAUERBEFEHLE mutig"), (cat, "STANDING sound")):
        person.reply(standing, person.last_about("[G1-"))
    for _ in range(25):
        league.work()
        if league.game.deadline is None:
            break
        league.later(72.5)
    asked = next(one for one in reversed(cat.letters) if "waits for your ruling" in one["Subject"])
    assert "GM RULE 1 DONE" in words(asked)
    cat.write(f"KEY {cat.key}\nGM RULE 1 DONE")
    league.work()
    assert not league.game.running
    for person, over in ((ann, "is over"), (bob, "ist vorbei"), (cat, "is over")):
        assert person.last_about(over)
    german = " ".join(map(words, bob.letters))
    assert "Wunde" in german
    for english in ("Graze", "Light", "Medium", "Heavy", "Wound"):
        assert f" {english}" not in german
    assert all(found.ok for found in export.verify(export.export(league.store, league.game)))
