"""Stories: which of a letter's other lines are published, and which were never meant to be.

No line should become public by accident. A line that reads like a question, like an order or like
a message to the referee, or that says how to reach somebody, is shown to nobody else, and the
answer informs its writer.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from engine.i18n import Said, say
from engine.names import fold
from engine.order_languages import ENGLISH, EVERYBODY
from engine.registry import RULESETS
from pbem.handlers.order_words import in_another_language
from pbem.handlers.request import Answer, Refusal, Request
from pbem.intake import contact_details
from pbem.intake.robot_phrases import SAYS_AUTOMATIC
from pbem.routing import league_orders

QUESTION = say(
    "it reads like a question, and the referee is a program, which can answer none; HELP lists"
    " what you can write for. What a figure of yours asks stands in quotation marks"
)
ORDER = say(
    "it reads like an order that was not understood; HELP ORDERS explains how to write orders"
)
PLEA = say(
    "it reads like words to the referee, who is a program; HELP lists what you can write for, and"
    " the moderator helps with the rest"
)
AUTOMATIC = say("it reads like a mail program's automatic answer")
CONTACT = say("it looks like part of a signature, or tells how somebody can be reached")
GREETING = say("it stands with orders to the league alone, so it is not a story of this battle")
_WRAPPED = 50
_MOST_WORDS = 4
"""A line with more words is not taken for an order that was not understood."""
_FEW = 3
_ENDS = ".!?…\"'”"
_REACTS = re.compile(r"\breacted (?:to your message|via gmail)")
_LOUD = 2
"""So many words in capitals that begin orders make a line look like orders."""
_SHORT = 6
"""So few words with one such word among them look like an order, too."""
_HEADED = re.compile(r"[^.:;!?]{1,40}:\s")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_QUOTES = re.compile(
    r"\"[^\"]*\"|“[^”]*[”“]|„[^“”]*[“”]|«[^»]*»|»[^«]*«|‘[^’]*’|(?<!\w)'[^']*'(?!\w)"
)
_ASKS = re.compile(r"[?？؟;;]\s*$|[?？؟]")
_LABELLED = re.compile(
    r"[\w'’-]+(?:(?: &|,| \+)? [\w'’-]+){0,3}\s?[:=]\s?[\w'’+-]+(?:\s[\w'’+-]+){0,2}"
)
_PLEA = re.compile(
    r"\b(?:referee|moderator|game ?master|schiedsrichter\w*|spielleit\w+)\b"
    r"|\b(?:please|pls|bitte)\b|\bhelp (?:me|please)\b|^help\b|\bhilf mir\b|^hilfe\b"
    r"|\bi (?:do not|don['’]?t|cannot|can not|can['’]?t|could not|couldn['’]?t) "
    r"(?:understand|know how|find|see how|get it|fire|order|send)\b"
    r"|\bich (?:verstehe|weiß|weiss|kann)\b.{0,60}\bnicht\b|^how (?:do|can|to)\b"
    r"|\b(?:my|mein\w{0,2}) (?:orders?|befehle?)\b|\b(?:e-?mail|mail program)\b"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A line that nobody else will read, and the reason; `order` is whether it may be an order."""

    line: str
    why: Said
    order: bool = False


def _no_plan(text: str) -> Said | None:
    return None


def sort_out(
    lines: Sequence[str],
    language: str = ENGLISH,
    plan: Callable[[str], Said | None] = _no_plan,
) -> tuple[tuple[str, ...], list[Kept]]:
    """Split a letter's lines that are not orders into its story and the lines that stay private.

    The lines of a sentence that a mail program broke stay together. `language` is the reader's, and
    `plan` returns how to order what a text only plans.
    """
    signed, story, kept = contact_details.signed(lines), list[str](), list[Kept]()
    for first, last in _sentences(lines):
        whole = " ".join(line.strip() for line in lines[first:last])
        why, order = _why(whole, language, plan)
        for n in range(first, last):
            reason = CONTACT if n in signed else why
            if reason is None:
                story.append(lines[n])
            elif lines[n].strip():
                kept.append(Kept(lines[n].strip(), reason, order and reason is why))
    # Blank lines inside a story are its paragraphs; those below it are left over.
    while story and not story[-1].strip():
        story.pop()
    return tuple(story if any(line.strip() for line in story) else ()), kept


def _sentences(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each run of lines that belong together begins, and where the next begins."""
    found: list[tuple[int, int]] = []
    for n, line in enumerate(lines):
        goes_on = n > 0 and line.strip() and len(lines[n - 1].strip()) > _WRAPPED
        if goes_on:
            found[-1] = (found[-1][0], n + 1)
        else:
            found.append((n, n + 1))
    return found


def _why(text: str, language: str, plan: Callable[[str], Said | None]) -> tuple[Said | None, bool]:
    """Return why a text stays private, if it does, and whether it may be an order."""
    # What a figure of the story says in quotation marks may well be a question or a plea.
    # Cut, so that no pattern is tried on a text of any length (fault 54).
    bare = _QUOTES.sub(" ", text[: contact_details.LONGEST])
    if _ASKS.search(bare):
        return QUESTION, False
    planned = plan(bare)
    if planned is not None:
        return planned, True
    if _is_like_order(bare.strip()):
        return in_another_language(bare, language) or ORDER, True
    said = bare.casefold().strip()
    # A robot that answers without a mark must not tell all that somebody is away.
    if SAYS_AUTOMATIC.search(said) or _REACTS.search(said):
        return AUTOMATIC, False
    return (PLEA if _PLEA.search(said) else None), False


def _is_like_order(text: str) -> bool:
    """Return whether a line looks like an order: by its capitals, or short and begun like one."""
    words = text.split()
    loud = [word for word in _LETTERS.findall(text) if word.isupper() and fold(word) in heads()]
    if (loud and (_HEADED.match(text) or len(words) <= _SHORT)) or len(loud) >= _LOUD:
        return True
    # `Everybody attack` begins with its second word.
    every = bool(words) and fold(words[0]) in EVERYBODY
    words = words[1:] if every else words
    if not words or len(words) > _MOST_WORDS + 1:
        return False
    if every and len(words) <= _FEW and fold(words[0].rstrip("!.")) in heads():
        return True
    if _LABELLED.fullmatch(text) or (text.isupper() and any(len(word) > 1 for word in words)):
        return True
    return len(words) <= _MOST_WORDS and text[-1] not in _ENDS and fold(words[0]) in heads()


@cache
def heads() -> frozenset[str]:
    """Return the words that begin orders of any system, in any language, or a key."""
    # A mistyped key is no key, but somebody who reads it can guess what is missing.
    found = {"key", "schlussel"}
    for rules in RULESETS.values():
        for translation in rules.translations.values():
            for english, others in translation.commands.items():
                found.update(fold(one.split()[0]) for one in (english, *others))
    return frozenset(found)


def is_scrap(story: Sequence[str]) -> bool:
    """Return whether a story is so little that nobody tells it: who writes that wants something."""
    return len(story) == 1 and len(story[0].split()) <= _FEW and story[0].rstrip()[-1] not in _ENDS


def amiss(request: Request, match: object) -> Answer:
    """Refuse a mistyped order such as TELL, so that the text below it goes to nobody."""
    order = league_orders.taker(request.line, request.language)
    raise Refusal(
        say("it could not be understood, and what stands below it was passed on to nobody"),
        say(order.example) if order else "",
    )


def tells_secret(why: str, request: Request, match: object) -> Answer:
    """Refuse an order that would disclose a secret."""
    raise Refusal(say("{why}, and no such line is passed on", why=why))
