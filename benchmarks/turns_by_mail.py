"""Turns of a battle with many pieces: how many a second, and what one takes by mail."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple, TypeVar

from tests.support.harness import League, Person

State = TypeVar("State")

_SECONDS = 3.0
_BATTLES = 3
"""Battles by mail after one to warm up."""


class Turn(NamedTuple):
    """The wall and processor seconds of a turn by mail, and the letters that it caused."""

    seconds: float
    cpu: float
    letters: list[bytes]


@dataclass(frozen=True, slots=True)
class ByMail:
    """The wall and processor seconds of turns, and the most letters and KiB that one caused."""

    seconds: list[float]
    cpu: list[float]
    letters: int
    kib: float


def turns_a_second(start: State, play: Callable[[State, random.Random], State]) -> float:
    """Play turn after turn for some seconds, and return how many a second."""
    rng, state, turns, began = random.Random(1), start, 0, perf_counter()
    while (spent := perf_counter() - began) < _SECONDS:
        state = play(state, rng)
        turns += 1
    return turns / spent


def by_mail(folder: Path, battle: Callable[[Path, int], Iterator[Turn]]) -> ByMail:
    """Play the turns of some battles, each in a folder and with a seed of its own."""
    taken = list[Turn]()
    for seed in range(1 + _BATTLES):
        home = folder / f"battle-{seed}"
        home.mkdir()
        played = list(battle(home, seed))
        taken += played if seed else []
    seconds, cpu, letters = (list(each) for each in zip(*taken, strict=True))
    if min(map(len, letters)) < len(("Ann", "Bob")):
        raise RuntimeError("a turn was not played: its last orders got no two reports")
    kib = max(sum(map(len, sent)) for sent in letters) / 1024
    return ByMail(seconds, cpu, max(map(len, letters)), kib)


def timed(league: League, person: Person, orders: Sequence[str]) -> Turn:
    """Send orders in reply to the last report, and measure until all letters of them are sent."""
    person.reply("\n".join(orders), person.last_about("[G1-T"))
    before, began, cpu = len(league.post.letters), perf_counter(), process_time()
    league.work()
    seconds, spent = perf_counter() - began, process_time() - cpu
    return Turn(seconds, spent, [raw for _, raw in league.post.letters[before:]])
