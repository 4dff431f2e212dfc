"""Letters that say the same again and again, and order nothing: of machines that nothing marks.

Only a player's address gets so far. Without this, two machines that answer each other would never
stop. What a person asks has new words, and an order makes any letter a person's.
"""

import re
from collections.abc import Sequence, Set

from pbem.intake import subject_of, tokens_and_keys
from pbem.intake.our_words import OurWords
from pbem.outgoing.strangers import WEEK
from pbem.routing.incoming import Incoming
from pbem.storage import queues

SAME = 3
"""How often a week the same words are answered."""
_MOST = 100
"""So many pairs of words of a letter are compared: those whose marks come first, which are the same
ones in letters that are alike."""
_ONE_IN = 12
"""One pair in so many may be new in a letter that says the same."""
_LATEST = 20
"""So many of our latest letters are looked at for words that are ours."""
_TOKEN = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_OURS = "0"
"""What stands for words of ours: a number, which is another in each letter too."""


def are_repeated(incoming: Incoming) -> bool:
    """Return whether a player's letter orders nothing, and says what was answered thrice lately."""
    store, now = incoming.ports.store, incoming.now
    # Few players write three letters without an order in a week.
    if incoming.orders or store.counted_within(_all(incoming), WEEK, now) < SAME:
        return False
    tokens = _tokens(incoming)
    # Many machines name the letter that they answer, each time another. What stands at a number
    # belongs to a date or a ticket.
    at = {n for n, token in enumerate(tokens) if _DIGIT.search(token)}
    loose = {near for n in at for near in (n - 1, n, n + 1)}
    marks = _marks(incoming, _pairs(tokens, loose) or _pairs(tokens, at))
    new = [mark for mark in marks if store.counted_within(mark, WEEK, now) < SAME]
    return len(new) <= len(marks) // _ONE_IN


def note(incoming: Incoming) -> None:
    """Count the words of a player's letter that is answered, unless it has an order."""
    if not incoming.orders:
        tokens = _tokens(incoming, with_subjects=True)
        at = {n for n, token in enumerate(tokens) if _DIGIT.search(token)}
        for name in (_all(incoming), *_marks(incoming, _pairs(tokens, at))):
            incoming.ports.store.count_now(name, incoming.now)


def _all(incoming: Incoming) -> str:
    return f"said {incoming.player.id}"


def _marks(incoming: Incoming, pairs: set[str]) -> list[str]:
    """Return the names of the counts of what is said, which can't be read from them."""
    secret, before = incoming.ports.store.secret, _all(incoming)
    marks = sorted(tokens_and_keys.veiled(secret, pair)[:16] for pair in pairs or {""})
    return [f"{before} {mark}" for mark in marks[:_MOST]]


def _pairs(tokens: Sequence[str], without: Set[int]) -> set[str]:
    """Return which words follow each other, apart from those at some places."""
    places = range(len(tokens))
    return {" ".join(tokens[n : n + 2]) for n in places if without.isdisjoint((n, n + 1))}


def _tokens(incoming: Incoming, *, with_subjects: bool = False) -> list[str]:
    """Return a letter's words in order, with a number for each of ours in one that only quotes.

    A number stands for our subjects too, if it is not to be `with_subjects`.
    """
    text = " ".join(incoming.text.casefold().split())
    rows = queues.latest(incoming.ports.store, _LATEST, player=incoming.player.id)
    if not _TOKEN.search(text):
        ours = {*_words("\n".join(OurWords(row.content for row in rows).lines))}
        quoted = "\n".join((*incoming.reading.unsure, *incoming.reading.below))
        return [_OURS if word in ours else word for word in _words(quoted)]
    for row in () if with_subjects else rows:
        text = text.replace(subject_of(row.content).casefold() or _OURS, f" {_OURS} ")
    return _words(text)


def _words(text: str) -> list[str]:
    return _TOKEN.findall(text.casefold())
