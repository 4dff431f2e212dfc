"""What goes wrong around the service: settings, logins, servers, the disk, the database, people."""

import smtplib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from imapclient import FLAGGED, SEEN
from peewee import OperationalError

from pbem import cli
from pbem.channels.mail.imap_mailbox import ImapAccount, ImapMailbox
from pbem.channels.mail.mailbox import Batch, Known, MailboxDown
from pbem.channels.mail.maildir import MaildirMailbox
from pbem.channels.mail.transport import SmtpAccount, SmtpTransport, TransportDown
from pbem.handlers.request import Verdict
from pbem.routing import router
from pbem.service.service import Service
from pbem.storage import Letter, Outgoing, Player, Store, StoreDown
from tests.servers.daemon import free_address
from tests.servers.disks import filled, small_disk
from tests.servers.dovecot import Dovecot
from tests.servers.host import MailHost
from tests.servers.postfix import Postfix
from tests.servers.sink import smtp_sink
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import (
    REFEREE,
    address_of,
    join_the_league,
    letter,
    mail_program,
    parsed,
    plain,
    reply,
)
from tests.support.program import Sections, pbem, running, sections, started, write_league

pytestmark = pytest.mark.league(turns_per_letter=4)


def sound() -> Sections:
    """Return settings without a fault."""
    server = {"host": "127.0.0.1", "tls": "none", "user": "u", "password_file": "password"}
    section = {"name": "Avalon", "address": REFEREE, "timezone": "Europe/Oslo"}
    return {"league": section, "imap": dict(server), "smtp": dict(server)}


class TestWrongSettings:
    """Each wrong setting is one line on standard error and status 2, never a traceback."""

    @staticmethod
    def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
        assert cli.main(arguments) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.startswith("pbem: ")
        assert output.err.count("\n") == 1
        return output.err

    @pytest.mark.parametrize(
        ("section", "key", "value", "expected"),
        [
            ("league", "address", "referee", "must be one address"),
            ("league", "address", "a@b@c", "must be one address"),
            ("league", "timezone", "Europe/Avalon", "'Europe/Avalon' is not known"),
            ("league", "timezone", "../../etc/passwd", "is not known"),
            ("league", "deadline_hours", 0, "[league] deadline_hours must be more than 0"),
            ("league", "deadline_hours", "3 days", "[league] deadline_hours must be a number"),
            ("league", "patrol_hours", 1e300, "patrol_hours must be from 0 to 1000000"),
            ("league", "reminder_hours", [24, -6], "reminder_hours must be from 0 to 1000000"),
            ("league", "token_days", 10**30, "token_days must be from 0 to 36500"),
            ("league", "misses_before_open", -1, "misses_before_open must be from 0 to"),
            ("limits", "refusals_a_day", -1, "refusals_a_day must be from 0 to"),
            ("backup", "daily", -1, "daily must be from 0 to"),
            ("privacy", "keep_letters_days", -1, "keep_letters_days must be from 0 to"),
            ("privacy", "unconfirmed_days", 0, "unconfirmed_days must be more than 0"),
            ("league", "name", "Avalon\nLeague", "name must be one line"),
            ("smtp", "host", "smtp..league.example", "host is 'smtp..league.example'; it must be"),
            ("imap", "host", "", "[imap] host is empty, and it is needed"),
            ("league", "turns_per_letter", -1, "[league] turns_per_letter must be more than 0"),
            ("league", "turns_per_letter", 1.5, "must be a whole number"),
            ("league", "misses_before_forfeit", 0, "must be more than 0"),
            ("league", "token_days", 0, "must be more than 0"),
            ("league", "plus_addresses", "yes", "[league] plus_addresses must be true or false"),
            ("league", "name", 7, "[league] name must be a text, not 7"),
            ("league", "colour", "red", "[league] colour is not a setting"),
            ("league", "deadline_hour", 7, "not a setting; perhaps deadline_hours is meant"),
            ("league", "timezone", "Berlin", "write one like Europe/Berlin"),
            ("league", "name", " ", "[league] name is empty"),
            ("league", "moderator", "me", "[league] moderator is 'me'; it must be one address"),
            ("smtp", "password_file", "", "[smtp] password_file is missing"),
            ("imap", "user", "", "[imap] user is empty"),
            ("imap", "folder", " ", "[imap] folder is empty"),
            ("imap", "done_folder", "", "[imap] done_folder is empty"),
            ("imap", "done_folder", "inbox", "it must be another one than folder"),
            ("imap", "host", "127.0.0.1:993", "without a port"),
            ("smtp", "host", "https://mail.example", "write the name alone"),
            ("store", "url", "league.db", "write it like sqlite:///league.db"),
            ("store", "url", "postgresqlite://x/y", "or postgres://pbem@localhost/pbem"),
            ("store", "password_file", "password", "is for a url like postgres://pbem@localhost"),
            ("limits", "tries", 0, "[limits] tries must be more than 0"),
            ("imap", "port", 0, "[imap] port must be from 1 to 65535, not 0"),
            ("imap", "port", "993", "[imap] port must be a whole number"),
            ("imap", "tls", "ssl", "[imap] tls is 'ssl'; it must be one of tls, starttls, none"),
            ("imap", "host", "mail.example", 'tls = "none" is for this machine only'),
            ("smtp", "host", "mail.example", 'tls = "none" is for this machine only'),
            ("smtp", "port", 70000, "[smtp] port must be from 1 to 65535, not 70000"),
            ("store", "url", 5, "[store] url must be a text"),
            ("store", "url", "sqlite:////nowhere/league.db", "there is no database"),
            ("store", "url", "oracle://x/y", "oracle"),
            ("limits", "tries", "three", "[limits] tries must be a whole number"),
            ("limit", "tries", 3, "[limit] is not a section; perhaps [limits] is meant"),
            ("weather", "rain", 3, "[weather] is not a section; the sections are [league]"),
        ],
    )
    def test_are_named(
        self,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        section: str,
        key: str,
        value: Any,
        expected: str,
    ) -> None:
        settings = sound()
        settings.setdefault(section, {})[key] = value
        file = write_league(tmp_path, settings)
        assert expected in self.complaint(capsys, "--config", str(file), "status")

    @pytest.mark.parametrize("value", ["nan", "inf", "1e9"])
    def test_are_named_in_the_environment(
        self,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        value: str,
    ) -> None:
        monkeypatch.setenv("PBEM_LEAGUE__DEADLINE_HOURS", value)
        file = write_league(tmp_path, sound())
        found = self.complaint(capsys, "--config", str(file), "status")
        assert "[league] deadline_hours must be from 0 to 1000000, not" in found

    @pytest.mark.parametrize(
        ("section", "key"),
        [
            ("league", "name"),
            ("league", "address"),
            ("imap", "host"),
            ("imap", "user"),
            ("imap", "password_file"),
            ("smtp", "host"),
        ],
    )
    def test_are_missed(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], section: str, key: str
    ) -> None:
        settings = sound()
        del settings[section][key]
        file = write_league(tmp_path, settings)
        assert f"[{section}] {key} is missing" in self.complaint(
            capsys, "--config", str(file), "run"
        )

    @pytest.mark.parametrize("section", ["league", "imap", "smtp"])
    def test_are_missed_by_the_section(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], section: str
    ) -> None:
        settings = sound()
        del settings[section]
        file = write_league(tmp_path, settings)
        assert f"[{section}] is missing" in self.complaint(capsys, "--config", str(file), "once")

    @pytest.mark.parametrize("section", ["imap", "smtp"])
    def test_password_files_must_be_there(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], section: str
    ) -> None:
        settings = sound()
        settings[section]["password_file"] = "nowhere"
        file = write_league(tmp_path, settings)
        assert "nowhere can't be read" in self.complaint(capsys, "--config", str(file), "run")

    @pytest.mark.parametrize("text", [b"[league\n", b"\xff\xfe\x00", b"name = "])
    def test_files_must_be_toml(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes
    ) -> None:
        (tmp_path / "league.toml").write_bytes(text)
        found = self.complaint(capsys, "--config", str(tmp_path / "league.toml"), "status")
        assert "league.toml" in found

    def test_files_must_be_there(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        found = self.complaint(capsys, "--config", str(tmp_path / "league.toml"), "run")
        assert "does not exist; make one with: pbem init" in found

    @pytest.mark.parametrize(
        ("name", "value", "expected"),
        [
            ("PBEM_SMTP__HOST", "mail.example", 'tls = "none" is for this machine only'),
            ("PBEM_SMTP__PORT", "many", "[smtp] port must be a whole number, not 'many'"),
            ("PBEM_LEAGUE__PLUS_ADDRESSES", "maybe", "must be true or false"),
            ("PBEM_IMAP__COLOUR", "red", "[imap] colour is not a setting"),
            ("PBEM_IMPA__HOST", "mail.example", "[impa] is not a section"),
        ],
    )
    def test_of_the_environment_are_named(
        self,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        name: str,
        value: str,
        expected: str,
    ) -> None:
        monkeypatch.setenv(name, value)
        file = write_league(tmp_path, sound())
        assert expected in self.complaint(capsys, "--config", str(file), "run")

    def test_the_program_itself_says_one_line(self, tmp_path: Path) -> None:
        file = write_league(tmp_path, sound())
        done = pbem("run", PBEM_CONFIG=str(file), PBEM_SMTP__HOST="mail.example")
        assert done.returncode == 2
        assert done.stdout == b""
        assert done.stderr.count(b"\n") == 1
        assert b"mail.example" in done.stderr


class TestLogins:
    def test_fault_08_a_refused_imap_login_is_told_and_waited_out(
        self, tmp_path: Path, mail_servers: MailHost
    ) -> None:
        config = write_league(tmp_path, sections(mail_servers), password="wrong-secret")
        done = pbem("--config", config, "once")
        assert done.returncode == 2
        assert b"refused the login of referee@league.example" in done.stderr
        assert done.stderr.count(b"\n") == 1
        assert b"wrong-secret" not in done.stderr
        with started(config) as daemon:
            daemon.wait_to_log("Next try in 300 s")
            assert daemon.stop() < 2
            assert daemon.process.returncode == 0
            assert "wrong-secret" not in daemon.log.read_text()
            assert "Traceback" not in daemon.log.read_text()

    def test_fault_08_a_refused_smtp_login_loses_nothing(
        self, tmp_path: Path, mail_servers: MailHost
    ) -> None:
        settings = sections(mail_servers)
        settings["smtp"]["password_file"] = "other"
        config = write_league(tmp_path, settings)
        (tmp_path / "other").write_text("wrong-secret")
        mail_servers.deliver(letter("Ann", "JOIN Ann Example", 1).as_bytes(), REFEREE)
        done = pbem("--config", config, "once")
        assert done.returncode == 2
        assert b"refused the login" in done.stderr
        assert b"wrong-secret" not in done.stderr
        (tmp_path / "other").write_text("referee-secret")
        assert pbem("--config", config, "once").returncode == 0
        [answer] = mail_servers.wait_for_letters(address_of("Ann"), 1)
        assert "Please confirm" in parsed(answer)["Subject"]
        assert mail_servers.inbox(REFEREE) == []


class TestServers:
    @pytest.mark.services
    def test_fault_09_letters_wait_while_the_imap_server_is_gone(
        self, tmp_path: Path, installed: MailHost, dovecot: Dovecot, postfix: Postfix
    ) -> None:
        config = write_league(tmp_path, sections(installed))
        with running(config) as daemon:
            with mail_program(installed, "Ann") as ann:
                join_the_league(ann)
                key = plain(ann.last).split("key is ")[1][:11]
            with dovecot.stopped():
                daemon.wait_to_log("Next try in")
                for number in (11, 12):
                    raw = letter("Ann", f"KEY {key}\nHELP", number, subject=str(number)).as_bytes()
                    with smtplib.SMTP(*postfix.mx) as client:
                        client.sendmail(address_of("Ann"), [REFEREE], raw)
            installed.wait_for_letters(address_of("Ann"), 4, seconds=120)
            assert daemon.stop() < 2
            assert "Traceback" not in daemon.log.read_text()

    def test_fault_10_letters_wait_until_the_smtp_server_takes_them(
        self, league: League, smtp_tools: None
    ) -> None:
        host, port = free_address()
        league.transport = SmtpTransport(SmtpAccount(host=host, port=port, tls="none"))
        with closing(league.transport):
            league.person("Ann").write("JOIN Ann Example")
            with smtp_sink("-r", "data", port=port) as sink:
                league.work()
                [waiting] = league.store.all(
                    Outgoing.select().where(Outgoing.state == "queued").order_by(Outgoing.id)
                )
                assert "451" in waiting.error or "450" in waiting.error
                assert sink.letters() == []
            league.transport.close()
            with smtp_sink(port=port) as sink:
                league.work()
                assert sink.letters() == []  # not before its time
                league.later(0.1)
                league.work()
                league.later(24)
                league.work()
                assert len(sink.letters()) == 1
        assert league.store.count(Outgoing.select().where(Outgoing.state == "sent")) == 1

    def test_letters_wait_while_there_is_no_smtp_server(self, league: League) -> None:
        host, port = free_address()
        league.transport = SmtpTransport(SmtpAccount(host=host, port=port, tls="none"))
        ann = league.person("Ann")
        ann.write("JOIN Ann Example")
        with pytest.raises(TransportDown, match="Nothing listens"):
            league.work()
        assert league.store.count(Outgoing.select().where(Outgoing.state == "queued")) == 1
        league.transport = league.post
        assert len(ann.new()) == 1

    def test_no_deadline_is_played_that_the_mailbox_was_not_read_past(self, league: League) -> None:
        duel(league)
        turn, mailbox = league.game.turn, league.mailbox
        league.mailbox = GoneMailbox(league.maildir)
        league.later(100)
        with pytest.raises(MailboxDown):
            league.work()
        assert league.game.turn == turn
        league.mailbox = mailbox
        league.work()
        assert league.game.turn > turn


class GoneMailbox(MaildirMailbox):
    """A mailbox that can't be reached."""

    def arrivals(self, known: Known) -> Iterator[Batch]:
        raise MailboxDown("The mailbox is gone.")


class FailingAt:
    """A database that fails once, at the statement of a number."""

    def __init__(self, store: Store, at: int, fault: sqlite3.OperationalError) -> None:
        self.at, self.count, self.fault = at, 0, fault
        self._cursor = store.database.cursor
        store.database.cursor = self.cursor

    def cursor(self, *given: Any) -> Any:
        self._pass()
        return self._cursor(*given)

    def _pass(self) -> None:
        self.count += 1
        if self.count == self.at:
            raise OperationalError(self.fault, *self.fault.args)


def of_sqlite(words: str, code: int) -> sqlite3.OperationalError:
    """Return what SQLite's driver raises for a code."""
    fault = sqlite3.OperationalError(words)
    fault.sqlite_errorcode = code
    return fault


class TestTheDatabase:
    def test_fault_13_that_is_locked_is_waited_for(self, league: League) -> None:
        ann = league.person("Ann")
        ann.write("JOIN Ann Example")
        league.store.database.execute_sql("PRAGMA busy_timeout = 50")
        with locked(league), pytest.raises(StoreDown, match="locked by another program"):
            league.work()
        assert len(ann.new()) == 1

    def test_fault_13_whose_disk_fails_says_where_to_look(self, league: League) -> None:
        fault = of_sqlite("another language", sqlite3.SQLITE_IOERR_WRITE)
        said = league.store.database.fault(OperationalError(fault), "league.db")
        assert said.startswith("the disk of the database league.db can't be used")
        assert "df" in said

    @pytest.mark.long
    @pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL])
    def test_fault_13_may_fail_at_any_statement(self, tmp_path: Path, code: int) -> None:
        """It is reported as what it is, nothing is lost, and nothing is done twice."""
        at, fault = 1, of_sqlite("a fault", code)
        while fails_at(tmp_path / str(at), at, fault):
            at += 1
        assert at > 20

    def test_fault_13_that_is_locked_for_long_stops_no_daemon(
        self, tmp_path: Path, embedded: MailHost
    ) -> None:
        config = write_league(tmp_path, sections(embedded))
        with running(config) as daemon, mail_program(embedded, "Ann") as ann:
            with closing(sqlite3.connect(tmp_path / "league.db")) as other:
                other.isolation_level = None
                other.execute("BEGIN EXCLUSIVE")
                ann.write("JOIN Ann Example")
                daemon.wait_to_log("the database is locked by another program")
                other.execute("ROLLBACK")
            assert "Please confirm" in ann.next()["Subject"]
            assert daemon.stop() < 2
            assert "Traceback" not in daemon.log.read_text()

    def test_fault_13_that_is_full_loses_nothing(self, league: League) -> None:
        ann = league.person("Ann")
        database = league.store.database
        [pages] = database.execute_sql("PRAGMA page_count").fetchone()
        database.execute_sql(f"PRAGMA max_page_count = {pages}")
        dice = Random(1)  # what they throw can't be made shorter
        words = [f"\nI come from {dice.randbytes(20).hex()}." for _ in range(400)]
        ann.write("JOIN Ann Example" + "".join(words))
        with pytest.raises(StoreDown, match="the disk that holds the database is full"):
            league.work()
        database.execute_sql("PRAGMA max_page_count = 1000000")
        assert len(ann.new()) == 1

    def test_fault_13_on_a_full_disk_loses_nothing(self, disk: Path) -> None:
        with open_league(disk) as league:
            ann = league.person("Ann")
            ann.join()
            for number in range(3):
                ann.reply(f"SHEET Pilot {number}\n" + 200 * "and so on and on\n")
            with filled(disk), pytest.raises((StoreDown, MailboxDown), match=r"full|space"):
                league.work()
            assert len(ann.new()) == 3


@contextmanager
def locked(league: League) -> Iterator[None]:
    """Hold the database's lock as another program would."""
    with closing(sqlite3.connect(league.settings.home / "league.db")) as other:
        other.isolation_level = None
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


def fails_at(folder: Path, at: int, fault: sqlite3.OperationalError) -> bool:
    """Make the database fail once while two letters are answered; return whether it did."""
    folder.mkdir()
    with open_league(folder) as league:
        ann, cat = league.person("Ann"), league.person("Cat")
        ann.write("JOIN Ann Example")
        cat.write("Hello?")
        failing = FailingAt(league.store, at, fault)
        failed = breaks_off(league)
        failing.at = 0
        league.work()
        for person in (ann, cat):
            assert len({each["Message-ID"] for each in person.letters}) == 1
        assert league.store.count(Outgoing.select().where(Outgoing.state == "sent")) == 2
        assert (
            league.store.count(
                Letter.select().where(
                    Letter.state == "answered", Letter.moved == True, Letter.tries == 0
                )
            )
            == 2
        )
        return failed


def breaks_off(league: League) -> bool:
    """Work, and return whether the database failed meanwhile."""
    try:
        league.work()
    except StoreDown:
        return True
    return False


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MiB."""
    with small_disk(tmp_path, "2m"):
        yield tmp_path


def test_fault_06_two_daemons_do_not_work_at_once(tmp_path: Path, embedded: MailHost) -> None:
    config = write_league(tmp_path, sections(embedded))
    with running(config):
        for command, status in (("run", cli.TRY_AGAIN), ("once", 2)):
            second = pbem("--config", config, command)
            assert second.returncode == status
            assert b"another pbem works for this league" in second.stderr
            assert second.stderr.count(b"\n") == 1
    assert pbem("--config", config, "once").returncode == 0


class TestTheMailbox:
    @pytest.fixture
    def imap(self, tmp_path: Path, dovecot: Dovecot, installed: MailHost) -> Iterator[League]:
        """A league whose letters come from Dovecot."""
        host, port = dovecot.imap
        account = ImapAccount(
            host=host, port=port, tls="none", user=REFEREE, password="referee-secret"
        )
        with open_league(tmp_path) as league, closing(ImapMailbox(account)) as mailbox:
            league.mailbox = mailbox
            league.now = datetime.now(UTC) + timedelta(minutes=1)
            mailbox.connect()
            yield league

    @staticmethod
    def deliver(dovecot: Dovecot, name: str, text: str, number: int) -> None:
        dovecot.deliver(letter(name, text, number).as_bytes(), REFEREE, address_of(name))

    @pytest.mark.services
    def test_fault_04_that_was_numbered_anew_answers_nothing_twice(
        self, imap: League, dovecot: Dovecot
    ) -> None:
        self.deliver(dovecot, "Ann", "JOIN Ann Example", 1)
        imap.service.attend(imap.mailbox, lambda: imap.now)
        dovecot.reset_uidvalidity(REFEREE)
        self.deliver(dovecot, "Cat", "JOIN Cat Example", 1)
        imap.mailbox.connect()
        imap.work()
        classes = sorted(each.klass for each in imap.store.all(Letter.select().order_by(Letter.id)))
        assert classes == ["human", "human"]
        assert len(imap.post.letters) == 2
        assert imap.mailbox.places() == set()

    @pytest.mark.services
    @pytest.mark.parametrize("more", [0, 3])
    @pytest.mark.parametrize("way", ["connected", "connected anew", "stopped"])
    def test_fault_04_that_was_put_back_from_a_copy_loses_no_letter(
        self, imap: League, dovecot: Dovecot, tmp_path: Path, way: str, more: int
    ) -> None:
        """Dovecot gives numbers again then, under the same UIDVALIDITY; `more` go past the old."""
        self.deliver(dovecot, "Ann", "JOIN Ann Example", 1)
        dovecot.copy_mail(REFEREE, tmp_path / "copy")
        self.deliver(dovecot, "Cat", "JOIN Cat Example", 1)
        imap.work()
        if way == "stopped":
            imap.mailbox.close()
            dovecot.stop()
        dovecot.put_back(REFEREE, tmp_path / "copy")
        if way == "stopped":
            dovecot.start()
        names = ["Bob", "Dan", "Eve", "Kim"][: 1 + more]
        for name in names:
            self.deliver(dovecot, name, f"JOIN {name} Example", 1)
        if way != "connected":
            imap.mailbox.connect()
        for _ in range(3):
            with suppress(MailboxDown):  # as Dovecot may find out, too
                imap.work()
                imap.mailbox.look_afresh()
                continue
            imap.mailbox.connect()
        people = [to for to, _ in imap.post.letters]
        assert sorted(people) == sorted(map(address_of, ["Ann", "Cat", *names]))
        assert imap.mailbox.places() == set()

    @pytest.mark.services
    def test_fault_05_letters_that_a_human_has_read_are_answered(
        self, imap: League, dovecot: Dovecot, installed: MailHost
    ) -> None:
        self.deliver(dovecot, "Ann", "JOIN Ann Example", 1)
        with installed.reader(REFEREE) as human:
            human.select_folder("INBOX")
            human.add_flags(human.search(), [SEEN, FLAGGED])
        imap.work()
        assert len(imap.post.letters) == 1

    @pytest.mark.services
    def test_fault_05_letters_that_a_human_has_moved_are_answered_once(
        self, imap: League, dovecot: Dovecot, installed: MailHost
    ) -> None:
        self.deliver(dovecot, "Ann", "JOIN Ann Example", 1)
        imap.service.attend(imap.mailbox, lambda: imap.now)
        with installed.reader(REFEREE) as human:
            human.select_folder("INBOX")
            human.create_folder("Odd")
            human.move(human.search(), "Odd")
        imap.work()
        with installed.reader(REFEREE) as human:
            human.select_folder("Odd")
            human.move(human.search(), "INBOX")
        imap.work()
        assert len(imap.post.letters) == 1
        assert imap.mailbox.places() == set()

    def test_fault_17_the_same_letter_twice_is_answered_once(self, league: League) -> None:
        raw = letter("Ann", "JOIN Ann Example", 1).as_bytes()
        for _ in range(2):
            league.drop(raw)
        league.work()
        league.later(1)
        league.drop(raw)
        league.work()
        assert len(league.post.letters) == 1
        assert (
            league.store.count(
                Letter.select().where(Letter.klass == "duplicate", Letter.moved == True)
            )
            == 2
        )

    def test_fault_18_one_message_id_with_two_bodies_is_two_letters(
        self, league: League, ann: Person
    ) -> None:
        for text in ("SHEET Hawk", "SHEET Kestrel"):
            league.drop(reply("Ann", ann.letters[1], text, 7).as_bytes())
        answers = ann.new()
        assert len(answers) == 2
        assert len({answer["Message-ID"] for answer in answers}) == 2

    def test_fault_19_letters_without_message_id_are_answered(self, ann: Person) -> None:
        ann.new()
        for order in ("STATUS", "GAMES"):
            nameless = letter("Ann", f"{order}\nKEY {ann.key}", 1)
            del nameless["Message-ID"]
            ann.send(nameless)
        assert len(ann.new()) == 2


class TestPoison:
    @pytest.fixture
    def poisoned(self, league: League, monkeypatch: pytest.MonkeyPatch) -> tuple[Person, Person]:
        """Ann and Cat; Cat's letters break the router."""
        whole = router.handle

        def handle(service: Service, one: Letter, now: datetime) -> Verdict:
            verdict = whole(service, one, now)
            if b"From: Cat" in one.content:
                raise ZeroDivisionError("the desk breaks")
            return verdict

        monkeypatch.setattr(router, "handle", handle)
        return league.person("Ann"), league.person("Cat")

    def test_fault_14_is_shunted_after_three_tries(
        self, league: League, poisoned: tuple[Person, Person]
    ) -> None:
        ann, cat = poisoned
        cat.write("JOIN Cat Example")
        ann.write("JOIN Ann Example")
        assert len(ann.new()) == 1
        for state in ("received", "shunted", "shunted"):
            league.work()
            assert league.store.all(Letter.select().order_by(Letter.id))[0].state == state
        [shunted] = league.store.all(
            Letter.select().where(Letter.state == "shunted").order_by(Letter.id)
        )
        assert shunted.tries == 3
        assert "the desk breaks" in shunted.error
        assert ["could not be handled" in one["Subject"] for one in cat.letters] == [True]
        assert league.store.count(Player.select()) == 1

    def test_fault_14_that_is_mended_is_answered(
        self,
        league: League,
        poisoned: tuple[Person, Person],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        _, cat = poisoned
        cat.write("JOIN Cat Example")
        assert cat.new() == []
        monkeypatch.undo()
        assert len(cat.new()) == 1
