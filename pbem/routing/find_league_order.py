"""Which league order a line is, or is close to."""

import re
from collections.abc import Set
from functools import cache, lru_cache
from re import Match

from engine.i18n import Said, either, say
from engine.names import closest, fold
from engine.order_translations import ENGLISH
from engine.orders.line_shapes import LONGEST, LONGEST_BUILD, clean, is_head
from engine.registry import RULESETS
from engine.ruleset import Near
from pbem.handlers.offers.making import TEAM_EXAMPLE
from pbem.handlers.order_table import ORDERS, LeagueOrder
from pbem.handlers.order_words import (
    TRANSLATIONS,
    LeagueTranslation,
    in_another_language,
    in_english_from_any,
)
from pbem.handlers.request import Answer, Refusal, Request

_TAKERS = {one.word: one for one in ORDERS if one.takes_all and one.word != "GM"}
_BATTLE_WORDS = {
    command
    for rules in RULESETS.values()
    for translation in rules.translations.values()
    for command in translation.commands
} - {order.word for order in ORDERS}
"""The words that begin battle orders: a line with one is not a mistyped league order."""


@cache
def _things(language: str) -> Set[str]:
    """Return the systems' words for things in a language, folded; they are not mistyped orders."""
    spoken = [r.translations[language] for r in RULESETS.values() if language in r.translations]
    return {fold(word) for one in spoken for words in one.things.values() for word in words}


_WORDS = [order.word for order in ORDERS]
_BY_WORD = {word: [order for order in ORDERS if order.word == word] for word in _WORDS}
"""The orders by their words; several may have one, such as the kinds of CHALLENGE."""
_LINKS = {
    word: {
        next((each for each in order.example.split()[2:] if each.isupper()), "") for order in orders
    }
    for word, orders in _BY_WORD.items()
}
"""The words between the first parts of orders, such as WITH in CHALLENGE Kestrel WITH Hawk."""
[STORY] = _BY_WORD["STORY"]
LONGEST_NEAR = 4
"""A line with more words than this is rarely taken for a mistyped order."""
_BEGINS = re.compile(rf"(?:{'|'.join(_WORDS)})\b", re.I)
_LONGEST = 300
"""The most characters of any other order than one of LONGEST_BUILD."""
_VERB = re.compile(r"^PRACTISE\b", re.I)
"""How the British spell the verb."""


def find(line: str, language: str = ENGLISH) -> tuple[LeagueOrder, Match[str]] | Near | None:
    """Return the league order in a whole line, a near miss with a hint, or None.

    English words are always understood, and those of the language too.
    """
    if len(line) <= LONGEST:
        return _found(line, language)
    # Only the few orders that may be longer are read whole: no other pattern sees a long line.
    found = _found(line[:LONGEST], language)
    if not isinstance(found, tuple) or not found[0].may_be_tried:
        return None
    if len(line) <= LONGEST_BUILD:
        return _found(line, language)
    return found[0]._replace(act=_too_long), found[1]


def _too_long(request: Request, match: Match[str]) -> Answer:
    """Refuse an order that is too long: cut off somewhere, it would be another order."""
    raise Refusal(
        say("an order may have {most} characters, and this one has more", most=LONGEST_BUILD),
        say("shorter names"),
    )


def taker(line: str, language: str = ENGLISH) -> LeagueOrder | None:
    """Return the order with a text for others, such as TELL, that a mistyped line was meant to be.

    The text below such a line was meant for somebody, so it must not be published as a story.
    """
    found = find(line, language)
    text = clean(line[:LONGEST])
    translation = TRANSLATIONS.get(language)
    english = text if translation is None else translation.english(text)
    meant = found.hint if isinstance(found, Near) else english
    words = (meant if translation is None else translation.english(meant)).split()
    head = words[0] if words and not isinstance(found, tuple) else ""
    return _TAKERS.get(head)


@lru_cache(maxsize=1024)
def _found(line: str, language: str) -> tuple[LeagueOrder, Match[str]] | Near | None:
    text, translation = clean(line, LONGEST_BUILD), TRANSLATIONS.get(language)
    # English first (docs/rulings.md, orders in other languages).
    found = _find(text, line)
    if isinstance(found, tuple) and translation is not None:
        mixed = translation.mixed(text)
        again = _find(mixed, line) if mixed != text else None
        return again if isinstance(again, tuple) else found
    if isinstance(found, tuple) or not text:
        return found
    if translation is None:
        return _foreign_order(text, line, language) or found
    english = translation.english(text)
    if english != text:
        return _in_words(translation, _find(english, line))
    own = not _things(language).isdisjoint((fold(text), fold(text.split()[0])))
    mended = None if own else translation.mended(text)
    if mended:
        english = translation.english(mended)
        again = _find(english, line)
        if isinstance(again, tuple) and _is_plain(again[0].word, english):
            return Near(line.strip(), mended)
    return _in_words(translation, found)


def _in_words(
    translation: LeagueTranslation, found: tuple[LeagueOrder, Match[str]] | Near | None
) -> tuple[LeagueOrder, Match[str]] | Near | None:
    """Return what was found, a corrected line in the words of the writer's language."""
    # An example is translated when it is rendered.
    if not isinstance(found, Near) or isinstance(found.hint, Said):
        return found
    return Near(found.text, translation.shown(found.hint))


def _foreign_order(
    text: str, line: str, language: str
) -> tuple[LeagueOrder, Match[str]] | Near | None:
    """Return LANGUAGE as other languages write it: who needs it may not know the English word.

    Any other order in another language is a near miss.
    """
    for english, other in in_english_from_any(text):
        found = _find(english, line) if other != ENGLISH else None
        if isinstance(found, tuple):
            why = in_another_language(text, language)
            return (
                found if found[0].word == "LANGUAGE" or not why else Near(line.strip(), why, True)
            )
    return None


def _find(text: str, line: str) -> tuple[LeagueOrder, Match[str]] | Near | None:
    """Return the league order in a cleaned line of English words, a near miss, or None."""
    text = _VERB.sub("PRACTICE", text)
    words = text.split()
    if not words:
        return None
    # Most lines are not league orders, and one pattern of all first words is quicker than all.
    for order in ORDERS if _BEGINS.match(text) else ():
        match = order.pattern.fullmatch(text)
        if match is not None and (len(text) <= _LONGEST or order.may_be_tried):
            return order, match
    if len(text) > _LONGEST:
        return None
    return _near(text, words, line)


def _fits(word: str, text: str) -> bool:
    """Return whether a text is one of the orders of a word."""
    return any(order.pattern.fullmatch(text) for order in _BY_WORD[word])


def _near(text: str, words: list[str], line: str) -> Near | None:
    """Return a near miss for a short line that begins with an order word, perhaps a mistyped one.

    A longer line counts too where the word between its parts belongs to the order.
    """
    # STANDING begins a part of battle orders; it is not a mistyped STANDINGS.
    if words[0].upper() in _BATTLE_WORDS or is_head(text):
        return None
    if words[0].upper() == "TEAM" and _meant(words[-1 if len(words) == 1 else 1]) == "CHALLENGE":
        return Near(line.strip(), TEAM_EXAMPLE)
    # The first word is right, so the rest must be wrong: the hint is an example of the order.
    if words[0] in _BY_WORD:
        examples = dict.fromkeys(order.example for order in _BY_WORD[words[0]])
        return Near(line.strip(), either(examples)) if _is_plain(words[0], text) else None
    # With nothing but a number behind it, a short word is one as well.
    meant = _meant(words[0], short=len(words) == 2 and words[1].isdecimal())
    if meant is None:
        return None
    mended = " ".join([meant, *words[1:]])
    near = _is_plain(meant, mended) and _fits(meant, mended)
    return Near(line.strip(), mended) if near else None


def _is_plain(word: str, text: str) -> bool:
    """Return whether a line has few words, or the word that stands between the order's parts."""
    words = text.upper().split()
    return len(words) <= LONGEST_NEAR or not _LINKS[word].isdisjoint(words)


@lru_cache(maxsize=1024)
def _meant(word: str, short: bool = False) -> str | None:
    """Return the order word that a mistyped word, which may be `short`, is close to, or None."""
    # Cached, because the words of battle orders come here again and again.
    # A shorter word is like too many others.
    return closest(word, _WORDS) if len(word) >= 5 - short else None
