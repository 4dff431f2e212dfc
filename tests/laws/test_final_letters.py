"""No final letter is longer than a reader bears, however long the battle was that it ends."""

from pathlib import Path

import pytest

from engine.codec import plain
from engine.cortex.events import Closed
from engine.cortex.report import report
from pbem.rendering.letter_script import text
from tests.rendering.test_against import RENDERER
from tests.support import players
from tests.support.harness import open_league
from tests.support.link_taps import links

MOST = {"blackskies": 150}
"""The most lines of text, where they are not 120."""
ELEMENTS = "; ".join(f"{{}} {n}: 2 Black Tiger SKILL 2" for n in range(5))
ARMIES = {
    "starpilot": (
        "ENLIST Ravens FOR cartel WEAPONS 14 PILOTING 12 SENSORS 10 SHIP Angela 313B",
        "ENLIST Kites FOR alliance WEAPONS 14 PILOTING 12 SENSORS 10 SHIP Rus 133-A",
    ),
    "blackskies": tuple(
        f"SQUADRON {name} WITH {ELEMENTS.replace('{}', colour)}"
        for name, colour in (("Ravens", "Red"), ("Kites", "Blue"))
    ),
    "starfarer": (
        "SQUAD Ravens WITH Kitai: scout; Bo: guard; Dan: guard; Eva: medic",
        "SQUAD Kites WITH Una: duellist; Cy: medic; Finn: scout; Gus: guard",
    ),
    "cortex": (
        "GROUP Ravens WITH Lance: fighter, veteran; Red: 6 fighters; Citadel: frigate",
        "GROUP Kites WITH Blue: 6 strikers; Fort: frigate",
    ),
}


@pytest.mark.parametrize(
    "system",
    [
        "starfarer",
        *(pytest.param(one, marks=pytest.mark.long) for one in ARMIES if one != "starfarer"),
    ],
)
def test_final_letters_are_short(tmp_path: Path, system: str) -> None:
    """What is left out, the whole story tells, and a link brings it."""
    with open_league(tmp_path, systems=(system,)) as league:
        people = ann, bob = league.person("Ann"), league.person("Bob")
        for person, order in zip(people, ARMIES[system], strict=True):
            person.join()
            person.ask(order)
        bob.ask("LANGUAGE de")
        ann.ask("CHALLENGE Kites WITH Ravens")
        league.work()
        bob.reply("ANNEHMEN 1")
        league.work()
        for orders in ("STANDING sound", *["READY"] * 9):
            for person in people if league.game.running else ():
                person.reply(orders, person.last_about("[G1"))
            league.work()
        assert not league.game.running
        for person, left_out, story in (
            (ann, "Only the end stands here", "HISTORY 1"),
            (bob, "Hier steht nur das Ende", "CHRONIK 1"),
        ):
            final = person.last_about("[G1")
            assert len(players.plain(final).splitlines()) <= MOST.get(system, 120), players.plain(
                final
            )
            assert (left_out in players.plain(final)) == (story in links(final))


@pytest.mark.parametrize(("turns", "whole"), [(8, True), (40, False)])
def test_of_what_does_not_fit_only_the_end_is_told(turns: int, whole: bool) -> None:
    """No battle of the test above is so long any more."""
    quiet = {"undo": None, "ended": None, "proxied": [], "void": False}
    view = {"pilots": [], "spotters": [], "units": [], "side": None}
    played = {n: plain(report([Closed(n)], view)) for n in range(1, turns + 1)}
    runs = [[{"n": n, "report": told, **quiet}] for n, told in played.items()]
    found = RENDERER.letters("en").from_string(SOURCE).render(runs=runs, view=view)
    lines = text(found).splitlines()
    assert len(lines) <= 20
    assert ("Only the end stands here; HISTORY 3 tells all of it." in lines) != whole
    assert (lines[2] == "Turn 1. Nobody was harmed.") == whole
    assert lines[-1].startswith(f"Turn {turns}")


SOURCE = """
{% import "parts/battle.j2" as battle %}{% import "cortex/tell.j2" as tell %}
{{ battle.lately(runs, view, tell, 3, 20) }}
"""
