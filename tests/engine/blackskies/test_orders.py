"""Orders of Black Skies as players write them: what is read, asked about, and left as story."""

import pytest

from engine.blackskies.model import Battle, Order
from engine.blackskies.rules import BLACKSKIES
from engine.errors import UnreadableOrder
from engine.orders.orders_on_file import Sheet, choices, merge, rule_text
from engine.orders.reading import read_for
from engine.ruleset import Near
from engine.seats import REFEREE
from tests.engine.blackskies.fights import BLUE, RED, element, fight

PAIR = fight(
    [element("Red", (0, 0), (0, 2)), element("Gold", (0, 20))],
    [element("Blue", (90, 0), (90, 2)), element("Grey Wolf", (90, 30))],
).battle
ONE = fight([element("Red", (0, 0))], [element("Blue", (90, 0))]).battle


def read(line: str, battle: Battle | None = PAIR) -> str | None:
    """What red's line is, in canonical text, with `?` before it where it is only nearly
    an order."""
    found = BLACKSKIES.read(battle, RED if battle else None, line)
    if isinstance(found, Near):
        return f"?{' or '.join(found.meant) or found.hint}"
    return None if found is None else BLACKSKIES.format(found)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("RED: 2 BREAK", "Red: BREAK LEFT"),
        ("red: 2 break left.", "Red: BREAK LEFT"),
        ("Red 3 smooth", "Red: SMOOTH RIGHT"),
        ("- Gold: Late Right", "Gold: LATE RIGHT"),
        ("1. Gold: turn left late", "Gold: LATE LEFT"),
        ("Gold: break right please", "Gold: BREAK RIGHT"),
        ("GOLD: ACCELERATE 3, HOLD FIRE", "Gold: ACCELERATE 3; HOLD FIRE"),
        ("gold: accel by 2", "Gold: ACCELERATE 2"),
        ("gold: 1 accelerate 2", "Gold: ACCELERATE 2"),
        ("Gold: decelerate; hold fire", "Gold: DECELERATE; HOLD FIRE"),
        ("RED: AFTERBURNER; TARGETS Blue1, Blue2", "Red: AFTERBURNER; TARGETS Blue 1, Blue 2"),
        ("Red: 4 targets blue 2 and grey wolf", "Red: AFTERBURNER; TARGETS Blue 2, Grey Wolf"),
        ("Red: steady targets Blue", "Red: STEADY; TARGETS Blue"),
        ("Red: smooth left; fire at Blue 1", "Red: SMOOTH LEFT; TARGETS Blue 1"),
        ("Red: 5, shoot at blue", "Red: HARD LEFT; TARGETS Blue"),
        ("Red: HOLD FIRE; 1", "Red: STEADY; HOLD FIRE"),
        ("Red: straight", "Red: STEADY"),
        ("Red: 5", "Red: HARD LEFT"),
        ("Red: hard right", "Red: HARD RIGHT"),
        ("Red: 7 left-first", "Red: SNAKE LEFT"),
        ("Red: snake right first", "Red: SNAKE RIGHT"),
        ("Red: 8", "Red: SIDESLIP LEFT"),
        ("Red: boot", "Red: BOOTLEGGER"),
        ("Red: reverse l", "Red: REVERSE LEFT"),
        ("Red: Withdraw", "Red: WITHDRAW"),
        ("“Red”: surrender!", "Red: SURRENDER"),
        ("Ｒｅｄ： ５", "Red: HARD LEFT"),
    ],
)
def test_orders_are_read_as_people_write_them(line: str, order: str | None) -> None:
    assert read(line) == order


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("Gold: turn left, late", "?Gold: LATE LEFT"),
        ("Red: 2", "?Red: BREAK LEFT or Red: SMOOTH LEFT or Red: LATE LEFT"),
        ("Red: break", "?Red: BREAK LEFT or Red: BREAK RIGHT"),
        ("Red: accelerate", "?Red: ACCELERATE 1"),
        ("Red: hard left 3", "?Red: HARD LEFT"),
        ("Red: brek left", "?Red: BREAK LEFT"),
        ("Rad: break left", "?Red: BREAK LEFT"),
        ("Golf: 5", "?Gold: HARD LEFT"),
        ("break left", "?Red: BREAK LEFT"),
        ("Red: steady; targets Blau 7", "?TARGETS names enemy fighters and elements"),
        ("Red: withdraw; hold fire", "?Red: WITHDRAW"),
    ],
)
def test_what_is_nearly_an_order_is_asked_about(line: str, hint: str) -> None:
    assert read(line) == hint


@pytest.mark.parametrize(
    "line",
    [
        "",
        "The stars were cold that night.",
        "Red: watch your tail, he cried",
        "Left behind, Gold turned for home.",
        "Steady now, said the old man to nobody",
        "12",
        "Red: STEADY as she goes",
        "hull 2 of 8. Kills: 2.",
        "Kills: 2",
        "x" * 500,
    ],
)
def test_story_is_left_alone(line: str) -> None:
    assert read(line) is None


def test_a_seat_with_one_element_may_leave_its_name_out() -> None:
    assert read("break left", ONE) == "Red: BREAK LEFT"
    assert read("2 late; targets Blue", ONE) == "Red: LATE LEFT; TARGETS Blue"


def test_without_a_battle_names_stand_as_written() -> None:
    assert read("Reds: break left; targets Blues 1", None) == "Reds: BREAK LEFT; TARGETS Blues 1"
    assert read("break left", None) == "BREAK LEFT"
    assert read("Dear all: we won", None) is None


def test_who_has_no_such_element_or_target_is_told() -> None:
    for line in ("Blue: break left", "nonsense", "Red: break"):
        with pytest.raises(UnreadableOrder):
            BLACKSKIES.parse(PAIR, RED, line)
    assert BLACKSKIES.refusal(PAIR, RED, Order("Blue", "fly", 1, "steady")) == "unknown element"


@pytest.mark.parametrize("text", ["END", "DRAW", "FORFEIT red"])
def test_the_referee_has_rulings_of_its_own(text: str) -> None:
    order = BLACKSKIES.parse(PAIR, REFEREE, text)
    assert BLACKSKIES.format(order) == text
    assert BLACKSKIES.refusal(PAIR, REFEREE, order) is None
    assert BLACKSKIES.refusal(PAIR, BLUE, order) == "unknown element"


@pytest.mark.parametrize("text", ["end", "END Red", "FORFEIT", "WIN"])
def test_the_referee_writes_rulings_exactly(text: str) -> None:
    if text != "end":
        with pytest.raises(UnreadableOrder):
            BLACKSKIES.parse(PAIR, REFEREE, text)
    assert BLACKSKIES.refusal(PAIR, REFEREE, Order("nobody", "forfeit")) == "unknown element"


# Standing orders

LETTER = """
Red: BREAK LEFT
Red: HARD LEFT
STANDING
  IF CRIPPLED: Red: WITHDRAW
  IF RANGE <= 12 AND NOT CRIPPLED: Gold: STEADY
  IF ENEMY SPEED >= 4: Gold: DECELERATE
  ELSE: Gold: ACCELERATE 2
END
We dive.
"""


def test_each_element_takes_its_own_part_of_a_sheet() -> None:
    written = read_for(BLACKSKIES, PAIR, RED, LETTER)
    assert written.words == ("We dive.",)
    found = choices(BLACKSKIES, PAIR, RED, merge(Sheet(), written))
    assert [(BLACKSKIES.format(c.order), c.source) for c in found] == [
        ("Red: BREAK LEFT", "queue"),
        ("Gold: DECELERATE", "rule 3"),
    ]
    assert found[-1].sheet.queue == ("Red: HARD LEFT",)


def test_an_element_without_a_legal_order_is_left_out() -> None:
    written = read_for(BLACKSKIES, PAIR, RED, "Gold: WITHDRAW\nRed: STEADY")
    near = fight([element("Red", (0, 0)), element("Gold", (0, 9))], [element("Blue", (20, 0))])
    found = choices(BLACKSKIES, near.battle, RED, merge(Sheet(), written))
    assert [BLACKSKIES.format(c.order) for c in found] == ["Red: STEADY"]


def test_rules_are_written_with_their_element() -> None:
    written = read_for(BLACKSKIES, PAIR, RED, "IF ENEMY BEHIND: Red: 4")
    assert written.standing is not None
    assert rule_text(written.standing.rules[0]) == "IF ENEMY BEHIND: Red: AFTERBURNER"


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("ENEMY IN ARC", True),
        ("IN ENEMY ARC", False),
        ("ENEMY AHEAD", True),
        ("ENEMY BEHIND", False),
        ("ENEMY LEFT", False),
        ("ENEMY RIGHT", False),
        ("CRIPPLED", False),
        ("ENEMY CRIPPLED", False),
        ("ALONE", True),
        ("RETROGRADE", False),
        ("SPEED <= 4", True),
        ("SPEED >= 5", False),
        ("ENEMY SPEED >= 4", True),
        ("RANGE <= 10", True),
        ("RANGE <= 9", False),
        ("RANGE >= 10", True),
        ("HULL <= 6", True),
        ("TURN >= 2", False),
    ],
)
def test_conditions_are_looked_at_from_the_element(condition: str, holds: bool) -> None:
    battle = fight([element("Red", (0, 0))], [element("Blue", (20, 0))]).battle
    text = BLACKSKIES.conditions.read(condition.lower())
    assert text == condition
    assert BLACKSKIES.conditions.holds(battle, RED, text, "Red") is holds


@pytest.mark.parametrize("condition", ["ENEMY NEAR", "RANGE = 3", "SPEED <= x", "HOLD FIRE"])
def test_what_is_no_condition_is_refused(condition: str) -> None:
    with pytest.raises(UnreadableOrder):
        BLACKSKIES.conditions.read(condition)


def test_a_canonical_order_may_be_longer_than_a_line_of_a_letter() -> None:
    names = [f"Squadron Element Number {n:02} of" for n in range(8)]
    foes = [element(name, (90, n), (90, n + 1)) for n, name in enumerate(names)]
    battle = fight([element("Red", (0, 0))], foes).battle
    named = ",".join(f"squadronelementnumber{n // 2:02}of{1 + n % 2}" for n in range(13))
    found = BLACKSKIES.read(battle, RED, f"Red: break left; target {named}")
    assert isinstance(found, Order)
    text = BLACKSKIES.format(found)
    assert len(text) > 400
    assert BLACKSKIES.parse(battle, RED, text) == found
