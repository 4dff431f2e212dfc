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
from engine.cortex.model import Order, Scatter, Weapon
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
from engine.cortex.turn_state import Deed, Turn, succeeds
from engine.cortex.weapons import applied, asked, begun, increments, spend, worn


def bombard(play: Turn, deed: Deed) -> None:
    """Bombard a site or an enemy spotter (CX-67, CX-68)."""
    at, weapon = str(deed.order.at), weapon_in(play, deed)
    guns = asked(play, deed.pilot, weapon, deed.order.guns)
    needed = mark_difficulty(play, at, weapon)
    throw = _throw(play, deed, weapon, guns)
    # Kept where it missed, too: by how much decides how far it scatters (CX-68).
    hit, basic = succeeds(throw, needed), throw.total - needed
    harm: Harm | None = None
    if hit:
        combined = is_combined(play, deed, weapon, guns)
        harm = shot_harm(play, at, basic, weapon, combined, basic >= MARGIN)
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
    play.record(told)
    spend(play, deed, weapon, guns)
    if harm is None:
        harm = _scatter(play, at, weapon, max(-basic, 0))
    elif at in play.battle.sites:
        play.record(OnTarget(at))
    if harm is not None:
        _hurt(play, deed.pilot, at, weapon, harm)


def mark_difficulty(play: Turn, at: str, weapon: Weapon) -> int:
    """Return the Difficulty to hit a mark; a spotter is an area (CX-67, CX-72)."""
    site = play.battle.sites.get(at)
    kind = AREA if site is None else site.kind
    planetcraft, spacecraft, *_ = KINDS[kind]
    return spacecraft if weapon.scale == SPACECRAFT else planetcraft


def _throw(play: Turn, deed: Deed, weapon: Weapon, guns: int) -> Throw:
    """Throw the attack, by the vessel's gunners or by its spotter (CX-67, CX-71)."""
    battle = play.battle
    altitude = battle.sheets[deed.pilot].altitude
    assert altitude is not None
    far = increments(weapon, altitude) or 0
    spotter = battle.spotters.get(deed.order.spotter or "")
    if spotter is not None:
        # The spotter aims: crew, wing and battery of the vessel do not help it (CX-71).
        steps = far - (not spotter.scope)
        why = f"{spotter.name} {weapon.name} at {deed.order.at}"
        return play.throw(why, spotter.alertness, spotter.gunnery, steps)
    steps = crew_steps(play, deed, weapon) + shared_steps(play, deed, weapon, guns) + far
    return attack_throw(play, deed, f"{weapon.name} at {deed.order.at}", steps)


def _scatter(play: Turn, at: str, weapon: Weapon, missed: int) -> Harm | None:
    """Let a bombardment miss its mark; return what a missile's blast does there (CX-68)."""
    # Direction, distance, then damage: the order of a replay's dice.
    direction = play.dice.roll(len(DIRECTIONS), f"scatter at {at}")
    die = play.dice.roll(SCATTER_DIE, f"scatter at {at}")
    # A botch may have a high total, hence never less than the die (CX-68).
    feet = die + 10 * missed
    scatter = Scatter(DIRECTIONS[direction - 1], feet)
    left = 0
    if weapon.missile:
        # A die less for each increment of the blast that is begun (CX-66).
        left = WARHEAD_DICE - begun(feet, MISSILES[weapon.scale][weapon.size][1])
    # Only a missile's blast does harm away from its mark (CX-68).
    if left <= 0:
        play.record(Scattered(at, die, scatter))
        return None
    step, results = warhead(play, at, weapon, left)
    play.record(Scattered(at, die, scatter, step, results))
    return blast(weapon, step, results)


def _hurt(play: Turn, by: str, at: str, weapon: Weapon, harm: Harm) -> None:
    """Let damage take effect on a mark, at once (CX-19, CX-67, CX-72)."""
    battle = play.battle
    site = battle.sites.get(at)
    if site is not None:
        # Sites take Wound only (CX-67).
        play.record(Shelled(at, worn(site, weapon.scale, battle, harm.wound)))
        return
    # A spotter is bombarded as an area: of personal scale, without armour (CX-72).
    stun = applied(battle, harm.stun, weapon.scale, PERSONAL, 0)
    wound = applied(battle, harm.wound, weapon.scale, PERSONAL, 0)
    play.record(Struck(at, battle.spotters[at].seat, by, stun, wound))
    spotter = play.battle.spotters[at]
    fate = fate_of(spotter.stun, spotter.wound, spotter.lp)
    if fate is not None:
        play.record(Gone(at, fate))


def spot(play: Turn, name: str, order: Order) -> None:
    """Designate a mark (CX-70)."""
    at = str(order.at)
    play.spots[name] = at
    play.record(Spotted(name, at))
