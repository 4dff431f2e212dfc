"""Edits and deletions: before the step they replace or withdraw, after it they change nothing."""

from tests.by_board.conftest import Duel
from tests.by_board.test_accounts import place
from tests.by_board.test_duel import posts
from tests.support.board_league import unmarked, work
from tests.support.each_board import each_kind

pytestmark = each_kind


def bob_scans(fight: Duel) -> None:
    """Let Bob order, so that the turn is played."""
    fight.bob.write(f"GAME 1\nSCAN\nKEY {fight.bob.key}")
    work(fight.league)


def edit(fight: Duel, number: str, text: str) -> None:
    """Edit a post an hour later, and let the referee work."""
    fight.later(1)
    fight.server.edit(number, text)
    work(fight.league)


def delete(fight: Duel, number: str) -> None:
    """Delete a post an hour later, and let the referee work."""
    fight.later(1)
    fight.server.delete(number)
    work(fight.league)


def orders(fight: Duel) -> str:
    """Return all orders that were played, as JSON."""
    return "".join(one for one, _ in fight.league.orders())


def test_an_edit_replaces_the_orders(fight: Duel) -> None:
    number = fight.ann.post("SURRENDER")
    edit(fight, number, "SCAN")
    assert "understood: SCAN" in unmarked(posts(fight)[-1])
    bob_scans(fight)
    assert fight.league.game.running
    assert '["Hawk", "SCAN"]' in orders(fight)


def test_an_edit_right_after_a_post_counts(fight: Duel) -> None:
    number = fight.ann.post("SURRENDER")
    # Forums show no trace of an edit within minutes.
    fight.later(0.05)
    fight.server.edit(number, "SCAN")
    work(fight.league)
    assert "understood: SCAN" in unmarked(posts(fight)[-1])
    bob_scans(fight)
    assert fight.league.game.running


def test_an_edit_to_mere_words_withdraws_the_orders(fight: Duel) -> None:
    number = fight.ann.post("SCAN")
    edit(fight, number, "On second thoughts, I wait.")
    assert not place(fight, "Hawk").answered
    bob_scans(fight)
    assert "Hawk" not in orders(fight)


def test_a_deletion_withdraws_the_orders(fight: Duel) -> None:
    number = fight.ann.post("SCAN")
    delete(fight, number)
    assert not place(fight, "Hawk").answered
    assert "ada, your orders are off the file again" in unmarked(posts(fight)[-1]).lower()


def test_an_edit_after_the_step_changes_nothing_and_is_told_once(fight: Duel) -> None:
    number = fight.ann.post("SCAN")
    bob_scans(fight)
    steps, before = fight.league.game.steps, len(posts(fight))
    edit(fight, number, "CLOSE")
    assert "changes nothing any more" in unmarked(posts(fight)[-1])
    edit(fight, number, "FIRE")
    delete(fight, number)
    assert len(posts(fight)) == before + 1
    assert fight.league.game.steps == steps
    assert not place(fight, "Hawk").answered


def test_an_edit_of_other_words_is_no_matter(fight: Duel) -> None:
    number = fight.ann.post("SCAN")
    before = len(posts(fight))
    edit(fight, number, "SCAN")
    assert len(posts(fight)) == before
    assert place(fight, "Hawk").answered


def test_a_deleted_message_that_nobody_has_read_is_none(fight: Duel) -> None:
    number = fight.server.post("ada", "SCAN", fight.server.posts()[0].thread)
    fight.server.delete(number)
    work(fight.league)
    assert not place(fight, "Hawk").answered
