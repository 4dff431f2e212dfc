"""What a season is to hold, when, and how far it has come; and the names of its pilots."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import product
from random import Random

SIDES = {
    "alliance": ("Rus 133-B", "Rus 133-A"),
    "cartel": ("Angela 313B", "Angela 313A"),
    "federation": ("Clipus XIII-B", "Clipus XIII-M"),
    "league": ("Wright 1903S", "Wright 1903L"),
}
MODERATOR = "Max"
"""What the moderator is called: a plain name, since `Gm` is refused as that of a role."""
_PATIENCE = timedelta(days=5)
"""An offer that was not taken up for longer is forgotten."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a season is; days of league time.

    `rosters` is how many squadrons, squads and groups there are, of each, and `fights` how many
    battles they are to have.
    """

    players: int
    pilots: int
    duels: int
    teams: int
    rosters: int
    fights: int
    days: int


FULL = Size(players=24, pilots=60, duels=150, teams=10, rosters=12, fights=10, days=182)
SMALL = Size(players=6, pilots=16, duels=8, teams=1, rosters=4, fights=2, days=84)
SYSTEMS = ("blackskies", "starfarer", "cortex")
"""What is played besides StarPilot."""


@dataclass
class Tally:
    """Battles of one kind: how many there are to be, which have begun, which are on offer."""

    wanted: int
    begun: set[int] = field(default_factory=set)
    offers: list[datetime] = field(default_factory=list)

    def lacks(self, share: float, now: datetime) -> bool:
        """Return whether more are to be offered, of which a share of all should have begun."""
        self.offers = [made for made in self.offers if now - made < _PATIENCE]
        return len(self.begun) + len(self.offers) < self.wanted * share

    def offer(self, now: datetime) -> None:
        """Note that one is offered."""
        self.offers.append(now)

    def begin(self, game: int) -> None:
        """Note that one has begun, as any of its players may report."""
        if game not in self.begun:
            self.begun.add(game)
            del self.offers[:1]


class Plan:
    """The season as those who play it have agreed on it."""

    def __init__(self, size: Size, begin: datetime, seed: int) -> None:
        self.size, self.begin = size, begin
        self.duels, self.teams = Tally(size.duels), Tally(size.teams)
        self.fights = {system: Tally(size.fights) for system in SYSTEMS}
        self.over = set[int]()
        self.enlisted = 0
        self.rosters = Counter[str]()
        self.seed, self.rng = seed, Random(seed)
        self._names = pilot_names(self.rng)

    @property
    def complete(self) -> bool:
        """Return whether all planned battles have begun and are over."""
        tallies = (self.duels, self.teams, *self.fights.values())
        full = all(len(tally.begun) >= tally.wanted for tally in tallies)
        return full and set[int]().union(*(tally.begun for tally in tallies)) <= self.over

    def ended(self, now: datetime) -> bool:
        """Return whether the season's time is up."""
        return now >= self.begin + timedelta(days=self.size.days)

    def share(self, now: datetime) -> float:
        """Return the share of the battles that should have begun: all after 80% of the time."""
        return min(1.0, 0.02 + 1.25 * (now - self.begin) / timedelta(days=self.size.days))

    def pilot(self, spare: bool) -> str | None:
        """Return a new pilot's name, while there are to be more; some are kept for the fallen."""
        if self.enlisted >= self.size.pilots * (0.7 if spare else 1):
            return None
        self.enlisted += 1
        return next(self._names)

    def roster(self, system: str) -> str | None:
        """Return the name of a new squadron, squad or group, while there are to be more."""
        if self.rosters[system] >= self.size.rosters:
            return None
        self.rosters[system] += 1
        return next(self._names)


def pilot_names(rng: Random) -> Iterator[str]:
    """Return names that nobody could take for an order, each once."""
    found = ["".join(parts) for parts in product("BDKLMRV", "aeiou", "lnr", ("dis", "mor", "vek"))]
    rng.shuffle(found)
    yield from found
