"""A player's squadrons, squads and groups: enlisted, offered for battles, and led by letters."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from random import Random

from tests.season.answers import DOCTRINES, orders
from tests.season.plan import Plan
from tests.season.reading import Reading
from tests.support.players import plain

ENLISTING = {
    "blackskies": (
        "SQUADRON {} WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3",
        "SQUADRON {} WITH Blue: 1 Gadfly SKILL 2 SPEED 8; Red: 2 Black Tiger SKILL 2",
    ),
    "starfarer": (
        "SQUAD {} WITH Kitai: scout; Sarn: guard",
        "SQUAD {} WITH Jan: duellist; Kitai: medic",
        "SQUAD {} WITH Orla: brawler; Tove: marksman",
    ),
    "cortex": (
        "GROUP {} WITH Lance: 3 fighters, veterans; Iron: gunboat",
        "GROUP {} WITH Lance: 2 fighters; Raider: 2 strikers; Wasp: interceptor",
        "GROUP {} WITH Raider: 3 strikers; Wasp: 2 interceptors",
    ),
}
"""What is enlisted of each system: worth about as much, and with some names in common."""
BY_HAND = 3
"""After so many answers to reports of a battle a player leaves it to standing orders."""
IN_VAIN = 12
"""After so many a player offers a draw: two squads may fight on that can't hurt each other any
more (SF-39)."""


class Rosters:
    """What a player leads besides pilots, by name, and how far each of its battles has come."""

    def __init__(self, plan: Plan, temper: str, rng: Random) -> None:
        self.systems: dict[str, str] = {}
        self._plan, self._temper, self._rng = plan, temper, rng
        self._answered = Counter[int]()
        self._fighting: dict[int, str] = {}
        self._challenged = set[str]()

    def enlist(self) -> Iterator[str]:
        """Return the orders for a new one of each system that is to have more."""
        for system in self._plan.fights:
            name = self._plan.roster(system)
            if name is not None:
                self.systems[name] = system
                yield self._rng.choice(ENLISTING[system]).format(name)

    def lead(self, to: Reading, name: str) -> str:
        """Return the orders with which a report is answered: by hand, and later standing ones."""
        system = self.systems[name]
        self._fighting[to.game] = name
        self._plan.fights[system].begin(to.game)
        self._answered[to.game] += 1
        if self._answered[to.game] <= BY_HAND:
            text = plain(to.letter).replace("\r\n", "\n")
            return orders(system, text, name, self._temper, self._rng) or "READY"
        if self._answered[to.game] == BY_HAND + 1:
            return f"STANDING {DOCTRINES[self._temper]}"
        return "READY" if self._answered[to.game] <= IN_VAIN else f"DRAW {to.game}"

    def over(self, game: int) -> None:
        """Note that a battle is over, and that whoever fought in it is free."""
        self._fighting.pop(game, None)

    def offers(self, to: Reading, share: float, now: datetime) -> Iterator[str]:
        """Take up what STATUS proposes for one that is free, or challenge anybody."""
        busy = set(self._fighting.values())
        for name, system in self.systems.items():
            calls = to.all(rf"\bACCEPT (\d+) WITH {name}\b")
            if calls and name not in busy:
                yield f"ACCEPT {calls[0]} WITH {name}"
                return
            if name in busy or not self._plan.fights[system].lacks(share, now):
                continue
            self._plan.fights[system].offer(now)
            foes = set(to.all(rf"\bCHALLENGE (\w+) WITH {name}\b")) - self._challenged
            foe = self._rng.choice(sorted(foes)) if foes else "ANYBODY"
            self._challenged.add(foe)
            yield f"CHALLENGE {foe} WITH {name}"
            return
