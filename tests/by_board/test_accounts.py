"""Whose an account is: the server's word and a code for one use, and nothing that all can write."""

import pytest

from pbem.maintenance import explain
from pbem.routing import router
from pbem.service import inbox
from pbem.storage import Account, Letter, Place, Post
from tests.by_board.conftest import Duel
from tests.support.board_league import Poster, by_us, look, thread_of, work
from tests.support.each_board import each_kind, each_private
from tests.support.players import plain


def place(fight: Duel, seat: str) -> Place:
    """Return a place of the duel."""
    found = fight.league.store.first(Place.select().where(Place.seat == seat).order_by(Place.id))
    assert found is not None
    return found


@each_kind
def test_a_shown_name_proves_nothing(fight: Duel) -> None:
    thread = thread_of(fight.league, fight.league.game)
    fight.server.post("mallory", "SURRENDER", thread)
    fight.server.post("mallory", "Hawk: SURRENDER", thread)
    work(fight.league)
    assert fight.league.game.running
    assert not place(fight, "Hawk").answered


@each_private
def test_nor_does_one_on_a_private_message(fight: Duel) -> None:
    fight.server.private("mallory", "Hawk: SURRENDER")
    fight.server.private("mallory", "GAME 1\nSURRENDER")
    work(fight.league)
    assert fight.league.game.running
    assert not place(fight, "Hawk").answered


@each_kind
def test_what_no_server_vouches_for_does_nothing(fight: Duel) -> None:
    thread = thread_of(fight.league, fight.league.game)
    before = len(by_us(fight.server, thread))
    for text in ("SURRENDER", f"LINK {fight.ann.code()}"):
        fight.kind.forge(text, thread)
        work(fight.league)
    assert fight.league.game.running
    assert not place(fight, "Hawk").answered
    assert fight.league.store.count(Account.select()) == 1
    assert len(by_us(fight.server, thread)) == before


@each_kind
def test_a_linked_account_orders_for_its_player_alone(fight: Duel) -> None:
    bob = Poster(fight.league, fight.bob, fight.server, "bob")
    bob.link()
    bob.post("Hawk: SCAN")
    assert not place(fight, "Hawk").answered


@each_kind
def test_a_code_works_once(fight: Duel) -> None:
    code, [old] = fight.ann.code(), fight.league.store.all(Account.select().order_by(Account.id))
    fight.server.post("bob", f"LINK {code}")
    work(fight.league)
    [account] = fight.league.store.all(Account.select().order_by(Account.id))
    assert account.ident != old.ident, "a new account takes the place of the old"
    fight.server.post("mallory", f"LINK {code}")
    work(fight.league)
    assert fight.league.store.all(Account.select().order_by(Account.id)) == [account]
    assert "sent the code" in " ".join(plain(fight.ann.person.last).split())
    fight.ann.person.write(f"UNLINK forum\nKEY {fight.ann.person.key}")
    work(fight.league)
    fight.server.post("bob", f"LINK {code}")
    work(fight.league)
    assert fight.league.store.count(Account.select()) == 0, "a replayed code links nothing"


def test_a_code_is_old_after_an_hour(fight: Duel) -> None:
    code = fight.ann.code()
    fight.later(1.1)
    fight.ann.server.post("ada2", f"LINK {code}")
    work(fight.league)
    assert [one.ident for one in fight.league.store.all(Account.select().order_by(Account.id))] == [
        "ada"
    ]


def test_a_code_proves_nothing_by_mail(fight: Duel) -> None:
    code = fight.ann.code()
    fight.bob.write("SURRENDER", to=f"referee+{code}@league.example")
    work(fight.league)
    assert fight.league.game.running


def test_an_account_of_another_player_stays_theirs(fight: Duel) -> None:
    bob = Poster(fight.league, fight.bob, fight.server, "ada")
    bob.link()
    [account] = fight.league.store.all(Account.select().order_by(Account.id))
    assert account.player_id == place(fight, "Hawk").player_id


def test_a_code_may_come_as_a_private_message(fight: Duel) -> None:
    bob = Poster(fight.league, fight.bob, fight.server, "bob")
    bob.whisper(f"LINK {bob.code()}")
    assert {one.ident for one in fight.league.store.all(Account.select().order_by(Account.id))} == {
        "ada",
        "bob",
    }


def test_the_owner_of_an_account_hears_of_it_by_mail(fight: Duel) -> None:
    assert "counts as yours now" in " ".join(plain(fight.ann.person.last).split())


def test_who_is_no_player_is_told_once_a_week_how_to_become_one(fight: Duel) -> None:
    thread = thread_of(fight.league, fight.league.game)
    for _ in range(3):
        fight.server.post("zoe", "SCAN", thread)
        work(fight.league)
    told = [one for one in by_us(fight.server, thread) if "no player's yet" in one]
    assert len(told) == 1
    assert "zoe" in told[0]


def test_a_board_that_is_not_there_is_refused_with_those_that_are(fight: Duel) -> None:
    fight.ann.person.ask(f"LINK chat\nKEY {fight.ann.person.key}")
    said = " ".join(plain(fight.ann.person.last).split())
    assert "chat is no board that is played on" in said
    assert "forum" in said


def test_what_others_write_elsewhere_on_a_board_is_not_kept(fight: Duel) -> None:
    before = fight.league.store.count(Letter.select())
    fight.server.post("zoe", "Who sells a ship?")
    work(fight.league)
    assert fight.league.store.count(Letter.select()) == before


def test_a_crowd_in_a_thread_does_not_fill_the_disk(fight: Duel) -> None:
    thread, store = thread_of(fight.league, fight.league.game), fight.league.store
    for number in range(inbox.MOST_OF_OTHERS + 50):
        fight.server.post(f"zoe{number}", "Go, Hawk!", thread)
    fight.server.post("ada", "SCAN", thread)
    work(fight.league)
    assert (
        store.count(Letter.select().where(Letter.channel == "forum", Letter.player.is_null()))
        <= inbox.MOST_OF_OTHERS
    )
    assert place(fight, "Hawk").answered


def test_explain_says_which_row_took_a_message(fight: Duel) -> None:
    thread, store = thread_of(fight.league, fight.league.game), fight.league.store
    fight.server.post("zoe", "SCAN", thread)
    work(fight.league)
    [letter] = store.all(
        Letter.select()
        .where(Letter.channel == "forum", Letter.player.is_null())
        .order_by(Letter.id)
    )
    rows = [*explain.by_routing(router.opened(fight.league.service.ports, letter, letter.received))]
    assert rows[-1].row == "no player's account"
    assert rows[-1].why == "its writer's account is no player's"


def test_the_writer_is_told_when_the_program_fails_at_a_message(
    fight: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.routing.board_router.carry_out_orders", lambda *_: 1 / 0)
    fight.ann.post("SCAN")
    for _ in range(5):
        work(fight.league)
    [letter] = fight.league.store.all(
        Letter.select().where(Letter.state == "shunted").order_by(Letter.id)
    )
    assert letter.channel == "forum"
    assert "moderator" in " ".join(plain(fight.ann.person.last).split())


def test_after_unlink_nothing_more_goes_to_the_account(fight: Duel) -> None:
    store = fight.league.store
    fight.ann.server.private("ada", "STATUS")
    look(fight.league)
    fight.league.work()
    assert store.count(Post.select().where(Post.recipient == "ada", Post.state == "queued")) == 1
    fight.ann.person.write(f"UNLINK forum\nKEY {fight.ann.person.key}")
    fight.league.work()
    assert store.count(Post.select().where(Post.recipient == "ada", Post.state == "queued")) == 0
