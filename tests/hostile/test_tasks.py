"""Faults in every act of a round, through the real daemon: it goes on, and so does all else."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.i18n import say
from pbem.channels.mail.maildir import MaildirMailbox
from pbem.channels.mail.transport import Transport, TransportDown
from pbem.news.newsletter import Newsletter
from pbem.outgoing.posts import Posts
from pbem.outgoing.retried_tasks import MOST, Task, attempt, failing
from pbem.people import personal_data
from pbem.service import daemon, deadline_guard, inbox, jobs, round_tasks
from pbem.service.alarms import Alarms
from pbem.service.daemon import Daemon
from pbem.service.rounds import Round
from pbem.service.sender import Sender
from pbem.storage import Outgoing, Store, StoreDown, kept_settings, queues, stored_games
from tests.channels.test_channels import connect
from tests.support.harness import League, Person
from tests.support.paths import ROOT
from tests.support.players import words

MODERATOR = "moderator@league.example"

ACTS: dict[str, tuple[Any, str]] = {
    "settings": (kept_settings, "note"),
    "outage": (deadline_guard, "watch"),
    "letters": (Round, "answer_all"),
    "deadlines": (stored_games, "due"),
    "public letters": (round_tasks.public_letters, "pass_on"),
    "reminders": (round_tasks, "remind"),
    "patrols": (round_tasks, "meet_bots"),
    "digests": (round_tasks.digest, "send_due"),
    "newsletter": (Newsletter, "publish"),
    "tidy": (personal_data, "tidy"),
    "clean": (personal_data, "clean"),
    "briefing": (round_tasks.moderator_letter, "send_due"),
    "fetching": (inbox, "keep"),
    "feed": (Newsletter, "feed"),
    "sender": (Sender, "work"),
    "health": (Alarms, "look"),
    "moving": (inbox, "move_handled"),
    "rest": (Daemon, "_listen"),
}
NEEDS = {"deadlines": {"outage"}}
"""What is left out where another act fails: no deadline is played that an outage may move."""
FAULTS = (ZeroDivisionError("a bug"), OverflowError("date value out of range"), OSError(28, "full"))

pytestmark = pytest.mark.league(patrol_bots="easy", moderator=MODERATOR)


class Rounds:
    """A daemon that is stopped after so many rounds, no matter what happens in them."""

    def __init__(self, league: League, monkeypatch: pytest.MonkeyPatch, most: int = 3) -> None:
        monkeypatch.setattr(jobs, "PAUSE", timedelta(seconds=0.01))
        monkeypatch.setattr(jobs, "LEAST", timedelta(seconds=0.01))
        for name in ("POLL", "QUEUE_POLL", "UPKEEP"):
            monkeypatch.setattr(daemon, name, timedelta(seconds=0.02))
        self.daemon = Daemon(league.service, league.mailbox, league.post, lambda: league.now)
        self.count = 0
        work = self.daemon._read_or_rest

        def counted() -> None:
            try:
                work()
            finally:
                self.count += 1
                if self.count == most:
                    self.daemon.stop()

        monkeypatch.setattr(self.daemon, "_read_or_rest", counted)

    def run(self) -> int:
        """Run, and return how many rounds there were."""
        self.daemon.run()
        return self.count


def _spied(
    monkeypatch: pytest.MonkeyPatch, called: Counter[str], broken: str, fault: Exception
) -> None:
    """Count the calls of all acts, and let one of them fail."""
    for name, (owner, attribute) in ACTS.items():
        real: Callable[..., Any] = getattr(owner, attribute)

        def spy(
            *given: Any, _name: str = name, _real: Callable[..., Any] = real, **more: Any
        ) -> Any:
            called[_name] += 1
            if _name == broken:
                raise fault
            return _real(*given, **more)

        monkeypatch.setattr(owner, attribute, spy)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("broken", ACTS)
def test_hostile_a_fault_in_one_act_stops_no_other(
    league: League, monkeypatch: pytest.MonkeyPatch, broken: str, fault: Exception
) -> None:
    called: Counter[str] = Counter()
    _spied(monkeypatch, called, broken, fault)
    assert Rounds(league, monkeypatch, most=6).run() >= 6
    left_out = {name for name, needed in NEEDS.items() if broken in needed}
    missing = {name for name in ACTS if not called[name]} - left_out
    assert not missing


@pytest.mark.parametrize("act", ["reminders", "patrols", "digests", "newsletter", "tidy", "clean"])
def test_hostile_an_act_that_fails_is_set_aside_and_the_moderator_told_once(
    league: League, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    called: Counter[str] = Counter()
    _spied(monkeypatch, called, act, ZeroDivisionError("a bug"))
    for _ in range(60):
        league.later(1 / 12)
        league.work()
    assert called[act] == MOST
    found = [raw for to, raw in league.post.letters if to == MODERATOR]
    assert len(found) == 1
    assert b"the program fails at" in found[0]
    league.later(24)
    league.work()
    assert called[act] == MOST + 1  # once a day, since the program may have been corrected
    assert sum(to == MODERATOR for to, _ in league.post.letters) == 1


def test_hostile_an_act_that_works_again_is_as_if_it_had_never_failed(league: League) -> None:
    faults: list[Exception] = [ZeroDivisionError()] * (MOST - 1)

    def act() -> None:
        if faults:
            raise faults.pop()

    found = []
    for _ in range(400):
        found.append(
            attempt(league.service.ports.outbox, Task("act", say("an act"), act), league.now)
        )
        league.later(1 / 60)
    assert found.count(True) > 200
    assert failing(league.store) == {}
    assert league.store.count(Outgoing.select()) == 0


def test_hostile_a_full_disk_is_no_fault_of_an_act(league: League) -> None:
    """The database that is away is waited for by the daemon, and nothing is set aside for it."""

    def act() -> None:
        raise StoreDown("the disk is full")

    with pytest.raises(StoreDown):
        attempt(league.service.ports.outbox, Task("act", say("an act"), act), league.now)
    assert failing(league.store) == {}


@pytest.mark.parametrize(
    "year", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)]
)
def test_hostile_no_clock_ends_the_daemon(
    league: League, ann: Person, monkeypatch: pytest.MonkeyPatch, year: datetime
) -> None:
    league.now = year
    assert Rounds(league, monkeypatch).run() >= 3
    league.now = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
    assert "STATUS" in words(ann.ask("HELP"))


class Raising(Transport):
    """A transport that a letter breaks in a way that nobody expects."""

    def __init__(self, league: League) -> None:
        self.league, self.broken = league, 1

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Fail at the first letter."""
        if self.broken:
            self.broken -= 1
            raise UnicodeError("idna")
        self.league.post.send(sender, recipient, raw)

    def close(self) -> None:
        """Nothing is held open."""


def test_hostile_a_letter_that_the_sender_fails_at_waits_and_the_others_go(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Ann", "Bob", "Cat"):
        league.person(name).write(f"JOIN {name} Example")
    rounds = Rounds(league, monkeypatch, most=20)
    rounds.daemon.sender._transport = Raising(league)
    rounds.run()
    assert len(league.post.letters) == 2
    [row] = league.store.all(
        Outgoing.select().where(Outgoing.state == "queued").order_by(Outgoing.id)
    )
    assert "UnicodeError" in row.error
    league.later(1)
    Rounds(league, monkeypatch, most=20).run()
    assert len(league.post.letters) == 3


def test_hostile_the_postman_survives_what_a_board_raises(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[datetime] = []

    def flush(self: Posts, now: datetime, name: str) -> None:
        calls.append(now)
        raise ValueError("no JSON")

    monkeypatch.setattr(Posts, "flush", flush)
    connect(league, {"paste": {"kind": "folder", "path": "paste"}})
    Rounds(league, monkeypatch, most=6).run()
    assert len(calls) > 1


@pytest.mark.parametrize("act", ["deadlines", "newsletter"])
def test_hostile_what_fails_at_its_time_is_not_tried_again_at_once(
    league: League, people: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """It stays due, and the daemon would do one round after the other."""
    league.service.ports.newsletter.want()
    league.later(100)
    worker = Daemon(league.service, league.mailbox, league.post, lambda: league.now)
    _spied(monkeypatch, Counter(), act, ZeroDivisionError("a bug"))
    worker._read()
    assert worker._next_due() == league.now + daemon.PAUSE


def test_hostile_outcomes_that_a_database_did_not_take_are_recorded_later(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server goes away at the second letter, and the database just then."""
    for name in ("Ann", "Bob"):
        league.person(name).write(f"JOIN {name} Example")
    send, unclaim = league.post.send, queues.unclaim
    downs = [TransportDown("no server"), None]
    faults = [StoreDown("the server restarts"), None]

    def failing_once(*given: Any) -> None:
        if len(league.post.letters) == 1 and (down := downs.pop(0)) is not None:
            raise down
        send(*given)

    def unclaimed(store: Store, now: datetime) -> None:
        if league.post.letters and faults and (fault := faults.pop(0)) is not None:
            raise fault
        unclaim(store, now)

    monkeypatch.setattr(league.post, "send", failing_once)
    monkeypatch.setattr(queues, "unclaim", unclaimed)
    with pytest.raises(StoreDown):
        league.work()
    league.send()
    assert len({to for to, _ in league.post.letters}) == len(league.post.letters) == 2
    assert league.service.delivery.sent == 2


def test_hostile_a_database_that_is_away_at_the_start_is_waited_for(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[Exception] = [StoreDown("the server restarts")] * 2
    real = queues.unclaim

    def unclaim(store: Store, now: datetime) -> None:
        if faults:
            raise faults.pop()
        real(store, now)

    monkeypatch.setattr(queues, "unclaim", unclaim)
    ann = league.person("Ann")
    ann.write("JOIN Ann Example")
    Rounds(league, monkeypatch, most=20).run()
    assert len(ann.letters) == 1


def test_hostile_what_fails_at_the_end_keeps_nothing_else_from_ending(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []
    monkeypatch.setattr(MaildirMailbox, "close", lambda _: 1 / 0)
    monkeypatch.setattr(league.post, "close", lambda: ended.append("sender"))
    with pytest.raises(ZeroDivisionError):
        Rounds(league, monkeypatch).run()
    assert ended == ["sender"]


def test_hostile_only_a_wrong_setting_keeps_the_unit_down() -> None:
    unit = ROOT / "systemd" / "pbem.service"
    settings = dict(re.findall(r"(?m)^(\w+)=(.*)$", unit.read_text()))
    assert settings["Restart"] == "always"
    assert settings["RestartPreventExitStatus"] == "2"
    assert settings["StartLimitIntervalSec"] == "0"
