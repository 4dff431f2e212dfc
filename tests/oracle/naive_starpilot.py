"""A deliberately naive referee for StarPilot 3.1, written straight from the rulings
SP-1 to SP-29."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.oracle.dice import DiceList

Json = dict[str, Any]
Pair = tuple[str, str]  # (pilot of the first team, pilot of the second team)
Die = Callable[[str, str], int]  # (what it is for, who rolls or is rolled for) -> 1..100

STATS = ("beams", "missiles", "maneuver", "speed", "shields", "electronics", "structure")
MARK_BITS = {
    "beams": 32,
    "missiles": 16,
    "maneuver": 8,
    "speed": 4,
    "shields": 2,
    "electronics": 1,
    "structure": 0,
}
RANGES = ("near", "far", "extreme")
SIDES = ("alliance", "cartel", "federation", "league")

# command: (stat of the ship, aptitude of the pilot)
SKILLS = {
    "FIRE": ("beams", "weapons"),
    "LAUNCH": ("missiles", "weapons"),
    "DOGFIGHT": ("maneuver", "piloting"),
    "JINK": ("maneuver", "piloting"),
    "CLOSE": ("speed", "piloting"),
    "OPEN": ("speed", "piloting"),
    "PROTECT": ("shields", "sensors"),
    "ECM": ("electronics", "sensors"),
    "SCAN": ("electronics", "sensors"),
    "TARGET": ("electronics", "sensors"),
}
AT_ONE_OPPONENT = ("FIRE", "LAUNCH", "DOGFIGHT", "TARGET")
COMMANDS = (*SKILLS, "ESCAPE", "SURRENDER", "EJECT", "HOLD")

# ship: (side, stats in the order of STATS); the Light ones are those of Structure 3
SHIPS: dict[str, tuple[str, tuple[int, ...]]] = {
    "Angela 313A": ("cartel", (0, 3, 3, 2, 2, 3, 3)),
    "Angela 313B": ("cartel", (3, 0, 3, 2, 2, 3, 3)),
    "Armstrong 1969L": ("league", (3, 4, 4, 3, 3, 4, 5)),
    "Armstrong 1969S": ("league", (4, 3, 4, 3, 3, 4, 5)),
    "Brandy 417A": ("cartel", (2, 3, 4, 2, 2, 4, 4)),
    "Brandy 417B": ("cartel", (3, 2, 4, 2, 2, 4, 4)),
    "Catherine 521A": ("cartel", (3, 4, 4, 3, 2, 5, 5)),
    "Catherine 521B": ("cartel", (4, 3, 4, 3, 2, 5, 5)),
    "Clipus XIII-B": ("federation", (3, 0, 2, 3, 3, 2, 3)),
    "Clipus XIII-M": ("federation", (0, 3, 2, 3, 3, 2, 3)),
    "Cymru 215-A": ("alliance", (3, 4, 3, 4, 2, 5, 5)),
    "Cymru 215-B": ("alliance", (4, 3, 3, 4, 2, 5, 5)),
    "Gagarin 1961L": ("league", (2, 3, 4, 2, 3, 3, 4)),
    "Gagarin 1961S": ("league", (3, 2, 4, 2, 3, 3, 4)),
    "Lakota 174-A": ("alliance", (2, 3, 2, 4, 2, 4, 4)),
    "Lakota 174-B": ("alliance", (3, 2, 2, 4, 2, 4, 4)),
    "Parma XVII-B": ("federation", (3, 2, 2, 4, 3, 3, 4)),
    "Parma XVII-M": ("federation", (2, 3, 2, 4, 3, 3, 4)),
    "Rus 133-A": ("alliance", (0, 3, 2, 3, 2, 3, 3)),
    "Rus 133-B": ("alliance", (3, 0, 2, 3, 2, 3, 3)),
    "Scutum XXI-B": ("federation", (4, 3, 3, 4, 3, 4, 5)),
    "Scutum XXI-M": ("federation", (3, 4, 3, 4, 3, 4, 5)),
    "Wright 1903L": ("league", (0, 3, 3, 2, 3, 2, 3)),
    "Wright 1903S": ("league", (3, 0, 3, 2, 3, 2, 3)),
}
LIGHT_STRUCTURE = 3


def replay(scenario: Json) -> Json:
    """Play a whole scenario and return the state after the last order."""
    dice = DiceList(scenario["dice"])
    battle = Battle(scenario["setup"], lambda purpose, _who: dice.roll(100, purpose))
    refused = []
    for index, order in enumerate(scenario["orders"]):
        reason = battle.give(order)
        if reason is not None:
            refused.append({"index": index, "reason": reason})
    dice.check_used_up()
    return {
        "state": battle.state(),
        "refused": refused,
        "over": battle.over,
        "rolls": [{"sides": sides, "result": result} for sides, result in dice.rolled],
    }


class Battle:
    """One battle, whose orders come one at a time."""

    def __init__(self, setup: Json, die: Die) -> None:
        """Set up the teams and find out who starts."""
        self.die = die
        self.team_names: list[str] = [team["name"] for team in setup["teams"]]
        self.pilots: dict[str, Json] = {}
        for team in setup["teams"]:
            for pilot in team["pilots"]:
                self.pilots[pilot["name"]] = new_pilot(pilot, team["name"])
        self.is_duel = len(self.pilots) == 2  # SP-7, SP-28: as the battle began
        self.hitless_limit = 100 * len(self.pilots)  # SP-28c
        self.hitless_turns = 0
        self.shooting_began = False  # SP-28a
        self.over = False
        self.winner: str | None = None
        self.seen: list[str] = []  # what kinds of things happened, for the tests only
        self.everybody_at_far()
        self.turn: str | None = setup["first"] if "first" in setup else self.initiative()  # SP-9
        self.start_team_turn()

    # ---- who and where -------------------------------------------------------------------

    def everybody_at_far(self) -> None:
        """SP-8: every pair at Far, no Advantage; and neither locks nor shots."""
        self.ranges: dict[Pair, str] = {}
        self.advantages: dict[Pair, str | None] = {}
        for one in self.members(self.team_names[0]):
            for other in self.members(self.team_names[1]):
                self.ranges[one, other] = "far"
                self.advantages[one, other] = None
        self.locks: list[Json] = []  # oldest first
        self.shots: list[Json] = []  # as fired
        self.team_turns_at_extreme = 0  # SP-24

    def initiative(self) -> str:
        """SP-9: both roll, the lower starts, a tie is rolled again by both."""
        while True:
            first = self.die("initiative", self.team_names[0])
            second = self.die("initiative", self.team_names[1])
            if first < second:
                return self.team_names[0]
            if second < first:
                return self.team_names[1]
            self.seen.append("initiative tie")

    def members(self, team: str) -> list[str]:
        """All pilots of a team, in setup order."""
        return [name for name, pilot in self.pilots.items() if pilot["team"] == team]

    def active(self, team: str) -> list[str]:
        """The pilots of a team that are still in the battle, in setup order."""
        return [name for name in self.members(team) if self.pilots[name]["fate"] == "active"]

    def other_team(self, team: str) -> str:
        """The team on the other side."""
        return self.team_names[1] if team == self.team_names[0] else self.team_names[0]

    def opponents(self, name: str) -> list[str]:
        """The active opponents of a pilot."""
        return self.active(self.other_team(self.pilots[name]["team"]))

    def teammates(self, name: str) -> list[str]:
        """The active team-mates of a pilot, without itself."""
        return [mate for mate in self.active(self.pilots[name]["team"]) if mate != name]

    def to_act(self) -> list[str]:
        """SP-10: those who have yet to act in this team turn."""
        if self.turn is None:
            return []
        return [name for name in self.active(self.turn) if name not in self.acted]

    def pair(self, one: str, other: str) -> Pair:
        """The key of the pair that two opponents form."""
        return (one, other) if self.pilots[one]["team"] == self.team_names[0] else (other, one)

    def at_extreme_to_all(self, name: str) -> bool:
        """SP-11 step 1: is the pilot at Extreme to every active opponent?"""
        return all(self.ranges[self.pair(name, o)] == "extreme" for o in self.opponents(name))

    def has_lock(self, by: str, on: str) -> bool:
        """Does the one pilot hold a lock on the other?"""
        return any(lock["by"] == by and lock["on"] == on for lock in self.locks)

    def one_against_one(self) -> bool:
        """SP-28: is each team down to one ship?"""
        return all(len(self.active(team)) == 1 for team in self.team_names)

    # ---- may it? -------------------------------------------------------------------------

    def refusal(self, order: Json) -> str | None:
        """Why the order is refused, the reasons tested in the order in which they are listed."""
        name = order["pilot"]
        if self.over:
            return "over"
        if name not in self.pilots:
            return "unknown pilot"
        if self.pilots[name]["fate"] != "active":
            return "out of the battle"
        if name not in self.to_act():
            return "not your turn"
        if order["command"] not in COMMANDS:
            return "unknown command"
        return self.refusal_of_command(name, order["command"], order.get("at"))

    def refusal_of_command(self, name: str, command: str, at: str | None) -> str | None:
        """Why a pilot whose turn it is may not do this."""
        free_of_detection = ("SCAN", "ESCAPE", "SURRENDER", "HOLD")  # SP-12, SP-28b
        if not self.pilots[name]["found"] and command not in free_of_detection:
            return "undetected"
        if self.names_an_opponent(command) and self.target(name, command, at) is None:
            return "bad target"
        if command in SKILLS:
            return self.refusal_of_skill(name, command, at)
        if command == "ESCAPE" and not self.at_extreme_to_all(name):
            return "not at extreme"  # SP-23
        if command == "EJECT" and not self.is_threatened(name):
            return "nothing to escape"  # SP-22
        if command == "HOLD" and self.can_act(name):
            return "can act"  # SP-28b
        return None

    def names_an_opponent(self, command: str) -> bool:
        """SP-25: SURRENDER names its captor unless it is one against one."""
        if command == "SURRENDER":
            return not self.one_against_one()
        return command in AT_ONE_OPPONENT

    def target(self, name: str, command: str, at: str | None) -> str | None:
        """The opponent that is meant, or None if it is missing, not active or not found."""
        opponents = self.opponents(name)
        if at is None and len(opponents) == 1:
            at = opponents[0]
        if at not in opponents:
            return None
        if command == "SURRENDER" or at in self.pilots[name]["found"]:
            return at  # SP-12: a captor need not be found
        return None

    def refusal_of_skill(self, name: str, command: str, at: str | None) -> str | None:
        """SP-5 and SP-17: a useless skill, and what forbids a shot."""
        stat, _ = SKILLS[command]
        if self.pilots[name]["stats"][stat] <= 0:
            return "disabled"
        if command not in ("FIRE", "LAUNCH"):
            return None
        target = self.target(name, command, at)
        assert target is not None
        pair = self.pair(name, target)
        if self.ranges[pair] == "extreme":
            return "extreme"
        if self.advantages[pair] == target:
            return "disadvantage"
        if self.advantages[pair] is None and not self.has_lock(name, target):
            return "no lock"
        return None

    def is_threatened(self, name: str) -> bool:
        """SP-22: is a shot in flight at it or a lock on it?"""
        return any(s["at"] == name for s in self.shots) or any(k["on"] == name for k in self.locks)

    def can_act(self, name: str) -> bool:
        """SP-28b: has it any legal order but SURRENDER?"""
        for command in COMMANDS:
            if command in ("SURRENDER", "HOLD"):
                continue
            for opponent in self.opponents(name):
                if self.refusal_of_command(name, command, opponent) is None:
                    return True
        return False

    # ---- a pilot's turn ------------------------------------------------------------------

    def give(self, order: Json) -> str | None:
        """SP-11: play one pilot's turn; return the reason if the order is refused."""
        reason = self.refusal(order)  # step 2
        if reason is not None:
            self.seen.append("refused: " + reason)
            return reason
        name: str = order["pilot"]
        began_at_extreme = self.at_extreme_to_all(name)  # step 1
        if not began_at_extreme:
            self.all_began_at_extreme = False
        self.was_hit = False
        self.carry_out(name, order["command"], order.get("at"))  # step 3
        self.lapse_locks(name)  # step 4
        self.land_shots(name)  # step 5
        self.acted.append(name)
        self.finish_turn()  # step 6
        return None

    def carry_out(self, name: str, command: str, at: str | None) -> None:
        """SP-11 step 3: the order takes effect."""
        if command == "ESCAPE":
            self.escape(name)
        elif command == "SURRENDER":
            captor = at if self.names_an_opponent(command) else None
            self.surrender(name, captor if captor is not None else self.opponents(name)[0])
        elif command == "EJECT":
            self.eject(name)
        elif command == "HOLD":
            self.seen.append("hold")
        else:
            target = self.target(name, command, at) if command in AT_ONE_OPPONENT else None
            if self.die("command", name) <= self.chance(name, command, target):
                self.succeed(name, command, target)

    def chance(self, name: str, command: str, target: str | None) -> int:
        """SP-5 and SP-18: aptitude times rating, and 30 more for a shot with a lock."""
        stat, aptitude = SKILLS[command]
        pilot = self.pilots[name]
        chance: int = pilot[aptitude] * pilot["ratings"][stat]
        if command in ("FIRE", "LAUNCH") and target is not None and self.has_lock(name, target):
            chance += 30
        return chance

    def succeed(self, name: str, command: str, target: str | None) -> None:
        """What each of the ten commands does."""
        if command == "SCAN":
            self.scan(name)
        elif command == "CLOSE":
            self.move(name, -1)
        elif command == "OPEN":
            self.move(name, +1)
        elif command == "ECM":
            self.cancel(name, ["LAUNCH"], locks=True)
        elif command == "JINK":
            self.cancel(name, ["FIRE"], locks=True)
        elif command == "PROTECT":
            self.cancel(name, ["FIRE", "LAUNCH"], locks=False)
        elif target is not None:
            self.succeed_against(name, command, target)

    def succeed_against(self, name: str, command: str, target: str) -> None:
        """The four commands that name one opponent."""
        if command == "DOGFIGHT":
            self.dogfight(name, target)
        elif command == "TARGET":
            self.lock(name, target)
        else:
            self.shoot(name, command, target)

    def scan(self, name: str) -> None:
        """SP-12: finds active opponents, for active team-mates."""
        for finder in [name, *self.teammates(name)]:
            self.pilots[finder]["found"].update(self.opponents(name))

    def move(self, name: str, step: int) -> None:
        """SP-14: one step to or from every active opponent; a changed pair loses its Advantage."""
        for opponent in self.opponents(name):
            pair = self.pair(name, opponent)
            place = RANGES.index(self.ranges[pair]) + step
            if 0 <= place < len(RANGES):
                self.ranges[pair] = RANGES[place]
                self.advantages[pair] = None

    def dogfight(self, name: str, target: str) -> None:
        """SP-15: from the opponent's Advantage to none, from none to the own."""
        pair = self.pair(name, target)
        if self.advantages[pair] == target:
            self.advantages[pair] = None
        else:
            self.advantages[pair] = name

    def lock(self, name: str, target: str) -> None:
        """SP-16: a renewed lock is as old as its renewal."""
        self.locks = [k for k in self.locks if not (k["by"] == name and k["on"] == target)]
        self.locks.append({"by": name, "on": target, "new": True})

    def shoot(self, name: str, command: str, target: str) -> None:
        """SP-19: a shot in flight, with the range of this moment."""
        self.shooting_began = True
        distance = self.ranges[self.pair(name, target)]
        self.shots.append({"by": name, "at": target, "weapon": command, "from": distance})

    def cancel(self, name: str, weapons: list[str], locks: bool) -> None:
        """SP-21: against everything outstanding from all opponents at once."""
        before = len(self.shots)
        self.shots = [s for s in self.shots if s["at"] != name or s["weapon"] not in weapons]
        if len(self.shots) < before:
            self.seen.append("shot cancelled")
        if locks:
            before = len(self.locks)
            self.locks = [k for k in self.locks if k["on"] != name]
            if len(self.locks) < before:
                self.seen.append("lock cancelled")

    def lapse_locks(self, name: str) -> None:
        """SP-11 step 4 and SP-16: a lock counts on the pilot's next turn only."""
        self.locks = [k for k in self.locks if k["by"] != name or k["new"]]
        for lock in self.locks:
            if lock["by"] == name:
                lock["new"] = False

    # ---- shots that land -----------------------------------------------------------------

    def land_shots(self, name: str) -> None:
        """SP-11 step 5 and SP-20: what was not cancelled lands, in the order fired."""
        landing = [shot for shot in self.shots if shot["at"] == name]
        self.shots = [shot for shot in self.shots if shot["at"] != name]
        for shot in landing:
            if self.pilots[name]["fate"] == "active":
                self.land(shot)

    def hits(self, shot: Json) -> int:
        """SP-20: the range table, with the shooter's undamaged ratings."""
        ratings: dict[str, int] = self.pilots[shot["by"]]["ratings"]
        now = self.ranges[self.pair(shot["by"], shot["at"])]
        if shot["weapon"] == "FIRE":
            return ratings["beams"] if shot["from"] == "near" else 1
        if shot["from"] == "near":
            return 1
        if now == "extreme":
            self.seen.append("launched at far, landed at extreme")
            return 1
        return ratings["missiles"]

    def land(self, shot: Json) -> None:
        """SP-26: the hits of one shot, until the ship is destroyed."""
        victim = self.pilots[shot["at"]]
        for _ in range(self.hits(shot)):
            roll = self.die("damage", shot["at"])
            self.was_hit = True
            victim["found"].add(shot["by"])  # SP-12: for itself alone, also when destroyed
            if roll >= 90:
                victim["wounded"] = True
            stat = stat_hit(roll)
            if victim["stats"][stat] > -1:
                victim["stats"][stat] -= 1
            else:
                self.seen.append("hit ignored")
            if is_destroyed(victim["stats"]):
                self.destroy(shot["at"], shot["by"])
                return

    def destroy(self, name: str, killer: str) -> None:
        """SP-27: the standard ejection; either way the shooter has the kill."""
        self.seen.append("destroyed")
        if self.die("ejection", name) <= ejection_chance(self.pilots[name]):
            self.leave(name, "ejected")
            self.seen.append("standard ejection")
        else:
            self.leave(name, "killed")
        self.credit_kill(killer)

    def credit_kill(self, killer: str) -> None:
        """SP-28: kill 1, and in a team battle 0.4 to each other active team-mate."""
        if not self.shooting_began:
            self.seen.append("kill withheld")
            return  # SP-28a
        self.seen.append("kill")
        self.pilots[killer]["kills"] += 1
        self.pilots[killer]["earned"] += 10
        for mate in self.teammates(killer):  # in a duel there is none
            self.pilots[mate]["earned"] += 4

    # ---- ways out of the battle ----------------------------------------------------------

    def leave(self, name: str, fate: str) -> None:
        """SP-27: shots by or at, and locks by or on, a pilot out of the battle are void."""
        self.pilots[name]["fate"] = fate
        self.shots = [s for s in self.shots if name not in (s["by"], s["at"])]
        self.locks = [k for k in self.locks if name not in (k["by"], k["on"])]

    def lose_hp(self, name: str) -> None:
        """SP-28a: up to 0.2 of the HP brought along."""
        self.pilots[name]["lost"] = min(2, self.pilots[name]["brought"])

    def eject(self, name: str) -> None:
        """SP-22: the early ejection."""
        if self.die("early ejection", name) > ejection_chance(self.pilots[name]):
            self.seen.append("early ejection failed")
            return
        shooters = [shot["by"] for shot in self.shots if shot["at"] == name]
        holders = [lock["by"] for lock in self.locks if lock["on"] == name]
        self.seen.append("ejected from a shot" if shooters else "ejected from a lock only")
        self.leave(name, "ejected")
        self.lose_hp(name)
        self.credit_kill((shooters + holders)[0])

    def escape(self, name: str) -> None:
        """SP-23 and SP-28: 0.3 to itself, 0.7 to each opponent still active."""
        self.seen.append("escape")
        self.escape_in_team_turn = True
        self.leave(name, "escaped")
        if self.shooting_began:  # SP-28a
            self.pilots[name]["earned"] += 3
            for opponent in self.opponents(name):
                self.pilots[opponent]["earned"] += 7

    def surrender(self, name: str, captor: str) -> None:
        """SP-25 and SP-28: capture 1, 0.4 to the captor's team-mates; in a duel 0.2 are lost."""
        self.seen.append("surrender in a duel" if self.is_duel else "surrender in a team battle")
        self.leave(name, "surrendered")
        if self.is_duel:
            self.lose_hp(name)
        if self.shooting_began:  # SP-28a
            self.pilots[captor]["prizes"] += 1
            self.pilots[captor]["earned"] += 10
            for mate in self.teammates(captor):
                self.pilots[mate]["earned"] += 4

    # ---- the ends of turns ---------------------------------------------------------------

    def finish_turn(self) -> None:
        """SP-11 step 6: what follows once a pilot's turn is done."""
        self.hitless_turns = 0 if self.was_hit else self.hitless_turns + 1
        if all(map(self.active, self.team_names)) and self.hitless_turns >= self.hitless_limit:
            self.seen.append("draw")  # SP-28c
            self.end(None)
        else:
            self.go_on()

    def go_on(self) -> None:
        """SP-28 and SP-10: a team without pilots has lost; one that has acted ends its turn."""
        for team in self.team_names:
            if not self.active(team):
                self.end(self.other_team(team))
                return
        if not self.to_act():
            self.finish_team_turn()

    def end(self, winner: str | None) -> None:
        """The battle is over."""
        self.over = True
        self.winner = winner
        self.turn = None

    def finish_team_turn(self) -> None:
        """SP-24: a restart after two team turns at Extreme; else the other team's turn."""
        assert self.turn is not None
        if self.all_began_at_extreme and not self.escape_in_team_turn:
            self.team_turns_at_extreme += 1
        else:
            self.team_turns_at_extreme = 0
        if self.team_turns_at_extreme == 2:
            self.seen.append("restart")
            self.everybody_at_far()
            self.turn = self.initiative()
        else:
            self.turn = self.other_team(self.turn)
        self.start_team_turn()

    def start_team_turn(self) -> None:
        """SP-10: nobody of the team has acted yet."""
        self.acted: list[str] = []
        self.all_began_at_extreme = True
        self.escape_in_team_turn = False

    # ---- how it stands -------------------------------------------------------------------

    def state(self) -> Json:
        """The state as the Scenario section lays it out."""
        return {
            "turn": self.turn,
            "to_act": self.to_act(),
            "over": self.over,
            "winner": self.winner,
            "pilots": {name: self.pilot_state(name) for name in self.pilots},
            "pairs": {
                f"{one}|{other}": self.pair_state((one, other))
                for one in self.active(self.team_names[0])
                for other in self.active(self.team_names[1])
            },
        }

    def pilot_state(self, name: str) -> Json:
        """One pilot's part of the state."""
        pilot = self.pilots[name]
        return {
            "fate": pilot["fate"],
            "stats": dict(pilot["stats"]),
            "found": sorted(pilot["found"]),
            "wounded": pilot["wounded"],
            "hp": hp_text(pilot["earned"]),
            "hp_lost": hp_text(pilot["lost"]),
            "kills": pilot["kills"],
            "prizes": pilot["prizes"],
        }

    def pair_state(self, pair: Pair) -> Json:
        """One pair's part of the state."""
        return {
            "range": self.ranges[pair],
            "advantage": self.advantages[pair],
            "locks": sorted(k["by"] for k in self.locks if self.pair(k["by"], k["on"]) == pair),
            "shots": [
                {"by": s["by"], "weapon": s["weapon"].lower(), "from": s["from"]}
                for s in self.shots
                if self.pair(s["by"], s["at"]) == pair
            ],
        }


def new_pilot(pilot: Json, team: str) -> Json:
    """A pilot as it enters the battle; SP-4: the rating is the table's value and the Mark's bit."""
    _, table = SHIPS[pilot["ship"]]
    ratings = {}
    for stat, value in zip(STATS, table, strict=True):
        ratings[stat] = value + 1 if pilot["mark"] & MARK_BITS[stat] else value
    return {
        "team": team,
        "rank": pilot["rank"],
        "weapons": pilot["weapons"],
        "piloting": pilot["piloting"],
        "sensors": pilot["sensors"],
        "ratings": ratings,
        "stats": dict(ratings),
        "brought": hp_tenths(pilot["hp"]),
        "fate": "active",
        "found": set(),
        "wounded": False,
        "earned": 0,
        "lost": 0,
        "kills": 0,
        "prizes": 0,
    }


def ejection_chance(pilot: Json) -> int:
    """SP-22: 25 and 15 times the rank."""
    return 25 + 15 * int(pilot["rank"])


def stat_hit(roll: int) -> str:
    """The damage table; 61 to 100 is the structure."""
    if roll >= 61:
        return "structure"
    return STATS[(roll - 1) // 10]


def is_destroyed(stats: dict[str, int]) -> bool:
    """SP-26: Structure at -1, or any two stats at -1."""
    return stats["structure"] == -1 or list(stats.values()).count(-1) >= 2


def hp_tenths(text: str) -> int:
    """HP text as a number of tenths."""
    whole, _, tenth = text.partition(".")
    return 10 * int(whole) + int(tenth or "0")


def hp_text(tenths: int) -> str:
    """Tenths as decimal text, whole HP without a point."""
    if tenths % 10 == 0:
        return str(tenths // 10)
    return f"{tenths // 10}.{tenths % 10}"
