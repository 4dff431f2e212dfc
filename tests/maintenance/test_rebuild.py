"""Replaying the raw letters of a whole league into an empty database leads to the same league."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.channels.folder import FolderSettings
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.handlers.request import Refusal
from pbem.maintenance.rebuild import rebuild
from pbem.routing import router
from pbem.service.alarms import Alarms
from pbem.service.service import Service
from pbem.settings import SettingsError
from pbem.settings.load import parse
from pbem.settings.sections import LimitSettings
from pbem.storage import (
    Game,
    Letter,
    Outgoing,
    Round,
    Ruling,
    Step,
    Story,
    kept_settings,
    stored_games,
)
from pbem.storage.fields import CompressedField
from tests.support.harness import START, League, Person, duel, fixed_entropy
from tests.support.players import KESTREL, REFEREE, STANDING, address_of, letter
from tests.support.program import pbem, write_league

pytestmark = pytest.mark.league(entropy=fixed_entropy, outage_hours=30, moderator=address_of("Mod"))


def again(league: League) -> list[str]:
    """Rebuild the league into a new file, and return what differs."""
    return rebuild(league.settings, league.settings.home / "new.db")


def rows(league: League, statement: str) -> list[Any]:
    """Ask the rebuilt database."""
    with closing(sqlite3.connect(league.settings.home / "new.db")) as database:
        return database.execute(statement).fetchall()


def daily(league: League, days: int) -> None:
    """Work for some days, with a look at the mailbox every eight hours."""
    for _ in range(3 * days):
        league.later(8)
        league.work()


def fight(*people: Person) -> None:
    """Fight the running duel to its end by standing orders."""
    league = people[0].league
    for person in people:
        person.reply(STANDING, person.last_about("[G"))
        person.new()
    while league.game.running:
        league.later(1)
        for person in people:
            person.reply("READY", person.last_about("[G"))
            league.work()


def season(league: League) -> None:
    """A month with a duel, practice, silence, an outage, rulings, and letters of all kinds."""
    ann, bob = duel(league)
    ann.reply("SCAN\nSALT one\n\nWe hunt at dawn.")
    league.work()
    daily(league, 4)
    by_shell(league.service.ports, "EXTEND 1 2d", league.now)
    league.later(1)
    league.work()
    league.later(40)
    Alarms(league.service.ports.outbox).look(league.now)
    league.work()
    cat = league.person("Cat")
    cat.join()
    bob.write("FIRE at Hawk")
    league.drop(bob.sent[-1].as_bytes())
    league.drop(b"From: b@x.example\nAuto-Submitted: auto-replied\n\nJOIN Robot")
    league.drop(letter("Eve", "Hello there", 1).as_bytes())
    league.work()
    fight(ann, bob)
    ann.write("HISTORY")
    cat.ask(KESTREL.replace("Kestrel", "Heron"))
    cat.ask("PRACTICE WITH Heron AGAINST easy")
    cat.ask("SCAN\nSCAN", cat.last_about("[G2"))
    cat.ask("SUBSCRIBE newsletter")
    by_shell(league.service.ports, "NEWSLETTER", league.now)
    by_shell(league.service.ports, "PAUSE ALL", league.now)
    daily(league, 1)
    by_shell(league.service.ports, "RESUME ALL", league.now)
    daily(league, 10)


@pytest.mark.long
def test_a_season_comes_out_the_same(league: League) -> None:
    season(league)
    assert league.store.count(Game.select()) == 2
    assert {step.source for step in league.store.all(Step.select().order_by(Step.id))} >= {
        "default",
        "queue",
    }
    assert {
        row.text.split(",")[0] for row in league.store.all(Ruling.select().order_by(Ruling.id))
    } >= {"the referee was out of reach"}
    kept = {
        (row.message_id, row.content)
        for row in league.store.all(Outgoing.select().order_by(Outgoing.id))
    }
    assert league.store.count(Outgoing.select().where(Outgoing.kind == "alarm")) == 1
    assert league.store.count(Outgoing.select().where(Outgoing.kind == "newsletter")) == 1
    games = [
        (row.id, row.secret, row.state, row.turn)
        for row in league.store.all(Game.select().order_by(Game.id))
    ]
    assert again(league) == []
    found = rows(league, "SELECT message_id, content FROM outgoing")
    assert {(ident, CompressedField().python_value(content)) for ident, content in found} == kept
    assert rows(league, "SELECT id, secret, state, turn FROM game ORDER BY id") == games
    assert rows(league, "SELECT count(*) FROM outgoing WHERE state = 'queued'") == [(0,)]


def test_a_battle_that_was_taken_back_after_its_end_comes_out_the_same(league: League) -> None:
    ann, bob = duel(league)
    fight(ann, bob)
    league.later(1)
    by_shell(league.service.ports, f"UNDO 1 TO {league.game.steps - 3}", league.now)
    assert league.game.running
    league.later(1)
    fight(ann, bob)
    assert again(league) == []


@pytest.mark.league(systems=("starfarer",))
def test_a_battle_that_was_taken_back_to_its_start_comes_out_the_same(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, squad in ((ann, "Ravens WITH Kitai: scout"), (bob, "Kites WITH Cy: medic")):
        person.join()
        person.ask(f"SQUAD {squad}")
    ann.ask("CHALLENGE Kites WITH Ravens")
    bob.ask("ACCEPT 1")
    for text in ("ATTACK nearest", "HOLD"):
        for person in (ann, bob):
            person.reply(text, person.last_about("[G1-T"))
            league.work()
        if text == "ATTACK nearest":
            by_shell(league.service.ports, "UNDO 1 TO START", league.now)
            league.later(1)
            league.work()
    assert league.game.steps == 3
    assert again(league) == []


def test_idle_rounds_leave_nothing_behind(league: League) -> None:
    league.work()
    count = league.store.count(Round.select())
    for _ in range(5):
        league.later(0.1)
        league.work()
    assert league.store.count(Round.select()) == count


def test_a_refused_ruling_is_not_noted(league: League) -> None:
    with pytest.raises(Refusal):
        by_shell(league.service.ports, "DRAW 7", league.now)
    assert league.store.count(Round.select()) == 0


def test_shunted_dropped_and_waiting_letters_come_along(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = duel(league)
    whole = router.handle

    def handle(service: Any, one: Any, now: Any) -> Any:
        if b"From: Cat" in one.content:
            raise ZeroDivisionError("the desk breaks")
        return whole(service, one, now)

    monkeypatch.setattr(router, "handle", handle)
    for text in ("JOIN Cat", "JOIN Cat Two", "JOIN Cat Three"):
        league.person("Cat").write(text, subject=text)
    for _ in range(3):
        league.later(1)
        league.work()
    monkeypatch.undo()
    dropped, retried, _ = league.store.all(
        Letter.select().where(Letter.state == "shunted").order_by(Letter.id)
    )
    league.store.run(
        Letter.update(state="discarded", klass="dropped", reason="dropped").where(
            Letter.id == dropped.id
        )
    )
    league.store.run(
        Letter.update(state="received", tries=0, error="", handled=None).where(
            Letter.id == retried.id
        )
    )
    ann.reply("SCAN")
    league.later(1)
    league.work()
    assert league.store.get(Letter, retried.id).state == "answered"
    assert again(league) == []
    found = rows(league, "SELECT state, count(*) FROM letter WHERE state <> 'answered' GROUP BY 1")
    assert found == [("discarded", 1), ("shunted", 1)]


def test_a_round_that_was_not_noted_is_known_by_what_it_did(league: League) -> None:
    """A program that is killed after its work and before its note."""
    ann, _ = duel(league)
    league.later(1)
    ann.reply("SCAN\nSCAN")
    league.work()
    daily(league, 4)
    assert league.store.count(Round.select().where(Round.last.is_null(False))) > 4
    league.store.run(Round.delete().where(Round.at > START))
    assert again(league) == []


def test_what_differs_is_told_by_table_and_row(league: League) -> None:
    duel(league)
    game = league.game
    stored_games.change_game(league.store, game.id, turn=9)
    league.store.run(Story.insert(game=game.id, seat="Hawk", after=0, text="Never told"))
    assert again(league) == ["game 1 differs in turn", "story 1 was not made again"]


def test_the_command_writes_a_new_file_only(league: League, tmp_path: Path) -> None:
    duel(league)
    section = {"name": "Avalon League", "address": REFEREE, "outage_hours": 30}
    config = write_league(tmp_path, {"league": section, "store": {"url": league.store.url}})
    refused = pbem("--config", config, "rebuild", config)
    assert (refused.returncode, refused.stderr.count(b"\n")) == (2, 1)
    done = pbem("--config", config, "rebuild", tmp_path / "new.db", "--json")
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert json.loads(done.stdout)["differences"] == []


def reopened(league: League, **told: Any) -> None:
    """Reopen the service with other settings."""
    changed = replace(league.settings, league=replace(league.settings.league, **told))
    league.settings, renderer = changed, league.service.ports.outbox.renderer
    league.service = Service(changed, league.store)
    league.service.ports.outbox.renderer = renderer


@pytest.mark.long
def test_settings_that_were_changed_on_the_way_are_those_of_their_time(league: League) -> None:
    ann, bob = duel(league)
    ann.ask("SCAN", ann.last_about("[G"))
    daily(league, 2)
    reopened(league, deadline_hours=24, misses_before_open=1)
    by_shell(league.service.ports, "EXTEND 1 2h", league.now)
    daily(league, 4)
    reopened(league, deadline_hours=240, misses_before_open=2)
    bob.reply("SCAN", bob.last_about("[G"))
    daily(league, 1)
    noted = [
        one.settings for one in league.store.all(Round.select().order_by(Round.id)) if one.settings
    ]
    assert len(noted) == 3
    told: list[str] = []
    assert rebuild(league.settings, league.settings.home / "new.db", tell=told.append) == []
    assert [line.partition("UTC: ")[2] for line in told] == [
        "[league] deadline_hours from 72 to 24",
        "[league] misses_before_open from 2 to 1",
        "[league] deadline_hours from 24 to 240",
        "[league] misses_before_open from 1 to 2",
    ]


def test_settings_that_were_never_noted_are_those_of_now(league: League) -> None:
    duel(league)
    league.store.database.execute_sql("UPDATE round SET settings = ''")
    assert again(league) == []


def test_settings_that_nobody_knows_any_more_are_named(league: League) -> None:
    duel(league)
    odd = json.dumps({"league": {"name": "x", "address": REFEREE, "phlogiston": 3}})
    league.store.database.execute_sql("UPDATE round SET settings = ? WHERE id = 1", (odd,))
    with pytest.raises(SettingsError, match=r"earlier settings .*phlogiston is not a setting"):
        again(league)


def test_what_decisions_hang_on_is_read_as_it_was_written(league: League) -> None:
    channels = {"paste": FolderSettings(path="posts", format="text")}
    limits = LimitSettings(tries=5)
    settings = replace(league.settings, channels=channels, limits=limits)
    text = kept_settings.written(settings)
    assert kept_settings.in_force(text, league.settings) == settings
    assert kept_settings.written(kept_settings.in_force(text, league.settings)) == text
    assert list(kept_settings.changes(kept_settings.written(league.settings), text)) == [
        '[channels] paste from null to {"format": "text", "kind": "folder", "path": "posts"}',
        "[limits] tries from 3 to 5",
    ]


def test_channels_stand_in_the_same_order_in_a_replay(tmp_path: Path) -> None:
    folder = {"kind": "folder", "path": "posts", "format": "text"}
    raw = {
        "league": {"name": "Avalon", "address": REFEREE},
        "channels": {"paste": folder, "news": folder, "list": folder},
    }
    settings = parse(raw, tmp_path)
    kept = kept_settings.in_force(kept_settings.written(settings), settings)
    assert list(settings.channels) == list(kept.channels)


def test_a_ruling_that_is_refused_now_is_told_of(league: League, tmp_path: Path) -> None:
    """An earlier version made some rulings that had no effect, such as a second PAUSE."""
    duel(league)
    by_shell(league.service.ports, "PAUSE 1", league.now)
    league.store.run(Round.insert(at=league.now, ruling="PAUSE 1"))
    told = list[str]()
    assert rebuild(league.settings, tmp_path / "new.db", tell=told.append) == []
    assert [line.partition("UTC: ")[2] for line in told] == [
        "'PAUSE 1' is refused now: game 1 is paused"
    ]


@pytest.mark.parametrize("dropped", [False, True])
def test_a_letter_that_was_shunted_or_dropped_is_no_first_delivery(
    league: League, monkeypatch: pytest.MonkeyPatch, dropped: bool
) -> None:
    """Neither in the league nor in a replay; the second delivery is one once it is answered."""
    ann, _ = duel(league)
    written = ann.reply("TELL Bob\nHello there.")
    monkeypatch.setattr(router, "handle", lambda *_: 1 / 0)
    for _ in range(3):
        league.later(1)
        league.work()
    monkeypatch.undo()
    first = league.store.all(Letter.select().where(Letter.state == "shunted").order_by(Letter.id))[
        0
    ]
    if dropped:
        league.store.run(
            Letter.update(state="discarded", klass="dropped", reason="dropped").where(
                Letter.id == first.id
            )
        )
    league.later(1)
    ann.send(written)
    league.work()
    second = league.last_letter()
    assert (second.state, second.klass) == ("answered", "human")
    league.store.run(
        Letter.update(state="received", tries=0, error="", handled=None).where(
            Letter.id == first.id
        )
    )
    league.later(1)
    ann.send(written)
    league.work()
    assert league.store.get(Letter, first.id).klass == league.last_letter().klass == "duplicate"
    assert again(league) == []
