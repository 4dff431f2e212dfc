"""Battles on a forum like Discourse, whose moderator has set what docs/boards.md says."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from tests.by_board.conftest import Duel
from tests.by_board.test_accounts import place
from tests.by_board.test_duel import posts, to_the_end, turns
from tests.by_board.test_secret_orders import planned
from tests.servers.discourse import EASY, Discourse
from tests.support.board_league import BOARD, Poster, by_us, play_on_boards, to, work
from tests.support.each_system import first_reports
from tests.support.harness import duel, open_league
from tests.support.played_discourse import PlayedDiscourse


@contextmanager
def fought(folder: Path, system: str = "") -> Iterator[Duel]:
    """A battle that has begun, of a duel or of a system, in which both play on the forum."""
    systems = {"systems": (system,)} if system else {}
    with Discourse().running() as forum, open_league(folder, outage_hours=6, **systems) as league:
        forum.settings, forum.now, forum.upside_down = dict(EASY), league.now, True
        server = PlayedDiscourse(forum)
        (league.settings.home / "key").write_text("k3y")
        play_on_boards(league, **{BOARD: server.settings})
        ann, bob = first_reports(league, system, "en") if system else duel(league)
        work(league)
        fight = Duel(league, cast(Any, server), Poster(league, ann, server, "ada"), bob)
        fight.ann.link()
        fight.later(1)
        yield fight


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Duel]:
    """A duel of StarPilot that has begun: Ann's Hawk against Bob's Kestrel."""
    with fought(tmp_path) as fight:
        yield fight


def bob_of(fight: Duel) -> Poster:
    """Return Bob, with an account on the forum."""
    bob = Poster(fight.league, fight.bob, fight.server, "bob")
    bob.link()
    return bob


def test_a_duel_goes_to_its_end(fight: Duel) -> None:
    to_the_end(fight, bob_of(fight))
    assert len(turns(fight)) == fight.league.game.turn
    said = by_us(fight.server)
    assert len(set(said)) == len(said)
    assert work(fight.league) == []
    assert by_us(fight.server) == said


def test_an_edit_without_a_trace_and_a_deletion_count_before_the_step(fight: Duel) -> None:
    number = fight.ann.post("SURRENDER")
    fight.later(0.05)
    fight.server.edit(number, "SCAN")
    assert cast(PlayedDiscourse, fight.server).forum.written[int(number)].version == 1
    work(fight.league)
    assert "understood: **SCAN**" in posts(fight)[-1]
    fight.server.delete(number)
    work(fight.league)
    assert not place(fight, "Hawk").answered


def test_an_order_that_a_moderator_has_wiped_out_is_taken_back(fight: Duel) -> None:
    forum = cast(PlayedDiscourse, fight.server).forum
    number = fight.ann.post("SCAN")
    work(fight.league)
    assert place(fight, "Hawk").answered
    before = len(posts(fight))
    del forum.written[int(number)]
    work(fight.league)
    assert not place(fight, "Hawk").answered
    assert len(posts(fight)) == before + 1


def test_what_one_asks_is_told_to_the_account_alone(fight: Duel) -> None:
    fight.ann.whisper("STATUS")
    assert "You wrote" in to(fight.server, "ada")[-1]


def test_a_battle_with_secret_orders_goes_to_its_end(tmp_path: Path) -> None:
    with fought(tmp_path, "blackskies") as fight:
        bob = bob_of(fight)
        for turn in range(40):
            for number, poster in enumerate((fight.ann, bob)):
                if fight.league.game.running:
                    _, orders = planned(fight, number)
                    poster.whisper(f"GAME 1\n{orders if turn < 3 else 'DRAW'}")
            fight.later(1)
        assert not fight.league.game.running
        assert len(turns(fight)) == fight.league.game.turn
