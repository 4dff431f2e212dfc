"""The second process, which handles the letters that may do harm, on each kind of database."""

import platform
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.service import letter_sandbox, round_tasks
from pbem.service.letter_sandbox import HandledApart
from pbem.service.rounds import ENDED, SMALL, Result
from pbem.storage import Letter, Outgoing, Player, Round
from tests.support.harness import League, open_league
from tests.support.players import letter


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Return the processes that are begun; all must have ended."""
    found: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            found.append(self)

    monkeypatch.setattr(letter_sandbox.subprocess, "Popen", Noted)
    monkeypatch.setattr(letter_sandbox, "GRACE", 0.0)
    yield found
    assert all(process.returncode is not None for process in found)


@pytest.fixture
def league(tmp_path: Path, books: str) -> Iterator[League]:
    """A league that handles letters apart as the daemon does."""
    with open_league(tmp_path, url=books) as opened:
        opened.service.attempts.apart = HandledApart(opened.settings)
        yield opened


def waiting(league: League, size: int = 0, name: str = "Ann") -> Letter:
    """Keep a letter that nobody has handled, of at least so many bytes."""
    league.drop(letter(name, f"JOIN {name} Example", len(name)).as_bytes().ljust(size))
    for _ in league.service.keep(league.mailbox, league.now):
        pass
    return league.last_letter()


@pytest.mark.parametrize(("size", "processes"), [(SMALL, 0), (SMALL + 1, 1)])
def test_only_a_large_letter_begins_a_second_process(
    league: League, begun: list[subprocess.Popen[bytes]], size: int, processes: int
) -> None:
    league.drop(letter("Ann", "JOIN Ann Example", 1).as_bytes().ljust(size))
    done = league.work()
    assert (done.handled, league.last_letter().state) == (1, "answered")
    assert league.store.count(Outgoing.select().where(Outgoing.kind == "confirm")) == 1
    assert league.service.ports.counts["letters", "human"] == 1
    assert league.store.all(Round.select().order_by(Round.id.desc()).limit(1))[0].letters == "[1]"
    assert len(begun) == processes


@pytest.mark.parametrize("known", [{"owner": platform.node()}, {"tries": 1}])
def test_letters_that_may_do_harm_are_handled_apart_in_their_order(
    league: League, begun: list[subprocess.Popen[bytes]], known: dict[str, Any]
) -> None:
    """What is in hand when a round begins was so when the program died."""
    for name in ("Ann", "Bob", "Carla", "Dieter"):
        league.store.run(Letter.update(**known).where(Letter.id == waiting(league, name=name).id))
    for name in ("Eleonora", "Friederike"):
        waiting(league, name=name)
    assert league.work().handled == 6
    assert [one.state for one in league.store.all(Letter.select().order_by(Letter.id))] == [
        "answered"
    ] * 6
    assert [
        (one.tries, one.owner) for one in league.store.all(Letter.select().order_by(Letter.id))
    ] == [(0, "")] * 6
    assert [one.name for one in league.store.all(Player.select().order_by(Player.id))][:2] == [
        "Ann Example",
        "Bob Example",
    ]
    assert len(begun) == 1


def test_a_letter_that_takes_too_long_is_ended_and_shunted_in_the_end(
    league: League, begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    large = waiting(league, SMALL + 1)
    whole = letter_sandbox._SecondProcess.asked

    def asked(self: Any, question: Any) -> Result | str:
        if isinstance(question, tuple) and question[0] == "handle":
            raise TimeoutError
        return whole(self, question)

    monkeypatch.setattr(letter_sandbox._SecondProcess, "asked", asked)
    for tries in (1, 2, 3):
        assert league.work().handled == 0
        found = league.store.get(Letter, large.id)
        assert (found.tries, found.error) == (tries, ENDED)
    assert found.state == "shunted"
    assert len(begun) == 6  # one that is ended, and one that counts it


def test_a_letter_is_not_blamed_for_a_process_that_cannot_be_begun(
    league: League, begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is handled by the daemon then; so is one where the process ends before it is ready."""
    league.service.attempts.apart = HandledApart(league.settings, "tests.nowhere")
    first = waiting(league, SMALL + 1)
    league.work()
    assert len(begun) == 1
    monkeypatch.setattr(letter_sandbox.sys, "executable", "no/such/python")
    second = waiting(league, SMALL + 1, name="Bob")
    league.work()
    for one in (first, second):
        found = league.store.get(Letter, one.id)
        assert (found.state, found.tries) == ("answered", 0)


def test_another_process_follows_one_that_was_killed_between_two_letters(
    league: League, begun: list[subprocess.Popen[bytes]]
) -> None:
    first, second = waiting(league, SMALL + 1), waiting(league, SMALL + 1, "Bob")
    with league.service.attempts.apart as apart:
        assert apart.handle(first, league.now) == Result(
            settled=True, counts=league.service.ports.counts.__class__({("letters", "human"): 1})
        )
        begun[0].kill()
        begun[0].wait()
        again = apart.handle(second, league.now)
        assert again is not None
        assert again.settled
        assert not again.failed
    assert len(begun) == 2


def test_a_letter_that_waits_no_more_is_left_alone(
    league: League, begun: list[subprocess.Popen[bytes]]
) -> None:
    kept = waiting(league, SMALL + 1)
    league.store.run(Letter.update(state="discarded").where(Letter.id == kept.id))
    with league.service.attempts.apart as apart:
        assert apart.handle(kept, league.now) == Result()
        assert apart.handle(kept.changed(id=99), league.now) == Result()
    assert league.store.count(Outgoing.select()) == 0


def test_a_round_that_fails_ends_the_second_process(
    league: League, begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting(league, SMALL + 1)
    monkeypatch.setattr(round_tasks, "of_letters", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        league.work()
    assert len(begun) == 1
