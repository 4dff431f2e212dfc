"""`apply`: the only way in which a fight's state changes."""

from collections.abc import Callable
from typing import Any

from engine.codec import change
from engine.events import Event
from engine.starfarer.events import (
    Aborted,
    Acted,
    Attacked,
    Began,
    Bled,
    ClockMoved,
    Closed,
    Decided,
    Defended,
    Ended,
    Freed,
    Healed,
    Hit,
    LimbChecked,
    Moved,
    Opened,
    Out,
    OutOfDanger,
    Over,
    Planned,
    Posed,
    Refused,
    Rolled,
    ShockChecked,
    SurvivalChecked,
    TakenBack,
    Treated,
    WakingChecked,
    Wounded,
)
from engine.starfarer.model import NONE, UNHURT, Battle, Body
from engine.starfarer.tables import AREAS, SHOCK
from engine.starfarer.wounds import marked


def apply(battle: Battle, event: Event) -> Battle:
    """Return the fight after an event; raise KeyError for an event of an unknown kind."""
    return _APPLY[type(event)](battle, event)


def _body(battle: Battle, name: str, **changes: object) -> Battle:
    # States are never changed in place: the service keeps earlier ones, for UNDO and pictures.
    bodies = battle.bodies.copy()
    bodies[name] = change(bodies[name], **changes)
    return change(battle, bodies=bodies)


# These tell of a roll or a refusal; what comes of a roll has an event of its own.
def _same(battle: Battle, event: Event) -> Battle:
    return battle


def _planned(battle: Battle, event: Planned) -> Battle:
    # A later plan for the same character replaces the earlier one (SF-6).
    return change(battle, plans={**battle.plans, event.plan.character: event.plan})


def _closed(battle: Battle, event: Closed) -> Battle:
    # Plans hold for one round (SF-6).
    return change(battle, plans={}, fought=False)


def _points(battle: Battle, event: Rolled | Ended | TakenBack) -> Battle:
    return _body(battle, event.character, ap=event.ap)


def _began(battle: Battle, event: Began) -> Battle:
    # A defence stands until its character's next phase begins (SF-15).
    return _body(battle, event.character, evade=0, parry=0)


def _acted(battle: Battle, event: Acted) -> Battle:
    if event.do == "hold":
        return battle
    # Any other action than aim or hold ends an aim (SF-14).
    aim = event.at if event.do == "aim" else None
    if aim == battle.bodies[event.character].aim:
        return battle
    return _body(battle, event.character, aim=aim)


def _defended(battle: Battle, event: Defended) -> Battle:
    return _body(battle, event.character, **{event.do: event.value})


def _aborted(battle: Battle, event: Aborted) -> Battle:
    # An abort ends an aim, as any action but aim and hold does (SF-14).
    return _body(battle, event.character, ap=event.ap, aim=None)


def _attacked(battle: Battle, event: Attacked) -> Battle:
    # A to-hit roll counts, whether it hits or not (SF-39).
    return battle if battle.fought else change(battle, fought=True)


def _hit(battle: Battle, event: Hit) -> Battle:
    # A hit without damage changes nothing (SF-19).
    if not event.shock:
        return battle
    body = battle.bodies[event.at]
    # A damaging hit undoes the treatment of its area, and any new shock that of shock (SF-36).
    steadied = body.steadied - {AREAS[event.area], SHOCK}
    return _body(battle, event.at, shock=body.shock + event.shock, aim=None, steadied=steadied)


def _wounded(battle: Battle, event: Wounded) -> Battle:
    # A wound without a free circle is not marked and does not bleed (SF-23).
    if event.marked is None:
        return battle
    body, area = battle.bodies[event.character], event.area
    circles, _ = marked(body.wounds[area], event.level, event.further)
    return _body(
        battle,
        event.character,
        wounds=(*body.wounds[:area], circles, *body.wounds[area + 1 :]),
        bleeding=_put(body.bleeding, area, body.bleeding[area] + event.bleeding),
    )


def _put(values: tuple[int, ...], area: int, value: int) -> tuple[int, ...]:
    return (*values[:area], value, *values[area + 1 :])


def _credited(battle: Battle, by: str | None) -> Battle:
    """Return the fight with one more whom somebody has felled."""
    if by is None:
        return battle
    # Counted for the league's standings; no rule of the fight looks at it.
    return change(battle, felled={**battle.felled, by: battle.felled.get(by, 0) + 1})


def _shock_checked(battle: Battle, event: ShockChecked) -> Battle:
    if event.wakes is None:
        return battle
    return _body(
        _credited(battle, event.by),
        event.character,
        fate="unconscious",
        prone=True,
        ap=0,
        evade=0,
        parry=0,
        aim=None,
        wakes=event.wakes,
    )


def _out(battle: Battle, event: Out) -> Battle:
    return _body(
        _credited(battle, event.by),
        event.character,
        fate=event.fate,
        ap=0,
        evade=0,
        parry=0,
        aim=None,
        wakes=None,
    )


def _moved(battle: Battle, event: Moved) -> Battle:
    return _body(battle, event.character, at=event.end)


def _posed(battle: Battle, event: Posed) -> Battle:
    return _body(battle, event.character, prone=event.prone)


def _treated(battle: Battle, event: Treated) -> Battle:
    body = battle.bodies[event.at]
    if event.steadied:
        battle = _body(battle, event.at, steadied=body.steadied | {event.area})
    if event.stopped:
        area = AREAS.index(event.area)
        battle = _stopped(battle, event.at, area, event.stopped, body.clock[area])
    return battle


def _stopped(battle: Battle, name: str, area: int, stopped: int, clock: int) -> Battle:
    """Return the fight with less bleeding; where none is left the clock stands still (SF-35)."""
    body: Body = battle.bodies[name]
    # Treatment and clotting end in the same place, so that a clock cannot outlive its bleeding.
    left = body.bleeding[area] - stopped
    return _body(
        battle,
        name,
        bleeding=_put(body.bleeding, area, left),
        clock=_put(body.clock, area, clock if left else 0),
    )


def _waking_checked(battle: Battle, event: WakingChecked) -> Battle:
    # A character that wakes is active again, but still prone (SF-32).
    fate = "active" if event.wakes is None else "unconscious"
    return _body(battle, event.character, fate=fate, wakes=event.wakes)


def _bled(battle: Battle, event: Bled) -> Battle:
    body = battle.bodies[event.character]
    # Any new shock undoes what was steadied (SF-36).
    steadied = body.steadied - {SHOCK}
    return _body(battle, event.character, shock=body.shock + event.shock, steadied=steadied)


def _clock_moved(battle: Battle, event: ClockMoved) -> Battle:
    return _stopped(battle, event.character, event.area, event.stopped, event.clock)


def _survival_checked(battle: Battle, event: SurvivalChecked) -> Battle:
    if not event.passed:
        return battle
    return _body(battle, event.character, dying=battle.bodies[event.character].dying + 1)


def _out_of_danger(battle: Battle, event: OutOfDanger) -> Battle:
    return _body(battle, event.character, dying=0)


def _opened(battle: Battle, event: Opened) -> Battle:
    return change(battle, round=event.round, quiet=event.quiet)


def _over(battle: Battle, event: Over) -> Battle:
    return change(battle, over=True, winner=event.winner, quiet=event.quiet)


def _decided(battle: Battle, event: Decided) -> Battle:
    return change(battle, decided=True, winner=event.winner, quiet=event.quiet)


def _healed(battle: Battle, event: Healed) -> Battle:
    return _body(
        battle, event.character, shock=0, wounds=UNHURT, bleeding=NONE, clock=NONE, dying=0
    )


def _freed(battle: Battle, event: Freed) -> Battle:
    # A prisoner who is freed counts as having left the field (ruling on SF-40).
    return _body(battle, event.character, fate="left", wakes=None)


_APPLY: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    Planned: _planned,
    Refused: _same,
    Closed: _closed,
    Rolled: _points,
    Began: _began,
    Acted: _acted,
    LimbChecked: _same,
    Defended: _defended,
    Aborted: _aborted,
    Attacked: _attacked,
    Hit: _hit,
    Wounded: _wounded,
    ShockChecked: _shock_checked,
    Out: _out,
    Moved: _moved,
    Posed: _posed,
    Treated: _treated,
    Ended: _points,
    TakenBack: _points,
    WakingChecked: _waking_checked,
    Bled: _bled,
    ClockMoved: _clock_moved,
    SurvivalChecked: _survival_checked,
    OutOfDanger: _out_of_danger,
    Opened: _opened,
    Over: _over,
    Decided: _decided,
    Healed: _healed,
    Freed: _freed,
}
