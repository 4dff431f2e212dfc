"""Scenarios: their turns read, and the state in the replay format."""

from engine import fields
from engine.cortex.model import Battle, Close, Filing, Order, Orders, Site, Vessel
from engine.cortex.queries import band_of, everybody, is_active, pair, seat_of, wing_of
from engine.cortex.tables import MOST_IN_BATTERY, RANGES
from engine.errors import SetupError
from engine.ruleset import Entered
from engine.seats import REFEREE, Seat


def scenario_orders(battle: Battle, turns: list[object]) -> list[Entered[Filing]]:
    """Return a scenario's turns as orders that are filed, unit by unit, and turns that are closed.

    Raise SetupError that names the field. Orders keep their index over all turns.
    """
    entries: list[Entered[Filing]] = []
    index = 0
    for number, turn in enumerate(turns):
        where = f"orders[{number}]"
        if not isinstance(turn, list):
            raise SetupError(f"{where}: a list of orders is needed")
        units: dict[str, list[Order]] = {}
        for n, found in enumerate(turn):
            unit, order = _order(found, f"{where}[{n}]", index)
            units.setdefault(unit, []).append(order)
            # Counted over all turns: refusals name an order by this number.
            index += 1
        # A file lists orders one by one, but a unit's count as one letter, in the order listed.
        for unit, orders in units.items():
            indices = tuple(order.index for order in orders)
            entries.append(Entered(*_filed(battle, unit, orders), indices))
        entries.append(Entered(REFEREE, Close(), ()))
    return entries


def scenario_order(battle: Battle, entry: object, index: int) -> tuple[Seat, Filing]:
    """Return one order of a turn as all that its unit is to do; raise SetupError."""
    unit, order = _order(entry, f"orders[{index}]", index)
    return _filed(battle, unit, [order])


def _filed(battle: Battle, unit: str, orders: list[Order]) -> tuple[Seat, Orders]:
    # Orders of a unit that there is not are left to their refusal.
    return seat_of(battle, unit) or Seat(""), Orders(unit, tuple(orders), raw=True)


def _order(found: object, where: str, index: int) -> tuple[str, Order]:
    """Return the unit and the order of an entry; whatever is wrong in it is for its refusal."""
    value = fields.an_object(found, where)
    return _text(value.get("unit")) or "", Order(
        do=_text(value.get("do")) or "",
        at=_text(value.get("at")),
        to=_text(value.get("to")),
        weapon=_text(value.get("weapon")),
        guns=_guns(value.get("guns")),
        called=_text(value.get("called")),
        station=_text(value.get("station")),
        missile=_text(value.get("missile")),
        spotter=_text(value.get("spotter")),
        index=index,
    )


def _text(found: object) -> str | None:
    """Return a text, None where it is missing, and "", which nothing is called, for all else."""
    return found if found is None or isinstance(found, str) else ""


def _guns(found: object) -> int | None:
    """Return a number of guns, None where it is missing, and 0 for all that cannot be one."""
    if found is None:
        return None
    # `type`, because Python counts True as a whole number.
    return found if type(found) is int and 1 <= found <= MOST_IN_BATTERY else 0


def scenario_state(battle: Battle) -> dict[str, object]:
    """Return the state in the replay format."""
    return {
        "turn": battle.turn,
        "over": battle.over,
        "winner": battle.winner,
        "vessels": {name: _vessel(battle, name) for name in everybody(battle)},
        "pairs": _pairs(battle),
        "locks": [{"by": one.by, "weapon": one.weapon, "at": one.at} for one in battle.locks],
        "missiles": [
            {key: getattr(one, key) for key in ("id", "by", "weapon", "at", "turns", "outflown")}
            for one in battle.missiles
        ],
        "sites": {name: _site(site) for name, site in battle.sites.items()},
        "spotters": {
            name: {key: getattr(one, key) for key in ("fate", "stun", "wound", "detected")}
            for name, one in battle.spotters.items()
        },
        "obstacles": {
            name: {"size": one.size, "speed": one.speed, "vector": one.vector}
            for name, one in battle.obstacles.items()
        },
    }


def _vessel(battle: Battle, name: str) -> dict[str, object]:
    vessel: Vessel = battle.vessels[name]
    wing = wing_of(battle, name)
    return {
        "fate": vessel.fate,
        "stun": vessel.stun,
        "wound": vessel.wound,
        "speed": vessel.speed,
        "weapons": dict(vessel.guns),
        "damaged": sorted(vessel.damaged),
        "wing": None if wing is None else wing[0],
        "aim": {key: {"at": aim.at, "steps": aim.steps} for key, aim in vessel.aim.items()},
        "next": dict(vessel.next),
    }


def _pairs(battle: Battle) -> dict[str, dict[str, object]]:
    """Return the pairs of two active vessels."""
    first, second = (
        [name for name in team.vessels if is_active(battle, name)] for team in battle.teams
    )
    return {
        pair(battle, one, other): _pair(battle, pair(battle, one, other))
        for one in first
        for other in second
    }


def _pair(battle: Battle, key: str) -> dict[str, object]:
    distance, advantage = battle.ranges[key], battle.advantages.get(key)
    return {
        "range": distance if battle.atmosphere else RANGES[band_of(battle, distance)],
        "advantage": None if advantage is None else advantage.holder,
        "steps": 0 if advantage is None else advantage.steps,
    }


def _site(site: Site) -> dict[str, object]:
    # Two thirds of the casualties, rounded down; the rest are killed (CX-69).
    wounded = site.lost * 2 // 3
    scatter = site.scatter
    return {
        "wound": site.wound,
        "wounded": wounded,
        "killed": site.lost - wounded,
        "scatter": None
        if scatter is None
        else {"direction": scatter.direction, "feet": scatter.feet},
    }
