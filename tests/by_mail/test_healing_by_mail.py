"""Wounds between fights: a league that heals, and one in which the moderator does (SF-40)."""

import json
from pathlib import Path

import pytest

from engine.starfarer.model import UNHURT
from pbem.people import personas
from tests.support.harness import League, Person, open_league
from tests.support.players import address_of, words

WOUNDED = [["", "", "X", "", "", ""], *([""] * 6 for _ in range(6))]
assert len(WOUNDED) == len(UNHURT)


def meet(league: League) -> tuple[Person, Person]:
    """Enlist two squads, and leave wounds of a fight on the first: Kitai's is of Medium."""
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, squad in (
        (ann, "SQUAD Ravens WITH Kitai: scout; Bo: guard, Sarn 40, jacket"),
        (bob, "SQUAD Kites WITH Ann: duellist; Cy: medic"),
    ):
        person.join()
        person.ask(squad)
    row = personas.named(league.store, "Ravens")
    assert row is not None
    record = json.loads(row.record)
    record["members"][0].update(wounds=WOUNDED, shock=9)
    record["members"][1].update(dead=True)
    personas.set_record(league.store, row, json.dumps(record))
    return ann, bob


@pytest.mark.league(systems=("starfarer",))
def test_a_league_heals_between_fights(league: League) -> None:
    ann, bob = meet(league)
    assert "Kitai from its last fight" in words(ann.ask("SHEET Ravens"))
    ann.ask("CHALLENGE Kites WITH Ravens")
    bob.new()
    bob.ask("ACCEPT 1")
    assert league.game.running


def test_wounds_stand_until_the_moderator_heals(tmp_path: Path) -> None:
    moderator = address_of("Mona")
    with open_league(tmp_path, systems=("starfarer",), heals=False, moderator=moderator) as league:
        ann, bob = meet(league)
        mona = league.person("Mona")
        mona.join()
        waits = "Ravens waits for the moderator to heal Kitai and Bo"
        assert waits in words(ann.ask("CHALLENGE Kites WITH Ravens"))
        assert waits in words(ann.ask("STATUS"))
        bob.ask("LANGUAGE de")
        told = words(bob.ask("FORDERE Ravens MIT Kites"))
        assert "Ravens wartet darauf, dass die Spielleitung Kitai und Bo heilt" in told
        # Nobody but the moderator heals.
        ann.ask("GM HEAL Ravens")
        assert waits in words(ann.ask("CHALLENGE Kites WITH Ravens"))
        told = gm(mona, "GM HEAL Kitai OF Ravens")
        assert "Ravens is healed, and its player is told" in told
        letter = words(ann.new()[-1])
        assert "Healed, or replaced where somebody had died: Kitai." in letter
        assert "heal Bo" in words(ann.ask("CHALLENGE Kites WITH Ravens"))
        assert "nobody of Ravens is called Zed and hurt" in gm(mona, "GM HEAL Zed OF Ravens")
        gm(mona, "GM HEAL Ravens")
        assert "nobody of Ravens is hurt" in gm(mona, "GM HEAL Ravens")
        assert "nobody in the league is called Owls" in gm(mona, "GM HEAL Owls")
        ann.new()
        ann.ask("CHALLENGE Kites WITH Ravens")
        bob.new()
        bob.ask("ANNEHMEN 1")
        assert league.game.running
        assert "from its last fight" not in words(ann.ask("SHEET Ravens"))


def gm(person: Person, ruling: str) -> str:
    """A ruling's answer."""
    person.new()
    person.write(f"KEY {person.key}\n{ruling}")
    return words(person.new()[0])
