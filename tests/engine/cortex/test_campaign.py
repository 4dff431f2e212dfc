"""Task groups between battles: enlisting, meeting, and what a battle leaves on the sheet."""

import pytest

from engine.codec import change, decode, encode
from engine.cortex.between_battles import CAMPAIGN
from engine.cortex.model import Battle
from engine.cortex.setup import setup
from engine.cortex.tables import USUAL
from engine.cortex.vessel_types import CREWS, KINDS, points
from engine.errors import ForeignOrder, UnreadableOrder
from engine.seats import Seat

LANCE = CAMPAIGN.enlist("Iron Lance WITH Lance: fighter, veteran; Red: 3 fighters; Eye: frigate")
KITES = CAMPAIGN.enlist("Kites with Red: 2 x striker; Maul: gunboat; Fort: Frigate & green")


def test_a_group_is_read_with_several_of_a_kind_and_its_crews() -> None:
    ships = CAMPAIGN.sheet(LANCE)["ships"]
    assert [one["name"] for one in ships] == ["Lance", "Red 1", "Red 2", "Red 3", "Eye"]
    assert [one["crew"] for one in ships] == ["veteran", *["regular"] * 4]
    assert CAMPAIGN.sheet(LANCE)["worth"] == sum(one["worth"] for one in ships)
    assert CAMPAIGN.sheet(KITES)["ships"][-1]["crew"] == "green"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ravens WITH Lance: figter", "'figter' is not among kinds of vessels"),
        ("Ravens WITH Lance: fighter, hero", "'hero' is not among kinds of crews"),
        ("Ravens WITH Lance fighter", "is not a vessel"),
        ("Ravens WITH A: fighter; a: gunboat", "two vessels are called"),
        ("Ravens WITH A: 13 fighters", "1 to 12 vessels"),
        ("Ravens WITH A: 0 fighters", "1 to 12 vessels"),
        ("Ravens WITH pilot: fighter", "is not a name"),
    ],
)
def test_what_is_wrong_is_said(text: str, why: str) -> None:
    with pytest.raises(UnreadableOrder, match=why):
        CAMPAIGN.enlist(text)


def test_another_form_is_foreign() -> None:
    with pytest.raises(ForeignOrder):
        CAMPAIGN.enlist("Hawk, League, 1903L, 12/12/12")


def test_every_kind_and_crew_makes_a_valid_set_up() -> None:
    every = [f"{kind}, {crew}" for kind in KINDS for crew in CREWS]
    ones = (f"A{n}: {text}" for n, text in enumerate(every[:12]))
    others = (f"B{n}: {text}" for n, text in enumerate(every[12:]))
    one = CAMPAIGN.enlist(f"One WITH {'; '.join(ones)}")
    other = CAMPAIGN.enlist(f"Other WITH {'; '.join(others)}")
    battle = setup(CAMPAIGN.melee((one,), (other,), None))
    assert len(battle.sheets) == len(KINDS) * len(CREWS)
    assert battle.options == USUAL
    for kind in KINDS:
        rising = [points(kind, crew) for crew in CREWS]
        assert rising == sorted(set(rising))


def test_names_in_common_get_their_groups_and_seats_are_groups() -> None:
    battle = setup(CAMPAIGN.melee((LANCE,), (KITES,), None))
    assert "Iron Lance Red 1" in battle.sheets
    assert "Kites Red 1" in battle.sheets
    assert "Red 3" in battle.sheets
    assert {one.seat for one in battle.sheets.values()} == {"Iron Lance", "Kites"}
    assert [team.name for team in battle.teams] == ["Iron Lance", "Kites"]
    allied = setup(
        CAMPAIGN.melee((LANCE,), (KITES, CAMPAIGN.enlist("Herons WITH A: fighter")), None)
    )
    assert [team.name for team in allied.teams] == ["Team Iron Lance", "Team Kites"]
    assert {one.seat for one in allied.sheets.values() if one.team} == {"Kites", "Herons"}


def test_what_a_battle_left_stands_on_the_sheet_and_is_repaired_before_the_next() -> None:
    battle = setup(CAMPAIGN.melee((LANCE,), (KITES,), None))
    left = {
        "Lance": {"fate": "destroyed", "wound": 150},
        "Eye": {"wound": 700, "stun": 100, "damaged": frozenset({"ftl", "sensors"})},
        "Maul": {"fate": "disabled"},
        "Fort": {"fate": "surrendered", "guns": {**battle.vessels["Fort"].guns, "Javelin": 1}},
    }
    vessels = {name: change(one, **left.get(name, {})) for name, one in battle.vessels.items()}
    ended = change(battle, vessels=vessels, over=True, winner="Iron Lance")
    ended = decode(encode(ended), Battle)  # as it is kept: with its names sorted
    day = "2026-11-02"
    won = CAMPAIGN.after(LANCE, ended, Seat("Iron Lance"), day, day)
    sheet = CAMPAIGN.sheet(won.persona)
    assert [sheet[key] for key in ("battles", "wins", "felled", "lost")] == [1, 1, 2, 1]
    assert sheet["ships"][0]["fate"] == "destroyed"
    assert sheet["ships"][-1]["damaged"] == ["ftl", "sensors"]
    lost = CAMPAIGN.after(KITES, ended, Seat("Kites"), day, day)
    sheet = CAMPAIGN.sheet(lost.persona)
    assert [sheet[key] for key in ("battles", "wins", "felled", "lost")] == [1, 0, 1, 0]
    assert sheet["ships"][-1]["spent"] == {"Javelin": KINDS["frigate"].arms["Javelin"] - 1}
    again = setup(CAMPAIGN.melee((won.persona,), (lost.persona,), None))
    assert all(one.fate == "active" and not one.wound for one in again.vessels.values())
    assert again.vessels["Fort"].guns == battle.vessels["Fort"].guns


def test_groups_of_very_different_worth_do_not_meet() -> None:
    alone = CAMPAIGN.enlist("Lone WITH A: fighter")
    assert CAMPAIGN.bar(LANCE, LANCE) is None
    assert "points" in str(CAMPAIGN.bar(LANCE, alone))


def test_a_challenge_may_ask_for_range_rules_rocks_and_an_atmosphere() -> None:
    data = CAMPAIGN.melee((LANCE,), (KITES,), None)
    terms = CAMPAIGN.terms
    assert set(setup(terms["RANGE"](data, "Short")).ranges.values()) == {2}
    assert set(setup(terms["ATMOSPHERE"](data, "5,000 feet")).ranges.values()) == {5000}
    assert not setup(terms["ROCKS"](data, "2")).ready
    assert setup(terms["OPTIONS"](data, "crew1")).options == USUAL - {"crew2"} | {"crew1"}
    fewer = setup(terms["WITHOUT"](data, "battle damage, spotters and collisions")).options
    assert fewer == USUAL - {"battle_damage", "spotters", "collisions"}
    wrong = [
        ("RANGE", "near"),
        ("ATMOSPHERE", "5"),
        ("ROCKS", "x"),
        ("OPTIONS", "magic"),
        ("OPTIONS", "crew1, crew2"),
    ]
    for word, text in wrong:
        with pytest.raises(UnreadableOrder):
            terms[word](data, text)
    with pytest.raises(UnreadableOrder):
        terms["WITHOUT"](terms["ATMOSPHERE"](data, "5000"), "atmosphere")
