"""Single lines as people write them: cleaned, and classified by their shape."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.names import closest
from engine.order_translations import DOCTRINES, GRAMMARS

_QUOTES = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "′": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
    | {"。": ".", "、": ","}
    | {"‐": "-", "‑": "-", "–": "-", "—": "--", "−": "-", "≤": "<=", "≥": ">=", "→": "->"}
)
_BULLET = re.compile(
    r"^(?:[-*+•·‣▪・●○◦]{1,2}\s*(?=[\w\"'(\[])|o\s+|\(?\d{1,3}(?:[.):]|,(?!\d))\s*|\[[ xX]?\]\s*"
    r"|\(?(?:[a-h]|[ivx]{1,4})[.)]\s+|#\d{1,3}[.):]?\s+|\(?[一二三四五六七八九十]{1,3}[.),]\s*|->\s+"
    r"|(?i:order|befehl|line|zeile)\s*(?:\d{1,3}\s*[:.)]|:)\s*|(?i:write|schreib):\s*){1,3}"
)
_CHANCE = r"(?:\d{1,3} (?:%|(?:in|von) 100)|no roll|a roll|ohne Wurf|mit Wurf)"
_CHANCES = re.compile(
    rf"^{_CHANCE}\s+(?=\S)|(?<=[^\s.,;:])\s+(?:{_CHANCE}(?=[\s.]|$).*|\({_CHANCE}\)$)", re.I
)
"""The chance that our letters print next to an order, and what stands behind it."""
_SIGNS = re.compile(r"^[^\w\s]\ufe0f?\s*|\s[^\w\s]\ufe0f?\s*$")
"""A sign before a line, or behind it."""
_CIRCLED = re.compile(r"^\s*(?:[\u2460-\u249b\u3220-\u3229\u3280-\u3289]|\d\ufe0f?\u20e3)")
"""A number in a circle or in brackets, as lists in East Asia have them, or on a key."""
_FORM = re.compile(r"(?:IF|AND|THEN|ELSE|SALT|WENN|UND|DANN|SONST|:|->|\s)*", re.I)
_LABEL = re.compile(r"[-*•]?\s*[^\s:_][^:_]{0,40}:\s*_{4,}")
"""A form's line for one of a player's pieces, such as `Red: ____`, with nothing on it."""
_RULED = re.compile(r"_{2,}")
_BLANK = re.compile(r"__|\border\b", re.I)
_POLITE = re.compile(
    r"^(?:please|pls|bitte)[\s,:]+|[\s,]+(?:please|pls|bitte|thanks|thank you)$", re.I
)
_LINK = re.compile(r"(?<=[^\s<(\[])\s?(?:<https?://[^<>\s]*>|\(https?://[^()\s]*\))\W*$", re.I)
"""The address behind the text of a link, as mail programs write it in plain text."""
_END = " \t.,;!*_`"

LONGEST = 400
"""The most characters of an order; a longer line is not even examined."""
LONGEST_BUILD = 800
"""The most characters of an order that describes a persona or a design."""


def clean(line: str, most: int = LONGEST) -> str:
    """Return a line reduced to what an order is read from.

    Full-width letters, curly quotes, odd spaces and dashes become plain ones; invisible characters,
    leading bullets and numbers, a form's `Order 1:` and `____`, chances as our letters print them,
    "please" and end punctuation are removed. A line of more than `most` characters becomes empty.
    """
    if "://" in line[: 20 * most]:
        line = _LINK.sub("", line[: 20 * most + 1])
    # Before the cache, which keeps its keys: a line of a megabyte must not stay in memory.
    return _cleaned(line, most) if len(line) <= most else ""


@lru_cache(maxsize=1024)
def _cleaned(line: str, most: int) -> str:
    # Most lines are plain ASCII, and normalizing is what costs time.
    if not (line.isascii() and line.isprintable()):
        # Before NFKC, which makes `1FIRE` of a circled 1 and FIRE.
        line = _SIGNS.sub(_without_symbol, _CIRCLED.sub("- ", line))
        line = unicodedata.normalize("NFKC", line).translate(_QUOTES)
        if len(line) > most:  # some letters are eighteen, once they are plain
            return ""
        if not line.isprintable():
            hidden = ("Cf", "Cc")
            line = "".join(c for c in line if unicodedata.category(c) not in hidden or c == "\t")
    line = " ".join(_RULED.sub(" ", line).split())
    line = _CHANCES.sub("", _BULLET.sub("", line)).strip(_END)
    return _POLITE.sub("", line).strip(_END)


def _without_symbol(sign: re.Match[str]) -> str:
    """Return a sign at the end of a line, or nothing if it is a picture such as a tick."""
    return "" if unicodedata.category(sign[0].strip()[:1]) == "So" else sign[0]


def is_unfilled(line: str) -> bool:
    """Return whether a line belongs to a form and nobody filled it in, such as `Order 1: ____`."""
    # Before cleaning, which takes the underscores away.
    if _LABEL.fullmatch(line.strip()):
        return True
    return _BLANK.search(line) is not None and _FORM.fullmatch(clean(line)) is not None


def is_prose(words: Sequence[str], most: int = 4) -> bool:
    """Return whether the words after a keyword read like a sentence rather than an order."""
    return len(words) > most or any(word[-1] in ",.;:!?" for word in words)


_RULE = re.compile(r"IF\s+(.+?)\s*(?::|\bTHEN\b|-{1,9}>)\s*(.+)", re.I)
_ELSE = re.compile(r"(?:ELSE|OTHERWISE)\s*:?\s+(.+)|(?:ELSE|OTHERWISE):(.+)", re.I)
AND = re.compile(r"\s+AND\s+|\s*&+\s*", re.I)
_HEAD = re.compile(r"STANDING(?:\s+ORDERS?)?\s*:?", re.I)
_DOCTRINE = re.compile(r"STANDING(?:\s+ORDERS?)?\s*:?\s+([^\W\d_]+)", re.I)
_NONE = re.compile(r"STANDING(?:\s+ORDERS?)?\s*:?\s+NONE", re.I)
_SALT = re.compile(r"(?:SALT:?\s+(\S.*)|(?i:salt):?\s+(\S+))")


_EVERYBODYS = {
    *DOCTRINES,
    *(word for grammar in GRAMMARS.values() for name in DOCTRINES for word in grammar.words[name]),
}
"""What everybody's doctrines are called, in any language: STANDING may have a German one behind it.
"""


def doctrine_named(text: str) -> str | None:
    """Return the word behind STANDING in a cleaned English line, or None."""
    found = _DOCTRINE.fullmatch(text)
    return found and found[1]


def is_head(line: str) -> bool:
    """Return whether a line begins a STANDING part, or is the whole of one, or nearly."""
    text = line.strip()
    name = doctrine_named(text)
    if name is not None and closest(name, _EVERYBODYS) is not None:
        return True
    return any(form.fullmatch(text) for form in (_HEAD, _NONE))


class Shape(NamedTuple):
    """What a line looks like, no matter what it orders.

    `order` is the text after `conditions`; `otherwise` is the text after ELSE. `doctrine` is the
    word after STANDING.
    """

    unfilled: bool
    none: bool
    doctrine: str | None
    head: bool
    end: bool
    salt: str | None
    conditions: tuple[str, ...]
    order: str | None
    otherwise: str | None


def shape_of(line: str, text: str, raw: str) -> Shape:
    """Return the shape of a line.

    `line` is as it was written; the others have the grammar's words in English: `text` is cleaned,
    and `raw` is only stripped.

    Lines of orders are often repeated, so shapes are cached; long lines are not.
    """
    # The cache keeps its keys: a line of a megabyte must not stay in memory.
    return (_looked_at if len(line) <= LONGEST else _looked_at.__wrapped__)(line, text, raw)


@lru_cache(maxsize=1024)
def _looked_at(line: str, text: str, raw: str) -> Shape:
    salt = _SALT.fullmatch(raw)
    rule, otherwise = _RULE.fullmatch(text), _ELSE.fullmatch(text)
    doctrine = _DOCTRINE.fullmatch(text)
    return Shape(
        unfilled=is_unfilled(line),
        none=_NONE.fullmatch(text) is not None,
        doctrine=doctrine[1] if doctrine else None,
        head=_HEAD.fullmatch(text) is not None,
        end=text.upper() == "END",
        salt=(salt[1] or salt[2]).rstrip() if salt else None,
        conditions=tuple(AND.split(rule[1])) if rule else (),
        order=rule[2] if rule else None,
        otherwise=(otherwise[1] or otherwise[2]) if otherwise else None,
    )


RULE_LIKE = re.compile(r"(?:IF|WHEN|WHENEVER|UNLESS|ELSE|OTHERWISE)\b.*", re.I)
WHOLE_RULE = re.compile(
    r"(?:IF|WHEN|WHENEVER|UNLESS)\b.+?(?::|\bTHEN\b|-{1,9}>)\s*\S.*"
    r"|(?:ELSE|OTHERWISE)(?:\s+|\s*:\s*)[^\s:].*",
    re.I,
)
_CUT_SHORT = re.compile(r".*(?::|\bTHEN|-{1,9}>|[<>=])", re.I)
_CUT_AT_AND = re.compile(r"IF .*\b(?:AND|NOT)")
_MARK = re.compile(r"STANDING\b.*|END", re.I)
SENTENCE_ENDS = tuple(".!?…\"'”)")
"""What a line ends with that is a whole sentence."""


def is_mark(text: str) -> bool:
    """Return whether a cleaned English line begins or ends standing orders, or ends a text."""
    return _MARK.fullmatch(text) is not None


def is_unfinished(line: str, text: str, tests: Callable[[str], bool]) -> bool:
    """Return whether a rule's order is missing; `text` is the line in cleaned English.

    A sentence that only begins with "if" is not unfinished, because it ends like a sentence, or
    has no condition (`tests`).
    """
    if not RULE_LIKE.fullmatch(text) or is_unfilled(line):
        return False
    # First of all: in `IF NEAR: Red:` only the name of the piece stands behind the condition.
    if text.upper() in ("ELSE", "OTHERWISE") or _CUT_SHORT.fullmatch(text):
        return True
    if WHOLE_RULE.fullmatch(text):
        return False
    # Prose rarely begins with IF in capitals, or ends in AND.
    loud = line.strip().split()[0].isupper() or _CUT_AT_AND.fullmatch(text) is not None
    return not line.rstrip().endswith(SENTENCE_ENDS) and (loud or tests(line))
