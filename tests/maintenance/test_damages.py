"""Damages of all kinds that matter, made by hand in a sound league: `pbem fsck` finds each.

docs/reliability.md lists them by what they concern.
"""

import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from pbem.maintenance import fsck
from pbem.storage import Store
from tests.storage.test_kept_databases import KEPT
from tools.keep_league import DATABASE, unpack

_SENT = "SELECT id FROM outgoing WHERE state = 'sent' ORDER BY id"
_ANSWERED = "SELECT id FROM letter WHERE state = 'answered' ORDER BY id"
DAMAGES = [
    # battles: 1 to 4 run, 5 is over
    ("DELETE FROM step WHERE game_id = 5 AND n = 3", "its log has"),
    ("DELETE FROM step WHERE game_id = 1 AND n = 3", "its log has"),
    ("UPDATE step SET n = n + 100 WHERE game_id = 5 AND n = 3", "misnumbered"),
    ("UPDATE step SET rolls = '[]' WHERE game_id = 5 AND rolls <> '[]'", "rolls: they are not"),
    ("UPDATE step SET orders = replace(orders, 'SCAN', 'OPEN')", "does not agree"),
    ("UPDATE step SET orders = replace(orders, 'HOLD', 'DUCK') WHERE game_id = 3", "not agree"),
    ("UPDATE step SET words = replace(words, 'of the earth', '') WHERE game_id = 1", "digest"),
    ("UPDATE step SET words = replace(words, '0', '1') WHERE game_id = 5", "digest"),
    ("UPDATE step SET digest = replace(digest, '0', '1') WHERE game_id = 5", "digest"),
    ("UPDATE step SET proxied = '[\"Osprey\"]' WHERE game_id = 5 AND n = 2", "does not agree"),
    ("UPDATE step SET events = '[]' WHERE game_id = 5", "another state than its dice"),
    ("UPDATE step SET events = '[' WHERE game_id = 2", "can't be read"),
    ("UPDATE game SET state = json_set(state, '$.pilots.Hawk.hp', 9) WHERE id = 1", "log gives"),
    (
        "UPDATE game SET state = replace(state, '\"hull\":4', '\"hull\":3') WHERE id = 2",
        "log gives",
    ),
    ("UPDATE game SET state = '{}' WHERE id = 4", "its state can't be read"),
    ("UPDATE game SET setup = replace(setup, 'Hawk', 'Hack') WHERE id = 1", "set-up"),
    ("UPDATE game SET secret = zeroblob(32) WHERE id = 3", "not what was committed to"),
    ("UPDATE game SET commitment = 'x' WHERE id = 3", "not what was committed to"),
    ("UPDATE game SET words = '{}' WHERE id = 1", "words"),
    ("UPDATE game SET version = 2 WHERE id = 1", "commitment"),
    ("UPDATE game SET system = 'chess' WHERE id = 1", "nobody knows its system"),
    ("UPDATE game SET running = 1 WHERE id = 5", "marked as running, and is over"),
    ("UPDATE game SET running = 0 WHERE id = 1", "marked as ended, and is not over"),
    ("UPDATE game SET steps = steps + 1 WHERE id = 5", "its log has"),
    ("UPDATE game SET deadline = NULL WHERE id = 2", "has no deadline"),
    ("UPDATE game SET deadline = 1 WHERE id = 5", "it is over, but waits"),
    ("DELETE FROM game WHERE id = 5", "never begun"),
    # places
    ("DELETE FROM place WHERE game_id = 1 AND seat = 'Hawk'", "its places are not those"),
    ("UPDATE place SET seat = 'Hank' WHERE seat = 'Hawk'", "its places are not those"),
    ("UPDATE place SET sheet = '{' WHERE seat = 'Hawk'", "orders on file of Hawk"),
    ("UPDATE place SET reported_to = 999 WHERE game_id = 1", "was shown 999 steps"),
    ("UPDATE place SET \"left\" = 1 WHERE seat = 'Hawk'", "has no record of before"),
    ("UPDATE place SET asked = 1 WHERE game_id = 5", "it is over, but waits"),
    ("UPDATE place SET persona_id = 1 WHERE game_id = 2 AND player_id = 1", "2 games at once"),
    # dice, and what is offered
    ("UPDATE pledge SET secret = zeroblob(32) WHERE id = 6", "not of its secret"),
    ("UPDATE pledge SET terms = '{}' WHERE id = 6", "not of its secret and terms"),
    ("UPDATE pledge SET commitment = 'x' WHERE id = 6", "not of its secret"),
    ("UPDATE offer SET state = 'open' WHERE id = 1", "its battle has begun"),
    ("UPDATE offer SET state = 'begun' WHERE id = 6", "its battle has never begun"),
    ("UPDATE offer SET state = 'x' WHERE id = 6", "its state is 'x'"),
    (
        "UPDATE offer_seat SET standing = 'ELSE: SCAN' WHERE offer_id = 1",
        "it has orders, and its offer has ended",
    ),
    (
        "INSERT INTO doctrine (player_id, persona_id, name, folded, rules)"
        " SELECT player_id + 1, id, 'x', 'x', 'ELSE: SCAN' FROM persona WHERE id = 1",
        "its persona is somebody else's",
    ),
    # careers and people
    ("UPDATE persona SET record = json_set(record, '$.hp', 95) WHERE id = 10", "add up to"),
    ("UPDATE persona SET record = json_set(record, '$.hp', -5) WHERE id = 1", "less than none"),
    ("UPDATE persona SET record = '{}' WHERE id = 1", "its record can't be read"),
    ("UPDATE persona SET name = 'Eve' WHERE id = 1", "not found by its name"),
    (
        "INSERT INTO entry (persona_id, kind, at, account, points, news, facts)"
        " VALUES (1, 'medal', 0, '', 5, 0, '{}')",
        "add up to",
    ),
    ("UPDATE entry SET points = points + 10 WHERE id = 1", "add up to"),
    ("UPDATE entry SET game_id = 1 WHERE game_id = 5", "a battle without its persona"),
    ("UPDATE player SET folded = 'eve' WHERE id = 1", "not found by its name"),
    ("UPDATE player SET folded = NULL WHERE id = 1", "not found by its name"),
    (
        "INSERT INTO further (player_id, address, added)"
        " SELECT 2, address, 0 FROM player WHERE id = 1",
        "a player's first address, too",
    ),
    ("UPDATE leave SET first = '2026-12-31'", "ends before it begins"),
    ("UPDATE subscription SET address = NULL", "of nobody"),
    # letters that came in
    ("UPDATE letter SET content = packed('From: eve@x.example') WHERE id = 3", "SHA-256"),
    ("UPDATE letter SET content = x'00' WHERE id = 3", "SHA-256"),
    ("UPDATE letter SET sha256 = 'x' WHERE id = 3", "SHA-256"),
    (
        "UPDATE letter SET (message_id, sha256, content) ="
        f" (SELECT message_id, sha256, content FROM letter WHERE id IN ({_ANSWERED} LIMIT 1))"
        f" WHERE id IN ({_ANSWERED} LIMIT 1 OFFSET 2)",
        "the same letter as",
    ),
    ("UPDATE letter SET state = 'lost' WHERE id = 3", "its state is 'lost'"),
    ("UPDATE letter SET state = 'received' WHERE id = 3", "was handled, and still waits"),
    ("UPDATE letter SET handled = NULL WHERE id = 3", "was handled, at no time"),
    ("UPDATE letter SET state = 'shunted' WHERE id = 3", "shunted without an error"),
    # letters that go out
    ("UPDATE outgoing SET state = 'gone' WHERE id = 3", "its state is 'gone'"),
    ("UPDATE outgoing SET sent = NULL WHERE id = 3", "was sent, at no time"),
    ("UPDATE outgoing SET state = 'queued' WHERE id = 3", "was sent, and still waits"),
    ("UPDATE outgoing SET recipient = 'e@x.example' WHERE state = 'queued'", "somebody other"),
    ("UPDATE outgoing SET content = x'' WHERE state = 'queued'", "has no content"),
    ("UPDATE outgoing SET content = x'00' WHERE id = 3", "another Message-ID"),
    ("UPDATE outgoing SET content = (SELECT content FROM letter) WHERE id = 1", "Message-ID"),
    (
        "UPDATE outgoing SET slot = 'one', state = 'queued', sent = NULL"
        f" WHERE id IN ({_SENT} LIMIT 2)",
        "waits in its slot",
    ),
    # tokens, and the league itself
    (
        "UPDATE token SET place_id = (SELECT id FROM place WHERE game_id = 2) WHERE game_id = 1",
        "its place is in another battle",
    ),
    ("UPDATE token SET player_id = 99 WHERE rowid = 1", "refers to a row of player that is gone"),
    ("UPDATE meta SET value = printf('%064d', 0) WHERE key = 'secret'", "tokens were made with"),
    ("UPDATE meta SET value = '00' WHERE key = 'secret'", "secret is gone or damaged"),
    ("DELETE FROM meta WHERE key = 'secret'", "secret is gone or damaged"),
    ("UPDATE meta SET value = '99' WHERE key = 'schema'", "has schema 99"),
    ("DELETE FROM meta", "does not tell its schema"),
    ("UPDATE round SET letters = '[1, ' WHERE id = 2", "can't be read"),
    ("UPDATE round SET settings = '[]' WHERE id = 1", "can't be read"),
    # the database's own
    ("UPDATE story SET game_id = 99", "refers to a row of game that is gone"),
    ("DROP TABLE story", "table story is gone"),
    ("DROP INDEX player_address", "no index of address"),
    ("ALTER TABLE story ADD COLUMN more TEXT", "other columns"),
    ("CREATE VIEW seen AS SELECT * FROM story", "no trigger or view seen"),
    (
        "CREATE TRIGGER evil AFTER INSERT ON further BEGIN"
        " UPDATE further SET address = 'eve@x.example' WHERE id = NEW.id; END",
        "no trigger or view evil",
    ),
]
"""What somebody, or a fault, does to a league, as SQL; and what is said of it."""
DANGLING = ("UPDATE token SET player_id", "UPDATE story SET game_id")
"""What SQLite refuses while it watches references."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a league with play of all systems in it."""
    folder = tmp_path_factory.mktemp("sound")
    unpack(KEPT[0], folder)
    Store(f"sqlite:///{folder / DATABASE}", upgrade=True).close()
    return folder / DATABASE


def told(file: Path) -> list[str]:
    """Return what is wrong with a database."""
    return [one.text for one in fsck.inspect(f"sqlite:///{file}")]


def test_nothing_is_wrong_before(sound: Path) -> None:
    assert told(sound) == []


@pytest.mark.parametrize(("statement", "words"), DAMAGES, ids=[one for one, _ in DAMAGES])
def test_a_damage_is_found(sound: Path, tmp_path: Path, statement: str, words: str) -> None:
    copy = tmp_path / DATABASE
    shutil.copy(sound, copy)
    with closing(sqlite3.connect(copy)) as database:
        database.create_function("packed", 1, lambda text: zlib.compress(text.encode()))
        database.execute(f"PRAGMA foreign_keys = {int(not statement.startswith(DANGLING))}")
        done = database.execute(statement)
        assert done.rowcount or statement.startswith(("DROP", "ALTER", "CREATE")), "no row fits"
        database.commit()
    found = told(copy)
    assert any(words in text for text in found), found
    assert len(found) < 20


def test_broken_pages_are_found(sound: Path, tmp_path: Path) -> None:
    raw = bytearray(sound.read_bytes())
    for at in range(4096 * 3, len(raw), 4096 * 7):
        raw[at : at + 200] = b"\xff" * 200
    (tmp_path / DATABASE).write_bytes(raw)
    assert told(tmp_path / DATABASE)
