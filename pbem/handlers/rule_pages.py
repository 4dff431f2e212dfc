"""RULES and SHIPS: a system's rules by topic, and what can be flown in it."""

from collections.abc import Mapping
from re import Match

from engine import registry
from engine.i18n import say, spoken
from engine.names import closest, fold
from engine.ruleset import Book
from pbem.handlers.request import Answer, Block, Refusal, Request


def _books() -> Mapping[str, Book]:
    """Return the books of all systems that have one."""
    return {key: rules.book for key, rules in registry.RULESETS.items() if rules.book}


BOOKS = _books()
TITLES = {key: registry.RULESETS[key].title.rstrip("0123456789. ") for key in BOOKS}
"""What players call each system; its key is as good."""


def rules(request: Request, match: Match[str]) -> Answer:
    """Return the first page of the rules of a system, or of all that are played, or a topic."""
    played = _played(request, match["system"])
    topic = (match["topic"] or "").lower()
    telling = [key for key in played if not topic or topic in BOOKS[key].topics]
    if not played:
        raise Refusal(
            say("there are no rules to send for what is played here"),
            say("a report lists what you may order"),
        )
    if not telling:
        known = dict.fromkeys(one for key in played for one in BOOKS[key].topics)
        meant = closest(topic, known)
        raise Refusal(
            say("the rules have no page on {topic}", topic=topic),
            say("RULES {topic}", topic=say(meant))
            if meant
            else say("the topics are {topics}", topics=spoken(known)),
        )
    return Answer(True, "", blocks=tuple(_page(key, topic) for key in telling))


def _page(key: str, topic: str) -> Block:
    system, book = registry.RULESETS[key], BOOKS[key]
    return {
        "kind": "rules",
        "system": key,
        "title": system.title,
        "credits": system.credits,
        "topic": topic,
        "topics": dict(book.topics),
        "tables": book.tables,
        "ships": book.ships is not None,
    }


def ships(request: Request, match: Match[str]) -> Answer:
    """Return what can be flown, or only what fits the words behind SHIPS."""
    written = match["classes"] or ""
    system = next((k for k in BOOKS if fold(written) in (fold(k), fold(TITLES[k]))), None)
    words = () if system else tuple(written.lower().split())
    played = _played(request, system)
    flown = [key for key in played if BOOKS[key].ships is not None]
    if not flown:
        raise Refusal(
            say("there is nothing to choose from in what is played here"),
            say("RULES tells how it is played"),
        )
    fitting = [key for key in flown if set(words) <= set(BOOKS[key].classes)]
    if not fitting:
        known = dict.fromkeys(one for key in flown for one in BOOKS[key].classes)
        raise Refusal(
            say("no ships are called {words}", words=written),
            say("they are sorted by {words}", words=spoken(known)),
        )
    return Answer(True, "", blocks=tuple(_flown(request, key, words) for key in fitting))


def _flown(request: Request, key: str, words: tuple[str, ...]) -> Block:
    listed = BOOKS[key].ships
    assert listed is not None
    found = listed(words, request.ports.settings.stock(key))
    return {
        "kind": "ships",
        "system": key,
        "title": registry.RULESETS[key].title,
        "credits": registry.RULESETS[key].credits,
        "ships": found,
    }


def _played(request: Request, named: str | None) -> list[str]:
    """Return the systems that are played here, or the one that is named by key or by title."""
    played = [key for key in request.ports.settings.league.systems if key in BOOKS]
    if named is None:
        return played
    found = [key for key in played if fold(named) in (fold(key), fold(TITLES[key]))]
    if not found:
        raise Refusal(
            say("{system} is not played here", system=named),
            say("played are {systems}", systems=[TITLES[key] for key in played]),
        )
    return found
