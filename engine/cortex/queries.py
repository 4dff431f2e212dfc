"""What can be read off a battle: units, ranges, who is in it."""

from engine.cortex.model import Battle, Members, Person, Site, Spotter, VesselSheet, Weapon
from engine.cortex.tables import BANDS, LONG, PERSONAL, TENTHS
from engine.seats import Seat


def pair(battle: Battle, one: str, other: str) -> str:
    """Return the key of two opposing vessels, the first team's first."""
    # One key for both ways round; set-ups and the replay format write pairs so, too.
    return f"{other}|{one}" if battle.sheets[one].team else f"{one}|{other}"


def band(battle: Battle, one: str, other: str) -> int:
    """Return the range between two opposing vessels as a number of RANGES (CX-6, CX-64)."""
    return band_of(battle, battle.ranges[pair(battle, one, other)])


def band_of(battle: Battle, distance: int) -> int:
    """Return the number of RANGES that a distance is at (CX-64)."""
    if not battle.atmosphere:
        return distance
    # The bands of an atmosphere are to the foot, and all beyond the last is long (CX-64).
    return next((n for n, last in enumerate(BANDS) if distance <= last), LONG)


def is_active(battle: Battle, name: str) -> bool:
    """Return whether a vessel is in the battle."""
    return battle.vessels[name].fate == "active"


def everybody(battle: Battle) -> list[str]:
    """Return the names of all vessels in setup order (CX-17)."""
    return [name for team in battle.teams for name in team.vessels]


def active(battle: Battle) -> list[str]:
    """Return the active vessels in setup order."""
    vessels = battle.vessels
    return [name for name in everybody(battle) if vessels[name].fate == "active"]


def active_in(battle: Battle, team: int) -> list[str]:
    """Return a team's active vessels in setup order."""
    return [name for name in battle.teams[team].vessels if battle.vessels[name].fate == "active"]


def is_enemy(battle: Battle, name: str, other: str | None) -> bool:
    """Return whether a name is that of an active vessel of the other team."""
    if other is None or other not in battle.sheets:
        return False
    hostile = battle.sheets[other].team != battle.sheets[name].team
    return hostile and is_active(battle, other)


def unit_of(battle: Battle, name: str) -> Members:
    """Return the members of a vessel's unit, the leader first: its wing, or itself (CX-5)."""
    for wing in battle.wings:
        if name in wing:
            return wing
    return (name,)


def wing_of(battle: Battle, name: str) -> Members | None:
    """Return the wing that a vessel is in, or None."""
    unit = unit_of(battle, name)
    return unit if len(unit) > 1 else None


def leaders(battle: Battle) -> list[str]:
    """Return the leaders of all active units in setup order."""
    # Not the order of the wings: units come in the setup order of their leaders (CX-17).
    led = {name for wing in battle.wings for name in wing[1:]}
    return [name for name in active(battle) if name not in led]


def worst_pilot(battle: Battle, members: Members) -> str:
    """Return the vessel whose pilot flies for a unit (CX-36)."""
    if len(members) == 1:
        return members[0]
    sheets = battle.sheets
    # The worst pilot, and of equals the first in setup order (CX-36).
    return min(members, key=lambda name: (pilot(sheets[name]).skill, sheets[name].place))


def pilot(sheet: VesselSheet) -> Person:
    """Return a vessel's pilot."""
    return sheet.crew["pilot"]


def weapon_of(sheet: VesselSheet, name: str | None) -> Weapon | None:
    """Return a vessel's weapon by its name, or None."""
    for weapon in sheet.weapons:
        if weapon.name == name:
            return weapon
    return None


def is_immobile(battle: Battle, members: Members) -> bool:
    """Return whether a unit cannot fly (CX-5)."""
    for name in members:
        sheet, vessel = battle.sheets[name], battle.vessels[name]
        stands = sheet.fixed or vessel.speed == 0 or "engines" in vessel.damaged
        # Persons never are immobile, whatever their Speed (CX-5).
        if stands and sheet.scale != PERSONAL:
            return True
    return False


def speed_of(battle: Battle, members: Members) -> int:
    """Return a unit's Speed, its slowest member's (CX-20)."""
    if len(members) == 1:
        return battle.vessels[members[0]].speed
    # A wing stays together, so that it is as fast as its slowest member (CX-20).
    return min(battle.vessels[name].speed for name in members)


def seats(battle: Battle) -> tuple[Seat, ...]:
    """Return everyone who has a vessel or a spotter, in setup order."""
    names = [name for team in battle.teams for name in (*team.vessels, *team.spotters)]
    return tuple(dict.fromkeys(seat for name in names if (seat := seat_of(battle, name))))


def seat_of(battle: Battle, name: str) -> Seat | None:
    """Return whose a vessel or spotter is, None where there is none of that name."""
    found = battle.sheets.get(name) or battle.spotters.get(name)
    return None if found is None else found.seat


def team_of(battle: Battle, seat: Seat | None) -> int | None:
    """Return the number of the team that a seat plays in, None where it has nothing there."""
    every: tuple[VesselSheet | Spotter, ...] = (*battle.sheets.values(), *battle.spotters.values())
    return next((one.team for one in every if one.seat == seat), None)


def left_to(battle: Battle, seat: Seat) -> list[str]:
    """Return the vessels and spotters of a seat that are still in the battle."""
    vessels = [name for name in active(battle) if battle.sheets[name].seat == seat]
    spotters = battle.spotters
    return vessels + [n for n, one in spotters.items() if one.seat == seat and one.fate == "active"]


def to_order(battle: Battle) -> list[str]:
    """Return the leaders of units, and the spotters of any use, that have no orders yet."""
    if battle.over or not battle.ready:
        return []
    # A spotter that has nothing to spot must not make everybody wait for its player.
    useful = [name for name in battle.spotters if can_spot(battle, name) and marks(battle, name)]
    return [name for name in (*leaders(battle), *useful) if name not in battle.orders]


def can_spot(battle: Battle, name: str) -> bool:
    """Return whether a spotter is there and has what it needs to designate a mark (CX-70)."""
    spotter = battle.spotters[name]
    # A handset is enough in good conditions only (CX-70).
    linked = spotter.uplink == "transceiver" or (spotter.uplink == "handset" and battle.good)
    return spotter.fate == "active" and spotter.designator and linked


def marks(battle: Battle, name: str) -> list[str]:
    """Return what a spotter could designate for those who bombard (CX-67, CX-72)."""
    if not battle.options >= {"spotters", "bombardment"}:
        return []
    team = battle.spotters[name].team
    return [one for one in (*battle.sites, *battle.spotters) if is_mark(battle, team, one)]


def is_mark(battle: Battle, team: int, at: str | None) -> bool:
    """Return whether a team may spot and bombard something (CX-67, CX-72)."""
    if at in battle.sites:
        return not is_razed(battle.sites[at])
    spotter = None if at is None else battle.spotters.get(at)
    if spotter is None or spotter.team == team:
        return False
    # Enemy spotters are unseen until they have spotted something themselves (CX-72).
    return spotter.fate == "active" and spotter.detected


def is_razed(site: Site) -> bool:
    """Return whether a site is razed and no target any more (CX-67)."""
    return site.wound >= site.lp * TENTHS


def next_of(battle: Battle, seat: Seat) -> str:
    """Return the first unit of a seat that has no orders yet."""
    return next(name for name in to_order(battle) if seat_of(battle, name) == seat)
