"""The words of a plan, and a text taken apart into them: key words, names, numbers and marks."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.order_words import Words, turned
from engine.starfarer.german_words import GERMAN_WORDS
from engine.starfarer.tables import AREAS, NEAREST, SHOCK
from engine.words import fold

ENGLISH: Words = {
    "ATTACK": ("ATTACK", "SHOOT AT", "SHOOT", "FIRE AT", "FIRE ON", "FIRE", "STRIKE", "STAB"),
    "AIM AT": ("AIM AT", "AIM"),
    "EVADE": ("EVADE", "DODGE"),
    "PARRY": ("PARRY", "BLOCK"),
    "MOVE TOWARD": (
        "MOVE TOWARD", "MOVE TOWARDS", "GO TOWARD", "GO TOWARDS", "RUN TOWARD", "RUN TOWARDS",
        "APPROACH",
    ),
    "MOVE TO": ("MOVE TO", "GO TO", "RUN TO", "MOVE"),
    "TREAT": ("TREAT", "BANDAGE"),
    "DROP": ("DROP", "LIE DOWN", "GO PRONE"),
    "RISE": ("RISE", "STAND UP", "GET UP"),
    "HOLD": ("HOLD",),
    "YIELD": ("YIELD", "SURRENDER"),
    "ABORT": ("ABORT",),
    "KEEP": ("KEEP",),
    "IF": ("IF", "WHEN"),
    "ELSE": ("ELSE", "OTHERWISE"),
    "AND": ("AND",),
    "THEN": ("THEN",),
    "WITH": ("WITH", "USING"),
    "WITHIN": ("WITHIN",),
    "METRES": ("METRES", "METRE", "METERS", "METER", "M"),
    "FINISH": ("FINISH",),
    "OF": ("OF",),
    "NOT": ("NOT",),
    "ENGAGED": ("ENGAGED",),
    "CLEAR": ("CLEAR",),
    "HURT": ("HURT", "WOUNDED"),
    "BLEEDING": ("BLEEDING",),
    NEAREST: (NEAREST, "the nearest", "closest", "the closest"),
    **{area: (area,) for area in (*AREAS, SHOCK)},
    "right hand": ("right hand",),
    "left hand": ("left hand",),
}  # fmt: skip
"""What may be written for each key word; the first is the one that is shown."""

VERBS = (
    "ATTACK", "AIM AT", "EVADE", "PARRY", "MOVE TOWARD", "MOVE TO", "TREAT", "DROP", "RISE",
    "HOLD", "YIELD",
)  # fmt: skip
CONDITIONS = {"ENGAGED": "engaged", "CLEAR": "clear", "HURT": "hurt", "BLEEDING": "bleeding"}
"""The conditions of a plan by their key words (SF-9)."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[,;:&+]|[^\s,;:&+"]++|"')
_METRES = re.compile(r"(-?\d{1,9})m", re.I)
_MOST_WORDS = 3
"""The most words of a key word."""


class Token(NamedTuple):
    """A part of a text: a `key` word, a `word`, a `quoted` name, or a `mark` such as a comma.

    `written` is what stood there, and `text` a key word as it is meant, or a name without quotes.
    """

    kind: str
    text: str
    written: str


_ENGLISH = turned(ENGLISH)
_JOINS = {"&": "AND", "+": "AND"}


def tokens(text: str, forms: Mapping[str, str] = _ENGLISH) -> list[Token]:
    """Return a text's parts; `forms` are the key words by all their folded forms."""
    raw, found, at = _TOKEN.findall(text), list[Token](), 0
    while at < len(raw):
        count, token = _next(raw, at, forms)
        found.append(token)
        at += count
    return found


def _next(raw: list[str], at: int, forms: Mapping[str, str]) -> tuple[int, Token]:
    """Return the part that begins at a place, and how many pieces it takes: as many as it can."""
    one = raw[at]
    if one in _JOINS:
        return 1, Token("key", _JOINS[one], one)
    if one[0] in ',;:"':
        if len(one) > 1:
            return 1, Token("quoted", _unquoted(one), one)
        return 1, Token("mark", one, one)
    for count in range(min(_MOST_WORDS, len(raw) - at), 0, -1):
        written = raw[at : at + count]
        # Folding drops spaces, so that only a form of as many words is this one.
        meant = None if any(w[0] in ',;:"&+' for w in written) else _form(tuple(written), forms)
        if meant is not None:
            return count, Token("key", meant, " ".join(written))
    # A point ends a sentence; within a name it belongs to it.
    number = _METRES.fullmatch(one)
    return 1, Token("word", number[1] if number else one, one)


def _form(written: tuple[str, ...], forms: Mapping[str, str]) -> str | None:
    return forms.get(fold(" ".join(written)))


def _unquoted(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted[1:-1]


def is_number(text: str) -> bool:
    """Return whether a word is a whole number."""
    return re.fullmatch(r"-?[0-9]{1,9}", text) is not None


_PLAIN = re.compile(r"\w(?:[\w .'-]*[\w'])?")
_RESERVED = frozenset((*_ENGLISH, *turned(GERMAN_WORDS)))
"""All forms of key words in any language: names are kept apart from them."""


@lru_cache(maxsize=1024)
def name_text(name: str) -> str:
    """Return a name, in quotes where it might be taken for something else."""
    words = name.split()
    spans = (
        " ".join(words[at : at + count])
        for at in range(len(words))
        for count in range(1, _MOST_WORDS + 1)
    )
    plain = (
        _PLAIN.fullmatch(name)
        and " ".join(words) == name
        and not is_number(name)
        and not _METRES.fullmatch(name)
        and not any(fold(span) in _RESERVED for span in spans)
    )
    return name if plain else json.dumps(name, ensure_ascii=False)
