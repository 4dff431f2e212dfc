"""Letters to a domain that defers them wait, and no other letter waits for them."""

from datetime import timedelta

from peewee import fn

from pbem.channels.mail.congestion import Congestion
from pbem.channels.mail.transport import Deferred
from pbem.storage import Outgoing
from tests.support.harness import START, League

MINUTE = timedelta(minutes=1)


class Busy:
    """A transport that defers all letters for one domain, or reports that the link broke."""

    def __init__(self, code: int | None = 451) -> None:
        self.code, self.tried, self.taken = code, list[str](), list[str]()
        self.well = False

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Take a letter or defer it."""
        self.tried.append(recipient)
        if recipient.endswith("@busy.example") and not self.well:
            raise Deferred("451 4.7.0 too many letters", self.code)
        self.taken.append(recipient)

    def close(self) -> None:
        """Nothing is held open."""


def queue(league: League, *recipients: str) -> None:
    for number, recipient in enumerate(recipients):
        league.service.ports.outbox.write_stranger(recipient, "stranger", league.now, (number,), "")


MANY = [f"p{n}@busy.example" for n in range(20)]


def test_fault_10_a_domain_that_puts_letters_off_is_left_alone_and_no_other_waits(
    league: League,
) -> None:
    busy = Busy()
    queue(league, *MANY, "ann@well.example")
    assert league.service.delivery.flush(busy, lambda: league.now) == 1
    assert busy.tried == [*MANY[:2], "ann@well.example"]
    waiting = league.store.all(
        Outgoing.select().where(Outgoing.state == "queued").order_by(Outgoing.id)
    )
    assert len(waiting) == 20
    assert league.store.scalar(
        Outgoing.select(fn.MIN(Outgoing.due)).where(Outgoing.state == "queued")
    ) == min(row.due for row in waiting)


def test_all_arrive_when_it_is_well_again(league: League) -> None:
    busy = Busy()
    queue(league, *MANY)
    for _ in range(4):
        league.service.delivery.flush(busy, lambda: league.now)
        league.now += timedelta(hours=2)
    assert len(busy.tried) < 3 * len(MANY)
    busy.well = True
    for _ in range(5):
        league.service.delivery.flush(busy, lambda: league.now)
        league.now += timedelta(hours=7)
    assert sorted(busy.taken) == sorted(MANY)


def test_a_broken_link_says_nothing_of_the_domain(league: League) -> None:
    busy = Busy(code=None)
    queue(league, *MANY[:5])
    league.service.delivery.flush(busy, lambda: league.now)
    assert busy.tried == MANY[:5]


def test_one_full_mailbox_keeps_no_neighbour_from_letters() -> None:
    congestion = Congestion()
    for _ in range(9):
        congestion.put_off("full@x.example", START)
    assert congestion.until("ann@x.example", START) is None


def test_pauses_grow_up_to_an_hour_and_end_with_the_first_letter_taken() -> None:
    congestion, now, pauses = Congestion(), START, []
    for number in range(12):
        congestion.put_off(f"p{number}@X.example", now)
        until = congestion.until("other@x.EXAMPLE", now)
        if until is not None:
            pauses.append(until - now)
            now = until
    assert pauses[0] <= MINUTE < pauses[3]
    assert max(pauses) <= 60 * MINUTE
    congestion.put_off("z@x.example", now)
    congestion.took("y@x.example")
    assert congestion.until("z@x.example", now) is None
