"""A board of each kind that is played on, for the tests that hold on every one."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem.channels.channel import ChannelSettings
from pbem.channels.discord import DiscordSettings
from pbem.channels.nodebb import NodebbSettings
from tests.servers.boards import Board
from tests.servers.discord import BOT, CHANNEL, FORUM, TEXT, DiscordGuild, PlayedDiscord
from tests.servers.discourse import EASY, Discourse
from tests.servers.inn import PASSWORD, Inn
from tests.servers.nodebb import REFEREE, Nodebb, PlayedNodebb
from tests.support.harness import START
from tests.support.memory_board import MemorySettings, served
from tests.support.named_board import NamedBoard
from tests.support.played_boards import PlayedBoard
from tests.support.played_discourse import PlayedDiscourse
from tests.support.played_newsgroup import PlayedNewsgroup


@dataclass(kw_only=True)
class Kind:
    """A board of one kind: its settings, who writes there, and how it is stopped and started.

    Its accounts are ada, bob and mallory, whom it shows under ada's name. `secrets` are the files
    that its settings name, `forge` lets words stand in a thread as ada's for which the server does
    not vouch, `quote` is how it marks words as ada's, `longest` the most characters
    that it takes from players. A board without `tell_time` has the real clock, and `not_after` is
    the latest time at which a league there may begin.
    """

    settings: ChannelSettings
    board: PlayedBoard
    stop: Callable[[], None]
    start: Callable[[], None]
    forge: Callable[[str, str], object]
    tell_time: Callable[[datetime], None] = lambda now: None
    secrets: Mapping[str, str] = field(default_factory=dict)
    quote: str = "ada wrote:\n> {}"
    longest: int = 200_000
    not_after: datetime = START


@contextmanager
def _memory(request: pytest.FixtureRequest) -> Iterator[Kind]:
    name = request.node.name
    board = served(START, name)
    board.names = {"mallory": "ada", "": "ada"}
    yield Kind(
        settings=MemorySettings(server=name),
        board=board,
        stop=lambda: setattr(board, "down", True),
        start=lambda: setattr(board, "down", False),
        forge=lambda text, thread: board.post("", text, thread),
        tell_time=lambda now: setattr(board, "now", now),
    )


@contextmanager
def _newsgroup(request: pytest.FixtureRequest) -> Iterator[Kind]:
    inn: Inn = request.getfixturevalue("inn")
    played = PlayedNewsgroup(inn)
    played.names = {"mallory": "ada"}
    yield Kind(
        settings=played.settings,
        board=played,
        stop=inn.stop,
        start=inn.start,
        forge=played.forge,
        secrets={"p": PASSWORD},
        # What is written there must not be older than the league's first day.
        not_after=datetime.now(UTC) - timedelta(days=14),
    )


@contextmanager
def _discourse(request: pytest.FixtureRequest) -> Iterator[Kind]:
    with Discourse().running() as forum:
        # Its moderator has read our docs.
        forum.settings, forum.upside_down = dict(EASY), True
        played = PlayedDiscourse(forum)
        yield Kind(
            settings=played.settings,
            board=played,
            stop=lambda: forum.fail(503),
            start=forum.mend,
            # What the forum itself writes in somebody's name.
            forge=lambda text, thread: forum.write(forum.users[-1], text, int(thread)),
            tell_time=lambda now: setattr(played, "now", now),
            secrets={"key": "k3y"},
            quote='[quote="ada, post:1, topic:10"]\n{}\n[/quote]',
            longest=32_000,
        )


@contextmanager
def _nodebb(request: pytest.FixtureRequest) -> Iterator[Kind]:
    with Nodebb().running() as server:
        # Its moderator has read our docs, and made the referee one.
        server.now, server.moderator = 0, True
        server.config |= {"minimumPostLength": 1, "maximumChatMessageLength": 4000}
        server.names |= {0: "ada", 11: "ada", 13: "ada"}
        accounts = {"referee": str(REFEREE), "ada": "11", "bob": "12", "mallory": "13"}
        accounts["guest"] = "0"
        settings = NodebbSettings(
            url=server.url, token_file="t", category=5, uid=REFEREE, play=True
        )
        named = NamedBoard(PlayedNodebb(server), accounts, _clock_of(server))
        quote = "@ada said in [Duel](/post/100):\n> {}"
        yield _served(
            server,
            settings,
            named,
            forge=lambda text, thread: server.write(0, int(thread), text),
            quote=quote,
            longest=32_000,
        )


@contextmanager
def _discord(kind: int) -> Iterator[Kind]:
    with DiscordGuild(kind).running() as server:
        server.now = int(START.timestamp() * 1000)
        accounts = {"referee": BOT, "ada": f"{BOT[:-2]}11", "bob": f"{BOT[:-2]}12"}
        accounts |= {"mallory": f"{BOT[:-2]}13", "hook": f"{BOT[:-2]}77"}
        server.names |= {accounts[name]: "ada" for name in ("ada", "mallory", "hook")}
        settings = DiscordSettings(url=server.url, token_file="t", channel=CHANNEL, play=True)
        named = NamedBoard(PlayedDiscord(server), accounts, _clock_of(server))
        yield _served(
            server,
            settings,
            named,
            # A web hook may take any name.
            forge=lambda text, thread: server.say(accounts["hook"], text, thread, hook="77"),
            quote=">>> {}",
            longest=2000,
        )


def _discord_text(request: pytest.FixtureRequest) -> AbstractContextManager[Kind]:
    return _discord(TEXT)


def _discord_forum(request: pytest.FixtureRequest) -> AbstractContextManager[Kind]:
    return _discord(FORUM)


def _served(server: Board, settings: ChannelSettings, board: NamedBoard, **more: Any) -> Kind:
    return Kind(
        settings=settings,
        board=board,
        stop=lambda: server.fail(503),
        start=server.mend,
        tell_time=lambda now: setattr(board, "now", now),
        secrets={"t": "t0ken"},
        **more,
    )


def _clock_of(server: Nodebb | DiscordGuild) -> Callable[[datetime], None]:
    """Return what sets a server's clock, which counts milliseconds and never goes back."""
    return lambda now: setattr(server, "now", max(server.now, int(now.timestamp() * 1000)))


BOARDS: dict[str, Callable[[pytest.FixtureRequest], AbstractContextManager[Kind]]] = {
    "memory": _memory,
    "newsgroup": _newsgroup,
    "discourse": _discourse,
    "nodebb": _nodebb,
    "discord": _discord_text,
    "discord-forum": _discord_forum,
}
NEWSGROUP = "newsgroup"
"""The one kind that is a real server, with the real clock; it has no private messages."""


def _each(*kinds: str) -> pytest.MarkDecorator:
    marks = {NEWSGROUP: [pytest.mark.services]}
    found = [pytest.param(one, marks=marks.get(one, [])) for one in kinds]
    return pytest.mark.parametrize("kind", found, indirect=True)


each_kind = _each(*BOARDS)
"""Lets a test run on a board of each kind."""
each_private = each_clock = _each(*(one for one in BOARDS if one != NEWSGROUP))
"""Lets a test run on each kind that has private messages, and whose clock the test moves."""
