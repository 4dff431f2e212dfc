"""What a turn costs the machine: it limits how long a battle runs on without new letters."""

from engine.orders.orders_on_file import sheet_cost
from pbem.games.session import Session

COST = 150_000
"""How much the turns between two reports may cost, in units of a Budget."""
_STEP = 2000
"""The cost of logging an order."""


def turn_cost(session: Session) -> int:
    """Return about how much the next turn costs at most, from the state and the orders on file."""
    rules, state, bots = session.rules, session.state, session.game.bots
    # Counted and not timed, so that a replay stops after the same step.
    cost = 0
    for seat in rules.to_act(state):
        count = len(rules.owing(state, seat))
        if seat in session.places:
            cost += _STEP + count * sheet_cost(session.sheet(seat))
        else:
            cost += _STEP + count * rules.cost(state, bots)
    return cost
