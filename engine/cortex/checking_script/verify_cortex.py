"""Check a Cortex battle, each line by the rules CX-1 to CX-72, without trusting its referee.

What only you can check: that the commitment, your own words, your orders, the vessels and the
rolls are those of your letters. The file says them all; docs/player.md says where each stands.

The file has four parts: names in orders, the protocol of the dice, what the rules say in figures,
and a battle as the rules move it. It needs nothing but Python 3.8 or later.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, namedtuple
from collections.abc import Iterator
from typing import Any

from engine.checking_script.names import Names
from engine.checking_script.protocol import Dice, Rules, main, need

# ---- what the rules say in figures -------------------------------------------------------------

OPTIONS = set(  # CX-1: those in force where a set-up does not say
    """
    dogfighting collisions strafing battle_damage wings batteries missiles point_defence linked
    crew2 scales atmosphere bombardment spotters
    """.split()
)
EASY, AVERAGE, HARD, FORMIDABLE, HEROIC = 3, 7, 11, 15, 19  # CX-4
SCALES = PERSONAL, PLANETCRAFT, SPACECRAFT = ("personal", "planetcraft", "spacecraft")  # CX-5
RANGES = ("skirmish", "capital", "short", "long")  # CX-6
SKIRMISH, LONG = 0, 3
STAGES = [  # CX-17: the orders of stages 2, 3 and 4, by when their time comes
    stage.split()
    for stage in (
        "surrender check_fire shield, assist, forward, sense, plot, defend evade press jump, leave,"
        "join, withdraw, close open, ram strafe,"
        "fire aim lock launch intercept bombard outfly trick"
    ).split(",")
]
GUN_ORDERS = STAGES[11][:6]
COURSES = ("join", "withdraw", "close", "open", "ram", "strafe")
FLOWN = (*COURSES, "defend", "evade", "press", "outfly", "trick")
OF_PILOTS = ("defend", "evade", "press", "jump", "outfly", "trick")  # CX-15
OF_PLANETCRAFT = ("strafe", "join", "leave", "shield")
STATIONS = {"forward": "comms", "sense": "sensors", "plot": "tactical"}
COMMANDING = ("commander", "executive")
CREW = (*COMMANDING, "pilot", "sensors", "comms", "tactical")  # CX-51
HELPED = ("pilot", "guns", "sensors", "comms")
NEEDS = {  # CX-1: the rules of which one must be in force for an order
    order: rules.split()
    for rules, orders in (
        ("wings", "shield leave join"),
        ("missiles", "lock launch intercept outfly trick"),
        ("crew1 crew2", "assist evade press"),
        *(("crew1", "forward sense"), ("crew2", "plot"), ("point_defence", "check_fire")),
        *(("collisions", "ram"), ("strafing", "strafe")),
        *(("bombardment", "bombard"), ("spotters", "spot")),
    )
    for order in orders.split()
}
SIZES = {"small": 3, "medium": 7, "large": 11, "huge": 15, "colossal": 19, "gigantic": 23}  # CX-26
SPEEDS = ((9, 8), (6, 4), (3, 0), (1, -4), (0, -8))
VECTORS = {"toward": 4, "perpendicular": 0, "away": -4}
RANDOM: dict[str, Any] = {  # CX-27
    "size": "gigantic colossal colossal huge huge large large medium medium small".split(),
    "speed": (9, 6, 6, 3, 3, 1, 1, 0),
    "vector": "toward toward perpendicular perpendicular away away".split(),
}
RUNS = ((5, AVERAGE), (3, HARD), (0, FORMIDABLE))  # CX-31: by the step of Strength
DAMAGE = ((5, "sensors"), (10, "speed"), (15, "gun"), (20, "weapon"), (25, "ftl"), (30, "engines"))
LOCKS = (0, EASY, AVERAGE, HARD)  # CX-41
FLIGHT = (1, 1, 2, 5)  # CX-42
MISSILES = {  # CX-66: the step of each die, and the increment of the blast
    (PLANETCRAFT, "light"): (1, 10),
    (PLANETCRAFT, "medium"): (2, 25),
    (PLANETCRAFT, "heavy"): (3, 50),
    (SPACECRAFT, "light"): (2, 250),
    (SPACECRAFT, "medium"): (2, 500),
    (SPACECRAFT, "heavy"): (3, 1000),
    (SPACECRAFT, "extreme"): (4, 2000),
}
HELP, GUIDED, EVADING = (-1, 0, 1, 2), (0, 0, 1, 1), (-4, -2, -1, 0)  # CX-51 to CX-59, by degree
TO_HIT = ((0, 1, 2), (-1, 0, 1), (-3, -1, 0))  # CX-61: by the weapon's scale and the target's
FACTORS = (1, 2, 5)  # CX-62
RESISTED = ((7, 3, None), (11, 7, 3), (15, 11, 7))  # CX-63
INCREMENTS = (1000, 5000, 10000, 25000)  # CX-65
SITES = {  # CX-67: Difficulty for planetcraft and spacecraft, scale, LP, armour
    "area": (7, 11, PERSONAL, 0, 0),
    "small building": (7, 23, PLANETCRAFT, 5, 2),
    "large building": (3, 19, PLANETCRAFT, 10, 5),
    "small city": (3, 11, SPACECRAFT, 25, 1),
    "large city": (3, 7, SPACECRAFT, 50, 2),
    "megalopolis": (3, 3, SPACECRAFT, 150, 5),
}
DIRECTIONS = "long,long right,right,short right,short,short left,left,long left".split(",")  # CX-68
STILL_TURNS, HARMLESS_TURNS, MOST_ORDERS = 8, 32, 24  # docs/rulings.md

# How orders are written: `Lance: CLOSE ON Raider, FIRE 2 cannon AT engines OF Raider, KEEP`.
NEAREST, WEAKEST, COMING = "|nearest", "|weakest", "|missile"  # no name holds a |
MEANT = {"nearest": NEAREST, "weakest": WEAKEST, "missile": COMING}
ARMS = "(?: (?P<guns>0|-?[1-9][0-9]{0,8}))?(?: (?P<weapon>.+?))??"
WITH = "(?: WITH(?= )" + ARMS + ")?"
TARGET = "(?:(?P<called>sensors|engines|weapon) OF )?(?P<at>.+)"
FORMS = {
    **{do: do.upper() + ARMS + " AT " + TARGET for do in ("fire", "aim", "launch")},
    "lock": "LOCK" + ARMS + " ON " + TARGET,
    "intercept": r"INTERCEPT (?P<missile>M\d{1,6}|missile)" + WITH,
    "outfly": r"OUTFLY (?P<missile>M\d{1,6}|missile)",
    "trick": r"TRICK (?P<missile>M\d{1,6}|missile)(?: AROUND (?P<at>.+))?",
    "bombard": "BOMBARD (?P<at>.+?)" + WITH + "(?:, SPOTTER (?P<spotter>.+))?",
    **{do: do.upper() + " (?P<at>.+)" for do in ("spot", "join", "ram", "strafe")},
    "shield": "SHIELD WITH (?P<at>.+)",
    "close": "CLOSE ON (?P<at>.+)",
    "press": "PRESS(?: WITH (?P<weapon>.+))?",
    "assist": "(?:(?P<station>COMMANDER|EXECUTIVE|PILOT|SENSORS|COMMS|TACTICAL) )?"
    "ASSIST (?P<to>.+?)(?: OF (?P<at>.+))?",
    "sense": "SENSE FOR (?P<to>.+)",
    "check_fire": "CHECK FIRE",
    **{do: do.upper() for do in ("leave", "open", "withdraw", "jump", "defend", "evade")},
    **{do: do.upper() for do in ("forward", "plot", "surrender", "hold")},
}
# A name is written in quotes where it holds one of these, the words of orders in all languages.
RESERVED = set(
    """
    abdrehen abfangen abhaengen abhangen ablenken aboard abschiessen abstand abwarten abwehren
    abziehen aim and angreifen anschliessen anschliessenan antrieb anvisieren approach around assist
    at attack auf aufgeben aufschalten ausscheren ausweichen aweapon backoff behalten behind bei
    beibehalten beistehen beobachter beobachterin berechne berechnen beschiessen bomb bombard
    bombardiere bombardieren called calling ceasefire checkfire close closein closeinon closeon
    closest closewith commander comms dann dasnachste dasnaechste deckendurch deckenmit deckungdurch
    defend demnachsten demnaechsten demschwachsten demschwaechsten dennachsten dennaechsten
    denschwachsten denschwaechsten derrakete designate dierakete direct distract dodge draengen
    drangen engine engines entfernen erfasse erfassen ergeben ersteoffizierin ersteroffizier evade
    executive executiveofficer fangeab feuer feuere feuereinstellen feuerhalten feuern feuerpause
    fire for formon formupwith formwith forward fuer funk funker funkerin fur gegen geschuetze
    geschuetzen geschutze geschutzen getcloser getcloserto gezielt gezieltauf greifean gunners guns
    haengeab halten hangeab helfen heran heranan heranfliegenan hinter hold intercept join jump
    kanoniere kanonieren keep kommandant kommandantin kursberechnen launch leave leavethewing
    leavewing lock lockon markiere markieren missile mit moveaway movecloser movecloserto nachsetzen
    nachste nachsten nachster nachsterakete naechste naechsten naechster naechsterakete naehern
    naehernan naeherran naeherranan nahern nahernan naherran naherranan nearest nearestmissile of on
    open openrange opentherange ortefuer ortefur orten ortenfuer ortenfur out-fly outfly outrun
    pilot piloten pilotin plot plotacourse plotcourse press pressattack presshome presstheattack
    rakete ram ramme rammen ranan relay retreat round ruckzug rueckzug scanfor schalte schiesse
    schiessen schwachste schwachsten schwachster schwaechste schwaechsten schwaechster sense
    sensefor sensoren sensors setzenach shell shield shieldby shieldwith shoot shootdown spot
    spottedby spotter springen sprung starte starten strafe surrender tactical taeusche taeuschen
    taktik taktiker taktikerin tausche tauschen theclosest thecomms theengines theguns themissile
    then thenearest thenearestmissile thepilot thesensors theweakest theweapons tieffliegenuber
    tieffliegenueber tieffluguber tiefflugueber trick triebwerk triebwerke triebwerken uberfliegen
    ueberfliegen um und using verlassen verteidige verteidigen von waffe waffen weakest weapon
    weapons weicheaus weitergeben weiterleiten with withdraw xo yield ziele zielen
    """.split()
)
# Why an order is refused that nothing else in its turn can change.
FOR_GOOD = (
    "out of the battle,rule off,wrong station,wrong scale,immobile,bad target,bad weapon,"
    "bad battery,no drive,no equipment,spent"
).split(",")

Order = namedtuple("Order", "do at to weapon guns called station missile spotter")
NOTHING = dict.fromkeys(Order._fields)
Throw = namedtuple("Throw", "total botch")
Person = namedtuple("Person", "attribute skill trait")
Hit = namedtuple("Hit", "unit scale stun wound called")  # the unit is that of the time of the shot


def sides(step: int) -> list[int]:  # CX-2
    """Return the sides of the dice of a step, d12s first."""
    return [12] * (step // 6) + [2 * (step % 6)] * bool(step % 6)


STEPS = {"+".join(f"d{n}" for n in sides(step)): step for step in range(1, 31)}


def die(card: Any, key: str) -> int:
    """Return the step of a die; that of none is 0."""
    return 0 if card.get(key) is None else STEPS[card[key]]


def passes(throw: Throw, needed: int) -> bool:  # CX-4
    """Return whether a roll reaches a Difficulty; a botch never does."""
    return bool(throw.total >= needed and not throw.botch)


def degree(throw: Throw) -> int:  # CX-51
    """Return 0 for a botch, 1 for a failure, 2 for a success, 3 for an extraordinary one."""
    return 0 if throw.botch else 1 + (throw.total >= HARD) + (throw.total >= HARD + 7)


def halves(points: int) -> tuple[int, int]:  # CX-10
    """Return the Stun and the Wound of Basic damage."""
    return points - points // 2, points // 2


def begun(feet: int, increment: int) -> int:  # CX-65, CX-66
    """Return how many increments beyond the first are begun."""
    return max(-(-feet // increment) - 1, 0)


def row(value: int, rows: tuple[tuple[int, int], ...]) -> int:
    """Return what stands in the first row whose least value is reached."""
    return next(found for least, found in rows if value >= least)


class Weapon:
    """A weapon of a vessel."""

    def __init__(self, card: Any, scale: str) -> None:
        self.name: str = card["name"]
        self.range = RANGES.index(card["range"])
        self.scale: str = card.get("scale") or scale
        flags = ("linked", "battery", "pd", "missile")
        self.linked, self.battery, self.pd, self.missile = (bool(card.get(key)) for key in flags)
        self.damage = 0 if self.missile else die(card, "damage")
        self.dice, self.blast = MISSILES[self.scale, card["size"]] if self.missile else (0, 0)
        self.fragments = card.get("warhead") == "fragments"

    def steps(self, feet: int) -> int | None:  # CX-65
        """Return the steps that a distance costs; None out of range."""
        lost = begun(feet, INCREMENTS[self.range])
        return None if lost >= 10 else -lost


class Thing:
    """A vessel, with its unit, whose leader stands first; or a spotter, which has no scale."""

    def __init__(self, card: Any, team: int, of: str) -> None:
        self.card, self.team = card, team
        self.name: str = card["name"]
        seat = card.get("seat")
        own = isinstance(seat, str) and seat.strip() and seat[0] != "|"
        self.seat: str = seat if own else of
        self.scale: str = card.get("scale") or ""
        dice = ("str", "agi", "vit", "alt", "gunnery")
        self.strength, self.agility, self.vitality, self.alertness, self.gunnery = (
            die(card, key) for key in dice
        )
        self.lp, self.speed, self.altitude = (card.get(key) for key in ("lp", "speed", "altitude"))
        self.place = 0  # in setup order
        crew = card.get("crew") or {}
        self.crew = {
            station: Person(*(die(crew[station], key) for key in ("attr", "skill", "trait")))
            for station in CREW
            if crew.get(station) is not None
        }
        weapons = card.get("weapons") or []
        self.weapons = {one["name"]: Weapon(one, self.scale) for one in weapons}
        self.guns: dict[str, int] = {one["name"]: one.get("count") or 1 for one in weapons}
        self.fate, self.stun, self.wound, self.detected = "active", 0, 0, False
        self.damaged: set[str] = set()
        self.aim: dict[str, Any] = {}
        self.next: Any = Counter()  # steps by station or weapon, CX-52
        self.unit = [self]
        self.begin()

    def begin(self) -> None:
        """Forget what was done in a turn."""
        self.initiative = self.actions = 0
        self.full, self.course = False, ""
        self.stations: set[str] = set()
        self.given: dict[str, Any] = {}  # the orders that its unit carried out
        self.closing: list[Thing] = []  # the unit that it closes with
        self.mark: Any = None  # what a spotter has spotted
        self.strafed: Any = None
        self.dodge: Any = None  # the result of a second-draft `evade`
        self.commands: list[Any] = []  # assists to others that wait for comms, CX-53
        # Steps for stations and weapons, for `evade` and `press`, attack rolls, defence rolls.
        self.steps, self.helm, self.gunners, self.defence = self.next, 0, 0, 0
        self.used: Any = Counter()
        self.locked: Any = Counter()

    @property
    def active(self) -> bool:
        """Return whether it is in the battle."""
        return self.fate == "active"

    @property
    def size(self) -> int:  # CX-26
        """Return its size as a Difficulty."""
        if self.scale == PLANETCRAFT:
            return 3 + 4 * min((self.strength - 1) // 2, 2)
        return 11 + 4 * min(self.strength // 2, 3)

    def can_lose(self, what: str) -> bool:  # CX-34
        """Return whether a row of the table of battle damage applies."""
        if what in ("gun", "weapon"):
            return any(self.guns.values())
        if what == "speed":
            return bool(self.speed)
        return what not in self.damaged and bool(what != "ftl" or self.card.get("ftl"))

    def shown(self) -> dict[str, Any]:
        """Return the vessel as the result shows it."""
        return {
            **{key: vars(self)[key] for key in ("fate", "stun", "wound", "speed", "aim")},
            "weapons": self.guns,
            "damaged": sorted(self.damaged),
            "wing": self.unit[0].name if len(self.unit) > 1 else None,
            "next": {key: steps for key, steps in self.next.items() if steps},
        }


class Site:
    """A place on the ground."""

    def __init__(self, card: Any) -> None:
        self.planetcraft, self.spacecraft, self.scale, self.lp, self.armour = SITES[card["kind"]]
        if card["kind"] == "area":
            self.lp, self.armour = card["lp"], card.get("armour") or 0
        self.population, self.wound = card.get("population") or 0, 0
        self.scatter: dict[str, Any] | None = None

    def shown(self) -> dict[str, Any]:  # CX-69
        """Return the site as the result shows it."""
        lost = self.population * self.wound // (10 * self.lp)
        people = {"wounded": lost * 2 // 3, "killed": lost - lost * 2 // 3}
        return {"wound": self.wound, "scatter": self.scatter, **people}


AREA = Site({"kind": "area", "lp": 1})  # a spotter is bombarded as one, CX-72


def worst(unit: list[Thing]) -> Thing:  # CX-36
    """Return the vessel whose pilot flies and shoots for a unit, first in setup order of equals."""
    return min(unit, key=lambda one: (one.crew["pilot"].skill, one.place))


def immobile(unit: list[Thing]) -> bool:  # CX-5
    """Return whether a unit cannot fly."""
    craft = [one for one in unit if one.scale != PERSONAL]
    return any(one.card.get("fixed") or not one.speed or "engines" in one.damaged for one in craft)


def speed(unit: list[Thing]) -> int:  # CX-20
    """Return a unit's Speed."""
    return min(one.speed or 0 for one in unit)


# ---- a battle as the rules move it -------------------------------------------------------------


class Battle:
    """A battle as a set-up begins it and steps take it on."""

    def __init__(self, setup: Any) -> None:
        options = setup.get("options")
        self.options = OPTIONS if options is None else set(options)
        self.atmosphere, self.good = bool(setup.get("atmosphere")), setup.get("conditions")
        self.teams: list[str] = [team["name"] for team in setup["teams"]]
        self.everybody = [
            Thing(card, number, team["name"])
            for number, team in enumerate(setup["teams"])
            for card in team["vessels"] + (team.get("spotters") or [])
        ]
        for place, one in enumerate(self.everybody):
            one.place = place
            for weapon in one.weapons.values():  # CX-1: else they fire singly
                weapon.battery = weapon.battery and "batteries" in self.options
                weapon.linked = weapon.linked and "linked" in self.options
        self.vessels = {one.name: one for one in self.everybody if one.scale}
        self.spotters = {one.name: one for one in self.everybody if not one.scale}
        self.obstacles: dict[str, Any] = {o["name"]: dict(o) for o in setup.get("obstacles") or []}
        self.sites = {card["name"]: Site(card) for card in setup.get("sites") or []}
        far = setup.get("ranges") or {}
        pairs = [self.key(a, b) for a in self.team(0) for b in self.team(1)]
        self.ranges: dict[str, Any] = {key: far.get(key, setup["range"]) for key in pairs}
        if not self.atmosphere:
            self.ranges = {key: RANGES.index(found) for key, found in self.ranges.items()}
        weapons = [name for one in self.vessels.values() for name in one.weapons]
        places = [*self.obstacles, *self.sites]
        self.names = Names([*self.vessels, *self.spotters, *places, *weapons], RESERVED)
        self.known = {**MEANT, **{name: name for name in HELPED}, **self.names.known}
        self.advantages: dict[str, tuple[Thing, int]] = {}
        self.locks: list[dict[str, str]] = []
        self.missiles: list[dict[str, Any]] = []
        self.filed: dict[str, list[Order]] = {}
        self.hits: list[Hit] | None = None  # those that wait, CX-19
        self.ready = not any(one.get("random") for one in self.obstacles.values())
        self.turn = self.launched = self.still = self.harmless = 0
        self.over = False
        self.winner: str | None = None

    def seats(self) -> list[str]:
        """Return the names of the seats, in order of the set-up."""
        return list(dict.fromkeys(one.seat for one in self.everybody))

    def team(self, number: int) -> list[Thing]:
        """Return a team's active vessels in setup order."""
        return [one for one in self.vessels.values() if one.team == number and one.active]

    def foes(self, me: Thing) -> list[Thing]:
        """Return the active enemies of a vessel."""
        return self.team(1 - me.team)

    def leaders(self) -> list[Thing]:
        """Return the leaders of all active units."""
        return [one for one in self.team(0) + self.team(1) if one.unit[0] is one]

    def key(self, one: Thing, other: Thing) -> str:
        """Return how a pair is named: the first team's vessel first."""
        return f"{other.name}|{one.name}" if one.team else f"{one.name}|{other.name}"

    def band(self, one: Thing, other: Thing, ranges: Any = None) -> int:  # CX-6, CX-64
        """Return the range between two vessels as a number of RANGES."""
        far: int = (ranges or self.ranges)[self.key(one, other)]
        return sum(far > last for last in (1000, 5000, 10000)) if self.atmosphere else far

    # ---- a step

    def take(self, orders: list[list[str]], dice: Dice) -> None:
        """Take a step: orders filed, then the referee's rulings; or the referee's own step."""
        self.dice = dice
        self.tried = self.lost = False  # whether anybody tries to do harm, or loses something
        # CX-27: random obstacles are rolled first, before any orders.
        if not self.ready:
            self.roll_obstacles()
        elif not orders:
            need(not self.waiting(), "orders are missing")
            self.play()
        for seat, text in orders:
            if seat != "|referee":
                self.file(seat, text)
        for text in [text for seat, text in orders if seat == "|referee"]:
            self.rule(text)

    def roll_obstacles(self) -> None:  # CX-27
        """Roll what the random obstacles are."""
        self.ready = True
        for name, obstacle in self.obstacles.items():
            for what, table in RANDOM.items() if obstacle.get("random") else ():
                obstacle[what] = table[self.dice.roll(len(table), f"{name} {what}") - 1]

    def waiting(self) -> bool:
        """Return whether a unit, or a spotter of any use, has no orders on file."""
        # CX-70: a spotter without equipment, or without a mark, need not be waited for.
        marks = [*self.sites, *self.spotters] if {"spotters", "bombardment"} <= self.options else []
        eyes = [one for one in self.spotters.values() if self.can_spot(one)]
        useful = [one for one in eyes if any(self.is_mark(one.team, at) for at in marks)]
        return any(one.name not in self.filed for one in self.leaders() + useful)

    def rule(self, text: str) -> None:
        """Carry out a ruling of the referee."""
        command, _, seat = text.partition(" ")
        lost = [one for one in self.everybody if one.active and one.seat == seat]
        known = text in ("END", "DRAW") or (command == "FORFEIT" and lost)
        need(not self.over and known, "there is no such ruling now: " + text)
        if text == "END":
            self.play()
        elif text == "DRAW":
            self.over = True
        for one in lost:
            self.out(one, "surrendered")
        if lost:
            self.finish()

    def finish(self) -> None:  # CX-22
        """End the battle if a team has no active vessel."""
        left = [name for n, name in enumerate(self.teams) if self.team(n)]
        self.over = len(left) < 2
        self.winner = left[0] if self.over and left else None

    # ---- orders as they are filed

    def file(self, seat: str, text: str) -> None:
        """File a unit's orders, if the rules allow them."""
        name, _, body = self.names.shortened(text).partition(": ")
        found = [one for one in self.everybody if one.name == self.known.get(name)]
        can = not self.over and found and found[0].seat == seat and found[0].active
        need(can, f"{seat} can't order {text}")
        parts, me = re.split(", (?!SPOTTER )", body), found[0]
        if parts[-1] == "KEEP":
            parts.pop()
        need(0 < len(parts) <= MOST_ORDERS, text + " is not an order, or too many")
        orders = [self.named(me, one) for one in [self.order(me, part) for part in parts]]
        self.filed[me.name] = orders = [one for one in orders if one.do != "hold"]
        # Orders of which none could ever be carried out in this turn are not filed at all.
        given = {one.do for one in orders}
        need(
            not orders or not all(self.in_vain(me, one, given) for one in orders),
            "the rules refuse it: " + text,
        )

    def order(self, me: Thing, text: str) -> Order:
        """Read an order; raise Wrong where it names what the unit can't know."""
        found = [(do, re.fullmatch(form, text)) for do, form in FORMS.items()]
        reads = [{**NOTHING, "do": do, **match.groupdict()} for do, match in found if match]
        need(reads, "there is no such order: " + text)
        read: Any = reads[0]
        do = read["do"]
        for key in ("at", "to", "weapon", "spotter", "missile"):
            read[key] = read[key] and self.known.get(read[key], read[key])
        read["guns"] = read["guns"] and int(read["guns"])
        read["station"] = read["station"] and read["station"].lower()
        others = [one.name for one in self.everybody if one.team != me.team]
        mates = [one.name for one in self.everybody if one.team == me.team]
        arms = list(worst(me.unit).weapons) if me.scale else []
        weapons = [*arms, *(name for one in self.team(me.team) for name in one.weapons), None]
        known = [*self.vessels.keys() & {*others}, NEAREST, WEAKEST]
        if do in ("join", "shield", "assist"):
            known = [*self.vessels.keys() & {*mates}]
        elif do in ("bombard", "spot"):
            known = [*self.sites, *self.spotters.keys() & {*others}]
        elif do == "trick":
            known += self.obstacles
        eyes = [*self.spotters.keys() & {*mates}, None]
        right = read["at"] in [*known, None] and read["spotter"] in eyes
        right = right and read["weapon"] in weapons and read["to"] in [*HELPED, *weapons]
        need(right, "it names what there is not: " + text)
        need(read["weapon"] or not arms or do not in GUN_ORDERS, "no weapon is named: " + text)
        return Order(**read)

    def named(self, me: Thing, order: Order) -> Order:
        """Return an order with whom it means by `nearest`, `weakest` or `missile`."""
        pilot = worst(me.unit) if me.scale else me
        if me.scale and order.at in (NEAREST, WEAKEST):
            foes = self.fitting(pilot, order)
            life = {foe.name: 10 * foe.lp - foe.stun - foe.wound for foe in foes}
            far = {foe.name: self.ranges[self.key(pilot, foe)] for foe in foes}
            # The nearest, or the one with least life; of equally near ones that with least life.
            rank = far if order.at == NEAREST else life
            order = order._replace(at=min(life, key=lambda name: (rank[name], life[name])))
        if me.scale and order.missile == COMING:
            weapon = pilot.weapons.get(order.weapon)
            coming = [m for m in self.missiles if self.vessels[m["at"]] in me.unit]
            if order.do == "intercept":
                coming = [m for m in self.missiles if self.vessels[m["at"]].team == me.team]
                coming = [m for m in coming if not (weapon and weapon.pd and m["turns"] > 1)]
            first = min(coming, key=lambda missile: missile["turns"], default={"id": COMING})
            order = order._replace(missile=first["id"])
        return order

    def fitting(self, pilot: Thing, order: Order) -> list[Thing]:
        """Return the enemies that will do for an order; where nobody will do now, all of them."""
        do, foes, weapon = order.do, self.foes(pilot), pilot.weapons.get(order.weapon)
        craft = [foe for foe in foes if foe.scale != PERSONAL]
        reached = [foe for foe in foes if weapon is None or self.reaches(pilot, weapon, foe)]
        locked = [foe for foe in foes if self.lock(pilot, order.weapon, foe) in self.locks]
        free = [foe for foe in reached if self.band(pilot, foe) and foe not in locked]
        fit = {
            "fire": reached,
            "lock": free,
            "launch": locked or free,
            "strafe": [foe for foe in craft if foe.scale == SPACECRAFT or foe.card.get("fixed")],
            "ram": craft,
            "trick": craft,
        }
        return fit.get(do) or foes

    def in_vain(self, me: Thing, order: Order, given: set[str]) -> bool:
        """Return whether an order can't be carried out, whatever else happens in the turn."""
        why, number = self.refusal(me, order), (order.missile or "")[1:]
        # The same letter may make the lock first, or leave the wing.
        if why == "no lock":
            return "lock" not in given
        if why == "no missile":
            return not number.isdigit() or int(number) <= self.launched
        if why in ("in a wing", "bad wing"):
            alone = order.do == "join" and len(me.unit) < 2
            return "leave" not in given and not (why == "bad wing" and alone)
        return why in FOR_GOOD or (why == "out of range" and order.do == "bombard")

    # ---- why an order is refused: the tests of the table of orders, in its order

    def refusal(self, me: Thing, order: Order) -> str:
        """Return why an order can't be carried out now, "" if it can."""
        return next((why for why, holds in self.tests(me, order) if holds), "")

    def tests(self, me: Thing, order: Order) -> Iterator[tuple[str, Any]]:
        """Yield each reason to refuse an order, and whether it holds."""
        do, station, pilots = order.do, self.station(order), self.is_pilots(me, order.do)
        yield "out of the battle", not me.active
        yield "rule off", do in NEEDS and self.options.isdisjoint(NEEDS[do])
        big = me.scale == SPACECRAFT
        yield "rule off", do == "defend" and big and "crew2" in self.options  # CX-58
        yield "wrong station", (do == "spot") == bool(me.scale)
        if do == "spot":  # CX-70
            yield "busy", me.mark is not None
            yield "bad target", not self.is_mark(me.team, order.at)
            yield "no equipment", not self.can_spot(me)
            return
        yield "wrong station", station and station not in me.crew
        yield "wrong station", do == "assist" and station not in COMMANDING
        yield "in a wing", me.unit[0] is not me and do != "leave"
        yield "wrong scale", me.scale != PLANETCRAFT and do in OF_PLANETCRAFT
        yield "wrong scale", me.scale == PERSONAL and do in (*FLOWN, "jump") and do != "defend"
        yield "immobile", do in FLOWN and immobile(me.unit)
        yield "busy", do in COURSES and me.course
        yield "busy", station in me.stations
        yield "busy", do in ("defend", "evade", "press") and do in me.given
        yield "busy", pilots and (me.full or me.actions >= 3)
        yield "busy", pilots and me.actions and self.is_full_turn(do)
        yield from (self.gun_tests if do in GUN_ORDERS else self.other_tests)(me, order)

    def other_tests(self, me: Thing, order: Order) -> Iterator[tuple[str, Any]]:
        """Yield the tests of orders without guns."""
        do, pilot, first = order.do, worst(me.unit), "crew1" in self.options
        at: Any = self.vessels.get(order.at)
        foes = self.foes(me)
        yield "bad wing", do in ("shield", "leave") and len(me.unit) < 2
        yield "bad wing", do == "shield" and at not in me.unit
        yield "bad target", do == "assist" and not self.can_help(me, pilot, order)
        yield "bad target", do == "sense" and order.to not in ("pilot", *pilot.weapons)
        yield "bad weapon", do == "press" and first and order.weapon not in pilot.weapons
        yield "no drive", do == "jump" and not all(one.can_lose("ftl") for one in me.unit)
        if do == "withdraw":
            yield "out of range", any(self.band(a, b) != LONG for a in me.unit for b in foes)
        if do == "join":  # CX-35
            yield "bad wing", len(me.unit) > 1
            yield "bad target", at is None or at is me or at.team != me.team or not at.active
            yield "bad target", at.scale != PLANETCRAFT or immobile(at.unit)
            yield "bad wing", len(at.unit) > 5
            yield "out of range", any(self.band(me, foe) != self.band(at, foe) for foe in foes)
        if do in ("outfly", "trick"):
            mine = [m["id"] for m in self.missiles if self.vessels[m["at"]] in me.unit]
            yield "no missile", order.missile not in mine
        if do in ("close", "ram", "strafe", "trick") and order.at not in self.obstacles:
            yield "bad target", at not in foes
            if do != "close":
                yield "bad target", at.scale == PERSONAL
                big = at.scale == SPACECRAFT
                yield "bad target", do == "strafe" and not (big or at.card.get("fixed"))
                yield "out of range", self.band(pilot, at) != SKIRMISH

    def gun_tests(self, me: Thing, order: Order) -> Iterator[tuple[str, Any]]:
        """Yield the tests of gun orders (CX-16)."""
        do, pilot, at = order.do, worst(me.unit), self.vessels.get(order.at)
        weapon: Any = pilot.weapons.get(order.weapon)
        yield "bad weapon", weapon is None
        yield "bad weapon", do in ("lock", "launch") and not weapon.missile
        yield "bad weapon", do in ("aim", "intercept") and weapon.missile
        yield "bad weapon", do == "fire" and weapon.missile and "missiles" in self.options
        yield "bad weapon", do == "bombard" and (weapon.pd or weapon.scale == PERSONAL)
        guns, most = self.asked(pilot, weapon, order), 6 if weapon.battery else 1
        given, left, used = order.guns, pilot.guns[weapon.name], pilot.used[weapon.name]
        yield "bad battery", do != "aim" and given is not None and not 1 <= given <= most
        if do == "lock":
            yield "spent", pilot.locked[weapon.name] >= left
        elif do == "aim":
            yield "spent", not left or used
        else:
            yield "spent", not left if weapon.missile else guns < 1 or used + guns > left
        if do == "bombard":  # CX-67, CX-71
            yield "bad target", not self.is_mark(me.team, order.at)
            high, eye = pilot.altitude, self.spotters.get(order.spotter)
            yield "out of range", high is None or weapon.steps(high) is None
            there = eye and eye.active and eye.team == me.team and eye.mark == order.at
            yield "not spotted", order.spotter is not None and not there
        elif do == "intercept":
            turns = {m["id"]: m["turns"] for m in self.missiles}
            yield "no missile", order.missile not in turns
            yield "out of range", weapon.pd and turns[order.missile] != 1
        else:
            yield "bad target", at not in self.foes(me)
            assert at is not None
            yield "no lock", do == "launch" and self.lock(pilot, weapon.name, at) not in self.locks
            yield "out of range", do in ("fire", "lock") and not self.reaches(pilot, weapon, at)
            yield "out of range", do == "lock" and self.band(pilot, at) == SKIRMISH
            yield "strafed", do == "fire" and at.strafed is pilot and not weapon.pd

    def station(self, order: Order) -> str | None:
        """Return whose action an order is, None for the pilot and the gunners."""
        return (order.station or "commander") if order.do == "assist" else STATIONS.get(order.do)

    def is_pilots(self, me: Thing, do: str) -> bool:  # CX-15
        """Return whether an order is an action of the pilot."""
        return do in OF_PILOTS or (do in GUN_ORDERS and me.scale != SPACECRAFT)

    def is_full_turn(self, do: str) -> bool:  # CX-15, CX-55
        """Return whether an order takes the pilot's whole turn."""
        first = do in ("evade", "press") and "crew1" in self.options
        return first or do in ("jump", "outfly", "trick")

    def can_help(self, me: Thing, pilot: Thing, order: Order) -> bool:  # CX-52, CX-57
        """Return whether there is somebody whom an `assist` helps."""
        if "crew2" in self.options:
            return order.to in ("pilot", "guns")
        at = self.helped(me, pilot, order)
        manned = order.to in at.weapons or order.to in {*HELPED} & {*at.crew}
        return manned and at.team == me.team and at.active

    def helped(self, me: Thing, pilot: Thing, order: Order) -> Thing:  # CX-36, CX-52
        """Return the vessel that a first-draft `assist` is for."""
        own = me if order.to in ("sensors", "comms") else pilot
        return self.vessels[order.at] if order.at else own

    def is_mark(self, team: int, at: str | None) -> bool:  # CX-67, CX-72
        """Return whether a team may spot and bombard something."""
        if at in self.sites:
            return self.sites[at].wound < 10 * self.sites[at].lp
        eye = self.spotters.get(at or "")
        return bool(eye and eye.team != team and eye.active and eye.detected)

    def can_spot(self, me: Thing) -> bool:  # CX-70
        """Return whether a spotter is there and has what it needs."""
        uplink = me.card.get("uplink")
        linked = uplink == "transceiver" or (uplink == "handset" and self.good != "poor")
        return linked and me.active and bool(me.card.get("designator"))

    # ---- guns (CX-6, CX-16, CX-39, CX-50)

    def asked(self, pilot: Thing, weapon: Weapon, order: Order) -> int:
        """Return how many guns an order takes."""
        left = pilot.guns[weapon.name]
        if weapon.linked:
            return left
        if order.guns is None and weapon.battery:
            return int(min(left - pilot.used[weapon.name], 6))
        return order.guns or 1

    def spend(self, pilot: Thing, weapon: Weapon, guns: int) -> None:
        """Use guns, or a missile."""
        if weapon.missile:
            pilot.guns[weapon.name] -= 1
            self.lost = True
        else:
            pilot.used[weapon.name] += guns

    def far(self, pilot: Thing, weapon: Weapon, foe: Thing) -> int | None:  # CX-65
        """Return the steps that distance costs, None where it is too far in an atmosphere."""
        return weapon.steps(self.ranges[self.key(pilot, foe)]) if self.atmosphere else 0

    def reaches(self, pilot: Thing, weapon: Weapon, foe: Thing) -> bool:
        """Return whether a weapon reaches an enemy."""
        near = self.atmosphere or self.band(pilot, foe) <= weapon.range
        return near and self.far(pilot, weapon, foe) is not None

    def lock(self, pilot: Thing, weapon: str, at: Thing) -> dict[str, str]:
        """Return a weapon's lock on a target as the result shows it."""
        return {"by": pilot.name, "weapon": weapon, "at": at.name}

    # ---- rolls

    def throw(self, why: str, *steps: int) -> Throw:  # CX-3, CX-4
        """Throw the dice of some steps."""
        fallen = [self.dice.roll(n, why) for step in steps for n in sides(max(step, 0))]
        return Throw(sum(fallen), sum(fallen) == len(fallen))

    def fly(self, unit: list[Thing], why: str, steps: int = 0, dogfight: bool = False) -> Throw:
        """Throw a unit's Agility + Pilot (CX-36, CX-52)."""
        pilot = worst(unit)
        _, skill, trait = pilot.crew["pilot"]
        skill += steps + pilot.steps["pilot"]
        return self.throw(f"{pilot.name} {why}", pilot.agility, skill, trait * dogfight)

    # ---- a turn (CX-17)

    def play(self) -> None:
        """Play a turn by the orders on file."""
        self.turn += 1
        self.given, self.filed = self.filed, {}
        for one in self.everybody:
            one.begin()
            one.next = Counter()
        # CX-18: before stage 1, so that those without orders defend from the beginning.
        self.default()
        self.begin()
        for me in self.vessels.values():
            for stage in STAGES[:6]:
                self.carry_out(me, stage)
        # CX-17, end of stage 2: spotters come after all vessels.
        for eye in self.spotters.values():
            for order in self.given.get(eye.name, []):
                eye.mark = eye.mark if self.refusal(eye, order) else order.at
        self.fly_units()
        self.act()
        self.fly_missiles()
        self.end_turn()

    def default(self) -> None:  # CX-18
        """Let units without orders defend."""
        for me in self.leaders():
            idle = me.scale == SPACECRAFT and "crew2" in self.options
            if not self.given.get(me.name) and not immobile(me.unit) and not idle:
                me.actions = 1
                for one in me.unit:
                    one.given["defend"] = None

    def begin(self) -> None:  # CX-23, CX-24
        """Roll for Advantage and initiative."""
        fit = [one for one in self.leaders() if one.scale != PERSONAL and not immobile(one.unit)]
        fights = [
            (one, foe)
            for one in fit
            for foe in fit
            if (one.team, foe.team) == (0, 1) and one.scale == foe.scale
            if "dogfighting" in self.options and self.band(one, foe) == SKIRMISH
        ]
        thrown = {}
        for me in self.leaders():
            pilot = worst(me.unit)
            if any(me in pair for pair in fights):
                held = any(holder is pilot for holder, _ in self.advantages.values())
                throw = self.fly(me.unit, "Advantage", int(held), dogfight=True)
            else:
                throw = self.throw(pilot.name + " initiative", pilot.agility, pilot.alertness)
            for one in me.unit:
                thrown[one.name], one.initiative = throw, throw.total
        self.advantages = {}
        for pair in fights:
            lower, higher = sorted(pair, key=lambda one: one.initiative)
            margin, botch = higher.initiative - lower.initiative, thrown[lower.name].botch
            for key in [self.key(a, b) for a in higher.unit for b in lower.unit] * (margin > 0):
                holder = next(one for one in higher.unit if one.name in key.split("|"))
                self.advantages[key] = (holder, 2 if margin >= 7 or botch else 1)

    def carry_out(self, me: Thing, stage: list[str]) -> None:
        """Carry out a vessel's orders whose time has come, or refuse them."""
        for order in self.given.get(me.name, []):
            if order.do not in stage or self.refusal(me, order):
                continue
            do, unit, station = order.do, me.unit, self.station(order)
            # CX-35: what a wing has flown holds for each member that was in it.
            for one in unit if do in COURSES else ():
                one.course = do
            # What has no such function only holds for the turn: `defend`, `jump` …
            getattr(self, "do_" + do, lambda *_: None)(me, worst(unit), order)
            me.stations |= {station} if station else set()
            if self.is_pilots(me, do):
                me.actions += 1
                me.full = me.full or self.is_full_turn(do)
            for one in unit:
                one.given[do] = order

    def fly_units(self) -> None:
        """Let units fly, and what they meet strike: stage 3."""
        for stage in STAGES[6:10]:
            for me in self.vessels.values():
                self.carry_out(me, stage)
        # CX-17, stage 3: all courses, then ranges, obstacles, point defence, then rams and runs.
        self.change_ranges()
        self.meet_obstacles()
        self.point_defence()
        for me in self.vessels.values():
            self.carry_out(me, STAGES[10])

    def act(self) -> None:  # CX-19
        """Let vessels act by initiative; hits wait for all of the same one."""
        for initiative in sorted({one.initiative for one in self.vessels.values()}, reverse=True):
            self.hits = []
            for me in self.vessels.values():
                if me.initiative == initiative:
                    self.carry_out(me, STAGES[11])
            hits, self.hits = self.hits, None
            for hit in hits:
                self.strike(hit)

    def end_turn(self) -> None:
        """Let vessels jump and spotters be detected; end the turn, and the battle if it is over."""
        for one in self.vessels.values():
            # CX-21: only with a drive that still works at the end of the turn.
            if "jump" in one.given and one.active and one.can_lose("ftl"):
                self.out(one, "jumped")
        for one in self.everybody:
            one.detected = one.detected or one.mark is not None
            one.begin()
        self.finish()
        # The house rule on CX-22: a battle that goes nowhere is a draw.
        self.still = 0 if self.tried else self.still + 1
        self.harmless = 0 if self.lost else self.harmless + 1
        self.over = self.over or self.still >= STILL_TURNS or self.harmless >= HARMLESS_TURNS

    # ---- crews (CX-21, CX-51 to CX-59)

    def do_surrender(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Give up with the whole unit, or leave with it."""
        for one in me.unit:
            self.out(one, "surrendered" if order.do == "surrender" else "withdrawn")

    do_withdraw = do_surrender

    def do_assist(self, me: Thing, pilot: Thing, order: Order) -> None:  # CX-52, CX-57
        """Help a station or the gunners."""
        station = str(self.station(order))
        steps = HELP[degree(self.throw(f"{me.name} {station}", *me.crew[station]))]
        if "crew2" in self.options:
            pilot.helm += steps * (order.to == "pilot")
            pilot.gunners += steps * (order.to == "guns")
        elif order.at in (None, me.name):
            self.helped(me, pilot, order).next[order.to] += steps
        else:
            me.commands.append((self.vessels[order.at], order.to, steps))

    def do_forward(self, me: Thing, pilot: Thing, order: Order) -> None:  # CX-53
        """Forward commands to other vessels, or lose them."""
        attribute, skill, trait = me.crew["comms"]
        throw = self.throw(me.name + " comms", attribute, skill + me.steps["comms"], trait)
        for other, to, steps in me.commands if passes(throw, AVERAGE) else ():
            other.next[to] += steps

    def do_sense(self, me: Thing, pilot: Thing, order: Order) -> None:  # CX-54, CX-57
        """Let sensors guide the pilot's defence or a weapon, or tactical help all."""
        station = STATIONS[order.do]
        _, skill, trait = me.crew[station]
        skill += me.steps[station] - 2 * ("sensors" in me.damaged)
        found = degree(self.throw(f"{me.name} {station}", me.alertness, skill, trait))
        if order.do == "plot":
            pilot.helm += HELP[found]
            pilot.gunners += HELP[found]
        elif order.to == "pilot":
            pilot.defence += HELP[found]
        else:
            pilot.steps[order.to] += GUIDED[found]

    do_plot = do_sense

    def do_evade(self, me: Thing, pilot: Thing, order: Order) -> None:  # CX-55, CX-59
        """Evade: a better defence, and worse attacks; or press: better attacks, now or later."""
        evades, first = order.do == "evade", "crew1" in self.options
        if not first:
            did = "evades" if evades else "presses"
            throw = self.fly(me.unit, did, pilot.helm - me.actions)
        for one in me.unit:
            if not first:
                one.gunners += (EVADING if evades else HELP)[degree(throw)]
                one.dodge = throw.total if evades else one.dodge
            elif evades:
                one.defence += 2
                one.gunners -= 1
            else:
                one.next[order.weapon] += order.weapon in one.weapons

    do_press = do_evade

    # ---- wings and ranges (CX-20, CX-35, CX-64)

    def do_leave(self, me: Thing, *_: Any) -> None:
        """Leave the wing; a single vessel that is left is not a wing."""
        # CX-35: the others stay in their order, so the next member leads.
        rest = [one for one in me.unit if one is not me]
        me.unit = [me]
        for one in rest:
            one.unit = rest

    def do_join(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Try to join a friend's wing, or to form one with it."""
        # CX-35: 7, or 11 if it differs from any member in Strength or Speed.
        wing = self.vessels[order.at].unit
        same = all((one.strength, one.speed) == (me.strength, me.speed) for one in wing)
        if passes(self.fly([me], "joins " + order.at), AVERAGE if same else HARD):
            joined = [*wing, me]
            for one in joined:
                one.unit = joined
            for foe in self.foes(me) if self.atmosphere else ():
                self.ranges[self.key(me, foe)] = self.ranges[self.key(wing[0], foe)]

    def do_close(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Close with an enemy's unit."""
        for one in me.unit:
            one.closing = self.vessels[order.at].unit

    def wish(self, me: Thing, other: Thing) -> int:
        """Return 1 where a unit wishes a range wider, -1 nearer, 0 where it wishes nothing."""
        if me.course == "open":
            return 1
        return -1 if any(one in me.closing for one in other.unit) else 0

    def change_ranges(self) -> None:
        """Change the ranges between units by what both wish."""
        self.before, leaders = dict(self.ranges), self.leaders()
        for one, other in [(a, b) for a in leaders for b in leaders if (a.team, b.team) == (0, 1)]:
            mine, theirs = self.wish(one, other), self.wish(other, one)
            speeds = speed(one.unit), speed(other.unit)
            # CX-20: both wishing the same is one step; of opposite wishes the faster has its way.
            step = min(max(mine + theirs, -1), 1)
            if mine + theirs == 0 and speeds[0] != speeds[1]:
                step = mine if speeds[0] > speeds[1] else theirs
            feet = 1000 * (mine * speeds[0] + theirs * speeds[1])
            for key in [self.key(a, b) for a in one.unit for b in other.unit]:
                far = self.ranges[key]
                space = min(max(far + step, SKIRMISH), LONG)
                # CX-64: in feet both moves add up, but nobody comes nearer than 100.
                self.ranges[key] = max(far + feet, 100) if self.atmosphere else space
        # CX-20: beyond skirmish range there is no Advantage.
        for key in list(self.advantages):
            if self.band(*(self.vessels[name] for name in key.split("|"))) != SKIRMISH:
                del self.advantages[key]

    # ---- collisions and strafing runs (CX-26 to CX-32)

    def meet_obstacles(self) -> None:  # CX-27
        """Let the obstacles of this turn strike."""
        for name, obstacle in self.obstacles.items() if "collisions" in self.options else ():
            at = self.vessels.get(obstacle.get("against") or "")
            if at and obstacle["turn"] == self.turn and at.active:
                self.meet(at.unit, name)

    def meet(self, unit: list[Thing], name: str, steps: int = 0) -> bool:
        """Let a unit avoid an obstacle or collide with it; return whether it avoided it."""
        obstacle = self.obstacles[name]
        size = SIZES[obstacle["size"]]
        # CX-26, CX-28: the smaller size and the faster speed count.
        needed = min(size, worst(unit).size) + VECTORS[obstacle["vector"]]
        needed += row(max(speed(unit), obstacle["speed"]), SPEEDS)
        roll = self.avoid(unit, name, needed, steps)
        if roll is not None:
            self.collide(unit, PLANETCRAFT if size <= 11 else SPACECRAFT, needed - roll)
        return roll is None

    def danger(self, unit: list[Thing], at: Thing) -> int:  # CX-26, CX-29
        """Return the Difficulty to avoid a vessel."""
        toward = any(one in at.closing for one in unit)
        vector = -4 if at.course == "open" else 4 if toward else 0
        return (
            min(worst(unit).size, at.size) + row(max(map(speed, (unit, at.unit))), SPEEDS) + vector
        )

    def avoid(self, unit: list[Thing], name: str, needed: int, steps: int = 0) -> int | None:
        """Let a unit avoid something; return None if it does, else what it rolled (CX-28)."""
        self.tried = True
        if needed < EASY or "collisions" not in self.options:
            return None
        if immobile(unit):
            return 0
        throw = self.fly(unit, "avoids " + name, steps)
        return None if passes(throw, needed) else throw.total

    def collide(self, unit: list[Thing], scale: str, basic: int) -> None:
        """Let a unit take the Basic damage of a collision."""
        self.strike(Hit(unit, scale, *halves(max(basic, 0)), None))

    def pass_close(self, unit: list[Thing], at: Thing, steps: int = 0, ram: bool = False) -> bool:
        """Let a unit fly close to a vessel, or ram it; return whether it avoided it by itself."""
        needed, pilot, other = self.danger(unit, at), worst(unit), at.unit
        roll = 0 if ram else self.avoid(unit, at.name, needed, steps)  # CX-29, CX-30
        if roll is None:
            return True
        answer = self.avoid(other, pilot.name, needed)
        if answer is not None:
            self.collide(unit, at.scale, needed - roll)
            self.collide(other, pilot.scale, needed - answer)
        return False

    def do_strafe(self, me: Thing, pilot: Thing, order: Order) -> None:  # CX-30 to CX-32
        """Make a strafing run, or ram."""
        unit, at = me.unit, self.vessels[order.at]
        if self.pass_close(unit, at, ram=order.do == "ram"):
            passed = passes(self.fly(unit, "strafes " + at.name), row(at.strength, RUNS))
            for one in unit if passed else ():
                one.strafed = at

    do_ram = do_strafe

    # ---- attacks (CX-7 to CX-10, CX-37 to CX-40)

    def attack(self, me: Thing, order: Order, what: str, steps: int = 0) -> tuple[Throw, int]:
        """Roll an attack, with the steps that all attacks share; return the guns too (CX-60)."""
        self.tried, pilot = True, worst(me.unit)
        weapon = pilot.weapons[order.weapon]
        guns = self.asked(pilot, weapon, order)
        steps += pilot.steps[weapon.name] + pilot.gunners
        steps -= me.actions if pilot.scale != SPACECRAFT else 0
        joint = len(me.unit) - 1 + (guns - 1 if weapon.battery else 0)
        joint += guns.bit_length() - 1 if weapon.linked else 0
        steps += 0 if weapon.missile else min(joint, 5)
        why = f"{pilot.name} {weapon.name} {what}"
        return self.throw(why, pilot.agility, pilot.gunnery + steps), guns

    def defence(self, unit: list[Thing]) -> Any:  # CX-8
        """Find the Difficulty to hit a unit."""
        pilot, first = worst(unit), "crew1" in self.options
        if immobile(unit) or (first and "press" in pilot.given):
            return EASY
        if pilot.dodge is not None:
            return max(pilot.dodge, EASY)
        if "defend" in pilot.given or "evade" in pilot.given:
            return max(self.fly(unit, "defends", pilot.defence).total, EASY)
        return max(self.throw(pilot.name + " defends", pilot.agility).total, EASY)

    def do_fire(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Fire at an enemy."""
        weapon, at = pilot.weapons[order.weapon], self.vessels[order.at]
        unit = at.unit
        # CX-7 c, h and g; then f, d and g for an aim. `attack` adds a, b and e.
        steps = len(unit) // 2 + (self.far(pilot, weapon, at) or 0) - 2 * bool(order.called)
        steps += TO_HIT[self.rank(weapon.scale)][self.rank(at.scale)]
        holder, gained = self.advantages.get(self.key(pilot, worst(unit)), (None, 0))
        steps += gained if holder is pilot else -gained
        aim = pilot.aim.pop(weapon.name, {"at": None})
        steps += aim["steps"] if aim["at"] == at.name else 0
        throw, guns = self.attack(me, order, "at " + at.name, steps)
        needed = self.defence(unit)
        if passes(throw, needed):
            stun, wound = self.shot(me, weapon, guns, at.name, throw.total - needed)
            self.strike(Hit(unit, weapon.scale, stun, wound, order.called))
        self.spend(pilot, weapon, guns)

    def shot(self, me: Thing, weapon: Weapon, guns: int, at: str, basic: int) -> tuple[int, int]:
        """Return Stun and Wound of a shot that hit."""
        stun, wound = halves(basic)
        if weapon.missile:  # CX-66
            more = self.blast(weapon, self.warhead(weapon, at, 4))
            return stun + more[0], wound + more[1]
        joint = len(me.unit) > 1 or (guns > 1 and weapon.battery)
        dice = [weapon.damage + joint] * (2 if joint and basic >= 7 else 1)
        return stun, wound + self.throw("damage to " + at, *dice).total

    def warhead(self, weapon: Weapon, at: str, dice: int) -> list[int]:
        """Throw dice of a missile's warhead."""
        return [self.throw(f"{weapon.name} at {at}", weapon.dice).total for _ in range(dice)]

    def blast(self, weapon: Weapon, dice: list[int]) -> tuple[int, int]:  # CX-46
        """Return Stun and Wound of a warhead."""
        return (0, sum(dice)) if weapon.fragments else halves(sum(dice))

    def do_aim(self, me: Thing, pilot: Thing, order: Order) -> None:  # CX-13
        """Ready a weapon at a target."""
        aim = pilot.aim.get(order.weapon, {"at": None})
        steps = min(aim["steps"] + 1, 3) if aim["at"] == order.at else 1
        pilot.aim[order.weapon] = {"at": order.at, "steps": steps}
        pilot.used[order.weapon] = pilot.guns[order.weapon]

    def point_defence(self) -> None:  # CX-47
        """Let each vessel that has point defence fire at what enters."""
        armed = [one for one in self.vessels.values() if any(w.pd for w in one.weapons.values())]
        for me in armed if "point_defence" in self.options else ():
            for leader in self.leaders() if "check_fire" not in me.given else ():
                if me.active and leader.active and self.enters(me, leader.unit):
                    self.defend_against(me, leader.unit)

    def enters(self, me: Thing, unit: list[Thing]) -> bool:
        """Return whether a unit has entered the range of a vessel's point defence."""
        first = unit[0]
        if me in unit or first.scale != PLANETCRAFT:
            return False
        # An enemy enters by coming near, a friend by closing on an enemy that comes near (CX-47).
        if first.team != me.team:
            return self.came_near(me, first)
        at = self.vessels[first.given["close"].at] if "close" in first.given else None
        near = at is not None and at.active and self.came_near(first, at)
        return bool(near and at and self.band(me, at) == SKIRMISH)

    def came_near(self, one: Thing, other: Thing) -> bool:
        """Return whether the range of two vessels has become skirmish in this stage."""
        return self.band(one, other, self.before) > SKIRMISH == self.band(one, other)

    def defend_against(self, me: Thing, unit: list[Thing]) -> None:  # CX-48
        """Fire each point-defence weapon once at a unit, as long as some of it is left."""
        for weapon in [w for w in me.weapons.values() if w.pd and me.guns[w.name]]:
            left = [one for one in unit if one.active]
            if not left:
                return
            self.tried = True
            pilot, throw = worst(left), Throw(0, False)
            if not immobile(left):
                throw = self.fly(left, "evades " + weapon.name, pilot.defence)
            if not passes(throw, HEROIC):
                stun, wound = halves(max(HEROIC - throw.total, 0))
                step = weapon.damage + 1 + throw.botch
                wound += self.throw("damage to " + pilot.name, step).total
                self.strike(Hit(left, weapon.scale, stun, wound, None))

    # ---- missiles (CX-41 to CX-46)

    def do_lock(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Try to lock a missile on a target."""
        weapon, at = pilot.weapons[order.weapon], self.vessels[order.at]
        what, far = "lock on " + at.name, self.far(pilot, weapon, at) or 0
        throw, _ = self.attack(me, order, what, far)
        # CX-16: a lock that failed counts too.
        pilot.locked[weapon.name] += 1
        lock = self.lock(pilot, weapon.name, at)
        if passes(throw, LOCKS[self.band(pilot, at)]) and lock not in self.locks:
            self.locks.append(lock)

    def do_launch(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Launch a missile at the target of a lock."""
        weapon, at = pilot.weapons[order.weapon], self.vessels[order.at]
        self.spend(pilot, weapon, 1)
        lock = self.lock(pilot, weapon.name, at)
        # CX-42: a launch ends the lock.
        self.locks.remove(lock)
        self.launched, self.tried = self.launched + 1, True
        flight = {"turns": FLIGHT[self.band(pilot, at)], "outflown": 0, "since": self.turn}
        self.missiles.append({"id": f"M{self.launched}", **lock, **flight})

    def missile(self, name: str) -> dict[str, Any]:
        """Return a missile in flight."""
        return next(one for one in self.missiles if one["id"] == name)

    def do_intercept(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Try to shoot a missile down."""
        throw, guns = self.attack(me, order, "at " + order.missile)
        self.spend(pilot, pilot.weapons[order.weapon], guns)
        if passes(throw, FORMIDABLE):
            self.missiles.remove(self.missile(order.missile))

    def do_outfly(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Try to out-fly a missile."""
        missile, throw = (
            self.missile(order.missile),
            self.fly(me.unit, "out-flies " + order.missile),
        )
        # CX-44: a botch adds nothing; at 15 the missile is shaken off.
        missile["outflown"] += 0 if throw.botch else throw.total
        if missile["outflown"] >= 15:
            self.missiles.remove(missile)

    def do_trick(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Try to distract a missile with another vessel or an obstacle."""
        unit, missile, why = me.unit, self.missile(order.missile), "distracts " + order.missile
        at = self.vessels.get(order.at)
        if at is None:
            if self.meet(unit, order.at, -1) and passes(self.fly(unit, why, -2), AVERAGE):
                self.missiles.remove(missile)
        elif self.pass_close(unit, at, -1):
            throw, answer = self.fly(unit, why, -2), Throw(0, False)
            if not immobile(at.unit):
                answer = self.fly(at.unit, "is offered to " + order.missile)
            # CX-45: opposed rolls, of which only the totals count.
            if answer.total < throw.total:
                missile.update(at=at.name, outflown=0)

    def fly_missiles(self) -> None:
        """Let all missiles fly on that were launched in earlier turns."""
        for missile in [one for one in self.missiles if one["since"] < self.turn]:
            # An earlier missile may have put its target out, and so ended this one (CX-12).
            if missile in self.missiles:
                self.tried = True
                missile["turns"] -= 1
                if missile["turns"] == 0:
                    self.arrive(missile)

    def arrive(self, missile: dict[str, Any]) -> None:  # CX-46, CX-66
        """Let a missile hit its target, and in an atmosphere whom its blast reaches."""
        weapon = self.vessels[missile["by"]].weapons[missile["weapon"]]
        at = self.vessels[missile["at"]]
        shares = [(at, 4)]
        if self.atmosphere:
            wing = sorted(at.unit, key=lambda one: one.place)
            shares += [(one, 3) for one in wing if one is not at]
            far = [(foe, self.ranges[self.key(at, foe)]) for foe in self.foes(at)]
            shares += [(foe, 4 - begun(feet, weapon.blast)) for foe, feet in far]
        dice = self.warhead(weapon, at.name, 4)
        self.missiles.remove(missile)
        for one, share in shares:
            if share > 0 and one.active:
                self.strike(Hit([one], weapon.scale, *self.blast(weapon, dice[:share]), None))

    # ---- bombardment (CX-67 to CX-72)

    def do_bombard(self, me: Thing, pilot: Thing, order: Order) -> None:
        """Bombard a site or an enemy spotter."""
        weapon, at = pilot.weapons[order.weapon], order.at
        site, eye = self.sites.get(at, AREA), self.spotters.get(order.spotter)
        needed = site.spacecraft if weapon.scale == SPACECRAFT else site.planetcraft
        steps, guns = weapon.steps(pilot.altitude or 0) or 0, self.asked(pilot, weapon, order)
        if eye:
            why, self.tried = f"{eye.name} {weapon.name} at {at}", True
            skill = eye.gunnery + steps - (not eye.card.get("scope"))
            throw = self.throw(why, eye.alertness, skill)
        else:
            throw, _ = self.attack(me, order, "at " + at, steps)
        # CX-68: also of a botch with a high total, which misses by 0 at least.
        site.scatter, missed = None, max(needed - throw.total, 0)
        if passes(throw, needed):
            harm: Any = self.shot(me, weapon, guns, at, throw.total - needed)
        else:
            harm = self.scatter(site, at, weapon, missed)
        self.spend(pilot, weapon, guns)
        if harm and at in self.sites:
            more = self.applied(harm[1], weapon.scale, site.scale, site.armour)
            site.wound, self.lost = min(site.wound + more, 10 * site.lp), True
        elif harm:
            tenths = [self.applied(one, weapon.scale, PERSONAL, 0) for one in harm]
            self.hurt(self.spotters[at], *tenths)

    def scatter(self, site: Site, at: str, weapon: Weapon, missed: int) -> tuple[int, int] | None:
        """Let a bombardment miss its mark; return what a missile still does (CX-68)."""
        direction = DIRECTIONS[self.dice.roll(8, "scatter at " + at) - 1]
        feet = self.dice.roll(10, "scatter at " + at) + 10 * missed
        site.scatter = {"direction": direction, "feet": feet}
        dice = 4 - begun(feet, weapon.blast) if weapon.missile else 0
        return self.blast(weapon, self.warhead(weapon, at, dice)) if dice > 0 else None

    # ---- harm (CX-10 to CX-14, CX-33, CX-34, CX-62)

    def rank(self, scale: str) -> int:  # CX-1
        """Return the number of a scale; without the rule all are planetcraft."""
        return SCALES.index(scale) if "scales" in self.options else 1

    def applied(self, points: int, scale: str, target: str, armour: int) -> int:
        """Return in tenths what damage does behind armour."""
        apart = self.rank(scale) - self.rank(target)
        factor = FACTORS[abs(apart)]
        # CX-62: the larger weapon's points are multiplied, or else the target's armour and LP.
        if apart > 0:
            return 10 * max(points * factor - armour, 0)
        return 10 * max(points - armour * factor, 0) // factor

    def strike(self, hit: Hit) -> None:  # CX-19, CX-38
        """Let a hit take effect on one member, now or when all of this initiative have acted."""
        if self.hits is not None:
            self.hits.append(hit)
            return
        left, first = [one for one in hit.unit if one.active], hit.unit[0]
        shield = first.given["shield"].at if "shield" in first.given else ""
        struck = next((one for one in left if one.name == shield), left[0] if left else None)
        if struck is None:
            return
        if len(left) > 1 and struck.name != shield:
            struck = left[self.dice.roll(len(left), f"which of {first.name}'s wing") - 1]
        worn, armour = struck.wound >= 5 * struck.lp, struck.card.get("armour") or {}
        stun, wound = (
            self.applied(points, hit.scale, struck.scale, armour.get(key) or 0)
            for key, points in (("stun", hit.stun), ("wound", hit.wound))
        )
        self.hurt(struck, stun, wound)
        if struck.active and wound >= 10:
            if hit.called:
                self.resist(struck, hit.scale, hit.called)
            if worn and struck.scale == SPACECRAFT and "battle_damage" in self.options:
                self.battle_damage(struck, wound // 10)

    def hurt(self, struck: Thing, stun: int, wound: int) -> None:  # CX-12
        """Add damage, which may put somebody out of the battle."""
        self.tried, self.lost = True, self.lost or bool(stun or wound)
        struck.stun += stun
        struck.wound += wound
        if struck.stun + struck.wound >= 10 * struck.lp:
            self.out(struck, "destroyed" if struck.wound >= 10 * struck.lp else "disabled")

    def out(self, one: Thing, fate: str) -> None:  # CX-12
        """Take a vessel or a spotter out of the battle."""
        one.fate, self.lost = fate, True
        self.do_leave(one)
        self.locks = [lock for lock in self.locks if one.name not in (lock["by"], lock["at"])]
        self.missiles = [m for m in self.missiles if m["at"] != one.name]
        held = self.advantages.items()
        self.advantages = {key: x for key, x in held if one.name not in key.split("|")}

    def resist(self, struck: Thing, scale: str, called: str) -> None:  # CX-14, CX-63
        """Let a vessel resist the effect of a called shot."""
        needed = RESISTED[self.rank(scale)][self.rank(struck.scale)]
        if needed is not None:
            throw = self.throw(struck.name + " resists", struck.strength, struck.vitality)
            what = {"engines": "speed", "weapon": "gun"}.get(called, called)
            self.damage(struck, [what] * (not passes(throw, needed)))

    def battle_damage(self, struck: Thing, points: int) -> None:  # CX-34
        """Roll on the table of battle damage."""
        result = self.dice.roll(10, struck.name + " battle damage") + points
        if result > 30:
            self.battle_damage(struck, points // 2)
            self.battle_damage(struck, points // 2)
        else:
            self.damage(struck, [what for last, what in DAMAGE if result <= last])

    def damage(self, struck: Thing, rows: list[str]) -> None:
        """Damage a vessel by the first of some rows that applies."""
        # CX-34: a row that does not apply gives way to the next.
        what = next((one for one in rows if struck.can_lose(one)), "")
        if what == "speed":
            struck.speed //= 2
        elif what in ("gun", "weapon"):
            most, why = 99 if what == "gun" else 1, f"{struck.name} loses a {what}"
            names = [name for name, n in struck.guns.items() for _ in range(min(n, most))]
            name = names[self.dice.roll(len(names), why) - 1] if len(names) > 1 else names[0]
            struck.guns[name] = struck.guns[name] - 1 if what == "gun" else 0
            self.lost = True
        elif what:
            struck.damaged.add(what)

    # ---- the result

    def result(self) -> dict[str, Any]:
        """Return what the last line must say."""
        pairs = {}
        for key in [self.key(a, b) for a in self.team(0) for b in self.team(1)]:
            holder, steps = self.advantages.get(key, (None, 0))
            far = self.ranges[key] if self.atmosphere else RANGES[self.ranges[key]]
            pairs[key] = {"range": far, "advantage": holder and holder.name, "steps": steps}
        missiles = [{k: v for k, v in one.items() if k != "since"} for one in self.missiles]
        eye = ("fate", "stun", "wound", "detected")
        state: dict[str, Any] = {
            "turn": self.turn,
            "over": True,
            "winner": self.winner,
            "vessels": {one.name: one.shown() for one in self.vessels.values()},
            "pairs": pairs,
            "locks": self.locks,
            "missiles": missiles,
            "sites": {name: site.shown() for name, site in self.sites.items()},
            "spotters": {
                n: {key: vars(one)[key] for key in eye} for n, one in self.spotters.items()
            },
            "obstacles": {n: {key: o[key] for key in RANDOM} for n, o in self.obstacles.items()},
        }
        return {"state": state, "winner": self.winner, "drawn": self.winner is None}


RULES = Rules("cortex", "Cortex", 1, ("easy", "sound", "sharp"), Battle)

if __name__ == "__main__":
    sys.exit(main(RULES))
