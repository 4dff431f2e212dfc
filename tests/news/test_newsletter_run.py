"""An issue going out to hundreds: none twice, none missing, not too fast, and after turns."""

import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pytest

from pbem.channels.folder import FolderSettings
from pbem.channels.mail.maildir import MaildirTransport
from pbem.channels.mail.transport import Deferred
from pbem.handlers.moderator import ruling_table
from pbem.maintenance.rebuild import rebuild
from pbem.outgoing.delivery import Delivery
from pbem.people import readers
from pbem.service.service import Service
from pbem.storage import Issue, Outgoing, Player, Post, Store, queues
from pbem.storage.queues import BULK
from tests.service.crash_driver import Killer
from tests.support.harness import START, League, Pigeonholes, open_league, settings_for
from tests.support.players import parsed

COUNT, RATE = 160, 120
EVERYBODY = {f"r{n}@readers.example": 1 for n in range(COUNT)}
MEMORY = Path("/dev/shm")


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as made:
        yield Path(made)


def subscribe(league: League, count: int) -> None:
    """Join people who subscribe, without their letters."""
    with league.store.transaction():
        for number in range(count):
            player = league.store.create(
                Player,
                name=f"Reader {number}",
                folded=f"reader{number}",
                address=f"r{number}@readers.example",
                confirmed=True,
                joined=league.now,
                heard=league.now,
            )
            readers.enrol(league.store, league.now, player.id)


def issues(post: Pigeonholes) -> list[str]:
    """Return the people whom a newsletter was sent, in order."""
    return [to for to, raw in post.letters if b"\r\nList-Id:" in raw]


@pytest.mark.league(newsletter={"letters_a_minute": RATE})
def test_everybody_gets_one_and_the_rate_is_kept(league: League) -> None:
    subscribe(league, COUNT)
    league.service.ports.newsletter.want()
    sent: list[int] = []
    while sum(sent) < COUNT:
        before = len(issues(league.post))
        league.work()
        sent.append(len(issues(league.post)) - before)
        league.now += timedelta(seconds=5)
    for start in range(len(sent)):
        assert sum(sent[start : start + 12]) <= RATE
    assert len(sent) * 5 <= 60 * COUNT / RATE + 10
    league.later(1)
    league.work()
    assert Counter(issues(league.post)) == EVERYBODY
    assert league.store.get(Issue, 1).done
    assert league.service.ports.newsletter.next_due(league.now) is None


@pytest.mark.parametrize("rate", [1, 7])
def test_a_slow_rate_is_kept_too(tmp_path: Path, rate: int) -> None:
    with open_league(tmp_path, newsletter={"letters_a_minute": rate}) as league:
        subscribe(league, 20)
        league.service.ports.newsletter.want()
        for minute in range(1, 3):
            for _ in range(30):
                league.work()
                league.now += timedelta(seconds=2)
            assert len(issues(league.post)) in (rate * minute, rate * minute + 1)


def test_turns_go_first(league: League) -> None:
    subscribe(league, 40)
    league.service.ports.newsletter.want()
    league.service.ports.newsletter.publish(league.now)
    ann = league.person("Ann")
    ann.write("JOIN Ann Example")
    league.work()
    recipients = [to for to, _ in league.post.letters]
    assert recipients[0] == ann.address
    assert len(recipients) == 21


class Busy(Pigeonholes):
    """A server that puts every newsletter off."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Take letters of other kinds only."""
        if b"\r\nList-Id:" in raw:
            raise Deferred("451 later")
        super().send(sender, recipient, raw)


def test_a_server_that_puts_them_off_gets_them_all_in_the_end(league: League) -> None:
    subscribe(league, 50)
    league.service.ports.newsletter.want()
    patient, league.transport = league.transport, Busy()
    for _ in range(4):
        league.work()
        league.now += timedelta(seconds=30)
    league.transport = patient
    for _ in range(12):
        league.later(1)
        league.work()
    assert Counter(issues(league.post)) == {f"r{n}@readers.example": 1 for n in range(50)}


def test_a_heap_of_them_is_handed_over_at_once(league: League) -> None:
    subscribe(league, 60)
    league.service.ports.newsletter.want()
    league.service.ports.newsletter.publish(league.now)
    league.service.ports.newsletter.publish(league.now + timedelta(minutes=1))
    league.now += timedelta(minutes=1)
    assert [league.send(), league.send()] == [60, 0]


def test_letters_that_are_out_take_no_room_in_the_books(league: League) -> None:
    subscribe(league, 5)
    league.service.ports.newsletter.want()
    league.work()
    rows = league.store.all(Outgoing.select().where(Outgoing.kind == BULK).order_by(Outgoing.id))
    assert [(row.state, row.content) for row in rows] == [("sent", b"")] * 5


def test_who_leaves_in_the_midst_gets_none_and_who_comes_gets_one(league: League) -> None:
    subscribe(league, 30)
    league.service.ports.newsletter.want()
    league.work()
    assert len(issues(league.post)) == 20
    readers.strike(league.store, 30)
    readers.enrol(league.store, league.now, 30 + subscribe_one(league))
    league.later(1)
    league.work()
    got = set(issues(league.post))
    assert "r29@readers.example" not in got
    assert "late@readers.example" in got
    assert len(issues(league.post)) == 30


def subscribe_one(league: League) -> int:
    """Join one more person; return how many have come late."""
    league.store.create(
        Player,
        name="Late",
        folded="late",
        address="late@readers.example",
        confirmed=True,
        joined=league.now,
        heard=league.now,
    )
    return 1


def test_an_issue_is_posted_once_for_each_channel(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        for look in ("text", "bbcode", "markdown"):
            kind = FolderSettings(path=str(tmp_path / look), format=look)  # type: ignore[arg-type]
            league.settings.channels[look] = kind  # type: ignore[index]
        league.service.ports.newsletter.want()
        league.work()
        league.work()
        league.service.ports.posts.flush_all(league.now)
        rows = league.store.all(Post.select().order_by(Post.id))
        assert sorted(row.channel for row in rows) == ["bbcode", "markdown", "text"]
        assert {row.ident for row in rows} == {"newsletter-1"}
        assert all("It was a quiet time" in " ".join(row.body.split()) for row in rows)


def test_a_rebuilt_league_has_printed_and_sent_the_same(tmp_path: Path) -> None:
    with open_league(tmp_path, newsletter={"when": "0 18 * * *"}) as league:
        for name in ("Ann", "Bob"):
            person = league.person(name)
            person.join()
            person.ask("SUBSCRIBE")
        for hours in (24, 1, 24, 1):
            league.later(hours)
            league.work()
        ruling_table.by_shell(league.service.ports, "NEWSLETTER", league.now)
        league.later(1)
        league.work()
        assert league.store.count(Issue.select()) == 3
        assert len(issues(league.post)) == 6
        assert rebuild(league.settings, tmp_path / "new.db") == []


def _be_the_child(folder: Path, now: datetime, at: int) -> NoReturn:
    killer = Killer(at)
    killer.before(queues, "claim")
    killer.before(queues, "mark_sent")
    killer.before(MaildirTransport, "send")
    killer.before(Delivery, "flush")
    killer.before(queues, "queue")
    try:
        _work(folder, now)
        os._exit(0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)


def _work(folder: Path, now: datetime) -> None:
    """Do what the daemon does while an issue goes out."""
    settings = settings_for(folder, newsletter={"letters_a_minute": 6000})
    store = Store(settings.store_url())
    service, transport = Service(settings, store), MaildirTransport(folder / "out")
    service.ports.newsletter.publish(now)
    while store.first(Issue.select().where(Issue.done == False).order_by(Issue.id)) is not None:
        now += timedelta(seconds=1)
        service.ports.newsletter.publish(now)
        service.delivery.flush(transport, lambda at=now: at)
    service.delivery.flush(transport, lambda: now)
    store.close()


@pytest.mark.long
def test_a_kill_in_the_midst_leaves_nobody_out_and_writes_to_nobody_twice(folder: Path) -> None:
    with open_league(folder) as league:
        subscribe(league, COUNT)
        league.service.ports.newsletter.want()
    kills, at = 0, 110
    while True:
        child = os.fork()
        if child == 0:
            _be_the_child(folder, START + timedelta(hours=kills), at)
        _, status = os.waitpid(child, 0)
        if status == 0:
            break
        assert os.WIFSIGNALED(status), "the child fell over by itself"
        assert os.WTERMSIG(status) == signal.SIGKILL
        kills, at = kills + 1, at + 7
    assert kills >= 4
    copies: dict[str, list[bytes]] = {}
    for file in sorted((folder / "out" / "new").iterdir()):
        raw = file.read_bytes()
        copies.setdefault(parsed(raw)["Message-ID"], []).append(raw)
    recipients = Counter(parsed(raw[0])["X-Envelope-To"] for raw in copies.values())
    assert recipients == EVERYBODY
    assert all(len(set(same)) == 1 for same in copies.values())
    again = sum(len(same) - 1 for same in copies.values())
    assert again <= kills, "only the letter that was just being handed over may go twice"
