"""Where turns are simultaneous, orders are secret: privately or by mail, and never in a thread."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games.session import Session
from pbem.games.simultaneous_turns import plan
from pbem.storage import Doctrine, Game, Place, Player
from tests.by_board.conftest import Duel, begun, play_there
from tests.support.board_league import Poster, by_us, thread_of, to, work
from tests.support.each_board import BOARDS, NEWSGROUP, Kind
from tests.support.each_system import first_reports
from tests.support.harness import open_league

SECRETIVE = ("blackskies", "cortex", "starfarer")
STILL = {"blackskies": "All: STEADY", "cortex": "All: HOLD", "starfarer": "All: HOLD"}
"""What all of a player's pieces may do."""
to_the_end = pytest.mark.parametrize(
    ("fight", "kind"),
    [
        *((system, "memory") for system in SECRETIVE),
        *(("blackskies", kind) for kind in BOARDS if kind not in ("memory", NEWSGROUP)),
    ],
    indirect=True,
)
"""Lets a test run with each system in memory, and with one on each other kind of board."""


@pytest.fixture(params=SECRETIVE)
def fight(request: pytest.FixtureRequest, kind: Kind, tmp_path: Path) -> Iterator[Duel]:
    """A battle of each system in which orders are secret; Ann plays on the board."""
    systems = (request.param,)
    with open_league(tmp_path, outage_hours=6, systems=systems) as league:
        play_there(league, kind)
        ann, bob = first_reports(league, request.param, "en")
        yield begun(league, kind, ann, bob)


def planned(fight: Duel, number: int) -> tuple[str, str]:
    """Return Ann's or Bob's seat, and orders for it."""
    session = Session(fight.league.store, fight.league.game)
    person = (fight.ann.person, fight.bob)[number]
    player = fight.league.store.first(Player.select().where(Player.address == person.address))
    assert player is not None
    [seat] = [one for one, place in session.places.items() if place.player_id == player.id]
    return str(seat), "\n".join(one.order for one in plan(session, seat))


def test_orders_in_the_thread_are_refused_with_a_hint(fight: Duel) -> None:
    _, orders = planned(fight, 0)
    fight.ann.post(orders)
    said = " ".join(by_us(fight.server, thread_of(fight.league, fight.league.game))[-1].split())
    assert "here all orders are secret" in said
    assert "in a private message, or by mail" in said
    assert not any(
        place.answered for place in fight.league.store.all(Place.select().order_by(Place.id))
    )


def test_orders_go_privately_and_reports_stand_in_the_thread(fight: Duel) -> None:
    thread = thread_of(fight.league, fight.league.game)
    for _ in range(3):
        if not fight.league.game.running:
            break
        fight.later(1)
        before = by_us(fight.server, thread)
        (_, mine), (_, theirs) = planned(fight, 0), planned(fight, 1)
        fight.ann.whisper(f"GAME 1\n{mine}")
        assert by_us(fight.server, thread) == before, "nobody sees that Ann has ordered"
        assert "1" in to(fight.server, "ada")[-1]
        fight.bob.write(f"GAME 1\n{theirs}\nKEY {fight.bob.key}")
        work(fight.league)
        assert len(by_us(fight.server, thread)) == len(before) + 1, "a turn is one post"
    said = "\n".join(by_us(fight.server))
    assert "home.example" not in said


def test_a_doctrine_is_kept_and_given_in_private_alone(fight: Duel) -> None:
    store, (seat, _) = fight.league.store, planned(fight, 0)
    written = f"DOCTRINE hunter FOR {seat}\nELSE: {STILL[fight.league.game.system]}\nEND"
    for posted in (written, "PRACTICE DOCTRINE sound"):
        fight.ann.post(posted)
        assert "standing orders are secret" in to(fight.server, "ada")[-1]
    assert store.count(Doctrine.select()) == 0
    assert store.count(Game.select()) == 1
    fight.ann.whisper(written)
    assert store.count(Doctrine.select()) == 1
    fight.ann.whisper("PRACTICE DOCTRINE hunter")
    assert store.count(Game.select()) == 2


@to_the_end
def test_a_battle_with_orders_in_private_messages_goes_to_its_end(fight: Duel) -> None:
    bob = Poster(fight.league, fight.bob, fight.server, "bob")
    bob.link()
    for turn in range(40):
        if not fight.league.game.running:
            break
        fight.later(1)
        for number, poster in enumerate((fight.ann, bob)):
            if fight.league.game.running:
                _, orders = planned(fight, number)
                poster.whisper(f"GAME 1\n{orders if turn < 6 else 'DRAW'}")
    assert not fight.league.game.running
    thread = thread_of(fight.league, fight.league.game)
    reports = [one for one in by_us(fight.server, thread) if "G1-T" in one]
    assert len(reports) == fight.league.game.turn
