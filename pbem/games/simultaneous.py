"""Turns of simultaneous systems: each seat's orders gathered, and all resolved in one step."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from engine import codec
from engine.choosing import choices
from engine.dice import Dice
from engine.seats import REFEREE, Seat
from pbem.games.session import Session

Flyer = Callable[[Any, Seat], Any]


def lacking(session: Session) -> list[Seat]:
    """Give the players' seats that have no legal order of their own for each of their pieces."""
    rules, state = session.rules, session.state
    return [
        seat
        for seat in rules.to_act(state)
        if seat in session.places
        and len(choices(rules, state, seat, session.sheet(seat))) < len(rules.owing(state, seat))
    ]


def ordered(session: Session) -> bool:
    """Tell whether any player has a legal order on file."""
    rules, state = session.rules, session.state
    return any(choices(rules, state, seat, session.sheet(seat)) for seat in session.acting)


def close(session: Session, now: datetime) -> None:
    """Resolve the open turn by one step, whose dice hang on the orders of every seat.

    A piece without a legal order of its player's flies with caution; the house flies its own.
    """
    rules = session.rules
    whims = session.whims()
    orders: dict[Seat, list[Any]] = {}
    for seat in rules.to_act(session.state):
        if seat in session.places:
            orders[seat] = _filled(session, seat, _own(session, seat), rules.cautious, whims)
        else:
            orders[seat] = _filled(session, seat, [], _house(session, whims), whims)
    orders[REFEREE] = [rules.parse(session.state, REFEREE, "END")]
    session.step(orders, now)


def _house(session: Session, whims: Dice) -> Flyer:
    """Give the game's house pilot."""
    pilot = session.rules.house[session.game.house]
    return lambda state, seat: pilot(state, seat, whims)


def _own(session: Session, seat: Seat) -> list[Any]:
    """Take a seat's orders from its sheet."""
    found = choices(session.rules, session.state, seat, session.sheet(seat))
    if found:
        session.change(seat, sheet=codec.encode(found[-1].sheet))
    return [choice.order for choice in found]


def _filled(session: Session, seat: Seat, given: list[Any], fly: Flyer, dice: Dice) -> list[Any]:
    """Add an order for each piece that has none; filing, here on a copy, rolls no dice."""
    rules, state = session.rules, session.state
    if given:
        state, _ = rules.resolve(state, {seat: given}, dice)
    while seat in rules.to_act(state):
        order = fly(state, seat)
        state, _ = rules.resolve(state, {seat: [order]}, dice)
        given = [*given, order]
    return given
