"""At least one test for each ruling of rules/blackskies.md, BS-1 to BS-28, named after it."""

import pytest

from engine.blackskies.challenge import standard
from engine.blackskies.design import BLACK_TIGER
from engine.blackskies.geometry import STEPS, bearing, in_arc, norm, within
from engine.blackskies.tables import shielded
from engine.errors import IllegalOrder, SetupError
from engine.replay import ScenarioError, replay
from engine.seats import REFEREE
from tests.engine.blackskies.fights import (
    BLUE,
    DESIGNS,
    HIT,
    MISS,
    RED,
    WEAPONS,
    Fight,
    alone,
    begin,
    design,
    duel,
    element,
    facing,
    fight,
    setup,
)

# Space


def test_bs_1_six_steps_lead_round_and_each_is_half_an_inch() -> None:
    assert tuple(map(sum, zip(*STEPS, strict=True))) == (0, 0)
    assert {norm(q, r) for q, r in STEPS} == {1}
    assert all(STEPS[n] == (-STEPS[n - 3][0], -STEPS[n - 3][1]) for n in range(6))
    assert alone(speed=12).turn().at("Red 1") == (24, 0)


def test_bs_1_fighters_do_not_collide_and_block_no_shot() -> None:
    line = fight(
        [element("Red", (0, 0), speed=0), element("Mate", (4, 0), speed=0)],
        [element("Blue", (4, 0)), element("Last", (8, 0))],
    )
    assert line.turn("Red: STEADY; TARGETS Last", "Mate: HOLD FIRE; STEADY", dice=(MISS,) * 2)


@pytest.mark.parametrize(("point", "inside"), [((12, 0), True), ((13, 0), False), ((0, -12), True)])
def test_bs_2_exactly_the_range_is_within_it(point: tuple[int, int], inside: bool) -> None:
    assert within(norm(*point), 6) is inside


@pytest.mark.parametrize(
    ("vector", "arcs"),
    [
        ((5, 0), {0}),
        ((5, -5), {1}),
        ((-5, 0), {3}),
        ((0, 5), {5}),
        ((2, -1), {0, 1}),
        ((1, 1), {0, 5}),
        ((0, 0), set()),
    ],
)
def test_bs_3_wedges_of_60_degrees_whose_edges_are_in_both(
    vector: tuple[int, int], arcs: set[int]
) -> None:
    assert {arc for arc in range(6) if in_arc(*vector, arc)} == arcs
    assert {arc for arc in range(6) if in_arc(*vector, 4 + arc)} == {(a - 4) % 6 for a in arcs}
    assert bearing(*vector, 0) == min(arcs, default=None)


# Fighters


@pytest.mark.parametrize(
    ("kind", "hull", "half", "fast"), [("Dart", 4, 2, 4), ("Wolf", 6, 3, 3), ("Bear", 8, 4, 2)]
)
def test_bs_4_weights_and_when_they_are_crippled(
    kind: str, hull: int, half: int, fast: int
) -> None:
    battle = alone(design=kind)
    assert battle.state["fighters"]["Red 1"]["hull"] == hull
    assert not battle.hurt("Red 1", half + 1).state["fighters"]["Red 1"]["crippled"]
    assert battle.hurt("Red 1", half).state["fighters"]["Red 1"]["crippled"]
    assert battle.refusal(f"Red: ACCELERATE {fast}") is None
    assert battle.refusal(f"Red: ACCELERATE {fast + 1}") == "bad option"


@pytest.mark.parametrize(
    ("built", "sound"),
    [
        (design("light", "Turret", shields=1), True),
        (design("light", "Turret", armour=1, shields=1), False),
        (design("light", armour=2), False),
        (design("heavy", armour=2, shields=2), True),
        (design("heavy", armour=3), False),
        (design("heavy", shields=3), False),
        (design("medium", "Turret", "Turret", "Turret", "Turret"), False),
        (design("medium"), True),
        (design("medium", thrusters=["rear", "rear"]), False),
    ],
)
def test_bs_5_what_a_design_may_carry(built: dict[str, object], sound: bool) -> None:
    given = setup([element("Red", (0, 0), design="New")], [element("Blue", (9, 9))])
    given["designs"] = {**given["designs"], "New": built}
    scenario = {"system": "blackskies", "setup": given, "orders": [], "dice": []}
    if sound:
        assert replay(scenario)["over"] is False
    else:
        with pytest.raises(ScenarioError, match=r"setup\.designs\.New"):
            replay(scenario)


def test_bs_6_the_laser_cannon_and_the_black_tiger_are_built_in() -> None:
    assert (BLACK_TIGER.weight, BLACK_TIGER.thrusters) == ("medium", ("rear",))
    assert (BLACK_TIGER.armour, BLACK_TIGER.shields) == (1, 0)
    cannon, twin = BLACK_TIGER.weapons
    assert cannon == twin
    assert (cannon.arc, cannon.rof, cannon.range, cannon.die) == ((0,), 1, (6, 12, 18), 6)
    again = {"weight": "light", "thrusters": [], "weapons": [], "armour": 0, "shields": 0}
    with pytest.raises(SetupError, match="built in"):
        fight([element("Red", (0, 0))], [element("Blue", (9, 9))], designs={"Black Tiger": again})


def test_bs_7_an_element_keeps_its_offset_and_the_wingman_takes_the_lead() -> None:
    pair = fight([element("Red", (0, 0), (-4, 4))], [element("Blue", (400, 0))])
    turned = pair.turn("Red: BREAK LEFT")
    assert (turned.at("Red 1"), turned.at("Red 2")) == ((8, -8), (4, -4))
    assert turned.element("Red").heading == 1
    left_alone = pair.hurt("Red 2", 3).lost("Red 1")
    assert left_alone.chance("Red: HARD LEFT") == 67


def test_bs_7_at_most_six_inches_apart_at_the_start() -> None:
    assert fight([element("Red", (0, 0), (12, 0))], [element("Blue", (99, 0))])
    with pytest.raises(SetupError, match="BS-7"):
        fight([element("Red", (0, 0), (13, 0))], [element("Blue", (99, 0))])


# The turn


@pytest.mark.parametrize(("roll", "first"), [(3, "red"), (4, "blue")])
def test_bs_8_who_moves_first_is_rolled_once(roll: int, first: str) -> None:
    start = fight([element("Red", (0, 0))], [element("Blue", (400, 0))], first=None)
    assert start.state["first"] is None
    begun = start.own_step(roll)
    assert begun.state["first"] == first
    assert begun.turn().state["first"] == first


def test_bs_9_decks_are_filled_up_with_placeholders_and_never_change() -> None:
    many = [element(name, (0, n), speed=1) for n, name in enumerate(("A", "B", "C"))]
    few = [element("X", (400, 0))]
    battle = fight(many, few, first="blue")
    order = [event.element for event in battle.turn().events_of("Flown")]
    assert order == ["X", "A", "B", "C"]
    assert [event.element for event in battle.turn().turn().events_of("Flown")] == order
    decked = setup(many, few)
    decked["teams"][0]["deck"] = ["C", "A", "B"]
    decked["teams"][1]["deck"] = [None, None, "X"]
    late = begin(decked).turn()
    assert [event.element for event in late.events_of("Flown")] == ["C", "A", "B", "X"]


@pytest.mark.parametrize("deck", [["A"], ["A", "B", "C"], ["A", None], ["B", "B"], ["A", 1]])
def test_bs_9_a_deck_names_each_element_once(deck: list[object]) -> None:
    decked = setup([element(n, (0, 0)) for n in ("A", "B")], [element("X", (400, 0))])
    decked["teams"][0]["deck"] = deck
    with pytest.raises(SetupError, match="deck"):
        begin(decked)


def test_bs_10_a_later_order_replaces_the_earlier_and_silence_flies_on() -> None:
    battle = alone().filed("Red: ACCELERATE 2", "Red: BREAK LEFT")
    assert battle.battle.pending["Red"].option == "break"
    assert battle.state["to_order"] == ["Blue"]
    assert battle.turn().element("Red").heading == 1
    silent = facing(5).turn(dice=(MISS, MISS))
    assert [event.option for event in silent.events_of("Flown")] == ["steady", "steady"]
    assert [event.at for event in silent.events_of("Fired")] == ["Blue 1", "Blue 1"]


def test_bs_10_an_order_is_known_to_its_own_seat_only() -> None:
    filed = alone().filed("Red: BREAK LEFT")
    (ordered,) = filed.events_of("Ordered")
    assert ordered.audience == (RED,)
    seen = [filed.view(seat) for seat in (BLUE, None, REFEREE)]
    assert seen == [alone().view(seat) for seat in (BLUE, None, REFEREE)]
    assert filed.view(RED)["mine"][0]["order"] == "Red: BREAK LEFT"


def test_bs_11_who_leaves_goes_first_and_cards_are_played_by_turns() -> None:
    reds = [element("Red", (0, 0), speed=0), element("Mate", (0, 2), speed=0)]
    battle = fight(reds, [element("Blue", (10, 0)), element("Kite", (300, 0))])
    gone = battle.turn("Mate: STEADY; HOLD FIRE", "Blue: SURRENDER")
    assert [type(event).__name__ for event in gone.events[-6:]] == [
        "Closed",
        "Left",
        *["Flown"] * 3,
        "Opened",
    ]
    assert [event.element for event in gone.events_of("Flown")] == ["Red", "Mate", "Kite"]


def test_bs_12_first_the_checks_then_the_flight_then_the_penalty_then_fire() -> None:
    start = fight([element("Red", (0, 0), (0, 2), speed=3)], [element("Blue", (6, -13))])
    orders = ("Red: HARD LEFT", "Blue: STEADY; HOLD FIRE")
    played = start.hurt("Red 1", 3).turn(*orders, dice=(3, MISS, MISS, MISS))
    kinds = [type(event).__name__ for event in played.events]
    assert kinds[2:] == ["Closed", "Checked", "Flown", *["Fired"] * 3, "Flown", "Opened"]
    red, _ = played.events_of("Flown")
    assert (red.speed, red.slowed) == (3, 1)
    faster = alone(speed=2).turn("Red: ACCELERATE 3").events_of("Flown")[0]
    assert (faster.speed, faster.tracks["Red 1"][-1]) == (5, (10, 0))


# Piloting


@pytest.mark.parametrize(
    ("skill", "hull", "roll", "passed"),
    [
        (1, 6, 2, True),
        (1, 6, 1, False),
        (2, 6, None, True),
        (4, 3, 2, True),
        (4, 3, 1, False),
        (1, 3, 5, True),
        (1, 3, 4, False),
    ],
)
def test_bs_13_die_and_skill_against_the_difficulty_doubled_when_crippled(
    skill: int, hull: int, roll: int | None, passed: bool
) -> None:
    fighters = [{"name": "Red 1", "skill": skill, "q": 0, "r": 0}]
    battle = alone(fighters=fighters).hurt("Red 1", hull)
    flown = battle.turn("Red: HARD LEFT", dice=(roll,) if roll else ()).events_of("Flown")[0]
    assert flown.mastered is passed


def test_bs_13_a_check_that_a_6_cannot_pass_fails_without_a_die() -> None:
    """Skill 4, crippled, one check failed: an asteroid is 3 doubled twice, less 4."""
    fighters = [{"name": "Red 1", "skill": 4, "q": 0, "r": 0}]
    rocks = [{"q": 4, "r": 0, "radius": 1}]
    blue = [element("Blue", (400, 0))]
    battle = fight([element("Red", (0, 0), fighters=fighters)], blue, asteroids=rocks)
    struck = battle.hurt("Red 1", 3).turn("Red: SNAKE LEFT", dice=(1, 1))
    card, rock = struck.events_of("Checked")
    assert (card.needed, card.roll) == (2, 1)
    assert (rock.needed, rock.roll, rock.asteroid) == (8, None, 0)


def test_bs_14_the_lead_decides_and_who_failed_does_not_fire() -> None:
    skills = [{"name": f"Red {n}", "skill": n, "q": 0, "r": 2 * n} for n in (1, 2)]
    reds = [element("Red", (0, 0), fighters=skills, speed=0)]
    battle = fight(reds, [element("Blue", (10, 0), heading=0, design="Barge")])
    wingman = battle.turn("Red: HARD LEFT", dice=(1,))
    assert wingman.events_of("Flown")[0].mastered is False
    close = fight(
        [element("Red", (0, 0), fighters=skills[::-1], speed=0, heading=4)],
        [element("Blue", (10, 2), heading=0, design="Barge")],
    )
    follows = close.turn("Red: HARD LEFT", dice=(1, MISS, MISS))
    assert follows.events_of("Flown")[0].mastered is True
    assert {event.by for event in follows.events_of("Fired")} == {"Red 2"}


@pytest.mark.parametrize(
    ("line", "heading", "slowed"),
    [
        ("Red: HARD LEFT", 1, 2),
        ("Red: HARD RIGHT", 5, 2),
        ("Red: SNAKE LEFT", 0, 4),
        ("Red: SIDESLIP RIGHT", 5, 4),
        ("Red: REVERSE LEFT", 1, 0),
        ("Red: BOOTLEGGER", 0, 2),
        ("Red: AFTERBURNER", 0, 4),
        ("Red: LATE RIGHT", 5, 3),
    ],
)
def test_bs_15_who_fails_flies_the_easiest_of_the_same_direction_and_pays_all_the_same(
    line: str, heading: int, slowed: int
) -> None:
    fighters = [{"name": "Red 1", "skill": 1, "q": 0, "r": 0}]
    failed = alone(fighters=fighters).hurt("Red 1", 3).turn(line, dice=(1,))
    flown = failed.events_of("Flown")[0]
    assert (flown.heading, flown.slowed, flown.retrograde) == (heading, slowed, False)
    assert flown.speed == 4


# Manoeuvres


@pytest.mark.parametrize(
    ("line", "end", "heading", "slowed"),
    [
        ("STEADY", (8, 0), 0, 4),
        ("ACCELERATE 2", (12, 0), 0, 6),
        ("DECELERATE", (6, 0), 0, 3),
        ("BREAK LEFT", (8, -8), 1, 2),
        ("SMOOTH LEFT", (8, -4), 1, 4),
        ("LATE LEFT", (8, 0), 1, 3),
        ("BREAK RIGHT", (0, 8), 5, 2),
        ("SMOOTH RIGHT", (4, 4), 5, 4),
        ("LATE RIGHT", (8, 0), 5, 3),
        ("AFTERBURNER", (16, 0), 0, 8),
        ("HARD LEFT", (8, -4), 2, 2),
        ("HARD RIGHT", (4, 4), 4, 2),
        ("SNAKE LEFT", (4, 0), 0, 4),
        ("SNAKE RIGHT", (4, 0), 0, 4),
        ("SIDESLIP LEFT", (8, -8), 0, 4),
        ("SIDESLIP RIGHT", (0, 8), 0, 4),
        ("REVERSE LEFT", (4, -8), 3, 0),
        ("REVERSE RIGHT", (-4, 8), 3, 0),
    ],
)
def test_bs_16_every_manoeuvre_ends_where_the_table_says(
    line: str, end: tuple[int, int], heading: int, slowed: int
) -> None:
    flown = alone().turn(f"Red: {line}").events_of("Flown")[0]
    assert flown.mastered
    assert (flown.tracks["Red 1"][-1], flown.heading, flown.slowed) == (end, heading, slowed)


@pytest.mark.parametrize(("kind", "gain"), [("Dart", 6), ("Wolf", 4), ("Bear", 3)])
def test_bs_16_the_afterburner_and_the_limits_of_speed(kind: str, gain: int) -> None:
    assert alone(design=kind).turn("Red: AFTERBURNER").element("Red").speed == 4 + gain
    assert alone(design=kind, speed=11).turn("Red: AFTERBURNER").element("Red").speed == 12
    assert alone(speed=0).turn("Red: DECELERATE").element("Red").speed == 0
    assert alone(speed=1).turn("Red: BREAK LEFT").element("Red").speed == 0


def test_bs_16_cards_need_their_thrusters_and_options() -> None:
    bare = alone(design="Black Tiger")
    assert bare.refusal("Red: AFTERBURNER") is None
    assert {bare.refusal(f"Red: {c}") for c in ("SNAKE LEFT", "BOOTLEGGER")} == {"no thrusters"}


def test_bs_17_tail_first_the_engine_works_the_other_way_round() -> None:
    round_ = alone(speed=8).turn("Red: BOOTLEGGER")
    red = round_.element("Red")
    assert (round_.at("Red 1"), red.heading, red.speed, red.retrograde) == ((16, 0), 3, 6, True)
    assert round_.refusal("Red: BREAK LEFT") == "retrograde"
    assert round_.refusal("Red: AFTERBURNER") == "retrograde"
    slower, faster = round_.turn("Red: ACCELERATE 3"), round_.turn("Red: DECELERATE")
    assert (slower.at("Red 1"), slower.element("Red").speed) == ((22, 0), 3)
    assert (faster.at("Red 1"), faster.element("Red").speed) == ((30, 0), 7)
    back = round_.turn("Red: BOOTLEGGER")
    assert (back.element("Red").heading, back.element("Red").retrograde) == (0, False)
    assert back.at("Red 1") == (28, 0)


def test_bs_17_at_speed_0_it_ends_and_the_heading_stays() -> None:
    stopped = alone(speed=5).turn("Red: BOOTLEGGER").turn("Red: ACCELERATE 3").element("Red")
    assert (stopped.speed, stopped.heading, stopped.retrograde) == (0, 3, False)
    at_once = alone(speed=2).turn("Red: BOOTLEGGER").element("Red")
    assert (at_once.heading, at_once.retrograde) == (3, False)


# Fire


@pytest.mark.parametrize(
    ("inches", "speed", "line", "needed"),
    [
        (6, 4, "STEADY", 4),
        (12, 4, "STEADY", 7),
        (18, 4, "STEADY", 10),
        (6, 0, "STEADY", 0),
        (6, 3, "STEADY", 2),
        (6, 10, "STEADY", 6),
        (18, 10, "STEADY", 12),
        (6, 4, "BREAK LEFT", 6),
        (6, 4, "REVERSE LEFT", 8),
    ],
)
def test_bs_18_range_speed_and_penalty_make_the_number_needed(
    inches: int, speed: int, line: str, needed: int
) -> None:
    turn = {"BREAK LEFT": 5, "REVERSE LEFT": 3}.get(line, 0)
    battle = duel(
        (2 * inches, 0),
        {"speed": 0, "heading": turn},
        {"speed": speed, "heading": 0, "design": "Barge"},
    )
    fired = battle.turn(f"Red: {line}", dice=(1, 1) if needed > 1 else (1, 1, 1, 1))
    assert [event.needed for event in fired.events_of("Fired")] == [needed, needed]


def test_bs_18_no_shot_out_of_range_out_of_arc_or_that_needs_more_than_12() -> None:
    for battle, line in (
        (facing(19), "STEADY"),
        (duel((-10, 0), {"speed": 0}, {"heading": 0, "design": "Barge"}), "STEADY"),
        (facing(18, speed=12), "LATE LEFT"),
        (duel((0, 0), {"speed": 0}, {"heading": 0, "design": "Barge"}), "STEADY"),
    ):
        assert battle.turn(f"Red: {line}").events_of("Fired") == []
    edge = duel((36, 0), {"speed": 0, "heading": 5}, {"speed": 10, "heading": 0, "design": "Barge"})
    assert edge.turn("Red: LATE LEFT").events_of("Fired") == []


def test_bs_19_each_weapon_has_a_target_of_its_own_and_a_crippled_one_half_of_them() -> None:
    reds = [element("Red", (0, 0), speed=0, design="Bear")]
    blues = [element("Blue", (-10, 0), heading=3, design="Barge")]
    battle = fight(reds, blues)
    both = battle.turn(dice=(MISS, MISS))
    assert [event.weapon for event in both.events_of("Fired")] == ["Turret"]
    ahead = facing(5).hurt("Red 1", 3).turn(dice=(MISS,))
    assert len(ahead.events_of("Fired")) == 1
    behind = battle.hurt("Red 1", 4).turn(dice=(MISS, MISS))
    assert [event.weapon for event in behind.events_of("Fired")] == ["Turret"]
    one = duel((10, 0), {"speed": 0, "design": "Dart"}, {"heading": 0, "design": "Barge"})
    assert one.hurt("Red 1", 2).turn().events_of("Fired") == []


def test_bs_20_all_dice_of_a_weapon_fall_before_its_damage() -> None:
    reds = [element("Red", (0, 0), speed=0, design="Bear")]
    battle = fight(reds, [element("Blue", (-10, 0), heading=3, design="Barge")])
    fired = battle.turn(dice=(4, 3, 2))
    (shot,) = fired.events_of("Fired")
    assert (shot.rolls, shot.needed, shot.hits) == ((4, 3), 4, 1)
    assert [hit.roll for hit in fired.events_of("Hit")] == [2]


@pytest.mark.parametrize(
    ("die", "shields", "rolled"), [(12, 0, 12), (12, 2, 8), (6, 1, 4), (6, 2, 3), (4, 2, 2)]
)
def test_bs_21_shields_make_the_die_smaller(die: int, shields: int, rolled: int) -> None:
    assert shielded(die, shields) == rolled
    assert shielded(4, 5) == 2


def test_bs_21_armour_comes_off_each_roll_and_the_destroyed_are_gone_at_once() -> None:
    thick = facing(5, design="Black Tiger").turn("Blue: HOLD FIRE; STEADY", dice=(HIT, 1, HIT, 4))
    assert [(hit.damage, hit.hull) for hit in thick.events_of("Hit")] == [(0, 6), (3, 3)]
    reds = [element("Red", (0, 0), speed=0, design="Bear")]
    blues = [element("Blue", (-10, 0), heading=3, design="Dart"), element("Kite", (300, 0))]
    gone = fight(reds, blues).turn(dice=(HIT, HIT, 12))
    assert [event.fighter for event in gone.events_of("Destroyed")] == ["Blue 1"]
    assert gone.state["fighters"]["Red 1"]["kills"] == 1
    assert gone.state["fighters"]["Blue 1"]["q"] is None
    assert "Blue" not in gone.state["elements"]


def test_bs_22_the_first_target_named_that_can_be_shot_at_else_the_best() -> None:
    blues = [
        element("Far", (30, 0), heading=0, design="Barge"),
        element("Near", (8, 0), (10, 0), heading=0, design="Barge"),
        element("Twin", (0, -300), heading=0, design="Barge"),
    ]
    battle = fight([element("Red", (0, 0), speed=0, design="Dart")], blues)

    def shot_at(line: str, now: Fight = battle) -> str:
        return str(now.turn(line, dice=(MISS,)).events_of("Fired")[0].at)

    assert shot_at("Red: STEADY") == "Near 1"
    assert shot_at("Red: STEADY; TARGETS Twin, Far") == "Far 1"
    assert shot_at("Red: STEADY; TARGETS Near 2, Far") == "Near 2"
    assert shot_at("Red: STEADY; TARGETS Near") == "Near 1"
    assert shot_at("Red: STEADY; TARGETS Twin") == "Near 1"
    even = fight(
        [element("Red", (0, 0), speed=0, design="Dart")],
        [element("Blue", (10, 0), (10, 0), heading=0, design="Barge")],
    )
    assert shot_at("Red: STEADY", even) == "Blue 1"
    assert shot_at("Red: STEADY", even.hurt("Blue 2", 5)) == "Blue 2"
    # As easy to hit, but farther off: the nearest comes before the one with the least hull.
    nearer = fight(
        [element("Red", (0, 0), speed=0, design="Dart")],
        [element("Blue", (8, 0), (10, 0), heading=0, design="Barge")],
    )
    assert shot_at("Red: STEADY", nearer.hurt("Blue 2", 5)) == "Blue 1"
    assert battle.turn("Red: STEADY; HOLD FIRE").events_of("Fired") == []


# Asteroids


def test_bs_23_each_asteroid_on_the_path_is_dodged_or_struck() -> None:
    rocks = [{"q": 8, "r": 0, "radius": 1}, {"q": 0, "r": 0, "radius": 1}]
    skills = [{"name": f"Red {n}", "skill": 2, "q": 0, "r": -4 * n} for n in (0, 1)]
    blue = [element("Blue", (400, 0))]
    battle = fight([element("Red", (0, 0), fighters=skills)], blue, asteroids=rocks)
    flown = battle.turn("Red: STEADY")
    assert flown.events_of("Checked") == []
    poor = [{**skills[0], "skill": 1}, skills[1]]
    slow = fight([element("Red", (0, 0), fighters=poor)], blue, asteroids=rocks)
    struck = slow.turn("Red: STEADY", dice=(1, 4, 3))
    assert [check.asteroid for check in struck.events_of("Checked")] == [0, 1]
    assert [check.needed for check in struck.events_of("Checked")] == [2, 11]
    assert [(hit.damage, hit.hull) for hit in struck.events_of("Grazed")] == [(4, 2), (3, 0)]
    assert struck.state["elements"]["Red"]["speed"] == 4
    tiger = element("Red", (0, 0), fighters=[{**skills[0], "skill": 1}], design="Black Tiger")
    (grazed,) = (
        fight([tiger], blue, asteroids=rocks[:1])
        .turn("Red: STEADY", dice=(1, 4))
        .events_of("Grazed")
    )
    assert (grazed.roll, grazed.damage) == (4, 3)


def test_bs_23_the_start_is_left_out_and_who_strikes_one_does_not_fire() -> None:
    poor = [{"name": "Red 1", "skill": 1, "q": 0, "r": 0}]
    rocks = [{"q": 0, "r": 0, "radius": 1}]
    blues = [element("Blue", (20, 0), heading=0, design="Barge")]
    stands = fight([element("Red", (0, 0), fighters=poor, speed=0)], blues, asteroids=rocks)
    assert len(stands.turn(dice=(MISS, MISS)).events_of("Fired")) == 2
    moves = fight([element("Red", (0, 0), fighters=poor, speed=1)], blues, asteroids=rocks)
    struck = moves.turn(dice=(1, 6))
    assert struck.events_of("Fired") == []
    (gone,) = struck.events_of("Destroyed")
    assert (gone.fighter, gone.by) == ("Red 1", None)
    assert struck.state["winner"] == "blue"


# Leaving, the end, points


def test_bs_24_withdraw_only_with_no_enemy_within_24_inches() -> None:
    assert duel((48, 0)).refusal("Red: WITHDRAW") == "enemy near"
    far = duel((49, 0))
    assert far.refusal("Red: WITHDRAW") is None
    assert far.turn("Red: WITHDRAW").state["fighters"]["Red 1"]["fate"] == "withdrawn"
    assert duel((2, 0)).refusal("Red: SURRENDER") is None
    # The wingman counts as much as the lead.
    for q, reason in ((52, "enemy near"), (53, None)):
        two = fight([element("Red", (0, 0), (4, 0))], [element("Blue", (q, 0))])
        assert two.refusal("Red: WITHDRAW") == reason


def test_bs_25_the_battle_ends_with_a_side_or_with_its_last_turn() -> None:
    last = fight([element("Red", (0, 0))], [element("Blue", (400, 0))], turns=2).turn()
    assert last.state["turn"] == 2
    over = last.turn()
    assert (over.state["over"], over.state["turn"], over.state["to_order"]) == (True, None, [])
    assert over.refusal("Red: STEADY") == "over"
    blues = [element("Blue", (10, 0), heading=0, design="Dart")]
    reds = [element("Red", (0, 0), speed=0), element("Mate", (0, 90))]
    shot = fight(reds, blues).turn(dice=(HIT, 4))
    assert [event.element for event in shot.events_of("Flown")] == ["Red"]
    assert shot.state["winner"] == "red"


def test_bs_26_points_are_hull_lost_whole_and_half_for_the_crippled() -> None:
    battle = fight([element("Red", (0, 0), (0, 2))], [element("Blue", (400, 0), design="Bear")])
    assert battle.state["points"] == {"red": 0, "blue": 0}
    hurt = battle.hurt("Red 2", 3).hurt("Blue 1", 4)
    assert hurt.state["points"] == {"red": 4, "blue": 3}
    assert hurt.turn("Red: SURRENDER").state["points"] == {"red": 4, "blue": 12}
    assert hurt.turn("Red: WITHDRAW").state["points"] == {"red": 4, "blue": 3}


def test_bs_27_the_side_left_alone_wins_else_the_one_with_more_points() -> None:
    battle = fight([element("Red", (0, 0))], [element("Blue", (400, 0))], turns=1)
    assert battle.turn().state["winner"] is None
    assert battle.hurt("Red 1", 3).turn().state["winner"] == "blue"
    assert battle.hurt("Blue 1", 3).turn("Blue: WITHDRAW").state["winner"] == "red"
    # Alone, in spite of the other side's points.
    left = battle.hurt("Red 1", 3).turn("Blue: WITHDRAW")
    assert left.state["points"] == {"red": 0, "blue": 3}
    assert left.state["winner"] == "red"
    both = battle.hurt("Blue 1", 3).turn("Red: WITHDRAW", "Blue: WITHDRAW")
    assert both.state["winner"] == "red"
    assert battle.rule("draw").state["winner"] is None
    assert battle.rule("forfeit", "red").state["winner"] == "blue"


def test_bs_28_the_standard_start_is_24_inches_apart() -> None:
    teams = [
        {"name": side, "elements": [element(f"{side}{n}", (0, 0), (0, 0)) for n in range(5)]}
        for side in ("red", "blue")
    ]
    start = begin(standard(*teams, first="red", designs=DESIGNS, weapons=WEAPONS))
    places = [(-24, 0), (-31, 14), (-17, -14), (-38, 28), (-10, -28)]
    assert [start.at(f"red{n} 1") for n in range(5)] == places
    assert [start.at(f"blue{n} 1") for n in range(5)] == [(-q, -r) for q, r in places]
    assert (start.at("red0 2"), start.at("blue0 2")) == ((-28, 4), (28, -4))
    assert (start.element("red0").heading, start.element("blue0").heading) == (0, 3)
    assert norm(48, 0) == (2 * 24) ** 2


def test_the_own_step_needs_all_orders_and_end_closes_without() -> None:
    battle = alone()
    with pytest.raises(IllegalOrder):
        battle.own_step()
    assert battle.filed("Red: STEADY", "Blue: STEADY").own_step().state["turn"] == 2
    assert battle.turn().state["turn"] == 2
