"""What servers say and files hold reaches no terminal and no log as a command to it."""

import logging
import re
from pathlib import Path

import pytest

from pbem import cli
from pbem.host.logs import Discreet
from tests.support.imap_server import ImapServer
from tests.support.program import pbem, write_league
from tests.support.scripted_server import SmtpDialect, scripted

OBEYED = b"\x1b]0;owned\x07\x1b[2J\x9b31m\rok\x08\x7f"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


def sections(kind: str, port: int) -> dict[str, dict[str, object]]:
    server = {"host": "127.0.0.1", "port": port, "tls": "none", "user": "u"}
    own: dict[str, dict[str, object]] = {"maildir": {"path": "in", "out": "out"}}
    own["maildir"].pop({"imap": "path", "smtp": "out"}[kind])
    return own | {
        "league": {"name": "Avalon", "address": "referee@league.example"},
        kind: server | {"password_file": "password"},
    }


@pytest.mark.parametrize("verb", ["LOGIN", "SELECT", "UID SEARCH"])
@pytest.mark.parametrize("command", ["once", "check"])
def test_no_terminal_obeys_an_imap_server(tmp_path: Path, command: str, verb: str) -> None:
    server = ImapServer(lies={verb: [b"{tag} NO " + OBEYED + b"\r\n"]})
    with scripted(server) as at:
        done = pbem("--config", write_league(tmp_path, sections("imap", at.port)), command)
    said = (done.stdout + done.stderr).decode()
    assert "owned" in said
    assert not CONTROLS.search(said)


def test_no_terminal_obeys_an_smtp_server(tmp_path: Path) -> None:
    dialect = SmtpDialect({"AUTH": [b"535 " + OBEYED + b"\r\n"]}, features=("x", "AUTH PLAIN"))
    (tmp_path / "in").mkdir()
    with scripted(dialect) as at:
        done = pbem("--config", write_league(tmp_path, sections("smtp", at.port)), "check")
    said = (done.stdout + done.stderr).decode()
    assert "owned" in said
    assert not CONTROLS.search(said)


def test_a_name_on_the_command_line_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--config", "\x1b[2J\u202e", "status"]) == 2
    said = capsys.readouterr().err
    assert "\\x1b[2J\\u202e" in said
    assert not CONTROLS.search(said)


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_message_in_the_log_is_one_line_and_obeyed_by_nobody(style: str) -> None:
    words = "refused: \x1b[2J ok\nERROR forged\r\x85\x9b31m\u202e"
    record = logging.LogRecord("pbem", logging.ERROR, "x", 1, "it says %s", (words,), None)
    line = Discreet(style).format(record)  # type: ignore[arg-type]
    assert "\n" not in line
    assert not CONTROLS.search(line)
    assert "forged" in line
