"""What a second opinion found in the dice, and what became of it."""

import json
from pathlib import Path

import pytest

from tests.harness import duel, open_house


@pytest.mark.parametrize("text", ["MAP\nSALT too", "SALT too\nSTATUS", "SALT too"])
def test_hostile_dice_a_salt_counts_with_and_without_a_question(tmp_path: Path, text: str) -> None:
    with open_house(tmp_path) as house:
        ann, _ = duel(house)
        ann.reply(text)
        assert ann.new()
        [place] = house.store.places.all(game=house.game.id, seat="Hawk")
        assert json.loads(place.words)["salts"] == ["too"]
        assert house.game.steps == 1
