"""The simplest chat room: lines in memory, who is there, and a referee whose connection may go.

It is a real channel of a kind of its own. What real servers do stands in tests/servers.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from pbem.channels.channel import ChannelDown, ChannelSettings, Home, Message, Portion, Post
from pbem.channels.markup import PostFormat

ROOM = "#league"


class Line(NamedTuple):
    """A line of the referee's, in the room or `to` an account alone."""

    text: str
    to: str


@dataclass
class MemoryChat:
    """The server; `now` is its clock. While it is `down` nothing works."""

    now: datetime
    heard: list[dict[str, object]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    present: set[str] = field(default_factory=set)
    down: bool = False

    def say(self, account: str, text: str, *, name: str = "", private: bool = False) -> None:
        """Write a line in the room, or to the referee alone; an account "" is logged in nowhere."""
        self._hear(account, text=text, name=name or account, private=private)

    def join(self, account: str) -> None:
        """Come into the room."""
        self.present.add(account)
        self._hear(account, presence="came")

    def leave(self, account: str) -> None:
        """Leave the room."""
        self.present.discard(account)
        self._hear(account, presence="left")

    def lose(self) -> None:
        """Let the referee's connection go and come back: nothing of meanwhile is known."""
        self._hear("", presence="lost")
        for account in sorted(self.present):
            self._hear(account, presence="came")

    def told(self, to: str = "") -> list[str]:
        """Return the referee's lines in the room, or to an account alone, oldest first."""
        return [line.text for line in self.lines if line.to == to]

    def _hear(self, account: str, **what: object) -> None:
        number, at = len(self.heard) + 1, self.now.isoformat()
        self.heard.append({"number": number, "account": account, "at": at, **what})


SERVERS: dict[str, MemoryChat] = {}
"""The rooms that stand in the settings by their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChatSettings(ChannelSettings):
    """A channel to such a room."""

    server: str
    play = True
    private = True
    editable = False
    live = True

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the lines."""
        return PostFormat()

    def wrong(self) -> str | None:
        """Return None."""
        return None

    def open(self, home: Home) -> "MemoryChatChannel":
        """Return the channel."""
        return MemoryChatChannel(SERVERS[self.server])

    def message(self, raw: bytes) -> Message:
        """Return what a message says."""
        row = json.loads(raw)
        return Message(
            room=ROOM,
            number=str(row["number"]),
            at=datetime.fromisoformat(row["at"]),
            account=row["account"],
            name=row.get("name", ""),
            text=row.get("text", ""),
            private=row.get("private", False),
            presence=row.get("presence", ""),
        )


class MemoryChatChannel:
    """The link to the room."""

    def __init__(self, server: MemoryChat) -> None:
        self._server = server

    def publish(self, post: Post) -> str:
        """Write the lines of a post."""
        self._up()
        self._server.lines += [Line(line, post.to) for line in post.body.splitlines()]
        return post.ident

    def news(self, cursor: str, watched: Collection[str]) -> Iterator[Portion]:
        """Yield what was written since a cursor, each line a portion."""
        self._up()
        for row in self._server.heard[int(cursor or 0) :]:
            yield Portion([json.dumps(row).encode()], str(row["number"]))

    def check(self) -> str:
        """Return that all is well."""
        self._up()
        return "the room is there"

    def obstacles(self) -> Sequence[str]:
        """Return none."""
        return ()

    def close(self) -> None:
        """Do nothing."""

    def _up(self) -> None:
        if self._server.down:
            raise ChannelDown("The room is out of reach.")


def served(now: datetime, name: str = "room") -> MemoryChat:
    """Return a new room that settings find by its name."""
    SERVERS[name] = MemoryChat(now)
    return SERVERS[name]
