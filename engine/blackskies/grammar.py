"""The words of an order without its element: `BREAK LEFT; TARGETS Blue 1, Blue 2; HOLD FIRE`."""

import json
import re
from collections.abc import Iterable

from engine.blackskies.model import Order
from engine.blackskies.tables import MANOEUVRES
from engine.names import Names, closest, find

_TITLES = {
    1: "STRAIGHT",
    4: "AFTERBURNER",
    5: "HARD LEFT",
    6: "HARD RIGHT",
    8: "SIDESLIP LEFT",
    9: "SIDESLIP RIGHT",
    10: "BOOTLEGGER",
    11: "REVERSE LEFT",
    12: "REVERSE RIGHT",
}
_TURNS = {2: "LEFT", 3: "RIGHT"}


def title(card: int, option: str | None) -> str:
    """Return a manoeuvre's name: `STEADY`, `BREAK LEFT`, `SNAKE RIGHT`, `AFTERBURNER`."""
    if option is None or (card, option) not in MANOEUVRES:
        return " ".join([_TITLES.get(card, f"CARD {card}"), *([option] if option else [])])
    word = option.upper()
    if card in _TURNS:
        return f"{word} {_TURNS[card]}"
    return word if card == 1 else f"SNAKE {word.partition('-')[0]}"


TITLES = {key: title(*key) for key in MANOEUVRES}
_KEYS = {
    (card, option): {*TITLES[card, option].split(), *([_TITLES[1]] if card == 1 else [])}
    | ({"FIRST"} if card == 7 else set())
    for card, option in MANOEUVRES
}
"""All words that a manoeuvre may be called by."""

COMMANDS = ("WITHDRAW", "SURRENDER")
_WORDS = sorted(set().union(*_KEYS.values(), COMMANDS))
_SHORT = {
    "ACC": "ACCELERATE",
    "DEC": "DECELERATE",
    "AB": "AFTERBURNER",
    "BURN": "AFTERBURNER",
    "SLIP": "SIDESLIP",
    "BOOT": "BOOTLEGGER",
    "L": "LEFT",
    "R": "RIGHT",
}
_FILLING = frozenset({"TURN", "CARD", "FLY", "BY"})
MOST_WORDS = 6

_QUOTED = re.compile(r'"(?:[^"\\]++|\\.)*+"')
_MOST_MARKS = 40
"""With more quotation marks than this a line quotes no names."""
_MASKED = re.compile("\0([0-9]+)\0")
# A run of spaces is looked at from its beginning alone, and once: else a line of 400 took seconds.
TARGETS = re.compile(r"(?<!\s)\s*+(?:[;,]\s*+)?\bTARGETS?\b\s*+(?::\s*+)?", re.I)
SHOOT = re.compile(r"(?<!\s)\s*+(?:[;,]\s*+)?\b(?:FIRE|SHOOT)\s++(?:AT|ON)\b\s*+(?::\s*+)?", re.I)
"""How players say TARGETS, too; names may hold it, since they are not quoted for it."""
HOLD = re.compile(r"(?<!\s)\s*+(?:[;,]\s*+)?\bHOLD\s++FIRE\b", re.I)
_CARD = re.compile(r"(?:(\d{1,3})\b)?\s*(\D*?)\s*(?:(?<=\s)(\d{1,3}))?")
_PLAIN_NAME = re.compile(r"\w(?:[\w .'-]*[\w'])?")

Hints = tuple[str, ...]
"""What an order that can't be taken may have meant."""


def name_text(name: str) -> str:
    """Return a name, in quotes where it might be taken for something else."""
    odd = TARGETS.search(name) or HOLD.search(name) or "  " in name
    plain = _PLAIN_NAME.fullmatch(name) and not odd
    return name if plain else json.dumps(name, ensure_ascii=False)


def words(order: Order) -> str:
    """Return an order without its element."""
    if order.command != "fly":
        return order.command.upper()
    parts = [title(order.card or 0, order.option)]
    if order.by is not None:
        parts[0] += f" {order.by}"
    if order.targets:
        parts.append("TARGETS " + ", ".join(map(name_text, order.targets)))
    if order.hold_fire:
        parts.append("HOLD FIRE")
    return "; ".join(parts)


def is_word(written: str) -> bool:
    """Return whether a word, in any case, is one of an order's, or a number."""
    return written.isdigit() or written.upper() in _FILLING or _word(written.upper()) is not None


class Masked:
    """A text with its quoted names replaced, so that no word in them is taken for an order's."""

    def __init__(self, text: str) -> None:
        # Such a line is quoted text, not an order.
        if text.count('"') > _MOST_MARKS:
            text = text.replace('"', " ")
        self._quoted: list[str] = _QUOTED.findall(text)
        numbers = iter(range(len(self._quoted)))
        unquoted = _QUOTED.sub(lambda _: f"\0{next(numbers)}\0", text)
        self.text = SHOOT.sub("; TARGETS ", unquoted)

    def restored(self, text: str) -> str:
        """Return a text with the quoted names put back."""
        return _MASKED.sub(lambda match: self._quoted[int(match[1])], text)

    def name(self, written: str) -> str:
        """Return a name without its quotes."""
        match = _MASKED.fullmatch(written.strip())
        if match is None:
            return written.strip()
        quoted = self._quoted[int(match[1])]
        try:
            return str(json.loads(quoted))
        # A backslash may stand before any sign; JSON does not know all of them.
        except ValueError:
            return quoted[1:-1]


def read_words(text: str, masked: Masked, foes: Names | None) -> Order | Hints | None:
    """Return an order without its element, what it may have meant, or None for other words.

    Nothing is meant, `()`, where a target is not known.
    `text` is a part of the masked text. Where `foes` is None names are taken as written.
    """
    held = HOLD.sub("", text, count=1)
    head, *rest = TARGETS.split(held, maxsplit=1)
    order = _read_card(head.strip(" ,;"))
    if order is None and ";" in head:
        # What follows a card is neither targets nor HOLD FIRE: an order, and not story.
        order = _read_card(head.partition(";")[0].strip())
        return (words(order),) if isinstance(order, Order) else None
    if not isinstance(order, Order):
        return order
    targets = _read_targets(rest[0], masked, foes) if rest else ()
    if targets is None:
        return ()
    if order.command != "fly" and (rest or held != text):
        return (words(order),)
    return Order(
        "", order.command, order.card, order.option, order.by, targets, hold_fire=held != text
    )


def _read_targets(text: str, masked: Masked, foes: Names | None) -> tuple[str, ...] | None:
    """Return the names of targets; None where one is not known, or none is named."""
    found: list[str] = []
    for part in filter(None, (part.strip() for part in re.split(r"[,;]", text))):
        names = _known([part], masked, foes)
        if names is None:
            # A name may hold "and" itself, so the whole part is tried first.
            names = _known(re.split(r"\s+and\s+|\s*&\s*", part, flags=re.I), masked, foes)
        if names is None:
            return None
        found += names
    return tuple(found) or None


def _known(written: Iterable[str], masked: Masked, foes: Names | None) -> list[str] | None:
    names = [masked.name(one) for one in written]
    if foes is None:
        return names
    known = [find(name, foes) for name in names]
    return None if None in known else [name for name in known if name]


def _read_card(text: str) -> Order | Hints | None:
    """Return the order of a card that is named by its number, its words, or both."""
    match = _CARD.fullmatch(text.replace("-", " "))
    if match is None or len(match[2].split()) > MOST_WORDS:
        return None
    number = None if match[1] is None else int(match[1])
    by = None if match[3] is None else int(match[3])
    written = [word for word in match[2].upper().split() if word not in _FILLING]
    found = [_word(word) for word in written]
    if None in found:
        # A longer line with unknown words is story, not a mistyped card.
        return _meant(written) if len(written) <= 2 else None
    return _choose(number, {word for word in found if word}, by)


def _word(written: str) -> str | None:
    """Return the word meant by one written in full, in short, or by four letters or more."""
    if written in _WORDS:
        return written
    if written in _SHORT:
        return _SHORT[written]
    starts = [word for word in _WORDS if len(written) >= 4 and word.startswith(written)]
    return starts[0] if len(starts) == 1 else None


def _meant(written: list[str]) -> Hints | None:
    """Return what mistyped words may mean."""
    known = [_word(word) or closest(word, _WORDS) for word in written]
    if None in known:
        return None
    found = _choose(None, {word for word in known if word}, None)
    return (words(found),) if isinstance(found, Order) else found


def _choose(number: int | None, given: set[str], by: int | None) -> Order | Hints | None:
    """Return the manoeuvre that a number and words leave, or hints where they leave several."""
    if number is None and by is None and len(given) == 1 and given <= set(COMMANDS):
        return Order("", given.pop().lower())
    if number is None and not given:
        return None
    if given <= {"STRAIGHT"} and number in (None, 1) and by is None:
        return Order("", "fly", 1, "steady")
    left = [key for key in _KEYS if number in (None, key[0]) and given <= _KEYS[key]]
    if len(left) != 1:
        return tuple(_form(*key) for key in left)[:4] or None
    card, option = left[0]
    # A card is clear, but its number is missing, or stands where none belongs.
    if (option == "accelerate") != (by is not None):
        return (_form(card, option),)
    return Order("", "fly", card, option, by)


def _form(card: int, option: str | None) -> str:
    """Return a manoeuvre as an example to follow."""
    return TITLES[card, option] + (" 1" if option == "accelerate" else "")
