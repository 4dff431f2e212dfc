"""At least one test for each ruling of rules/starfarer.md from SF-36 to SF-40, named after it."""

from typing import Any

from engine.dice import ListedDice
from engine.seats import REFEREE
from engine.starfarer.rules import STARFARER
from engine.starfarer.view import view
from tests.engine.starfarer.skirmishes import (
    CHEST,
    HEAD,
    LEFT_ARM,
    LEFT_LEG,
    MISS,
    PISTOL,
    RIGHT_ARM,
    SHOOT,
    Fight,
    act,
    ann,
    bo,
    character,
    duel,
    fight,
    treats,
    ward,
    wound,
)


def test_sf_36_treatment_stops_a_point_and_one_for_each_level() -> None:
    given = ward(bleeding={CHEST: 5})
    # (4 + 6) x 5 = 50; 39 is LOS 1. Three points are left, and the clock is 1.
    assert treats(given, CHEST, 39).shown("Cy")["bleeding"][CHEST] == 3
    assert treats(given, CHEST, 51).shown("Cy")["bleeding"][CHEST] == 5
    assert treats(given, CHEST, 1).shown("Cy")["bleeding"][CHEST] == 0
    assert treats(given.having("Cy", clock={CHEST: 3}), CHEST, 1).body("Cy").clock[1] == 0


def test_sf_36_it_steadies_a_mortal_wound_there_and_a_deadly_shock() -> None:
    dying = ward(wounds={CHEST: wound(6), HEAD: wound(6)})
    # The head's wound is still unsteadied, so there is a check: 80.
    assert treats(dying, CHEST, 50, 80).shown("Cy")["steadied"] == [CHEST]
    assert treats(ward(wounds={CHEST: wound(6)}), CHEST, 50).shown("Cy")["steadied"] == [CHEST]
    calm = treats(ward(shock=600), "shock", 50)
    assert calm.shown("Cy")["steadied"] == ["shock"]
    assert treats(ward(shock=600), "shock", 51, 80).shown("Cy")["steadied"] == []
    # A maimed limb is not a Mortal wound.
    limb = ward(wounds={LEFT_LEG: wound(6)}, bleeding={LEFT_LEG: 1})
    assert treats(limb, LEFT_LEG, 50).shown("Cy")["steadied"] == []


def test_sf_36_oneself_by_default_and_only_ones_own_team_within_a_metre() -> None:
    own = duel().having("Ann", bleeding={CHEST: 1})
    treated = own.plan("Ann", act("treat", area=CHEST)).round(1, 1, 50)
    assert treated.body("Ann").bleeding == (0,) * 7
    far = ward(2, bleeding={CHEST: 2})
    assert treats(far, CHEST).refused == [(0, "out of reach")]
    asleep = ward(bleeding={CHEST: 2}, fate="unconscious", wakes=9, prone=True)
    helped = asleep.plan("Ann", act("treat", area=CHEST, at="Cy")).round(1, 1, 40)
    assert helped.events_of("Treated")[0].stopped == 2


def test_sf_36_a_hit_on_the_area_and_any_new_shock_undo_it() -> None:
    steady = frozenset({CHEST, HEAD, "shock"})
    given = duel(red={"weapons": [{**PISTOL, "dr": 2}]}).having("Bo", steadied=steady)
    # A Graze by LOS 1 of (6 + 4) x 5.
    hit = given.plan("Ann", SHOOT).round(1, 1, 34)
    assert hit.shown("Bo")["steadied"] == [HEAD]
    armour = [{"covers": [CHEST], "ratings": {"bullet": 99}}]
    safe = duel(blue={"armour": armour}).having("Bo", steadied=steady)
    assert safe.plan("Ann", SHOOT).round(1, 1, 34).body("Bo").steadied == steady
    bled = duel().having("Bo", steadied=steady, bleeding={LEFT_LEG: 2})
    assert bled.plan("Ann", act("hold")).round(1, 1).shown("Bo")["steadied"] == [HEAD, CHEST]


def moved(given: Fight, **keys: Any) -> int | None:
    """Where Ann is after a move."""
    at = given.plan("Ann", act("move", **keys)).round(1, 1).shown("Ann")["at"]
    return None if at is None else int(at)


def test_sf_37_two_metres_for_each_point_of_agility() -> None:
    given = duel(50, red={"at": 20})
    assert moved(given, to=60) == 30
    assert moved(given, to=25) == 25
    assert moved(given, to=0) == 10
    prone = given.having("Ann", prone=True)
    assert moved(prone, to=60) == 22
    # A Light wound of the head costs a point of Agility: 4 x 2.
    assert moved(given.having("Ann", wounds={HEAD: wound(2)}), to=60) == 28
    assert moved(prone.having("Ann", wounds={HEAD: wound(2)}), to=60) == 22


def test_sf_37_toward_somebody_and_a_metre_short() -> None:
    assert moved(duel(8), toward="Bo") == 7
    assert moved(duel(20), toward="Bo") == 10
    assert moved(duel(1), toward="Bo") == 0
    assert moved(duel(0), toward="Bo") == 0
    assert moved(duel(8, red={"at": 15}), toward="Bo") == 9
    near = fight([ann(at=20), character("Cy", 40)], [bo(17), character("Di", 50)])
    assert near.plan("Ann", act("move", toward="nearest")).round(1, 1, 1, 1).body("Ann").at == 18
    assert near.plan("Ann", act("move", toward="Cy")).round(1, 1, 1, 1).body("Ann").at == 30


def test_sf_37_beyond_the_field_is_gone() -> None:
    assert moved(duel(), to=-1) is None
    assert moved(duel(red={"at": 55}), to=61) is None
    assert moved(duel(red={"at": 55}), to=60) == 60
    gone = duel().plan("Ann", act("move", to=-1)).round(9, 1)
    assert (gone.body("Ann").fate, gone.body("Ann").ap) == ("left", 0)
    # Far away, but not off the field yet.
    assert moved(duel(red={"at": 30}), to=-999) == 20


def test_sf_37_drop_rise_hold_and_yield() -> None:
    down = duel().plan("Ann", act("drop")).round(1, 1)
    assert down.body("Ann").prone
    assert down.plan("Ann", act("drop")).round(1, 1).refused == [(1, "prone")]
    up = down.plan("Ann", act("rise")).round(1, 1)
    assert not up.body("Ann").prone
    held = up.plan("Ann", act("hold")).round(1, 1)
    assert held.body("Ann") == up.body("Ann")
    yields = held.having("Ann", evade=2, aim="Bo").plan("Ann", act("yield")).round(5, 1)
    body = yields.shown("Ann")
    assert (body["fate"], body["at"], body["ap"], body["evade"]) == ("surrendered", 0, 0, 0)
    assert (body["aim"], body["wakes"]) == (None, None)


def test_sf_38_the_upkeep_goes_step_by_step_for_all_in_setup_order() -> None:
    hurt = {"wounds": {CHEST: wound(6)}, "bleeding": {CHEST: 1, LEFT_LEG: 1}}
    given = fight([ann(), character("Cy", 9)], [bo()])
    given = given.having("Cy", fate="unconscious", prone=True, wakes=1, **hurt)
    given = given.having("Ann", **hurt).plan("Ann", act("hold"))
    # Cy wakes by (5 + 5) x (8 - 5); clocks by 5 x 4; survival by 80.
    played = given.round(1, 1, 30, 99, 99, 99, 99, 80, 80)
    kinds = [
        f"{type(event).__name__} {event.character}"
        for event in played.events
        if type(event).__name__ in ("WakingChecked", "Bled", "ClockMoved", "SurvivalChecked")
    ]
    assert kinds == [
        "WakingChecked Cy",
        "Bled Ann",
        "Bled Cy",
        *["ClockMoved Ann"] * 2,
        *["ClockMoved Cy"] * 2,
        "SurvivalChecked Ann",
        "SurvivalChecked Cy",
    ]
    assert [event.area for event in played.events_of("ClockMoved")] == [1, 6, 1, 6]


def test_sf_38_only_the_present_have_an_upkeep() -> None:
    for fate in ("dead", "surrendered", "left"):
        mates = fight([ann()], [bo(), character("Cy", 30)])
        gone = mates.having("Bo", fate=fate, bleeding={CHEST: 1}, wounds={CHEST: wound(6)})
        played = gone.plan("Ann", act("hold")).round(1, 1)
        assert played.body("Bo") == gone.body("Bo")


def test_sf_39_the_team_that_is_left_with_active_characters_has_won() -> None:
    won = duel().plan("Ann", act("yield")).round(1, 1)
    assert (won.battle.over, won.battle.winner) == (True, "blue")
    three = fight([ann()], [bo()], [character("Cy", 30)])
    assert not three.plan("Ann", act("yield")).round(1, 1, 1).battle.over
    down = duel().having("Ann", fate="unconscious", prone=True, wakes=9).round(1)
    assert (down.battle.over, down.battle.winner) == (True, "blue")


def test_sf_39_nobody_left_is_nobodys_victory() -> None:
    both = duel(blue={"initiative": 9}).plan("Ann", act("yield")).plan("Bo", act("yield"))
    ended = both.round(1, 1)
    assert (ended.battle.over, ended.battle.winner) == (True, None)


def test_sf_39_the_round_is_played_to_its_end_first() -> None:
    # Bo falls by 50 with 59, LOF 0, and is up again in the upkeep.
    red = {"weapons": [{**PISTOL, "dr": 10}], "initiative": 19}
    given = duel(red=red, blue={"resilience": 0}).plan("Ann", SHOOT, act("drop"))
    played = given.round(1, 1, 34, 59, 50)
    assert played.acted == ["Ann attack", "Ann drop"]
    assert not played.battle.over


def test_sf_39_ten_rounds_without_a_to_hit_roll_break_it_off() -> None:
    given = duel(blue={"initiative": 0})
    for number in range(1, 10):
        given = given.having("Bo", ap=0).plan("Ann", act("hold")).round(1, 1)
        assert (given.battle.quiet, given.battle.over) == (number, False)
    fought = given.having("Bo", ap=0).plan("Ann", SHOOT).round(1, 1, MISS)
    assert (fought.battle.quiet, fought.battle.over) == (0, False)
    ended = given.having("Bo", ap=0).plan("Ann", act("hold")).round(1, 1)
    assert (ended.battle.quiet, ended.battle.over, ended.battle.winner) == (10, True, None)
    # An attack that a disability check spoils is not a to-hit roll.
    lame = given.having("Bo", ap=0).having("Ann", wounds={RIGHT_ARM: wound(3)}).plan("Ann", SHOOT)
    assert lame.round(1, 1, 31).battle.over


def test_sf_40_survivors_wounds_of_medium_or_worse_are_listed_x_and_slash_apart() -> None:
    won = duel().having("Bo", wounds={CHEST: ("XXX", "X/", "/", "X", "", "")})
    assert view(won.battle, None)["injuries"] == []
    ended = won.plan("Ann", act("yield")).round(1, 1)
    assert view(ended.battle, None)["injuries"] == [
        {"character": "Bo", "area": CHEST, "level": "Medium", "mark": "/"},
        {"character": "Bo", "area": CHEST, "level": "Heavy", "mark": "X"},
    ]
    limb = ended.having("Ann", wounds={LEFT_ARM: wound(6)}).having("Bo", fate="dead")
    assert view(limb.battle, None)["injuries"] == [
        {"character": "Ann", "area": LEFT_ARM, "level": "Maimed", "mark": "X"}
    ]


def test_sf_40_the_referee_rules_on_healing_and_prisoners() -> None:
    fight = duel(aftermath=True).having("Bo", wounds={CHEST: wound(3)}, shock=9)
    down = fight.having("Bo", fate="unconscious", wakes=9).plan("Ann", act("hold")).well(1)
    assert not down.battle.over
    awaited = STARFARER.phase(down.battle).awaiting
    assert awaited is not None
    assert awaited.rulings == ("DONE", "FREE Bo", "HEAL Bo")
    assert STARFARER.phase(down.battle).owing == {}
    battle = down.battle
    for text in ("HEAL Bo", "FREE Bo", "DONE"):
        order = STARFARER.parse(battle, REFEREE, text)
        assert STARFARER.format(order) == text
        assert STARFARER.refusal(fight.battle, REFEREE, order) == "not decided"
        battle, _ = STARFARER.resolve(battle, {REFEREE: [order]}, ListedDice([]))
    assert (battle.over, battle.winner) == (True, "red")
    assert (battle.bodies["Bo"].fate, battle.bodies["Bo"].shock) == ("left", 0)
    assert view(battle, None)["injuries"] == []
