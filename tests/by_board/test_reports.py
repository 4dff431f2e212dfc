"""Whose turn's post is read in a thread gets no report, unless it says more than the post."""

from pbem.storage import Game
from tests.by_board.conftest import Duel
from tests.by_board.test_duel import turns
from tests.support.board_league import to, work


def told(fight: Duel, since: int) -> str:
    """What Ann's account has been told alone since."""
    return " ".join("\n".join(to(fight.server, "ada")[since:]).split())


def test_who_only_talks_in_a_thread_gets_reports_by_mail_as_before(fight: Duel) -> None:
    ann = fight.ann.person
    ann.write(f"GAME 1\nSCAN\nKEY {ann.key}")
    work(fight.league)
    before = len(ann.letters)
    fight.ann.post("What a fight this is.")
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)
    assert len(ann.letters) > before


def test_what_was_asked_in_private_is_answered_though_the_turn_is_posted(fight: Duel) -> None:
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)
    before = len(to(fight.server, "ada"))
    fight.ann.whisper("GAME 1\nSCAN\n\nSTATUS")
    assert len(turns(fight)) == fight.league.game.turn == 2
    assert "WHOM YOU MAY CHALLENGE" in told(fight, before) or "YOUR BATTLES" in told(fight, before)


def test_practice_which_is_posted_nowhere_is_reported(fight: Duel) -> None:
    fight.ann.whisper("PRACTICE WITH Hawk")
    for n in (2, 3):
        before = len(to(fight.server, "ada"))
        fight.later(1)
        fight.ann.whisper("GAME 2\nSCAN")
        assert fight.league.store.get(Game, 2).turn == n
        assert "YOUR MOVE" in told(fight, before)


def test_who_orders_in_the_thread_gets_no_report_beside_the_post(fight: Duel) -> None:
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)
    before, letters = len(to(fight.server, "ada")), len(fight.ann.person.letters)
    fight.ann.post("SCAN")
    assert len(turns(fight)) == 2
    assert len(to(fight.server, "ada")) == before
    assert len(fight.ann.person.letters) == letters
