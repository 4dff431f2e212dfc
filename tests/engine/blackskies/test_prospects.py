"""What a sharp pilot of Black Skies thinks of a position."""

from typing import Any

from engine.blackskies.bot_forecast import Pose, destroys, flight_of, outlook, party, prospect
from engine.blackskies.challenge import standard
from engine.blackskies.rules import BLACKSKIES

AHEAD = Pose(heading=0, speed=6, retrograde=False, places=((0, 0),))
"""An element at the origin that flies east."""


def tiger(name: str) -> dict[str, Any]:
    """A side of one Black Tiger."""
    element = {"name": name, "design": "Black Tiger", "speed": 6}
    return {
        "name": name,
        "elements": [{**element, "fighters": [{"name": f"{name} 1", "skill": 2}]}],
    }


BATTLE = BLACKSKIES.setup(standard(tiger("Red"), tiger("Blue")))


def worth(first: Pose, second: Pose, lost: float = 0, dealt: float = 0) -> float:
    """What Red and Blue in two poses are worth to Red, which plays first."""
    red, blue = flight_of(BATTLE, "Red"), flight_of(BATTLE, "Blue")
    parties = party(BATTLE, red, blue), party(BATTLE, blue, red)
    return outlook(parties[0], prospect(first), lost, parties[1], prospect(second), dealt)


def at(q: int, heading: int) -> Pose:
    """An element on the line ahead."""
    return AHEAD._replace(places=((q, 0),), heading=heading)


def test_who_is_behind_the_other_expects_to_win() -> None:
    behind, before = worth(AHEAD, at(14, 0)), worth(AHEAD, at(-14, 0))
    assert behind > 0.4
    assert before < -0.2


def test_harm_done_and_taken_counts() -> None:
    place = AHEAD, at(20, 3)
    assert worth(*place, dealt=3) > worth(*place) > worth(*place, lost=3)


def test_who_flies_tail_first_is_worse_off() -> None:
    assert worth(AHEAD._replace(retrograde=True), at(20, 3)) < worth(AHEAD, at(20, 3))


def test_a_volley_destroys_the_more_surely_the_more_it_does() -> None:
    chances = [destroys(expected, 6) for expected in (0, 1, 3, 6, 12)]
    assert chances[0] == 0
    assert chances == sorted(chances)
    assert chances[3] == 0.5
