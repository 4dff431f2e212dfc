"""A league as large as one likes: a small one, played by mail, is copied within itself.

Each copy has players, personas, letters and battles of its own, and lies some days earlier than the
one before. So all rows are as the program writes them, and nobody waits until they are played.
"""

from datetime import timedelta
from typing import Any

from peewee import Field, ForeignKeyField, TextField, fn

from pbem.storage import MODELS, Letter, Meta, Row, Store
from pbem.storage.fields import UtcField

APART = timedelta(hours=36)
"""How far apart in time two copies lie."""
_OWN = {
    "player.name": "{} || ' ' || 'x' || nth",
    "persona.name": "{} || ' ' || 'x' || nth",
    "player.address": "'x' || nth || '.' || {}",
    "further.address": "'x' || nth || '.' || {}",
    "subscription.address": "'x' || nth || '.' || {}",
    "outgoing.recipient": "'x' || nth || '.' || {}",
    "outgoing.message_id": "replace({}, '<', '<' || 'x' || nth || '.')",
    "letter.message_id": "replace({}, '<', '<' || 'x' || nth || '.')",
    "authorship.what": "replace({}, '<', '<' || 'x' || nth || '.')",
    "offer.number": '{} + nth * (SELECT max("number") FROM "offer")',
    "letter.uid": '{} + nth * (SELECT max("uid") FROM "letter")',
    "question.token_id": "{} || 'x' || nth",
    "post.ident": "{} || 'x' || nth",
    "tally.what": "{} || 'x' || nth",
}
"""What is another in each copy beside keys, references, times, and what must be unique."""


def grow(store: Store, letters: int, mark: str = "x") -> None:
    """Copy all that a league holds until about so many letters have come to it.

    The copies' names and addresses have a mark, another one where a league is copied again.
    """
    copies = letters // store.count(Letter.select()) - 1
    tables = [model for model in MODELS if model is not Meta]
    highest = {model: _highest(store, model) for model in tables if "id" in model._meta.fields}
    with store.transaction():
        for model in tables:
            name, fields = model._meta.table_name, model._meta.sorted_fields
            names = ", ".join(f'"{one.column_name}"' for one in fields)
            values = ", ".join(_copied(model, one, highest) for one in fields)
            values = values.replace("'x'", f"'{mark}'")
            # All copies of a table at once; those of the tables that it refers to are there.
            store.execute_sql(
                "WITH RECURSIVE copy(nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM copy"
                f' WHERE nth < {copies}) INSERT INTO "{name}" ({names})'
                f' SELECT {values} FROM copy, (SELECT * FROM "{name}") WHERE {copies} > 0'
            )


def _highest(store: Store, model: type[Row]) -> int:
    return int(store.scalar(model.select(fn.MAX(model.key_field()))) or 0)


def _copied(model: type[Row], field: Field, highest: dict[type[Row], int]) -> str:
    """Return the SQL for a column's value in the copy with the number `nth`."""
    name = f'"{field.column_name}"'
    if own := _OWN.get(f"{model._meta.table_name}.{field.column_name}"):
        return own.format(name)
    if field.name == "id":
        return f"{name} + nth * {highest[model]}"
    if isinstance(field, ForeignKeyField):
        return f"{name} + nth * {highest[field.rel_model]}"
    if isinstance(field, UtcField):
        return f"{name} - nth * {APART // timedelta(microseconds=1)}"
    if isinstance(field, TextField) and (field.primary_key or field.unique):
        return f"{name} || 'x' || nth"
    return name


class Steps:
    """Counts the steps that SQLite takes: the same in each run, unlike seconds.

    A step is an instruction of its virtual machine. Each row that is looked at takes several.
    """

    _EACH = 50

    def __init__(self, store: Store) -> None:
        self.taken = 0
        self._connection: Any = store.database.connection()

    def __enter__(self) -> "Steps":
        """Begin to count."""
        self._connection.set_progress_handler(self._count, self._EACH)
        return self

    def __exit__(self, *_: object) -> None:
        """Count no more."""
        self._connection.set_progress_handler(None, 0)

    def _count(self) -> int:
        self.taken += self._EACH
        return 0
