"""What a player writes of a squadron or a design, read, with clear refusals (BS-4, BS-5, BS-7)."""

import re
from collections.abc import Mapping

from engine.blackskies.catalogue import ARSENAL, FLEET
from engine.blackskies.design import Design, Weapon, spent, weight_of
from engine.blackskies.squadron import Squadron, Wing
from engine.blackskies.tables import (
    MOST_ELEMENTS,
    MOST_SHIELDS,
    MOST_SKILL,
    MOST_SPEED,
    THRUSTERS,
    WEIGHTS,
)
from engine.blackskies.wording import name_text
from engine.errors import ForeignOrder, UnreadableOrder
from engine.said import Said, say
from engine.words import clean, closest, fold, match_name

FORM = say("SQUADRON Vultures WITH Red: 2 Black Tiger SKILL 2 1; Gold: 1 Gadfly SKILL 3 SPEED 8")
DESIGN_FORM = say("DESIGN Wolf: MEDIUM, REAR SIDE, Laser Cannon, 2 Autocannon, ARMOUR 1, SHIELDS 0")
_SPEED = 6
"""The speed at which an element begins unless its player says another."""

_SQUADRON = re.compile(r"(.+?) WITH (.+)", re.I)
_WING = re.compile(
    r"(?P<name>[^:]+): ?(?:(?P<count>\d+) ?x? )?(?P<design>.+?),?"
    r" SKILLS? (?P<skills>\d+(?:[ ,/]+\d+)*)(?:,? SPEED (?P<speed>\d+))?",
    re.I,
)
_DESIGN = re.compile(r"([^:]+): ?(.+)")
_LEVEL = re.compile(r"(ARMOU?R|SHIELDS?) (\d+)", re.I)
_GUNS = re.compile(r"(?:(\d+) ?x? )?(.+)", re.I)
_NAME = re.compile(r"\w[\w .'-]{0,29}")


def read_squadron(text: str) -> tuple[str, Squadron]:
    """Read a squadron's name and its elements; raises ForeignOrder or UnreadableOrder."""
    match = _SQUADRON.fullmatch(clean(text))
    if match is None:
        text = say("a squadron needs a name, WITH, and its elements")
        raise ForeignOrder(text, hint=FORM)
    wings = tuple(_wing(part.strip()) for part in match[2].split(";") if part.strip())
    if not 1 <= len(wings) <= MOST_ELEMENTS:
        raise _wrong(
            say(
                "a squadron has 1 to {most} elements, not {count}",
                most=MOST_ELEMENTS,
                count=len(wings),
            )
        )
    names = [fold(wing.name) for wing in wings]
    twin = next((wing.name for wing in wings if names.count(fold(wing.name)) > 1), None)
    if twin is not None:
        raise _wrong(say("two elements are called {name}", name=twin))
    return _name(match[1]), Squadron(wings)


def _wing(text: str) -> Wing:
    match = _WING.fullmatch(text)
    if match is None:
        raise _wrong(say("{text!r} is no element; it needs a design, and SKILL", text=text))
    design = match_name(match["design"], list(FLEET))
    if design is None:
        meant = closest(match["design"], FLEET)
        hint = say("the designs are {known}", known=list(FLEET))
        raise UnreadableOrder(
            say("there is no design called {name}", name=match["design"]), hint=meant or hint
        )
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
    return Wing(_name(match["name"]), design, every, speed)


def _name(written: str) -> str:
    """Check a name that has to be typed into orders."""
    name = written.strip()
    if not _NAME.fullmatch(name) or name_text(name) != name:
        raise _wrong(say("{name!r} is no name; use letters, digits and spaces", name=name))
    return name


def _wrong(text: Said, form: Said = FORM) -> UnreadableOrder:
    return UnreadableOrder(text, hint=form)


def read_design(text: str, arms: Mapping[str, Weapon] = ARSENAL) -> Design:
    """Read a design by what it carries; raises UnreadableOrder that names the ruling broken."""
    match = _DESIGN.fullmatch(clean(text))
    if match is None:
        raise _wrong(say("a design needs a name, a colon, and what it carries"), DESIGN_FORM)
    weight, thrusters, guns, levels = "", list[str](), list[Weapon](), {"A": 0, "S": 0}
    for part in (part.strip() for part in match[2].split(",")):
        level = _LEVEL.fullmatch(part)
        words = [word.lower() for word in part.split() if word.upper() != "THRUSTERS"]
        if level:
            levels[level[1][0].upper()] = int(level[2])
        elif part.lower() in WEIGHTS:
            weight = part.lower()
        elif words and set(words) <= set(THRUSTERS):
            thrusters += [word for word in words if word not in thrusters]
        else:
            guns += _guns(part, arms)
    if not weight:
        raise _wrong(say("say the weight: {weights}", weights=list(WEIGHTS)), DESIGN_FORM)
    made = Design(_name(match[1]), weight, tuple(thrusters), tuple(guns), levels["A"], levels["S"])
    return _sound(made)


def _guns(part: str, arms: Mapping[str, Weapon]) -> list[Weapon]:
    match = _GUNS.fullmatch(part)
    name = match_name(match[2], list(arms)) if match else None
    if match is None or name is None:
        known = say("the weapons are {known}", known=list(arms))
        hint = closest(match[2] if match else part, arms) or known
        raise UnreadableOrder(say("there is no weapon called {name}", name=part), hint=hint)
    return [arms[name]] * min(int(match[1] or 1), 9)


def _sound(design: Design) -> Design:
    """Refuse what BS-4 and BS-5 forbid."""
    weight, used = weight_of(design), spent(design)
    if design.armour > weight.armour or design.shields > MOST_SHIELDS:
        raise _wrong(
            say(
                "a {weight} fighter has armour up to {armour}, and shields up to {shields} (BS-5)",
                weight=say(design.weight),
                armour=weight.armour,
                shields=MOST_SHIELDS,
            ),
            DESIGN_FORM,
        )
    if used > weight.hardpoints:
        raise _wrong(
            say(
                "{used} hardpoints are used, and a {weight} fighter has {most} (BS-5)",
                used=used,
                weight=say(design.weight),
                most=weight.hardpoints,
            ),
            DESIGN_FORM,
        )
    return design
