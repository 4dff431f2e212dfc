"""A league as large as one likes: a small one, played by mail, is copied within itself.

Each copy has players, personas, letters and battles of its own, and lies some days earlier than the
one before. So all rows are as the program writes them, and nobody waits until they are played.
"""

from datetime import datetime, timedelta
from typing import Any

from pbem.storage import Store
from pbem.storage.records import Meta
from pbem.storage.schema import KEY, TABLES, UNIQUE, Column, Table

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
    copies = letters // store.letters.count() - 1
    tables = [one for one in TABLES.values() if one.record is not Meta]
    highest = {one.name: _highest(store, one) for one in tables if one.key == "id"}
    with store.transaction():
        for table in tables:
            values = ", ".join(_copied(table, one, highest) for one in table.columns)
            values = values.replace("'x'", f"'{mark}'")
            # All copies of a table at once; those of the tables that it refers to are there.
            store.run(
                "WITH RECURSIVE copy(nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM copy"
                f' WHERE nth < {copies}) INSERT INTO "{table.name}" ({table.names})'
                f' SELECT {values} FROM copy, (SELECT * FROM "{table.name}") WHERE {copies} > 0'
            )


def _highest(store: Store, table: Table) -> int:
    return int(store.run(f'SELECT max("id") FROM "{table.name}"').fetchone()[0] or 0)


def _copied(table: Table, column: Column, highest: dict[str, int]) -> str:
    """Return the SQL for a column's value in the copy with the number `nth`."""
    name = f'"{column.name}"'
    if own := _OWN.get(f"{table.name}.{column.name}"):
        return own.format(name)
    if column.name == "id":
        return f"{name} + nth * {highest[table.name]}"
    if column.reference is not None:
        return f"{name} + nth * {highest[TABLES[column.reference.record].name]}"
    if column.kind is datetime:
        return f"{name} - nth * {APART // timedelta(microseconds=1)}"
    if column.kind is str and {KEY, UNIQUE} & set(column.marks):
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
