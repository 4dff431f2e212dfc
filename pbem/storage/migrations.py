"""The versions of the database: each migration brings it one version up, in order.

The models describe the newest version. So a new database is made from them, and only a database of
an earlier version goes through the migrations after its own. A migration that adds a column looks
like this (a new table is added by `_create(database, [Motto])`):

    def _add_motto(database: Database) -> None:
        _add_columns(database, "player", motto=TextField(default=""))
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from peewee import (
    SQL,
    AutoField,
    BigIntegerField,
    BooleanField,
    Field,
    SchemaManager,
    TextField,
)
from playhouse.migrate import SchemaMigrator
from playhouse.migrate import migrate as operate

from pbem.storage.fields import Row, UtcField
from pbem.storage.models import (
    GUEST,
    MODELS,
    Account,
    Cursor,
    Doctrine,
    KeptWords,
    LiveBattle,
    Offer,
    OfferSeat,
    Question,
)
from pbem.storage.standing_columns import ranked

SCHEMA = "schema"
_TEAMS = ("one", "other", "third", "fourth")
"""What the teams of a challenge were called, the challenger's first."""
_STATES_OF_OFFERS = {"accepted": "begun", "met": "begun", "off": "withdrawn"}


def _create(database: Any, models: Iterable[type[Row]] = MODELS) -> None:
    """Create tables with their indexes."""
    for model in models:
        SchemaManager(model, database).create_all()
        if isinstance(model.key_field(), AutoField):
            database.count_up(model._meta.table_name)


def _add_columns(database: Any, table: str, **fields: Field[Any]) -> None:
    """Add columns to a table.

    A default is written into the database, because SQLite would otherwise rebuild the whole table,
    and dropping the old table would drop all rows that refer to it.
    """
    migrator = SchemaMigrator.from_database(database)
    for name, field in fields.items():
        if not field.null:
            field.constraints = [SQL(f"DEFAULT {_literal(database, field.default)}")]
        operate(migrator.add_column(table, name, field, allow_not_null=True))


def _add_index(database: Any, table: str, *columns: str) -> None:
    operate(SchemaMigrator.from_database(database).add_index(table, columns))


def _literal(database: Any, value: str | bytes | int) -> str:
    """Return a default as SQL. No default has a quotation mark, and default bytes are empty."""
    if isinstance(value, bytes):
        return str(database.no_bytes)
    return f"'{value}'" if isinstance(value, str) else str(value)


def _add_terms(database: Any) -> None:
    """Let challenges ask for what only their system knows."""
    _add_columns(database, "challenge", terms=TextField(default=""))


def _add_extended(database: Any) -> None:
    """Let a deadline that the moderator set hold for the turn after."""
    _add_columns(database, "game", extended=UtcField(null=True))


def _add_staged(database: Any) -> None:
    """Mark battles that a moderator has set up."""
    _add_columns(database, "game", staged=BooleanField(default=False))


def _drop_seals(database: Any) -> None:
    """Remove the digests of rows: they took an upgrade for damage."""
    database.execute_sql('DROP TABLE "seal"')
    database.execute_sql('DROP TABLE "total"')
    database.execute_sql('DELETE FROM "meta" WHERE "key" = \'unsealed\'')


def _find_by_message_id(database: Any) -> None:
    """Let letters be found by their Message-ID."""
    _add_index(database, "letter", "message_id")


def _add_fault(database: Any) -> None:
    """Note what the refusal of a letter named."""
    _add_columns(database, "outgoing", fault=TextField(default=""))


def _name_causes(database: Any) -> None:
    """Note why the referee ended something: all agreed, nobody wrote, or the moderator ruled it."""
    agreed = (
        'NOT EXISTS (SELECT 1 FROM "place" WHERE "place"."game_id" = "step"."game_id"'
        ' AND NOT "place"."draw" AND "place"."left" IS NULL)'
    )
    unruled = (
        'NOT EXISTS (SELECT 1 FROM "ruling" WHERE "ruling"."game_id" = "step"."game_id"'
        ' AND "ruling"."after" = "step"."n")'
    )
    draw, forfeit = '[["|referee", "DRAW"]]', '[["|referee", "FORFEIT %'
    mark, ended = database.param, 'UPDATE "step" SET "source" = '
    for source, was, which, orders in (
        ("agreed", "", agreed, draw),
        ("silence", "", "", draw),
        ("silence", "referee", unruled, forfeit),
    ):
        database.execute_sql(
            f'{ended}{mark} WHERE "source" = {mark} AND "orders" LIKE {mark}'
            + f" AND {which}" * bool(which),
            (source, was, orders),
        )
    # The rules know no more than that the referee ended it.
    before, after = '"why":"agreed"', '"why":"ruled"'
    database.execute_sql(
        f'UPDATE "step" SET "events" = REPLACE("events", {mark}, {mark})'
        f' WHERE "events" LIKE {mark}',
        (before, after, f"%{before}%"),
    )


def _find_by_recipient(database: Any) -> None:
    """Let letters to somebody who is erased be found by the address."""
    _add_index(database, "outgoing", "recipient")


def _places_for_numbers(database: Any) -> None:
    """Know letters by what lies in their place, not by the number that the server gave them.

    Letters that are still in their folder are fetched once more, and known by their content.
    """
    database.execute_sql('DROP INDEX IF EXISTS "letter_account_folder_uidvalidity_uid"')
    for column in ("uidvalidity", "uid"):
        database.execute_sql(f'ALTER TABLE "letter" DROP COLUMN "{column}"')
    _add_columns(database, "letter", place=TextField(default="", index=True))


def _spell_presses(database: Any) -> None:
    """Correct the spelling of what some dice were rolled for, or they would not be found again."""
    mark = database.param
    database.execute_sql(
        f'UPDATE "step" SET "rolls" = REPLACE("rolls", {mark}, {mark}) WHERE "rolls" LIKE {mark}',
        (" presss", " presses", "% presss%"),
    )


def _store_words_once(database: Any) -> None:
    """Leave out the words of a step that are those of the step before."""
    same = (
        'SELECT "id" FROM (SELECT "id", "words", lag("words") OVER'
        ' (PARTITION BY "game_id" ORDER BY "n") AS "before" FROM "step") AS "steps"'
        ' WHERE "words" = "before"'
    )
    database.execute_sql(f'UPDATE "step" SET "words" = \'\' WHERE "id" IN ({same})')


def _mark_stories(database: Any) -> None:
    """Remove private words, for nobody is shown what is no STORY; note what came with orders."""
    _add_columns(database, "story", with_orders=BooleanField(default=False))
    database.execute_sql('DELETE FROM "story" WHERE NOT "public"')
    database.execute_sql('ALTER TABLE "story" DROP COLUMN "public"')


def _rank_personas(database: Any) -> None:
    """Let SQL find the best careers, who wrote last, and the battles that ended last."""
    _add_columns(database, "persona", rank=TextField(default=""), figures=TextField(default="{}"))
    columns = '"id", "system", "name", "side", "folded", "record"'
    mark = database.param
    for number, *given in database.execute_sql(f'SELECT {columns} FROM "persona"').fetchall():
        found = ranked(*given)
        database.execute_sql(
            f'UPDATE "persona" SET "rank" = {mark}, "figures" = {mark} WHERE "id" = {mark}',
            (found["rank"], found["figures"], number),
        )
    _add_index(database, "persona", "system", "rank", "name")
    _add_index(database, "persona", "system", "side", "rank", "figures")
    _add_index(database, "player", "heard")
    _add_index(database, "game", "ended")


def _keep_unseen_words(database: Any) -> None:
    """Keep a letter's words that nobody has seen until the player's next letter."""
    _create(database, [KeptWords])


def _ask_in_one_table(database: Any) -> None:
    """Keep what YES carries out in a table of its own, for each kind of question alike."""
    _create(database, [Question])
    mark = database.param
    running = (
        'EXISTS (SELECT 1 FROM "place" JOIN "game" ON "game"."id" = "place"."game_id"'
        ' WHERE "place"."id" = "token"."place_id" AND "game"."running" AND "place"."asked"'
        ' AND NOT "place"."answered" AND "game"."turn" = "token"."turn")'
    )
    rows = database.execute_sql(
        'SELECT "token", "kind", "player_id", "about" FROM "token"'
        """ WHERE "kind" = 'leave' OR ("about" <> '[]'"""
        """ AND ("kind" IN ('sure', 'doubt', 'league')"""
        f' OR ("kind" = \'game\' AND {running}))) ORDER BY "expires"'
    ).fetchall()
    for token, kind, player, about in rows:
        parts, lines, sender, letter = json.loads(about), "LEAVE LEAGUE", "", None
        if kind == "sure":
            lines, sender = parts
        elif kind == "doubt":
            lines, letter = "", _held(database, player, *parts)
        elif kind != "leave":
            lines = parts[-1]
        if lines or letter is not None:
            database.execute_sql(
                'INSERT INTO "question" ("token_id", "lines", "letter_id", "sender", "by_yes_only")'
                f" VALUES ({mark}, {mark}, {mark}, {mark}, {mark})",
                (token, lines, letter, sender, False),
            )
    database.execute_sql(
        "UPDATE \"token\" SET \"kind\" = 'asked' WHERE \"kind\" IN ('sure', 'doubt', 'leave')"
    )


def _held(database: Any, player: int, digest: str) -> int | None:
    """Return the number of a player's held letter by its SHA-256."""
    mark = database.param
    found = database.execute_sql(
        f'SELECT "id" FROM "letter" WHERE "player_id" = {mark} AND "sha256" = {mark}'
        " AND \"state\" = 'held'",
        (player, digest),
    ).fetchone()
    return found[0] if found else None


def _play_on_boards(database: Any) -> None:
    """Keep what is written on boards, by whom, and where answers to it go."""
    _create(database, [Account, Cursor])
    _add_columns(
        database,
        "letter",
        channel=TextField(default="", index=True),
        thread=TextField(default=""),
    )
    _add_columns(database, "player", channel=TextField(default=""))
    _add_columns(database, "challenge", channel=TextField(default=""))
    _add_columns(
        database,
        "place",
        message=BigIntegerField(default=0),
        message_step=BigIntegerField(default=0),
    )
    _add_columns(
        database, "post", topic=TextField(default="", index=True), recipient=TextField(default="")
    )
    _add_columns(database, "round", boards=TextField(default="{}"))


def _offer_in_one_table(database: Any) -> None:
    """Keep challenges and patrols alike as offers, with a row for each seat."""
    _create(database, [Offer, OfferSeat])

    def rows(statement: str) -> list[Any]:
        return list(database.execute_sql(statement).fetchall())

    people = {
        row[0]: row for row in rows('SELECT "id", "name", "player_id", "folded" FROM "persona"')
    }
    entered = {game: json.loads(said) for game, said in rows('SELECT "id", "words" FROM "game"')}
    named = defaultdict[int, list[tuple[int, int, bool, str]]](list)
    of_challenge = '"challenge_id", "team", "persona_id", "accepted", "words"'
    for number, team, persona, accepted, said in rows(
        f'SELECT {of_challenge} FROM "summons" ORDER BY "id"'
    ):
        named[number].append((_TEAMS.index(team) + 1, persona, bool(accepted), said))
    old = rows(
        'SELECT "made", "pledge_id", "id", "system", "state", "words", "one_id", "other_id",'
        ' "first", "major", "terms", "channel" FROM "challenge" UNION ALL'
        ' SELECT "patrol"."made", "pledge_id", "patrol"."id", "system", "state", "words",'
        """ "persona_id", NULL, '', NULL, '', '' FROM "patrol" """
        ' JOIN "pledge" ON "pledge"."id" = "pledge_id"'
    )
    # In the order in which they were made, which is that of a league that is rebuilt.
    for made, pledge, number, system, state, words, one, other, *rest in sorted(
        old, key=itemgetter(0, 1)
    ):
        first, major, terms, channel = rest
        many = re.fullmatch(r"SEATS (\d+) ?(.*)", terms)
        offer = _add_row(
            database,
            "offer",
            patrol=other is None,
            number=number,
            system=system,
            pledge_id=pledge,
            made=made,
            first=_TEAMS.index(first) + 1 if first else 0,
            major=bool(major),
            state=_STATES_OF_OFFERS.get(state, state),
            terms=many[2] if many else terms,
            channel=channel,
        )
        _, name, player, folded = people[one]
        said = {key: json.dumps(value) for key, value in entered.get(pledge, {}).items()}
        seats: list[tuple[int, int | None, bool, str]] = [(1, one, True, words)]
        if other is None:
            names = {row[1]: row[0] for row in people.values() if not row[3].startswith(GUEST)}
            seats += [
                (2, names[key], True, said[key]) for key in said if key in names and key != name
            ]
        elif one == other:
            seats += named[number]
        elif named[number]:
            # The challenger spoke for all of their own.
            seats = [
                (team, persona, accepted, words if people[persona][2] == player else spoken)
                for team, persona, accepted, spoken in named[number]
            ]
        else:
            seats += [(2, other, state == "accepted", said.get(people[other][1], ""))]
        if other in (one, None):
            # Guests are one team against the first; others fight each against all others.
            missing = int(many[1] if many else 2) - len(seats)
            others = sorted({2, 3, 4} - {team for team, *_ in seats})
            free = [2] * missing if folded.startswith(GUEST) else others[:missing]
            seats += [(team, None, False, "") for team in free]
        seats.sort(key=itemgetter(0))
        for position, (team, persona, accepted, spoken) in enumerate(seats, 1):
            _add_row(
                database,
                "offer_seat",
                offer_id=offer,
                position=position,
                team=team,
                persona_id=persona,
                accepted=accepted,
                words=spoken,
                # The table is made as it is today.
                standing="",
            )
    for table in ("summons", "challenge", "patrol"):
        database.execute_sql(f'DROP TABLE "{table}"')


def _add_row(database: Any, table: str, **values: object) -> int:
    """Add a row and return its number."""
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join(database.param for _ in values)
    found = database.execute_sql(
        f'INSERT INTO "{table}" ({names}) VALUES ({marks}) RETURNING "id"', tuple(values.values())
    )
    return int(found.fetchone()[0])


def _own_what_is_in_hand(database: Any) -> None:
    """Note who has a letter or a post in hand, and until when."""
    for table in ("letter", "outgoing", "post"):
        _add_columns(database, table, owner=TextField(default=""), owned_until=UtcField(null=True))
    database.execute_sql(
        'UPDATE "letter" SET "owner" = \'pbem\', "owned_until" = 0 WHERE "in_hand"'
    )
    database.execute_sql('ALTER TABLE "letter" DROP COLUMN "in_hand"')


def _asked_for_each_move(database: Any) -> None:
    """Note in the settings of earlier rounds that the referee moved for nobody (decision 0044)."""
    mark = database.param
    for table, key, column in (("round", "id", "settings"), ("meta", "key", "value")):
        which = f"\"{column}\" <> ''" if table == "round" else "\"key\" = 'settings'"
        found = database.execute_sql(f'SELECT "{key}", "{column}" FROM "{table}" WHERE {which}')
        for row, text in found.fetchall():
            told = json.loads(text)
            told["league"].setdefault("forced_moves", False)
            database.execute_sql(
                f'UPDATE "{table}" SET "{column}" = {mark} WHERE "{key}" = {mark}',
                (json.dumps(told, sort_keys=True), row),
            )


def _keep_doctrines(database: Any) -> None:
    """Keep doctrines with their personas, and the standing orders with which a battle begins."""
    _create(database, [Doctrine])
    # An older database has just got the table of seats as it is today.
    if all(column.name != "standing" for column in database.get_columns("offer_seat")):
        _add_columns(database, "offer_seat", standing=TextField(default=""))


def _play_live(database: Any) -> None:
    """Add what battles in chat rooms need."""
    _create(database, [LiveBattle])
    _add_columns(database, "game", live=TextField(default=""))
    # Where the migration to boards has just made the table, it has the column.
    if "present" not in {column.name for column in database.get_columns("account")}:
        _add_columns(database, "account", present=BooleanField(default=False))


MIGRATIONS: tuple[Callable[[Any], None], ...] = (
    _add_terms,
    _add_extended,
    _add_staged,
    _drop_seals,
    _find_by_message_id,
    _add_fault,
    _name_causes,
    _find_by_recipient,
    _places_for_numbers,
    _spell_presses,
    _store_words_once,
    _mark_stories,
    _rank_personas,
    _keep_unseen_words,
    _ask_in_one_table,
    _play_on_boards,
    _offer_in_one_table,
    _own_what_is_in_hand,
    _asked_for_each_move,
    _keep_doctrines,
    _play_live,
)
"""The steps from version 1 on; the first leads to version 2."""


class SchemaUnknown(Exception):
    """The database is not of this program's version, and can't be brought to it."""


class SchemaOld(SchemaUnknown):
    """An earlier version of the program has written the database, and nobody has copied it yet."""


def newest() -> int:
    """Return the version that this program knows."""
    return len(MIGRATIONS) + 1


def version(database: Any) -> int:
    """Return the version of a database, 0 for an empty one."""
    if not database.table_exists("meta"):
        return 0
    found = _value(database, SCHEMA)
    return int(found) if found.isdecimal() else 0


def migrate(database: Any, upgrade: bool) -> int:
    """Make a new database, or bring an old one to this program's version; return which it had.

    Each migration is one transaction with the new version number. Raise SchemaUnknown for a
    database of a later program, and SchemaOld for one of an earlier program without `upgrade`.
    """
    before = version(database)
    if before > newest() or (before and not upgrade):
        known(database)
    for number in range(before, newest()):
        with database.atomic():
            found = version(database)  # another program may have migrated it meanwhile
            if found == 0:
                if others := database.get_tables():
                    raise SchemaUnknown(f"the database is another program's: it holds {others[0]}")
                _create(database)
                _put(database, SCHEMA, str(newest()))
            elif found == number:
                MIGRATIONS[number - 1](database)
                _put(database, SCHEMA, str(number + 1))
    return before


def known(database: Any) -> int:
    """Return the version of a database. Raise SchemaUnknown, or SchemaOld, unless it is ours."""
    found = version(database)
    told = f"the database has schema {found}, this program knows {newest()}; "
    if found < newest():
        raise SchemaOld(f"{told}`pbem run` and `once` make a backup of it and bring it up")
    if found > newest():
        raise SchemaUnknown(f"{told}install a newer pbem")
    return found


def _value(database: Any, key: str) -> str:
    found = database.execute_sql(
        f'SELECT "value" FROM "meta" WHERE "key" = {database.param}', (key,)
    ).fetchone()
    return str(found[0]) if found else ""


def _put(database: Any, key: str, value: str) -> None:
    """Set a single value."""
    mark = database.param
    database.execute_sql(f'DELETE FROM "meta" WHERE "key" = {mark}', (key,))
    database.execute_sql(
        f'INSERT INTO "meta" ("key", "value") VALUES ({mark}, {mark})', (key, value)
    )
