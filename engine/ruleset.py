"""The shape of a rule system: a plain value made of functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from engine.codec import Tagged
from engine.dice import Dice
from engine.seats import Audience, Seat

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


class Offer(NamedTuple, Generic[O]):
    """A legal order with its chance in percent, None where no die decides."""

    order: O
    chance: int | None


@dataclass(frozen=True, slots=True)
class Near:
    """A line that is nearly an order: never executed, answered with a hint."""

    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning side, or None in a draw or where nobody is left."""

    winner: str | None
    drawn: bool


View = dict[str, Any]
"""What one seat, or the public, may know: plain values for templates, built up and never cut."""


@dataclass(frozen=True, slots=True)
class Persona:
    """A player's piece between games: its name, its side, and the system's own record of it."""

    name: str
    side: str
    record: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """What a system says of its personas outside of games, as pure functions.

    `enlist` raises OrderError; `duel` gives a set-up; `bar` says why two may not fight;
    `after` gives a persona's record after a game in which it had a seat.
    """

    enlist: Callable[[str], Persona]
    sheet: Callable[[Persona], View]
    bar: Callable[[Persona, Persona], str | None]
    crowded: Callable[[Sequence[Persona], Persona], str | None]
    duel: Callable[[Persona, Persona, str | None], dict[str, Any]]
    after: Callable[[Persona, Any, Seat], Persona]
    available: Callable[[Persona], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[S, O]):
    """One rule system of one version.

    A step with an empty `to_act` before the end needs no orders and is the referee's to take.
    `parse` and `format` are inverse: parse(s, seat, format(o)) == o. `read` finds an order in a
    player's own line, without a battle where the state is None, and gives None for a story line.
    `resolve` gives the state after and the events that `apply` folds to it; `foresee`
    gives the state as it would be if it were a seat's turn now, to say what it may then do.
    """

    key: str
    title: str
    version: int
    credits: str
    state: type[S]
    event: Any
    setup: Callable[[Any], S]
    seats: Callable[[S], tuple[Seat, ...]]
    side: Callable[[S, Seat], str]
    to_act: Callable[[S], tuple[Seat, ...]]
    foresee: Callable[[S, Seat], S]
    legal: Callable[[S, Seat], Sequence[Offer[O]]]
    refusal: Callable[[S, Seat, O], str | None]
    explain: Callable[[str], str]
    chance: Callable[[S, Seat, O], int | None]
    read: Callable[[S | None, Seat | None, str], O | Near | None]
    parse: Callable[[S, Seat, str], O]
    format: Callable[[O], str]
    condition: Callable[[str], str]
    holds: Callable[[S, Seat, str], bool]
    cautious: Callable[[S, Seat], O]
    resolve: Callable[[S, Mapping[Seat, Sequence[O]], Dice], tuple[S, tuple[Any, ...]]]
    apply: Callable[[S, Any], S]
    audience: Callable[[Tagged], Audience]
    view: Callable[[S, Seat | None], View]
    outcome: Callable[[S], Outcome | None]
    scenario_state: Callable[[S], dict[str, Any]]
    scenario_order: Callable[[Any, str], tuple[Seat, O]]
    career: Career | None = None
