"""Squadrons between battles: what is read, what is refused, what a battle changes."""

import pytest

from benchmarks.simulation.duels import bouts as meetings
from benchmarks.simulation.duels import fight
from engine.blackskies.between_battles import CAMPAIGN, MOST_SQUADRONS, WINS_TO_RETIRE
from engine.blackskies.design import BLACK_TIGER
from engine.blackskies.league_catalogue import FLEET
from engine.blackskies.persona_record import Squadron, Wing, persona_of, price, squadron_of, worth
from engine.blackskies.rules import BLACKSKIES
from engine.campaign import Persona
from engine.codec import change
from engine.dice import SeededDice
from engine.errors import UnreadableOrder
from engine.seats import Seat
from tests.engine.blackskies.fights import Fight

TEXT = "Vultures WITH Red: 2 Black Tiger SKILL 2 1; Gold: 1 Gadfly SKILL 3 SPEED 8"
TODAY = "2026-11-20"


def vultures() -> Persona:
    """A squadron of two elements."""
    return CAMPAIGN.enlist(TEXT)


def test_a_squadron_is_mustered_in_one_line() -> None:
    squadron = squadron_of(vultures())
    assert squadron.wings == (
        Wing("Red", "Black Tiger", (2, 1), 6),
        Wing("Gold", "Gadfly", (3,), 8),
    )
    even = squadron_of(CAMPAIGN.enlist("Kites with Blue: 2x grey fox skill 4"))
    assert even.wings == (Wing("Blue", "Grey Fox", (4, 4), 6),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Vultures", "needs a name"),
        ("Vultures WITH", "needs a name"),
        ("Vultures WITH Red: 2 Black Tiger", "lacks SKILL and a figure from 1 to 4"),
        ("Vultures WITH Red: 2 fighters", "it needs a design, and SKILL"),
        ("Vultures WITH Red: 2 Blak Tiger SKILL 2", "no design called Blak Tiger"),
        ("Vultures WITH Red: 3 Black Tiger SKILL 2", "one or two fighters"),
        ("Vultures WITH Red: 1 Black Tiger SKILL 2 2", "one or two fighters"),
        ("Vultures WITH Red: 1 Black Tiger SKILL 5", "skills go from 1 to 4"),
        ("Vultures WITH Red: 1 Black Tiger SKILL 2 SPEED 13", "speeds to 12"),
        ("Vultures WITH Red: 1 Gadfly SKILL 2; RED: 1 Gadfly SKILL 2", "two elements"),
        ("V, W WITH Red: 1 Gadfly SKILL 2", "is not a name"),
        ("V WITH " + "; ".join(f"E{n}: 1 Gadfly SKILL 1" for n in range(9)), "1 to 8 elements"),
    ],
)
def test_what_is_no_squadron_is_refused_with_what_would_be_right(text: str, expected: str) -> None:
    with pytest.raises(UnreadableOrder, match=expected) as refused:
        CAMPAIGN.enlist(text)
    assert refused.value.hint


def test_a_black_tiger_with_a_trained_pilot_is_worth_about_fifty() -> None:
    assert price(BLACK_TIGER, 2) == 49
    assert price(BLACK_TIGER, 4) > price(BLACK_TIGER, 3) > 49
    assert worth(squadron_of(vultures())) == price(BLACK_TIGER, 2) + price(BLACK_TIGER, 1) + price(
        FLEET["Gadfly"], 3
    )


def test_squadrons_meet_at_the_standard_start_under_names_of_their_own() -> None:
    hawks = CAMPAIGN.enlist(TEXT.replace("Vultures", "Hawks").replace("Gold", "Blue"))
    battle = BLACKSKIES.setup(CAMPAIGN.melee((vultures(),), (hawks,), "Hawks"))
    assert BLACKSKIES.seats(battle) == ("Vultures", "Hawks")
    assert list(battle.elements) == ["Vultures Red", "Gold", "Hawks Red", "Blue"]
    assert battle.first == 1
    assert battle.fighters["Gold 1"].q == -31


def test_several_squadrons_a_side_keep_their_seats() -> None:
    kites, gnats = (
        CAMPAIGN.enlist(f"{name} WITH Red: 1 Gadfly SKILL 2") for name in ("Kites", "Gnats")
    )
    battle = BLACKSKIES.setup(CAMPAIGN.melee((vultures(), kites), (gnats,), "Vultures"))
    assert [side.name for side in battle.sides] == ["Team Vultures", "Team Gnats"]
    assert BLACKSKIES.seats(battle) == ("Vultures", "Kites", "Gnats")
    assert [BLACKSKIES.side(battle, seat) for seat in BLACKSKIES.seats(battle)] == [
        "Team Vultures",
        "Team Vultures",
        "Team Gnats",
    ]


def test_a_battle_leaves_what_it_has_done_and_nothing_else() -> None:
    other = CAMPAIGN.sparring(vultures(), SeededDice(b"x", "G1", 0, b""))
    battle = Fight(BLACKSKIES.setup(CAMPAIGN.melee((vultures(),), (other,), "Vultures")))
    over = battle.lost("Gold 1").rule("forfeit", other.name)
    seat = Seat("Vultures")
    squadron = squadron_of(CAMPAIGN.after(vultures(), over.battle, seat, TODAY, TODAY).persona)
    assert (squadron.battles, squadron.wins, squadron.kills, squadron.lost) == (1, 1, 0, 1)
    assert squadron.wings == squadron_of(vultures()).wings
    assert CAMPAIGN.standing(persona_of("Vultures", squadron)).merit == (1, 0, -1)


def test_a_house_squadron_is_as_strong_and_has_other_names() -> None:
    other = CAMPAIGN.sparring(vultures(), SeededDice(b"x", "G1", 0, b""))
    assert worth(squadron_of(other)) == worth(squadron_of(vultures()))
    assert other.name.startswith("House ")
    assert CAMPAIGN.bar(vultures(), other) is None


def test_who_may_meet_and_how_many_there_may_be() -> None:
    weak = CAMPAIGN.enlist("Gnats WITH Red: 1 Gadfly SKILL 1")
    assert CAMPAIGN.bar(vultures(), weak) is not None
    assert CAMPAIGN.crowded([vultures()] * MOST_SQUADRONS, weak) is not None
    gone = CAMPAIGN.resign(vultures()).persona
    assert CAMPAIGN.gone(gone)
    assert CAMPAIGN.available(gone, TODAY) == "Vultures is disbanded"
    assert CAMPAIGN.crowded([gone] * MOST_SQUADRONS, weak) is None
    squadron = change(Squadron(squadron_of(vultures()).wings), wins=WINS_TO_RETIRE)
    veterans = persona_of("Vultures", squadron)
    assert CAMPAIGN.available(veterans, TODAY) == "Vultures has retired with honour"
    assert CAMPAIGN.sheet(veterans)["retired"] is True


def test_there_is_nothing_to_spend_and_no_medal() -> None:
    assert CAMPAIGN.rewards is None
    assert CAMPAIGN.honours is None


def test_every_fleet_has_squadrons_that_may_meet_and_fight() -> None:
    for fleet in CAMPAIGN.fleets.values():
        bout = next(meetings(CAMPAIGN, fleet, ("easy", "easy")))
        assert fight(BLACKSKIES, bout, 1).turns >= 1
