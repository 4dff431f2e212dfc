"""Who is to order, and who else may."""

from engine.cortex.model import Battle
from engine.cortex.units import is_active, left_to, seat_of, seats, to_order
from engine.ruleset import Outcome, Phase
from engine.seats import Seat


def phase(battle: Battle) -> Phase:
    """Return who may order, and who owes orders for which units; or how the battle ended.

    Nobody may before the random obstacles are rolled.
    """
    if battle.over:
        return Phase((), {}, True, Outcome(battle.winner, battle.winner is None))
    if not battle.ready:
        return Phase((), {}, True)
    may = {seat for seat in seats(battle) if left_to(battle, seat)}
    owing: dict[Seat, tuple[str, ...]] = {}
    for name in to_order(battle):
        seat = seat_of(battle, name)
        assert seat is not None
        owing[seat] = (*owing.get(seat, ()), name)
    everyone = seats(battle)
    return Phase(
        tuple(seat for seat in everyone if seat in may),
        {seat: owing[seat] for seat in everyone if seat in owing},
        True,
    )


def optional(battle: Battle, seat: Seat) -> tuple[str, ...]:
    """Return the vessels of a seat that fly in a wing of others, and may leave it (CX-35)."""
    if battle.over:
        return ()
    followers = [name for wing in battle.wings for name in wing[1:]]
    return tuple(
        name
        for name in followers
        if battle.sheets[name].seat == seat
        and is_active(battle, name)
        and name not in battle.orders
    )
