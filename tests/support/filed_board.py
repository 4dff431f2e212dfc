"""The simplest board that is played on, kept in a file: it outlives the processes that use it."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from pbem.channels.channel import Home, Post
from tests.support.harness import START
from tests.support.memory_board import MemoryBoard, MemoryChannel, MemorySettings, Written


@dataclass
class FiledBoard(MemoryBoard):
    """The board of a file, read when it is opened, and written whenever something is kept."""

    path: Path = Path()

    @classmethod
    def opened(cls, path: Path) -> "FiledBoard":
        """Return the board as it stands in a file, or an empty one."""
        found = json.loads(path.read_text()) if path.exists() else []
        times = ({"at": datetime.fromisoformat(row["at"])} for row in found)
        written = [Written(**row | time) for row, time in zip(found, times, strict=True)]
        return cls(START, written=written, path=path)

    def keep(self, account: str, text: str, thread: str, to: str = "", message_id: str = "") -> str:
        """Keep a post, and return its number."""
        number = super().keep(account, text, thread, to, message_id)
        self.save()
        return number

    def edit(self, number: str, text: str) -> None:
        """Change the words of a post."""
        super().edit(number, text)
        self.save()

    def save(self) -> None:
        """Write all to the file: as it was or as it is, whenever the process ends."""
        draft = self.path.with_suffix(".draft")
        rows = [asdict(one) | {"at": one.at.isoformat()} for one in self.written]
        draft.write_text(json.dumps(rows))
        draft.replace(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledSettings(MemorySettings):
    """A channel to the board in a file of the league's folder."""

    def open(self, home: Home) -> MemoryChannel:
        """Return the channel."""
        return FiledChannel(FiledBoard.opened(home.path(self.server)))


class FiledChannel(MemoryChannel):
    """The link to the board."""

    def publish(self, post: Post) -> str:
        """Publish a post, or change one, at the time at which it was made."""
        self._server.now = post.date
        return super().publish(post)
