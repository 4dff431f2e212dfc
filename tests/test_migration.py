"""A database of an earlier version is brought up to date, and nothing in it is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from peewee import SqliteDatabase

from pbem.games import export
from pbem.store import Store
from pbem.store.migrations import VERSION
from tests.house import open_house
from tests.players import HAWK, STANDING, parsed, words

NEW_TABLES = ("endorsement", "nomination", "reward", "entry")
NEW_COLUMNS = (("challenge", "major"), ("game", "major"))


def take_back_to_version_1(path: Path) -> None:
    """Undo the second migration in a database."""
    database = SqliteDatabase(path)
    for table in NEW_TABLES:
        database.execute_sql(f"DROP TABLE {table}")
    for table, column in NEW_COLUMNS:
        database.execute_sql(f"ALTER TABLE {table} DROP COLUMN {column}")
    database.execute_sql("UPDATE meta SET value = '1' WHERE key = 'schema'")
    database.close()


def test_careers_are_added_to_a_database_without_them(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        ann = house.person("Ann")
        ann.join()
        ann.ask(HAWK)
    take_back_to_version_1(tmp_path / "league.db")
    store = Store(f"sqlite:///{tmp_path / 'league.db'}")
    assert store.migrated_from == 1
    assert [row.name for row in store.personas.all()] == ["Hawk"]
    for table, column in NEW_COLUMNS:
        assert column in {known.name for known in store.database.get_columns(table)}
    store.close()
    with open_house(tmp_path) as house:
        assert house.store.migrated_from == VERSION
        again = house.person("Ann")
        key = words(ann.last_about("Welcome")).split("key is ")[1].split(". ")[0]
        again.write(f"SHEET Hawk\nKEY {key}\nSTATUS")
        [answer] = again.new()
        assert "the commitment; keep it" in words(answer)


PLAYED = "row 17 human: no other row took it"
OLD = Path(__file__).parent / "leagues" / "version-5.sql"
"""A league as version 5 left it: Hawk and Kestrel in the midst of a duel."""


def counts(path: Path) -> dict[str, int]:
    """Give the number of rows in each table."""
    with closing(sqlite3.connect(path)) as database:
        tables = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        names = [name for (name,) in tables.fetchall()]
        return {
            name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names
        }


def columns(path: Path) -> dict[str, set[str]]:
    """Give the columns of each table."""
    database = SqliteDatabase(path)
    found = {
        table: {column.name for column in database.get_columns(table)}
        for table in database.get_tables()
    }
    database.close()
    return found


@pytest.fixture
def old_league(tmp_path: Path) -> Path:
    path = tmp_path / "league.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(OLD.read_text())
    return path


def test_no_row_of_an_old_league_is_lost(old_league: Path) -> None:
    before = counts(old_league)
    assert all(before[table] for table in ("step", "token", "place"))
    Store(f"sqlite:///{old_league}").close()
    after = counts(old_league)
    assert {table: after[table] for table in before} == before
    with closing(sqlite3.connect(old_league)) as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def test_an_old_database_becomes_what_a_new_one_is(old_league: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    for path in (old_league, new):
        Store(f"sqlite:///{path}").close()
    assert columns(old_league) == columns(new)


def test_a_duel_begun_under_an_old_version_is_played_to_its_end(old_league: Path) -> None:
    with open_house(old_league.parent, turns_per_letter=36) as house:
        people = [house.person("Ann"), house.person("Bob")]
        reports = [parsed(house.store.outbox.all(player=n)[-1].content) for n in (1, 2)]
        for person, report in zip(people, reports, strict=True):
            person.sent = [report] * 20  # their earlier letters had those numbers
            person.reply(STANDING, report)
        while house.work().handled and house.game.running:
            for person in people:
                person.reply(STANDING)
        assert not house.game.running
        assert {letter.reason for letter in house.store.letters.all(id__gt=10)} == {PLAYED}
        assert all(finding.ok for finding in export.verify(house.office.export(house.game)))
