"""A board that is down: mail goes on, nobody there misses a deadline, all is read once."""

from pbem.maintenance.rebuild import rebuild
from pbem.service.health import examine
from pbem.storage import Account, Letter, Step
from tests.by_board.conftest import Duel
from tests.by_board.test_accounts import place
from tests.by_board.test_duel import posts
from tests.support.board_league import Poster, look, thread_of, work
from tests.support.each_board import each_clock, each_kind, each_private


def hours(fight: Duel, count: int, step: float = 2) -> None:
    """Let hours pass, with rounds in between."""
    for _ in range(int(count / step)):
        fight.later(step)
        work(fight.league)


@each_kind
def test_a_deadline_waits_while_nobody_knows_what_was_written(fight: Duel) -> None:
    fight.ann.post("SCAN")
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)
    turn = fight.league.game.turn
    hours(fight, 48)
    # Ann has written in time, and nobody could know.
    fight.server.post("ada", "SCAN", thread_of(fight.league, fight.league.game))
    fight.kind.stop()
    hours(fight, 32)
    assert fight.league.game.turn == turn
    assert place(fight, "Hawk").misses == 0
    fight.kind.start()
    work(fight.league)
    steps = fight.league.store.all(Step.select().order_by(Step.id))
    assert (steps[-1].orders, steps[-1].source) == ('[["Hawk", "SCAN"]]', "queue")
    assert place(fight, "Hawk").misses == 0


@each_kind
def test_who_plays_on_a_board_that_was_down_gets_the_time_back(fight: Duel) -> None:
    fight.ann.post("SCAN")
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)
    hours(fight, 60)
    fight.kind.stop()
    hours(fight, 26)
    fight.kind.start()
    work(fight.league)
    deadline = fight.league.game.deadline
    assert deadline is not None
    assert (deadline - fight.league.now).total_seconds() > 24 * 3600
    assert place(fight, "Hawk").misses == 0


@each_kind
def test_those_who_play_by_mail_go_on(fight: Duel) -> None:
    fight.ann.post("SCAN")
    fight.kind.stop()
    before = len(fight.bob.letters)
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    faults = work(fight.league)
    assert faults
    assert len(fight.bob.letters) > before


def test_a_deadline_of_mail_is_played_while_the_board_is_down(fight: Duel) -> None:
    fight.ann.post("SCAN")
    turn = fight.league.game.turn
    fight.kind.stop()
    # Bob is silent, and he plays by mail.
    hours(fight, 80)
    assert fight.league.game.turn > turn


@each_clock
def test_all_is_read_once_and_health_says_what_waits(fight: Duel) -> None:
    fight.kind.stop()
    for _ in range(3):
        fight.server.post("ada", "SCAN", fight.server.posts()[0].thread)
        fight.later(0.1)
        work(fight.league)
    fight.later(3)
    work(fight.league)
    ports = fight.league.service.ports
    health = examine(fight.league.settings, ports.store, fight.league.now)
    assert any("has not been read" in str(one) for one in health.troubles)
    fight.kind.start()
    work(fight.league)
    work(fight.league)
    kept = fight.league.store.all(
        Letter.select().where(Letter.channel == "forum", Letter.thread == "G1").order_by(Letter.id)
    )
    assert len(kept) == 3
    assert posts(fight)


@each_private
def test_a_league_on_a_board_can_be_rebuilt(fight: Duel) -> None:
    fight.ann.post("SCAN")
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)
    fight.kind.stop()
    hours(fight, 100)
    fight.kind.start()
    fight.ann.post("OPEN")
    hours(fight, 100)
    fight.ann.whisper("STATUS")
    found = rebuild(fight.league.settings, fight.league.folder / "new.db")
    assert found == []


def test_the_board_goes_on_while_the_mailbox_is_down(fight: Duel) -> None:
    bob = Poster(fight.league, fight.bob, fight.server, "bob")
    bob.link()
    service, thread = fight.league.service, fight.server.posts()[0].thread
    for account in ("ada", "bob"):
        fight.server.post(account, "SCAN", thread)
    look(fight.league)
    steps = fight.league.game.steps
    service.work(fight.league.now, mail_down=True)
    assert fight.league.game.steps > steps
    # Both play on the board, so no letter could meet the deadline.
    turn = fight.league.game.turn
    for _ in range(40):
        fight.later(2)
        look(fight.league)
        service.work(fight.league.now, mail_down=True)
    assert fight.league.game.turn > turn
    assert rebuild(fight.league.settings, fight.league.folder / "new.db") == []


def test_a_deadline_of_mail_waits_while_the_mailbox_is_down(fight: Duel) -> None:
    fight.ann.post("SCAN")
    turn = fight.league.game.turn
    for _ in range(40):
        fight.later(2)
        look(fight.league)
        fight.league.service.work(fight.league.now, mail_down=True)
    assert fight.league.game.turn == turn
    assert place(fight, "Kestrel").misses == 0


def test_a_code_that_was_posted_in_time_links_though_the_board_was_down(
    fight: Duel,
) -> None:
    bob = Poster(fight.league, fight.bob, fight.server, "bob")
    fight.server.post("bob", f"LINK {bob.code()}")
    fight.kind.stop()
    fight.later(1.5)
    work(fight.league)
    fight.kind.start()
    work(fight.league)
    assert fight.league.store.count(Account.select().where(Account.ident == "bob")) == 1
