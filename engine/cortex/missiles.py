"""Missile locks, launches, and the ways to break them (CX-41 to CX-46, CX-66)."""

from engine.cortex.attack_events import (
    Arrived,
    Attacked,
    Launched,
    Locked,
    MissileFlew,
    MissileGone,
    MissileTurned,
    Outflown,
    Tricked,
)
from engine.cortex.attacks import (
    attack_throw,
    crew_steps,
    shared_steps,
    weapon_in,
)
from engine.cortex.damage import blast, strike, warhead
from engine.cortex.flight import pass_close, strike_obstacle
from engine.cortex.guns import asked, begun, range_steps, spend
from engine.cortex.model import Battle, Missile
from engine.cortex.play import Deed, Hit, Telling, succeeds
from engine.cortex.tables import (
    AVERAGE,
    FLIGHT,
    INTERCEPTED,
    LOCKS,
    MISSILES,
    OUTFLOWN,
    WARHEAD_DICE,
)
from engine.cortex.units import active_in, band, is_active, is_immobile, pair, unit_of, weapon_of


def lock(telling: Telling, deed: Deed) -> None:
    """Try to lock a missile on a target (CX-41)."""
    at, weapon = str(deed.order.at), weapon_in(telling, deed)
    needed = LOCKS[band(telling.battle, deed.pilot, at)]
    steps = crew_steps(telling, deed, weapon)
    steps += range_steps(telling.battle, deed.pilot, weapon, at) or 0
    throw = attack_throw(telling, deed, f"{weapon.name} lock on {at}", steps)
    hit = succeeds(throw, needed)
    told = ("lock", deed.unit, deed.pilot, weapon.name, 1, at, throw, needed)
    telling.tell(Attacked(*told, hit=hit))
    locks = telling.doing[deed.pilot].locks
    locks[weapon.name] = locks.get(weapon.name, 0) + 1
    if hit:
        telling.tell(Locked(deed.pilot, weapon.name, at))


def launch(telling: Telling, deed: Deed) -> None:
    """Launch a missile at the target of a lock (CX-42)."""
    at, weapon, battle = str(deed.order.at), weapon_in(telling, deed), telling.battle
    spend(telling, deed, weapon, 1)
    missile = Missile(
        id=f"M{battle.launched + 1}",
        by=deed.pilot,
        weapon=weapon.name,
        at=at,
        turns=FLIGHT[band(battle, deed.pilot, at)],
        since=battle.turn + 1,
    )
    telling.tell(Launched(missile))


def intercept(telling: Telling, deed: Deed) -> None:
    """Try to shoot a missile down (CX-43)."""
    weapon, known = weapon_in(telling, deed), str(deed.order.missile)
    guns = asked(telling, deed.pilot, weapon, deed.order.guns)
    steps = crew_steps(telling, deed, weapon) + shared_steps(telling, deed, weapon, guns)
    throw = attack_throw(telling, deed, f"{weapon.name} at {known}", steps)
    hit = succeeds(throw, INTERCEPTED)
    told = ("intercept", deed.unit, deed.pilot, weapon.name, guns, known, throw, INTERCEPTED)
    telling.tell(Attacked(*told, hit=hit))
    spend(telling, deed, weapon, guns)
    if hit:
        telling.tell(MissileGone(known, "intercepted"))


def _find(battle: Battle, known: str) -> Missile:
    return next(one for one in battle.missiles if one.id == known)


def outfly(telling: Telling, deed: Deed) -> None:
    """Try to out-fly a missile; the rolls of several turns add up (CX-44)."""
    missile = _find(telling.battle, str(deed.order.missile))
    throw = telling.fly(deed.members, f"out-flies {missile.id}")
    total = missile.outflown + (0 if throw.botch else throw.total)
    telling.tell(Outflown(deed.unit, missile.id, throw, total))
    if total >= OUTFLOWN:
        telling.tell(MissileGone(missile.id, "outflown"))


def trick(telling: Telling, deed: Deed) -> None:
    """Try to distract a missile with another vessel or an obstacle (CX-45)."""
    at, known = str(deed.order.at), str(deed.order.missile)
    obstacle = telling.battle.obstacles.get(at)
    if obstacle is not None:
        if strike_obstacle(telling, deed.members, at, obstacle, steps=-1):
            throw = telling.fly(deed.members, f"distracts {known}", steps=-2)
            passed = succeeds(throw, AVERAGE)
            telling.tell(Tricked(deed.unit, known, at, throw, None, passed))
            if passed:
                telling.tell(MissileGone(known, "tricked"))
        return
    if pass_close(telling, deed.members, at, steps=-1) != "avoided":
        return
    throw = telling.fly(deed.members, f"distracts {known}", steps=-2)
    unit = unit_of(telling.battle, at)
    immobile = is_immobile(telling.battle, unit)
    other = None if immobile else telling.fly(unit, f"is offered to {known}")
    passed = (0 if other is None else other.total) < throw.total
    telling.tell(Tricked(deed.unit, known, at, throw, other, passed))
    if passed:
        telling.tell(MissileTurned(known, at))


def fly_missiles(telling: Telling) -> None:
    """Let all missiles fly on that were launched in earlier turns, the oldest first (CX-42)."""
    for known in [one.id for one in telling.battle.missiles]:
        # Its target may be gone by an earlier missile.
        missile = next((one for one in telling.battle.missiles if one.id == known), None)
        if missile is None or missile.since > telling.battle.turn:
            continue
        telling.tell(MissileFlew(known, missile.turns - 1))
        if missile.turns == 1:
            _arrive(telling, missile)


def _arrive(telling: Telling, missile: Missile) -> None:
    """Let a missile hit its target, and in an atmosphere whom its blast reaches (CX-46, CX-66)."""
    weapon = weapon_of(telling.battle.sheets[missile.by], missile.weapon)
    assert weapon is not None
    shares = _shares(telling.battle, missile, MISSILES[weapon.scale][weapon.size][1])
    step, results = warhead(telling, missile.at, weapon, WARHEAD_DICE)
    telling.tell(MissileGone(missile.id, "arrived"))
    telling.tell(Arrived(missile.id, step, results, shares))
    for name, dice in shares.items():
        if is_active(telling.battle, name):
            harm = blast(weapon, step, results[:dice])
            strike(telling, Hit(missile.id, (name,), weapon.scale, harm))


def _shares(battle: Battle, missile: Missile, increment: int) -> dict[str, int]:
    """Return how many dice of a warhead each vessel gets that it catches, in order (CX-66)."""
    at = missile.at
    shares = {at: WARHEAD_DICE}
    if not battle.atmosphere:
        return shares
    wing = sorted(unit_of(battle, at), key=lambda name: battle.sheets[name].place)
    shares |= {name: WARHEAD_DICE - 1 for name in wing if name != at}
    for foe in active_in(battle, 1 - battle.sheets[at].team):
        dice = WARHEAD_DICE - begun(battle.ranges[pair(battle, at, foe)], increment)
        if dice > 0:
            shares[foe] = dice
    return shares
