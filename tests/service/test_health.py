"""Watching the service: trouble is reported once, and once more when it is over."""

import json
import logging
import os
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from urllib.error import HTTPError

import pytest

from pbem.channels.mail.transport import Deferred
from pbem.cli import main
from pbem.host.logs import Discreet
from pbem.host.systemd import is_journal
from pbem.service.alarms import Alarms
from pbem.service.health import examine
from pbem.service.metrics import MetricsServer, exposition
from pbem.storage import Outgoing, Store
from tests.servers.host import MailHost
from tests.support.harness import League, open_league
from tests.support.players import REFEREE, address_of, parsed, reply
from tests.support.program import pbem, running, sections, write_league

MODERATOR = address_of("Mod")


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    with open_league(tmp_path, moderator=MODERATOR) as opened:
        opened.work()
        yield opened


@pytest.fixture
def alarms(league: League) -> Alarms:
    return Alarms(league.service.ports.outbox, lambda: league.now.timestamp())


def alarm_letters(league: League) -> list[EmailMessage]:
    """The alarms that the moderator was written, sent or not."""
    rows = league.store.all(
        Outgoing.select().where(Outgoing.recipient == MODERATOR).order_by(Outgoing.id)
    )
    return [parsed(row.content) for row in rows]


class Down:
    """A transport that puts every letter off."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Take nothing."""
        raise Deferred("451 later", 451)

    def close(self) -> None:
        """Nothing is held open."""


class TestAlarms:
    def test_a_mailbox_that_is_not_read_is_told_once_and_once_when_it_is_read(
        self, league: League, alarms: Alarms
    ) -> None:
        for _ in range(12):
            league.later(0.5)
            alarms.look(league.now)
        assert [letter["Subject"] for letter in alarm_letters(league)] == [
            "[PBEM] Avalon League: the mailbox was last read 2 h ago"
        ]
        league.work()
        for _ in range(8):
            league.later(0.3)
            league.work()
            alarms.look(league.now)
        assert len(alarm_letters(league)) == 2
        assert "over:" in str(alarm_letters(league)[1]["Subject"])

    def test_another_program_knows_what_was_told(self, league: League, alarms: Alarms) -> None:
        league.later(5)
        alarms.look(league.now)
        Alarms(league.service.ports.outbox).look(league.now)
        assert len(alarm_letters(league)) == 1

    def test_an_outbox_that_grows_is_told(self, league: League, alarms: Alarms) -> None:
        league.transport = Down()
        league.person("Ann").write("JOIN Ann")
        for _ in range(14):
            league.later(1)
            league.work()
            alarms.look(league.now)
        [letter] = alarm_letters(league)
        assert "letters that wait to be sent: 1, the oldest for 13 h" in str(letter["Subject"])

    @pytest.mark.parametrize(("hours", "words"), [(3, "ahead"), (-3, "went back")])
    def test_a_clock_that_jumps_is_told(self, league: League, hours: int, words: str) -> None:
        steady = [0.0]
        alarms = Alarms(league.service.ports.outbox, lambda: steady[0])
        for _ in range(3):
            league.later(0.1)
            steady[0] += 360
            league.work()
            alarms.look(league.now)
        assert alarm_letters(league) == []
        league.later(hours)
        alarms.look(league.now)
        assert [words in str(letter["Subject"]) for letter in alarm_letters(league)][-1:] == [True]

    def test_no_moderator_no_letter_and_the_log_tells(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        with open_league(tmp_path) as league:
            league.work()
            league.later(5)
            Alarms(league.service.ports.outbox).look(league.now)
            assert league.store.count(Outgoing.select()) == 0
        assert "trouble: the mailbox was last read 5 h ago" in caplog.text

    def test_the_health_file_is_whole_json(self, league: League, alarms: Alarms) -> None:
        league.later(5)
        alarms.look(league.now)
        facts = json.loads((league.settings.home / "health.json").read_text())
        assert facts["troubles"] == {"poll": "the mailbox was last read 5 h ago"}
        assert list(league.settings.home.glob(".*draft")) == []


class TestCommand:
    def test_status_is_1_in_trouble(self, league: League, tmp_path: Path) -> None:
        section = {"name": "Avalon League", "address": REFEREE}
        store = {"url": league.store.url}
        config = write_league(tmp_path, {"league": section, "store": store})
        wrong = pbem("--config", config, "health", "--json")
        assert wrong.returncode == 1
        assert set(json.loads(wrong.stdout)["troubles"]) <= {"clock", "poll"}
        url = f"sqlite:///{tmp_path}/new.db"
        with closing(Store(url)):
            config = write_league(tmp_path, {"league": section, "store": {"url": url}})
        assert pbem("--config", config, "health").returncode == 0


class TestMetrics:
    def test_all_that_is_told_is_in_the_text_format(self, league: League) -> None:
        league.person("Ann").write("JOIN Ann")
        league.work()
        counts = league.service.ports.counts + league.service.delivery.counts
        text = exposition(examine(league.settings, league.store, league.now), counts)
        assert 'pbem_letters_total{class="human"} 1\n' in text
        assert 'pbem_outgoing_total{result="sent"} 1\n' in text
        assert 'pbem_trouble{kind="poll"} 0\n' in text
        found = [line for line in text.splitlines() if not line.startswith("#")]
        assert all(len(line.split(" ")) == 2 and float(line.split(" ")[1]) >= 0 for line in found)
        assert "@" not in text

    def test_the_port_answers_on_this_machine_only(self) -> None:
        server = MetricsServer(0)
        try:
            server.text = "pbem_up 1\n"
            where = f"http://127.0.0.1:{server.port}"
            with urllib.request.urlopen(f"{where}/metrics", timeout=5) as answer:
                assert answer.read() == b"pbem_up 1\n"
            with pytest.raises(HTTPError):
                urllib.request.urlopen(f"{where}/", timeout=5)
            assert server._server.server_address[0] == "127.0.0.1"
        finally:
            server.close()


class TestLog:
    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("no letters for ann@example.org.", False),
            ("from <Ann.Lee+x@example.org>: 550", False),
            ("to ann@exämple.org, bob@x.example", False),
            ("refused the login of referee@league.example", True),
            ("referee+abcdefghijklmnop@league.example", False),
        ],
    )
    def test_fault_60_no_address_but_the_leagues_own_stands_in_it(
        self, text: str, kept: bool
    ) -> None:
        line = Discreet("text", [REFEREE]).discreet(text)
        assert ("@" in line) is kept
        assert "abcdefghijklmnop" not in line

    def test_fault_60_commands_report_faults_without_addresses(self) -> None:
        main(["verify", "--print-script", "starpilot"])
        record = logging.LogRecord("pbem", logging.ERROR, "", 0, "to ann@x.example", (), None)
        assert logging.lastResort is not None
        assert "ann@" not in logging.lastResort.format(record)

    def test_one_address_has_one_mark(self) -> None:
        discreet = Discreet("text").discreet
        assert discreet("a@x.example") == discreet("A@x.example") != discreet("b@x.example")

    def test_fault_60_tokens_and_keys_are_taken_out(self) -> None:
        line = Discreet("text").discreet("Re: [G1-T2 abcdefghij234567] KEY: abc-def-ghi")
        assert line == "Re: [G1-T2 ***] KEY: ***"

    def test_json_lines_have_facts_beside_the_words(self) -> None:
        record = logging.LogRecord(
            "pbem", logging.INFO, "", 0, "%d sent to a@x.example", (3,), None
        )
        record.facts = {"sent": 3}
        line = json.loads(Discreet("json").format(record))
        assert (line["level"], line["sent"]) == ("info", 3)
        assert line["message"].startswith("3 sent to address-")

    @pytest.mark.parametrize("journal", [True, False])
    def test_a_line_has_its_time_but_in_the_journal(
        self, journal: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with (tmp_path / "log").open("w") as file:
            found = os.fstat(file.fileno())
            stream = f"{found.st_dev}:{found.st_ino}" if journal else "8:1"
            monkeypatch.setenv("JOURNAL_STREAM", stream)
            record = logging.LogRecord("pbem", logging.INFO, "", 0, "up", (), None)
            record.created = 1_800_000_000
            line = Discreet("text", dated=not is_journal(file)).format(record)
        assert line == ("INFO up" if journal else "2027-01-15T08:00:00.000+00:00 INFO up")

    def test_a_traceback_is_as_discreet(self) -> None:
        try:
            raise ValueError("ann@example.org KEY abc-def-ghi")
        except ValueError as error:
            given = (type(error), error, error.__traceback__)
        record = logging.LogRecord("pbem", logging.ERROR, "", 0, "broken", (), given)
        for style in ("text", "json"):
            line = Discreet(style).format(record)  # type: ignore[arg-type]
            assert "Traceback" in line
            assert "@example" not in line
            assert "abc-def" not in line


def fetched(url: str) -> str:
    """Ask until the daemon has gone its first round."""
    for _ in range(100):
        with urllib.request.urlopen(url, timeout=5) as answer:
            text: str = answer.read().decode()
        if text:
            return text
        time.sleep(0.1)
    raise TimeoutError(url)


def test_a_daemon_tells_counters_health_and_a_discreet_log(
    embedded: MailHost, tmp_path: Path
) -> None:
    port = MetricsServer(0)
    number = port.port
    port.close()
    config = sections(embedded) | {"metrics": {"port": number}, "watch": {"log": "json"}}
    with running(write_league(tmp_path, config)) as daemon:
        text = fetched(f"http://127.0.0.1:{number}/metrics")
        daemon.stop()
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert {"at", "level", "message"} <= set(lines[0])
    assert "pbem_letters_waiting 0" in text
    health = json.loads((tmp_path / "health.json").read_text())
    assert health["troubles"] == {}


REFUSED: dict[str, dict[str, str]] = {
    "a list": {"List-Id": "<friends.example.org>"},
    "two senders": {"From": "bob@league.example, ann@league.example"},
}


@pytest.mark.parametrize("marks", REFUSED.values(), ids=REFUSED)
def test_a_letter_with_a_token_that_gets_no_answer_is_told(
    league: League, alarms: Alarms, marks: dict[str, str]
) -> None:
    ann = league.person("Ann")
    ann.join()
    written = reply("Ann", ann.last, "STATUS\n\nTicket [#4711] was received, thank you.", 9)
    for name, value in marks.items():
        del written[name]
        written[name] = value
    league.drop(written.as_bytes())
    league.work()
    number = league.last_letter().id
    assert league.last_letter().state == "discarded"
    found = [str(one.text) for one in alarms.look(league.now).troubles]
    assert found == [
        "letters with a valid token that got no answer since yesterday: 1; `pbem explain"
        f" {number}` says why the latest got none"
    ]
    assert "got no answer" in str(alarm_letters(league)[-1]["Subject"])
    league.later(48)
    league.work()
    assert "unanswered" not in {one.key for one in alarms.look(league.now).troubles}


MACHINES: dict[str, dict[str, str]] = {
    "an autoresponder": {"Auto-Submitted": "auto-replied"},
    "a list, without a token": {"List-Id": "<x.example.org>", "To": REFEREE, "Subject": "News"},
}


@pytest.mark.parametrize("marks", MACHINES.values(), ids=MACHINES)
def test_machines_letters_are_no_trouble(
    league: League, alarms: Alarms, marks: dict[str, str]
) -> None:
    ann = league.person("Ann")
    ann.join()
    written = reply("Ann", ann.last, "I am away.", 9)
    for name, value in marks.items():
        del written[name]
        written[name] = value
    league.drop(written.as_bytes())
    league.work()
    assert league.last_letter().state == "discarded"
    assert alarms.look(league.now).troubles == ()
