"""Whatever anything but pbem changes in the database, `pbem fsck` finds it, and nothing else."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.maintenance import fsck
from pbem.storage import Store
from pbem.storage.records import CHECKS, SEALED
from pbem.storage.repository import Repository, encoder
from pbem.storage.schema import TABLES, UNIQUE, Column, Table
from pbem.storage.seals import Broken
from tests.support.harness import START, League, duel, fixed_entropy, open_league
from tests.support.players import REFEREE
from tests.support.program import pbem, write_league


def play(league: League) -> None:
    """Play a few turns of a duel."""
    ann, bob = duel(league)
    for _ in range(3):
        ann.reply("SCAN\nSCAN\nADVANCE\n\nThe rain fell on Avalon.")
        bob.reply("SCAN\nADVANCE")
        ann.new()
        bob.new()


def fill(store: Store) -> None:
    """Put a row, of any values that fit, into each table that the play has left empty."""
    with store.transaction():
        for table in SEALED:
            repository = Repository(store, table.record)
            while (number := repository.count()) < 2:
                repository.insert(**_values(store, table, number))


def _values(store: Store, table: Table, number: int) -> dict[str, Any]:
    values = {}
    for column in table.columns:
        if column.reference:
            other = TABLES[column.reference.record]
            keys = [key for (key,) in Repository(store, other.record).values(other.key, limit=2)]
            values[column.name] = keys[number % len(keys)]
        elif column.name != "id":
            values[column.name] = _value(column, number)
    return values


def _value(column: Column, number: int) -> Any:
    if column.kind is bytes:
        return b"\x01" * 8
    if column.kind is datetime:
        return START + timedelta(days=number)
    if column.kind is bool:
        return bool(number % 2)
    return f"{column.name} {number}" if column.kind is str else number % 2


@contextmanager
def filled_league(folder: Path, url: str) -> Iterator[League]:
    """Open a league with play in it and a row in each table."""
    with open_league(folder, entropy=fixed_entropy, url=url) as league:
        play(league)
        fill(league.store)
        assert league.store.broken() == []
        yield league


class Undone(Exception):
    """Takes a change back."""


def found_after(store: Store, statement: str, *values: object) -> list[Broken] | None:
    """Run a statement past the seals, and return what is found; None where it is refused."""
    found: list[Broken] | None = None
    try:
        with store.transaction():
            done = store.run(statement.replace("?", store.mark), values)
            if not done.rowcount:
                pytest.fail(f"it changes nothing: {statement}")
            found = store.broken()
            raise Undone
    except Undone:
        return found
    except Exception as error:
        if not any(kind.__name__ == "IntegrityError" for kind in type(error).__mro__):
            raise
        return None


def _another(value: Any, column: Column) -> Any:
    """Return a value of a column that differs from one by as little as can be."""
    if value is None:
        return b"x" if column.kind is bytes else "x" if column.kind is str else 1
    if isinstance(value, bool):
        return not value
    if isinstance(value, bytes | memoryview):
        plain = bytes(value)
        return bytes([plain[0] ^ 1]) + plain[1:] if plain else b"x"
    if isinstance(value, str):
        return value.swapcase() if value.swapcase() != value else value + " "
    return value + (0.5 if column.kind is float else 1)


def test_hostile_books_every_column_of_every_table(tmp_path: Path, books: str) -> None:
    """One value is changed by a bit, a case, a space or one; each is found, row by row."""
    refused = []
    with filled_league(tmp_path, books) as league:
        store = league.store
        for table in TABLES.values():
            name, key = table.name, table.key
            for column in table.columns:
                seen = f'SELECT "{key}", "{column.name}" FROM "{name}" ORDER BY "{key}" LIMIT 1'
                at, value = store.run(seen).fetchone()
                statement = f'UPDATE "{name}" SET "{column.name}" = ? WHERE "{key}" = ?'
                other = _another(value, column)
                found = found_after(store, statement, other, at)
                if found is None:
                    refused.append((table, column))
                else:
                    assert found, f"{name}.{column.name} was {value!r} and is {other!r}"
                    seen_there = any(one.table == name for one in found)
                    assert table in CHECKS or seen_there, column.name
        assert store.broken() == []
    for table, column in refused:
        assert _is_constrained(table, column), column


def _is_constrained(table: Table, column: Column) -> bool:
    """Return whether the database itself watches a column: a key, or a part of one."""
    in_keys = any(column.name in names for names in table.unique) or column.name == table.key
    return in_keys or UNIQUE in column.marks or column.reference is not None


def test_hostile_books_every_table_loses_and_gains_rows(tmp_path: Path, books: str) -> None:
    with filled_league(tmp_path, books) as league:
        store = league.store
        for table in TABLES.values():
            name, key = table.name, table.key
            last = store.run(f'SELECT max("{key}") FROM "{name}"').fetchone()[0]
            gone = found_after(store, f'DELETE FROM "{name}" WHERE "{key}" = ?', last)
            assert gone is None or gone, f"a row of {name} is gone"
            assert found_after(store, f'DELETE FROM "{name}"') != [], f"{name} is empty"
            if table in SEALED:
                added = _added(store, table)
                assert added is None or Broken(name, "added", added[0]) in added[1], name


def _added(store: Store, table: Table) -> tuple[str, list[Broken]] | None:
    """Insert a row without a seal."""
    row = _values(store, table, 7)
    columns, values = ", ".join(f'"{name}"' for name in row), store.marks(row)
    statement = f'INSERT INTO "{table.name}" ({columns}) VALUES ({values})'
    encoders = [(encoder(table.by_name[name]), value) for name, value in row.items()]
    given = [v if v is None or encode is None else encode(v) for encode, v in encoders]
    found = found_after(store, statement, *given)
    if found is None:
        return None
    [new] = [one.key for one in found if one.what == "added"]
    return new, found


KINDS = """
UPDATE persona SET record = replace(record, '"hp":', '"hp":1')
UPDATE persona SET name = 'Falcon', folded = 'falcon' WHERE id = 1
UPDATE persona SET side = 'alliance' WHERE id = 1
UPDATE persona SET player_id = 2 WHERE id = 1
UPDATE persona SET folded = upper(folded) WHERE id = 1
UPDATE persona SET joined = joined - 1 WHERE id = 2
UPDATE token SET player_id = 2 WHERE player_id = 1
UPDATE token SET expires = expires + 86400000000
UPDATE token SET kind = 'league' WHERE kind = 'game'
UPDATE token SET turn = turn + 1 WHERE kind = 'game'
UPDATE token SET place_id = 2 WHERE place_id = 1
UPDATE token SET token = substr(token, 2) || 'a' WHERE kind = 'confirm'
DELETE FROM token WHERE kind = 'league'
UPDATE token SET token = 'abcd' WHERE rowid = 1
UPDATE player SET address = 'eve@x.example' WHERE id = 1
UPDATE player SET address = upper(address) WHERE id = 2
UPDATE player SET key_serial = key_serial + 1 WHERE id = 1
UPDATE player SET banned = 1 WHERE id = 2
UPDATE player SET confirmed = 0 WHERE id = 1
UPDATE player SET press = 0 WHERE id = 1
UPDATE player SET mail = 'none' WHERE id = 1
UPDATE player SET heard = heard - 3600000000
UPDATE player SET language = 'de' WHERE id = 1
UPDATE player SET name = name || ' ' WHERE id = 1
UPDATE player SET name = CAST(x'416effff' AS text) WHERE id = 1
INSERT INTO further (player_id, address, added) VALUES (1, 'eve@x.example', 0)
INSERT INTO block (player_id, other_id) VALUES (1, 2)
INSERT INTO leave (player_id, first, last) VALUES (1, '2026-01-01', '2027-01-01')
INSERT INTO ban (address, made) VALUES ('eve@x.example', 0)
INSERT INTO subscription (player_id, token, active, made) VALUES (2, 'x', 1, 0)
INSERT INTO watch (game_id, player_id) VALUES (1, 2)
INSERT INTO patrol (persona_id, pledge_id, words, state, made) VALUES (1, 1, '{}', 'open', 0)
UPDATE place SET sheet = replace(sheet, 'SCAN', 'OPEN')
UPDATE place SET sheet = '{}' WHERE id = 1
UPDATE place SET before = before || ' '
UPDATE place SET words = replace(words, '[', '["mine"') WHERE id = 1
UPDATE place SET misses = misses + 1 WHERE id = 2
UPDATE place SET answered = 1 - answered
UPDATE place SET asked = 1 - asked WHERE id = 1
UPDATE place SET draw = 1 WHERE id = 1
UPDATE place SET vacant = 1 WHERE id = 1
UPDATE place SET player_id = 3 - player_id
UPDATE place SET persona_id = 1 WHERE id = 2
UPDATE place SET reported_to = 0 WHERE id = 1
UPDATE place SET thread = '[]' WHERE id = 1
DELETE FROM place WHERE id = 2
UPDATE letter SET state = 'received' WHERE id = 4
UPDATE letter SET state = 'discarded' WHERE id = 5
UPDATE letter SET received = received - 86400000000 WHERE id = 3
UPDATE letter SET sha256 = replace(sha256, substr(sha256, 1, 1), 'f')
UPDATE letter SET player_id = NULL WHERE player_id = 1
UPDATE letter SET tries = 2 WHERE id = 3
UPDATE letter SET checked = 'confirmed' WHERE id = 3
DELETE FROM letter WHERE id = 6
UPDATE letter SET content = substr(content, 1, length(content) - 1) WHERE id = 3
UPDATE letter SET content = x'' WHERE id = 4
UPDATE letter SET id = 99 WHERE id = 5
UPDATE step SET rolls = replace(rolls, '1', '2') WHERE rolls LIKE '%1%'
UPDATE step SET events = replace(events, 'SCAN', 'scan')
UPDATE step SET orders = orders || ' ' WHERE n = 1
UPDATE step SET digest = replace(digest, 'a', 'b')
UPDATE step SET at = at + 1 WHERE n = 0
UPDATE step SET passed = '[]', source = source || ' ' WHERE n = 1
UPDATE step SET n = n + 100 WHERE n = 1
UPDATE step SET words = replace(words, '[', '["x"') WHERE n = 2
DELETE FROM step WHERE n = (SELECT max(n) FROM step)
UPDATE game SET setup = replace(setup, 'Hawk', 'Hack')
UPDATE game SET secret = zeroblob(32)
UPDATE game SET deadline = deadline + 3600000000
UPDATE game SET running = 0
UPDATE game SET sequence = sequence + 1
UPDATE game SET turn = turn + 1
UPDATE game SET major = 'x'
UPDATE game SET practice = 1
UPDATE game SET reminded = 12.0
UPDATE game SET id = 2
UPDATE entry SET points = points + 10
UPDATE entry SET facts = '{"x": 1}' WHERE id = 1
UPDATE entry SET game_id = 1 WHERE id = 1
DELETE FROM entry WHERE id = 2
UPDATE reward SET secret = zeroblob(32) WHERE id = 1
UPDATE reward SET roll = 6 WHERE id = 1
INSERT INTO nomination SELECT 1, 1, 1, 2, 'x', 0, 'given', NULL
UPDATE outgoing SET state = 'queued' WHERE id = 1
UPDATE outgoing SET recipient = 'eve@x.example' WHERE id = 2
UPDATE outgoing SET sent = NULL WHERE id = 3
UPDATE outgoing SET player_id = 2 WHERE player_id = 1
UPDATE outgoing SET due = due + 1 WHERE id = 4
DELETE FROM outgoing WHERE id = 5
UPDATE outgoing SET content = substr(content, 1, 9) || 'FIRE' WHERE id > 9
UPDATE outgoing SET content = (SELECT content FROM letter WHERE id = 2)
UPDATE challenge SET state = 'open'
UPDATE challenge SET one_id = other_id, other_id = one_id
UPDATE round SET letters = '[]'
UPDATE round SET at = at + 1 WHERE id = 1
INSERT INTO round (at, letters, ruling, settings) VALUES (9, '[]', 'PAUSE ALL', '')
DELETE FROM round WHERE id = 3
UPDATE meta SET value = '00' WHERE key = 'secret'
UPDATE meta SET value = replace(replace(value, 'a', '0'), 'b', '1') WHERE key = 'secret'
UPDATE meta SET value = '2001-01-01T00:00:00+00:00' WHERE key = 'last_poll'
UPDATE meta SET value = '0' WHERE key = 'schema'
UPDATE meta SET value = '99' WHERE key = 'schema'
UPDATE meta SET key = 'secret2' WHERE key = 'secret'
DELETE FROM meta WHERE key = 'last_poll'
DELETE FROM meta
INSERT INTO meta (key, value) VALUES ('x', 'y')
UPDATE story SET text = text || '!'
UPDATE story SET public = 1 - public
DELETE FROM story
UPDATE turnout SET met = 1 - met
UPDATE tally SET so_far = so_far + 1
INSERT INTO ruling (game_id, after, text, said, made) VALUES (1, 0, 'x', '', 0)
UPDATE seal SET digest = zeroblob(16) WHERE row = 'game 1'
DELETE FROM seal WHERE row = 'step 2'
DELETE FROM seal
UPDATE total SET rows = rows + 1 WHERE name = 'player'
DELETE FROM total
DELETE FROM entry WHERE id = 2; DELETE FROM seal WHERE row = 'entry 2'
DROP TABLE story
DROP INDEX player_address
UPDATE story SET id = id + 100
INSERT INTO story SELECT id + 50, game_id, seat, player_id, after, text, public FROM story
""".strip().splitlines()
"""What somebody might do to a league with SQL, a line each."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a league with play in it, as it is when nobody works with it."""
    folder = tmp_path_factory.mktemp("league")
    with open_league(folder, entropy=fixed_entropy) as league:
        play(league)
        league.store.run("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder / "league.db"


def spoiled(sound: Path, folder: Path, statements: str) -> str:
    """Return the URL of a copy to which somebody has done something."""
    copy = folder / "copy.db"
    shutil.copy(sound, copy)
    with closing(sqlite3.connect(copy)) as database:
        before = database.total_changes
        database.executescript(statements)
        assert database.total_changes > before or "DROP" in statements, "it changes nothing"
        database.commit()
    return f"sqlite:///{copy}"


def test_hostile_books_a_sound_league_is_sound(sound: Path) -> None:
    assert list(fsck.inspect(f"sqlite:///{sound}")) == []


@pytest.mark.parametrize("statements", KINDS)
def test_hostile_books_fsck_finds(sound: Path, tmp_path: Path, statements: str) -> None:
    found = list(fsck.inspect(spoiled(sound, tmp_path, statements)))
    assert found
    assert len(found) < 200


def test_hostile_books_one_flipped_bit_anywhere_is_found(sound: Path, tmp_path: Path) -> None:
    """One bit of each of some rows' bytes, wherever they lie in the file."""
    whole = sound.read_bytes()
    for number, words in enumerate((b"The rain fell", b"Hawk", b'"hp":', b"ann@league.example")):
        raw, at = bytearray(whole), whole.rindex(words)
        raw[at] ^= 1
        file = tmp_path / f"{number}.db"
        file.write_bytes(raw)
        assert list(fsck.inspect(f"sqlite:///{file}")), words


Spoil = Callable[[sqlite3.Connection], object]


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    with open_league(tmp_path, entropy=fixed_entropy) as opened:
        play(opened)
        yield opened


def by_hand(league: League, statement: str) -> None:
    """Change something by SQL while the league is at work."""
    with closing(sqlite3.connect(league.store.url.removeprefix("sqlite:///"))) as database:
        database.execute(statement)
        database.commit()


def parts(store: Store) -> set[tuple[str, str]]:
    """Return which rows of which tables are wrong."""
    return {(one.table, one.key) for one in store.broken()}


class TestThatPbemWritesOn:
    """What was changed by hand stays found, although pbem changes the same row again."""

    def test_hostile_books_a_row_that_is_changed_again(
        self, league: League, caplog: pytest.LogCaptureFixture
    ) -> None:
        by_hand(league, "UPDATE player SET key_serial = 9 WHERE id = 1")
        league.store.players.change(1, mail="turns")
        league.store.players.change_all({"press": True}, format="html")
        assert parts(league.store) == {("player", "1")}
        assert "player 1" in caplog.text

    def test_hostile_books_a_token_that_lives_longer(self, league: League) -> None:
        token = league.store.tokens.all()[0]
        by_hand(league, f"UPDATE token SET turn = 7 WHERE token = '{token.token}'")
        league.store.remember_token(**token._asdict())
        assert parts(league.store) == {("token", token.token)}

    def test_hostile_books_the_number_of_a_row_that_was_removed(self, league: League) -> None:
        last = league.store.stories.highest()
        by_hand(league, f"DELETE FROM story WHERE id = {last}")
        league.store.stories.insert(game=1, seat="Hawk", after=1, text="anew", public=True)
        assert league.store.stories.highest() == last
        assert parts(league.store) == {("story", str(last))}

    def test_hostile_books_what_is_done_in_vain_changes_no_seal(self, league: League) -> None:
        def in_vain() -> None:
            with league.store.transaction():
                league.store.players.change(1, mail="none")
                league.store.players.remove(id=2)
                raise Undone

        with pytest.raises(Undone):
            in_vain()
        with league.store.transaction():
            with pytest.raises(Undone):
                in_vain()
            league.store.players.change(1, mail="none")
        assert league.store.broken() == []

    def test_hostile_books_what_goes_with_a_row_is_unsealed_with_it(self, league: League) -> None:
        league.store.players.remove(id=1)
        assert league.store.places.count(player=1) == 0
        assert league.store.broken() == []


class TestAcceptance:
    def run(self, league: League, tmp_path: Path, *words: str) -> tuple[int, str]:
        """Run `pbem fsck`."""
        section = {"name": "Avalon League", "address": REFEREE}
        config = write_league(tmp_path, {"league": section, "store": {"url": league.store.url}})
        done = pbem("--config", config, "fsck", *words)
        return done.returncode, (done.stdout + done.stderr).decode()

    def test_hostile_books_what_a_moderator_mended_is_accepted(
        self, league: League, tmp_path: Path
    ) -> None:
        by_hand(league, "UPDATE persona SET side = 'alliance' WHERE id = 1")
        status, told = self.run(league, tmp_path)
        assert status == 1
        assert "WRONG  persona, 1: it is not as pbem wrote it" in told
        assert "pbem restore" in told
        assert self.run(league, tmp_path, "--accept", " ")[0] == 2
        status, told = self.run(league, tmp_path, "--accept", "he asked for it")
        assert status == 0
        assert "ACCEPTED  persona, 1" in told
        assert self.run(league, tmp_path) == (0, "Nothing is wrong.\n")
        noted = league.store.rounds.all()[-1].ruling
        assert noted == "ACCEPT BOOKS 1 rows: he asked for it"

    def test_hostile_books_json_names_each_row(self, league: League, tmp_path: Path) -> None:
        by_hand(league, "DELETE FROM turnout WHERE id = 1")
        status, told = self.run(league, tmp_path, "--json")
        assert status == 1
        assert [(one["part"], one["where"]) for one in json.loads(told)] == [("turnout", "1")]


def test_hostile_books_no_table_is_left_out(league: League) -> None:
    made = {name for name in league.store.database.get_tables() if not name.startswith("sqlite_")}
    assert made == {table.name for table in (*SEALED, *CHECKS)}
