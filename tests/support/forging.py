"""Exports of battles, honest and forged, and the two checks that they are put before."""

import atexit
import contextlib
import copy
import functools
import io
import itertools
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import pytest

from engine import fair_dice, play
from engine.dice import KeyedDice, canonical
from engine.fair_dice import Ground, Words
from engine.ruleset import Ruleset
from engine.seats import REFEREE, Seat
from pbem.games import export
from pbem.games.checking_script import script, script_name

Parts = list[dict[str, Any]]
Rules = Ruleset[Any, Any]
Check = Callable[[str], tuple[int, str]]

SECRET = bytes(range(32))
_SCRIPTS = tempfile.TemporaryDirectory()
atexit.register(_SCRIPTS.cleanup)


@functools.cache
def path_of(system: str) -> Path:
    """The path of a system's checking script, as players get it."""
    path = Path(_SCRIPTS.name) / script_name(system)
    path.write_text(script(system), "utf-8")
    return path


def mark(name: str) -> str:
    """A letter's fingerprint."""
    return fair_dice.words_of(f"<{name}@home.example>", [])["letter"]


def early_words(*seats: str) -> dict[str, Words]:
    """The words of each seat from before the game."""
    return {seat: {"letter": mark(f"before {seat}"), "salts": ["early"]} for seat in seats}


def ground(rules: Rules, at_first: dict[str, Any], bots: str = "") -> Ground:
    """What the dice of a battle depend on at first; with a `bots`, a bot flies the last seat."""
    setup = fair_dice.fingerprint(at_first)
    commitment = fair_dice.commitment(SECRET, "G12", rules.key, rules.version, {"setup": setup})
    seats = rules.seats(rules.setup(at_first))
    return Ground(SECRET, commitment, setup, bots, early_words(*seats[: len(seats) - bool(bots)]))


def taken(
    rules: Rules,
    state: Any,
    n: int,
    orders: dict[Seat, list[Any]],
    words: dict[str, Words],
    on: Ground,
    proxied: Sequence[str] = (),
) -> tuple[Any, dict[str, Any]]:
    """Take a step as the referee does, and return the state after it and its export's part."""
    texts = play.order_texts(rules, orders)
    key = on.step(n, words, texts, proxied)
    step = play.take(rules, state, orders, KeyedDice(key))
    return step.state, part_of(n, texts, words, key, step.rolls, proxied)


def part_of(
    n: int,
    texts: Sequence[Sequence[str]],
    words: dict[str, Words],
    key: bytes,
    rolls: Sequence[Sequence[Any]] = (),
    proxied: Sequence[str] = (),
) -> dict[str, Any]:
    """A step's part of an export."""
    return {
        "step": n,
        "orders": [[*pair] for pair in texts],
        "proxied": [*proxied],
        "words": copy.deepcopy(words),
        "digest": fair_dice.digest_of(key),
        "rolls": [list(roll) for roll in rolls],
    }


def renewed(rules: Rules, on: Ground, n: int, secret: bytes) -> Ground:
    """What dice depend on after the UNDO of that number, under a new secret."""
    terms = {"setup": on.setup, "undo": n}
    commitment = fair_dice.commitment(secret, "G12", rules.key, rules.version, terms)
    return on._replace(secret=secret, commitment=commitment)


def undo(
    n: int, to: int, words: dict[str, Words], on: Ground, later: Ground | None
) -> dict[str, Any]:
    """The step that takes a battle back, under a new secret if there is one."""
    text = f"UNDO TO {to}" + (f" UNDER {later.commitment}" if later else "")
    orders = [(str(REFEREE), text)]
    part = part_of(n, orders, words, on.step(n, words, orders))
    return part | ({"secret": later.secret.hex()} if later else {})


def head(rules: Rules, at_first: dict[str, Any], on: Ground | None = None) -> dict[str, Any]:
    """The first part of an export."""
    on = on or ground(rules, at_first)
    return {
        "format": "pbem-game-2",
        "id": "G12",
        "system": rules.key,
        "version": rules.version,
        "commitment": on.commitment,
        "terms": {"setup": on.setup},
        "secret": SECRET.hex(),
        "setup": at_first,
        "house": on.bots,
        "words": dict(on.before),
    }


def ground_of(parts: Parts) -> Ground:
    """The part of an export's head that its dice depend on."""
    top = parts[0]
    return Ground(
        bytes.fromhex(top["secret"]),
        top["commitment"],
        fair_dice.fingerprint(top["setup"]),
        top["house"],
        top["words"],
    )


def committed(parts: Parts) -> None:
    """Put the terms and the commitment that it should have into an export's head."""
    top = parts[0]
    top["terms"] = {"setup": fair_dice.fingerprint(top["setup"])}
    top["commitment"] = fair_dice.commitment(
        bytes.fromhex(top["secret"]), top["id"], top["system"], top["version"], top["terms"]
    )


def result(rules: Rules, state: Any) -> dict[str, Any]:
    """The last part of an export."""
    outcome = rules.outcome(state)
    shown = rules.scenario.state(state)
    winner, drawn = (outcome.winner, outcome.drawn) if outcome else (None, False)
    return {"state": shown, "winner": winner, "drawn": drawn}


StepText = str | dict[str, str]
"""What happens in a step: a ruling, or orders by seat, a line for each."""


class Recorded:
    """A battle that is taken on step by step; some steps come under new words or by PROXY."""

    def __init__(self, rules: Rules, at_first: dict[str, Any], rng: Random) -> None:
        """Set the battle up."""
        self.rules, self.at_first, self.rng = rules, at_first, rng
        self.state: Any = rules.setup(at_first)
        self.known = dict[int, Any]()
        self.on = ground(rules, at_first)
        self.words = dict(self.on.before)
        self.steps = Parts()

    def take(self, orders: dict[Seat, list[Any]]) -> None:
        """Take a step."""
        n, players = len(self.steps), sorted({*orders} - {REFEREE})
        for seat in players if self.rng.random() < 0.1 else ():
            self.words[seat] = {"letter": mark(f"{n}"), "salts": ["ünï 7"]}
        proxied = players[: self.rng.randint(-9, 1)]
        self.state, part = taken(self.rules, self.state, n, orders, self.words, self.on, proxied)
        self.steps.append(part)
        self.known[n] = self.state

    def follow(self, *steps: StepText) -> None:
        """Take some steps by what is written."""
        for step in steps:
            texts = {str(REFEREE): step} if isinstance(step, str) else step
            self.take(
                {
                    Seat(seat): [self.rules.parse(self.state, Seat(seat), one) for one in lines]
                    for seat, text in texts.items()
                    if (lines := text.splitlines())
                }
            )

    def undo(self, to: int, secret: bytes | None) -> None:
        """Take the battle back, under a new secret if there is one."""
        n = len(self.steps)
        later = renewed(self.rules, self.on, n, secret) if secret else None
        self.steps.append(undo(n, to, self.words, self.on, later))
        self.state, self.on = self.known[to], later or self.on
        self.known[n] = self.state

    def parts(self) -> Parts:
        """The battle as an export has it."""
        return [head(self.rules, self.at_first), *self.steps, result(self.rules, self.state)]


def played(rules: Rules, at_first: dict[str, Any], *steps: StepText) -> Parts:
    """A battle in which each step is as written."""
    battle = Recorded(rules, at_first, Random(1))
    battle.follow(*steps)
    return battle.parts()


def honest(parts: Parts, step: dict[str, Any]) -> None:
    """Put an honest digest into a step, and dice that are honest for it."""
    key = ground_of(parts).step(step["step"], step["words"], step["orders"], step["proxied"])
    stream = KeyedDice(key)
    for sides, _, why in step["rolls"]:
        stream.roll(sides, why)
    step.update(digest=fair_dice.digest_of(key), rolls=[list(roll) for roll in stream.rolls])


def order(n: int, *orders: tuple[str, str]) -> Callable[[Parts], None]:
    """A forgery that puts other orders in a step's place, with honest digest and dice."""

    def forge(parts: Parts) -> None:
        parts[n + 1]["orders"] = [list(one) for one in orders]
        honest(parts, parts[n + 1])

    return forge


def reorder(at: int, step: dict[str, Any] | None) -> Callable[[Parts], None]:
    """A forgery that drops a step (None) or puts one in, and numbers and seals them all again."""

    def forge(parts: Parts) -> None:
        if step is None:
            del parts[at + 1]
        else:
            parts.insert(at + 1, copy.deepcopy({**step, "words": parts[1]["words"]}))
        for n, part in enumerate(parts[1:-1]):
            part["step"] = n
            honest(parts, part)

    return forge


def other_setup(*path: Any, value: Any) -> Callable[[Parts], None]:
    """A forgery that changes one value of the set-up, and commits to that."""

    def forge(parts: Parts) -> None:
        put(0, "setup", *path, value=value)(parts)
        committed(parts)

    return forge


def step_with_secret(parts: Parts) -> dict[str, Any]:
    """Return the first step that brings a new secret: an UNDO."""
    return next(part for part in parts[1:-1] if "secret" in part)


def other_secret(parts: Parts) -> None:
    """Replace the secret that an UNDO brings by one that it did not commit to."""
    step_with_secret(parts)["secret"] = "09" * 32


def by_engine(text: str) -> tuple[int, str]:
    """What `pbem verify` finds: its status and its last line."""
    findings = list(export.verify(text))
    assert [f.ok for f in findings[:-1]] == [True] * (len(findings) - 1)
    return (0 if findings[-1].ok else 1), findings[-1].text


def checking(script: Path, folder: Path, patch: pytest.MonkeyPatch) -> Check:
    """Return a script's result: its status and its last line; run in this process, for speed."""
    file, code = folder / "G12.json", compile(script.read_text("utf-8"), script.name, "exec")
    patch.setattr(sys, "argv", [script.name, str(file)])
    patch.setattr(sys, "excepthook", sys.excepthook)

    def check(text: str) -> tuple[int, str]:
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = _run(code)
        return status, out.getvalue().splitlines()[-1]

    return check


def _run(code: CodeType) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            exec(code, {"__name__": "__main__", "__doc__": ""})
        except SystemExit as left:
            return 1 if left.code else 0
        except Exception as error:
            sys.excepthook(type(error), error, None)
            return 1
    raise AssertionError("the script leaves by itself")


def refused(by_script: Check, text: str, where: str) -> None:
    """Both checks refuse a text and name the place."""
    for check in (by_engine, by_script):
        status, last = check(text)
        assert status == 1, f"{check} lets it pass"
        assert re.search(rf"\b{where}\b", last), f"{check} names another place: {last}"


def changes(text: str, at: int, rng: Random) -> Iterator[str]:
    """The text with a character changed, dropped, or put in before it."""
    other = rng.choice([c for c in '0a9 "\n,]}é\x00' if c != text[at]])
    yield text[:at] + rng.choice((other, chr(ord(text[at]) ^ 1))) + text[at + 1 :]
    yield text[:at] + text[at + 1 :]
    yield text[:at] + rng.choice('0a9 "\n,]}é\x00') + text[at:]


def is_named(text: str, changed: str, last: str) -> bool:
    """Return whether a check's last line names the line where two texts differ."""
    pairs = enumerate(zip(text, changed, strict=False))
    common = next((n for n, (a, b) in pairs if a != b), min(len(text), len(changed)))
    number, lines = changed.count("\n", 0, common) + 1, text.count("\n")
    named = re.search(r"\bline (\d+)\b|\bthe (?:first and )?last lines?\b", last)
    if named and named[1] and named[1] != "1":
        return int(named[1]) in (number, number - 1)
    return named is not None and (number == 1 or number >= lines - 1)


def values_of_other_kinds(parts: Parts) -> Iterator[str]:
    """Yield exports in which one value after the other is of another kind, under new seals."""
    values: tuple[Any, ...] = (None, True, -1, 1e400, "", "x", [], [[]], [1], {}, {"a": 1})
    places = [(n, key) for n, part in enumerate(parts) for key in part]
    for (n, key), value in itertools.product(places, values):
        changed = [dict(part) for part in parts]
        changed[n][key] = value
        if canonical(changed) != canonical(parts):
            yield export.write(changed)


def put(*path: Any, value: Any) -> Callable[[Parts], None]:
    """A forgery that changes one value."""

    def forge(parts: Parts) -> None:
        place: Any = parts
        for key in path[:-1]:
            place = place[key]
        assert canonical(place[path[-1]]) != canonical(value)
        place[path[-1]] = value

    return forge


def run(*arguments: str, program: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """Run the script as a player does."""
    command = [program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def other_pythons() -> list[str]:
    """The Pythons from 3.8 on that this machine has, other than the one that runs the tests."""
    installed = Path.home().glob(".pyenv/versions/3.*/bin/python3")
    named = (shutil.which(f"python3.{minor}") for minor in range(8, 20))
    # A shim of pyenv stands for one of the former, or for none.
    found = [path for path in named if path and "/shims/" not in path]
    return found + [str(path) for path in installed if int(path.parts[-3].split(".")[1]) >= 8]
