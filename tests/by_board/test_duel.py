"""A duel on a board: orders in the thread, one post a turn, and what is not for all elsewhere."""

from datetime import timedelta
from random import Random

from pbem.people import erasing, personal_data
from pbem.storage import Account, Place, Player, Post, queues
from tests.by_board.conftest import Duel
from tests.support.board_league import Poster, by_us, choices, thread_of, to, work
from tests.support.each_board import each_kind, each_private
from tests.support.players import plain


def posts(fight: Duel) -> list[str]:
    """Return what the referee has posted in the battle's thread."""
    return by_us(fight.server, thread_of(fight.league, fight.league.game))


def turns(fight: Duel) -> list[str]:
    """Return the posts of turns in the battle's thread."""
    return [one for one in posts(fight) if "G1-T" in one]


def to_the_end(fight: Duel, bob: Poster | None = None) -> None:
    """Fight on with orders of chance, and let Bob surrender if it takes long."""
    rng = Random(7)
    for turn in range(30):
        if not fight.league.game.running:
            return
        fight.later(1)
        found = choices(fight.league, rng)
        if turn == 12:
            found["Kestrel"] = "SURRENDER"
        if "Hawk" in found:
            fight.ann.post(found["Hawk"])
        if "Kestrel" in found and fight.league.game.running:
            if bob is not None:
                bob.post(found["Kestrel"])
            else:
                fight.bob.write(f"GAME 1\n{found['Kestrel']}\nKEY {fight.bob.key}")
        work(fight.league)
    assert not fight.league.game.running


@each_kind
def test_one_plays_on_the_board_and_one_by_mail(fight: Duel) -> None:
    letters = len(fight.ann.person.letters)
    to_the_end(fight)
    game = fight.league.game
    assert len(turns(fight)) == game.turn, "a turn is one post"
    # Of the turns nothing comes by mail to who reads them in the thread.
    subjects = [str(one["Subject"]) for one in fight.ann.person.letters[letters:]]
    assert len(subjects) <= 2, subjects


@each_kind
def test_both_play_on_the_board(fight: Duel) -> None:
    bob = Poster(fight.league, fight.bob, fight.server, "bob")
    bob.link()
    to_the_end(fight, bob)
    assert len(turns(fight)) == fight.league.game.turn
    said = by_us(fight.server)
    assert len(set(said)) == len(said)
    assert work(fight.league) == []
    assert by_us(fight.server) == said


@each_kind
def test_no_post_holds_what_is_not_for_all(fight: Duel) -> None:
    fight.bob.write(f"GAME 1\nIF RANGE = Far THEN OPEN\nSALT the grey cat\nKEY {fight.bob.key}")
    fight.ann.post("SCAN")
    to_the_end(fight)
    said = "\n".join(by_us(fight.server))
    for secret in ("grey cat", "IF RANGE", "home.example", "KEY", fight.bob.key):
        assert secret not in said


def test_an_order_is_answered_once_and_in_the_thread(fight: Duel) -> None:
    before, letters = len(posts(fight)), len(fight.ann.person.letters)
    fight.ann.post("SCAN")
    [answer] = posts(fight)[before:]
    assert "Hawk, understood: SCAN" in answer
    assert "waiting for Kestrel" in answer
    assert len(fight.ann.person.letters) == letters


def test_what_people_say_to_each_other_is_not_answered(fight: Duel) -> None:
    before, letters = len(posts(fight)), len(fight.ann.person.letters)
    fight.ann.post("What a fight this is.\nI have never seen one like it.")
    fight.server.post("zoe", "Go, Hawk!", thread_of(fight.league, fight.league.game))
    work(fight.league)
    assert len(posts(fight)) == before
    assert len(fight.ann.person.letters) == letters


def test_words_without_an_order_need_no_answer_once_a_battle_is_over(fight: Duel) -> None:
    fight.bob.write(f"GAME 1\nSURRENDER\nKEY {fight.bob.key}")
    fight.ann.post("SCAN")
    assert not fight.league.game.running
    before, letters = len(posts(fight)), len(fight.ann.person.letters)
    fight.ann.post("Well fought, Kestrel.")
    assert len(posts(fight)) == before
    assert len(fight.ann.person.letters) == letters


def test_orders_among_words_are_asked_about_and_yes_does_them(fight: Duel) -> None:
    fight.ann.post("I think that this is best now, is it not?\nSCAN\nOr so they say of him.")
    assert "YES" in posts(fight)[-1]
    assert "they say" not in posts(fight)[-1]
    fight.ann.post("YES")
    assert "understood: SCAN" in posts(fight)[-1]


def test_a_mistyped_order_gets_a_hint(fight: Duel) -> None:
    fight.ann.post("SCNA")
    assert "SCAN" in posts(fight)[-1]


def test_a_pilot_before_an_order_is_its_own(fight: Duel) -> None:
    fight.ann.post("Hawk: scan")
    assert "understood: SCAN" in posts(fight)[-1]


def test_what_is_asked_in_the_thread_is_answered_alone(fight: Duel) -> None:
    before = len(posts(fight))
    fight.ann.post("STATUS")
    [answer] = posts(fight)[before:]
    assert "gone to you alone" in " ".join(answer.split())
    assert "You wrote" in to(fight.server, "ada")[-1]


def test_standing_orders_and_salt_are_refused_in_public(fight: Duel) -> None:
    fight.ann.post("IF RANGE = Far THEN OPEN\nELSE SCAN")
    said = " ".join(posts(fight)[-1].split())
    assert "standing orders are secret" in said
    assert "private message" in said
    fight.ann.post("SALT everybody sees this\nSCAN")
    assert "protects no dice" in " ".join(posts(fight)[-1].split())
    fight.ann.whisper("GAME 1\nIF RANGE = Far THEN OPEN\nELSE SCAN")
    assert "ELSE" in to(fight.server, "ada")[-1]


def test_a_story_is_told_in_the_account(fight: Duel) -> None:
    fight.ann.post("SCAN\n\nSTORY\nThe dark is deep.")
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)
    assert "The dark is deep." in turns(fight)[-1]


def test_a_number_names_the_battle_outside_of_its_thread(fight: Duel) -> None:
    fight.server.post("ada", "GAME 1\nSCAN")
    work(fight.league)
    place = fight.league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert place.answered


@each_private
def test_a_board_answers_who_wrote_there_last_and_mail_who_wrote_by_mail(fight: Duel) -> None:
    fight.ann.whisper("STATUS")
    assert len(to(fight.server, "ada")) == 1
    fight.ann.person.ask(f"STATUS\nKEY {fight.ann.person.key}")
    assert len(to(fight.server, "ada")) == 1


def test_changes_of_an_account_are_made_by_mail_alone(fight: Duel) -> None:
    fight.ann.whisper(f"NEW KEY\nKEY {fight.ann.person.key}")
    assert "by mail alone" in " ".join(to(fight.server, "ada")[-1].split())


def test_data_of_a_player_and_erasing_know_the_account(fight: Duel) -> None:
    store = fight.league.store
    [account] = store.all(Account.select().order_by(Account.id))
    player = store.get(Player, account.player_id)
    assert personal_data.kept(store, player)["accounts"] == [
        {"board": "forum", "account": "ada", "name": "ada"}
    ]
    fight.ann.whisper("STATUS")
    [told] = personal_data.kept(store, player)["private_messages"]  # type: ignore[misc, attr-defined]
    assert "STATUS" in told["text"]
    with store.transaction():
        erasing.erase(store, player)
    assert store.count(Account.select()) == 0
    assert store.count(Post.select().where(Post.recipient == "ada")) == 0


def test_a_private_message_is_dropped_in_time_and_a_post_is_not(fight: Duel) -> None:
    fight.ann.whisper("STATUS")
    store = fight.league.store
    with store.transaction():
        queues.drop_sent(store, fight.league.now + timedelta(hours=1))
    assert {
        one.body
        for one in store.all(Post.select().where(Post.recipient == "ada").order_by(Post.id))
    } == {""}
    assert all(
        one.body for one in store.all(Post.select().where(Post.recipient == "").order_by(Post.id))
    )


def test_a_banned_player_orders_nothing_on_a_board(fight: Duel) -> None:
    fight.league.rule("BAN Hawk")
    before = len(posts(fight))
    fight.ann.post("SCAN")
    assert len(posts(fight)) == before


def test_letters_by_mail_of_a_league_with_a_board_are_as_before(fight: Duel) -> None:
    fight.bob.ask(f"STATUS\nKEY {fight.bob.key}")
    assert "You wrote" in plain(fight.bob.last)
