"""Subjects of answers: what became of a letter, told from the first of its answers."""

from collections.abc import Sequence

from engine.i18n import Said, say
from engine.ruleset import Near
from pbem.handlers.order_table import READING
from pbem.handlers.order_words import TRANSLATIONS
from pbem.handlers.request import OrderAnswer

_LONGEST = 40
_SETTINGS = frozenset(
    "TIMEZONE MAIL FORMAT AWAY BACK BLOCK UNBLOCK WATCH UNWATCH SUBSCRIBE UNSUBSCRIBE".split()
)


def subject(answers: Sequence[OrderAnswer], near: Sequence[Near], language: str) -> Said:
    """Return the subject of a letter's answers, with the order words of a language."""
    more = len(answers) + len(near) - 1
    if more < 0:
        return say("No order was found")
    if answers:
        first = _told(answers[0], language)
    else:
        first = say("Not understood: {line}", line=_short(near[0].text))
    return say("{first}, and {count} more", first=first, count=more) if more else first


def _told(answer: OrderAnswer, language: str) -> Said:
    """Return in a few words what became of one order."""
    translation, word = TRANSLATIONS.get(language), answer["word"]
    order = translation.shown(word) if translation else word
    order = order or _short(answer["order"])
    if not answer["ok"]:
        return say("Not done: {order}", order=order) if order else say("Not done")
    if answer["tried"]:
        return say("Only tried: {order}", order=order)
    if isinstance(answer["title"], Said):
        return answer["title"]
    if word in READING:
        return say("What you asked: {order}", order=order)
    if word in _SETTINGS:
        return say("Settings: {order}", order=order)
    return say("Done: {order}", order=order)


def _short(line: str) -> str:
    """Return a line of a player's, cut to what a subject can hold."""
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
