"""Certainty: which of a letter's orders are done at once, and which are only read and said back."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from engine.orders.line_shapes import RULE_LIKE, is_mark
from engine.orders.orders_on_file import LineKind
from engine.orders.reading import LineReader
from engine.ruleset import Near
from engine.seats import Seat
from pbem.handlers.names.own_pilots_and_places import only_place
from pbem.handlers.order_table import READING
from pbem.handlers.order_words import in_another_language, names_an_order
from pbem.handlers.request import Request
from pbem.routing.line_kinds import Lines, Ordered, Part, Unsure, read
from pbem.routing.line_tests import battle_orders_in, in_all_english
from pbem.routing.marked_text import amiss, is_plain
from pbem.routing.order_paragraphs import ORDERS, Kind, left_out, sure_orders
from pbem.routing.seat_orders import read_part
from pbem.routing.yes_words import is_yes
from pbem.storage import stored_games

_CHANGING_NOTHING = READING | {"LEAVE LEAGUE", "RESIGN"}
"""Orders that are sure anywhere: they only tell something, or ask for a confirmation."""
_FEW = 3
"""At most so many words that are not all in capitals may be an order of another language."""
_PREFERRED: tuple[LineKind, ...] = ("order", "rest", "near", "words", "")


def sort_out(request: Request, found: Lines, ordered: Sequence[Ordered]) -> list[Ordered]:
    """Sort a letter's orders into those that are sure, and those that are only said back.

    Return the league orders that are sure. The parts keep their sure orders; `found.unsure`,
    `Part.unsure` and `found.words` hold the rest.
    """
    letter = _LetterLines(request, found)
    for part in found.parts:
        letter.read(part)
    sure = letter.sure()
    # Those that stand below a head that names no place are known already.
    found.words = [*_words(found), *found.words]
    found.words += [found.lines[n] for n in sorted(letter.crossed | letter.yes)]
    for part in found.parts:
        letter.split(part, sure)
    unclear = bool(found.near) or any(part.near or part.unsure for part in found.parts)
    kept: list[Ordered] = []
    for one in ordered:
        # READY may end the turn, so it waits until all beside it is clear.
        waits = unclear and one.order.word == "READY" and not found.preview
        if one.order.word in _CHANGING_NOTHING or (sure.issuperset(one.at) and not waits):
            kept.append(one)
        else:
            found.unsure += map(Unsure, one.written(request.language))
    if not found.preview:
        found.unsure += _as_meant(found.near)
        found.near = [near for near in found.near if not near.is_plain]
    return kept


def _words(found: Lines) -> list[str]:
    """Return a letter's words, with the blank lines between them."""
    if "words" not in found.kinds:
        return []
    kinds = zip(found.lines, found.kinds, strict=True)
    return "\n".join(line for line, kind in kinds if kind in ("words", "")).strip("\n").split("\n")


def add_uncertain(request: Request, found: Lines, lines: Sequence[str]) -> None:
    """Add the orders among lines that may not be the writer's own; they are only asked about."""
    other, ordered = read(request, "\n".join(lines))
    letter = _LetterLines(request, other)
    for one in ordered:
        # What is nearly a mark, such as `Tel. 1` of a signature, would only be refused.
        if one.order.word not in _CHANGING_NOTHING and one.order.act is not amiss:
            found.unsure += [Unsure(line, own=False) for line in one.written(request.language)]
    for part in other.parts:
        letter.read(part)
        letter.split(part, set())
        part.unsure = [one._replace(own=False) for one in part.unsure]
        same = (p for p in found.parts if p.place == part.place and p.head == part.head)
        if (own := next(same, None)) is None:
            found.parts.append(part)
        else:
            own.unsure += part.unsure
            own.meant += part.meant


def _as_meant(near: Iterable[Near]) -> list[Unsure]:
    """Return those near misses of which a yes says enough, as they are meant."""
    return [Unsure(one.meant[0], one.text.strip()) for one in near if one.is_plain]


class _LetterLines:
    """The lines of a letter, whose kinds are filled in part by part.

    `crossed` are orders that are crossed out, `yes` lines such as "ok", which put no order in
    doubt, and `_leaving` orders that leave a battle for good.
    """

    def __init__(self, request: Request, found: Lines) -> None:
        self._request, self._found = request, found
        self._lines, self._kinds = found.lines, found.kinds
        self._leaving = set[int]()
        self.crossed, self.yes = set[int](), set[int]()

    @cached_property
    def _seats(self) -> list[Seat]:
        return [
            Seat(one.seat)
            for one in stored_games.places_of(self._request.ports.store, self._request.player.id)
        ]

    def _is_plain(self, line: str) -> bool:
        """Return whether a line is a greeting, a farewell, or a name of the writer's."""
        return is_plain(line, [self._request.player.name, *self._seats])

    def read(self, part: Part) -> None:
        """Find out what the lines of a part are."""
        written = [line for line in part.lines if line.strip()]
        kinds = self._kinds_in_battle(part) if written else ()
        # Names are looked up only where no line is an order.
        if "order" in kinds or not all(map(self._is_plain, written)):
            # The blank lines at its end are not read.
            for n, kind in zip(part.at, kinds, strict=False):
                self._kinds[n] = self._kind(n, kind)
        else:
            part.near = ()
            for n in part.at:
                self._kinds[n] = "plain" if self._lines[n].strip() else ""

    def _kinds_in_battle(self, part: Part) -> Sequence[LineKind]:
        """Return what each line of a part is in its battle; without one, in any system."""
        place = part.place
        if place is None and part is self._found.parts[0]:
            place = only_place(self._request)
        if place is None:
            each = battle_orders_in(self._request, "\n".join(part.lines))
            part.near = tuple(near for one in each if one.empty for near in one.near)
            kinds = zip(*(one.kinds for one in each), strict=True)
            return [min(one, key=_PREFERRED.index) for one in kinds]
        session, seat = self._request.battle(place.game_id), Seat(place.seat)
        written = read_part(self._request, self._found, session, replace(part, place=place))
        part.near = written.near
        if any(map(session.rules.leaves, written.queue)):
            reader = LineReader(session.rules, session.state, seat, self._request.language)
            for n, line in zip(part.at, part.lines, strict=True):
                orders = reader.orders(line)
                if isinstance(orders, list) and any(map(session.rules.leaves, orders)):
                    self._leaving.add(n)
        return written.kinds

    def _kind(self, n: int, kind: LineKind) -> Kind:
        """Return what a line is, after its battle has read it."""
        line = self._lines[n]
        if kind == "order":
            text = in_all_english(line, self._request.language)
            return "rule" if is_mark(text) or RULE_LIKE.fullmatch(text) else "order"
        if kind and self._is_plain(line):
            return "plain"
        if kind == "words" and is_yes(line):
            self.yes.add(n)
            return "plain"
        short = kind == "words" and (len(line.split()) <= _FEW or line.isupper())
        why = in_another_language(line, self._request.language) if short else None
        if why is not None:
            self._found.near.append(Near(line.strip(), why, why=True))
            return "near"
        return kind

    def sure(self) -> set[int]:
        """Return the lines that are sure to be orders."""
        lines, kinds = self._lines, self._kinds
        self.crossed = left_out(lines, kinds)
        for n in self.crossed:
            kinds[n] = "plain"
        # A PREVIEW does nothing, and what a YES confirms was asked about.
        if self._found.preview or self._request.confirmed:
            return set(range(len(lines)))
        # Who names an order in a sentence may correct one.
        words = (line for line, kind in zip(lines, kinds, strict=True) if kind == "words")
        sure = set() if any(map(names_an_order, words)) else sure_orders(lines, kinds)
        return sure - self._leaving if "words" in kinds else sure

    def split(self, part: Part, sure: set[int]) -> None:
        """Leave in a part what is done at once, and note what is only said back."""
        near = [near for near in part.near if not self._is_plain(near.text)]
        mistyped = {} if self._found.preview else {one.wrote: one for one in _as_meant(near)}
        part.near = tuple(one for one in near if one.text.strip() not in mistyped)
        for n in part.at:
            line = self._lines[n].strip()
            asked = mistyped.pop(line, None)
            if asked is None and self._kinds[n] in ("order", "rule"):
                part.meant.append(line)
                part.unsure += [] if n in sure else [Unsure(line)]
            elif self._kinds[n] == "rest" and part.meant:
                part.meant[-1] += f" {line}"
                if n not in sure:
                    part.unsure[-1] = Unsure(part.meant[-1])
            elif asked is not None:
                part.meant.append(asked.line)
                part.unsure.append(asked)
        # Those that were wrapped.
        part.meant += [one.line for one in mistyped.values()]
        part.unsure += mistyped.values()
        gone = {n for n in part.at if self._kinds[n] in ORDERS and n not in sure} | self.crossed
        if any(not one.wrote for one in part.unsure) or not self.crossed.isdisjoint(part.at):
            kept = [n for n in part.at if n not in gone or self._kinds[n] == "near"]
            part.lines, part.at = [self._lines[n] for n in kept], kept
