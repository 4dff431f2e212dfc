"""A finished game as a text that anyone can check: what is in it, and the check itself."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine import codec, fair_dice, play, registry
from engine.dice import KeyedDice, canonical
from engine.errors import EngineError
from engine.fair_dice import SECRET_BYTES, Ground
from engine.ruleset import AnyRuleset
from engine.seats import REFEREE, Seat
from engine.undo import Track, Undo, undo_of
from pbem.games import step_log
from pbem.games.session import Session, game_id
from pbem.games.step_log import with_words
from pbem.storage import Game, Pledge, Step, Store

FORMAT = "pbem-game-2"
_PRINT = re.compile("(?:[0-9a-f]{64})?")
"""A letter's fingerprint; empty for a seat whose player has written no letter for it."""


def export(store: Store, game: Game) -> str:
    """Return a finished game as JSON, one line a step, each line sealed over all before it.

    An UNDO of a game that had ended brings a new secret, on which the later dice depend. Raises
    ValueError if the game still runs, because its secret must not be shown yet.
    """
    if game.running:
        raise ValueError(f"battle {game.id} is not over; it can be exported when it is")
    session, steps = (
        Session(store, game),
        with_words(store, step_log.steps_of(store, game.id)),
    )
    head = _head(store, game)
    return write([head, *map(_step, steps), _result(session.rules, session.state)])


def _head(store: Store, game: Game) -> dict[str, object]:
    """Return the first part of an export: the set-up, and what was committed to."""
    pledge = store.get(Pledge, game.id)
    return {
        "format": FORMAT,
        "id": game_id(game.id),
        "system": game.system,
        "version": game.version,
        "commitment": pledge.commitment,
        "terms": json.loads(pledge.terms),
        "secret": game.secret.hex(),
        "setup": json.loads(game.setup),
        # This name is a part of the format, which players' scripts check.
        "house": game.bots,
        "words": json.loads(game.words),
    }


def retrace(store: Store, game: Game) -> object:
    """Replay all logged steps of a game with its secret, over or not, and return the state.

    Raises Wrong at the first step whose words, orders, digest, dice or rules do not agree.
    """
    with _within("set-up"):
        opened = _open(_head(store, game))
    return _walk(
        opened,
        list(
            map(
                _step,
                with_words(store, step_log.steps_of(store, game.id)),
            )
        ),
    )


def _step(step: Step) -> dict[str, object]:
    """Return a step's part of an export."""
    # Only the UNDO of a game that had ended brings a secret.
    renewed = {"secret": step.secret.hex()} if step.secret else {}
    return renewed | {
        "step": step.n,
        "orders": json.loads(step.orders),
        "proxied": json.loads(step.proxied),
        "words": json.loads(step.words),
        "digest": step.digest,
        "rolls": [[sides, result, why] for sides, result, why in json.loads(step.rolls)],
    }


def write(parts: Sequence[dict[str, object]]) -> str:
    """Return the text of an export; each line has a seal over itself and all before it."""
    written, seal = [], ""
    for part in parts:
        body = canonical(part)
        # Over the seal before it, too, so no line can be taken out or exchanged.
        seal = hashlib.sha256((seal + body).encode()).hexdigest()
        written.append(canonical(part | {"seal": seal}))
    return "[\n" + ",\n".join(written) + "\n]\n"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked, and whether it is right."""

    ok: bool
    text: str


class Wrong(Exception):
    """Something in an export is not right; the text names the place."""


_NO_FORM = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a text of any other form may raise where an export is expected."""


def verify(text: str) -> Iterator[Finding]:
    """Yield what was checked, beginning with the secret; stop at the first thing that is wrong."""
    try:
        yield from (Finding(True, found) for found in _verify(text))
    except Wrong as wrong:
        yield Finding(False, _printable(str(wrong)))


def _printable(text: str) -> str:
    """Return a text with lone surrogates escaped, because no terminal accepts them."""
    return text.encode("utf-8", "backslashreplace").decode()


@contextmanager
def _within(place: str) -> Iterator[None]:
    """Raise Wrong, with the name of the place, for any error inside the block."""
    try:
        yield
    except Wrong as wrong:
        raise Wrong(f"{place}: {wrong}") from None
    except EngineError as error:
        raise Wrong(f"{place}: the rules refuse it: {error}") from None
    except _NO_FORM as error:
        raise Wrong(f"{place}: it does not have the form of an export: {error!r}") from None


def _need(holds: object, otherwise: str) -> None:
    """Raise Wrong unless a condition holds."""
    if not holds:
        raise Wrong(otherwise)


def _verify(text: str) -> Iterator[str]:
    """Yield a sentence for each check that passes; raise Wrong at the first that fails."""
    parts = list(_unsealed(text))
    yield f"{len(parts)} lines are sealed as they were written"
    head, *steps, result = parts
    with _within("head"):
        opened = _open(head)
    yield f"secret, number, rules version and set-up are those of commitment {head['commitment']}"
    state, rules = _walk(opened, steps), opened.rules
    yield f"words, orders, digests, dice and rules agree in all {len(steps)} steps"
    with _within("result"):
        _need(rules.outcome(state), "the battle is not over after the last step")
        _need(
            canonical(_result(rules, state)) == canonical(result), "the steps lead to another one"
        )
    yield "the result follows from the steps"


def _unsealed(text: str) -> Iterator[dict[str, object]]:
    """Yield the parts of an export; raise Wrong at a line that is not as it was sealed."""
    lines = text.split("\n")
    _need(lines[0] == "[", "line 1: it is not an export; one begins with a [ alone")
    # At least a [, the head, the result, a ], and an empty text after the last line.
    whole = len(lines) >= 5 and lines[-2:] == ["]", ""]
    _need(whole, "the last line: it is not a whole export; one ends with a ] alone")
    seal, last = "", len(lines) - 2
    for number, written in enumerate(lines[1:-2], 2):
        place = "head" if number == 2 else "result" if number == last else f"step {number - 3}"
        with _within(f"line {number} ({place})"):
            part, seal = _unseal(written, "" if number == last else ",", seal)
        yield part


def _unseal(written: str, comma: str, seal: str) -> tuple[dict[str, object], str]:
    """Return what a line holds and its seal. Raises Wrong if the line was changed."""
    try:
        part = dict(json.loads(written.removesuffix(",")))
    except _NO_FORM:
        raise Wrong("it is not a JSON object; it was changed") from None
    part.pop("seal", None)
    seal = hashlib.sha256((seal + canonical(part)).encode()).hexdigest()
    # Compared as text, so that no other spelling of the same JSON passes.
    sealed = canonical(part | {"seal": seal}) + comma
    _need(written == sealed, "it is not as it was sealed; it was changed")
    return part, seal


class _Opened(NamedTuple):
    """What the head of an export holds: the rules, the first state, and what all dice depend on."""

    rules: AnyRuleset
    state: object
    ground: Ground
    game: str


def _open(head: dict[str, Any]) -> _Opened:
    """Check the secret, number, rules version and set-up of the head against its commitment."""
    rules = registry.RULESETS.get(head["system"])
    if rules is None or head["format"] != FORMAT:
        raise Wrong(f"format {head['format']!r} of {head['system']!r} is not known")
    secret, game, terms = bytes.fromhex(head["secret"]), head["id"], head["terms"]
    _need(len(secret) == SECRET_BYTES, f"secret: it is not of {SECRET_BYTES} bytes")
    _need(isinstance(game, str), "id: it is not text")
    commitment = fair_dice.commitment(secret, game, rules.key, head["version"], terms)
    otherwise = "commitment: it is not of this secret, number, rules version and terms"
    _need(head["commitment"] == commitment, otherwise)
    state, setup = rules.setup(head["setup"]), fair_dice.fingerprint(head["setup"])
    first = rules.seats(state)[0]
    # A pilot on patrol was committed to before its opponent, and so the set-up, was known.
    _need(terms in ({"setup": setup}, {"patrol": first}), "terms: they are not of this set-up")
    known = {"format": FORMAT, "version": rules.version, "secret": secret.hex()}
    names = ("id", "system", "commitment", "terms", "setup", "house", "words")
    kept = {key: head[key] for key in names}
    # Compared as a whole, so that no further field passes unchecked.
    _need(canonical(head) == canonical(known | kept), "version or fields: they are not known")
    _check_seats(rules, state, head["house"], head["words"])
    return _Opened(
        rules, state, Ground(secret, commitment, setup, head["house"], head["words"]), game
    )


def _check_seats(rules: AnyRuleset, state: Any, bots: Any, words: Any) -> None:
    """Raise Wrong unless each seat has a player with words, or a bot of known strength."""
    _check_words(words)
    seats = {str(seat) for seat in rules.seats(state)}
    _need(words and seats.issuperset(words), "words: they are of nobody who has a seat")
    flown = bots in rules.strengths if seats - set(words) else bots == ""
    _need(flown, "house: each seat has words of its player, or the house flies it")


def _check_words(words: Any) -> None:
    """Raise Wrong unless words have the form of a letter's fingerprint and SALT lines."""
    for seat, said in words.items():
        fits = set(said) == {"letter", "salts"} and isinstance(said["salts"], list)
        fits = fits and bool(_PRINT.fullmatch(said["letter"]))
        fits = fits and all(type(salt) is str for salt in said["salts"])
        _need(fits, f"words: those of {seat} are not a letter's fingerprint and SALT lines")


def _walk(opened: _Opened, steps: Sequence[dict[str, Any]]) -> Any:
    """Check all steps by replaying them, also those that were undone; return the last state."""
    rules, state, ground, _ = opened
    track = Track[object](state)
    for n, step in enumerate(steps):
        with _within(f"step {n}"):
            _need(step["step"] == n, f"it is numbered {step['step']!r}")
            _check_words(step["words"])
            _need(set(step["words"]) == set(ground.before), "words: they are not of all players")
            undo = undo_of(step["orders"])
            if undo is None:
                state = _step_after(rules, state, n, step, ground)
            else:
                ground = _undone(undo, step, ground, rules.outcome(state) is not None, opened)
                state = track.undo(undo.to)
            track.take(n, state)
    return state


def _step_after(rules: AnyRuleset, state: Any, n: int, step: dict[str, Any], ground: Ground) -> Any:
    """Check a step by replaying it, and return the state after it."""
    orders = _orders(rules, state, step)
    proxied, flown = step["proxied"], {seat for seat, _ in step["orders"]} & set(step["words"])
    # The key of the dice covers this list, so it may be written in one way only.
    marked = isinstance(proxied, list) and set(proxied) <= flown
    _need(marked and proxied == sorted(set(proxied)), "proxied: it does not name who ordered")
    key = ground.step(n, step["words"], step["orders"], proxied)
    _need(fair_dice.digest_of(key) == step["digest"], _NO_DIGEST)
    taken = play.take(rules, state, orders, KeyedDice(key))
    rolls = [list(roll) for roll in taken.rolls]
    known = {"step": n, "digest": fair_dice.digest_of(key), "rolls": rolls}
    kept = {name: step[name] for name in ("orders", "proxied", "words")}
    _need(
        canonical(rolls) == canonical(step["rolls"]),
        "rolls: they are not those of secret, words, orders",
    )
    _need(canonical(step) == canonical(known | kept), "its fields are not those of a step")
    return taken.state


_NO_DIGEST = "digest: it is not of the secret, the words and the orders"


def _undone(
    undo: Undo, step: dict[str, Any], ground: Ground, over: bool, opened: _Opened
) -> Ground:
    """Check an UNDO; return what later dice depend on: a new secret if the old one was revealed."""
    # With a new secret while a battle goes on, a referee could choose the dice to come.
    _need(bool(undo.under) == over, "a new commitment is for a battle that was over")
    n, orders = step["step"], [(str(REFEREE), str(undo))]
    digest = fair_dice.digest_of(ground.step(n, step["words"], orders))
    _need(digest == step["digest"], _NO_DIGEST)
    known: dict[str, object] = {"step": n, "orders": orders, "words": step["words"], "proxied": []}
    known |= {"digest": digest, "rolls": []}
    if over:
        secret = bytes.fromhex(step["secret"])
        _need(len(secret) == SECRET_BYTES, f"secret: it is not of {SECRET_BYTES} bytes")
        terms, rules = {"setup": ground.setup, "undo": n}, opened.rules
        commitment = fair_dice.commitment(secret, opened.game, rules.key, rules.version, terms)
        _need(commitment == undo.under, "secret: it is not of the commitment")
        ground = ground._replace(secret=secret, commitment=commitment)
        known["secret"] = secret.hex()
    _need(canonical(step) == canonical(known), "its fields are not those of an UNDO")
    return ground


def _orders(rules: AnyRuleset, state: Any, step: dict[str, Any]) -> dict[Seat, list[Any]]:
    """Return a step's orders; raise Wrong if the referee can't have logged them in this form."""
    _need(rules.outcome(state) is None, "the battle was over before it")
    _need(isinstance(step["orders"], list), "orders: they are not a list")
    # The digest covers the text of the orders, so they may stand in one order only.
    seats = [seat for seat, _ in step["orders"]]
    _need(seats == sorted(seats), "orders: they are not in order of their authors")
    orders: dict[Seat, list[object]] = {}
    for seat, text in step["orders"]:
        _need(seat in (*rules.seats(state), REFEREE), f"orders: {seat!r} has no seat")
        order = rules.parse(state, Seat(seat), text)
        # The digest is of the text, so that each order may be written in one way only.
        _need(rules.format(order) == text, f"orders: {text!r} is not in canonical text")
        orders.setdefault(Seat(seat), []).append(order)
    return orders


def _result(rules: AnyRuleset, state: object) -> dict[str, object]:
    """Return the last part of an export: the final state, and who won."""
    outcome = rules.outcome(state)
    return {
        "state": codec.plain(state if rules.scenario is None else rules.scenario.state(state)),
        "winner": outcome.winner if outcome else None,
        "drawn": bool(outcome and outcome.drawn),
    }
