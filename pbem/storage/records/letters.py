"""Letters (received, outgoing, bounced) and reply tokens."""

import json
from datetime import datetime
from typing import Annotated, NamedTuple

from pbem.storage.records.games import Game, Place
from pbem.storage.records.people import Player
from pbem.storage.schema import COMPRESSED, ESCAPED, INDEX, KEY, UNIQUE, References, table


@table()
class Letter(NamedTuple):
    """A message that came in, by mail or on a channel, raw, and what became of it.

    `place` is where it lies in its folder (fetch_batches.Listed). `state` is received,
    filed, answered, held, discarded or shunted. `checked` is the result of its signature check on
    arrival, or "confirmed" once its player has confirmed it. `digest` is the same for each delivery
    of one letter (pbem.intake.mime). `tries` counts failed attempts; `in_hand` is true from the
    start of an attempt until it has a result. `content` is the letter byte by byte, or nothing once
    it was dropped.
    """

    id: int
    account: str
    folder: str
    message_id: Annotated[str, INDEX]
    sha256: str
    received: datetime
    kept: datetime
    digest: Annotated[str, INDEX] = ""
    truncated: bool = False
    checked: str = ""
    state: Annotated[str, INDEX] = "received"
    klass: str = ""
    reason: Annotated[str, ESCAPED] = ""
    player_id: Annotated[int | None, References(Player, "SET NULL")] = None
    tries: int = 0
    in_hand: bool = False
    error: Annotated[str, ESCAPED] = ""
    handled: datetime | None = None
    moved: Annotated[bool, INDEX] = False
    place: Annotated[str, INDEX] = ""
    channel: Annotated[str, INDEX] = ""
    thread: str = ""
    content: Annotated[bytes, COMPRESSED] = b""


@table()
class Token(NamedTuple):
    """What a reply carries: it names one player, and a game's turn and place where there is one.

    `kind` is confirm, league, game, asked (pbem.outgoing.questions), or the only thing that it may
    do. `about` is what else it is for, as JSON.
    """

    token: Annotated[str, KEY]
    player_id: Annotated[int, References(Player)]
    kind: str
    expires: datetime
    game_id: Annotated[int | None, References(Game)] = None
    turn: int = 0
    place_id: Annotated[int | None, References(Place)] = None
    about: str = "[]"

    @property
    def parts(self) -> list[str]:
        """Return the parts of what the token is about."""
        return [str(part) for part in json.loads(self.about)]


@table()
class Question(NamedTuple):
    """An open question of a letter of ours, by the token that a reply to it carries.

    YES carries out the `lines`, or the held letter; then, or once it is void, the row is removed.
    `sender` is the only address that may say so, "" for any of the player's. Battle orders count at
    the deadline without a YES, unless they are `by_yes_only`.
    """

    id: int
    token_id: Annotated[str, References(Token)]
    lines: Annotated[str, ESCAPED] = ""
    letter_id: Annotated[int | None, References(Letter)] = None
    sender: str = ""
    by_yes_only: bool = False


@table()
class Outgoing(NamedTuple):
    """A letter to be sent; a newer letter replaces the unsent ones of its `slot`.

    `state` is queued, sending, sent, failed or replaced. It may also be held for a digest, and is
    digested after that; or unwanted, and never sent. `ident` is what it is for; nothing is written
    twice for the same thing. `content` is the letter byte by byte, or nothing once it was dropped.
    `fault` is what the last refusal named: address, letter, or server where it named neither.
    """

    id: int
    ident: Annotated[str, UNIQUE]
    message_id: Annotated[str, UNIQUE]
    slot: Annotated[str, INDEX]
    kind: str
    recipient: Annotated[str, INDEX]
    due: datetime
    made: datetime
    player_id: Annotated[int | None, References(Player, "SET NULL")] = None
    state: Annotated[str, INDEX] = "queued"
    tries: int = 0
    sent: datetime | None = None
    error: Annotated[str, ESCAPED] = ""
    content: Annotated[bytes, COMPRESSED] = b""
    fault: str = ""


@table()
class Authorship(NamedTuple):
    """Whose words a letter to others, a post or a newsletter carries, so that they can be erased.

    `what` is a Message-ID, or the name that pbem.outgoing.outbox gives a post or a newsletter.
    """

    id: int
    what: Annotated[str, INDEX]
    player_id: Annotated[int, References(Player)]


@table()
class KeptWords(NamedTuple):
    """Words of a player's latest letter that nobody has seen, until the player's next letter.

    `place` is that of the part of the letter which they stood in, or None. `text` is as it was
    written; `made` is when that was.
    """

    id: int
    player_id: Annotated[int, References(Player)]
    text: Annotated[str, ESCAPED]
    made: datetime
    place_id: Annotated[int | None, References(Place)] = None


@table()
class Bounce(NamedTuple):
    """A letter of ours that came back from a player's address, or was refused there at once.

    `kind` is hard, soft, policy, or refused; `ident` is the SHA-256 of the letter that reports it,
    or the Message-ID of the one that was refused.
    """

    ident: Annotated[str, KEY]
    player_id: Annotated[int, References(Player)]
    kind: str
    at: datetime
