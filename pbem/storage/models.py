"""peewee models, made of the records: peewee creates and migrates the tables by them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from peewee import (
    SQL,
    AutoField,
    BigIntegerField,
    BlobField,
    BooleanField,
    Field,
    FloatField,
    ForeignKeyField,
    Model,
    SchemaManager,
    TextField,
)
from playhouse.migrate import SchemaMigrator, migrate

from pbem.storage.schema import INDEX, KEY, TABLES, UNIQUE, Column

_FIELDS = {
    int: BigIntegerField,
    str: TextField,
    bool: BooleanField,
    float: FloatField,
    bytes: BlobField,
    datetime: BigIntegerField,
}
_MODELS: dict[type[Any], type[Model]] = {}


def model_of(record: type[Any]) -> type[Model]:
    """Return the peewee model of a table."""
    if record not in _MODELS:
        table = TABLES[record]
        fields = {one.short: _field(one) for one in table.columns}
        indexes = [
            (tuple(table.by_name[name].short for name in names), unique)
            for several, unique in ((table.unique, True), (table.indexes, False))
            for names in several
        ]
        meta = type("Meta", (), {"table_name": table.name, "indexes": indexes})
        _MODELS[record] = type(record.__name__, (Model,), {**fields, "Meta": meta})
    return _MODELS[record]


def _field(column: Column) -> Field:
    if column.name == "id":
        return AutoField()
    given: dict[str, Any] = {"null": column.null, "unique": UNIQUE in column.marks}
    if column.reference:
        refers = column.reference
        return ForeignKeyField(model_of(refers.record), on_delete=refers.on_delete, **given)
    marks = {"primary_key": KEY in column.marks, "index": INDEX in column.marks}
    found: Field = _FIELDS[column.kind](**given, **marks)
    return found


def create_tables(database: Any, records: Iterable[type[Any]] = TABLES) -> None:
    """Create tables with their indexes."""
    for record in records:
        model = model_of(record)
        SchemaManager(model, database).create_all()
        if isinstance(model._meta.primary_key, AutoField):
            database.count_up(model._meta.table_name)


def add_column(database: Any, record: type[Any], name: str) -> None:
    """Add a column of a record to its table.

    The default is written into the database, because SQLite would otherwise rebuild the whole
    table, and dropping the old table would drop all rows that refer to it.
    """
    table = TABLES[record]
    column = table.by_name[name]
    added = _field(column)
    if not column.null:
        added.constraints = [SQL(f"DEFAULT {_literal(database, column.default)}")]
    migrator = SchemaMigrator.from_database(database)
    migrate(migrator.add_column(table.name, column.name, added, allow_not_null=True))


def add_index(database: Any, record: type[Any], *names: str) -> None:
    """Add the index of a column, or of several."""
    migrate(SchemaMigrator.from_database(database).add_index(TABLES[record].name, names))


def _literal(database: Any, value: str | bytes | int) -> str:
    """Return a default as SQL. No default has a quotation mark, and default bytes are empty."""
    if isinstance(value, bytes):
        return str(database.no_bytes)
    return f"'{value}'" if isinstance(value, str) else str(value)
