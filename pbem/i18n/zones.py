"""Time zones: a player's own or the league's, and similar names."""

from difflib import get_close_matches
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

NEAR = 4
"""The most zones that are proposed for an unknown name."""


def zone(name: str, usual: ZoneInfo) -> ZoneInfo:
    """Return the zone with a name, or `usual` if no such zone exists any more."""
    try:
        return ZoneInfo(name) if name else usual
    # OSError: the name of a folder in the zone database, such as Europe.
    except (KeyError, ValueError, OSError):
        return usual


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Return the names of all zones, by the form that is used to compare them."""
    return {_folded(name): name for name in sorted(available_timezones())}


def _folded(name: str) -> str:
    return "_".join(name.lower().replace("_", " ").split())


def find(name: str) -> str | None:
    """Return a zone's name, in any case and with spaces or underscores; None if unknown."""
    return _names().get(_folded(name))


def near(name: str) -> list[str]:
    """Return the names of zones that may be meant: those of the place first, then similar ones."""
    folded, names = _folded(name), _names()
    places = {key.rpartition("/")[2]: name for key, name in names.items() if "/" in key}
    whole = [full for key, full in names.items() if key.rpartition("/")[2] == folded]
    alike = [
        *(names[key] for key in get_close_matches(folded, names, NEAR, 0.7)),
        *(places[key] for key in get_close_matches(folded.rpartition("/")[2], places, NEAR, 0.7)),
    ]
    return list(dict.fromkeys([*whole, *alike]))[:NEAR]
