"""HELP, RULES and SHIPS: help by topic, the rules of a system, and what can be flown in it."""

from collections.abc import Sequence
from dataclasses import replace
from re import Match

from engine.i18n import say, spoken
from engine.names import fold
from pbem.handlers.names.taken_names import beginner, callsigns
from pbem.handlers.pages import topic_pages
from pbem.handlers.pages.topic_pages import (
    BOOKS,
    OWN,
    TITLES,
    TOPICS,
    TopicPage,
    concerned,
    help_block,
    named,
    own,
    rules_block,
    ships_block,
)
from pbem.handlers.request import Answer, Refusal, Request
from pbem.people import personas

_MYSELF = frozenset("me us mir uns".split())
"""Words behind HELP that name a person and not a topic, as in HELP me."""
_NARROWED = frozenset({"", "battle", "standing", "rewards", "medals"})
"""Topics that tell only of the systems that a question is about: a letter of all is too long."""


def help_(request: Request, match: Match[str]) -> Answer:
    """Return the first page of help, also of a system that is named, or what tells of a topic."""
    text = (match["topic"] or "").lower()
    played = request.ports.settings.league.systems
    of = [key for key in played if fold(text) in (fold(key), fold(TITLES.get(key, key)))]
    if of or text in _MYSELF or not text:
        return _help(request, "", of or concerned(request))
    if fold(text) in ("ships", "ship"):
        # Its subject is that of each other answer to HELP.
        return replace(_ships(request, ""), title=say("Help: {topic}", topic=say("ships")))
    known = [one for one in TOPICS if one not in OWN or OWN[one] in played]
    topic = next((one for one in known if fold(one) == fold(text)), None)
    if topic is None:
        found = topic_pages.telling(request, text, "HELP")
        if found is not None:
            return send(request, found)
        # Of more words, such as TEAM BATTLE, the first may name the topic.
        topic = named(request, text, known) or named(request, text.partition(" ")[0], known)
    if topic is None:
        raise Refusal(
            say("there is no help on {topic}", topic=text),
            say("the topics are {topics}", topics=topic_pages.listed(request)),
            taps=((say("all that you can write"), say("HELP orders")),),
        )
    return _help(request, topic, concerned(request) if topic in _NARROWED else played)


def _help(request: Request, topic: str, of: Sequence[str]) -> Answer:
    # The examples of HELP enlist can be sent as they are, one of each game.
    free = callsigns(request.ports, request.player) if topic == "enlist" else ()
    names = {key: (name, _turn(request, key)) for key, name in zip(of, free, strict=False)}
    block = help_block(topic, of) | {"others": _others(request, of), "names": names}
    if not topic:
        # Who has nobody to fight with needs that first.
        block |= {"starter": beginner(request.ports, request.player), "number": request.player.id}
    title = say("Help: {topic}", topic=say(topic)) if topic else ""
    return Answer(True, "", blocks=(block,), title=title)


def send(request: Request, page: TopicPage) -> Answer:
    """Return the answer with one page."""
    played = request.ports.settings.league.systems
    if page.order == "RULES":
        return _rules(request, {page.system: page.topic}, "", named=True)
    if page.order == "SHIPS":
        return Answer(True, "", blocks=(ships_block(request, page.system, (page.topic,)),))
    narrowed = page.topic in _NARROWED
    return _help(request, page.topic, concerned(request) if narrowed else played)


def word_alone(request: Request, text: str) -> Answer | None:
    """Return the page that tells of a line in capitals that is no order, such as RANKS, or None."""
    words = text.split()
    if not text.isupper() or not 0 < len(words) <= _FEW:
        return None
    found = topic_pages.telling(request, text, "RULES")
    return None if found is None else send(request, found)


_FEW = 2
"""The most words of a line in capitals that asks for a page."""


def _others(request: Request, told: Sequence[str]) -> dict[str, str]:
    """Return the further systems that are played and have rules, with their titles."""
    played = request.ports.settings.league.systems
    return {key: TITLES[key] for key in played if key in BOOKS and key not in told}


def _turn(request: Request, system: str) -> int:
    """Return which side an example is of: the next one for each further pilot of a player."""
    player = request.player.id
    return player + len(personas.of(request.ports.store, player, system=system))


def already(request: Request, match: Match[str]) -> Answer:
    """Answer a JOIN from somebody who is a player already."""
    return Answer(False, say("you are in the league already, as {name}", name=request.player.name))


def rules(request: Request, match: Match[str]) -> Answer:
    """Return the first page of the rules of a system, or what tells of a topic.

    Where no system is named, it is of those that the question is about, or that have the topic.
    """
    played = _played(request, match["system"])
    topic = (match["topic"] or "").lower()
    topics = {key: topic_pages.same(request, key, topic) for key in played}
    telling = {key: one for key, one in topics.items() if one is not None}
    if match["system"] is None:
        telling = {key: telling[key] for key in _narrowed(request, list(telling))}
    if not played:
        raise Refusal(
            say("there are no rules to send for what is played here"),
            say("a report lists what you may order"),
        )
    if telling:
        return _rules(request, telling, topic, named=match["system"] is not None)
    found = topic_pages.telling(request, topic, "RULES", played[0] if match["system"] else "")
    if found is not None:
        return send(request, found)
    meant = None if match["system"] else topic_pages.nearest(request, topic)
    known = dict.fromkeys(one for key in played for one in BOOKS[key].topics)
    raise Refusal(
        say("the rules have no page on {topic}", topic=topic),
        say("RULES {topic}", topic=say(meant))
        if meant
        else say(
            "the topics are {topics}",
            topics=spoken(known) if match["system"] else topic_pages.listed(request),
        ),
    )


def _rules(request: Request, telling: dict[str, str], topic: str, named: bool) -> Answer:
    """Return the answer with a page of each of some systems."""
    title = say("The rules of {systems}", systems=[TITLES[key] for key in telling])
    topic = topic or next(iter(telling.values()))
    if topic:
        title = say("{title}: {topic}", title=title, topic=say(topic))
    others = {} if topic or named else _others(request, list(telling))
    # Below the last page, so that they are named once.
    last = list(telling)[-1]
    pages = [
        rules_block(key, one) | {"others": others if key == last else {}}
        for key, one in telling.items()
    ]
    return Answer(True, "", blocks=tuple(pages), title=title)


def _narrowed(request: Request, telling: list[str]) -> list[str]:
    """Return those systems of some that a question is about, or all of them if it is none."""
    about = concerned(request)
    return [key for key in telling if key in about] or telling


def ships(request: Request, match: Match[str]) -> Answer:
    """Return what can be flown, or only what fits the words behind SHIPS."""
    return _ships(request, match["classes"] or "")


def _ships(request: Request, written: str) -> Answer:
    system = next((k for k in BOOKS if fold(written) in (fold(k), fold(TITLES[k]))), None)
    words = () if system else tuple(written.lower().split())
    played = _played(request, system)
    flown = [key for key in played if key in topic_pages.SHIPS]
    if not flown:
        raise Refusal(
            say("there is nothing to choose from in what is played here"),
            say("RULES tells how it is played"),
        )
    fitting = [key for key in flown if set(words) <= set(BOOKS[key].classes)]
    if not fitting:
        found = topic_pages.telling(request, written, "SHIPS")
        if found is not None:
            return send(request, found)
        known = dict.fromkeys(one for key in flown for one in BOOKS[key].classes)
        raise Refusal(
            say("no ships are called {words}", words=written),
            say("they are sorted by {words}", words=spoken(known)),
        )
    # A newcomer chooses among all that can be flown.
    if system is None and own(request):
        fitting = _narrowed(request, fitting)
    return Answer(True, "", blocks=tuple(ships_block(request, key, words) for key in fitting))


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
