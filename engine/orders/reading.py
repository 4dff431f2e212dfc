"""A letter's text read as an order sheet, in the words of a system and of a player's language."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from engine.codec import change
from engine.errors import OrderError, UnreadableOrder
from engine.i18n import retold, say
from engine.names import closest, fold
from engine.order_translations import ASK, ENGLISH, EVERYBODY, GRAMMARS, Translation, everybodys
from engine.orders.line_shapes import (
    AND,
    RULE_LIKE,
    Shape,
    clean,
    doctrine_named,
    is_unfinished,
    shape_of,
)
from engine.orders.orders_for_several import EACH, ends, whom
from engine.orders.orders_on_file import (
    Condition,
    LineKind,
    Rule,
    Sheet,
    Written,
    rule_text,
    standing_orders,
    texts,
)
from engine.orders.spelling_differences import other_word
from engine.orders.wrapped_lines import WrapTests, unwrapped
from engine.ruleset import Near, Ruleset
from engine.seats import Seat

_NOT = re.compile(r"NOT\s+", re.I)
_IF = re.compile(r"\bIF ")
_IF_PART = re.compile(r"IF\s+(.+?)(?:\s+(?:AND|NOT))*", re.I)
_SHARED = re.compile(r"([^:]{2,100}?)\s*:\s*(.+)|(\S+ \S+) (?:for|für) (.{2,100})", re.I)
"""Standing orders for some pieces: `Red and Gold: STANDING sound`, `STANDING sound for all`."""
_OF_A_TURN = re.compile(r"(?:turn|round|zug|runde)\s*#?(\d{1,3})\s*[:.)-]\s*(.+)", re.I)
"""A line such as `Turn 2: FIRE`."""
MOST_SALTS, LONGEST_SALT = 10, 200
"""How many SALT lines of a letter count, and how many characters each may have."""
NO_DOCTRINES: Mapping[str, str] = MappingProxyType({})
"""The doctrines of a seat that has none of its own."""
_SHOWN = 40
"""How many characters of a SALT that is too long are shown."""
_MOST_SHARED = 50
"""The most lines of a letter that are read for several pieces: each is read for all of them."""
_MOST_TESTED = 200
"""In so many lines of a letter conditions in small letters are looked for, because it is slow."""

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


def read_for(
    ruleset: Ruleset[S, O],
    state: S | None,
    seat: Seat | None,
    text: str,
    language: str = ENGLISH,
    turn: int = 0,
    doctrines: Mapping[str, str] = NO_DOCTRINES,
) -> Written:
    """Return a whole letter's text read for a seat; without a game, state and seat are None.

    English is always understood, and another language's words too. `turn` is the one that is asked
    for, by which orders with the number of a turn are known. `doctrines` are the texts of the
    seat's own doctrines, by their folded names.
    """
    reader = LineReader(ruleset, state, seat, language, doctrines)
    wrapped = WrapTests(
        lambda line: reader.english(clean(line)),
        reader.reads,
        reader.reads,
        reader.nears,
        reader.tests,
    )
    sheet, lines = _SheetReader(reader, turn), text.splitlines()
    # A single line can't have been wrapped.
    whole = unwrapped(lines, wrapped) if len(lines) > 1 else ((line, 1) for line in lines)
    read: list[tuple[str, int, LineKind]] = []
    for line, count in whole:
        read.append((line, count, sheet.read(line)))
    found = _gathered(ruleset, state, seat, sheet.written())
    near = tuple(replace(one, text=sheet.typed.get(one.text, one.text)) for one in found.near)
    # Some are only found amiss with the lines below them.
    amiss = {one.text for one in near}
    kinds: list[LineKind] = []
    for line, count, kind in read:
        late = kind == "order" and not amiss.isdisjoint((line.strip(), clean(line)))
        kind = "near" if late else kind
        kinds += [kind, *["rest" if kind == "order" else kind] * (count - 1)]
    return replace(found, near=near, kinds=tuple(kinds))


class LineReader(Generic[S, O]):
    """Reads single lines for a seat of a system; each is read once, however often it is tried."""

    def __init__(
        self,
        ruleset: Ruleset[S, O],
        state: S | None,
        seat: Seat | None,
        language: str,
        doctrines: Mapping[str, str] = NO_DOCTRINES,
    ) -> None:
        self._ruleset, self._state, self._seat = ruleset, state, seat
        self._language, self._own = language, doctrines
        self._grammar = GRAMMARS.get(language)
        self._translation = ruleset.translations.get(language)
        # A line may be tried by itself, joined with those below it, and in parts.
        self.order, self._alone = cache(self._read_order), cache(self._read_alone)
        self.doctrine = cache(lambda name: doctrine_orders(ruleset, state, seat, name, doctrines))
        self.piece, self.tests, self._tested = cache(self._find_piece), cache(self._has_test), 0
        self.each, self._shared_lines = cache(self._find_each), 0

    def _read_alone(self, line: str) -> Written:
        """Return what a single line says."""
        reader = _SheetReader(self)
        reader.read(line)
        return reader.written()

    def english(self, text: str) -> str:
        """Return a cleaned line with the words of the line grammar in English."""
        return text if self._grammar is None else self._grammar.english(text)

    def salted(self, raw: str) -> str:
        """Return a line that was not cleaned, with a SALT at its beginning in English."""
        return raw if self._grammar is None else self._grammar.salted(raw)

    def addressed(self, text: str) -> re.Match[str] | None:
        """Match the seat's own name at the beginning of a line."""
        return re.match(
            rf"(?:for\s+|für\s+)?{re.escape(self._seat or chr(0))}\s*[:,-]\s*", text, re.I
        )

    @property
    def doctrine_names(self) -> dict[str, str]:
        """Return the doctrines' names by their folded names: the seat's own, and everybody's, also
        as the player's language calls them."""
        return {name: name for name in self._own} | {**everybodys(self._language)}

    def _read_order(self, line: str) -> str | Near | None:
        """Return a line's order in canonical text, a near miss, or None for story.

        A line is read in English first, and then in the other language.
        """
        rules, state, seat = self._ruleset, self._state, self._seat
        found, translation = spelled(line, rules.read(state, seat, line)), self._translation
        if translation is not None and (found is None or isinstance(found, Near)):
            other = read_translated(rules, state, seat, line, translation)
            found = other if other is not None else found
        return found if found is None or isinstance(found, Near) else rules.format(found)

    def condition(self, written: str) -> str:
        """Return a condition in canonical text; raise the OrderError of its English reading."""
        try:
            return self._english_condition(written)
        except OrderError as error:
            translation = self._translation
            if translation is None:
                raise
            try:
                return self._english_condition(translation.english(clean(written)))
            except OrderError:
                # The error of the English reading stays, with a hint in the words that the player
                # writes.
                error.hint = translation.near_thing(clean(written)) or translation.thing(error.hint)
                raise error from None

    def _english_condition(self, written: str) -> str:
        if self._ruleset.conditions is None:
            raise UnreadableOrder(say("this game has no conditions for IF"))
        return self._ruleset.conditions.read(written)

    def tested(self, text: str) -> Condition:
        """Return a condition, which NOT may deny; raise OrderError where it can't be read."""
        denied = _NOT.match(text)
        return Condition(self.condition(text[denied.end() :] if denied else text), bool(denied))

    def _has_test(self, line: str) -> bool:
        """Return whether a condition that can be read stands in a line with IF."""
        self._tested += 1
        few = self._tested <= _MOST_TESTED
        found = _IF_PART.fullmatch(self.english(clean(line))) if few else None
        for part in AND.split(found[1]) if found else ():
            with suppress(OrderError):
                return bool(self.tested(part))
        return False

    def orders(self, text: str, standing: bool = False) -> list[str] | Near | None:
        """Return the orders in a line: one, or those for several pieces (`All: STEADY`); or what
        `order` returns."""
        found = self.order(text)
        return [found] if isinstance(found, str) else self.each(text, standing) or found

    def asks(self, text: str) -> bool:
        """Return whether a rule's order is ASK."""
        own = frozenset[str]() if self._grammar is None else self._grammar.asks
        return fold(clean(text)) in {fold(ASK), *own}

    def _find_each(self, text: str, standing: bool) -> list[str]:
        """Return the orders of a line for several pieces, or none.

        Rules may also be for pieces that no step waits for now.
        """
        who, colon, does = text.partition(":")
        owed, optional = self._pieces
        every = (*owed, *optional) if standing else owed
        if self._state is None:
            # A sentence with a comma is no list of names: each is as long as a name may be.
            names = ends(who) if does.strip() else []
            found = [self.order(f"{one}: {does.strip()}") for one in names]
            read = [one for one in found if isinstance(one, str)]
            return read if len(read) == len(names) else []
        names = whom(who, every) if colon and owed else []
        self._shared_lines += bool(names)
        return self.spread(names, does) if self._shared_lines <= _MOST_SHARED else []

    @cached_property
    def _pieces(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The seat's pieces that a step waits for, and those that may have orders besides."""
        if self._state is None or self._seat is None:
            return (), ()
        rules, state, seat = self._ruleset, self._state, self._seat
        return tuple(filter(None, rules.owing(state, seat))), rules.optional(state, seat)

    def spread(self, names: Sequence[str], does: str) -> list[str]:
        """Return an order for each of some pieces; nothing where it can't be read for all."""
        found: list[str] = []
        for one in names:
            # A name that reads like an order word stands in quotation marks.
            ways = (self.order(f"{name}: {does.strip()}") for name in (one, f'"{one}"'))
            order = next((way for way in ways if isinstance(way, str)), None)
            if order is None:
                return []
            found.append(order)
        return found

    def _find_piece(self, text: str) -> str:
        """Return the piece that an order is for; each has its own ELSE."""
        found = self._ruleset.read(self._state, self._seat, text)
        return "" if found is None or isinstance(found, Near) else self._ruleset.piece(found)

    def left_out(self, name: str, near: Near) -> Near:
        """Return a line of a doctrine that can't be followed, with the reason."""
        line, why = near.text, near.hint if near.why else say("it is no order here")
        if self._grammar is not None and self._translation is not None:
            line = self._grammar.shown(line, self._translation)
        return Near(line, say("left out of {doctrine}: {why}", doctrine=name, why=why), why=True)

    @property
    def gathers(self) -> bool:
        """Return whether several lines may be one order."""
        return self._ruleset.gathers

    def reads(self, line: str) -> bool:
        """Return whether a line by itself is orders or rules, and nothing else."""
        written = self._alone(line)
        return not (written.empty or written.near or written.words)

    def nears(self, line: str) -> bool:
        """Return whether a line by itself is nearly an order or a rule."""
        return any(not near.why for near in self._alone(line).near)


class _SheetReader:
    """Puts together what a letter's lines say, one after the other.

    A STANDING part without a rule that could be read changes nothing; only STANDING NONE clears the
    rules.
    """

    def __init__(self, lines: LineReader[Any, Any], turn: int = 0) -> None:
        self._lines, self._turn = lines, turn
        self._several: list[str] = []
        self.queue: list[str] = []
        self.rules: list[Rule] = []
        self.elses: dict[str, str] = {}
        self.standing = self.inside = False
        self.near: list[Near] = []
        self._left_out: list[Near] = []
        self.words: list[str] = []
        self.salts: list[str] = []
        self._salted_enough = False
        self.typed: dict[str, str] = {}
        self._shared: list[tuple[str, str, list[str]]] = []

    def read(self, line: str) -> LineKind:
        """Read the next line, and return what it is."""
        near, words = len(self.near), len(self.words)
        self._read(line)
        if not line.strip():
            return ""
        if len(self.near) > near:
            return "near"
        return "words" if len(self.words) > words else "order"

    def _read(self, line: str) -> None:
        written = clean(line)
        text = self._lines.english(written)
        shape = shape_of(line, text, self._lines.salted(line.strip()))
        if shape.unfilled or self._mark(shape):
            return
        if shape.salt is not None:
            self._salt(shape.salt)
        elif (
            self._doctrine(shape, written)
            or self._conditional(line, text)
            or ((shared := _SHARED.fullmatch(written)) and self._doctrine_for(written, shared))
        ):
            return
        elif not self._rule(shape, written) and not self._else(shape, written):
            self._plain(line, text)

    def _salt(self, salt: str) -> None:
        """Read a SALT; one that is too long, or one too many, is refused."""
        if len(salt) > LONGEST_SALT:
            why = say(
                "a SALT has at most {most} characters, so it does not count", most=LONGEST_SALT
            )
            self._nearly(f"SALT {salt[:_SHOWN]} …", why, why=True)
        elif len(self.salts) < MOST_SALTS:
            self.salts.append(salt)
        elif not self._salted_enough:
            # Said once: a thousand of them would fill the answer.
            self._salted_enough = True
            why = say(
                "at most {most} SALT lines count; this one and those below it do not",
                most=MOST_SALTS,
            )
            self._nearly(f"SALT {salt}", why, why=True)

    def _mark(self, shape: Shape) -> bool:
        """Read a line that says what the next lines are; return False if it is still to be read."""
        if shape.none:
            self.standing, self.inside = True, False
            self.rules, self.elses = [], {}
        elif shape.head:
            self.inside = True
        # Elsewhere END may be the last word of a story.
        elif shape.end and (self.inside or self.standing):
            self.inside = False
        else:
            return False
        return True

    def _doctrine(self, shape: Shape, written: str) -> bool:
        """Read a line such as STANDING sound, whose rules come below those that were read before;
        return False where it names no doctrine, nor nearly one."""
        if shape.doctrine is None:
            return False
        names = self._lines.doctrine_names
        name = names.get(fold(shape.doctrine))
        if name is None:
            near = closest(shape.doctrine, names)
            if near is not None:
                self._nearly(written, f"STANDING {names[near]}")
            elif loud := written.partition(" ")[0].isupper():
                why = say("you have no doctrine called {name} here", name=shape.doctrine)
                self._nearly(written, why, why=True)
            return near is not None or loud
        found = self._lines.doctrine(name)
        if found is None:
            self._nearly(written, say("this game has no doctrines that everybody has"), why=True)
        else:
            self._add(found.standing or Sheet())
            self._left_out += [self._lines.left_out(shape.doctrine, one) for one in found.near]
        return True

    def _add(self, sheet: Sheet) -> None:
        """Add the rules of a doctrine."""
        self.standing, self.inside = True, False
        self.rules += sheet.rules
        for order in sheet.elses:
            # An ELSE that the player wrote above counts, and not that of the doctrine.
            self.elses.setdefault(self._lines.piece(order), order)

    def _doctrine_for(self, written: str, found: re.Match[str]) -> bool:
        """Read a doctrine with the pieces that it is for, or return False."""
        whom, what = found[1] or found[4], found[2] or found[3]
        doctrine = doctrine_named(self._lines.english(what))
        name = self._lines.doctrine_names.get(fold(doctrine)) if doctrine else None
        found_there = self._lines.doctrine(name) if name else None
        if name is None or found_there is None:
            return False
        sheet = found_there.standing or Sheet()
        own = {fold(one): one for one in map(self._lines.piece, texts(sheet))}
        meant = [fold(one) for one in EACH.split(whom)]
        if not EVERYBODY.isdisjoint(meant) and "" not in own:
            self._add(sheet)
        elif "" in own:
            # The seat has one piece, but its player may have further seats.
            mine = not EVERYBODY.isdisjoint(meant) or self._lines.addressed(written)
            self.near += [Near(written, f"STANDING {name}")] if mine else []
            return bool(mine)
        elif not own:
            # Without a battle nobody knows whether these are pieces.
            self._nearly(written, f"STANDING {name}")
        elif own.keys() >= set(meant):
            self._shared.append((written, name, [own[one] for one in meant]))
        else:
            return False
        return True

    def _share(self) -> None:
        """Add the doctrines for single pieces, if they are for all together.

        They would take away the rules of the others.
        """
        named = {piece for _, _, pieces in self._shared for piece in pieces}
        for written, name, pieces in self._shared:
            known = self._lines.doctrine(name)
            sheet = (known and known.standing) or Sheet()
            every = sorted({self._lines.piece(order) for order in texts(sheet)})
            if named.issuperset(every):
                rules = [rule for rule in sheet.rules if self._lines.piece(rule.order) in pieces]
                elses = [order for order in sheet.elses if self._lines.piece(order) in pieces]
                self._add(standing_orders(rules, elses))
            else:
                why = say(
                    "new standing orders replace all others, so name all of {pieces} in such lines,"
                    " or nobody",
                    pieces=every,
                )
                self._nearly(written, why, why=True)
        self._shared = []

    def _conditional(self, line: str, text: str) -> bool:
        """Read an order that has an IF of its own but is not a rule; return False for others."""
        order = None if self.inside or not RULE_LIKE.fullmatch(text) else self._lines.order(line)
        if not isinstance(order, str) or not _IF.search(order):
            return False
        self.queue += self._spread(order, text) if self._several else [order]
        return True

    def _rule(self, shape: Shape, written: str) -> bool:
        if shape.order is None:
            return False
        asks = self._lines.asks(shape.order)
        order = [ASK] if asks else self._lines.orders(shape.order, standing=True)
        try:
            conditions = tuple(self._lines.tested(part) for part in shape.conditions)
        except OrderError as error:
            # Outside a STANDING part, a line with neither a condition nor an order is prose.
            if order is None and not self.inside:
                return False
            hint = str(error)
            if error.hint:
                hint = say("{text}; perhaps {hint}", text=hint, hint=error.hint)
            self._nearly(written, hint, why=True)
            return True
        if isinstance(order, list):
            self.standing = True
            self.rules += [Rule(conditions, one) for one in order]
        elif order is not None and order.meant and not order.why:
            # The order alone would be given whatever holds.
            meant = tuple(rule_text(Rule(conditions, one)) for one in order.meant)
            self.near.append(Near(written, meant[0], several=meant))
        else:
            hint = order.hint if order else say("{text!r} is not an order", text=shape.order)
            self._nearly(written, hint, why=True)
        return True

    def _else(self, shape: Shape, written: str) -> bool:
        order = None
        if shape.otherwise is not None:
            order = self._lines.orders(shape.otherwise, standing=True)
        if shape.otherwise is None or (order is None and not self.inside):
            return False
        if not isinstance(order, list):
            hint = order.hint if order else say("{text!r} holds no order", text=written)
            meant = tuple(f"ELSE: {one}" for one in order.meant) if order and not order.why else ()
            self.near.append(Near(written, meant[0] if meant else hint, not meant, meant))
            return True
        self.standing = True
        for one in order:
            piece = self._lines.piece(one)
            if self.elses.setdefault(piece, one) != one:
                twice = say("there is an ELSE for {piece} already; the first counts", piece=piece)
                once = say("there is an ELSE already; the first counts")
                self._nearly(written, twice if piece else once, why=True)
        return True

    def _plain(self, line: str, text: str) -> None:
        order = self._lines.order(line)
        if not isinstance(order, str) and (self._each(line, text) or self._of_turn(line, text)):
            return
        like_rule = RULE_LIKE.fullmatch(text) is not None
        # Two of these: an order among rules, or a rule that can't be read.
        amiss = [self.inside, order is not None, like_rule].count(True) > 1
        if isinstance(order, Near):
            self.near.append(order)
        elif amiss or (order is None and self._may_be_rules(line, text)):
            form = say("each line of STANDING reads IF condition: order, or ELSE: order")
            self._nearly(line.strip(), form, why=True)
        elif order is not None:
            for one in self._spread(order, text) if self._several else [order]:
                self._order(one, line)
        elif meant := self._named(text):
            self._nearly(line.strip(), meant)
        elif line.strip() or self.words:
            self.words.append(line.rstrip())

    def _may_be_rules(self, line: str, text: str) -> bool:
        """Return whether a line is a rule without its order, or STANDING or ELSE and more."""
        head = text.partition(" ")[0]
        begins = self._lines.english(head).rstrip(":") in ("STANDING", "ELSE") and head.isupper()
        return begins or is_unfinished(line, text, self._lines.tests)

    def _each(self, line: str, text: str) -> bool:
        """Read an order for several pieces, such as `All: STEADY`; return False for others."""
        each = [] if self.inside else self._lines.each(text, standing=False)
        for one in each:
            self._order(one, line)
        if each:
            self._several = [one.partition(":")[0] for one in each]
        return bool(each)

    def _spread(self, order: str, text: str) -> list[str]:
        """Return an order without a name for each piece of the line above, if it was for several.

        So `All: CLOSE ON nearest` may be followed by a line `FIRE Talon AT nearest`.
        """
        if self._lines.gathers and not self._lines.piece(order):
            return self._lines.spread(self._several, text) or [order]
        self._several = []
        return [order]

    def _order(self, order: str, line: str, turn: int | None = None) -> None:
        """Add an order to the queue, or report it where its turn is not the next one for it."""
        if turn is not None and not self._is_due(order, turn):
            why = say(
                "orders go from the top, one a turn; send them in that order, without the turn"
            )
            self._nearly(line.strip(), why, why=True)
            return
        self.queue.append(order)
        self.typed.setdefault(order, line.strip())

    def _is_due(self, order: str, turn: int) -> bool:
        """Return whether an order for a turn is the next one of its piece."""
        if self._lines.gathers:
            return turn == self._turn
        piece = self._lines.piece(order)
        return turn == self._turn + sum(self._lines.piece(one) == piece for one in self.queue)

    def _of_turn(self, line: str, text: str) -> bool:
        """Read an order with the number of its turn; return False for others."""
        found = _OF_A_TURN.fullmatch(text)
        order = self._lines.order(found[2]) if found else None
        if found is None or not isinstance(order, str):
            return False
        self._order(order, line, int(found[1]))
        return True

    def _named(self, text: str) -> str | None:
        """Return the order behind the name of the seat, such as `Hawk: SCAN`, or None."""
        found = self._lines.addressed(text)
        order = self._lines.order(text[found.end() :]) if found else None
        return order if isinstance(order, str) else None

    def _nearly(self, text: str, hint: str, why: bool = False) -> None:
        self.near.append(Near(text, hint, why))

    def written(self) -> Written:
        """Return what was read so far."""
        if self._shared:
            self._share()
        standing = standing_orders(self.rules, self.elses.values()) if self.standing else None
        near, salts = (*self.near, *self._left_out), tuple(self.salts)
        return Written(tuple(self.queue), standing, near, _trimmed(self.words), salts)


def _trimmed(prose: list[str]) -> tuple[str, ...]:
    """Return the lines without blank ones at the end."""
    last = max((n for n, line in enumerate(prose, 1) if line), default=0)
    return tuple(prose[:last])


def _gathered(
    ruleset: Ruleset[S, O], state: S | None, seat: Seat | None, written: Written
) -> Written:
    """Return what was read, with orders of several lines put together to whole ones."""
    found = ruleset.gather(state, seat, written.queue)
    near = [one for one in found if isinstance(one, Near)]
    mistyped = [_made_whole(ruleset, state, seat, one) for one in written.near]
    standing = written.standing
    if standing is not None:
        # Rules hold one line each, so what is not a whole order there is a near miss.
        ordered = (text for text in texts(standing) if text != ASK)
        wholes = {text: ruleset.gather(state, seat, [text])[0] for text in ordered}
        near += [one for one in wholes.values() if isinstance(one, Near)]
        kept = {ASK: ASK} | {text: one for text, one in wholes.items() if isinstance(one, str)}
        rules = (change(r, order=kept[r.order]) for r in standing.rules if r.order in kept)
        standing = standing_orders(rules, (kept[text] for text in standing.elses if text in kept))
    queue = tuple(one for one in found if isinstance(one, str))
    return replace(written, queue=queue, standing=standing, near=(*mistyped, *near))


def _made_whole(ruleset: Ruleset[S, O], state: S | None, seat: Seat | None, near: Near) -> Near:
    """Return a near miss that offers whole orders, since a YES is enough for them."""
    if not near.is_plain or near.several:
        return near
    found = ruleset.gather(state, seat, near.meant)
    faults = [one for one in found if isinstance(one, Near)]
    return replace(faults[0], text=near.text) if faults else near


def doctrine_orders(
    ruleset: Ruleset[S, O],
    state: S | None,
    seat: Seat | None,
    name: str,
    own: Mapping[str, str] = NO_DOCTRINES,
) -> Written | None:
    """Return what a doctrine means for a seat, of its `own` or of those that everybody has.

    `name` is folded. Without a game it has no rules. Return None where a system has no doctrines
    that everybody has.
    """
    if name not in own and ruleset.doctrines is None:
        return None
    if state is None or seat is None:
        return Written((), Sheet(), (), ())
    if name in own:
        return read_for(ruleset, state, seat, f"STANDING\n{own[name]}")
    assert ruleset.doctrines is not None
    return read_for(ruleset, state, seat, "\n".join(ruleset.doctrines(state, seat, name)))


def spelled(line: str, found: O | Near | None) -> O | Near | None:
    """Return what was read, with a near miss only where it differs from the line by spelling alone.

    Else it might mean the opposite, so the line's first other word is named instead.
    """
    if not isinstance(found, Near) or not found.meant:
        return found
    other = other_word(line, [word for one in found.meant for word in one.split()])
    if other is None:
        return found
    return Near(found.text, say("{word!r} does not belong there", word=other), why=True)


def read_translated(
    ruleset: Ruleset[S, O], state: S | None, seat: Seat | None, line: str, translation: Translation
) -> O | Near | None:
    """Return the order in a line of another language: an order, nearly one, or None."""
    text = clean(line)
    if not text:
        return None
    exact = translation.order(text)
    english = exact or translation.nearly(text)
    found = spelled(english, ruleset.read(state, seat, english)) if english else None
    # A mistyped word is asked about, never carried out, as in English.
    if found is None or (exact and not isinstance(found, Near)):
        return found
    if isinstance(found, Near):
        # What is amiss names words of the line, as the player wrote them.
        return replace(found, text=line.strip(), hint=retold(found.hint, translation.shown))
    return Near(line.strip(), ruleset.format(found))
