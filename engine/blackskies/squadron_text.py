"""A squadron as a player writes it, read, with clear refusals (BS-7)."""

import re
from collections.abc import Mapping, Sequence

from engine.blackskies.catalogue import FLEET
from engine.blackskies.design import Design
from engine.blackskies.squadron import Squadron, Wing
from engine.blackskies.tables import MOST_ELEMENTS, MOST_SKILL, MOST_SPEED
from engine.blackskies.wording import name_text
from engine.errors import ForeignOrder, UnreadableOrder
from engine.i18n import Said, say
from engine.words import LONGEST_BUILD, clean, closest, fold, match_name

FORM = say("SQUADRON Vultures WITH Red: 2 Black Tiger SKILL 2 1; Gold: 1 Gadfly SKILL 3 SPEED 8")
_SPEED = 6
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
    names = [fold(wing.name) for wing in wings]
    repeated = next((wing.name for wing in wings if names.count(fold(wing.name)) > 1), None)
    if repeated is not None:
        raise _wrong(say("two elements are called {name}", name=repeated))
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
        raise _wrong(say("{text!r} is no element; it needs a design, and SKILL", text=text))
    design = match_name(match["design"], list(known))
    if design is None:
        raise _no_design(match["design"], known, lost)
    skills = tuple(map(int, re.split(r"\D+", match["skills"])))
    count = int(match["count"] or len(skills))
    if count not in (1, 2) or len(skills) not in (1, count):
        raise _wrong(say("an element is one or two fighters, with a skill for each (BS-7)"))
    speed = _SPEED if match["speed"] is None else int(match["speed"])
    if not all(1 <= skill <= MOST_SKILL for skill in skills) or speed > MOST_SPEED:
        raise _wrong(
            say(
                "skills go from 1 to {skill}, speeds to {speed}", skill=MOST_SKILL, speed=MOST_SPEED
            )
        )
    every = skills if len(skills) == count else skills * count
    return Wing(read_name(match["name"]), design, every, speed)


def _no_design(written: str, known: Mapping[str, Design], lost: Sequence[str]) -> UnreadableOrder:
    gone = match_name(written, lost)
    if gone is not None:
        text = say("{name} has weapons that are no longer in the catalogue", name=gone)
        return UnreadableOrder(text, hint=say("draw it anew; DESIGNS lists the weapons"))
    hint = closest(written, known) or say("the designs are {known}", known=list(known))
    return UnreadableOrder(say("there is no design called {name}", name=written), hint=hint)


def read_name(written: str) -> str:
    """Return a name that can be typed into orders; raise UnreadableOrder."""
    name = written.strip()
    if not _NAME.fullmatch(name) or name_text(name) != name:
        raise _wrong(say("{name!r} is no name; use letters, digits and spaces", name=name))
    return name


def _wrong(text: Said, form: Said = FORM) -> UnreadableOrder:
    return UnreadableOrder(text, hint=form)
