"""The records of letters (received, outgoing, bounced) and of reply tokens."""

import json
from datetime import datetime
from typing import NamedTuple


class Letter(NamedTuple):
    """A letter that came in; `state` is received, filed, answered, held, discarded or shunted."""

    id: int
    uidvalidity: int
    uid: int
    message_id: str
    sha256: str
    digest: str
    received: datetime
    content: bytes
    truncated: bool
    checked: str
    state: str
    klass: str
    reason: str
    tries: int
    error: str


class Token(NamedTuple):
    """A reply's token; `kind` is confirm, league, game, or the only thing that it may do."""

    token: str
    player_id: int
    kind: str
    game_id: int | None
    turn: int
    place_id: int | None
    expires: datetime
    about: str

    @property
    def parts(self) -> list[str]:
        """Return the parts of what the token is about."""
        return [str(part) for part in json.loads(self.about)]


class Outgoing(NamedTuple):
    """A letter to be sent; `state` is queued, sending, sent, failed or replaced.

    It may also be held for a digest, and is digested after that; or unwanted, and never sent.
    """

    id: int
    message_id: str
    slot: str
    kind: str
    player_id: int | None
    recipient: str
    content: bytes
    state: str
    tries: int
    due: datetime
    made: datetime
    error: str


class Authorship(NamedTuple):
    """Whose words something carries; `what` is a Message-ID, or names a post or a newsletter."""

    id: int
    what: str
    player_id: int


class Bounce(NamedTuple):
    """A letter of ours that came back; `kind` is hard, soft, policy, or refused."""

    ident: str
    player_id: int
    kind: str
    at: datetime
