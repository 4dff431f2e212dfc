"""The end of a round: waking, bleeding, clocks, survival (SF-32 to SF-38)."""

from engine.starfarer import chances
from engine.starfarer.damage import check_shock, shaken, succumb
from engine.starfarer.events import (
    Bled,
    ClockMoved,
    Out,
    OutOfDanger,
    SurvivalChecked,
    WakingChecked,
)
from engine.starfarer.model import Battle, everybody, is_present
from engine.starfarer.tables import ALWAYS_FAILS, AREAS, DIE
from engine.starfarer.telling import Telling
from engine.starfarer.wounds import (
    degree,
    is_deadly_shock,
    is_mortal,
    succeeds,
    worst_anywhere,
)


def upkeep(telling: Telling) -> None:
    """Play the upkeep step by step, each step for all in setup order (SF-38)."""
    for step in (_wake, _bleed, _clot, _survive):
        for name in _present(telling.battle):
            step(telling, name)


def _present(battle: Battle) -> list[str]:
    bodies = battle.bodies
    return [name for name in everybody(battle) if is_present(bodies[name])]


def _wake(telling: Telling, name: str) -> None:
    """Let an unconscious character check whether it wakes, if it is time (SF-32)."""
    sheet, body = telling.of(name)
    now = telling.battle.round
    if body.wakes is None or now < body.wakes:
        return
    mcs = chances.consciousness(sheet, body, worst_anywhere(body))
    roll = telling.roll(f"{name} wakes")
    if succeeds(roll, mcs):
        telling.tell(WakingChecked(name, mcs, roll, None))
        return
    falls = [telling.dice.roll(DIE, f"{name} sleeps on") for _ in range(degree(roll, mcs))]
    telling.tell(WakingChecked(name, mcs, roll, now + max(sum(falls), 1)))


def _bleed(telling: Telling, name: str) -> None:
    """Let a character take shock by its bleeding (SF-38)."""
    sheet, body = telling.of(name)
    lost = sum(body.bleeding)
    if not lost:
        return
    telling.tell(Bled(name, lost))
    if succumb(telling, name):
        return
    if body.fate == "active" and shaken(sheet, body.shock, lost):
        check_shock(telling, name, 0)


def _clot(telling: Telling, name: str) -> None:
    """Move the clocks of the areas that bleed (SF-35)."""
    for area in range(len(AREAS)):
        sheet, body = telling.of(name)
        bleeding, clock = body.bleeding[area], body.clock[area] + 1
        if not bleeding:
            continue
        if clock < bleeding:
            telling.tell(ClockMoved(name, area, clock))
            continue
        mcs = chances.clotting(sheet, body, area)
        roll = telling.roll(f"{name} {AREAS[area]} bleeding")
        stopped = min(1 + degree(roll, mcs), bleeding) if succeeds(roll, mcs) else 0
        telling.tell(ClockMoved(name, area, 0, mcs, roll, stopped))


def _survive(telling: Telling, name: str) -> None:
    """Let a character whose life is in danger check its survival (SF-33)."""
    sheet, body = telling.of(name)
    in_danger = is_deadly_shock(sheet, body) or any(
        is_mortal(body, area) for area in range(len(AREAS))
    )
    if not in_danger:
        if body.dying:
            telling.tell(OutOfDanger(name))
        return
    mcs = chances.survival(sheet, body)
    roll = telling.roll(f"{name} survival", (min(mcs, ALWAYS_FAILS - 1),))
    passed = succeeds(roll, mcs)
    telling.tell(SurvivalChecked(name, mcs, roll, passed))
    if not passed:
        telling.tell(Out(name, "dead", "survival"))
