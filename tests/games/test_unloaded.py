"""A game whose system can't be loaded any more is paused, is told of, and stops nothing else."""

import json
from pathlib import Path

import pytest

from engine.registry import PACKAGES, RULESETS
from pbem.handlers.request import Refusal
from pbem.maintenance.fsck import check
from pbem.storage import Game, Letter
from tests.laws.systems import SYSTEMS
from tests.support import harness
from tests.support.harness import Person, duel, open_league
from tests.support.players import STANDING, address_of, words

COIN = {
    "system": "coin",
    "setup": {"players": ["Red", "Blue"]},
    "seats": {"Red": "Ann Example", "Blue": "Cat Example"},
}


def keyed(person: Person, text: str) -> str:
    """Ask something with the key in the letter, and return the answer's words."""
    person.new()
    person.write(f"KEY {person.key}\n{text}")
    found = person.new()
    assert found, person.league.last_letter().error
    return words(found[0])


@pytest.mark.long
def test_a_game_without_its_system_waits_and_all_else_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A service that begins anew reads its templates anew.
    monkeypatch.setattr(harness, "_warm", {})
    monkeypatch.setitem(PACKAGES, "coin", "coin")
    monkeypatch.setitem(RULESETS, "coin", SYSTEMS["coin"])
    played = ("starpilot", "blackskies", "coin")
    options = {"moderator": address_of("Mona"), "turns_per_letter": 2, "systems": played}
    with open_league(tmp_path, **options) as league:
        ann, bob = duel(league)
        cat, mona = league.person("Cat"), league.person("Mona")
        for person in (cat, mona):
            person.join()
        league.rule(f"BATTLE\n{json.dumps(COIN)}")
        league.work()
        mona.new()
        before = league.store.get(Game, 2)
        league.close()
        del PACKAGES["coin"], RULESETS["coin"]
        harness._warm.clear()
        league.open()
        league.work()
        [letter] = mona.new()
        assert "The rules of coin can't be loaded any more, so game 2 is paused" in words(letter)
        league.later(1)
        league.work()
        assert mona.new() == []
        # Everybody can still ask, and play everything else.
        assert "Game 2: Red against Blue. It waits for a ruling" in keyed(ann, "STATUS")
        for order in ("GAMES", "STATUS all", "STANDINGS", "HISTORY 2", "SHEET Hawk", "REPORT 2"):
            assert keyed(cat, order)
        for order in ("REPORT 2", "DRAW 2", "READY 2", "MAP 2"):
            assert keyed(ann, order)
        assert keyed(bob, "WATCH 2")
        ann.new()
        ann.reply("THROW", ann.last_about("[G2"))
        assert ann.new(), league.last_letter().error
        for person in (ann, bob):
            person.reply(STANDING, person.last_about("[G1"))
            league.work()
        assert league.store.get(Game, 1).steps > 2
        league.later(24 * 8)
        league.work()
        assert league.store.count(Letter.select().where(Letter.state == "received")) == 0
        assert league.store.count(Letter.select().where(Letter.state == "shunted")) == 0
        with pytest.raises(Refusal, match="can't be loaded"):
            league.rule("DRAW 2")
        assert [(one.part, one.where) for one in check(league.store)] == [("game", "2")]
        # With the package back, the game goes on from where it was.
        PACKAGES["coin"], RULESETS["coin"] = "coin", SYSTEMS["coin"]
        harness._warm.clear()
        league.close()
        league.open()
        league.rule("RESUME 2")
        league.work()
        now = league.store.get(Game, 2)
        assert (now.state, now.steps, now.paused) == (before.state, before.steps, None)
        for person in (ann, cat):
            person.reply("THROW", person.last_about("[G2"))
            league.work()
        assert league.store.get(Game, 2).steps > before.steps
