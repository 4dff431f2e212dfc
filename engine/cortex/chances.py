"""The chances of orders as a turn begins, by exact odds of the dice."""

from collections.abc import Callable, Mapping
from functools import cache

from engine.cortex.attacks import crew_steps, shared_steps, target_steps
from engine.cortex.bombard import mark_difficulty
from engine.cortex.flight import dangers, is_like, obstacle_danger
from engine.cortex.legal import deed_of, station_of
from engine.cortex.model import Order, Weapon
from engine.cortex.queries import (
    band,
    is_immobile,
    pilot,
    unit_of,
    weapon_of,
    worst_pilot,
)
from engine.cortex.tables import (
    AVERAGE,
    EASY,
    HARD,
    INTERCEPTED,
    LOCKS,
    OUTFLOWN,
    RUNS,
    SENSORS_DAMAGED,
    SPACECRAFT,
    by_least,
    sides,
)
from engine.cortex.turn_state import Deed, Turn
from engine.cortex.weapons import asked, increments, range_steps

Dice = tuple[int, ...]
"""The steps of the dice of a roll; 0 is not a die."""


@cache
def odds(dice: Dice) -> tuple[float, ...]:
    """Return how likely each total of some dice is, from 0 on."""
    found = [1.0]
    for die in (one for step in dice for one in sides(step)):
        # Die by die: all results of four or five dice would be too many to list.
        longer = [0.0] * (len(found) + die)
        for total, share in enumerate(found):
            for face in range(1, die + 1):
                longer[total + face] += share / die
        found = longer
    return tuple(found)


@cache
def reaches(dice: Dice, needed: int) -> float:
    """Return how likely a roll reaches its Difficulty, which a botch never does (CX-4)."""
    least = sum(len(sides(step)) for step in dice)
    share = odds(dice)
    # All dice showing 1 is the least total, and fails even where it would be enough (CX-4).
    botched = share[least] if least >= needed and least < len(share) else 0.0
    return max(sum(share[max(needed, 0) :]) - botched, 0.0)


@cache
def beats(dice: Dice, other: Dice) -> float:
    """Return how likely an attack hits a defence that is rolled, which is never below 3 (CX-8)."""
    return sum(
        share * reaches(dice, max(total, EASY)) for total, share in enumerate(odds(other)) if share
    )


@cache
def exceeds(dice: Dice, other: Dice) -> float:
    """Return how likely one roll is higher than another (CX-45)."""
    share = odds(dice)
    return sum(part * sum(share[total + 1 :]) for total, part in enumerate(odds(other)) if part)


def chance_of(play: Turn, name: str, order: Order) -> int | None:
    """Return the chance in percent of an order that nothing hinders, None where no die decides.

    A unit that is shot at is expected to defend, as one without orders does (CX-18).
    """
    known = _CHANCES.get(order.do)
    if known is None or name in play.battle.spotters:
        return None
    found = known(play, deed_of(play.battle, name, order))
    return None if found is None else round(100 * found)


def attack_dice(play: Turn, deed: Deed, steps: int) -> Dice:
    """Return the dice of an attack roll (CX-7)."""
    sheet = play.battle.sheets[deed.pilot]
    return sheet.agility, max(sheet.gunnery + steps, 0)


def pilot_dice(play: Turn, members: tuple[str, ...], steps: int = 0) -> Dice:
    """Return the dice of a unit's Agility + Pilot (CX-36)."""
    name = worst_pilot(play.battle, members)
    sheet = play.battle.sheets[name]
    helped = play.doing[name].steps.get("pilot", 0)
    return sheet.agility, max(pilot(sheet).skill + steps + helped, 0)


def defence_dice(play: Turn, at: str) -> Dice | None:
    """Return the dice with which a unit is expected to defend, None where it can't (CX-8)."""
    battle = play.battle
    members = unit_of(battle, at)
    if is_immobile(battle, members):
        return None
    # Under the second draft a spacecraft has no `defend` (CX-58).
    if battle.sheets[at].scale == SPACECRAFT and "crew2" in battle.options:
        return (battle.sheets[worst_pilot(battle, members)].agility,)
    return pilot_dice(play, members)


def _weapon(play: Turn, deed: Deed) -> Weapon:
    weapon = weapon_of(play.battle.sheets[deed.pilot], deed.order.weapon)
    assert weapon is not None
    return weapon


def fire_steps(play: Turn, deed: Deed) -> int:
    """Return all steps of `fire` (CX-7)."""
    weapon = _weapon(play, deed)
    guns = asked(play, deed.pilot, weapon, deed.order.guns)
    steps = crew_steps(play, deed, weapon) + shared_steps(play, deed, weapon, guns)
    return steps + target_steps(play, deed, weapon, unit_of(play.battle, str(deed.order.at)))


def fire(play: Turn, deed: Deed) -> float:
    """Return how likely a shot hits."""
    dice = attack_dice(play, deed, fire_steps(play, deed))
    defence = defence_dice(play, str(deed.order.at))
    return reaches(dice, EASY) if defence is None else beats(dice, defence)


def _lock(play: Turn, deed: Deed) -> float:
    at, weapon = str(deed.order.at), _weapon(play, deed)
    steps = crew_steps(play, deed, weapon)
    steps += range_steps(play.battle, deed.pilot, weapon, at) or 0
    needed = LOCKS[band(play.battle, deed.pilot, at)]
    return reaches(attack_dice(play, deed, steps), needed)


def _intercept(play: Turn, deed: Deed) -> float:
    weapon = _weapon(play, deed)
    guns = asked(play, deed.pilot, weapon, deed.order.guns)
    steps = crew_steps(play, deed, weapon) + shared_steps(play, deed, weapon, guns)
    return reaches(attack_dice(play, deed, steps), INTERCEPTED)


def _bombard(play: Turn, deed: Deed) -> float:
    battle, weapon = play.battle, _weapon(play, deed)
    altitude = battle.sheets[deed.pilot].altitude
    assert altitude is not None
    far = increments(weapon, altitude) or 0
    guns = asked(play, deed.pilot, weapon, deed.order.guns)
    steps = crew_steps(play, deed, weapon) + shared_steps(play, deed, weapon, guns) + far
    needed = mark_difficulty(play, str(deed.order.at), weapon)
    spotter = battle.spotters.get(deed.order.spotter or "")
    if spotter is not None:
        skill = max(spotter.gunnery + far - (not spotter.scope), 0)
        return reaches((spotter.alertness, skill), needed)
    return reaches(attack_dice(play, deed, steps), needed)


def _join(play: Turn, deed: Deed) -> float:
    battle, own = play.battle, deed.unit
    friends = unit_of(battle, str(deed.order.at))
    alike = all(is_like(battle, own, one) for one in friends)
    return reaches(pilot_dice(play, (own,)), AVERAGE if alike else HARD)


def _misses(play: Turn, members: tuple[str, ...], needed: int, steps: int = 0) -> float:
    """Return how likely a unit does not collide with something (CX-28)."""
    if needed < EASY or "collisions" not in play.battle.options:
        return 1.0
    if is_immobile(play.battle, members):
        return 0.0
    return reaches(pilot_dice(play, members, steps), needed)


def _ram(play: Turn, deed: Deed) -> float:
    at = str(deed.order.at)
    needed = dangers(play, deed.members, at)[1].needed
    return 1 - _misses(play, unit_of(play.battle, at), needed)


def _strafe(play: Turn, deed: Deed) -> float:
    at = str(deed.order.at)
    near = _misses(play, deed.members, dangers(play, deed.members, at)[0].needed)
    needed = by_least(play.battle.sheets[at].strength, RUNS)
    return near * reaches(pilot_dice(play, deed.members), needed)


def _outfly(play: Turn, deed: Deed) -> float:
    flown = next(one.outflown for one in play.battle.missiles if one.id == deed.order.missile)
    return reaches(pilot_dice(play, deed.members), OUTFLOWN - flown)


def _trick(play: Turn, deed: Deed) -> float:
    battle, at = play.battle, str(deed.order.at)
    dice = pilot_dice(play, deed.members, -2)
    if at in battle.obstacles:
        danger = obstacle_danger(play, deed.members, at, battle.obstacles[at])
        return _misses(play, deed.members, danger.needed, -1) * reaches(dice, AVERAGE)
    near = _misses(play, deed.members, dangers(play, deed.members, at)[0].needed, -1)
    other = unit_of(battle, at)
    # It counts as 0, which any roll beats; the flyer still has to avoid it (CX-45).
    if is_immobile(battle, other):
        return near
    return near * exceeds(dice, pilot_dice(play, other))


def _assist(play: Turn, deed: Deed) -> float:
    person = play.battle.sheets[deed.unit].crew[str(station_of(deed.order))]
    return reaches((person.attribute, person.skill, person.trait), HARD)


def _forward(play: Turn, deed: Deed) -> float:
    person = play.battle.sheets[deed.unit].crew["comms"]
    skill = max(person.skill + play.doing[deed.unit].steps.get("comms", 0), 0)
    return reaches((person.attribute, skill, person.trait), AVERAGE)


def _scan(play: Turn, deed: Deed) -> float:
    station = str(station_of(deed.order))
    sheet, vessel = play.of(deed.unit)
    person = sheet.crew[station]
    steps = play.doing[deed.unit].steps.get(station, 0)
    steps += SENSORS_DAMAGED if "sensors" in vessel.damaged else 0
    return reaches((sheet.alertness, max(person.skill + steps, 0), person.trait), HARD)


def _manoeuvre(play: Turn, deed: Deed) -> float | None:
    if "crew2" not in play.battle.options:
        return None
    steps = play.doing[deed.pilot].helm - play.doing[deed.unit].actions
    return reaches(pilot_dice(play, deed.members, steps), HARD)


_CHANCES: Mapping[str, Callable[[Turn, Deed], float | None]] = {
    "fire": fire,
    "lock": _lock,
    "intercept": _intercept,
    "bombard": _bombard,
    "join": _join,
    "ram": _ram,
    "strafe": _strafe,
    "outfly": _outfly,
    "trick": _trick,
    "assist": _assist,
    "forward": _forward,
    "sense": _scan,
    "plot": _scan,
    "evade": _manoeuvre,
    "press": _manoeuvre,
}
"""How likely each order succeeds; the others need no dice."""
