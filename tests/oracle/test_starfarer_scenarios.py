"""The random scenarios of Starfarer: they reach everything that is of interest."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from engine.replay import ScenarioError, replay
from tests.oracle.starfarer.author import Author, author
from tests.oracle.starfarer.setups import OPTIONS
from tests.support.trial_counts import tries

COUNT = tries(1500, 250)

FILED = (
    "over", "wrong round", "unknown character", "out of the fight", "unconscious",
    "too many actions", "unknown action", "unknown condition", "unknown weapon", "wrong weapon",
    "bad move", "bad area", "bad arm",
)  # fmt: skip
LATE = (
    "twice", "bad target", "down", "prone", "not prone", "disabled", "out of reach",
    "out of range", "nothing to treat",
)  # fmt: skip
MUST_BE_SEEN = (
    *(f"refused {reason}" for reason in (*FILED, *LATE)),
    *(f"late {reason}" for reason in LATE),
    *(f"did {do}" for do in ("attack", "aim", "evade", "parry", "move", "treat", "drop", "rise")),
    "did hold", "did yield",
    *(f"bracket {name}" for name in ("close", "point blank", "short", "medium", "long", "extreme")),
    "bracket None", "aborted to evade", "aborted to parry",
    *(f"wound {level}" for level in range(1, 7)),
    "wound promoted", "wound not marked", "further wound",
    *(f"out dead {why}" for why in ("wound", "shock", "survival")), "out left ", "out surrendered ",
    "over alone", "over quiet", "won by nobody", "woke", "sleeps on", "fell", "stayed up",
    "limb passed", "limb failed", "bled", "clock rolled", "clock moved", "survived",
    "out of danger", "taken back", "steadied an area", "bleeding stopped by treatment",
)  # fmt: skip


@cache
def authors() -> list[Author]:
    """The scenarios, always the same."""
    return [author(Random(number)) for number in range(COUNT)]


def traces(result: Any) -> Iterator[str]:
    """What happened in a replay that is of interest."""
    yield from (f"refused {one['reason']}" for one in result["refused"])
    yield from ("won by nobody",) * (result["over"] and result["state"]["winner"] is None)
    for event in result["events"]:
        kind = event["type"]
        found = _TRACES.get(kind)
        if found is not None:
            yield from found(event)


_TRACES: dict[str, Any] = {
    "Refused": lambda e: [f"late {e['reason']}"],
    "Acted": lambda e: [f"did {e['do']}"],
    "Attacked": lambda e: [f"bracket {e['bracket']}"],
    "Aborted": lambda e: [f"aborted to {e['do']}"],
    "Wounded": lambda e: [
        f"wound {e['level']}",
        *["wound promoted"] * (e["marked"] not in (None, e["level"])),
        *["wound not marked"] * (e["marked"] is None),
        *["further wound"] * e["further"],
    ],
    "Out": lambda e: [f"out {e['fate']} {e['why']}"],
    "Over": lambda e: [f"over {e['why']}"],
    "WakingChecked": lambda e: ["woke" if e["wakes"] is None else "sleeps on"],
    "ShockChecked": lambda e: ["stayed up" if e["wakes"] is None else "fell"],
    "LimbChecked": lambda e: ["limb passed" if e["passed"] else "limb failed"],
    "Bled": lambda e: ["bled"],
    "ClockMoved": lambda e: ["clock moved" if e["roll"] is None else "clock rolled"],
    "SurvivalChecked": lambda e: ["survived"] * e["passed"],
    "OutOfDanger": lambda e: ["out of danger"],
    "TakenBack": lambda e: ["taken back"],
    "Treated": lambda e: [
        *["steadied an area"] * (e["steadied"] and e["area"] != "shock"),
        *["bleeding stopped by treatment"] * bool(e["stopped"]),
    ],
}


@pytest.mark.long
def test_the_generator_reaches_everything_of_interest() -> None:
    """Every kind of action, refusal, wound and end comes up."""
    seen: Counter[str] = Counter()
    for writer in authors():
        result = replay(json.loads(json.dumps(writer.scenario())))
        assert result["state"]["over"] == writer.state.over
        seen.update(traces(result))
    assert not [what for what in MUST_BE_SEEN if not seen[what]]


@pytest.mark.long
def test_the_generator_covers_the_set_ups() -> None:
    """All pairs of options that go together, and all sizes."""
    setups = [writer.setup for writer in authors()]
    chosen = [frozenset(k for k, on in (s.get("options") or {}).items() if on) for s in setups]
    for one, other in combinations(OPTIONS, 2):
        pairs = set(product((True, False), repeat=2))
        # These two need the first of all (SF-10).
        if one == "declaration" and other in ("modifiers", "multiple"):
            pairs -= {(False, True)}
        assert {(one in used, other in used) for used in chosen} == pairs
    assert {len(setup["teams"]) for setup in setups} == {2, 3, 4}
    sizes = {len(team["characters"]) for setup in setups for team in setup["teams"]}
    assert {1, 2, 3, 4, 5, 6} <= sizes
    totals = {sum(len(team["characters"]) for team in setup["teams"]) for setup in setups}
    assert set(range(2, 9)) <= totals


ODD = (
    None,
    True,
    0,
    -1,
    10**30,
    1.5,
    "",
    " ",
    "x",
    "nearest",
    "\ud800",
    [],
    [[]],
    {},
    {"do": "hold"},
)


def spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a scenario at which something stands, as its holder and its key."""
    keys = range(len(value)) if isinstance(value, list) else list(value)
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from spots(value[key])


@pytest.mark.long
def test_whatever_stands_anywhere_it_is_played_or_refused() -> None:
    """A scenario with any odd value at any place ends in an answer or a ScenarioError."""
    for seed, writer in enumerate(authors()):
        rng, scenario = Random(seed), copy.deepcopy(writer.scenario())
        holder, key = rng.choice(list(spots(scenario)))
        holder[key] = copy.deepcopy(rng.choice(ODD))
        if rng.random() < 0.7:
            scenario.update(seed="x", dice=None)
        with suppress(ScenarioError):
            json.dumps(replay(scenario))
