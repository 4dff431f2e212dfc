"""A finished game as a text that anyone can check: what is in it, and the check itself."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engine import codec, dice, library, play
from engine.dice import SeededDice
from engine.errors import EngineError
from engine.ruleset import Ruleset
from engine.seats import REFEREE, Seat
from engine.undo import Track, Undo, undo_of
from pbem.games.session import Session, game_id
from pbem.store import Game, Step, Store

FORMAT = "pbem-game-1"
SECRET_BYTES = 32


def export(store: Store, game: Game) -> str:
    """Write a finished game as JSON, one line a step, each sealed over all before it.

    An UNDO of a game that had ended brings the new secret that the later dice hang on. Raises
    ValueError for a game that still runs: its secret stays where it is.
    """
    if game.running:
        raise ValueError(f"battle {game.id} is not over; it can be exported when it is")
    session, steps = Session(store, game), store.steps.all(game=game.id)
    head = {
        "format": FORMAT,
        "id": game_id(game.id),
        "system": game.system,
        "version": game.version,
        "commitment": dice.commitment(game.secret),
        "secret": game.secret.hex(),
        "setup": json.loads(game.setup),
    }
    return write([head, *map(_step, steps), _result(session.rules, session.state)])


def retrace(store: Store, game: Game) -> Any:
    """Take all logged steps of a game again by its secret, over or not, and give the state.

    Raises Wrong at the first step whose orders, digest, dice or rules do not agree.
    """
    with _within("set-up"):
        rules = library.RULESETS[game.system]
        state = rules.setup(json.loads(game.setup))
    steps = list(map(_step, store.steps.all(game=game.id)))
    return _walk(rules, state, steps, game.secret, game_id(game.id))


def _step(step: Step) -> dict[str, Any]:
    renewed = {"secret": step.secret.hex()} if step.secret else {}
    return renewed | {
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


class Wrong(Exception):
    """Something does not hold; the text names the place."""


_NO_FORM = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a text of any other form may raise where an export is expected."""


def verify(text: str) -> Iterator[Finding]:
    """Check an export from the secret up, and stop at the first thing that does not hold."""
    try:
        yield from (Finding(True, found) for found in _verify(text))
    except Wrong as wrong:
        yield Finding(False, _printable(str(wrong)))


def _printable(text: str) -> str:
    """Write out lone surrogates, which no terminal takes."""
    return text.encode("utf-8", "backslashreplace").decode()


@contextmanager
def _within(place: str) -> Iterator[None]:
    """Name the place of whatever is wrong."""
    try:
        yield
    except Wrong as wrong:
        raise Wrong(f"{place}: {wrong}") from None
    except EngineError as error:
        raise Wrong(f"{place}: the rules refuse it: {error}") from None
    except _NO_FORM as error:
        raise Wrong(f"{place}: it does not have the form of an export: {error!r}") from None


def _need(holds: object, otherwise: str) -> None:
    if not holds:
        raise Wrong(otherwise)


def _verify(text: str) -> Iterator[str]:
    parts = list(_unsealed(text))
    yield f"{len(parts)} lines are sealed as they were written"
    head, *steps, result = parts
    with _within("head"):
        rules, state, secret = _open(head)
    yield f"the commitment is the SHA-256 of the secret: {head['commitment']}"
    state = _walk(rules, state, steps, secret, head["id"])
    yield f"digest, dice and rules agree in all {len(steps)} steps"
    with _within("result"):
        _need(rules.outcome(state), "the battle is not over after the last step")
        _need(line(_result(rules, state)) == line(result), "the steps lead to another one")
    yield "the result follows from the steps"


def _unsealed(text: str) -> Iterator[dict[str, Any]]:
    """Yield the parts whose lines are sealed as they were written."""
    lines = text.split("\n")
    _need(lines[0] == "[", "line 1: it is no export; one begins with a [ alone")
    whole = len(lines) >= 5 and lines[-2:] == ["]", ""]
    _need(whole, "the last line: it is not a whole export; one ends with a ] alone")
    seal, last = "", len(lines) - 2
    for number, written in enumerate(lines[1:-2], 2):
        place = "head" if number == 2 else "result" if number == last else f"step {number - 3}"
        with _within(f"line {number} ({place})"):
            part, seal = _unseal(written, "" if number == last else ",", seal)
        yield part


def _unseal(written: str, comma: str, seal: str) -> tuple[dict[str, Any], str]:
    """Give what a line holds and its seal; raises Wrong where it was changed."""
    try:
        part = dict(json.loads(written.removesuffix(",")))
    except _NO_FORM:
        raise Wrong("it is no JSON object; it was changed") from None
    part.pop("seal", None)
    seal = hashlib.sha256((seal + line(part)).encode()).hexdigest()
    sealed = line(part | {"seal": seal}) + comma
    _need(written == sealed, "it is not as it was sealed; it was changed")
    return part, seal


def _open(head: dict[str, Any]) -> tuple[Ruleset[Any, Any], Any, bytes]:
    """Check the head, and give the rules, the first state and the secret."""
    rules = library.RULESETS.get(head["system"])
    if rules is None or head["format"] != FORMAT:
        raise Wrong(f"format {head['format']!r} of {head['system']!r} is not known")
    secret = bytes.fromhex(head["secret"])
    _need(dice.commitment(secret) == head["commitment"], "commitment: it is not of the secret")
    _need(len(secret) == SECRET_BYTES, f"secret: it is not of {SECRET_BYTES} bytes")
    _need(isinstance(head["id"], str), "id: it is no text")
    known = {"format": FORMAT, "version": rules.version, "secret": secret.hex()}
    kept = {key: head[key] for key in ("id", "system", "commitment", "setup")}
    _need(line(head) == line(known | kept), "version or fields: they are not known")
    return rules, rules.setup(head["setup"]), secret


def _walk(
    rules: Ruleset[Any, Any], state: Any, steps: Sequence[dict[str, Any]], secret: bytes, game: str
) -> Any:
    """Check all steps by taking them, those that were undone among them; give the state after."""
    track = Track[Any]()
    for n, step in enumerate(steps):
        with _within(f"step {n}"):
            undo = undo_of(step["orders"])
            if undo is None:
                state = _step_after(rules, state, n, step, secret, game)
            else:
                secret = _undone(n, undo, step, secret, rules.outcome(state) is not None)
                state = track.undo(undo.to)
            track.take(n, state)
    return state


def _step_after(
    rules: Ruleset[Any, Any], state: Any, n: int, step: dict[str, Any], secret: bytes, game: str
) -> Any:
    """Check a step by taking it, and give the state after it."""
    _need(step["step"] == n, f"it is numbered {step['step']!r}")
    orders = _orders(rules, state, step)
    texts = [order for _, order in step["orders"]]
    digest_n = dice.digest(play.digest_text(texts, step["salts"]))
    _need(digest_n.hex() == step["digest"], "digest: it is not the SHA-256 of the orders")
    taken = play.take(rules, state, orders, SeededDice(secret, game, n, digest_n))
    rolls = [list(roll) for roll in taken.rolls]
    known = {"step": n, "digest": digest_n.hex(), "rolls": rolls}
    kept = {"orders": step["orders"], "salts": step["salts"]}
    _need(line(rolls) == line(step["rolls"]), "rolls: they are not those of secret and orders")
    _need(line(step) == line(known | kept), "its fields are not those of a step")
    return taken.state


def _undone(n: int, undo: Undo, step: dict[str, Any], secret: bytes, over: bool) -> bytes:
    """Check an UNDO, and give the secret of the steps after it: a new one if the old was told."""
    _need(bool(undo.under) == over, "a new commitment is for a battle that was over")
    known: dict[str, Any] = {"step": n, "orders": [[REFEREE, str(undo)]], "salts": [], "rolls": []}
    known["digest"] = dice.digest(play.digest_text([str(undo)], [])).hex()
    if over:
        secret = bytes.fromhex(step["secret"])
        _need(dice.commitment(secret) == undo.under, "secret: it is not of the commitment")
        _need(len(secret) == SECRET_BYTES, f"secret: it is not of {SECRET_BYTES} bytes")
        known["secret"] = secret.hex()
    _need(line(step) == line(known), "its fields are not those of an UNDO")
    return secret


def _orders(rules: Ruleset[Any, Any], state: Any, step: dict[str, Any]) -> dict[Seat, list[Any]]:
    """Read a step's orders, if they are such as a referee may have taken, in canonical text."""
    _need(rules.outcome(state) is None, "the battle was over before it")
    _need(isinstance(step["orders"], list), "orders: they are no list")
    seats = [seat for seat, _ in step["orders"]]
    _need(seats == sorted(seats), "orders: they are not in order of their authors")
    orders: dict[Seat, list[Any]] = {}
    for seat, text in step["orders"]:
        _need(seat in (*rules.seats(state), REFEREE), f"orders: {seat!r} has no seat")
        order = rules.parse(state, Seat(seat), text)
        _need(rules.format(order) == text, f"orders: {text!r} is not in canonical text")
        orders.setdefault(Seat(seat), []).append(order)
    salted = isinstance(step["salts"], list) and all(type(s) is str for s in step["salts"])
    _need(salted, "salts: they are no list of texts")
    _need(not step["salts"] or {*seats} - {REFEREE}, "salts: no player sent any with orders")
    return orders


def _result(rules: Ruleset[Any, Any], state: Any) -> dict[str, Any]:
    """Give the last part of an export."""
    outcome = rules.outcome(state)
    return {
        "state": codec.plain(rules.scenario_state(state)),
        "winner": outcome.winner if outcome else None,
        "drawn": bool(outcome and outcome.drawn),
    }
