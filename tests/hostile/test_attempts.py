"""Attempts at letters: what counts as one, and that none stops other letters."""

from datetime import datetime

import pytest

from pbem.handlers.ports import Ports
from pbem.handlers.request import Verdict
from pbem.routing import router
from pbem.service import rounds
from pbem.service.rounds import Round
from pbem.storage import Letter, StoreDown
from tests.support.harness import League
from tests.support.players import letter


def waiting(league: League, count: int) -> list[Letter]:
    """Keep letters that nobody has handled."""
    for number in range(count):
        league.drop(letter("Ann", "JOIN Ann", number + 1).as_bytes())
    for _ in league.service.keep(league.mailbox, league.now):
        pass
    return league.store.all(Letter.select().order_by(Letter.id))


def test_hostile_1_letters_that_were_in_hand_are_handled_one_by_one(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "BATCH", 3)
    kept, attempts = waiting(league, 5), league.service.attempts
    assert list(attempts.batches(kept)) == [kept[:3], kept[3:]]
    attempts.take(kept[1:3], league.now)
    kept = league.store.all(Letter.select().order_by(Letter.id))
    assert [one.tries for one in kept] == [0] * 5
    assert list(attempts.batches(kept)) == [[kept[0]], [kept[1]], [kept[2]], kept[3:]]


def test_hostile_1_a_letter_whose_fault_no_text_can_hold_stops_no_other(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = router.handle

    def handled(ports: Ports, letter: Letter, now: datetime) -> Verdict:
        if letter.id == 1:
            raise ValueError("of a caf\udce9\0")
        return handle(ports, letter, now)

    monkeypatch.setattr(router, "handle", handled)
    for name in ("Ann", "Bob"):
        league.person(name).write(f"JOIN {name} Example")
    for _ in range(3):
        league.work()
    shunted, answered = league.store.all(Letter.select().order_by(Letter.id))
    assert (shunted.state, answered.state) == ("shunted", "answered")
    assert r"of a caf\udce9\x00" in shunted.error


def test_hostile_1_a_database_that_fails_blames_no_letter(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    [kept] = waiting(league, 1)
    for _ in range(4):
        with monkeypatch.context() as patch:
            patch.setattr(router, "settle", lambda *_: (_ for _ in ()).throw(StoreDown("")))
            with pytest.raises(StoreDown):
                league.work()
    league.work()
    settled = league.store.get(Letter, kept.id)
    assert (settled.state, settled.tries) == ("answered", 0)


def test_hostile_1_a_deadline_that_kills_blames_no_letter(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deadlines before a letter that failed before are played while it isn't in hand."""
    [kept] = waiting(league, 1)
    league.store.run(Letter.update(tries=1).where(Letter.id == kept.id))

    def die(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Round, "play_due", die)
    with pytest.raises(KeyboardInterrupt):
        league.work()
    assert league.store.count(Letter.select().where(Letter.owner != "")) == 0


def test_hostile_1_the_daemon_tells_that_it_is_alive_within_a_round(league: League) -> None:
    """After each group of letters, each batch that is read and each deadline, and not by itself."""
    told: list[int] = []
    league.service.progress = lambda: told.append(
        league.store.count(Letter.select().where(Letter.state == "received"))
    )
    for number in range(250):
        league.drop(letter(f"P{number}", "JOIN Ann", number + 1).as_bytes())
    league.work()
    # A slow machine does fewer letters at a time, and so tells it more often.
    assert {0, 50, 100} <= set(told)
    assert len(told) > 5
