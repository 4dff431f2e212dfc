"""Every source of letters keeps the same contract: embedded IMAP, Dovecot three ways, Maildir."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from pbem.channels.mail.backoff import LINK, REFUSED
from pbem.channels.mail.fetch_batches import OCTETS, Listed, by_weight
from pbem.channels.mail.imap_mailbox import ImapAccount, ImapMailbox
from pbem.channels.mail.mailbox import Arrival, Mailbox, MailboxDown
from pbem.channels.mail.maildir import MaildirMailbox, deliver, make_maildir
from tests.servers.dovecot import Dovecot
from tests.servers.host import USERS, MailHost

REFEREE = "referee@league.example"
LARGE = 20_000
TOO_LONG = 900
"""Seconds to wait for what comes at once: a test that waits so long is ended as hanging."""


def letter(number: int, text: bytes = b"FIRE\r\n.dot\r\n") -> bytes:
    head = f"From: ann@league.example\r\nMessage-ID: <{number}@test>\r\nSubject: {number}\r\n\r\n"
    return head.encode() + text


def numbers(arrivals: list[Arrival]) -> list[int]:
    return [int(each.raw.split(b"Subject: ")[1].split()[0]) for each in arrivals]


@dataclass(frozen=True)
class Source:
    """A mailbox, and two doors behind its back: deliver a letter, take all letters out."""

    box: Mailbox
    deliver: Callable[[bytes], None]
    steal: Callable[[], None]

    def all(self, known: Sequence[Arrival] = ()) -> list[Arrival]:
        self.box.look_afresh()
        return self.new(known)

    def new(self, known: Sequence[Arrival] = ()) -> list[Arrival]:
        places = {one.place for one in known}
        return [one for batch in self.box.arrivals(places.intersection) for one in batch]

    def fill(self, *wanted: int) -> list[Arrival]:
        for number in wanted:
            self.deliver(letter(number))
        return self.all()


def imap_account(host: MailHost) -> ImapAccount:
    ca_file = str(host.ca_file) if host.ca_file else None
    return ImapAccount(
        host=host.imap[0], port=host.imap[1], tls=host.tls, ca_file=ca_file,
        user=REFEREE, password=USERS[REFEREE], max_bytes=LARGE,
    )  # fmt: skip


def imap_source(host: MailHost) -> Source:
    return Source(
        ImapMailbox(imap_account(host)), lambda raw: host.deliver(raw, REFEREE), host.clear
    )


def dovecot_host(dovecot: Dovecot) -> MailHost:
    return MailHost(
        name="dovecot", imap=dovecot.imap, smtp=dovecot.lmtp, tls="starttls",
        ca_file=dovecot.certificates.ca_file, users=dovecot.users, back_door=dovecot.deliver,
    )  # fmt: skip


def maildir_source(path: Path) -> Source:
    make_maildir(path)

    def steal() -> None:
        for file in (path / "new").iterdir():
            file.unlink()

    return Source(MaildirMailbox(path, max_bytes=LARGE), lambda raw: deliver(path, raw), steal)


DOVECOTS = [
    pytest.param(f"dovecot-{tls}", marks=pytest.mark.services)
    for tls in ("none", "starttls", "tls")
]


@pytest.fixture(params=["maildir", "embedded", *DOVECOTS])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Source]:
    kind, _, tls = request.param.partition("-")
    if kind == "maildir":
        made = maildir_source(tmp_path / "mail")
    elif kind == "embedded":
        made = imap_source(request.getfixturevalue("embedded"))
    else:
        dovecot = request.getfixturevalue("dovecot")
        door = dovecot.imaps if tls == "tls" else dovecot.imap
        made = imap_source(dovecot_host(dovecot).at(tls, door, dovecot.lmtp))
        made.steal()
    with closing(made.box):
        made.box.connect()
        yield made


@pytest.fixture
def real(dovecot: Dovecot) -> Iterator[Source]:
    made = imap_source(dovecot_host(dovecot))
    made.steal()
    with closing(made.box):
        made.box.connect()
        yield made


def test_letters_come_oldest_first_with_all_that_is_known(source: Source) -> None:
    found = source.fill(1, 2, 3)
    assert numbers(found) == [1, 2, 3]
    assert len({each.place for each in found}) == 3
    for number, each in enumerate(found, 1):
        assert each.raw.endswith(letter(number))
        assert each.size == len(each.raw)
        assert not each.truncated
        assert each.received.tzinfo is UTC
        assert abs(datetime.now(UTC) - each.received) < timedelta(seconds=20)


def test_what_is_known_does_not_come_again(source: Source) -> None:
    first, second, third = source.fill(1, 2, 3)
    assert source.all([first]) == [second, third]
    assert source.all([second]) == [first, third]
    assert source.all([first, second, third]) == []


def test_only_what_came_since_the_last_look_is_looked_at(source: Source) -> None:
    source.fill(1, 2)
    assert source.new() == []
    source.deliver(letter(3))
    assert numbers(source.new()) == [3]


def test_a_look_that_did_not_reach_its_end_is_made_again(source: Source) -> None:
    source.fill(*range(130))
    source.box.look_afresh()
    assert len(next(source.box.arrivals(lambda places: set()))) == 100
    assert len(source.new()) == 130


def test_arrivals_are_complete_without_waiting(source: Source) -> None:
    assert source.all() == []
    assert numbers(source.fill(1)) == [1]


def test_many_letters_come_in_batches(source: Source) -> None:
    for number in range(130):
        source.deliver(letter(number))
    batches = list(source.box.arrivals(lambda places: set()))
    assert [len(batch) for batch in batches] == [100, 30]
    assert numbers([each for batch in batches for each in batch]) == list(range(130))


def test_fault_53_of_a_large_letter_only_the_header_is_fetched(source: Source) -> None:
    source.deliver(letter(1, b"x" * 70 + b"\r\n") + b"line\r\n" * LARGE)
    source.deliver(letter(2))
    large, small = source.all()
    assert large.truncated
    assert large.size > 6 * LARGE - 1000
    assert large.raw.endswith(b"Subject: 1\r\n\r\n")
    assert not small.truncated


def test_filed_letters_leave_the_folder(source: Source) -> None:
    first, second = source.fill(1, 2)
    assert source.box.places() == {first.place, second.place}
    assert source.box.lists(first.place)
    source.box.file([first.place, "no place"])
    assert source.all() == [second]
    assert not source.box.lists(first.place)
    source.box.file([first.place, second.place])
    source.box.file([])
    assert source.box.places() == set()


def test_only_the_letter_that_was_seen_in_its_place_is_filed(source: Source) -> None:
    [only] = source.fill(1)
    *rest, last = only.place.split()
    source.box.file([" ".join([*rest, last[:-1] + ("a" if last[-1] != "a" else "b")])])
    assert source.all() == [only]


def test_no_two_letters_have_one_place(source: Source) -> None:
    [first] = source.fill(1)
    source.box.file([first.place])
    [second] = source.fill(2)
    assert second.place != first.place


def test_a_new_connection_sees_the_same_numbers(source: Source) -> None:
    before = source.fill(1, 2)
    source.box.close()
    source.box.connect()
    assert source.all() == before


def test_letters_that_vanish_between_batches_are_passed_over(source: Source) -> None:
    source.fill(*range(130))
    source.box.look_afresh()
    batches = source.box.arrivals(lambda places: set())
    assert len(next(batches)) == 100
    source.steal()
    assert list(batches) == []
    assert source.box.withheld == {}


def test_a_wait_ends_without_mail(source: Source) -> None:
    """That it does not end too soon is asserted below, where mail comes while it waits."""
    source.all()
    assert not source.box.wait(0.3)


def test_mail_between_looking_and_waiting_is_seen_at_once(source: Source) -> None:
    for number in range(5):
        source.all()
        source.deliver(letter(number))
        assert source.box.wait(TOO_LONG)
    assert len(source.all()) == 5


def test_mail_while_waiting_ends_the_wait(source: Source) -> None:
    source.all()
    later(0.2, lambda: source.deliver(letter(1)))
    assert source.box.wait(TOO_LONG)
    assert numbers(source.all()) == [1]


def test_mail_after_an_idle_without_news_is_seen(source: Source) -> None:
    source.all()
    source.box.wait(0.05)
    source.deliver(letter(1))
    assert source.box.wait(TOO_LONG)


def test_mail_during_a_drain_is_seen_at_once(source: Source) -> None:
    source.fill(*range(101))
    source.box.look_afresh()
    batches = source.box.arrivals(lambda places: set())
    next(batches)
    source.deliver(letter(999))
    rest = [each for batch in batches for each in batch]
    if 999 not in numbers(rest):
        assert source.box.wait(TOO_LONG)


def test_wake_ends_the_wait_from_a_thread(source: Source) -> None:
    source.all()
    later(0.2, source.box.wake)
    assert not source.box.wait(TOO_LONG)
    assert not source.box.wait(0.2)  # what has rung once does not ring again


def test_wake_before_the_wait_ends_it(source: Source) -> None:
    source.all()
    source.box.wake()
    source.box.wake()
    assert not source.box.wait(TOO_LONG)


def test_wake_ends_the_wait_from_a_signal_handler(source: Source) -> None:
    source.all()
    before = signal.signal(signal.SIGUSR1, lambda *_: source.box.wake())
    try:
        later(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1))
        assert not source.box.wait(TOO_LONG)
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.mark.services
def test_reading_leaves_letters_unread_and_read_ones_are_read(
    dovecot: Dovecot, real: Source
) -> None:
    real.fill(1, 2)
    with dovecot_host(dovecot).reader(REFEREE) as client:
        client.select_folder("INBOX")
        assert len(client.search("UNSEEN")) == 2
        client.add_flags(client.search(), [b"\\Seen"])
    assert numbers(real.all()) == [1, 2]


@pytest.mark.services
def test_the_done_folder_is_made_and_shown_to_people(dovecot: Dovecot, real: Source) -> None:
    [only] = real.fill(1)
    real.box.file([only.place])
    assert dovecot_host(dovecot).inbox(REFEREE, "Processed") == [only.raw]
    with dovecot_host(dovecot).reader(REFEREE) as client:
        assert "Processed" in [name for _, _, name in client.list_sub_folders()]


@pytest.mark.services
def test_fault_04_a_changed_uidvalidity_shows_all_letters_anew(
    dovecot: Dovecot, real: Source
) -> None:
    [before] = real.fill(1)
    real.box.close()
    dovecot.reset_uidvalidity(REFEREE)
    real.box.connect()
    [after] = real.all([before])
    assert after.raw == before.raw
    assert after.place != before.place


@pytest.mark.services
def test_a_server_that_goes_and_comes_back(dovecot: Dovecot, real: Source) -> None:
    [only] = real.fill(1)
    stopping = later(0.2, dovecot.stop)
    try:
        with pytest.raises(MailboxDown, match=r"127\.0\.0\.1:\d+") as down:
            wait_for_ever(real.box)
    finally:
        stopping.join()
        dovecot.start()
    assert down.value.retry
    with pytest.raises(MailboxDown, match="not connected"):
        real.box.places()
    real.box.connect()
    assert real.all() == [only]


WRONG = [
    ({"host": "no-such-host.invalid"}, "No host named 'no-such-host.invalid'", True, False),
    ({"port": 1}, "Nothing listens at localhost:1", True, False),
    ({"ca_file": None}, "certificate of localhost:.* is not trusted", False, False),
    ({"ca_file": "/nowhere"}, "certificates in /nowhere cannot be read", True, False),
    ({"tls": "tls"}, "does not speak TLS at once: try tls = \"starttls\"", False, False),
    ({"host": "127.0.0.2"}, "refused|listens|not trusted|certificate", None, False),
    ({"password": "wrong"}, f"refused the login of {REFEREE}", False, True),
    ({"password": "wröng"}, f"refused the login of {REFEREE}", False, True),
    ({"folder": "Nix"}, "cannot open the folder Nix", False, False),
    ({"done_folder": "a//b"}, "cannot make the folder a//b", False, False),
]  # fmt: skip


@pytest.mark.services
@pytest.mark.parametrize(("change", "sentence", "retry", "refused"), WRONG)
def test_what_is_wrong_is_said_in_a_sentence(
    dovecot: Dovecot, change: dict[str, object], sentence: str, retry: bool | None, refused: bool
) -> None:
    right: dict[str, object] = {
        "host": "localhost", "port": dovecot.imap[1], "tls": "starttls", "user": REFEREE,
        "password": USERS[REFEREE], "ca_file": str(dovecot.certificates.ca_file),
    }  # fmt: skip
    box = ImapMailbox(ImapAccount(**(right | change)))  # type: ignore[arg-type]
    with pytest.raises(MailboxDown, match=sentence) as down:
        box.connect()
    assert retry in (None, down.value.retry)
    assert down.value.refused == refused


def test_batches_are_bounded_by_bytes() -> None:
    sizes = {uid: Listed(OCTETS // 3, datetime.now(UTC)) for uid in range(1, 8)}
    assert list(by_weight(sizes, OCTETS)) == [[1, 2, 3], [4, 5, 6], [7]]
    huge = {1: Listed(10**12, datetime.now(UTC)), 2: Listed(5, datetime.now(UTC))}
    assert list(by_weight(huge, OCTETS)) == [[1], [2]]
    assert list(by_weight(huge, 1000)) == [[1, 2]]


def test_pauses_double_with_jitter_up_to_their_bound() -> None:
    rng = Random(1)
    pauses = [LINK.next(attempt, rng) for attempt in range(2000)]
    assert pauses[0] == 1
    assert all(1 <= pause <= 300 for pause in pauses)
    assert len({round(pause, 3) for pause in pauses[20:]}) > 1000
    assert min(REFUSED.next(attempt, rng) for attempt in range(100)) == 300


def test_a_password_is_in_no_repr() -> None:
    account = ImapAccount(host="h", port=1, tls="none", user="u", password="geheim")
    assert "geheim" not in repr(account)


def wait_for_ever(box: Mailbox) -> None:
    while True:
        box.wait(20)


def later(seconds: float, act: Callable[[], object]) -> threading.Timer:
    timer = threading.Timer(seconds, act)
    timer.start()
    return timer
