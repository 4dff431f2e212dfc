"""Careers: entries of the career log, rewards, medals."""

from peewee import AutoField, BigIntegerField, BlobField, BooleanField, ForeignKeyField, TextField

from pbem.storage.fields import Row, UtcField
from pbem.storage.models.games import Game
from pbem.storage.models.people import Persona, Player


class Entry(Row):
    """An entry in a persona's career log; points in tenths, `news` if it is newsworthy.

    `facts` is JSON text for a template.
    """

    id = AutoField()
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    persona_id: int
    kind = TextField()
    at = UtcField(index=True)
    game = ForeignKeyField(Game, on_delete="SET NULL", null=True)
    game_id: int | None
    account = TextField(default="")
    points = BigIntegerField(default=0)
    news = BooleanField(default=False)
    facts = TextField(default="{}")


class Reward(Row):
    """A persona's reward: its secret from the day of the commitment, and how it was rolled.

    It is not rolled yet where `rolled` is None; `words` is JSON text.
    """

    id = AutoField()
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    persona_id: int
    secret = BlobField()
    version = BigIntegerField()
    order = TextField(default="")
    words = TextField(default="{}")
    digest = TextField(default="")
    roll = BigIntegerField(default=0)
    rolled = UtcField(null=True)

    def __repr__(self) -> str:
        """Return the name of the reward without its secret, so that no log shows it."""
        return f"Reward(id={self.id}, order={self.order!r})"


class Nomination(Row):
    """A persona named for a medal, for what it did in a game.

    `state` is open, or given since the time `given`.
    """

    id = AutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE")
    game_id: int
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    persona_id: int
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    citation = TextField()
    made = UtcField()
    state = TextField(index=True, default="open")
    given = UtcField(null=True)


class Endorsement(Row):
    """A player's support for a nomination."""

    id = AutoField()
    nomination = ForeignKeyField(Nomination, on_delete="CASCADE")
    nomination_id: int
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    made = UtcField()

    class Meta:
        """The indexes over several columns."""

        indexes = ((("nomination", "player"), True),)
