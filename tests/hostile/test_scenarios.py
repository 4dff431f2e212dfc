"""Misleading scenarios: borrowed powers, blank texts, and fields that errors name."""

from typing import Any

import pytest

from engine.blackskies.replay_format import scenario_order
from engine.errors import SetupError
from engine.registry import RULESETS
from engine.seats import REFEREE

SKIES, STARS = RULESETS["blackskies"], RULESETS["starpilot"]


def sides(*names: str) -> dict[str, Any]:
    """Return the set-up of two sides of one element each."""
    campaign = SKIES.campaign
    assert campaign is not None
    pieces = [
        campaign.enlist(f"{name} WITH {name} Red: 2 Gadfly SKILL 2") for name in ("Ayes", "Bees")
    ]
    setup = campaign.melee((pieces[0],), (pieces[1],), None)
    for team, name in zip(setup["teams"], names, strict=True):
        team["name"] = name
        for element in team["elements"]:
            del element["seat"]
    return setup


@pytest.mark.parametrize("names", [("|referee", "Bees"), ("|side 1", "|referee")])
def test_hostile_a_side_called_as_the_referee_has_none_of_its_powers(names: Any) -> None:
    battle = SKIES.setup(sides(*names))
    assert REFEREE not in SKIES.seats(battle)
    assert len(SKIES.seats(battle)) == 2
    for command in ("draw", "forfeit", "end"):
        entry = {"turn": 1, "element": "Ayes Red", "command": command}
        seat, order = scenario_order(battle, entry, 0)
        assert seat != REFEREE
        assert SKIES.refusal(battle, seat, order) is not None


@pytest.mark.parametrize("key", ["element", "command", "option"])
def test_hostile_a_blank_text_in_an_order_makes_a_scenario_invalid(key: str) -> None:
    battle = SKIES.setup(sides("Ayes", "Bees"))
    entry = {"turn": 1, "element": "Ayes Red", "card": 1} | {key: " "}
    with pytest.raises(SetupError, match=rf"^orders\[0\]\.{key}: .*not blank"):
        scenario_order(battle, entry, 0)
    with pytest.raises(SetupError, match=r"^orders\[0\]\.targets: .*not blank"):
        scenario_order(battle, entry | {key: None, "element": "x", "targets": [""]}, 0)


def test_hostile_a_name_that_stands_twice_is_named_by_its_field() -> None:
    setup = sides("Ayes", "Bees")
    setup["teams"][1]["elements"][0]["fighters"][1]["name"] = "Ayes Red 1"
    with pytest.raises(SetupError, match=r"^setup.teams\[1\].elements\[0\].fighters\[1\].name: "):
        SKIES.setup(setup)
    setup["teams"][1]["elements"][0]["name"] = "Ayes Red"
    with pytest.raises(SetupError, match=r"^setup.teams\[1\].elements\[0\].name: "):
        SKIES.setup(setup)


def test_hostile_a_side_on_both_teams_is_named_by_its_field() -> None:
    campaign = STARS.campaign
    assert campaign is not None
    tail = "WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B"
    hawk, kite = (campaign.enlist(f"{name} FOR cartel {tail}") for name in ("Hawk", "Kite"))
    with pytest.raises(SetupError, match=r"^setup.teams\[1\].pilots\[0\].side: "):
        STARS.setup(campaign.melee((hawk,), (kite,), None))
    with pytest.raises(SetupError, match=r"^setup.teams\[0\].pilots\[1\].name: "):
        STARS.setup(campaign.melee([hawk, hawk], [kite], None))
