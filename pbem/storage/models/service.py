"""The service: single values, what was done at which moment, how often."""

from peewee import AutoField, BigIntegerField, TextField

from pbem.storage.fields import Row, UtcField


class Meta(Row):
    """A single value, such as the league's own secret, the schema, or the last good poll."""

    key = TextField(primary_key=True)
    value = TextField()


class Round(Row):
    """A moment at which the service did something, kept so that it can be replayed.

    `last` is when the mailbox had been read before; `letters` are the numbers of those that were
    settled, as JSON text; `ruling` is what the moderator ruled from the shell, '' for a round of
    work. A row with `settings` only records that they are in force from then on. `boards` are the
    times up to which boards had been read, as JSON text.
    """

    id = AutoField()
    at = UtcField()
    last = UtcField(null=True)
    letters = TextField(default="[]")
    ruling = TextField(default="")
    settings = TextField(default="")
    boards = TextField(default="{}")


class Cursor(Row):
    """How far a board has been read: the board's own `cursor`, and when it was `read` last."""

    channel = TextField(primary_key=True)
    cursor = TextField(default="")
    read = UtcField(null=True)


class Tally(Row):
    """How often something was done on a day, or in a second, such as answering a stranger."""

    id = AutoField()
    day = TextField()
    what = TextField()
    so_far = BigIntegerField(default=0)

    class Meta:
        """The indexes over several columns."""

        indexes = ((("day", "what"), True),)
