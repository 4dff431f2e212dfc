"""Which orders there are, and what every order is tested for before its own tests."""

from typing import Final

from engine.cortex.guns import GUN_ORDERS
from engine.cortex.model import Battle, Order
from engine.cortex.tables import MOST_ACTIONS, PERSONAL, PLANETCRAFT, SPACECRAFT
from engine.cortex.telling import Telling
from engine.cortex.units import is_immobile, unit_of, wing_of

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


def general_refusal(telling: Telling, name: str, order: Order) -> str | None:
    """Return why an order is refused before its own tests are made, or None."""
    battle, do = telling.battle, order.do
    spotter = battle.spotters.get(name)
    fate = battle.vessels[name].fate if spotter is None else spotter.fate
    if fate != "active":
        return "out of the battle"
    if _is_off(battle, name, do):
        return "rule off"
    if (spotter is None) == (do == "spot"):
        return "wrong station"
    if spotter is not None:
        return "busy" if name in telling.spots else None
    return _vessel_refusal(telling, name, order)


def _is_off(battle: Battle, name: str, do: str) -> bool:
    if do == "defend":
        sheet = battle.sheets.get(name)
        # Under the second draft a spacecraft evades or presses, and no more (CX-58).
        return sheet is not None and sheet.scale == SPACECRAFT and "crew2" in battle.options
    rules = _RULES.get(do)
    return rules is not None and battle.options.isdisjoint(rules)


def _vessel_refusal(telling: Telling, name: str, order: Order) -> str | None:
    battle, do = telling.battle, order.do
    station = station_of(order)
    if station is not None and not _is_manned(battle, name, order, station):
        return "wrong station"
    wing = wing_of(battle, name)
    if wing is not None and wing[0] != name and do != "leave":
        return "in a wing"
    scale = battle.sheets[name].scale
    if scale != PLANETCRAFT and do in _BY_PLANETCRAFT:
        return "wrong scale"
    if scale == PERSONAL and do in _BY_PERSONS:
        return "wrong scale"
    if do in FLOWN and is_immobile(battle, unit_of(battle, name)):
        return "immobile"
    return "busy" if _is_busy(telling, name, do, station) else None


def station_of(order: Order) -> str | None:
    """Return the station whose action an order is, None for the pilot and the gunners."""
    if order.do == "assist":
        return COMMANDING[0] if order.station is None else order.station
    return _STATIONS.get(order.do)


def _is_manned(battle: Battle, name: str, order: Order, station: str) -> bool:
    if order.do == "assist" and station not in COMMANDING:
        return False
    return station in battle.sheets[name].crew


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
