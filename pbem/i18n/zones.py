"""Time zones: a player's own or the league's, and similar names."""

import re
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

NEAR = 4
"""The most zones that are proposed for an unknown name."""
_OFFSET = re.compile(r"(?:utc|gmt|z)?\s*([+-])\s*(\d{1,2})(?::?([0-5]\d))?(?:\s*h)?", re.I)
_REGIONS = ("Europe/", "America/", "Asia/", "Australia/", "Africa/", "Pacific/")


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
    """Return the names of zones that may be meant: those of the place first, then similar ones.

    None is like `GMT+2`: the zone Etc/GMT+2 is two hours behind UTC, as POSIX counts.
    """
    if _OFFSET.fullmatch(name.strip()):
        return []
    folded, names = _folded(name), _names()
    places = {key.rpartition("/")[2]: name for key, name in names.items() if "/" in key}
    whole = [full for key, full in names.items() if key.rpartition("/")[2] == folded]
    alike = [
        *(names[key] for key in get_close_matches(folded, names, NEAR, 0.7)),
        *(places[key] for key in get_close_matches(folded.rpartition("/")[2], places, NEAR, 0.7)),
    ]
    return list(dict.fromkeys([*whole, *alike]))[:NEAR]


def at_offset(name: str, now: datetime) -> list[str]:
    """Return zones of places whose time differs now from UTC as a name such as `GMT+2` says."""
    found = _OFFSET.fullmatch(name.strip())
    if found is None:
        return []
    ahead = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    wanted = -ahead if found[1] == "-" else ahead
    places = (one for region in _REGIONS for one in _names().values() if one.startswith(region))
    at_it = (one for one in places if now.astimezone(ZoneInfo(one)).utcoffset() == wanted)
    return list(islice(at_it, NEAR))
