"""The records of posts for channels, public letters, the newsletter, its readers and writers."""

from datetime import datetime
from typing import NamedTuple


class Post(NamedTuple):
    """A post for a channel; `state` is queued, sending, sent or failed."""

    id: int
    channel: str
    ident: str
    thread: str
    title: str
    body: str
    state: str
    unsure: bool
    stands: str
    tries: int
    due: datetime
    made: datetime
    error: str


class Subscription(NamedTuple):
    """A reader of the newsletter: a player, or the address of somebody who is not one."""

    id: int
    player_id: int | None
    address: str | None
    token: str
    active: bool


class Issue(NamedTuple):
    """A newsletter without its text; `due` is when the next batch of its letters goes out."""

    id: int
    since: datetime
    until: datetime
    cursor: int
    due: datetime
    done: bool


class Printed(NamedTuple):
    """A newsletter as it was rendered once for all; `page` is JSON text."""

    id: int
    until: datetime
    page: str


class Editorial(NamedTuple):
    """A text for the newsletter; `by` is the name of the pilot who signs it, or nothing."""

    id: int
    player_id: int
    by: str
    text: str
    state: str
    made: datetime


class PublicLetter(NamedTuple):
    """A public letter that has not reached all its readers; a line of `text` is a paragraph."""

    id: int
    player_id: int
    sha256: str
    by: str
    fights_for: str
    text: str
    cursor: int
    last: int
    made: datetime
    due: datetime
