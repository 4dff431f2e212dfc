"""Commands that need no league: replay, read, dice, demo."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from engine import fair_dice
from engine.dice import KeyedDice
from engine.errors import EngineError
from engine.orders.orders_on_file import lines
from engine.orders.reading import read_for
from engine.registry import RULESETS
from engine.replay import replay as replay_scenario
from pbem.commands.common import UsageError, command, print_json, read_file
from pbem.intake import read_letter


@command
@click.argument("file", metavar="[FILE|-]", required=False)
@click.option("--batch", is_flag=True, help="one scenario per line on stdin")
def replay(file: str | None, batch: bool) -> None:
    """Replay a scenario of any system."""
    if batch:
        if file not in (None, "-"):
            raise UsageError(f"replay --batch reads standard input: put a < before {file}")
        # Answered line by line: a program at the other end of the pipe may wait for each.
        for line in sys.stdin.buffer:
            print_json(_replayed(line))
        return
    if file is None:
        raise UsageError("replay: name a scenario's file, - for standard input, or --batch")
    print_json(replay_scenario(_scenario(read_file(file))))


def _scenario(raw: bytes) -> object:
    try:
        return json.loads(raw)
    # RecursionError: a few thousand brackets within each other.
    except (ValueError, RecursionError) as error:
        raise UsageError(f"scenario: it is not JSON ({error})") from None


def _replayed(line: bytes) -> dict[str, object]:
    try:
        return replay_scenario(_scenario(line))
    except (UsageError, EngineError, RecursionError) as error:
        return {"error": str(error)}


@command
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def read(files: tuple[str, ...]) -> None:
    """Show what letters are, and which orders are in them."""
    for raw in [read_file(name) for name in files]:
        print_json(_letter(raw))


def _letter(raw: bytes) -> dict[str, object]:
    reading = read_letter(raw)
    readings = [read_for(rules, None, None, reading.text) for rules in RULESETS.values()]
    # There is no league here, and so no system: the one that finds most orders is taken.
    written = max(readings, key=lambda one: len(one.queue) + (one.standing is not None))
    standing = lines(written.standing) if written.standing else []
    return {
        "class": reading.klass,
        "text": reading.text,
        "orders": [*written.queue, *standing],
        "near": [near.text for near in written.near],
        "failed": list(reading.failed),
        "reason": reading.reason,
    }


class _Json(click.ParamType[Any]):
    """An argument that is JSON of some kind."""

    name = "JSON"

    def __init__(self, kind: type[Any]) -> None:
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value that is written in JSON."""
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            self.fail("It must be JSON.", param, ctx)
        if not isinstance(found, self.kind):
            example = "{}" if self.kind is dict else "[]"
            self.fail(f"It must be JSON: {example} or more of it.", param, ctx)
        return found


@command
@click.option("--secret", required=True, metavar="HEX")
@click.option("--game", required=True, metavar="ID")
@click.option("--system", default=next(iter(RULESETS)), metavar="SYSTEM")
@click.option("--rules", type=int, default=1, metavar="VERSION")
@click.option("--terms", type=_Json(dict), default="{}", help="of the commitment")
@click.option("--setup", default="", metavar="HEX", help="its fingerprint")
@click.option("--house", default="", metavar="STRENGTH", help="of bots")
@click.option("--before", type=_Json(dict), default="{}", help="words before the game")
@click.option("--words", type=_Json(dict), default="{}", help="the latest, by seats")
@click.option("--step", type=click.IntRange(0, 2**64 - 1), required=True, metavar="N")
@click.option("--orders", type=_Json(list), default="[]", help="pairs: seat, order")
@click.option("--proxied", type=_Json(list), default="[]", help="seats under PROXY")
@click.option("--sides", type=click.IntRange(1, 2**32), default=100, metavar="S")
@click.option("--count", type=click.IntRange(0), default=1, metavar="C")
@click.option(
    "--show",
    type=click.Choice(("rolls", "digest", "commitment")),
    default="rolls",
    help="the step's rolls or digest, or the commitment",
)
def dice(
    secret: str,
    game: str,
    system: str,
    rules: int,
    terms: dict[str, Any],
    setup: str,
    house: str,
    before: dict[str, Any],
    words: dict[str, Any],
    step: int,
    orders: list[Any],
    proxied: list[Any],
    sides: int,
    count: int,
    show: str,
) -> None:
    """Print the rolls of a step, by all that they depend on."""
    try:
        secret_key = bytes.fromhex(secret)
    except ValueError:
        raise UsageError("--secret must be hex digits, two a byte") from None
    commitment = fair_dice.commitment(secret_key, game, system, rules, terms)
    ground = fair_dice.Ground(secret_key, commitment, setup, house, before)
    try:
        step_key = ground.step(step, words, orders, proxied)
    except TypeError:
        raise UsageError(
            "--orders and --proxied must be lists: pairs of texts, and texts"
        ) from None
    rolled = KeyedDice(step_key)
    rolls = ",".join(str(rolled.roll(sides, "")) for _ in range(count))
    print({"rolls": rolls, "digest": fair_dice.digest_of(step_key), "commitment": commitment}[show])


@command
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default="demo-letters",
    metavar="DIR",
    help="where the letters go",
)
@click.option(
    "--play",
    "played",
    is_flag=False,
    flag_value="",
    metavar="[KEY]",
    help="write one side's letters yourself, or all of a game of a system",
)
def demo(out: Path, played: str | None) -> int:
    """Play a whole duel by mail on embedded servers."""
    if played and played not in RULESETS:
        raise UsageError(f"there is no system {played}; there are {', '.join(RULESETS)}")
    try:
        # Imported here: the servers for the demo are an extra (decision 0002).
        from pbem.demo.duel import demonstrate
        from pbem.demo.interactive import play, play_all
    except ModuleNotFoundError as error:
        extra = "needs mail servers to play on: pip install 'pbem[demo]'"
        raise UsageError(f"demo {extra} ({error.name} is missing)") from None
    if played is None:
        return demonstrate(out)
    return play_all(out, played) if played else play(out)
