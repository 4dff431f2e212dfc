"""Backups: consistent while the league is at work, kept in turn, and put back without loss."""

import json
import os
import sqlite3
import tarfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.channels.mail.maildir import make_maildir
from pbem.maintenance import backup
from pbem.maintenance.backup import BackupError, in_turn
from pbem.service.backup_age import AUTOMATIC, BY_HAND, UPGRADE
from pbem.service.lock import LOCK, only_one
from pbem.settings.load import load
from pbem.storage import Game, Player, Store, StoreDown
from tests.support.harness import START, League, duel, open_league
from tests.support.players import REFEREE
from tests.support.program import pbem, write_league

MOMENTS = st.integers(0, 700 * 24).map(lambda hours: START + timedelta(hours=hours))


@pytest.fixture
def config(league: League, tmp_path: Path) -> Path:
    smtp = {"host": "localhost", "user": REFEREE, "password_file": "password"}
    section = {"name": "Avalon League", "address": REFEREE}
    return write_league(
        tmp_path, {"league": section, "smtp": smtp, "store": {"url": league.store.url}}
    )


def make(config: Path, now: datetime = START, kind: str = BY_HAND) -> backup.Made:
    return backup.make(load(config, {}), config, config.parent / "copies", now, kind)


def test_a_backup_amid_an_open_transaction_holds_what_was_committed(
    league: League, config: Path
) -> None:
    duel(league)
    games = league.store.count(Game.select())
    with league.store.transaction():
        league.store.create(
            Player, name="Zoe", folded="zoe", address="z@x.example", joined=START, heard=START
        )
        made = make(config)
    assert made.without == []
    assert made.file.stat().st_mode & 0o777 == 0o600
    with tarfile.open(made.file) as archive:
        assert sorted(archive.getnames()) == ["league.db", "league.toml", "secrets/password"]
        archive.extract("league.db", config.parent / "out", filter="data")
    found = sqlite3.connect(config.parent / "out" / "league.db")
    assert found.execute("SELECT count(*) FROM game").fetchone() == (games,)
    assert found.execute("SELECT count(*) FROM player").fetchone() == (2,)
    found.close()
    assert [file.name for file in made.file.parent.iterdir()] == [made.file.name]


def test_a_league_goes_on_from_its_backup_with_the_same_dice(
    league: League, config: Path, tmp_path: Path
) -> None:
    ann, _ = duel(league)
    made = make(config)
    secret, report = league.game.secret, ann.last
    league.close()
    new = tmp_path / "new" / "league.toml"
    new.parent.mkdir()
    new.write_text(config.read_text().replace("league.db", "new/league.db"))
    told = pbem("--config", new, "restore", made.file, "--json")
    assert told.returncode == 0, told.stderr
    facts = json.loads(told.stdout)
    assert (facts["players"], facts["games"], facts["old_database"]) == (2, 1, None)
    assert (new.parent / "password").read_text() == "referee-secret"
    make_maildir(new.parent / "in")
    with open_league(new.parent) as again:
        assert again.game.secret == secret
        answer = again.person("Ann")
        answer.reply("SCAN", report)
        assert len(answer.new()) == 1
        assert again.last_letter().state == "answered"


def test_a_folder_that_is_named_is_made(league: League, config: Path, tmp_path: Path) -> None:
    made = make(config)
    league.close()
    told = pbem("--config", tmp_path / "moved", "restore", made.file)
    assert told.returncode == 0, told.stderr
    found = {file.name for file in (tmp_path / "moved").iterdir()}
    assert {"league.toml", "password"} <= found


def test_over_a_league_with_players_only_by_force_and_the_old_one_is_kept(
    league: League, config: Path
) -> None:
    made = make(config)
    duel(league)
    league.close()
    refused = pbem("--config", config, "restore", made.file)
    assert refused.returncode == 2
    assert b"holds 2 players" in refused.stderr
    settings = load(config, {})
    done = backup.restore(settings, made.file, START, force=True)
    assert done.held == {"players": 0, "letters": 0, "games": 0}
    assert done.old_file is not None
    old_file = sqlite3.connect(done.old_file)
    assert old_file.execute("SELECT count(*) FROM player").fetchone() == (2,)
    old_file.close()


def test_not_while_a_daemon_runs(league: League, config: Path) -> None:
    made = make(config)
    with only_one(load(config, {})):
        refused = pbem("--config", config, "restore", made.file, "--force")
    assert (refused.returncode, refused.stderr.count(b"\n")) == (2, 1)
    assert b"another pbem works" in refused.stderr


def test_not_while_a_daemon_runs_that_systemd_started(
    league: League, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daemon knows its state folder from systemd; a command in a shell does not."""
    made = make(config)
    elsewhere = config.parent / "etc"
    elsewhere.mkdir()
    (elsewhere / "league.toml").write_text(config.read_text())
    assert league.store.url.startswith("sqlite:////")
    monkeypatch.setenv("STATE_DIRECTORY", str(config.parent))
    with only_one(load(elsewhere / "league.toml", {})):
        monkeypatch.delenv("STATE_DIRECTORY")
        for words in (("once",), ("restore", made.file, "--force")):
            refused = pbem("--config", elsewhere, *words)
            assert (refused.returncode, refused.stderr.count(b"\n")) == (2, 1)
            assert b"another pbem works" in refused.stderr


def test_what_root_makes_belongs_to_the_service_that_must_open_it(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = set[str]()

    def chown(file: Path | str, user: int, group: int, **_: object) -> None:
        folder = Path(file).parent.stat()
        assert (user, group) == (folder.st_uid, folder.st_gid)
        given.add(Path(file).name)

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", chown)
    made = make(config)
    assert given >= {"copies", made.file.name}
    settings = load(config, {})
    with only_one(settings):
        backup.restore(settings, made.file, START, force=True)
    assert given >= {LOCK, "league.db.restoring"}
    Store(f"sqlite:///{config.parent / 'new.db'}").close()
    assert "new.db" in given


def test_of_what_is_no_backup_or_a_damaged_one_changes_nothing(
    league: League, config: Path
) -> None:
    made, settings = make(config), load(config, {})
    whole = made.file.read_bytes()
    before = Path(league.store.url.removeprefix("sqlite:///")).stat().st_ino
    for bad in (b"", b"no tar", whole[: len(whole) // 2], whole[:-40]):
        made.file.write_bytes(bad)
        with pytest.raises(BackupError):
            backup.restore(settings, made.file, START, force=True)
    empty = config.parent / "other.tar"
    with tarfile.open(empty, "w") as archive:
        archive.add(config, "league.db")
    with pytest.raises(StoreDown):
        backup.restore(settings, empty, START, force=True)
    assert Path(league.store.url.removeprefix("sqlite:///")).stat().st_ino == before
    assert not list(config.parent.glob("*.restoring"))


def test_a_backup_that_names_files_elsewhere_writes_none(league: League, config: Path) -> None:
    bad = config.parent / "bad.tar"
    with tarfile.open(bad, "w") as archive:
        archive.add(config, "secrets/../../evil")
        archive.add(config, "/tmp/evil")
    fresh = config.parent / "deep" / "league.toml"
    fresh.parent.mkdir()
    assert backup.unpack_config(bad, fresh) == []
    assert list(fresh.parent.iterdir()) == []


def test_only_automatic_backups_out_of_turn_are_removed(league: League, config: Path) -> None:
    folder = config.parent / "copies"
    folder.mkdir()
    (folder / "mine.tar.gz").touch()
    by_hand = [make(config, START + timedelta(hours=12 * n)).file for n in range(20)]
    by_hand.append(make(config, START, UPGRADE).file)
    # In the same second, and yet not in the place of the first.
    by_hand.append(make(config, START).file)
    assert len(set(by_hand)) == 22
    made = [make(config, START + timedelta(hours=12 * n), AUTOMATIC) for n in range(40)]
    assert all(file.exists() for file in by_hand)
    stay = sorted(file.name for file in folder.glob("pbem-auto-*"))
    days = {(START + timedelta(hours=12 * n)).date() for n in range(40)}
    assert len(days) > 7
    assert len(stay) == 7 + 2
    assert made[-1].file.name in stay
    assert (folder / "mine.tar.gz").exists()


@given(st.sets(MOMENTS, min_size=1), st.integers(0, 10), st.integers(0, 10))
def test_the_newest_always_stays_and_never_more_than_asked(
    moments: set[datetime], daily: int, weekly: int
) -> None:
    stay = in_turn(moments, daily, weekly)
    assert max(moments) in stay
    assert stay <= moments
    assert len(stay) <= max(1, daily + weekly)
    assert len({moment.date() for moment in stay}) == len(stay)
