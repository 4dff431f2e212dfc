"""The program's commands as other programs use them: what they print, and their status."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from engine.fair_dice import words_of
from pbem import cli
from pbem.games import export
from pbem.maintenance import founding
from pbem.settings.load import load
from tests.servers.host import MailHost
from tests.support.harness import League, duel, open_league
from tests.support.paths import SCENARIOS
from tests.support.program import PBEM, environment, pbem, sections, write_league

SCENARIO = SCENARIOS / "worked-example.json"
EXPECTED = SCENARIO.with_suffix(".expected.json")
SECRET = bytes(range(32)).hex()

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process; return status, output and errors."""

    def run(*arguments: object) -> tuple[int, str, str]:
        try:
            status = cli.main([str(each) for each in arguments])
        except SystemExit as end:
            status = int(end.code or 0)
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


def is_expected(result: dict[str, Any]) -> bool:
    """Return whether a replay is that of the worked example."""
    expected = json.loads(EXPECTED.read_text())
    return all(result[key] == expected[key] for key in ("state", "refused", "over"))


class TestReplay:
    def test_of_a_file(self, run: Run) -> None:
        status, out, err = run("replay", SCENARIO)
        assert (status, err) == (0, "")
        assert is_expected(json.loads(out))

    def test_of_standard_input(self) -> None:
        done = pbem("replay", "-", stdin=SCENARIO.read_bytes())
        assert done.returncode == 0
        assert is_expected(json.loads(done.stdout))

    @pytest.mark.parametrize(
        ("text", "field"),
        [
            ("{", "scenario"),
            ("[]", "scenario"),
            ("{}", "system"),
            ('{"system": "chess"}', "system"),
            ('{"system": "starpilot", "setup": {}, "orders": [], "dice": []}', "setup"),
            ("[" * 100_000, "scenario"),
            ("\x00\xff", "scenario"),
        ],
    )
    def test_of_no_scenario(self, run: Run, tmp_path: Path, text: str, field: str) -> None:
        (tmp_path / "bad.json").write_text(text)
        status, out, err = run("replay", tmp_path / "bad.json")
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        assert field in err

    @pytest.mark.parametrize("arguments", [["nowhere.json"], ["--batch", SCENARIO]])
    def test_of_no_file(self, run: Run, arguments: list[object]) -> None:
        status, out, err = run("replay", *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)

    def test_on_a_full_disk_says_so_in_one_line(self) -> None:
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [*PBEM, "replay", SCENARIO],
                stdout=full,
                stderr=subprocess.PIPE,
                env=environment(),
                check=False,
            )
        assert (done.returncode, done.stderr) == (2, b"pbem: the output: No space left on device\n")

    def test_by_the_batch_answers_each_line_at_once(self) -> None:
        """A bad scenario is answered as well, before the next line is even written."""
        good = json.dumps(json.loads(SCENARIO.read_text())).encode()
        rich = good.replace(b'"hp": "', b'"hp": "' + b"9" * 5000, 1)
        bad = (b"{", b"[]", b"", b"\xff\xfe", b'{"system": "chess"}', b"[" * 100_000, b"NaN", rich)
        with subprocess.Popen(
            [*PBEM, "replay", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
        ) as process:
            assert process.stdin
            assert process.stdout
            for line in (good, *bad, good):
                process.stdin.write(line + b"\n")
                process.stdin.flush()
                answer = json.loads(process.stdout.readline())
                if line == good:
                    assert is_expected(answer)
                else:
                    assert list(answer) == ["error"]
            process.stdin.close()
            assert process.stdout.read() == b""
        assert process.returncode == 0


class TestRead:
    def test_prints_one_object_a_letter_in_order(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "one").write_bytes(b"From: ann@x.example\n\nfire at Kestrel\nTARGT Hawk\nHi!")
        (tmp_path / "two").write_bytes(b"From: b@x.example\nAuto-Submitted: auto-replied\n\nFIRE")
        status, out, _ = run("read", tmp_path / "one", tmp_path / "two")
        first, second = map(json.loads, out.splitlines())
        assert status == 0
        assert list(first) == ["class", "text", "orders", "near", "failed", "reason"]
        assert first["class"] == "human"
        assert first["orders"] == ["FIRE Kestrel"]
        assert first["near"] == ["TARGT Hawk"]
        assert second["class"] == "autoreply"

    def test_prints_standing_orders(self, run: Run, tmp_path: Path) -> None:
        standing = b"SCAN\nSTANDING\nIF LOCKED: fire\nELSE: target\nEND\n"
        (tmp_path / "one").write_bytes(b"From: ann@x.example\n\n" + standing)
        _, out, _ = run("read", tmp_path / "one")
        assert json.loads(out)["orders"] == ["SCAN", "IF LOCKED: FIRE", "ELSE: TARGET"]

    def test_fails_on_no_bytes(self, run: Run, tmp_path: Path) -> None:
        rng = random.Random(5)
        letters = [b"", b"\x00", b"\r\r\n", b"From: \xff\xfe\n\n\xed\xa0\x80", b"\n" * 70_000]
        letters += [rng.randbytes(rng.randrange(2000)) for _ in range(40)]
        letters += [
            b"From: a@b.example\nContent-Type: text/plain; charset=" + one for one in letters
        ]
        files = []
        for number, raw in enumerate(letters):
            (tmp_path / str(number)).write_bytes(raw)
            files.append(tmp_path / str(number))
        status, out, _ = run("read", *files)
        assert status == 0
        classes = {"human", "bounce", "autoreply", "feedback", "list", "refused"}
        assert {json.loads(line)["class"] for line in out.splitlines()} <= classes
        assert len(out.splitlines()) == len(letters)

    @pytest.mark.parametrize("coding", ["ascii", "latin-1", "utf-8"])
    def test_prints_anything_to_any_terminal(self, tmp_path: Path, coding: str) -> None:
        head = "From: ann@x.example\nContent-Type: text/plain; charset=utf-8\n\n"
        (tmp_path / "one").write_bytes(f"{head}Grüße ✈ \U0001f680\n".encode())
        done = pbem("read", tmp_path / "one", PYTHONIOENCODING=coding)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["text"].strip() == "Grüße ✈ \U0001f680"

    def test_needs_a_file(self, run: Run, tmp_path: Path) -> None:
        status, out, err = run("read", tmp_path / "nowhere")
        assert (status, out, err.count("\n")) == (2, "", 1)


class TestDice:
    @pytest.mark.parametrize(
        ("more", "expected"),
        [
            (("--show", "rolls", "--count", 4), "99,98,92,38"),
            (("--sides", 6, "--count", 3), "3,4,6"),
            (
                ("--show", "digest"),
                "c3eae6b51f9a405d0ac5027806dc4fd30043603d96f7dd24b06198b754b812d4",
            ),
            (
                ("--show", "commitment"),
                "9a3d29b7edbad3d0d460bfc24264d1e5c1371db843177a793b841754ba7d0828",
            ),
        ],
    )
    def test_are_those_of_the_vectors(
        self, run: Run, more: tuple[object, ...], expected: str
    ) -> None:
        hawk, kestrel = (
            words_of("<1@home.example>", []),
            words_of("<2@home.example>", ["Grün ist es"]),
        )
        setup, before = f"{7:064x}", {"Hawk": hawk, "Kestrel": kestrel}
        now = {**before, "Hawk": words_of("<3@home.example>", ["two", "three"])}
        asked = ["--secret", SECRET, "--game", "demo-1", "--step", 1, "--setup", setup]
        asked += ["--terms", json.dumps({"setup": setup}), "--before", json.dumps(before)]
        asked += ["--words", json.dumps(now), "--orders", '[["Hawk","FIRE"]]']
        assert run("dice", *asked, *more) == (0, expected + "\n", "")

    @pytest.mark.parametrize(
        "wrong",
        [
            {"--secret": "0g"},
            {"--secret": "abc"},
            {"--sides": "0"},
            {"--sides": str(2**32 + 1)},
            {"--step": "-1"},
            {"--step": str(2**64)},
            {"--count": "-1"},
            {"--terms": "[]"},
            {"--words": "Hawk"},
            {"--orders": "\udcff"},
            {"--orders": "[7]"},
            {"--proxied": "{}"},
        ],
    )
    def test_say_what_is_wrong_in_one_line(self, run: Run, wrong: dict[str, str]) -> None:
        asked = {"--secret": SECRET, "--game": "G1", "--step": "1", "--sides": "6"} | wrong
        status, out, err = run("dice", *[f"{key}={value}" for key, value in asked.items()])
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert next(iter(wrong)) in err


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The export of a finished duel."""
    with open_league(tmp_path_factory.mktemp("finished")) as league:
        ann, bob = duel(league)
        ann.reply("SCAN\nSURRENDER\nSALT of the earth")
        bob.reply("SCAN\nSCAN\nSCAN")
        league.work()
        return export.export(league.store, league.game)


class TestVerify:
    def test_agrees_with_what_is_whole(self, run: Run, tmp_path: Path, finished: str) -> None:
        (tmp_path / "G1.json").write_text(finished)
        status, out, err = run("verify", tmp_path / "G1.json")
        assert (status, err) == (0, "")
        assert out.endswith("All of it agrees.\n")

    def test_says_no_and_where_for_any_character(
        self, run: Run, tmp_path: Path, finished: str
    ) -> None:
        rng = random.Random(3)
        for at in rng.sample(range(len(finished)), 60):
            other = "0" if finished[at] != "0" else "1"
            (tmp_path / "G1.json").write_text(finished[:at] + other + finished[at + 1 :])
            status, out, _ = run("verify", tmp_path / "G1.json")
            assert status == 1, (at, out)
            assert "WRONG  " in out

    @pytest.mark.parametrize("text", ["", "[]", "{}", "null", "[\n]\n", "\x00" * 100])
    def test_says_no_to_anything_else(self, run: Run, tmp_path: Path, text: str) -> None:
        (tmp_path / "G1.json").write_text(text)
        assert run("verify", tmp_path / "G1.json")[0] == 1

    def test_needs_a_file(self, run: Run, tmp_path: Path) -> None:
        for arguments in (["verify"], ["verify", tmp_path / "nowhere"]):
            status, out, err = run(*arguments)
            assert (status, out, err.count("\n")) == (2, "", 1)


class TestTheLeague:
    def test_init_makes_one_that_check_finds_sound(
        self, tmp_path: Path, embedded: MailHost
    ) -> None:
        home = tmp_path / "avalon"
        made = pbem(
            *("init", home, "--yes", "--name", "Avalon", "--address", "referee@league.example"),
            *("--set", "imap.host=127.0.0.1", "--set", f"imap.port={embedded.imap[1]}"),
            *("--set", "imap.tls=none", "--set", "imap.user=referee@league.example"),
            *("--set", "smtp.host=127.0.0.1", "--set", f"smtp.port={embedded.smtp[1]}"),
            *("--set", "smtp.tls=none", "--set", "smtp.user=referee@league.example"),
        )
        assert made.returncode == 0, made.stderr
        assert (home / "league.db").exists()
        for name in ("imap-password", "smtp-password"):
            assert (home / name).stat().st_mode & 0o077 == 0
            (home / name).write_text("referee-secret\n")
        checked = pbem("check", "--json", PBEM_CONFIG=str(home / "league.toml"))
        findings = [json.loads(line) for line in checked.stdout.splitlines()]
        assert checked.returncode == 0, findings
        assert {"settings", "database", "mailbox", "smtp", "clock"} <= {f["part"] for f in findings}
        assert all(finding["ok"] for finding in findings)
        again = pbem("init", home, "--yes")
        assert again.returncode == 2
        assert b"nothing was changed" in again.stderr

    def test_check_warns_of_letters_from_before_the_league(
        self, tmp_path: Path, embedded: MailHost
    ) -> None:
        config = write_league(tmp_path, sections(embedded))
        embedded.deliver(b"From: aunt@home.example\r\n\r\nTuesday?\r\n", "referee@league.example")
        warned = pbem("--config", config, "check")
        assert warned.returncode == 0
        assert b"WARN   mailbox: " in warned.stdout
        assert b"1 letters are there, from before the league began" in warned.stdout
        assert pbem("--config", config, "once").returncode == 0
        assert b"ok     mailbox: " in pbem("--config", config, "check").stdout

    def test_check_says_what_is_wrong(self, run: Run, tmp_path: Path) -> None:
        server = {"host": "127.0.0.1", "port": 1, "tls": "none", "user": "u"}
        server["password_file"] = "password"
        section = {"name": "Avalon", "address": "referee@league.example"}
        file = write_league(tmp_path, {"league": section, "imap": server, "smtp": server})
        status, out, _ = run("--config", file, "check")
        assert status == 1
        assert "WRONG  mailbox: Nothing listens at 127.0.0.1:1" in out
        assert "WRONG  smtp: Nothing listens at 127.0.0.1:1" in out
        assert "WARN   database: there is none at" in out
        assert not (tmp_path / "league.db").exists()

    def test_check_tells_of_a_password_that_everybody_can_read(
        self, tmp_path: Path, embedded: MailHost
    ) -> None:
        config = write_league(tmp_path, sections(embedded))
        secret = tmp_path / "password"
        for mode, told in ((0o644, True), (0o600, False), (0o640, False)):
            secret.chmod(mode)
            checked = pbem("--config", config, "check")
            assert checked.returncode == 0
            assert (
                f"WARN   secrets: everybody on this machine can read {secret}".encode()
                in checked.stdout
            ) == told
            done = pbem("--config", config, "once")
            assert (done.returncode, done.stdout) == (0, b"")
            assert (b"everybody on this machine can read" in done.stderr) == told

    def test_check_looks_for_the_sendmail_command(self, run: Run, tmp_path: Path) -> None:
        section = {"name": "Avalon", "address": "referee@league.example"}
        for command, expected in (
            ("/usr/bin/env -i", "ok     smtp: letters are handed to /usr/bin/env"),
            ("/nowhere/sendmail", "WRONG  smtp: [maildir] sendmail: /nowhere/sendmail is no"),
        ):
            file = write_league(tmp_path, {"league": section, "maildir": {"sendmail": command}})
            assert expected in run("--config", file, "check")[1]

    def test_once_does_all_and_says_so(self, tmp_path: Path, embedded: MailHost) -> None:
        config = write_league(tmp_path, sections(embedded))
        embedded.deliver(b"From: cat@league.example\r\n\r\nHello?\r\n", "referee@league.example")
        done = pbem("once", "--json", PBEM_CONFIG=str(config))
        facts = json.loads(done.stdout)
        assert {key: facts[key] for key in ("kept", "handled", "sent", "moved", "waiting")} == {
            "kept": 1,
            "handled": 1,
            "sent": 1,
            "moved": 1,
            "waiting": 0,
        }


class TestStanding:
    @pytest.fixture
    def config(self, tmp_path: Path) -> Iterator[tuple[League, Path]]:
        (tmp_path / "league.toml").write_text(
            '[league]\nname = "Avalon"\naddress = "referee@league.example"\n'
        )
        with open_league(tmp_path) as league:
            duel(league)
            yield league, tmp_path / "league.toml"

    def test_of_the_league_and_a_game(self, config: tuple[League, Path]) -> None:
        league, file = config
        status = json.loads(pbem("--config", file, "status", "--json").stdout)
        assert status["players"] == status["pilots"] == 2
        assert pbem("--config", file, "audit").stdout == b"Nothing was found.\n"
        assert status["running_battles"] == 1
        game = pbem("--config", file, "game", 1, "--json")
        facts = json.loads(game.stdout)
        assert facts["running"] is True
        assert set(facts["seats"]) == {"Hawk", "Kestrel"}
        assert facts["state"]["over"] is False
        assert league.game.secret.hex().encode() not in game.stdout
        assert status["last_poll"] == league.store.meta("last_poll")
        text = pbem("--config", file, "game", 1).stdout.decode()
        assert "running: yes\n" in text
        assert "winner: not yet\n" in text
        assert pbem("--config", file, "status").returncode == 0

    def test_of_a_battle_that_is_over(self, config: tuple[League, Path]) -> None:
        league, file = config
        ann = league.person("Ann")
        ann.reply("SURRENDER", ann.last_about("[G1-"))
        bob = league.person("Bob")
        bob.reply("SCAN", bob.last_about("[G1-"))
        league.work()
        facts = json.loads(pbem("--config", file, "game", 1, "--json").stdout)
        assert (facts["running"], facts["deadline"]) == (False, None)
        text = pbem("--config", file, "game", 1).stdout.decode()
        assert "running: no\n" in text
        assert "deadline: none\n" in text

    def test_keeps_the_secret_of_a_running_game(self, config: tuple[League, Path]) -> None:
        league, file = config
        for arguments in (["game", 1, "--export"], ["game", 7], ["game", 10**20]):
            done = pbem("--config", file, *arguments)
            assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
            assert league.game.secret.hex().encode() not in done.stderr


def test_init_without_anybody_to_ask_says_what_is_missing(tmp_path: Path) -> None:
    league = tmp_path / "league"
    done = pbem("init", league, "--name", "A", "--set", "imap.host=mail.league.example")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    for name in (b"league.address", b"imap.user", b"smtp.host"):
        assert b"--set " + name in done.stderr
    assert b"imap.host" not in done.stderr
    assert not league.exists()
    rest = ("--address", "r@league.example", "--set", "imap.user=r", "--set", "smtp.host=s.example")
    done = pbem("init", league, "--set", "imap.host=mail.league.example", *rest)
    assert (done.returncode, done.stderr) == (0, b"")
    in_folders = (
        "--set",
        "maildir.path=in",
        "--set",
        "maildir.out=out",
        "--address",
        "r@a.example",
    )
    assert pbem("init", tmp_path / "other", *in_folders).returncode == 0


def test_init_sets_what_the_example_has_as_comments(run: Run, tmp_path: Path) -> None:
    systems = 'league.systems=["blackskies", "starpilot"]'
    changes = ("watch.poll_hours=3", "reports.pictures=false", "backup.path=copies", systems)
    pairs = [word for change in changes for word in ("--set", change)]
    assert run("init", tmp_path / "league", "--yes", *pairs)[0] == 0
    settings = load(tmp_path / "league" / "league.toml", {})
    assert (settings.watch.poll_hours, settings.backup.path) == (3, "copies")
    assert not settings.reports.pictures
    assert settings.league.systems == ("blackskies", "starpilot")
    assert not settings.channels
    status, _, err = run("init", tmp_path / "two", "--yes", "--set", "imap.port=many")
    assert (status, err) == (2, "pbem: imap.port is 'many'; it must be written like 993\n")


def test_init_leaves_no_league_that_was_founded_by_half(run: Run, tmp_path: Path) -> None:
    wrong = ("--set", "store.url=sqlite:////nowhere/league.db")
    status, _, err = run("init", tmp_path / "league", "--yes", *wrong)
    assert (status, err.count("\n")) == (2, 1)
    assert run("init", tmp_path / "league", "--yes")[0] == 0


def test_init_asks_again_for_what_can_not_be_right() -> None:
    asked_for = ["", "referee", "ref@home.example", "berlin", "Europe/Berlin", "", "a host"]
    first_server = ["127.0.0.1:143", "127.0.0.1", "tls", "1", "yes", "", "none", "1", "no"]
    answers = iter([*asked_for, *first_server, "", "", "none", "1", "no", "none"])
    told: list[str] = []
    asked: list[str] = []

    def prompt(question: str) -> str:
        asked.append(question)
        return next(answers)

    found = founding.ask({}, prompt, told.append)
    assert found["league.timezone"] == "Europe/Berlin"
    assert (found["smtp.host"], found["league.moderator"]) == ("127.0.0.1", "")
    assert (found["imap.user"], found["smtp.user"]) == ("ref@home.example", "")
    assert found["imap.tls"] == "none"
    assert [line.split()[:3] for line in told] == [
        ["It", "is", "'referee';"],
        ["'berlin'", "is", "not"],
        ["It", "is", "'a"],
        ["It", "is", "'127.0.0.1:143';"],
        *[["Tried", "it:", "127.0.0.1:1"]] * 3,
    ]
    # The host of the second round is offered as it was, and the port follows from the new TLS.
    assert [one.split()[-1] + " " for one in asked[12:15]] == [
        "[127.0.0.1]: ",
        "[tls]: ",
        "[143]: ",
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["chek"], "No such command 'chek'. Did you mean 'check'?"),
        (["game"], "pbem game: Missing argument 'GAME'. `pbem game --help` shows more"),
        (["game", "Hawk"], "Hawk is in no game; no game goes on now"),
        (["check", "--wait", "long"], "'--wait': 'long'"),
        (["shunted", "eat"], "'list', 'show', 'retry', 'drop'"),
        (
            ["gm", "EXTEND", "12"],
            "'EXTEND 12' lacks something, or has it in another place; write it like",
        ),
        (["gm", "GM", "PAUSE", "12"], "there is no game 12"),
    ],
)
def test_says_what_a_command_lacks(
    run: Run, tmp_path: Path, arguments: list[str], expected: str
) -> None:
    assert run("init", tmp_path / "league", "--yes")[0] == 0
    status, out, err = run("--config", tmp_path / "league", *arguments)
    assert (status, out) == (2, "")
    assert expected in err
    assert "DRAW" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["game"],
        ["game", "one"],
        ["replay"],
        ["dice"],
        ["verify", "--loud"],
        ["person", "show", "J\udcfcrgen"],
        ["init", "x", "--yes", "--name", "\udcff"],
        ["init", "x", "--yes", "--set", "name"],
        ["init", "x", "--yes", "--set", "league.colour=red"],
    ],
)
def test_usage_errors_are_status_2_and_end_in_one_clear_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("pbem")
    assert err.count("\n") == 1
    assert not os.listdir(tmp_path)


WITH_DATABASE = (
    *(("status",), ("audit",), ("game", "1"), ("gm", "PAUSE", "ALL"), ("backup",), ("fsck",)),
    *(("person", "show", "x"), ("explain", "1"), ("newsletter",), ("rebuild", "new.db")),
    *((noun, act) for noun in ("shunted", "held", "outbox", "posts") for act in ("list", "show")),
)


@pytest.mark.parametrize("words", WITH_DATABASE, ids=" ".join)
def test_a_missing_database_is_told_of_and_not_made(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Else a mistyped path would look like a league in which nothing has happened."""
    monkeypatch.chdir(tmp_path)
    section = {"name": "Avalon", "address": "referee@league.example"}
    url = f"sqlite:///{tmp_path}/no/such/league.db"
    file = write_league(tmp_path, {"league": section, "store": {"url": url}})
    before = sorted(tmp_path.rglob("*"))
    status, out, err = run("--config", file, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "no/such/league.db" in err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_an_unknown_option_is_one_line(run: Run, name: str) -> None:
    status, out, err = run(name, "--nonsense")
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_a_disk_that_is_not_there_yet_is_waited_for(run: Run, tmp_path: Path) -> None:
    """Status 2 would tell systemd that a setting is wrong, and nothing would start it again."""
    section = {"name": "Avalon", "address": "referee@league.example"}
    url = f"sqlite:///{tmp_path}/mounted/later/league.db"
    file = write_league(tmp_path, {"league": section, "store": {"url": url}})
    status, _, err = run("--config", file, "run")
    assert (status, err.count("\n")) == (75, 1)


@pytest.mark.parametrize("before", [True, False])
def test_the_settings_are_named_before_the_command_or_after_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "another"))
    assert run("init", tmp_path / "league", "--yes")[0] == 0
    named = "--config", tmp_path / "league"
    words = (*named, "players") if before else ("players", *named)
    assert run(*words) == (0, "Nobody has joined yet.\n", "")


def test_a_program_that_is_interrupted_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(name: str) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("pbem.commands.without_league.read_file", interrupt)
    assert run("read", "letter") == (130, "", "")


def test_python_runs_the_program_as_a_module_and_tells_its_version() -> None:
    done = subprocess.run(
        [*PBEM, "--version"], capture_output=True, text=True, check=True, env=environment()
    )
    assert done.stdout == f"pbem {version('pbem')}\n"


def test_help_cuts_no_purpose_at_80_columns() -> None:
    done = subprocess.run(
        [*PBEM, "--help"], capture_output=True, text=True, check=True, env=environment(COLUMNS="80")
    )
    purposes = done.stdout.partition("Commands:\n")[2].splitlines()
    assert len(purposes) == len(cli.COMMANDS)
    assert [line for line in purposes if not line.endswith(".") or line.endswith("...")] == []


@pytest.mark.parametrize("words", [["--version"], ["replay", str(SCENARIO)]], ids=" ".join)
def test_a_command_imports_only_what_it_needs(words: list[str]) -> None:
    code = "import sys; from pbem.cli import main; main(); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
    found = set(done.stderr.split())
    assert "pbem.cli" in found
    assert not found & {"pbem.storage", "pbem.settings", "pbem.service.daemon", "peewee", "jinja2"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_and_options(shell: str) -> None:
    def answer(instruction: str, words: str, at: int) -> str:
        asked = {"_PBEM_COMPLETE": f"{shell}_{instruction}", "COMP_WORDS": words}
        # Fish sends the word that is written, the others its number.
        asked["COMP_CWORD"] = words.split()[at] if shell == "fish" else str(at)
        environ = environment(**asked)
        return subprocess.run(PBEM, capture_output=True, text=True, check=True, env=environ).stdout

    assert "shunted" in answer("complete", "pbem shu", 1)
    assert "--rotate" in answer("complete", "pbem backup --ro", 2)
