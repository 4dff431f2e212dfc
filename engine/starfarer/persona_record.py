"""Squads between fights: their record, their worth, and how a player writes one."""

import re

from engine.campaign import Persona
from engine.codec import Record, plain, typed
from engine.errors import ForeignOrder, UnreadableOrder
from engine.i18n import Said, say
from engine.names import fold, in_catalogue, named_twice
from engine.orders.line_shapes import LONGEST_BUILD, clean
from engine.starfarer import equipment
from engine.starfarer.equipment import ARCHETYPES, ARMOUR, WEAPONS
from engine.starfarer.model import UNHURT, Circles
from engine.starfarer.tables import NEAREST
from engine.starfarer.vocabulary import VOCABULARY

MOST_MEMBERS = 4


class Member(Record, frozen=True):
    """A character of a squad, with what its last fight has left (SF-40)."""

    name: str
    # Names, not figures: a change of the catalogue changes all squads (decision 0031).
    archetype: str
    kit: tuple[str, ...]
    wounds: tuple[Circles, ...] = UNHURT
    shock: int = 0
    dead: bool = False


class Squad(Record, frozen=True):
    """A squad's record: its members, and what it has done."""

    members: tuple[Member, ...]
    fights: int = 0
    wins: int = 0
    felled: int = 0
    lost: int = 0
    disbanded: bool = False


def squad_of(persona: Persona) -> Squad:
    """Return a persona's record."""
    return typed(persona.record, Squad)


def persona_of(name: str, squad: Squad) -> Persona:
    """Return a squad as a persona, which is a side of its own."""
    return Persona(name, name, plain(squad))


def worth(squad: Squad) -> int:
    """Return a squad's points, by which squads are matched."""
    return sum(equipment.points(one.archetype, one.kit) for one in squad.members)


FORM = say("SQUAD Ravens WITH Kitai: scout; Bo: guard, Boar, suit")
MOST_WEAPONS = 3

_SQUAD = re.compile(r"(.+?) WITH (.+)", re.I)
_MEMBER = re.compile(r"([^:]+): ?(.+)")
_NAME = re.compile(r"\w[\w .'-]{0,29}")


def read_squad(text: str) -> tuple[str, Squad]:
    """Return a squad's name and its members; raise ForeignOrder or UnreadableOrder."""
    match = _SQUAD.fullmatch(clean(text, LONGEST_BUILD))
    if match is None:
        raise ForeignOrder(say("a squad needs a name, WITH, and its characters"), hint=FORM)
    members = tuple(_member(part.strip()) for part in match[2].split(";") if part.strip())
    if not 1 <= len(members) <= MOST_MEMBERS:
        many = say("a squad has 1 to {most} characters", most=MOST_MEMBERS)
        raise UnreadableOrder(many, hint=FORM)
    twice = named_twice(member.name for member in members)
    if twice is not None:
        raise _wrong(say("two characters are called {name}", name=twice))
    return _read_name(match[1]), Squad(members)


def _member(text: str) -> Member:
    match = _MEMBER.fullmatch(text)
    if match is None:
        raise _wrong(
            say("{text!r} is not a character; write a name, a colon and a kind", text=text)
        )
    kind, *rest = (part.strip() for part in re.split(r",|\s&\s", match[2]))
    archetype = in_catalogue(kind, ARCHETYPES, say("kinds of characters"))
    kit = tuple(
        in_catalogue(part, (*WEAPONS, *ARMOUR), say("the catalogue")) for part in rest if part
    )
    # A set-up names a character's weapons apart, so no two may be the same.
    if len(set(kit)) < len(kit):
        raise _wrong(say("nobody carries the same thing twice"))
    if sum(name in WEAPONS for name in kit) > MOST_WEAPONS:
        raise _wrong(say("a character carries at most {most} weapons", most=MOST_WEAPONS))
    # A player who names any kit gets that alone, without the usual kit.
    return Member(_read_name(match[1]), archetype, kit or ARCHETYPES[archetype].kit)


def _read_name(written: str) -> str:
    """Return a name that can be typed into orders; raise UnreadableOrder."""
    name = written.strip()
    if not _NAME.fullmatch(name) or VOCABULARY.name_text(name) != name or fold(name) == NEAREST:
        text = say(
            "{name!r} is not a name; use letters, digits and spaces, but no order's words",
            name=name,
        )
        raise _wrong(text)
    return name


def _wrong(text: Said) -> UnreadableOrder:
    return UnreadableOrder(text, hint=FORM)
