"""What a name looks like: Unicode's confusable skeletons, and the characters allowed in names.

Two names whose skeletons are equal can be mistaken for each other (UTS 39, section 4).
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from engine.i18n import Said, say
from engine.names import fold

_MARK = "\u200e"
"""The data has this invisible mark around each entry that is written from right to left."""
_PUNCTUATION = frozenset(" '-.&!?()/+_\u2019\u2018\u02bc\u02bb\u2010\u2013\u00b7\u30fb")
"""Signs allowed in names, apart from letters: apostrophes, hyphens and dots of several scripts."""
_MOST_MARKS = 2
"""The most accents on one letter."""
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc"
    "\U0001d159\U000e0100-\U000e01ef]"
)
"""Letters, marks and symbols that are invisible, although Unicode counts them as visible."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SCRIPTS = frozenset(
    "ARABIC ARMENIAN BENGALI BOPOMOFO CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN GREEK GUJARATI"
    " GURMUKHI HAN HANGUL HEBREW HIRAGANA KANNADA KATAKANA KHMER LAO LATIN MALAYALAM MYANMAR"
    " ORIYA SINHALA TAMIL TELUGU THAANA THAI TIBETAN".split()
)
"""The scripts that people write today (UAX 31, table 5)."""
_TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""Scripts that languages really mix: the level "highly restrictive" of UTS 39."""
_NO_SCRIPT = frozenset({"COMMON", "INHERITED"})
_ODD_LATIN = re.compile("[\u0250-\u02ff\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]")
"""Latin letters of phoneticians and of manuscripts, many of which look like plain ones."""
_IN_USE = frozenset("\u0259\u0254\u025b\u0253\u0257")
"""Those of them that are letters of Azerbaijani, Akan, Ewe and Hausa."""
_MORE_LIKE = {
    "vv": "w",
    "\u0259": "e", "\u01dd": "e", "\u0254": "o", "\u025b": "e", "\ua793": "e",
    "\u01a8": "s", "\u00fe": "p", "\u01bf": "p", "\u0253": "b", "\u0257": "d",
    "\u0299": "b", "\u029c": "h", "\u1d1b": "t", "\u0138": "k", "\u1d0d": "rn", "\u028d": "rn",
}  # fmt: skip
"""Look-alikes that the data lacks: turned letters, tone letters, and small capitals."""


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
    for one, other in _MORE_LIKE.items():
        small = small.replace(one, other)
    bare = (c for c in small if unicodedata.category(c)[0] in "LMN")
    return "".join(c for c in bare if not unicodedata.combining(c)) or small


def columns(name: str) -> dict[str, str]:
    """Return the columns by which a name is found again in a table."""
    like = looks(name)
    return {"folded": fold(name), "skeleton": like.small, "shape": like.shape}


def fault(name: str) -> Said | None:
    """Return what is wrong with the characters of a name, or None."""
    name = unicodedata.normalize("NFKC", name)
    unseen = next((c for c in name if _is_unseen(c)), None)
    if unseen is not None:
        return say("it holds a character that cannot be seen (U+{code})", code=f"{ord(unseen):04X}")
    if not any(unicodedata.category(c)[0] == "L" for c in name):
        return say("it has no letter")
    odd = next((c for c in name if not _is_plain(c)), None)
    if odd is not None:
        return say("{character} does not belong in a name", character=odd)
    if re.search(rf"^\s*{_marks(1)}|{_marks(_MOST_MARKS + 1)}", _classes(name)):
        return say("it has more accents than letters can bear")
    return _script_fault(name)


def _marks(least: int) -> str:
    return f"M{{{least},}}"


def _classes(name: str) -> str:
    """Return a letter for each character: M for marks that stand on another, L for all else."""
    decomposed = unicodedata.normalize("NFD", name)
    return "".join("M" if unicodedata.category(c) in ("Mn", "Me") else "L" for c in decomposed)


def _is_unseen(c: str) -> bool:
    return unicodedata.category(c) in _UNSEEN or _INVISIBLE.match(c) is not None


def _is_plain(c: str) -> bool:
    kind = unicodedata.category(c)
    if c in _PUNCTUATION or kind == "Nd":
        return True
    return kind[0] in "LM" and kind != "Me" and (c in _IN_USE or not _ODD_LATIN.match(c))


def _script_fault(name: str) -> Said | None:
    """Return what is wrong with the scripts of a name, or None."""
    scripts = _scripts(name)
    if not scripts <= _SCRIPTS:
        return say("it is in a script that is not in use today")
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        return say("it mixes letters of several scripts, some of which look alike")
    zeros = {ord(c) - unicodedata.decimal(c) for c in name if c.isdecimal()}
    return say("it mixes digits of several scripts") if len(zeros) > 1 else None


def _scripts(characters: Iterable[str]) -> set[str]:
    """Return the scripts of a text, in capitals."""
    from confusable_homoglyphs.categories import alias

    return {str(alias(c)).upper() for c in characters} - _NO_SCRIPT
