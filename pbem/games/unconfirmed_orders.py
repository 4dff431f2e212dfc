"""Orders that a player was asked about and did not confirm: at the deadline they are done."""

from itertools import filterfalse

from engine.orders.orders_on_file import Written, lines, texts
from engine.orders.reading import read_for
from engine.ruleset import AnyRuleset
from engine.seats import Seat
from pbem.games.session import Session
from pbem.outgoing import questions


def unconfirmed(session: Session, seat: Seat, language: str) -> Written:
    """Return the battle orders of a seat's latest open question that has any.

    Orders to leave the battle for good are left out, orders to the league, and what may be quoted.
    """
    rules, state, turn = session.rules, session.state, session.game.turn
    own = session.doctrines(seat)
    for question in questions.of_place(session.store, session.places[seat].id):
        if question.by_yes_only:
            continue
        read = read_for(rules, state, seat, question.lines, language, turn, own)
        written = _without_leaving(rules, read)
        if not written.empty:
            return written
    return Written((), None, (), ())


def told(written: Written) -> list[str]:
    """Return orders as lines, for the report that tells of them."""
    return [*written.queue, *(lines(written.standing) if written.standing else ())]


def _without_leaving(rules: AnyRuleset, written: Written) -> Written:
    """Return orders without those to leave the battle for good."""
    standing = written.standing
    # Whole, since the rest of standing orders means something else without one of them.
    if standing is not None and any(map(rules.leaves, texts(standing))):
        standing = None
    return Written(tuple(filterfalse(rules.leaves, written.queue)), standing, (), ())
