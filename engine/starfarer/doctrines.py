"""Doctrines that everybody has: a plan for each of a seat's characters."""

from collections.abc import Iterator, Sequence

from engine.seats import Seat
from engine.starfarer.model import Action, Battle, Entry, Plan, characters_of, is_present
from engine.starfarer.written_orders import plan_text

_CLOSE, _EVADE = Action("move", toward="nearest"), Action("evade")
_RISE = Action("rise")


def doctrine(battle: Battle, seat: Seat, which: str) -> Sequence[str]:
    """Return the standing orders that a doctrine of everybody's means for a seat's characters.

    All attack the nearest, and close in on it. A bold one does nothing else; a sound one that is
    hurt aborts to evade when it is attacked; a careful one then evades in each second phase, too.
    """
    # An order for the dead or the gone can't be read, and would spoil the one above it.
    present = [n for n in characters_of(battle, seat) if is_present(battle.bodies[n])]
    return [line for name in present for line in _lines(name, which)]


def _lines(name: str, which: str) -> Iterator[str]:
    attack: Entry = ((Action("attack", at="nearest"), _CLOSE, _EVADE, _RISE),)
    if which == "sound":
        yield f"IF HURT: {plan_text(Plan(name, (attack,), 'evade'))}"
    elif which == "careful":
        yield f"IF HURT: {plan_text(Plan(name, (attack, ((_EVADE, _RISE),)), 'evade'))}"
    yield f"ELSE: {plan_text(Plan(name, (attack,)))}"
