"""GM RULE: what the rules leave to a person, here the aftermath of a fight (SF-40)."""

import json
from copy import deepcopy
from typing import Any

import pytest

from engine.registry import RULESETS
from pbem.games import export
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.handlers.request import Refusal
from pbem.maintenance.fsck import check
from pbem.maintenance.rebuild import rebuild
from tests.support.harness import League, Person, fixed_entropy
from tests.support.paths import ROOT
from tests.support.players import address_of, words

pytestmark = pytest.mark.league(
    entropy=fixed_entropy, systems=tuple(RULESETS), moderator=address_of("Mona")
)
SCENARIO: dict[str, Any] = json.loads(
    (ROOT / "tests/scenarios/starfarer-worked-example.json").read_text("utf-8")
)


def fought(league: League) -> tuple[Person, Person, Person]:
    """Bring a fight with an aftermath to where one side is down."""
    ann, bob, mona = league.person("Ann"), league.person("Bob"), league.person("Mona")
    for person in (ann, bob, mona):
        person.join()
    bob.ask("LANGUAGE de")
    setup = deepcopy(SCENARIO["setup"])
    setup["options"]["aftermath"] = True
    seats = {"red": "Ann Example", "blue": "Bob Example"}
    battle = json.dumps({"system": "starfarer", "setup": setup, "seats": seats})
    by_shell(league.service.ports, f"BATTLE\n{battle}", league.now)
    league.work()
    for person, plan in ((ann, "Kitai: ATTACK Bo\nKEEP"), (bob, "Bo: HOLD\nKEEP")):
        person.reply(plan, person.last_about("[G1"))
        league.work()
    for _ in range(30):
        if league.game.deadline is None:
            break
        league.later(1)
        for person in (ann, bob):
            person.reply("READY", person.last_about("[G1"))
        league.work()
    return ann, bob, mona


@pytest.mark.long
def test_a_fight_waits_for_its_aftermath_and_ends_by_it(league: League) -> None:
    ann, bob, mona = fought(league)
    assert league.game.running
    asked = words(mona.last)
    assert "Game 1 (Starfarer, red against blue) can't go on without you" in asked
    assert "what becomes of the prisoners (Bo), and who of the survivors is healed?" in asked
    assert "GM RULE 1 FREE Bo" in asked
    assert "GM RULE 1 DONE" in asked
    report = words(ann.last_about("[G1"))
    assert "so it waits for the moderator: the fight is decided" in report
    assert "red has won the fight" in report
    assert "out of the battle" not in report
    german = words(bob.last_about("[G1"))
    assert "also wartet die Partie auf die Spielleitung: der Kampf ist entschieden" in german
    assert "the fight" not in german
    assert "It waits for a ruling of the moderator." in words(ann.ask("STATUS"))
    # Nothing else goes on: no deadline, no step, and nobody is asked for anything.
    steps = league.game.steps
    league.later(24 * 9)
    league.work()
    ann.write("DRAW 1")
    bob.write("DRAW 1")
    bob.reply("Bo: ATTACK Kitai", bob.last_about("[G1"))
    league.work()
    assert league.game.steps == steps
    assert "there is no game" in league.rule("PAUSE ALL")
    with pytest.raises(Refusal, match="it waits for a ruling"):
        league.rule("PAUSE 1")
    assert list(check(league.store)) == []
    for written, why in (("FREE Kitai", "'FREE Kitai' is not a ruling"), ("END", "'END' is no")):
        with pytest.raises(Refusal, match=why) as refusal:
            league.rule(f"RULE 1 {written}")
        assert "FREE Bo" in refusal.value.hint
    for person in (ann, bob, mona):
        person.new()
    mona.write(f"KEY {mona.key}\nGM RULE 1 heal bo\nGM RULE 1 FREE Bo")
    answer = words(mona.new()[0])
    assert "game 1: HEAL Bo. It still waits" in answer
    assert "open are DONE, HEAL" not in answer or "Kitai" in answer
    assert ann.new() == []
    by_shell(league.service.ports, "RULE 1 DONE", league.now)
    league.work()
    assert not league.game.running
    end = words(ann.last_about("is over"))
    assert "victory goes to red" in end
    assert "Bo is healed of all wounds and shock. " in end
    assert "Bo goes free." in end
    assert "Bo kommt frei." in words(bob.last_about("[G1"))
    with pytest.raises(Refusal, match="game 1 is over"):
        league.rule("RULE 1 DONE")
    assert list(check(league.store)) == []
    assert all(found.ok for found in export.verify(export.export(league.store, league.game)))
    # An UNDO of the end asks for the rulings anew.
    by_shell(league.service.ports, f"UNDO 1 TO {steps - 1}", league.now)
    league.work()
    assert league.game.deadline is None
    assert "waits for your ruling" in mona.last["Subject"]
    assert rebuild(league.settings, league.settings.home / "new.db") == []


def test_a_game_that_waits_for_no_ruling_takes_none(
    league: League, people: tuple[Person, Person]
) -> None:
    with pytest.raises(Refusal, match="game 1 waits for no ruling"):
        league.rule("RULE 1 DONE")
