"""HELP enlist: its examples are links, each with a name that is free, so they can be sent."""

import pytest

from pbem.storage import Persona
from tests.by_mail.test_a_newcomer_plays import in_language
from tests.support.harness import League
from tests.support.link_taps import links, tap

SYSTEMS = ("starpilot", "blackskies", "cortex", "starfarer")
WORDS = {
    "en": ("ENLIST", "SQUADRON", "GROUP", "SQUAD"),
    "de": ("ANWERBEN", "STAFFEL", "VERBAND", "TRUPP"),
}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.league(systems=SYSTEMS)
def test_each_example_can_be_tapped_and_is_taken(league: League, language: str) -> None:
    ann = league.person("Ann")
    ann.join()
    ann.ask(f"LANGUAGE {language}")
    for count in (1, 2):  # the names of the first letter are taken when the second is written
        helped = ann.ask(in_language("HELP enlist", language))
        lines = [one for one in links(helped) if one.split(" ")[0] in WORDS[language]]
        assert len(lines) == len(SYSTEMS)
        for line in lines:
            tap(ann, helped, line)
            ann.new()
        assert league.store.count(Persona.select()) == count * len(SYSTEMS)
