"""Servers that lie: each kind hides no other letter, is told, and fills no memory."""

import json
import resource
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.channels.mail.backoff import Backoff
from pbem.channels.mail.imap_mailbox import ImapAccount, ImapMailbox
from pbem.channels.mail.mailbox import Arrival, MailboxDown
from pbem.service import inbox
from pbem.service.daemon import Daemon
from pbem.service.health import examine
from pbem.storage import Letter
from tests.support.harness import League, open_league
from tests.support.imap_server import ImapServer, Kept, endless, fetched
from tests.support.players import letter
from tests.support.scripted_server import CLOSE, Script, scripted

LONG = 900
"""Seconds to wait for what comes at once: a test that waits so long is ended as hanging."""


def raw(name: str, number: int = 1, text: str = "") -> bytes:
    found = letter(name, text or f"JOIN {name} Example", number).as_bytes()
    return found.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


@contextmanager
def mailbox(server: ImapServer, **change: Any) -> Iterator[ImapMailbox]:
    with scripted(server) as at:
        facts = {"tls": "none", "user": "me", "password": "geheim", "timeout": 2.0} | change
        with closing(ImapMailbox(ImapAccount(host=at.host, port=at.port, **facts))) as box:
            yield box


def drain(box: ImapMailbox, known: Collection[str] = ()) -> list[Arrival]:
    return [one for batch in box.arrivals(set(known).intersection) for one in batch]


def names(found: list[Arrival]) -> list[str]:
    return [one.raw.partition(b"JOIN ")[2].split()[0].decode() for one in found]


SHORT = b"Subject: x\r\n\r\nshort\r\n"
STUB = b"From: postmaster@host.example\r\nSubject: This letter can't be shown\r\n\r\nSorry.\r\n"

NOT_HANDED_OVER: dict[str, dict[str, Any]] = {
    "OK and nothing": {"given": []},
    "no text in the answer": {"given": [b"* 1 FETCH (UID 1 FLAGS ())\r\n"]},
    "NIL": {"given": [b"* 1 FETCH (UID 1 BODY[] NIL)\r\n"]},
    "an empty literal": {"given": [b"* 1 FETCH (UID 1 BODY[] {0}\r\n)\r\n"]},
    "an empty string": {"given": [b'* 1 FETCH (UID 1 BODY[] "")\r\n']},
    "another letter's number": {"given": [fetched(77, raw("Zoe"))]},
    "a stub of its own": {"given": [fetched(1, STUB)]},
    "a stub of its own as long as the letter": {
        "given": [fetched(1, STUB.ljust(len(raw("Ann")) + 40))]
    },
    "half of it": {"given": [fetched(1, raw("Ann")[:-30])]},
    "NO": {"given": [b"{tag} NO [SERVERBUG] Internal error\r\n"]},
    "BAD": {"given": [b"{tag} BAD what is this\r\n"]},
    "rubbish in brackets": {"given": [b"* 1 FETCH (UID 1 BODY[] ((((\r\n"]},
    "a number as its text": {"given": [b"* 1 FETCH (UID 1 BODY[] 5)\r\n"]},
    "no size": {"unlisted": True},
    "a size that is none": {"size": -1, "given": []},
    "the link cut at it": {"given": [CLOSE]},
    "the link cut within it": {"given": [fetched(1, raw("Ann"))[:200], CLOSE]},
    "goodbye at it": {"given": [b"* BYE Internal error\r\n", CLOSE]},
    "silence at it": {"given": [3.0]},
    "a literal of 530 MiB": {"given": endless(530 << 20)[:40]},
    "a literal of 10^18 octets": {"given": [b"* 1 FETCH (UID 1 BODY[] {%d}\r\n" % 10**18]},
    "a literal beyond all integers": {"given": [b"* 1 FETCH (UID 1 BODY[] {%d}\r\n" % 10**4000]},
    "a line without an end": {"given": [b"* 1 FETCH (UID 1 BODY[] " + b"x" * 2_000_000]},
    "answers without an end": {"given": [fetched(1, b"x" * 60_000) * 20] * 40},
    "brackets within brackets": {"given": [b"* 1 FETCH " + b"(" * 100_000 + b"\r\n"]},
    "a line that is no answer": {"given": [b"hello\r\n"]},
    "a tag that nobody sent": {"given": [b"XX99 OK done\r\n"]},
}


@pytest.mark.parametrize("lies", NOT_HANDED_OVER.values(), ids=NOT_HANDED_OVER)
def test_fault_09_a_letter_that_is_not_handed_over_hides_no_other_and_is_told(
    lies: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = ImapServer()
    server.add(raw("Ann"), **lies)
    for name in ("Bob", "Cat"):
        server.add(raw(name))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with mailbox(server) as box:
        box.connect()
        found = drain(box)
        assert names(found) == ["Bob", "Cat"]
        [why] = box.withheld.values()
        assert why.startswith("UID 1 in INBOX: ")
        # It is tried again with the whole folder, and comes as soon as the server lets it.
        honest = server.letters[1]
        honest.given, honest.unlisted, honest.size = None, False, None
        monkeypatch.setattr("pbem.channels.mail.imap_mailbox.CUT_AGAIN", 0.0)
        box.connect()
        assert names(drain(box, [one.place for one in found])) == ["Ann"]
        assert box.withheld == {}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


HANDED_OVER: dict[str, Callable[[ImapServer], Kept]] = {
    "line ends that count once": lambda server: server.add(
        raw("Ann"), size=len(raw("Ann").replace(b"\r\n", b"\n"))
    ),
    "line ends that are sent as one": lambda server: server.add(
        raw("Ann"), given=[fetched(1, raw("Ann").replace(b"\r\n", b"\n"))]
    ),
    "a size that is an estimate": lambda server: server.add(raw("Ann"), size=5000),
    "a size that is too small": lambda server: server.add(raw("Ann"), size=3),
    "no date": lambda server: server.add(raw("Ann"), date=None),
    "a date before all time": lambda server: server.add(
        raw("Ann"), date="01-Jan-0001 00:00:00 +1400"
    ),
    "a Message-ID far down in a long header": lambda server: server.add(
        (b"X-Long: " + b"x" * 60 + b"\r\n") * 3000 + raw("Ann")
    ),
    "a date that is none": lambda server: server.add(raw("Ann"), date="tomorrow"),
    "no Message-ID": lambda server: server.add(raw("Ann"), message_id=b""),
}


@pytest.mark.parametrize("add", HANDED_OVER.values(), ids=HANDED_OVER)
def test_usual_miscounts_hide_no_letter(add: Callable[[ImapServer], Kept]) -> None:
    server = ImapServer()
    add(server)
    with mailbox(server) as box:
        box.connect()
        assert names(drain(box)) == ["Ann"]
        assert box.withheld == {}


def test_a_server_without_header_fields_hides_no_letter() -> None:
    server = ImapServer(named=False)
    server.add(raw("Ann"))
    with mailbox(server) as box:
        box.connect()
        [first] = drain(box)
        # Its number alone proves nothing, so it comes again with the whole folder.
        box.connect()
        assert drain(box, [first.place]) == [first]


def test_a_large_letter_that_is_listed_as_small_is_cut_to_its_header() -> None:
    server = ImapServer()
    server.add(raw("Ann") + b"x" * 3000, size=1500)
    with mailbox(server, max_bytes=2000) as box:
        box.connect()
        [only] = drain(box)
        assert (only.truncated, only.size > 3000, b"JOIN" in only.raw) == (True, True, False)


def test_a_letter_that_vanished_is_not_told() -> None:
    server = ImapServer()
    server.add(raw("Ann"), given=[])
    with mailbox(server) as box:
        box.connect()
        server.at_command = lambda verb: server.letters.clear() if verb == "UID FETCH" else None
        assert drain(box) == []
        assert box.withheld == {}


def test_a_letter_that_ended_the_link_is_left_out_for_an_hour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = ImapServer()
    server.add(raw("Ann"), given=[CLOSE])
    server.add(raw("Bob"))
    with mailbox(server) as box:
        box.connect()
        found = drain(box)
        assert names(found) == ["Bob"]
        logins, known = server.logins, [one.place for one in found]
        box.look_afresh()
        assert drain(box, known) == []
        assert (len(box.withheld), server.logins) == (1, logins)
        monkeypatch.setattr("pbem.channels.mail.imap_mailbox.CUT_AGAIN", 0.0)
        server.letters[1].given = None
        box.look_afresh()
        assert names(drain(box, known)) == ["Ann"]


def test_many_letters_that_each_end_the_link_are_the_links_fault() -> None:
    server = ImapServer()
    for number in range(30):
        server.add(raw("Ann", number), given=[CLOSE])
    with mailbox(server) as box:
        box.connect()
        with pytest.raises(MailboxDown):
            drain(box)
    assert server.logins < 30


def add_bob(server: ImapServer, **lies: Any) -> None:
    server.add(raw("Bob"), **lies)


AGAIN: dict[str, Callable[[ImapServer], object]] = {
    "the next letter": add_bob,
    "the next one of the same size and date": lambda server: server.add(
        raw("Bob").ljust(len(server.letters.get(1, Kept(raw("Ann"))).raw))
    ),
    "of the same Message-ID, and another size": lambda server: server.add(
        raw("Ann", text="JOIN Bob Ex")
    ),
    "numbers that have grown past the old ones": lambda server: [
        server.add(raw(name)) for name in ("Bob", "Eve", "Ida", "Kim", "Leo")
    ],
    "the old letters are there again": lambda server: [server.add(raw("Ann")), add_bob(server)],
    "the old letters are there again under other numbers": lambda server: [
        add_bob(server),
        server.add(raw("Ann")),
    ],
}


@pytest.mark.parametrize("put_back", AGAIN.values(), ids=AGAIN)
@pytest.mark.parametrize("moves", [True, False])
@pytest.mark.parametrize("restarts", [True, False])
def test_fault_04_numbers_that_are_used_again_lose_no_letter_and_double_none(
    tmp_path: Path, put_back: Callable[[ImapServer], object], moves: bool, restarts: bool
) -> None:
    server = ImapServer(capabilities="IMAP4rev1" + " MOVE" * moves)
    server.add(raw("Ann"))
    server.add(raw("Dan"))
    with open_league(tmp_path) as league, mailbox(server) as box:
        league.now, league.mailbox = datetime.now(UTC) + timedelta(minutes=1), box
        box.connect()
        league.work()
        old = [raw("Ann"), raw("Dan")]
        server.uidnext, server.letters = 1, {}  # as after a copy was put back
        put_back(server)
        fresh = [kept.raw for kept in server.letters.values() if kept.raw not in old]
        if restarts:
            box.connect()
        else:
            box.look_afresh()
        for _ in range(2):
            league.work()
            box.look_afresh()
        rows = league.store.all(Letter.select().order_by(Letter.id))
        assert sorted(row.content for row in rows) == sorted([*old, *fresh])
        assert "duplicate" not in {row.klass for row in rows}
        assert not moves or server.letters == {}


def test_fault_04_a_letter_that_took_the_number_of_a_read_one_is_not_moved_unread() -> None:
    server = ImapServer()
    server.add(raw("Ann"))
    with mailbox(server) as box:
        box.connect()
        [ann] = drain(box)
        server.letters = {}
        server.add(raw("Bob"), uid=1)
        box.file([ann.place])
        assert (server.done, len(server.letters)) == ([], 1)
        box.look_afresh()
        [bob] = drain(box)
        server.letters[1].date = "21-Nov-2026 12:00:00 +0200"  # made anew at each look
        box.file([bob.place])
        assert (server.done, server.letters) == ([bob.raw], {})


def test_what_is_withheld_is_told_by_health_and_to_the_moderator(tmp_path: Path) -> None:
    server = ImapServer()
    server.add(raw("Ann"), given=[])
    server.add(raw("Bob"))
    with open_league(tmp_path, moderator="mod@example.net") as league, mailbox(server) as box:
        league.now, league.mailbox = datetime.now(UTC) + timedelta(minutes=1), box
        box.connect()
        league.work()
        [trouble] = troubles(league)
        assert trouble == (
            "letters that the mailbox lists and does not hand over: 1, such as UID 1 in INBOX: the"
            " server lists it and hands over nothing"
        )
        assert json.loads(league.store.meta(inbox.WITHHELD) or "") == box.withheld
        server.letters[1].given = None
        box.look_afresh()
        league.work()
        assert troubles(league) == []
        assert len(league.post.letters) == 2


def troubles(league: League) -> list[str]:
    return [str(one.text) for one in examine(league.settings, league.store, league.now).troubles]


IDENTIFIED = {"before the login": "IMAP4rev1 ID", "after it": "IMAP4rev1"}


@pytest.mark.parametrize("offered", IDENTIFIED.values(), ids=IDENTIFIED)
def test_who_we_are_is_said_between_login_and_select(offered: str) -> None:
    server = ImapServer(capabilities=offered)

    def offer(verb: str) -> None:
        if verb == "LOGIN":
            server.capabilities = "IMAP4rev1 ID"

    server.at_command = offer
    with mailbox(server) as box:
        box.connect()
    heard = server.heard
    assert heard.index("LOGIN") < heard.index("ID") < heard.index("SELECT")


COURTESIES = ["ID", "NAMESPACE", "LIST", "SUBSCRIBE"]


@pytest.mark.parametrize("answer", [b"{tag} NO no\r\n", b"{tag} BAD what\r\n"])
@pytest.mark.parametrize("verb", COURTESIES)
def test_a_courtesy_that_is_refused_fails_nothing(verb: str, answer: bytes) -> None:
    server = ImapServer(capabilities="IMAP4rev1 ID NAMESPACE")
    if verb == "SUBSCRIBE":
        server.lies["LIST"] = [b"{tag} OK none\r\n"]
    server.lies[verb] = [answer]
    server.add(raw("Ann"))
    with mailbox(server) as box:
        box.connect()
        assert names(drain(box)) == ["Ann"]
        assert verb in server.heard


IDLES: dict[str, Script] = {
    "refused": [b"{tag} NO not for this account\r\n"],
    "not known": [b"{tag} BAD what is IDLE\r\n"],
    "cut": [b"+ idling\r\n", CLOSE],
    "cut at once": [CLOSE],
    "goodbye": [b"* BYE no\r\n", CLOSE],
}


@pytest.mark.parametrize("script", IDLES.values(), ids=IDLES)
def test_fault_07_idle_that_fails_is_polled_over_one_connection(script: Script) -> None:
    server = ImapServer(lies={"IDLE": script})
    with mailbox(server, poll_seconds=0.05) as box:
        box.connect()
        drain(box)
        try:
            box.wait(0.2)
        except MailboxDown:
            box.connect()
            drain(box)
        for _ in range(5):
            assert not box.wait(0.2)
        logins = server.logins
        assert logins <= 2
        server.lies["NOOP"] = [b"* 1 EXISTS\r\n{tag} OK done\r\n"]
        assert box.wait(LONG)
        assert server.logins == logins
        assert server.heard.count("IDLE") == 1


def test_fault_09_a_server_that_cuts_each_link_soon_is_tried_less_and_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A good read alone says nothing: only a link that lasts begins the pauses anew."""
    with open_league(tmp_path) as league, mailbox(ImapServer()) as box:
        pauses = list[int]()
        monkeypatch.setattr(Backoff, "next", lambda self, attempt, rng: pauses.append(attempt) or 0)
        daemon = Daemon(league.service, box, league.post, lambda: league.now)
        for lasting in (60.0, 60.0, 60.0, 0.0):
            monkeypatch.setattr("pbem.service.daemon.STEADY", lasting)
            daemon._read()
            daemon._mailbox_down(MailboxDown("It was cut."))
    assert pauses == [0, 1, 2, 0]


NOT_THE_PASSWORD = [
    b"{tag} NO [ALERT] Too many simultaneous connections. (Failure)\r\n",
    b"{tag} NO Too many simultaneous connections\r\n",
    b"{tag} NO Server unavailable. 15\r\n",
    b"{tag} NO [UNAVAILABLE] Temporary authentication failure\r\n",
    b"{tag} NO [INUSE] mailbox is locked\r\n",
    b"{tag} NO [LIMIT] Maximum number of connections\r\n",
    b"{tag} NO [CONTACTADMIN] account disabled\r\n",
    b"{tag} NO [X-WHATEVER] something new\r\n",
    b"* BYE Too many connections\r\n{tag} NO no\r\n",
    b"* BYE Too many connections\r\n",
]


@pytest.mark.parametrize("answer", NOT_THE_PASSWORD)
def test_fault_08_what_is_no_wrong_password_is_not_said_to_be_one(answer: bytes) -> None:
    server = ImapServer(lies={"LOGIN": [answer]})
    with mailbox(server) as box, pytest.raises(MailboxDown) as down:
        box.connect()
    assert "password" not in str(down.value)
    assert ("onnections" in str(down.value)) == (b"onnections" in answer)
    assert down.value.retry or b"[" not in answer
