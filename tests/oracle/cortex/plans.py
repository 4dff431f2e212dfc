"""Random orders for a battle of Cortex, most of which can be carried out."""

from __future__ import annotations

import copy
from random import Random

from tests.oracle.cortex.figures import Json
from tests.oracle.cortex.fleet import fresh_turn, unit_of, worst
from tests.oracle.cortex.legal import ORDERS
from tests.oracle.naive_cortex import Battle

WEIGHTS = {
    "surrender": 0.1, "check_fire": 1, "shield": 2, "assist": 3, "forward": 2, "sense": 3,
    "plot": 3, "defend": 3, "evade": 3, "press": 3, "jump": 0.4, "leave": 0.8, "join": 5,
    "withdraw": 0.5, "close": 5, "open": 2, "ram": 2, "strafe": 4, "fire": 14, "aim": 3,
    "lock": 7, "launch": 9, "intercept": 5, "bombard": 6, "outfly": 4, "trick": 6,
}  # fmt: skip
ODD = (None, True, 0, -1, 7, 1.0, "", " ", "x", "M1", "pilot", "guns", [], ["Lance"], {}, "rock")
STATION_ORDERS = ("assist", "forward", "sense", "plot", "evade", "press")
CALLED = (None, None, None, None, "sensors", "engines", "weapon", "weapon")


class Planner:
    """Writes the orders of one turn after the other."""

    def __init__(self, rng: Random, battle: Battle) -> None:
        """Choose how careful the players are, and what they like to do."""
        self.rng = rng
        self.battle = battle
        self.noise = rng.choice((0.0, 0.0, 0.03, 0.1, 0.3))
        self.careful = rng.choice((0.8, 0.97, 1.0, 1.0))
        self.diligence = rng.choice((0.6, 0.9, 0.95))
        self.likes = {
            do: weight * rng.choice((0.1, 0.5, 1, 1, 4)) for do, weight in WEIGHTS.items()
        }
        self.sociable = rng.choice((0.5, 1, 5))
        self.marks: dict[str, list[tuple[str, str]]] = {}  # what spotters of a team spot now

    def turn(self) -> list[Json]:
        """Orders for most units, in any order."""
        orders: list[Json] = []
        self.marks = {}
        for vessel in self.battle.vessels.values():
            vessel.update(fresh_turn())  # so that last turn's actions keep nobody busy
        for spotter in self.battle.spotters.values():
            if spotter["fate"] == "active" and self.rng.random() < 0.7:
                orders += [self.spot(spotter) for _ in range(self.rng.choice((1, 1, 1, 1, 2)))]
        for vessel in self.battle.vessels.values():
            if vessel["fate"] == "active" and self.rng.random() < self.diligence:
                orders += self.orders_of(vessel)
        for _ in range(len(self.battle.vessels)):
            if self.rng.random() < self.noise:
                orders.append(self.odd_order())
        if self.rng.random() < 0.5:
            self.rng.shuffle(orders)
        return orders

    def spot(self, spotter: Json) -> Json:
        """Mostly at something that can be spotted."""
        marks = [name for name in self.all_marks() if self.battle.mark(spotter, name)]
        at = self.rng.choice(marks or ["port"])
        self.marks.setdefault(spotter["team"], []).append((spotter["name"], at))
        return {"unit": spotter["name"], "do": "spot", "at": at}

    def all_marks(self) -> list[str]:
        """Sites and spotters."""
        return [*self.battle.sites, *self.battle.spotters]

    def orders_of(self, vessel: Json) -> list[Json]:
        """Some orders for one vessel."""
        wing = unit_of(vessel)
        if wing[0] is not vessel:
            # Another than the leader can only leave, and then order for itself; or it may lead
            # before the turn is over.
            chance = self.rng.random()
            if chance > 0.25:
                return []
            dos = self.rng.choices(list(self.likes), list(self.likes.values()), k=3)
            leave = [{"unit": vessel["name"], "do": "leave"}] if chance < 0.12 else []
            return leave + [self.order(vessel, do) for do in dos]
        names = [member["name"] for member in wing]
        hunted = any(missile["at"] in names for missile in self.battle.missiles)
        if hunted and self.rng.random() < 0.7:
            return self.dodge(vessel)
        return self.some(vessel, self.rng.choice((1, 2, 3, 3, 4, 5, 7)), self.wishes(vessel))

    def dodge(self, vessel: Json) -> list[Json]:
        """Something against a missile, and often nearer to the enemy that is to draw it."""
        orders = self.some(vessel, 1, {"outfly": 1.0, "trick": 2.0})
        if orders and orders[0].get("at") in [*self.battle.vessels] and self.rng.random() < 0.5:
            orders.append({"unit": vessel["name"], "do": "close", "at": orders[0]["at"]})
        else:
            orders += self.some(vessel, 1, dict.fromkeys(("close", "open", "ram"), 1.0))
        return [*orders, *self.some(vessel, self.rng.choice((0, 0, 1)), self.likes)]

    def some(self, vessel: Json, count: int, likes: dict[str, float]) -> list[Json]:
        """So many orders, of which most can be carried out as things stand."""
        found: list[Json] = []
        for _ in range(count):
            for _ in range(6):
                do = self.rng.choices(list(likes), list(likes.values()))[0]
                order = self.order(vessel, do)
                if self.rng.random() < self.noise / 3:
                    order[self.rng.choice(list(order))] = copy.deepcopy(self.rng.choice(ODD))
                    break
                reason = self.battle.refusal(vessel, order)
                if reason is None or self.rng.random() > self.careful:
                    break
            else:
                continue
            found.append(order)
            if order["do"] == "lock" and self.rng.random() < 0.6:
                found.append({**order, "do": "launch"})
        return found

    def wishes(self, vessel: Json) -> dict[str, float]:
        """What it may like to do now, and how much."""
        likes = dict(self.likes)
        style = self.rng.choice(("any", "any", "shoot", "shoot", "crew"))
        for do in likes:
            if self.battle.is_off(vessel, do):
                likes[do] *= 0.02
            if style == "shoot" and do in ("defend", "evade", "press", "jump"):
                likes[do] *= 0.1
            if style == "crew" and do in STATION_ORDERS:
                likes[do] *= 4
        ship = worst(unit_of(vessel))
        if self.battle.missiles:
            likes["intercept"] *= 4
        if any(lock["by"] == ship["name"] for lock in self.battle.locks):
            likes["launch"] *= 6
        if vessel["wing"] is None:
            likes["join"] *= self.sociable
        else:
            likes["shield"] *= 6
        if any(spotter["detected"] for spotter in self.battle.spotters.values()):
            likes["bombard"] *= 5
        return likes

    def odd_order(self) -> Json:
        """An order that is likely to be refused."""
        bodies = [*self.battle.vessels.values(), *self.battle.spotters.values()]
        body = self.rng.choice(bodies)
        do = self.rng.choice(ORDERS)
        if body["name"] in self.battle.spotters:
            order = {"unit": body["name"], "do": do, "at": self.rng.choice(self.all_marks())}
        elif do == "spot":
            order = {"unit": body["name"], "do": do, "at": "port"}
        else:
            order = self.order(body, do)
        chance = self.rng.random()
        if chance < 0.3:
            order[self.rng.choice(list(order))] = copy.deepcopy(self.rng.choice(ODD))
        elif chance < 0.4:
            del order[self.rng.choice(list(order))]
        return order

    # ---- one order -----------------------------------------------------------------------

    def order(self, vessel: Json, do: str) -> Json:
        """An order of this kind with the keys that it needs."""
        order: Json = {"unit": vessel["name"], "do": do}
        filled = getattr(self, f"fill_{do}", None)
        if filled is not None:
            order |= filled(vessel, worst(unit_of(vessel)))
        if self.rng.random() < 0.01:
            order["note"] = self.rng.choice(("x", None, 3))
        return order

    def enemy(self, vessel: Json, near: bool = False) -> str:
        """An enemy, active if there is one, by choice at skirmish range."""
        enemies = self.battle.enemies(vessel)
        at_hand = [one for one in enemies if self.battle.band(vessel, one) == 0]
        chosen = (at_hand if near else []) or enemies
        if not chosen or self.rng.random() < 0.02:
            chosen = list(self.battle.vessels.values())
        return str(self.rng.choice(chosen)["name"])

    def weapon(self, ship: Json, missile: bool, pd: bool = True) -> str:
        """A weapon of this kind, if there is one."""
        fit = [
            name
            for name, weapon in ship["weapons"].items()
            if weapon["missile"] == missile and (pd or not weapon["pd"])
        ]
        return self.rng.choice(fit or list(ship["weapons"]) or ["cannon"])

    def guns(self, ship: Json, weapon: str) -> Json:
        """How many guns, where that can be said."""
        known = ship["weapons"].get(weapon)
        chance = self.rng.random()
        if known is not None and known["battery"] and chance < 0.5:
            return {"guns": self.rng.choice((1, 1, 2, 3, 4, 5, 6, 6, 7))}
        if chance < 0.06:
            return {"guns": self.rng.choice((1, 1, 2, 0, None, "1", True, 1.0))}
        return {}

    def fill_shield(self, vessel: Json, _ship: Json) -> Json:
        """A member of the wing."""
        return {"at": self.rng.choice(unit_of(vessel))["name"]}

    def fill_join(self, vessel: Json, _ship: Json) -> Json:
        """A friend of its kind."""
        friends = self.battle.active(vessel["team"])
        alike = [one for one in friends if one["scale"] == "planetcraft" and one is not vessel]
        return {"at": self.rng.choice(alike or [vessel])["name"]}

    def fill_close(self, vessel: Json, _ship: Json) -> Json:
        """Any enemy."""
        return {"at": self.enemy(vessel)}

    def fill_ram(self, vessel: Json, _ship: Json) -> Json:
        """An enemy that is near."""
        return {"at": self.enemy(vessel, near=True)}

    fill_strafe = fill_ram

    def fill_assist(self, vessel: Json, ship: Json) -> Json:
        """Somebody who can be helped, of the own ship or another."""
        battle, order = self.battle, {}
        if self.rng.random() < 0.7:
            order["station"] = self.rng.choice(("commander", "executive", "executive", None))
        at = ship
        if self.rng.random() < 0.4:
            at = self.rng.choice(battle.active(vessel["team"]) or [vessel])
            order["at"] = at["name"]
            if self.rng.random() < 0.05:
                order["at"] = self.rng.choice(list(battle.vessels))
        whom = ["pilot", "pilot", "sensors", "comms", *at["weapons"]]
        if battle.rule("crew2"):
            whom = ["pilot", "guns"]
        order["to"] = self.rng.choice(whom)
        if self.rng.random() < 0.03:
            order["to"] = self.rng.choice(("guns", "commander", "tactical", "pilot", None))
        return order

    def fill_sense(self, _vessel: Json, ship: Json) -> Json:
        """The pilot, or a weapon."""
        if self.rng.random() < 0.05:
            return {"to": self.rng.choice(("guns", "comms", None))}
        return {"to": self.rng.choice(["pilot", *ship["weapons"]])}

    def fill_press(self, _vessel: Json, ship: Json) -> Json:
        """A weapon, which only the first draft reads."""
        if self.rng.random() < 0.1:
            return {}
        return {"weapon": self.rng.choice(list(ship["weapons"]) or ["cannon"])}

    def fill_fire(self, vessel: Json, ship: Json) -> Json:
        """At an enemy; missiles too, where they are fired like guns."""
        missile = not self.battle.rule("missiles") and self.rng.random() < 0.4
        weapon = self.weapon(ship, missile)
        order: Json = {"weapon": weapon, "at": self.enemy(vessel), **self.guns(ship, weapon)}
        aim = ship["aim"].get(weapon)
        if aim is not None and self.rng.random() < 0.6:
            order["at"] = aim["at"]
        called = self.rng.choice(CALLED)
        if called is not None or self.rng.random() < 0.1:
            order["called"] = called
        if self.rng.random() < 0.02:
            order["called"] = self.rng.choice(("pilot", "", 3, [], {}))
        return order

    def fill_aim(self, vessel: Json, ship: Json) -> Json:
        """At an enemy, often the one that is aimed at already."""
        weapon = self.weapon(ship, missile=False)
        aim = ship["aim"].get(weapon)
        same = aim is not None and self.rng.random() < 0.6
        return {"weapon": weapon, "at": aim["at"] if same else self.enemy(vessel)}

    def fill_lock(self, vessel: Json, ship: Json) -> Json:
        """At an enemy."""
        weapon = self.weapon(ship, missile=True)
        return {"weapon": weapon, "at": self.enemy(vessel), **self.guns(ship, weapon)}

    def fill_launch(self, vessel: Json, ship: Json) -> Json:
        """Where there is a lock."""
        own = [lock for lock in self.battle.locks if lock["by"] == ship["name"]]
        if not own or self.rng.random() < 0.1:
            return self.fill_lock(vessel, ship)
        lock = self.rng.choice(own)
        return {"weapon": lock["weapon"], "at": lock["at"], **self.guns(ship, lock["weapon"])}

    def missile(self, unit: list[Json] | None = None) -> str:
        """One in flight, at this unit if one is asked for."""
        names = None if unit is None else [vessel["name"] for vessel in unit]
        flying = [one["id"] for one in self.battle.missiles if names is None or one["at"] in names]
        return self.rng.choice(flying or ["M1", "M2"])

    def fill_intercept(self, _vessel: Json, ship: Json) -> Json:
        """Any missile."""
        weapon = self.weapon(ship, missile=False)
        return {"weapon": weapon, "missile": self.missile(), **self.guns(ship, weapon)}

    def fill_outfly(self, vessel: Json, _ship: Json) -> Json:
        """A missile at this unit."""
        return {"missile": self.missile(unit_of(vessel))}

    def fill_trick(self, vessel: Json, _ship: Json) -> Json:
        """Around an enemy or an obstacle."""
        at = self.enemy(vessel, near=True)
        if self.battle.obstacles and self.rng.random() < 0.5:
            at = self.rng.choice(list(self.battle.obstacles))
        return {"missile": self.missile(unit_of(vessel)), "at": at}

    def fill_bombard(self, vessel: Json, ship: Json) -> Json:
        """At a mark, often one that a spotter of the team spots this turn."""
        weapon = self.weapon(ship, missile=self.rng.random() < 0.4, pd=False)
        marks = [name for name in self.all_marks() if self.battle.mark(vessel, name)]
        order: Json = {"weapon": weapon, "at": self.rng.choice(marks or ["port"])}
        order |= self.guns(ship, weapon)
        spotted = self.marks.get(vessel["team"], [])
        if spotted and self.rng.random() < 0.6:
            order["spotter"], at = self.rng.choice(spotted)
            if self.rng.random() < 0.9:
                order["at"] = at
        elif self.rng.random() < 0.1:
            order["spotter"] = self.rng.choice((None, *self.battle.spotters, 3, []))
        return order
