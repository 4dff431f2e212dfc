"""Which orders there are, and why an order is refused or can't be carried out."""

from collections.abc import Sequence
from typing import Final

from engine.cortex.default_targets import meant
from engine.cortex.model import HOLD, Battle, Order, Orders
from engine.cortex.queries import is_immobile, unit_of, wing_of, worst_pilot
from engine.cortex.refusal_tests import own_refusal, spot_refusal
from engine.cortex.tables import MOST_ACTIONS, PERSONAL, PLANETCRAFT, SPACECRAFT
from engine.cortex.turn_state import Deed, Doing, Turn
from engine.cortex.weapons import GUN_ORDERS
from engine.dice import Dice, ListedDice
from engine.i18n import say

REASONS = {
    "over": say("the battle is over"),
    "unknown unit": say("no such vessel or spotter is yours"),
    "unknown order": say("there is no such order"),
    "out of the battle": say("it is out of the battle"),
    "rule off": say("the rule for that is switched off in this battle"),
    "wrong station": say("nobody aboard can do that"),
    "in a wing": say("it flies in a wing, and its leader orders; it can only LEAVE"),
    "wrong scale": say("that is not for vessels of its size"),
    "immobile": say("it can't move"),
    "busy": say("that is more than it can do in one turn"),
    "bad wing": say("the wing is not one for that"),
    "bad target": say("that can't be aimed at, or is out of the battle"),
    "no equipment": say("a spotter needs a designator and an uplink that works"),
    "bad weapon": say(
        "it has no such weapon for that; FIRE is for guns, LOCK and then LAUNCH for missiles"
    ),
    "no drive": say("it needs an FTL drive that works, and so does its whole wing"),
    "out of range": say("the range is wrong for that"),
    "bad battery": say("only batteries fire several guns together, six at most"),
    "spent": say("no gun or missile is left for that"),
    "strafed": say("the target has just strafed it; only point defence can fire at it"),
    "no lock": say("LAUNCH needs a LOCK on that target first"),
    "no missile": say("no such missile is in flight, or not at this unit"),
    "not spotted": say("no spotter of yours has spotted that in this turn"),
}
"""The reason codes of refused orders, each in words."""


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
# Under the second draft these are ordinary actions, each once a turn all the same (CX-58).
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


def spotters_refusal(play: Turn, name: str, do: str) -> str | None:
    """Return why an order of a spotter is refused before its own tests are made, or None."""
    if play.battle.spotters[name].fate != "active":
        return "out of the battle"
    if _is_off(play.battle, do):
        return "rule off"
    if do != "spot":
        return "wrong station"
    # Once a turn, and nothing else (CX-70).
    return "busy" if name in play.spots else None


def vessels_refusal(play: Turn, deed: Deed) -> str | None:
    """Return why an order of a vessel is refused before its own tests are made, or None."""
    battle, name, do = play.battle, deed.unit, deed.order.do
    # In the order of the rules' table: replays list the first reason that applies.
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
    # The leader orders for the wing; all that others can do is leave (CX-35).
    if deed.members[0] != name and do != "leave":
        return "in a wing"
    if scale != PLANETCRAFT and (
        do in _BY_PLANETCRAFT or (scale == PERSONAL and do in _BY_PERSONS)
    ):
        return "wrong scale"
    if do in FLOWN and is_immobile(battle, deed.members):
        return "immobile"
    return "busy" if _is_busy(play, name, do, station) else None


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


def _is_busy(play: Turn, name: str, do: str, station: str | None) -> bool:
    doing = play.doing[name]
    # One course a turn, whether or not it came off (CX-17).
    if do in COURSES and doing.course is not None:
        return True
    if station is not None:
        # Every station but the pilot takes one action a turn (CX-15).
        return station in doing.stations
    if do in _ONCE and do in doing.given:
        return True
    if not is_pilots(play.battle, name, do):
        return False
    if doing.full or doing.actions >= MOST_ACTIONS:
        return True
    # A full-turn order must be the pilot's first action (CX-15).
    return doing.actions > 0 and is_full_turn(play.battle, do)


def is_pilots(battle: Battle, name: str, do: str) -> bool:
    """Return whether an order is an action of the pilot (CX-15)."""
    return do in _BY_PILOT or (do in GUN_ORDERS and battle.sheets[name].scale != SPACECRAFT)


def is_full_turn(battle: Battle, do: str) -> bool:
    """Return whether an order takes the pilot's whole turn (CX-15, CX-55)."""
    return do in _FULL_TURN or (do in ("evade", "press") and "crew1" in battle.options)


LASTING = frozenset(
    {"unknown order", "rule off", "wrong station", "wrong scale", "bad weapon", "bad battery"}
)
"""What no turn of the battle can change."""

_FOR_GOOD = frozenset(
    {
        "unknown order", "out of the battle", "rule off", "wrong station", "wrong scale",
        "immobile", "bad target", "bad weapon", "bad battery", "no drive", "no equipment", "spent",
    }
)  # fmt: skip
"""What no other order of the turn can change."""


_NO_DICE = ListedDice([])


class _AtFirst(dict[str, Doing]):
    """What vessels have done when a turn begins: nothing, but their crews' help counts (CX-52)."""

    def __init__(self, battle: Battle) -> None:
        super().__init__()
        self.battle = battle

    def __missing__(self, name: str) -> Doing:
        # Made when it is asked for: a letter asks about few of all vessels.
        self[name] = found = Doing(steps=dict(self.battle.vessels[name].next))
        return found


def poised(battle: Battle, dice: Dice = _NO_DICE) -> Turn:
    """Return a battle as a turn begins, to ask what can be done in it; without dice, or to try."""
    play = Turn(battle, dice)
    play.doing = _AtFirst(battle)
    play.opened = battle.ranges
    return play


def deed_of(battle: Battle, name: str, order: Order) -> Deed:
    """Return an order with the unit that carries it out now."""
    members = unit_of(battle, name)
    return Deed(name, order, members, worst_pilot(battle, members))


def hindrance(play: Turn, name: str, order: Order) -> str | None:
    """Return the code of why an order would be refused if its time were now, or None."""
    battle = play.battle
    if order.do == HOLD:
        gone = (battle.vessels.get(name) or battle.spotters[name]).fate != "active"
        return "out of the battle" if gone else None
    if order.do not in KNOWN:
        return "unknown order"
    if name in battle.spotters:
        return spotters_refusal(play, name, order.do) or spot_refusal(play, name, order.at)
    deed = deed_of(battle, name, order)
    return vessels_refusal(play, deed) or own_refusal(play, deed)


def hopeless(battle: Battle, filed: Orders) -> str | None:
    """Return the code of why none of a unit's orders can be carried out in this turn, or None.

    What other orders of the turn may still make possible counts as possible.
    """
    play, first = poised(battle), None
    named = meant(battle, filed)
    # To hold is not to have an order, so only a unit that is out cannot do it (CX-18).
    if not named.orders:
        return hindrance(play, filed.unit, Order(HOLD))
    for order in named.orders:
        reason = hindrance(play, named.unit, order)
        if reason is None or not _for_good(battle, named, order, reason):
            return None
        first = first or reason
    return first


def _for_good(battle: Battle, filed: Orders, order: Order, reason: str) -> bool:
    do = order.do
    if reason in _FOR_GOOD or (reason == "out of range" and do == "bombard"):
        return True
    if reason == "no lock":
        # The lock may be made by an earlier order of the same letter.
        return not _gives(filed.orders, "lock")
    if reason == "no missile":
        known = str(order.missile)
        # A number that is still to come may be launched in this turn.
        return not known[1:].isdigit() or int(known[1:]) <= battle.launched
    if reason in ("in a wing", "bad wing"):
        if reason == "bad wing" and do == "join" and wing_of(battle, filed.unit) is None:
            return False
        return not _gives(filed.orders, "leave")
    return False


def _gives(orders: Sequence[Order], do: str) -> bool:
    return any(order.do == do for order in orders)
