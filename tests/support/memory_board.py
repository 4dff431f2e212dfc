"""The simplest board that is played on: posts in memory, with all that a board can do.

It is a real channel of a kind of its own. What real boards do stands in tests/servers.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.channels.channel import ChannelDown, ChannelSettings, Home, Message, Portion, Post
from pbem.channels.markup import PostFormat
from pbem.intake.post_text import Markup, new_words
from tests.support.played_boards import Stood

ROOM = "avalon"
US = "referee"
US_NAMED = (US, "4711")
"""What a mention calls the referee's account: its name and its number."""


@dataclass
class Written:
    """A post as the board keeps it: who wrote it, what, in which topic; `to` is its only reader."""

    number: int
    account: str
    name: str
    text: str
    topic: str
    at: datetime
    to: str = ""
    message_id: str = ""
    version: int = 0
    deleted: bool = False


@dataclass
class MemoryBoard:
    """The board's server (a PlayedBoard); `now` is its clock. While it is `down` nothing works.

    `names` are those of accounts that it shows under another one.
    """

    now: datetime
    names: dict[str, str] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)
    down: bool = False

    def post(self, account: str, text: str, thread: str = "") -> str:
        """Post as an account in a thread, or begin one."""
        return self.keep(account, text, thread)

    def private(self, account: str, text: str) -> str:
        """Write to the referee alone."""
        return self.keep(account, text, f"@{account}", to=US)

    def keep(self, account: str, text: str, thread: str, to: str = "", message_id: str = "") -> str:
        """Keep a post, and return its number."""
        number = len(self.written) + 1
        thread = thread or (f"@{to}" if to else f"t{number}")
        name = self.names.get(account, account)
        made = Written(number, account, name, text, thread, self.now, to, message_id)
        self.written.append(made)
        return str(number)

    def edit(self, number: str, text: str) -> None:
        """Change the words of a post."""
        found = self.written[int(number) - 1]
        found.text, found.version, found.at = text, found.version + 1, self.now

    def delete(self, number: str) -> None:
        """Delete a post; of its writer no more than the account is told from then on."""
        found = self.written[int(number) - 1]
        found.deleted, found.version, found.at = True, found.version + 1, self.now
        found.name = found.text = ""

    def posts(self) -> list[Stood]:
        """Return all that stands there, oldest first."""
        there = (one for one in self.written if not one.deleted)
        return [Stood(one.account, one.topic, one.text, one.to) for one in there]


SERVERS: dict[str, MemoryBoard] = {}
"""The boards that stand in the settings by their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings(ChannelSettings):
    """A channel to such a board."""

    server: str
    markup: Markup = "plain"
    play = True
    private = True

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts."""
        return PostFormat()

    def wrong(self) -> str | None:
        """Return None."""
        return None

    def open(self, home: Home) -> "MemoryChannel":
        """Return the channel."""
        return MemoryChannel(SERVERS[self.server])

    def topic(self, stands: str) -> str:
        """Return the topic of a post."""
        return stands.partition("/")[0]

    def message(self, raw: bytes) -> Message:
        """Return what a message says."""
        row = json.loads(raw)
        return Message(
            room=ROOM,
            number=str(row["number"]),
            at=datetime.fromisoformat(row["at"]),
            version=str(row["version"] or ""),
            account=row["account"],
            name=row["name"],
            threads=(row["topic"],),
            text=new_words(row["text"], self.markup, US_NAMED),
            private=bool(row["to"]),
            deleted=row["deleted"],
            own=row["account"] == US,
        )


class MemoryChannel:
    """The link to the board."""

    def __init__(self, server: MemoryBoard) -> None:
        self._server = server

    def publish(self, post: Post) -> str:
        """Publish a post, or change one."""
        self._up()
        if post.stands:
            self._server.edit(post.stands.partition("/")[2], post.body)
            return post.stands
        topic = post.root.partition("/")[0] if post.root else ""
        # An attempt that was interrupted may have come through.
        known = (one for one in self._server.written if one.message_id == post.message_id)
        if post.unsure and (found := next(known, None)):
            return f"{found.topic}/{found.number}"
        number = self._server.keep(US, post.body, topic, post.to, post.message_id)
        return f"{self._server.written[int(number) - 1].topic}/{number}"

    def news(self, cursor: str, watched: Collection[str]) -> Iterator[Portion]:
        """Yield what was written since a cursor, each post a portion."""
        self._up()
        posts = self._server.written
        if not cursor:
            yield Portion([], str(len(posts)))
            return
        for number in sorted(map(int, watched)):
            yield Portion([_raw(posts[number - 1])], cursor)
        for one in posts[int(cursor) :]:
            yield Portion([_raw(one)], str(one.number))

    def check(self) -> str:
        """Return that all is well."""
        self._up()
        return "the board takes posts"

    def obstacles(self) -> Sequence[str]:
        """Return none."""
        return ()

    def close(self) -> None:
        """Do nothing."""

    def _up(self) -> None:
        if self._server.down:
            raise ChannelDown("The board is down.")


def _raw(post: Written) -> bytes:
    row = {**vars(replace(post)), "at": post.at.isoformat()}
    return json.dumps(row).encode()


def served(now: datetime, name: str = "memory") -> MemoryBoard:
    """Return a new board that settings find by its name."""
    SERVERS[name] = MemoryBoard(now)
    return SERVERS[name]
