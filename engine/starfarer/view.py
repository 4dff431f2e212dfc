"""What one seat may know of a fight, who is to plan, and what a fight leaves behind."""

from typing import Literal

from engine.codec import Record
from engine.ruleset import Outcome, Phase
from engine.seats import Seat
from engine.starfarer.model import (
    Battle,
    Body,
    Options,
    Plan,
    Sheet,
    Team,
    everybody,
    seats,
    to_plan,
)
from engine.starfarer.tables import AREAS, LEVELS, MEDIUM, MORTAL, VITAL

Status = Literal["in play", "out for now", "out"]


class Injury(Record, frozen=True):
    """A wound of Medium or worse; from there on each level has one circle (SF-40)."""

    character: str
    area: str
    level: str
    mark: str


class View(Record, frozen=True):
    """What a seat may know: of plans its own alone, and of all else everything (SF-6)."""

    round: int | None
    over: bool
    winner: str | None
    quiet: int
    options: Options
    field: int
    teams: tuple[Team, ...]
    sheets: dict[str, Sheet]
    bodies: dict[str, Body]
    plans: dict[str, Plan]
    to_plan: tuple[str, ...]
    injuries: tuple[Injury, ...]


def view(battle: Battle, seat: Seat | None) -> View:
    """Return what a seat, or the public (None), may know."""
    own = {name for name, sheet in battle.sheets.items() if sheet.seat == seat}
    return View(
        round=None if battle.over else battle.round,
        over=battle.over,
        winner=battle.winner,
        quiet=battle.quiet,
        options=battle.options,
        field=battle.field,
        teams=battle.teams,
        sheets=battle.sheets,
        bodies=battle.bodies,
        plans={name: plan for name, plan in battle.plans.items() if name in own},
        to_plan=tuple(name for name in to_plan(battle) if name in own),
        injuries=injuries(battle) if battle.over else (),
    )


def phase(battle: Battle) -> Phase:
    """Return who may plan, and who owes plans for whom (SF-6, SF-7); or how the fight ended."""
    if battle.over:
        return Phase((), {}, True, Outcome(battle.winner, battle.winner is None))
    owing: dict[Seat, tuple[str, ...]] = {}
    for name in to_plan(battle):
        seat = battle.sheets[name].seat
        owing[seat] = (*owing.get(seat, ()), name)
    everyone = seats(battle)
    return Phase(
        tuple(seat for seat in everyone if status(battle, seat) == "in play"),
        {seat: owing[seat] for seat in everyone if seat in owing},
        True,
    )


def status(battle: Battle, seat: Seat) -> Status:
    """Return whether a seat has anybody who can act now, or may wake, or neither (SF-3)."""
    fates = {battle.bodies[n].fate for n, sheet in battle.sheets.items() if sheet.seat == seat}
    if "active" in fates:
        return "in play"
    return "out for now" if "unconscious" in fates else "out"


def injuries(battle: Battle) -> tuple[Injury, ...]:
    """Return the survivors' wounds of Medium or worse, with the marks that tell `X` from `/`."""
    return tuple(
        Injury(name, AREAS[area], _level(area, level), circles[level - 1])
        for name in everybody(battle)
        if battle.bodies[name].fate != "dead"
        for area, circles in enumerate(battle.bodies[name].wounds)
        for level in range(MEDIUM, MORTAL + 1)
        if circles[level - 1]
    )


def _level(area: int, level: int) -> str:
    return "Maimed" if level == MORTAL and area not in VITAL else LEVELS[level - 1]
