"""What our own letters would order if they came back with no mark that they are quoted."""

import re
from collections.abc import Iterable
from typing import Any

from engine.library import RULESETS
from engine.sheet_reading import read_for
from engine.words import clean, match_name
from pbem.handlers import orders as league_orders
from pbem.handlers.order_words import in_english
from pbem.handlers.own import GAME_HEAD, named_in_head

Battle = tuple[Any, Any]
"""A system's rules, and a state of one of its battles."""

_OPEN = "\nIF ANYTHING: ANYTHING"
"""What is a rule only where a line above it has begun standing orders."""


def taken_for_orders(text: str, language: str = "en", battles: Iterable[Battle] = ()) -> list[Any]:
    """Return all in a letter of ours that could be read as an order, quoted or not, in any battle.

    Blanks of a form that nobody has filled in are none.
    """
    everywhere = [(rules, state, seat) for rules, state in battles for seat in rules.seats(state)]
    everywhere += [(rules, None, None) for rules in RULESETS.values()]
    names = [str(seat) for *_, seat in everywhere if seat]
    found: list[Any] = []
    for form in {text, re.sub(r"^[> ]+", "", text, flags=re.M)}:
        for rules, state, seat in everywhere:
            written = read_for(rules, state, seat, form + _OPEN, language)
            found += [*written.queue, *written.near, *written.salts, *written.private]
            found += [written.standing] if written.standing else []
        found += [line for line in form.splitlines() if _is_heard(line, language, names)]
    return found


def _is_heard(line: str, language: str, names: list[str]) -> bool:
    """Return whether the order dispatch would take a line for an order, or for a head of others."""
    text = in_english(clean(line), language)
    head = named_in_head(text)
    return (
        league_orders.find(line, language) is not None
        or text.upper() == "PREVIEW"
        or GAME_HEAD.fullmatch(text) is not None
        or (head is not None and match_name(head, names) is not None)
    )
