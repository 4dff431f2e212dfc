"""Orders as players write them: read, parse and format."""

import re

from engine.blackskies.grammar import (
    HOLD,
    MOST_WORDS,
    SHOOT,
    TARGETS,
    Hints,
    Masked,
    name_text,
    read_words,
    words,
)
from engine.blackskies.legal import REASONS, RULINGS
from engine.blackskies.model import Battle, Order, active, all_elements, seats
from engine.codec import change
from engine.errors import UnreadableOrder
from engine.i18n import say
from engine.names import Names, callings, closest, find
from engine.orders.line_shapes import LONGEST, clean
from engine.ruleset import Near
from engine.seats import REFEREE, Seat

_PREFIX = re.compile(r"([^:;,]{1,60}?)\s*:\s*(.+)")
_NAME_WORDS = 4
_GAP = re.compile(r"\s{4,}")
"""What the patterns of orders would look at again and again; no name has it."""


def read(battle: Battle | None, seat: Seat | None, line: str) -> Order | Near | None:
    """Return the order in a player's own line: an order, nearly one (with a hint), or None.

    Without a battle names stay as they were written. Legality is not tested.
    """
    return _find(battle, seat, line) if len(line) <= LONGEST else None


def _find(battle: Battle | None, seat: Seat | None, line: str) -> Order | Near | None:
    # As it was written first, except long gaps: cleaning would change an odd name.
    written, cleaned = _GAP.sub(" ", line).strip(), clean(line)
    texts = {written, cleaned}
    if all(map(_is_long, texts)):
        return None
    own: Names | None = None
    foes: Names | None = None
    if battle is not None and seat is not None:
        own, foes = callings(_own(battle, seat), seats(battle)), {}
        # A letter may have a thousand lines, of which few name a target.
        if any(sign.search(text) for sign in (TARGETS, SHOOT) for text in texts):
            foes = callings(_foes(battle, seat), seats(battle))
    found = _read(written, own, foes)
    if not isinstance(found, Order) and cleaned != written:
        found = _read(cleaned, own, foes)
    if isinstance(found, Order):
        return found
    if found is None:
        return None
    if not found:
        return Near(line.strip(), REASONS["bad target"], why=True)
    return Near(line.strip(), found[0], several=found if len(found) > 1 else ())


def _is_long(text: str) -> bool:
    """Return whether a text has more words than a name and a card have, and nothing else in it."""
    if len(text.split()) <= _NAME_WORDS + MOST_WORDS + 2 or ":" in text or '"' in text:
        return False
    return not any(sign.search(text) for sign in (TARGETS, SHOOT, HOLD))


def _own(battle: Battle, seat: Seat) -> list[str]:
    """Return a seat's elements, those that are out last."""
    names = [name for name in all_elements(battle) if battle.elements[name].seat == seat]
    # So that a hint shows an element that can still be ordered.
    return sorted(names, key=lambda name: not active(battle, name))


def _foes(battle: Battle, seat: Seat) -> list[str]:
    """Return what a seat may name as a target: elements, and the fighters in them."""
    sides = {e.side for e in battle.elements.values() if e.seat == seat}
    names = [n for n in all_elements(battle) if battle.elements[n].side not in sides]
    return [*names, *(one for name in names for one in battle.elements[name].fighters)]


def _read(text: str, own: Names | None, foes: Names | None) -> Order | Hints | None:
    """Return the order in a text, what it may have meant, `()` for an unknown target, or None."""
    masked = Masked(text)
    name, body = _parted(masked, own)
    found = read_words(body, masked, foes)
    if name is None:
        return _unnamed(text, found, own)
    if found is None:
        return None
    known = _known(name, own)
    if known is not None and isinstance(found, Order):
        return change(found, element=known)
    meant = known or _meant(name, body, own)
    if meant is None:
        return None
    return _hints(meant, (words(found),) if isinstance(found, Order) else found)


def _known(name: str, own: Names | None) -> str | None:
    """Return the element that is named; without a battle, any name that looks like one."""
    if own is not None:
        return find(name, own)
    parts = name.split()
    # "Then: ..." and whole sentences with a colon are story, not names.
    capitals = all(not part[0].islower() for part in parts)
    return name if parts and (len(parts) == 1 or (capitals and len(parts) <= _NAME_WORDS)) else None


def _meant(name: str, body: str, own: Names | None) -> str | None:
    """Return the element that an unknown name may mean; None where the line is story."""
    if not own:
        return None
    near = closest(name, own)
    if near is not None:
        return own[near]
    return next(iter(own)) if len(name.split()) <= 2 and any(map(str.isalpha, body)) else None


def _parted(masked: Masked, own: Names | None) -> tuple[str | None, str]:
    """Return the element's name in a line, None where there is none, and the rest."""
    match = _PREFIX.fullmatch(masked.text)
    if match:
        return masked.name(match[1]), match[2]
    parts = masked.text.split()
    # The longest first: `Red Two` before `Red`.
    for count in range(min(_NAME_WORDS, len(parts) - 1), 0, -1):
        name = masked.name(" ".join(parts[:count]))
        if own is not None and find(name, own):
            return name, " ".join(parts[count:])
    return None, masked.text


def _unnamed(
    text: str, found: Order | tuple[str, ...] | None, own: Names | None
) -> Order | Hints | None:
    """Return an order without a name as one of the only element, or as hints."""
    if found is None or not any(map(str.isalpha, text)):
        return None
    first = next(iter(own or ()), "")
    if isinstance(found, Order) and (own is None or len(set(own.values())) == 1):
        return change(found, element=first)
    texts = (words(found),) if isinstance(found, Order) else found
    return _hints(first, texts) if own else texts


def _hints(name: str, texts: Hints) -> Hints:
    return tuple(f"{name_text(name)}: {text}" for text in texts)


def parse(battle: Battle, seat: Seat, text: str) -> Order:
    """Return one order of a seat; raise UnreadableOrder, never IllegalOrder.

    An element that is out has no orders any more, unless all of the seat's are: then the refusal
    says so.
    """
    if seat == REFEREE:
        return _ruling(text)
    found = _find(battle, seat, text)
    if found is None:
        raise UnreadableOrder(
            say("{text!r} is not an order; write one like Red: BREAK LEFT", text=text.strip())
        )
    if isinstance(found, Near):
        raise UnreadableOrder(say("{text!r} is nearly an order", text=found.text), hint=found.hint)
    if not active(battle, found.element) and any(active(battle, o) for o in _own(battle, seat)):
        raise UnreadableOrder(REASONS["out of the battle"], reason="out of the battle")
    return found


def _ruling(text: str) -> Order:
    command, _, name = text.partition(" ")
    if command.lower() not in RULINGS or bool(name) != (command == "FORFEIT"):
        known = [ruling.upper() for ruling in RULINGS]
        raise UnreadableOrder(
            say("{text!r} is not a ruling; the rulings are {rulings}", text=text, rulings=known)
        )
    return Order(name, command.lower())


def format_order(order: Order) -> str:
    """Return an order in its canonical text: `Red: BREAK LEFT; HOLD FIRE`."""
    if order.command in RULINGS:
        return " ".join([order.command.upper(), *filter(None, [order.element])])
    return (f"{name_text(order.element)}: " if order.element else "") + words(order)
