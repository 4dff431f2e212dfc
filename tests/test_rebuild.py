"""Replaying the raw letters of a whole league into an empty database leads to the same league."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem import kept_settings
from pbem.forum.folder import FolderSettings
from pbem.handlers.moderation import by_shell
from pbem.handlers.request import Refusal
from pbem.maintenance.rebuild import rebuild
from pbem.monitoring.alarms import Alarms
from pbem.routing import router
from pbem.service import Service
from pbem.settings import SettingsError
from pbem.settings.sections import LimitSettings
from tests.harness import START, House, Person, duel, fixed_entropy, open_house
from tests.players import KESTREL, REFEREE, STANDING, address_of, letter
from tests.program import pbem, write_league


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(
        tmp_path, entropy=fixed_entropy, outage_hours=30, moderator=address_of("Mod")
    ) as opened:
        yield opened


def again(house: House) -> list[str]:
    """Rebuild the league into a new file, and return what differs."""
    return rebuild(house.settings, house.settings.home / "new.db")


def rows(house: House, statement: str) -> list[Any]:
    """Ask the rebuilt database."""
    with closing(sqlite3.connect(house.settings.home / "new.db")) as database:
        return database.execute(statement).fetchall()


def daily(house: House, days: int) -> None:
    """Work for some days, with a look at the mailbox every eight hours."""
    for _ in range(3 * days):
        house.later(8)
        house.work()


def fight(*people: Person) -> None:
    """Fight the running duel to its end by standing orders."""
    house = people[0].house
    for person in people:
        person.reply(STANDING, person.last_about("[G"))
        person.new()
    while house.game.running:
        house.later(1)
        for person in people:
            person.reply("READY", person.last_about("[G"))
            house.work()


def season(house: House) -> None:
    """A month with a duel, practice, silence, an outage, rulings, and letters of all kinds."""
    ann, bob = duel(house)
    ann.reply("SCAN\nSALT one\n\nWe hunt at dawn.")
    house.work()
    daily(house, 4)
    by_shell(house.service.ports, "EXTEND 1 2d", house.now)
    house.later(1)
    house.work()
    house.later(40)
    Alarms(house.service.ports.outbox).look(house.now)
    house.work()
    cat = house.person("Cat")
    cat.join()
    bob.write("FIRE at Hawk")
    house.drop(bob.sent[-1].as_bytes())
    house.drop(b"From: b@x.example\nAuto-Submitted: auto-replied\n\nJOIN Robot")
    house.drop(letter("Eve", "Hello there", 1).as_bytes())
    house.work()
    fight(ann, bob)
    ann.write("HISTORY")
    cat.ask(KESTREL.replace("Kestrel", "Heron"))
    cat.ask("PRACTICE WITH Heron AGAINST easy")
    cat.ask("SCAN\nSCAN", cat.last_about("[G2"))
    cat.ask("SUBSCRIBE newsletter")
    by_shell(house.service.ports, "NEWSLETTER", house.now)
    by_shell(house.service.ports, "PAUSE ALL", house.now)
    daily(house, 1)
    by_shell(house.service.ports, "RESUME ALL", house.now)
    daily(house, 10)


def test_a_season_comes_out_the_same(house: House) -> None:
    season(house)
    assert house.store.games.count() == 2
    assert {step.source for step in house.store.steps.all()} >= {"default", "queue"}
    assert {row.text.split(",")[0] for row in house.store.rulings.all()} >= {
        "the referee was out of reach"
    }
    kept = {(row.message_id, row.content) for row in house.store.outbox.all()}
    assert house.store.outbox.count(kind="alarm") == 1
    assert house.store.outbox.count(kind="newsletter") == 1
    games = [(row.id, row.secret, row.state, row.turn) for row in house.store.games.all()]
    assert again(house) == []
    assert (
        set(
            rows(house, "SELECT message_id, content FROM outgoing JOIN outgoing_text ON of_id = id")
        )
        == kept
    )
    assert rows(house, "SELECT id, secret, state, turn FROM game ORDER BY id") == games
    assert rows(house, "SELECT count(*) FROM outgoing WHERE state = 'queued'") == [(0,)]


def test_a_battle_that_was_taken_back_after_its_end_comes_out_the_same(house: House) -> None:
    ann, bob = duel(house)
    fight(ann, bob)
    house.later(1)
    by_shell(house.service.ports, f"UNDO 1 TO {house.game.steps - 3}", house.now)
    assert house.game.running
    house.later(1)
    fight(ann, bob)
    assert again(house) == []


def test_idle_rounds_leave_nothing_behind(house: House) -> None:
    house.work()
    count = house.store.rounds.count()
    for _ in range(5):
        house.later(0.1)
        house.work()
    assert house.store.rounds.count() == count


def test_a_refused_ruling_is_not_noted(house: House) -> None:
    with pytest.raises(Refusal):
        by_shell(house.service.ports, "DRAW 7", house.now)
    assert house.store.rounds.count() == 0


def test_shunted_dropped_and_waiting_letters_come_along(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = duel(house)
    whole = router.handle

    def handle(service: Any, one: Any, now: Any) -> Any:
        if b"From: Cat" in one.content:
            raise ZeroDivisionError("the desk breaks")
        return whole(service, one, now)

    monkeypatch.setattr(router, "handle", handle)
    for text in ("JOIN Cat", "JOIN Cat Two", "JOIN Cat Three"):
        house.person("Cat").write(text, subject=text)
    for _ in range(3):
        house.later(1)
        house.work()
    monkeypatch.undo()
    dropped, retried, _ = house.store.letters.all(state="shunted")
    house.store.letters.change(dropped.id, state="discarded", klass="dropped", reason="dropped")
    house.store.letters.change(retried.id, state="received", tries=0, error="", handled=None)
    ann.reply("SCAN")
    house.later(1)
    house.work()
    assert house.store.letters.get(retried.id).state == "answered"
    assert again(house) == []
    found = rows(house, "SELECT state, count(*) FROM letter WHERE state <> 'answered' GROUP BY 1")
    assert found == [("discarded", 1), ("shunted", 1)]


def test_a_round_that_was_not_noted_is_known_by_what_it_did(house: House) -> None:
    """A program that is killed after its work and before its note."""
    ann, _ = duel(house)
    house.later(1)
    ann.reply("SCAN\nSCAN")
    house.work()
    daily(house, 4)
    assert house.store.rounds.count(last__ne=None) > 4
    house.store.rounds.run("DELETE FROM round WHERE at > ?", [START])
    assert again(house) == []


def test_what_differs_is_told_by_table_and_row(house: House) -> None:
    duel(house)
    game = house.game
    house.store.games.change(game.id, turn=9)
    house.store.stories.insert(game=game.id, seat="Hawk", after=0, text="Never told")
    assert again(house) == ["game 1 differs in turn", "story 1 was not made again"]


def test_the_command_writes_a_new_file_only(house: House, tmp_path: Path) -> None:
    duel(house)
    league = {"name": "Avalon League", "address": REFEREE, "outage_hours": 30}
    config = write_league(tmp_path, {"league": league, "store": {"url": house.store.url}})
    refused = pbem("--config", config, "rebuild", config)
    assert (refused.returncode, refused.stderr.count(b"\n")) == (2, 1)
    done = pbem("--config", config, "rebuild", tmp_path / "new.db", "--json")
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert json.loads(done.stdout)["differences"] == []


def reopened(house: House, **league: Any) -> None:
    """Reopen the service with other settings."""
    changed = replace(house.settings, league=replace(house.settings.league, **league))
    house.settings, press = changed, house.service.ports.outbox.press
    house.service = Service(changed, house.store)
    house.service.ports.outbox.press = press


def test_settings_that_were_changed_on_the_way_are_those_of_their_time(house: House) -> None:
    ann, bob = duel(house)
    ann.ask("SCAN", ann.last_about("[G"))
    daily(house, 2)
    reopened(house, deadline_hours=24, misses_before_open=1)
    by_shell(house.service.ports, "EXTEND 1 2h", house.now)
    daily(house, 4)
    reopened(house, deadline_hours=240, misses_before_open=2)
    bob.reply("SCAN", bob.last_about("[G"))
    daily(house, 1)
    noted = [one.settings for one in house.store.rounds.all() if one.settings]
    assert len(noted) == 3
    told: list[str] = []
    assert rebuild(house.settings, house.settings.home / "new.db", tell=told.append) == []
    assert [line.partition("UTC: ")[2] for line in told] == [
        "[league] deadline_hours from 72 to 24",
        "[league] misses_before_open from 2 to 1",
        "[league] deadline_hours from 24 to 240",
        "[league] misses_before_open from 1 to 2",
    ]


def test_settings_that_were_never_noted_are_those_of_now(house: House) -> None:
    duel(house)
    house.store.database.execute_sql("UPDATE round SET settings = ''")
    assert again(house) == []


def test_settings_that_nobody_knows_any_more_are_named(house: House) -> None:
    duel(house)
    odd = json.dumps({"league": {"name": "x", "address": REFEREE, "phlogiston": 3}})
    house.store.database.execute_sql("UPDATE round SET settings = ? WHERE id = 1", (odd,))
    with pytest.raises(SettingsError, match=r"earlier settings .*phlogiston is no setting"):
        again(house)


def test_what_decisions_hang_on_is_read_as_it_was_written(house: House) -> None:
    channels = {"paste": FolderSettings(path="posts", format="text")}
    limits = LimitSettings(tries=5)
    settings = replace(house.settings, channels=channels, limits=limits)
    text = kept_settings.written(settings)
    assert kept_settings.in_force(text, house.settings) == settings
    assert kept_settings.written(kept_settings.in_force(text, house.settings)) == text
    assert list(kept_settings.changes(kept_settings.written(house.settings), text)) == [
        '[channels] paste from null to {"format": "text", "kind": "folder", "path": "posts"}',
        "[limits] tries from 3 to 5",
    ]
