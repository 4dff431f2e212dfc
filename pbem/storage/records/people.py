"""Players: addresses, absences, blocks, bans, personas and blueprints."""

from datetime import datetime
from typing import Annotated, NamedTuple

from pbem.storage.schema import INDEX, UNIQUE, References, table

GUEST = "|guest "
"""What begins the `folded` of a guest; no name holds a `|`, so none is found by it."""


@table()
class Player(NamedTuple):
    """A person, by a confirmed address; `folded` and `skeleton` make the name unique.

    A name is reserved once its owner has confirmed: until then these two are None, and others may
    ask for it too. `shape` is what it looks like in writing. `key_serial` counts the keys issued,
    and `press` is whether they accept public letters. `mail` and `format` are which letters they
    get and how; without a `language` or a time `zone` of their own they have the league's. Letters
    of a player who is `banned` are not acted on. `channel` is the board on which they last wrote,
    "" for mail: they are written to there, if it has private messages.
    """

    id: int
    name: str
    address: Annotated[str, UNIQUE]
    joined: datetime
    heard: Annotated[datetime, INDEX]
    folded: Annotated[str | None, UNIQUE] = None
    skeleton: Annotated[str | None, UNIQUE] = None
    shape: Annotated[str, INDEX] = ""
    confirmed: bool = False
    key_serial: int = 1
    press: bool = True
    mail: str = "turns"
    format: str = "html"
    language: str = ""
    zone: str = ""
    banned: bool = False
    channel: str = ""


@table()
class Leave(NamedTuple):
    """Days on which a player is away, as ISO dates."""

    id: int
    player_id: Annotated[int, References(Player)]
    first: str
    last: str


@table()
class Further(NamedTuple):
    """A confirmed address of a player in addition to the one that letters go to."""

    id: int
    player_id: Annotated[int, References(Player)]
    address: Annotated[str, UNIQUE]
    added: datetime


@table(unique=[("channel", "ident"), ("channel", "player_id")])
class Account(NamedTuple):
    """A player's account on a board: the id that the board's server vouches for.

    `name` is what the board shows. `words` is the fingerprint of the words of the message with
    LINK, which enters the words of all that the account writes (docs/dice.md). Nobody is told it.
    """

    id: int
    channel: str
    ident: str
    player_id: Annotated[int, References(Player)]
    name: str
    linked: datetime
    words: str


@table(unique=[("player_id", "other_id")])
class Block(NamedTuple):
    """A player takes no letters from another."""

    id: int
    player_id: Annotated[int, References(Player)]
    other_id: Annotated[int, References(Player)]


@table()
class Ban(NamedTuple):
    """An address of no player, whose letters are not acted on."""

    id: int
    address: Annotated[str, UNIQUE]
    made: datetime


@table(indexes=[("system", "rank", "name"), ("system", "side", "rank", "figures")])
class Persona(NamedTuple):
    """A player's piece between games; `record` is its system's own JSON text.

    `rank` and `figures` (JSON) follow from it (pbem.storage.ranks).
    """

    id: int
    player_id: Annotated[int, References(Player)]
    system: str
    name: str
    folded: Annotated[str, UNIQUE]
    side: str
    record: str
    joined: datetime
    skeleton: Annotated[str | None, UNIQUE] = None
    shape: Annotated[str, INDEX] = ""
    rank: str = ""
    figures: str = "{}"

    @property
    def is_guest(self) -> bool:
        """Return whether it only stands for its player, and has no career."""
        return self.folded.startswith(GUEST)


@table(unique=[("player_id", "system", "folded")])
class Blueprint(NamedTuple):
    """What a player has designed for personas to be made of; `record` is its system's JSON text."""

    id: int
    player_id: Annotated[int, References(Player)]
    system: str
    name: str
    folded: str
    record: str
    made: datetime
