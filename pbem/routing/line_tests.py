"""Tests of a single line: whether it is an order of the league or of any system, or nearly one."""

from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache, partial
from typing import Any

from engine import registry
from engine.names import fold, match_name
from engine.order_translations import GRAMMARS
from engine.orders.line_shapes import clean, doctrine_named, is_mark
from engine.orders.orders_on_file import Written
from engine.orders.reading import LineReader, read_for
from engine.orders.wrapped_lines import WrapTests
from engine.ruleset import AnyRuleset
from pbem.handlers.names.own_pilots_and_places import GAME_HEAD, PILOT_HEAD
from pbem.handlers.order_table import ORDERS
from pbem.handlers.order_words import in_english
from pbem.handlers.personas import enlist_and_resign
from pbem.handlers.request import Request
from pbem.people import doctrines
from pbem.routing import find_league_order
from pbem.storage import stored_games

_MOST_TESTED = 60
"""In so many lines of a letter conditions in small letters are looked for, because it is slow."""
_WORDS = frozenset(("YES", "UNDO", "PREVIEW"))
_FORMS = [order.takes_line for order in ORDERS if order.takes_line is not None]


# Cached, because most letters hold the same few lines, such as TARGET.
@lru_cache(maxsize=1024)
def is_order(line: str, language: str, systems: tuple[str, ...]) -> bool:
    """Return whether a line is an order of any kind by itself, or one of a form's lines."""
    if isinstance(find_league_order.find(line, language), tuple):
        return True
    text = in_all_english(line, language)
    if text.upper() in _WORDS or GAME_HEAD.fullmatch(text) or is_mark(text):
        return True
    if any(form(text, language) for form in _FORMS):
        return True
    written = as_battle_orders(line, language, systems)
    return any(not one.empty or one.salts for one in written)


def in_all_english(line: str, language: str) -> str:
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


def salts_in(request: Request, text: str) -> tuple[str, ...]:
    """Return the SALT lines of a text, which all systems read alike."""
    systems = request.ports.settings.league.systems[:1]
    return as_battle_orders(text, request.language, systems)[0].salts


class LineTests:
    """Tests of the lines of one letter, which may be orders only together with the next ones."""

    def __init__(self, request: Request) -> None:
        self._request, self._language = request, request.language
        self._tested = 0
        # Each line is tried alone and at the end of those above it, so most come here repeatedly.
        self._as_battle_orders = cache(partial(battle_orders_in, request))
        self.reader = WrapTests(
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
        text = self._english(line)
        pilot = PILOT_HEAD.fullmatch(text)
        own = pilot is not None and match_name(pilot["name"], self._seats) is not None
        return own or GAME_HEAD.fullmatch(text) is not None

    def gives_doctrine(self, line: str, any_name: bool) -> bool:
        """Return whether a line gives a doctrine of the player's own, such as STANDING hunter.

        With `any_name` it may be one that the player does not have.
        """
        name = doctrine_named(self._english(line))
        return name is not None and (any_name or fold(name) in self._doctrines)

    @cached_property
    def _doctrines(self) -> dict[str, str]:
        """The rules of the player's doctrines, of whichever persona, by their folded names."""
        return doctrines.texts(doctrines.of(self._request.ports.store, self._request.player.id))

    @cached_property
    def _seats(self) -> list[str]:
        """The names of the player's own pilots in games."""
        running = stored_games.places_of(self._request.ports.store, self._request.player.id)
        return list({place.seat: None for place in running})

    def _english(self, line: str) -> str:
        return in_all_english(line, self._language)

    def _is_order(self, line: str) -> bool:
        return isinstance(find_league_order.find(line, self._language), tuple) or self._reads(line)

    def _reads(self, line: str) -> bool:
        found = find_league_order.find(line, self._language)
        if isinstance(found, tuple):
            order, match = found
            return order.act is not enlist_and_resign.enlist or enlist_and_resign.can_read(
                self._request, match
            )
        return any(not (one.empty or one.near or one.words) for one in self._as_battle_orders(line))

    def _tests(self, line: str) -> bool:
        self._tested += 1
        return self._tested <= _MOST_TESTED and any(one.tests(line) for one in self._readers)

    def _nears(self, line: str) -> bool:
        return any(not near.why for one in self._as_battle_orders(line) for near in one.near)
