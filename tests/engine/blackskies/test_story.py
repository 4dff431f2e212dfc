"""How a turn's account is put together: nobody fires, or is fired at, after their end."""

from engine.blackskies import events as ev
from engine.blackskies.story_beats import story
from engine.letter_texts import Scene
from engine.seats import Seat


def shot(by: str, at: str, hull: int | None = None) -> list[ev.Fired | ev.Hit]:
    """A shot, with the hull that it leaves if it hits."""
    hits = int(hull is not None)
    fired = ev.Fired(by, "Laser Cannon", at, 0, 40, 0, 4, (5 if hits else 2,), hits)
    return [fired, ev.Hit(by, at, 6, 3, 2, hull, Seat("x"))] if hull is not None else [fired]


def told(*events: object) -> list[tuple[object, ...]]:
    """What a turn with these events is told as."""
    return [
        (beat["kind"], beat.get("by", ()), beat.get("at", beat.get("fighter")), beat.get("hull"))
        for beat in story([Scene(1, Seat("x"), False, [ev.Closed(1), *events])])
    ]


def test_the_miss_of_a_fighter_is_told_before_its_end() -> None:
    found = told(
        *shot("Red 1", "Blue 1"), *shot("Blue 1", "Red 1", 0), ev.Destroyed("Red 1", "Blue 1")
    )
    assert [kind for kind, *_ in found] == ["missed", "struck"]


def test_the_hit_of_a_fighter_is_told_before_its_end() -> None:
    found = told(
        *shot("Gold 1", "Blue 1", 4),
        *shot("Blue 1", "Red 1", 3),
        *shot("Red 1", "Blue 1", 0),
        ev.Destroyed("Blue 1", "Red 1"),
    )
    assert found == [
        ("struck", ["Blue 1"], "Red 1", 3),
        ("struck", ["Gold 1", "Red 1"], "Blue 1", 0),
    ]


def test_who_is_lost_fires_in_no_later_sentence() -> None:
    found = told(
        *shot("Red 1", "Blue 1", 4),
        *shot("Blue 1", "Red 1", 0),
        ev.Destroyed("Red 1", "Blue 1"),
        *shot("Gold 1", "Blue 1", 2),
    )
    assert found == [
        ("struck", ["Red 1"], "Blue 1", 4),
        ("struck", ["Blue 1"], "Red 1", 0),
        ("struck", ["Gold 1"], "Blue 1", 2),
    ]


def test_what_rocks_and_shots_leave_is_told_in_its_order() -> None:
    rock = ev.Grazed("Red 1", 0, 4, 2, 4, Seat("x"))
    assert told(rock, *shot("Blue 1", "Red 1", 2)) == [
        ("grazed", (), "Red 1", 4),
        ("struck", ["Blue 1"], "Red 1", 2),
    ]
    again = ev.Grazed("Red 1", 0, 4, 2, 0, Seat("x"))
    assert told(*shot("Blue 1", "Red 1", 2), again, ev.Destroyed("Red 1", None)) == [
        ("struck", ["Blue 1"], "Red 1", 2),
        ("grazed", (), "Red 1", 0),
    ]
