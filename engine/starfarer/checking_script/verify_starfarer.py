"""Check a Starfarer fight, each line by the rules SF-1 to SF-44, without trusting its referee.

What only you can check: that the commitment, your own words, your plans, the characters and the
rolls are those of your letters. The file says them all; docs/player.md says where each stands.

The file has four parts: names in orders, the protocol of the dice, what the rules say in figures,
and a fight as the rules move it. It needs nothing but Python 3.8 or later.
"""

from __future__ import annotations

import re
import sys
from collections import namedtuple
from typing import Any

from engine.checking_script.names import Names
from engine.checking_script.protocol import Dice, Rules, main, need

# ---- what the rules say in figures -------------------------------------------------------------

AREAS = ("head", "chest", "abdomen", "right arm", "left arm", "right leg", "left leg")
VITAL, LEGS = AREAS[:3], AREAS[5:]
LOCATIONS = [AREAS[place] for place in (6, 0, 1, 1, 1, 2, 2, 3, 4, 5)]  # SF-18: by the ones digit
LIGHT, MEDIUM, HEAVY, SEVERE, MORTAL = range(2, 7)  # SF-22: levels of wounds; 1 is a graze
CIRCLES = (3, 2, 1, 1, 1, 1)  # SF-23
RANGES = {  # SF-12: the last metre of each bracket by range rating, and its Ease Factor
    "point blank": ((1, 2, 3, 4, 5, 6, 7, 8), 7),
    "short": ((5, 10, 15, 20, 25, 30, 35, 40), 6),
    "medium": ((10, 20, 45, 80, 125, 180, 250, 320), 5),
    "long": ((30, 100, 300, 1000, 3000, 10000, 30000, 100000), 4),
}
UNARMED = {"name": "unarmed", "skill": "unarmed", "mode": "melee", "pr": 0, "dr": 2}
UNARMED.update(type="unarmed", blunt=True)  # SF-13
QUIET_ROUNDS = 10  # SF-39

# How plans are written: `Kitai: IF CLEAR: ATTACK Bo WITH 2500j, ELSE EVADE; HOLD; ABORT: PARRY`.
HAND = "(?: (?P<arm>right|left) hand)?"
WEAPON = "(?: WITH (?P<weapon>.+?))??"
FAR = "(?: WITHIN (?P<within>0|-?[1-9][0-9]{0,8}))?(?P<finish> FINISH)?"
FORMS = {
    "attack": "ATTACK(?: (?P<at>.+?))??" + WEAPON + HAND + FAR,
    "aim": "AIM AT(?: (?P<at>.+?))??" + FAR,
    "parry": "PARRY" + WEAPON + HAND,
    "treat": "TREAT (?P<area>" + "|".join((*AREAS, "shock")) + ")(?: OF (?P<at>.+))?",
    "move": "MOVE (?:TO (?P<to>0|-?[1-9][0-9]{0,8})|TOWARD (?P<toward>.+))",
    **{word: word.upper() for word in ("evade", "drop", "rise", "hold", "yield")},
}
NOTHING = dict.fromkeys(("when", "at", "toward", "weapon", "arm", "within", "finish"))
CONDITION = re.compile(r"\A(?:IF (ENGAGED|CLEAR|HURT|BLEEDING): )?(.+)\Z")
# A name is written in quotes where it holds one of these, the words of plans in all languages.
RESERVED = set(
    """
    abbrechen abbruch abdomen abort abwarten abwehren aim aimat and andernfalls angreifen angriff
    angriffauf approach attack aufgeben aufstehen ausweichen bandage bauch bedraengt bedrangt
    behalten behandeln behandle bei beibehalten bis bleeding block blutend blutet brust chest clear
    closein closeinon closest dann demnachsten dennachsten dodge drop duck ducken else endgueltig
    endgultig engaged ergeben evade falls feuereauf feuernauf finish fire fireat fireon frei
    gehenach gehennach gehenzu gehezu gehnach gehzu getcloser getcloserto getup goprone goto
    gotoward gotowards greifean head heal hinlegen hinwerfen hold hurt if imnahkampf keep kopf
    laufenach laufennach laufenzu laufezu leftarm lefthand leftleg legedichhin liedown linkehand
    linkemarm linkembein linkenarm linkerarm linkerhand linkesbein links m meter metern meters metre
    metres mit move movecloser movecloserto moveto movetoward movetowards nachste nachsten nachster
    naehern naeherran naeherranan nahern naherran naherranan nearest nicht not of otherwise pariere
    parieren parry rechtehand rechtemarm rechtembein rechtenarm rechterarm rechterhand rechtesbein
    rechts rightarm righthand rightleg rise runto runtoward runtowards schiesseauf schiessenauf
    schock shock shoot shootat sonst stab standup stehauf steheauf strike surrender theclosest then
    thenearest toeten toten treat und using verbinden verletzt versorge versorgen verwundet von
    weicheaus wenn when with within wounded yield ziele zieleauf zielen zielenauf
    """.split()
)

Task = namedtuple("Task", "roll passed level")  # the level is that of success, or of failure


def half(number: int) -> int:
    """Return half of a number, rounded up."""
    return (number + 1) // 2


def modifier(level: int) -> int:  # SF-24
    """Return the modifier of a wound's level."""
    return max(level - 1, 0)


def chance(traits: list[int], lost: int, ease: int) -> int:  # SF-1
    """Work out what a task's d100 may show at most."""
    return sum(max(trait - lost, 0) for trait in traits) * max(ease, 0)


class Character:
    """A character in a fight, with its plan for the round."""

    def __init__(self, card: Any, number: int, team: str) -> None:
        self.name: str = card["name"]
        self.team = team
        self.card = card
        seat = card.get("seat")
        seat = seat if isinstance(seat, str) and seat.strip() else team
        self.seat: str = f"|team {number}" if seat.startswith("|") else seat
        self.weapons: list[Any] = card.get("weapons") or []
        self.reach = max([1, *(w.get("reach") or 1 for w in self.weapons if w["mode"] == "melee")])
        self.traits: dict[str, int] = card["traits"]
        self.skills: dict[str, int] = card.get("skills") or {}
        self.hand: str = card.get("hand") or "right"
        self.fate, self.prone = "active", False
        self.at: int = card["at"]
        self.ap = self.shock = self.dying = self.evade = self.parry = 0
        self.wounds = {area: [""] * 6 for area in AREAS}
        self.bleeding = dict.fromkeys(AREAS, 0)
        self.clock = dict.fromkeys(AREAS, 0)
        self.steadied: set[str] = set()
        self.wakes: int | None = None
        self.aim: str | None = None
        self.filed: Any = None  # the plan for the open round: entries, and what to abort to
        self.begin()

    def begin(self) -> None:  # SF-6, SF-7
        """Begin a round by the plan on file, or without one."""
        default = [{**NOTHING, "do": "attack"}, {**NOTHING, "do": "evade"}]
        plan: Any = self.filed or ([[default]], None)
        (self.entries, self.abort), self.filed = plan, None
        self.reached = 0
        self.passed: set[str] = set()  # limbs that passed a check in this round, or failed it
        self.failed: set[str] = set()

    @property
    def present(self) -> bool:  # SF-3
        """Return whether the character is there, active or not."""
        return self.fate in ("active", "unconscious")

    @property
    def entry(self) -> Any:  # SF-6
        """Return the entry of the next phase; the last one repeats."""
        return self.entries[min(self.reached, len(self.entries) - 1)]

    def weapon(self, action: Any) -> Any:  # SF-17
        """Return the weapon of an attack or a parry."""
        parry = action["do"] == "parry"
        for weapon in self.weapons:
            wanted = weapon["mode"] == "melee" or not parry
            if weapon["name"] == action["weapon"] if action["weapon"] else wanted:
                return weapon
        return UNARMED

    def limbs(self, action: Any) -> tuple[str, ...]:  # SF-17, SF-26
        """Return the limbs that an action uses, right before left."""
        do = action["do"]
        if do in ("attack", "parry") and self.weapon(action).get("hands") == 2:
            return ("right arm", "left arm")
        if do in ("attack", "parry"):
            return ((action["arm"] or self.hand) + " arm",)
        if do == "treat":
            return (self.hand + " arm",)
        return LEGS if do in ("evade", "rise") or (do == "move" and not self.prone) else ()

    def off_hand(self, action: Any) -> int:  # SF-14
        """Return what an attack or a parry loses in the hand that is not the own."""
        one_handed = self.weapon(action).get("hands") != 2
        return int(one_handed and (action["arm"] or self.hand) != self.hand)

    # ---- wounds and shock

    def worst(self, area: str) -> int:  # SF-24
        """Return the level of an area's worst wound."""
        return max([level for level, marks in enumerate(self.wounds[area], 1) if marks], default=0)

    def maimed(self, area: str) -> bool:
        """Return whether an area has a wound of the last level."""
        return bool(self.wounds[area][MORTAL - 1])

    def dies_of(self, area: str) -> bool:
        """Return whether an area has a Mortal wound that is not steadied."""
        # SF-33: maimed limbs do not kill.
        return area in VITAL and self.maimed(area) and area not in self.steadied

    @property
    def shock_level(self) -> int:  # SF-25
        """Return the shock level."""
        return int(self.shock // self.card["basic_shock"])

    @property
    def shock_modifier(self) -> int:  # SF-25
        """Return the shock modifier."""
        return min(max(self.shock_level - 1, 0), 5)

    @property
    def deadly_shock(self) -> bool:  # SF-33
        """Return whether there is a shock level of 6 or more that is not steadied."""
        return self.shock_level >= 6 and "shock" not in self.steadied

    def lost(self, limbs: tuple[str, ...]) -> int:  # SF-26
        """Return what each trait of a task loses that uses these limbs."""
        used = max([modifier(self.worst(limb)) for limb in limbs], default=0)
        head, chest, abdomen = [modifier(self.worst(area)) for area in VITAL]
        return used + head + half(chest) + half(abdomen) + self.shock_modifier

    def mark(self, area: str, level: int, further: bool) -> int | None:  # SF-23
        """Mark a wound in its circle, and return its level then; None if no circle was free."""
        for place in range(level, MORTAL + 1):
            if len(self.wounds[area][place - 1]) < CIRCLES[place - 1]:
                self.wounds[area][place - 1] += "/" if further or place > level else "X"
                return place
        return None

    def stop(self, area: str, points: int) -> None:  # SF-35
        """Stop points of an area's bleeding; the clock of one that bleeds no more is 0."""
        self.bleeding[area] = max(self.bleeding[area] - points, 0)
        self.clock[area] = self.clock[area] if self.bleeding[area] else 0

    def end(self, fate: str) -> None:
        """Take the character out of action."""
        self.fate, self.ap, self.evade, self.parry = fate, 0, 0, 0
        self.aim = self.wakes = None

    def heal(self) -> None:  # SF-40
        """Take all wounds and shock away."""
        self.wounds = {area: [""] * 6 for area in AREAS}
        self.bleeding = dict.fromkeys(AREAS, 0)
        self.clock = dict.fromkeys(AREAS, 0)
        self.shock = self.dying = 0

    def shown(self) -> dict[str, Any]:
        """Return the character as the result shows it."""
        keys = "fate prone ap shock wounds bleeding clock dying wakes evade parry aim"
        steadied = [one for one in (*AREAS, "shock") if one in self.steadied]
        at = None if self.fate == "left" else self.at
        return {**{key: vars(self)[key] for key in keys.split()}, "steadied": steadied, "at": at}


# ---- a fight as the rules move it --------------------------------------------------------------


class Battle:
    """A fight as a set-up begins it and steps take it on."""

    def __init__(self, setup: Any) -> None:
        options = setup.get("options") or {}
        self.options = {key for key, wanted in options.items() if wanted}
        self.field: int = setup["field"]
        self.teams: list[str] = [team["name"] for team in setup["teams"]]
        self.everybody = [
            Character(card, number, team["name"])
            for number, team in enumerate(setup["teams"])
            for card in team["characters"]
        ]
        self.named = {one.name: one for one in self.everybody}
        weapons = [weapon["name"] for one in self.everybody for weapon in one.weapons]
        # Names are read as filed orders write them: in quotes where they could be other words.
        self.names = Names([*self.named, *weapons], RESERVED, unit="m")
        self.known = {"nearest": "nearest", "unarmed": "unarmed", **self.names.known}
        self.round, self.quiet = 1, 0
        self.fought = self.over = self.decided = False
        self.winner: str | None = None

    def seats(self) -> list[str]:
        """Return the names of the seats, in order of the set-up."""
        return list(dict.fromkeys(one.seat for one in self.everybody))

    def active(self) -> list[Character]:
        """Return the active characters in setup order."""
        return [one for one in self.everybody if one.fate == "active"]

    def foes(self, me: Character) -> list[Character]:
        """Return the active opponents of a character in setup order."""
        return [one for one in self.active() if one.team != me.team]

    # ---- a step

    def take(self, orders: list[list[str]], dice: Dice) -> None:
        """Take a step: plans filed, then the referee's rulings; or the referee's own step."""
        self.dice = dice
        for seat, text in orders:
            if seat != "|referee":
                self.file(seat, text)
        for text in [text for seat, text in orders if seat == "|referee"]:
            self.rule(text)
        if not orders:
            # SF-40: once a fight is decided only the rulings on its aftermath are left.
            need(not self.decided, "the referee was to rule")
            need(all(one.filed for one in self.active()), "plans are missing")
            self.play()

    def rule(self, text: str) -> None:
        """Carry out a ruling of the referee."""
        command, _, name = text.partition(" ")
        lost = [one for one in self.everybody if one.present and one.seat == name]
        known = text == "DRAW" or (text == "DONE" if self.decided else text == "END")
        known = known or bool(command == "FORFEIT" and lost)
        known = known or (self.decided and name in self.concerned(command))
        need(not self.over and known, "there is no such ruling now: " + text)
        if text == "END":
            self.play()
        elif text == "DONE":
            self.over = True
        elif text == "DRAW":
            self.over, self.winner = True, None
        elif command == "HEAL":
            self.named[name].heal()
        elif command == "FREE":
            self.named[name].end("left")
        else:
            for one in lost:
                one.end("surrendered")
            self.finish()

    def concerned(self, command: str) -> list[str]:  # SF-40
        """Return whom the referee may heal, or which prisoners go free, after a fight."""
        if command == "FREE":
            held = [one for one in self.everybody if one.fate == "unconscious"]
            return [one.name for one in held if one.team != self.winner]
        alive = [one for one in self.everybody if one.fate != "dead" and command == "HEAL"]
        return [one.name for one in alive if one.shock or any(map(one.worst, AREAS))]

    def finish(self) -> bool:  # SF-39
        """End the fight if at most one team has anybody active; return whether it does."""
        standing = {one.team for one in self.active()}
        if len(standing) > 1:
            return False
        self.winner = min(standing, default=None)
        rulings = "aftermath" in self.options and not self.decided
        self.decided = bool(rulings and (self.concerned("FREE") or self.concerned("HEAL")))
        self.over = not self.decided
        return True

    # ---- plans (SF-41)

    def file(self, seat: str, text: str) -> None:
        """File a seat's plan for a character, if it is one that the rules allow."""
        need(not (self.over or self.decided), "the fight was over")
        name, _, plan = self.names.shortened(text).partition(": ")
        me = self.named.get(self.known.get(name, ""))
        # SF-41: nobody plans for others, nor for a character that is not active.
        need(me and me.seat == seat and me.fate == "active", f"{seat} can't order {text}")
        lines = plan.split("; ")
        if lines[-1] == "KEEP":
            lines.pop()
        abort = re.fullmatch("ABORT: (EVADE|PARRY)", lines[-1]) if lines else None
        lines = lines[:-1] if abort else lines
        entries = [[self.choices(me, one) for one in line.split(" AND ")] for line in lines]
        most = 4 if "multiple" in self.options else 1  # SF-11
        need(entries and max(map(len, entries)) <= most, f"{text} has no phase, or too much in one")
        assert me is not None
        me.filed = (entries, abort[1].lower() if abort else None)

    def choices(self, me: Any, text: str) -> list[Any]:
        """Read an action, what to do else, and so on."""
        return [self.action(me, one) for one in text.split(", ELSE ")]

    def action(self, me: Character, text: str) -> Any:
        """Read an action; raise Wrong where the rules forbid it."""
        when, what = CONDITION.findall(text)[0]
        found = [(do, re.fullmatch(form, what)) for do, form in FORMS.items()]
        read = [{"do": do, **NOTHING, **match.groupdict()} for do, match in found if match]
        need(read, "there is no such action: " + what)
        action = {**read[0], "when": when}
        do, weapon, at, toward = (action[key] for key in ("do", "weapon", "at", "toward"))
        weapon, at, toward = (name and self.known[name] for name in (weapon, at, toward))
        action.update(weapon=weapon, at=at, toward=toward)
        known = weapon in (None, "unarmed", *(one["name"] for one in me.weapons))
        if do == "parry":
            known = known and me.weapon(action)["mode"] == "melee"
        elif do == "move":
            known = toward in (None, "nearest", *self.named) and toward != me.name
        elif at not in (None, "nearest"):
            known = known and (self.named[at].team == me.team) == (do == "treat")
        # SF-9: `nearest` is an opponent, and only members of a team treat each other (SF-36).
        need(known and not (do == "treat" and at == "nearest"), "the rules forbid it: " + what)
        return action

    # ---- a round (SF-3 to SF-11)

    def play(self) -> None:
        """Play the open round."""
        self.fought, names = False, self.active()
        for one in self.everybody:
            one.begin()
        for one in names:  # SF-4
            one.ap += self.dice.roll(10, one.name + " initiative") + one.card["initiative"]
            one.ap += self.added(one)
        while True:  # SF-5; `max` takes the first of equals
            first = max(names, key=lambda one: (one.ap, one.card["initiative"]), default=None)
            if first is None or first.ap < 10:
                break
            self.phase(first)
        for one in self.active():  # SF-10
            one.ap -= self.added(one)
        for step in (self.wake, self.bleed, self.clot, self.survive):  # SF-38
            for one in self.everybody:
                if one.present:
                    step(one)
        self.quiet = 0 if self.fought else self.quiet + 1
        if not self.finish():
            self.over = self.quiet >= QUIET_ROUNDS
        self.round += 1

    def modifier(self, me: Character, action: Any) -> int:  # SF-10
        """Return an action's initiative modifier."""
        if "modifiers" not in self.options or action["do"] != "attack":
            return 0
        return int(me.weapon(action).get("initiative") or 0)

    def added(self, me: Character) -> int:  # SF-11
        """Return what is added in advance for a character's next entry."""
        return min(self.modifier(me, choices[0]) for choices in me.entry)

    def phase(self, me: Character) -> None:
        """Play one phase of a character."""
        entry = me.entry
        me.reached += 1
        # SF-15: a defence stands until its character's next phase begins.
        me.evade = me.parry = 0
        done: set[str] = set()
        cost = 10
        if len(entry) > 1:
            modifiers = [self.modifier(me, choices[0]) for choices in entry]
            cost += max(len(entry) - sum(modifiers) + min(modifiers), 0)
        for choices in entry:
            cost += self.choose(me, choices, len(entry) - 1, done)
            # SF-11: once the character has yielded or left, the rest of its entry lapses.
            if me.fate != "active":
                return
        me.ap += self.added(me) - cost

    def choose(self, me: Character, choices: list[Any], handicap: int, done: set[str]) -> int:
        """Carry out the first choice that nothing hinders; return the points lost (SF-8, SF-10)."""
        for action in choices:
            if not self.holds(me, action["when"]) or self.hindered(me, action, done):
                continue
            done.add(action["do"])
            self.carry_out(me, action, handicap)
            if action is choices[0] or "declaration" not in self.options:
                return 0
            return 1 + max(self.modifier(me, choices[0]) - self.modifier(me, action), 0)
        return 0

    # ---- whether an action can be carried out (SF-9, SF-44)

    def holds(self, me: Character, when: str | None) -> bool:  # SF-9
        """Return whether an `if` holds for a character."""
        if when == "HURT":
            wounded = any(me.worst(area) >= LIGHT for area in AREAS)
            return bool(wounded or me.shock >= 2 * me.card["basic_shock"])
        if when == "BLEEDING":
            return any(me.bleeding.values())
        engaged = any(abs(foe.at - me.at) <= foe.reach for foe in self.foes(me))
        return not when or engaged == (when == "ENGAGED")

    def target(self, me: Character, action: Any) -> Any:
        """Return whom an action is for; None where it is for nobody, or nobody is there."""
        named = action["toward"] or action["at"]
        if named == "nearest" or (action["do"] in ("attack", "aim") and not named):
            return min(self.foes(me), key=lambda foe: abs(foe.at - me.at), default=None)
        return self.named[named] if named else me if action["do"] == "treat" else None

    def hindered(self, me: Character, action: Any, done: set[str]) -> bool:
        """Return whether an action is refused, or its target too far off."""
        do, other = action["do"], self.target(me, action)
        # SF-44: here it only counts whether there is a reason, not which one comes first.
        if do in done and do not in ("attack", "hold"):
            return True
        if other is None and (do in ("attack", "aim") or action["toward"]):
            return True
        if other is not None and not other.present:
            return True
        if any(me.maimed(limb) or limb in me.failed for limb in me.limbs(action)):
            return True
        if do in ("evade", "drop", "rise"):
            return bool(me.prone != (do == "rise"))
        if other is None or do == "move":
            return False
        metres = abs(other.at - me.at)
        if do == "treat":
            area = action["area"]
            shocked = other.deadly_shock if area == "shock" else other.dies_of(area)
            return metres > 1 or not (shocked or other.bleeding.get(area))
        if action["within"] is not None and metres > int(action["within"]):
            return True
        if other.fate == "unconscious" and not action["finish"]:
            return True
        return do == "attack" and self.bracket(me.weapon(action), other, metres) is None

    def bracket(self, weapon: Any, other: Character, metres: int) -> tuple[str, int] | None:
        """Return the range bracket of an attack, with its Ease Factor; None out of reach."""
        if weapon["mode"] == "melee":  # SF-13
            return ("melee", 5) if metres <= (weapon.get("reach") or 1) else None
        if other.fate == "active" and metres <= other.reach:  # SF-12
            return ("close", 5)
        for name, (ends, ease) in RANGES.items():
            # The last metre of a bracket belongs to it (SF-12).
            if metres <= ends[weapon["range"] - 1]:
                return (name, ease)
        longest = RANGES["long"][0][weapon["range"] - 1]
        return ("extreme", 2) if weapon.get("extreme") and 2 * metres <= 3 * longest else None

    # ---- actions carried out (SF-12 to SF-17, SF-36, SF-37)

    def carry_out(self, me: Character, action: Any, handicap: int) -> None:
        """Carry an action out; a failed disability check spoils it."""
        do, other = action["do"], self.target(me, action)
        aimed = other is not None and me.aim == other.name
        if do != "hold":  # SF-14
            me.aim = other.name if do == "aim" and other else None
        if do in ("aim", "hold") or not self.limbs_work(me, action):
            return
        if do == "attack" and other:
            self.attack(me, other, action, handicap, aimed)
        elif do in ("evade", "parry"):
            self.defend(me, action, handicap)
        elif do == "treat" and other:
            self.treat(me, other, action, handicap)
        elif do == "move":
            self.move(me, other, action)
        elif do == "yield":
            me.end("surrendered")
        else:
            me.prone = do == "drop"

    def task(self, why: str, mcs: int) -> Task:  # SF-2
        """Roll a task."""
        roll = self.dice.roll(100, why)
        passed = roll <= mcs and roll < 96
        return Task(roll, passed, max(mcs - roll if passed else roll - mcs, 0) // 10)

    def limbs_work(self, me: Character, action: Any) -> bool:  # SF-28
        """Check the injured limbs that an action uses; return whether none fails."""
        for limb in me.limbs(action):
            if limb in me.passed or me.worst(limb) < MEDIUM:
                continue
            ease = 5 - modifier(me.worst(limb))
            mcs = chance([me.traits["endurance"], me.traits["willpower"]], 0, ease)
            passed = self.task(f"{me.name} {limb}", mcs).passed
            (me.passed if passed else me.failed).add(limb)
            if not passed:
                return False
        return True

    def attack(self, me: Character, at: Character, action: Any, handicap: int, aimed: bool) -> None:
        """Attack somebody, who may abort to a defence before."""
        weapon = me.weapon(action)
        melee = weapon["mode"] == "melee"
        self.abort(at, melee)
        metres = abs(at.at - me.at)
        name, ease = self.bracket(weapon, at, metres) or ("", 0)
        ease -= handicap + me.off_hand(action)  # SF-14
        if melee:
            ease += int(at.prone) - int(me.prone) - max(at.evade, at.parry)
        else:
            ease += int(aimed) - at.evade
            ease -= int(at.prone and name not in ("close", "point blank"))
        traits = [me.skills.get(weapon["skill"], 0), me.traits["agility" if melee else "dexterity"]]
        mcs = chance(traits, me.lost(me.limbs(action)), ease)
        task = self.task(f"{me.name} attack on {at.name}", mcs)
        self.fought = True
        if task.passed:
            self.hit(at, weapon, LOCATIONS[task.roll % 10], task.level)

    def abort(self, me: Character, melee: bool) -> None:  # SF-16
        """Let the target of an attack give up its next phase for a defence."""
        if me.abort is None or me.fate != "active" or me.ap < 10 or me.evade or me.parry:
            return
        action = {**NOTHING, "do": me.abort if melee else "evade"}
        if not self.hindered(me, action, set()):
            me.reached += 1
            me.ap += self.added(me) - 10
            me.aim = None
            if self.limbs_work(me, action):
                self.defend(me, action, 0)

    def defend(self, me: Character, action: Any, handicap: int) -> None:  # SF-15
        """Evade or parry."""
        evades = action["do"] == "evade"
        skill = "evade" if evades else me.weapon(action)["skill"]
        ease = 5 - handicap - (0 if evades else me.off_hand(action))
        traits = [me.skills.get(skill, 0), me.traits["agility"]]
        mcs = chance(traits, me.lost(me.limbs(action)), ease)
        task = self.task(f"{me.name} {action['do']}", mcs)
        value = 1 + task.level if task.passed else 0
        me.evade, me.parry = (value, me.parry) if evades else (me.evade, value)

    def treat(self, me: Character, other: Character, action: Any, handicap: int) -> None:  # SF-36
        """Treat an area, or the shock, of somebody."""
        traits = [me.skills.get("first aid", 0), me.traits["dexterity"]]
        mcs = chance(traits, me.lost(me.limbs(action)), 5 - handicap)
        task, area = self.task(f"{me.name} treats {other.name}", mcs), action["area"]
        if task.passed and (area == "shock" or other.dies_of(area)):
            other.steadied.add(area)
        if task.passed and area != "shock":
            other.stop(area, 1 + task.level)

    def move(self, me: Character, other: Character | None, action: Any) -> None:  # SF-37
        """Move to a point, or to a metre from somebody; beyond the field is away."""
        agility = max(me.traits["agility"] - me.lost(me.limbs(action)), 0)
        most = agility // 2 if me.prone else 2 * agility
        if other is None:
            end = int(action["to"])
        elif abs(other.at - me.at) <= 1:
            end = me.at
        else:
            end = other.at - 1 if other.at > me.at else other.at + 1
        me.at = min(max(end, me.at - most), me.at + most)
        if not 0 <= me.at <= self.field:
            me.end("left")

    # ---- harm (SF-18 to SF-31)

    def hit(self, at: Character, weapon: Any, area: str, los: int) -> None:
        """Apply what a hit does."""
        pieces = [one for one in at.card.get("armour") or [] if area in one["covers"]]
        armour = max([one["ratings"].get(weapon["type"]) or 0 for one in pieces], default=0)
        left, mass = max(weapon["dr"] - max(armour - weapon["pr"], 0), 0), at.card["mass"]
        if "blow_through" in self.options and left > mass:  # SF-20
            left = max(mass, left - mass)
        shock = wound = left * los if los else half(left)
        if weapon["pr"] + weapon["dr"] < at.card["resilience"]:  # SF-21
            wound = half(wound)
        # SF-21: doubled last, after the half for a weak weapon.
        if area == "head":
            shock, wound = 2 * shock, 2 * wound
        if not shock:
            return
        awake, due = at.fate == "active", self.shaken(at, shock)
        at.aim = None
        at.steadied -= {area, "shock"}
        step = half(mass)  # SF-22
        level = self.wound(at, area, min(-(-wound // step), MORTAL), weapon)
        # SF-27: death comes before the shock check, which the dead do not make.
        if (area in VITAL and wound > 2 * (5 * step + 1)) or self.too_much(at):  # SF-34
            at.end("dead")
        elif awake and (due or level >= (HEAVY if area in VITAL else SEVERE)):  # SF-29
            lof = self.shock_check(at, modifier(level))
            if lof >= 4 and level < MORTAL:  # SF-31
                self.wound(at, area, level + 1, weapon, further=True)

    def wound(
        self, at: Character, area: str, level: int, weapon: Any, further: bool = False
    ) -> int:
        """Mark a wound and let it bleed; return the level that it counts as (SF-23, SF-35)."""
        found = at.mark(area, level, further)
        bleeding = modifier(found or 0)
        if weapon.get("blunt") and "blunt" in self.options:
            bleeding = half(bleeding)
        at.bleeding[area] += bleeding
        counts = found or MORTAL
        if counts >= MEDIUM:  # SF-28
            at.passed.discard(area)
        return counts

    def shaken(self, me: Character, shock: int) -> bool:  # SF-29
        """Add shock, and return whether it calls for a shock check."""
        before = me.shock_level
        me.shock += shock
        return me.shock_level > before or bool(shock >= me.card["stun"])

    def too_much(self, me: Character) -> bool:  # SF-34
        """Return whether a shock total is death at once."""
        return bool(me.shock > 12 * me.card["basic_shock"])

    def shock_check(self, me: Character, wound: int) -> int:  # SF-30
        """Make a shock check, and return its LOF; 0 if it was passed."""
        task = self.task(me.name + " shock", self.consciousness(me, wound))
        if task.passed:
            return 0
        me.end("unconscious")
        me.prone, me.wakes = True, self.round + task.level
        return int(task.level)

    def consciousness(self, me: Character, wound: int) -> int:
        """Work out the chance of a shock check, or of waking."""
        # SF-30, SF-32: the greater of both modifiers, not their sum.
        ease = 8 - max(wound, me.shock_modifier)
        return chance([me.traits["endurance"], me.traits["willpower"]], 0, ease)

    # ---- upkeep (SF-32 to SF-38)

    def wake(self, me: Character) -> None:  # SF-32
        """Let an unconscious character wake, if it is time."""
        if me.wakes is None or self.round < me.wakes:
            return
        worst = max(modifier(me.worst(area)) for area in AREAS)
        task = self.task(me.name + " wakes", self.consciousness(me, worst))
        me.fate, me.wakes = ("active", None) if task.passed else (me.fate, me.wakes)
        if not task.passed:
            falls = [self.dice.roll(10, me.name + " sleeps on") for _ in range(task.level)]
            me.wakes = self.round + max(sum(falls), 1)

    def bleed(self, me: Character) -> None:
        """Let a character take shock by its bleeding."""
        lost, awake = sum(me.bleeding.values()), me.fate == "active"
        # SF-38, step 2: shock by bleeding, then death or a shock check.
        if lost:
            me.steadied.discard("shock")
            due = self.shaken(me, lost)
            if self.too_much(me):
                me.end("dead")
            elif awake and due:
                self.shock_check(me, 0)

    def clot(self, me: Character) -> None:  # SF-35
        """Move the clocks of the areas that bleed."""
        for area in [area for area in AREAS if me.bleeding[area]]:
            me.clock[area] += 1
            if me.clock[area] >= me.bleeding[area]:
                me.clock[area] = 0
                mcs = chance([me.traits["endurance"]], 0, 5 - me.bleeding[area])
                task = self.task(f"{me.name} {area} bleeding", mcs)
                if task.passed:
                    me.stop(area, 1 + task.level)

    def survive(self, me: Character) -> None:  # SF-33
        """Let a character whose life is in danger check its survival."""
        if not (me.deadly_shock or any(me.dies_of(area) for area in VITAL)):
            me.dying = 0
            return
        traits = [me.traits["endurance"], me.traits["essence"]]
        if self.task(me.name + " survival", chance(traits, me.dying, 8)).passed:
            me.dying += 1
        else:
            me.end("dead")

    def result(self) -> dict[str, Any]:
        """Return what the last line must say."""
        state: dict[str, Any] = {
            "round": None,
            "to_plan": [],
            "over": True,
            "winner": self.winner,
            "quiet": self.quiet,
            "characters": {one.name: one.shown() for one in self.everybody},
        }
        return {"state": state, "winner": self.winner, "drawn": self.winner is None}


RULES = Rules("starfarer", "Starfarer", 1, ("easy", "sound", "sharp"), Battle)

if __name__ == "__main__":
    sys.exit(main(RULES))
