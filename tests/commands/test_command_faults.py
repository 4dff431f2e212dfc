"""A command with a spoiled database, or with an output that nobody reads ends in a line at most."""

import os
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pbem import cli
from tests.support.harness import open_league
from tests.support.program import PBEM, environment, write_league

QUEUES = ("shunted", "held", "outbox", "posts")
WITH_DATABASE = (
    *("status", "players", "games", "letters", "audit", "game 1", "game 1 --export"),
    *("gm PAUSE ALL", "gm STATUS", "person show x", "person erase x --yes", "backup", "fsck"),
    *("rebuild new.db", "explain 1"),
    *("newsletter", "newsletter --preview", "newsletter --now"),
    *(f"{noun} {act}" for noun in QUEUES for act in ("list", "show 1", "drop 1 --reason x")),
    *("shunted retry 1", "held release 1", "outbox retry", "posts retry 1"),
)
THAT_TELL = ("check", "health", "fsck")
"""Commands whose result is what is wrong."""
WITHOUT = {"init", "replay", "read", "dice", "verify", "system", "demo"}
ELSEWHERE = {"run", "once", "move", "restore"}
"""Commands that may make a database, and are tried in tests of their own."""


def test_the_sweep_leaves_no_command_out() -> None:
    swept = {words.split()[0] for words in (*WITH_DATABASE, *THAT_TELL)}
    assert swept | WITHOUT | ELSEWHERE == set(cli.COMMANDS)


def no_database(file: Path) -> None:
    file.write_bytes(b"This is no database.\n" * 400)


def empty(file: Path) -> None:
    file.write_bytes(b"")


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:20_000])


def of_a_later_version(file: Path) -> None:
    with closing(sqlite3.connect(file)) as books, books:
        books.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")


def of_another_program(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as books, books:
        books.execute("CREATE TABLE bookmarks (page text)")


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


SPOILED = (no_database, empty, cut_off, of_a_later_version, of_another_program, folder)


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The database of a league."""
    place = tmp_path_factory.mktemp("books")
    with open_league(place):
        pass
    return (place / "league.db").read_bytes()


@pytest.fixture
def league(tmp_path: Path, books: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings of a league in the current folder, with its database."""
    monkeypatch.chdir(tmp_path)
    section = {"name": "Avalon", "address": "referee@league.example"}
    for folder in ("cur", "new", "tmp"):
        (tmp_path / "Maildir" / folder).mkdir(parents=True)
    (tmp_path / "league.db").write_bytes(books)
    return write_league(tmp_path, {"league": section, "maildir": {"path": "Maildir", "out": "out"}})


@pytest.mark.parametrize("spoil", SPOILED, ids=lambda one: one.__name__)
def test_a_database_that_can_not_be_used_is_told_in_one_line(
    spoil: Callable[[Path], None],
    league: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    spoil(Path("league.db"))
    for words in (*WITH_DATABASE, *THAT_TELL):
        if (spoil, words) == (empty, "check"):
            continue  # It makes a database where there is none yet.
        status = cli.main(["--config", str(league), *words.split()])
        out, err = capsys.readouterr()
        if status == 2:
            assert (words, out, err.count("\n")) == (words, "", 1)
            assert err.startswith("pbem: ")
        else:
            assert (words, status, err) == (words, 1, "")
            assert words in THAT_TELL
            assert "WRONG " in out


@pytest.mark.parametrize(
    "words", ["status", "--help", "status --help", "--version", "verify --print-script"]
)
def test_an_output_that_nobody_reads_is_no_error(league: Path, words: str) -> None:
    """Such as that of `pbem status | head -1`."""
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as pipe:
        environ = environment(PBEM_CONFIG=str(league))
        command = [*PBEM, *words.split()]
        done = subprocess.run(
            command, stdout=pipe, stderr=subprocess.PIPE, env=environ, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")
