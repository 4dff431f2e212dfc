"""At least one test for each ruling of rules/starpilot.md, SP-1 to SP-29, named after it."""

import pytest

from engine.codec import change
from engine.errors import IllegalOrder, OrderError, SetupError, UnreadableOrder
from engine.ruleset import Outcome
from engine.seats import Seat
from engine.starpilot.between_battles import CAMPAIGN
from engine.starpilot.events import Landed, Left
from engine.starpilot.rules import STARPILOT
from engine.starpilot.tables import LIGHT, SHIPS, SKILL_STAT
from tests.engine.battles import (
    BEAMS,
    ELECTRONICS,
    MANEUVER,
    MISSILES,
    NO,
    SHIELDS,
    SPEED,
    STRUCTURE,
    WOUND,
    YES,
    Fight,
    duel,
    fight,
    hawk,
    kestrel,
    melee,
    met,
    pilot,
    setup,
)

ENLIST = "Hawk FOR cartel WEAPONS {} PILOTING {} SENSORS {} SHIP Angela 313B"


def starts(*dice: int) -> Fight:
    """A duel whose initiative is rolled."""
    unagreed = {**setup([hawk()], [kestrel()]), "first": None}
    return Fight(STARPILOT.setup(unagreed)).initiative(*dice)


def in_flight(origin: str = "far") -> Fight:
    """A duel with a shot of Hawk's in flight at Kestrel, Kestrel to move."""
    start = met() if origin == "far" else met().turns("Hawk CLOSE", "Kestrel PROTECT")
    return start.turns("Hawk TARGET", "Kestrel PROTECT", "Hawk FIRE")


def launched(origin: str = "far") -> Fight:
    """A duel with a missile of Kestrel's in flight at Hawk, Hawk to move."""
    start = met() if origin == "far" else met().turns("Hawk CLOSE", "Kestrel PROTECT")
    return start.turns("Hawk PROTECT", "Kestrel TARGET", "Hawk PROTECT", "Kestrel LAUNCH")


def apart() -> Fight:
    """A duel at Extreme, Hawk to move; Kestrel's turn began at Extreme already."""
    return met().turns("Hawk OPEN", "Kestrel PROTECT")


# Pilots and ships


@pytest.mark.parametrize("points", [(12, 12, 12), (16, 16, 4), (16, 1, 19), (4, 16, 16)])
def test_sp_1_spends_36_points_none_above_16(points: tuple[int, int, int]) -> None:
    if max(points) > 16:
        with pytest.raises(UnreadableOrder, match="whole number from 1 to 16"):
            CAMPAIGN.enlist(ENLIST.format(*points))
    else:
        record = CAMPAIGN.enlist(ENLIST.format(*points)).record
        assert (record["weapons"], record["piloting"], record["sensors"]) == points


@pytest.mark.parametrize("points", [(12, 12, 11), (12, 12, 13), (16, 20, 0), (12, 12, "twelve")])
def test_sp_1_refuses_any_other_sum(points: tuple[object, ...]) -> None:
    with pytest.raises(OrderError, match=r"exactly 36 points|whole number from 1 to 16"):
        CAMPAIGN.enlist(ENLIST.format(*points))


@pytest.mark.parametrize("twin", ["hawk", "HÀWK", "H a w k"])
def test_sp_2_names_are_unique_without_case_accents_or_spacing(twin: str) -> None:
    with pytest.raises(SetupError, match="SP-2"):
        STARPILOT.setup(setup([hawk()], [pilot(twin, "alliance")]))


def test_sp_2_a_name_of_one_letter_is_unique_too() -> None:
    with pytest.raises(SetupError, match="SP-2"):
        STARPILOT.setup(setup([pilot("K", "cartel")], [pilot("K", "alliance")]))


def test_sp_2_four_pilots_a_mode_and_none_of_the_same_side_twice() -> None:
    sides = {"cartel": "Angela 313B", "alliance": "Rus 133-A", "league": "Wright 1903S"}
    sides["federation"] = "Clipus XIII-B"
    line = "{} FOR {} MODE {} WEAPONS 12 PILOTING 12 SENSORS 12 SHIP {}"
    mine = [CAMPAIGN.enlist(line.format(f"P{s}", s, "BB", ship)) for s, ship in sides.items()]
    live = CAMPAIGN.enlist(line.format("Live", "cartel", "RTC", "Angela 313B"))
    assert CAMPAIGN.crowded(mine[1:], mine[0]) is None
    assert CAMPAIGN.crowded(mine, live) is None
    assert "already flies for the cartel" in (CAMPAIGN.crowded(mine[:1], mine[0]) or "")


@pytest.mark.parametrize("ship", sorted(SHIPS))
def test_sp_3_a_new_pilot_flies_a_light_fighter_of_its_side(ship: str) -> None:
    text = f"Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP {ship}"
    if (SHIPS[ship].side, SHIPS[ship].weight) == ("cartel", LIGHT):
        record = CAMPAIGN.enlist(text).record
        assert (record["ship"], record["rank"], record["mark"]) == (ship, 1, 0)
    else:
        with pytest.raises(UnreadableOrder, match="is not a ship for a new pilot"):
            CAMPAIGN.enlist(text)


@pytest.mark.parametrize(
    ("mark", "stats"),
    [
        (0, [4, 3, 4, 3, 2, 5, 5]),
        (32, [5, 3, 4, 3, 2, 5, 5]),
        (16 + 4, [4, 4, 4, 4, 2, 5, 5]),
        (8 + 2 + 1, [4, 3, 5, 3, 3, 6, 5]),
        (63, [5, 4, 5, 4, 3, 6, 5]),
    ],
)
def test_sp_4_a_mark_adds_one_to_each_stat_of_its_bits(mark: int, stats: list[int]) -> None:
    start = duel(hawk(ship="Catherine 521B", mark=mark))
    assert list(start.pilot("Hawk")["stats"].values()) == stats


def test_sp_4_damage_lowers_the_current_value_never_the_rating() -> None:
    hurt = launched().turn("Hawk PROTECT", NO, BEAMS, BEAMS, MANEUVER)
    assert hurt.stat("Hawk", "beams") == 1
    assert hurt.battle.pilots["Hawk"].card.ratings[0] == 3


def test_sp_5_skill_is_aptitude_times_rating_and_100_cannot_fail() -> None:
    assert met().chance("Hawk TARGET") == 36
    assert met().chance("Hawk CLOSE") == 24
    sure = duel(hawk(ship="Catherine 521B", sensors=18, mark=1))
    assert sure.chance("Hawk SCAN") == 100
    assert sure.turn("Hawk SCAN", 100).pilot("Hawk")["found"] == ["Kestrel"]


def test_sp_5_damage_leaves_the_skill_until_the_stat_is_gone() -> None:
    shot = launched("far")
    hurt = shot.turn("Hawk PROTECT", NO, MANEUVER, MANEUVER, BEAMS).turns("Kestrel PROTECT")
    assert hurt.chance("Hawk JINK") == 36
    assert hurt.refusal("Hawk JINK") is None
    gone = shot.turn("Hawk PROTECT", NO, MANEUVER, MANEUVER, MANEUVER).turns("Kestrel PROTECT")
    assert gone.refusal("Hawk JINK") == gone.refusal("Hawk DOGFIGHT") == "disabled"


def test_sp_5_a_ship_without_beams_never_fires() -> None:
    locked = met().turns("Hawk PROTECT", "Kestrel TARGET", "Hawk PROTECT")
    assert locked.refusal("Kestrel FIRE") == "disabled"
    assert locked.refusal("Kestrel LAUNCH") is None


def test_sp_6_no_battle_within_a_side() -> None:
    with pytest.raises(SetupError, match="SP-6"):
        STARPILOT.setup(setup([hawk()], [pilot("Kite", "cartel")]))
    one = CAMPAIGN.enlist(ENLIST.format(12, 12, 12))
    assert "both fly for the cartel" in (CAMPAIGN.bar(one, one) or "")


# A battle


def test_sp_7_a_duel_is_a_team_battle_of_one_a_team() -> None:
    named = met().turn("Hawk TARGET Kestrel", YES)
    assert named.battle == met().turn("Hawk TARGET", YES).battle


def test_sp_8_every_pair_starts_at_far_and_goes_its_own_way() -> None:
    start = melee()
    far = {"range": "far", "advantage": None, "locks": [], "shots": []}
    keys = {"Hawk|Kestrel", "Hawk|Kite", "Harrier|Kestrel", "Harrier|Kite"}
    assert start.state["pairs"] == dict.fromkeys(keys, far)
    moved = start.turns("Hawk CLOSE", "Harrier DOGFIGHT Kite")
    assert moved.pair("Hawk|Kite") == {**far, "range": "near"}
    assert moved.pair("Harrier|Kite") == {**far, "advantage": "Harrier"}
    assert moved.pair("Harrier|Kestrel") == far


def test_sp_9_the_lower_initiative_starts_and_a_tie_is_rolled_again() -> None:
    assert starts(31, 30).state["turn"] == "blue"
    assert starts(30, 31).state["turn"] == "red"
    assert starts(50, 50, 7, 7, 8, 9).state["to_act"] == ["Hawk"]


def test_sp_9_nothing_is_rolled_where_the_setup_says_who_starts() -> None:
    start = Fight(STARPILOT.setup({**setup([hawk()], [kestrel()]), "first": "blue"}))
    assert start.initiative().state["turn"] == "blue"


def test_sp_10_teams_alternate_and_each_acts_in_the_order_it_likes() -> None:
    start = melee().turns("Harrier SCAN")
    assert start.state["to_act"] == ["Hawk"]
    assert start.refusal("Harrier SCAN") == start.refusal("Kite SCAN") == "not your turn"
    assert start.turns("Hawk SCAN").state["to_act"] == ["Kestrel", "Kite"]


def test_sp_11_a_refused_order_changes_nothing_and_the_turn_is_still_to_be_taken() -> None:
    start = met()
    with pytest.raises(IllegalOrder) as refused:
        start.turn("Hawk FIRE")
    assert refused.value.reason == "no lock"
    assert start.state["to_act"] == ["Hawk"]


def test_sp_11_the_command_comes_before_the_shots_land() -> None:
    escaped_half = launched("far").turn("Hawk OPEN", YES, BEAMS)
    assert escaped_half.kinds() == ["Tried", "Moved", "Landed", "Hit", "Acted", "Passed"]


def test_sp_11_shots_land_in_the_order_fired() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier TARGET Kite", "Kestrel SCAN", "Kite SCAN")
    shot = start.turns("Harrier FIRE Kite", "Hawk FIRE Kite", "Kestrel SCAN")
    landed = shot.turn("Kite SCAN", NO, BEAMS, BEAMS)
    assert [e.by for e in landed.events if isinstance(e, Landed)] == ["Harrier", "Hawk"]


def test_sp_12_without_a_find_only_scan_escape_and_surrender() -> None:
    start = duel()
    blind = {"TARGET", "FIRE", "LAUNCH", "DOGFIGHT", "CLOSE", "OPEN", "ECM", "JINK", "PROTECT"}
    assert {start.refusal(f"Hawk {command}") for command in blind} == {"undetected"}
    assert start.refusal("Hawk SCAN") is start.refusal("Hawk SURRENDER") is None
    assert start.refusal("Hawk ESCAPE") == "not at extreme"


def test_sp_12_a_scan_finds_every_opponent_for_the_whole_team() -> None:
    red, blue = [hawk(), pilot("Harrier")], [kestrel(), pilot("Kite", "alliance")]
    found = fight(red, blue).turns("Hawk SCAN")
    assert found.pilot("Harrier")["found"] == ["Kestrel", "Kite"]
    assert found.pilot("Kestrel")["found"] == []


def test_sp_12_a_hit_finds_the_shooter_for_its_victim_alone() -> None:
    red, blue = [hawk(), pilot("Harrier")], [kestrel(), pilot("Kite", "alliance")]
    start = fight(red, blue).turns("Hawk SCAN").turn("Harrier SCAN", NO)
    start = start.turn("Kestrel SCAN", NO).turn("Kite SCAN", NO)
    start = start.turns("Hawk TARGET Kite", "Harrier PROTECT")
    start = start.turn("Kestrel SCAN", NO).turn("Kite SCAN", NO)
    start = start.turns("Hawk FIRE Kite", "Harrier PROTECT").turn("Kestrel SCAN", NO)
    hit = start.turn("Kite SCAN", NO, BEAMS)
    assert hit.pilot("Kite")["found"] == ["Hawk"]
    assert hit.pilot("Kestrel")["found"] == []
    assert hit.turns("Hawk SCAN", "Harrier SCAN").refusal("Kite TARGET Harrier") == "bad target"


def test_sp_12_a_captor_need_not_be_found() -> None:
    start = fight([hawk(), pilot("Harrier")], [kestrel(), pilot("Kite", "alliance")])
    assert start.refusal("Hawk SURRENDER Kite") is None


@pytest.mark.parametrize("command", ["CLOSE", "OPEN", "DOGFIGHT", "JINK", "ECM", "PROTECT", "SCAN"])
def test_sp_13_a_command_with_nothing_to_act_on_is_rolled_and_changes_nothing(command: str) -> None:
    start = {
        "CLOSE": met().turns("Hawk CLOSE", "Kestrel PROTECT"),
        "OPEN": met().turns("Hawk SCAN", "Kestrel OPEN"),
        "DOGFIGHT": met().turns("Hawk DOGFIGHT", "Kestrel PROTECT"),
    }.get(command, met())
    after = start.turn(f"Hawk {command}", YES)
    assert after.state["pairs"] == start.state["pairs"]
    assert after.kinds() == ["Tried", "Acted", "Passed"]


def test_sp_14_range_changes_to_every_opponent_and_ends_the_advantage() -> None:
    start = melee().turns("Hawk DOGFIGHT Kestrel", "Harrier SCAN", "Kestrel SCAN", "Kite SCAN")
    assert start.pair()["advantage"] == "Hawk"
    closed = start.turns("Hawk CLOSE")
    assert (closed.pair()["range"], closed.pair()["advantage"]) == ("near", None)
    assert closed.pair("Hawk|Kite")["range"] == "near"
    assert closed.pair("Harrier|Kite")["range"] == "far"


def test_sp_15_dogfight_goes_by_way_of_no_advantage() -> None:
    held = met().turns("Hawk DOGFIGHT")
    assert held.pair()["advantage"] == "Hawk"
    even = held.turns("Kestrel DOGFIGHT")
    assert even.pair()["advantage"] is None
    assert even.turns("Hawk SCAN", "Kestrel DOGFIGHT").pair()["advantage"] == "Kestrel"


def test_sp_16_a_lock_counts_on_the_next_turn_only() -> None:
    locked = met().turns("Hawk TARGET", "Kestrel PROTECT")
    assert locked.refusal("Hawk FIRE") is None
    later = locked.turns("Hawk PROTECT", "Kestrel PROTECT")
    assert later.refusal("Hawk FIRE") == "no lock"
    assert later.pair()["locks"] == []


def test_sp_16_a_renewed_lock_is_as_old_as_its_renewal() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier TARGET Kite", "Kestrel SCAN", "Kite SCAN")
    start = start.turns("Harrier TARGET Kite", "Hawk TARGET Kite", "Kestrel SCAN")
    gone = start.turn("Kite EJECT", YES)
    assert [event.by for event in gone.events if isinstance(event, Left)] == ["Harrier"]


def test_sp_17_no_fire_at_extreme() -> None:
    locked = met().turns("Hawk TARGET", "Kestrel OPEN")
    assert locked.refusal("Hawk FIRE") == "extreme"


def test_sp_17_no_fire_against_the_advantage_even_with_a_lock() -> None:
    locked = met().turns("Hawk TARGET", "Kestrel DOGFIGHT")
    assert locked.refusal("Hawk FIRE") == "disadvantage"


def test_sp_17_own_advantage_needs_no_lock() -> None:
    assert met().refusal("Hawk FIRE") == "no lock"
    assert met().turns("Hawk DOGFIGHT", "Kestrel PROTECT").refusal("Hawk FIRE") is None


def test_sp_17_a_lock_on_one_is_none_on_another() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier SCAN", "Kestrel SCAN", "Kite SCAN")
    assert start.refusal("Hawk FIRE Kite") is None
    assert start.refusal("Hawk FIRE Kestrel") == "no lock"


def test_sp_18_a_lock_adds_30_to_the_shot_and_to_nothing_else() -> None:
    locked = met().turns("Hawk TARGET", "Kestrel PROTECT")
    assert locked.chance("Hawk FIRE") == 66
    for command in set(SKILL_STAT) - {"FIRE", "LAUNCH"}:
        assert locked.chance(f"Hawk {command}") == met().chance(f"Hawk {command}")
    assert locked.turn("Hawk FIRE", 66).pair()["shots"]
    assert not locked.turn("Hawk FIRE", 67).pair()["shots"]


def test_sp_19_a_shot_keeps_the_range_it_left_from() -> None:
    assert in_flight("near").pair()["shots"] == [{"by": "Hawk", "weapon": "fire", "from": "near"}]
    assert launched("far").pair()["shots"] == [{"by": "Kestrel", "weapon": "launch", "from": "far"}]


def test_sp_20_fire_from_near_hits_with_the_beams_rating() -> None:
    assert in_flight("near").turn("Kestrel JINK", NO, 61, 1, 11).kinds().count("Hit") == 3


def test_sp_20_fire_from_far_hits_once() -> None:
    assert in_flight("far").turn("Kestrel JINK", NO, 61).kinds().count("Hit") == 1


def test_sp_20_launch_from_far_hits_with_the_missiles_rating() -> None:
    assert launched("far").turn("Hawk JINK", NO, 61, 1, 11).kinds().count("Hit") == 3


def test_sp_20_launch_from_near_hits_once() -> None:
    assert launched("near").turn("Hawk JINK", NO, 61).kinds().count("Hit") == 1


def test_sp_20_launch_that_lands_at_extreme_hits_once() -> None:
    away = launched("far").turn("Hawk OPEN", YES, 61)
    assert (away.kinds().count("Hit"), away.pair()["range"]) == (1, "extreme")


def test_sp_20_the_shooters_damage_does_not_weaken_its_shot() -> None:
    start = met().turns("Hawk SCAN", "Kestrel TARGET", "Hawk SCAN", "Kestrel LAUNCH")
    hurt = start.turn("Hawk CLOSE", YES, BEAMS, BEAMS, 11).turns("Kestrel SCAN", "Hawk DOGFIGHT")
    shot = hurt.turns("Kestrel SCAN", "Hawk FIRE")
    assert shot.stat("Hawk", "beams") == 1
    assert shot.turn("Kestrel JINK", NO, 61, 1, 41).kinds().count("Hit") == 3


@pytest.mark.parametrize(
    ("command", "fire", "launch", "lock"),
    [
        ("ECM", False, True, True),
        ("JINK", True, False, True),
        ("PROTECT", True, True, False),
        ("SCAN", False, False, False),
    ],
)
def test_sp_21_what_each_defence_stops(command: str, fire: bool, launch: bool, lock: bool) -> None:
    fired = in_flight("far").turn(f"Kestrel {command}", YES, *[STRUCTURE] * (not fire))
    assert ("Landed" not in fired.kinds()) is fire
    missile = launched("far").turn(f"Hawk {command}", YES, *[BEAMS] * 3 * (not launch))
    assert ("Landed" not in missile.kinds()) is launch
    locked = met().turns("Hawk TARGET").turn(f"Kestrel {command}", YES)
    assert (locked.pair()["locks"] == []) is lock


def test_sp_21_one_defence_stops_the_shots_of_all_opponents() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier TARGET Kite", "Kestrel SCAN", "Kite SCAN")
    shot = start.turns("Hawk FIRE Kite", "Harrier FIRE Kite", "Kestrel SCAN")
    assert "Landed" not in shot.turns("Kite PROTECT").kinds()


def test_sp_22_eject_needs_a_shot_or_a_lock_and_a_find() -> None:
    assert met().refusal("Hawk EJECT") == "nothing to escape"
    assert in_flight().refusal("Kestrel EJECT") is None
    blind = duel().turns("Hawk SCAN").turn("Kestrel SCAN", NO).turns("Hawk TARGET")
    assert blind.refusal("Kestrel EJECT") == "undetected"


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_sp_22_the_chance_to_eject_is_25_and_15_a_rank(rank: int) -> None:
    locked = met(blue=kestrel(rank=rank)).turns("Hawk TARGET")
    odds = 25 + 15 * rank
    assert locked.chance("Kestrel EJECT") == odds
    assert locked.turn("Kestrel EJECT", odds).pilot("Kestrel")["fate"] == "ejected"
    assert locked.turn("Kestrel EJECT", odds + 1).pilot("Kestrel")["fate"] == "active"


@pytest.mark.parametrize(("brought", "lost"), [("0", "0"), ("0.1", "0.1"), ("3", "0.2")])
def test_sp_22_an_early_ejection_costs_up_to_two_tenths(brought: str, lost: str) -> None:
    locked = met(blue=kestrel(hp=brought)).turns("Hawk TARGET")
    assert locked.turn("Kestrel EJECT", YES).pilot("Kestrel")["hp_lost"] == lost


def test_sp_22_the_earliest_shot_has_the_kill_before_any_lock() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier DOGFIGHT Kite", "Kestrel SCAN", "Kite SCAN")
    start = start.turns("Hawk TARGET Kite", "Harrier FIRE Kite", "Kestrel SCAN")
    assert start.turn("Kite EJECT", YES).pilot("Harrier")["kills"] == 1


def test_sp_22_after_a_failure_the_shots_land() -> None:
    assert "Hit" in in_flight().turn("Kestrel EJECT", NO, STRUCTURE).kinds()


def test_sp_23_escape_from_extreme_to_every_opponent_only() -> None:
    gone = apart().turn("Hawk ESCAPE")
    assert gone.pilot("Hawk")["fate"] == "escaped"
    assert gone.state["winner"] == "blue"
    assert met().refusal("Hawk ESCAPE") == "not at extreme"
    half = melee().turns("Hawk OPEN", "Harrier OPEN", "Kestrel CLOSE", "Kite SCAN")
    assert half.pair("Hawk|Kite")["range"] == "extreme"
    assert half.refusal("Hawk ESCAPE") == "not at extreme"


def test_sp_24_two_team_turns_at_extreme_restart_the_battle() -> None:
    hurt = in_flight().turn("Kestrel JINK", NO, STRUCTURE).turns("Hawk OPEN", "Kestrel PROTECT")
    again = hurt.turn("Hawk TARGET", YES).initiative(40, 30)
    far = {"range": "far", "advantage": None, "locks": [], "shots": []}
    assert (again.state["turn"], again.pair()) == ("blue", far)
    assert again.stat("Kestrel", "structure") == 2
    assert again.pilot("Kestrel")["found"] == ["Hawk"]


def test_sp_24_who_starts_again_is_rolled_also_where_the_setup_named_who_started() -> None:
    restarted = apart().turns("Hawk TARGET")
    assert (restarted.state["turn"], restarted.state["to_act"]) == (None, [])
    assert restarted.initiative(5, 5, 9, 4).state["turn"] == "blue"
    with pytest.raises(IllegalOrder, match="needs an order"):
        apart().initiative()


def test_sp_24_a_turn_that_began_nearer_breaks_the_count() -> None:
    nearer = met().turns("Hawk OPEN", "Kestrel CLOSE", "Hawk OPEN", "Kestrel SCAN")
    assert nearer.pair()["range"] == "extreme"
    assert "Restarted" not in nearer.kinds()


def test_sp_24_who_escapes_breaks_the_count() -> None:
    start = fight([hawk()], [kestrel(), pilot("Kite", "alliance")])
    start = start.turns("Hawk SCAN", "Kestrel SCAN", "Kite SCAN", "Hawk OPEN", "Kestrel SCAN")
    assert "Restarted" in start.turns("Kite SCAN", "Hawk SCAN").kinds()
    assert "Restarted" not in start.turn("Kite ESCAPE").turns("Hawk SCAN").kinds()


def test_sp_24_the_count_starts_again_after_a_restart() -> None:
    again = apart().turn("Hawk PROTECT", YES).initiative(10, 20)
    once = again.turns("Hawk OPEN", "Kestrel PROTECT")
    assert "Restarted" not in once.kinds()
    assert "Restarted" in once.turns("Hawk PROTECT").kinds()


def test_sp_25_who_surrenders_leaves_at_once_and_shots_at_it_are_void() -> None:
    gone = in_flight().turn("Kestrel SURRENDER")
    assert gone.pilot("Kestrel")["fate"] == "surrendered"
    assert gone.pilot("Hawk")["prizes"] == 1
    assert gone.battle.shots == ()


def test_sp_25_in_a_team_battle_a_captor_must_be_named() -> None:
    start = melee()
    assert start.refusal("Hawk SURRENDER") == "bad target"
    assert start.refusal("Hawk SURRENDER Harrier") == "bad target"
    assert start.refusal("Hawk SURRENDER Kite") is None


def test_sp_25_one_against_one_a_name_is_ignored() -> None:
    alone = melee().turns("Hawk TARGET Kite").turn("Harrier SURRENDER Kite")
    alone = alone.turn("Kestrel SURRENDER Hawk").turns("Kite SCAN", "Hawk FIRE Kite")
    assert alone.refusal("Kite SURRENDER Harrier") is None
    assert alone.turn("Kite SURRENDER Harrier").pilot("Hawk")["prizes"] == 1


@pytest.mark.parametrize(
    ("roll", "stat"),
    [
        *[(1, "beams"), (10, "beams"), (11, "missiles"), (20, "missiles"), (21, "maneuver")],
        *[(30, "maneuver"), (31, "speed"), (40, "speed"), (41, "shields"), (50, "shields")],
        *[(51, "electronics"), (60, "electronics"), (61, "structure"), (100, "structure")],
    ],
)
def test_sp_26_the_damage_table(roll: int, stat: str) -> None:
    before = in_flight()
    after = before.turn("Kestrel JINK", NO, roll)
    assert after.stat("Kestrel", stat) == before.stat("Kestrel", stat) - 1


@pytest.mark.parametrize(("roll", "wounded"), [(89, False), (90, True), (100, True)])
def test_sp_26_a_damage_roll_of_90_wounds(roll: int, wounded: bool) -> None:
    assert in_flight().turn("Kestrel JINK", NO, roll).pilot("Kestrel")["wounded"] is wounded


def test_sp_26_a_stat_at_minus_one_takes_no_more() -> None:
    hit = in_flight("near").turn("Kestrel JINK", NO, BEAMS, BEAMS, BEAMS)
    assert hit.stat("Kestrel", "beams") == -1
    assert hit.pilot("Kestrel")["fate"] == "active"


def test_sp_26_two_stats_at_minus_one_destroy_the_ship_and_end_the_hits() -> None:
    start = launched("far").turn("Hawk JINK", NO, 11, 1, 1)
    start = start.turns("Kestrel TARGET", "Hawk PROTECT", "Kestrel LAUNCH")
    gone = start.turn("Hawk JINK", NO, 1, 1, YES)
    assert gone.kinds()[:6] == ["Tried", "Landed", "Hit", "Hit", "Destroyed", "Bailed"]


def test_sp_26_structure_at_minus_one_destroys_the_ship() -> None:
    start = launched("far").turn("Hawk JINK", NO, 61, 61, 61)
    assert start.stat("Hawk", "structure") == 0
    shot = start.turns("Kestrel TARGET", "Hawk PROTECT", "Kestrel LAUNCH")
    assert shot.turn("Hawk JINK", NO, WOUND, YES).pilot("Hawk")["fate"] == "ejected"


def doomed(**changes: object) -> Fight:
    """A duel in which the next hit on Kestrel's Structure destroys it; Kestrel to move."""
    start = met(blue=kestrel(**changes)).turns("Hawk CLOSE", "Kestrel SCAN", "Hawk DOGFIGHT")
    start = start.turns("Kestrel SCAN", "Hawk FIRE").turn("Kestrel JINK", NO, *[STRUCTURE] * 3)
    return start.turns("Hawk FIRE")


@pytest.mark.parametrize(("roll", "fate"), [(55, "ejected"), (56, "killed")])
def test_sp_27_the_standard_ejection_and_the_kill(roll: int, fate: str) -> None:
    gone = doomed(rank=2, hp="3").turn("Kestrel JINK", NO, STRUCTURE, roll)
    assert gone.pilot("Kestrel")["fate"] == fate
    assert gone.pilot("Kestrel")["hp_lost"] == "0"
    assert gone.pilot("Hawk")["kills"] == 1


def test_sp_27_shots_and_locks_of_a_pilot_that_is_out_are_void() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier SCAN", "Kestrel SCAN", "Kite TARGET Hawk")
    start = start.turns("Hawk FIRE Kite", "Harrier SCAN").turn("Kestrel SURRENDER Harrier")
    assert [s.at for s in start.battle.shots] == ["Kite"]
    assert start.turn("Kite SURRENDER Hawk").battle.shots == ()
    assert start.turn("Kite SURRENDER Hawk").battle.locks == ()


def test_sp_27_a_shot_of_a_pilot_that_falls_in_the_same_turn_is_void() -> None:
    start = melee().turns("Hawk SCAN", "Harrier SCAN", "Kestrel TARGET Hawk", "Kite TARGET Hawk")
    start = start.turns("Hawk TARGET Kite", "Harrier SCAN")
    start = start.turns("Kestrel LAUNCH Hawk", "Kite LAUNCH Hawk")
    fallen = start.turn("Hawk FIRE Kite", YES, *[STRUCTURE] * 4, YES)
    assert fallen.pilot("Hawk")["fate"] == "ejected"
    assert fallen.battle.shots == ()
    # With exactly one die: no hit on Kite is rolled.
    fallen.turns("Harrier SCAN", "Kestrel SCAN").turn("Kite SCAN", YES)


def test_sp_28_hp_of_a_duel() -> None:
    assert doomed().turn("Kestrel JINK", NO, STRUCTURE, YES).pilot("Hawk")["hp"] == "1"
    yielded = in_flight().turn("Kestrel SURRENDER")
    assert yielded.pilot("Hawk")["hp"] == "1"
    run = in_flight().turn("Kestrel OPEN", YES, BEAMS).turns("Hawk PROTECT").turn("Kestrel ESCAPE")
    assert (run.pilot("Kestrel")["hp"], run.pilot("Hawk")["hp"]) == ("0.3", "0.7")


def test_sp_28_a_surrender_costs_hp_in_a_duel_only() -> None:
    yielded = met(blue=kestrel(hp="2")).turns("Hawk SCAN").turn("Kestrel SURRENDER")
    assert yielded.pilot("Kestrel")["hp_lost"] == "0.2"
    red, blue = [hawk()], [kestrel(hp="2"), pilot("Kite", "alliance", hp="2")]
    start = fight(red, blue).turns("Hawk SCAN")
    assert start.turn("Kestrel SURRENDER").pilot("Kestrel")["hp_lost"] == "0"


def test_sp_28_hp_of_a_team_battle() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier SCAN", "Kestrel SCAN", "Kite SCAN")
    shot = start.turns("Hawk FIRE Kite", "Harrier SCAN")
    prize = shot.turn("Kestrel SURRENDER Harrier")
    assert (prize.pilot("Harrier")["hp"], prize.pilot("Hawk")["hp"]) == ("1", "0.4")
    kill = shot.turns("Kestrel SCAN").turn("Kite EJECT", YES)
    assert (kill.pilot("Hawk")["hp"], kill.pilot("Harrier")["hp"]) == ("1", "0.4")


def test_sp_28_an_escape_pays_each_opponent_still_active() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier SCAN", "Kestrel SCAN", "Kite SCAN")
    start = start.turns("Hawk FIRE Kite", "Harrier OPEN", "Kestrel OPEN", "Kite PROTECT")
    start = start.turns("Hawk OPEN", "Harrier PROTECT").turn("Kestrel ESCAPE")
    assert [start.pilot(n)["hp"] for n in ("Kestrel", "Hawk", "Harrier")] == ["0.3", "0.7", "0.7"]


def test_sp_28_one_against_one_goes_as_a_duel() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier SCAN", "Kestrel SCAN", "Kite SCAN")
    start = start.turns("Hawk FIRE Kite", "Harrier SCAN").turn("Kestrel SURRENDER Harrier")
    last = start.turns("Kite PROTECT").turn("Hawk SURRENDER Kite").turns("Harrier SCAN")
    assert last.state["to_act"] == ["Kite"]
    assert last.refusal("Kite TARGET") is None
    assert last.turn("Kite SURRENDER Nobody").pilot("Harrier")["prizes"] == 2


def test_sp_28_the_battle_is_over_when_a_team_has_no_active_pilot() -> None:
    start = melee().turn("Hawk SURRENDER Kite")
    assert not start.state["over"]
    over = start.turn("Harrier SURRENDER Kite")
    assert STARPILOT.outcome(over.battle) == Outcome("blue", drawn=False)
    assert (over.state["turn"], over.state["to_act"]) == (None, [])
    assert over.refusal("Kite SCAN") == "over"


def test_sp_28a_no_hp_no_prize_before_a_shot_succeeds() -> None:
    yielded = met(blue=kestrel(hp="1")).turns("Hawk TARGET").turn("Kestrel SURRENDER")
    assert (yielded.pilot("Hawk")["hp"], yielded.pilot("Hawk")["prizes"]) == ("0", 0)
    assert yielded.pilot("Kestrel")["hp_lost"] == "0.2"
    missed = met().turns("Hawk TARGET", "Kestrel SCAN").turn("Hawk FIRE", NO)
    assert missed.turn("Kestrel SURRENDER").pilot("Hawk")["prizes"] == 0


def test_sp_28a_a_shot_that_was_stopped_counts_also_before_a_restart() -> None:
    stopped = in_flight().turns("Kestrel JINK")
    assert stopped.turn("Hawk SURRENDER").pilot("Kestrel")["hp"] == "1"
    restarted = stopped.turns("Hawk OPEN", "Kestrel SCAN", "Hawk SCAN").initiative(1, 2)
    assert restarted.turn("Hawk SURRENDER").pilot("Kestrel")["hp"] == "1"


def test_sp_28a_lost_hp_come_out_of_those_brought_along_only() -> None:
    rich = in_flight().turns("Kestrel JINK").turn("Hawk SURRENDER")
    assert (rich.pilot("Hawk")["hp_lost"], rich.pilot("Kestrel")["hp_lost"]) == ("0", "0")
    start = melee().turns("Hawk TARGET Kite", "Harrier SCAN", "Kestrel SCAN", "Kite SCAN")
    start = start.turns("Hawk FIRE Kite", "Harrier SCAN").turn("Kestrel SURRENDER Hawk")
    # Hawk has earned 1 HP in this battle, and brought none along.
    out = start.turn("Kite TARGET Hawk", YES, STRUCTURE).turn("Hawk EJECT", YES)
    assert (out.pilot("Hawk")["hp"], out.pilot("Hawk")["hp_lost"]) == ("1", "0")


def helpless() -> Fight:
    """A duel in which hits have taken all that Kestrel could do; Hawk to move."""
    start = met().turns("Hawk CLOSE", "Kestrel SCAN", "Hawk DOGFIGHT", "Kestrel SCAN")
    volleys = [MISSILES] * 3, [MANEUVER, MANEUVER, SPEED], [SPEED, SPEED, SHIELDS]
    volleys += [SHIELDS, ELECTRONICS, ELECTRONICS], [ELECTRONICS, STRUCTURE, STRUCTURE]
    for volley in volleys:
        start = start.turns("Hawk FIRE").turn("Kestrel SCAN", NO, *volley)
    return start


def test_sp_28b_hold_is_for_who_can_do_nothing_else() -> None:
    assert met().refusal("Hawk HOLD") == duel().refusal("Hawk HOLD") == "can act"
    done = helpless().turns("Hawk SCAN")
    assert STARPILOT.offers(done.battle, Seat("Kestrel"))[0].order.command == "HOLD"
    assert done.turn("Kestrel HOLD").kinds() == ["Tried", "Acted", "Passed"]


def test_sp_28b_a_shot_lands_on_who_holds_or_it_may_eject() -> None:
    shot = helpless().turns("Hawk FIRE")
    assert shot.refusal("Kestrel HOLD") == "can act"
    assert shot.refusal("Kestrel EJECT") is None


def test_sp_28c_a_hundred_quiet_turns_a_pilot_are_a_draw() -> None:
    start = duel()
    for _ in range(99):
        start = start.turns("Hawk SCAN", "Kestrel SCAN")
    start = start.turns("Hawk SCAN")
    assert not start.state["over"]
    drawn = start.turns("Kestrel SCAN")
    assert STARPILOT.outcome(drawn.battle) == Outcome(None, drawn=True)
    assert list(drawn.state["pairs"]) == ["Hawk|Kestrel"]


def test_sp_28c_a_hit_starts_the_count_again_and_a_restart_does_not() -> None:
    assert in_flight().turn("Kestrel SCAN", NO, STRUCTURE).battle.quiet == 0
    assert in_flight().turns("Kestrel PROTECT").battle.quiet == 6
    before = apart()
    assert before.turns("Hawk SCAN").battle.quiet == before.battle.quiet + 1


def test_sp_28c_the_pilots_of_the_setup_count_also_those_that_have_left() -> None:
    left = melee().turns("Hawk SCAN", "Harrier SCAN", "Kestrel SCAN").turn("Kite SURRENDER Hawk")
    late = Fight(change(left.battle, quiet=398)).turns("Hawk SCAN")
    assert not late.state["over"]
    assert late.turns("Harrier SCAN").state["over"]


def test_sp_29_a_draw_gives_no_hp() -> None:
    drawn = in_flight().rule("DRAW")
    assert STARPILOT.outcome(drawn.battle) == Outcome(None, drawn=True)
    assert {p["hp"] for p in drawn.state["pilots"].values()} == {"0"}
    assert {p["fate"] for p in drawn.state["pilots"].values()} == {"active"}


def test_sp_29_a_forfeit_counts_as_a_surrender() -> None:
    forfeit, surrender = (
        in_flight().rule("FORFEIT", "Kestrel"),
        in_flight().turn("Kestrel SURRENDER"),
    )
    assert forfeit.state == surrender.state
    assert forfeit.pilot("Hawk")["hp"] == "1"


def test_sp_29_a_forfeit_in_a_team_battle_yields_to_the_first_active_opponent() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier SCAN", "Kestrel SCAN", "Kite SCAN")
    start = start.turns("Hawk FIRE Kite", "Harrier SCAN")
    assert start.rule("FORFEIT", "Hawk").pilot("Kestrel")["prizes"] == 1
    start = start.turn("Kestrel SURRENDER Hawk")
    assert start.rule("FORFEIT", "Hawk").pilot("Kite")["prizes"] == 1
    assert start.rule("FORFEIT", "Hawk").state["to_act"] == ["Kite"]


def test_sp_29_a_forfeit_in_a_team_battle_yields_to_who_threatens_the_pilot() -> None:
    start = melee().turns("Hawk TARGET Kite", "Harrier SCAN", "Kestrel SCAN", "Kite TARGET Hawk")
    locked = start.turns("Hawk FIRE Kite").rule("FORFEIT", "Hawk")
    # A shot in flight counts before any lock, as for an ejection (SP-22).
    shot = start.turns("Hawk SCAN", "Harrier SCAN", "Kestrel TARGET Hawk", "Kite LAUNCH Hawk")
    for done in (locked, shot.rule("FORFEIT", "Hawk")):
        assert (done.pilot("Kite")["prizes"], done.pilot("Kestrel")["prizes"]) == (1, 0)


@pytest.mark.parametrize(
    ("command", "at", "reason"),
    [("FORFEIT", "Nobody", "unknown command"), ("FIRE", "Hawk", "unknown command")],
)
def test_sp_29_the_referee_gives_no_other_orders(command: str, at: str, reason: str) -> None:
    with pytest.raises(IllegalOrder) as refused:
        met().rule(command, at)
    assert refused.value.reason == reason
