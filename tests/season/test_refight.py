"""The season's audit, on one battle of each system: it agrees with the sheets, and notices faults.

The season itself takes minutes and needs servers; what is wrong with its audit shows here at once.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.campaign import Change, Persona
from engine.registry import RULESETS
from pbem.storage import Game
from tests.season.audit import Logs, rosters
from tests.season.deeds import Record
from tests.season.plan import SYSTEMS
from tests.season.rosters import ENLISTING
from tests.support.harness import open_league

After = Callable[..., Change]
Records = dict[str, Record]


def sheets_and_logs(folder: Path) -> tuple[Records, Records]:
    """Fight a battle of each system by mail; return what sheets say, and what the audit finds."""
    with open_league(folder, systems=SYSTEMS, limits={"duels_a_day": 3}) as league:
        people = ann, bob = league.person("Ann"), league.person("Bob")
        owners = {}
        for person in people:
            person.join()
            for system, (one, other, *_) in ENLISTING.items():
                owners[name := f"{person.name}{system}"] = person.name
                person.ask((one if person is ann else other).format(name))
        for system in SYSTEMS:
            ann.ask(f"CHALLENGE Bob{system} WITH Ann{system}")
        bob.new()
        bob.reply("ACCEPT 1\nACCEPT 2\nACCEPT 3")
        for person in people:
            person.new()
        for person, doctrine in zip(people, ("sound", "bold"), strict=True):
            for number in (1, 2, 3):
                person.reply(f"STANDING {doctrine}", person.last_about(f"[G{number}-"))
        league.work()
        logs = Logs(owners)
        for game in league.store.all(Game.select().order_by(Game.id)):
            # In this league three count on a day, and in the season two.
            day = game.begun.date() + timedelta(days=game.id)
            logs.fight(league.service.export(game), day, major=False)
        told = dict(sheet for person in people for sheet in rosters(person.ask("SHEET")))
    return told, dict(logs.records)


@pytest.mark.long
def test_sheets_say_what_the_exports_do(tmp_path: Path) -> None:
    told, found = sheets_and_logs(tmp_path)
    assert told == found
    assert all(record.fights == 1 for record in told.values())
    assert sum(bool(record.left) for record in told.values()) >= 3


def booked_twice(after: After) -> After:
    """Return a fault: a victory counts twice."""

    def wrong(persona: Persona, *rest: Any) -> Change:
        done = after(persona, *rest)
        won = done.persona.record["wins"] - persona.record["wins"]
        record = done.persona.record | {"wins": done.persona.record["wins"] + won}
        return replace(done, persona=replace(done.persona, record=record))

    return wrong


def wounds_forgotten(after: After) -> After:
    """Return a fault: the first member comes back as it went."""

    def wrong(persona: Persona, *rest: Any) -> Change:
        done = after(persona, *rest)
        before, now = persona.record["members"], done.persona.record["members"]
        record = done.persona.record | {"members": [before[0], *now[1:]]}
        return replace(done, persona=replace(done.persona, record=record))

    return wrong


def losses_left_out(after: After) -> After:
    """Return a fault: nothing is lost."""

    def wrong(persona: Persona, *rest: Any) -> Change:
        done = after(persona, *rest)
        record = done.persona.record | {"lost": persona.record["lost"]}
        return replace(done, persona=replace(done.persona, record=record))

    return wrong


FAULTS = {
    "blackskies": losses_left_out,
    "starfarer": wounds_forgotten,
    "cortex": booked_twice,
}


@pytest.mark.long
def test_planted_faults_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for system, fault in FAULTS.items():
        rules = RULESETS[system]
        assert rules.campaign is not None
        wrong = replace(rules.campaign, after=fault(rules.campaign.after))
        monkeypatch.setitem(RULESETS, system, replace(rules, campaign=wrong))  # type: ignore[arg-type]
    told, found = sheets_and_logs(tmp_path)
    differ = {name[3:] for name, record in told.items() if record != found[name]}
    assert differ == set(SYSTEMS)
