"""Live battles of systems in which all order at once: orders privately, reports in the room."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.by_chat.conftest import ROOM, Room
from tests.support.board_league import choices, play_on_boards
from tests.support.each_system import FORCES
from tests.support.harness import open_league
from tests.support.memory_chat import MemoryChatSettings, served

TOGETHER = [system for system in FORCES if system != "starpilot"]
SEATS = {"Vultures": "ann", "Kites": "bob", "Ravens": "ann"}


@pytest.fixture
def battle(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Room]:
    """A battle of a system that has begun in the room."""
    with open_league(tmp_path, systems=(request.param,)) as league:
        room = Room(league, served(league.now))
        play_on_boards(league, **{ROOM: MemoryChatSettings(server="room")})
        ours, theirs, challenge = FORCES[request.param]
        room.join("Ann", ours)
        room.join("Bob", theirs)
        room.say("ann", f"!{challenge}")
        room.say("bob", "!accept 1")
        yield room


@pytest.mark.parametrize("battle", TOGETHER, indirect=True)
def test_orders_are_private_and_reports_are_for_all(battle: Room) -> None:
    assert battle.game.is_live
    assert "order in a private message" in battle.server.told()[-1]
    rng, orders = Random(3), list[str]()
    for _ in range(3):
        for seat, order in choices(battle.league, rng).items():
            orders.append(order)
            battle.whisper(SEATS[seat], order)
        for account in ("ann", "bob"):
            battle.whisper(account, "ready")
    assert battle.game.steps >= 2
    reports = [line for line in battle.server.told() if line.startswith("G1.")]
    assert len(reports) >= 2
    # What was ordered was told to its player alone.
    alone = battle.server.told("ann") + battle.server.told("bob")
    assert any(orders[0] in line for line in alone)
    assert not any("understood" in line for line in battle.server.told())


@pytest.mark.parametrize("battle", TOGETHER, indirect=True)
def test_what_is_to_be_secret_is_refused_in_the_room(battle: Room) -> None:
    seat, order = next(iter(choices(battle.league, Random(3)).items()))
    [told] = battle.say(SEATS[seat], f"!{order}")
    assert "secret" in told
    assert "private message" in told
