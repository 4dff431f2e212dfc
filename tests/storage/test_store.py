"""What every store must do, on SQLite and on PostgreSQL."""

import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from peewee import OperationalError, fn

from engine.registry import campaigns
from pbem.channels.mail.mailbox import Arrival
from pbem.people import personas, tokens
from pbem.storage import (
    MODELS,
    Ban,
    Further,
    Letter,
    Outgoing,
    Player,
    Round,
    Store,
    StoreDown,
    Token,
    by_time,
    connection,
    copies,
    migrations,
    queues,
    stored_letters,
)
from pbem.storage.backends import database_of
from pbem.storage.migrations import newest
from tests.servers.postgres import Postgres
from tests.support.harness import START, duel, fixed_entropy, open_league
from tests.support.players import STANDING

NOW = datetime(2026, 11, 22, 10, 30, 0, 123456, UTC)
WHEN = {"due": NOW, "made": NOW}
LONG = "a name that is very long, with an ä and a \N{DRAGON}, " * 40


@pytest.fixture
def store(books: str) -> Iterator[Store]:
    opened = Store(books, fixed_entropy)
    yield opened
    opened.close()


PERSONA = {"record": "{}", "joined": NOW}


def add_player(store: Store, name: str, **more: Any) -> int:
    """Add a player and return the number."""
    values = {"name": name, "folded": name.lower(), "address": f"{name}@example.org"}
    return store.create(Player, **values | {"joined": NOW, "heard": NOW} | more).id


def add_both(store: Store, *names: str) -> None:
    """Add players, all or none."""
    with store.transaction():
        for name in names:
            add_player(store, name)


class Undone(Exception):
    """Raised to undo what was done."""


@contextmanager
def undone(part: AbstractContextManager[None]) -> Iterator[None]:
    """Do something in a transaction, or a part of one, and undo it."""
    with suppress(Undone), part:
        yield
        raise Undone


class TestRows:
    def test_all_values_come_back_as_they_were(self, store: Store) -> None:
        number = add_player(store, "Ann", address=LONG, confirmed=True)
        ann = store.get(Player, number)
        assert (ann.address, ann.joined, ann.confirmed, ann.banned) == (LONG, NOW, True, False)
        raw = bytes(range(256))
        queues.queue(
            store, "", raw, message_id="<1@x>", kind="k", player=number, recipient="r", **WHEN
        )
        [row] = store.all(
            Outgoing.select()
            .where(Outgoing.player == number, Outgoing.due <= NOW, Outgoing.sent.is_null())
            .order_by(Outgoing.id)
        )
        assert (row.content, row.made) == (raw, NOW)
        assert list(store.each(Outgoing)) == [row]

    def test_rows_are_found_by_their_numbers(self, store: Store) -> None:
        ann, bob = (store.get(Player, add_player(store, name)) for name in "AB")
        assert (store.find(Player, bob.id), store.find(Player, 99)) == (bob, None)
        assert store.by_key(Player, [bob.id, 99, ann.id]) == {ann.id: ann, bob.id: bob}
        assert (store.by_key(Player, []), store.size(Player)) == ({}, 2)
        with pytest.raises(KeyError, match="Player 99"):
            store.get(Player, 99)

    def test_rows_that_are_gone_through_may_change_meanwhile(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "PORTION", 2)
        for name in "ABCDE":
            add_player(store, name)
        seen = []
        for player in store.each(Player):
            seen.append(player.name)
            store.run(Player.update(name="changed").where(Player.id == player.id))
            if player.name == "C":
                store.run(Player.delete().where(Player.id == player.id))
        assert seen == list("ABCDE")
        assert [player.name for player in store.all(Player.select().order_by(Player.id))] == [
            "changed"
        ] * 4

    def test_guests_are_nobodys_rivals_and_fight_for_no_side(self, store: Store) -> None:
        ann, bob = (store.get(Player, add_player(store, name, confirmed=True)) for name in "AB")
        personas.guest(store, bob, "chess", NOW)
        [specimen, *_] = next(iter(campaigns()["starpilot"].fleets.values()))
        given = PERSONA | {"record": json.dumps(specimen.persona.record)}
        hawk = personas.add(
            store,
            player=bob.id,
            system="starpilot",
            name="Hawk",
            folded="hawk",
            side="cartel",
            **given,
        )
        assert personas.rivals(store, ann.id, 9) == [hawk]
        assert personas.sides(store) == [("starpilot", "cartel")]

    def test_a_letter_replaces_those_of_its_slot_that_still_wait(self, store: Store) -> None:
        to = {"kind": "k", "player": add_player(store, "Ann"), "recipient": "r", **WHEN}
        for number, slot in enumerate(("turn", "", "turn", "other")):
            queues.queue(store, slot, b"", message_id=f"<{number}@x>", **to)
        states = [row.state for row in store.all(Outgoing.select().order_by(Outgoing.id))]
        assert states == ["replaced", "queued", "queued", "queued"]

    def test_numbers_that_are_not_small(self, store: Store) -> None:
        assert store.first(Player.select().where(Player.id == 2**62)) is None

    def test_a_letter_is_known_by_its_content_and_not_by_its_place(self, store: Store) -> None:
        one = Arrival("7 1", received=NOW, size=14, raw=b"Subject: x\r\n\r\n")
        assert stored_letters.keep(store, "a", "INBOX", NOW, [one, one]) == 1
        # Another letter under the number of the first.
        other = replace(one, raw=b"Subject: y\r\n\r\n")
        assert stored_letters.keep(store, "a", "INBOX", NOW, [other]) == 1
        # The first one, which the server has numbered anew.
        moved = replace(one, place="8 5")
        assert stored_letters.keep(store, "a", "INBOX", NOW, [moved]) == 0
        assert [row.place for row in store.all(Letter.select().order_by(Letter.id))] == [
            "8 5",
            "7 1",
        ]
        # A second copy of it, which lies there next to it, or came at another time.
        beside = replace(one, place="8 6")
        later = replace(beside, place="8 7", received=NOW - timedelta(days=1))
        assert (
            stored_letters.keep(store, "a", "INBOX", NOW, [beside], lambda place: place == "8 5")
            == 1
        )
        assert stored_letters.keep(store, "a", "INBOX", NOW, [later]) == 1
        known = partial(stored_letters.known_places, store, moves=True)
        assert known("a", "INBOX", ["7 1", "8 5", "8 9"]) == {"7 1", "8 5"}
        assert known("a", "Other", ["7 1"]) == set()

    def test_a_letter_is_known_though_only_its_header_was_kept(self, store: Store) -> None:
        one = Arrival("7 1", received=NOW, size=20, raw=b"Subject: x\r\n\r\nlong\r\n")
        stored_letters.keep(store, "a", "INBOX", NOW, [one])
        store.run(
            Letter.update(content=b"Subject: x\r\n\r\n", sha256="other", state="discarded").where(
                Letter.id == 1
            )
        )
        assert stored_letters.keep(store, "a", "INBOX", NOW, [one, replace(one, place="8 5")]) == 0

    def test_what_came_back_is_moved_again(self, store: Store) -> None:
        one = Arrival("7 1", received=NOW, size=14, raw=b"Subject: x\r\n\r\n")
        stored_letters.keep(store, "a", "INBOX", NOW, [one])
        store.run(Letter.update(state="answered", moved=True).where(Letter.id == 1))
        stored_letters.keep(store, "a", "INBOX", NOW, [replace(one, place="8 5")])
        assert stored_letters.unmoved(store, "a", "INBOX") == [(1, "8 5")]
        store.run(Letter.update(moved=True).where(Letter.id == 1))
        stored_letters.known_places(store, "a", "INBOX", ["8 5"], moves=False)
        assert stored_letters.unmoved(store, "a", "INBOX") == []
        stored_letters.known_places(store, "a", "INBOX", ["8 5"], moves=True)
        assert stored_letters.unmoved(store, "a", "INBOX") == [(1, "8 5")]

    def test_numbers_have_no_gaps(self, store: Store) -> None:
        """What was undone, or was there already, draws no number."""
        add_player(store, "Ann")
        with undone(store.transaction()):
            add_player(store, "Bob")
        store.run(Ban.insert(address="x@example.org", made=NOW))
        for _ in range(3):
            assert not store.run(Ban.insert(address="x@example.org", made=NOW).on_conflict_ignore())
        store.run(Ban.insert(address="y@example.org", made=NOW))
        assert add_player(store, "Cat") == 2
        assert [ban.id for ban in store.all(Ban.select().order_by(Ban.id))] == [1, 2]
        assert (store.scalar(Player.select(fn.MAX(Player.id))) or 0) == 2

    def test_a_single_value_is_set_again(self, store: Store) -> None:
        for value in ("one", "other"):
            store.set_meta("key", value)
            assert store.meta("key") == value
        assert store.count_today("what", NOW) == 1
        assert store.count_today("what", NOW) == 2
        assert store.counted_today("what", NOW) == 2
        store.forget_tallies("HA")
        assert store.counted_today("what", NOW) == 0

    def test_values_that_are_read_once_are_read_again_where_it_matters(
        self, store: Store, books: str
    ) -> None:
        with closing(Store(books)) as other, store.values_read_once():
            assert store.meta("a") is None
            other.set_meta("a", "theirs")
            assert store.meta("a") is None
            with store.transaction():
                assert store.meta("a") == "theirs"
            with undone(store.transaction()):
                store.set_meta("a", "ours")
                assert store.meta("a") == "ours"
            assert store.meta("a") == "theirs"
            other.set_meta("a", "last")
        assert store.meta("a") == "last"

    def test_rows_go_with_what_they_hang_on(self, store: Store) -> None:
        number = add_player(store, "Ann")
        store.run(Further.insert(player=number, address="a@b.example", added=NOW))
        store.run(Player.delete().where(Player.id == number))
        assert store.count(Further.select()) == 0
        assert store.clean_files()

    def test_the_oldest_comes_first_whatever_was_changed_since(self, store: Store) -> None:
        for name in ("Ann", "Bob", "Cat"):
            add_player(store, name)
        store.run(Player.update(name="Zoe").where(Player.id == 1))
        assert [row.id for row in store.all(Player.select().order_by(Player.id))] == [1, 2, 3]
        assert [
            row.id for row in store.all(Player.select().order_by(Player.id.desc()).limit(2))
        ] == [3, 2]
        for token in ("b", "B", "_", "a"):
            tokens.remember(store, token=token, player=1, kind="k", expires=NOW)
        assert [row.token for row in store.all(Token.select().order_by(Token.token))] == [
            "B",
            "_",
            "a",
            "b",
        ]


class TestTransactions:
    def test_a_part_is_undone_alone(self, store: Store) -> None:
        with store.transaction():
            add_player(store, "Ann")
            with undone(store.transaction()):
                add_player(store, "Bob")
                with undone(store.savepoint()):
                    add_player(store, "Cat")
                assert store.count(Player.select()) == 2
            add_player(store, "Dan")
        assert [row.name for row in store.all(Player.select().order_by(Player.id))] == [
            "Ann",
            "Dan",
        ]

    def test_a_part_that_may_fail_needs_no_transaction_around_it(self, store: Store) -> None:
        with store.alone(logging.getLogger("pbem"), "it failed"):
            add_player(store, "Ann")
            raise RuntimeError
        with store.alone(logging.getLogger("pbem"), "it failed"):
            add_player(store, "Bob")
        assert [row.name for row in store.all(Player.select().order_by(Player.id))] == ["Bob"]

    def test_a_part_is_undone_with_the_inner_parts_that_were_kept(self, store: Store) -> None:
        with store.transaction():
            add_player(store, "Ann")
            with undone(store.savepoint()):
                add_player(store, "Bob")
                with store.savepoint():
                    add_player(store, "Cat")
        assert [row.name for row in store.all(Player.select().order_by(Player.id))] == ["Ann"]

    def test_a_statement_that_fails_spoils_its_own_part_alone(self, store: Store) -> None:
        """PostgreSQL takes no further statement until the part is undone."""
        with store.transaction():
            add_player(store, "Ann")
            with pytest.raises(Exception, match=r"(?i)unique"):
                add_both(store, "Bob", "Ann")
            add_player(store, "Cat")
        assert [row.name for row in store.all(Player.select().order_by(Player.id))] == [
            "Ann",
            "Cat",
        ]

    def test_all_of_it_or_none(self, store: Store) -> None:
        with undone(store.transaction()):
            add_player(store, "Ann")
        assert not store.database.in_transaction()
        assert store.count(Player.select()) == 0

    def test_two_that_write_do_so_one_after_the_other(self, store: Store) -> None:
        """Each in a thread, like the poster's; the other can't change what one reads meanwhile."""

        def count_up() -> None:
            for _ in range(25):
                with store.transaction():
                    store.set_meta("n", str(int(store.meta("n") or 0) + 1))
                store.run(Ban.insert(address=f"{threading.get_ident()}-{_}", made=NOW))
            store.close()

        threads = [threading.Thread(target=count_up) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.meta("n") == "75"
        assert [ban.id for ban in store.all(Ban.select().order_by(Ban.id))] == list(range(1, 76))

    @pytest.mark.parametrize("alone", [False, True])
    def test_fault_13_a_lock_is_told_of(self, store: Store, alone: bool) -> None:
        """A transaction, and a single statement, wait for another program's and then fail."""
        impatient(store)
        act = partial(store.set_meta, "a", "b") if alone else partial(add_both, store)
        with closing(database_of(store.url)) as other, other.atomic():  # noqa: SIM117
            with pytest.raises(StoreDown, match="locked by another program"):
                act()
        store.set_meta("a", "b")


def impatient(store: Store) -> None:
    """Make the store wait for locks no longer than a moment."""
    if store.url.startswith("sqlite"):
        store.execute_sql("PRAGMA busy_timeout = 50")
    else:
        store.execute_sql("SET lock_timeout = 50")


class TestVersions:
    def test_a_new_database_is_of_this_version(self, books: str) -> None:
        for known in (0, newest()):
            opened = Store(books)
            assert opened.migrated_from == known
            secret = opened.secret
            opened.close()
        opened = Store(books)
        assert opened.secret == secret
        for model in MODELS:
            name, fields = model._meta.table_name, model._meta.sorted_fields
            columns = {one.name for one in opened.database.get_columns(name)}
            assert columns == {field.column_name for field in fields}
        opened.close()

    def test_of_two_that_open_it_one_brings_it_up(
        self, books: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The other had looked before, and finds it done when its turn comes."""
        Store(books).close()
        monkeypatch.setattr(migrations, "version", late(migrations.version))
        with closing(Store(books)) as store:
            assert store.migrated_from == 0
            assert store.meta("schema") == str(newest())

    def test_one_of_a_later_program_is_refused(self, store: Store, books: str) -> None:
        store.set_meta("schema", str(newest() + 1))
        with pytest.raises(StoreDown, match=f"has schema {newest() + 1}, this program knows"):
            Store(books)


def late(version: Callable[[Any], int]) -> Callable[[Any], int]:
    """Find no version at the first look, and the real one from then on."""
    looks = count()
    return lambda database: version(database) if next(looks) else 0


Play = Callable[[str], list[tuple[str, bytes]]]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Play a duel from the first letter to the last, and return all letters as they were sent."""

    def play(url: str) -> list[tuple[str, bytes]]:
        folder = tmp_path / ("one" if url else "other")
        folder.mkdir()
        with open_league(folder, url=url, entropy=fixed_entropy, turns_per_letter=12) as league:
            ann, bob = duel(league)
            ann.reply(f"{STANDING}SALT of the earth\nHawk came out of the sun.")
            bob.reply(f"SCAN\n{STANDING}TARGT Hawk\nNONSENSE\nTELL Hawk I see you!")
            league.work()
            while league.game.running:
                for person in (ann, bob):
                    person.reply(STANDING)
                league.later(1)
                league.work()
            assert league.store.count(Letter.select().where(Letter.state == "answered")) == len(
                ann.sent + bob.sent
            )
            return league.post.letters

    return play


def test_a_duel_gives_the_same_letters_byte_for_byte(books: str, play: Play) -> None:
    there, here = play(books), play("")
    assert len(here) > 20
    assert there == here


@pytest.mark.parametrize("at", range(1, 4))
def test_letters_are_sent_once_though_the_end_of_a_transaction_was_not_heard(
    books: str, tmp_path: Path, at: int
) -> None:
    """A server that breaks off has perhaps committed; what it was then is not known."""
    with open_league(tmp_path, url=books) as league:
        league.person("Ann").write("JOIN Ann Example")
        league.service.attend(league.mailbox, lambda: league.now)
        database, commits = league.store.database, 0
        commit = database.commit

        def unheard() -> None:
            nonlocal commits
            commit()
            commits += 1
            if commits == at:
                raise OperationalError("the server breaks off")

        database.commit = unheard
        with pytest.raises(StoreDown):
            league.send()
        assert league.send() == int(at < 3)  # at the third it was sent before
        assert league.store.count(Outgoing.select().where(Outgoing.state == "sent")) == 1
        assert len(league.post.letters) == 1


def test_letters_with_what_no_text_holds_are_answered(books: str, tmp_path: Path) -> None:
    """PostgreSQL takes no NUL in a text, and no half of a surrogate pair."""
    with open_league(tmp_path, url=books, turns_per_letter=3) as league:
        ann, _ = duel(league)
        report = ann.last
        for number, text in enumerate(BROKEN):
            raw = (
                f"From: =?utf-8?q?A=00nn?= <{ann.address}>\r\nTo: {report['Reply-To']}\r\n"
                f"Subject: =?utf-8?b?AGEA?= \0\r\nMessage-ID: <\0{number}@x>\r\n"
                "Content-Type: text/plain; charset=utf-8\r\n\r\n"
            )
            league.drop(raw.encode() + text)
            league.work()
        assert {row.tries for row in league.store.all(Letter.select().order_by(Letter.id))} == {0}
        assert league.last_letter().klass == "human"


BROKEN = (
    b"SCAN\r\nHawk ca\0me out of the \xed\xa0\x80 sun.", b"TELL Kestrel hi\0 there", b"NAME A\0b",
    b"SHEET\r\n1 FOO\0", b"\0\0", b"ZONE A\0b", b"EDITORIAL x\0y\r\nand \0", b"BLOCK A\0",
    b"ADDRESS a\0b@example.org", b"CHALLENGE \0 WITH Hawk", b"SALT \0\x01", b"LANGUAGE \0de",
    b"PILOT E\0x", b"UNDO \0", b"WATCH 99999999999999999999",
)  # fmt: skip


class TestWholes:
    """What is done with a database as a whole is done with either kind."""

    def test_books_are_carried_over_and_back(
        self, books: str, tmp_path: Path, postgres: Postgres
    ) -> None:
        with open_league(tmp_path, url=books, entropy=fixed_entropy) as league:
            ann, bob = duel(league)
            ann.reply("SCAN")
            league.work()
            before = rows(league.store)
        there, back = postgres.new(), f"sqlite:///{tmp_path / 'back.db'}"
        # As after `pbem check`, `pbem status` and rulings that were refused.
        for url in (there, back):
            with closing(Store(url)) as empty, empty.transaction():
                empty.set_meta("checked", "now")
                empty.run(Round.insert(at=START, ruling="PAUSE ALL"))
        found = copies.carry(books, there)
        assert found == {"players": 2, "letters": len(ann.sent + bob.sent), "games": 1}
        assert copies.carry(there, back) == found
        for url in (there, back):
            with closing(Store(url)) as store:
                assert rows(store) == before
        with open_league(tmp_path, url=there, entropy=fixed_entropy) as league:
            again = league.person("Ann")
            again.sent = ann.sent
            again.reply("REPORT", ann.last)
            league.work()
            assert league.last_letter().state == "answered"
            assert league.last_letter().id == found["letters"] + 1

    def test_nothing_is_carried_over_a_league(
        self, books: str, store: Store, tmp_path: Path
    ) -> None:
        add_player(store, "Ann")
        other = f"sqlite:///{tmp_path / 'other.db'}"
        Store(other).close()
        with pytest.raises(StoreDown, match="holds a league; make a new one"):
            copies.carry(other, books)
        with pytest.raises(StoreDown, match="there is no file"):
            copies.carry(f"sqlite:///{tmp_path / 'nowhere.db'}", books)
        assert not (tmp_path / "nowhere.db").exists()

    def test_a_copy_is_of_one_moment(self, books: str, tmp_path: Path) -> None:
        """What others write meanwhile is not in it, by half."""
        with closing(Store(books)) as store:
            add_player(store, "Ann")
            with store.snapshot():
                assert store.count(Player.select()) == 1
                copies.copy(books, tmp_path / "copy.db")
                assert copies.held(tmp_path / "copy.db")["players"] == 1
                writer = threading.Thread(target=write_beside, args=(store,))
                writer.start()
                writer.join()
                assert store.count(Player.select()) == 1
            assert store.count(Player.select()) == 2


def write_beside(store: Store) -> None:
    """Write from another connection, as another program would."""
    add_player(store, "Bob")
    store.close()


def rows(store: Store) -> dict[str, list[Any]]:
    """Return all rows of a store, by table."""
    return {
        model._meta.table_name: store.tuples(model.select().order_by(model.key_field()))
        for model in MODELS
    }


def test_a_group_ends_at_its_number_or_its_time() -> None:
    assert [list(group) for group in by_time(iter(range(7)), 3, 60)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert [list(group) for group in by_time(iter(range(3)), 3, 0)] == [[0], [1], [2]]
