"""Reading order sheets: a letter's text in the words of a system and of a player's language."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Generic, TypeVar

from engine.codec import change
from engine.errors import OrderError, UnreadableOrder
from engine.i18n import say
from engine.order_sheet import Sheet, Written, texts
from engine.order_words import ENGLISH, GRAMMARS, Translation
from engine.ruleset import Near, Ruleset
from engine.seats import Seat
from engine.sheet_lines import read_sheet
from engine.words import clean
from engine.wrapped_lines import Reader, unwrapped

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


def read_for(
    ruleset: Ruleset[S, O],
    state: S | None,
    seat: Seat | None,
    text: str,
    language: str = ENGLISH,
) -> Written:
    """Return a whole letter's text read for a seat; without a game, state and seat are None.

    English is always understood, and another language's words too.
    """
    reading = _Reading(ruleset, state, seat, language)
    lines = unwrapped(text.splitlines(), reading.wrapped())
    return _gathered(ruleset, state, seat, reading.read(lines))


class _Reading(Generic[S, O]):
    """Reads lines for a seat of a system; each line is read once, however often it is tried."""

    def __init__(
        self, ruleset: Ruleset[S, O], state: S | None, seat: Seat | None, language: str
    ) -> None:
        self._ruleset, self._state, self._seat = ruleset, state, seat
        self._grammar = GRAMMARS.get(language)
        self._translation = ruleset.translations.get(language)
        self._order, self._alone = cache(self._read_order), cache(self._read_alone)
        self._preset = cache(self._read_preset)

    def read(self, lines: Iterable[str]) -> Written:
        return read_sheet(
            lines, self._order, self._condition, self._grammar, self._piece, self._preset
        )

    def wrapped(self) -> Reader:
        """Return what decides where a mail program wrapped a line."""
        return Reader(self._english, self._reads, self._reads, self._nears)

    def _read_order(self, line: str) -> str | Near | None:
        found = self._ruleset.read(self._state, self._seat, line)
        if self._translation is not None and (found is None or isinstance(found, Near)):
            translated = read_translated(
                self._ruleset, self._state, self._seat, line, self._translation
            )
            found = translated or found
        return found if found is None or isinstance(found, Near) else self._ruleset.format(found)

    def _condition(self, written: str) -> str:
        try:
            return _condition(self._ruleset, written)
        except OrderError as error:
            if self._translation is None:
                raise
            return _translated_condition(self._ruleset, written, self._translation, error)

    def _piece(self, text: str) -> str:
        found = self._ruleset.read(self._state, self._seat, text)
        return "" if found is None or isinstance(found, Near) else self._ruleset.piece(found)

    def _read_preset(self, name: str) -> Sheet | None:
        return preset_sheet(self._ruleset, self._state, self._seat, name)

    def _english(self, line: str) -> str:
        return clean(line) if self._grammar is None else self._grammar.english(clean(line))

    def _read_alone(self, line: str) -> Written:
        return self.read([line])

    def _reads(self, line: str) -> bool:
        written = self._alone(line)
        return not (written.empty or written.near or written.story)

    def _nears(self, line: str) -> bool:
        return any(not near.why for near in self._alone(line).near)


def _gathered(
    ruleset: Ruleset[S, O], state: S | None, seat: Seat | None, written: Written
) -> Written:
    """Return what was read with whole orders, where the system's orders may take several lines."""
    found = ruleset.gather(state, seat, written.queue)
    near = [one for one in found if isinstance(one, Near)]
    standing = written.standing
    if standing is not None:
        # Rules hold one line each, so that what is no whole order there is a near miss.
        wholes = {text: ruleset.gather(state, seat, [text])[0] for text in texts(standing)}
        near += [one for one in wholes.values() if isinstance(one, Near)]
        kept = {text: one for text, one in wholes.items() if isinstance(one, str)}
        rules = (change(r, order=kept[r.order]) for r in standing.rules if r.order in kept)
        elses = tuple(kept[text] for text in standing.elses if text in kept)
        otherwise = elses if len(elses) > 1 else next(iter(elses), None)
        standing = Sheet((), tuple(rules), otherwise)
    queue = tuple(one for one in found if isinstance(one, str))
    return replace(written, queue=queue, standing=standing, near=(*written.near, *near))


def preset_sheet(
    ruleset: Ruleset[S, O], state: S | None, seat: Seat | None, name: str
) -> Sheet | None:
    """Return a preset's rules for a seat, an empty sheet without a game, or None where a system
    has no presets."""
    if ruleset.presets is None:
        return None
    if state is None or seat is None:
        return Sheet()
    return read_for(ruleset, state, seat, "\n".join(ruleset.presets(state, seat, name))).standing


def _condition(ruleset: Ruleset[S, O], written: str) -> str:
    if ruleset.conditions is None:
        raise UnreadableOrder(say("this game has no conditions for IF"))
    return ruleset.conditions.read(written)


def _translated_condition(
    ruleset: Ruleset[S, O], written: str, translation: Translation, error: OrderError
) -> str:
    """Return a condition read in another language; raise the error of the English reading."""
    try:
        return _condition(ruleset, translation.english(clean(written)))
    except OrderError:
        error.hint = translation.near_thing(clean(written)) or translation.thing(error.hint)
        raise error from None


def read_translated(
    ruleset: Ruleset[S, O], state: S | None, seat: Seat | None, line: str, translation: Translation
) -> O | Near | None:
    """Return the order in a line of another language: an order, nearly one, or None."""
    text = clean(line)
    if not text:
        return None
    exact = translation.order(text)
    english = exact or translation.nearly(text)
    found = ruleset.read(state, seat, english) if english else None
    if found is None or (exact and not isinstance(found, Near)):
        return found
    hint = found.hint if isinstance(found, Near) else ruleset.format(found)
    return Near(line.strip(), hint)


def reads(ruleset: Ruleset[S, O], state: S, seat: Seat, line: str, language: str) -> bool:
    """Return whether a line, in English or another language, is an order of a seat as it stands."""
    found = ruleset.read(state, seat, line)
    translation = ruleset.translations.get(language)
    if translation is not None and (found is None or isinstance(found, Near)):
        found = read_translated(ruleset, state, seat, line, translation)
    return not (found is None or isinstance(found, Near))
