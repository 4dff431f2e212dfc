"""HELP, RULES and SHIPS: help by topic, the rules of a system, and what can be flown in it."""

from collections.abc import Sequence
from re import Match

from engine import registry
from engine.i18n import say, spoken
from engine.names import closest, fold
from pbem.handlers.order_words import TRANSLATIONS
from pbem.handlers.request import Answer, Block, Refusal, Request
from pbem.handlers.taken_names import callsigns

_OWN = {
    rules.blueprints.word.lower(): key
    for key, rules in registry.RULESETS.items()
    if rules.blueprints
}
"""Topics about one system only, each with that system."""
TOPICS = (
    *"orders join enlist challenge teams battle standing deadlines dice rewards medals".split(),
    *("letters", "gm", *_OWN),
)
"""The topics that HELP knows."""

_ABOUT = {
    "enlist": "ship fighter element crew name side aptitude points",
    "battle": "fight card move turn fire shoot scan target combat maneuver range advantage",
    "challenge": "duel opponent foe rematch patrol practice accept decline game",
    "deadlines": "deadline time away reminder late holiday absence",
    "dice": "die roll random fair receipt secret salt commitment script proof",
    "medals": "medal award heroism nominate endorse badge hero decoration",
    "rewards": "reward spend hp experience promotion rank career choose",
    "standing": "automatic rule rules preset sound bold careful else if queue",
    "letters": "letter mail tell press message write block email",
    "join": "key token register player account",
    "teams": "team formation captain mate mates",
    "orders": "draw command order settings setting language newsletter watch report"
    " list commands score stop quit",
    "design": "blueprint weapon weapons hull",
}
_ALIASES = {word: topic for topic, words in _ABOUT.items() for word in words.split()}
_ALIASES |= {str(registry.nouns({key}).one): "enlist" for key in registry.RULESETS}
"""Words that players ask about, with the topic that tells of each."""


_MYSELF = frozenset("me us mir uns".split())
"""Words behind HELP that name a person and not a topic, as in HELP me."""


def _topic(word: str, known: Sequence[str]) -> str | None:
    """Return the topic that a word means, or the nearest to a mistyped one, or None."""
    aliases = {alias: topic for alias, topic in _ALIASES.items() if topic in known}
    found = aliases | {topic: topic for topic in known}
    bare = word if word in found else word.removesuffix("s")
    near = bare if bare in found else closest(word, found)
    return found[near] if near else None


def help_(request: Request, match: Match[str]) -> Answer:
    """Return the first page of help, also of a system that is named, or the help on one topic."""
    word = (match["topic"] or "").lower()
    played = request.ports.settings.league.systems
    named = [key for key in played if fold(word) in (fold(key), fold(TITLES.get(key, key)))]
    # Of more words, such as TEAM BATTLE, the first names the topic.
    word = "" if named or word in _MYSELF else word.partition(" ")[0]
    known = [one for one in TOPICS if one not in _OWN or _OWN[one] in played]
    topic = _topic(word, known) if word else ""
    if topic is None:
        raise Refusal(
            say("there is no help on {topic}", topic=word),
            say("the topics are {topics}", topics=spoken(known)),
            taps=((say("all that you can write"), say("HELP orders")),),
        )
    of = named or (_concerned(request) if topic in _NARROWED else played)
    # The examples of HELP enlist can be sent as they are, one of each game.
    free = callsigns(request.ports, request.player) if topic == "enlist" else ()
    names = {key: (name, _turn(request, key)) for key, name in zip(of, free, strict=False)}
    block = page(topic, of) | {"others": _others(request, of), "names": names}
    title = say("Help: {topic}", topic=say(topic)) if topic else ""
    return Answer(True, "", blocks=(block,), title=title)


_NARROWED = frozenset({"", "battle", "standing", "rewards", "medals"})
"""Topics that tell only of the systems that a question is about: a letter of all is too long."""


def _concerned(request: Request) -> Sequence[str]:
    """Return the systems that a question is about; the league's first for a newcomer."""
    return _own(request) or request.ports.settings.league.systems[:1]


def _own(request: Request) -> list[str]:
    """Return the system of the battle that a question came from, or those that its player plays."""
    store, every = request.ports.store, request.ports.settings.league.systems
    if request.place is not None:
        return [store.games.get(request.place.game_id).system]
    own = {row.system for row in store.personas.all(player=request.player.id)}
    return [key for key in every if key in own]


def _others(request: Request, told: Sequence[str]) -> dict[str, str]:
    """Return the further systems that are played and have rules, with their titles."""
    played = request.ports.settings.league.systems
    return {key: TITLES[key] for key in played if key in BOOKS and key not in told}


def _turn(request: Request, system: str) -> int:
    """Return which side an example is of: the next one for each further pilot of a player."""
    player = request.player.id
    return player + len(request.ports.store.personas_of(player, system=system))


def page(topic: str, of: Sequence[str]) -> dict[str, object]:
    """Return the block of a page of help, on a topic, of some systems."""
    return {"kind": "help", "topic": topic, "of": of, "others": {}, "names": {}}


def already(request: Request, match: Match[str]) -> Answer:
    """Answer a JOIN from somebody who is a player already."""
    return Answer(False, say("you are in the league already, as {name}", name=request.player.name))


BOOKS = {key: rules.book for key, rules in registry.RULESETS.items() if rules.book}
# Without the edition, which players leave out: the name may end in a number such as 3.1.
TITLES = {key: registry.RULESETS[key].title.rstrip("0123456789. ") for key in BOOKS}
"""What players call each system; its key is as good."""


def rules(request: Request, match: Match[str]) -> Answer:
    """Return the first page of the rules of a system, or a topic.

    Where no system is named, it is of those that the question is about, or that have the topic.
    """
    played = _played(request, match["system"])
    topic = (match["topic"] or "").lower()
    topics = {key: _same(request, key, topic) for key in played}
    telling = [key for key in played if topics[key] is not None]
    if match["system"] is None:
        telling = _narrowed(request, telling)
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
    title = say("The rules of {systems}", systems=[TITLES[key] for key in telling])
    if topic:
        title = say("{title}: {topic}", title=title, topic=say(topic))
    others = {} if topic or match["system"] else _others(request, telling)
    # Below the last page, so that they are named once.
    pages = [
        _page(key, topics[key] or "") | {"others": others if key == telling[-1] else {}}
        for key in telling
    ]
    return Answer(True, "", blocks=tuple(pages), title=title)


def _same(request: Request, key: str, topic: str) -> str | None:
    """Return the topic of a system that a word means, or None; "" means the first page.

    Two English topics may have one word in another language.
    """
    topics = BOOKS[key].topics
    if not topic or topic in topics:
        return topic
    translation = TRANSLATIONS.get(request.language)
    if translation is None:
        return None
    word = translation.shown(f"RULES {topic}")
    return next((one for one in topics if translation.shown(f"RULES {one}") == word), None)


def _narrowed(request: Request, telling: list[str]) -> list[str]:
    """Return those systems of some that a question is about, or all of them if it is none."""
    about = _concerned(request)
    return [key for key in telling if key in about] or telling


def _page(key: str, topic: str) -> dict[str, object]:
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
    # A newcomer chooses among all that can be flown.
    if system is None and _own(request):
        fitting = _narrowed(request, fitting)
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
