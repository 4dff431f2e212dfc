"""Fire: who can be shot at, and the shots; this module and `resolve` roll dice (BS-18 to BS-22)."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.blackskies import events as ev
from engine.blackskies.design import Weapon
from engine.blackskies.geometry import in_arc, norm, tenths
from engine.blackskies.model import (
    Battle,
    Element,
    Fighter,
    Order,
    active,
    design_of,
    enemies,
    is_crippled,
)
from engine.blackskies.tables import FIRE_DIE, SPEED_MODIFIERS, TARGET_NUMBERS, shielded
from engine.events import Play


class Aim(NamedTuple):
    """A weapon's aim at a target; the best one sorts first.

    `needed` is the number needed, `n` is N of the distance, and `place` the target's place in setup
    order (BS-22).
    """

    needed: int
    n: int
    hull: int
    place: int
    band: int
    arc: int
    target: Fighter
    element: Element


def band_of(weapon: Weapon, n: int) -> int | None:
    """Return the range band of a distance, None beyond long range."""
    close, medium, long = weapon.range
    # `n` is a squared distance in half-inches, and ranges are in inches, hence the 4.
    if n > 4 * long * long:
        return None
    return 0 if n <= 4 * close * close else 1 if n <= 4 * medium * medium else 2


def aims(
    battle: Battle, element: Element, shooter: Fighter, weapon: Weapon, penalty: int
) -> Iterator[Aim]:
    """Yield a weapon's aim at each enemy that it can shoot at, in setup order (BS-18)."""
    # Setup order decides where all else is equal (BS-22).
    for place, (other, foe) in enumerate(enemies(battle, element.side)):
        q, r = foe.q - shooter.q, foe.r - shooter.r
        n = norm(q, r)
        band = band_of(weapon, n)
        if band is None:
            continue
        # The penalty is that of the shooter's card: a hard turn spoils the aim (BS-18).
        needed = TARGET_NUMBERS[band] - SPEED_MODIFIERS[other.speed] + penalty
        if needed > FIRE_DIE:
            continue
        # An edge is in both arcs; the first one listed is reported (BS-3).
        arc = next((a for a in weapon.arc if in_arc(q, r, element.heading + a)), None)
        if arc is not None:
            yield Aim(needed, n, foe.hull, place, band, arc, foe, other)


def choose(found: list[Aim], targets: tuple[str, ...]) -> Aim | None:
    """Return the aim at the first target named that is there, else the best aim (BS-22)."""
    # In the order of the names, so that a player can say whom to shoot at first.
    for name in targets:
        for aim in found:
            if name in (aim.target.name, aim.element.name):
                return aim
    # The first four fields are the order of BS-22; the rest is not to be compared.
    return min(found, key=lambda aim: aim[:4]) if found else None


def shoot_all(
    play: Play[Battle], element: Element, order: Order, penalty: int, out: set[str]
) -> None:
    """Fire with an element's fighters, lead first; those that failed a check are `out` (BS-14)."""
    for fighter in active(play.battle, element.name):
        if fighter.name not in out:
            _shoot(play, element, fighter, order.targets, penalty)


def _shoot(
    play: Play[Battle], element: Element, fighter: Fighter, targets: tuple[str, ...], penalty: int
) -> None:
    """Fire a fighter's weapons one by one (BS-19)."""
    design = design_of(play.battle, element)
    left = len(design.weapons)
    if is_crippled(design, fighter.hull):
        # A crippled fighter fires at most half of all its weapons, rounded down (BS-19).
        left //= 2
    for weapon in design.weapons:
        if not left:
            return
        # Looked up again for each weapon: the one before may have destroyed the target.
        found = list(aims(play.battle, element, fighter, weapon, penalty))
        aim = choose(found, targets)
        if aim is not None:
            left -= 1
            _fire(play, fighter.name, weapon, aim)


def _fire(play: Play[Battle], by: str, weapon: Weapon, aim: Aim) -> None:
    """Roll a weapon's dice, then its damage (BS-20, BS-21)."""
    at, dice = aim.target.name, play.dice
    why = f"{by} {weapon.name} at {at}"
    # All dice of a weapon fall on one target, and before any damage is rolled (BS-20).
    rolls = tuple(dice.roll(FIRE_DIE, why, (aim.needed - 1,)) for _ in range(weapon.rof))
    hits = sum(roll >= aim.needed for roll in rolls)
    play.record(
        ev.Fired(
            by=by,
            weapon=weapon.name,
            at=at,
            band=aim.band,
            distance=tenths(aim.n),
            arc=aim.arc,
            needed=aim.needed,
            rolls=rolls,
            hits=hits,
        )
    )
    for _ in range(hits):
        # The hits after the one that destroys are lost, without a roll (BS-21).
        if _damage(play, by, weapon, at, aim.element):
            return


def _damage(play: Play[Battle], by: str, weapon: Weapon, at: str, element: Element) -> bool:
    """Roll one hit's damage; return whether it destroys the target."""
    struck = design_of(play.battle, element)
    die = shielded(weapon.die, struck.shields)
    roll = play.dice.roll(die, f"{by} damage to {at}")
    # Shields make the die smaller, armour is taken from the roll (BS-21).
    damage = max(roll - struck.armour, 0)
    hull = max(play.battle.fighters[at].hull - damage, 0)
    play.record(ev.Hit(by, at, die, roll, damage, hull, element.seat))
    if not hull:
        play.record(ev.Destroyed(at, by))
    return not hull
