"""What a name looks like: Unicode's confusable skeletons, and the characters allowed in names.

Two names whose skeletons are equal can be mistaken for each other (UTS 39, section 4).
"""

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from engine.i18n import Said, say
from engine.names import fold

_MARK = "\u200e"
"""The data has this invisible mark around each entry that is written from right to left."""
_PUNCTUATION = frozenset(" '-.&!?()/+_\u2019\u2018\u02bc\u02bb\u2010\u2013\u00b7\u30fb")
"""Signs allowed in names, apart from letters: apostrophes, hyphens and dots of several scripts."""
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc"
    "\U0001d159\U000e0100-\U000e01ef]"
)
"""Letters, marks and symbols that are invisible, although Unicode counts them as visible."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd"})
"""The categories of letters, of marks that stand on them, and of digits."""


class Skeleton(NamedTuple):
    """What a name looks like in small letters, and as it is written.

    Both count: `KestreI` with a capital I is like `Kestrel` as it is written, and not in small
    letters; `mоrse` with a Cyrillic o is like `Morse` in small letters.
    """

    small: str
    shape: str


@cache
def _prototypes() -> dict[str, str]:
    """Return what each confusable character is mistaken for.

    The library lists each pair of look-alikes both ways. They form stars: all that look alike are
    paired with one, so the one with most pairs is the centre that the others are mistaken for. A
    sequence such as `rn`, which looks like m, is always such a centre.
    """
    from confusable_homoglyphs.confusables import confusables_data

    pairs: dict[str, set[str]] = {}
    for one, others in confusables_data.items():
        near = {str(other["c"]).replace(_MARK, "") for other in others}
        pairs.setdefault(one.replace(_MARK, ""), set()).update(near)
    found: dict[str, str] = {}
    for one, near in pairs.items():
        centre = max((one, *near), key=lambda each: (len(each) > 1, len(pairs[each]), each))
        if len(one) == 1 and centre != one:
            found[one] = centre
    return found


@lru_cache(maxsize=4096)
def skeleton(text: str) -> str:
    """Return the skeleton of a text (UTS 39, section 4)."""
    for _ in range(3):  # a prototype may itself hold confusable characters
        known = _prototypes()
        mapped = "".join(known.get(c, c) for c in unicodedata.normalize("NFD", text))
        if mapped == text:
            break
        text = mapped
    return unicodedata.normalize("NFD", text)


@lru_cache(maxsize=4096)
def looks(name: str) -> Skeleton:
    """Return what a name looks like, without accents, spaces and punctuation."""
    plain = unicodedata.normalize("NFKC", name)
    bare = "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))
    return Skeleton(_letters(skeleton(fold(plain))), _letters(skeleton(bare)))


def _letters(text: str) -> str:
    """Return a skeleton's letters and digits, without the strokes that prototypes hold."""
    small = text.lower()  # casefold would turn the ß that a Greek beta looks like into ss
    bare = (c for c in small if unicodedata.category(c)[0] in "LMN")
    return "".join(c for c in bare if not unicodedata.combining(c)) or small


def columns(name: str) -> dict[str, str]:
    """Return the columns by which a name is found again in a table."""
    like = looks(name)
    return {"folded": fold(name), "skeleton": like.small, "shape": like.shape}


def fault(name: str) -> Said | None:
    """Return what is wrong with the characters of a name, or None."""
    from confusable_homoglyphs.confusables import is_dangerous

    name = unicodedata.normalize("NFKC", name)
    unseen = next((c for c in name if _is_unseen(c)), None)
    if unseen is not None:
        return say("it holds a character that cannot be seen (U+{code})", code=f"{ord(unseen):04X}")
    if not any(unicodedata.category(c)[0] == "L" for c in name):
        return say("it has no letter")
    odd = next((c for c in name if not _is_plain(c)), None)
    if odd is not None:
        return say("{character} does not belong in a name", character=odd)
    # Japanese and Korean names mix scripts too, but not with what looks like a Latin letter.
    if is_dangerous(name, preferred_aliases=["latin"]):
        return say("it mixes letters of several scripts, some of which look alike")
    return None


def _is_unseen(c: str) -> bool:
    return unicodedata.category(c) in _UNSEEN or _INVISIBLE.match(c) is not None


def _is_plain(c: str) -> bool:
    return c in _PUNCTUATION or unicodedata.category(c) in _PLAIN
