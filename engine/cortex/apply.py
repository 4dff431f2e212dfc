"""`apply`: the only way in which a battle's state changes."""

from collections.abc import Callable
from typing import Any

from engine.codec import change
from engine.cortex.attack_events import (
    Aimed,
    AimEnded,
    Damaged,
    Detected,
    GunsLost,
    Launched,
    Locked,
    MissileFlew,
    MissileGone,
    MissileTurned,
    OnTarget,
    Outflown,
    Scattered,
    Shelled,
    Slowed,
    Struck,
)
from engine.cortex.events import (
    Closed,
    Ended,
    Filed,
    Gone,
    ObstacleMet,
    Over,
    Positioned,
    Prepared,
    Prompted,
    Ranged,
    WingChanged,
)
from engine.cortex.model import Battle, Lock
from engine.cortex.queries import band_of
from engine.cortex.tables import SKIRMISH
from engine.events import Event


def apply(battle: Battle, event: Event) -> Battle:
    """Return the battle after an event; events that only tell of something change nothing."""
    changed = _APPLY.get(type(event))
    return battle if changed is None else changed(battle, event)


def _vessel(battle: Battle, name: str, **changes: object) -> Battle:
    # States are never changed in place: the service keeps earlier ones, for UNDO and pictures.
    vessels = battle.vessels.copy()
    vessels[name] = change(vessels[name], **changes)
    return change(battle, vessels=vessels)


def _spotter(battle: Battle, name: str, **changes: object) -> Battle:
    changed = change(battle.spotters[name], **changes)
    return change(battle, spotters={**battle.spotters, name: changed})


def _site(battle: Battle, name: str, **changes: object) -> Battle:
    return change(battle, sites={**battle.sites, name: change(battle.sites[name], **changes)})


def _missile(battle: Battle, known: str, **changes: object) -> Battle:
    missiles = tuple(change(one, **changes) if one.id == known else one for one in battle.missiles)
    return change(battle, missiles=missiles)


def _obstacle_met(battle: Battle, event: ObstacleMet) -> Battle:
    found = battle.obstacles[event.name]
    met = change(found, size=event.size, speed=event.speed, vector=event.vector)
    return change(battle, obstacles={**battle.obstacles, event.name: met})


def _prepared(battle: Battle, event: Prepared) -> Battle:
    return change(battle, ready=True)


def _filed(battle: Battle, event: Filed) -> Battle:
    # Later orders for the same unit replace the earlier ones.
    return change(battle, orders={**battle.orders, event.filed.unit: event.filed.orders})


def _closed(battle: Battle, event: Closed) -> Battle:
    # What was for the coming turn is for this one now (CX-52, CX-55).
    prompted = {n: change(v, next={}) for n, v in battle.vessels.items() if v.next}
    vessels = {**battle.vessels, **prompted} if prompted else battle.vessels
    return change(battle, orders={}, vessels=vessels)


def _positioned(battle: Battle, event: Positioned) -> Battle:
    return change(battle, advantages=event.advantages)


def _gone(battle: Battle, event: Gone) -> Battle:
    name = event.name
    if name in battle.spotters:
        return _spotter(battle, name, fate=event.fate)
    battle = _vessel(battle, name, fate=event.fate)
    changes: dict[str, object] = {}
    # Only what there is: most vessels that go have none of it.
    if any(name in wing for wing in battle.wings):
        changes["wings"] = without(battle.wings, name)
    if battle.locks:
        changes["locks"] = tuple(one for one in battle.locks if name not in (one.by, one.at))
    if battle.missiles:
        changes["missiles"] = tuple(one for one in battle.missiles if one.at != name)
    if battle.advantages:
        kept = {key: one for key, one in battle.advantages.items() if name not in key.split("|")}
        changes["advantages"] = kept
    return change(battle, **changes) if changes else battle


def without(wings: tuple[tuple[str, ...], ...], name: str) -> tuple[tuple[str, ...], ...]:
    """Return the wings without a vessel; a single vessel that is left is not a wing (CX-35)."""
    left = (tuple(one for one in wing if one != name) for wing in wings)
    return tuple(wing for wing in left if len(wing) > 1)


def _prompted(battle: Battle, event: Prompted) -> Battle:
    before = battle.vessels[event.name].next
    after = {**before, event.to: before.get(event.to, 0) + event.steps}
    return _vessel(battle, event.name, next={key: n for key, n in after.items() if n})


def _wing_changed(battle: Battle, event: WingChanged) -> Battle:
    return change(battle, wings=event.wings)


def _ranged(battle: Battle, event: Ranged) -> Battle:
    # Beyond skirmish range there is no Advantage (CX-20).
    far = {key for key, found in event.ranges.items() if band_of(battle, found) != SKIRMISH}
    return change(
        battle,
        ranges={**battle.ranges, **event.ranges},
        advantages={key: one for key, one in battle.advantages.items() if key not in far},
    )


def _aimed(battle: Battle, event: Aimed) -> Battle:
    aim = battle.vessels[event.name].aim
    return _vessel(battle, event.name, aim={**aim, event.weapon: event.aim})


def _aim_ended(battle: Battle, event: AimEnded) -> Battle:
    aim = {key: one for key, one in battle.vessels[event.name].aim.items() if key != event.weapon}
    return _vessel(battle, event.name, aim=aim)


def _guns_lost(battle: Battle, event: GunsLost) -> Battle:
    guns = {**battle.vessels[event.name].guns, event.weapon: event.left}
    return _vessel(battle, event.name, guns=guns)


def _struck(battle: Battle, event: Struck) -> Battle:
    name = event.name
    if name in battle.spotters:
        hurt = battle.spotters[name]
        return _spotter(battle, name, stun=hurt.stun + event.stun, wound=hurt.wound + event.wound)
    # Stun and Wound add up for good; nothing in a battle heals (CX-11).
    vessel = battle.vessels[name]
    return _vessel(battle, name, stun=vessel.stun + event.stun, wound=vessel.wound + event.wound)


def _damaged(battle: Battle, event: Damaged) -> Battle:
    damaged = battle.vessels[event.name].damaged | {event.what}
    return _vessel(battle, event.name, damaged=damaged)


def _slowed(battle: Battle, event: Slowed) -> Battle:
    return _vessel(battle, event.name, speed=event.speed)


def _locked(battle: Battle, event: Locked) -> Battle:
    lock = Lock(event.by, event.weapon, event.at)
    # A second lock on the same target adds nothing (CX-41).
    return battle if lock in battle.locks else change(battle, locks=(*battle.locks, lock))


def _launched(battle: Battle, event: Launched) -> Battle:
    missile = event.missile
    # A lock is good for one missile (CX-42).
    spent = Lock(missile.by, missile.weapon, missile.at)
    return change(
        battle,
        locks=tuple(lock for lock in battle.locks if lock != spent),
        missiles=(*battle.missiles, missile),
        launched=battle.launched + 1,
    )


def _missile_gone(battle: Battle, event: MissileGone) -> Battle:
    return change(battle, missiles=tuple(one for one in battle.missiles if one.id != event.id))


def _outflown(battle: Battle, event: Outflown) -> Battle:
    return _missile(battle, event.id, outflown=event.total)


def _missile_turned(battle: Battle, event: MissileTurned) -> Battle:
    # Its new target has to out-fly it from the start (CX-45).
    return _missile(battle, event.id, at=event.at, outflown=0)


def _missile_flew(battle: Battle, event: MissileFlew) -> Battle:
    return _missile(battle, event.id, turns=event.turns)


def _shelled(battle: Battle, event: Shelled) -> Battle:
    return _site(battle, event.name, wound=event.wound)


def _scattered(battle: Battle, event: Scattered) -> Battle:
    # Of spotters that are bombarded no scatter is noted (CX-72).
    if event.at not in battle.sites:
        return battle
    return _site(battle, event.at, scatter=event.scatter)


def _on_target(battle: Battle, event: OnTarget) -> Battle:
    return _site(battle, event.name, scatter=None)


def _detected(battle: Battle, event: Detected) -> Battle:
    return _spotter(battle, event.name, detected=True)


def _ended(battle: Battle, event: Ended) -> Battle:
    return change(
        battle,
        turn=event.turn,
        over=event.over,
        winner=event.winner,
        still=event.still,
        harmless=event.harmless,
    )


def _over(battle: Battle, event: Over) -> Battle:
    return change(battle, over=True, winner=event.winner)


_APPLY: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    ObstacleMet: _obstacle_met,
    Prepared: _prepared,
    Filed: _filed,
    Closed: _closed,
    Positioned: _positioned,
    Gone: _gone,
    Prompted: _prompted,
    WingChanged: _wing_changed,
    Ranged: _ranged,
    Aimed: _aimed,
    AimEnded: _aim_ended,
    GunsLost: _guns_lost,
    Struck: _struck,
    Damaged: _damaged,
    Slowed: _slowed,
    Locked: _locked,
    Launched: _launched,
    MissileGone: _missile_gone,
    Outflown: _outflown,
    MissileTurned: _missile_turned,
    MissileFlew: _missile_flew,
    Shelled: _shelled,
    Scattered: _scattered,
    OnTarget: _on_target,
    Detected: _detected,
    Ended: _ended,
    Over: _over,
}
