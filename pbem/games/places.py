"""Lists of places in a battle: the names of their seats, or one place for each player."""

from collections.abc import Iterable

from pbem.storage import Place


def names(places: Iterable[Place]) -> list[str]:
    """Return the seats of places."""
    return [place.seat for place in places]


def one_each(places: Iterable[Place]) -> list[Place]:
    """Return the first place of each player."""
    found: dict[int, Place] = {}
    for place in places:
        found.setdefault(place.player_id, place)
    return list(found.values())
