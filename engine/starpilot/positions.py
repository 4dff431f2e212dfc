"""The little game of positions that a duel is while no stat is lost, solved by counting back."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from engine.starpilot.tables import (
    EXTREME,
    FAR,
    LOCK_BONUS,
    NEAR,
    SHOOTING,
    STOPS,
    STOPS_LOCKS,
)

ACTS = ("CLOSE", "OPEN", "DOGFIGHT", "ECM", "JINK", "PROTECT", "TARGET", "FIRE", "LAUNCH")
_LOOK_AHEAD = 24
_PATIENCE = 0.98
"""How many turns are looked ahead, and what a hit is worth that comes a turn later."""


class Fighter(NamedTuple):
    """What counts of a ship: the chances of ACTS in percent, 0 where disabled; the hits of its
    weapons at their best range; and how many hits it still takes."""

    chances: tuple[int, ...]
    beams: int
    missiles: int
    life: float


class Position(NamedTuple):
    """How the pilot to move stands to the other.

    `advantage` is 1 for its own and -1 for the other's; `lock` is its own that counts now,
    `locked` the other's; `incoming` is the weapon of the shot that lands at the end of this turn.
    """

    range: int = FAR
    advantage: int = 0
    lock: bool = False
    locked: bool = False
    incoming: str = ""


class _End(NamedTuple):
    """How a turn may end: the other's position by its number, and what has landed."""

    position: int
    blow: int


class _Try(NamedTuple):
    """A command by its place in ACTS, and how the turn ends where it succeeds."""

    act: int
    success: _End


class _Turn(NamedTuple):
    """What may be tried in a position, with a lock or not, and how the turn ends in failure."""

    lock: bool
    failure: _End
    tries: tuple[_Try, ...]


_POSITIONS = tuple(
    Position(*values)
    for values in product(
        (NEAR, FAR, EXTREME), (-1, 0, 1), (False, True), (False, True), ("", "fire", "launch")
    )
)
_NUMBER = {position: n for n, position in enumerate(_POSITIONS)}
_NOTHING, _BEAMS, _ONE, _MISSILES = range(4)


def _end(was: Position, now: Position, lock: bool = False, shot: str = "") -> _End:
    """End a turn: what is incoming lands, and the other is to move (SP-11, SP-20)."""
    other = Position(now.range, -now.advantage, now.locked, lock, shot)
    return _End(_NUMBER[other], _blow(was.range, now))


def _blow(origin: int, now: Position) -> int:
    """Tell which number of hits lands (SP-20)."""
    if not now.incoming:
        return _NOTHING
    if now.incoming == "fire":
        return _BEAMS if origin == NEAR else _ONE
    return _MISSILES if origin == FAR and now.range != EXTREME else _ONE


def _success(at: Position, act: str) -> _End | None:
    """Give how a command ends that succeeds, None where it may not be given (SP-14 to SP-21)."""
    if act in ("CLOSE", "OPEN"):
        moved = min(max(at.range + (1 if act == "OPEN" else -1), NEAR), EXTREME)
        return _end(at, at if moved == at.range else at._replace(range=moved, advantage=0))
    if act == "DOGFIGHT":
        return _end(at, at._replace(advantage=min(at.advantage + 1, 1)))
    if act == "TARGET":
        return _end(at, at, lock=True)
    if act in SHOOTING:
        return _end(at, at, shot=act.lower()) if _may_shoot(at) else None
    incoming = "" if at.incoming in STOPS[act] else at.incoming
    locked = at.locked and act not in STOPS_LOCKS
    return _end(at, at._replace(incoming=incoming, locked=locked))


def _may_shoot(at: Position) -> bool:
    """Tell whether FIRE and LAUNCH may be given (SP-17)."""
    return at.range != EXTREME and (at.advantage == 1 or (at.advantage == 0 and at.lock))


def _turn(at: Position) -> _Turn:
    return _Turn(at.lock, _end(at, at), tuple(_tries(at)))


def _tries(at: Position) -> Iterator[_Try]:
    for n, act in enumerate(ACTS):
        success = _success(at, act)
        if success is not None:
            yield _Try(n, success)


_TURNS = tuple(_turn(position) for position in _POSITIONS)


def _chances(fighter: Fighter) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Give the chances of ACTS from 0 to 1, without and with a lock (SP-18)."""
    bonus = [LOCK_BONUS if act in SHOOTING else 0 for act in ACTS]
    raised = [c and min(c + more, 100) for c, more in zip(fighter.chances, bonus, strict=True)]
    return tuple(min(c, 100) / 100 for c in fighter.chances), tuple(c / 100 for c in raised)


class _Side:
    """One fighter's part in a duel: its chances, and what the other's shots cost it."""

    def __init__(self, me: Fighter, foe: Fighter) -> None:
        self.chances = _chances(me)
        self.costs = [min(hits / me.life, 1) for hits in (0, foe.beams, 1, foe.missiles)]

    def worths(self, turn: _Turn, after: Sequence[float]) -> list[float]:
        """Give the worth of each try of a turn, by what positions are worth to the other."""
        chances = self.chances[turn.lock]
        failure = self._worth(turn.failure, after)
        return [
            failure + chances[act] * (self._worth(success, after) - failure)
            for act, success in turn.tries
        ]

    def _worth(self, end: _End, after: Sequence[float]) -> float:
        return -self.costs[end.blow] - _PATIENCE * after[end.position]


@lru_cache(maxsize=4096)
def _solve(me: Fighter, foe: Fighter) -> tuple[float, ...]:
    """Give what each position is worth to foe when it is to move, far from the end."""
    mine, theirs = [0.0] * len(_TURNS), [0.0] * len(_TURNS)
    one, other = _Side(me, foe), _Side(foe, me)
    for _ in range(_LOOK_AHEAD // 2):
        mine = [max(one.worths(turn, theirs)) for turn in _TURNS]
        theirs = [max(other.worths(turn, mine)) for turn in _TURNS]
    return tuple(theirs)


def ranking(me: Fighter, foe: Fighter, at: Position) -> list[str]:
    """Give the commands that may be tried in a position, the best first.

    What counts is the share of the other's life that is taken, less that of one's own, where
    both do their best; a turn's delay costs a fiftieth.
    """
    turn = _TURNS[_NUMBER[at]]
    worths = _Side(me, foe).worths(turn, _solve(me, foe))
    best = sorted(zip(worths, turn.tries, strict=True), key=lambda each: -each[0])
    return [ACTS[attempt.act] for _, attempt in best]
