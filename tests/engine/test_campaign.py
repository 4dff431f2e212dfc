"""At least one test for each ruling of rules/starpilot.md, SP-30 to SP-36, named after it."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from engine.campaign import Change, Persona
from engine.codec import change
from engine.dice import ListedDice, every_roll
from engine.errors import IllegalOrder, OrderError, UnreadableOrder
from engine.seats import Seat
from engine.starpilot.between_battles import CAMPAIGN
from engine.starpilot.model import Battle, ratings
from engine.starpilot.persona_record import awards, pilot_of
from engine.starpilot.rules import STARPILOT
from engine.starpilot.tables import APTITUDES, SHIPS, SIDES

SIDE_SHIPS = {
    "alliance": "Rus 133-B",
    "cartel": "Angela 313B",
    "federation": "Clipus XIII-B",
    "league": "Wright 1903S",
}
MONDAY, TUESDAY, WEDNESDAY = "2026-11-02", "2026-11-03", "2026-11-04"


def hawk(side: str = "cartel", **record: Any) -> Persona:
    """A Rank One pilot with aptitudes 12 in a Light fighter with beams, and some other values."""
    ship = SIDE_SHIPS[side]
    line = f"Hawk FOR {side} WEAPONS 12 PILOTING 12 SENSORS 12 SHIP {ship}"
    made = CAMPAIGN.enlist(line)
    return Persona(made.name, made.side, made.record | record)


@pytest.mark.parametrize(
    "written",
    [
        "Hawk for Cartel, weapons 14, piloting 10, sensors 12, ship Angela 313b",
        "Hawk FOR the cartel; WEAPONS: 14; PILOTING: 10; SENSORS: 12; SHIP: Angela 313B.",
        "Hawk FOR cartel WEAPON 14 PILOTING 10 SENSOR 12 SHIP Angela 313B",
        "Hawk FOR cartel WEAPONS=14 PILOTING = 10 SENSORS=12 SHIP=Angela 313B",
    ],
)
def test_a_new_pilot_is_read_as_people_write_it(written: str) -> None:
    plain = CAMPAIGN.enlist("Hawk FOR cartel WEAPONS 14 PILOTING 10 SENSORS 12 SHIP Angela 313B")
    assert CAMPAIGN.enlist(written) == plain


def test_a_mistyped_part_of_a_new_pilot_is_asked_about() -> None:
    with pytest.raises(UnreadableOrder) as refused:
        CAMPAIGN.enlist("Hawk FOR cartel WEAPONS 14 PILTING 10 SENSORS 12 SHIP Angela 313B")
    assert str(refused.value) == "'PILTING' is not a part of it"
    assert refused.value.hint == (
        "ENLIST Hawk FOR cartel WEAPONS 14 PILOTING 10 SENSORS 12 SHIP Angela 313B"
    )


@dataclass(frozen=True)
class Flight:
    """What a battle did to Hawk, without flying it."""

    fate: str = "active"
    hp: int = 0
    hp_lost: int = 0
    kills: int = 0
    prizes: int = 0
    wounded: bool = False
    fought: bool = True

    def battle(self, pilot: Persona) -> Battle:
        """Return the battle at its end."""
        against = "alliance" if pilot.side != "alliance" else "cartel"
        other = hawk(against)
        setup = CAMPAIGN.melee((pilot,), (Persona("Kestrel", other.side, other.record),), None)
        begun: Battle = STARPILOT.setup(setup)
        flown = change(
            begun.pilots["Hawk"],
            fate=self.fate,
            hp=self.hp,
            hp_lost=self.hp_lost,
            kills=self.kills,
            prizes=self.prizes,
            wounded=self.wounded,
        )
        pilots = begun.pilots | {"Hawk": flown}
        return change(begun, pilots=pilots, fought=self.fought, over=True)

    def after(self, pilot: Persona, day: str = MONDAY) -> Change:
        """Return how it changes a pilot."""
        return CAMPAIGN.after(pilot, self.battle(pilot), Seat("Hawk"), day, day)


def fly(pilot: Persona, *flights: Flight, day: str = MONDAY) -> Persona:
    """Fly one battle after the other."""
    for flight in flights:
        pilot = flight.after(pilot, day).persona
    return pilot


def kinds(change: Change) -> list[str]:
    return [entry.kind for entry in change.entries]


def rewarded(
    pilot: Persona, roll: int, points: str = "3", choices: str = "", day: str = MONDAY
) -> Change:
    """Spend HP with a roll of the d10."""
    dice = ListedDice([roll])
    made = CAMPAIGN.rewards.reward(
        pilot, CAMPAIGN.rewards.bid(pilot, points, choices, day), dice, day
    )
    dice.finish()
    return made


# SP-30: hero points


def test_sp_30_hp_are_tenths_and_only_the_unspent_fall() -> None:
    pilot = fly(hawk(), *[Flight(hp=7)] * 3, Flight(hp=3), Flight("ejected", hp_lost=2))
    assert CAMPAIGN.sheet(pilot)["hp"] == "2.2"
    assert CAMPAIGN.sheet(pilot)["hp_total"] == "2.4"
    spent = rewarded(pilot, 1, "2").persona
    assert CAMPAIGN.sheet(spent)["hp"] == "0.2"
    assert CAMPAIGN.sheet(spent)["hp_total"] == "2.4"


def test_sp_30_the_entries_account_for_every_tenth() -> None:
    made = Flight("killed", hp=14, hp_lost=0).after(hawk(hp=33, hp_total=40))
    assert [(e.account, e.points) for e in made.entries if e.points] == [
        ("earned", 14),
        ("buried", -47),
    ]
    assert pilot_of(made.persona).hp == 0


# SP-31: missions


def test_sp_31_the_fourth_mission_makes_rank_one_rank_two() -> None:
    third = fly(hawk(), *[Flight("escaped")] * 3)
    fourth = Flight("ejected").after(third)
    assert CAMPAIGN.sheet(third)["rank"] == 1
    assert CAMPAIGN.sheet(fourth.persona)["rank_title"] == "Ensign"
    assert "promoted" in kinds(fourth)


def test_sp_31_the_dead_have_a_mission_but_no_promotion() -> None:
    dead = Flight("killed").after(hawk(missions=3))
    assert CAMPAIGN.sheet(dead.persona)["missions"] == 4
    assert CAMPAIGN.sheet(dead.persona)["rank"] == 1
    assert "promoted" not in kinds(dead)


def test_sp_31_the_fourth_mission_promotes_rank_one_only() -> None:
    assert CAMPAIGN.sheet(fly(hawk(missions=3, rank=2), Flight()))["rank"] == 2


def test_sp_31_a_battle_that_was_never_fought_is_no_mission() -> None:
    pilot = fly(hawk(missions=3), Flight("surrendered", fought=False))
    assert CAMPAIGN.sheet(pilot)["missions"] == 3
    assert CAMPAIGN.sheet(pilot)["rank"] == 1


@pytest.mark.parametrize("fate", ["active", "killed", "surrendered"])
def test_sp_31_a_major_battle_pays_one_hp_more(fate: str) -> None:
    flight = Flight(fate)
    pilot = fly(hawk(hp_total=90, hp=50), flight)
    made = CAMPAIGN.honours.major(pilot, flight.battle(hawk()), Seat("Hawk"))
    assert CAMPAIGN.sheet(made.persona)["hp_total"] == "10"
    assert CAMPAIGN.sheet(made.persona)["hp"] == ("0" if fate == "killed" else "6")


def test_sp_31_a_major_battle_that_was_never_fought_pays_nothing() -> None:
    assert CAMPAIGN.honours.major(
        hawk(), Flight(fought=False).battle(hawk()), Seat("Hawk")
    ) == Change(hawk())


def test_sp_31_who_leaves_before_any_shot_has_no_mission_of_what_follows() -> None:
    flown = Flight("escaped").battle(hawk())
    early = change(flown.pilots["Hawk"], unfought=True)
    battle = change(flown, pilots=flown.pilots | {"Hawk": early})
    made = CAMPAIGN.after(hawk(), battle, Seat("Hawk"), TUESDAY, MONDAY)
    assert pilot_of(made.persona).missions == 0
    assert CAMPAIGN.honours.major(hawk(), battle, Seat("Hawk")) == Change(hawk())
    late = CAMPAIGN.after(hawk(), flown, Seat("Hawk"), TUESDAY, MONDAY)
    assert pilot_of(late.persona).missions == 1


# SP-32: prisoners


def test_sp_32_who_is_out_of_a_battle_that_goes_on_is_free() -> None:
    seat = Seat("Hawk")
    taken = CAMPAIGN.left(hawk(), Flight("surrendered").battle(hawk()), seat, MONDAY)
    assert taken is not None
    assert "exchanged on the next day" in (CAMPAIGN.available(taken, MONDAY) or "")
    assert CAMPAIGN.available(taken, TUESDAY) is None
    assert CAMPAIGN.back(taken, hawk()) == hawk()
    free = CAMPAIGN.left(hawk(), Flight("ejected").battle(hawk()), seat, MONDAY)
    assert free is not None
    assert CAMPAIGN.available(free, MONDAY) is None
    for bound in ("active", "killed"):
        assert CAMPAIGN.left(hawk(), Flight(bound).battle(hawk()), seat, MONDAY) is None


def test_sp_32_a_battle_is_booked_onto_what_the_pilot_is_when_it_ends() -> None:
    first = Flight("surrendered", hp=14, kills=1).battle(hawk())
    since = hawk(held=TUESDAY, fought=WEDNESDAY, missions=5, kills=2, rank=3)
    made = pilot_of(CAMPAIGN.after(since, first, Seat("Hawk"), TUESDAY, MONDAY).persona)
    assert (made.held, made.fought, made.missions, made.kills) == (TUESDAY, WEDNESDAY, 6, 3)
    dead = CAMPAIGN.after(hawk(dead=True), first, Seat("Hawk"), TUESDAY, MONDAY)
    assert pilot_of(dead.persona).dead
    assert CAMPAIGN.rewards.points(dead.persona) == 0
    assert not [entry for entry in dead.entries if entry.kind == "died"]


def test_sp_32_hp_that_were_spent_meanwhile_are_not_lost_again() -> None:
    lost = Flight("ejected", hp=10, hp_lost=2).battle(hawk())
    made = CAMPAIGN.after(hawk(hp=1), lost, Seat("Hawk"), TUESDAY, MONDAY)
    assert CAMPAIGN.rewards.points(made.persona) == 10
    assert [entry.points for entry in made.entries if entry.kind == "lost"] == [-1]


def test_sp_32_a_prisoner_flies_again_on_the_next_day() -> None:
    pilot = fly(hawk(), Flight("surrendered"), day=MONDAY)
    assert "exchanged on the next day" in (CAMPAIGN.available(pilot, MONDAY) or "")
    assert CAMPAIGN.available(pilot, TUESDAY) is None


def test_sp_32_who_ejected_has_a_new_ship_at_once() -> None:
    pilot = fly(hawk(mark=5), Flight("ejected"))
    assert CAMPAIGN.available(pilot, MONDAY) is None
    assert CAMPAIGN.sheet(pilot)["ship"] == "Angela 313B Mark 5"


# SP-33: rewards

RICH = {"hp": 99, "hp_total": 99}


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
@pytest.mark.parametrize("points", [1, 2, 3, 4, 5])
def test_sp_33_the_reward_table(rank: int, points: int) -> None:
    pilot = hawk(rank=rank, **RICH)
    bid = CAMPAIGN.rewards.bid(pilot, str(points), "", MONDAY)
    for roll in range(1, 11):
        result = (points + rank) * roll
        after = pilot_of(CAMPAIGN.rewards.reward(pilot, bid, ListedDice([roll]), MONDAY).persona)
        assert after.rank == rank + (27 <= result <= 39)
        what = after.owed.what if after.owed else None
        assert what == (
            "points" if result <= 15
            else "stat" if result <= 26
            else None if result <= 39
            else "ship"
        )  # fmt: skip


@pytest.mark.parametrize("ship", ["Angela 313B", "Brandy 417A", "Catherine 521A"])
@pytest.mark.parametrize("rank", [1, 4])
@pytest.mark.parametrize("mark", [0, 63])
@pytest.mark.parametrize("aptitude", [12, 18])
def test_sp_33_the_sheet_says_what_hp_buy_and_with_which_chances(
    ship: str, rank: int, mark: int, aptitude: int
) -> None:
    trained = dict.fromkeys(APTITUDES, aptitude)
    pilot = hawk(ship=ship, rank=rank, mark=mark, hp=45, hp_total=45, **trained)
    told = CAMPAIGN.sheet(pilot)["rewards"]
    assert [one["hp"] for one in told] == [1, 2, 3, 4]
    for one in told:
        bid = CAMPAIGN.rewards.bid(pilot, str(one["hp"]), "", MONDAY)
        won = Counter[str]()
        for roll in range(1, 11):
            after = CAMPAIGN.rewards.reward(pilot, bid, ListedDice([roll]), MONDAY)
            owed = pilot_of(after.persona).owed
            found = [entry.kind for entry in after.entries]
            given = {"promoted": "rank", "wasted": "nothing", "upgraded": "stat"}
            won[owed.what if owed else next(given[kind] for kind in found if kind in given)] += 10
        assert one["chances"] == won


def test_sp_33_nothing_is_offered_that_may_not_be_bought() -> None:
    for pilot in (hawk(), hawk(hp=9), hawk(dead=True, **RICH), hawk(rank=5, **RICH)):
        assert CAMPAIGN.sheet(pilot)["rewards"] == []
    assert CAMPAIGN.sheet(rewarded(hawk(**RICH), 1, "2").persona)["rewards"] == []


@pytest.mark.parametrize(("roll", "points"), [(1, "2"), (4, "3"), (10, "5")])
def test_sp_33_what_an_option_brings_is_what_it_makes(roll: int, points: str) -> None:
    pilot = hawk(rank=3, **RICH)
    asked = rewarded(pilot, roll, points).persona
    owed = CAMPAIGN.sheet(asked)["owed"]
    before = {row["stat"]: row for row in CAMPAIGN.sheet(asked)["rows"]}
    for option, brings in zip(owed["options"], owed["brings"], strict=True):
        chosen = f"{option} {points}" if owed["what"] == "points" else option
        made = CAMPAIGN.sheet(CAMPAIGN.rewards.choose(asked, chosen).persona)["rows"]
        skilled = {row["stat"]: row for row in made if row["percent"] is not None}
        assert brings
        for one in brings:
            row = skilled.pop(one["stat"])
            assert (one["rating"], one["percent"]) == (row["rating"], row["percent"])
            assert one["now"] == before[one["stat"]]["percent"]
        assert all(row == before[stat] for stat, row in skilled.items())


def test_sp_33_falls_that_mean_the_same_are_told_to_the_dice() -> None:
    pilot = hawk(**RICH)
    bid = CAMPAIGN.rewards.bid(pilot, "3", "", MONDAY)
    chances = [
        chance for chance, _ in every_roll(lambda d: CAMPAIGN.rewards.reward(pilot, bid, d, MONDAY))
    ]
    assert [float(chance) for chance in chances] == [0.3, 0.3, 0.3, 0.1]


@pytest.mark.parametrize("points", ["0", "6", "1.5", "1,5", "three", "-1", ""])
def test_sp_33_one_to_five_whole_hp(points: str) -> None:
    with pytest.raises(UnreadableOrder, match="1 to 5"):
        CAMPAIGN.rewards.bid(hawk(**RICH), points, "", MONDAY)


def test_sp_33_only_hp_that_are_there() -> None:
    with pytest.raises(IllegalOrder, match="2\\.9 HP"):
        CAMPAIGN.rewards.bid(hawk(hp=29, hp_total=99), "3", "", MONDAY)


def test_sp_33_again_only_after_a_battle_that_ends_on_a_later_day() -> None:
    spent = rewarded(hawk(**RICH), 1, "1", "weapons", day=MONDAY).persona
    same_day = fly(spent, Flight(), day=MONDAY)
    unfought = fly(same_day, Flight("surrendered", fought=False), day=TUESDAY)
    for pilot in (spent, same_day, unfought):
        with pytest.raises(IllegalOrder, match="after a battle that ends on a later day"):
            CAMPAIGN.rewards.bid(pilot, "1", "", WEDNESDAY)
    assert CAMPAIGN.rewards.bid(fly(unfought, Flight(), day=TUESDAY), "1", "", TUESDAY).points == 1


@pytest.mark.parametrize(
    "record", [{"dead": True}, {"resigned": True}, {"rank": 5}], ids=["dead", "resigned", "won"]
)
def test_sp_33_only_living_pilots_spend(record: dict[str, Any]) -> None:
    with pytest.raises(IllegalOrder, match="flies no more"):
        CAMPAIGN.rewards.bid(hawk(**RICH, **record), "1", "", MONDAY)


def test_sp_33_points_go_on_aptitudes_of_choice() -> None:
    for written in (
        "weapons 2 piloting 1",
        "2 Weapons and 1 Piloting",
        "piloting 1, weapons 2",
    ):
        after = pilot_of(rewarded(hawk(**RICH), 1, "3", written).persona)
        assert (after.weapons, after.piloting, after.sensors) == (14, 13, 12)
    assert pilot_of(rewarded(hawk(**RICH), 1, "3", "sensors").persona).sensors == 15


@pytest.mark.parametrize("written", ["weapons 2", "weapons 4", "weapons 3 sensors 1", "weapons 0"])
def test_sp_33_exactly_the_points_that_were_spent(written: str) -> None:
    with pytest.raises(IllegalOrder, match="there are 3"):
        CAMPAIGN.rewards.bid(hawk(**RICH), "3", written, MONDAY)


def test_sp_33_no_aptitude_above_18() -> None:
    pilot = hawk(weapons=17, **RICH)
    with pytest.raises(IllegalOrder, match="above 18"):
        CAMPAIGN.rewards.bid(pilot, "3", "weapons 3", MONDAY)
    full = hawk(weapons=17, piloting=18, sensors=18, **RICH)
    made = rewarded(full, 1, "3")
    assert pilot_of(made.persona).weapons == 18
    assert "wasted" in kinds(rewarded(hawk(weapons=18, piloting=18, sensors=18, **RICH), 1, "3"))


def test_sp_33_an_upgrade_is_one_stat_once_and_never_structure() -> None:
    made = rewarded(hawk(**RICH), 4, "3", "shields")
    after = pilot_of(made.persona)
    assert ratings(after.ship, after.mark) == (3, 0, 3, 2, 3, 3, 3)
    for barred in ("shields", "structure", "beams", "missiles"):
        with pytest.raises(IllegalOrder, match="can't be upgraded"):
            CAMPAIGN.rewards.bid(
                Persona("Hawk", "cartel", made.persona.record | {"spent": ""}), "3", barred, MONDAY
            )


def test_sp_33_no_weapon_on_a_light_fighter_but_on_others() -> None:
    light = hawk(mark=15, **RICH)
    assert "wasted" in kinds(rewarded(light, 4, "3"))
    improved = hawk(ship="Brandy 417A", mark=15, **RICH)
    assert pilot_of(rewarded(improved, 4, "3", "missiles").persona).mark == 31
    assert "wasted" in kinds(rewarded(hawk(ship="Brandy 417A", mark=63, **RICH), 4, "3"))


def test_sp_33_the_only_upgrade_left_is_taken_unasked() -> None:
    assert pilot_of(rewarded(hawk(mark=14, **RICH), 4, "3").persona).mark == 15


@pytest.mark.parametrize("side", SIDES)
def test_sp_33_a_new_ship_is_of_the_next_class_and_unmarked(side: str) -> None:
    pilot, classes = hawk(side, mark=15, rank=3, **RICH), []
    for _ in range(2):
        asked = rewarded(pilot, 10, "5").persona
        owed = CAMPAIGN.sheet(asked)["owed"]
        assert owed["what"] == "ship"
        assert len(owed["options"]) == 2
        pilot = CAMPAIGN.rewards.choose(asked, owed["options"][1]).persona
        after = pilot_of(pilot)
        assert (SHIPS[after.ship].side, after.mark) == (side, 0)
        classes.append(SHIPS[after.ship].weight)
        pilot = Persona(pilot.name, side, pilot.record | RICH | {"spent": ""})
    assert classes == ["improved", "heavy"]
    assert "wasted" in kinds(rewarded(pilot, 10, "5"))


def test_sp_33_what_is_left_out_is_asked_for() -> None:
    asked = rewarded(hawk(**RICH), 1, "2", "shields / Brandy 417A").persona
    assert CAMPAIGN.sheet(asked)["owed"]["points"] == 2
    with pytest.raises(IllegalOrder, match="is not among the choices"):
        CAMPAIGN.rewards.choose(asked, "shields")
    with pytest.raises(IllegalOrder, match="choice to make first"):
        CAMPAIGN.rewards.bid(asked, "2", "", MONDAY)
    chosen = CAMPAIGN.rewards.choose(asked, "sensors 2").persona
    assert (pilot_of(chosen).sensors, pilot_of(chosen).owed) == (14, None)
    with pytest.raises(IllegalOrder, match="no choice"):
        CAMPAIGN.rewards.choose(chosen, "sensors 2")


def test_sp_33_a_choice_dies_with_its_pilot() -> None:
    dead = fly(rewarded(hawk(**RICH), 1, "2").persona, Flight("killed"))
    assert CAMPAIGN.sheet(dead)["owed"] is None
    with pytest.raises(IllegalOrder):
        CAMPAIGN.rewards.choose(dead, "sensors 2")


@pytest.mark.parametrize(
    ("written", "hint"),
    [("wepons 3", ""), ("weapons", None), ("shilds", "shields"), ("weapons 3 / sensors 3", None)],
)
def test_sp_33_choices_are_never_guessed_at(written: str, hint: str | None) -> None:
    if written == "weapons":
        assert CAMPAIGN.rewards.bid(hawk(**RICH), "3", written, MONDAY).choices == "weapons 3"
        return
    with pytest.raises(OrderError) as error:
        CAMPAIGN.rewards.bid(hawk(**RICH), "3", written, MONDAY)
    if hint:
        assert error.value.hint == hint


def test_sp_33_the_order_has_one_canonical_text() -> None:
    text = "SPEND 3 FOR Hawk ON weapons 2, piloting 1 / speed / Brandy 417A"
    for written in (
        "piloting 1 weapons 2/SPEED/brandy 417a",
        "Brandy417A; speed; weapons 2 piloting 1",
    ):
        assert CAMPAIGN.rewards.bid(hawk(**RICH), "3", written, MONDAY).text == text


# SP-34: Rank Five


def test_sp_34_rank_five_retires_to_the_hall_of_fame() -> None:
    made = rewarded(hawk(rank=4, **RICH), 4, "4")
    assert kinds(made) == ["spent", "promoted", "retired"]
    assert "retired with honour" in (CAMPAIGN.available(made.persona, TUESDAY) or "")
    assert CAMPAIGN.sheet(made.persona)["retired"]
    assert not CAMPAIGN.gone(made.persona)


@pytest.mark.parametrize("record", [{"dead": True}, {"resigned": True}, {"rank": 5}])
def test_sp_2_the_dead_and_the_retired_free_their_place(record: dict[str, Any]) -> None:
    assert CAMPAIGN.crowded([hawk()], hawk()) is not None
    assert CAMPAIGN.crowded([hawk(**record)], hawk()) is None
    assert CAMPAIGN.available(hawk(**record), MONDAY) is not None


# SP-35: badges and awards


@pytest.mark.parametrize(
    ("side", "code"),
    [("alliance", "WS"), ("cartel", "KC"), ("federation", "ORC"), ("league", "RB")],
)
def test_sp_35_a_badge_for_each_battle_survived_with_a_wound(side: str, code: str) -> None:
    wounded, killed = Flight("ejected", wounded=True), Flight("killed", wounded=True)
    pilot = fly(hawk(side), wounded, Flight(), wounded, killed)
    assert {"code": code, "count": 2}.items() <= CAMPAIGN.sheet(pilot)["decorations"][-1].items()


def codes(side: str, **record: Any) -> list[str]:
    return [honour.code for honour in awards(pilot_of(hawk(side, **record)))]


@pytest.mark.parametrize(
    ("side", "record", "expected"),
    [
        ("alliance", {"kills": 4}, []),
        ("alliance", {"kills": 3, "prizes": 2}, ["AM"]),
        ("alliance", {"kills": 9}, ["AM"]),
        ("alliance", {"kills": 10}, ["2AM"]),
        ("alliance", {"kills": 12, "prizes": 3}, ["3AM"]),
        ("alliance", {"kills": 60}, ["12AM"]),
        ("cartel", {"prizes": 6, "kills": 50}, []),
        ("cartel", {"prizes": 7}, ["CMP"]),
        ("cartel", {"prizes": 20}, ["CMP", "CGMP"]),
        ("federation", {"hp_total": 99}, []),
        ("federation", {"hp_total": 100, "hp": 0}, ["LoH"]),
        ("federation", {"hp_total": 250}, ["LoH", "KLH"]),
        ("league", {"missions": 11, "kills": 50, "prizes": 50}, []),
        ("league", {"missions": 12}, ["BSI"]),
        ("league", {"missions": 30}, ["BSI", "SSI"]),
    ],
)
def test_sp_35_each_side_has_its_award(
    side: str, record: dict[str, Any], expected: list[str]
) -> None:
    assert codes(side, **record) == expected


def test_sp_35_multiples_have_names() -> None:
    titles = [awards(pilot_of(hawk("alliance", kills=5 * n)))[0].title for n in range(1, 7)]
    assert titles[:3] == ["Ace Medal", "Double Ace Medal", "Triple Ace Medal"]
    assert titles[5] == "6-fold Ace Medal"


def test_sp_35_an_award_is_news_in_the_battle_that_earns_it() -> None:
    made = Flight("killed", kills=1).after(hawk("alliance", kills=4))
    assert [e.facts["code"] for e in made.entries if e.kind == "award"] == ["AM"]
    again = Flight(kills=1).after(hawk("alliance", kills=5))
    assert "award" not in kinds(again)


# SP-36: heroism medals


@pytest.mark.parametrize(
    ("side", "code"),
    [("alliance", "SV"), ("cartel", "C14"), ("federation", "HG"), ("league", "GSI")],
)
def test_sp_36_each_side_has_its_medal_and_each_needs_one_endorser_more(
    side: str, code: str
) -> None:
    pilot = hawk(side)
    for number in (1, 2, 3):
        assert CAMPAIGN.honours.endorsers(pilot) == number + 1
        made = CAMPAIGN.honours.honour(pilot)
        assert made.entries[0].facts["code"] == code
        pilot = made.persona
    assert CAMPAIGN.sheet(pilot)["decorations"][0]["count"] == 3


def test_who_resigns_leaves_the_hp_behind() -> None:
    made = CAMPAIGN.resign(hawk(hp=13, hp_total=40))
    assert kinds(made) == ["resigned", "buried"]
    assert CAMPAIGN.gone(made.persona)
