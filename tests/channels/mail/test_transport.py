"""Every sink keeps the same contract: aiosmtpd, Postfix, smtp-sink, a Maildir, a sendmail pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.channels.mail.maildir import MaildirTransport
from pbem.channels.mail.sendmail import SendmailTransport
from pbem.channels.mail.transport import (
    Deferred,
    Rejected,
    SmtpAccount,
    SmtpTransport,
    Transport,
    TransportDown,
)
from tests.servers.dovecot import Dovecot
from tests.servers.host import USERS, MailHost
from tests.servers.installed import tls_only
from tests.servers.postfix import Postfix
from tests.servers.sink import smtp_sink

REFEREE, ANN, BOB = "referee@league.example", "ann@league.example", "bob@league.example"

PIPE = """\
import json, sys
from pathlib import Path
folder = Path(sys.argv[1])
number = len(list(folder.iterdir()))
(folder / f"{number}").write_bytes(json.dumps(sys.argv[2:]).encode() + b"\\n" + sys.stdin.buffer.read())
"""  # noqa: E501


def letter(number: int) -> bytes:
    lines = (f"From: {REFEREE}", f"Subject: {number}", "", ".dot", "..", "Grüße", ".", "From me")
    return "\r\n".join((*lines, "")).encode()


@dataclass(frozen=True)
class Post:
    """A transport, and what has arrived by it for a player, with LF for line ends."""

    transport: Transport
    arrived: Callable[[str, int], list[bytes]]


def smtp_account(host: MailHost) -> SmtpAccount:
    ca_file = str(host.ca_file) if host.ca_file else None
    return SmtpAccount(
        host=host.smtp[0], port=host.smtp[1], tls=host.tls, ca_file=ca_file,
        user=REFEREE, password=USERS[REFEREE],
    )  # fmt: skip


def smtp_post(host: MailHost) -> Post:
    def arrived(user: str, count: int) -> list[bytes]:
        return [raw.replace(b"\r\n", b"\n") for raw in host.wait_for_letters(user, count)]

    return Post(SmtpTransport(smtp_account(host)), arrived)


def folder_post(transport: Transport, folder: Path) -> Post:
    def arrived(user: str, _: int) -> list[bytes]:
        raws = [file.read_bytes() for file in sorted(folder.iterdir())]
        return [raw for raw in raws if user.encode() in raw.partition(b"Subject")[0]]

    return Post(transport, arrived)


@pytest.fixture
def aiosmtpd(embedded: MailHost) -> Post:
    return smtp_post(embedded)


@pytest.fixture
def postfix_starttls(installed: MailHost) -> Post:
    return smtp_post(installed)


@pytest.fixture
def postfix_tls(installed: MailHost, dovecot: Dovecot, postfix: Postfix) -> Post:
    return smtp_post(tls_only(dovecot, postfix))


@pytest.fixture
def sink(smtp_tools: None) -> Iterator[Post]:
    with smtp_sink() as server:
        transport = SmtpTransport(
            SmtpAccount(host=server.address[0], port=server.address[1], tls="none")
        )

        def arrived(user: str, _: int) -> list[bytes]:
            return [raw for raw in server.letters() if user.encode() in raw.partition(b"From:")[0]]

        yield Post(transport, arrived)


@pytest.fixture
def maildir(tmp_path: Path) -> Post:
    return folder_post(MaildirTransport(tmp_path / "mail"), tmp_path / "mail" / "new")


@pytest.fixture
def pipe(tmp_path: Path) -> Post:
    (tmp_path / "letters").mkdir()
    command = [sys.executable, "-c", PIPE, str(tmp_path / "letters")]
    return folder_post(SendmailTransport(command), tmp_path / "letters")


SINKS = ["aiosmtpd", "maildir", "pipe"]
SERVICES = ["postfix_starttls", "postfix_tls", "sink"]


@pytest.fixture(
    params=[*SINKS, *(pytest.param(name, marks=pytest.mark.services) for name in SERVICES)]
)
def post(request: pytest.FixtureRequest) -> Iterator[Post]:
    made: Post = request.getfixturevalue(request.param)
    with closing(made.transport):
        yield made


def test_letters_arrive_as_they_were_written(post: Post) -> None:
    for number in range(3):
        post.transport.send(REFEREE, ANN, letter(number))
    found = post.arrived(ANN, 3)
    assert len(found) == 3
    for number in range(3):
        assert any(letter(number).replace(b"\r\n", b"\n").rstrip() in raw for raw in found)


def test_every_recipient_gets_his_own(post: Post) -> None:
    post.transport.send(REFEREE, ANN, letter(1))
    post.transport.send(REFEREE, BOB, letter(2))
    [for_ann], [for_bob] = post.arrived(ANN, 1), post.arrived(BOB, 1)
    assert b"Subject: 1\n" in for_ann
    assert b"Subject: 2\n" in for_bob


def test_the_null_sender_is_taken(post: Post) -> None:
    post.transport.send("", ANN, letter(1))
    [raw] = post.arrived(ANN, 1)
    assert b"<>" in raw.partition(b"Subject:")[0]


def test_after_close_the_next_letter_goes_all_the_same(post: Post) -> None:
    post.transport.send(REFEREE, ANN, letter(1))
    post.transport.close()
    post.transport.close()
    post.transport.send(REFEREE, ANN, letter(2))
    assert len(post.arrived(ANN, 2)) == 2


NOBODIES = [
    "", "ann", "ann@", "@league.example", "<ann@league.example>", "ann@league.example>",
    "a b@league.example", "ann@league.example\r\nRCPT TO:<x@y>", "änn@league.example",
    "ann@league.example bob@league.example", "a@b@c", "ann@x\0",
]  # fmt: skip


@pytest.mark.parametrize("post", SINKS, indirect=True)
@pytest.mark.parametrize("nobody", NOBODIES)
def test_what_is_no_address_is_refused_before_it_is_sent(post: Post, nobody: str) -> None:
    with pytest.raises(Rejected, match="is not an address") as refusal:
        post.transport.send(REFEREE, nobody, letter(1))
    assert refusal.value.bad_address
    if nobody:
        with pytest.raises(TransportDown, match="is not an address"):
            post.transport.send(nobody, ANN, letter(1))


def test_no_address_is_an_option_of_sendmail(pipe: Post) -> None:
    pipe.transport.send(REFEREE, "-oQ/tmp@x", letter(1))
    [raw] = pipe.arrived("-oQ/tmp@x", 1)
    assert raw.startswith(f'["-oi", "-f", "{REFEREE}", "--", "-oQ/tmp@x"]'.encode())


@pytest.mark.parametrize(
    "post", ["aiosmtpd", pytest.param("postfix_tls", marks=pytest.mark.services)], indirect=True
)
def test_an_unknown_player_is_told_from_a_bad_letter_and_the_link_goes_on(post: Post) -> None:
    with pytest.raises(Rejected, match="did not take the letter for nix@league") as refusal:
        post.transport.send(REFEREE, "nix@league.example", letter(1))
    assert (refusal.value.code, refusal.value.bad_address) == (550, True)
    post.transport.send(REFEREE, ANN, letter(2))
    assert len(post.arrived(ANN, 1)) == 1


@pytest.mark.services
def test_a_server_that_was_away_is_found_again(installed: MailHost, postfix: Postfix) -> None:
    transport = SmtpTransport(smtp_account(installed))
    with closing(transport):
        transport.send(REFEREE, ANN, letter(1))
        postfix.stop()
        try:
            with pytest.raises(TransportDown, match=r"127\.0\.0\.1:\d+"):
                transport.send(REFEREE, ANN, letter(2))
        finally:
            postfix.start()
        transport.send(REFEREE, ANN, letter(2))
    assert len(installed.wait_for_letters(ANN, 2)) == 2


WRONG = [
    ({"host": "no-such-host.invalid"}, "No host named", False),
    ({"port": 1}, "Nothing listens at localhost:1", False),
    ({"ca_file": None}, "certificate of localhost:.* is not trusted", False),
    ({"ca_file": "/nowhere"}, "certificates in /nowhere cannot be read", False),
    ({"tls": "tls"}, "does not speak TLS at once", False),
    ({"password": "wrong"}, f"refused the login of {REFEREE}: 535.*many hosts want", True),
    ({"password": "wröng"}, f"refused the login of {REFEREE}: 535", True),
    ({"tls": "none"}, "takes no logins like this|530", None),
    ({"tls": "none", "user": None}, "takes no letters from referee.*: 530", True),
]


@pytest.mark.services
@pytest.mark.parametrize(("change", "sentence", "refused"), WRONG)
def test_what_is_wrong_is_said_in_a_sentence(
    installed: MailHost, change: dict[str, object], sentence: str, refused: bool | None
) -> None:
    right: dict[str, object] = {
        "host": "localhost", "port": installed.smtp[1], "tls": "starttls",
        "user": REFEREE, "password": USERS[REFEREE], "ca_file": str(installed.ca_file),
    }  # fmt: skip
    transport = SmtpTransport(SmtpAccount(**(right | change)))  # type: ignore[arg-type]
    with closing(transport), pytest.raises(TransportDown, match=sentence) as down:
        transport.send(REFEREE, ANN, letter(1))
    assert refused in (None, down.value.refused)


def test_a_disk_that_refuses_is_a_transport_that_is_down(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("a file, no folder")
    with pytest.raises(TransportDown, match="takes no letters"):
        MaildirTransport(tmp_path / "mail").send(REFEREE, ANN, letter(1))


STATUSES = [
    (75, Deferred), (1, Deferred), (65, Rejected), (67, Rejected), (64, TransportDown),
    (78, TransportDown),
]  # fmt: skip


@pytest.mark.parametrize(("status", "kind"), STATUSES)
def test_the_exit_status_of_sendmail_is_read(status: int, kind: type[Exception]) -> None:
    script = f"import sys; sys.stderr.write('because'); sys.exit({status})"
    with pytest.raises(kind, match=r"the letter for ann@league\.example: because"):
        SendmailTransport([sys.executable, "-c", script]).send(REFEREE, ANN, letter(1))


def test_a_sendmail_that_hangs_or_is_missing() -> None:
    hanging = SendmailTransport([sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.2)
    with pytest.raises(Deferred, match="may have gone"):
        hanging.send(REFEREE, ANN, letter(1))
    with pytest.raises(TransportDown, match="/nowhere/sendmail cannot be run: No such file"):
        SendmailTransport(["/nowhere/sendmail"]).send(REFEREE, ANN, letter(1))
