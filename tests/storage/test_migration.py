"""A database of an earlier version is brought up to date, and nothing in it is lost."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.games import export
from pbem.storage import Ban, Player, Step, Store, migrations
from pbem.storage.migrations import newest
from pbem.storage.models import MODELS
from tests.support.harness import duel, fixed_entropy, open_league
from tests.support.players import STANDING

LATER = ((Player, "press"), (Player, "banned"), (Step, "secret"))
"""Columns that the earlier version of these tests does not have: a text, a truth, and bytes."""


def _add_columns(database: Any) -> None:
    for model, column in LATER:
        field = model._meta.columns[column]
        migrations._add_columns(database, model._meta.table_name, **{column: field.clone()})


def _add_bans(database: Any) -> None:
    migrations._create(database, [Ban])


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add two versions to the program's schema: one adds columns, the other a table."""
    monkeypatch.setattr(migrations, "MIGRATIONS", (_add_columns, _add_bans))


def take_back(store: Store) -> None:
    """Make version 1 of a database: as it was before the two migrations."""
    for model, column in LATER:
        store.execute_sql(f'ALTER TABLE "{model._meta.table_name}" DROP COLUMN "{column}"')
    store.execute_sql('DROP TABLE "ban"')
    store.set_meta("schema", "1")


def counts(store: Store) -> dict[str, int]:
    """Return the number of rows of each table."""
    return {model._meta.table_name: store.count(model.select()) for model in MODELS}


def columns(store: Store) -> dict[str, set[str]]:
    """Return the columns of each table."""
    names = [model._meta.table_name for model in MODELS]
    return {name: {one.name for one in store.database.get_columns(name)} for name in names}


@pytest.mark.usefixtures("later")
def test_no_row_is_lost_and_the_duel_is_played_to_its_end(books: str, tmp_path: Path) -> None:
    with open_league(tmp_path, entropy=fixed_entropy, url=books) as old:
        people = duel(old)
        people[0].reply(STANDING)
        old.work()
        people[1].reply("FIRE\nSCAN")
        old.work()
        before = counts(old.store)
        assert all(before[table] for table in ("step", "token", "place"))
        take_back(old.store)
    with closing(Store(books, upgrade=True)) as store:
        assert (store.migrated_from, newest()) == (1, 3)
    with open_league(tmp_path, entropy=fixed_entropy, url=books, turns_per_letter=36) as league:
        assert counts(league.store) == before
        league.now, league._dropped = old.now, old._dropped
        league.transport = league.post = old.post
        for person in people:
            person.league = league
            person.reply(STANDING)
        for _ in range(10):
            league.work()
            for person in people:
                person.reply(STANDING)
        assert not league.game.running
        assert all(finding.ok for finding in export.verify(league.service.export(league.game)))


@pytest.mark.usefixtures("later")
def test_an_old_database_becomes_what_a_new_one_is(books: str) -> None:
    with closing(Store(books)) as store:
        assert store.migrated_from == 0
        new = columns(store)
        take_back(store)
    with closing(Store(books, upgrade=True)) as store:
        assert columns(store) == new
        assert store.meta("schema") == "3"


@pytest.mark.usefixtures("later")
def test_a_migration_that_fails_leaves_the_version_before_it(
    books: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store(books)) as store:
        take_back(store)

    def fail(database: Any) -> None:
        _add_bans(database)
        raise RuntimeError("the power fails")

    monkeypatch.setattr(migrations, "MIGRATIONS", (_add_columns, fail))
    with pytest.raises(RuntimeError):
        Store(books, upgrade=True)
    monkeypatch.setattr(migrations, "MIGRATIONS", (_add_columns, _add_bans))
    with closing(Store(books, upgrade=True)) as store:
        assert store.migrated_from == 2
        assert store.count(Ban.select()) == 0
