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
from engine.cortex.model import Battle, Missile
from engine.cortex.queries import active_in, band, is_active, is_immobile, pair, unit_of, weapon_of
from engine.cortex.tables import (
    AVERAGE,
    FLIGHT,
    INTERCEPTED,
    LOCKS,
    MISSILES,
    OUTFLOWN,
    WARHEAD_DICE,
)
from engine.cortex.turn_state import Deed, Hit, Turn, succeeds
from engine.cortex.weapons import asked, begun, range_steps, spend


def lock(play: Turn, deed: Deed) -> None:
    """Try to lock a missile on a target (CX-41)."""
    at, weapon = str(deed.order.at), weapon_in(play, deed)
    needed = LOCKS[band(play.battle, deed.pilot, at)]
    steps = crew_steps(play, deed, weapon)
    steps += range_steps(play.battle, deed.pilot, weapon, at) or 0
    throw = attack_throw(play, deed, f"{weapon.name} lock on {at}", steps)
    hit = succeeds(throw, needed)
    told = ("lock", deed.unit, deed.pilot, weapon.name, 1, at, throw, needed)
    play.record(Attacked(*told, hit=hit))
    # A lock that failed counts too against the missiles that are left (CX-16).
    locks = play.doing[deed.pilot].locks
    locks[weapon.name] = locks.get(weapon.name, 0) + 1
    if hit:
        play.record(Locked(deed.pilot, weapon.name, at))


def launch(play: Turn, deed: Deed) -> None:
    """Launch a missile at the target of a lock (CX-42)."""
    at, weapon, battle = str(deed.order.at), weapon_in(play, deed), play.battle
    spend(play, deed, weapon, 1)
    missile = Missile(
        id=f"M{battle.launched + 1}",
        by=deed.pilot,
        weapon=weapon.name,
        at=at,
        turns=FLIGHT[band(battle, deed.pilot, at)],
        # It does not fly on in the turn of its launch: its target has a turn to act (CX-42).
        since=battle.turn + 1,
    )
    play.record(Launched(missile))


def intercept(play: Turn, deed: Deed) -> None:
    """Try to shoot a missile down (CX-43)."""
    weapon, known = weapon_in(play, deed), str(deed.order.missile)
    guns = asked(play, deed.pilot, weapon, deed.order.guns)
    steps = crew_steps(play, deed, weapon) + shared_steps(play, deed, weapon, guns)
    throw = attack_throw(play, deed, f"{weapon.name} at {known}", steps)
    hit = succeeds(throw, INTERCEPTED)
    told = ("intercept", deed.unit, deed.pilot, weapon.name, guns, known, throw, INTERCEPTED)
    play.record(Attacked(*told, hit=hit))
    spend(play, deed, weapon, guns)
    if hit:
        play.record(MissileGone(known, "intercepted"))


def outfly(play: Turn, deed: Deed) -> None:
    """Try to out-fly a missile; the rolls of several turns add up (CX-44)."""
    missile = next(one for one in play.battle.missiles if one.id == deed.order.missile)
    throw = play.fly(deed.members, f"out-flies {missile.id}")
    # A complex action: a botch adds nothing, and takes nothing away either (CX-44).
    total = missile.outflown + (0 if throw.botch else throw.total)
    play.record(Outflown(deed.unit, missile.id, throw, total))
    if total >= OUTFLOWN:
        play.record(MissileGone(missile.id, "outflown"))


def trick(play: Turn, deed: Deed) -> None:
    """Try to distract a missile with another vessel or an obstacle (CX-45)."""
    at, known = str(deed.order.at), str(deed.order.missile)
    obstacle = play.battle.obstacles.get(at)
    if obstacle is not None:
        # With an obstacle the missile hits it and is gone; with a vessel it flies on at that one.
        if strike_obstacle(play, deed.members, at, obstacle, steps=-1):
            throw = play.fly(deed.members, f"distracts {known}", steps=-2)
            passed = succeeds(throw, AVERAGE)
            play.record(Tricked(deed.unit, known, at, throw, None, passed))
            if passed:
                play.record(MissileGone(known, "tricked"))
        return
    # Three actions in one: closing in, avoiding at -1, the distraction at -2 (CX-45).
    if pass_close(play, deed.members, at, steps=-1) != "avoided":
        return
    throw = play.fly(deed.members, f"distracts {known}", steps=-2)
    unit = unit_of(play.battle, at)
    immobile = is_immobile(play.battle, unit)
    other = None if immobile else play.fly(unit, f"is offered to {known}")
    # Opposed rolls: only the totals count, so that a botch may win (CX-4, CX-45).
    passed = (0 if other is None else other.total) < throw.total
    play.record(Tricked(deed.unit, known, at, throw, other, passed))
    if passed:
        play.record(MissileTurned(known, at))


def fly_missiles(play: Turn) -> None:
    """Let all missiles fly on that were launched in earlier turns, the oldest first (CX-42)."""
    # A list of its own, since missiles go while it is read; they stand in the order of launching.
    for known in [one.id for one in play.battle.missiles]:
        # Its target may be gone by an earlier missile.
        missile = next((one for one in play.battle.missiles if one.id == known), None)
        if missile is None or missile.since > play.battle.turn:
            continue
        play.record(MissileFlew(known, missile.turns - 1))
        if missile.turns == 1:
            _arrive(play, missile)


def _arrive(play: Turn, missile: Missile) -> None:
    """Let a missile hit its target, and in an atmosphere whom its blast reaches (CX-46, CX-66)."""
    weapon = weapon_of(play.battle.sheets[missile.by], missile.weapon)
    assert weapon is not None
    shares = _shares(play.battle, missile, MISSILES[weapon.scale][weapon.size][1])
    # Rolled once for all: a vessel that gets k dice takes the first k of them (CX-66).
    step, results = warhead(play, missile.at, weapon, WARHEAD_DICE)
    play.record(MissileGone(missile.id, "arrived"))
    play.record(Arrived(missile.id, step, results, shares))
    for name, dice in shares.items():
        if is_active(play.battle, name):
            harm = blast(weapon, step, results[:dice])
            strike(play, Hit(missile.id, (name,), weapon.scale, harm))


def _shares(battle: Battle, missile: Missile, increment: int) -> dict[str, int]:
    """Return how many dice of a warhead each vessel gets that it catches, in order (CX-66)."""
    at = missile.at
    shares = {at: WARHEAD_DICE}
    if not battle.atmosphere:
        return shares
    # A wing keeps the order in which its members joined, but dice go in setup order (CX-66).
    wing = sorted(unit_of(battle, at), key=lambda name: battle.sheets[name].place)
    # The other members of the wing are caught with three dice of the four (CX-66).
    shares |= {name: WARHEAD_DICE - 1 for name in wing if name != at}
    # The enemies of the target, the vessel that launched it among them (CX-66).
    for foe in active_in(battle, 1 - battle.sheets[at].team):
        dice = WARHEAD_DICE - begun(battle.ranges[pair(battle, at, foe)], increment)
        if dice > 0:
            shares[foe] = dice
    return shares
