"""Squadrons between battles: their record, their worth, and how a player writes one."""

import re
from collections.abc import Mapping, Sequence
from math import isqrt

from engine.blackskies.design import Design, weight_of
from engine.blackskies.grammar import name_text
from engine.blackskies.league_catalogue import FLEET
from engine.blackskies.tables import MOST_ELEMENTS, MOST_SKILL, MOST_SPEED
from engine.campaign import Day, Persona
from engine.codec import Record, plain, typed
from engine.errors import ForeignOrder, UnreadableOrder
from engine.i18n import Said, say
from engine.names import closest, match_name, named_twice
from engine.orders.line_shapes import LONGEST_BUILD, clean

WINS_TO_RETIRE = 20
"""A squadron that has won this many battles retires with honour (house rule)."""
_PER_POINT = 60
"""Divides a fighter's worth so that a Black Tiger with a trained pilot is worth about 50."""
_UNARMED = 100
"""The fire power that an unarmed fighter counts for, since it draws fire too."""


class Wing(Record, frozen=True):
    """An element of a squadron: its design, the skill of each pilot, its speed at the start."""

    name: str
    design: str
    skills: tuple[int, ...]
    speed: int


class Squadron(Record, frozen=True):
    """A squadron's record: its elements in the order of their cards, and what it has done.

    It keeps the designs that it flies, so that a later change of the catalogue does not touch it;
    older records, without designs, fly those of the usual catalogue. `deck` holds the elements as
    they play their cards; it is empty where that is the order in which they stand.
    """

    wings: tuple[Wing, ...]
    battles: int = 0
    wins: int = 0
    kills: int = 0
    lost: int = 0
    disbanded: bool = False
    designs: tuple[Design, ...] = ()
    deck: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """Return the names of the elements in the order of their cards."""
        return self.deck or tuple(wing.name for wing in self.wings)


def flown(squadron: Squadron) -> list[Design]:
    """Return the design of each of a squadron's elements."""
    own = {design.name: design for design in squadron.designs}
    # Older records hold no designs of their own.
    return [own.get(wing.design) or FLEET[wing.design] for wing in squadron.wings]


def squadron_of(persona: Persona) -> Squadron:
    """Return a persona's record."""
    return typed(persona.record, Squadron)


def persona_of(name: str, squadron: Squadron) -> Persona:
    """Return a squadron as a persona, which is a side of its own."""
    return Persona(name, name, plain(squadron))


def worth(squadron: Squadron) -> int:
    """Return a squadron's points, by which squadrons are matched (house rule)."""
    return sum(worths(squadron))


def worths(squadron: Squadron) -> list[int]:
    """Return the points of each of a squadron's elements."""
    pairs = zip(squadron.wings, flown(squadron), strict=True)
    return [sum(price(design, skill) for skill in wing.skills) for wing, design in pairs]


def price(design: Design, skill: int) -> int:
    """Return a fighter's points: fire power times what its hull withstands; thrusters and skill
    add."""
    # A die's mean is half of die + 1; the half is in the divisor.
    guns = (weapon.rof * (weapon.die + 1) * sum(weapon.range) for weapon in design.weapons)
    # An unarmed fighter still draws fire, and must not be free (ruling on BS-5).
    fire = max(_UNARMED, sum(guns))
    body = weight_of(design).hull * (20 + 7 * design.armour + 5 * design.shields)
    return isqrt(fire * body * (10 + len(design.thrusters)) * (8 + skill)) // _PER_POINT


def available(persona: Persona, day: Day) -> str | None:
    """Return why a squadron can't fight, or None; losses are replaced between battles."""
    if squadron_of(persona).disbanded:
        return say("{squadron} is disbanded", squadron=persona.name)
    if has_won(persona):
        return say("{squadron} has retired with honour", squadron=persona.name)
    return None


def has_won(persona: Persona) -> bool:
    """Return whether a squadron has retired with honour."""
    return squadron_of(persona).wins >= WINS_TO_RETIRE


def is_gone(persona: Persona) -> bool:
    """Return whether a squadron is disbanded."""
    return squadron_of(persona).disbanded


FORM = say("SQUADRON Vultures WITH Red: 2 Black Tiger SKILL 2 1; Gold: 1 Gadfly SKILL 3 SPEED 8")
_USUAL_SPEED = 6
"""The speed at which an element begins unless its player orders another."""

_SQUADRON = re.compile(r"(.+?) WITH (.+)", re.I)
_WING = re.compile(
    r"(?P<name>[^:]+): ?(?:(?P<count>\d+) ?x? )?(?P<design>.+?),?"
    r" SKILLS? (?P<skills>\d+(?:[ ,/]+\d+)*)(?:,? SPEED (?P<speed>\d+))?",
    re.I,
)
_NAME = re.compile(r"\w[\w .'-]{0,29}")


def read_squadron(
    text: str, known: Mapping[str, Design] = FLEET, lost: Sequence[str] = ()
) -> tuple[str, Squadron]:
    """Return a squadron's name and its elements, which fly designs in `known`.

    Designs in `lost` can't be built any more, since the catalogue has changed. Raise ForeignOrder
    or UnreadableOrder.
    """
    match = _SQUADRON.fullmatch(clean(text, LONGEST_BUILD))
    if match is None:
        text = say("a squadron needs a name, WITH, and its elements")
        raise ForeignOrder(text, hint=FORM)
    wings = tuple(_wing(part.strip(), known, lost) for part in match[2].split(";") if part.strip())
    if not 1 <= len(wings) <= MOST_ELEMENTS:
        raise _wrong(
            say(
                "a squadron has 1 to {most} elements, not {count}",
                most=MOST_ELEMENTS,
                count=len(wings),
            )
        )
    twice = named_twice(wing.name for wing in wings)
    if twice is not None:
        raise _wrong(say("two elements are called {name}", name=twice))
    # Kept with the squadron, so that a later change of the catalogue does not touch it.
    flown = dict.fromkeys(known[wing.design] for wing in wings)
    return read_name(match[1]), Squadron(wings, designs=tuple(flown))


def is_flyable(name: str) -> bool:
    """Return whether a design's name is distinct from the rest of an element in every form."""
    forms = f"A: {name} SKILL 1", f"A: 2 {name} SKILL 1 SPEED 2", f"A: 2x {name}, SKILL 1"
    matches = (_WING.fullmatch(form) for form in forms)
    return all(match is not None and match["design"] == name for match in matches)


def _wing(text: str, known: Mapping[str, Design], lost: Sequence[str]) -> Wing:
    match = _WING.fullmatch(text)
    if match is None:
        unskilled = _WING.fullmatch(f"{text} SKILL 1")
        if unskilled is not None and match_name(unskilled["design"], list(known)) is not None:
            raise _wrong(
                say(
                    "{text!r} lacks SKILL and a figure from 1 to {most}", text=text, most=MOST_SKILL
                )
            )
        raise _wrong(say("{text!r} is not an element; it needs a design, and SKILL", text=text))
    design = match_name(match["design"], list(known))
    if design is None:
        raise _no_design(match["design"], known, lost)
    skills = tuple(map(int, re.split(r"\D+", match["skills"])))
    count = int(match["count"] or len(skills))
    if count not in (1, 2) or len(skills) not in (1, count):
        raise _wrong(say("an element is one or two fighters, with a skill for each"))
    speed = _USUAL_SPEED if match["speed"] is None else int(match["speed"])
    if not all(1 <= skill <= MOST_SKILL for skill in skills) or speed > MOST_SPEED:
        raise _wrong(
            say(
                "skills go from 1 to {skill}, speeds to {speed}",
                skill=MOST_SKILL,
                speed=MOST_SPEED,
            )
        )
    # One skill for a pair is that of both pilots.
    every = skills if len(skills) == count else skills * count
    return Wing(read_name(match["name"]), design, every, speed)


def _no_design(written: str, known: Mapping[str, Design], lost: Sequence[str]) -> UnreadableOrder:
    gone = match_name(written, lost)
    if gone is not None:
        text = say("{name} has weapons that are no longer in the catalogue", name=gone)
        return UnreadableOrder(text, hint=say("draw it again; DESIGNS lists the weapons"))
    hint = closest(written, known) or say("the designs are {known}", known=list(known))
    return UnreadableOrder(say("there is no design called {name}", name=written), hint=hint)


def read_name(written: str) -> str:
    """Return a name that can be typed into orders; raise UnreadableOrder."""
    name = written.strip()
    # A name that orders must quote is one that players would write wrong.
    if not _NAME.fullmatch(name) or name_text(name) != name:
        raise _wrong(say("{name!r} is not a name; use letters, digits and spaces", name=name))
    return name


def _wrong(text: Said, form: Said = FORM) -> UnreadableOrder:
    return UnreadableOrder(text, hint=form)
