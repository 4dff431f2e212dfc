"""What players choose for their battles: speeds, the order of cards, asteroids (BS-23, BS-28)."""

import re

from engine.blackskies.space import Point
from engine.blackskies.squadron import persona_of, squadron_of
from engine.blackskies.tables import MOST_SPEED
from engine.campaign import Persona
from engine.codec import change
from engine.errors import UnreadableOrder
from engine.fields import Data
from engine.i18n import Said, say
from engine.words import clean, match_name

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
"""Where asteroids drift, and how large they are; but for the first each has its counterpart."""
MOST_ROCKS = 2 * len(_ROCKS) - 1


def line_up(persona: Persona, text: str) -> Persona:
    """Return a squadron whose elements start at other speeds, or play their cards in another order.

    Elements that are named play theirs in that order, before the others.
    """
    squadron = squadron_of(persona)
    names, speeds = [wing.name for wing in squadron.wings], dict[str, int]()
    deck: list[str] = []
    for part in filter(None, (part.strip() for part in re.split(r"[,;]", clean(text)))):
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
    number = int(count) if count.isdecimal() and len(count) < 4 else 0
    if not 1 <= number <= MOST_ROCKS:
        text = say("there may be 1 to {most} asteroids", most=MOST_ROCKS)
        raise UnreadableOrder(text, hint=f"ASTEROIDS {MOST_ROCKS - 3}")
    # An odd one lies in the middle of all; the others come in pairs.
    (middle, size), *pairs = _ROCKS
    rocks = [_rock(middle, size, 1)] if number % 2 else []
    for at, radius in pairs[: number // 2]:
        rocks += [_rock(at, radius, sign) for sign in (1, -1)]
    return {**setup, "asteroids": rocks}


def _rock(at: Point, radius: int, sign: int) -> Data:
    return {"q": sign * at[0], "r": sign * at[1], "radius": radius}


def _wrong(text: Said) -> UnreadableOrder:
    return UnreadableOrder(text, hint=LINEUP)
