"""Orders as players write them: read, parse and format."""

import re
from collections.abc import Iterator, Sequence

from engine.errors import AmbiguousOrder, UnreadableOrder
from engine.i18n import either, say
from engine.names import closest, match_name, unquote
from engine.orders.line_shapes import clean, is_prose
from engine.ruleset import Near
from engine.seats import REFEREE
from engine.starpilot.model import Battle, Order, foes_of, opponents
from engine.starpilot.tables import AT_ONE, COMMANDS

SHORT = {
    "DF": "DOGFIGHT",
    "DOG": "DOGFIGHT",
    "LNCH": "LAUNCH",
    "TGT": "TARGET",
    "TARG": "TARGET",
    "PROT": "PROTECT",
    "SURR": "SURRENDER",
    "EJ": "EJECT",
    "ESC": "ESCAPE",
    "SCN": "SCAN",
}
"""Short forms that players have always used, in addition to every start of four letters or more."""

RULINGS = ("DRAW", "FORFEIT")
"""What only the referee's seat may order (SP-29)."""

_NAMING = AT_ONE | {"SURRENDER", "FORFEIT"}
_LINKS = frozenset({"AT", "ON", "TO", "WITH"})
_COMMON = frozenset(
    "a again ahead all alone am an and are as away back be been but by can dead down engaged"
    " everywhere fast first for from get go gone good had has have he her him his home i if in is"
    " it its just last lost me miss my never next no not now of off one or our out over practice"
    " she so still that their them then there they this tight time true two up us was we were"
    " what when will with you your".split()
)
"""Words that nobody writes as a name."""
_URGING = frozenset({"again", "all", "her", "him", "it", "now", "them"})
_STORY_ENDING = re.compile(r"[a-z]{3,}(?:ed|ing|ly|ful|less|tion|sion|ness|ment)")
_NAME_WORD = re.compile(r"\w[\w'.-]*")
_NAME_WORDS = 3
_MOST_WORDS = 8


def command_word(word: str) -> str | None:
    """Return the command that a word means, in full, in short, or by four letters or more."""
    upper = word.upper()
    if upper in COMMANDS:
        return upper
    # Before starts of a word: short forms may have fewer than four letters.
    if upper in SHORT:
        return SHORT[upper]
    # Three letters begin many words of a story, and names.
    starts = [c for c in COMMANDS if len(upper) >= 4 and c.startswith(upper)]
    return starts[0] if len(starts) == 1 else None


def read(battle: Battle | None, name: str | None, line: str) -> Order | Near | None:
    """Return the order in a player's own line: an order, nearly one (with a hint), or None.

    Without a battle names stay as they were written. Legality is not tested.
    """
    names = None if battle is None or name is None else foes_of(battle, name).pilots
    command, _, rest = line.partition(" ")
    # Canonical orders first: a name in one may look like anything, and cleaning would change it.
    if command in _NAMING and rest in (names or ()):
        return Order(command, rest)
    words = clean(line).split()
    if not words or len(words) > _MOST_WORDS:
        return None
    return _find(words, names, line.strip())


def _find(words: list[str], names: Sequence[str] | None, line: str) -> Order | Near | None:
    """Return the order in the words of a line, nearly one, or None."""
    command = command_word(words[0])
    if command is not None:
        return _complete(command, words, names, line)
    meant = closest(words[0], COMMANDS)
    if meant is None:
        return None
    guess = _complete(meant, words, names, line)
    return Near(line, format_order(guess)) if isinstance(guess, Order) else guess


def _complete(
    command: str, words: list[str], names: Sequence[str] | None, line: str
) -> Order | Near | None:
    """Return the order of a command and the words after it."""
    tail = words[1:]
    if not tail:
        return Order(command)
    # Without a battle nobody knows who flies in it, so a name stays as it was written.
    if names is None:
        order = _as_written(command, words)
        return order or _perhaps(command, words, None, line)
    for name in _named(tail):
        known = match_name(name, names)
        if known is not None:
            return Order(command, known if command in _NAMING else None)
    nearest = _nearest(tail, names)
    if nearest is not None:
        return _near(command, nearest, line)
    return _perhaps(command, words, names[0], line)


def _named(tail: list[str]) -> Iterator[str]:
    """Yield what may be a name: all the words, then without AT, THE and the like before them."""
    yield " ".join(tail)
    while tail[0].upper() in _LINKS | {"THE"} and tail[1:]:
        tail = tail[1:]
        yield " ".join(tail)


def _as_written(command: str, words: list[str]) -> Order | None:
    """Return the order with a name as it was written, where no names are known."""
    *_, written = _named(words[1:])
    name = written.split()
    if command not in _NAMING or name[0].upper() in _LINKS:
        return None
    if name[0][0] in "\"'":
        return Order(command, unquote(written))
    odd = any(word.lower() in _COMMON or not _NAME_WORD.fullmatch(word) for word in name)
    if odd or len(name) > _NAME_WORDS or all(command_word(word) for word in name):
        return None
    return None if _is_story(command, words) else Order(command, written)


def _nearest(tail: list[str], names: Sequence[str]) -> str | None:
    """Return the name that a tail nearly is or begins with, or None."""
    for written in _named(tail):
        words = written.split()
        starts = [" ".join(words[: len(words) - more]).rstrip(",.;:!?") for more in (1, 2)]
        known = (match_name(start, names) for start in starts)
        found = closest(unquote(written), names) or next((n for n in known if n), None)
        if found is not None:
            return found
    return None


def _perhaps(command: str, words: list[str], name: str | None, line: str) -> Near | None:
    """Return a line without a known name as nearly an order, or None where it is story."""
    return None if _is_story(command, words) else _near(command, name, line)


def _near(command: str, name: str | None, line: str) -> Near:
    return Near(line, format_order(Order(command, name if command in _NAMING else None)))


def _is_story(command: str, words: Sequence[str]) -> bool:
    """Return whether a line with no known name tells a story rather than orders something."""
    tail = words[1:]
    if is_prose(tail, _NAME_WORDS + 1):
        return True
    if command in _NAMING and tail[0].upper() in _LINKS:
        return False
    # `Fire again` is asked about, though AGAIN is a word of stories as well.
    if len(tail) == 1 and tail[0] in _URGING:
        return False
    if any(word in _COMMON or _STORY_ENDING.fullmatch(word) for word in tail):
        return True
    return len(tail) > 1 and not words[0].isupper() and all(word.islower() for word in tail)


def parse(battle: Battle, name: str, text: str) -> Order:
    """Return one order of a pilot, or of the referee's seat.

    Raise UnreadableOrder or AmbiguousOrder, never IllegalOrder.
    """
    # The referee's orders are written by the program, so nothing is read kindly here.
    if name == REFEREE:
        return parse_ruling(text)
    found = read(battle, name, text)
    if found is None:
        raise UnreadableOrder(
            say(
                "{text!r} is not an order; the orders are {orders}",
                text=text.strip(),
                orders=COMMANDS,
            )
        )
    if isinstance(found, Near):
        raise UnreadableOrder(say("{text!r} is nearly an order", text=found.text), hint=found.hint)
    # Only now: standing orders are read before it is known how many opponents are left.
    if found.at is None and found.command in _NAMING and len(opponents(battle, name)) > 1:
        foes = opponents(battle, name)
        meant = [format_order(Order(found.command, foe)) for foe in foes]
        raise AmbiguousOrder(
            say(
                "{command} must name one opponent: {foes}",
                command=say(found.command),
                foes=either(foes),
            ),
            meant=meant,
            hint=either(meant),
            reason="bad target",
        )
    return found


def format_order(order: Order) -> str:
    """Return an order in its canonical text: `FIRE`, `TARGET Hawk`."""
    return order.command if order.at is None else f"{order.command} {order.at}"


def parse_ruling(text: str) -> Order:
    """Return an order of the referee's seat: `DRAW`, `FORFEIT Hawk`; raise UnreadableOrder."""
    command, _, name = text.partition(" ")
    if command not in RULINGS:
        raise UnreadableOrder(
            say("{text!r} is not a ruling; the rulings are {rulings}", text=text, rulings=RULINGS)
        )
    return Order(command, name or None)
