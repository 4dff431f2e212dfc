"""The daemon and `pbem once` with a board: each reads it, answers, and publishes."""

import time

import pytest

from pbem.channels.channel import ChannelDown
from pbem.channels.mail.mailbox import MailboxDown
from pbem.service.daemon import Daemon
from tests.by_board.conftest import Duel
from tests.by_board.test_duel import posts
from tests.support.board_league import thread_of
from tests.support.memory_board import MemoryChannel
from tests.support.running_daemon import running


def daemon(fight: Duel) -> Daemon:
    """Return a daemon of the league, at its time."""
    league = fight.league
    return Daemon(league.service, league.mailbox, league.transport, lambda: league.now)


def until(fight: Duel, words: str) -> bool:
    """Wait until a post in the battle's thread holds some words; return whether one does."""
    last = time.monotonic() + 20
    while time.monotonic() < last:
        if any(words in post for post in posts(fight)):
            return True
        time.sleep(0.02)
    return False


def test_once_reads_the_board_answers_and_publishes(fight: Duel) -> None:
    fight.server.post("ada", "SCAN", thread_of(fight.league, fight.league.game))
    done = daemon(fight).once(iter)
    assert done["handled"] == 1
    assert done["posted"] >= 1
    assert "understood: SCAN" in posts(fight)[-1]


def test_once_does_all_else_while_the_board_is_down(fight: Duel) -> None:
    fight.kind.stop()
    fight.bob.write(f"STATUS\nKEY {fight.bob.key}")
    assert daemon(fight).once(iter)["sent"] >= 1


def test_the_daemon_answers_a_post(fight: Duel) -> None:
    with running(daemon(fight)) as worker:
        fight.server.post("ada", "SCAN", thread_of(fight.league, fight.league.game))
        # It may have just looked, and does so twice a minute.
        fight.later(0.1)
        for board in worker.boards:
            worker.jobs.wake(f"board {board.name}")
        assert until(fight, "understood: SCAN")


def test_the_daemon_answers_a_post_while_the_mailbox_is_down(
    fight: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise MailboxDown("the mailbox is away")

    monkeypatch.setattr(fight.league.mailbox, "connect", away)
    fight.server.post("ada", "SCAN", thread_of(fight.league, fight.league.game))
    with running(daemon(fight)):
        assert until(fight, "understood: SCAN")


def test_a_board_that_can_not_be_read_is_tried_again_later_and_later(
    fight: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    [worker] = daemon(fight).boards

    def refuses(*_: object) -> None:
        raise ChannelDown("no key", refused=True)

    monkeypatch.setattr(MemoryChannel, "news", refuses)
    worker.read()
    due = worker.next_look()
    assert due is not None
    assert (due - fight.league.now).total_seconds() >= 300
