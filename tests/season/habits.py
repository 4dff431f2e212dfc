"""Who plays in a season, and how: when they are away, how carefully they fight, what they ask."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.season.plan import Plan
from tests.season.tactics import TEMPERS

NAMES = (
    *("Ada", "Ben", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kay", "Leo"),
    *("Mia", "Ned", "Ola", "Pia", "Ron", "Sal", "Tom", "Una", "Vic", "Wim", "Xia", "Yan"),
)


@dataclass(frozen=True, slots=True)
class Habits:
    """How a player plays; times in days since the season began.

    `away` are the first and the last day of an absence that is announced. From the day `asleep`
    on, the player sleeps through the first battle that begins; `robot`: a program answers
    letters meanwhile. `on_board`: once the account is linked, the player writes on the newsgroup
    alone.
    """

    temper: str
    diligence: float = 0.6
    asks_every: float = 6
    away: tuple[int, int] | None = None
    asleep: int | None = None
    robot: bool = False
    subscribes: bool = False
    resigns: int | None = None
    on_board: bool = False


def habits(plan: Plan) -> Iterator[tuple[str, Habits]]:
    """Set every player's habits.

    Each fourth is silent once, each fourth on holiday, and each third plays on the newsgroup.
    """
    for n, name in enumerate(NAMES[: plan.size.players]):
        on_board = n % 3 == 1
        temper = TEMPERS[n % len(TEMPERS)]
        begin = 20 + n * (plan.size.days - 50) // plan.size.players
        yield (
            name,
            Habits(
                temper,
                diligence=plan.rng.uniform(0.5, 0.9),
                asks_every=2 if n == 1 else plan.rng.uniform(4, 8),
                away=(begin, begin + 8) if n % 4 == 2 else None,
                asleep=begin if n % 4 == 3 else None,
                robot=n % 4 == 2 and not on_board,
                subscribes=n % 2 == 0,
                resigns=plan.size.days * 2 // 3 if n == 4 else None,
                on_board=on_board,
            ),
        )
