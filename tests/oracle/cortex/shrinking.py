"""Makes a scenario smaller on which the engine and the naive referee of Cortex differ."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator

from engine.replay import ScenarioError, replay
from tests.oracle.comparing import comparable, first_difference
from tests.oracle.cortex.figures import Json
from tests.oracle.naive_cortex import replay as naive_replay

SEEDS = 8  # how many falls of the dice are tried for a smaller scenario


def difference(scenario: Json) -> str | None:
    """Where the two first differ; None too if the engine finds that the scenario is not valid."""
    try:
        engine = comparable(replay(copy.deepcopy(scenario)))
    except ScenarioError:
        return None
    except Exception as error:  # a crash is a difference like any other
        return f"the engine fails: {error!r}"
    return first_difference(engine, comparable(naive_replay(copy.deepcopy(scenario))))


def shrunk(scenario: Json) -> Json:
    """The smallest scenario that can be found, with its dice."""
    best = scenario
    while True:
        smaller = next((found for found in smaller_ones(best) if difference(found)), None)
        if smaller is None:
            return with_dice(best)
        best = smaller


def smaller_ones(scenario: Json) -> Iterator[Json]:
    """The scenario with one thing less, under several falls of the dice."""
    for less in with_less(scenario):
        less.pop("dice", None)
        for seed in range(SEEDS):
            yield {**less, "seed": str(seed)}


def with_less(scenario: Json) -> Iterator[Json]:
    """Without a turn, an order, a key of an order, a vessel, or another part of the set-up."""
    for number in reversed(range(len(scenario["orders"]))):
        yield without(scenario, ["orders"], number)
    for number, turn in enumerate(scenario["orders"]):
        for place, order in enumerate(turn):
            yield without(scenario, ["orders", number], place)
            for key in order:
                if key not in ("unit", "do"):
                    yield without(scenario, ["orders", number, place], key)
    for key in ("obstacles", "sites", "ranges", "options"):
        things = scenario["setup"].get(key) or []
        for part in list(things if isinstance(things, dict) else range(len(things))):
            yield without(scenario, ["setup", key], part)
    for number, team in enumerate(scenario["setup"]["teams"]):
        for key in ("vessels", "spotters"):
            for place, body in enumerate(team.get(key) or []):
                yield without(scenario, ["setup", "teams", number, key], place)
                for weapon in range(len(body.get("weapons") or [])):
                    path = ["setup", "teams", number, key, place, "weapons"]
                    yield without(scenario, path, weapon)
                for part in ("armour", "altitude", "ftl", "fixed"):
                    if part in body:
                        yield without(scenario, ["setup", "teams", number, key, place], part)


def without(scenario: Json, path: list[str | int], key: str | int) -> Json:
    """A copy without what stands there; ranges with a vessel that is gone go too."""
    made: Json = copy.deepcopy(scenario)
    holder = made
    for step in path:
        holder = holder[step]  # type: ignore[index]
    del holder[key]  # type: ignore[arg-type]
    names = {one["name"] for team in made["setup"]["teams"] for one in team["vessels"]}
    ranges = made["setup"].get("ranges") or {}
    for pair in list(ranges):
        if not names >= {*pair.split("|")}:
            del ranges[pair]
    return made


def with_dice(scenario: Json) -> Json:
    """The same with listed dice, which are easier to follow than a seed."""
    rolls = naive_replay(copy.deepcopy(scenario))["rolls"]
    kept = {key: value for key, value in scenario.items() if key not in ("seed", "dice")}
    listed = {**kept, "dice": [roll["result"] for roll in rolls]}
    return listed if difference(listed) else scenario


def shown(scenario: Json) -> str:
    """The scenario as JSON, and what differs."""
    return f"{difference(scenario)}\n{json.dumps(scenario, ensure_ascii=False)}"
