"""What players choose for their battles: speeds, the order of cards, asteroids (BS-23, BS-28)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from engine.blackskies.design import DESIGNS, WEAPONS, Design, Weapon, arms_of, data_of
from engine.blackskies.geometry import Point
from engine.blackskies.persona_record import flown, persona_of, squadron_of
from engine.blackskies.tables import MOST_SPEED
from engine.campaign import Persona
from engine.codec import change
from engine.errors import UnreadableOrder
from engine.fields import Data
from engine.i18n import Said, say
from engine.names import fold, match_name
from engine.orders.line_shapes import clean

LINEUP = say("LINEUP Vultures: Gold SPEED 8, Red")
_SPEED = re.compile(r"(.+?)(?: \D\S*)? (\d{1,2})")
"""An element and its speed, whatever the word between them is in a player's language."""

_ROCKS: tuple[tuple[Point, int], ...] = (
    ((0, 0), 2),
    ((-6, 20), 2),
    ((10, 12), 1),
    ((-20, 24), 2),
    ((2, 26), 1),
)
"""Where asteroids drift, and how large they are; each but the first has a twin opposite it."""
MOST_ROCKS = 2 * len(_ROCKS) - 1


def line_up(persona: Persona, text: str) -> Persona:
    """Return a squadron whose elements start at other speeds, or play their cards in another order.

    Elements that are named play theirs in that order, before the others.
    """
    squadron = squadron_of(persona)
    names, speeds = [wing.name for wing in squadron.wings], dict[str, int]()
    deck: list[str] = []
    for part in filter(None, (part.strip() for part in re.split(r"[,;]", clean(text)))):
        # The whole part first: an element's name may end with a number itself.
        match = None if match_name(part, names) else _SPEED.fullmatch(part)
        name = match_name(match[1] if match else part, names)
        if name is None:
            raise _wrong(say("{name} has no element {part!r}", name=persona.name, part=part))
        if name in deck:
            raise _wrong(say("{name} is named twice", name=name))
        deck.append(name)
        if match is not None:
            speeds[name] = int(match[2])
    if not deck or max(speeds.values(), default=0) > MOST_SPEED:
        raise _wrong(say("name elements of yours; speeds go from 0 to {most}", most=MOST_SPEED))
    wings = tuple(change(w, speed=speeds.get(w.name, w.speed)) for w in squadron.wings)
    cards = (*deck, *(name for name in squadron.cards if name not in deck))
    return persona_of(
        persona.name, change(squadron, wings=wings, deck=() if cards == tuple(names) else cards)
    )


def asteroids(setup: Data, count: str) -> Data:
    """Return a set-up with some asteroids, each of which lies the same for both sides."""
    # Not more digits: Python refuses to read very long numbers, with an error of its own.
    number = int(count) if count.isdecimal() and len(count) < 4 else 0
    if not 1 <= number <= MOST_ROCKS:
        text = say("there may be 1 to {most} asteroids", most=MOST_ROCKS)
        raise UnreadableOrder(text, hint=say("ASTEROIDS 6"))
    # An odd one lies in the middle of all; the others come in pairs.
    (middle, size), *pairs = _ROCKS
    rocks = [_rock(middle, size, 1)] if number % 2 else []
    # Each pair is mirrored at the middle, so neither side has the better field (BS-28).
    for at, radius in pairs[: number // 2]:
        rocks += [_rock(at, radius, sign) for sign in (1, -1)]
    return {**setup, "asteroids": rocks}


def _rock(at: Point, radius: int, sign: int) -> Data:
    return {"q": sign * at[0], "r": sign * at[1], "radius": radius}


def _wrong(text: Said) -> UnreadableOrder:
    return UnreadableOrder(text, hint=LINEUP)


_AHEAD, _APART = 24, 7
_WINGMAN = (-4, 4)

T = TypeVar("T", Weapon, Design)


def melee(ones: Sequence[Persona], others: Sequence[Persona], first: str | None) -> Data:
    """Return the set-up of a battle of squadrons, each side named after its first.

    `first` may name the squadron whose side moves first. A side is called `Team Hawks`, or, with
    one squadron on each side, simply `Hawks`. Two elements with the same name get the names of
    their squadrons in front. So do fighters that would have the name of an element or of another
    fighter.
    """
    every = [*ones, *others]
    named = _named(every)
    owned = [(one.name, design) for one in every for design in flown(squadron_of(one))]
    arms = _told_apart((owner, weapon) for owner, design in owned for weapon in design.weapons)
    designs = _told_apart(owned)
    # A side of several has a name of its own: its squadrons' names are those of its seats.
    prefix = "" if len(every) == 2 else "Team "
    sides: list[Data] = [
        {
            "name": prefix + team[0].name,
            "elements": [e for one in team for e in _wings(one, named[one.name], designs)],
        }
        for team in (ones, others)
    ]
    data = {
        "weapons": {name: arms_of(arm) for arm, name in arms.items() if name not in WEAPONS},
        "designs": {n: data_of(one, arms) for one, n in designs.items() if n not in DESIGNS},
    }
    for side, deck in zip(sides, _decks((ones, others), named), strict=True):
        side |= {"deck": deck} if deck else {}
    begins = {"first": prefix + first} if first else {}
    return standard(sides[0], sides[1], **data, **begins)


def _decks(
    teams: Sequence[Sequence[Persona]], named: Mapping[str, list[tuple[str, tuple[str, ...]]]]
) -> list[list[str | None]]:
    """Return each side's deck, with placeholders at its bottom; none where no player chose one."""
    size = max(sum(len(named[one.name]) for one in team) for team in teams)
    found: list[list[str | None]] = []
    for team in teams:
        deck: list[str | None] = []
        for one in team:
            squadron = squadron_of(one)
            names = {w.name: n for w, (n, _) in zip(squadron.wings, named[one.name], strict=True)}
            deck += [names[name] for name in squadron.cards]
        chosen = any(squadron_of(one).deck for one in team)
        found.append([*deck, *[None] * (size - len(deck))] if chosen else [])
    return found


def _told_apart(owned: Iterable[tuple[str, T]]) -> dict[T, str]:
    """Return different names for all things: where two are equal, their owners' names come first.

    What is built in keeps its name, since nothing else may have it.
    """
    owners: dict[T, str] = {}
    for owner, thing in owned:
        owners.setdefault(thing, owner)
    # Compared without case, as names in orders are.
    common, names = Counter(fold(thing.name) for thing in owners), dict[T, str]()
    taken = {fold(thing.name) for thing in owners}
    for thing, owner in owners.items():
        name = thing.name
        if common[fold(name)] > 1:
            name = f"{owner} {name}"
            while fold(name) in taken:
                name += "'"
        taken.add(fold(name))
        names[thing] = name
    return names


def _named(every: Iterable[Persona]) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Return the name of each element and of its fighters, by squadron: no two are equal.

    Elements come first, so that they keep their players' names for them wherever possible.
    """
    wings = [(one.name, wing) for one in every for wing in squadron_of(one).wings]
    common, taken = Counter(fold(wing.name) for _, wing in wings), set[str]()
    called = []
    for owner, wing in wings:
        name = f"{owner} {wing.name}" if common[fold(wing.name)] > 1 else wing.name
        while fold(name) in taken or (name != wing.name and fold(name) in common):
            name += "'"
        taken.add(fold(name))
        called.append(name)
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for (owner, wing), name in zip(wings, called, strict=True):
        fighters = _numbered(name, len(wing.skills))
        base = f"{owner} {wing.name}"
        while any(fold(fighter) in taken for fighter in fighters):
            fighters, base = _numbered(base, len(wing.skills)), f"{base}'"
        taken.update(map(fold, fighters))
        found.setdefault(owner, []).append((name, fighters))
    return found


def _numbered(name: str, count: int) -> tuple[str, ...]:
    """Return the usual names of an element's fighters."""
    return tuple(f"{name} {number}" for number in range(1, count + 1))


def _wings(
    persona: Persona,
    named: Sequence[tuple[str, tuple[str, ...]]],
    designs: Mapping[Design, str],
) -> list[Data]:
    """Return a squadron's elements as a set-up writes them."""
    found, squadron = [], squadron_of(persona)
    for wing, design, names in zip(squadron.wings, flown(squadron), named, strict=True):
        fighters = [
            {"name": name, "skill": skill}
            for name, skill in zip(names[1], wing.skills, strict=True)
        ]
        element = {"name": names[0], "design": designs[design], "speed": wing.speed}
        found.append({**element, "fighters": fighters, "seat": persona.name})
    return found


def standard(one: Data, other: Data, **rest: object) -> Data:
    """Return a set-up in which two sides, as set-ups write them, stand 24 inches apart.

    Each element needs name, design, speed and fighters with name and skill; what is in `rest`, such
    as `designs`, is added unchanged.
    """
    return {"teams": [_placed(one, 1, 0), _placed(other, -1, 3)], **rest}


def _placed(team: Data, sign: int, heading: int) -> Data:
    elements = [
        {**element, "heading": heading, "fighters": _pair(element["fighters"], lead(n), sign)}
        for n, element in enumerate(team["elements"])
    ]
    return {**team, "elements": elements}


def _pair(fighters: Sequence[Data], at: Point, sign: int) -> list[Data]:
    """Return a lead, and its wingman behind it to the right, with their places."""
    return [
        {**fighter, "q": sign * (at[0] + n * _WINGMAN[0]), "r": sign * (at[1] + n * _WINGMAN[1])}
        for n, fighter in enumerate(fighters)
    ]


def lead(number: int) -> Point:
    """Return where the lead of the first side's element stands (BS-28), counted from 0."""
    out = _APART * ((number + 1) // 2)
    # By turns to both sides of the first element (BS-28).
    k = out if number % 2 else -out
    return -_AHEAD - k, 2 * k
