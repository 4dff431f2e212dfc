"""What one seat may know of a battle, and who is to order or may."""

from itertools import product

from engine.codec import plain
from engine.cortex.model import Battle, Missile, Person, Site, Spotter, Vessel, VesselSheet, Weapon
from engine.cortex.possible_orders import own
from engine.cortex.queries import (
    active_in,
    band_of,
    everybody,
    is_active,
    is_immobile,
    is_razed,
    leaders,
    left_to,
    pair,
    seat_of,
    seats,
    to_order,
    unit_of,
    wing_of,
)
from engine.cortex.tables import RANGES, TENTHS, die
from engine.cortex.view_types import (
    BattleView,
    MissileView,
    PairView,
    PersonView,
    SiteView,
    UnitView,
    VesselView,
    WeaponView,
)
from engine.cortex.written_orders import words
from engine.ruleset import Outcome, Phase
from engine.seats import Seat, by_seat


def view(battle: Battle, seat: Seat | None) -> BattleView:
    """Return what a seat, or the public (None), may know: all but the orders of others (CX-17)."""
    mine = {name for name in (*battle.sheets, *battle.spotters) if seat_of(battle, name) == seat}
    teams = [set(map(str, (*team.vessels, *team.spotters))) for team in battle.teams]
    team = next((n for n, names in enumerate(teams) if names & mine), None)
    return {
        "me": seat if mine else None,
        "side": None if team is None else battle.teams[team].name,
        # The open turn: `battle.turn` counts those that are played.
        "turn": None if battle.over else battle.turn + 1,
        "played": battle.turn,
        "over": battle.over,
        "winner": battle.winner,
        "options": sorted(battle.options),
        "atmosphere": battle.atmosphere,
        "good": battle.good,
        "teams": [
            {
                "name": one.name,
                "vessels": list(one.vessels),
                "active": len(active_in(battle, number)),
            }
            for number, one in enumerate(battle.teams)
        ],
        "mates": []
        if team is None
        else sorted({found for name in teams[team] if (found := seat_of(battle, name))} - {seat}),
        "pilots": [_vessel(battle, name) for name in everybody(battle)],
        "units": units(battle),
        "pairs": _pairs(battle),
        "locks": [{"by": one.by, "weapon": one.weapon, "at": one.at} for one in battle.locks],
        "missiles": [_missile(battle, one) for one in battle.missiles],
        "sites": [_site(name, one) for name, one in battle.sites.items()],
        "spotters": [
            {**plain(one), "team": battle.teams[one.team].name} for one in battle.spotters.values()
        ],
        "obstacles": [{"name": name, **plain(one)} for name, one in battle.obstacles.items()],
        "mine": [] if seat is None else own(battle, seat),
        "to_order": [name for name in to_order(battle) if name in mine],
        "orders": {
            name: list(map(words, one)) for name, one in battle.orders.items() if name in mine
        },
    }


def _vessel(battle: Battle, name: str) -> VesselView:
    sheet, vessel = battle.sheets[name], battle.vessels[name]
    wing = wing_of(battle, name)
    return {
        "name": name,
        "team": battle.teams[sheet.team].name,
        "seat": sheet.seat,
        "kind": sheet.kind,
        "scale": sheet.scale,
        "fate": vessel.fate,
        "stun": vessel.stun,
        "wound": vessel.wound,
        "lp": sheet.lp,
        "left": max(sheet.lp * TENTHS - vessel.stun - vessel.wound, 0),
        "speed": vessel.speed,
        "armour": [sheet.wound_armour, sheet.stun_armour],
        "dice": {
            "Strength": die(sheet.strength),
            "Agility": die(sheet.agility),
            "Vitality": die(sheet.vitality),
            "Alertness": die(sheet.alertness),
            "gunnery": die(sheet.gunnery),
        },
        "crew": [_person(at, one, vessel) for at, one in sheet.crew.items()],
        "weapons": [_weapon(sheet, vessel, one) for one in sheet.weapons],
        "damaged": sorted(vessel.damaged),
        "wing": None if wing is None else wing[0],
        "immobile": is_immobile(battle, (name,)),
        "ftl": sheet.ftl,
        "altitude": sheet.altitude,
    }


def _person(station: str, one: Person, vessel: Vessel) -> PersonView:
    dice = [die(step) for step in (one.attribute, one.skill, one.trait)]
    return {"station": station, "dice": dice, "next": vessel.next.get(station, 0)}


def _weapon(sheet: VesselSheet, vessel: Vessel, one: Weapon) -> WeaponView:
    aim = vessel.aim.get(one.name)
    marks = ("missile", "linked", "battery", "pd")
    return {
        "name": one.name,
        "left": vessel.guns[one.name],
        "range": RANGES[one.range],
        # Most weapons are of their vessel's scale, and letters are narrow.
        "scale": "" if one.scale == sheet.scale else one.scale,
        "damage": one.size if one.missile else die(one.damage),
        "marks": [mark for mark in marks if getattr(one, mark)],
        "aim": None if aim is None else aim.at,
        "steps": 0 if aim is None else aim.steps,
        "next": vessel.next.get(one.name, 0),
    }


def units(battle: Battle) -> list[UnitView]:
    """Return all active units in setup order."""
    return [
        {
            "name": name,
            "team": battle.teams[battle.sheets[name].team].name,
            "seat": battle.sheets[name].seat,
            "members": list(unit_of(battle, name)),
        }
        for name in leaders(battle)
    ]


def _pairs(battle: Battle) -> list[PairView]:
    # By units: the members of a wing are all at the same ranges (CX-35).
    led = leaders(battle)
    ones, others = ([n for n in led if battle.sheets[n].team == team] for team in (0, 1))
    found: list[PairView] = []
    for one, other in product(ones, others):
        key = pair(battle, one, other)
        distance, advantage = battle.ranges[key], battle.advantages.get(key)
        found.append(
            {
                "one": one,
                "other": other,
                "range": RANGES[band_of(battle, distance)],
                "feet": distance if battle.atmosphere else None,
                "advantage": None if advantage is None else advantage.holder,
                "steps": 0 if advantage is None else advantage.steps,
            }
        )
    return found


def _missile(battle: Battle, one: Missile) -> MissileView:
    return {
        "id": one.id,
        "by": one.by,
        "weapon": one.weapon,
        "at": one.at,
        "turns": one.turns,
        "arrives": battle.turn + one.turns,
        "outflown": one.outflown,
    }


def _site(name: str, site: Site) -> SiteView:
    wounded = site.lost * 2 // 3
    scatter = site.scatter
    return {
        "name": name,
        "kind": site.kind,
        "lp": site.lp,
        "wound": site.wound,
        "armour": site.armour,
        "population": site.population,
        "wounded": wounded,
        "killed": site.lost - wounded,
        "razed": is_razed(site),
        "scatter": None if scatter is None else scatter.direction,
        "feet": 0 if scatter is None else scatter.feet,
    }


def phase(battle: Battle) -> Phase:
    """Return who may order, and who owes orders for which units; or how the battle ended.

    Nobody may before the random obstacles are rolled.
    """
    if battle.over:
        return Phase((), {}, True, Outcome(battle.winner, battle.winner is None))
    # Random obstacles are rolled at the start, in a step without orders (CX-27).
    if not battle.ready:
        return Phase((), {}, True)
    may = {seat for seat in seats(battle) if left_to(battle, seat)}
    everyone = seats(battle)
    pieces: dict[str, VesselSheet | Spotter] = {**battle.sheets, **battle.spotters}
    return Phase(
        tuple(seat for seat in everyone if seat in may),
        by_seat(to_order(battle), lambda name: pieces[name].seat, everyone),
        True,
    )


def optional(battle: Battle, seat: Seat) -> tuple[str, ...]:
    """Return the vessels of a seat that fly in a wing of others, and may leave it (CX-35)."""
    if battle.over:
        return ()
    # No step waits for them: five members would be asked for orders that say nothing.
    followers = [name for wing in battle.wings for name in wing[1:]]
    return tuple(
        name
        for name in followers
        if battle.sheets[name].seat == seat
        and is_active(battle, name)
        and name not in battle.orders
    )
