"""The seals against whole sets of rows, seals and totals that agree with each other."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.maintenance import fsck
from pbem.storage import Store
from pbem.storage.migrations import UNSEALED
from pbem.storage.records import SEALED
from tests.support.harness import League, duel, open_league

TABLES = [table.name for table in SEALED]


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The file of a league, and that of the same some turns before."""
    folder = tmp_path_factory.mktemp("league")
    with open_league(folder) as league:
        ann, bob = duel(league)
        _checkpointed(league)
        shutil.copy(folder / "league.db", folder / "old.db")
        for _ in range(3):
            ann.reply("SCAN\nADVANCE\n\nThe rain fell.", ann.last_about("[G1"))
            bob.reply("SCAN\nADVANCE", bob.last_about("[G1"))
            league.later(2)
            league.work()
        _checkpointed(league)
    return folder / "league.db", folder / "old.db"


def _checkpointed(league: League) -> None:
    league.store.run("PRAGMA wal_checkpoint(TRUNCATE)")


def found_after(
    states: tuple[Path, Path], folder: Path, *statements: str
) -> list[fsck.Fault] | None:
    """What fsck finds after some SQL, which may read the `old` state; None if nothing changed."""
    copy = folder / "copy.db"
    for path in folder.glob("copy.db*"):
        path.unlink()
    shutil.copy(states[0], copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        before = _all_rows(database)
        database.execute("ATTACH ? AS old", (str(states[1]),))
        for statement in statements:
            database.execute(statement)
        if _all_rows(database) == before:
            return None
    return list(fsck.inspect(f"sqlite:///{copy}"))


def _all_rows(database: sqlite3.Connection) -> list[list[object]]:
    made = database.execute("SELECT name, sql FROM main.sqlite_master ORDER BY name").fetchall()
    named = (*TABLES, "seal", "total")
    return [made, *([*database.execute(f'SELECT * FROM main."{one}" ORDER BY 1')] for one in named)]


def test_hostile_books_a_table_put_back_with_its_seals_and_total(
    states: tuple[Path, Path], tmp_path: Path
) -> None:
    """All of it agrees with itself, but not with the other tables."""
    assert found_after(states, tmp_path, "UPDATE player SET name = name") is None
    found = {name: found_after(states, tmp_path, *_put_back(name)) for name in TABLES}
    tried = {name: faults for name, faults in found.items() if faults is not None}
    assert len(tried) > 8
    assert [name for name, faults in tried.items() if not faults] == []


def _put_back(name: str) -> list[str]:
    return [
        f'DELETE FROM main."{name}"',
        f'INSERT INTO main."{name}" SELECT * FROM old."{name}"',
        f"DELETE FROM main.seal WHERE row LIKE '{name} %'",
        f"INSERT INTO main.seal SELECT * FROM old.seal WHERE row LIKE '{name} %'",
        f"DELETE FROM main.total WHERE name = '{name}'",
        f"INSERT INTO main.total SELECT * FROM old.total WHERE name = '{name}'",
    ]


def test_hostile_books_a_table_emptied_with_its_seals_and_total(
    states: tuple[Path, Path], tmp_path: Path
) -> None:
    for name in ("story", "token", "entry", "round", "letter", "outgoing"):
        empty = [line for line in _put_back(name) if line.startswith("DELETE")]
        assert found_after(states, tmp_path, *empty), name
        whole = "DELETE FROM main.total WHERE name = '*'"
        assert found_after(states, tmp_path, *empty, whole), name


@pytest.mark.parametrize(
    "statements",
    [
        [f"INSERT INTO meta (key, value) VALUES ('{UNSEALED}', '1')"],
        ["DELETE FROM seal", "DELETE FROM total", "DELETE FROM meta WHERE key = 'secret'"],
    ],
)
def test_hostile_books_nothing_has_all_rows_sealed_anew(
    states: tuple[Path, Path], tmp_path: Path, statements: list[str]
) -> None:
    """Neither the mark of a migration, nor a league's secret that is drawn again."""
    change = "UPDATE player SET address = 'eve@x.example' WHERE id = 1"
    assert found_after(states, tmp_path, change, *statements)


def test_hostile_books_a_trigger_that_changes_what_is_written(
    states: tuple[Path, Path], tmp_path: Path
) -> None:
    """It changes a row after the program wrote it, and before that is sealed."""
    made = (
        "CREATE TRIGGER evil AFTER INSERT ON further BEGIN"
        " UPDATE further SET address = 'eve@x.example' WHERE id = NEW.id; END"
    )
    found = found_after(states, tmp_path, made)
    assert found is not None
    assert [fault.text for fault in found] == ["pbem has made no trigger or view evil"]


def test_hostile_books_a_total_that_was_changed_stays_wrong(
    states: tuple[Path, Path], tmp_path: Path
) -> None:
    """Although pbem writes on."""
    copy = tmp_path / "copy.db"
    old = "(SELECT {0} FROM old.total WHERE name = 'round')"
    rows, digest = old.format("rows"), old.format("digest")
    change = f"UPDATE main.total SET rows = {rows}, digest = {digest} WHERE name = 'round'"
    assert found_after(states, tmp_path, change)
    with closing(Store(f"sqlite:///{copy}")) as store:
        store.set_meta("x", "y")
        store.rounds.insert(at=store.rounds.all()[0].at)
        assert {one.what for one in store.broken()} == {"total", "whole"}
