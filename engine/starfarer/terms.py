"""What a challenge may ask for: the length of the field, and the optional rules."""

import re

from engine.errors import UnreadableOrder
from engine.fields import Data
from engine.i18n import say, spoken
from engine.starfarer.model import Options
from engine.words import match_name

_OPTIONS = {key.replace("_", " "): key for key in Options.__struct_fields__}
_NEEDING = ("modifiers", "multiple")
"""The options that need the declaration, too (SF-10)."""
_MOST_METRES = 500


def field(setup: Data, written: str) -> Data:
    """Return a set-up in which the teams stand farther apart, or nearer, on a field of so many
    metres."""
    number = int(written) if written.isdecimal() and len(written) < 5 else 0
    if not setup["field"] // 2 <= number <= _MOST_METRES:
        least = setup["field"] // 2
        text = say("a field has {least} to {most} metres", least=least, most=_MOST_METRES)
        raise UnreadableOrder(text, hint="FIELD 100")
    teams = [
        {**team, "characters": [_moved(one, setup["field"], number) for one in team["characters"]]}
        for team in setup["teams"]
    ]
    return {**setup, "field": number, "teams": teams}


def _moved(character: Data, before: int, now: int) -> Data:
    return {**character, "at": min(character["at"] * now // before, now)}


def options(setup: Data, written: str) -> Data:
    """Return a set-up with the optional rules that are named (SF-10, SF-11, SF-20, SF-35)."""
    found: dict[str, bool] = {}
    for part in filter(None, re.split(r"\s*[,;&]\s*|\s+and\s+", written.strip())):
        name = match_name(part, tuple(_OPTIONS))
        if name is None:
            text = say("{part!r} is no optional rule", part=part)
            raise UnreadableOrder(text, hint=say("{all}", all=spoken(_OPTIONS)))
        found[_OPTIONS[name]] = True
    if any(key in found for key in _NEEDING):
        found["declaration"] = True
    return {**setup, "options": {**setup["options"], **found}}
