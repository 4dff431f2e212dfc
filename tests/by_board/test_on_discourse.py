"""What only Discourse does."""

from typing import cast

import pytest

from tests.by_board.conftest import Duel
from tests.by_board.test_accounts import place
from tests.by_board.test_duel import posts
from tests.support.board_league import work
from tests.support.played_discourse import PlayedDiscourse

pytestmark = pytest.mark.parametrize("kind", ["discourse"], indirect=True)


def test_an_order_that_a_moderator_has_wiped_out_is_taken_back(fight: Duel) -> None:
    forum = cast(PlayedDiscourse, fight.server).forum
    number = fight.ann.post("SCAN")
    assert place(fight, "Hawk").answered
    before = len(posts(fight))
    del forum.written[int(number)]
    work(fight.league)
    assert not place(fight, "Hawk").answered
    assert len(posts(fight)) == before + 1
