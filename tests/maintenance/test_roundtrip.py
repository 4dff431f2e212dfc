"""`pbem check --send`: letters to oneself through real servers, and what is read off them."""

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.channels.mail.sender_authentication import AuthenticationSettings
from pbem.intake import read_letter
from pbem.maintenance.roundtrip import authentication
from pbem.storage import Letter, Outgoing, Store
from tests.servers.host import MailHost
from tests.support.players import address_of
from tests.support.program import Sections, pbem, running, sections, write_league


def findings(folder: Path, told: Sections, *more: str) -> dict[str, dict[str, Any]]:
    done = pbem("--config", write_league(folder, told), "check", "--send", "--json", *more)
    assert done.stderr == b""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == any(not one["ok"] for one in found)
    return {one["part"]: one for one in found}


def test_letters_come_back_by_both_addresses(mail_servers: MailHost, tmp_path: Path) -> None:
    found = findings(tmp_path, sections(mail_servers), "--wait", "20")
    assert [part for part, one in found.items() if not one["ok"]] == []
    assert "came back after" in found["return"]["text"]
    assert "arrived after" in found["plus addresses"]["text"]
    assert "you may set verp = true" in found["verp"]["text"]
    assert found["text"]["text"] == "as it was sent"
    # Nothing is left that a later check would take for a letter to be read.
    checked = pbem("--config", tmp_path / "league.toml", "check").stdout
    assert b": 0 letters are there" in checked


def test_beside_a_daemon_that_moves_them_away(embedded: MailHost, tmp_path: Path) -> None:
    config = sections(embedded)
    with running(write_league(tmp_path, config)):
        found = findings(tmp_path, config, "--wait", "20")
    store = Store(f"sqlite:///{tmp_path / 'league.db'}")
    assert {letter.state for letter in store.all(Letter.select().order_by(Letter.id))} <= {
        "received",
        "discarded",
    }
    assert store.count(Outgoing.select()) == 0
    store.close()
    assert found["return"]["ok"]
    assert found["plus addresses"]["ok"]


def test_a_letter_that_does_not_come_back_is_told(embedded: MailHost, tmp_path: Path) -> None:
    config = sections(embedded)
    config["league"]["address"] = address_of("Ann")
    found = findings(tmp_path, config, "--wait", "1")
    assert "did not come back within 1 s" in found["return"]["text"]
    assert "set plus_addresses = false" in found["plus addresses"]["text"]


@pytest.mark.parametrize(
    ("header", "ok", "text"),
    [
        ("", True, "says nothing"),
        ("mx.example; spf=pass; dkim=pass; dmarc=pass", True, "SPF pass, DKIM pass, DMARC pass"),
        ("mx.example; spf=softfail; dkim=none", False, "mend SPF"),
        ("mx.example; dmarc=fail", False, "DMARC fail"),
    ],
)
def test_what_the_own_server_reports_is_told(header: str, ok: bool, text: str) -> None:
    lines = f"Authentication-Results: {header}\n" if header else ""
    forged = "Authentication-Results: evil.example; dmarc=fail\n" if header else ""
    reading = read_letter(f"{lines}{forged}From: a@x.example\n\nHello".encode())
    found = authentication(reading, AuthenticationSettings(server="mx.example" if header else ""))
    assert (found.ok, text in found.text) == (ok, True)


def test_findings_of_another_server_than_the_one_believed_are_told() -> None:
    believed = AuthenticationSettings(server="mail.example")
    reading = read_letter(b"Authentication-Results: mx.example; spf=pass\nFrom: a@x.example\n\n")
    found = authentication(reading, believed)
    assert (found.ok, "by mx.example, not mail.example" in found.text) == (False, True)
    found = authentication(read_letter(b"From: a@x.example\n\n"), believed)
    assert (found.ok, "by nobody, not mail.example" in found.text) == (True, True)
