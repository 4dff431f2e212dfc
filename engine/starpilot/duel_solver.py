"""A duel as a small game of positions, as long as no stat is lost; solved by backward induction."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from engine.starpilot.tables import EXTREME, FAR, LOCK_BONUS, NEAR, SHOOTING, STOPS, STOPS_LOCKS

ACTS = ("CLOSE", "OPEN", "DOGFIGHT", "ECM", "JINK", "PROTECT", "TARGET", "FIRE", "LAUNCH")
_LOOK_AHEAD = 24
_PATIENCE = 0.98
"""How many turns are looked ahead, and the worth of a hit that comes one turn later."""


class Fighter(NamedTuple):
    """What counts of a ship in this game.

    The chances of ACTS in percent, 0 where disabled; the hits of each weapon at its best range; and
    how many hits the ship can still take.
    """

    chances: tuple[int, ...]
    beams: int
    missiles: int
    life: float


class Position(NamedTuple):
    """The position of the pilot to move, as compared with the other.

    `advantage` is 1 for its own and -1 for the other's. `lock` is whether its own lock counts now,
    `locked` whether the other has one on it; `incoming` is the weapon of the shot that lands at the
    end of this turn.
    """

    range: int = FAR
    advantage: int = 0
    lock: bool = False
    locked: bool = False
    incoming: str = ""


class _End(NamedTuple):
    """How a turn may end: the number of the other's position, and which hits have landed."""

    position: int
    blow: int


class _Try(NamedTuple):
    """A command by its place in ACTS, and how the turn ends if it succeeds."""

    act: int
    success: _End


class _Turn(NamedTuple):
    """What may be tried in a position, whether a lock helps, and how the turn ends in failure."""

    lock: bool
    failure: _End
    tries: tuple[_Try, ...]


POSITIONS = tuple(
    Position(*values)
    for values in product(
        (NEAR, FAR, EXTREME), (-1, 0, 1), (False, True), (False, True), ("", "fire", "launch")
    )
)
NUMBER = {position: n for n, position in enumerate(POSITIONS)}
_NOTHING, _BEAMS, _ONE, _MISSILES = range(4)


def _end(was: Position, now: Position, lock: bool = False, shot: str = "") -> _End:
    """Return the end of a turn: what is incoming lands, and the other is to move (SP-11, SP-20)."""
    # Seen from the other side: its Advantage is my disadvantage, and its lock is the one on me.
    other = Position(now.range, -now.advantage, now.locked, lock, shot)
    return _End(NUMBER[other], _blow(was.range, now))


def _blow(origin: int, now: Position) -> int:
    """Return which number of hits lands (SP-20), as an index of `_Side.costs`."""
    if not now.incoming:
        return _NOTHING
    if now.incoming == "fire":
        return _BEAMS if origin == NEAR else _ONE
    return _MISSILES if origin == FAR and now.range != EXTREME else _ONE


def _success(at: Position, act: str) -> _End | None:
    """Return how a turn ends whose command succeeds; None where it is illegal (SP-14 to SP-21)."""
    if act in ("CLOSE", "OPEN"):
        moved = min(max(at.range + (1 if act == "OPEN" else -1), NEAR), EXTREME)
        # A range that stays the same keeps the Advantage (SP-14).
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
    """Return whether FIRE and LAUNCH are legal (SP-17)."""
    return at.range != EXTREME and (at.advantage == 1 or (at.advantage == 0 and at.lock))


def _turn(at: Position) -> _Turn:
    return _Turn(at.lock, _end(at, at), tuple(_tries(at)))


def _tries(at: Position) -> Iterator[_Try]:
    for n, act in enumerate(ACTS):
        success = _success(at, act)
        if success is not None:
            yield _Try(n, success)


TURNS = tuple(_turn(position) for position in POSITIONS)


def chances_of(fighter: Fighter) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the chances of ACTS from 0 to 1, without and with a lock (SP-18)."""
    bonus = [LOCK_BONUS if act in SHOOTING else 0 for act in ACTS]
    # A weapon that is shot away stays at 0: a lock doesn't help it (SP-5).
    raised = [c and min(c + more, 100) for c, more in zip(fighter.chances, bonus, strict=True)]
    return tuple(min(c, 100) / 100 for c in fighter.chances), tuple(c / 100 for c in raised)


class _Side:
    """One fighter's part in a duel: its chances, and what the other's shots cost it."""

    def __init__(self, me: Fighter, foe: Fighter) -> None:
        self.chances = chances_of(me)
        # A ship can't lose more than its life, so hits beyond that are worth nothing.
        self.costs = [min(hits / me.life, 1) for hits in (0, foe.beams, 1, foe.missiles)]

    def worths(self, turn: _Turn, after: Sequence[float]) -> list[float]:
        """Return the worth of each try of a turn; `after` is what positions are worth
        to the other."""
        chances = self.chances[turn.lock]
        failure = self._worth(turn.failure, after)
        return [
            failure + chances[act] * (self._worth(success, after) - failure)
            for act, success in turn.tries
        ]

    def _worth(self, end: _End, after: Sequence[float]) -> float:
        # A zero-sum game: what the position is worth to the other is lost to this side.
        return -self.costs[end.blow] - _PATIENCE * after[end.position]


@lru_cache(maxsize=4096)
def _solve(me: Fighter, foe: Fighter) -> tuple[float, ...]:
    """Return the worth of each position to `foe` when it is to move, many turns from the end."""
    mine, theirs = [0.0] * len(TURNS), [0.0] * len(TURNS)
    one, other = _Side(me, foe), _Side(foe, me)
    # Two turns a round: each side's worth needs the other's of the turn after.
    for _ in range(_LOOK_AHEAD // 2):
        mine = [max(one.worths(turn, theirs)) for turn in TURNS]
        theirs = [max(other.worths(turn, mine)) for turn in TURNS]
    return tuple(theirs)


def ranking(me: Fighter, foe: Fighter, at: Position) -> list[str]:
    """Return the commands that may be tried in a position, the best first.

    What counts is the share of the other's life that is taken, less the share that is lost, where
    both do their best; a turn's delay costs a fiftieth.
    """
    turn = TURNS[NUMBER[at]]
    worths = _Side(me, foe).worths(turn, _solve(me, foe))
    best = sorted(zip(worths, turn.tries, strict=True), key=lambda each: -each[0])
    return [ACTS[attempt.act] for _, attempt in best]
