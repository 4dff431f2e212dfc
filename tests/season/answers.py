"""Orders for a squadron, squad or group, as a player writes them who has read the report's lists.

Each piece that the report's form names gets an order out of what stands there as possible, in the
player's own words: verbs of everyday language, articles, blocks under a name, or card numbers.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

_BLANK = re.compile(r"^([\w .'-]+): _{4,}$", re.M)
_SUGGESTED = re.compile(r"^([\w .'-]+): [A-Z]{2}", re.M)
"""An order that the referee suggests; for many pieces there is no form beside these."""
_HEAD = re.compile(r"^([\w ,.'-]+):$")
_RUN = re.compile(r"(.+ )(\d+) to \1(\d+)")
"""Several names in a row, such as `Red 1 to Red 3`."""
_ROWS = {
    "blackskies": re.compile(r"^([A-Z][A-Z0-9 ]+?(?: to \d)?) +(sure|\d+\s%|\d+) .*$"),
    "starfarer": re.compile(r"^([A-Z].*?) +(\d+)\s%.*$"),
    "cortex": re.compile(r"^([A-Z].*?) +(\d+)(?: +[A-Z].*)?$"),
}
_NEAREST = re.compile(r"lead fighter of ([\w ]+?), .*?- [\w ]+ at ([\d.]+) inches, (\d+) o'clock")
DOCTRINES = {"bold": "bold", "careful": "careful", "wary": "sound"}


class Choice(NamedTuple):
    """A row of what a piece can do: its order, and its chance of 100."""

    order: str
    chance: int


class Table(NamedTuple):
    """What a report lets its reader do: the pieces without orders, and each one's choices."""

    pieces: tuple[str, ...]
    choices: Mapping[str, Sequence[Choice]]


def table(system: str, text: str) -> Table:
    """Read a report's form and its lists."""
    choices: dict[str, list[Choice]] = {}
    heads: list[str] = []
    _, _, listed = text.partition("\nWHAT YOU CAN ")
    for line in listed.partition("\nTHE SHEETS")[0].splitlines():
        row = _ROWS[system].match(line)
        if head := _HEAD.match(line):
            heads = [name for part in head[1].split(", ") for name in _names(part)]
        elif row and heads:
            chance = 100 if row[2] == "sure" else int(row[2].split()[0])
            for name in heads:
                choices.setdefault(name, []).append(Choice(row[1], chance))
    pieces = _BLANK.findall(text)
    if not pieces:
        move = text.partition("\nYOUR MOVE")[2].partition("\nIf you send nothing")[0]
        pieces = _SUGGESTED.findall(move)
    return Table(tuple(pieces), choices)


def _names(part: str) -> list[str]:
    """Return the names that a heading tells as one."""
    run = _RUN.fullmatch(part)
    return [part] if run is None else [f"{run[1]}{n}" for n in range(int(run[2]), int(run[3]) + 1)]


def orders(system: str, text: str, owner: str, temper: str, rng: Random) -> str:
    """Return the words with which a player answers a report; none where it asks for nothing.

    Where both sides have a Lance, its owner's name stands before its own; players leave that out.
    """
    found = table(system, text)
    write = _WRITERS[system]
    lines = [
        line
        for piece in found.pieces
        for line in write(piece, found.choices.get(piece, ()), temper, rng, text)
    ]
    return "\n".join(line.removeprefix(f"{owner} ") for line in lines)


def _starting(choices: Sequence[Choice], *verbs: str) -> list[Choice]:
    """Return the choices that begin with one of these, the likeliest first."""
    fitting = [one for one in choices if one.order.startswith(verbs)]
    return sorted(fitting, key=lambda one: -one.chance)


# ---- Black Skies ------------------------------------------------------------------------------


def _card(
    piece: str, choices: Sequence[Choice], temper: str, rng: Random, text: str
) -> Iterator[str]:
    """Fly at whoever is nearest, by what the report says of where that is."""
    seen = {found[0]: found[1:] for found in _NEAREST.findall(" ".join(text.split()))}
    inches, clock = seen.get(piece, ("24", "12"))
    known = {one.order for one in choices}
    side = "right" if int(clock) <= 6 else "left"
    far = float(inches) > 12
    if 4 <= int(clock) <= 8:
        words = f"hard {side}" if f"HARD {side.upper()}" in known else f"break {side}"
    elif int(clock) in (12, 11, 1):
        ahead = ("1 accelerate 1", "accelerate by 1", "fly straight") if far else ("straight", "1")
        words = rng.choice(ahead)
    else:
        words = rng.choice([f"smooth {side}", f"turn smooth {side}", f"late {side}"])
    yield f"{piece}: {words}"


# ---- Starfarer --------------------------------------------------------------------------------


def _plan(
    piece: str, choices: Sequence[Choice], temper: str, rng: Random, text: str
) -> Iterator[str]:
    """Attack whom it is easiest to hit; who can hit nobody runs at the nearest."""
    attacks = _starting(choices, "ATTACK")
    if attacks:
        whom, _, weapon = attacks[0].order.removeprefix("ATTACK ").partition(" WITH ")
        verb = rng.choice(("shoot at", "attack", "fire at"))
        first = f"{verb} {whom} using the {weapon}"
    else:
        first = rng.choice(("strike the nearest", "attack nearest"))
    then = {
        "bold": "otherwise run towards the nearest, otherwise dodge",
        "careful": "otherwise dodge",
        "wary": "else attack the nearest, else evade",
    }[temper]
    if temper == "careful":
        yield f"{piece}: when wounded: dodge, otherwise {first}, {then}"
    elif temper == "bold":
        yield from (f"{piece}:", f"{first}, {then}", "run towards the nearest, otherwise hold")
    else:
        yield f"{piece}: {first}, {then}"


# ---- Cortex -----------------------------------------------------------------------------------


def _unit(
    piece: str, choices: Sequence[Choice], temper: str, rng: Random, text: str
) -> Iterator[str]:
    """Shoot where a gun reaches; else close in, and send missiles ahead."""
    parts = ["defend"] if temper == "careful" else []
    for one in _starting(choices, "OUTFLY")[:1]:
        parts.append(f"outrun {one.order.split()[1]}")
    guns, missiles = _starting(choices, "FIRE"), _starting(choices, "LAUNCH", "LOCK")
    if guns and (guns[0].chance >= 20 or not missiles):
        parts.append(_worded(guns[0].order))
    elif near := _starting(choices, "CLOSE ON"):
        parts += [_worded(part) for part in near[0].order.split(", ")]
    else:
        parts.append("close in on the nearest")
    if missiles and temper != "bold":
        parts.append(_worded(missiles[0].order))
    yield f"{piece}: " + (", " if temper == "careful" else " and ").join(parts)


_SAID = {
    "FIRE": "shoot the",
    "LOCK": "lock the",
    "LAUNCH": "launch the",
    "CLOSE": "close in",
    "AT": "at",
    "ON": "on",
}


def _worded(order: str) -> str:
    """Return an order in everyday words: `shoot the Talon at Raider`."""
    return " ".join(_SAID.get(word, word) for word in order.split())


_Writer = Callable[[str, Sequence[Choice], str, Random, str], Iterator[str]]
_WRITERS: Mapping[str, _Writer] = {"blackskies": _card, "starfarer": _plan, "cortex": _unit}
