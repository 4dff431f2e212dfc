"""Names as people write them: compared, corrected, made different, found among known names."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engine.errors import UnreadableOrder
from engine.i18n import Said, say, spoken


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """Return a name reduced to what makes it unique: no case, accents or spacing (SP-2)."""
    if name.isascii():
        return "".join(name.casefold().split())
    # Folding case may leave letters that are not decomposed: Unicode normalizes once more.
    bare = (c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return "".join(unicodedata.normalize("NFKD", "".join(bare).casefold()).split())


_UMLAUTS = tuple(zip("ÄÖÜäöü", ("AE", "OE", "UE", "ae", "oe", "ue"), "AOUaou", strict=True))
_WITH_E, _BARE = (str.maketrans({row[0]: row[n] for row in _UMLAUTS}) for n in (1, 2))


@lru_cache(maxsize=4096)
def typed(word: str) -> tuple[str, ...]:
    """Return how a word may be typed, as on a keyboard without umlauts; as it is comes first.

    >>> typed("Größe")
    ('Größe', 'Groeße', 'Große', 'Grösse', 'Groesse', 'Grosse')
    """
    forms = [word, *(() if word.isascii() else (word.translate(_WITH_E), word.translate(_BARE)))]
    other = [form.replace("ß", "ss") for form in forms]
    other += [form.replace("SS", "ß").replace("ss", "ß") for form in forms]
    return tuple(dict.fromkeys(forms + other))


def folded_forms(word: str) -> frozenset[str]:
    """Return the folded forms of all ways to type a word."""
    return frozenset(map(fold, typed(word)))


MOST_WORDS = 3
"""The most words of a name that an order such as TELL reads without quotes."""


def unquote(name: str) -> str:
    """Return a name without one pair of quotes around it."""
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
        return name[1:-1].strip()
    return name


def quoted(name: str) -> str:
    """Return a name as an order takes it: in quotes where it has more words than orders read."""
    return f'"{name}"' if len(name.split()) > MOST_WORDS else name


def closest(word: str, words: Iterable[str]) -> str | None:
    """Return the one word that a mistyped one is near to, or None.

    One slip is allowed in a word of four letters, and two in a longer one; a shorter word has no
    near one.
    """
    from rapidfuzz.distance import OSA, Indel  # 2 MB of memory, for mistyped words alone

    folded = fold(word)
    if len(folded) < 4:
        return None
    allowed = 1 if len(folded) == 4 else 2
    near = list[tuple[int, int, str]]()
    forms = ((known, form) for known in words for form in folded_forms(known))
    for name, other in forms:
        # Two letters before a word are no slip: `unlocked` means the opposite of LOCKED.
        if abs(len(other) - len(folded)) > 1 and (folded.endswith(other) or other.endswith(folded)):
            continue
        most = min(allowed, len(other) // 3)
        slips = OSA.distance(folded, other, score_cutoff=most)
        # Two slips of which one is at the beginning make another word: `warte` is not STARTE.
        if slips <= most and (slips < 2 or other[0] == folded[0]):
            # Equally near names go by the alphabet: the hint does not depend on a list's order.
            near.append((slips, Indel.distance(folded, other), name))
    return min(near)[-1] if near else None


def match_name(written: str, names: Sequence[str]) -> str | None:
    """Return the name that was written, in any case, accents, spacing or quotes, or None."""
    wanted = (fold(written), fold(unquote(written)))
    found = next((name for name in names if fold(name) in wanted), None)
    if found is not None:
        return found
    forms = folded_forms(written) | folded_forms(unquote(written))
    return next((name for name in names if not forms.isdisjoint(folded_forms(name))), None)


Names = Mapping[str, str]
"""The names of things by what they may be called; each thing's own name comes first."""


def callings(names: Iterable[str], owners: Iterable[str]) -> Names:
    """Return what pieces may be called: their names, and short ones.

    Where both sides have a Gold, each has its owner's name before its own in the battle. Players
    may leave the owner's name out where only one piece can be meant.
    """
    return _callings(tuple(names), tuple(f"{owner} " for owner in owners))


@lru_cache(maxsize=16)  # A letter of many lines asks for the same names with each line.
def _callings(names: tuple[str, ...], prefixes: tuple[str, ...]) -> Names:
    found, twice = {name: name for name in names}, set[str]()
    for name in tuple(found):
        if name.startswith(prefixes):
            prefix = next(one for one in prefixes if name.startswith(one))
            short = name.removeprefix(prefix)
            if found.setdefault(short, name) != name:
                twice.add(short)
    return {called: name for called, name in found.items() if called == name or called not in twice}


def find(written: str, names: Names) -> str | None:
    """Return the name of the thing that is called so, or None."""
    called = written if written in names else match_name(written, tuple(names))
    return None if called is None else names[called]


def distinct(owned: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
    """Return the name of each member in a game, by its owner and its own name; no two are equal.

    Members with the same name get their owner's before it.
    """
    common, taken, found = Counter(fold(name) for _, name in owned), set[str](), {}
    for owner, member in owned:
        name = f"{owner} {member}" if common[fold(member)] > 1 else member
        while fold(name) in taken or (name != member and fold(name) in common):
            # A name with its owner's before it may be another's own: Ann's `B C` and `Ann B`'s `C`.
            name += "'"
        taken.add(fold(name))
        found[owner, member] = name
    return found


def named_rules(written: str, known: Mapping[str, str]) -> list[str]:
    """Return the optional rules in a text, by their names; raise UnreadableOrder."""
    found = list[str]()
    for part in filter(None, re.split(r"\s*[,;&]\s*|\s+and\s+", written.strip())):
        name = match_name(part, tuple(known))
        if name is None:
            text = say("{part!r} is not an optional rule", part=part)
            raise UnreadableOrder(text, hint=say("{all}", all=spoken(known)))
        found.append(known[name])
    return found


def in_catalogue(written: str, known: Iterable[str], what: Said, plural: bool = False) -> str:
    """Return the thing of a catalogue that was written; `plural` allows an s at its end.

    Raise UnreadableOrder with a hint.
    """
    names = tuple(known)
    found = match_name(written, names)
    # As it was written first: a thing's own name may end in s.
    if found is None and plural:
        found = match_name(written.removesuffix("s"), names)
    if found is None:
        text = say("{name!r} is not among {what}", name=written, what=what)
        raise UnreadableOrder(text, hint=closest(written, names) or say("{all}", all=spoken(names)))
    return found


def named_twice(names: Iterable[str]) -> str | None:
    """Return the first name that occurs twice, however it is written, or None."""
    every = list(names)
    folded = [fold(name) for name in every]
    return next((name for name in every if folded.count(fold(name)) > 1), None)
