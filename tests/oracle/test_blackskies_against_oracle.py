"""The engine against the naive referee, over random Black Skies scenarios.

`BLACKSKIES_SCENARIOS=10000` plays so many; without it there are a few hundred.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import cache
from random import Random

import pytest

from tests.oracle.blackskies.author import Author, author
from tests.oracle.blackskies.broken import BREAKS, broken_by
from tests.oracle.blackskies.cards import MANOEUVRES
from tests.oracle.blackskies.referee import replay as naive_replay
from tests.oracle.comparing import comparable, compare, compare_refusals
from tests.support.paths import SCENARIOS

CHUNK = 50
COUNT = int(os.environ.get("BLACKSKIES_SCENARIOS", "300"))
BROKEN_EACH = max(8, COUNT // 100)

WORKED = SCENARIOS / "blackskies-worked-example.json"

MUST_BE_SEEN = (
    *(f"card {card} {option or ''}".strip() for card, option in MANOEUVRES),
    *(f"substitute for card {card}" for card in range(2, 13)),
    *(f"shot needing {needed}" for needed in range(13)),
    *(f"{what} {end}" for what in ("check", "asteroid") for end in ("passed", "failed")),
    *(f"{what} by {by}" for what in ("crippled", "destroyed") for by in ("fire", "asteroid")),
    "accelerate in retrograde",
    "asteroid failed without a die",
    "asteroid met",
    "could not fire for a failed check",
    "decelerate in retrograde",
    "first rolled",
    "flew without an order",
    "held fire",
    "hit",
    "hit lost on a destroyed fighter",
    "last turn played",
    "miss",
    "no side left",
    "one side left alone",
    "only the lead failed",
    "only the wingman failed",
    "order replaced",
    "over before any card",
    "placeholder",
    "retrograde begun",
    "retrograde ended",
    "retrograde ended at speed 0",
    "shot at a target of the list",
    "speed stopped at 0",
    "speed stopped at 12",
    "surrendered",
    "weapon silent for a crippled fighter",
    "withdrawn",
    "won by nobody",
    "won on points",
    "refused: over",
    "refused: wrong turn",
    "refused: unknown element",
    "refused: out of the battle",
    "refused: unknown command",
    "refused: enemy near",
    "refused: bad card",
    "refused: no thrusters",
    "refused: retrograde",
    "refused: bad option",
    "refused: bad target",
)


@cache
def authors(chunk: int) -> list[Author]:
    """One chunk of written scenarios, always the same."""
    return [author(Random(chunk * CHUNK + number)) for number in range(CHUNK)]


def test_the_naive_referee_plays_the_worked_example() -> None:
    """The example of rules/blackskies.md ends as it says there."""
    expected = json.loads(WORKED.with_suffix(".expected.json").read_text())
    result = comparable(naive_replay(json.loads(WORKED.read_text())))
    assert {"system": "blackskies", **result} == expected


@pytest.mark.parametrize("chunk", range(COUNT // CHUNK))
def test_engine_agrees_with_the_naive_referee(chunk: int) -> None:
    """State, refusals, end and rolls are the same."""
    for writer in authors(chunk):
        scenario = writer.scenario()
        naive = compare(scenario, naive_replay)
        assert naive["state"] == json.loads(json.dumps(writer.battle.state()))


@pytest.mark.parametrize("kind", sorted(BREAKS))
def test_the_engine_refuses_broken_scenarios(kind: str) -> None:
    """And it names the die that is missing, left over or cannot be, as the naive one does."""
    for seed in range(BROKEN_EACH):
        scenario = broken_by(kind, Random(seed), authors(0)[seed % CHUNK].scenario())
        compare_refusals(scenario, naive_replay, kind)


def test_the_generator_reaches_everything_of_interest() -> None:
    """Every card, every reason code and every kind of event comes up."""
    seen: Counter[str] = Counter()
    for chunk in range(COUNT // CHUNK):
        for writer in authors(chunk):
            seen.update(writer.battle.seen)
    assert not [what for what in MUST_BE_SEEN if not seen[what]]
