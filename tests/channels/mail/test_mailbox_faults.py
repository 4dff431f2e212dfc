"""What IMAP servers and links do wrong, each played by a scripted server."""

import traceback
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from pbem.channels.mail.imap_mailbox import ImapAccount, ImapMailbox
from pbem.channels.mail.mailbox import Arrival, MailboxDown
from tests.support.scripted_server import CLOSE, ImapDialect, Script, scripted

OK = b"{tag} OK done\r\n"
SECRET = "geheim"
TOO_LONG = 900
"""Seconds to wait for what comes at once: a test that waits so long is ended as hanging."""


@contextmanager
def imap(dialect: ImapDialect, **change: Any) -> Iterator[ImapMailbox]:
    """A mailbox on a scripted server, not yet connected."""
    with scripted(dialect) as server:
        facts: dict[str, Any] = {
            "tls": "none",
            "user": "me",
            "password": SECRET,
            "timeout": 1.0,
        } | change
        with closing(ImapMailbox(ImapAccount(host=server.host, port=server.port, **facts))) as box:
            yield box


@contextmanager
def connected(answers: dict[str, Script], **change: Any) -> Iterator[ImapMailbox]:
    with imap(ImapDialect(answers), **change) as box:
        box.connect()
        assert list(box.arrivals(nothing)) == []
        yield box


def size(uid: int) -> bytes:
    date = b'INTERNALDATE "20-Nov-2026 12:00:00 +0200"'
    return b"* %d FETCH (UID %d RFC822.SIZE 5 %s)\r\n" % (uid, uid, date)


def body(uid: int) -> bytes:
    return b"* %d FETCH (UID %d BODY[] {5}\r\nabc%02d)\r\n" % (uid, uid, uid)


BODIES: Script = [body(1) + body(2) + body(3) + OK]


def fetching(script: Script, *uids: int, bodies: Script | None = None) -> ImapDialect:
    """Sizes by `script`; with `bodies` the second FETCH is answered by that."""
    found = b" ".join(b"%d" % uid for uid in uids)
    dialect = ImapDialect({"UID SEARCH": [b"* SEARCH " + found + b"\r\n" + OK]})
    turns = iter([script, bodies or script, script])
    dialect.answers = dict(dialect.answers) | {"UID FETCH": _Turns(turns)}
    return dialect


class _Turns(list[Any]):
    """A script that answers differently each time that it is asked."""

    def __init__(self, turns: Iterator[Script]) -> None:
        super().__init__([b""])
        self._turns = turns

    def __iter__(self) -> Iterator[Any]:
        return iter(next(self._turns))


def nothing(places: Collection[str]) -> set[str]:
    """Know no letter."""
    return set()


def drain(box: ImapMailbox) -> list[Arrival]:
    box.connect()
    return [each for batch in box.arrivals(nothing) for each in batch]


HEARD: dict[str, Script] = {
    "EXISTS in the packet of the continuation": [b"+ idling\r\n* 1 EXISTS\r\n"],
    "EXISTS before the continuation": [b"* 1 EXISTS\r\n+ idling\r\n"],
    "a line over two packets": [b"+ idling\r\n", 0.1, b"* 1 EX", 0.1, b"ISTS\r\n"],
    "a continuation over two packets": [b"+ id", 0.1, b"ling\r\n* 1 EX", 0.1, b"ISTS\r\n"],
    "chatter before the news": [b"+ idling\r\n* OK Still here\r\n* 1 EXISTS\r\n"],
    "a line that no parser likes before the news": [
        b"+ idling\r\n* 1 FETCH (FLAGS (\\Seen) ENVELOPE ((\r\n",
        0.1,
        b"* 1 EXISTS\r\n",
    ],
    "a literal before the news": [
        b"+ idling\r\n* 1 FETCH (X {3}\r\n",
        0.1,
        b"abc)\r\n* 1 EXISTS\r\n",
    ],
}


@pytest.mark.parametrize("script", HEARD.values(), ids=HEARD)
def test_what_is_said_in_idle_ends_the_wait(script: Script) -> None:
    with connected({"IDLE": script}) as box:
        assert box.wait(TOO_LONG)
        list(box.arrivals(nothing))


def test_a_server_that_repeats_itself_does_not_keep_us_busy() -> None:
    count = iter([5, 5, 5, 6])
    dialect = ImapDialect(
        {
            "UID SEARCH": [b"* 5 EXISTS\r\n* SEARCH\r\n" + OK],
            "IDLE": _Turns([b"+ idling\r\n* OK hi\r\n* %d EXISTS\r\n" % n] for n in count),
        }
    )
    with imap(dialect) as box:
        drain(box)
        assert box.wait(TOO_LONG)
        list(box.arrivals(nothing))
        assert not box.wait(0.1)
        list(box.arrivals(nothing))
        assert not box.wait(0.1)
        list(box.arrivals(nothing))
        assert not box.wait(0.1)
        assert box.wait(TOO_LONG)


def test_the_same_count_after_an_expunge_is_news() -> None:
    dialect = fetching([size(1) + OK], 1, bodies=[body(1) + OK])
    dialect.answers = dict(dialect.answers) | {
        "SELECT": [b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n" + OK],
        "UID MOVE": [b"* 1 EXPUNGE\r\n" + OK],
        "IDLE": [b"+ idling\r\n* 1 EXISTS\r\n"],
    }
    with imap(dialect) as box:
        [only] = drain(box)
        assert not box.wait(0.1)
        box.file([only.place])
        assert box.wait(TOO_LONG)


LOST: dict[str, Script] = {
    "closed in IDLE": [b"+ idling\r\n", 0.1, CLOSE],
    "closed with the continuation": [b"+ idling\r\n", CLOSE],
    "closed before the continuation": [CLOSE],
    "silent": [0.1],
}


@pytest.mark.parametrize("script", LOST.values(), ids=LOST)
def test_fault_07_a_link_that_dies_in_idle_is_said_to_be_down(script: Script) -> None:
    with connected({"IDLE": script}, timeout=0.5) as box:
        with pytest.raises(MailboxDown, match=r"127\.0\.0\.1:\d+") as down:
            box.wait(TOO_LONG)
        assert down.value.retry
        box.connect()


def test_fault_07_a_link_that_is_silent_after_idle_is_down() -> None:
    with (
        connected({"DONE": [0.1]}, timeout=0.5) as box,
        pytest.raises(MailboxDown, match="did not answer in time"),
    ):
        box.wait(0.1)


def test_fault_09_a_farewell_is_passed_on() -> None:
    with (
        connected({"IDLE": [b"+ idling\r\n* BYE Server shutting down.\r\n", CLOSE]}) as box,
        pytest.raises(MailboxDown, match=r"closed the link: Server shutting down\.$"),
    ):
        box.wait(TOO_LONG)


def test_fault_09_goodbye_in_the_middle_of_fetching() -> None:
    script: Script = [size(1), b"* BYE [OVERQUOTA] too much\r\n", CLOSE]
    with imap(fetching(script, 1, 2)) as box, pytest.raises(MailboxDown, match="OVERQUOTA"):
        drain(box)


def test_a_letter_split_over_packets_is_whole() -> None:
    bodies: Script = [
        b"* 1 FETCH (UID 1 BO",
        0.05,
        b"DY[] {5}\r\nab",
        0.05,
        b"c01)\r\n" + OK,
    ]
    with imap(fetching([size(1) + OK], 1, bodies=bodies)) as box:
        [only] = drain(box)
        assert (only.raw, only.received.isoformat()) == (b"abc01", "2026-11-20T10:00:00+00:00")


def test_news_during_fetching_ends_the_next_wait_without_idle() -> None:
    dialect = fetching([size(1) + OK], 1, bodies=[body(1) + b"* 2 EXISTS\r\n" + OK])
    with imap(dialect) as box:
        assert len(drain(box)) == 1
        assert box.wait(TOO_LONG)
    assert "IDLE" not in dialect.heard


def test_without_idle_noop_is_asked() -> None:
    noops: Iterator[Script] = iter([[OK], [OK], [OK], [b"* 1 EXISTS\r\n" + OK]])
    dialect = ImapDialect({"NOOP": _Turns(noops)}, capabilities=b"IMAP4rev1")
    with imap(dialect, poll_seconds=0.1) as box:
        assert drain(box) == []
        assert box.wait(TOO_LONG)
        assert next(noops, None) is None  # it asked until there was news


def test_without_idle_a_wake_ends_the_wait() -> None:
    with imap(ImapDialect({}, capabilities=b"IMAP4rev1"), poll_seconds=10) as box:
        drain(box)
        box.wake()
        assert not box.wait(TOO_LONG)


def filing(capabilities: bytes, answers: dict[str, Script] | None = None) -> list[str]:
    dialect = fetching([size(1) + size(2) + size(3) + OK], 1, 2, 3, bodies=BODIES)
    dialect.answers = dict(dialect.answers) | (answers or {})
    dialect.capabilities = capabilities
    with imap(dialect) as box:
        places = [one.place for one in drain(box)]
        before = len(dialect.heard)
        box.file([places[2], *places[:2], "no place"])
        return [line for line in dialect.heard[before:] if not line.startswith("UID FETCH")]


def test_letters_are_moved_where_the_server_can() -> None:
    assert filing(b"IMAP4rev1 MOVE UIDPLUS") == ['UID MOVE 1,2,3 "Processed"']


def test_else_they_are_copied_and_expunged_by_uid() -> None:
    assert filing(b"IMAP4rev1 UIDPLUS") == [
        'UID COPY 1,2,3 "Processed"',
        "UID STORE 1,2,3 +FLAGS.SILENT (\\Deleted)",
        "UID EXPUNGE 1,2,3",
    ]


def test_else_they_stay() -> None:
    assert filing(b"IMAP4rev1") == []


def test_a_refused_move_leaves_the_letters_and_the_link() -> None:
    refusal: dict[str, Script] = {"UID MOVE": [b"{tag} NO [OVERQUOTA] full\r\n"]}
    assert len(filing(b"IMAP4rev1 MOVE", refusal)) == 1


def test_a_done_folder_that_somebody_removed_is_made_again() -> None:
    gone: dict[str, Script] = {"UID MOVE": [b"{tag} NO [TRYCREATE] no such folder\r\n"]}
    assert filing(b"IMAP4rev1 MOVE", gone) == [
        'UID MOVE 1,2,3 "Processed"',
        'CREATE "Processed"',
        'SUBSCRIBE "Processed"',
        'UID MOVE 1,2,3 "Processed"',
    ]


def test_a_refused_copy_deletes_nothing() -> None:
    refusal: dict[str, Script] = {"UID COPY": [b"{tag} NO [OVERQUOTA] full\r\n"]}
    assert filing(b"IMAP4rev1 UIDPLUS", refusal) == ['UID COPY 1,2,3 "Processed"']


def test_the_done_folder_stands_below_the_prefix_of_the_server() -> None:
    namespace: Script = [b'* NAMESPACE (("INBOX." ".")) NIL NIL\r\n' + OK]
    listing: Script = [OK]
    dialect = ImapDialect(
        {"NAMESPACE": namespace, "LIST": listing}, capabilities=b"IMAP4rev1 NAMESPACE"
    )
    with imap(dialect) as box:
        box.connect()
    assert 'CREATE "INBOX.Processed"' in dialect.heard


LOGINS = [
    (b"{tag} NO [AUTHENTICATIONFAILED] no\r\n", "login of me.*Look at user and", False, True),
    (b"{tag} NO no " + SECRET.encode() + b"\r\n", r"no \*\*\*", False, True),
    (b"{tag} BAD what is LOGIN me " + SECRET.encode() + b"\r\n", "refused the login", False, True),
    (b"{tag} NO [UNAVAILABLE] later\r\n", "refused the login of me", True, False),
    (b"{tag} NO [ALERT] see our page\r\n", r"refused the login.*see our page\.$", True, True),
    (b"{tag} NO wrong\r\n", "wrong. If that names no other reason", False, True),
]


@pytest.mark.parametrize(("answer", "sentence", "retry", "refused"), LOGINS)
def test_fault_08_refused_logins(answer: bytes, sentence: str, retry: bool, refused: bool) -> None:
    with (
        imap(ImapDialect({"LOGIN": [answer]})) as box,
        pytest.raises(MailboxDown, match=sentence) as down,
    ):
        box.connect()
    assert (down.value.retry, down.value.refused) == (retry, refused)
    assert SECRET not in "".join(traceback.format_exception(down.value))


def test_a_password_is_not_sent_where_login_is_disabled() -> None:
    dialect = ImapDialect({}, capabilities=b"IMAP4rev1 STARTTLS LOGINDISABLED")
    with imap(dialect) as box, pytest.raises(MailboxDown, match='set tls = "starttls"'):
        box.connect()
    assert not any(SECRET in line for line in dialect.heard)


def test_a_password_is_not_sent_without_the_starttls_that_was_asked_for() -> None:
    dialect = ImapDialect({}, capabilities=b"IMAP4rev1")
    with (
        imap(dialect, tls="starttls") as box,
        pytest.raises(MailboxDown, match="does not offer STARTTLS"),
    ):
        box.connect()
    assert not any(SECRET in line for line in dialect.heard)


GREETINGS = {
    b"* BYE too many connections\r\n": r"127\.0\.0\.1:\d+ ",
    b"220 mail ESMTP\r\n": r"127\.0\.0\.1:\d+ speaks no IMAP, but says '220 mail ESMTP'",
    b"* OK": r"127\.0\.0\.1:\d+ did not answer in time",
    b"": r"127\.0\.0\.1:\d+ did not answer in time",
}


@pytest.mark.parametrize(("greeting", "sentence"), GREETINGS.items())
def test_strange_greetings(greeting: bytes, sentence: str) -> None:
    with (
        imap(ImapDialect({}, greeting=greeting), timeout=0.3) as box,
        pytest.raises(MailboxDown, match=sentence),
    ):
        box.connect()


def test_no_uidvalidity_no_mailbox() -> None:
    with (
        imap(ImapDialect({"SELECT": [b"* 0 EXISTS\r\n" + OK]})) as box,
        pytest.raises(MailboxDown, match="gives no lasting numbers to INBOX"),
    ):
        box.connect()


def test_closing_does_not_hang_on_a_silent_server() -> None:
    with connected({"LOGOUT": [0.01]}) as box:
        box.close()
