"""A database of an earlier version is brought up to date, and nothing in it is lost."""

from pathlib import Path

from peewee import SqliteDatabase

from pbem.store import Store
from pbem.store.migrations import VERSION
from tests.house import open_house
from tests.players import HAWK, words

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
