"""Who tried to enlist for one game is shown how to begin in that one, and in no other."""

import pytest

from tests.support.each_system import SYSTEMS
from tests.support.harness import League
from tests.support.players import words

REFUSED = {
    "GROUP Ravens WITH Lance: 99 fighters": ("GROUP", "VERBAND"),
    "GROUP Ravens": ("GROUP", "VERBAND"),
    "SQUAD Ravens WITH Bo": ("SQUAD", "TRUPP"),
    "SQUADRON Ravens WITH Red: 2 Foo SKILL 2": ("SQUADRON", "STAFFEL"),
}


@pytest.mark.league(systems=SYSTEMS)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("order", REFUSED)
def test_a_refused_order_is_answered_in_its_own_game(
    league: League, order: str, language: str
) -> None:
    ann = league.person("Ann")
    ann.join()
    ann.ask(f"LANGUAGE {language}")
    told = words(ann.ask(order))
    own = REFUSED[order][language == "de"]
    assert f"{own} Osprey" in told
    assert "WEAPONS 12" not in told
    assert "WAFFEN 12" not in told
