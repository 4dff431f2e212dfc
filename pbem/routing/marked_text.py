"""Marked text: what a player writes for others, below STORY, TELL and the like, and the rest."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from engine.i18n import Said, say
from engine.orders.line_shapes import clean
from pbem.handlers.order_words import in_english
from pbem.handlers.request import Answer, Refusal, Request
from pbem.handlers.words.message_text import LONGEST
from pbem.people.scrub import Scrub, shown
from pbem.routing import find_league_order
from pbem.routing.courtesies import is_courtesy
from pbem.storage import Place, stored_letters

STORY = "STORY"
PASSED_ON = ("TELL", "PRESS")
"""The other marks that take kept words where nothing stands below them."""
_MARK = re.compile(
    r"\W{0,6}(?P<word>[^\W\d_]{2,20})(?P<colon>[*_]{0,2}:)?[*_]{0,2}(?:\s(?P<rest>.*))?"
)
_RULE = re.compile(r"[\s\-–—_=*~#+|.·•]*")
_MOST_KEPT = 3
"""How many of the lines that are held back for one reason the answer shows."""
_MOST_SAID = 3
"""How many of the words that nobody has seen the answer repeats, in lines."""


def story_on(line: str, language: str) -> str | None:
    """Return what stands behind the word STORY that begins a line; None where no such word does.

    Without a colon the word must be in capitals: a sentence may begin with it.
    """
    found = _MARK.fullmatch(line)
    if found is None or in_english(clean(found["word"]), language).upper() != STORY:
        return None
    rest = (found["rest"] or "").strip()
    return None if rest and not (found["colon"] or found["word"].isupper()) else rest


def is_sure(line: str, language: str) -> bool:
    """Return whether a line is STORY so that no word of a sentence is: in capitals, or a colon."""
    found = _MARK.fullmatch(line)
    loud = found is not None and (found["colon"] or found["word"].isupper())
    return bool(loud) and story_on(line, language) is not None


@dataclass(frozen=True, slots=True)
class Kept:
    """A line of a marked text that is shown to nobody, and the reason."""

    line: str
    why: Said


class KeptLines(TypedDict):
    """Lines that are held back for one reason; `more` counts those that are not repeated."""

    lines: list[str]
    more: int
    why: str


def keeps(found: Sequence[Kept]) -> list[KeptLines]:
    """Return the lines that are held back as facts for a template, grouped by reason."""
    by_reason: dict[str, list[str]] = {}
    for one in found:
        by_reason.setdefault(one.why, []).append(shown(one.line))
    return [
        {"lines": lines[:_MOST_KEPT], "more": len(lines[_MOST_KEPT:]), "why": why}
        for why, lines in by_reason.items()
    ]


class Unseen(TypedDict):
    """The words of a letter that nobody has seen, for their writer.

    `more` counts the lines that are not repeated. They are `kept` for an empty STORY or TELL in the
    player's next letter, unless they are too long to be passed on.
    """

    lines: list[str]
    more: int
    kept: bool


def unseen(words: Iterable[str], writer: str) -> list[str]:
    """Return a letter's words without greetings, farewells and the name around them."""
    lines = [line.strip() for line in words]
    said = [n for n, line in enumerate(lines) if not is_plain(line, [writer])]
    return lines[said[0] : said[-1] + 1] if said else []


def say_back(
    request: Request, words: Iterable[str], place: Place | None = None, keep: bool = True
) -> Unseen | None:
    """Keep the words that nobody has seen, and return them for their writer; None for no words.

    `place` is the place of the letter's part that holds them. They replace what was kept for it.
    """
    lines = unseen(words, request.player.name)
    if not lines:
        return None
    text, player, where = "\n".join(lines), request.player.id, place.id if place else None
    kept = keep and len(text) <= LONGEST
    if kept:
        stored_letters.keep_words(request.ports.store, player, where, text, request.now)
    said = list(filter(None, lines))
    return {
        "lines": [shown(line) for line in said[:_MOST_SAID]],
        "more": len(said[_MOST_SAID:]),
        "kept": kept,
    }


def or_kept(request: Request, place: Place | None, lines: list[str]) -> list[str]:
    """Return the lines below a mark such as STORY, or the kept words where they say nothing.

    Those of the same place come first; without any, all that were kept are meant.
    """
    if not request.kept or unseen(lines, request.player.name):
        return lines
    own = [one for one in request.kept if place is not None and one.place_id == place.id]
    return [line for one in own or request.kept for line in one.text.splitlines()] or lines


def is_plain(line: str, names: Iterable[str]) -> bool:
    """Return whether a line says nothing: a greeting, a farewell, one of some names, or a rule."""
    line = line.strip()
    words = re.findall(r"[^\W\d_]+", line.casefold())
    if not words:
        # A number or a picture may say something: a thumb, up or down.
        return _RULE.fullmatch(line) is not None
    own = {word for name in names for word in name.casefold().split()}
    return (own | {one[0] for one in own}).issuperset(words) or is_courtesy(line)


def parted(
    scrub: Scrub, lines: Sequence[str], official: bool = False
) -> tuple[list[str], list[Kept]]:
    """Return the lines of a marked text that others may read, and those that hold a secret.

    The moderator's `official` words may name any address that is not a player's.
    """
    free, kept = list[str](), list[Kept]()
    for line, secret in zip(lines, scrub.secrets(lines), strict=True):
        why = scrub.secret(line, official=True) if secret and official else secret
        if why is None:
            free.append(line)
        else:
            kept.append(Kept(scrub.shown(line), why))
    return free, kept


def amiss(request: Request, match: object) -> Answer:
    """Refuse a mistyped order such as TELL, so that the text below it goes to nobody."""
    order = find_league_order.taker(request.line, request.language)
    raise Refusal(
        say("it could not be understood, and what stands below it was passed on to nobody"),
        say(order.example) if order else "",
    )


def tells_secret(why: str, request: Request, match: object) -> Answer:
    """Refuse an order that would disclose a secret."""
    raise Refusal(say("{why}, and no such line is passed on", why=why))
