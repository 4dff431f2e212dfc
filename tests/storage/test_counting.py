"""Numbers come from the database: SQLite counts on, and a server has a sequence for each table."""

from contextlib import closing, suppress

from pbem.storage import Ban, Store
from pbem.storage.migrations import newest
from tests.support.harness import START

_OLD = """\
CREATE FUNCTION next_number(name text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE found integer;
BEGIN
    EXECUTE format('SELECT coalesce(max(id), 0) + 1 FROM %%I', name) INTO found;
    RETURN found;
END $$
"""
"""How versions before 19 counted on a server."""


def banned(store: Store, address: str) -> int:
    return store.create(Ban, address=address, made=START).id


def test_a_number_that_was_undone_is_not_given_to_two(books: str) -> None:
    with closing(Store(books)) as store:
        assert banned(store, "a@example.org") == 1
        with suppress(KeyError), store.transaction():
            banned(store, "b@example.org")
            raise KeyError
        assert banned(store, "c@example.org") in (2, 3)
        assert [one.id for one in store.all(Ban.select())] in ([1, 2], [1, 3])


def test_a_server_that_counted_by_a_function_goes_on_with_sequences(books: str) -> None:
    with closing(Store(books)) as store:
        banned(store, "a@example.org")
        if books.startswith("postgres"):
            store.execute_sql(_OLD)
            for number in ("DROP DEFAULT", "SET DEFAULT next_number('ban')"):
                store.execute_sql(f'ALTER TABLE "ban" ALTER COLUMN id {number}')
            store.execute_sql('DROP SEQUENCE "ban_id_seq"')
        for table in ("letter", "outgoing", "post"):
            for column in ("owner", "owned_until"):
                store.execute_sql(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
        in_hand = "BOOLEAN NOT NULL DEFAULT FALSE"
        store.execute_sql(f'ALTER TABLE "letter" ADD COLUMN "in_hand" {in_hand}')
        store.set_meta("schema", "18")
    with closing(Store(books, upgrade=True)) as store:
        assert (store.migrated_from, store.meta("schema")) == (18, str(newest()))
        assert banned(store, "b@example.org") == 2
