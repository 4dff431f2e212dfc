"""Task groups between battles: their record, their worth, and how a player writes one."""

import re
from collections.abc import Iterator

from engine.campaign import Persona
from engine.codec import Record, plain, typed
from engine.cortex import vessel_types
from engine.cortex.model import Fate
from engine.cortex.tables import STATIONS
from engine.cortex.vessel_types import CREWS, KINDS, USUAL_CREW
from engine.errors import ForeignOrder, UnreadableOrder
from engine.i18n import Said, say
from engine.names import fold, in_catalogue, named_twice
from engine.orders.line_shapes import LONGEST_BUILD, clean

MOST_SHIPS = 12


class Ship(Record, frozen=True):
    """A vessel of a group and its crew, with what its last battle has left.

    Stun and Wound are in tenths of a point, and `spent` are the guns and missiles that were gone.
    """

    name: str
    # Names, not figures: a change of the catalogue changes all groups (decision 0032).
    kind: str
    crew: str
    fate: Fate = "active"
    stun: int = 0
    wound: int = 0
    damaged: tuple[str, ...] = ()
    spent: tuple[tuple[str, int], ...] = ()


class Group(Record, frozen=True):
    """A group's record: its vessels, and what it has done."""

    ships: tuple[Ship, ...]
    battles: int = 0
    wins: int = 0
    felled: int = 0
    lost: int = 0
    disbanded: bool = False


def group_of(persona: Persona) -> Group:
    """Return a persona's record."""
    return typed(persona.record, Group)


def persona_of(name: str, group: Group) -> Persona:
    """Return a group as a persona, which is a side of its own."""
    return Persona(name, name, plain(group))


def worth(group: Group) -> int:
    """Return a group's points, by which groups are matched."""
    return sum(vessel_types.points(one.kind, one.crew) for one in group.ships)


FORM = say("GROUP Ravens WITH Lance: fighter, veteran; Red: 4 fighters; Citadel: frigate")

_GROUP = re.compile(r"(.+?) WITH (.+)", re.I)
_SHIP = re.compile(r"([^:]+): ?(?:(\d{1,2}) ?[x×]? ?)?([^,&\d][^,&]*)(?:[,&] ?(.+))?", re.I)
_NAME = re.compile(r"\w[\w .'-]{0,29}")


def read_group(text: str) -> tuple[str, Group]:
    """Return a group's name and its vessels; raise ForeignOrder or UnreadableOrder."""
    match = _GROUP.fullmatch(clean(text, LONGEST_BUILD))
    if match is None:
        raise ForeignOrder(say("a group needs a name, WITH, and its vessels"), hint=FORM)
    parts = [part.strip() for part in match[2].split(";") if part.strip()]
    ships = tuple(ship for part in parts for ship in _ships(part))
    if not 1 <= len(ships) <= MOST_SHIPS:
        many = say("a group has 1 to {most} vessels", most=MOST_SHIPS)
        raise UnreadableOrder(many, hint=FORM)
    twice = named_twice(ship.name for ship in ships)
    if twice is not None:
        raise _wrong(say("two vessels are called {name}", name=twice))
    return _read_name(match[1]), Group(ships)


def _ships(text: str) -> Iterator[Ship]:
    """Yield the vessels of one part: one, or several whose names are numbered."""
    match = _SHIP.fullmatch(text)
    if match is None:
        raise _wrong(say("{text!r} is not a vessel; write a name, a colon and a kind", text=text))
    name, count = _read_name(match[1]), match[2]
    kind = in_catalogue(match[3], KINDS, say("kinds of vessels"), plural=True)
    crew = (
        in_catalogue(match[4], CREWS, say("kinds of crews"), plural=True)
        if match[4]
        else USUAL_CREW
    )
    if count is None:
        yield Ship(name, kind, crew)
    else:
        # One more than a group may have is as wrong as ninety-nine.
        for number in range(1, min(int(count), MOST_SHIPS + 1) + 1):
            # Numbered, because all names of a group must differ, and orders must name each.
            yield Ship(f"{name} {number}", kind, crew)


def _read_name(written: str) -> str:
    """Return a name that can be typed into orders; raise UnreadableOrder."""
    name = " ".join(written.split())
    if not _NAME.fullmatch(name) or fold(name) in _RESERVED:
        text = say(
            "{name!r} is not a name; use letters, digits and spaces, but no order's words",
            name=name,
        )
        raise _wrong(text)
    return name


_RESERVED = frozenset(map(fold, (*STATIONS, "guns", "all", "none")))
"""What names are kept apart from: what else may stand in their place."""


def _wrong(text: Said) -> UnreadableOrder:
    return UnreadableOrder(text, hint=FORM)
