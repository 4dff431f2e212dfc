"""A duel of StarPilot in a league that is also played on a board in memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.channels import KINDS
from tests.support.board_league import BOARD, Poster, play_on_boards, work
from tests.support.harness import League, Person, duel, open_league
from tests.support.memory_board import MemoryBoard, MemorySettings, served


class Duel(NamedTuple):
    """A league, its board, Ann with an account there, and Bob, who plays by mail."""

    league: League
    server: MemoryBoard
    ann: Poster
    bob: Person

    def later(self, hours: float) -> None:
        """Move the clock of the league and of the board."""
        self.league.later(hours)
        self.server.now = self.league.now


@pytest.fixture(autouse=True)
def memory_is_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let settings name the board in memory, here alone: other tests look at each kind."""
    monkeypatch.setitem(KINDS, "memory", MemorySettings)


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Duel]:
    """A duel that has begun: Ann's Hawk against Bob's Kestrel."""
    with open_league(tmp_path, outage_hours=6) as league:
        server = served(league.now, str(tmp_path))
        play_on_boards(league, **{BOARD: MemorySettings(server=str(tmp_path))})
        ann, bob = duel(league)
        work(league)
        poster = Poster(league, ann, server, "ada")
        poster.link()
        found = Duel(league, server, poster, bob)
        found.later(1)
        yield found
