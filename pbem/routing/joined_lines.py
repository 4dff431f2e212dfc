"""A letter's lines, with those joined that a mail program wrapped.

Which lines belong together depends on what is an order: league orders and those of all systems.
"""

from collections.abc import Iterable
from functools import cache
from re import Match

from engine import registry
from engine.i18n import say
from engine.order_sheet import Written
from engine.order_words import GRAMMARS
from engine.sheet_reading import read_for
from engine.words import clean
from engine.wrapped_lines import MOST, Reader, extent, joined, may_be_wrapped
from pbem.handlers import orders, pilots
from pbem.handlers.lookup import GAME_HEAD
from pbem.handlers.order_table import LeagueOrder
from pbem.handlers.order_words import in_english
from pbem.handlers.request import Answer, Refusal, Request

_MOST_TRIED = 40
"""So many long lines of a letter are compared with the next ones, because that costs much."""
_MOST_OF_A_BUILD = 11
"""The most lines that an order of LONGEST_BUILD characters may have been wrapped into."""
_SEVERAL_FIELDS = frozenset(("SPEND", "CHOOSE", "TEAM CHALLENGE", "CHALLENGE"))
"""Orders, besides those for personas and designs, whose last parts may be on a wrapped line."""


DIFFERING = Answer(
    False,
    say("it stands in only one of the two forms of your letter, plain text and HTML"),
    say("the letter again as plain text"),
)
BELOW_DASHES = Answer(
    False,
    say("it stands below two dashes, where a signature begins, so nothing was done"),
    say("the orders above the dashes, or without them"),
)
AMID = Answer(
    False,
    say("it stands among lines of our own letter, so nothing was done"),
    say("the order above all that you quote, without our lines"),
)
UNREAD = Answer(
    False,
    say("this file was not opened: only the text of a letter is read"),
    say("the orders in the letter itself"),
)


class LetterLines:
    """A letter's lines, taken one after the other, each with what was wrapped off it."""

    def __init__(self, request: Request, text: str) -> None:
        self._request, self._language = request, request.language
        self.lines = text.splitlines()
        self._reader = Reader(
            self._english, cache(self._is_order), cache(self._reads), cache(self._nears)
        )
        self._tried = self._at = 0

    def take(self, join: bool) -> tuple[str, slice] | None:
        """Return the next line and where it stands in the letter; None at the end.

        With `join`, the lines below that belong to it are part of it.
        """
        first = self._at
        if first == len(self.lines):
            return None
        count = 1
        if join and first + 1 < len(self.lines) and self._tried < _MOST_TRIED:
            self._tried += may_be_wrapped(self.lines[first], self.lines[first + 1])
            found = orders.find(self.lines[first], self._language)
            long = isinstance(found, tuple) and found[0].may_be_tried
            limit = _MOST_OF_A_BUILD if long else MOST
            count = extent(self.lines, first, self._reader, limit)
        self._at += count
        where = slice(first, self._at)
        return self.lines[first] if count == 1 else joined(self.lines[where]), where

    def may_be_cut(self, line: str, order: LeagueOrder) -> bool:
        """Return whether the next line may be the rest of an order, though it can't be read so."""
        found = orders.find(line, self._language)
        if isinstance(found, tuple) and order.act is pilots.enlist:
            # A whole one that breaks a rule is refused, and its player told which.
            broken = pilots.breaks_a_rule(self._request, found[1])
            if broken:
                return False
        long = order.may_be_tried or order.word in _SEVERAL_FIELDS
        if not long or self._at == len(self.lines):
            return False
        below = self.lines[self._at]
        return may_be_wrapped(line, below) and not self.is_order(below)

    def left_out(self) -> list[tuple[str, Answer]]:
        """Return the orders that are not among the lines, and why they are not carried out."""
        request = self._request
        found = [(line, DIFFERING) for line in request.differing if line not in self.lines]
        found += [(line, BELOW_DASHES) for line in request.doubtful]
        found += [(line, AMID) for line in request.amid]
        return [(line, why) for line, why in found if self.is_order(line)]

    def is_order(self, line: str) -> bool:
        """Return whether a line is an order, nearly one, or a mark such as END, by itself."""
        return (
            self._reader.stands(line)
            or self._reader.nears(line)
            or bool(GAME_HEAD.fullmatch(self._english(line)))
        )

    def _english(self, line: str) -> str:
        text, grammar = clean(line), GRAMMARS.get(self._language)
        text = in_english(text, self._language)
        return text if grammar is None else grammar.english(text)

    def _is_order(self, line: str) -> bool:
        return isinstance(orders.find(line, self._language), tuple) or self._reads(line)

    def _reads(self, line: str) -> bool:
        found = orders.find(line, self._language)
        if isinstance(found, tuple):
            order, match = found
            return order.act is not pilots.enlist or pilots.can_read(self._request, match)
        return any(
            not (one.empty or one.near or one.story)
            for one in battle_orders_in(self._request, line)
        )

    def _nears(self, line: str) -> bool:
        return any(
            not near.why for one in battle_orders_in(self._request, line) for near in one.near
        )


def battle_orders_in(request: Request, text: str) -> list[Written]:
    """Return a text of a letter as each system of the league reads it."""
    return as_battle_orders(text, request.language, request.ports.settings.league.systems)


def as_battle_orders(text: str, language: str, systems: Iterable[str]) -> list[Written]:
    """Return the lines as each of a league's systems reads them: no battle is known yet."""
    played = (registry.RULESETS[key] for key in systems if key in registry.RULESETS)
    return [read_for(rules, None, None, text, language) for rules in played]


def cut_short(request: Request, match: Match[str]) -> Answer:
    """Refuse an order whose rest may stand on the next line."""
    raise Refusal(
        say("the next line may be the rest of it, so nothing was done"),
        say("all of it on one line, or a blank line below it"),
    )
