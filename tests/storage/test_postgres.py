"""What a server can do to a database that a file can't: be down, refuse, forget, and be shared."""

import json
import signal
import tarfile
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import peewee
import pytest
from peewee import fn

from pbem.storage import Ban, Game, Letter, Outgoing, Store, StoreDown, queues
from pbem.storage.migrations import newest
from tests.servers.daemon import LOOPBACK, free_address
from tests.servers.disks import filled, small_disk
from tests.servers.host import MailHost
from tests.servers.postgres import LEAGUE, PASSWORD, Postgres
from tests.support.harness import League, duel, open_league
from tests.support.players import mail_program
from tests.support.program import pbem, running, sections, started, write_league

pytestmark = pytest.mark.services
NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


class TestThatCannotBeOpened:
    """Each is reported in one sentence that says which database and why, and never its password."""

    @staticmethod
    def refusal(url: str) -> str:
        with pytest.raises(StoreDown) as down:
            Store(url)
        assert PASSWORD not in str(down.value)
        assert "over" not in str(down.value)
        assert "\n" not in str(down.value)
        return str(down.value)

    def test_a_wrong_password(self, postgres: Postgres) -> None:
        found = self.refusal(postgres.url("postgres", password="over"))
        assert f'authentication failed for user "{LEAGUE}"' in found
        assert f"{LEAGUE}@{LOOPBACK}" in found

    def test_a_password_in_the_query(self, postgres: Postgres) -> None:
        assert "password=***" in self.refusal(postgres.url("postgres") + "?password=over")

    def test_no_such_database(self, postgres: Postgres) -> None:
        assert 'database "nowhere" does not exist' in self.refusal(postgres.url("nowhere"))

    def test_no_server(self) -> None:
        assert "refused" in self.refusal(f"postgres://pbem@{LOOPBACK}:{free_address()[1]}/pbem")

    def test_another_encoding(self, postgres: Postgres) -> None:
        found = self.refusal(postgres.new("ENCODING 'SQL_ASCII' LOCALE 'C'"))
        assert "createdb -T template0 -E UTF8" in found

    def test_one_that_belongs_to_somebody_else(self, postgres: Postgres) -> None:
        assert "must belong to the user" in self.refusal(postgres.url("postgres"))

    @pytest.mark.parametrize("password", ["ov/over", "ov@over", "ov:over@1"])
    def test_a_password_that_is_not_quoted(self, password: str) -> None:
        assert "pbem@localhost:1/x" in self.refusal(f"postgres://pbem:{password}@localhost:1/x")

    def test_a_url_without_a_database(self) -> None:
        assert "write it like sqlite:///league.db or postgres://" in self.refusal("postgres://pbem")

    def test_without_its_driver(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(peewee, "psycopg", None)
        assert "pip install 'pbem[postgres]'" in self.refusal("postgresql://localhost/pbem")

    def test_by_a_command(self, postgres: Postgres, tmp_path: Path) -> None:
        url = postgres.url("nowhere")
        config = write_league(tmp_path, offline(tmp_path) | {"store": {"url": url}})
        done = pbem("--config", config, "status")
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.count(b"\n") == 1
        assert b"does not exist" in done.stderr


def offline(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the settings of a league whose letters come and go in folders."""
    maildir = str(folder / "in")
    return {
        "league": {"name": "Avalon", "address": "referee@league.example"},
        "maildir": {"path": maildir, "out": str(folder / "out")},
    }


class TestThatCannotBeWritten:
    def test_one_that_may_only_be_read(self, postgres: Postgres) -> None:
        url = postgres.new()
        Store(url).close()
        postgres.do(f"ALTER DATABASE {url.rpartition('/')[2]} SET default_transaction_read_only=on")
        store = Store(url)
        with pytest.raises(StoreDown, match="its server only lets it be read"):
            store.set_meta("a", "b")
        store.close()

    def test_fault_13_one_on_a_full_disk_loses_nothing(
        self, postgres: Postgres, tmp_path: Path, disk: Path
    ) -> None:
        postgres.do(f"CREATE TABLESPACE small LOCATION '{disk}'")
        url = postgres.new("TABLESPACE small")
        with open_league(tmp_path, url=url) as league:
            ann = league.person("Ann")
            ann.join()
            for number in range(3):
                ann.reply(f"SHEET Pilot {number}\n" + 2000 * "and so on and on\n")
            with (
                filled(disk.parent),
                pytest.raises(StoreDown, match="the disk that holds the database is full"),
            ):
                league.work()
            assert len(ann.new()) == 3
        postgres.do(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")
        postgres.do("DROP TABLESPACE small")

    @pytest.fixture
    def disk(self, postgres: Postgres) -> Iterator[Path]:
        """A file system of 16 MiB that the server may write to."""
        folder = postgres.folder / "small"
        folder.mkdir()
        with small_disk(folder, "16m", "0777"):
            yield postgres.owned(folder / "space")


def test_what_was_erased_is_in_no_file_of_a_table(postgres: Postgres) -> None:
    words = b"the rain over Avalon tasted of copper"
    kept = zlib.compress(words, 6)
    with closing(Store(postgres.new())) as store:
        queues.queue(
            store, "", words, message_id="<1@x>", kind="k", recipient="r", due=NOW, made=NOW
        )
        assert in_files(postgres, kept)
        store.run(Outgoing.delete().where(Outgoing.id == 1))
        assert store.clean_files()
        assert not in_files(postgres, kept)


def in_files(postgres: Postgres, words: bytes) -> bool:
    """Return whether words are in a table's file, once all is written out."""
    postgres.do("CHECKPOINT")
    files = (file for file in (postgres.folder / "data" / "base").rglob("*") if file.is_file())
    return any(words in file.read_bytes() for file in files)


class TestThatIsLost:
    @pytest.fixture
    def store(self, postgres: Postgres) -> Iterator[Store]:
        opened = Store(postgres.new())
        yield opened
        opened.close()

    @pytest.mark.parametrize("how", ["fast", "immediate"])
    def test_it_is_found_again(self, store: Store, postgres: Postgres, how: str) -> None:
        store.set_meta("a", "b")
        with postgres.stopped(how):
            for act in (partial(store.meta, "a"), partial(store.set_meta, "a", "c")):
                with pytest.raises(StoreDown, match=r"going down|refused|closed the connection"):
                    act()
        assert store.meta("a") == "b"
        store.set_meta("a", "d")
        assert store.meta("a") == "d"

    def test_what_one_holds_is_held_again(self, store: Store, postgres: Postgres) -> None:
        """And nobody goes on who finds that another took it meanwhile."""
        store.hold()
        with postgres.stopped(), pytest.raises(StoreDown):
            store.meta("a")
        store.meta("a")
        with closing(Store(store.url)) as other:
            with pytest.raises(StoreDown, match="another pbem works"):
                other.hold()
            with postgres.stopped(), pytest.raises(StoreDown):
                other.meta("a")
            other.hold()
            other.meta("a")
            with pytest.raises(StoreDown):
                store.execute_sql("SELECT 1")
            with pytest.raises(StoreDown, match="another pbem works"):
                store.execute_sql("SELECT 1")

    def test_a_transaction_is_lost_as_a_whole(self, store: Store, postgres: Postgres) -> None:
        """Nothing of it is done on the new connection, as if the rest were all."""
        for more in (False, True):
            with pytest.raises(StoreDown, match="going down"):
                interrupted(store, postgres, more)
            assert not store.database.in_transaction()
            assert store.meta("a") is None

    def test_a_transaction_that_failed_unseen_is_not_committed(self, store: Store) -> None:
        with pytest.raises(StoreDown, match=r"the transaction was lost|transaction is aborted"):
            swallowing(store)
        assert store.meta("a") is None

    def test_at_any_statement(self, postgres: Postgres, tmp_path: Path) -> None:
        """Nothing is lost, and nothing is done twice."""
        at = 1
        while lost_at(tmp_path / str(at), at, postgres):
            at += 11
        assert at > 40


def interrupted(store: Store, postgres: Postgres, more: bool) -> None:
    """Write something, restart the server, and write more or just commit."""
    with store.transaction():
        store.set_meta("a", "b")
        with postgres.stopped():
            pass
        if more:
            store.set_meta("c", "d")


def swallowing(store: Store) -> None:
    """Ignore a statement that fails."""
    with store.transaction():
        store.set_meta("a", "b")
        with suppress(Exception):
            store.execute_sql("SELECT nothing")


def lost_at(folder: Path, at: int, postgres: Postgres) -> bool:
    """Cut the connection before a statement while letters are answered; return whether it was."""
    folder.mkdir()
    with open_league(folder, url=postgres.new()) as league:
        ann, cat = league.person("Ann"), league.person("Cat")
        ann.write("JOIN Ann Example")
        cat.write("Hello?")
        count, cursor = 0, league.store.database.cursor

        def cut(*given: Any) -> Any:
            nonlocal count
            count += 1
            if count == at:
                pid = league.store.database.connection().info.backend_pid
                postgres.do(f"SELECT pg_terminate_backend({pid}, 5000)")
            return cursor(*given)

        league.store.database.cursor = cut
        with suppress(StoreDown):
            league.work()
        lost, at = count >= at, 0
        league.work()
        all_is_well(league)
        for person in (ann, cat):
            assert len({each["Message-ID"] for each in person.letters}) == 1
        return lost


def all_is_well(league: League) -> None:
    """Everything was answered once, sent and moved."""
    assert league.store.count(Outgoing.select().where(Outgoing.state == "sent")) == 2
    assert (
        league.store.count(
            Letter.select().where(
                Letter.state == "answered", Letter.moved == True, Letter.tries == 0
            )
        )
        == 2
    )


class TestCommands:
    """Each does on a server what it does on a file, except that nothing is set aside there."""

    @pytest.fixture
    def config(self, postgres: Postgres, tmp_path: Path) -> Path:
        """A league with a duel, whose password is in a file."""
        url = postgres.new()
        with open_league(tmp_path, url=url, turns_per_letter=4) as league:
            ann, _ = duel(league)
            ann.reply("SCAN")
            league.work()
        return write_league(tmp_path, offline(tmp_path) | self.store(url), PASSWORD)

    @staticmethod
    def store(url: str) -> dict[str, dict[str, str]]:
        """Return the settings of a store whose password is in a file."""
        user, _, place = url.partition("@")
        bare = f"{user.rpartition(':')[0]}@{place}"
        return {"store": {"url": bare, "password_file": "password"}}

    @staticmethod
    def facts(config: Path, *words: object) -> dict[str, Any]:
        """Run a command, and return its output."""
        done = pbem("--config", config, *words, "--json")
        assert done.stderr == b""
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def test_status_and_fsck_and_a_ruling(self, config: Path) -> None:
        assert self.facts(config, "status")["running_battles"] == 1
        assert pbem("--config", config, "gm", "PAUSE", "1").returncode == 0
        assert pbem("--config", config, "fsck").stdout == b"Nothing is wrong.\n"
        checked = pbem("--config", config, "check").stdout.decode()
        assert "2 players, 1 battles" in checked

    def test_fsck_finds_what_is_wrong(self, config: Path, postgres: Postgres) -> None:
        name = config.read_text().split(f":{postgres.address[1]}/")[1].split('"')[0]
        postgres.do("UPDATE game SET running = false", name)
        done = pbem("--config", config, "fsck")
        assert done.returncode == 1
        assert b"WRONG  game, 1" in done.stdout

    def test_rebuild(self, config: Path, tmp_path: Path) -> None:
        found = self.facts(config, "rebuild", tmp_path / "new.db")
        assert found["differences"] == []

    def test_backup_and_restore(self, config: Path, tmp_path: Path, postgres: Postgres) -> None:
        made = self.facts(config, "backup")
        assert made["without"] == []
        with tarfile.open(made["backup"]) as archive:
            assert archive.getnames() == ["league.db", "league.toml", "secrets/password"]
        refused = pbem("--config", config, "restore", "--force", made["backup"])
        assert refused.returncode == 2
        assert b"holds a league; make a new one" in refused.stderr
        assert PASSWORD.encode() not in refused.stderr
        other = tmp_path / "other"
        other.mkdir()
        there = write_league(other, offline(other) | self.store(postgres.new()), PASSWORD)
        found = self.facts(there, "restore", made["backup"])
        assert (found["players"], found["games"]) == (2, 1)
        assert pbem("--config", there, "fsck").stdout == b"Nothing is wrong.\n"

    def test_a_league_moves_in_and_out(
        self, config: Path, tmp_path: Path, postgres: Postgres
    ) -> None:
        """Out of a server into a file, and from there into another server."""
        [line] = [line for line in config.read_text().splitlines() if line.startswith("url")]
        server = json.loads(line.removeprefix("url = ")).replace("@", ":over%2Fand%40out@")
        write_league(tmp_path, offline(tmp_path))
        assert self.facts(config, "move", server)["games"] == 1
        write_league(tmp_path, offline(tmp_path) | self.store(postgres.new()), PASSWORD)
        assert self.facts(config, "move", "sqlite:///league.db")["games"] == 1
        assert self.facts(config, "status")["running_battles"] == 1

    def test_init(self, postgres: Postgres, tmp_path: Path) -> None:
        url = postgres.new()
        answers = ("--yes", "--address", "referee@league.example", "--set", f"store.url={url}")
        done = pbem("init", tmp_path / "new", *answers)
        assert done.returncode == 0, done.stderr
        assert not (tmp_path / "new" / "league.db").exists()
        with closing(Store(url)) as store:
            assert store.migrated_from == newest()

    def test_pg_dump_gives_all(self, config: Path, postgres: Postgres) -> None:
        url = postgres.url(config.read_text().split(f":{postgres.address[1]}/")[1].split('"')[0])
        other = postgres.new()
        postgres.load(other, postgres.dump(url))
        with closing(Store(other)) as store:
            assert store.count(Game.select()) == 1
            store.run(Ban.insert(address="x@example.org", made=NOW))
            assert (store.scalar(Ban.select(fn.MAX(Ban.id))) or 0) == 1


class TestTheDaemon:
    @pytest.fixture
    def config(self, postgres: Postgres, tmp_path: Path, embedded: MailHost) -> Path:
        found = sections(embedded) | {"store": {"url": postgres.new()}}
        return write_league(tmp_path, found)

    def test_goes_on_after_the_server_was_restarted(
        self, postgres: Postgres, config: Path, embedded: MailHost
    ) -> None:
        with running(config) as daemon, mail_program(embedded, "Ann") as ann:
            ann.write("JOIN Ann Example")
            assert "Please confirm" in ann.next()["Subject"]
            with postgres.stopped():
                ann.reply("Yes, that was me.")
                daemon.wait_to_log("trying again")
            assert "Welcome" in ann.next()["Subject"]
            assert daemon.stop() < 8
            assert "Traceback" not in daemon.log.read_text()
        status = json.loads(pbem("--config", config, "status", "--json").stdout)
        assert status["players"] == 1

    def test_stops_while_the_server_is_away(
        self, postgres: Postgres, config: Path, embedded: MailHost
    ) -> None:
        with mail_program(embedded, "Ann") as ann:
            with running(config) as daemon, postgres.stopped():
                ann.write("JOIN Ann Example")
                daemon.wait_to_log("trying again")
                daemon.stop()
                assert daemon.process.returncode == 0
                assert "Traceback" not in daemon.log.read_text()
            with running(config):
                assert "Please confirm" in ann.next()["Subject"]

    def test_waits_for_a_server_that_comes_up_after_it(
        self, postgres: Postgres, config: Path, embedded: MailHost
    ) -> None:
        with postgres.stopped(), started(config) as daemon:
            daemon.wait_to_log("can't be reached; trying again")
            postgres.start()
            daemon.wait_to_log("connected to INBOX")
            postgres.stop()

    def test_fault_06_works_alone_even_where_another_runs_on_another_machine(
        self, config: Path, tmp_path: Path, postgres: Postgres
    ) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "password").write_bytes((config.parent / "password").read_bytes())
        other = elsewhere / config.name
        other.write_bytes(config.read_bytes())
        with running(config):
            for command, status in (("run", 75), ("once", 2)):  # a daemon is started again
                refused = pbem("--config", other, command)
                assert refused.returncode == status
                assert b"another pbem works for this league" in refused.stderr
                assert refused.stderr.count(b"\n") == 1
            with postgres.stopped():
                pass
            assert pbem("--config", other, "status").returncode == 0
        assert pbem("--config", other, "once").returncode == 0

    def test_fault_02_that_was_killed_answers_once(
        self, config: Path, embedded: MailHost, postgres: Postgres
    ) -> None:
        """Killed while it waits in its transaction for a row that somebody else has locked."""
        with mail_program(embedded, "Ann") as ann:
            with running(config) as daemon:
                name = json.loads(config.read_text().split("url = ")[1].split("\n")[0])
                with locked(postgres, name.rpartition("/")[2]):
                    ann.write("JOIN Ann Example")
                    wait_for_a_lock(postgres)
                    daemon.process.send_signal(signal.SIGKILL)
                    daemon.process.wait()
            with running(config):
                assert "Please confirm" in ann.next()["Subject"]
                ann.ask("Yes, that was me.")
            assert ann.unread() == 0


@contextmanager
def locked(postgres: Postgres, database: str) -> Iterator[None]:
    """Lock the table of letters that go out."""
    import psycopg

    with psycopg.connect(postgres.url(database, "referee")) as link:
        link.execute("LOCK TABLE outgoing IN EXCLUSIVE MODE")
        yield
        link.rollback()


def wait_for_a_lock(postgres: Postgres) -> None:
    """Wait until somebody waits for one."""
    while not postgres.do("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"):
        time.sleep(0.02)
