"""What one seat may know of a battle, and who is to order."""

from engine.codec import Record
from engine.cortex.model import (
    Advantage,
    Battle,
    Lock,
    Members,
    Missile,
    Obstacle,
    Order,
    Sheet,
    Site,
    Spotter,
    Team,
    Vessel,
)
from engine.cortex.units import leaders, seats
from engine.ruleset import Outcome, Phase
from engine.seats import Seat


class View(Record, frozen=True):
    """What a seat may know: of orders its own alone, and of all else everything (CX-17)."""

    turn: int
    over: bool
    winner: str | None
    options: tuple[str, ...]
    atmosphere: bool
    good: bool
    teams: tuple[Team, Team]
    sheets: dict[str, Sheet]
    vessels: dict[str, Vessel]
    spotters: dict[str, Spotter]
    obstacles: dict[str, Obstacle]
    sites: dict[str, Site]
    ranges: dict[str, int]
    advantages: dict[str, Advantage]
    wings: tuple[Members, ...]
    locks: tuple[Lock, ...]
    missiles: tuple[Missile, ...]
    orders: dict[str, tuple[Order, ...]]


def view(battle: Battle, seat: Seat | None) -> View:
    """Return what a seat, or the public (None), may know."""
    own = {
        *(name for name, sheet in battle.sheets.items() if sheet.seat == seat),
        *(name for name, spotter in battle.spotters.items() if spotter.seat == seat),
    }
    return View(
        turn=battle.turn,
        over=battle.over,
        winner=battle.winner,
        options=tuple(sorted(battle.options)),
        atmosphere=battle.atmosphere,
        good=battle.good,
        teams=battle.teams,
        sheets=battle.sheets,
        vessels=battle.vessels,
        spotters=battle.spotters,
        obstacles=battle.obstacles,
        sites=battle.sites,
        ranges=battle.ranges,
        advantages=battle.advantages,
        wings=battle.wings,
        locks=battle.locks,
        missiles=battle.missiles,
        orders={name: orders for name, orders in battle.orders.items() if name in own},
    )


def phase(battle: Battle) -> Phase:
    """Return who may order, and who owes orders for which units; or how the battle ended.

    Nobody may before the random obstacles are rolled.
    """
    if battle.over:
        return Phase((), {}, True, Outcome(battle.winner, battle.winner is None))
    if not battle.ready:
        return Phase((), {}, True)
    led = leaders(battle)
    may = {battle.sheets[name].seat for name in led}
    may |= {one.seat for one in battle.spotters.values() if one.fate == "active"}
    owing: dict[Seat, tuple[str, ...]] = {}
    for name in led:
        if name not in battle.orders:
            seat = battle.sheets[name].seat
            owing[seat] = (*owing.get(seat, ()), name)
    everyone = seats(battle)
    return Phase(
        tuple(seat for seat in everyone if seat in may),
        {seat: owing[seat] for seat in everyone if seat in owing},
        True,
    )
