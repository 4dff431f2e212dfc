"""A unit's orders read: verbs, weapons, and whom they are for."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engine.cortex.model import HOLD, Order, Weapon
from engine.cortex.tables import NEAREST_FOE, NEXT_MISSILE, PARTS, WEAKEST_FOE
from engine.cortex.vocabulary import STATIONS, VERBS
from engine.i18n import Said, say, spoken
from engine.names import Names
from engine.orders.phrase_parser import PhraseReader, Token, Unclear

_MISSILE = re.compile(r"M\d{1,6}", re.I)
_PARTS = {"sensors": "sensors", "engines": "engines", "weapon": "weapon"}


class Known(NamedTuple):
    """Whom and what a unit's orders may name; `arms` are those of the vessel that shoots for it."""

    foes: Names
    mates: Names
    marks: Names
    rocks: Names
    spotters: Names
    weapons: Names
    arms: tuple[Weapon, ...]


class Body(NamedTuple):
    """A unit's orders without its name."""

    orders: tuple[Order, ...]
    keep: bool
    corrected: bool
    """Whether a word was mistyped, so that the orders may be meant."""


def read_body(tokens: Sequence[Token], known: Known | None) -> Body:
    """Return the orders in a text's parts; raise Unclear."""
    return _Reader(tokens, known).body()


class _Reader(PhraseReader):
    """Reads a unit's orders from the first to the last."""

    def __init__(self, tokens: Sequence[Token], known: Known | None) -> None:
        super().__init__(tokens)
        self.known = known

    def body(self) -> Body:
        orders: list[Order] = []
        keep = False
        while True:
            if self.key("KEEP"):
                keep = True
            elif self.at < len(self.tokens):
                orders.append(self.order())
            if not self.joint():
                break
        self.end()
        return Body(tuple(orders), keep, self.corrected)

    def joint(self) -> bool:
        """Take what stands between two orders: a mark, AND or THEN, or both."""
        mark = self.mark(",") or self.mark(";")
        return bool(self.key("AND", "THEN")) or mark

    def order(self) -> Order:
        station = self.key(*STATIONS)
        if station is not None:
            self.mark(":")
        token = self.peek()
        verb = self.key(*VERBS) or self.nearly(VERBS)
        if verb is None:
            word = token.written if token else station
            raise Unclear(say("{word!r} is not an action", word=word))
        if verb == "ASSIST":
            return self.assist(None if station is None else STATIONS[station])
        return _ORDERS[verb](self)

    def names(self, of: Callable[[Known], Names]) -> str | None:
        """Take a name of those that may stand here, None where none does."""
        return self.name(None if self.known is None else of(self.known))

    def foe(self) -> str | None:
        """Take an enemy's name, or the word for the nearest or the weakest."""
        return self.unnamed_foe() or self.names(lambda known: known.foes)

    def unnamed_foe(self) -> str | None:
        """Take the word for the nearest or the weakest enemy."""
        word = self.key("nearest", "weakest")
        return {"nearest": NEAREST_FOE, "weakest": WEAKEST_FOE}.get(word or "")

    def weapon(self, fits: Callable[[Weapon], bool]) -> tuple[int | None, str | None]:
        """Take a number of guns and a weapon; a unit with one weapon that fits need not name it."""
        # The number stands before the weapon, and "guns" may stand behind both.
        guns = self.number()
        weapon = self.names(lambda known: known.weapons)
        self.key("guns")
        return guns, self.only(fits) if weapon is None else weapon

    def only(self, fits: Callable[[Weapon], bool]) -> str | None:
        found = [] if self.known is None else [w.name for w in self.known.arms if fits(w)]
        return found[0] if len(found) == 1 else None

    def armed(self, do: str, fits: Callable[[Weapon], bool]) -> Order:
        """Read what may stand behind FIRE, AIM, LOCK and LAUNCH, in any order."""
        guns = weapon = at = called = None
        while True:
            if self.key("AT", "ON"):
                called = self.part() or called
                at = self.foe()
                if at is None:
                    raise Unclear(say("behind AT stands a name, or nearest"))
            elif self.key("CALLED"):
                self.key("AT", "ON")
                called = self.called()
            elif self.key("WITH") or (weapon is None and self.begins_weapon()):
                guns, weapon = self.weapon(fits)
            elif at is None and (found := self.foe()) is not None:
                at = found
            else:
                break
        # A unit with one weapon that fits need not say which.
        weapon = weapon or self.only(fits)
        self.want(weapon, fits)
        return Order(do, at=at or NEAREST_FOE, weapon=weapon, guns=guns, called=called)

    def begins_weapon(self) -> bool:
        """Return whether a number or a weapon stands here."""
        start, corrected = self.at, self.corrected
        found = self.number() is not None
        if not found and self.known is None:
            token = self.peek()
            return token is not None and token.kind in ("word", "quoted")
        try:
            found = found or self.names(lambda known: known.weapons) is not None
        except Unclear:
            found = False
        # A mistyped weapon may be an enemy's name.
        exact = self.corrected == corrected
        self.at, self.corrected = start, corrected
        return found and (exact or not self.names_foe())

    def names_foe(self) -> bool:
        """Return whether an enemy's name stands here."""
        start, corrected = self.at, self.corrected
        try:
            found = self.foe() is not None and self.corrected == corrected
        except Unclear:
            found = False
        self.at, self.corrected = start, corrected
        return found

    def want(self, weapon: str | None, fits: Callable[[Weapon], bool]) -> None:
        """Raise Unclear where a unit must say which of its weapons it means."""
        arms = () if self.known is None else self.known.arms
        if weapon is None and arms:
            fitting = [one.name for one in arms if fits(one)] or [one.name for one in arms]
            raise Unclear(say("say with which weapon: {weapons}", weapons=fitting))

    def part(self) -> str | None:
        """Take the part of a vessel that a shot is called at, in front of OF."""
        start = self.at
        part = self.key(*_PARTS)
        if part is not None and self.key("OF"):
            return _PARTS[part]
        # Without OF the word is not a part of a vessel, but may begin a name.
        self.at = start
        return None

    def called(self) -> str:
        part = self.key(*_PARTS)
        if part is None:
            raise Unclear(say("a shot is called at one of these: {parts}", parts=spoken(PARTS)))
        return _PARTS[part]

    def missile(self) -> str:
        """Take a missile's number, or the word for the one that comes next."""
        token = self.peek()
        if token is not None and token.kind == "word" and _MISSILE.fullmatch(token.text):
            self.at += 1
            return token.text.upper()
        self.key("missile")
        return NEXT_MISSILE

    def intercept(self) -> Order:
        missile = self.missile()
        guns = weapon = None
        if self.key("WITH"):
            guns, weapon = self.weapon(_is_gun)
        weapon = weapon or self.only(_is_gun)
        self.want(weapon, _is_gun)
        return Order("intercept", missile=missile, weapon=weapon, guns=guns)

    def trick(self) -> Order:
        missile = self.missile()
        self.key("AROUND", "WITH")
        at = self.unnamed_foe() or self.names(lambda known: known.rocks)
        return Order("trick", missile=missile, at=at)

    def bombard(self) -> Order:
        at = self.mark_named(say("behind BOMBARD stands what is bombarded"))
        guns = weapon = spotter = None
        while True:
            if self.key("WITH"):
                guns, weapon = self.weapon(_is_heavy)
            elif self.spotted():
                spotter = self.names(lambda known: known.spotters)
                if spotter is None:
                    raise Unclear(say("behind SPOTTER stands the name of a spotter"))
            else:
                break
        weapon = weapon or self.only(_is_heavy)
        self.want(weapon, _is_heavy)
        return Order("bombard", at=at, weapon=weapon, guns=guns, spotter=spotter)

    def spotted(self) -> bool:
        """Take SPOTTER, and a comma before it."""
        start = self.at
        self.mark(",")
        if self.key("SPOTTER"):
            return True
        self.at = start
        return False

    def mark_named(self, missing: Said) -> str:
        """Take what is bombarded or designated; the only mark there is need not be named."""
        at = self.names(lambda known: known.marks)
        if at is not None:
            return at
        marks = set() if self.known is None else set(self.known.marks.values())
        # With one mark it is clear what is meant; with several a wrong guess would hit another one.
        if len(marks) != 1:
            raise Unclear(missing)
        return marks.pop()

    def spot(self) -> Order:
        return Order("spot", at=self.mark_named(say("behind SPOT stands what is designated")))

    def mate(self, do: str) -> Order:
        at = self.names(lambda known: known.mates)
        if at is None:
            raise Unclear(say("behind JOIN and SHIELD WITH stands a vessel of your own side"))
        return Order(do, at=at)

    def at_foe(self, do: str) -> Order:
        self.key("ON", "AT", "WITH")
        return Order(do, at=self.foe() or NEAREST_FOE)

    def helped(self) -> str:
        """Take the station or weapon that is helped."""
        self.key("FOR", "WITH")
        to = self.key("pilot", "guns", "sensors", "comms")
        found = to or self.names(lambda known: known.weapons)
        if found is None:
            raise Unclear(say("say who is helped, such as pilot, or which weapon"))
        return found

    def assist(self, station: str | None) -> Order:
        to, at = self.helped(), None
        if self.key("OF", "ON"):
            at = self.names(lambda known: known.mates)
            if at is None:
                raise Unclear(say("behind OF stands a vessel of your own side"))
        return Order("assist", to=to, at=at, station=station)

    def press(self) -> Order:
        if not self.key("WITH"):
            return Order("press")
        _, weapon = self.weapon(lambda weapon: True)
        if weapon is None:
            raise Unclear(say("behind WITH stands a weapon"))
        return Order("press", weapon=weapon)


def _is_gun(weapon: Weapon) -> bool:
    return not weapon.missile


def _is_missile(weapon: Weapon) -> bool:
    return weapon.missile


def _is_heavy(weapon: Weapon) -> bool:
    return not weapon.pd


def _plain(do: str) -> Callable[[_Reader], Order]:
    return lambda reader: Order(do)


_ORDERS: Mapping[str, Callable[[_Reader], Order]] = {
    "FIRE": lambda reader: reader.armed("fire", _is_gun),
    "AIM": lambda reader: reader.armed("aim", _is_gun),
    "LOCK": lambda reader: reader.armed("lock", _is_missile),
    "LAUNCH": lambda reader: reader.armed("launch", _is_missile),
    "INTERCEPT": _Reader.intercept,
    "OUTFLY": lambda reader: Order("outfly", missile=reader.missile()),
    "TRICK": _Reader.trick,
    "BOMBARD": _Reader.bombard,
    "SPOT": _Reader.spot,
    "JOIN": lambda reader: reader.mate("join"),
    "SHIELD WITH": lambda reader: reader.mate("shield"),
    "CLOSE ON": lambda reader: reader.at_foe("close"),
    "RAM": lambda reader: reader.at_foe("ram"),
    "STRAFE": lambda reader: reader.at_foe("strafe"),
    "PRESS": _Reader.press,
    "SENSE FOR": lambda reader: Order("sense", to=reader.helped()),
    "CHECK FIRE": _plain("check_fire"),
    "HOLD": _plain(HOLD),
    **{
        do.upper(): _plain(do)
        for do in (
            "leave", "open", "withdraw", "jump", "defend", "evade", "forward", "plot", "surrender",
        )
    },
}  # fmt: skip
