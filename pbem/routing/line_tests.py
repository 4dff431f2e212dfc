"""Tests of a single line: whether it is an order of the league or of any system, or nearly one."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache, partial
from typing import Any

from engine import registry
from engine.names import fold, match_name
from engine.order_languages import GRAMMARS
from engine.orders.lines import clean, is_mark
from engine.orders.orders_on_file import Written
from engine.orders.reading import LineReader, read_for
from engine.orders.wrapped_lines import Reader
from engine.ruleset import AnyRuleset
from engine.seats import Seat
from pbem.games.session import Session
from pbem.handlers import pilots
from pbem.handlers.lookup import GAME_HEAD, PILOT_HEAD
from pbem.handlers.order_table import ORDERS
from pbem.handlers.order_words import in_english
from pbem.handlers.request import Request
from pbem.routing import league_orders

_MOST_TESTED = 60
"""In so many lines of a letter conditions in small letters are looked for, because it is slow."""
_WORDS = frozenset(("YES", "UNDO", "PREVIEW"))
_FORMS = [order.takes_line for order in ORDERS if order.takes_line is not None]


# Cached, because most letters hold the same few lines, such as TARGET.
@lru_cache(maxsize=1024)
def is_order(line: str, language: str, systems: tuple[str, ...]) -> bool:
    """Return whether a line is an order of any kind by itself, or one of a form's lines."""
    if isinstance(league_orders.find(line, language), tuple):
        return True
    text = _in_english(line, language)
    if text.upper() in _WORDS or GAME_HEAD.fullmatch(text) or is_mark(text):
        return True
    if any(form(text, language) for form in _FORMS):
        return True
    written = as_battle_orders(line, language, systems)
    return any(not one.empty or one.salts for one in written)


def _in_english(line: str, language: str) -> str:
    """Return a cleaned line with the league's words and those of all systems in English."""
    text, grammar = in_english(clean(line), language), GRAMMARS.get(language)
    return text if grammar is None else grammar.english(text)


def as_battle_orders(text: str, language: str, systems: Iterable[str]) -> list[Written]:
    """Return the lines as each of a league's systems reads them: no battle is known yet."""
    return [read_for(rules, None, None, text, language) for rules in _loaded(systems)]


def _loaded(systems: Iterable[str]) -> Iterator[AnyRuleset]:
    """Yield the rules of the systems that can be loaded."""
    return (registry.RULESETS[key] for key in systems if key in registry.RULESETS)


def battle_orders_in(request: Request, text: str) -> list[Written]:
    """Return a text of a letter as each system of the league reads it."""
    return as_battle_orders(text, request.language, request.ports.settings.league.systems)


def is_wordy(line: str, request: Request) -> bool:
    """Return whether a line is an order of no system, but words."""
    return all(written.words for written in battle_orders_in(request, line))


class LineTests:
    """Tests of the lines of one letter, which may be orders only together with the next ones."""

    def __init__(self, request: Request) -> None:
        self._request, self._language = request, request.language
        self._tested = 0
        # Each line is tried alone and at the end of those above it, so most come here repeatedly.
        self._as_battle_orders = cache(partial(battle_orders_in, request))
        self.reader = Reader(
            self._english,
            cache(self._is_order),
            cache(self._reads),
            cache(self._nears),
            self._tests,
        )

    @cached_property
    def _readers(self) -> list[LineReader[Any, Any]]:
        systems = _loaded(self._request.ports.settings.league.systems)
        return [LineReader(rules, None, None, self._language) for rules in systems]

    def is_order(self, line: str) -> bool:
        """Return whether a line is an order, nearly one, or a mark such as END, by itself."""
        return self.reader.stands(line) or self.reader.nears(line) or self.is_head(line)

    def is_head(self, line: str) -> bool:
        """Return whether a line names the game, or the pilot, that the orders below it are for."""
        return self.pilot(line) is not None or bool(GAME_HEAD.fullmatch(self._english(line)))

    def pilot(self, line: str) -> str | None:
        """Return the player's own pilot that a line names for the orders below it, or None."""
        found = PILOT_HEAD.fullmatch(self._english(line))
        return match_name(found["name"], self._seats) if found else None

    @cached_property
    def _seats(self) -> list[str]:
        """The names of the player's own pilots in games."""
        running = self._request.ports.store.places_of(self._request.player.id)
        return list({place.seat: None for place in running})

    def is_meant(self, line: str) -> bool:
        """Return whether a line is an order or a rule, or one with something wrong or missing."""
        near = (near for one in self._as_battle_orders(line) for near in one.near)
        return self.reader.is_order(line) or any(one.why for one in near)

    def is_orderly(self, line: str) -> bool:
        """Return whether a line is an order, nearly one, or one with something wrong or missing."""
        return self.is_order(line) or self.is_meant(line)

    def leaves(self, line: str) -> bool:
        """Return whether a line orders a piece to leave the battle for good."""
        systems = self._request.ports.settings.league.systems
        leaving = {word for rules in _loaded(systems) for word in rules.leaving}
        orders = (text for one in self._as_battle_orders(line) for text in one.queue)
        return any(not leaving.isdisjoint(re.split(r"\W+", text)) for text in orders)

    def is_battle_order(self, line: str) -> bool:
        """Return whether a line is an order of a battle by itself, for its next turns."""
        return any(one.queue for one in self._as_battle_orders(line))

    def is_own(self, name: str) -> bool:
        """Return whether some words begin with the name of a persona of the player's, or a piece's.

        That is so in a battle that goes on.
        """
        words = name.split()
        return any(fold(" ".join(words[: n + 1])) in self._own_names for n in range(len(words)))

    @cached_property
    def _own_names(self) -> frozenset[str]:
        store, player = self._request.ports.store, self._request.player.id
        names = [row.name for row in store.personas_of(player)]
        for place in store.places_of(player):
            session = Session(store, store.games.get(place.game_id))
            offered = session.rules.offers(session.state, Seat(place.seat))
            names += [place.seat, *(session.rules.piece(one.order) for one in offered)]
        return frozenset(map(fold, names))

    def has_text(self, line: str) -> bool:
        """Return whether a line is an order of the league that takes the lines below it."""
        found = league_orders.find(line, self._language)
        if not isinstance(found, tuple):
            return False
        order = found[0]
        return order.takes_all or order.takes_line is not None

    def _english(self, line: str) -> str:
        return _in_english(line, self._language)

    def _is_order(self, line: str) -> bool:
        return isinstance(league_orders.find(line, self._language), tuple) or self._reads(line)

    def _reads(self, line: str) -> bool:
        found = league_orders.find(line, self._language)
        if isinstance(found, tuple):
            order, match = found
            return order.act is not pilots.enlist or pilots.can_read(self._request, match)
        return any(not (one.empty or one.near or one.words) for one in self._as_battle_orders(line))

    def _tests(self, line: str) -> bool:
        self._tested += 1
        return self._tested <= _MOST_TESTED and any(one.tests(line) for one in self._readers)

    def _nears(self, line: str) -> bool:
        return any(not near.why for one in self._as_battle_orders(line) for near in one.near)
