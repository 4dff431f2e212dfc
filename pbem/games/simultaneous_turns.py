"""Turns of all together: the orders of all seats are collected, and resolved in one step."""

from collections.abc import Callable
from datetime import datetime
from typing import TypedDict

from engine import codec
from engine.dice import Dice, SeededDice
from engine.orders.orders_on_file import Choice, choices, extras
from engine.play import completed
from engine.ruleset import AnyRuleset
from engine.seats import REFEREE, Seat
from pbem.games.offered_orders import Offered, offered
from pbem.games.session import Session

_ADVISER = "sound"
"""The bot whose turn is shown as an example."""


class Missing(TypedDict):
    """A piece without an order on file, and what the referee would order for it."""

    piece: str
    order: str


def lacking(session: Session) -> list[Seat]:
    """Return the players' seats that have no legal order of their own for one of their pieces."""
    rules, state = session.rules, session.state
    return [
        seat
        for seat in rules.to_act(state)
        if seat in session.places
        and len(choices(rules, state, seat, session.sheet(seat))) < len(rules.owing(state, seat))
    ]


def missing(session: Session, seat: Seat) -> list[Missing]:
    """Return the pieces of a seat that have no order on file, with what the referee would order."""
    rules = session.rules
    if not session.simultaneous:
        return []
    own = [choice.order for choice in choices(rules, session.state, seat, session.sheet(seat))]
    every = completed(rules, session.state, seat, own, rules.cautious)
    return [
        {"piece": rules.piece(order), "order": rules.format(order)} for order in every[len(own) :]
    ]


def plan(session: Session, seat: Seat) -> list[Offered]:
    """Return a turn that a seat could order: what a bot would, by what everybody may know.

    Where one acts after the other it is a single order, for when the seat acts next.
    """
    rules = session.rules
    if _ADVISER not in rules.strengths:
        return []
    # Dice of its own: nothing of the game's secret must show in a letter.
    whims = SeededDice(b"plan", f"{session.game.id} {session.game.steps}", 0, b"")
    state = session.state if session.simultaneous else session.foreseen(seat)
    if session.simultaneous:
        orders = completed(rules, state, seat, [], _bot(rules, _ADVISER, whims))
    else:
        orders = [rules.bot(_ADVISER)(state, seat, whims)] if rules.offers(state, seat) else []
    return [
        offered(session, seat, order, session.chance(seat, order), rules.why(state, seat, order))
        for order in orders
    ]


def complete(session: Session, player: int) -> list[str]:
    """File what the referee would order for a player's pieces without an order; return those.

    A seat without any order of its own is left as it is.
    """
    filed: list[str] = []
    for seat, place in session.places.items():
        lack = missing(session, seat) if place.player_id == player else []
        if lack and len(lack) < len(session.rules.owing(session.state, seat)):
            orders, sheet = [one["order"] for one in lack], session.sheet(seat)
            # First in the queue, where an order that is not possible may wait.
            session.change(
                seat, sheet=codec.encode(codec.change(sheet, queue=(*orders, *sheet.queue)))
            )
            filed += [one["piece"] for one in lack]
    return filed


def ordered(session: Session) -> bool:
    """Return whether any player has a legal order on file."""
    rules, state = session.rules, session.state
    return any(choices(rules, state, seat, session.sheet(seat)) for seat in session.acting)


def close(session: Session, now: datetime) -> None:
    """Resolve the open turn in one step, whose dice depend on the orders of every seat.

    A piece without a legal order from its player flies a cautious one. Bots fly all seats
    that no player has.
    """
    rules, state, whims = session.rules, session.state, session.whims()
    orders: dict[Seat, list[object]] = {}
    for seat in session.phase.may:
        if seat in session.places:
            given = completed(rules, state, seat, _own(session, seat), rules.cautious)
        else:
            given = completed(rules, state, seat, [], _bot(rules, session.game.bots, whims))
        if given:
            orders[seat] = given
    # END closes the turn, and is logged as all that the referee orders (BS-27).
    orders[REFEREE] = [rules.parse(state, REFEREE, "END")]
    session.step(orders, now)


def _bot(rules: AnyRuleset, strength: str, whims: Dice) -> Callable[[object, Seat], object]:
    """Return the function with which bots of a strength choose their orders."""
    choose = rules.bot(strength)
    return lambda state, seat: choose(state, seat, whims)


def _own(session: Session, seat: Seat) -> list[object]:
    """Return a seat's orders, and take those from the queue off its sheet."""
    found: list[Choice] = []
    # `extras` are orders that no step waits for, such as LEAVE of a wing (decision 0032).
    for chosen in (choices, extras):
        found += chosen(session.rules, session.state, seat, session.sheet(seat))
        if found:
            session.change(seat, sheet=codec.encode(found[-1].sheet))
    return [choice.order for choice in found]
