"""The naive referee of Cortex against the worked examples of its rules."""

from __future__ import annotations

from typing import Any

from tests.oracle.blackskies.dice import DiceList
from tests.oracle.cortex.figures import STEPS, Json, dice_of
from tests.oracle.naive_cortex import Battle


def craft(name: str, scale: str = "planetcraft", **other: Any) -> Json:
    """A vessel of d6, without weapons unless they are said."""
    dice = dict.fromkeys(("str", "agi", "vit", "alt"), "d6")
    crew = {"pilot": {"skill": "d6"}}
    return {"name": name, "scale": scale, **dice, "speed": 8, "lp": 90, "crew": crew, **other}


def gun(name: str = "gun", **other: Any) -> Json:
    """A gun that reaches everybody."""
    return {"name": name, "range": "long", "damage": "d8", **other}


class Table:
    """A battle under test, with the dice laid out turn by turn."""

    def __init__(self, red: list[Json], blue: list[Json], **other: Any) -> None:
        """At skirmish range, without dogfights."""
        options = ["collisions", "wings", "batteries", "missiles", "point_defence", "scales"]
        setup = {"options": options, "range": "skirmish", **other}
        setup["teams"] = [{"name": "red", "vessels": red}, {"name": "blue", "vessels": blue}]
        self.dice = DiceList([])
        self.battle = Battle(setup, self.dice.roll)

    def play(self, orders: list[str], *dice: int, **more: Any) -> None:
        """Play "unit do at" with exactly these dice; the more is for all orders."""
        self.dice.numbers.extend(dice)
        given = [dict(zip(("unit", "do", "at"), one.split(), strict=False)) for one in orders]
        self.battle.play_turn([{**order, **more} for order in given])
        self.dice.check_used_up()
        assert self.battle.refused == []

    def harm(self, name: str) -> tuple[int, int]:
        """Stun and Wound in tenths."""
        vessel = self.battle.vessels[name]
        return vessel["stun"], vessel["wound"]


def test_die_steps_are_written_as_the_rules_do() -> None:
    """CX-2."""
    assert [STEPS[die] for die in ("d2", "d12", "d12+d2", "d12+d12", "d12+d12+d2")] == [
        *(1, 6, 7, 12, 13)
    ]
    assert dice_of(0) == []


def test_example_2_a_collision() -> None:
    """A roll of 9 against 19; and a ram, by which the rammer takes 10 and 9."""
    rock = {"name": "rock", "size": "medium", "speed": 9, "vector": "toward"}
    table = Table([craft("A")], [craft("B")], obstacles=[{**rock, "turn": 1, "against": "A"}])
    table.play([], 1, 1, 1, 1, 4, 5)
    assert table.harm("A") == (50, 50)

    table = Table([craft("A")], [craft("B", speed=9)])
    table.play(["B ram A", "A close B"], 1, 1, 1, 1, 4, 5)
    assert table.harm("A") == (50, 50)
    assert table.harm("B") == (100, 90)


def test_example_3_a_wing() -> None:
    """Six fighters, 15 against 7: a die raised to d10, twice."""
    # Their gunnery, d2, is raised by five steps to d12, or by six to d12+d2.
    for scale, gunnery, harm in (
        ("planetcraft", [9], (40, 110)),
        ("spacecraft", [7, 2], (20, 55)),
    ):
        wing = [craft(f"F{n}", weapons=[gun()], gunnery="d2") for n in range(6)]
        table = Table(wing, [craft("T", scale)])
        table.play([f"F{n} join F0" for n in range(1, 6)], *[1] * 14, *[4, 4] * 5)
        table.play(["F0 fire T"], *[1] * 4, 6, *gunnery, 3, 4, 4, 3, weapon="gun")
        assert table.harm("T") == harm


def test_example_4_a_broadside() -> None:
    """Two batteries of six: 13 against 6, and 14 against 9."""
    guns = gun(damage="d12+d2", count=24, battery=True)
    ship = craft("A", "spacecraft", weapons=[guns], gunnery="d2")
    table = Table([ship], [craft("B", "spacecraft", agi="d12", speed=1)])
    # Agility d6, gunnery d2 raised by five steps to d12; defence d12; damage d12+d4.
    first = [4, 9, 6, 10, 4, 3, 1]
    second = [4, 10, 9, 2, 2]
    orders = ["A fire B", "A fire B", "B check_fire"]
    table.play(orders, 1, 1, 1, 1, *first, *second, weapon="gun", guns=6)
    assert table.harm("B") == (40 + 30, 30 + 180 + 20 + 40)


def test_example_5_a_trick() -> None:
    """8 against 10: the missile stays."""
    dart = {"name": "dart", "range": "long", "missile": True, "size": "light"}
    raider = craft("R", lp=99)
    shooter = craft("S", "spacecraft", weapons=[dart], gunnery="d6")
    kat = craft("K", crew={"pilot": {"skill": "d12"}}, speed=5)
    table = Table([kat], [raider, shooter], ranges={"K|S": "capital"})
    table.play(["S lock K", "S launch K"], 1, 1, 1, 1, 1, 1, 4, 4, weapon="dart")
    # Medium 7 and speed 8 +4 make 11: d6 and d10 avoid, d6 and d8 distract.
    table.play(["K trick R"], 1, 1, 1, 1, 1, 1, 4, 8, 4, 4, 5, 5, 1, 1, 1, 1, missile="M1")
    assert table.harm("K") == (20 * 2, 20 * 2)
    assert table.battle.missiles == []


def test_example_6_point_defence() -> None:
    """A roll of 11: 4 Stun, and 4 and the raised die Wound."""
    flak = {
        "name": "flak",
        "range": "skirmish",
        "damage": "d12",
        "pd": True,
        "scale": "planetcraft",
    }
    ship, fighter = craft("A", "spacecraft", weapons=[flak]), craft("F")
    table = Table([ship], [fighter], range="capital")
    table.play(["F close A"], 1, 1, 1, 1, 5, 6, 8, 1)
    assert table.harm("F") == (40, 130)


def test_example_7_scales() -> None:
    """A person at a raider: armour doubled, a point counts five tenths; and the raider back."""
    person = craft("P", "personal", weapons=[gun("rifle")], gunnery="d4")
    raider = craft("R", lp=14, armour={"stun": 2, "wound": 2}, weapons=[gun()], gunnery="d6")
    table = Table([person], [raider])
    # +1 makes d6 of the gunnery d4: 12 against 3 is 9, that is 5 and 4 + 8.
    table.play(["P fire R"], 1, 1, 1, 1, 6, 6, 1, 1, 8, weapon="rifle")
    assert table.harm("R") == (5, 40)
    # -1 makes d4 of d6: 10 against 3 is 7, that is 4 and 3 + 5, doubled.
    table.play(["R fire P"], 1, 1, 1, 1, 6, 4, 1, 1, 5, weapon="gun")
    assert table.harm("P") == (80, 160)
