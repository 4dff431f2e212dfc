"""The usual catalogue: designs of our own, and a battle's data for them."""

import pytest

from engine.blackskies.between_battles import CAMPAIGN
from engine.blackskies.design import DESIGNS, spent, weight_of
from engine.blackskies.league_catalogue import FLEET
from engine.blackskies.setup import setup


def test_there_are_the_black_tiger_and_at_least_eight_more_of_every_weight() -> None:
    assert set(DESIGNS) < set(FLEET)
    assert len(FLEET) >= 9
    assert {design.weight for design in FLEET.values()} == {"light", "medium", "heavy"}
    assert {t for design in FLEET.values() for t in design.thrusters} == {"rear", "side", "forward"}


@pytest.mark.parametrize("name", FLEET)
def test_each_design_is_sound_and_can_be_flown(name: str) -> None:
    assert spent(FLEET[name]) == weight_of(FLEET[name]).hardpoints
    one, other = (
        CAMPAIGN.enlist(f"{side} WITH {side}: 1 {name} SKILL 2") for side in ("Red", "Blue")
    )
    battle = setup(CAMPAIGN.melee((one,), (other,), None))
    assert battle.designs == {name: FLEET[name]}
