"""The English words of orders that a letter in another language shows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from selectolax.lexbor import LexborHTMLParser

from engine.order_translations import GRAMMARS
from engine.registry import RULESETS
from pbem.handlers.order_words import TRANSLATIONS

_WORD = re.compile(r"\b[^\W\d_]{3,}\b")
_SHELL = "pbem gm CLOCK RIGHT"
"""What a moderator types in a shell, where nothing is translated."""
_ADDRESS = re.compile(r"\S+@\S+")
_AROUND = 40
"""How many characters before a word are shown with it."""


def _tables(language: str) -> Iterator[Mapping[str, Sequence[str]]]:
    """Yield the words of all orders in a language, by the English ones."""
    league = TRANSLATIONS[language]
    yield from (GRAMMARS[language].words, league.heads, league.rulings, *league.links.values())
    for rules in RULESETS.values():
        if language in rules.translations:
            yield rules.translations[language].commands
            yield rules.translations[language].things


@cache
def order_words(language: str) -> frozenset[str]:
    """Return the English words of orders, as orders hold them, that are no words of a language."""
    tables = list(_tables(language))
    english = {word for table in tables for key in table for word in _WORD.findall(key)}
    own = {
        word.casefold()
        for table in tables
        for all_ in table.values()
        for phrase in all_
        for word in _WORD.findall(phrase)
    }
    return frozenset(word for word in english if word.casefold() not in own)


def shown(html: str, language: str, own: str = "") -> list[str]:
    """Return the English words of orders in a letter's HTML, with what stands around each.

    Players' own words, those in `own`, and what is marked as English are left out.
    """
    main = LexborHTMLParser(html).css_first("[role=main]")
    assert main is not None
    for quoted in main.css("i, blockquote, [lang=en]"):
        quoted.decompose()
    text = _ADDRESS.sub("", main.text(separator=" ").replace(_SHELL, ""))
    known = order_words(language) - set(_WORD.findall(own))
    found = [match for match in _WORD.finditer(text) if match[0] in known]
    return [text[max(0, match.start() - _AROUND) : match.end()] for match in found]
