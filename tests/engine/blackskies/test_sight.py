"""What a lead sees: hours that agree with the compass, and the nearest first."""

from math import atan2, degrees

import pytest

from engine.blackskies.geometry import hour
from engine.blackskies.rules import BLACKSKIES
from tests.engine.blackskies.fights import RED, element, fight

_REACH = range(-30, 31, 3)


@pytest.mark.parametrize("heading", range(6))
def test_hours_are_those_of_a_clock(heading: int) -> None:
    for q in _REACH:
        for r in _REACH:
            right = degrees(atan2(r * 3**0.5 / 2, q + r / 2)) + 60 * heading
            exact = right % 360 / 30
            if (q or r) and abs(exact % 1 - 0.5) > 0.01:
                assert hour(q, r, heading) == (round(exact) % 12 or 12), (q, r)
    assert hour(0, 0, heading) == 12


def test_an_element_sees_enemies_rocks_and_its_wingman_the_nearest_first() -> None:
    reds = [element("Red", (0, 0), (-4, 4), heading=1)]
    blues = [element("Far", (60, 0), heading=3, speed=7), element("Near", (0, -10), heading=0)]
    rocks = [{"q": -40, "r": 0, "radius": 3}, {"q": 10, "r": -10, "radius": 1}]
    [mine] = BLACKSKIES.view(fight(reds, blues, asteroids=rocks).battle, RED)["mine"]
    near, far = mine["bearings"]
    assert [near["element"], near["heading"], far["element"], far["speed"]] == ["Near", 0, "Far", 7]
    told = ("enemy", "hour", "distance", "aspect")
    assert [[f[key] for key in told] for f in near["fighters"]] == [["Near 1", 10, 50, 5]]
    assert [[f[key] for key in told] for f in far["fighters"]] == [["Far 1", 2, 300, 0]]
    assert [(rock["hour"], rock["distance"], rock["radius"]) for rock in mine["rocks"]] == [
        (12, 50, 1),
        (8, 200, 3),
    ]
    assert mine["wingman"]["name"] == "Red 2"
