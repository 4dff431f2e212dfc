"""The database's versions: each migration takes it one version up, in order."""

from collections.abc import Callable
from typing import Any

from peewee import SQL, Database, Field, SchemaManager
from playhouse.migrate import SchemaMigrator
from playhouse.migrate import migrate as alter

from pbem.store.models import (
    TABLES,
    Ban,
    Block,
    Blueprint,
    Bounce,
    Challenge,
    Editorial,
    Endorsement,
    Entry,
    Further,
    Game,
    Issue,
    Leave,
    Letter,
    LetterText,
    Meta,
    Nomination,
    Outgoing,
    OutgoingText,
    Patrol,
    Place,
    Player,
    Post,
    Reward,
    Round,
    Ruling,
    Step,
    Subscription,
    Summons,
    Token,
    Turnout,
    Watch,
)

SCHEMA = "schema"


def _first(database: Database) -> None:
    """Make all tables of version 1."""
    database.create_tables(TABLES)


def _second(database: Database) -> None:
    """Add the careers: entries, rewards, nominations, major battles."""
    database.create_tables([Entry, Reward, Nomination, Endorsement])
    for column in (Challenge.major, Game.major):
        _add(database, column)


def _third(database: Database) -> None:
    """Add practice against the house."""
    _add(database, Game.house)


def _fourth(database: Database) -> None:
    """Add the posts for channels."""
    database.create_tables([Post])


def _fifth(database: Database) -> None:
    """Add the moderator's rulings, and games that are paused."""
    database.create_tables([Ruling])
    _add(database, Game.paused)


def _sixth(database: Database) -> None:
    """Add letters between players: who is blocked, and who takes public ones."""
    database.create_tables([Block])
    _add(database, Player.press)


def _seventh(database: Database) -> None:
    """Add battles that are watched."""
    database.create_tables([Watch])


def _eighth(database: Database) -> None:
    """Add the language that a player reads."""
    _add(database, Player.language)


def _ninth(database: Database) -> None:
    """Add further addresses."""
    database.create_tables([Further])


def _tenth(database: Database) -> None:
    """Add how a player's letters come."""
    _add(database, Player.mail)
    _add(database, Player.format)


def _eleventh(database: Database) -> None:
    """Add the moments at which the office worked."""
    database.create_tables([Round])


def _twelfth(database: Database) -> None:
    """Add absences, players' time zones, and deadlines that calendars follow."""
    database.create_tables([Leave])
    for column in (Player.zone, Game.sequence, Place.invited):
        _add(database, column)
    database.execute_sql('UPDATE "game" SET "sequence" = "turn"')


def _thirteenth(database: Database) -> None:
    """Add letters that came back."""
    database.create_tables([Bounce])


def _fourteenth(database: Database) -> None:
    """Add places that are open to be taken over, and how deadlines were met."""
    _add(database, Place.vacant)
    database.create_tables([Turnout])


def _fifteenth(database: Database) -> None:
    """Add patrols, and tell house pilots that are met in earnest from practice."""
    database.create_tables([Patrol])
    _add(database, Game.practice)
    database.execute_sql("""UPDATE "game" SET "practice" = TRUE WHERE "house" <> ''""")


def _sixteenth(database: Database) -> None:
    """Add team battles: who is called to them, who acts when, and tokens for a pilot."""
    database.create_tables([Summons])
    for column in (Place.acts, Token.place):
        _add(database, column)


def _seventeenth(database: Database) -> None:
    """Add players who want the deadline awaited."""
    _add(database, Place.waiting)


def _eighteenth(database: Database) -> None:
    """Add what UNDO needs."""
    for column in (Step.sheets, Step.secret, Place.record, Game.renewed):
        _add(database, column)


def _nineteenth(database: Database) -> None:
    """Add deadlines that were put off because too many were silent."""
    _add(database, Game.held)


def _twentieth(database: Database) -> None:
    """Add the newsletter: readers, issues, editorials, and when a medal was given."""
    database.create_tables([Subscription, Issue, Editorial])
    _add(database, Nomination.given)


def _twenty_first(database: Database) -> None:
    """Add bans."""
    database.create_tables([Ban])
    _add(database, Player.banned)


def _twenty_second(database: Database) -> None:
    """Add what players draw for their personas to be made of."""
    database.create_tables([Blueprint])


def _twenty_third(database: Database) -> None:
    """Add what letters' signatures said."""
    _add(database, Letter.checked)


def _twenty_fourth(database: Database) -> None:
    """Add rulings that can be told in another language."""
    _add(database, Ruling.said)


def _twenty_fifth(database: Database) -> None:
    """Add indexes by which deadlines, and letters to be moved, are found in a long history."""
    for model in (Game, Letter):
        SchemaManager(model, database).create_indexes(safe=True)


def _twenty_sixth(database: Database) -> None:
    """Add the settings that were in force."""
    _add(database, Round.settings)


def _twenty_seventh(database: Database) -> None:
    """Put the text of letters into tables of their own."""
    database.create_tables([LetterText, OutgoingText])
    for model, text in ((Letter, LetterText), (Outgoing, OutgoingText)):
        table, texts = model._meta.table_name, text._meta.table_name
        if "content" in {known.name for known in database.get_columns(table)}:
            database.execute_sql(
                f'INSERT INTO "{texts}" ("of_id", "content") SELECT "id", "content" FROM "{table}"'
            )
            database.execute_sql(f'ALTER TABLE "{table}" DROP COLUMN "content"')


def _add(database: Database, column: Field) -> None:
    """Add a column, where the first migration has not made it with its table.

    Its default stands in the database, since SQLite would otherwise make the whole table anew; and
    with the old table it would drop all rows that refer to it.
    """
    table, name = column.model._meta.table_name, column.column_name
    if name in {known.name for known in database.get_columns(table)}:
        return
    added = column.clone()
    if not column.null:
        added.constraints = [SQL(f"DEFAULT {_literal(database, column.default)}")]
    migrator = SchemaMigrator.from_database(database)
    alter(migrator.add_column(table, name, added, allow_not_null=True))


def _literal(database: Any, value: str | bytes | int) -> str:
    """Write a default as SQL: no text among them has a quotation mark, and bytes are empty."""
    if isinstance(value, bytes):
        return str(database.no_bytes)
    return f"'{value}'" if isinstance(value, str) else str(value)


MIGRATIONS: tuple[Callable[[Database], None], ...] = (
    _first, _second, _third, _fourth, _fifth, _sixth, _seventh, _eighth, _ninth, _tenth,
    _eleventh, _twelfth, _thirteenth, _fourteenth, _fifteenth, _sixteenth, _seventeenth,
    _eighteenth, _nineteenth, _twentieth, _twenty_first, _twenty_second,
    _twenty_third, _twenty_fourth, _twenty_fifth, _twenty_sixth,
    _twenty_seventh,
)  # fmt: skip
VERSION = len(MIGRATIONS)


class SchemaTooNew(Exception):
    """The database was written by a later version of the program."""


def version(database: Database) -> int:
    """Give the version of a database, 0 for an empty one."""
    if not database.table_exists("meta"):
        return 0
    row = Meta.get_or_none(Meta.key == SCHEMA)
    return int(row.value) if row else 0


def migrate(database: Database) -> int:
    """Bring a database to this program's version and give the version it had.

    Raises SchemaTooNew where a later program has written it.
    """
    before = version(database)
    if before > VERSION:
        raise SchemaTooNew(
            f"the database has schema {before}, this program knows {VERSION}; install a newer pbem"
        )
    for number, step in enumerate(MIGRATIONS[before:], before + 1):
        with database.atomic():
            if version(database) < number:  # another program may have come first
                step(database)
                Meta.put(SCHEMA, str(number))
    return before
