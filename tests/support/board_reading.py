"""A board that is read as the referee does it, without a league around it."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from pbem.channels.channel import Board, ChannelSettings, Message, Post
from pbem.channels.mail.transport import Transport


@dataclass(frozen=True)
class BareHome:
    """What a channel needs of a league: one secret, and a folder."""

    token: str
    folder: Path = Path("/nowhere")
    sender: tuple[str, str] = ("Avalon League", "referee@league.example")

    def path(self, name: str) -> Path:
        """Return the path of a file."""
        return self.folder / name

    def secret(self, name: str) -> str:
        """Return the token, whatever the file is called."""
        return self.token

    def transport(self) -> Transport:
        """Fail: a board sends no letters."""
        raise NotImplementedError


@dataclass
class Reader:
    """Reads a board look by look, as its worker does, and keeps the cursor and all it has read."""

    settings: ChannelSettings
    token: str
    cursor: str = ""
    raw: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """Begin with a new connection, as a program does that was started again."""
        self.board = cast(Board, self.settings.open(BareHome(self.token)))

    def look(self, watched: Collection[str] = ()) -> list[Message]:
        """Return what a look brings, the forms of watched messages too."""
        found = list[Message]()
        for portion in self.board.news(self.cursor, watched):
            found += map(self.settings.message, portion.messages)
            self.raw += portion.messages
            self.cursor = portion.cursor
        return found

    def words(self, watched: Collection[str] = ()) -> list[str]:
        """Return the words that a look brings."""
        return [message.text for message in self.look(watched)]


def draft(body: str, *, ident: str = "G1-T1", root: str = "", **more: object) -> Post:
    """Return a post as the queue hands it to a channel."""
    facts: dict[str, object] = {
        "ident": ident,
        "message_id": f"<{ident}@league.example>",
        "title": "Game 1: Hawk against Kestrel",
        "body": body,
        "date": datetime(2026, 11, 2, tzinfo=UTC),
        "root": root,
    }
    return Post(**(facts | more))  # type: ignore[arg-type]
