"""Orbital bombardment and spotters (CX-67 to CX-72)."""

from engine.cortex.attack_events import Attacked, OnTarget, Scattered, Shelled, Spotted, Struck
from engine.cortex.attacks import (
    attack_throw,
    crew_steps,
    is_combined,
    shared_steps,
    weapon_in,
)
from engine.cortex.damage import blast, fate_of, shot_harm, warhead
from engine.cortex.events import Gone, Harm, Throw
from engine.cortex.guns import applied, asked, begun, increments, spend, worn
from engine.cortex.model import Order, Scatter, Weapon
from engine.cortex.play import Deed, Telling, succeeds
from engine.cortex.tables import (
    AREA,
    DIRECTIONS,
    KINDS,
    MARGIN,
    MISSILES,
    PERSONAL,
    SCATTER_DIE,
    SPACECRAFT,
    WARHEAD_DICE,
)


def bombard(telling: Telling, deed: Deed) -> None:
    """Bombard a site or an enemy spotter (CX-67, CX-68)."""
    at, weapon = str(deed.order.at), weapon_in(telling, deed)
    guns = asked(telling, deed.pilot, weapon, deed.order.guns)
    needed = mark_difficulty(telling, at, weapon)
    throw = _throw(telling, deed, weapon, guns)
    hit, basic = succeeds(throw, needed), throw.total - needed
    harm: Harm | None = None
    if hit:
        combined = is_combined(telling, deed, weapon, guns)
        harm = shot_harm(telling, at, basic, weapon, combined, basic >= MARGIN)
    told = Attacked(
        do="bombard",
        unit=deed.unit,
        by=deed.pilot,
        weapon=weapon.name,
        guns=guns,
        at=at,
        throw=throw,
        needed=needed,
        hit=hit,
        harm=harm,
        spotter=deed.order.spotter,
    )
    telling.tell(told)
    spend(telling, deed, weapon, guns)
    if harm is None:
        harm = _scatter(telling, at, weapon, max(-basic, 0))
    elif at in telling.battle.sites:
        telling.tell(OnTarget(at))
    if harm is not None:
        _hurt(telling, deed.pilot, at, weapon, harm)


def mark_difficulty(telling: Telling, at: str, weapon: Weapon) -> int:
    """Return the Difficulty to hit a mark; a spotter is an area (CX-67, CX-72)."""
    site = telling.battle.sites.get(at)
    kind = AREA if site is None else site.kind
    planetcraft, spacecraft, *_ = KINDS[kind]
    return spacecraft if weapon.scale == SPACECRAFT else planetcraft


def _throw(telling: Telling, deed: Deed, weapon: Weapon, guns: int) -> Throw:
    """Throw the attack, by the vessel's gunners or by its spotter (CX-67, CX-71)."""
    battle = telling.battle
    altitude = battle.sheets[deed.pilot].altitude
    assert altitude is not None
    far = increments(weapon, altitude) or 0
    spotter = battle.spotters.get(deed.order.spotter or "")
    if spotter is not None:
        steps = far - (not spotter.scope)
        why = f"{spotter.name} {weapon.name} at {deed.order.at}"
        return telling.throw(why, spotter.alertness, spotter.gunnery, steps)
    steps = crew_steps(telling, deed, weapon) + shared_steps(telling, deed, weapon, guns) + far
    return attack_throw(telling, deed, f"{weapon.name} at {deed.order.at}", steps)


def _scatter(telling: Telling, at: str, weapon: Weapon, missed: int) -> Harm | None:
    """Let a bombardment fall beside its mark; return what a missile's blast does there (CX-68)."""
    direction = telling.dice.roll(len(DIRECTIONS), f"scatter at {at}")
    die = telling.dice.roll(SCATTER_DIE, f"scatter at {at}")
    feet = die + 10 * missed
    scatter = Scatter(DIRECTIONS[direction - 1], feet)
    left = WARHEAD_DICE - begun(feet, _increment(weapon)) if weapon.missile else 0
    if left <= 0:
        telling.tell(Scattered(at, die, scatter))
        return None
    step, results = warhead(telling, at, weapon, left)
    telling.tell(Scattered(at, die, scatter, step, results))
    return blast(weapon, step, results)


def _increment(weapon: Weapon) -> int:
    """Return the feet in which a missile's blast loses a die (CX-66)."""
    return MISSILES[weapon.scale][weapon.size][1]


def _hurt(telling: Telling, by: str, at: str, weapon: Weapon, harm: Harm) -> None:
    """Let damage take effect on a mark, at once (CX-19, CX-67, CX-72)."""
    battle = telling.battle
    site = battle.sites.get(at)
    if site is not None:
        telling.tell(Shelled(at, worn(site, weapon.scale, battle, harm.wound)))
        return
    stun = applied(battle, harm.stun, weapon.scale, PERSONAL, 0)
    wound = applied(battle, harm.wound, weapon.scale, PERSONAL, 0)
    telling.tell(Struck(at, battle.spotters[at].seat, by, stun, wound))
    spotter = telling.battle.spotters[at]
    fate = fate_of(spotter.stun, spotter.wound, spotter.lp)
    if fate is not None:
        telling.tell(Gone(at, fate))


def spot(telling: Telling, name: str, order: Order) -> None:
    """Designate a mark (CX-70)."""
    at = str(order.at)
    telling.spots[name] = at
    telling.tell(Spotted(name, at))
