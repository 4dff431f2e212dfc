"""What is enlisted in a league of all systems is refused in words of the system that was meant."""

import pytest

from pbem.storage import Persona
from tests.support.harness import League
from tests.support.players import words

SYSTEMS = ("starpilot", "blackskies", "starfarer", "cortex")
WRONG = {
    "SQUADRON Ravens WITH Red: 2 Black Tiger": "lacks SKILL and a figure from 1 to 4",
    "SQUADRON Ravens WITH Red: 2 fighters": "needs a design, and SKILL",
    "SQUAD Ravens WITH Kitai: fighter": "'fighter' is not among kinds of characters",
    "GROUP Ravens WITH Lance: scout": "'scout' is not among kinds of vessels",
    "enlist Raven for cartel 12 12 12 Angela 313B": "behind the side come WEAPONS, PILOTING",
    "ENLIST Raven FOR nobody WEAPONS 12 PILOTING 12 SENSORS 12": "'nobody' is not a side",
}
GERMAN = {
    "STAFFEL Raben MIT Rot: 2 Black Tiger": "fehlt KÖNNEN und eine Zahl von 1 bis 4",
    "STAFFEL Ann Example MIT Rot: 2 Black Tiger KÖNNEN 2": "die Liga vergibt jeden nur einmal",
    "TRUPP Raben MIT Kitai: Kämpfer": "'Kämpfer' gehört nicht zu den Figurentypen",
    "VERBAND Raben MIT Lanze: Späher": "'Späher' gehört nicht zu den Schiffstypen",
}


@pytest.mark.league(systems=SYSTEMS)
def test_a_wrong_kind_is_refused_by_the_system_whose_word_was_written(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person in (ann, bob):
        person.join()
    for order, why in WRONG.items():
        assert why in words(ann.ask(order))
    bob.ask("LANGUAGE de")
    for order, why in GERMAN.items():
        assert why in words(bob.ask(order))
    assert league.store.count(Persona.select()) == 0
