"""`apply`: the only way in which a battle's state changes."""

from collections.abc import Callable
from typing import Any

from engine.blackskies.events import (
    Begun,
    Checked,
    Closed,
    Destroyed,
    Fired,
    Flown,
    Grazed,
    Hit,
    Left,
    Opened,
    Ordered,
    Over,
)
from engine.blackskies.model import Battle, Fighter, Shot, active
from engine.codec import change
from engine.events import Event


def apply(battle: Battle, event: Event) -> Battle:
    """Return the battle after an event; raise KeyError for an event of an unknown kind."""
    return _APPLY[type(event)](battle, event)


def _fighter(battle: Battle, name: str, **changes: object) -> Battle:
    # States are never changed in place: the service keeps earlier ones, for UNDO and pictures.
    fighters = battle.fighters.copy()
    fighters[name] = change(fighters[name], **changes)
    return change(battle, fighters=fighters)


def _begun(battle: Battle, event: Begun) -> Battle:
    return change(battle, first=event.first)


def _ordered(battle: Battle, event: Ordered) -> Battle:
    # A later order for the same element replaces the earlier one until the turn is closed.
    return change(battle, pending={**battle.pending, event.order.element: event.order})


def _closed(battle: Battle, event: Closed) -> Battle:
    # A map shows only the turn that was played last.
    return change(battle, pending={}, tracks={}, shots=())


def _left(battle: Battle, event: Left) -> Battle:
    fighters: dict[str, Fighter] = battle.fighters.copy()
    for fighter in active(battle, event.element):
        # A whole element leaves at once (BS-24).
        fighters[fighter.name] = change(fighter, fate=event.fate)
    return change(battle, fighters=fighters)


# A check changes nothing itself: the flight, or the damage, has an event of its own.
def _same(battle: Battle, event: Event) -> Battle:
    return battle


def _flown(battle: Battle, event: Flown) -> Battle:
    elements, fighters = battle.elements.copy(), battle.fighters.copy()
    elements[event.element] = change(
        elements[event.element],
        heading=event.heading,
        # What the card costs in speed counts from the next turn on.
        speed=event.slowed,
        retrograde=event.retrograde,
    )
    for name, (_, _, (q, r)) in event.tracks.items():
        fighters[name] = change(fighters[name], q=q, r=r)
    tracks = {**battle.tracks, **event.tracks}
    return change(battle, elements=elements, fighters=fighters, tracks=tracks)


def _fired(battle: Battle, event: Fired) -> Battle:
    by, at = battle.fighters[event.by], battle.fighters[event.at]
    # The places are kept with the shot, because the target may still fly on in this turn.
    shot = Shot(event.by, event.at, (by.q, by.r), (at.q, at.r), event.hits)
    return change(battle, shots=(*battle.shots, shot))


def _grazed(battle: Battle, event: Grazed) -> Battle:
    return _fighter(battle, event.fighter, hull=event.hull)


def _hit(battle: Battle, event: Hit) -> Battle:
    return _fighter(battle, event.at, hull=event.hull)


def _destroyed(battle: Battle, event: Destroyed) -> Battle:
    battle = _fighter(battle, event.fighter, fate="destroyed")
    if event.by is None:
        return battle
    # The shooter has the kill; an asteroid's kill is nobody's (BS-21, BS-23).
    return _fighter(battle, event.by, kills=battle.fighters[event.by].kills + 1)


def _opened(battle: Battle, event: Opened) -> Battle:
    return change(battle, turn=event.turn)


def _over(battle: Battle, event: Over) -> Battle:
    # Orders of a turn that is never closed have no effect, so nobody is to see them later.
    return change(battle, over=True, winner=event.winner, pending={})


_APPLY: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    Begun: _begun,
    Ordered: _ordered,
    Closed: _closed,
    Left: _left,
    Checked: _same,
    Flown: _flown,
    Grazed: _grazed,
    Fired: _fired,
    Hit: _hit,
    Destroyed: _destroyed,
    Opened: _opened,
    Over: _over,
}
