"""The pages that HELP, RULES and SHIPS send, and which of them tells of what is asked for."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from engine import registry
from engine.i18n import Said, spoken
from engine.names import closest, fold
from pbem.handlers.order_words import TRANSLATIONS
from pbem.handlers.request import Request
from pbem.i18n.message_catalogue import SOURCE
from pbem.rendering import Renderer
from pbem.storage import Game, Persona

BOOKS = {key: rules.book for key, rules in registry.RULESETS.items() if rules.book}
SHIPS = {key: book.ships for key, book in BOOKS.items() if book.ships is not None}
# Without the edition, which players leave out: the name may end in a number such as 3.1.
TITLES = {key: registry.RULESETS[key].title.rstrip("0123456789. ") for key in BOOKS}
"""What players call each system; its key is as good."""

OWN = {
    rules.blueprints.word.lower(): key
    for key, rules in registry.RULESETS.items()
    if rules.blueprints
}
"""Topics of HELP about one system only, each with that system."""
TOPICS = (
    *"orders join enlist challenge teams battle standing deadlines dice rewards medals".split(),
    *("letters", "gm", *OWN),
)
"""The topics that HELP knows."""

_ALSO = {
    "enlist": "ship fighter element crew name side aptitude points",
    "battle": "fight card move turn fire shoot scan target combat maneuver range advantage",
    "challenge": "duel opponent foe rematch patrol practice accept decline game",
    "deadlines": "deadline time away reminder late holiday absence",
    "dice": "die roll random fair receipt secret salt commitment script proof",
    "medals": "medal award heroism nominate endorse badge hero decoration",
    "rewards": "reward spend hp experience promotion rank career choose",
    "standing": "automatic rule rules doctrine sound bold careful else if queue",
    "letters": "letter mail tell press message write block email",
    "join": "key token register player account",
    "teams": "team formation captain mate mates",
    "orders": "draw command order settings setting language newsletter watch report"
    " list commands score stop quit",
    "design": "blueprint weapon weapons hull",
}
"""Further names of the topics of HELP."""
_WORD = re.compile(r"\w+")
_ENDINGS = 2
"""How many letters a word may have more than another of which it is a form."""


class TopicPage(NamedTuple):
    """A page: the order that sends it, its system ("" where it is of all), and its topic."""

    order: str
    system: str
    topic: str


def pages(request: Request) -> list[TopicPage]:
    """Return all pages of a league with a topic, those of the systems in question first."""
    played = [key for key in request.ports.settings.league.systems if key in BOOKS]
    about = concerned(request)
    systems = sorted(played, key=lambda key: key not in about)
    known = [one for one in TOPICS if one not in OWN or OWN[one] in played]
    # Rulings are for the moderator, who asks for them by name.
    return [
        *(TopicPage("RULES", key, topic) for key in systems for topic in BOOKS[key].topics),
        *(TopicPage("HELP", OWN.get(topic, ""), topic) for topic in known if topic != "gm"),
        *(
            TopicPage("SHIPS", key, one)
            for key in systems
            if key in SHIPS
            for one in BOOKS[key].classes
        ),
    ]


def concerned(request: Request) -> Sequence[str]:
    """Return the systems that a question is about; the league's first for a newcomer."""
    return own(request) or request.ports.settings.league.systems[:1]


def own(request: Request) -> list[str]:
    """Return the system of the battle that a question came from, or those that its player plays."""
    store, every = request.ports.store, request.ports.settings.league.systems
    if request.place is not None:
        return [store.get(Game, request.place.game_id).system]
    known = {row.system for row in store.of_player(Persona, request.player.id)}
    return [key for key in every if key in known]


def telling(request: Request, text: str, order: str, system: str = "") -> TopicPage | None:
    """Return the page that tells of a text, at best one that an order sends, or None.

    With a system, it is one of that system.

    A page has the name that was asked for, or its line in the list of topics has the word, or else
    its words hold all those of the text; among several it is the page that speaks of them most.
    """
    words = [fold(word) for word in _WORD.findall(text)]
    if not words:
        return None
    every = [page for page in pages(request) if system in ("", page.system)]
    wanted = "".join(words)
    for fitting in (
        [page for page in every if page.order == order],
        [page for page in every if page.order != order],
    ):
        for names in (_names, _subject):
            for page in fitting:
                if any(_is_form(wanted, fold(name)) for name in names(request, page)):
                    return page
        for language in dict.fromkeys((request.language, SOURCE)):
            shares = [(_share(request, page, words, language), page) for page in fitting]
            most = max((share for share, _ in shares), default=0.0)
            if most:
                return next(page for share, page in shares if share == most)
    return None


def named(request: Request, text: str, known: Sequence[str]) -> str | None:
    """Return the topic of HELP that a word names, also mistyped, or None."""
    names = {fold(name): topic for topic in known for name in _also(topic)}
    word = fold(text)
    bare = word if word in names else word.removesuffix("s")
    near = bare if bare in names else closest(word, names)
    return names[near] if near else None


def nearest(request: Request, text: str) -> str | None:
    """Return the name of a page that a mistyped text is near to, or None."""
    names = (name for page in pages(request) for name in _names(request, page))
    return closest(text, dict.fromkeys(names))


def same(request: Request, key: str, topic: str) -> str | None:
    """Return the topic of a system's rules that a word means, or None; "" means the first page.

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


def listed(request: Request) -> list[Said]:
    """Return all topics of a league, as an answer lists them where a text names none."""
    return spoken(list(dict.fromkeys(page.topic for page in pages(request))))


def _also(topic: str) -> list[str]:
    systems = [str(registry.nouns({key}).one) for key in registry.RULESETS]
    return [topic, *_ALSO.get(topic, "").split(), *(systems if topic == "enlist" else ())]


def _subject(request: Request, page: TopicPage) -> list[str]:
    """Return the words of a page's line in the list of topics."""
    if page.order != "RULES":
        return []
    renderer, line = request.ports.outbox.renderer, BOOKS[page.system].topics[page.topic]
    return _WORD.findall(f"{line} {renderer.say(line, request.language)}")


def _names(request: Request, page: TopicPage) -> list[str]:
    """Return what a page is called, also in the reader's language."""
    translation = TRANSLATIONS.get(request.language)
    shown = translation.shown(f"{page.order} {page.topic}").split()[1:] if translation else ()
    more = BOOKS[page.system].contents.get(page.topic, "") if page.order == "RULES" else ""
    also = _also(page.topic) if page.order == "HELP" else [page.topic]
    return [*also, *more.split(), *shown]


def _is_form(word: str, other: str) -> bool:
    """Return whether a folded word is another one, or a form of it, such as its plural."""
    short, long = sorted((word, other), key=len)
    return long == short or (
        len(short) > _ENDINGS and long.startswith(short) and len(long) - len(short) <= _ENDINGS
    )


_BAGS: WeakKeyDictionary[Renderer, dict[tuple[TopicPage, str], Counter[str]]] = WeakKeyDictionary()


def _share(request: Request, page: TopicPage, words: Sequence[str], language: str) -> float:
    """Return which share of a page's words are the rarest of some words; 0 where one is missing."""
    renderer = request.ports.outbox.renderer
    bags = _BAGS.setdefault(renderer, {})
    bag = bags.get((page, language))
    if bag is None:
        bag = bags[page, language] = Counter(map(fold, _words(request, page, language)))
    counts = [sum(n for other, n in bag.items() if _is_form(word, other)) for word in words]
    return min(counts) / max(bag.total(), 1)


def help_block(topic: str, of: Sequence[str]) -> dict[str, object]:
    """Return the block of a page of help, on a topic, of some systems."""
    return {"kind": "help", "topic": topic, "of": of, "others": {}, "names": {}, "starter": None}


def rules_block(key: str, topic: str) -> dict[str, object]:
    """Return the block of a page of a system's rules; "" is the first page."""
    system, book = registry.RULESETS[key], BOOKS[key]
    return {
        "kind": "rules",
        "system": key,
        "title": system.title,
        "credits": system.credits,
        "topic": topic,
        "topics": dict(book.topics),
        "tables": book.tables,
        "ships": key in SHIPS,
        "others": {},
    }


def ships_block(request: Request, key: str, words: Sequence[str]) -> dict[str, object]:
    """Return the block of what can be chosen from in a system, of the classes that are named."""
    return {
        "kind": "ships",
        "system": key,
        "title": registry.RULESETS[key].title,
        "credits": registry.RULESETS[key].credits,
        "ships": SHIPS[key](words, request.ports.settings.stock(key)),
    }


def _words(request: Request, page: TopicPage, language: str) -> Iterator[str]:
    """Yield the words of a page."""
    renderer, (order, key, topic) = request.ports.outbox.renderer, page
    if order == "HELP":
        of = [key] if key else request.ports.settings.league.systems
        # The names stand in examples alone.
        names = dict.fromkeys(of, ("Hawk", 1)) if topic == "enlist" else {}
        block = help_block(topic, of) | {"names": names}
    elif order == "SHIPS":
        block = ships_block(request, key, (topic,))
    else:
        # Without what stands below every page of the rules.
        block = rules_block(key, topic) | {"topics": {}, "ships": False, "credits": ""}
    yield from _WORD.findall(renderer.block(block, key or None, language))
