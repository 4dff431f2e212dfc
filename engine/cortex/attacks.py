"""Attack rolls and defences (CX-7 to CX-9), and point defence (CX-47, CX-48)."""

from engine.cortex.attack_events import Aimed, Attacked, PointDefended
from engine.cortex.damage import gun_harm, shot_harm, strike
from engine.cortex.events import Harm, Throw
from engine.cortex.model import Aim, Members, Weapon
from engine.cortex.queries import (
    active,
    band,
    band_of,
    is_active,
    is_immobile,
    leaders,
    pair,
    unit_of,
    weapon_of,
    worst_pilot,
)
from engine.cortex.tables import (
    CALLED,
    EASY,
    HEROIC,
    MARGIN,
    MOST_AIM,
    MOST_SHARED,
    PLANETCRAFT,
    SKIRMISH,
    SPACECRAFT,
)
from engine.cortex.turn_state import Deed, Hit, Turn, succeeds
from engine.cortex.weapons import asked, is_battery, is_linked, range_steps, spend, to_hit


def weapon_in(play: Turn, deed: Deed) -> Weapon:
    """Return the weapon that a legal order names."""
    weapon = weapon_of(play.battle.sheets[deed.pilot], deed.order.weapon)
    assert weapon is not None
    return weapon


def crew_steps(play: Turn, deed: Deed, weapon: Weapon) -> int:
    """Return the steps of all attack rolls: the pilot's actions, and the crew (CX-7 a, e)."""
    battle, doing = play.battle, play.doing[deed.pilot]
    pilots = battle.sheets[deed.pilot].scale != SPACECRAFT
    # On spacecraft gun crews fire, whose rolls the pilot's actions do not touch (CX-15).
    taken = play.doing[deed.unit].actions if pilots else 0
    return doing.steps.get(weapon.name, 0) + doing.gunnery - taken


def shared_steps(play: Turn, deed: Deed, weapon: Weapon, guns: int) -> int:
    """Return the steps of wing, battery and linked guns together (CX-7 b)."""
    if weapon.missile:
        return 0
    steps = len(deed.members) - 1
    if is_battery(play.battle, weapon):
        steps += guns - 1
    if is_linked(play.battle, weapon):
        # A step for each doubling: 2, 4 or 8 guns.
        steps += guns.bit_length() - 1
    return min(steps, MOST_SHARED)


def is_combined(play: Turn, deed: Deed, weapon: Weapon, guns: int) -> bool:
    """Return whether a wing or a battery of two or more fires, which raises damage (CX-37)."""
    battery = is_battery(play.battle, weapon) and guns > 1
    return not weapon.missile and (battery or len(deed.members) > 1)


def attack_throw(play: Turn, deed: Deed, why: str, steps: int) -> Throw:
    """Throw Agility + gunnery of the vessel that attacks (CX-7, CX-60)."""
    sheet = play.battle.sheets[deed.pilot]
    return play.throw(f"{deed.pilot} {why}", sheet.agility, sheet.gunnery, steps)


def fire(play: Turn, deed: Deed) -> None:
    """Fire at an enemy (CX-7 to CX-10)."""
    at, weapon = str(deed.order.at), weapon_in(play, deed)
    target = unit_of(play.battle, at)
    guns = asked(play, deed.pilot, weapon, deed.order.guns)
    steps = crew_steps(play, deed, weapon) + shared_steps(play, deed, weapon, guns)
    steps += target_steps(play, deed, weapon, target)
    throw = attack_throw(play, deed, f"{weapon.name} at {at}", steps)
    needed, defended = _defence(play, target)
    hit = succeeds(throw, needed)
    harm: Harm | None = None
    if hit:
        basic, combined = throw.total - needed, is_combined(play, deed, weapon, guns)
        harm = shot_harm(play, at, basic, weapon, combined, basic >= MARGIN)
    told = Attacked(
        do="fire",
        unit=deed.unit,
        by=deed.pilot,
        weapon=weapon.name,
        guns=guns,
        at=at,
        throw=throw,
        needed=needed,
        defended=defended,
        hit=hit,
        harm=harm,
        called=deed.order.called,
    )
    # Told before it takes effect: the hit may wait for others of the same initiative (CX-19).
    play.record(told)
    spend(play, deed, weapon, guns)
    if harm is not None:
        strike(play, Hit(deed.pilot, target, weapon.scale, harm, deed.order.called))


def target_steps(play: Turn, deed: Deed, weapon: Weapon, target: Members) -> int:
    """Return the steps of wing, Advantage, scales, aim, called shot and range (CX-7 c to h)."""
    battle, at = play.battle, str(deed.order.at)
    # A step for every two: a wing is easier to hit than one fighter (CX-7 c).
    wing = len(target) // 2 if len(target) > 1 else 0
    aim = battle.vessels[deed.pilot].aim.get(weapon.name)
    return (
        wing
        + _advantage_steps(play, deed.pilot, worst_pilot(battle, target))
        + to_hit(battle, weapon.scale, battle.sheets[at].scale)
        + (aim.steps if aim is not None and aim.at == at else 0)
        + (CALLED if deed.order.called is not None else 0)
        + (range_steps(battle, deed.pilot, weapon, at) or 0)
    )


def _advantage_steps(play: Turn, by: str, at: str) -> int:
    """Return the steps of who has Advantage over whom (CX-25)."""
    found = play.battle.advantages.get(pair(play.battle, by, at))
    if found is None:
        return 0
    return found.steps if found.holder == by else -found.steps


def _defence(play: Turn, target: Members) -> tuple[int, Throw | None]:
    """Return the Difficulty to hit a unit, with the roll that made it (CX-8)."""
    battle = play.battle
    name = worst_pilot(battle, target)
    doing = play.doing[name]
    # The first that applies counts, in the order of CX-8.
    if is_immobile(battle, target) or doing.exposed:
        return EASY, None
    if doing.dodge is not None:
        # A bad roll leaves a target no easier than one that stands still (CX-59).
        return max(doing.dodge, EASY), None
    if doing.defends:
        throw = play.fly(target, "defends", doing.defence)
    else:
        # Whose pilot does not defend has its Agility alone.
        throw = play.throw(f"{name} defends", battle.sheets[name].agility, 0)
    # Never below 3, however badly it was rolled (CX-8).
    return max(throw.total, EASY), throw


def aim(play: Turn, deed: Deed) -> None:
    """Ready a weapon at a target (CX-13)."""
    name, weapon, at = deed.pilot, weapon_in(play, deed), str(deed.order.at)
    vessel = play.battle.vessels[name]
    before = vessel.aim.get(weapon.name)
    steps = 1 if before is None or before.at != at else min(before.steps + 1, MOST_AIM)
    play.record(Aimed(name, weapon.name, Aim(at, steps)))
    # To aim takes all guns of the weapon, so that none of them fires in this turn.
    play.doing[name].used[weapon.name] = vessel.guns[weapon.name]


def point_defence(play: Turn) -> None:
    """Let each vessel that has point defence fire at what enters (CX-47)."""
    battle = play.battle
    met = _met(play)
    if "point_defence" not in battle.options or not met:
        return
    armed = [name for name in active(battle) if any(one.pd for one in battle.sheets[name].weapons)]
    for name in armed:
        # An earlier collision may have put it out; `check_fire` silences it for the turn (CX-47).
        if not is_active(play.battle, name) or play.doing[name].silent:
            continue
        for leader in leaders(play.battle):
            # An earlier unit may have been shot down, or have a new leader.
            unit = unit_of(play.battle, leader)
            if is_active(play.battle, leader) and _enters(play, name, unit, met):
                _fire_at(play, name, unit)


def _met(play: Turn) -> set[str]:
    """Return the pairs of vessels whose range has become skirmish in this stage."""
    battle, opened = play.battle, play.opened
    return {
        key
        for key, found in battle.ranges.items()
        if found != opened[key]
        and band_of(battle, found) == SKIRMISH != band_of(battle, opened[key])
    }


def _enters(play: Turn, name: str, unit: Members, met: set[str]) -> bool:
    """Return whether a unit has entered the range of a vessel's point defence (CX-47)."""
    battle, leader = play.battle, unit[0]
    # Point defence is against units of planetcraft scale alone (CX-47).
    if battle.sheets[leader].scale != PLANETCRAFT:
        return False
    if battle.sheets[leader].team != battle.sheets[name].team:
        return pair(battle, name, leader) in met
    at = play.doing[leader].closing_at
    # It does not tell friend from foe: its own craft enter with the enemy they close on.
    if name in unit or at is None or pair(battle, leader, at) not in met:
        return False
    return is_active(battle, at) and band(battle, name, at) == SKIRMISH


def _fire_at(play: Turn, name: str, unit: Members) -> None:
    """Fire each point-defence weapon once at a unit, as long as some of it is left (CX-48)."""
    for weapon in play.battle.sheets[name].weapons:
        members = tuple(one for one in unit if is_active(play.battle, one))
        if not members:
            return
        if weapon.pd and play.battle.vessels[name].guns[weapon.name]:
            _defend_against(play, name, weapon, members)


def _defend_against(play: Turn, name: str, weapon: Weapon, members: Members) -> None:
    # An immobile unit cannot roll, and counts as having rolled 0 (CX-48).
    total, raised, throw = 0, 1, None
    pilot = worst_pilot(play.battle, members)
    if not is_immobile(play.battle, members):
        throw = play.fly(members, f"evades {weapon.name}", play.doing[pilot].defence)
        # The weapon's die is one step up, two after a botch of the pilot who enters (CX-48).
        total, raised = throw.total, 1 + throw.botch
    harm = None
    if throw is None or not succeeds(throw, HEROIC):
        harm = gun_harm(play, pilot, max(HEROIC - total, 0), weapon, raised)
    play.record(PointDefended(name, weapon.name, members[0], HEROIC, throw, harm))
    if harm is not None:
        strike(play, Hit(name, members, weapon.scale, harm))
