"""The check of the database: silent on a sound league, and exact about each error."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.maintenance import fsck
from pbem.people import personas
from pbem.storage import Game, Letter, Outgoing, Persona, Step, Store, stored_games
from tests.support.harness import League, duel, fixed_entropy, open_league
from tests.support.players import REFEREE
from tests.support.program import pbem, write_league


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    with open_league(tmp_path, entropy=fixed_entropy) as opened:
        ann, bob = duel(opened)
        for _ in range(3):
            ann.reply("SCAN\nSCAN\nCLOSE")
            bob.reply("SCAN\nCLOSE")
            ann.new()
            bob.new()
        yield opened


def found(store: Store) -> list[tuple[str, str, str]]:
    return [(one.part, one.where, one.text) for one in fsck.check(store)]


def test_a_sound_league_is_sound(league: League) -> None:
    assert league.game.steps > 2
    assert found(league.store) == []


def state_is_changed(store: Store) -> None:
    game = store.all(Game.select().order_by(Game.id))[-1]
    stored_games.change_game(store, game.id, state=game.state.replace('"turns":', '"turns":1', 1))


def roll_is_changed(store: Store) -> None:
    step = next(step for step in store.all(Step.select().order_by(Step.id)) if step.rolls != "[]")
    [sides, result, why], *rest = json.loads(step.rolls)
    rolls = json.dumps([[sides, result % sides + 1, why], *rest])
    store.run(Step.update(rolls=rolls).where(Step.id == step.id))


def order_is_changed(store: Store) -> None:
    step = next(
        step for step in store.all(Step.select().order_by(Step.id)) if "SCAN" in step.orders
    )
    store.run(Step.update(orders=step.orders.replace("SCAN", "LOITER")).where(Step.id == step.id))


def step_is_lost(store: Store) -> None:
    store.execute_sql("DELETE FROM step WHERE n = 1")


def events_are_nonsense(store: Store) -> None:
    store.run(
        Step.update(events="[").where(Step.id == store.all(Step.select().order_by(Step.id))[-1].id)
    )


def deadline_is_lost(store: Store) -> None:
    stored_games.change_game(store, 1, deadline=None)


def rewrite(store: Store, table: str, number: int, content: bytes) -> None:
    """Write other bytes into a letter that came in or is to go out."""
    store.execute_sql(f"UPDATE {table} SET content = ? WHERE id = ?", (content, number))


def letter_is_changed(store: Store) -> None:
    rewrite(store, "letter", 3, b"From: eve@x.example\n\nFIRE")


def letter_is_answered_twice(store: Store) -> None:
    first = store.all(Letter.select().where(Letter.state == "answered").order_by(Letter.id))[0]
    store.run(Letter.update(message_id=first.message_id, sha256=first.sha256).where(Letter.id == 2))
    store.run(Letter.update(state="answered").where(Letter.id == 2))
    rewrite(store, "letter", 2, first.content)


def outgoing_is_changed(store: Store) -> None:
    row = store.all(Outgoing.select().order_by(Outgoing.id))[0]
    rewrite(store, "outgoing", row.id, row.content.replace(b"Message-ID: <", b"Message-ID: <x"))


def slot_is_taken_twice(store: Store) -> None:
    for row in store.all(Outgoing.select().order_by(Outgoing.id))[:2]:
        store.run(Outgoing.update(slot="one", state="queued").where(Outgoing.id == row.id))


def point_is_given(store: Store) -> None:
    row = store.all(Persona.select().order_by(Persona.id))[0]
    record = json.loads(row.record)
    personas.set_record(store, row, json.dumps(record | {"hp": record["hp"] + 5}))


@pytest.mark.parametrize(
    ("spoil", "part", "words"),
    [
        (state_is_changed, "game", "its state is not what its log gives: pilots.Hawk.turns is"),
        (roll_is_changed, "game", ": rolls: they are not"),
        (order_is_changed, "game", "does not agree"),
        (step_is_lost, "game", "steps, and its log has"),
        (events_are_nonsense, "game", "can't be read"),
        (deadline_is_lost, "game", "no deadline"),
        (letter_is_changed, "letter", "SHA-256"),
        (letter_is_answered_twice, "letter", "same letter"),
        (outgoing_is_changed, "outbox", "Message-ID"),
        (slot_is_taken_twice, "outbox", "slot"),
        (point_is_given, "books", "add up to"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_what_is_wrong_is_told(
    league: League, spoil: Callable[[Store], None], part: str, words: str
) -> None:
    with league.store.transaction():
        spoil(league.store)
    shown = found(league.store)
    assert any(where == part and words in text for where, _, text in shown), shown


def test_the_command_ends_with_1_if_anything_is_wrong(league: League, tmp_path: Path) -> None:
    section = {"name": "Avalon League", "address": REFEREE}
    config = write_league(tmp_path, {"league": section, "store": {"url": league.store.url}})
    sound = pbem("--config", config, "fsck")
    assert (sound.returncode, sound.stdout) == (0, b"Nothing is wrong.\n")
    with league.store.transaction():
        point_is_given(league.store)
    wrong = pbem("--config", config, "fsck", "--json")
    assert wrong.returncode == 1
    assert [one["part"] for one in json.loads(wrong.stdout)] == ["books"]


def test_a_database_with_broken_pages_is_not_read_further(league: League, tmp_path: Path) -> None:
    file = Path(league.store.url.removeprefix("sqlite:///"))
    league.store.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    league.close()
    raw = bytearray(file.read_bytes())
    for at in range(4096 * 3, len(raw), 4096 * 7):
        raw[at : at + 200] = b"\xff" * 200
    (tmp_path / "broken.db").write_bytes(raw)
    shown = list(fsck.inspect(f"sqlite:///{tmp_path / 'broken.db'}"))
    assert shown
    assert {one.part for one in shown} == {"database"}
