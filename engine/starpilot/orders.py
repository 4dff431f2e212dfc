"""Orders in a player's hand: read, parse and format."""

from collections.abc import Sequence

from engine.errors import AmbiguousOrder, UnreadableOrder
from engine.ruleset import Near
from engine.starpilot.model import Battle, Order, foes_of, opponents
from engine.starpilot.tables import AT_ONE, COMMANDS
from engine.words import clean, closest, is_prose, match_name, unquote

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
"""Short forms that players have always used, beside every start of four letters or more."""

RULINGS = ("DRAW", "FORFEIT")
"""What only the referee's seat may order (SP-29)."""

_NAMING = AT_ONE | {"SURRENDER", "FORFEIT"}
_LINKS = frozenset({"AT", "ON", "TO", "THE", "WITH"})
_COMMON = frozenset(
    "a all am an and are as be been but by can down for from get go had has have he her him his"
    " i if in is it its just me my never no not now of off or our out practice so that their them"
    " then there they this time up us was we were what when will with you your".split()
)
_NAME_WORDS = 3


def command_word(word: str) -> str | None:
    """Give the command that a word is, in full, in short, or by four letters or more."""
    upper = word.upper()
    if upper in COMMANDS:
        return upper
    if upper in SHORT:
        return SHORT[upper]
    starts = [c for c in COMMANDS if len(upper) >= 4 and c.startswith(upper)]
    return starts[0] if len(starts) == 1 else None


def read(battle: Battle | None, name: str | None, line: str) -> Order | Near | None:
    """Find an order in a player's own line: an order, nearly one (with a hint), or None.

    Without a battle names stand as they were written. It does not look at legality.
    """
    words = clean(line).split()
    if not words or len(words) > 8:
        return None
    names = None if battle is None or name is None else foes_of(battle, name).pilots
    command = command_word(words[0])
    if command is not None:
        return _complete(command, words, names, line)
    meant = closest(words[0], COMMANDS)
    if meant is None:
        return None
    guess = _complete(meant, [meant, *words[1:]], names, line)
    if guess is None:
        return None
    return guess if isinstance(guess, Near) else Near(line.strip(), format_order(guess))


def _complete(
    command: str, words: list[str], names: Sequence[str] | None, line: str
) -> Order | Near | None:
    """Read what stands behind a command."""
    tail = words[1:]
    if tail and tail[0].upper() in _LINKS:
        tail = tail[1:]
        if not tail:
            return Near(line.strip(), command)
    if not tail:
        return Order(command)
    if names is None:
        return _as_written(command, tail, line)
    return _among(command, tail, names, line)


def _as_written(command: str, tail: list[str], line: str) -> Order | Near | None:
    """Take a name as it stands where nobody knows the names."""
    quoted = tail[0][:1] in "\"'"
    common = not quoted and any(word.lower() in _COMMON for word in tail)
    if common and len(tail) == 1:
        return Near(line.strip(), command)
    if common or is_prose(tail, _NAME_WORDS):
        return None
    if command in _NAMING:
        return Order(command, unquote(" ".join(tail)))
    return Near(line.strip(), command) if len(tail) == 1 and tail[0][0].isupper() else None


def _among(command: str, tail: list[str], names: Sequence[str], line: str) -> Order | Near | None:
    """Take a name among those of the opponents."""
    written = unquote(" ".join(tail))
    known = match_name(written, names)
    if known is not None:
        return Order(command, known if command in _NAMING else None)
    meant = closest(written, names)
    if meant is not None:
        return Near(line.strip(), format_order(Order(command, meant)))
    if is_prose(tail, 2):
        return None
    hint = f"{command} AT {names[0]}" if command in _NAMING else command
    return Near(line.strip(), hint)


def parse(battle: Battle, name: str, text: str) -> Order:
    """Read one order of a pilot; raises UnreadableOrder or AmbiguousOrder, never IllegalOrder."""
    found = read(battle, name, text)
    if found is None:
        raise UnreadableOrder(f"{text.strip()!r} is no order; the orders are {', '.join(COMMANDS)}")
    if isinstance(found, Near):
        raise UnreadableOrder(f"{found.text!r} is nearly an order", hint=found.hint)
    if found.at is None and found.command in _NAMING and len(opponents(battle, name)) > 1:
        foes = " or ".join(opponents(battle, name))
        raise AmbiguousOrder(f"{found.command} must name one opponent: {foes}", reason="bad target")
    return found


def format_order(order: Order) -> str:
    """Write an order in its canonical text: `FIRE`, `TARGET Hawk`."""
    return order.command if order.at is None else f"{order.command} {order.at}"


def parse_ruling(text: str) -> Order:
    """Read an order of the referee's seat: `DRAW`, `FORFEIT Hawk`; raises UnreadableOrder."""
    command, _, name = text.partition(" ")
    if command not in RULINGS:
        raise UnreadableOrder(f"{text!r} is no ruling; the rulings are {', '.join(RULINGS)}")
    return Order(command, name or None)
