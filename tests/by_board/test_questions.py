"""YES answers what was asked where it is written, or privately, and nothing else."""

from tests.by_board.conftest import Duel
from tests.by_board.test_accounts import place
from tests.by_board.test_duel import posts
from tests.support.board_league import to, work

PROSE = "I think that this is best now, is it not?\nSCAN\nOr so they say of him."


def answered(fight: Duel) -> bool:
    """Return whether Ann's orders are on file."""
    return place(fight, "Hawk").answered


def test_a_private_yes_answers_what_was_asked_in_private(fight: Duel) -> None:
    fight.ann.whisper(f"GAME 1\n{PROSE}")
    assert "not done yet" in to(fight.server, "ada")[-1]
    fight.ann.whisper("YES")
    assert answered(fight)


def test_a_private_yes_answers_what_was_asked_in_the_thread(fight: Duel) -> None:
    fight.ann.post(PROSE)
    assert not answered(fight)
    fight.ann.whisper("YES")
    assert answered(fight)


def test_a_yes_in_the_thread_shows_nobody_what_was_asked_in_private(fight: Duel) -> None:
    fight.ann.whisper(f"GAME 1\n{PROSE}")
    fight.ann.post("YES")
    assert not answered(fight)
    assert "SCAN" not in posts(fight)[-1]


def test_a_yes_in_the_thread_shows_nobody_what_was_asked_by_mail(fight: Duel) -> None:
    fight.ann.person.write(f"GAME 1\n{PROSE}\nKEY {fight.ann.person.key}")
    work(fight.league)
    fight.ann.post("YES")
    assert not answered(fight)
    assert "SCAN" not in posts(fight)[-1]


def test_what_was_asked_in_the_thread_is_done_at_the_deadline(fight: Duel) -> None:
    fight.ann.post(PROSE)
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)
    turn = fight.league.game.turn
    for _ in range(40):
        fight.later(2)
        work(fight.league)
        if fight.league.game.turn > turn:
            break
    assert '["Hawk", "SCAN"]' in "".join(orders for orders, _ in fight.league.orders())
    assert place(fight, "Hawk").misses <= 1


def test_a_yes_to_a_turn_that_is_over_does_nothing(fight: Duel) -> None:
    fight.ann.post(PROSE)
    fight.ann.post("SCAN")
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)
    fight.ann.post("YES")
    assert not answered(fight)
    assert "no question is open" in " ".join(posts(fight)[-1].split())


def test_a_yes_elsewhere_on_the_board_is_not_for_the_battle(fight: Duel) -> None:
    fight.ann.post(PROSE)
    fight.server.post("ada", "YES")
    work(fight.league)
    assert not answered(fight)
