"""What a line of an order sheet looks like, no matter what it orders."""

import re
from functools import lru_cache
from typing import NamedTuple

from engine.presets import PRESETS
from engine.words import LONGEST, closest, is_unfilled

_RULE = re.compile(r"IF\s+(.+?)\s*(?::|\bTHEN\b|-{1,9}>)\s*(.+)", re.I)
_ELSE = re.compile(r"(?:ELSE|OTHERWISE)\s*:?\s+(.+)|(?:ELSE|OTHERWISE):(.+)", re.I)
AND = re.compile(r"\s+AND\s+|\s*&+\s*", re.I)
_HEAD = re.compile(r"STANDING(?:\s+ORDERS?)?\s*:?", re.I)
_PRESET = re.compile(r"STANDING(?:\s+ORDERS?)?\s*:?\s+([a-z]+)", re.I)
_NONE = re.compile(r"STANDING(?:\s+ORDERS?)?\s*:?\s+NONE", re.I)
_PRIVATE = re.compile(r"(?i:private)[*_]{0,2}(?::\s*(.*))?|PRIVATE\s+(.*)|-{3,}")
_SALT = re.compile(r"(?:SALT:?\s+(\S.*)|(?i:salt):?\s+(\S+))")
_LONGEST_SALT = 200


def is_head(line: str) -> bool:
    """Return whether a line begins a STANDING part, or is the whole of one, or nearly."""
    written = _PRESET.fullmatch(line.strip())
    ready_made = written is not None and closest(written[1], PRESETS) is not None
    return ready_made or _HEAD.fullmatch(line.strip()) is not None


class Shape(NamedTuple):
    """What a line looks like, no matter what it orders.

    `private` is whether words follow a mark of privacy, None where there is no mark. `order` is
    the text after `conditions`; `otherwise` is the text after ELSE. `preset` is the word after
    STANDING.
    """

    unfilled: bool
    none: bool
    preset: str | None
    head: bool
    end: bool
    private: bool | None
    salt: str | None
    conditions: tuple[str, ...]
    order: str | None
    otherwise: str | None


def shape_of(line: str, text: str, begin: str, raw: str) -> Shape:
    """Return the shape of a line: given raw, cleaned, its begin cleaned, and stripped.

    All but the first are in English.

    Lines of orders are often repeated, so shapes are cached; long lines are not.
    """
    # The cache keeps its keys: a line of a megabyte must not stay in memory.
    return (_looked_at if len(line) <= LONGEST else _looked_at.__wrapped__)(line, text, begin, raw)


@lru_cache(maxsize=1024)
def _looked_at(line: str, text: str, begin: str, raw: str) -> Shape:
    private, salt = _PRIVATE.fullmatch(begin), _SALT.fullmatch(raw)
    rule, otherwise = _RULE.fullmatch(text), _ELSE.fullmatch(text)
    preset = _PRESET.fullmatch(text)
    return Shape(
        unfilled=is_unfilled(line),
        none=_NONE.fullmatch(text) is not None,
        preset=preset[1] if preset else None,
        head=_HEAD.fullmatch(text) is not None,
        end=text.upper() == "END",
        private=bool(private[1] or private[2]) if private else None,
        salt=(salt[1] or salt[2])[:_LONGEST_SALT].rstrip() if salt else None,
        conditions=tuple(AND.split(rule[1])) if rule else (),
        order=rule[2] if rule else None,
        otherwise=(otherwise[1] or otherwise[2]) if otherwise else None,
    )
