"""Self-tests of the naive referee, one for each hard clause of the rulings."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

from tests.oracle import scenarios
from tests.oracle.naive_starpilot import SHIPS, BadScenario, Battle, DiceList, Json, replay
from tests.support.trial_counts import tries

Order = tuple[str, ...]


def pilot(name: str, side: str, ship: str, **changes: Any) -> Json:
    """A pilot of rank one with even aptitudes."""
    even = {"rank": 1, "weapons": 12, "piloting": 12, "sensors": 12, "mark": 0, "hp": "0"}
    return {"name": name, "side": side, "ship": ship, **even, **changes}


def hawk(name: str = "Hawk", **changes: Any) -> Json:
    """A pilot of team red, in a ship with every stat."""
    return pilot(name, "cartel", "Catherine 521A", **changes)


def kestrel(name: str = "Kestrel", **changes: Any) -> Json:
    """A pilot of team blue, in a ship with every stat."""
    return pilot(name, "alliance", "Cymru 215-A", **changes)


class Table:
    """A battle under test, with the dice laid out order by order."""

    def __init__(self, red: list[Json], blue: list[Json], dice: tuple[int, ...] = ()) -> None:
        """Red starts, unless there are dice for the initiative."""
        self.setup: Json = {
            "teams": [{"name": "red", "pilots": red}, {"name": "blue", "pilots": blue}]
        }
        if not dice:
            self.setup["first"] = "red"
        self.dice = DiceList(list(dice))
        self.battle = Battle(self.setup, self.dice.draw)
        for name, other in self.battle.pilots.items():
            other["found"] = {*self.battle.opponents(name)}

    def play(self, order: str, *dice: int) -> str | None:
        """Play "pilot COMMAND at" with exactly these dice."""
        words = order.split()
        given = dict(zip(("pilot", "command", "at"), words, strict=False))
        self.dice.numbers.extend(dice)
        reason = self.battle.give(given)
        self.dice.check_used_up()
        return reason

    def state(self, name: str) -> Any:
        """One pilot's state."""
        return self.battle.state()["pilots"][name]

    def pair(self) -> Any:
        """The state of the first pair."""
        return next(iter(self.battle.state()["pairs"].values()))

    def put(self, distance: str, advantage: str | None = None) -> None:
        """Put all pairs at this range."""
        for pair in self.battle.ranges:
            self.battle.ranges[pair] = distance
            self.battle.advantages[pair] = advantage


def duel(**changes: Any) -> Table:
    """Hawk against Kestrel, red to start, all found."""
    return Table([hawk(**changes)], [kestrel(**changes)])


def two_against_two(**changes: Any) -> Table:
    """Hawk and Heron against Kestrel and Kite."""
    return Table(
        [hawk(**changes), hawk("Heron", **changes)],
        [kestrel(**changes), kestrel("Kite", **changes)],
    )


def worked_scenario() -> Json:
    """The worked example of the rules, with a way to get there."""
    red = pilot("Hawk", "cartel", "Angela 313B", hp="1.3")
    blue = pilot(
        "Kestrel", "alliance", "Rus 133-A", rank=2, weapons=16, piloting=10, sensors=10, mark=5
    )
    orders: list[Order] = [
        ("Hawk", "SCAN"),
        ("Kestrel", "SCAN"),
        ("Hawk", "CLOSE"),
        ("Kestrel", "SCAN"),
        ("Hawk", "DOGFIGHT"),
        ("Kestrel", "SCAN"),
        ("Hawk", "FIRE", "Kestrel"),
        ("Kestrel", "JINK"),
    ]
    keys = ("pilot", "command", "at")
    return {
        "system": "starpilot",
        "setup": {
            "first": "red",
            "teams": [{"name": "red", "pilots": [red]}, {"name": "blue", "pilots": [blue]}],
        },
        "orders": [dict(zip(keys, order, strict=False)) for order in orders],
        "dice": [1, 1, 1, 99, 1, 99, 31, 55, 7, 64, 93],
    }


def test_worked_example() -> None:
    """Three hits from Near: Beams to -1, Structure twice, and a wound."""
    result = replay(worked_scenario())
    kestrel_now = result["state"]["pilots"]["Kestrel"]
    assert kestrel_now["stats"]["beams"] == -1
    assert kestrel_now["stats"]["structure"] == 1
    assert kestrel_now["wounded"] is True
    assert result["state"]["turn"] == "red"
    assert result["state"]["to_act"] == ["Hawk"]
    assert result["refused"] == []
    assert result["state"]["pairs"] == {
        "Hawk|Kestrel": {"range": "near", "advantage": "Hawk", "locks": [], "shots": []}
    }


def test_worked_example_before_the_shot_lands() -> None:
    """The shot in flight is listed in the pair."""
    scenario = worked_scenario()
    scenario["orders"].pop()
    scenario["dice"] = scenario["dice"][:7]
    shots = replay(scenario)["state"]["pairs"]["Hawk|Kestrel"]["shots"]
    assert shots == [{"by": "Hawk", "weapon": "fire", "from": "near"}]


def test_ships_are_24_six_a_side() -> None:
    """Light ships have exactly one weapon of 0."""
    assert len(SHIPS) == 24
    sides = [side for side, _ in SHIPS.values()]
    assert all(sides.count(side) == 6 for side in sides)
    assert all((stats[-1] == 3) == (0 in stats) for _, stats in SHIPS.values())


def test_SP_04_mark_raises_the_rating() -> None:
    """Mark 63 raises every stat but Structure."""
    table = duel(mark=63)
    assert list(table.state("Hawk")["stats"].values()) == [4, 5, 5, 4, 3, 6, 5]


def test_SP_05_damage_leaves_the_skill_until_zero() -> None:
    """Speed 1 of 3 still rolls against 3 times 12; Speed 0 is disabled."""
    table = duel()
    table.battle.pilots["Hawk"]["stats"]["speed"] = 1
    assert table.play("Hawk OPEN", 36) is None
    assert table.pair()["range"] == "extreme"
    table.play("Kestrel SCAN", 50)
    table.battle.pilots["Hawk"]["stats"]["speed"] = 0
    assert table.play("Hawk OPEN") == "disabled"


def test_SP_05_light_fighter_without_beams_never_fires() -> None:
    """Even with a lock it is `disabled`."""
    table = Table([pilot("Hawk", "cartel", "Angela 313A")], [kestrel()])
    table.play("Hawk TARGET", 1)
    table.play("Kestrel SCAN", 1)
    assert table.play("Hawk FIRE") == "disabled"


def test_SP_09_tie_is_rolled_again_by_both() -> None:
    """The lower starts."""
    assert Table([hawk()], [kestrel()], (5, 5, 100, 99)).battle.turn == "blue"


def test_SP_10_each_active_pilot_acts_in_any_order() -> None:
    """No pilot acts twice, nor out of its team's turn."""
    table = two_against_two()
    assert table.play("Heron SCAN", 100) is None
    assert table.play("Heron SCAN") == "not your turn"
    assert table.play("Kite SCAN") == "not your turn"
    assert table.battle.to_act() == ["Hawk"]
    table.play("Hawk SCAN", 100)
    assert table.battle.to_act() == ["Kestrel", "Kite"]


def test_SP_11_lock_counts_on_the_next_turn_only() -> None:
    """It lapses at the end of the holder's next turn, used or not."""
    table = duel()
    table.play("Hawk TARGET", 1)
    table.play("Kestrel SCAN", 100)
    assert table.pair()["locks"] == ["Hawk"]
    table.play("Hawk SCAN", 100)
    assert table.pair()["locks"] == []
    table.play("Kestrel SCAN", 100)
    assert table.play("Hawk FIRE") == "no lock"


def test_SP_11_refused_order_leaves_the_turn() -> None:
    """It draws no die and the lock does not lapse."""
    table = duel()
    table.play("Hawk TARGET", 1)
    table.play("Kestrel SCAN", 100)
    assert table.play("Hawk ESCAPE") == "not at extreme"
    assert table.play("Hawk FIRE", 66) is None
    assert table.pair()["shots"] == [{"by": "Hawk", "weapon": "fire", "from": "far"}]


def test_SP_12_scan_finds_for_the_active_team() -> None:
    """Also for team-mates, but not for those who have left."""
    table = two_against_two()
    for some in table.battle.pilots.values():
        some["found"] = set()
    table.play("Hawk SURRENDER Kite")
    assert table.play("Heron JINK") == "undetected"
    assert table.play("Heron EJECT") == "undetected"
    table.play("Heron SCAN", 1)
    assert table.state("Heron")["found"] == ["Kestrel", "Kite"]
    assert table.state("Hawk")["found"] == []
    table.play("Kite SCAN", 1)
    assert table.state("Kestrel")["found"] == ["Heron"]


def test_SP_12_hit_finds_the_shooter_for_the_victim_alone() -> None:
    """One found is enough for JINK, not for aiming at the other."""
    table = two_against_two()
    for name in ("Kestrel", "Kite"):
        table.battle.pilots[name]["found"] = set()
    table.put("far", "Hawk")
    table.play("Hawk FIRE Kestrel", 1)
    table.play("Heron SCAN", 100)
    table.play("Kestrel SCAN", 100, 1)
    assert table.state("Kestrel")["found"] == ["Hawk"]
    assert table.state("Kite")["found"] == []
    table.play("Kite SCAN", 100)
    table.play("Hawk SCAN", 100)
    table.play("Heron SCAN", 100)
    assert table.play("Kestrel TARGET Heron") == "bad target"
    assert table.play("Kestrel JINK", 100) is None


def test_SP_12_found_stays_found_when_it_has_left() -> None:
    """A pilot that found only a leaver is not `undetected`."""
    table = two_against_two()
    table.battle.pilots["Kestrel"]["found"] = {"Hawk"}
    table.play("Hawk SURRENDER Kite")
    table.play("Heron SCAN", 100)
    assert table.play("Kestrel TARGET") == "bad target"
    assert table.play("Kestrel ECM", 100) is None
    assert table.state("Kestrel")["found"] == ["Hawk"]


def test_SP_12_destroyed_ship_has_found_its_shooter() -> None:
    """The hit counts before the pilot leaves."""
    table = duel()
    table.battle.pilots["Kestrel"]["found"] = set()
    table.battle.pilots["Kestrel"]["stats"]["structure"] = 0
    table.put("far", "Hawk")
    table.play("Hawk FIRE", 1)
    table.play("Kestrel SCAN", 100, 61, 100)
    assert table.state("Kestrel")["found"] == ["Hawk"]
    assert table.state("Kestrel")["fate"] == "killed"


def test_SP_12_captor_need_not_be_found() -> None:
    """An undetected pilot may surrender."""
    table = two_against_two()
    table.battle.pilots["Hawk"]["found"] = set()
    assert table.play("Hawk SURRENDER") == "bad target"
    assert table.play("Hawk SURRENDER Heron") == "bad target"
    assert table.play("Hawk SURRENDER Kestrel") is None


def test_SP_13_nothing_to_act_on_is_legal_and_rolled() -> None:
    """CLOSE at Near keeps the Advantage."""
    table = duel()
    table.put("near", "Hawk")
    assert table.play("Hawk CLOSE", 1) is None
    assert table.pair() == {"range": "near", "advantage": "Hawk", "locks": [], "shots": []}
    assert table.play("Kestrel PROTECT", 1) is None
    assert table.play("Hawk DOGFIGHT", 1) is None
    assert table.pair()["advantage"] == "Hawk"


def test_SP_14_only_pairs_that_change_lose_the_advantage() -> None:
    """One pair is at Near already."""
    table = two_against_two()
    table.put("near", "Hawk")
    table.battle.ranges["Hawk", "Kite"] = "extreme"
    table.battle.advantages["Hawk", "Kite"] = "Kite"
    table.play("Hawk CLOSE", 36)
    assert table.battle.advantages["Hawk", "Kestrel"] == "Hawk"
    assert table.battle.ranges["Hawk", "Kite"] == "far"
    assert table.battle.advantages["Hawk", "Kite"] is None
    assert table.battle.ranges["Heron", "Kite"] == "near"


def test_SP_15_dogfight_goes_one_step() -> None:
    """From the opponent's Advantage to none, then to the own."""
    table = duel()
    table.put("near", "Kestrel")
    table.play("Hawk DOGFIGHT", 48)
    assert table.pair()["advantage"] is None
    table.play("Kestrel DOGFIGHT", 37)
    table.play("Hawk DOGFIGHT", 48)
    assert table.pair()["advantage"] == "Hawk"


def test_SP_16_renewed_lock_holds_another_turn() -> None:
    """The renewal counts on the turn after it; a failed one does not."""
    table = duel()
    for _ in range(2):
        table.play("Hawk TARGET", 60)
        table.play("Kestrel SCAN", 100)
    assert table.pair()["locks"] == ["Hawk"]
    table.play("Hawk TARGET", 61)
    assert table.pair()["locks"] == []


def test_SP_17_reasons_in_order() -> None:
    """Extreme before disadvantage before no lock, disabled before all."""
    table = duel()
    assert table.play("Hawk FIRE") == "no lock"
    table.put("near", "Kestrel")
    assert table.play("Hawk FIRE") == "disadvantage"
    table.put("extreme", "Kestrel")
    assert table.play("Hawk LAUNCH") == "extreme"
    table.battle.pilots["Hawk"]["stats"]["missiles"] = 0
    assert table.play("Hawk LAUNCH") == "disabled"


def test_SP_17_disadvantage_stands_in_spite_of_a_lock() -> None:
    """The opponent took the Advantage after the lock."""
    table = duel()
    table.play("Hawk TARGET", 1)
    table.play("Kestrel DOGFIGHT", 1)
    assert table.play("Hawk FIRE") == "disadvantage"


def test_SP_18_lock_adds_30_also_with_own_advantage() -> None:
    """3 times 12 and 30 is 66."""
    for roll, shots in ((66, 1), (67, 0)):
        table = duel()
        table.put("near", "Hawk")
        table.play("Hawk TARGET", 1)
        table.play("Kestrel SCAN", 100)
        table.play("Hawk FIRE", roll)
        assert len(table.pair()["shots"]) == shots


@pytest.mark.parametrize(
    ("command", "start", "move", "hits"),
    [
        ("FIRE", "near", "SCAN", 3),
        ("FIRE", "near", "OPEN", 3),
        ("FIRE", "far", "CLOSE", 1),
        ("LAUNCH", "near", "OPEN", 1),
        ("LAUNCH", "far", "SCAN", 4),
        ("LAUNCH", "far", "CLOSE", 4),
        ("LAUNCH", "far", "OPEN", 1),
    ],
)
def test_SP_20_hits_by_weapon_and_range(command: str, start: str, move: str, hits: int) -> None:
    """The range is that of the shot; Extreme matters only to a missile from Far."""
    table = duel()
    table.put(start, "Hawk")
    table.battle.pilots["Hawk"]["stats"].update(beams=1, missiles=1)
    table.play(f"Hawk {command}", 1)
    table.play(f"Kestrel {move}", 1, *[1, 11, 21, 31][:hits])
    assert table.pair()["shots"] == []


@pytest.mark.parametrize(
    ("defence", "weapon", "shots", "locks"),
    [
        ("ECM", "LAUNCH", 0, 0),
        ("ECM", "FIRE", 1, 0),
        ("JINK", "FIRE", 0, 0),
        ("JINK", "LAUNCH", 1, 0),
        ("PROTECT", "FIRE", 0, 1),
        ("PROTECT", "LAUNCH", 0, 1),
    ],
)
def test_SP_21_defence_against_all_opponents(
    defence: str, weapon: str, shots: int, locks: int
) -> None:
    """Heron has a lock, Hawk a shot in flight; both at Kestrel."""
    table = two_against_two()
    table.put("near", "Hawk")
    table.battle.ranges["Hawk", "Kestrel"] = "far" if weapon == "FIRE" else "near"
    table.play(f"Hawk {weapon} Kestrel", 1)
    table.play("Heron TARGET Kestrel", 1)
    table.play(f"Kestrel {defence}", 1, *[1] * shots)
    pairs = table.battle.state()["pairs"]
    assert pairs["Heron|Kestrel"]["locks"] == ["Heron"] * locks


def test_SP_22_eject_from_a_lock_before_any_shot_gives_no_kill() -> None:
    """SP-28a: the HP are lost nevertheless."""
    table = duel(hp="0.1")
    assert table.play("Hawk EJECT") == "nothing to escape"
    table.play("Hawk TARGET", 1)
    assert table.play("Kestrel EJECT", 40) is None
    assert table.battle.winner == "red"
    assert table.state("Kestrel")["fate"] == "ejected"
    assert table.state("Kestrel")["hp_lost"] == "0.1"
    assert table.state("Hawk")["kills"] == 0
    assert table.state("Hawk")["hp"] == "0"


def test_SP_22_eject_kill_goes_to_the_earliest_shot_before_any_lock() -> None:
    """The lock is older, but the shooter has the kill."""
    table = two_against_two(hp="3")
    table.put("near", "Hawk")
    table.play("Heron TARGET Kestrel", 1)
    table.play("Hawk FIRE Kestrel", 1)
    table.play("Kestrel EJECT", 40)
    assert table.state("Kestrel")["hp_lost"] == "0.2"
    assert (table.state("Hawk")["kills"], table.state("Hawk")["hp"]) == (1, "1")
    assert (table.state("Heron")["kills"], table.state("Heron")["hp"]) == (0, "0.4")


def test_SP_22_eject_kill_goes_to_the_holder_of_the_earliest_lock() -> None:
    """Hawk renewed its lock, so Heron's is older."""
    table = two_against_two()
    table.battle.shooting_began = True
    table.play("Hawk TARGET Kestrel", 1)
    table.play("Heron TARGET Kestrel", 1)
    table.play("Kestrel SCAN", 100)
    table.play("Kite SCAN", 100)
    table.play("Hawk TARGET Kestrel", 1)
    table.play("Heron SCAN", 100)
    table.battle.locks.insert(0, {"by": "Heron", "on": "Kestrel", "new": False})
    table.play("Kestrel EJECT", 1)
    assert table.state("Heron")["kills"] == 1


def test_SP_22_renewed_lock_is_younger() -> None:
    """Heron renews after Hawk, although it had its lock first."""
    table = two_against_two()
    table.battle.shooting_began = True
    for order in ("Heron TARGET Kestrel", "Hawk TARGET Kestrel"):
        table.play(order, 1)
    for order in ("Kestrel SCAN", "Kite SCAN"):
        table.play(order, 100)
    for order in ("Hawk TARGET Kestrel", "Heron TARGET Kestrel"):
        table.play(order, 1)
    table.play("Kestrel EJECT", 1)
    assert table.state("Hawk")["kills"] == 1


def test_SP_22_failed_ejection_lets_the_shots_land() -> None:
    """Then the standard ejection may still save the pilot."""
    table = duel()
    table.put("near", "Hawk")
    table.play("Hawk FIRE", 36)
    table.play("Kestrel EJECT", 41, 1, 11, 21)
    assert table.state("Kestrel")["fate"] == "active"
    table.play("Hawk FIRE", 36)
    table.battle.pilots["Kestrel"]["stats"]["structure"] = 0
    table.play("Kestrel EJECT", 41, 61, 40)
    assert table.state("Kestrel")["fate"] == "ejected"
    assert table.state("Kestrel")["hp_lost"] == "0"


def test_SP_23_escape_only_from_a_turn_begun_at_extreme_to_all() -> None:
    """The opponents that are still active have 0.7 each."""
    table = two_against_two()
    table.battle.shooting_began = True
    table.put("extreme")
    table.battle.ranges["Hawk", "Kite"] = "far"
    assert table.play("Hawk ESCAPE") == "not at extreme"
    assert table.play("Heron ESCAPE") is None
    hp = {name: table.state(name)["hp"] for name in table.battle.pilots}
    assert hp == {"Hawk": "0", "Heron": "0.3", "Kestrel": "0.7", "Kite": "0.7"}


def test_SP_24_restart_after_two_team_turns_at_extreme() -> None:
    """Initiative is rolled again although the setup named who starts; damage stays."""
    table = duel()
    table.put("extreme", "Hawk")
    table.battle.pilots["Hawk"]["stats"]["beams"] = 1
    table.play("Hawk TARGET", 1)
    table.play("Kestrel TARGET", 1, 50, 50, 60, 59)
    assert table.battle.turn == "blue"
    assert table.pair() == {"range": "far", "advantage": None, "locks": [], "shots": []}
    assert table.state("Hawk")["stats"]["beams"] == 1
    assert table.state("Hawk")["found"] == ["Kestrel"]


def test_SP_24_beginning_at_extreme_counts_even_if_it_closes() -> None:
    """Kestrel closes in the second turn, and the restart comes nevertheless."""
    table = duel()
    table.put("extreme")
    table.play("Hawk SCAN", 1)
    table.play("Kestrel CLOSE", 1, 1, 2)
    assert table.pair()["range"] == "far"
    assert table.battle.turn == "red"


def test_SP_24_one_that_left_by_surrender_counts_as_begun_at_extreme() -> None:
    """Hawk surrenders at Extreme, nobody escapes: a restart."""
    table = two_against_two()
    table.put("extreme")
    table.play("Hawk SURRENDER Kite")
    table.play("Heron SCAN", 1)
    table.play("Kestrel SCAN", 1)
    table.play("Kite SCAN", 1, 9, 10)
    assert table.battle.turn == "red"
    assert table.pair()["range"] == "far"


def test_SP_24_an_escape_breaks_the_count() -> None:
    """The two successive team turns begin after it."""
    table = two_against_two()
    table.put("extreme")
    table.play("Hawk SCAN", 1)
    table.play("Heron SCAN", 1)
    table.play("Kestrel ESCAPE")
    table.play("Kite SCAN", 1)
    table.play("Hawk SCAN", 1)
    table.play("Heron SCAN", 1)
    assert table.battle.turn == "blue"
    table.play("Kite SCAN", 1, 1, 2)
    assert table.pair()["range"] == "far"


def test_SP_24_the_count_starts_again_after_a_restart() -> None:
    """One more team turn at Extreme is not enough."""
    table = duel()
    table.put("extreme")
    table.play("Hawk SCAN", 1)
    table.play("Kestrel SCAN", 1, 1, 2)
    table.put("extreme")
    table.play("Hawk SCAN", 1)
    assert table.battle.turn == "blue"


def test_SP_24_restart_voids_shots_in_flight() -> None:
    """A missile launched at an opponent that opened to Extreme is gone."""
    table = two_against_two()
    table.put("extreme")
    table.battle.shots.append({"by": "Kite", "at": "Heron", "weapon": "LAUNCH", "from": "far"})
    table.battle.team_turns_at_extreme = 1
    table.battle.acted = ["Heron"]
    table.play("Hawk SCAN", 1, 1, 2)
    assert table.battle.shots == []


def test_SP_25_surrender_voids_shots_and_costs_in_a_duel_only() -> None:
    """In a duel `at` is ignored, in a team battle the captor is named."""
    table = duel(hp="1")
    table.put("near", "Hawk")
    table.play("Hawk FIRE", 1)
    assert table.play("Kestrel SURRENDER nobody") is None
    assert table.state("Kestrel")["hp_lost"] == "0.2"
    assert (table.state("Hawk")["prizes"], table.state("Hawk")["hp"]) == (1, "1")
    table = two_against_two(hp="1")
    table.battle.shooting_began = True
    table.play("Hawk SURRENDER Kite")
    assert table.state("Hawk")["hp_lost"] == "0"
    assert (table.state("Kite")["prizes"], table.state("Kite")["hp"]) == (1, "1")
    assert (table.state("Kestrel")["prizes"], table.state("Kestrel")["hp"]) == (0, "0.4")


def test_SP_25_one_against_two_may_leave_the_captor_out_only_on_the_ones_side() -> None:
    """`at` may be left out when one opponent is active, but a wrong one is a bad target."""
    table = Table([hawk(), hawk("Heron")], [kestrel()])
    assert table.play("Hawk SURRENDER nobody") == "bad target"
    assert table.play("Hawk SURRENDER") is None
    assert table.play("Heron SURRENDER nobody") is None


def test_SP_26_stat_at_minus_one_takes_no_more_but_the_ship_was_hit() -> None:
    """The count of SP-28c starts again."""
    table = duel()
    table.put("far", "Hawk")
    table.battle.pilots["Kestrel"]["stats"]["beams"] = -1
    table.play("Hawk FIRE", 1)
    table.play("Kestrel SCAN", 100, 10)
    assert table.state("Kestrel")["stats"]["beams"] == -1
    assert table.battle.hitless_turns == 0


def test_SP_26_two_stats_at_minus_one_destroy_and_stop_the_hits() -> None:
    """Of three hits the second destroys; 89 does not wound."""
    table = duel()
    table.put("near", "Hawk")
    table.battle.pilots["Kestrel"]["stats"].update(beams=-1, missiles=0)
    table.play("Hawk FIRE", 1)
    table.play("Kestrel SCAN", 100, 89, 20, 41)
    assert table.state("Kestrel")["fate"] == "killed"
    assert table.state("Kestrel")["wounded"] is False
    assert table.battle.state()["pairs"] == {}
    assert (table.state("Hawk")["kills"], table.state("Hawk")["hp"]) == (1, "1")


def test_SP_27_later_shots_at_a_destroyed_ship_are_void() -> None:
    """They land in the order fired, and the first one kills."""
    table = two_against_two()
    table.put("far", "Hawk")
    for mate in ("Hawk", "Heron"):
        table.battle.advantages[mate, "Kestrel"] = mate
    table.battle.pilots["Kestrel"]["stats"]["structure"] = 0
    table.play("Heron FIRE Kestrel", 1)
    table.play("Hawk FIRE Kestrel", 1)
    table.play("Kestrel SCAN", 100, 100, 100)
    assert table.state("Heron")["kills"] == 1
    assert table.state("Hawk")["hp"] == "0.4"
    assert table.state("Kestrel")["wounded"] is True


def test_SP_27_shots_by_a_pilot_out_of_the_battle_are_void() -> None:
    """Hawk surrenders... and Heron's lock on a leaver is gone too."""
    table = two_against_two()
    table.put("far", "Hawk")
    table.play("Hawk FIRE Kestrel", 1)
    table.play("Heron TARGET Kite", 1)
    table.battle.leave("Hawk", "surrendered")
    table.play("Kestrel SCAN", 100)
    table.play("Kite SURRENDER Heron")
    assert table.battle.locks == []


def test_SP_28_team_battle_stays_one_when_down_to_one_against_one() -> None:
    """Surrender costs nothing then, but its `at` is ignored as in a duel."""
    table = two_against_two(hp="1")
    table.battle.shooting_began = True
    table.play("Hawk SURRENDER Kite")
    table.play("Heron SCAN", 100)
    table.play("Kestrel SURRENDER Heron")
    table.play("Kite SURRENDER nobody")
    assert table.state("Kite")["hp_lost"] == "0"
    assert table.state("Heron")["hp"] == "2"
    assert table.battle.winner == "red"


def test_SP_28a_no_hp_before_a_shot_succeeded_nor_afterwards_for_it() -> None:
    """A stopped shot counts as one that succeeded, also before a restart."""
    table = two_against_two()
    table.put("extreme")
    table.play("Hawk ESCAPE")
    assert table.state("Hawk")["hp"] == "0"
    assert table.state("Kite")["hp"] == "0"
    table.put("near", "Heron")
    table.play("Heron FIRE Kite", 1)
    table.play("Kite PROTECT", 1)
    table.play("Kestrel SURRENDER Heron")
    assert table.state("Heron")["hp"] == "1"
    assert table.state("Kite")["hp"] == "0"


def test_SP_28b_hold_only_without_any_other_legal_order() -> None:
    """A useless ship may hold, unless it may escape or eject."""
    table = duel()
    assert table.play("Hawk HOLD") == "can act"
    for stat in ("beams", "missiles", "maneuver", "speed", "shields", "electronics"):
        table.battle.pilots["Hawk"]["stats"][stat] = 0
    table.put("extreme")
    assert table.play("Hawk HOLD") == "can act"
    table.put("far")
    table.battle.locks = [{"by": "Kestrel", "on": "Hawk", "new": False}]
    assert table.play("Hawk HOLD") == "can act"
    table.battle.locks = []
    assert table.play("Hawk HOLD Kestrel") is None
    assert table.battle.turn == "blue"


def test_SP_28b_hold_is_never_undetected() -> None:
    """An undetected pilot with a working scanner `can act`; without one it may hold."""
    table = duel()
    table.battle.pilots["Hawk"]["found"] = set()
    assert table.play("Hawk HOLD") == "can act"
    table.battle.pilots["Hawk"]["stats"]["electronics"] = 0
    assert table.play("Hawk HOLD") is None


def test_SP_28b_hold_is_legal_when_only_a_forbidden_shot_is_left() -> None:
    """Working beams do not help without lock or Advantage."""
    table = duel()
    for stat in ("missiles", "maneuver", "speed", "shields", "electronics"):
        table.battle.pilots["Hawk"]["stats"][stat] = 0
    table.put("far", "Hawk")
    assert table.play("Hawk HOLD") == "can act"
    table.put("far")
    assert table.play("Hawk HOLD") is None


def test_SP_28c_draw_after_200_hitless_turns_in_a_duel() -> None:
    """The last hit starts the count again; locks and pairs are still listed."""
    table = duel()
    table.battle.hitless_turns = 150
    table.put("far", "Hawk")
    table.play("Hawk FIRE", 1)
    table.play("Kestrel SCAN", 100, 61)
    for turn in range(200):
        assert not table.battle.over
        table.play("Kestrel TARGET" if turn % 2 else "Hawk SCAN", 1)
    state = table.battle.state()
    assert (state["over"], state["winner"], state["turn"], state["to_act"]) == (
        True,
        None,
        None,
        [],
    )
    assert state["pairs"]["Hawk|Kestrel"]["locks"] == ["Kestrel"]
    assert state["pilots"]["Hawk"]["fate"] == "active"
    assert table.play("nobody SCAN") == "over"


def test_SP_28c_no_restart_comes_with_the_draw() -> None:
    """The last turn would have been the second at Extreme: no initiative is rolled."""
    table = duel()
    table.battle.hitless_turns = 198
    table.put("extreme")
    table.play("Hawk SCAN", 100)
    table.play("Kestrel SCAN", 100)
    assert table.battle.over
    assert table.pair()["range"] == "extreme"


def test_SP_28c_hundred_turns_for_each_pilot_of_the_setup() -> None:
    """Also for those that have left; HP earned before stay."""
    table = two_against_two()
    table.battle.shooting_began = True
    table.play("Hawk SURRENDER Kite")
    table.battle.hitless_turns = 398
    table.play("Heron SCAN", 1)
    assert table.battle.state()["over"] is False
    table.play("Kite SCAN", 1)
    assert table.battle.state()["over"] is True
    assert table.state("Kite")["hp"] == "1"


def test_SP_28c_a_restart_leaves_the_count() -> None:
    """Two turns at Extreme, a restart, and the count is 2."""
    table = duel()
    table.put("extreme")
    table.play("Hawk SCAN", 1)
    table.play("Kestrel SCAN", 1, 1, 2)
    assert table.battle.hitless_turns == 2


def test_reasons_are_tested_in_their_order() -> None:
    """Unknown pilot, out of the battle, not your turn, unknown command, undetected."""
    table = two_against_two()
    assert table.play("hawk SCAN") == "unknown pilot"
    assert table.play("Kestrel scan") == "not your turn"
    assert table.play("Hawk scan") == "unknown command"
    table.battle.pilots["Hawk"]["found"] = set()
    assert table.play("Hawk FIRE nobody") == "undetected"
    table.battle.pilots["Hawk"]["found"] = {"Kite"}
    table.battle.pilots["Hawk"]["stats"]["beams"] = 0
    assert table.play("Hawk FIRE") == "bad target"
    assert table.play("Hawk FIRE Kestrel") == "bad target"
    assert table.play("Hawk FIRE Kite") == "disabled"
    table.play("Hawk SURRENDER Kite")
    assert table.play("Hawk scan") == "out of the battle"


def test_dice_errors_name_the_position() -> None:
    """Too few, too many, and one that a d100 cannot show."""
    short = worked_scenario()
    short["dice"].pop()
    with pytest.raises(BadScenario, match=r"dice\[10\]"):
        replay(short)
    long = worked_scenario()
    long["dice"].append(1)
    with pytest.raises(BadScenario, match="left over"):
        replay(long)
    wrong = worked_scenario()
    wrong["dice"][4] = 101
    with pytest.raises(BadScenario, match=r"dice\[4\]"):
        replay(wrong)


@pytest.mark.parametrize("kind", sorted(scenarios.BREAKS))
def test_every_kind_of_broken_scenario_is_refused(kind: str) -> None:
    """Whatever the generator breaks, the naive referee notices."""
    for seed in range(tries(60, 10)):
        with pytest.raises(BadScenario):
            replay(scenarios.broken_by(kind, Random(seed)))


def test_random_scenarios_replay_with_exactly_their_dice() -> None:
    """The replay has the result that the author played, and replaying changes nothing."""
    for seed in range(tries(200, 50)):
        writer = scenarios.author(Random(seed))
        scenario = scenarios.scenario_of(writer)
        before = copy.deepcopy(scenario)
        result = replay(scenario)
        assert scenario == before
        assert result["state"] == writer.battle.state()
        assert [roll["result"] for roll in result["rolls"]] == scenario["dice"]


def test_the_generator_depends_on_its_seed_only() -> None:
    """The same seed leads to the same scenario."""
    assert scenarios.scenario(Random(7)) == scenarios.scenario(Random(7))
    assert scenarios.broken(Random(7)) == scenarios.broken(Random(7))
