"""Commands that need no league: replay, read, dice, verify, demo."""

import json
import sys
from pathlib import Path
from typing import TypeVar

from engine import fair_dice
from engine.dice import KeyedDice
from engine.errors import EngineError
from engine.orders.orders_on_file import lines
from engine.orders.reading import read_for
from engine.registry import RULESETS
from engine.replay import replay as replay_scenario
from pbem.checking_script import has_script, script
from pbem.commands.common import Args, UsageError, print_json, read_file
from pbem.games import export as exports
from pbem.intake import read_letter

T = TypeVar("T")


def replay(args: Args) -> None:
    """Replay a scenario, or one for each line."""
    if args.batch:
        if args.file not in (None, "-"):
            raise UsageError(f"replay --batch reads standard input: put a < before {args.file}")
        # Answered line by line: a program at the other end of the pipe may wait for each.
        for line in sys.stdin.buffer:
            print_json(_replayed(line))
        return
    if args.file is None:
        raise UsageError("replay: name a scenario's file, - for standard input, or --batch")
    print_json(replay_scenario(_scenario(read_file(args.file))))


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


def read(args: Args) -> None:
    """Print what each letter is, and which orders are in it."""
    for raw in [read_file(name) for name in args.file]:
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


def dice(args: Args) -> None:
    """Print the rolls of a step, or what its receipt shows, from all that it depends on."""
    try:
        secret = bytes.fromhex(args.secret)
    except ValueError:
        raise UsageError("--secret must be hex digits, two a byte") from None
    if not 1 <= args.sides <= 2**32:
        raise UsageError("--sides must be a whole number from 1 to 4294967296")
    if not 0 <= args.step < 2**64:
        raise UsageError("--step must be a whole number from 0 to 18446744073709551615")
    if args.count < 0:
        raise UsageError("--count must not be negative")
    terms, before, words = (_json(args, name, dict) for name in ("terms", "before", "words"))
    orders, proxied = (_json(args, name, list) for name in ("orders", "proxied"))
    commitment = fair_dice.commitment(secret, args.game, args.system, args.rules, terms)
    ground = fair_dice.Ground(secret, commitment, args.setup, args.house, before)
    try:
        key = ground.step(args.step, words, orders, proxied)
    except TypeError:
        raise UsageError(
            "--orders and --proxied must be lists: pairs of texts, and texts"
        ) from None
    rolled = KeyedDice(key)
    rolls = ",".join(str(rolled.roll(args.sides, "")) for _ in range(args.count))
    print({"rolls": rolls, "digest": fair_dice.digest_of(key), "commitment": commitment}[args.show])


def _json(args: Args, name: str, kind: type[T]) -> T:
    """Return an argument that is JSON of some kind. Raise UsageError if it is not."""
    try:
        value = json.loads(getattr(args, name))
    except (ValueError, RecursionError):
        raise UsageError(f"--{name} must be JSON") from None
    if not isinstance(value, kind):
        raise UsageError(f"--{name} must be JSON: {'{}' if kind is dict else '[]'} or more of it")
    return value


def verify(args: Args) -> int:
    """Verify a finished battle's export from the secret up."""
    if args.print_script:
        if not has_script(args.print_script):
            raise UsageError(f"verify: {args.print_script} has no checking script")
        print(script(args.print_script), end="")
        return 0
    if args.file is None:
        raise UsageError("verify: name the export of a finished battle, or --print-script")
    text = read_file(args.file).decode("utf-8", "replace")
    ok = True
    for finding in exports.verify(text):
        ok = ok and finding.ok
        print(f"{'ok   ' if finding.ok else 'WRONG'}  {finding.text}")
    print("All of it agrees." if ok else "It does not agree.")
    return 0 if ok else 1


def demo(args: Args) -> int:
    """Play a whole duel through embedded servers, or let a person write letters."""
    if args.play and args.play not in RULESETS:
        raise UsageError(f"there is no system {args.play}; there are {', '.join(RULESETS)}")
    try:
        # Imported here: the servers for the demo are an extra (decision 0002).
        from pbem.demo.duel import demonstrate
        from pbem.demo.interactive import play, play_all
    except ModuleNotFoundError as error:
        extra = "needs mail servers to play on: pip install 'pbem[demo]'"
        raise UsageError(f"demo {extra} ({error.name} is missing)") from None
    out = Path(args.out)
    if args.play is None:
        return demonstrate(out)
    return play_all(out, args.play) if args.play else play(out)
