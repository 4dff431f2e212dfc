"""A login that is refused is told by `pbem health`, until it is taken again."""

from pathlib import Path

import pytest

from tests.hostile.asking import troubles
from tests.support.program import pbem, write_league
from tests.support.scripted_server import ImapDialect, Script, scripted


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"{tag} NO [AUTHENTICATIONFAILED] wrong password\r\n", True),
        (b"{tag} OK welcome\r\n", False),
    ],
)
def test_fault_08_health_tells_of_a_refused_login(
    tmp_path: Path, answer: bytes, told: bool
) -> None:
    script: Script = [answer]
    dialect = ImapDialect({"LOGIN": script, "AUTHENTICATE": script})
    with scripted(dialect) as server:
        at = {"host": server.host, "port": server.port, "tls": "none", "user": "referee"}
        config = write_league(
            tmp_path,
            {
                "league": {"name": "A", "address": "referee@league.example"},
                "imap": at | {"password_file": "password"},
                "maildir": {"out": "out"},
            },
        )
        done = pbem("--config", config, "once")
        assert (done.returncode, done.stdout) == (2 if told else 0, b"")
        assert done.stderr.count(b"\n") == told
        assert ("wrong password" in troubles(config).get("mailbox", "")) == told
        if told:
            script[0] = b"{tag} OK welcome\r\n"
            assert pbem("--config", config, "once").returncode == 0
            assert "mailbox" not in troubles(config)
