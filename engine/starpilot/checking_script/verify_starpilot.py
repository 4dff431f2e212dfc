"""Check a StarPilot battle, each line by the rules SP-4 to SP-29, without trusting its referee.

What only you can check: that the commitment, your own words, your orders, the pilots and the rolls
are those of your letters. The file says them all; docs/player.md says where each stands.

The file has three parts: the protocol of the dice, what the rules say in figures, and a battle as
the rules move it. It needs nothing but Python 3.8 or later.
"""

from __future__ import annotations

import sys
from typing import Any

from engine.checking_script.protocol import Dice, Rules, main, need

# ---- what the rules say in figures -------------------------------------------------------------

STATS = ("beams", "missiles", "maneuver", "speed", "shields", "electronics", "structure")

# The stats of each ship, in that order; Mark and the kind of weapons are written behind its name.
SHIPS = {
    "Rus": (0, 3, 2, 3, 2, 3, 3),
    "Lakota": (2, 3, 2, 4, 2, 4, 4),
    "Cymru": (3, 4, 3, 4, 2, 5, 5),
    "Angela": (0, 3, 3, 2, 2, 3, 3),
    "Brandy": (2, 3, 4, 2, 2, 4, 4),
    "Catherine": (3, 4, 4, 3, 2, 5, 5),
    "Clipus": (0, 3, 2, 3, 3, 2, 3),
    "Parma": (2, 3, 2, 4, 3, 3, 4),
    "Scutum": (3, 4, 3, 4, 3, 4, 5),
    "Wright": (0, 3, 3, 2, 3, 2, 3),
    "Gagarin": (2, 3, 4, 2, 3, 3, 4),
    "Armstrong": (3, 4, 4, 3, 3, 4, 5),
}

# The stat and the aptitude that a command is rolled against (SP-5, SP-18).
STAT_OF = {
    "FIRE": "beams",
    "LAUNCH": "missiles",
    "DOGFIGHT": "maneuver",
    "JINK": "maneuver",
    "CLOSE": "speed",
    "OPEN": "speed",
    "PROTECT": "shields",
    "ECM": "electronics",
    "SCAN": "electronics",
    "TARGET": "electronics",
}
APTITUDE_OF = {
    "beams": "weapons",
    "missiles": "weapons",
    "maneuver": "piloting",
    "speed": "piloting",
    "shields": "sensors",
    "electronics": "sensors",
}

SHOTS = ("FIRE", "LAUNCH")
AT_ONE = ("FIRE", "LAUNCH", "DOGFIGHT", "TARGET", "SURRENDER")  # they name one opponent
STOPS = {  # what of the opponents' a command ends (SP-21)
    "ECM": ("LAUNCH", "TARGET"),
    "JINK": ("FIRE", "TARGET"),
    "PROTECT": ("FIRE", "LAUNCH"),
}
MOVES = {  # how a command changes a range (SP-14)
    "CLOSE": {"far": "near", "extreme": "far"},
    "OPEN": {"near": "far", "far": "extreme"},
}
FATES = {
    "ESCAPE": "escaped",
    "SURRENDER": "surrendered",
    "EJECT": "ejected",
    "thrown out": "ejected",
    "KILL": "killed",
}
LOCK_BONUS = 30
QUIET_TURNS = 100  # a battle in which so many turns a pilot brought no hit is drawn (SP-28c)


class Pilot:
    """A pilot and its ship in a battle."""

    def __init__(self, card: Any, team: str) -> None:
        name, mark = card["ship"].split()[0], card["mark"]
        figures = list(SHIPS[name])
        # Ships of the kinds B and S have the better weapons as beams, others as missiles (SP-4).
        figures[:2] = sorted(figures[:2], reverse=card["ship"][-1] in "BS")
        upgrades = f"{mark:06b}0"  # one more point for each stat that the Mark says
        self.name: str = card["name"]
        self.team = team
        self.card = card
        self.rated = {stat: figures[n] + int(upgrades[n]) for n, stat in enumerate(STATS)}
        self.stats = dict(self.rated)
        self.ejection = 25 + 15 * card["rank"]
        self.fate = "active"
        self.found: list[str] = []
        self.wounded = False
        self.points = 0  # Hero Points, in tenths
        self.points_lost = 0
        self.kills = 0
        self.prizes = 0

    def chance(self, command: str) -> int:
        """Work out what a command's d100 may show at most (SP-5, SP-18)."""
        if command == "EJECT":
            return int(self.ejection)
        stat = STAT_OF[command]
        return int(self.rated[stat] * self.card[APTITUDE_OF[stat]])

    def find(self, *names: str) -> None:
        """Note opponents whom the pilot has found."""
        self.found = sorted({*self.found, *names})

    def shown(self) -> dict[str, Any]:
        """Return the pilot as the result shows it."""
        return {
            "fate": self.fate,
            "stats": self.stats,
            "found": self.found,
            "wounded": self.wounded,
            "hp": f"{self.points / 10:g}",
            "hp_lost": f"{self.points_lost / 10:g}",
            "kills": self.kills,
            "prizes": self.prizes,
        }


class Threat:
    """A shot in flight, or a lock (kind TARGET), of one pilot at another."""

    def __init__(self, by: str, at: str, kind: str, range_: str) -> None:
        self.by, self.at, self.kind, self.range = by, at, kind, range_

    @property
    def is_shot(self) -> bool:
        """Return whether it is a shot."""
        return self.kind in SHOTS


# ---- a battle as the rules move it -------------------------------------------------------------


class Battle:
    """A battle as a set-up begins it and steps take it on."""

    def __init__(self, setup: Any) -> None:
        self.teams: list[str] = [team["name"] for team in setup["teams"]]
        members = [
            [Pilot(card, team["name"]) for card in team["pilots"]] for team in setup["teams"]
        ]
        self.pilots = {pilot.name: pilot for team in members for pilot in team}
        self.agreed = setup.get("first")  # the team that moves first, if that was agreed
        # Every pair of opponents who still fight, with its range and who has the Advantage.
        self.pairs: dict[tuple[str, str], dict[str, str | None]] = {
            (one.name, other.name): {} for one in members[0] for other in members[1]
        }
        self.quiet = 0  # turns since the last hit
        self.fought = self.drawn = False
        self.last_foes: list[str] = []
        self.begin()

    def begin(self) -> None:
        """Begin the battle, or begin it again: far from each other, and nobody's turn (SP-8)."""
        for key in self.pairs:
            self.pairs[key] = {"range": "far", "advantage": None}
        self.threats: list[Threat] = []
        self.turn: int | None = None  # 0 or 1: the team whose turn it is
        self.done: list[str] = []  # who has acted in this turn
        self.all_out = True  # whether all who acted in this turn were out of reach
        self.turns_out = 0  # how many turns in a row ended so

    @property
    def over(self) -> bool:
        """Return whether the battle is over."""
        return self.drawn or not self.pairs

    def seats(self) -> list[str]:
        """Return the names of the seats, in order of the set-up."""
        return list(self.pilots)

    # ---- a step

    def take(self, orders: list[list[str]], dice: Dice) -> None:
        """Take a step: who moves first, or pilots' turns and the referee's rulings."""
        self.dice = dice
        if not orders:
            need(self.turn is None, "a step needs an order")
            self.initiative()
        ruled = [text.split(" ")[0] for seat, text in orders if seat == "|referee"]
        self.drawn = ruled == ["DRAW"] and len(orders) == 1  # SP-29
        for seat, text in orders if not self.drawn else ():
            command, *name = text.split(" ", 1)
            if seat == "|referee":
                need(command == "FORFEIT" and name, "there is no such ruling")
                # Nobody names a captor, so it is who threatens the pilot, if anybody does (SP-29).
                self.leave(name[0], "SURRENDER", *self.threatening(name[0])[:1])
            else:
                self.act(seat, command, name[0] if name else None)
        if self.pairs and self.quiet >= QUIET_TURNS * len(self.pilots):
            self.drawn = True
        self.end_turn()

    def initiative(self) -> None:
        """Find who moves first: as agreed, or whose d100 is the lower; ties again (SP-9)."""
        if self.agreed:
            self.turn, self.agreed = self.teams.index(self.agreed), None
        while self.turn is None:
            one, other = [self.dice.roll(100, f"initiative {team}") for team in self.teams]
            if one != other:
                self.turn = 0 if one < other else 1

    def end_turn(self) -> None:
        """Pass the turn on if all of the team have acted; perhaps begin again (SP-24)."""
        if not self.done or self.drawn:
            return
        if not {key[self.turn or 0] for key in self.pairs} <= set(self.done):
            return
        self.turns_out = self.turns_out + 1 if self.all_out else 0
        self.turn = 1 - (self.turn or 0)
        self.done, self.all_out = [], True
        if self.turns_out == 2:
            self.begin()

    # ---- a pilot's turn (SP-11)

    def act(self, me: str, command: str, name: str | None) -> None:
        """Take one pilot's turn."""
        need(self.turn is not None, "nobody has the turn")
        turn, pilot = self.turn or 0, self.pilots[me]
        foes = {key[1 - turn]: pair for key, pair in self.pairs.items() if key[turn] == me}
        mates = {key[turn] for key in self.pairs}
        foe = self.meant(command, name, list(foes), mates)
        need(foes and me not in self.done, f"{me} has no turn now")
        need((command, foe) in self.legal(me, foes), f"{me} can't {command}")
        in_reach = [at for at in foes if foes[at]["range"] != "extreme"]

        done = self.succeeds(me, command, foe)
        if done:
            self.carry_out(me, command, foe, foes, mates, self.threatening(me))
        if pilot.fate == "active":
            self.land_shots(me, foes)
        # Shots at the pilot have landed, and its own locks are used up (SP-11, steps 4 and 5).
        self.threats = [t for t in self.threats if (t.at != me if t.is_shot else t.by != me)]
        if done and command in (*SHOTS, "TARGET") and pilot.fate == "active":  # SP-16, SP-19
            range_ = foes[str(foe)]["range"] if command in SHOTS else ""
            self.threats.append(Threat(me, str(foe), command, str(range_)))
        self.done.append(me)
        self.quiet += 1
        self.fought = self.fought or (done and command in SHOTS)
        self.all_out = self.all_out and not in_reach and command != "ESCAPE"

    def meant(self, command: str, name: str | None, foes: list[str], mates: set[str]) -> str | None:
        """Find the opponent that an order means; where there is one alone it needs no name."""
        alone = foes[0] if len(foes) == 1 and command in AT_ONE else None
        if name is None or (command == "SURRENDER" and alone and len(mates) == 1):
            return alone
        return name

    def at(self, me: str) -> list[Threat]:
        """Return the shots and locks at a pilot."""
        return [threat for threat in self.threats if threat.at == me]

    def threatening(self, me: str) -> list[str]:
        """Return who has shots in flight at a pilot, then who holds locks, oldest first (SP-22)."""
        return [t.by for t in sorted(self.at(me), key=lambda threat: not threat.is_shot)]

    def locked_by(self, me: str) -> set[str]:
        """Return the opponents that a pilot holds a lock on."""
        return {t.at for t in self.threats if t.by == me and t.kind == "TARGET"}

    def legal(self, me: str, foes: dict[str, Any]) -> list[tuple[str, str | None]]:
        """Return all that a pilot may order: commands, with an opponent where they have one."""
        pilot, locked = self.pilots[me], self.locked_by(me)
        reach = [at for at in foes if foes[at]["range"] != "extreme"]
        # Who has the Advantage, or holds a lock where nobody has it, may shoot (SP-17).
        sure = [
            at
            for at in reach
            if foes[at]["advantage"] == me or (foes[at]["advantage"] is None and at in locked)
        ]
        known = [at for at in foes if at in pilot.found]
        found: list[tuple[str, str | None]] = []
        for command, stat in STAT_OF.items():
            if pilot.stats[stat] <= 0 or not (pilot.found or command == "SCAN"):
                continue  # a disabled stat does nothing, and who has found nobody can only scan
            if command in SHOTS:
                found += [(command, at) for at in sure]
            elif command in AT_ONE:
                found += [(command, at) for at in known]
            else:
                found.append((command, None))
        if not reach:
            found.append(("ESCAPE", None))
        if pilot.found and self.at(me):
            found.append(("EJECT", None))
        found = found or [("HOLD", None)]  # SP-28b
        return found + [("SURRENDER", at) for at in foes]

    def succeeds(self, me: str, command: str, foe: str | None) -> bool:
        """Roll whether a command succeeds, if it is one of those that can fail (SP-18)."""
        if command not in (*STAT_OF, "EJECT"):
            return True
        bonus = LOCK_BONUS if command in SHOTS and foe in self.locked_by(me) else 0
        return self.dice.roll(100, f"{me} {command}") <= self.pilots[me].chance(command) + bonus

    def carry_out(
        self,
        me: str,
        command: str,
        foe: str | None,
        foes: dict[str, Any],
        mates: set[str],
        threatening: list[str],
    ) -> None:
        """Apply the effect of a command that succeeded."""
        stopped = STOPS.get(command, ())
        self.threats = [t for t in self.threats if t.at != me or t.kind not in stopped]
        for pair in foes.values():
            if pair["range"] in MOVES.get(command, {}):
                pair.update(range=MOVES[command][pair["range"]], advantage=None)  # SP-14
        if command == "SCAN":  # SP-12: the whole team learns who is there
            for mate in mates:
                self.pilots[mate].find(*foes)
        elif command == "DOGFIGHT":  # SP-15: the Advantage is lost before it is won
            pair = foes[str(foe)]
            pair["advantage"] = None if pair["advantage"] == foe else me
        elif command == "EJECT":
            self.leave(me, command, threatening[0])
        elif command in ("ESCAPE", "SURRENDER"):
            self.leave(me, command, foe)

    def land_shots(self, me: str, foes: dict[str, Any]) -> None:
        """Land all shots at a pilot, as long as it is there to be hit (SP-20)."""
        for shot in [t for t in self.at(me) if t.is_shot]:
            if shot.kind == "FIRE":
                full = shot.range == "near"
            else:
                full = shot.range == "far" and foes[shot.by]["range"] != "extreme"
            for _ in range(self.pilots[shot.by].rated[STAT_OF[shot.kind]] if full else 1):
                if self.pilots[me].fate == "active":
                    self.hit(me, shot.by)

    def hit(self, me: str, by: str) -> None:
        """Apply the damage of one hit; the ship may be lost by it (SP-26, SP-27)."""
        pilot, roll = self.pilots[me], self.dice.roll(100, f"damage to {me}")
        stat = STATS[min((roll - 1) // 10, 6)]
        pilot.stats[stat] = max(pilot.stats[stat] - 1, -1)
        pilot.find(by)
        pilot.wounded = pilot.wounded or roll >= 90
        self.quiet = -1
        if pilot.stats["structure"] == -1 or list(pilot.stats.values()).count(-1) == 2:
            alive = self.dice.roll(100, f"{me} standard ejection") <= pilot.ejection
            self.leave(me, "thrown out" if alive else "KILL", by)

    # ---- the end of a pilot's battle

    def leave(self, me: str, how: str, by: str | None = None) -> None:
        """Take a pilot out of the battle, and count what that brings to whom (SP-22 to SP-28)."""
        pilot, escaped = self.pilots[me], how == "ESCAPE"
        foes = [one if other == me else other for one, other in self.pairs if me in (one, other)]
        winner = self.pilots[by or foes[0]]
        self.last_foes = foes
        self.pairs = {key: pair for key, pair in self.pairs.items() if me not in key}
        self.threats = [t for t in self.threats if me not in (t.by, t.at)]
        if how == "EJECT" or (how == "SURRENDER" and len(self.pilots) == 2):
            pilot.points_lost = min(2, round(10 * float(pilot.card["hp"])))
        pilot.fate = FATES[how]
        if not self.fought:
            return
        if escaped:
            pilot.points += 3
        for foe in foes:
            share = 7 if escaped else 10 if foe == winner.name else 4
            self.pilots[foe].points += share
        if how == "SURRENDER":
            winner.prizes += 1
        elif not escaped:
            winner.kills += 1

    def result(self) -> Any:
        """Return what the last line must say."""
        winner = None if self.pairs else self.pilots[self.last_foes[0]].team
        pairs = {f"{one}|{other}": self.shown(one, other) for one, other in self.pairs}
        state: dict[str, Any] = {
            "turn": None,
            "to_act": [],
            "over": True,
            "winner": winner,
            "pilots": {name: pilot.shown() for name, pilot in self.pilots.items()},
            "pairs": pairs,
        }
        return {"state": state, "winner": winner, "drawn": self.drawn}

    def shown(self, one: str, other: str) -> Any:
        """Return a pair as the result shows it: with its shots and locks."""
        between = [t for t in self.threats if {one, other} == {t.by, t.at}]
        return {
            **self.pairs[one, other],
            "shots": [
                {"by": t.by, "weapon": t.kind.lower(), "from": t.range}
                for t in between
                if t.is_shot
            ],
            "locks": sorted(t.by for t in between if not t.is_shot),
        }


RULES = Rules("starpilot", "StarPilot", 1, ("easy", "sound", "sharp"), Battle)

if __name__ == "__main__":
    sys.exit(main(RULES))
