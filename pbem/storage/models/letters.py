"""Letters (received, outgoing, bounced) and reply tokens."""

import json

from peewee import AutoField, BigIntegerField, BooleanField, ForeignKeyField, TextField

from pbem.storage.fields import CompressedField, EscapedField, Row, UtcField
from pbem.storage.models.games import Game, Place
from pbem.storage.models.people import Player


class Letter(Row):
    """A message that came in, by mail or on a channel, raw, and what became of it.

    `place` is where it lies in its folder (fetch_batches.Listed). `state` is received,
    filed, answered, held, discarded or shunted. `checked` is the result of its signature check on
    arrival, or "confirmed" once its player has confirmed it. `digest` is the same for each delivery
    of one letter (pbem.intake.mime). `tries` counts failed attempts. An `owner`
    has it in hand from the start of an attempt until its result, or `owned_until` a time. `content`
    is the letter byte by byte, or nothing once it was dropped.
    """

    id = AutoField()
    account = TextField()
    folder = TextField()
    message_id = TextField(index=True)
    sha256 = TextField()
    received = UtcField()
    kept = UtcField()
    digest = TextField(index=True, default="")
    truncated = BooleanField(default=False)
    checked = TextField(default="")
    state = TextField(index=True, default="received")
    klass = TextField(default="")
    reason = EscapedField(default="")
    player = ForeignKeyField(Player, on_delete="SET NULL", null=True)
    player_id: int | None
    tries = BigIntegerField(default=0)
    owner = TextField(default="")
    owned_until = UtcField(null=True)
    error = EscapedField(default="")
    handled = UtcField(null=True)
    moved = BooleanField(index=True, default=False)
    place = TextField(index=True, default="")
    channel = TextField(index=True, default="")
    thread = TextField(default="")
    content = CompressedField(default=b"")


class Token(Row):
    """What a reply carries: it names one player, and a game's turn and place where there is one.

    `kind` is confirm, league, game, asked (pbem.outgoing.questions), or the only thing that it may
    do. `about` is what else it is for, as JSON.
    """

    token = TextField(primary_key=True)
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    kind = TextField()
    expires = UtcField()
    game = ForeignKeyField(Game, on_delete="CASCADE", null=True)
    game_id: int | None
    turn = BigIntegerField(default=0)
    place = ForeignKeyField(Place, on_delete="CASCADE", null=True)
    place_id: int | None
    about = TextField(default="[]")

    @property
    def parts(self) -> list[str]:
        """Return the parts of what the token is about."""
        return [str(part) for part in json.loads(self.about)]


class Question(Row):
    """An open question of a letter of ours, by the token that a reply to it carries.

    YES carries out the `lines`, or the held letter; then, or once it is void, the row is removed.
    `sender` is the only address that may say so, "" for any of the player's. Battle orders count at
    the deadline without a YES, unless they are `by_yes_only`.
    """

    id = AutoField()
    token = ForeignKeyField(Token, on_delete="CASCADE")
    token_id: str
    lines = EscapedField(default="")
    letter = ForeignKeyField(Letter, on_delete="CASCADE", null=True)
    letter_id: int | None
    sender = TextField(default="")
    by_yes_only = BooleanField(default=False)


class Outgoing(Row):
    """A letter to be sent; a newer letter replaces the unsent ones of its `slot`.

    `state` is queued, sending, sent, failed or replaced. It may also be held for a digest, and is
    digested after that; or unwanted, and never sent. `ident` is what it is for; nothing is written
    twice for the same thing. `content` is the letter byte by byte, or nothing once it was dropped.
    `fault` is what the last refusal named: address, letter, or server where it named neither. Who
    sends it is its `owner`, `owned_until` a time.
    """

    id = AutoField()
    ident = TextField(unique=True)
    message_id = TextField(unique=True)
    slot = TextField(index=True)
    kind = TextField()
    recipient = TextField(index=True)
    due = UtcField()
    made = UtcField()
    player = ForeignKeyField(Player, on_delete="SET NULL", null=True)
    player_id: int | None
    state = TextField(index=True, default="queued")
    tries = BigIntegerField(default=0)
    sent = UtcField(null=True)
    error = EscapedField(default="")
    content = CompressedField(default=b"")
    fault = TextField(default="")
    owner = TextField(default="")
    owned_until = UtcField(null=True)


class Authorship(Row):
    """Whose words a letter to others, a post or a newsletter carries, so that they can be erased.

    `what` is a Message-ID, or the name of a post or a newsletter.
    """

    id = AutoField()
    what = TextField(index=True)
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int

    POST = "post "
    """How the name of a post begins."""

    @classmethod
    def post_name(cls, channel: str, ident: str) -> str:
        """Return the name of a post in this table."""
        return f"{cls.POST}{channel} {ident}"

    @property
    def post(self) -> tuple[str, str]:
        """Return the channel and the ident of the post that this names."""
        channel, _, ident = self.what.removeprefix(self.POST).partition(" ")
        return channel, ident


class KeptWords(Row):
    """Words of a player's latest letter that nobody has seen, until the player's next letter.

    `place` is that of the part of the letter which they stood in, or None. `text` is as it was
    written; `made` is when that was.
    """

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    text = EscapedField()
    made = UtcField()
    place = ForeignKeyField(Place, on_delete="CASCADE", null=True)
    place_id: int | None


class Bounce(Row):
    """A letter of ours that came back from a player's address, or was refused there at once.

    `kind` is hard, soft, policy, or refused; `ident` is the SHA-256 of the letter that reports it,
    or the Message-ID of the one that was refused.
    """

    ident = TextField(primary_key=True)
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    kind = TextField()
    at = UtcField()
