"""What every channel is: something that takes posts, and that may be read as well.

What a kind of channel can is said in its settings; nothing outside of a kind's own file asks which
kind a channel is.

ChannelFault
├── PostRefused    this post, for good
├── PostDeferred   this post, for now: the refusal names no reason that certainly stays
└── ChannelDown    every post, for now
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from pbem.channels.mail.transport import Transport
from pbem.channels.markup import PostFormat

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
    `to` is the account that alone may read it; a private message's thread is all that was written
    to that account.
    """

    ident: str
    message_id: str
    title: str
    body: str
    date: datetime
    root: str = ""
    stands: str = ""
    unsure: bool = False
    to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What somebody wrote on a board, as its server tells it.

    `number` names it in its `room` for ever, and neither holds a blank; `version` is "" for its
    first form, and another text for each edit and for its deletion. `account` is the id of its
    writer's account, which the server vouches for, or "" where it vouches for nobody; `name` is
    what the board shows. `at` is the server's time (UTC). `threads` are the topics in which it may
    stand, as `ChannelSettings.topic` names them. `text` are the words that are new in it: without
    quotes, code, spoilers, strikes and signatures. `private`: only the referee could read it.
    `own`: the referee's own account wrote it.

    A live channel tells in `presence` who is there, without a text: the account "came" into the
    room, or "left" it. "lost" is about the referee: its connection was lost, so that nobody knows
    what was said meanwhile. After it, and after the first connection, each account that is there
    has "came" again. What is said to the referee by its name begins with `!` instead of it.
    """

    room: str
    number: str
    at: datetime
    version: str = ""
    account: str = ""
    name: str = ""
    threads: tuple[str, ...] = ()
    text: str = ""
    private: bool = False
    deleted: bool = False
    own: bool = False
    presence: Literal["", "came", "left", "lost"] = ""

    @property
    def place(self) -> str:
        """Return what names this form of the message in its room."""
        return f"{self.number}@{self.version}" if self.version else self.number


@dataclass(frozen=True, slots=True)
class Portion:
    """Messages as the board gave them, oldest first, and the cursor once they are stored."""

    messages: Sequence[bytes]
    cursor: str


class Channel(Protocol):
    """A board that posts go to."""

    def publish(self, post: Post) -> str:
        """Publish a post, or change it, and return where it can be found. Raises ChannelFault."""

    def check(self) -> str:
        """Ask the board whether it would take posts, and be read if it is, without posting.

        Raises ChannelFault.
        """

    def close(self) -> None:
        """Close the connection, if one is open."""


@runtime_checkable
class Board(Channel, Protocol):
    """A board that is read as well, so that people play there."""

    def news(self, cursor: str, watched: Collection[str]) -> Iterator[Portion]:
        """Yield what was written since a cursor, in portions; "" is the moment of the first look.

        What was written before the first look is not read. `watched` are numbers of messages of
        which a later form, or the deletion, is wanted, too. The same message may come again, and so
        may the same form of a watched one. Raises ChannelFault.
        """

    def obstacles(self) -> Sequence[str]:
        """Return which of the board's settings refuse orders or answers, a sentence for each.

        Each says what to set. Raises ChannelFault.
        """


@runtime_checkable
class LiveBoard(Board, Protocol):
    """A room where people talk at once: one connection is kept, to hear and to speak.

    It is made anew by the next use after it was lost. One thread may read while another publishes.
    """

    def attend(self, heard: Callable[[], None], topic: str) -> None:
        """Call `heard`, from another thread, when there may be news; show `topic` to who comes."""


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
    """A channel's settings, and what its kind can.

    `limit`: characters in a post. `editable`: a post of ours can be changed. `pictures`: a picture
    can be a post of its own. `private`: an account can be written to alone, and can write to us.
    `play`: the board is read, so that people play there. `live`: people talk here at once: a line
    is a message, and nothing is kept for who comes later.
    """

    limit = 1_000_000
    editable = True
    pictures = False
    private = False
    play = False
    live = False

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

    def topic(self, stands: str) -> str:
        """Return the board's own thread in which a post is, by what `publish` returned for it."""
        return stands

    def message(self, raw: bytes) -> Message:
        """Return what a message says, as `Channel.news` has yielded it. Raises ValueError.

        The same bytes mean the same, whenever they are read.
        """
        raise ValueError("this kind of board is not read")
