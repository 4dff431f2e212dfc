"""Guesses: what a line may mean that is no order by itself; it is asked about, and never done."""

import re
from collections.abc import Callable, Sequence
from functools import cache

from engine.errors import OrderError
from engine.i18n import say
from engine.orders.lines import AND, is_head
from engine.orders.orders_on_file import Condition, Rule, rule_text
from engine.ruleset import Near

_THEN = r"(?:and\s+then|und\s+dann|and|then|und|dann)"
_PARTS = re.compile(
    rf"\s*[.,;/+&]\s*(?:{_THEN}\s+)?|\s+(?:{_THEN}|finally|next|danach|zuletzt)\s+", re.I
)
_DICTATED = re.compile(
    r"(?:^|\s+)(?:comma|komma|full\s+stop|period|punkt|new\s?line|neue\s+zeile)(?=\s|$)", re.I
)
"""Marks that are spoken to a telephone, and written out by it."""
_WORDS = re.compile(r"\s+")
_NAMED_PARTS = re.compile(
    r"(?:\s*[.,;/+&]\s*(?:and\s+|then\s+|und\s+|dann\s+)?|\s+(?:and|then|und|dann)\s+)"
    r"(?=[^\W\d_][^.,;:/+&]{0,40}:)|[.,;]?\s+\(?\d{1,2}[.)]\s*",
    re.I,
)
"""What stands between numbered orders, or those of several pieces: `Red: STEADY; Gold: STEADY`."""
_MOST_PARTS = 10
_SPOKEN = re.compile(
    r"(?:(?:ok|okay|yes|yeah|yep|sure|well|so|now|and|then|let'?s|let us|i|i'll|i will|please|u[hm]"
    r"|first|firstly|second|third|next|finally|lastly|after that|\d(?:st|nd|rd|th)|no\. ?\d"
    r"|ja|gut|also|jetzt|nun|und|dann|ich|bitte|zuerst|erstens|zweitens|danach|zuletzt|äh)"
    r"(?:[\s,.:;!-]+|$))+",
    re.I,
)
"""What people say before an order: `ok fire`, `I scan`. It might begin a story as well."""
_LEADS_ON = re.compile(rf",?\s+{_THEN}$", re.I)
_QUOTED = re.compile(r"([\"'])(.+[^!?.,])\1")
_LONGEST_UNPARTED = 12
"""The longest rule, in words, that is tried with a colon put between its parts."""
_MOST_UNPARTED = 50
"""The most lines of a letter that are tried so: it costs much, and leads to hints alone."""


def asked(line: str, orders: Sequence[str]) -> Near:
    """Return the near miss of a line that means some orders."""
    if len(orders) == 1:
        return Near(line, orders[0])
    hint = say("{orders}, each on a line of its own", orders=list(orders))
    return Near(line, hint, why=True, several=tuple(orders))


class Guesses:
    """Guesses for one seat.

    `order` reads an order, `tested` a condition, and `english` the words of the line grammar;
    `addressed` matches the seat's own name at the beginning of a line.
    """

    def __init__(
        self,
        order: Callable[[str], str | Near | None],
        tested: Callable[[str], Condition],
        english: Callable[[str], str],
        addressed: Callable[[str], re.Match[str] | None],
    ) -> None:
        self._order, self._tested = order, tested
        self._english, self._addressed = english, addressed
        self._unparted = 0
        self.several, self._rule_within = cache(self._find_several), cache(self._find_rule_within)

    def unparted(self, text: str) -> str | None:
        """Return the rule that a line would be with a colon after its condition, or None."""
        words = text.split()[:_LONGEST_UNPARTED]
        begins = bool(words) and words[0].upper() == "IF"
        return self._rule_within(" ".join(words)) if begins else None

    def _find_rule_within(self, text: str) -> str | None:
        self._unparted += 1
        words = text.split()[1:] if self._unparted <= _MOST_UNPARTED else []
        for at in range(1, len(words)):
            try:
                tests = [self._tested(one) for one in AND.split(" ".join(words[:at]))]
            except OrderError:
                continue
            order = self._order(" ".join(words[at:]))
            if isinstance(order, str):
                return rule_text(Rule(tuple(tests), order))
        return None

    def _find_several(self, text: str) -> list[str]:
        """Return the orders that stand on one line, such as `scan, target, fire`, or none."""
        written = _DICTATED.sub(";", text).strip(" ;")
        # Two words without a mark may be one phrase: who writes `hold fire` does not want to fire.
        for between, least in ((_NAMED_PARTS, 2), (_PARTS, 2), (_WORDS, 3)):
            parts = between.split(written, maxsplit=_MOST_PARTS)
            found: list[str] = []
            # Most lines are a story, whose first part is no order.
            for part in parts if least <= len(parts) <= _MOST_PARTS else ():
                said = _SPOKEN.match(part)
                order = self._order(part[said.end() :] if said else part)
                if not isinstance(order, str) or part.endswith(":"):
                    break
                found.append(order)
            if found and len(found) == len(parts):
                return found
        return []

    def spoken(self, text: str) -> str | None:
        """Return the order with words around it, such as `ok fire` or `scan, then`, or None.

        The name of the seat may stand before it, too: `Hawk: SCAN`. So may quotation marks, also
        around `STANDING sound`.
        """
        said, quoted = _SPOKEN.match(text) or self._addressed(text), _QUOTED.fullmatch(text)
        bare = quoted[2] if quoted else _LEADS_ON.sub("", text[said.end() if said else 0 :])
        if quoted and is_head(self._english(bare)):
            return bare
        order = self._order(bare) if bare != text else None
        return order if isinstance(order, str) else None
