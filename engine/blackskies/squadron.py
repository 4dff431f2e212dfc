"""Squadrons between battles: their record, their worth, and the standard start of two (BS-28)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isqrt
from typing import TypeVar

from engine.blackskies.catalogue import FLEET
from engine.blackskies.design import DESIGNS, WEAPONS, Design, Weapon, arms_of, data_of, weight_of
from engine.blackskies.space import Point
from engine.campaign import Day, Persona
from engine.codec import Record, decode, encode, plain
from engine.fields import Data
from engine.i18n import say
from engine.words import fold

WINS_TO_RETIRE = 20
"""A squadron that has won this many battles retires with honour (house rule)."""
_AHEAD, _APART = 24, 7
_WINGMAN = (-4, 4)
_PER_POINT = 60
"""Divides a fighter's worth so that a Black Tiger with a trained pilot is worth about 50."""
_UNARMED = 100
"""The fire power that an unarmed fighter counts for, since it draws fire too."""

T = TypeVar("T", Weapon, Design)


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
    return [own.get(wing.design) or FLEET[wing.design] for wing in squadron.wings]


def squadron_of(persona: Persona) -> Squadron:
    """Return a persona's record."""
    return decode(encode(persona.record), Squadron)


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
    guns = (weapon.rof * (weapon.die + 1) * sum(weapon.range) for weapon in design.weapons)
    fire = max(_UNARMED, sum(guns))
    body = weight_of(design).hull * (20 + 7 * design.armour + 5 * design.shields)
    return isqrt(fire * body * (10 + len(design.thrusters)) * (8 + skill)) // _PER_POINT


def duel(one: Persona, other: Persona, first: str | None) -> Data:
    """Return the set-up of a battle between two squadrons; `first` may name one of them."""
    return melee((one,), (other,), first)


def melee(ones: Sequence[Persona], others: Sequence[Persona], first: str | None) -> Data:
    """Return the set-up of a battle of squadrons, each side named after its first.

    `first` may name the squadron whose side moves first. A side's name is such as `Team Hawks`, but
    with one squadron on each side it is the squadron's own. Elements with the same name get their
    squadron's before it, and so do
    fighters that would have the name of an element or of another fighter.
    """
    every = [*ones, *others]
    named = _named(every)
    owned = [(one.name, design) for one in every for design in flown(squadron_of(one))]
    arms = _told_apart((owner, weapon) for owner, design in owned for weapon in design.weapons)
    designs = _told_apart(owned)
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
    k = out if number % 2 else -out
    return -_AHEAD - k, 2 * k


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
