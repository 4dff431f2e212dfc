"""Places in a battle, of which each player has one or more."""

from collections.abc import Iterable

from pbem.storage import Place


def by_player(places: Iterable[Place]) -> dict[int, list[Place]]:
    """Return the places of each player, by the players' numbers."""
    found: dict[int, list[Place]] = {}
    for place in places:
        found.setdefault(place.player_id, []).append(place)
    return found


def one_each(places: Iterable[Place]) -> list[Place]:
    """Return the first place of each player."""
    return [first for first, *_ in by_player(places).values()]
