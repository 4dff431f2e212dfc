"""The rulings for live play, SP-37 to SP-42: each has a test of its name."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.storage import LiveBattle, Turnout
from tests.by_chat.conftest import ROOM, Room
from tests.support.harness import HAWK, KESTREL, Person, open_league
from tests.support.players import plain


def words(person: Person) -> str:
    """Return the words of the last letter that somebody has got, on one line."""
    return " ".join(plain(person.last).split())


def test_sp_37_a_league_without_a_chat_enlists_no_live_pilots(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        ann = league.person("Ann")
        ann.join()
        ann.ask(f"{HAWK} MODE RTC")
        assert "no chat room" in words(ann)
        ann.ask(HAWK)
        assert "Enlisted" in str(ann.last["Subject"])


def test_sp_37_live_pilots_fight_in_the_room_alone(room: Room) -> None:
    ann = room.people["ann"]
    ann.ask("PRACTICE WITH Hawk")
    assert "fights live" in words(ann)
    ann.ask("PATROL WITH Hawk")
    assert "fights live" in words(ann)
    # The only chat room need not be named.
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    assert room.since(lambda: None)[-2].startswith("Challenge 1: Hawk against Kestrel.")


def test_sp_37_other_pilots_do_not_fight_there(room: Room) -> None:
    ann, bob = room.people["ann"], room.people["bob"]
    ann.ask(HAWK.replace("Hawk", "Heron"))
    bob.ask(KESTREL.replace("Kestrel", "Merlin"))
    [told] = room.say("ann", "!challenge Merlin with Heron")
    assert "not in a chat room" in told
    ann.ask("CHALLENGE Merlin WITH Heron")
    assert "Challenge sent" in str(ann.last["Subject"])


def test_sp_38_a_turn_has_two_minutes_and_then_the_cautious_order(duel: Room) -> None:
    assert duel.seconds_left == 120
    assert duel.later(119) == []
    step, turn = duel.later(2)
    assert step.startswith("G1.1 Hawk")
    assert turn.startswith("G1, Kestrel, 2 min")


def test_sp_38_standing_orders_are_followed_at_once(duel: Room) -> None:
    duel.whisper("bob", "ELSE: SCAN")
    lines = duel.say("ann", "!scan")
    assert [line.split()[1] for line in lines[:2]] == ["Hawk", "Kestrel"]


@pytest.mark.parametrize(("seconds", "taken"), [(29, False), (30, True), (900, True), (901, False)])
def test_sp_38_the_terms_name_the_time(room: Room, seconds: int, taken: bool) -> None:
    told = room.say("ann", f"!challenge Kestrel with Hawk seconds {seconds}")
    assert told[0].startswith("Challenge 1") == taken
    if taken:
        room.say("bob", "!accept 1")
        assert room.seconds_left == seconds
    else:
        assert "30 to 900" in told[0]


def test_sp_39_who_has_gone_has_five_minutes_in_all(duel: Room) -> None:
    [told] = duel.since(lambda: duel.server.leave("ann"))
    assert "Hawk is not here" in told
    assert duel.seconds_left == 300
    duel.later(100)
    [back] = duel.since(lambda: duel.server.join("ann"))
    assert "Hawk is back" in back
    assert duel.seconds_left == 120
    duel.since(lambda: duel.server.leave("ann"))
    assert duel.seconds_left == 200
    assert duel.later(199) == []
    lines = duel.later(2)
    assert "Hawk has sent no orders for too long, and so forfeits" in lines[0]
    assert "victory for Kestrel" in lines[-1]


def test_sp_39_absences_of_both_are_counted_together(duel: Room) -> None:
    duel.since(lambda: duel.server.leave("ann"))
    duel.later(120)
    duel.say("ann", "!scan")
    duel.since(lambda: duel.server.leave("bob"))
    assert duel.seconds_left == 180


def test_sp_39_only_who_is_to_order_is_waited_for(duel: Room) -> None:
    assert duel.since(lambda: duel.server.leave("bob")) == []
    assert duel.seconds_left == 120
    assert "Kestrel, gone, for 5 min at most" in duel.say("ann", "!scan")[-1]


def test_sp_39_who_is_silent_for_three_turns_has_dropped(duel: Room) -> None:
    for turn in range(3):
        duel.later(121)
        duel.say("bob", "!scan")
        assert (duel.seconds_left == 300) == (turn == 2)
    steps = duel.game.steps
    duel.later(60)
    assert duel.game.steps == steps
    duel.say("ann", "!status")
    assert duel.seconds_left == 120
    assert duel.spare == 240


def test_sp_39_standing_orders_go_on_for_who_has_gone(duel: Room) -> None:
    duel.whisper("ann", "ELSE: SCAN")
    duel.since(lambda: duel.server.leave("ann"))
    steps = duel.game.steps
    duel.say("bob", "!scan")
    assert duel.game.steps >= steps + 2
    assert duel.spare == 300


def test_sp_39_where_both_have_gone_nobody_wins(duel: Room) -> None:
    duel.since(lambda: duel.server.leave("bob"))
    duel.since(lambda: duel.server.leave("ann"))
    assert "a draw" in duel.later(301)[-1]


def test_sp_39_it_counts_nothing_against_reliability(duel: Room) -> None:
    for _ in range(3):
        duel.later(121)
    assert duel.league.store.count(Turnout.select()) == 0


def test_sp_40_both_adjourn_to_mail_and_resume_in_the_room(duel: Room) -> None:
    duel.say("ann", "!scan")
    state, letters = duel.game.state, {n: len(p.letters) for n, p in duel.people.items()}
    assert "Kestrel has not said it yet" in duel.say("ann", "!adjourn")[0]
    assert duel.game.live == "running"
    assert "goes on by mail" in duel.say("bob", "!adjourn")[0]
    assert duel.game.state == state
    for name, person in duel.people.items():
        [told] = person.letters[letters[name] :]
        assert "Hawk" in plain(told)
    bob = duel.people["bob"]
    bob.ask("SCAN")
    assert duel.game.steps > 2
    steps = duel.game.steps
    bob.ask("RESUME 1")
    assert "write it in chat" in " ".join(plain(bob.last).split())
    duel.say("ann", "!resume")
    [*_, turn] = duel.say("bob", "!resume")
    assert "2 min" in turn
    assert duel.game.steps == steps


def test_sp_41_the_clock_stands_still_while_the_referee_is_away(duel: Room) -> None:
    duel.say("ann", "!scan")
    steps = duel.game.steps
    [told] = duel.since(duel.server.lose)
    assert "The referee was away" in told
    assert "Kestrel must order" in told
    assert duel.seconds_left is None
    assert duel.later(10_000) == []
    assert duel.game.steps == steps
    assert "Kestrel has not said it yet" in duel.say("ann", "!ready")[0]
    duel.say("bob", "!ready")
    assert duel.seconds_left == 120


def test_sp_41_an_absence_does_not_go_on_meanwhile(duel: Room) -> None:
    duel.since(lambda: duel.server.leave("ann"))
    duel.later(60)
    duel.since(duel.server.lose)
    duel.later(3600)
    duel.since(lambda: duel.server.join("ann"))
    duel.say("ann", "!ready")
    duel.say("bob", "!ready")
    assert duel.spare == 240
    assert duel.seconds_left == 120


def test_sp_42_a_live_battle_counts_for_the_day_on_which_it_ends(duel: Room) -> None:
    duel.say("ann", "!surrender")
    assert duel.game.ended == duel.league.now
    assert duel.league.store.get(LiveBattle, duel.game.id).channel == ROOM
    ann = duel.people["ann"]
    ann.ask("HISTORY 1")
    assert "Hawk" in words(ann)
    assert timedelta(0) == duel.league.now - duel.game.ended
