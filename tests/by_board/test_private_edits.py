"""Edits and deletions of private messages, which nobody else hears of."""

from tests.by_board.conftest import Duel
from tests.by_board.test_accounts import place
from tests.by_board.test_duel import posts
from tests.by_board.test_edits import bob_scans, delete, edit
from tests.support.board_league import to, work
from tests.support.each_board import each_private

pytestmark = each_private


def told(fight: Duel) -> list[str]:
    """Return what Ann's account has been told alone."""
    return to(fight.server, "ada")


def test_who_edits_a_private_message_too_late_is_told_alone(fight: Duel) -> None:
    number = fight.server.private("ada", "GAME 1\nSCAN")
    work(fight.league)
    bob_scans(fight)
    before, known = len(posts(fight)), len(told(fight))
    edit(fight, number, "GAME 1\nSCAN\nSCAN")
    assert len(posts(fight)) == before
    [answer] = told(fight)[known:]
    assert "changes nothing any more" in " ".join(answer.split())


def test_who_deletes_a_private_message_is_told_alone(fight: Duel) -> None:
    number = fight.server.private("ada", "GAME 1\nSCAN")
    work(fight.league)
    before = len(posts(fight))
    delete(fight, number)
    assert not place(fight, "Hawk").answered
    assert len(posts(fight)) == before
    assert "off the file again" in " ".join(told(fight)[-1].split())
