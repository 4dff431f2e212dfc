"""Filters: what templates may do with facts in a language."""

import hashlib
from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from engine.i18n import Said, all_of, say
from engine.library import rules_of
from engine.order_words import GRAMMARS
from pbem.i18n.catalogue import Catalogue


def in_words(words: Catalogue, system: str) -> dict[str, Callable[..., str]]:
    """Return the filters of a language's templates: orders, conditions and words of a system."""
    grammar = GRAMMARS.get(words.language)
    translation = rules_of(system).translations.get(words.language) if system else None

    def order(text: str, of: str = system) -> str:
        translation = rules_of(of).translations.get(words.language) if of else None
        if isinstance(text, Said) or translation is None or grammar is None:
            return text
        return grammar.shown(text, translation)

    def conditions(text: str) -> str:
        return grammar.conditions(text, translation) if translation and grammar else text

    return {"order": order, "conditions": conditions, "word": words.word}


def against(teams: Sequence[Mapping[str, str] | str]) -> str:
    """Return who plays against whom: two teams or more, each as a name or as what has one.

    >>> against(["Hawk", "Kestrel"])
    'Hawk against Kestrel'
    """
    names = [team if isinstance(team, str) else team["name"] for team in teams]
    if len(names) == 2:
        return say("{one} against {other}", one=names[0], other=names[1])
    return all_of(names)


def flow(text: str) -> Markup:
    """Return a paragraph as one line."""
    return Markup(" ".join(str(text).split()))


def picker(*seed: object, turn: int = 0) -> Callable[[Sequence[str]], str]:
    """Return a function that picks one of several phrases, always the same one for a seed.

    With each `turn` it is the next one, so that phrases in a row differ.
    """
    digest = hashlib.sha256("\0".join(map(str, seed)).encode()).digest()
    return lambda ways: ways[(int.from_bytes(digest[:4], "big") + turn) % len(ways)]
