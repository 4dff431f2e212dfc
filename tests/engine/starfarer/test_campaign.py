"""Squads between fights: enlisting, meeting, and what a fight leaves on the sheet."""

import pytest

from engine.codec import change, decode, encode
from engine.errors import ForeignOrder, UnreadableOrder
from engine.seats import Seat
from engine.starfarer.between_battles import CAMPAIGN
from engine.starfarer.challenge import between
from engine.starfarer.equipment import ARCHETYPES, ARMOUR, WEAPONS, points
from engine.starfarer.model import Battle
from engine.starfarer.setup import setup
from tests.engine.starfarer.skirmishes import wound

RAVENS = CAMPAIGN.enlist("Ravens WITH Kitai: scout; Bo: guard, Boar, suit")
KITES = CAMPAIGN.enlist("Kites WITH Bo: duellist; Cy: medic, Colt 12")


def test_a_squad_is_read_with_the_usual_kit_or_its_own() -> None:
    members = CAMPAIGN.sheet(RAVENS)["members"]
    assert members[0]["kit"] == list(ARCHETYPES["scout"].kit)
    assert members[1]["kit"] == ["Boar", "suit"]
    assert CAMPAIGN.sheet(RAVENS)["worth"] == sum(one["worth"] for one in members)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ravens WITH Kitai: scot", "'scot' is not among kinds of characters"),
        ("Ravens WITH Kitai: scout, Lux 8", "'Lux 8' is not among the catalogue"),
        ("Ravens WITH Kitai scout", "is not a character"),
        ("Ravens WITH A: scout; a: guard", "two characters are called"),
        ("Ravens WITH " + "; ".join(f"A{n}: scout" for n in range(5)), "1 to 4 characters"),
        ("Ravens WITH A: scout, vest, vest", "the same thing twice"),
        ("Ravens WITH A: scout, Boar, Pike, Maul, Talon", "at most 3 weapons"),
        ("Ravens WITH nearest: scout", "is not a name"),
        ("Ravens WITH Left Hand: scout", "is not a name"),
    ],
)
def test_what_is_wrong_is_said(text: str, why: str) -> None:
    with pytest.raises(UnreadableOrder, match=why):
        CAMPAIGN.enlist(text)


def test_another_form_is_foreign() -> None:
    with pytest.raises(ForeignOrder):
        CAMPAIGN.enlist("Hawk, League, 1903L, 12/12/12")


def test_every_kind_makes_a_valid_set_up_of_two_to_four_teams() -> None:
    every = [CAMPAIGN.enlist(f"S{n} WITH A: {kind}") for n, kind in enumerate(ARCHETYPES)]
    for count in (2, 3, 4):
        battle = setup(between([[one] for one in every[:count]]))
        assert [team.name for team in battle.teams] == [f"S{n}" for n in range(count)]
        # Those with the same name have their squad's before it.
        assert set(battle.sheets) == {f"S{n} A" for n in range(count)}
        assert {sheet.seat for sheet in battle.sheets.values()} == {f"S{n}" for n in range(count)}
    assert all(points(kind, one.kit) > 0 for kind, one in ARCHETYPES.items())
    assert not set(WEAPONS) & set(ARMOUR)


def test_what_a_fight_left_stands_on_the_sheet_and_is_healed_before_the_next() -> None:
    battle = setup(CAMPAIGN.melee((RAVENS,), (KITES,), None))
    bodies = dict(battle.bodies)
    wounds = bodies["Kitai"].wounds
    bodies["Kitai"] = change(bodies["Kitai"], wounds=(wounds[0], wound(3), *wounds[2:]), shock=9)
    bodies["Kites Bo"] = change(bodies["Kites Bo"], fate="dead")
    ended = change(battle, bodies=bodies, over=True, winner="Ravens", felled={"Kitai": 1})
    ended = decode(encode(ended), Battle)  # as it is kept: with its names sorted
    won = CAMPAIGN.after(RAVENS, ended, Seat("Ravens"), "2026-11-02", "2026-11-02")
    sheet = CAMPAIGN.sheet(won.persona)
    assert (sheet["fights"], sheet["wins"], sheet["felled"], sheet["lost"]) == (1, 1, 1, 0)
    assert sheet["members"][0]["hurt"][0]["worst"] == "Medium"
    assert sheet["members"][0]["shock"] == 9
    lost = CAMPAIGN.after(KITES, ended, Seat("Kites"), "2026-11-02", "2026-11-02")
    assert CAMPAIGN.sheet(lost.persona)["lost"] == 1
    assert CAMPAIGN.sheet(lost.persona)["members"][0]["fell"]
    again = setup(CAMPAIGN.melee((won.persona,), (lost.persona,), None))
    assert all(body.shock == 0 and body.fate == "active" for body in again.bodies.values())


def test_squads_of_very_different_worth_do_not_meet() -> None:
    alone = CAMPAIGN.enlist("Lone WITH A: scout")
    assert CAMPAIGN.bar(RAVENS, KITES) is None
    assert "points" in str(CAMPAIGN.bar(RAVENS, alone))


def test_a_challenge_may_ask_for_a_field_and_options() -> None:
    data = CAMPAIGN.melee((RAVENS,), (KITES,), None)
    longer = setup(CAMPAIGN.terms["FIELD"](data, "120"))
    assert longer.field == 120
    assert {body.at for body in longer.bodies.values()} == {40, 38, 80, 82}
    options = setup(CAMPAIGN.terms["OPTIONS"](data, "modifiers, blow through")).options
    assert (options.declaration, options.modifiers, options.blow_through) == (True, True, True)
    for word, wrong in (("FIELD", "5"), ("FIELD", "x"), ("OPTIONS", "magic")):
        with pytest.raises(UnreadableOrder):
            CAMPAIGN.terms[word](data, wrong)
