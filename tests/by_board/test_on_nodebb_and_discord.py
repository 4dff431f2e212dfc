"""Battles on a NodeBB forum and in threads of Discord's, as their servers behave."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import pytest

from pbem.channels.channel import ChannelSettings
from pbem.channels.discord import DiscordSettings
from pbem.channels.nodebb import NodebbSettings
from tests.by_board.conftest import Duel
from tests.by_board.test_accounts import place
from tests.by_board.test_duel import posts, to_the_end
from tests.by_board.test_secret_orders import planned
from tests.servers.discord import BOT, CHANNEL, FORUM, TEXT, DiscordGuild, PlayedDiscord
from tests.servers.nodebb import REFEREE, Nodebb, PlayedNodebb
from tests.support.board_league import BOARD, Poster, by_us, play_on_boards, to, work
from tests.support.each_system import first_reports
from tests.support.harness import duel, open_league
from tests.support.named_board import NamedBoard

Served = tuple[NamedBoard, ChannelSettings]


def clock(server: Any) -> Callable[[datetime], None]:
    """Return what sets a server's clock, which counts milliseconds and never goes back."""

    def set_to(time: datetime) -> None:
        server.now = max(server.now, int(time.timestamp() * 1000))

    return set_to


@contextmanager
def nodebb() -> Iterator[Served]:
    """A forum whose moderator has set what docs/boards.md says."""
    with Nodebb().running() as server:
        server.now = 0
        server.moderator = True
        server.config |= {"minimumPostLength": 1, "maximumChatMessageLength": 4000}
        accounts = {"referee": str(REFEREE), "ada": "11", "bob": "12", "mallory": "13"}
        at = NodebbSettings(url=server.url, token_file="t", category=5, uid=REFEREE, play=True)
        yield NamedBoard(PlayedNodebb(server), accounts, clock(server)), at


@contextmanager
def discord(kind: int) -> Iterator[Served]:
    """A channel of text, or a forum."""
    with DiscordGuild(kind).running() as server:
        accounts = {"ada": "11", "bob": "12", "mallory": "13"}
        accounts = {name: f"5000000000000000{n}" for name, n in accounts.items()}
        at = DiscordSettings(url=server.url, token_file="t", channel=CHANNEL, play=True)
        board = NamedBoard(PlayedDiscord(server), accounts | {"referee": BOT}, clock(server))
        yield board, at


BOARDS = {"nodebb": nodebb, "text": lambda: discord(TEXT), "forum": lambda: discord(FORUM)}


@contextmanager
def fought(served: Served, folder: Path, system: str = "") -> Iterator[Duel]:
    """A battle that has begun, of a duel or of a system, in which both play on the board."""
    server, settings = served
    systems = {"systems": (system,)} if system else {}
    with open_league(folder, outage_hours=6, **systems) as league:
        (league.settings.home / "t").write_text("t0ken")
        server.now = league.now
        play_on_boards(league, **{BOARD: settings})
        ann, bob = first_reports(league, system, "en") if system else duel(league)
        work(league)
        fight = Duel(league, cast(Any, server), Poster(league, ann, server, "ada"), bob)
        fight.ann.link()
        fight.later(1)
        yield fight


@pytest.fixture(params=BOARDS)
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """Each board in turn, and the settings to play on it."""
    with BOARDS[request.param]() as found:
        yield found


@pytest.fixture
def fight(served: Served, tmp_path: Path) -> Iterator[Duel]:
    """A duel of StarPilot that has begun: Ann's Hawk against Bob's Kestrel."""
    with fought(served, tmp_path) as found:
        yield found


def bob_of(fight: Duel) -> Poster:
    """Return Bob, with an account on the board."""
    bob = Poster(fight.league, fight.bob, fight.server, "bob")
    bob.link()
    return bob


def test_a_duel_goes_to_its_end(fight: Duel) -> None:
    to_the_end(fight, bob_of(fight))
    game, said = fight.league.game, by_us(fight.server)
    for turn in range(1, game.turn + 1):
        assert sum(f"G1-T{turn}\n" in f"{one}\n" for one in posts(fight)) <= 1
    assert len(set(said)) == len(said)
    assert work(fight.league) == []
    assert by_us(fight.server) == said


def test_an_impostor_surrenders_nobody(fight: Duel) -> None:
    fight.server.private("mallory", "Hawk: SURRENDER")
    fight.server.post("mallory", "Hawk: SURRENDER", fight.server.posts()[0].thread)
    work(fight.league)
    assert fight.league.game.running
    assert not place(fight, "Hawk").answered


def test_an_edit_and_a_deletion_count_before_the_step(fight: Duel) -> None:
    number = fight.ann.post("SURRENDER")
    fight.later(1)
    fight.server.edit(number, "SCAN")
    work(fight.league)
    assert "understood: **SCAN**" in posts(fight)[-1]
    fight.later(1)
    fight.server.delete(number)
    work(fight.league)
    assert not place(fight, "Hawk").answered
    assert "off the file" in " ".join(posts(fight)[-1].split())


def test_what_one_asks_is_told_to_the_account_alone(fight: Duel) -> None:
    fight.ann.whisper("STATUS")
    work(fight.league)
    assert "You wrote" in "\n".join(to(fight.server, "ada"))


def test_a_battle_with_secret_orders_goes_to_its_end(served: Served, tmp_path: Path) -> None:
    with fought(served, tmp_path, "blackskies") as fight:
        bob = bob_of(fight)
        for turn in range(40):
            for number, poster in enumerate((fight.ann, bob)):
                if fight.league.game.running:
                    _, orders = planned(fight, number)
                    poster.whisper(f"GAME 1\n{orders if turn < 3 else 'DRAW'}")
            fight.later(1)
        assert not fight.league.game.running
