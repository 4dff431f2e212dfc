"""Who comes after a persona whose fighting is over: a name for the next one."""

import re
from itertools import count

from pbem.games.personas import campaign_of, piece_of
from pbem.storage import Persona, Store

_NUMBERED = re.compile(r"(.+) (\d+)")
_LONGEST = 26
"""The most letters of a name that still have room for a number behind them."""


def is_over(row: Persona) -> bool:
    """Return whether a persona will never fight again: dead, struck off or retired."""
    campaign, piece = campaign_of(row), piece_of(row)
    return campaign.gone(piece) or campaign.sheet(piece)["retired"]


def heir(store: Store, row: Persona) -> str:
    """Return a free name for the next one where a persona's fighting is over, or ""."""
    if not is_over(row):
        return ""
    numbered = _NUMBERED.fullmatch(row.name)
    base, first = (numbered[1], int(numbered[2]) + 1) if numbered else (row.name, 2)
    names = (f"{base[:_LONGEST]} {number}" for number in count(first))
    return next(n for n in names if not (store.persona_named(n) or store.player_named(n)))
