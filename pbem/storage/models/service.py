"""The tables of the service: single values, what was done at which moment, and how often."""

from peewee import IntegerField, TextField

from pbem.storage.models.fields import Base, CharField, UtcField, database


class Meta(Base):
    """Single values: the league's own secret, the schema, the last good poll."""

    key = CharField(primary_key=True)
    value = TextField()

    @classmethod
    def put(cls, key: str, value: str) -> None:
        """Set a single value."""
        row = f"({database.param}, {database.param})"
        put = 'ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"'
        database.execute_sql(
            f'INSERT INTO "meta" ("key", "value") VALUES {row} {put}', (key, value)
        )


class Round(Base):
    """A moment at which the service did something, kept so that it can be replayed.

    `last` is when the mailbox had been read before; `letters` are the numbers of those that were
    settled, as JSON text; `ruling` is what the moderator ruled from the shell, '' for a round of
    work. A row with `settings` only records that they are in force from then on.
    """

    at = UtcField()
    last = UtcField(null=True)
    letters = TextField(default="[]")
    ruling = TextField(default="")
    settings = TextField(default="")


class Tally(Base):
    """How often something was done on a day, such as answering a stranger."""

    day = CharField()
    what = CharField()
    so_far = IntegerField(column_name="count", default=0)

    class Meta:
        indexes = ((("day", "what"), True),)
