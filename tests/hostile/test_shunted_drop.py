"""A letter is dropped while the daemon has it in hand: nothing of it is done, or it waits."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import pytest

from pbem.handlers.request import Verdict
from pbem.routing import router
from pbem.service.service import Service
from pbem.storage import Letter, Player
from tests.support.harness import League, open_league
from tests.support.players import REFEREE
from tests.support.program import pbem, write_league


@pytest.fixture
def league(tmp_path: Path, books: str) -> Iterator[League]:
    """A league on each kind of database, while commands run on it."""
    with open_league(tmp_path, url=books) as opened:
        section = {"name": "Avalon League", "address": REFEREE}
        write_league(tmp_path, {"league": section, "store": {"url": books}})
        yield opened


def dropped(league: League, number: int) -> tuple[int, str]:
    """Drop a letter by the command in a process of its own; return its status and words."""
    config = league.settings.home / "league.toml"
    done = pbem("--config", config, "shunted", "drop", number, "--reason", "a bomb")
    assert done.stderr.count(b"\n") <= 1
    return done.returncode, (done.stdout + done.stderr).decode()


def before_groups(
    league: League, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]
) -> None:
    """Do something once when letters are in hand, before the first of them is handled."""
    attempts, acts = league.service.attempts, [act]
    take = attempts.take

    def taken(letters: Sequence[Letter], now: datetime) -> None:
        take(letters, now)
        while acts:
            acts.pop()()

    monkeypatch.setattr(attempts, "take", taken)


def test_hostile_letter_that_is_dropped_while_in_hand_does_nothing(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And those in hand with it are answered."""
    ann, bob = league.person("Ann"), league.person("Bob")
    ann.write("JOIN Ann Example")
    bob.write("JOIN Bob Example")
    said: list[tuple[int, str]] = []

    def drop() -> None:
        assert league.store.count(Letter.select().where(Letter.owner != "")) == 2
        said.append(dropped(league, 1))

    before_groups(league, monkeypatch, drop)
    league.work()
    assert said[0][0] == 0, said
    first, second = league.store.all(Letter.select().order_by(Letter.id))
    assert (first.state, first.klass) == ("discarded", "dropped")
    assert second.state == "answered"
    assert league.store.count(Letter.select().where(Letter.owner != "")) == 0
    assert [player.name for player in league.store.all(Player.select().order_by(Player.id))] == [
        "Bob Example"
    ]
    assert (len(ann.letters), len(bob.letters)) == (0, 1)


def test_hostile_letter_that_is_dropped_is_not_taken_in_hand(league: League) -> None:
    """Not even by who has known it before."""
    league.person("Ann").write("JOIN Ann Example")
    for _ in league.service.keep(league.mailbox, league.now):
        pass
    known = league.store.all(Letter.select().order_by(Letter.id))
    assert dropped(league, 1)[0] == 0
    league.service.attempts.take(known, league.now)
    assert league.store.count(Letter.select().where(Letter.owner != "")) == 0


def test_hostile_letter_that_is_erased_while_in_hand_stops_no_round(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    league.person("Ann").write("JOIN Ann Example")
    league.person("Bob").write("JOIN Bob Example")
    before_groups(
        league, monkeypatch, lambda: league.store.run(Letter.delete().where(Letter.id == 1))
    )
    league.work()
    assert [letter.state for letter in league.store.all(Letter.select().order_by(Letter.id))] == [
        "answered"
    ]


def test_hostile_letter_that_is_handled_just_now_cannot_be_dropped(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command reports it, and that one may try again; then the letter's result."""
    league.person("Ann").write("JOIN Ann Example")
    whole, said = router.handle, list[tuple[int, str]]()

    def handle(service: Service, letter: Letter, now: datetime) -> Verdict:
        said.append(dropped(league, letter.id))
        return whole(service, letter, now)

    monkeypatch.setattr(router, "handle", handle)
    league.work()
    [(status, text)] = said
    assert (status, "handled just now" in text, "try again" in text) == (2, True, True)
    assert "Traceback" not in text
    assert league.last_letter().state == "answered"
    status, text = dropped(league, 1)
    assert (status, "letter 1 is answered" in text) == (2, True)
    assert league.last_letter().state == "answered"
