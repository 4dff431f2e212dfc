"""The tables that the database is checked by (decision 0022); no other code writes to them."""

from peewee import BlobField, IntegerField

from pbem.storage.models.fields import Base, CharField


class Seal(Base):
    """The digest of a row as the program wrote it; `row` is its table and its key, as "step 17"."""

    row = CharField(primary_key=True)
    digest = BlobField()


class Total(Base):
    """How many rows of a table are sealed, and all their digests in one."""

    name = CharField(primary_key=True)
    rows = IntegerField()
    digest = BlobField()
