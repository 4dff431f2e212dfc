"""A backlog, answered batch by batch, and moved at the end of the round."""

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.channels.mail.fetch_batches import Listed, in_batches
from pbem.channels.mail.mailbox import Arrival, Batch, Known, MailboxDown
from pbem.channels.mail.maildir import MaildirMailbox
from pbem.storage import Letter, Round
from tests.support.harness import League, open_league

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)


class OneByOne(MaildirMailbox):
    """A mailbox that returns its letters one by one, in an order of its own."""

    def __init__(self, path: Path, order: Sequence[int], ends: bool = False) -> None:
        super().__init__(path)
        self.order, self.ends = order, ends
        self.full = False

    def arrivals(self, known: Known) -> Iterator[Batch]:
        """Yield letters, each with the earliest receipt of those to come."""
        found = [one for batch in super().arrivals(known) for one in batch]
        letters = [found[n] for n in self.order if n < len(found)]
        for number, one in enumerate(letters):
            if self.ends and number == 2:
                raise MailboxDown("The mailbox is gone.")
            rest: list[Arrival] = letters[number + 1 :]
            yield Batch([one], min((other.received for other in rest), default=None))

    def file(self, places: Collection[str]) -> None:
        """Move letters, unless the done folder is full."""
        if self.full:
            raise MailboxDown("The done folder is full.")
        super().file(places)


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    with open_league(tmp_path) as made:
        for name in ("Ann", "Bob", "Cat", "Dan"):
            made.person(name).write(f"JOIN {name}")
            made.later(1)
        yield made


def answered(league: League) -> list[int]:
    """Return the letters in the order in which the last round answered them."""
    return list(json.loads(league.store.all(Round.select().order_by(Round.id))[-1].letters))


@pytest.mark.parametrize(
    ("order", "answers"), [([0, 1, 2, 3], [1, 2, 3, 4]), ([1, 2, 0, 3], [3, 1, 2, 4])]
)
def test_letters_are_answered_in_order_of_receipt_in_whatever_order_they_come(
    league: League, order: list[int], answers: list[int]
) -> None:
    league.mailbox = OneByOne(league.maildir, order)
    league.mailbox.connect()
    league.work()
    assert answered(league) == answers
    assert league.store.count(Letter.select().where(Letter.moved == True)) == 4
    assert len(league.post.letters) == 4


def test_what_could_not_be_moved_is_told_and_not_booked(league: League) -> None:
    league.mailbox = box = OneByOne(league.maildir, range(4))
    box.full = True
    box.connect()
    with pytest.raises(MailboxDown):
        league.work()
    assert league.store.count(Letter.select().where(Letter.moved == True)) == 0
    box.full = False
    league.work()
    assert (
        league.store.count(Letter.select().where(Letter.state == "answered", Letter.moved == True))
        == 4
    )
    assert len(league.post.letters) == 4


def test_a_mailbox_that_ends_amid_a_backlog_loses_nothing(league: League) -> None:
    league.mailbox = box = OneByOne(league.maildir, range(4), ends=True)
    box.connect()
    with pytest.raises(MailboxDown):
        league.work()
    assert league.store.count(Letter.select().where(Letter.state == "answered")) == 2
    box.ends, box.order = False, [0, 1]
    box.connect()
    league.work()
    assert (
        league.store.count(Letter.select().where(Letter.state == "answered", Letter.moved == True))
        == 4
    )
    assert len(league.post.letters) == 4


def test_a_batch_knows_when_the_rest_was_received() -> None:
    sizes = {uid: Listed(10, NOON + timedelta(minutes=(uid * 37) % 250)) for uid in range(1, 251)}
    batches = in_batches(sizes, 1000)
    assert [len(uids) for uids, _ in batches] == [100, 100, 50]
    for number, (_, until) in enumerate(batches):
        rest = [sizes[uid].received for uids, _ in batches[number + 1 :] for uid in uids]
        assert until == min(rest, default=None)
