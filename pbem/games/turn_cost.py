"""What a turn costs the machine: it limits how long a battle runs on without new letters."""

from engine.orders.orders_on_file import sheet_cost
from pbem.games.session import Session

COST = 150_000
"""How much the turns between two reports may cost, in units of a Budget."""
_STEP = 2000
"""The cost of logging an order."""


def pairs(session: Session) -> int:
    """Return how many pairs of seats a battle has whose turns come one by one; 1 for others.

    What a duel may take between two reports each pair may: its turns are as many.
    """
    return 1 if session.simultaneous else max(len(session.rules.seats(session.state)) // 2, 1)


def most(session: Session) -> int:
    """Return how much the turns between two reports may cost."""
    return COST * pairs(session)


def turn_cost(session: Session) -> int:
    """Return about how much the next turn costs at most, from the state and the orders on file.

    Where turns come one by one it is that of one seat.
    """
    rules, state, bots = session.rules, session.state, session.game.bots
    # Counted and not timed, so that a replay stops after the same step.
    costs = [0]
    for seat in rules.to_act(state):
        count = len(rules.owing(state, seat))
        if seat in session.places:
            costs.append(_STEP + count * sheet_cost(session.sheet(seat)))
        else:
            costs.append(_STEP + count * rules.cost(state, bots))
    return sum(costs) if session.simultaneous else max(costs)
