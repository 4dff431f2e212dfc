"""Lines as people write them and mail programs wrap them: cleaned, classified, and joined.

Many programs break plain text at 72 to 78 columns. The rest of an order on the next line would be
lost, or would be an order by itself: `IF NEAR AND NEUTRAL:` above `SURRENDER` must not surrender.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.names import closest
from engine.order_languages import GRAMMARS, PRESETS

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
_CHANCE = r"(?:\d{1,3} (?:in|von) 100|no roll|a roll|ohne Wurf|mit Wurf)"
_CHANCES = re.compile(
    rf"^{_CHANCE}\s+(?=\S)|(?<=[^\s.,;:])\s+(?:{_CHANCE}(?=\s|$).*|\({_CHANCE}\)$)", re.I
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
_PRESET = re.compile(r"STANDING(?:\s+ORDERS?)?\s*:?\s+([a-z]+)", re.I)
_NONE = re.compile(r"STANDING(?:\s+ORDERS?)?\s*:?\s+NONE", re.I)
_PRIVATE = re.compile(r"(?i:private)[*_]{0,2}(?::\s*(.*))?|PRIVATE\s+(.*)|-{3,}")
_SALT = re.compile(r"(?:SALT:?\s+(\S.*)|(?i:salt):?\s+(\S+))")
_LONGEST_SALT = 200


_PRESET_NAMES = {
    *PRESETS,
    *(word for grammar in GRAMMARS.values() for name in PRESETS for word in grammar.words[name]),
}
"""What presets are called, in any language: STANDING may have a German one behind it."""


def ready_made(text: str) -> str | None:
    """Return the word behind STANDING in a cleaned English line, or None."""
    found = _PRESET.fullmatch(text)
    return found and found[1]


def is_head(line: str) -> bool:
    """Return whether a line begins a STANDING part, or is the whole of one, or nearly."""
    text = line.strip()
    name = ready_made(text)
    if name is not None and closest(name, _PRESET_NAMES) is not None:
        return True
    return any(form.fullmatch(text) for form in (_HEAD, _NONE))


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
    """Return the shape of a line.

    `line` is as it was written; the others have the grammar's words in English: `text` is cleaned,
    `begin` is its cleaned beginning, and `raw` is only stripped.

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


NARROWEST = 64
"""The narrowest width, in columns, at which mail programs wrap lines."""
MOST = 5
"""The most lines that one order may have been wrapped into."""

RULE_LIKE = re.compile(r"(?:IF|WHEN|WHENEVER|UNLESS|ELSE|OTHERWISE)\b.*", re.I)
_WHOLE_RULE = re.compile(
    r"(?:IF|WHEN|WHENEVER|UNLESS)\b.+?(?::|\bTHEN\b|-{1,9}>)\s*\S.*"
    r"|(?:ELSE|OTHERWISE)(?:\s+|\s*:\s*)[^\s:].*",
    re.I,
)
_CUT_SHORT = re.compile(r".*(?::|\bTHEN|-{1,9}>|[<>=])", re.I)
_CUT_AT_AND = re.compile(r"IF .*\b(?:AND|NOT)")
_GOES_ON = (",", ";", ":", "/", "+", "&", "->")
"""What only a line ends with that was broken off."""
_REST = re.compile(r"[^\W_a-z][^a-z]|\W|\d|.*\b[A-Z]{2,}\b")
"""How the rest of an order may begin: with a figure or a sign, or with a word in capitals."""
_BEGINS_LOUD = re.compile(r"[^\W\d_a-z]{2,}\b")
_SEVERAL_FIELDS = 30
"""An order with so many characters may have been broken into narrow lines."""
_MOST_NARROW = 60
"""In so many lines of a letter the rest of an order is looked for below any line, and of a rule in
small letters; further down only below lines that were long enough to be wrapped, because it is
slow."""
_MARK = re.compile(r"STANDING\b.*|END", re.I)
SENTENCE_ENDS = tuple(".!?…\"'”)")
"""What a line ends with that is a whole sentence."""


class Reader(NamedTuple):
    """How lines are read: each function gets one line, as it was written.

    `english` returns the line cleaned, with the order words of the letter's language in English.
    `is_order` returns whether the line is an order or a rule by itself, `reads` whether nothing is
    missing from it, and `nears` whether it is nearly one, such as a rule without its colon. `tests`
    returns whether a condition that can be read stands in a line with IF. `lacks` returns whether
    the line is an order of which something is wrong or missing; without it, no lines are joined
    that are shorter than programs wrap them.
    """

    english: Callable[[str], str]
    is_order: Callable[[str], bool]
    reads: Callable[[str], bool]
    nears: Callable[[str], bool]
    tests: Callable[[str], bool]
    lacks: Callable[[str], bool] | None = None

    def stands(self, line: str) -> bool:
        """Return whether a line is an order, a rule or a mark such as END by itself."""
        return self.is_order(line) or is_mark(self.english(line))

    def is_lacking(self, line: str) -> bool:
        """Return whether a line is an order that `lacks` something; never without that function."""
        return self.lacks is not None and self.lacks(line)


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
    if _WHOLE_RULE.fullmatch(text):
        return False
    # Prose rarely begins with IF in capitals, or ends in AND.
    loud = line.strip().split()[0].isupper() or _CUT_AT_AND.fullmatch(text) is not None
    return not line.rstrip().endswith(SENTENCE_ENDS) and (loud or tests(line))


def may_be_wrapped(line: str, following: str) -> bool:
    """Return whether a line is so long that the next line's first word would not have fitted."""
    words = following.split(maxsplit=1)
    return bool(words) and len(line.rstrip()) + 1 + len(words[0]) > NARROWEST


def is_broken_off(line: str) -> bool:
    """Return whether a line ends with a sign that only a part of an order ends with."""
    return line.rstrip().endswith(_GOES_ON)


def extent(lines: Sequence[str], at: int, reader: Reader, limit: int = MOST) -> int:
    """Return how many lines, from this one on, are one order or rule: 1 where nothing is joined.

    No more than `limit` are looked at.

    An unfinished rule takes the lines below it, even if it can't be read with them: the line below
    it is never an order by itself. The same holds for a line that was broken off, unless the line
    below names a piece. Any other order or rule takes further lines only where each line above was
    long enough to be wrapped, and where it is read whole with them.
    """
    count, most = 1, min(limit, len(lines) - at)
    while count < most and _goes_on(joined(lines[at : at + count]), lines[at + count], reader):
        count += 1
    best = count = max(count, _rule_extent(lines, at, most, reader))
    while count < most:
        above, below = lines[at + count - 1], lines[at + count]
        wrapped, off = may_be_wrapped(above, below), is_broken_off(above)
        rest = wrapped or off or _may_be_rest(lines[at : at + count + 1], reader)
        if not below.strip() or not rest:
            break
        stands, part = reader.stands(below), joined(lines[at : at + count])
        whole = joined(lines[at : at + count + 1])
        # A line that is an order by itself is never swallowed by one that lacks nothing.
        if stands and not (off or (reader.is_lacking(part) and reader.reads(whole))):
            break
        count += 1
        unnamed = wrapped and stands and ":" not in below
        if reader.reads(whole) or (unnamed and reader.nears(whole)):
            best = count
    return best


def _rule_extent(lines: Sequence[str], at: int, most: int, reader: Reader) -> int:
    """Return how many lines hold the rule that begins in the first of them, 1 where none does."""
    if RULE_LIKE.fullmatch(reader.english(lines[at])):
        for count in range(2, most + 1):
            below = lines[at + count - 1]
            # No rest of a rule begins another one.
            if not below.strip() or RULE_LIKE.fullmatch(reader.english(below)):
                break
            whole = joined(lines[at : at + count])
            # The form first: to read a line takes far longer.
            whole_rule = _WHOLE_RULE.fullmatch(reader.english(whole))
            if whole_rule and not reader.reads(lines[at]) and reader.reads(whole):
                return count
    return 1


def _may_be_rest(lines: Sequence[str], reader: Reader) -> bool:
    """Return whether the last of some lines may be the rest of the order above it."""
    if reader.lacks is None:
        return False
    rest = _REST.match(lines[-1]) is not None and not reader.nears(lines[-1])
    # In small letters it is one only where all can be read together.
    return rest or reader.lacks(joined(lines[:-1])) or reader.reads(joined(lines))


def may_be_cut(lines: Sequence[str], at: int, count: int, reader: Reader) -> bool:
    """Return whether the line below an order may be the rest of it, though it can't be read so.

    The order has `count` lines.
    """
    end = at + count
    line, below = lines[end - 1].rstrip(), lines[end].strip() if end < len(lines) else ""
    if not below or line.endswith(SENTENCE_ENDS):
        return False
    wrapped = may_be_wrapped(line, below)
    loud = len(line) >= _SEVERAL_FIELDS and _BEGINS_LOUD.match(below) is not None
    if not (wrapped or loud) or reader.stands(below):
        return False
    if not wrapped:
        whole = joined(lines[at : end + 1])
        return reader.is_lacking(whole) and reader.reads(line)
    rest = _REST.match(below) is not None and not reader.nears(below)
    return (rest or is_broken_off(line)) and reader.reads(joined(lines[at:end]))


def ends_a_sentence(lines: Sequence[str], at: int, reader: Reader) -> bool:
    """Return whether the order below a line may be the wrapped end of the line's sentence.

    Orders in capitals with another order below them are a list.
    """
    line, below = lines[at].rstrip(), lines[at + 1].strip() if at + 1 < len(lines) else ""
    # Some people break lines themselves: only a full stop shows that a sentence ends below.
    ends = line[-1:].islower() and below[:1].islower() and below.endswith(".")
    if not (may_be_wrapped(line, below) or ends) or line.endswith((*SENTENCE_ENDS, ":")):
        return False
    if not reader.is_order(below) or reader.stands(line) or reader.nears(line):
        return False
    return not (below.isupper() and at + 2 < len(lines) and reader.stands(lines[at + 2]))


def _goes_on(rule: str, following: str, reader: Reader) -> bool:
    """Return whether a line below belongs to an unfinished rule above it."""
    if not following.strip() or not is_unfinished(rule, reader.english(rule), reader.tests):
        return False
    below = reader.english(following)
    # The line below begins something of its own, so the rule was left without an order.
    if RULE_LIKE.fullmatch(below) or is_mark(below):
        return False
    # With nothing but the name of a piece in it, a rule might be read.
    return rule.rstrip().endswith(":") or not (reader.reads(rule) or reader.nears(rule))


def unwrapped(lines: Sequence[str], reader: Reader) -> Iterator[tuple[str, bool]]:
    """Yield some lines, with those joined that are one order or rule, and whether they can't be.

    That is so where the rest of an order may be on the next line, but can't be read with it.
    """
    at = 0
    while at < len(lines):
        if at >= _MOST_NARROW:
            reader = reader._replace(tests=lambda _: False, lacks=None)
        count = extent(lines, at, reader)
        cut = may_be_cut(lines, at, count, reader)
        count += cut
        yield lines[at] if count == 1 else joined(lines[at : at + count]), cut
        at += count


def joined(lines: Sequence[str]) -> str:
    """Return some lines as one."""
    return " ".join(line.strip() for line in lines)
