"""Where personas stand, in columns: what their systems say of their records, for SQL to sort."""

import json

from engine.campaign import Persona as Piece
from engine.registry import campaigns
from pbem.storage.models import GUEST

_BEST, _DIGITS = 10**12, 13
_NONE = {"rank": "", "figures": "{}"}
"""What a guest has, who has no career, and a persona whose system is not installed."""


def ranked(system: str, name: str, side: str, folded: str, record: str) -> dict[str, str]:
    """Return a persona's columns: its `rank`, the least being the best, and its `figures`."""
    campaign = campaigns().get(system)
    if campaign is None or folded.startswith(GUEST):
        return _NONE
    try:
        standing = campaign.standing(Piece(name, side, json.loads(record)))
    except (LookupError, TypeError, ValueError):  # a damaged record, which `pbem fsck` finds
        return _NONE
    rank = "".join(f"{_BEST - value:0{_DIGITS}}" for value in standing.merit)
    return {"rank": rank, "figures": json.dumps(standing.figures, sort_keys=True)}


def merit(rank: str) -> tuple[int, ...]:
    """Return the merit that a rank was made of."""
    parts = (rank[at : at + _DIGITS] for at in range(0, len(rank), _DIGITS))
    return tuple(_BEST - int(part) for part in parts)
