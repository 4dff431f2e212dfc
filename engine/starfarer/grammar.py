"""A plan's words read: verbs, names, conditions, and what to do else."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engine.i18n import Said, say, spoken
from engine.names import Names
from engine.orders.phrase_parser import PhraseReader, Token, Unclear
from engine.starfarer.model import Action, Choices, Entry
from engine.starfarer.tables import AREAS, NEAREST, SHOCK
from engine.starfarer.vocabulary import CONDITIONS, VERBS

_HANDS = {"right hand": "right", "left hand": "left", "right arm": "right", "left arm": "left"}
_AREAS = (*AREAS, SHOCK)
_PLACES = dict(zip(_AREAS, _AREAS, strict=True)) | dict(zip(_HANDS, AREAS[3:5], strict=False))


class Known(NamedTuple):
    """Whom and what a plan may name."""

    foes: Names
    mates: Names
    anybody: Names
    weapons: Names
    treatments: Mapping[str, Sequence[str]]
    """Whole orders that treat each of one's own side who needs it."""


class Body(NamedTuple):
    """A plan without its character: an entry for each phase, and what else it says."""

    entries: tuple[Entry, ...]
    abort: str | None
    keep: bool
    corrected: bool
    """Whether a word was mistyped, so that the plan may be meant."""


def read_body(tokens: Sequence[Token], known: Known | None) -> Body:
    """Return the plan in a text's parts; raise Unclear."""
    return _Reader(tokens, known).body()


class _Reader(PhraseReader):
    """Reads a plan from its first part to its last."""

    def __init__(self, tokens: Sequence[Token], known: Known | None) -> None:
        super().__init__(tokens)
        self.known = known

    def body(self) -> Body:
        entries: list[Entry] = []
        abort, keep = None, False
        while True:
            if self.key("KEEP"):
                keep = True
            elif self.key("ABORT"):
                abort = self.abort()
            elif self.at < len(self.tokens):
                entries.append(self.entry())
            if not (self.mark(";") or self.key("THEN")):
                break
        self.end()
        return Body(tuple(entries), abort, keep, self.corrected)

    def end(self) -> None:
        # Often written between phases, where "; " or a new line is needed.
        if self.mark(","):
            raise Unclear(say("a comma stands before ELSE alone; write each phase on its own line"))
        super().end()

    def abort(self) -> str:
        self.mark(":")
        found = self.key("EVADE", "PARRY")
        if found is None:
            raise Unclear(say("behind ABORT stands EVADE or PARRY"))
        return found.lower()

    def entry(self) -> Entry:
        found = [self.choices()]
        while self.key("AND"):
            found.append(self.choices())
        return tuple(found)

    def choices(self) -> Choices:
        found = [self.action()]
        while self.otherwise():
            self.mark(":")
            found.append(self.action())
        return tuple(found)

    def otherwise(self) -> bool:
        """Take ELSE, and a comma before it."""
        at = self.at
        self.mark(",")
        if self.key("ELSE"):
            return True
        # The comma was not for ELSE: it is left for what reads on.
        self.at = at
        return False

    def condition(self) -> str | None:
        if not self.key("IF"):
            return None
        denied = self.key("NOT")
        word = self.key(*CONDITIONS)
        if word is None:
            word = self.nearly(CONDITIONS)
            if word is None:
                names = spoken(CONDITIONS)
                raise Unclear(say("behind IF stands one of these: {names}", names=names))
        # SF-9 knows an opposite for one condition only.
        if denied and word not in _OPPOSITES:
            raise Unclear(say("there is no condition NOT {word}; use ELSE", word=word))
        for mark in (":", ","):
            self.mark(mark)
        self.key("THEN")
        return CONDITIONS[_OPPOSITES[word] if denied else word]

    def action(self) -> Action:
        when = self.condition()
        token = self.peek()
        verb = self.key(*VERBS) or self.nearly(VERBS)
        if verb is None:
            word = token.written if token else ""
            raise Unclear(say("{word!r} is not an action", word=word))
        return _ACTIONS[verb](self, when)

    def names(self, of: Callable[[Known], Names]) -> str | None:
        """Take a name of those that may stand here, None where none does."""
        return self.name(None if self.known is None else of(self.known))

    def whom(self, names: Callable[[Known], Names]) -> str | None:
        """Take a name, or the word for the nearest opponent."""
        return NEAREST if self.key(NEAREST) else self.names(names)

    def metres(self) -> int | None:
        """Take a number of metres."""
        found = self.number()
        if found is not None:
            self.key("METRES")
        return found

    def armed(self, do: str, when: str | None) -> Action:
        """Read what may stand behind ATTACK, AIM AT and PARRY, in any order."""
        at = self.whom(lambda known: known.foes) if do != "parry" else None
        weapon = arm = within = None
        finish = False
        while True:
            if do != "aim" and self.key("WITH"):
                weapon = self.names(lambda known: known.weapons)
                if weapon is None:
                    raise Unclear(say("behind WITH stands a weapon"))
            elif do != "aim" and (hand := self.key(*_HANDS)):
                arm = _HANDS[hand]
            elif do != "parry" and self.key("WITHIN"):
                within = self.metres()
                if within is None:
                    raise Unclear(say("behind WITHIN stands a number of metres"))
            elif do != "parry" and self.key("FINISH"):
                finish = True
            else:
                return Action(do, when, at, within, finish, weapon, arm)

    def treat(self, when: str | None) -> Action:
        place = self.key(*_PLACES)
        if place is None:
            raise Unclear(self.treatments())
        at = None
        if self.key("OF"):
            at = self.names(lambda known: known.mates)
            if at is None:
                raise Unclear(say("behind OF stands who is treated"))
        return Action("treat", when, at=at, area=_PLACES[place])

    def treatments(self) -> Said:
        """Return what may be written where TREAT has no area: the orders that are possible."""
        self.key("OF")
        who = self._whole(self.known.mates) if self.known else None
        if self.known and (who or self.peek() is None):
            ones = [who] if who else self.known.treatments
            orders = [order for one in ones for order in self.known.treatments[one]]
            if orders:
                return say("behind TREAT stands what is treated: {orders}", orders=orders)
            if who:
                return say("there is nothing to treat")
        return say("behind TREAT stands one of these: {areas}", areas=spoken(_AREAS))

    def move_to(self, when: str | None) -> Action:
        to = self.metres()
        if to is not None:
            return Action("move", when, to=to)
        # MOVE TO and a name means the same as MOVE TOWARD: both are natural to write.
        return self.move_toward(when)

    def move_toward(self, when: str | None) -> Action:
        toward = self.whom(lambda known: known.anybody)
        if toward is None:
            raise Unclear(say("write MOVE TO and a metre, or MOVE TOWARD and a name"))
        return Action("move", when, toward=toward)


_OPPOSITES = {"ENGAGED": "CLEAR", "CLEAR": "ENGAGED"}


def _plain(do: str) -> Callable[[_Reader, str | None], Action]:
    return lambda reader, when: Action(do, when)


_ACTIONS: Mapping[str, Callable[[_Reader, str | None], Action]] = {
    "ATTACK": lambda reader, when: reader.armed("attack", when),
    # One reader for three verbs: what may follow them differs little, and the order is free.
    "AIM AT": lambda reader, when: reader.armed("aim", when),
    "PARRY": lambda reader, when: reader.armed("parry", when),
    "TREAT": _Reader.treat,
    "MOVE TO": _Reader.move_to,
    "MOVE TOWARD": _Reader.move_toward,
    **{verb.upper(): _plain(verb) for verb in ("evade", "drop", "rise", "hold", "yield")},
}
