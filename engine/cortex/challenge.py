"""What a challenge may ask for: the range at the start, optional rules, rocks, an atmosphere."""

import re
from collections.abc import Collection, Sequence
from typing import Any

from engine.campaign import Persona
from engine.cortex import vessel_types
from engine.cortex.persona_record import group_of
from engine.cortex.tables import CAPITAL, OPTIONS, RANGES, USUAL
from engine.errors import UnreadableOrder
from engine.fields import Data
from engine.i18n import say, spoken
from engine.names import distinct, match_name, named_rules

_WRITTEN = {key.replace("_", " "): key for key in OPTIONS}
_DRAFTS = {"crew1", "crew2"}
_FEET = (1_000, 50_000)
MOST_ROCKS = 9


def distance(setup: Data, written: str) -> Data:
    """Return a set-up that begins at a range."""
    found = match_name(written, RANGES)
    if found is None:
        text = say("{name!r} is not a range", name=written.strip())
        raise UnreadableOrder(text, hint=say("{all}", all=spoken(RANGES)))
    # Words are ranges in space; an atmosphere has feet (CX-64).
    return {**setup, "range": found, "atmosphere": False}


def atmosphere(setup: Data, written: str) -> Data:
    """Return a set-up in an atmosphere, so many feet apart (CX-64)."""
    number = re.fullmatch(r"([0-9]{1,3}(?:[,.' ]?[0-9]{3})?) ?(?:feet|ft)?", written.strip(), re.I)
    feet = int(re.sub(r"\D", "", number[1])) if number else 0
    low, high = _FEET
    if not low <= feet <= high:
        text = say("in an atmosphere groups begin {low} to {high} feet apart", low=low, high=high)
        raise UnreadableOrder(text, hint=say("ATMOSPHERE 5000"))
    options = sorted({*_options(setup), "atmosphere"})
    return {**setup, "options": options, "range": feet, "atmosphere": True}


def rocks(setup: Data, written: str) -> Data:
    """Return a set-up with so many random obstacles, for tricks and rammings (CX-27)."""
    count = int(written) if re.fullmatch(r"[0-9]", written.strip()) else 0
    if not 1 <= count <= MOST_ROCKS:
        text = say("there may be 1 to {most} rocks", most=MOST_ROCKS)
        raise UnreadableOrder(text, hint=say("ROCKS 3"))
    taken = {vessel["name"] for team in setup["teams"] for vessel in team["vessels"]}
    # Vessels may be called so already, and all names of a set-up must differ.
    names = (f"Rock {n}" for n in range(1, 2 * MOST_ROCKS + len(taken)))
    free = [name for name in names if name not in taken][:count]
    return {**setup, "obstacles": [{"name": name, "random": True} for name in free]}


def options(setup: Data, written: str) -> Data:
    """Return a set-up with the optional rules that are named; one draft of crews ends the other."""
    named = set(named_rules(written, _WRITTEN))
    before = set(_options(setup))
    if named & _DRAFTS:
        # The drafts exclude each other, so the one that is named replaces the other (CX-1).
        before -= _DRAFTS
    if named >= _DRAFTS:
        text = say("{one} and {other} exclude each other", one="crew1", other="crew2")
        raise UnreadableOrder(text, hint=say("OPTIONS crew1"))
    return {**setup, "options": sorted(before | named)}


def without(setup: Data, written: str) -> Data:
    """Return a set-up without the optional rules that are named (CX-1)."""
    left = set(_options(setup)) - set(named_rules(written, _WRITTEN))
    if "atmosphere" not in left and setup.get("atmosphere"):
        text = say("this battle is in an atmosphere")
        raise UnreadableOrder(text, hint="")
    return {**setup, "options": sorted(left)}


def _options(setup: Data) -> Collection[str]:
    given: Collection[str] | None = setup.get("options")
    return USUAL if given is None else given


def melee(ones: Sequence[Persona], others: Sequence[Persona], first: str | None) -> Data:
    """Return the set-up of a battle between two teams of groups, each named after its first.

    Vessels with the same name get their group's before it. Nobody is first, since all act by dice.
    """
    every = (*ones, *others)
    named = distinct([(one.name, ship.name) for one in every for ship in group_of(one).ships])
    teams = [
        {
            "name": team[0].name if len(every) == 2 else f"Team {team[0].name}",
            "vessels": [
                vessel_types.vessel_data(named[one.name, ship.name], one.name, ship.kind, ship.crew)
                for one in team
                for ship in group_of(one).ships
            ],
        }
        for team in (ones, others)
    ]
    found: dict[str, Any] = {"range": RANGES[CAPITAL], "teams": teams}
    return found
