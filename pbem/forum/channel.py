"""What every channel is: something that takes a post and returns where it can be found.

ChannelFault
├── PostRefused    this post, for good
├── PostDeferred   this post, for now: the refusal names no reason that certainly stays
└── ChannelDown    every post, for now
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from pbem.mail.transport import Transport
from pbem.text.markup import PostFormat

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class ChannelFault(Exception):
    """A post has not been taken; its text is a sentence for a person."""


class PostRefused(ChannelFault):
    """The board will never take this post."""


class PostDeferred(ChannelFault):
    """The board refused this post, perhaps for a reason that passes, or that is about us."""


class ChannelDown(ChannelFault):
    """The board can't be used at the moment.

    `refused`: it takes nothing from us, so that a person must look. `unsure`: the post may have
    come through. `after`: the seconds that the board asks us to wait.
    """

    def __init__(
        self, sentence: str, *, refused: bool = False, unsure: bool = False, after: float = 0
    ) -> None:
        super().__init__(sentence)
        self.refused, self.unsure, self.after = refused, unsure, after


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A post as a channel gets it.

    `root` is where its thread's first post can be found, `stands` where this one can, if it is to
    be changed. `unsure`: the board may have it already, because an earlier attempt was interrupted.
    """

    ident: str
    message_id: str
    title: str
    body: str
    date: datetime
    root: str = ""
    stands: str = ""
    unsure: bool = False


class Channel(Protocol):
    """A board that posts go to."""

    def publish(self, post: Post) -> str:
        """Publish a post, or change it, and return where it can be found. Raises ChannelFault."""

    def check(self) -> str:
        """Ask the board whether it would take posts, without posting. Raises ChannelFault."""

    def close(self) -> None:
        """Close the connection, if one is open."""


# A protocol, because the league's settings import this module for the settings of its channels.
class Home(Protocol):
    """What a channel needs of the league: its name, address, files, secrets and transport."""

    @property
    def sender(self) -> tuple[str, str]:
        """Return the league's name and its address."""

    def path(self, name: str) -> Path:
        """Return the path of a file or folder named in the settings."""

    def secret(self, name: str) -> str:
        """Return the content of a secret's file."""

    def transport(self) -> Transport:
        """Return a new transport for letters."""


class ChannelSettings(ABC):
    """A channel's settings: `limit` characters in a post, and whether a post can be changed.

    `pictures`: a picture can be a post of its own.
    """

    limit = 1_000_000
    editable = True
    pictures = False

    @property
    @abstractmethod
    def post_format(self) -> PostFormat:
        """Return the form of the board's posts."""

    @abstractmethod
    def wrong(self) -> str | None:
        """Return what is wrong with the settings, or None."""

    @abstractmethod
    def open(self, home: Home) -> Channel:
        """Return the channel, not yet connected."""
