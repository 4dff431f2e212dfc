"""What a second opinion found in the dice, and what became of it."""

import json
from pathlib import Path

import pytest

from tests.support.harness import duel, open_league


@pytest.mark.parametrize("text", ["MAP\nSALT too", "SALT too\nSTATUS", "SALT too"])
def test_hostile_dice_a_salt_counts_with_and_without_a_question(tmp_path: Path, text: str) -> None:
    with open_league(tmp_path) as league:
        ann, _ = duel(league)
        ann.reply(text)
        assert ann.new()
        [place] = league.store.places.all(game=league.game.id, seat="Hawk")
        assert json.loads(place.words)["salts"] == ["too"]
        assert league.game.steps == 1
