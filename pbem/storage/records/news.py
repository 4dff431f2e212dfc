"""Posts for channels, public letters, the newsletter, its readers and writers."""

from datetime import datetime
from typing import Annotated, NamedTuple

from pbem.storage.records.people import Player
from pbem.storage.schema import ESCAPED, INDEX, UNIQUE, References, table


@table(unique=[("channel", "ident")], indexes=[("channel", "thread")])
class Post(NamedTuple):
    """A post for a channel; `stands` is where it is there, once it has been posted.

    `state` is queued, sending, sent, failed, or dropped by the moderator. `unsure`: it may be
    there already, because an attempt was interrupted. `topic` names the board's own thread in which
    it stands. `recipient` is the account that alone may read it, "" for all.
    """

    id: int
    channel: str
    ident: str
    thread: str
    title: str
    body: str
    due: datetime
    made: datetime
    state: Annotated[str, INDEX] = "queued"
    unsure: bool = False
    stands: str = ""
    tries: int = 0
    sent: datetime | None = None
    error: Annotated[str, ESCAPED] = ""
    topic: Annotated[str, INDEX] = ""
    recipient: str = ""


@table()
class Subscription(NamedTuple):
    """Who gets the newsletter: a player, or an address; its `token` unsubscribes at any time."""

    id: int
    token: Annotated[str, UNIQUE]
    made: datetime
    player_id: Annotated[int | None, UNIQUE, References(Player)] = None
    address: Annotated[str | None, UNIQUE] = None
    active: bool = False


@table()
class Issue(NamedTuple):
    """A newsletter as rendered once for all, and how far it has been sent; `page` is JSON text.

    `cursor` is the last subscription that it was sent to, `due` is when the next ones follow.
    """

    id: int
    since: datetime
    until: datetime
    due: datetime
    cursor: int = 0
    done: Annotated[bool, INDEX] = False
    page: str = ""


@table()
class Editorial(NamedTuple):
    """A player's text for the newsletter; `state` is waiting, passed, dropped or printed.

    `by` is the name of the pilot who signs it, or nothing.
    """

    id: int
    player_id: Annotated[int, References(Player)]
    by: str
    text: str
    made: datetime
    state: Annotated[str, INDEX] = "waiting"


@table()
class PublicLetter(NamedTuple):
    """A public letter that has not reached all its readers yet; it is removed when it has.

    `sha256` is that of the letter that it was written in, `by` who signs it, and `fights_for` that
    one's player, where it is a pilot. A line of `text` is a paragraph. `cursor` is the last player
    that it was queued for, `last` the one that it ends with, and `due` when the next ones are.
    """

    id: int
    player_id: Annotated[int, References(Player)]
    sha256: str
    by: str
    text: str
    last: int
    made: datetime
    due: datetime
    fights_for: str = ""
    cursor: int = 0
