"""The conditions of IF rules: what a pilot's orders can depend on."""

import re
from collections.abc import Callable
from functools import lru_cache

from engine.errors import UnreadableOrder
from engine.i18n import say
from engine.names import closest
from engine.orders.line_shapes import clean
from engine.starpilot.model import Battle, opponents, pair_of
from engine.starpilot.tables import EXTREME, FAR, NEAR, STATS

_STAT = re.compile(r"(ENEMY )?([A-Z]+) ?<= ?(-?\d{1,3})")
_TURN = re.compile(r"TURN ?>= ?(\d{1,4})")
# Comparisons that are not among the conditions: never taken, but answered with one that is.
_OTHERWISE = re.compile(r"((?:ENEMY )?[A-Z]+) ?([<>]=?|==?) ?(-?\d{1,3})")


def _shot(*weapons: str) -> Callable[[Battle, str], bool]:
    return lambda b, me: any(s.at == me and s.weapon in weapons for s in b.shots)


def _ranges(battle: Battle, me: str) -> list[int]:
    return [pair_of(battle, me, foe).range for foe in opponents(battle, me)]


def _holders(battle: Battle, me: str) -> list[str | None]:
    return [pair_of(battle, me, foe).advantage for foe in opponents(battle, me)]


_PLAIN: dict[str, Callable[[Battle, str], bool]] = {
    "UNDETECTED": lambda b, me: not b.pilots[me].found,
    "FIRED ON": _shot("fire"),
    "LAUNCHED AT": _shot("launch"),
    "SHOT AT": _shot("fire", "launch"),
    "TARGETED": lambda b, me: any(k.on == me for k in b.locks),
    "LOCKED": lambda b, me: any(k.by == me for k in b.locks),
    "ADVANTAGE": lambda b, me: me in _holders(b, me),
    "DISADVANTAGE": lambda b, me: any(h not in (None, me) for h in _holders(b, me)),
    "NEUTRAL": lambda b, me: all(h is None for h in _holders(b, me)),
    "NEAR": lambda b, me: NEAR in _ranges(b, me),
    "FAR": lambda b, me: FAR in _ranges(b, me),
    # For all, so that it holds exactly where ESCAPE is legal (SP-23).
    "EXTREME": lambda b, me: all(r == EXTREME for r in _ranges(b, me)),
}
"""Among several opponents one is enough, but NEUTRAL and EXTREME must hold for all."""


@lru_cache(maxsize=1024)
def condition(text: str) -> str:
    """Return a condition in its canonical text; raise UnreadableOrder with a hint."""
    words = clean(text).upper()
    if words in _PLAIN:
        return words
    turn = _TURN.fullmatch(words)
    if turn:
        return f"TURN >= {int(turn[1])}"
    stat = _STAT.fullmatch(words)
    if stat and stat[2].lower() in STATS:
        return f"{stat[1] or ''}{stat[2]} <= {int(stat[3])}"
    raise UnreadableOrder(
        say("{text!r} is not a condition", text=text.strip()),
        hint=closest(words, _PLAIN) or _compared(words),
    )


def _compared(words: str) -> str:
    """Return a comparison that was written in another way in canonical form, "" for other texts."""
    match = _OTHERWISE.fullmatch(words)
    if match is None:
        return ""
    what, sign, number = match[1], match[2], int(match[3])
    if what == "TURN":
        # All numbers are whole, so TURN < 5 is NOT TURN >= 5, and TURN > 5 is TURN >= 6.
        less, bound = sign[0] == "<", number + (sign in (">", "<="))
        return f"{'NOT ' * less}TURN >= {bound}"
    more, most = sign[0] == ">", number - (sign in ("<", ">="))
    is_stat = what.removeprefix("ENEMY ").lower() in STATS
    return f"{'NOT ' * more}{what} <= {most}" if is_stat else ""


def holds(battle: Battle, me: str, text: str, piece: str = "") -> bool:
    """Return whether a canonical condition holds now for a pilot; here a pilot is one piece."""
    if text in _PLAIN:
        return _PLAIN[text](battle, me)
    turn = _TURN.fullmatch(text)
    if turn:
        # The turn that is about to be taken counts: the first is 1.
        return battle.pilots[me].turns + 1 >= int(turn[1])
    match = _STAT.fullmatch(text)
    # Kept by an earlier version that knew other conditions: it never holds.
    if match is None:
        return False
    stat, most = STATS.index(match[2].lower()), int(match[3])
    who = opponents(battle, me) if match[1] else [me]
    return any(battle.pilots[name].stats[stat] <= most for name in who)
