"""Doubts: which orders of a letter the words around them call off, condition or only quote."""

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import takewhile

from engine.i18n import Said, say
from engine.orders.lines import SENTENCE_ENDS, clean
from pbem.handlers import lookup
from pbem.intake.courtesy_words import is_farewell, is_polite
from pbem.routing.doubt_words import (
    ANEW,
    BACK,
    BETWEEN,
    CHOICE,
    CLOCK,
    CLOSES,
    CONDITIONS,
    CORRECTS,
    CROSSED,
    EMPTY,
    EXAMPLE,
    FOLLOWING,
    FRAGMENT,
    GOES_ON,
    JOINS,
    LEADS_ON,
    LOUD,
    MINUS,
    NEGATED,
    ORDERING,
    OWN_ACT,
    PLAIN_LEAD,
    PLUS,
    POSTSCRIPT,
    PRESENTS,
    QUOTING,
    SHOUTED,
    SPEECH,
    STARRED,
    TELLS,
    THANKS,
    TICKED,
)
from pbem.routing.line_tests import LineTests

WORDS = say(
    "the words next to it may mean that it is no order now; if it is one, send it without them"
)
TAKEN_BACK = say(
    "a line below it seems to take something back; send the orders that count, and no others"
)
UNTICKED = say("its box has no tick, or it is crossed out; send it alone if you want it")
SIGNED = say("it stands below your farewell, where a signature begins; put it above")
_MOST_LINES = 100
"""Below so many lines of a letter's own words no order is doubted, because that is slow."""
_HEAD_WORDS = 2
"""A line with a colon and more words is no piece's name above its orders."""
_TALE = 5
"""So many words below a heading are a story."""


class Doubts:
    """The doubts about the orders in a letter's lines."""

    def __init__(self, lines: Sequence[str], tests: LineTests) -> None:
        self._lines, self._tests = lines, tests
        self._said = [clean(line).lower().lstrip("(-. ") for line in lines]
        # Some programs put a blank line between any two, which parts nothing then.
        self._spread = not any(a and b for a, b in zip(self._said, self._said[1:], strict=False))
        self._back = self._last_taking_back()
        self._ticks = any(map(TICKED.match, lines))
        self._adds = any(map(PLUS.match, lines))
        self._signed = self._below_farewell()
        self._called_off = -1
        # A paragraph is looked at for each of its orders.
        self._is_words = cache(self._has_words)

    def why(self, order: str, first: int, end: int) -> Said | None:
        """Return why an order, which begins at a line and ends above another, may not be one.

        Return None where nothing speaks against it, or where the line is no order at all.
        """
        why = self._why(order, first, end) if first < _MOST_LINES else None
        if why is None or not self._tests.is_meant(order):
            return None
        if why is WORDS:
            # The words may concern each of the orders right below them.
            self._called_off = end
        return why

    def _why(self, order: str, first: int, end: int) -> Said | None:
        line = self._lines[first]
        if first < self._back:
            return TAKEN_BACK
        if CROSSED.search(line) or (self._ticks and EMPTY.match(line)):
            return UNTICKED
        if (NEGATED.match(line) and not self._is_listed(end)) or (self._adds and MINUS.match(line)):
            return UNTICKED
        if first in self._signed:
            return SIGNED
        if self._tests.leaves(order) and self._touches_words(first, end):
            return WORDS
        within = self._is_led_to(first) or self._goes_on(first, end) or self._is_told(first, end)
        return WORDS if within else None

    def _is_listed(self, end: int) -> bool:
        """Return whether the line below an order has the number 1."""
        return end < len(self._lines) and self._lines[end].lstrip(" (").startswith("1")

    def _last_taking_back(self) -> int:
        """Return the last line that takes something back, above any text for others; else -1."""
        stars = [n for n, line in enumerate(self._lines) if STARRED.fullmatch(line)]
        back = (n for n, said in enumerate(self._said) if BACK.fullmatch(said) or self._corrects(n))
        found = sorted([*back, *(stars if len(stars) == 1 else ())])
        texts = (n for n, line in enumerate(self._lines) if found and self._tests.has_text(line))
        text = next(texts, len(self._lines))
        return max((n for n in found if n < text), default=-1)

    def _corrects(self, n: int) -> bool:
        """Return whether a line holds an order in place of another: `no, SCAN of course!`."""
        found = CORRECTS.fullmatch(self._said[n]) if n < _MOST_LINES else None
        words = clean(found["order"]).split() if found else []
        parts = (" ".join(words[:count]) for count in {1, 2, len(words)} if words)
        return any(map(self._tests.is_battle_order, parts))

    def _below_farewell(self) -> range:
        """Return the lines below a farewell that stands below orders, up to a postscript."""
        farewells = (
            n
            for n, line in enumerate(self._lines)
            if is_farewell(line) and not THANKS.match(line.strip())
        )
        first = next(farewells, 0)
        if not any(map(self._tests.reader.is_order, self._lines[:first])):
            return range(0)
        below = range(first + 1, len(self._lines))
        end = next((n for n in below if POSTSCRIPT.match(self._lines[n])), below.stop)
        return range(below.start, end)

    def _is_led_to(self, first: int) -> bool:
        """Return whether the words above an order, or above those right above it, concern it."""
        n = next((n for n in range(first - 1, -1, -1) if self._said[n]), None)
        if n is None:
            return False
        said, written = self._said[n], self._lines[n].rstrip()
        colon, near = written.endswith(":"), self._spread or n == first - 1
        if near and n + 1 == self._called_off:
            return True
        if PLAIN_LEAD.fullmatch(said.rstrip(" ,:-")):
            return False
        found: object = FOLLOWING.fullmatch(said)
        if colon and not found and not ANEW.fullmatch(said):
            found = QUOTING.search(said) or BETWEEN.fullmatch(said) or self._is_told_by(written)
        if near and not found:
            found = EXAMPLE.fullmatch(said) or CLOCK.fullmatch(said) or CHOICE.fullmatch(said)
        if (near or colon) and not found and not written.endswith(SENTENCE_ENDS):
            found = LEADS_ON.fullmatch(said.rstrip(" ,:-")) or CONDITIONS.fullmatch(said)
        if near and not found:
            found = JOINS.match(written.strip()) or self._begins_with_order(written)
        # Where orders begin with names, any words with a colon may be one.
        return bool(found) and (colon or not self._tests.is_orderly(self._lines[n]))

    def _is_told_by(self, line: str) -> bool:
        """Return whether somebody else does what a line with a colon tells, and a verb says what.

        No list of verbs holds all by which people quote others: `My wife reckons:`.
        """
        found = TELLS.fullmatch(f"{clean(line).rstrip(' :')}:")
        if found is None:
            return False
        who, verb = found["who"] or found["wer"], found["says"] or found["sagt"]
        own = OWN_ACT.search(who) or OWN_ACT.fullmatch(verb) or PRESENTS.fullmatch(verb)
        return not own and not self._tests.is_own(who)

    def _goes_on(self, first: int, end: int) -> bool:
        """Return whether the words right below an order go on with its sentence."""
        if self._spread:
            end = next((n for n in range(end, len(self._lines)) if self._said[n]), end)
        if end == len(self._lines) or not self._said[end]:
            return False
        said, written = self._said[end], self._lines[end].strip()
        # A rule that is not whole begins something new.
        if written.endswith(":") or LOUD.match(written) or CLOSES.match(said):
            return False
        small = written.lstrip("(-–—….\"' ")[:1].islower()
        found: object = small and self._is_within(first)
        if not found and (said.startswith(("or ", "oder ")) or not written.endswith("?")):
            found = small and GOES_ON.fullmatch(said)
            found = found or FRAGMENT.fullmatch(said) or SPEECH.fullmatch(said)
        if not found or self._tests.has_text(self._lines[first]):
            return False
        return not self._tests.is_orderly(self._lines[end])

    def _touches_words(self, first: int, end: int) -> bool:
        """Return whether other words stand right above or below an order, and could concern it."""
        if self._spread:
            return False
        above, below = self._lines[first - 1 : first], self._lines[end : end + 1]
        lead = next((line for line in reversed(self._lines[:first]) if line.strip()), "").strip()
        if lead.endswith(":") and not self._is_head(lead):
            return True
        ends = (*SENTENCE_ENDS, ":")
        unended = [line.strip() for line in above if not line.rstrip().endswith(ends)]
        words = [line for line in (*unended, *map(str.strip, below)) if line]
        heads = (LOUD.match(line) or lookup.PILOT_HEAD.fullmatch(line) for line in words)
        return any(
            not (head or self._tests.is_orderly(line))
            for head, line in zip(heads, words, strict=True)
        )

    def _is_within(self, first: int) -> bool:
        """Return whether a sentence that has not ended stands right above a line."""
        above = self._lines[first - 1].strip() if first and not self._spread else ""
        goes_on = above[-1:].isalpha() or (above.endswith(":") and not self._is_head(above))
        return above[:1].isupper() and goes_on and not self._tests.is_order(above)

    def _is_head(self, line: str) -> bool:
        """Return whether a line with a colon only heads the orders below it."""
        said = clean(line).lower().rstrip(" ,:-")
        few = len(said.split()) <= _HEAD_WORDS
        return few or bool(
            ORDERING.search(said) or PLAIN_LEAD.fullmatch(said) or ANEW.fullmatch(said)
        )

    def _begins_with_order(self, line: str) -> bool:
        """Return whether a line begins with an order, and goes on with words to the next line."""
        word = line.split(maxsplit=1)[0]
        ended = line.endswith((*SENTENCE_ENDS, ":", ","))
        return not ended and word.isupper() and self._tests.is_battle_order(word)

    def _is_told(self, first: int, end: int) -> bool:
        """Return whether an order is a part of what is told or said, by the way it is written."""
        line = self._lines[first].strip()
        if self._tests.has_text(line):
            return False
        above = self._lines[first - 1].strip() if first else ""
        below = self._lines[end].strip() if end < len(self._lines) else ""
        # Said to somebody: `Come on, Kestrel,` and `FIRE!`.
        if line.endswith("!") and above.endswith(",") and self._is_words(above):
            return True
        if SHOUTED.search(line):
            return False
        if line[:1].isupper() and line[-1:].isalpha() and below[:1].islower():
            return self._is_words(below)
        # Who writes other orders in capitals means this one as a word.
        return self._shouts and self._is_among_words(first, end)

    @cached_property
    def _shouts(self) -> bool:
        """Whether any of the orders is in capitals."""
        loud = (line for line in self._lines[:_MOST_LINES] if SHOUTED.search(line))
        return any(map(self._tests.is_battle_order, loud))

    def _is_among_words(self, first: int, end: int) -> bool:
        """Return whether words stand in an order's paragraph, or a story right below that."""
        above = takewhile(bool, reversed(self._said[:first]))
        top = first - sum(1 for _ in above)
        bottom = end + sum(1 for _ in takewhile(bool, self._said[end:]))
        if any(map(self._is_words, self._lines[top:bottom])):
            return True
        below = next((line for line in self._lines[bottom:] if line.strip()), "")
        return len(below.split()) >= _TALE and self._is_words(below)

    def _has_words(self, line: str) -> bool:
        """Return whether a line is neither an order nor a greeting, a farewell or a head."""
        polite = is_polite([line]) or is_farewell(line) or LOUD.match(line)
        head = line.rstrip().endswith(":") and self._is_head(line)
        plain = polite or head or CLOSES.match(clean(line).lower())
        return bool(line.strip()) and not plain and not self._tests.is_orderly(line)
