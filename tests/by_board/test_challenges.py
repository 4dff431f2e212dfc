"""Challenges on a board: made, answered and fought in a thread of their own."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.maintenance.rebuild import rebuild
from pbem.storage import Game, Offer, Post
from tests.support.board_league import BOARD, Poster, by_us, play_on_boards, work
from tests.support.harness import League, open_league
from tests.support.memory_board import MemoryBoard, MemorySettings, served
from tests.support.players import HAWK, KESTREL


class Table(NamedTuple):
    """A league with a board, and two players with a pilot and an account each."""

    league: League
    server: MemoryBoard
    ann: Poster
    bob: Poster

    def thread(self, name: str) -> str:
        """The topic of a thread, by its name."""
        found = self.league.store.first(
            Post.select()
            .where(Post.channel == BOARD, Post.thread == name, Post.topic != "")
            .order_by(Post.id)
        )
        assert found is not None
        return found.topic

    def write(self, poster: Poster, text: str, thread: str) -> list[str]:
        """Write into a thread, and return what the referee has posted there since."""
        topic = self.thread(thread)
        before = len(by_us(self.server, topic))
        self.server.post(poster.account, text, topic)
        work(self.league)
        return by_us(self.server, topic)[before:]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Ann with Hawk and Bob with Kestrel, both linked."""
    with open_league(tmp_path) as league:
        server = served(league.now, str(tmp_path))
        play_on_boards(league, **{BOARD: MemorySettings(server=str(tmp_path))})
        posters = []
        for name, pilot in (("Ann", HAWK), ("Bob", KESTREL)):
            person = league.person(name)
            person.join()
            person.ask(pilot)
            posters.append(Poster(league, person, server, name.lower()))
            posters[-1].link()
        yield Table(league, server, *posters)


def test_a_challenge_is_accepted_in_its_thread_and_fought_there(table: Table) -> None:
    table.ann.person.ask(f"CHALLENGE Kestrel WITH Hawk ON {BOARD} FIRST me")
    assert table.league.store.count(Offer.select().where(Offer.patrol == False)) == 0, (
        "ON stands last"
    )
    table.ann.person.ask(f"CHALLENGE Kestrel WITH Hawk FIRST me ON {BOARD}")
    work(table.league)
    [begun] = table.write(table.bob, "ACCEPT 1", "G1")
    assert "It is the turn of Hawk." in " ".join(begun.split())
    assert table.league.game.running
    table.write(table.ann, "SCAN", "G1")
    [turn] = table.write(table.bob, "SCAN", "G1")
    assert "G1-T2" in turn


def test_what_is_challenged_on_the_board_is_played_there(table: Table) -> None:
    table.server.post("ann", "CHALLENGE Kestrel WITH Hawk")
    work(table.league)
    assert table.league.store.get(Offer, 1).channel == BOARD
    [opened] = by_us(table.server, table.thread("G1"))
    assert "Hawk challenges Kestrel" in opened


@pytest.mark.parametrize(("order", "told"), [
    ("DECLINE 1", "has been declined"),
    ("WITHDRAW 1", "has been taken back"),
])  # fmt: skip
def test_what_ends_a_challenge_is_one_post(order: str, told: str, table: Table) -> None:
    table.ann.person.ask(f"CHALLENGE Kestrel WITH Hawk ON {BOARD}")
    work(table.league)
    poster = table.bob if "DECLINE" in order else table.ann
    [answer] = table.write(poster, order, "G1")
    assert told in " ".join(answer.split())


def test_who_was_not_asked_is_refused_in_the_thread(table: Table) -> None:
    table.ann.person.ask(f"CHALLENGE Kestrel WITH Hawk ON {BOARD}")
    work(table.league)
    [answer] = table.write(table.ann, "ACCEPT 1", "G1")
    assert "could not be done" in " ".join(answer.split())
    assert table.league.store.count(Game.select()) == 0


def test_a_replay_makes_the_same_challenges(table: Table) -> None:
    table.ann.person.ask(f"CHALLENGE Kestrel WITH Hawk FIRST me ON {BOARD}")
    work(table.league)
    table.write(table.bob, "DECLINE 1", "G1")
    table.server.post("bob", "CHALLENGE Hawk WITH Kestrel FIRST me")
    work(table.league)
    table.write(table.ann, "ACCEPT 2", "G2")
    assert table.league.game.running
    assert rebuild(table.league.settings, table.league.folder / "new.db") == []
