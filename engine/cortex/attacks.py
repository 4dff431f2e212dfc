"""Attack rolls and defences (CX-7 to CX-9), and point defence (CX-47, CX-48)."""

from engine.cortex.attack_events import Aimed, Attacked, PointDefended
from engine.cortex.damage import gun_harm, shot_harm, strike
from engine.cortex.events import Harm, Throw
from engine.cortex.guns import asked, is_battery, is_linked, range_steps, spend, to_hit
from engine.cortex.model import Aim, Members, Weapon
from engine.cortex.play import Deed, Hit, Telling, succeeds
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
from engine.cortex.units import (
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


def weapon_in(telling: Telling, deed: Deed) -> Weapon:
    """Return the weapon that a legal order names."""
    weapon = weapon_of(telling.battle.sheets[deed.pilot], deed.order.weapon)
    assert weapon is not None
    return weapon


def crew_steps(telling: Telling, deed: Deed, weapon: Weapon) -> int:
    """Return the steps of all attack rolls: the pilot's actions, and the crew (CX-7 a, e)."""
    battle, doing = telling.battle, telling.doing[deed.pilot]
    pilots = battle.sheets[deed.pilot].scale != SPACECRAFT
    taken = telling.doing[deed.unit].actions if pilots else 0
    return doing.steps.get(weapon.name, 0) + doing.gunnery - taken


def shared_steps(telling: Telling, deed: Deed, weapon: Weapon, guns: int) -> int:
    """Return the steps of wing, battery and linked guns together (CX-7 b)."""
    if weapon.missile:
        return 0
    steps = len(deed.members) - 1
    if is_battery(telling.battle, weapon):
        steps += guns - 1
    if is_linked(telling.battle, weapon):
        # A step for each doubling: 2, 4 or 8 guns.
        steps += guns.bit_length() - 1
    return min(steps, MOST_SHARED)


def is_combined(telling: Telling, deed: Deed, weapon: Weapon, guns: int) -> bool:
    """Return whether a wing or a battery of two or more fires, which raises damage (CX-37)."""
    battery = is_battery(telling.battle, weapon) and guns > 1
    return not weapon.missile and (battery or len(deed.members) > 1)


def attack_throw(telling: Telling, deed: Deed, why: str, steps: int) -> Throw:
    """Throw Agility + gunnery of the vessel that attacks (CX-7, CX-60)."""
    sheet = telling.battle.sheets[deed.pilot]
    return telling.throw(f"{deed.pilot} {why}", sheet.agility, sheet.gunnery, steps)


def fire(telling: Telling, deed: Deed) -> None:
    """Fire at an enemy (CX-7 to CX-10)."""
    at, weapon = str(deed.order.at), weapon_in(telling, deed)
    target = unit_of(telling.battle, at)
    guns = asked(telling, deed.pilot, weapon, deed.order.guns)
    steps = crew_steps(telling, deed, weapon) + shared_steps(telling, deed, weapon, guns)
    steps += target_steps(telling, deed, weapon, target)
    throw = attack_throw(telling, deed, f"{weapon.name} at {at}", steps)
    needed, defended = _defence(telling, target)
    hit = succeeds(throw, needed)
    harm: Harm | None = None
    if hit:
        basic, combined = throw.total - needed, is_combined(telling, deed, weapon, guns)
        harm = shot_harm(telling, at, basic, weapon, combined, basic >= MARGIN)
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
    telling.tell(told)
    spend(telling, deed, weapon, guns)
    if harm is not None:
        strike(telling, Hit(deed.pilot, target, weapon.scale, harm, deed.order.called))


def target_steps(telling: Telling, deed: Deed, weapon: Weapon, target: Members) -> int:
    """Return the steps of wing, Advantage, scales, aim, called shot and range (CX-7 c to h)."""
    battle, at = telling.battle, str(deed.order.at)
    wing = len(target) // 2 if len(target) > 1 else 0
    aim = battle.vessels[deed.pilot].aim.get(weapon.name)
    return (
        wing
        + _advantage_steps(telling, deed.pilot, worst_pilot(battle, target))
        + to_hit(battle, weapon.scale, battle.sheets[at].scale)
        + (aim.steps if aim is not None and aim.at == at else 0)
        + (CALLED if deed.order.called is not None else 0)
        + (range_steps(battle, deed.pilot, weapon, at) or 0)
    )


def _advantage_steps(telling: Telling, by: str, at: str) -> int:
    """Return the steps of who has Advantage over whom (CX-25)."""
    found = telling.battle.advantages.get(pair(telling.battle, by, at))
    if found is None:
        return 0
    return found.steps if found.holder == by else -found.steps


def _defence(telling: Telling, target: Members) -> tuple[int, Throw | None]:
    """Return the Difficulty to hit a unit, with the roll that made it (CX-8)."""
    battle = telling.battle
    name = worst_pilot(battle, target)
    doing = telling.doing[name]
    if is_immobile(battle, target) or doing.exposed:
        return EASY, None
    if doing.dodge is not None:
        return max(doing.dodge, EASY), None
    if doing.defends:
        throw = telling.fly(target, "defends", doing.defence)
    else:
        # Whose pilot does not defend has its Agility alone.
        throw = telling.throw(f"{name} defends", battle.sheets[name].agility, 0)
    return max(throw.total, EASY), throw


def aim(telling: Telling, deed: Deed) -> None:
    """Ready a weapon at a target (CX-13)."""
    name, weapon, at = deed.pilot, weapon_in(telling, deed), str(deed.order.at)
    vessel = telling.battle.vessels[name]
    before = vessel.aim.get(weapon.name)
    steps = 1 if before is None or before.at != at else min(before.steps + 1, MOST_AIM)
    telling.tell(Aimed(name, weapon.name, Aim(at, steps)))
    # To aim takes all guns of the weapon, so that none of them fires in this turn.
    telling.doing[name].used[weapon.name] = vessel.guns[weapon.name]


def point_defence(telling: Telling) -> None:
    """Let each vessel that has point defence fire at what enters (CX-47)."""
    battle = telling.battle
    met = _met(telling)
    if "point_defence" not in battle.options or not met:
        return
    armed = [name for name in active(battle) if any(one.pd for one in battle.sheets[name].weapons)]
    for name in armed:
        if not is_active(telling.battle, name) or telling.doing[name].silent:
            continue
        for leader in leaders(telling.battle):
            # An earlier unit may have been shot down, or have a new leader.
            unit = unit_of(telling.battle, leader)
            if is_active(telling.battle, leader) and _enters(telling, name, unit, met):
                _fire_at(telling, name, unit)


def _met(telling: Telling) -> set[str]:
    """Return the pairs of vessels whose range has become skirmish in this stage."""
    battle, opened = telling.battle, telling.opened
    return {
        key
        for key, found in battle.ranges.items()
        if found != opened[key]
        and band_of(battle, found) == SKIRMISH != band_of(battle, opened[key])
    }


def _enters(telling: Telling, name: str, unit: Members, met: set[str]) -> bool:
    """Return whether a unit has entered the range of a vessel's point defence (CX-47)."""
    battle, leader = telling.battle, unit[0]
    if battle.sheets[leader].scale != PLANETCRAFT:
        return False
    if battle.sheets[leader].team != battle.sheets[name].team:
        return pair(battle, name, leader) in met
    at = telling.doing[leader].closing_at
    # It does not tell friend from foe: its own craft enter with the enemy they close on.
    if name in unit or at is None or pair(battle, leader, at) not in met:
        return False
    return is_active(battle, at) and band(battle, name, at) == SKIRMISH


def _fire_at(telling: Telling, name: str, unit: Members) -> None:
    """Fire each point-defence weapon once at a unit, as long as some of it is left (CX-48)."""
    for weapon in telling.battle.sheets[name].weapons:
        members = tuple(one for one in unit if is_active(telling.battle, one))
        if not members:
            return
        if weapon.pd and telling.battle.vessels[name].guns[weapon.name]:
            _defend_against(telling, name, weapon, members)


def _defend_against(telling: Telling, name: str, weapon: Weapon, members: Members) -> None:
    total, raised, throw = 0, 1, None
    pilot = worst_pilot(telling.battle, members)
    if not is_immobile(telling.battle, members):
        throw = telling.fly(members, f"evades {weapon.name}", telling.doing[pilot].defence)
        total, raised = throw.total, 1 + throw.botch
    harm = None
    if throw is None or not succeeds(throw, HEROIC):
        harm = gun_harm(telling, pilot, max(HEROIC - total, 0), weapon, raised)
    telling.tell(PointDefended(name, weapon.name, members[0], HEROIC, throw, harm))
    if harm is not None:
        strike(telling, Hit(name, members, weapon.scale, harm))
