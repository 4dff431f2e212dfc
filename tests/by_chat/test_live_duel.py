"""A duel in a chat room, line by line, and what is said beside it."""

import pytest

from pbem.storage import Letter, Place
from tests.by_chat.conftest import ROOM, Room
from tests.support.board_league import work
from tests.support.players import plain


def to_the_end(room: Room) -> None:
    """Let both scan until one of them gives up."""
    for _ in range(8):
        room.say(room.acting, "!scan")
        room.later(5)
    room.say(room.acting, "!surrender")
    assert not room.game.running


def test_a_line_begins_the_battle_and_says_who_orders_what(duel: Room) -> None:
    lines = duel.server.told()
    assert "Challenge 1: Hawk against Kestrel. !accept 1 takes it." in lines
    assert (
        f"G1 begins: Hawk against Kestrel. A turn has 2 min. Dice: {duel.game.commitment}" in lines
    )
    assert lines[-1].startswith("G1, Hawk, 2 min: SCAN 36")


def test_a_step_is_a_line_and_a_turn_goes_on_at_once(duel: Room) -> None:
    step, turn = duel.say("ann", "!scan")
    assert step.startswith("G1.1 Hawk tries SCAN")
    assert turn.startswith("G1, Kestrel, 2 min:")


@pytest.mark.parametrize(
    "line",
    ["/scan", "referee: scan", "Referee, scan", "Hawk: scan", "!G1 scan", "G1 !scan", "! scan"],
)
def test_orders_are_marked_in_several_ways(duel: Room, line: str) -> None:
    steps = duel.game.steps
    duel.say("ann", line)
    assert duel.game.steps == steps + (line != "! scan")


def test_a_private_line_needs_no_mark(duel: Room) -> None:
    steps = duel.game.steps
    duel.whisper("ann", "scan")
    assert duel.game.steps == steps + 1


def test_what_people_say_to_each_other_is_neither_kept_nor_answered(duel: Room) -> None:
    kept = duel.league.store.count(Letter.select())
    for line in ("scan", "I would scan now", "Kestrel, you fool", "https://example.com/!scan", "?"):
        assert duel.say("ann", line) == []
    assert duel.game.steps == 1
    # A line that names somebody may be for the referee, so it is looked at, and no more.
    assert duel.league.store.count(Letter.select()) <= kept + 1


def test_a_name_that_is_not_logged_in_orders_nothing(duel: Room) -> None:
    steps = duel.game.steps
    told = duel.since(lambda: duel.server.say("", "!scan", name="ann"))
    assert duel.game.steps == steps
    assert "only who is logged in" in told[0]
    # Once a day is enough, however much is written.
    assert duel.since(lambda: duel.server.say("", "!surrender", name="ann")) == []


def test_an_account_of_no_player_is_told_how_to_become_one(duel: Room) -> None:
    [told] = duel.say("zoe", "!scan")
    assert f"LINK {ROOM}" in told
    assert duel.say("zoe", "!scan") == []


def test_nobody_orders_for_another(duel: Room) -> None:
    steps = duel.game.steps
    duel.say("bob", "Hawk: scan")
    duel.say("bob", "!scan")
    assert duel.game.steps == steps


def test_standing_orders_are_taken_in_private_alone(duel: Room) -> None:
    [told] = duel.say("ann", "!ELSE: SCAN")
    assert "secret" in told
    duel.whisper("ann", "ELSE: SCAN")
    [place] = [one for one in duel.league.store.all(Place.select()) if one.seat == "Hawk"]
    assert "SCAN" in place.sheet


def test_a_mistyped_order_gets_a_hint_in_one_line(duel: Room) -> None:
    [told] = duel.say("ann", "!scna")
    assert "SCAN" in told


def test_questions_are_answered_in_one_line_where_they_are_asked(duel: Room) -> None:
    for word, part in (
        ("help", "!accept"),
        ("odds", "SCAN"),
        ("status", "G1 (Hawk): your move, 2 min"),
        ("rules", "RULES"),
        ("verify", duel.game.commitment),
    ):
        [told] = duel.say("ann", f"!{word}")
        assert part in told
        assert duel.server.lines[-1].to == ""
        [alone] = duel.whisper("ann", word)
        assert part in alone
        assert duel.server.lines[-1].to == "ann"


def test_lines_are_short(duel: Room) -> None:
    to_the_end(duel)
    assert max(len(line.encode()) for line in duel.server.told()) <= 400


def test_the_end_is_told_with_the_secret_and_by_mail(duel: Room) -> None:
    letters = {name: len(person.letters) for name, person in duel.people.items()}
    to_the_end(duel)
    moment, over = duel.server.told()[-2:]
    assert "has surrendered" in moment
    assert over.startswith("G1 is over: victory for")
    assert duel.game.dice_secret.hex() in over
    for name, person in duel.people.items():
        [last] = person.letters[letters[name] :]
        assert "Game 1" in plain(last)
        assert "wins" in plain(last)


def test_no_letter_is_sent_while_a_battle_is_played_in_the_room(duel: Room) -> None:
    letters = [len(person.letters) for person in duel.people.values()]
    for _ in range(4):
        duel.say(duel.acting, "!scan")
    assert [len(person.letters) for person in duel.people.values()] == letters


def test_a_line_that_comes_again_is_no_second_order(duel: Room) -> None:
    duel.say("ann", "!scan")
    steps, heard = duel.game.steps, dict(duel.server.heard[-1])
    duel.server.heard.append(heard)
    work(duel.league)
    assert duel.game.steps == steps


def test_practice_is_played_in_the_room(room: Room) -> None:
    told = room.say("ann", "!practice with Hawk")
    assert any(line.startswith("G1, Hawk, 2 min:") for line in told)
    assert room.say("ann", "!scan")[0].startswith("G1.")


def test_two_battles_of_one_player_need_their_number(room: Room) -> None:
    room.say("ann", "!practice with Hawk")
    room.say("ann", "!challenge Kestrel with Hawk first me")
    room.say("bob", "!accept 1")
    [told] = room.say("ann", "!scan")
    assert "which" in told
    assert room.say("ann", "!G2 scan")[0].startswith("G2.1")


def test_help_is_given_to_anybody(duel: Room) -> None:
    for account in ("", "zoe"):
        [told] = duel.since(lambda a=account: duel.server.say(a, "!help", name="zoe"))
        assert told.startswith("zoe: !practice")
        assert "JOIN Your Name" in told


def test_verify_knows_a_battle_that_is_over(duel: Room) -> None:
    duel.say("ann", "!surrender")
    [told] = duel.say("ann", "!verify")
    assert duel.game.commitment in told


def test_whoever_orders_again_does_not_want_to_adjourn_any_more(duel: Room) -> None:
    duel.say("ann", "!adjourn")
    duel.say("ann", "!scan")
    assert "Hawk has not said it yet" in duel.say("bob", "!adjourn")[-1]
    assert duel.game.live == "running"


def test_the_number_of_a_battle_is_asked_for_in_the_form_of_a_line(room: Room) -> None:
    room.say("ann", "!practice with Hawk")
    room.say("ann", "!challenge Kestrel with Hawk first me")
    room.say("bob", "!accept 1")
    [told] = room.say("ann", "!scan")
    assert "G12 SCAN" in told
