"""Designs as players write them: what is read, what is refused and why; no text crashes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.blackskies.between_battles import CAMPAIGN
from engine.blackskies.blueprints import BLUEPRINTS
from engine.blackskies.design import LASER_CANNON, Design, spent, weight_of
from engine.blackskies.design_text import FORM, read_design, takes, written
from engine.blackskies.league_catalogue import USUAL
from engine.blackskies.persona_record import squadron_of
from engine.blackskies.rules import BLACKSKIES
from engine.blackskies.tables import MOST_SHIELDS, THRUSTERS, WEIGHTS
from engine.campaign import Blueprint, Persona
from engine.errors import OrderError, SetupError, UnreadableOrder
from engine.names import fold
from tests.support.trial_counts import tries

TAIL, AUTO = USUAL.weapons["Tail Gun"], USUAL.weapons["Autocannon"]
FIELDS = "WEIGHT medium", "THRUSTERS rear, side", "WEAPONS 2 Laser Cannon", "ARMOUR 1", "SHIELDS 0"
WOLF = Design("Wolf", "medium", ("rear", "side"), (LASER_CANNON, LASER_CANNON), 1, 0)


@pytest.mark.parametrize(
    "text",
    [
        FORM.removeprefix("DESIGN "),
        "Wolf\n" + "\n".join(FIELDS),
        "Wolf: medium, rear thrusters, side, Laser Cannons and Laser Cannon, 1 armour",
        "Wolf\nweight: Medium\nTHRUSTERS = rear + side\nweapons: laser cannon x2\nARMOR 1",
        "Wolf:\n- MEDIUM\n\n- REAR/SIDE\n- 2x Laser Cannon\n- ARMOUR: 1\n- SHIELDS ____",
    ],
)
def test_a_design_is_read_from_a_line_or_a_form(text: str) -> None:
    assert read_design(text) == WOLF


def test_weapons_stay_in_the_order_in_which_they_fire() -> None:
    made = read_design("Fox: HEAVY, Tail Gun, 2 Autocannon, Tail Gun")
    assert made.weapons == (TAIL, AUTO, AUTO, TAIL)
    assert (
        written(made) == "DESIGN Fox: HEAVY, Tail Gun, 2 Autocannon, Tail Gun, ARMOUR 0, SHIELDS 0"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wolf", ["its weight is missing: LIGHT, MEDIUM or HEAVY"]),
        ("Wolf: LIGHT, HEAVY", ["a fighter has one weight, not light, heavy"]),
        ("Wolf: LIGHT, ARMOUR 2", ["ARMOUR 2: a light fighter takes 1 at most"]),
        ("Wolf: HEAVY, SHIELDS 3", ["SHIELDS 3: a heavy fighter takes 2 at most"]),
        ("Wolf: HEAVY, SHIELDS 1, SHIELDS 2", ["SHIELDS stands there twice"]),
        ("Wolf: HEAVY, ARMOUR two", ["ARMOUR two: a figure is needed there"]),
        (
            "Wolf: LIGHT, 2 Laser Cannon, ARMOUR 1",
            ["2 Laser Cannon, ARMOUR 1 take 3 hardpoints, and a light fighter has 2: 1 too many"],
        ),
        (
            "Wolf: HEAVY, Death Ray, ARMOUR 1, SHIELDS 2",
            ["Death Ray is not a weapon", "so far 3 of 4 hardpoints, 1 left"],
        ),
        ("Wolf: HEAVY, Tail Gun FORWARD", ["Tail Gun has its arcs by itself"]),
        ("Wolf: LIGHT, THRUSTERS rear upward", ["there are REAR, SIDE, FORWARD"]),
        ("Black Tiger: LIGHT", ["Black Tiger is in the catalogue"]),
        ("X Wing: LIGHT", ["would be misread in a squadron"]),
        ("3 Wolves: LIGHT", ["would be misread in a squadron"]),
        ("Wolf! (new): LIGHT", ["is not a name"]),
        (": LIGHT", ["it has no name"]),
        (
            "3 Wolves: Death Ray, ARMOUR x",
            ["Death Ray", "ARMOUR x", "misread", "its weight is missing"],
        ),
    ],
)
def test_every_fault_is_told(text: str, expected: list[str]) -> None:
    with pytest.raises(UnreadableOrder) as refused:
        read_design(text)
    assert [one for one in expected if one not in str(refused.value)] == []
    assert refused.value.hint


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Wolf: MEDUIM, REER SIDE, 2 Lazer Cannons, ARMUOR 1", written(WOLF)),
        ("Wolf\nWEIGTH medium\nTHRUSTERS raer, side\n2x Laser Canon\nARMOUR 1", written(WOLF)),
        ("Fox: LIGHT, Tail Gun REAR", "DESIGN Fox: LIGHT, Tail Gun, ARMOUR 0, SHIELDS 0"),
    ],
)
def test_near_misses_are_answered_with_the_whole_line_as_it_was_meant(
    text: str, meant: str
) -> None:
    with pytest.raises(UnreadableOrder) as refused:
        read_design(text)
    assert refused.value.hint == meant
    assert "weight is missing" not in str(refused.value)


def test_a_line_below_belongs_to_the_form_if_it_begins_like_one() -> None:
    assert all(map(takes, (*FIELDS, "weight: heavy", "WEIGTH heavy", "Armor 2")))
    assert not any(map(takes, ("", "SQUADRON Hawks WITH", "Thanks, Ann", "FIRE AT Kestrel")))


BITS = st.sampled_from(
    (
        *("Wolf", "Black Tiger", *WEIGHTS, *THRUSTERS, *USUAL.weapons, "Lazer Canon", "WITH"),
        *("WEIGHT", "THRUSTERS", "WEAPONS", "ARMOUR", "SHIELDS", "none", "and", "SKILL", "____"),
        *("0", "1", "2", "2x", "x3", "-1", "99", "²", ",", ";", ":", "=", "\n", "- ", "{", "%s"),
    )
)
WRITTEN = st.one_of(
    st.text(max_size=120),
    st.lists(BITS, max_size=24).map(" ".join),
    st.lists(BITS, max_size=12).map(lambda bits: "Wolf: " + ", ".join(bits)),
)


@settings(max_examples=tries(800, 150), deadline=None)
@given(WRITTEN)
def test_no_text_crashes_and_what_is_accepted_obeys_all_rules(text: str) -> None:
    try:
        made = read_design(text)
    except OrderError as error:
        told = (str(error), error.hint)
        assert all(told)
        return
    assert spent(made) <= weight_of(made).hardpoints
    assert 0 <= made.armour <= weight_of(made).armour
    assert 0 <= made.shields <= MOST_SHIELDS
    assert len(set(made.thrusters)) == len(made.thrusters)
    assert set(made.weapons) <= set(USUAL.weapons.values())
    assert read_design(written(made).removeprefix("DESIGN ")) == made
    assert made.name in BLACKSKIES.setup(duel(hawks(made), hawks(made, "Kites"))).designs


def drawn(made: Design) -> Blueprint:
    return BLUEPRINTS.read(written(made).removeprefix("DESIGN "), USUAL)


def hawks(made: Design, name: str = "Hawks") -> Persona:
    """A squadron of one element that flies a design."""
    return BLUEPRINTS.enlist(f"{name} WITH {name[0]}: 2 {made.name} SKILL 2", USUAL, [drawn(made)])


def duel(one: Persona, other: Persona) -> dict[str, object]:
    return CAMPAIGN.melee((one,), (other,), None)


def test_designs_of_one_name_are_told_apart_in_a_battle() -> None:
    other = Design("wolf", "heavy", (), (TAIL,), 2, 0)
    data = duel(hawks(WOLF), hawks(other, "Kites"))
    battle = BLACKSKIES.setup(data)
    assert set(battle.designs) == {"Hawks Wolf", "Kites wolf"}
    assert battle.designs["Kites wolf"].armour == 2
    assert [e.design for e in battle.elements.values()] == ["Hawks Wolf", "Kites wolf"]


def test_weapons_that_a_catalogue_has_changed_are_told_apart_in_a_battle() -> None:
    raw = {"weapons": {"Tail Gun": {"arc": [3], "rof": 6, "range": [9, 9, 9], "die": 12}}}
    tail = Design("Fox", "light", (), (TAIL,), 0, 0)
    changed = BLUEPRINTS.stock(raw)
    new = BLUEPRINTS.enlist("Kites WITH K: Fox SKILL 2", changed, [drawn(tail)])
    battle = BLACKSKIES.setup(duel(hawks(tail), new))
    assert {d.weapons[0].name: d.weapons[0].rof for d in battle.designs.values()} == {
        "Hawks Tail Gun": 1,
        "Kites Tail Gun": 6,
    }


def test_a_squadron_keeps_its_designs_whatever_becomes_of_the_catalogue() -> None:
    squadron = squadron_of(CAMPAIGN.enlist("Hawks WITH H: Gadfly SKILL 2"))
    assert [design.name for design in squadron.designs] == ["Gadfly"]
    bare = BLUEPRINTS.stock({})
    assert set(bare.designs) == {"Black Tiger"}
    with pytest.raises(UnreadableOrder, match="weapons that are no longer in the catalogue"):
        BLUEPRINTS.enlist("Hawks WITH H: Fox SKILL 2", bare, [Blueprint("Fox", drawn_fox())])
    assert BLUEPRINTS.sheet(Blueprint("Fox", drawn_fox()), bare)["lost"] is True


def drawn_fox() -> dict[str, object]:
    return drawn(Design("Fox", "light", (), (TAIL,), 0, 0)).record


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ([], "catalogue: an object is needed"),
        ({"design": {}}, "catalogue.design means nothing; known are weapons, designs"),
        (
            {"designs": {"Fox": {"weight": "light", "armor": 1}}},
            "catalogue.designs.Fox.armor means",
        ),
        (
            {"weapons": {"Gun": {"arc": [6]}}},
            "catalogue.weapons.Gun.arc[0]: 6 is not a whole number",
        ),
        (
            {"designs": {"Fox": {"weight": "huge"}}},
            "catalogue.designs.Fox.weight: 'huge' is none of",
        ),
        ({"designs": {"Black Tiger": {}}}, "catalogue.designs.Black Tiger: it is built in"),
        (
            {"designs": {"3 Foxes": {**drawn_fox(), "weapons": []}}},
            "catalogue.designs.3 Foxes: nobody could write that name in an order",
        ),
        (
            {"weapons": {"Rear": {"arc": [3], "rof": 1, "range": [1, 2, 3], "die": 4}}},
            "catalogue.weapons.Rear: nobody could write that name in an order",
        ),
        (
            {"designs": {one: {**drawn_fox(), "weapons": []} for one in ("Fox", "FOX")}},
            "catalogue.designs: 'fox' stands there twice",
        ),
    ],
)
def test_a_wrong_catalogue_is_refused_with_the_place(raw: object, expected: str) -> None:
    with pytest.raises(SetupError) as refused:
        BLUEPRINTS.stock(raw)
    assert str(refused.value).startswith(expected)


def test_the_usual_catalogue_can_be_written_in_orders() -> None:
    for name, one in USUAL.designs.items():
        view = next(each for each in BLUEPRINTS.view(USUAL)["designs"] if each["name"] == name)
        renamed = view["order"].replace(name, "Copy").removeprefix("DESIGN ")
        assert read_design(renamed).weapons == one.weapons
        assert fold(name) != fold("Copy")
