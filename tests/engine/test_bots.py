"""The bots of StarPilot: what each does, and how many hits a ship is expected to take."""

from random import Random

import pytest

from engine.codec import change
from engine.dice import SeededDice
from engine.seats import Seat
from engine.starpilot.model import Battle, Pair
from engine.starpilot.rules import STARPILOT
from engine.starpilot.tables import EXTREME, FAR, NEAR, STRUCTURE, damaged_stat
from engine.starpilot.winning_chance import life
from tests.engine.battles import Fight, duel, melee, met

HAWK = Seat("Hawk")


def ordered(battle: Battle, strength: str) -> str:
    """A bot's order for Hawk."""
    dice = SeededDice(b"whims", "G1", 0, b"")
    return STARPILOT.format(STARPILOT.bots.choose[strength](battle, HAWK, dice))


def at(fight: Fight, distance: int, advantage: str | None = None) -> Battle:
    """The battle with another position."""
    return change(fight.battle, pairs={"Hawk|Kestrel": Pair(distance, advantage)})


def crippled(battle: Battle, **stats: int) -> Battle:
    """The battle with other current values for Hawk."""
    names = ("beams", "missiles", "maneuver", "speed", "shields", "electronics", "structure")
    hawk = battle.pilots["Hawk"]
    now = dict(zip(names, hawk.stats, strict=True)) | stats
    pilots = {**battle.pilots, "Hawk": change(hawk, stats=tuple(now.values()))}
    return change(battle, pilots=pilots)


def test_the_house_has_three_strengths_from_the_weakest_up() -> None:
    assert list(STARPILOT.strengths) == ["easy", "sound", "sharp"]


@pytest.mark.parametrize("strength", STARPILOT.strengths)
def test_who_has_found_nobody_scans(strength: str) -> None:
    assert ordered(duel().battle, strength) == "SCAN"


@pytest.mark.parametrize(
    ("battle", "why"),
    [
        (at(met(), NEAR), "the Advantage allows a shot"),
        (at(met(), NEAR, "Hawk"), "a shot is possible now"),
        (at(met(), EXTREME), "the best weapon needs it"),
        (crippled(at(met(), NEAR), maneuver=0), "a lock allows a shot"),
        (crippled(met().battle, beams=0), "nothing left to fight with"),
        (duel().battle, "nobody is found yet"),
    ],
)
def test_the_practice_pilot_says_why(battle: Battle, why: str) -> None:
    order = STARPILOT.bots.choose["sound"](battle, HAWK, SeededDice(b"whims", "G1", 0, b""))
    assert STARPILOT.why(battle, HAWK, order) == why


@pytest.mark.parametrize("strength", ["sound", "sharp"])
@pytest.mark.parametrize(
    ("battle", "order"),
    [
        (at(met(), NEAR), "DOGFIGHT"),
        (at(met(), NEAR, "Hawk"), "FIRE"),
        (crippled(met().battle, beams=0), "OPEN"),
        (crippled(at(met(), EXTREME), beams=0), "ESCAPE"),
        (crippled(met().battle, beams=0, speed=0), "SURRENDER"),
    ],
)
def test_what_a_good_pilot_of_a_beam_ship_does(strength: str, battle: Battle, order: str) -> None:
    assert ordered(battle, strength) == order


@pytest.mark.parametrize("distance", [FAR, EXTREME])
def test_a_sound_beam_ship_closes(distance: int) -> None:
    assert ordered(at(met(), distance), "sound") == "CLOSE"


@pytest.mark.parametrize("strength", ["sound", "sharp"])
def test_one_of_several_opponents_is_named(strength: str) -> None:
    battle = melee().battle
    pairs = {key: Pair(NEAR, "Hawk" if key == "Hawk|Kite" else None) for key in battle.pairs}
    assert ordered(change(battle, pairs=pairs), strength) == "FIRE Kite"


def test_an_easy_pilot_has_whims() -> None:
    battle, found = at(met(), NEAR, "Hawk"), set()
    for number in range(60):
        dice = SeededDice(b"whims", "G1", number, b"")
        found.add(STARPILOT.format(STARPILOT.bots.choose["easy"](battle, HAWK, dice)))
    assert {"FIRE", "PROTECT", "OPEN"} <= found
    assert not found & {"SURRENDER", "ESCAPE", "EJECT", "HOLD"}


@pytest.mark.parametrize(
    "stats", [(3, 0, 3, 2, 2, 3, 3), (0, 0, 1, -1, 2, 2, 1), (4,) * 5 + (5, 5)]
)
def test_a_ship_lives_as_long_as_is_reckoned(stats: tuple[int, ...]) -> None:
    rng, count = Random(1), 4000
    mean = sum(_hits_to_destroy(stats, rng) for _ in range(count)) / count
    assert life(stats) == pytest.approx(mean, rel=0.03)


def _hits_to_destroy(stats: tuple[int, ...], rng: Random) -> int:
    left, hits = list(stats), 0
    while left[STRUCTURE] >= 0 and left.count(-1) < 2:
        stat = damaged_stat(rng.randint(1, 100))
        left[stat] = max(left[stat] - 1, -1)
        hits += 1
    return hits
