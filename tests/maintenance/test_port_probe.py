"""A wrong TLS setting is told within ten seconds, with what to change."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from pbem.maintenance import port_probe
from pbem.maintenance.checkup import check
from pbem.maintenance.founding import ask, seen

Serve = Callable[[socket.socket], None]


@contextmanager
def server(serve: Serve) -> Iterator[int]:
    """Serve connections on a port of this machine, one by one."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10)

        def run() -> None:
            try:
                while True:
                    with listening.accept()[0] as one:
                        serve(one)
            except OSError:
                return

        threading.Thread(target=run, daemon=True).start()
        yield listening.getsockname()[1]


def greets(one: socket.socket) -> None:
    one.sendall(b"220 mail.example ESMTP\r\n")
    one.recv(1000)


def waits_for_tls(one: socket.socket) -> None:
    """Say nothing, as a server does that waits for TLS, and answer nothing else."""
    one.settimeout(2)
    one.recv(1000)


def test_a_plain_port_that_should_have_tls_is_told_what_to_change() -> None:
    with server(greets) as port:
        found = port_probe.fault("smtp", "127.0.0.1", port, "tls")
    assert "does not begin with TLS" in found
    assert 'tls = "starttls" (usual at port 587), or port = 465' in found


@pytest.mark.parametrize("tls", ["starttls", "none"])
def test_a_plain_port_is_right_without_tls_from_the_first(tls: str) -> None:
    with server(greets) as port:
        assert port_probe.fault("imap", "127.0.0.1", port, tls) == ""


def test_a_port_that_says_nothing_is_told() -> None:
    with server(waits_for_tls) as port:
        begun = monotonic()
        found = port_probe.fault("imap", "127.0.0.1", port, "starttls", timeout=1)
        waited = monotonic() - begun
    assert "says nothing; are host and port right?" in found
    assert round(waited) * port_probe.TIMEOUT <= 10


def test_a_league_without_a_moderator_is_warned_of(tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    for line, warns, said in (
        ("", True, "set [league] moderator to your own address, and JOIN from there"),
        ('moderator="mona@b.example"', False, "mona@b.example, who has still to JOIN"),
    ):
        file.write_text(
            f'[league]\nname="A"\naddress="a@b.example"\n{line}\n[maildir]\npath="in"\nout="out"\n'
        )
        found = {finding.part: finding for finding in check(file)}
        assert found["moderator"].ok
        assert found["moderator"].warns == warns
        assert said in found["moderator"].text


def test_a_port_where_nobody_is_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert "does not answer" in port_probe.fault("imap", "127.0.0.1", port, "tls")


def test_init_asks_for_port_and_tls_and_says_what_it_saw() -> None:
    said: list[str] = []
    given = {"league.name": "A", "league.timezone": "UTC", "imap.user": "a", "smtp.user": "a"}
    with server(greets) as port:
        typed = iter(
            [
                "ref@league.example",
                "mona@example.org",
                "127.0.0.1",
                "ssl",
                "tls",
                str(port),
                "no",
                "127.0.0.1",
                "none",
                str(port),
            ]
        )
        found = ask(given, lambda question: next(typed), said.append)
    assert found["league.moderator"] == "mona@example.org"
    assert found["imap.tls"] == "tls"
    assert found["smtp.port"] == str(port)
    assert any("write tls, starttls or none" in one for one in said)
    assert any("does not begin with TLS" in one for one in said)
    assert any("answers, and greets without TLS" in one for one in said)


@pytest.mark.parametrize("fault", ["mail.example says nothing; are they right?", "it is shut"])
def test_what_init_saw_ends_in_one_mark(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port_probe, "fault", lambda *given: fault)
    given = {"imap.host": "mail.example", "imap.port": "143", "imap.tls": "none"}
    wrong, said = seen("imap", given)
    assert wrong
    assert said == f"Tried it: {fault}" + ("" if "?" in fault else ".")
