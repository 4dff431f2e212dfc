"""A folder of posts, for a moderator to paste from."""

import os
from dataclasses import dataclass
from pathlib import Path

from pbem.channels.channel import Channel, ChannelDown, ChannelSettings, Home, Post
from pbem.channels.markup import Format, PostFormat

PICTURE = ".svg"
"""How the ident of a picture's post ends; such a post's body is the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSettings(ChannelSettings):
    """Where posts are written, and in which form."""

    path: str
    format: Format = "bbcode"
    pictures = True

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts."""
        return PostFormat(self.format)

    def wrong(self) -> str | None:
        """Return None: a folder that is missing is made."""
        return None

    def open(self, home: Home) -> Channel:
        """Return the folder."""
        return Folder(home.path(self.path), "md" if self.format == "markdown" else "txt")


class Folder:
    """Writes each post or picture into a file that is named after it, whole or not at all."""

    def __init__(self, path: Path, ending: str) -> None:
        self._path, self._ending = path, ending

    def publish(self, post: Post) -> str:
        """Write a post, or write it again. Raises ChannelDown."""
        drawn = post.ident.endswith(PICTURE)
        name = post.ident if drawn else f"{post.ident}.{self._ending}"
        # Renamed when it is whole, so that nobody pastes half a post.
        draft = self._path / f".{name}.new"
        try:
            self._path.mkdir(parents=True, exist_ok=True)
            with draft.open("w", encoding="utf-8") as file:
                file.write(post.body if drawn else f"{post.title}\n\n{post.body}\n")
                file.flush()
                # Or a crash could leave an empty file under the final name.
                os.fsync(file.fileno())
            draft.replace(self._path / name)
        except OSError as error:
            raise ChannelDown(f"{self._path} can't be written ({error.strerror}).") from error
        return name

    def check(self) -> str:
        """Return where posts go. Raise ChannelDown where nothing can be written."""
        there = next(one for one in (self._path, *self._path.absolute().parents) if one.exists())
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            raise ChannelDown(f"{there} can't be written.", refused=True)
        return f"posts are written into {self._path}"

    def close(self) -> None:
        """Do nothing: no file is kept open."""
