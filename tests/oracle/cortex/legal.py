"""Why an order of Cortex is refused, naively: the table of the Scenario section."""

from __future__ import annotations

from typing import Any

from tests.oracle.cortex.bombardment import Bombardment
from tests.oracle.cortex.figures import INCREMENTS, STATIONS, Json, begun
from tests.oracle.cortex.fleet import immobile, unit_of, worst

STAGES = (  # CX-17: the orders of each stage, in groups
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
    ("fire", "aim", "lock", "launch", "intercept", "bombard", "outfly", "trick"),
)
ORDERS = [do for stage in STAGES for do in stage]
GUN_ORDERS = ("fire", "aim", "lock", "launch", "intercept", "bombard")
COURSES = ("join", "withdraw", "close", "open", "ram", "strafe")
FLOWN = ("defend", "evade", "press", *COURSES, "outfly", "trick")
FREED = ("surrender", "check_fire", "shield", "leave")
OF_RULE = {
    **dict.fromkeys(("check_fire",), ("point_defence",)),
    **dict.fromkeys(("shield", "leave", "join"), ("wings",)),
    "ram": ("collisions",),
    "strafe": ("strafing",),
    **dict.fromkeys(("lock", "launch", "intercept", "outfly", "trick"), ("missiles",)),
    "bombard": ("bombardment",),
    "spot": ("spotters",),
    "plot": ("crew2",),
    **dict.fromkeys(("forward", "sense"), ("crew1",)),
    **dict.fromkeys(("assist", "evade", "press"), ("crew1", "crew2")),
}
STATION_OF = {"forward": "comms", "sense": "sensors", "plot": "tactical"}


class Legal(Bombardment):
    """A fleet whose orders are looked at before they are carried out."""

    def refusal(self, body: Json, order: Json) -> str | None:
        """The first reason; the first three were looked for when the turn was closed."""
        do = order["do"]
        if body["fate"] != "active":
            return "out of the battle"
        if self.is_off(body, do):
            return "rule off"
        if self.at_wrong_station(body, order):
            return "wrong station"
        if do == "spot":
            return self.refusal_of_spot(body, order)
        unit = unit_of(body)
        if unit[0] is not body and do != "leave":
            return "in a wing"
        if wrong_scale(body, do):
            return "wrong scale"
        if do in FLOWN and immobile(unit):
            return "immobile"
        if self.is_busy(body, order):
            return "busy"
        if do in GUN_ORDERS:
            return self.refusal_of_guns(body, order)
        specific = getattr(self, f"refusal_of_{do}", None)
        reason: str | None = None if specific is None else specific(body, order)
        return reason

    def is_off(self, body: Json, do: str) -> bool:
        """CX-1, and CX-58 for `defend`."""
        if do == "defend":
            return body["scale"] == "spacecraft" and self.rule("crew2")
        return do in OF_RULE and not any(self.rule(option) for option in OF_RULE[do])

    def at_wrong_station(self, body: Json, order: Json) -> bool:
        """Spotters and vessels, and the stations of CX-51."""
        if (order["do"] == "spot") != (body["name"] in self.spotters):
            return True
        station = STATION_OF.get(order["do"])
        if order["do"] == "assist":
            station = "commander" if order.get("station") is None else order["station"]
            if station not in ("commander", "executive"):
                return True
        return station is not None and station not in body["crew"]

    def is_busy(self, body: Json, order: Json) -> bool:
        """CX-15 and CX-17."""
        do = order["do"]
        if do in FREED:
            return False
        if do in COURSES:
            return body["course"] is not None
        if do == "assist" or do in STATION_OF:
            station = STATION_OF.get(do) or order.get("station") or "commander"
            return station in body["stations"]
        if do in GUN_ORDERS and body["scale"] == "spacecraft":
            return False
        full = do in ("jump", "outfly", "trick")
        full |= self.rule("crew1") and do in ("evade", "press")
        if body["full"] or body["actions"] >= 3 or (full and body["actions"] > 0):
            return True
        return do in body["given"]

    # ---- each order's own ----------------------------------------------------------------

    def refusal_of_spot(self, spotter: Json, order: Json) -> str | None:
        """CX-70."""
        if spotter["spotted"] is not None:
            return "busy"
        if self.mark(spotter, order.get("at")) is None:
            return "bad target"
        linked = spotter["uplink"] == "transceiver"
        linked |= spotter["uplink"] == "handset" and self.good_conditions
        return None if linked and spotter["designator"] else "no equipment"

    def refusal_of_shield(self, vessel: Json, order: Json) -> str | None:
        """In a wing, for a member of it."""
        names = [member["name"] for member in unit_of(vessel)]
        return "bad wing" if vessel["wing"] is None or order.get("at") not in names else None

    def refusal_of_leave(self, vessel: Json, _order: Json) -> str | None:
        """Only out of a wing."""
        return "bad wing" if vessel["wing"] is None else None

    def refusal_of_assist(self, vessel: Json, order: Json) -> str | None:
        """CX-52 and CX-57."""
        to = order.get("to")
        if self.rule("crew2"):
            return None if to in ("pilot", "guns") else "bad target"
        friends = [friend["name"] for friend in self.active(vessel["team"])]
        if order.get("at") is not None and order["at"] not in friends:
            return "bad target"
        if not isinstance(to, str):
            return "bad target"
        at, _ = self.helped(vessel, order)
        if to in STATIONS:
            manned = to in ("pilot", "sensors", "comms") and to in at["crew"]
            return None if manned else "bad target"
        return None if to in at["weapons"] else "bad target"

    def refusal_of_sense(self, vessel: Json, order: Json) -> str | None:
        """CX-54."""
        if order.get("to") == "pilot" or self.weapon(vessel, order.get("to")) is not None:
            return None
        return "bad target"

    def refusal_of_press(self, vessel: Json, order: Json) -> str | None:
        """CX-55; the second draft reads no weapon."""
        missing = self.weapon(vessel, order.get("weapon")) is None
        return "bad weapon" if self.rule("crew1") and missing else None

    def refusal_of_jump(self, vessel: Json, _order: Json) -> str | None:
        """CX-21."""
        return None if all(has_drive(member) for member in unit_of(vessel)) else "no drive"

    def refusal_of_withdraw(self, vessel: Json, _order: Json) -> str | None:
        """CX-21."""
        unit, enemies = unit_of(vessel), self.enemies(vessel)
        far = all(self.band(member, enemy) == 3 for member in unit for enemy in enemies)
        return None if far else "out of range"

    def refusal_of_join(self, vessel: Json, order: Json) -> str | None:
        """CX-35."""
        if vessel["wing"] is not None:
            return "bad wing"
        friend = next(
            (one for one in self.active(vessel["team"]) if one["name"] == order.get("at")), None
        )
        if friend is None or friend is vessel or friend["scale"] != "planetcraft":
            return "bad target"
        if immobile(unit_of(friend)):
            return "bad target"
        if len(unit_of(friend)) >= 6:
            return "bad wing"
        enemies = self.enemies(vessel)
        near = all(self.band(vessel, enemy) == self.band(friend, enemy) for enemy in enemies)
        return None if near else "out of range"

    def refusal_of_close(self, vessel: Json, order: Json) -> str | None:
        """CX-20."""
        return "bad target" if self.enemy(vessel, order.get("at")) is None else None

    def refusal_of_ram(self, vessel: Json, order: Json) -> str | None:
        """CX-30."""
        enemy = self.enemy(vessel, order.get("at"))
        if enemy is None or enemy["scale"] == "personal":
            return "bad target"
        return None if self.band(worst(unit_of(vessel)), enemy) == 0 else "out of range"

    def refusal_of_strafe(self, vessel: Json, order: Json) -> str | None:
        """CX-31."""
        enemy = self.enemy(vessel, order.get("at"))
        if enemy is None or enemy["scale"] == "personal":
            return "bad target"
        if enemy["scale"] == "planetcraft" and not enemy["fixed"]:
            return "bad target"
        return None if self.band(worst(unit_of(vessel)), enemy) == 0 else "out of range"

    def refusal_of_outfly(self, vessel: Json, order: Json) -> str | None:
        """CX-44: a missile at this unit."""
        names = [member["name"] for member in unit_of(vessel)]
        at = [missile["id"] for missile in self.missiles if missile["at"] in names]
        return None if order.get("missile") in at else "no missile"

    def refusal_of_trick(self, vessel: Json, order: Json) -> str | None:
        """CX-45."""
        if self.refusal_of_outfly(vessel, order) is not None:
            return "no missile"
        at = order.get("at")
        if isinstance(at, str) and at in self.obstacles:
            return None
        return self.refusal_of_ram(vessel, order)

    # ---- gun orders ----------------------------------------------------------------------

    def weapon(self, vessel: Json, name: Any) -> Json | None:
        """CX-36: a weapon of the worst pilot's vessel."""
        weapons: dict[str, Json] = worst(unit_of(vessel))["weapons"]
        return weapons.get(name) if isinstance(name, str) else None

    def refusal_of_guns(self, vessel: Json, order: Json) -> str | None:
        """In the order of the table."""
        do, ship = order["do"], worst(unit_of(vessel))
        weapon = self.weapon(vessel, order.get("weapon"))
        if weapon is None or self.is_bad_weapon(do, weapon):
            return "bad weapon"
        if do != "aim" and not self.fits(weapon, order.get("guns")):
            return "bad battery"
        if self.is_spent(ship, weapon, order):
            return "spent"
        if do == "bombard":
            return self.refusal_of_bombard(vessel, weapon, order)
        if do == "intercept":
            return self.refusal_of_intercept(weapon, order)
        enemy = self.enemy(vessel, order.get("at"))
        if enemy is None:
            return "bad target"
        if do == "fire":
            return self.refusal_of_fire(ship, weapon, enemy, order)
        if do == "lock":
            near = self.band(ship, enemy) == 0
            return "out of range" if near or not self.reaches(ship, enemy, weapon) else None
        if do == "launch":
            lock = {"by": ship["name"], "weapon": weapon["name"], "at": enemy["name"]}
            return None if lock in self.locks else "no lock"
        return None

    def is_bad_weapon(self, do: str, weapon: Json) -> bool:
        """Missiles are locked, launched and bombard, or are fired (CX-1); and CX-49, CX-67."""
        if do in ("lock", "launch"):
            return not weapon["missile"]
        if do == "bombard":
            return bool(weapon["pd"]) or weapon["scale"] == "personal"
        return bool(weapon["missile"]) and (do != "fire" or self.rule("missiles"))

    def fits(self, weapon: Json, guns: Any) -> bool:
        """`bad battery`."""
        if guns is None:
            return True
        most = 6 if self.fires_as_battery(weapon) else 1
        return type(guns) is int and 1 <= guns <= most

    def is_spent(self, ship: Json, weapon: Json, order: Json) -> bool:
        """CX-16."""
        used, left = ship["used"].get(weapon["name"], 0), weapon["left"]
        if order["do"] == "lock":
            return bool(ship["locks"].get(weapon["name"], 0) >= left)
        if weapon["missile"]:
            return bool(left == 0)
        if order["do"] == "aim":
            return bool(left == 0 or used > 0)
        asked = self.guns_asked(ship, weapon, order.get("guns"))
        return asked < 1 or used + asked > left

    def refusal_of_fire(self, ship: Json, weapon: Json, enemy: Json, order: Json) -> str | None:
        """CX-6, CX-14, CX-32."""
        if order.get("called") not in (None, "sensors", "engines", "weapon"):
            return "bad target"
        if not self.reaches(ship, enemy, weapon):
            return "out of range"
        strafed = enemy["name"] in ship["strafed_by"] and not weapon["pd"]
        return "strafed" if strafed else None

    def refusal_of_intercept(self, weapon: Json, order: Json) -> str | None:
        """CX-43."""
        for missile in self.missiles:
            if missile["id"] == order.get("missile"):
                return "out of range" if weapon["pd"] and missile["turns"] != 1 else None
        return "no missile"

    def refusal_of_bombard(self, vessel: Json, weapon: Json, order: Json) -> str | None:
        """CX-67 and CX-71."""
        mark, altitude = self.mark(vessel, order.get("at")), worst(unit_of(vessel))["altitude"]
        if mark is None:
            return "bad target"
        if altitude is None or begun(altitude, INCREMENTS[weapon["range"]]) > 10:
            return "out of range"
        name = order.get("spotter")
        if name is None:
            return None
        eye = self.spotters.get(name) if isinstance(name, str) else None
        if eye is None or eye["team"] != vessel["team"] or eye["fate"] != "active":
            return "not spotted"
        return None if eye["spotted"] == mark["name"] else "not spotted"


def wrong_scale(vessel: Json, do: str) -> bool:
    """What persons cannot fly, and what only planetcraft do."""
    if do in ("strafe", "join", "leave", "shield"):
        return bool(vessel["scale"] != "planetcraft")
    not_by_persons = do == "jump" or (do in FLOWN and do != "defend")
    return bool(vessel["scale"] == "personal" and not_by_persons)


def has_drive(vessel: Json) -> bool:
    """A working FTL drive."""
    return bool(vessel["ftl"] and "ftl" not in vessel["damaged"])
