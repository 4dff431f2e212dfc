"""Which orders there are, and what every order is tested for before its own tests."""

from typing import Final

from engine.cortex.guns import GUN_ORDERS
from engine.cortex.model import Battle, Order
from engine.cortex.tables import MOST_ACTIONS, PERSONAL, PLANETCRAFT, SPACECRAFT
from engine.cortex.telling import Deed, Telling
from engine.cortex.units import is_immobile

# CX-17: when orders are carried out. Each vessel's preparations come together, then those of the
# next vessel; all else is for all vessels at a time.
_MOMENTS: Final = (
    ("surrender", "check_fire", "shield"),
    ("assist",),
    ("forward",),
    ("sense",),
    ("plot",),
    ("defend", "evade", "press", "jump"),
    ("spot",),
    ("leave",),
    ("join",),
    ("withdraw",),
    ("close", "open"),
    ("ram", "strafe"),
    (*GUN_ORDERS, "outfly", "trick"),
)
KNOWN: Final = {do: moment for moment, orders in enumerate(_MOMENTS) for do in orders}
SPOT: Final = KNOWN["spot"]
WING_FLIGHT: Final = range(KNOWN["leave"], KNOWN["ram"])
NEAR_FLIGHT: Final = KNOWN["ram"]
ACTIONS: Final = len(_MOMENTS) - 1

COURSES: Final = frozenset({"join", "withdraw", "close", "open", "ram", "strafe"})
FLOWN: Final = COURSES | {"defend", "evade", "press", "outfly", "trick"}

_BY_PERSONS: Final = (FLOWN - {"defend"}) | {"jump", "leave", "shield"}
_BY_PLANETCRAFT: Final = frozenset({"strafe", "join", "leave", "shield"})
_BY_PILOT: Final = frozenset({"defend", "evade", "press", "jump", "outfly", "trick"})
_ONCE: Final = frozenset({"defend", "evade", "press"})
_FULL_TURN: Final = frozenset({"jump", "outfly", "trick"})
_STATIONS: Final = {"forward": "comms", "sense": "sensors", "plot": "tactical"}
COMMANDING: Final = ("commander", "executive")

_RULES: Final = {
    "check_fire": ("point_defence",),
    **dict.fromkeys(("shield", "leave", "join"), ("wings",)),
    "ram": ("collisions",),
    "strafe": ("strafing",),
    **dict.fromkeys(("lock", "launch", "intercept", "outfly", "trick"), ("missiles",)),
    "bombard": ("bombardment",),
    "spot": ("spotters",),
    **dict.fromkeys(("forward", "sense"), ("crew1",)),
    "plot": ("crew2",),
    **dict.fromkeys(("assist", "evade", "press"), ("crew1", "crew2")),
}
"""The options of which one must be in force."""


def spotters_refusal(telling: Telling, name: str, do: str) -> str | None:
    """Return why an order of a spotter is refused before its own tests are made, or None."""
    if telling.battle.spotters[name].fate != "active":
        return "out of the battle"
    if _is_off(telling.battle, do):
        return "rule off"
    if do != "spot":
        return "wrong station"
    return "busy" if name in telling.spots else None


def vessels_refusal(telling: Telling, deed: Deed) -> str | None:
    """Return why an order of a vessel is refused before its own tests are made, or None."""
    battle, name, do = telling.battle, deed.unit, deed.order.do
    if battle.vessels[name].fate != "active":
        return "out of the battle"
    scale = battle.sheets[name].scale
    # Under the second draft a spacecraft evades or presses, and no more (CX-58).
    barred = do == "defend" and scale == SPACECRAFT and "crew2" in battle.options
    if barred or _is_off(battle, do):
        return "rule off"
    station = station_of(deed.order)
    if do == "spot" or (station is not None and not _is_manned(battle, deed, station)):
        return "wrong station"
    if deed.members[0] != name and do != "leave":
        return "in a wing"
    if scale != PLANETCRAFT and (
        do in _BY_PLANETCRAFT or (scale == PERSONAL and do in _BY_PERSONS)
    ):
        return "wrong scale"
    if do in FLOWN and is_immobile(battle, deed.members):
        return "immobile"
    return "busy" if _is_busy(telling, name, do, station) else None


def _is_off(battle: Battle, do: str) -> bool:
    rules = _RULES.get(do)
    return rules is not None and battle.options.isdisjoint(rules)


def station_of(order: Order) -> str | None:
    """Return the station whose action an order is, None for the pilot and the gunners."""
    if order.do == "assist":
        return COMMANDING[0] if order.station is None else order.station
    return _STATIONS.get(order.do)


def _is_manned(battle: Battle, deed: Deed, station: str) -> bool:
    if deed.order.do == "assist" and station not in COMMANDING:
        return False
    return station in battle.sheets[deed.unit].crew


def _is_busy(telling: Telling, name: str, do: str, station: str | None) -> bool:
    doing = telling.doing[name]
    if do in COURSES and doing.course is not None:
        return True
    if station is not None:
        return station in doing.stations
    if do in _ONCE and do in doing.given:
        return True
    if not is_pilots(telling.battle, name, do):
        return False
    if doing.full or doing.actions >= MOST_ACTIONS:
        return True
    return doing.actions > 0 and is_full_turn(telling.battle, do)


def is_pilots(battle: Battle, name: str, do: str) -> bool:
    """Return whether an order is an action of the pilot (CX-15)."""
    return do in _BY_PILOT or (do in GUN_ORDERS and battle.sheets[name].scale != SPACECRAFT)


def is_full_turn(battle: Battle, do: str) -> bool:
    """Return whether an order takes the pilot's whole turn (CX-15, CX-55)."""
    return do in _FULL_TURN or (do in ("evade", "press") and "crew1" in battle.options)
