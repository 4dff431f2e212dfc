"""What all checking scripts share: the protocol of the dice (docs/dice.md).

`pbem.games.checking_script` puts it into each system's script, so that players get one file. It
needs nothing but Python 3.8 or later.
"""

from __future__ import annotations

import hmac
import json
import re
from argparse import ArgumentParser, FileType
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from typing import Any, NamedTuple

# ---- the protocol of the dice (docs/dice.md); it is the same for every system ------------------


class Rules(NamedTuple):
    """What a system's own half says; `battle` is its class of battles."""

    system: str
    title: str
    version: int
    house_pilots: tuple[str, ...]
    battle: Any


class Wrong(Exception):
    """Something does not agree; the text says what."""


def need(holds: object, otherwise: str) -> None:
    """Raise Wrong where something does not hold."""
    if not holds:
        raise Wrong(otherwise)


def canonical(value: object) -> str:
    """Write a value as canonical JSON: keys sorted, no spaces, ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def fingerprint(value: object) -> str:
    """Return the SHA-256 of a value's canonical JSON, in hex."""
    return sha256(canonical(value).encode()).hexdigest()


class Dice:
    """The dice of one step: they are rolled from the stream of its key, and noted."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.drawn = 0
        self.rolls: list[Any] = []

    def number(self) -> int:
        """Draw the next 4 bytes of the stream as a number."""
        # Each block of the stream has 32 bytes, which are eight numbers.
        block, place = divmod(self.drawn, 8)
        data = hmac.digest(self.key, block.to_bytes(8, "big"), "sha256")
        self.drawn += 1
        return int.from_bytes(data[4 * place : 4 * place + 4], "big")

    def roll(self, sides: int, why: str) -> int:
        """Roll one die; numbers that would favour low faces are dropped."""
        number = self.number()
        while number >= 2**32 - 2**32 % sides:
            number = self.number()
        result = 1 + number % sides
        self.rolls.append([sides, result, why])
        return result


class Export:
    """The lines of an export; each must follow from those before it.

    `head`, `step` and `result` take a line of the file, and return it as it must be.
    """

    def __init__(self, text: str, rules: Rules) -> None:
        self.rules = rules
        # Known in advance, so that only those states are kept that are needed again.
        self.undone_to = set(re.findall(r"UNDO TO (\d+)", text))
        self.saved: dict[str, Any] = {}

    # ---- the first line: what was committed to

    def head(self, part: Any) -> Any:
        """Check secret, number, rules version, set-up and first words against the commitment."""
        rules = self.rules
        need(part["system"] == rules.system, f"this script checks battles of {rules.title} only")
        need(isinstance(part["id"], str), "the id is not text")
        self.game = part["id"]
        self.setup = fingerprint(part["setup"])
        self.battle = rules.battle(part["setup"])
        self.saved["START"] = deepcopy(self.battle)
        seats = self.battle.seats()
        terms = part["terms"]
        need(
            terms == {"setup": self.setup} or terms == {"patrol": seats[0]},
            "the terms of the commitment are of another set-up",
        )
        self.commit(self.secret_of(part), terms)
        need(part["commitment"] == self.commitment, "the commitment should be " + self.commitment)
        self.house = part["house"]
        self.before = self.words_of(part)
        players = set(self.before)
        need(players and players <= set(seats), "words are of nobody who has a seat")
        # A seat without a player's words is one of a bot; the bots' strength is part of every key.
        flown = self.house in rules.house_pilots if set(seats) - players else self.house == ""
        need(flown, "each seat has the words of a player, or the house flies it")
        return {
            "format": "pbem-game-2",
            "id": self.game,
            "system": rules.system,
            "version": rules.version,
            "secret": self.secret.hex(),
            "commitment": self.commitment,
            "terms": terms,
            "setup": part["setup"],
            "house": self.house,
            "words": self.before,
        }

    def secret_of(self, part: Any) -> bytes:
        """Read a secret."""
        secret = bytes.fromhex(part["secret"])
        need(len(secret) == 32, "the secret is not of 32 bytes")
        return secret

    def commit(self, secret: bytes, terms: Any) -> None:
        """Draw dice from a secret from now on, and work out the commitment to it."""
        seal = sha256(secret).hexdigest()
        rules = self.rules
        what = ["pbem-dice-2", "commitment", self.game, rules.system, rules.version, seal, terms]
        self.secret = secret
        self.commitment = fingerprint(what)

    def words_of(self, part: Any) -> dict[str, Any]:
        """Read the words of each seat: the fingerprint of a letter, and SALT lines."""
        words: dict[str, Any] = part["words"]
        for seat, said in words.items():
            need(set(said) == {"letter", "salts"}, "the words of " + seat + " lack something")
            need(re.fullmatch("([0-9a-f]{64})?", said["letter"]), "no letter's fingerprint")
            need(isinstance(said["salts"], list), "SALT lines are not a list")
            need(all(isinstance(salt, str) for salt in said["salts"]), "a SALT line is not text")
        return words

    # ---- a step

    def step(self, n: int, part: Any) -> Any:
        """Take a step again: by its orders, with the dice of its key."""
        orders = [[seat, text] for seat, text in part["orders"]]
        seats = [seat for seat, _ in orders]
        words = self.words_of(part)
        proxied = list(part["proxied"])
        # Without the words of one seat, the referee and the others could foresee the roll.
        need(set(words) == set(self.before), "the words are not those of all players")
        # One order for the same letters, so that the referee can't choose dice by it.
        need(seats == sorted(seats), "the orders are not in order of their authors")
        need(proxied == sorted(set(proxied)), "the marks of PROXY are not in order")
        need(set(proxied) <= set(seats) & set(words), "a mark of PROXY is of nobody who ordered")
        key = self.key(n, words, orders, proxied)
        told = {"step": n, "orders": orders, "proxied": proxied, "words": words}
        told["digest"] = sha256(key).hexdigest()
        dice = Dice(key)
        if seats == ["|referee"] and orders[0][1].startswith("UNDO "):
            told.update(self.undo(n, orders[0][1], part))
        else:
            need(not self.battle.over, "the battle was over before it")
            self.battle.take(orders, dice)
        if str(n) in self.undone_to:
            self.saved[str(n)] = deepcopy(self.battle)
        told["rolls"] = dice.rolls
        return told

    def key(self, n: int, words: Any, orders: Any, proxied: Any) -> bytes:
        """Work out the key of a step's dice: all that they depend on."""
        shared = ["pbem-dice-2", "step", self.commitment, self.setup, self.house]
        what = canonical([*shared, n, self.before, words, orders, proxied])
        return hmac.digest(self.secret, what.encode(), "sha256")

    def undo(self, n: int, text: str, part: Any) -> Any:
        """Take the battle back to a step that stands; if it was over, under a new secret."""
        over = self.battle.over
        back = text.split(" ")[2]
        need(back in self.saved, "no step that stands is undone to")
        must_read = "UNDO TO " + back
        if over:
            # The old secret has been told with the end, so what follows needs a new one.
            self.commit(self.secret_of(part), {"setup": self.setup, "undo": n})
            must_read += " UNDER " + self.commitment
        need(text == must_read, "it should read " + must_read)
        self.battle = deepcopy(self.saved[back])
        # The steps after it are void for good: no later UNDO can go back to them.
        stand = -1 if back == "START" else int(back)
        self.saved = {k: kept for k, kept in self.saved.items() if k == "START" or int(k) <= stand}
        return {"proxied": [], "secret": self.secret.hex()} if over else {"proxied": []}

    # ---- the last line

    def result(self) -> Any:
        """Work out the result."""
        need(self.battle.over, "the battle is not over after the last step")
        return self.battle.result()


def check(text: str, rules: Rules) -> Iterator[str]:
    """Check an export, and yield a text for each line that agrees; raise Wrong with its place."""
    lines = text.split("\n")
    if len(lines) < 5 or lines[0] != "[" or lines[-2:] != ["]", ""]:
        raise Wrong("the first and last lines: this is not a whole export")
    export, seal, last = Export(text, rules), "", len(lines) - 4
    for number, written in enumerate(lines[1:-2]):
        name = "head" if number == 0 else "result" if number == last else f"step {number - 1}"
        where = f"line {number + 2} ({name})"
        try:
            part = json.loads(written[:-1] if written.endswith(",") else written)
            if number == 0:
                part = export.head(part)
            elif number < last:
                part = export.step(number - 1, part)
            else:
                part = export.result()
            seal = fingerprint_after(seal, part)
            # The line is worked out and compared as a text, so that nothing in it goes unchecked.
            must_read = canonical({**part, "seal": seal}) + ("," if number < last else "")
            need(written == must_read, "it should read " + must_read)
        except Exception as error:
            raise Wrong(f"{where}: {str(error)!a}") from None
        yield where


def fingerprint_after(seal: str, part: Any) -> str:
    """Return the seal of a line: over the line itself and the seal before it."""
    return sha256((seal + canonical(part)).encode()).hexdigest()


def compare(export: str, receipt: str) -> Iterator[str]:
    """Compare a receipt with a checked export, and yield a text for each line that agrees.

    Raise Wrong with the place of the first that does not.
    """
    head, *steps, _ = json.loads(export)
    known = {name: [head[name]] for name in ("system", "commitment", "secret")}
    known.update(format=["pbem-receipt-1"], game=[head["id"]], setup=[fingerprint(head["setup"])])
    for step in steps:  # an UNDO after the end brings a new secret
        known["secret"] += [step["secret"]] if "secret" in step else []
        known["commitment"] += [text.split(" ")[-1] for _, text in step["orders"]]
    lines = [line for line in enumerate(receipt.split("\n"), 1) if line[1].strip(" \r")]
    told = [(number, line) for number, line in lines if not line.startswith("#")]
    need(told, "the receipt is empty")
    for number, line in told:
        where = f"receipt, line {number}"
        try:
            agree(json.loads(line), known, steps)
        except Exception as error:
            raise Wrong(f"{where}: {str(error)!a}") from None
        yield where


def agree(told: Any, known: Any, steps: Any) -> None:
    """Compare a line of a receipt with what a battle's export says; raise Wrong."""
    if "step" in told:
        # Python counts a negative number from the end, which would be another step.
        step = steps[max(told["step"], 0)]
        # Before the end a receipt has only the rolls that its reader may know, in their order.
        rolls = iter(step["rolls"])
        known_ones = all(roll in rolls for roll in told.pop("some_rolls", []))
        need(known_ones, f"the rolls should be among {canonical(step['rolls'])}")
        for name in told:
            need(told[name] == step[name], f"{name} should be {canonical(step[name])}")
    elif "words" in told:
        for step in steps[told["first"] : told["last"] + 1]:
            must_be = step["words"][told["seat"]]
            need(told["words"] == must_be, f"the words should be {canonical(must_be)}")
    else:
        for name in told:
            need(told[name] in known[name], f"{name} is not that of the battle")


def main(rules: Rules) -> int:
    """Check the files that are named; return 0 if all agrees, else 1."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("export", type=FileType("rb"), help="such as G12.json")
    parser.add_argument("receipt", type=FileType("rb"), nargs="*", help="receipt.txt of letters")
    files = parser.parse_args()
    text = files.export.read().decode("utf-8", "replace")
    try:
        for where in check(text, rules):
            told = "- so all of it agrees" if where.endswith("(result)") else ""
            print("agrees:", where, told)
        for file in files.receipt:
            for where in compare(text, file.read().decode("utf-8", "replace")):
                print("agrees:", where)
    except Wrong as wrong:
        print(f"WRONG: {wrong}")
        return 1
    if files.receipt:
        print(
            "The receipts agree: the dice, words and commitment of those letters are the battle's."
        )
    else:
        print("Now compare the commitment in line 2, your words and the rolls with your letters.")
    return 0
