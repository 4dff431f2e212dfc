"""Filters: what templates may do with facts in a language."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from markupsafe import Markup

from engine.campaign import each_term
from engine.i18n import Said, all_of, say
from engine.order_translations import GRAMMARS, Translation
from engine.orders.orders_for_several import runs as runs_of
from engine.orders.orders_for_several import shared_orders
from engine.registry import campaigns, rules_of
from pbem.i18n.message_catalogue import Catalogue


def in_words(words: Catalogue, system: str) -> dict[str, Callable[..., object]]:
    """Return the filters of a language: orders, conditions, terms, words, sentences, names."""
    grammar = GRAMMARS.get(words.language)

    def translation_of(key: str) -> Translation | None:
        return rules_of(key).translations.get(words.language) if key else None

    translation = translation_of(system)

    def order(text: str, of: str = system) -> str:
        found = translation_of(of)
        if isinstance(text, Said) or found is None or grammar is None:
            return text
        return grammar.shown(text, found)

    def conditions(text: str) -> str:
        return grammar.conditions(text, translation) if translation and grammar else text

    def terms(text: str, of: str = "") -> str:
        found = translation_of(of or system)
        campaign = campaigns().get(of or system)
        if found is None or campaign is None:
            return text
        return " ".join(map(found.terms, each_term(text, campaign.terms)))

    def runs(names: Sequence[str]) -> list[str]:
        return [str(words.say(name) if isinstance(name, Said) else name) for name in in_runs(names)]

    def together(names: Sequence[str]) -> str:
        said = all_of(runs(names))
        return words.say(said) if isinstance(said, Said) else said

    def merged(orders: Sequence[str]) -> list[str]:
        return in_fewer(orders, together)

    return {
        "order": order,
        "conditions": conditions,
        "terms": terms,
        "word": words.word,
        "sentence": words.sentence,
        "runs": runs,
        "merged": merged,
        "shared": shared_orders,
    }


def in_runs(names: Iterable[str]) -> list[str]:
    """Return names in order, of which three or more that count up are told as one.

    >>> in_runs(["R 2", "R 10", "Hawk", "R 3", "R 4"])
    ['R 2 to R 4', 'R 10', 'Hawk']
    """
    return [
        run[0] if len(run) == 1 else say("{first} to {last}", first=run[0], last=run[-1])
        for run in runs_of(names)
    ]


def in_fewer(orders: Sequence[str], listed: Callable[[Sequence[str]], str]) -> list[str]:
    """Return orders, of which those that differ in one name alone are told as one.

    >>> in_fewer(["FIRE Gun AT Red 1", "FIRE Gun AT Red 2", "FIRE Ray AT Red 1", "HOLD"], all_of)
    ['FIRE Gun AT Red 1 and Red 2', 'FIRE Ray AT Red 1', 'HOLD']
    """
    left, told = [order.split(" ") for order in orders], list[str]()
    while left:
        first, *others = left
        shape = next(filter(None, (_shape(first, other) for other in others)), None)
        alike = [first, *(one for one in others if shape and _shape(first, one) == shape)]
        left = [one for one in others if one not in alike]
        if shape is None:
            told.append(" ".join(first))
        else:
            begin, end = shape
            names = [" ".join(one[len(begin) : len(one) - len(end)]) for one in alike]
            told.append(" ".join((*begin, listed(names), *end)))
    return told if len(told) == len(orders) else in_fewer(told, listed)


def _shape(one: list[str], other: list[str]) -> tuple[list[str], list[str]] | None:
    """Return the words before and after the only name in which two orders differ, or None."""
    differ = [n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) != len(other) or len(differ) != 1 or differ[0] == 0:
        return None
    [at] = differ
    # The number belongs to a name, such as Red 1.
    numbered = at > 1 and one[at].isdigit() and other[at].isdigit()
    return one[: at - numbered], one[at + 1 :]


def against(teams: Sequence[Mapping[str, str] | str]) -> str:
    """Return who plays against whom: two teams or more, each as a name or as what has one.

    >>> against(["Hawk", "Kestrel"])
    'Hawk against Kestrel'
    """
    names = [team if isinstance(team, str) else team["name"] for team in teams]
    if len(names) == 2:
        return say("{one} against {other}", one=names[0], other=names[1])
    return all_of(names)


def own_first(
    rows: Iterable[Mapping[str, object]], side: object, key: str = "team"
) -> list[Mapping[str, object]]:
    """Return rows with those of one side first, and otherwise in their order."""
    return sorted(rows, key=lambda row: row.get(key) != side)


def flow(text: str) -> Markup:
    """Return a paragraph as one line."""
    return Markup(" ".join(str(text).split()))


def percent(number: int) -> str:
    """Return how many of 100 as letters show it, such as `42 %`."""
    return f"{number} %"


def picker(*seed: object, turn: int = 0) -> Callable[[Sequence[str]], str]:
    """Return a function that picks one of several phrases, always the same one for a seed.

    With each `turn` it is the next one, so that phrases in a row differ.
    """
    # Not by hash(), which differs from one process to the next: a letter that is made again must
    # have the same words.
    digest = hashlib.sha256("\0".join(map(str, seed)).encode()).digest()
    return lambda ways: ways[(int.from_bytes(digest[:4], "big") + turn) % len(ways)]
