"""A duel of StarPilot in a league that is also played on a board, in memory or of another kind."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.channels import KINDS
from tests.support.board_league import BOARD, Poster, play_on_boards, work
from tests.support.each_board import BOARDS, Kind
from tests.support.harness import League, Person, duel, open_league
from tests.support.memory_board import MemorySettings
from tests.support.played_boards import PlayedBoard


class Duel(NamedTuple):
    """A league, its board, Ann with an account there, and Bob, who plays by mail."""

    league: League
    kind: Kind
    ann: Poster
    bob: Person

    @property
    def server(self) -> PlayedBoard:
        """Return the board as those who play there use it."""
        return self.kind.board

    def later(self, hours: float) -> None:
        """Move the clock of the league and of the board."""
        self.league.later(hours)
        self.kind.tell_time(self.league.now)


@pytest.fixture(autouse=True)
def memory_is_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let settings name the board in memory, here alone: other tests look at each kind."""
    monkeypatch.setitem(KINDS, "memory", MemorySettings)


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> Iterator[Kind]:
    """A board in memory; of each kind in turn for a test that is marked so."""
    with BOARDS[getattr(request, "param", "memory")](request) as found:
        yield found


@pytest.fixture
def fight(kind: Kind, tmp_path: Path) -> Iterator[Duel]:
    """A duel that has begun: Ann's Hawk against Bob's Kestrel."""
    with open_league(tmp_path, outage_hours=6) as league:
        play_there(league, kind)
        ann, bob = duel(league)
        yield begun(league, kind, ann, bob)


def play_there(league: League, kind: Kind) -> None:
    """Let a league be played on a board."""
    league.now = min(league.now, kind.not_after)
    kind.tell_time(league.now)
    for name, secret in kind.secrets.items():
        (league.settings.home / name).write_text(secret)
    play_on_boards(league, **{BOARD: kind.settings})


def begun(league: League, kind: Kind, ann: Person, bob: Person) -> Duel:
    """Give Ann an account on the board an hour before she writes there."""
    work(league)
    poster = Poster(league, ann, kind.board, "ada")
    poster.link()
    found = Duel(league, kind, poster, bob)
    found.later(1)
    return found
