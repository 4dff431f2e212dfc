"""League orders in other languages: the words that a player may write for each English word."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from engine.i18n import Said, retold, say
from engine.names import closest, fold, folded_forms, typed
from engine.order_translations import ENGLISH, GRAMMARS, Words, turned
from engine.orders.line_shapes import clean
from engine.registry import RULESETS
from pbem.handlers import german
from pbem.intake import Reading

_MOST_WORDS = 2
_SHORTEST = 3
"""A word with fewer letters, such as the M of a telephone number, shows no language."""
_FEWEST_COMMON = 2
"""How many different common words of a language show that a letter is written in it."""
_LETTERS = re.compile(r"[^\W\d_]+")
_LOUD = re.compile(r"\b[^\W\d_a-z]{3,}\b")
_QUOTED = re.compile(r"\"[^\"]*\"|[“„«][^“”»]*[“”»]|(?<!\w)'[^']*'(?!\w)")


def _parted(words: list[str], known: Callable[[str], str | None]) -> tuple[str | None, list[str]]:
    """Return what `known` makes of the longest head of an order that it knows, and the rest.

    Return None and all words where it knows none.
    """
    # Two words first: ADRESSE LÖSCHEN is another order than ADRESSE.
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        head = known(" ".join(words[:count]))
        if head is not None:
            return head, words[count:]
    return None, words


@dataclass(frozen=True)
class LeagueTranslation:
    """A language's words: `heads` for the orders' first words, `links` for those in an order, and
    `rulings` for those of a moderator.

    `common` are words that show what language a letter is in, and `game_line` those of a line that
    names a game.
    """

    heads: Words
    links: Mapping[str, Words]
    common: frozenset[str]
    game_line: Words
    rulings: Words

    @cached_property
    def _heads(self) -> dict[str, str]:
        return turned(self.heads)

    @cached_property
    def _links(self) -> dict[str, dict[str, str]]:
        common = turned(self.links[""])
        return {head: common | turned(self.links.get(head, {})) for head in self.heads}

    def english(self, text: str) -> str:
        """Return a cleaned line in English words if it begins like an order, else as it is.

        A first word in capitals stays in capitals, because capitals show that an order is meant.
        """
        words = text.split()
        head, tail = _parted(words, lambda head: self._heads.get(fold(head)))
        if head is None:
            return text
        return self._with(head if words[0].isupper() else head.capitalize(), tail)

    def mixed(self, text: str) -> str:
        """Return a cleaned line that begins like an English order, with this language's links in
        English."""
        head, tail = _parted(
            text.split(), lambda head: head if head.upper() in self.heads else None
        )
        return text if head is None else self._with(head, tail)

    @cached_property
    def _rulings(self) -> dict[str, str]:
        return turned(self.rulings)

    def ruling(self, text: str) -> str:
        """Return a moderator's ruling, without a reason, in English words."""
        return " ".join(self._rulings.get(fold(word), word) for word in text.split())

    def mended(self, text: str) -> str | None:
        """Return a line with its first word as it was meant, in this language, or None."""
        words = text.split()
        meant = closest(words[0], (one for all_ in self.heads.values() for one in all_))
        return " ".join([meant, *words[1:]]) if meant else None

    def shown(self, order: str) -> str:
        """Return an order that begins with English words in capitals in this language's words."""
        head, tail = _parted(order.split(), lambda head: head if head in self.heads else None)
        if head is None:
            return order
        return f"{self.heads[head][0]} {self.shown_within(head, ' '.join(tail))}".strip()

    def shown_within(self, head: str, text: str) -> str:
        """Return words within an order, which begins with a `head`, in this language's words."""
        own = {**self.links[""], **self.links.get(head, {})}
        return " ".join(own.get(word, (word,))[0] for word in text.split(" "))

    def _with(self, head: str, tail: list[str]) -> str:
        links = self._links[head.upper()]
        return " ".join([head, *(links.get(fold(word), word) for word in tail)])


_CHALLENGES = ("CHALLENGE", "CHALLENGE ANYBODY", "TEAM CHALLENGE", "REMATCH")
"""The orders that may end in words of a system, for what the battle is to be."""


def _with_systems(
    language: str,
    heads: Words,
    links: Mapping[str, Words],
    common: frozenset[str],
    game_line: Words,
    rulings: Words,
) -> LeagueTranslation:
    """Return a language's words of league orders, with those that the systems add."""
    links = dict(links)
    for rules in RULESETS.values():
        if language in rules.translations:
            league = rules.translations[language].league
            heads = {**heads, **league.get("", {})}
            for head in filter(None, league):
                links[head] = {**links.get(head, {}), **league[head]}
            things, terms = (
                rules.translations[language].things,
                rules.campaign and rules.campaign.terms,
            )
            asked = {word: things[word] for word in terms or () if word in things}
            for head in _CHALLENGES:
                links[head] = {**links.get(head, {}), **asked}
    return LeagueTranslation(heads, links, common, game_line, rulings)


TRANSLATIONS = {
    "de": _with_systems(
        "de", german.HEADS, german.LINKS, german.COMMON, german.GAME_LINE, german.RULINGS
    )
}
"""The languages that league orders may be written in, in addition to English."""


def in_game_line(*words: str) -> str:
    """Return a pattern for some words of a line that names a game, in all languages."""
    others = [w for t in TRANSLATIONS.values() for one in words for w in t.game_line.get(one, ())]
    forms = (form for word in (*words, *others) for form in typed(word))
    return rf"(?:{'|'.join(forms)})"


@cache
def _first_words(language: str) -> frozenset[str]:
    """Return the folded words that begin orders of any kind in a language alone."""
    systems = [r.translations[language].commands for r in RULESETS.values() if r.translations]
    words = [TRANSLATIONS[language].heads, GRAMMARS[language].words, *systems]
    english = {fold(one.split()[0]) for every in words for one in every}
    firsts = (w.split()[0] for every in words for all_ in every.values() for w in all_)
    own = {form for first in firsts for form in folded_forms(first)}
    return frozenset(one for one in own - english if len(one) >= _SHORTEST)


@cache
def _all_first_words() -> frozenset[str]:
    """Return the folded words that begin orders of any kind in any language."""
    systems = [one.commands for rules in RULESETS.values() for one in rules.translations.values()]
    every = [*systems, *(one.heads for one in TRANSLATIONS.values())]
    english = {fold(one.split()[0]) for words in every for one in words}
    return frozenset(english.union(*map(_first_words, TRANSLATIONS)))


def names_an_order(line: str) -> bool:
    """Return whether a line holds the word of an order in capitals, but not in quotation marks.

    A line that is all in capitals does not count.
    """
    loud = () if line.isupper() else _LOUD.findall(_QUOTED.sub("", line))
    return any(fold(word) in _all_first_words() for word in loud)


def in_another_language(line: str, language: str) -> Said | None:
    """Return what to do about a line that begins like an order in another language, or None."""
    words = clean(line).rstrip(":").split()
    for other in TRANSLATIONS:
        if other != language and words and fold(words[0].rstrip(":")) in _first_words(other):
            order = f"LANGUAGE {other}"
            return say(
                "it reads like an order in another language; {order} lets you write in it",
                order=order,
            )
    return None


def says(reading: Reading, words: str, language: str) -> bool:
    """Return whether a letter has these words on a line of their own, in English or a language."""
    lines = reading.text.splitlines()
    return any(in_english(clean(line), language).upper() == words for line in lines)


def in_english(text: str, language: str) -> str:
    """Return a cleaned line in English words if it begins like an order in a language."""
    # Only in the player's own language: an English story must not be read as German orders.
    translation = TRANSLATIONS.get(language)
    return text if translation is None else translation.english(text)


def in_words_of(order: str, language: str) -> str:
    """Return an order that begins with English words in capitals in the words of a language."""
    translation = TRANSLATIONS.get(language)
    return translation.shown(order) if translation else order


def in_written_words(answer: str, head: str, language: str) -> str:
    """Return what is said of an order with the words of the order in a language."""
    translation = TRANSLATIONS.get(language)
    if translation is None:
        return answer
    return retold(answer, lambda words: translation.shown_within(head, words))


def in_english_from_any(text: str) -> Iterator[tuple[str, str]]:
    """Yield a cleaned line in English words as each language reads it, with that language.

    The languages that read nothing into it are left out, except English, which comes first.
    """
    # English first: a word of several languages is read as English.
    yield text, ENGLISH
    for language, translation in TRANSLATIONS.items():
        if (read := translation.english(text)) != text:
            yield read, language


def written_in(text: str) -> str:
    """Return the language other than English that a text is written in, or "" if unsure.

    >>> written_in("Hallo, ich möchte mitspielen.")
    'de'
    >>> written_in("Hello, I would like to play.")
    ''
    """
    words = set(map(fold, _LETTERS.findall(text)))
    for key, one in TRANSLATIONS.items():
        if sum(not words.isdisjoint(folded_forms(word)) for word in one.common) >= _FEWEST_COMMON:
            return key
    return ""
