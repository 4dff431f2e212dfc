"""Plans in plain words, such as `Jink if he fires`: recognized, and written as a rule instead.

Such a line would tell the opponent what to expect, and orders nothing.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from engine.errors import OrderError
from engine.i18n import Said, say
from engine.names import fold
from engine.order_languages import GRAMMARS
from engine.orders.lines import clean
from engine.orders.orders_on_file import Condition, Rule, rule_text
from engine.orders.reading import LineReader
from engine.ruleset import Near
from engine.seats import Seat
from pbem.games.session import Session
from pbem.routing.doubt_words import DENYING, PLANNED
from pbem.routing.player_stories import heads

_MOST_WORDS = 15
"""A longer sentence tells a story."""
_MOST_READ = 200
"""The most clauses of a letter that are read, because that is slow."""
_SENTENCE = re.compile(r"(?<=[.!?…;])\s+|\s+\|\s+")
_LATER = re.compile(
    r"\b(?:in |on )?(?:the |my |der |die |den |dem |im )?(?:next|nächste[nmrs]?) "
    r"(?:turn|round|move|time|runde|zug|mal)\b"
    r"|^(?:and |und )?(?:then|afterwards|after that|later|soon|dann|danach|später|bald)\b"
    r"(?=.*\b(?:i|we|ich|wir)\b)"
    r"|\b(?:i|we)(?:'ll| will| shall| am going to|'m going to|'m gonna)\b"
    r"|\b(?:ich|wir) werden?\b|\bwerden? (?:ich|wir)\b"
    r"|^\W*(?:strategy|strategie|tactics?|taktik|plan|memo|note|notiz)\b[^:]{0,20}:",
    re.I,
)
"""What tells that something is planned: a time to come, a future, or a heading."""
_YOURS = re.compile(r"you (?:still )?can|(?:du|ihr) (?:noch )?(?:kannst|könnt)", re.I)
"""What is asked in a plan that the opponent is advised to have: `Run while you can!`."""
_CLAUSE = re.compile(r"(?<=[.!?…;,])\s+")
_MARKS = r"[,:(){}]|<?-{1,2}>?(?=\s|$)"
_CUT = re.compile(rf"\s*(?:{_MARKS}|\b(?:then|dann)\b)\s*", re.I)
_PIECE = re.compile(rf"\s*(?:{_MARKS}|\b(?:and|und|then|dann)\b)\s*", re.I)
_LEAD = frozenset(
    "i we i'll we'll i'd we'd i'm will would shall should must can want going gonna plan to then so"
    " please only just and but or let's use better best always rather do don't not no go keep stay"
    " ich wir werde werden will möchte soll muss würde kann plane zu dann also bitte nur und aber"
    " oder lieber immer nicht nichts erst vorher noch mich my mein plan flies turns"
    " goes does makes takes fliegt dreht geht macht fliege drehe gehe mache".split()
)
"""What may stand before an order in a plan."""
_WITHIN = frozenset("i we ich wir mich zu".split())
_TRAIL = frozenset(
    "immediately again now first too hard only then once at him her it them everything sofort"
    " wieder jetzt gleich zuerst auch nur erst dann ihn ihm sie alles auf".split()
)
"""What may stand behind it."""
_NAMING = frozenset(
    "the a an his her my your their our its no of on under in at to and both all any open more"
    " der die das dem den des ein eine einen mein meine sein seine ihr ihre kein keine im am vom"
    " zum ins und".split()
)
"""Words below which an order's word is a thing, as in `the fire`."""
_MINE = frozenset("my our mein meine meinen unser unsere".split())
_FOES = frozenset("enemy opponent foe rival target gegner gegnerin feind ziel".split())
"""Of whom a plan tells that is not the player's: `my opponent`."""
_INTENT, _IS = frozenset("plan idea intention idee absicht".split()), ("is", "ist", "was", "war")
"""What `the plan is to fire` begins with."""
_PREFIXES = frozenset("ab an auf aus ein los nach vor weg zu zurück heran".split())
"""Parts that stand behind a verb which they begin in an order, as in `steige aus`."""
_LONGEST_TEST, _LONGEST_ORDER, _LONGEST_NAME = 3, 3, 2


class PlainPlans:
    """The plans in one letter's lines for a seat of a battle."""

    def __init__(self, session: Session, seat: Seat, language: str) -> None:
        self._reader = LineReader(session.rules, session.state, seat, language)
        self._rules, self._seat, self._language = session.rules, seat, language
        self._left = _MOST_READ

    def why(self, text: str) -> Said | None:
        """Return how to order what a text plans, or None where it plans nothing."""
        for sentence in _SENTENCE.split(text):
            if len(sentence.split()) > _MOST_WORDS:
                continue
            found = PLANNED.search(sentence) and self._rule(sentence)
            if found or (_LATER.search(sentence) and (found := self._later(sentence))):
                return found
        return None

    def acts(self, lines: Sequence[str]) -> list[str]:
        """Return the orders that a story tells the player's own pieces to follow, or none.

        Each of its clauses must be one: `Kitai attacks Cy. Bo holds.`
        """
        found = list[str]()
        clauses = (clean(one).split() for line in lines for one in _CLAUSE.split(line))
        for words in filter(None, clauses):
            order = self._act(words)
            # Most stories end here, with their first words.
            if order is None:
                return []
            found.append(order)
        return found

    def _rule(self, sentence: str) -> Said | None:
        for word, asked, clause in _clauses(sentence):
            if _YOURS.match(asked):
                continue
            for piece in _PIECE.split(clause):
                order = self._order(piece)
                if order is not None:
                    return self._said(word, asked, clause, order)
        return None

    def _later(self, sentence: str) -> Said | None:
        """Return how to order what a sentence announces for a turn to come."""
        for clause in _PIECE.split(_LATER.sub(" ", PLANNED.sub(",", sentence))):
            if DENYING.search(clause):
                continue
            if (order := self._order(clause)) is not None:
                return self._said("", "", clause, order)
        return None

    def _order(self, clause: str) -> str | None:
        """Return the order that a clause gives the player's own piece, or None."""
        words = clean(clause).split()
        if len(words) > 3 and words[1].lower() in _INTENT:
            words = words[2 + (words[2].lower() in _IS) :]
        return self._act(words) or self._meant("", words)

    def _act(self, words: Sequence[str]) -> str | None:
        """Return the order that some words tell the player's own piece to follow, or None."""
        for subject, rest in self._subjects(words):
            for form in _told(rest):
                if (order := self._meant(subject, form)) is not None:
                    return order
        return None

    def _subjects(self, words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield how an order may name the own piece that some words tell of, and the other words.

        The piece stands first, or behind the verb: `Hawk jinks`, `weicht Hawk aus`.
        """
        name = clean(self._seat).casefold().split()
        for at in range(min(2, len(words))):
            rest = [word.rstrip(",:").casefold() for word in words[at:]]
            if rest[: len(name)] == name:
                yield "", [*words[:at], *words[at + len(name) :]]
            elif len(rest) > 1 and rest[0] in _MINE and rest[1] not in _FOES:
                yield "", [*words[:at], *words[at + 2 :]]
        for count in range(1, min(_LONGEST_NAME, len(words) - 1) + 1):
            yield f"{' '.join(words[:count])}: ", list(words[count:])

    def _meant(self, subject: str, words: list[str]) -> str | None:
        while words and words[0].lower() in _LEAD:
            words = words[1:]
        words = [word for word in words if word.lower() not in _WITHIN]
        while words and self._left:
            self._left -= 1
            order = self._read(subject, words)
            if order is not None:
                return order
            if words[-1].lower() not in _TRAIL:
                break
            del words[-1]
        return None

    def _read(self, subject: str, words: Sequence[str]) -> str | None:
        """Return the order of some words, or the first that they may mean, or None."""
        found = self._reader.order(subject + " ".join(words))
        if found is None and len(words) == 2 and words[1].lower() in _PREFIXES:
            found = self._reader.order(f"{subject}{words[1]}{words[0].rstrip('e')}en")
        if isinstance(found, Near):
            # Any word of a story may look like a mistyped one.
            known = found.phrase or fold(words[0]) in heads()
            return found.meant[0].partition(" or ")[0] if known and found.meant else None
        return found

    def _said(self, word: str, asked: str, clause: str, order: str) -> Said:
        denied = DENYING.search(f"{word} {asked}") is not None
        grammar = GRAMMARS.get(self._language)
        translation = self._rules.translations.get(self._language)
        test = "" if DENYING.search(clause) else self._test(asked)
        if test:
            rule = rule_text(Rule((Condition(test, denied),), order))
            if grammar is not None and translation is not None:
                rule = grammar.shown(rule, translation)
            return say(
                "it reads like a plan. Perhaps you mean the rule {rule}; HELP STANDING tells of"
                " rules",
                rule=rule,
            )
        shown = translation.shown(order) if translation else order
        return say(
            "it reads like a plan. A plan is a rule of the form IF condition: {order}; HELP"
            " STANDING lists the conditions",
            order=shown,
        )

    def _test(self, asked: str) -> str:
        """Return the condition that some words hold, "" where none is read."""
        words = clean(asked).split()
        for count in range(_LONGEST_TEST, 0, -1):
            for first in range(len(words) - count + 1):
                with suppress(OrderError):
                    part = " ".join(words[first : first + count])
                    return self._reader.condition(part)
        return ""


def _told(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield some words with a verb of the third person at their beginning as in an order.

    A verb that another one leads to has its own form: `will jink`.
    """
    verb, rest = (words[0], list(words[1:])) if words else ("", [])
    if verb.lower() in _LEAD:
        yield list(words)
    for ending, others in (("s", ("",)), ("es", ("",)), ("t", ("e", "en", ""))):
        if len(verb) > len(ending) + 2 and verb.lower().endswith(ending):
            yield from ([verb[: -len(ending)] + other, *rest] for other in others)


def _clauses(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield each word of a condition in a sentence, what it asks, and what may be done then."""
    for found in PLANNED.finditer(sentence):
        before, after = sentence[: found.start()], sentence[found.end() :].strip()
        cuts = list(_CUT.finditer(after))
        asked = after[: cuts[0].start()] if cuts else after
        # Of several clauses, the last one goes on with the condition.
        if clauses := [one for one in _CUT.split(before) if clean(one)]:
            yield found[0], asked, clauses[-1]
        for cut in cuts:
            yield found[0], after[: cut.start()], after[cut.end() :]
        if not (clauses or cuts):
            words = after.split()
            for count in range(min(_LONGEST_ORDER, len(words) - 2), 0, -1):
                if words[-count - 1].lower() not in _NAMING:
                    yield found[0], " ".join(words[:-count]), " ".join(words[-count:])
