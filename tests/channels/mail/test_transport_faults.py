"""What SMTP servers and links do wrong, each played by a scripted server."""

import base64
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from pbem.channels.mail.transport import (
    Deferred,
    Rejected,
    SmtpAccount,
    SmtpTransport,
    TransportDown,
)
from tests.support.scripted_server import CLOSE, Script, Scripted, SmtpDialect, scripted

REFEREE, ANN = "referee@league.example", "ann@league.example"
LETTER = b"Subject: x\r\n\r\n.dot\r\ntext\r\n"
SECRET = "geheim"


@contextmanager
def transport(dialect: SmtpDialect, **change: Any) -> Iterator[tuple[SmtpTransport, Scripted]]:
    with scripted(dialect) as server:
        facts: dict[str, Any] = {"tls": "none", "timeout": 1.0} | change
        made = SmtpTransport(SmtpAccount(host=server.host, port=server.port, **facts))
        with closing(made):
            yield made, server


REPLIES: list[tuple[dict[str, Script], type[Exception], int | None, bool | None]] = [
    ({"MAIL": [b"451 4.3.0 later\r\n"]}, Deferred, 451, None),
    ({"MAIL": [b"552 5.3.4 too big\r\n"]}, Rejected, 552, False),
    ({"MAIL": [b"550 5.7.1 not you\r\n"]}, TransportDown, None, None),
    ({"RCPT": [b"450 4.2.0 greylisted\r\n"]}, Deferred, 450, None),
    ({"RCPT": [b"550 5.1.1 no such user\r\n"]}, Rejected, 550, True),
    ({"RCPT": [b"550-5.1.1 no\r\n550 5.1.1 such user\r\n"]}, Rejected, 550, True),
    ({"RCPT": [b"550 5.1.10 null MX\r\n"]}, Rejected, 550, True),
    ({"RCPT": [b"550 no mailbox here by that name (#5.1.1)\r\n"]}, Rejected, 550, True),
    ({"RCPT": [b"550 5.1.100 is no 5.1.10\r\n"]}, Deferred, 550, None),
    ({"RCPT": [b"550 5.1.90 daily limit for recipients\r\n"]}, Deferred, 550, None),
    ({"RCPT": [b"550 5.1.0 rejected\r\n"]}, Deferred, 550, None),
    ({"RCPT": [b"450 4.1.1 5.1.1\r\n"]}, Deferred, 450, None),
    ({"RCPT": [b"552 5.2.2 full\r\n"]}, Deferred, 552, None),
    ({"RCPT": [b"554 5.7.1 relay access denied\r\n"]}, Deferred, 554, None),
    ({"RCPT": [b"550 5.1.8 bad sender domain\r\n"]}, Deferred, 550, None),
    ({"RCPT": [b"550 not this time\r\n"]}, Deferred, 550, None),
    ({"MAIL": [b"552 too much\r\n"]}, Deferred, 552, None),
    ({"MAIL": [b"552 5.1.1 too much\r\n"]}, Deferred, 552, None),
    ({"MAIL": [b"550 5.1.1 no such sender\r\n"]}, TransportDown, None, None),
    ({"DATA": [b"451 4.3.0 later\r\n"]}, Deferred, 451, None),
    ({"DATA": [b"554 5.5.1 no recipients\r\n"]}, Deferred, 554, None),
    ({"END": [b"550 5.1.1 no such user\r\n"]}, Rejected, 550, True),
    ({"END": [b"552 5.3.4 too big\r\n"]}, Rejected, 552, False),
    ({"END": [b"552 5.2.2 full\r\n"]}, Deferred, 552, None),
    ({"DATA": [b"250 what letter?\r\n"]}, Deferred, 250, None),
    ({"END": [b"452 4.3.1 disk full\r\n"]}, Deferred, 452, None),
    ({"END": [b"554 5.7.1 spam\r\n"]}, Deferred, 554, None),
    ({"RCPT": [b"gibberish\r\n"]}, Deferred, -1, None),
]


@pytest.mark.parametrize(("answers", "kind", "code", "bad_address"), REPLIES)
def test_replies(
    answers: dict[str, Script],
    kind: type[Exception],
    code: int | None,
    bad_address: bool | None,
) -> None:
    dialect = SmtpDialect(answers)
    with transport(dialect) as (made, server):
        with pytest.raises(kind) as refusal:
            made.send(REFEREE, ANN, LETTER)
        dialect.answers = {}
        made.send(REFEREE, ANN, LETTER)
    assert getattr(refusal.value, "code", None) == code
    assert getattr(refusal.value, "bad_address", None) == bad_address
    assert ("RSET" in dialect.heard) == (server.connections == 1)
    assert dialect.letters[-1] == LETTER.replace(b".dot", b"..dot")


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA", "END"])
def test_fault_12_a_link_lost_on_the_way_is_deferred(stage: str) -> None:
    dialect = SmtpDialect({stage: [CLOSE]})
    with transport(dialect) as (made, server):
        with pytest.raises(Deferred) as lost:
            made.send(REFEREE, ANN, LETTER)
        assert lost.value.code is None
        assert ("may have gone" in str(lost.value)) == (stage == "END")
        dialect.answers = {}
        made.send(REFEREE, ANN, LETTER)
        assert server.connections == 2
    assert len(dialect.letters) == (2 if stage == "END" else 1)


def test_fault_12_no_answer_to_the_letter_is_deferred() -> None:
    dialect = SmtpDialect({"END": [0.01]})
    with (
        transport(dialect, timeout=0.3) as (made, _),
        pytest.raises(Deferred, match="may have gone"),
    ):
        made.send(REFEREE, ANN, LETTER)


@pytest.mark.parametrize("text", [b".\r\n", b"..\r\n.x\r\n", b"x\r\n.", b"x", b"\r\n.\r\n"])
def test_a_dot_never_ends_a_letter(text: bytes) -> None:
    dialect = SmtpDialect({})
    with transport(dialect) as (made, _):
        made.send(REFEREE, ANN, text)
    ended = text if text.endswith(b"\r\n") else text + b"\r\n"
    assert (
        b"".join(line.removeprefix(b".") for line in dialect.letters[0].splitlines(True)) == ended
    )


def test_many_letters_share_one_connection() -> None:
    dialect = SmtpDialect({})
    with transport(dialect) as (made, server):
        for _ in range(5):
            made.send(REFEREE, ANN, LETTER)
        assert server.connections == 1
    assert len(dialect.letters) == 5
    assert sum(line.startswith("EHLO") for line in dialect.heard) == 1


@pytest.mark.parametrize("goodbye", [[CLOSE], [b"421 4.4.2 idle too long\r\n", CLOSE]])
def test_a_kept_connection_that_was_closed_is_replaced_unnoticed(goodbye: Script) -> None:
    dialect = SmtpDialect({})
    with transport(dialect) as (made, server):
        made.send(REFEREE, ANN, LETTER)
        dialect.answers = {"MAIL": _Once(dialect, goodbye)}
        made.send(REFEREE, ANN, LETTER)
        assert server.connections == 2
    assert len(dialect.letters) == 2


class _Once(list[Any]):
    """A script for one time; afterwards the dialect answers as usual."""

    def __init__(self, dialect: SmtpDialect, script: Script) -> None:
        super().__init__(script)
        self._dialect = dialect

    def __iter__(self) -> Iterator[Any]:
        self._dialect.answers = {}
        return super().__iter__()


def test_a_server_that_says_421_at_once_is_asked_later() -> None:
    dialect = SmtpDialect({"MAIL": [b"421 4.7.0 too many\r\n", CLOSE]})
    with transport(dialect) as (made, server):
        with pytest.raises(Deferred, match="too many") as refusal:
            made.send(REFEREE, ANN, LETTER)
        assert (refusal.value.code, server.connections) == (421, 1)


@pytest.mark.parametrize(
    "greeting", [[b"554 no service\r\n"], [b"421 busy\r\n", CLOSE], [CLOSE], [b"* OK IMAP\r\n"]]
)
def test_a_server_that_does_not_greet_is_down(greeting: Script) -> None:
    with (
        transport(SmtpDialect({}, greeting=greeting)) as (made, _),
        pytest.raises(TransportDown, match=r"127\.0\.0\.1:\d+"),
    ):
        made.send(REFEREE, ANN, LETTER)


def test_replies_over_several_packets() -> None:
    pieces: Script = [b"250-loc", 0.05, b"alhost\r\n250-8BIT", 0.05, b"MIME\r\n250 SIZE 99\r\n"]
    dialect = SmtpDialect({"EHLO": pieces, "RCPT": [b"25", 0.05, b"0 ok\r\n"]})
    with transport(dialect) as (made, _):
        made.send(REFEREE, ANN, "Grüße\r\n".encode())
    assert f"MAIL FROM:<{REFEREE}> SIZE=9 BODY=8BITMIME" in dialect.heard


def test_what_is_not_offered_is_not_asked() -> None:
    dialect = SmtpDialect({})
    with transport(dialect) as (made, _):
        made.send(REFEREE, ANN, "Grüße\r\n".encode())
    assert f"MAIL FROM:<{REFEREE}>" in dialect.heard


def test_the_greeting_gives_a_name_that_a_strict_server_takes() -> None:
    dialect = SmtpDialect({})
    with transport(dialect) as (made, _):
        made.send(REFEREE, ANN, LETTER)
    name = dialect.heard[0].removeprefix("EHLO ")
    assert "." in name


LOGINS: list[tuple[str, dict[str, Script], str, bool]] = [
    ("AUTH PLAIN", {"AUTH": [b"535 no geheim\r\n"]}, r"login of me: 535 no \*\*\*", True),
    ("AUTH LOGIN", {"AUTH": [b"535 5.7.8 no\r\n"]}, "refused the login of me", True),
    ("AUTH PLAIN", {"AUTH": [b"454 4.7.0 later\r\n"]}, "refused the login of me: 454", False),
    ("AUTH PLAIN", {"AUTH": [CLOSE]}, "failed", False),
    ("AUTH GSSAPI", {}, "No suitable authentication method", False),
    ("localhost", {}, "takes no logins like this", False),
]  # fmt: skip


@pytest.mark.parametrize(("feature", "answers", "sentence", "refused"), LOGINS)
@pytest.mark.parametrize("password", [SECRET, "gehöim"])
def test_fault_08_60_refused_logins_never_tell_the_password(
    feature: str, answers: dict[str, Script], sentence: str, refused: bool, password: str
) -> None:
    dialect = SmtpDialect(answers, features=("localhost", feature))
    with (
        transport(dialect, user="me", password=password) as (made, _),
        pytest.raises(TransportDown) as down,
    ):
        made.send(REFEREE, ANN, LETTER)
    text = "".join(traceback.format_exception(down.value)) + repr(down.value)
    for secret in (password, base64.b64encode(f"\0me\0{password}".encode()).decode()):
        assert secret not in text
    if password == SECRET:
        assert down.value.refused == refused
        down.match(sentence)


def test_the_password_is_not_sent_where_starttls_is_missing() -> None:
    dialect = SmtpDialect({}, features=("localhost", "AUTH PLAIN"))
    with (
        transport(dialect, user="me", password=SECRET, tls="starttls") as (made, _),
        pytest.raises(TransportDown, match="offers no STARTTLS"),
    ):
        made.send(REFEREE, ANN, LETTER)
    assert not any(line.startswith("AUTH") for line in dialect.heard)


def test_a_password_beyond_ascii_is_sent_as_utf_8() -> None:
    dialect = SmtpDialect({"AUTH": [b"235 welcome\r\n"]}, features=("localhost", "AUTH PLAIN"))
    with transport(dialect, user="me", password="gehöim") as (made, _):
        made.send(REFEREE, ANN, LETTER)
    secret = base64.b64encode("\0me\0gehöim".encode()).decode()
    assert f"AUTH PLAIN {secret}" in dialect.heard


def test_a_password_is_in_no_repr() -> None:
    account = SmtpAccount(host="h", port=1, tls="none", user="u", password=SECRET)
    assert SECRET not in repr(account)


def test_closing_does_not_hang_on_a_silent_server() -> None:
    with transport(SmtpDialect({"QUIT": [0.01]})) as (made, _):
        made.send(REFEREE, ANN, LETTER)
        made.close()
