"""A finished game as a text that anyone can check: what is in it, and the check itself."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine import codec, dice, library, play
from engine.dice import SeededDice
from engine.errors import EngineError
from engine.ruleset import Ruleset
from engine.seats import Seat
from pbem.session import Session, game_id
from pbem.store import Game, Step, Store

FORMAT = "pbem-game-1"


def export(store: Store, game: Game) -> str:
    """Write a finished game as JSON, one line a step, each sealed over all before it.

    Raises ValueError for a game that still runs: its secret stays where it is.
    """
    if game.running:
        raise ValueError(f"battle {game.id} is not over; it can be exported when it is")
    session = Session(store, game)
    head = {
        "format": FORMAT,
        "id": game_id(game.id),
        "system": game.system,
        "version": game.version,
        "commitment": dice.commitment(game.secret),
        "secret": game.secret.hex(),
        "setup": json.loads(game.setup),
    }
    outcome = session.rules.outcome(session.state)
    result = {
        "state": session.rules.scenario_state(session.state),
        "winner": outcome.winner if outcome else None,
        "drawn": bool(outcome and outcome.drawn),
    }
    steps = [_step(step) for step in store.steps.all(game=game.id)]
    return write([head, *steps, result])


def _step(step: Step) -> dict[str, Any]:
    return {
        "step": step.n,
        "orders": json.loads(step.orders),
        "salts": json.loads(step.salts),
        "digest": step.digest,
        "rolls": [[sides, result, why] for sides, result, why in json.loads(step.rolls)],
    }


def line(value: Any) -> str:
    """Write one line of an export: canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def write(parts: Sequence[dict[str, Any]]) -> str:
    """Write the lines of an export, each with a seal over itself and all before it."""
    written, seal = [], ""
    for part in parts:
        body = line(part)
        seal = hashlib.sha256((seal + body).encode()).hexdigest()
        written.append(line(part | {"seal": seal}))
    return "[\n" + ",\n".join(written) + "\n]\n"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked, and whether it holds."""

    ok: bool
    text: str


def verify(text: str) -> Iterator[Finding]:
    """Check an export from the secret up, and stop at the first thing that does not hold."""
    try:
        yield from _verify(text)
    except EngineError as error:
        yield Finding(False, f"the rules refuse it: {error}")
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        yield Finding(False, f"it does not have the form of an export: {error!r}")


def _verify(text: str) -> Iterator[Finding]:
    parts: list[dict[str, Any]] = []
    for finding in _read(text, parts):
        yield finding
        if not finding.ok:
            return
    head, *steps, result = parts
    secret = bytes.fromhex(head["secret"])
    if dice.commitment(secret) != head["commitment"]:
        yield Finding(False, "commitment: it is not the SHA-256 of the secret")
        return
    yield Finding(True, "the commitment is the SHA-256 of the secret")
    yield from _replay(head, secret, steps, result)


def _read(text: str, parts: list[dict[str, Any]]) -> Iterator[Finding]:
    """Read the lines, and check that each is sealed as it was written."""
    lines = text.split("\n")
    if lines[:1] != ["["] or lines[-2:] != ["]", ""] or len(lines) < 5:
        yield Finding(False, "line 1: it is no export, or not a whole one")
        return
    seal = ""
    for number, written in enumerate(lines[1:-2], 2):
        last = number == len(lines) - 2
        fault, part, seal = _unseal(written, last, seal)
        if fault:
            where = f"step {part['step']}" if "step" in part else "head or result"
            yield Finding(False, f"line {number} ({where}): {fault}")
            return
        parts.append(part)
    yield Finding(True, f"{len(parts)} lines are sealed as they were written")


def _unseal(written: str, last: bool, seal: str) -> tuple[str, dict[str, Any], str]:
    body = written if last else written.removesuffix(",")
    try:
        part = json.loads(body)
    except ValueError:
        return "it is no JSON; it was changed", {}, seal
    if not isinstance(part, dict) or (not last and body == written):
        return "it was changed", {}, seal
    rest = {key: value for key, value in part.items() if key != "seal"}
    seal = hashlib.sha256((seal + line(rest)).encode()).hexdigest()
    if part.get("seal") != seal or line(part) != body:
        return "it is not as it was sealed; it was changed", part, seal
    return "", rest, seal


def _replay(
    head: dict[str, Any], secret: bytes, steps: list[dict[str, Any]], result: dict[str, Any]
) -> Iterator[Finding]:
    if head["format"] != FORMAT or head["system"] not in library.RULESETS:
        yield Finding(False, f"head: format {head['format']!r} of {head['system']!r} is not known")
        return
    rules = library.RULESETS[head["system"]]
    state = rules.setup(head["setup"])
    for n, step in enumerate(steps):
        fault, state = _check_step(rules, state, secret, head["id"], n, step)
        if fault:
            yield Finding(False, f"step {n}: {fault}")
            return
    yield Finding(True, f"digest, dice and rules agree in all {len(steps)} steps")
    fault = _result_fault(rules, state, result)
    yield Finding(not fault, fault or "the result follows from the steps")


def _check_step(
    rules: Ruleset[Any, Any],
    state: Any,
    secret: bytes,
    game: str,
    n: int,
    step: dict[str, Any],
) -> tuple[str, Any]:
    """Give what is wrong with a step ('' for nothing) and the state after it."""
    if step["step"] != n:
        return f"it is numbered {step['step']}", state
    texts = [order for _, order in step["orders"]]
    digest_n = dice.digest(play.digest_text(texts, step["salts"]))
    if digest_n.hex() != step["digest"]:
        return "digest: it is not the SHA-256 of the orders", state
    orders: dict[Seat, list[Any]] = {}
    for seat, order in step["orders"]:
        orders.setdefault(Seat(seat), []).append(rules.parse(state, Seat(seat), order))
    taken = play.take(rules, state, orders, SeededDice(secret, game, n, digest_n))
    if [list(roll) for roll in taken.rolls] != step["rolls"]:
        return "rolls: they are not those of the secret and the orders", state
    return "", taken.state


def _result_fault(rules: Ruleset[Any, Any], state: Any, result: dict[str, Any]) -> str:
    outcome = rules.outcome(state)
    if outcome is None:
        return "result: the battle is not over after the last step"
    if codec.plain(rules.scenario_state(state)) != result["state"]:
        return "result: the state is not the one that the steps lead to"
    if (outcome.winner, outcome.drawn) != (result["winner"], result["drawn"]):
        return "result: the winner is not the one that the steps lead to"
    return ""
