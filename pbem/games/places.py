"""Places in a battle, of which each player has one or more."""

from collections.abc import Iterable

from pbem.storage import Place


def one_each(places: Iterable[Place]) -> list[Place]:
    """Return the first place of each player."""
    found: dict[int, Place] = {}
    for place in places:
        found.setdefault(place.player_id, place)
    return list(found.values())
