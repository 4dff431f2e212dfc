"""Each order's own tests, in the order of the table of refusals."""

from collections.abc import Callable, Mapping

from engine.cortex.model import Battle, Weapon
from engine.cortex.queries import (
    active_in,
    band,
    can_spot,
    is_active,
    is_enemy,
    is_immobile,
    is_mark,
    unit_of,
    weapon_of,
)
from engine.cortex.tables import LONG, MOST_IN_WING, PARTS, PERSONAL, PLANETCRAFT, SKIRMISH
from engine.cortex.turn_state import Deed, Turn
from engine.cortex.weapons import guns_refusal, increments, reaches

_ASSISTED = ("pilot", "sensors", "comms")


def own_refusal(play: Turn, deed: Deed) -> str | None:
    """Return why an order is refused by its own tests, or None."""
    check = _CHECKS.get(deed.order.do)
    return None if check is None else check(play, deed)


def _shield(play: Turn, deed: Deed) -> str | None:
    in_wing = len(deed.members) > 1 and deed.order.at in deed.members
    return None if in_wing else "bad wing"


def _leave(play: Turn, deed: Deed) -> str | None:
    return None if len(deed.members) > 1 else "bad wing"


def helped(deed: Deed) -> str:
    """Return the vessel that a first-draft `assist` is for (CX-36, CX-52)."""
    if deed.order.at is not None:
        return deed.order.at
    # Officers help their own sensors and comms, and the one who flies and shoots for the unit.
    return deed.unit if deed.order.to in ("sensors", "comms") else deed.pilot


def _assist(play: Turn, deed: Deed) -> str | None:
    battle, order = play.battle, deed.order
    if "crew2" in battle.options:
        return None if order.to in ("pilot", "guns") else "bad target"
    name = helped(deed)
    sheet = battle.sheets.get(name)
    if sheet is None or sheet.team != battle.sheets[deed.unit].team or not is_active(battle, name):
        return "bad target"
    # The first draft helps one weapon by name, the second all guns at once (CX-52, CX-57).
    manned = order.to in _ASSISTED and order.to in sheet.crew
    return None if manned or weapon_of(sheet, order.to) else "bad target"


def _sense(play: Turn, deed: Deed) -> str | None:
    to = deed.order.to
    known = to == "pilot" or weapon_of(play.battle.sheets[deed.pilot], to) is not None
    return None if known else "bad target"


def _press(play: Turn, deed: Deed) -> str | None:
    if "crew1" not in play.battle.options:
        return None
    return None if _weapon(play, deed) is not None else "bad weapon"


def _jump(play: Turn, deed: Deed) -> str | None:
    # The whole unit jumps, so every member needs a drive (CX-21).
    return None if all(has_drive(play.battle, name) for name in deed.members) else "no drive"


def has_drive(battle: Battle, name: str) -> bool:
    """Return whether a vessel has an FTL drive that works."""
    return battle.sheets[name].ftl and "ftl" not in battle.vessels[name].damaged


def _withdraw(play: Turn, deed: Deed) -> str | None:
    battle = play.battle
    enemies = active_in(battle, 1 - battle.sheets[deed.unit].team)
    far = all(band(battle, name, foe) == LONG for name in deed.members for foe in enemies)
    return None if far else "out of range"


def _join(play: Turn, deed: Deed) -> str | None:
    battle, name, at = play.battle, deed.unit, deed.order.at
    if len(deed.members) > 1:
        return "bad wing"
    own, friend = battle.sheets[name], None if at is None else battle.sheets.get(at)
    if friend is None or friend is own or friend.team != own.team:
        return "bad target"
    if friend.scale != PLANETCRAFT or not is_active(battle, friend.name):
        return "bad target"
    unit = unit_of(battle, friend.name)
    if is_immobile(battle, unit):
        return "bad target"
    # After the tests of the friend: the table of refusals has `bad wing` twice for `join`.
    if len(unit) >= MOST_IN_WING:
        return "bad wing"
    enemies = active_in(battle, 1 - own.team)
    # Bands, not feet: in feet it takes the leader's distances once it has joined (CX-35).
    near = all(band(battle, name, foe) == band(battle, friend.name, foe) for foe in enemies)
    return None if near else "out of range"


def _enemy(play: Turn, deed: Deed) -> str | None:
    return None if is_enemy(play.battle, deed.unit, deed.order.at) else "bad target"


def _ram(play: Turn, deed: Deed) -> str | None:
    battle, at = play.battle, deed.order.at
    if at is None or not is_enemy(battle, deed.unit, at) or battle.sheets[at].scale == PERSONAL:
        return "bad target"
    return None if band(battle, deed.pilot, at) == SKIRMISH else "out of range"


def _strafe(play: Turn, deed: Deed) -> str | None:
    # The same target tests as for a ram, and then the narrower one of CX-31.
    refused = _ram(play, deed)
    if refused == "bad target":
        return refused
    target = play.battle.sheets[str(deed.order.at)]
    if target.scale == PLANETCRAFT and not target.fixed:
        return "bad target"
    return refused


def _weapon(play: Turn, deed: Deed) -> Weapon | None:
    return weapon_of(play.battle.sheets[deed.pilot], deed.order.weapon)


def _fire(play: Turn, deed: Deed) -> str | None:
    battle, order, weapon = play.battle, deed.order, _weapon(play, deed)
    if weapon is None or (weapon.missile and "missiles" in battle.options):
        return "bad weapon"
    refused = guns_refusal(play, deed.pilot, weapon, order)
    if refused is not None:
        return refused
    at = order.at
    if at is None or not is_enemy(battle, deed.unit, at) or order.called not in (None, *PARTS):
        return "bad target"
    if not reaches(battle, deed.pilot, weapon, at):
        return "out of range"
    # Point defence may still fire at the unit that strafes (CX-32).
    strafed = play.doing[at].strafing == deed.pilot and not weapon.pd
    return "strafed" if strafed else None


def _aim(play: Turn, deed: Deed) -> str | None:
    weapon = _weapon(play, deed)
    if weapon is None or weapon.missile:
        return "bad weapon"
    name = deed.pilot
    left = play.battle.vessels[name].guns[weapon.name]
    # To aim takes all guns of the weapon, so none of them may have been used (CX-16).
    if not left or play.doing[name].used.get(weapon.name, 0):
        return "spent"
    return _enemy(play, deed)


def _missile(play: Turn, deed: Deed) -> str | None:
    battle, order, weapon = play.battle, deed.order, _weapon(play, deed)
    if weapon is None or not weapon.missile:
        return "bad weapon"
    refused = guns_refusal(play, deed.pilot, weapon, order) or _enemy(play, deed)
    if refused is not None:
        return refused
    at = str(order.at)
    if order.do == "launch":
        mine = (deed.pilot, weapon.name, at)
        locked = any((one.by, one.weapon, one.at) == mine for one in battle.locks)
        return None if locked else "no lock"
    # A lock needs distance; a launch, once locked, does not care (CX-41, CX-42).
    near = band(battle, deed.pilot, at) == SKIRMISH
    return "out of range" if near or not reaches(battle, deed.pilot, weapon, at) else None


def _intercept(play: Turn, deed: Deed) -> str | None:
    weapon = _weapon(play, deed)
    if weapon is None or weapon.missile:
        return "bad weapon"
    refused = guns_refusal(play, deed.pilot, weapon, deed.order)
    if refused is not None:
        return refused
    found = [one for one in play.battle.missiles if one.id == deed.order.missile]
    if not found:
        return "no missile"
    # Point defence reaches a missile only when it is about to hit (CX-43).
    return "out of range" if weapon.pd and found[0].turns != 1 else None


def _outfly(play: Turn, deed: Deed) -> str | None:
    wanted = deed.order.missile
    flying = any(one.id == wanted and one.at in deed.members for one in play.battle.missiles)
    return None if flying else "no missile"


def _trick(play: Turn, deed: Deed) -> str | None:
    if deed.order.at in play.battle.obstacles:
        return _outfly(play, deed)
    # An enemy to fly close to is the same that could be rammed: near, and not a person (CX-45).
    return _outfly(play, deed) or _ram(play, deed)


def _bombard(play: Turn, deed: Deed) -> str | None:
    battle, order, weapon = play.battle, deed.order, _weapon(play, deed)
    if weapon is None or weapon.pd or weapon.scale == PERSONAL:
        return "bad weapon"
    refused = guns_refusal(play, deed.pilot, weapon, order)
    if refused is not None:
        return refused
    team = battle.sheets[deed.unit].team
    if not is_mark(battle, team, order.at):
        return "bad target"
    altitude = battle.sheets[deed.pilot].altitude
    # The altitude is the distance to what is bombarded (CX-65, CX-67).
    if altitude is None or increments(weapon, altitude) is None:
        return "out of range"
    if order.spotter is None:
        return None
    spotter = battle.spotters.get(order.spotter)
    if spotter is None or spotter.team != team or spotter.fate != "active":
        return "not spotted"
    # It must have spotted this very mark in this turn (CX-71).
    return None if play.spots.get(spotter.name) == order.at else "not spotted"


def spot_refusal(play: Turn, name: str, at: str | None) -> str | None:
    """Return why a spotter cannot spot something, or None (CX-70)."""
    spotter = play.battle.spotters[name]
    if not is_mark(play.battle, spotter.team, at):
        return "bad target"
    return None if can_spot(play.battle, name) else "no equipment"


_CHECKS: Mapping[str, Callable[[Turn, Deed], str | None]] = {
    "shield": _shield,
    "leave": _leave,
    "assist": _assist,
    "sense": _sense,
    "press": _press,
    "jump": _jump,
    "withdraw": _withdraw,
    "join": _join,
    "close": _enemy,
    "ram": _ram,
    "strafe": _strafe,
    "fire": _fire,
    "aim": _aim,
    "lock": _missile,
    "launch": _missile,
    "intercept": _intercept,
    "outfly": _outfly,
    "trick": _trick,
    "bombard": _bombard,
}
"""Orders without a test of their own are not in it."""
