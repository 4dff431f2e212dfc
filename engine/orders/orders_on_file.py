"""A player's orders on file: a queue, IF rules and ELSE, and the order that they lead to now."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from engine.codec import Record, change
from engine.errors import OrderError
from engine.order_translations import ASK
from engine.ruleset import Near, Ruleset
from engine.seats import Seat

_ORDER_COST = 35
"""What each order of a sheet costs whenever the sheet is looked at, in units of a Budget."""


class Condition(Record, frozen=True):
    """One condition in its system's canonical text, perhaps denied."""

    text: str
    denied: bool = False


class Rule(Record, frozen=True):
    """An IF rule: its conditions, joined by AND, and the order that they lead to."""

    conditions: tuple[Condition, ...]
    order: str


class Sheet(Record, frozen=True):
    """What a player has ordered beforehand, in canonical texts.

    `otherwise` is the order after ELSE, or several, if each of a player's pieces has its own.
    """

    queue: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    otherwise: str | tuple[str, ...] | None = None

    @property
    def elses(self) -> tuple[str, ...]:
        """Return the orders after ELSE."""
        if self.otherwise is None:
            return ()
        return (self.otherwise,) if isinstance(self.otherwise, str) else self.otherwise


def standing_orders(rules: Iterable[Rule], elses: Iterable[str]) -> Sheet:
    """Return a sheet of rules and of the orders after ELSE, without a queue."""
    several = tuple(elses)
    # A single ELSE is stored as a text, as it was before a player could have several pieces.
    return Sheet((), tuple(rules), several if len(several) > 1 else next(iter(several), None))


LineKind = Literal["order", "rest", "near", "words", ""]
"""What a line of a letter is: an order (a rule, a mark such as END, a SALT or a form's empty line
among them), the rest of the order above it, nearly one or one with something wrong, no order at
all, or blank."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a letter says: its queue, its standing part (None: it has none), and the rest.

    `words` are the lines that are no order; `salts` go into the digest of the dice (dice.md).
    `kinds` holds what each of the letter's lines is.
    """

    queue: tuple[str, ...]
    standing: Sheet | None
    near: tuple[Near, ...]
    words: tuple[str, ...]
    salts: tuple[str, ...] = ()
    # Two letters say the same, however their lines lie.
    kinds: tuple[LineKind, ...] = field(default=(), compare=False)

    @property
    def empty(self) -> bool:
        """Whether the letter holds no order at all."""
        return not self.queue and self.standing is None


def rule_text(rule: Rule) -> str:
    """Return an IF rule in canonical text."""
    parts = " AND ".join(("NOT " if c.denied else "") + c.text for c in rule.conditions)
    return f"IF {parts}: {rule.order}"


def lines(sheet: Sheet) -> list[str]:
    """Return a sheet's rules and ELSE as lines; its queue is not among them."""
    rules = [rule_text(rule) for rule in sheet.rules]
    return [*rules, *(f"ELSE: {order}" for order in sheet.elses)]


def texts(sheet: Sheet) -> list[str]:
    """Return the orders of a sheet, from every part of it."""
    return [*sheet.queue, *(rule.order for rule in sheet.rules), *sheet.elses]


def sheet_cost(sheet: Sheet) -> int:
    """Return what it costs to look for an order on a sheet, in units of a Budget."""
    return _ORDER_COST * len(texts(sheet))


def merge(base: Sheet, written: Written) -> Sheet:
    """Return a sheet changed by a letter: a queue replaces the queue, STANDING the rules."""
    # A letter that has no queue, or no STANDING, says nothing about that part, so it stays.
    queue = written.queue or base.queue
    rules = base if written.standing is None else written.standing
    return Sheet(queue, rules.rules, rules.otherwise)


S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


@dataclass(frozen=True, slots=True)
class Choice:
    """An order from a sheet: where it was, the sheet after it, and what was passed over."""

    order: Any
    source: str
    sheet: Sheet
    passed: tuple[tuple[str, str], ...]


def choices(ruleset: Ruleset[S, O], state: S, seat: Seat, sheet: Sheet) -> list[Choice]:
    """Return an order for each piece that a seat must order now, from its sheet.

    A piece for which the sheet has no legal order is left out. Each choice holds the sheet as it is
    after all choices up to it.
    """
    return _chosen(ruleset, state, seat, sheet, ruleset.owing(state, seat))


def extras(ruleset: Ruleset[S, O], state: S, seat: Seat, sheet: Sheet) -> list[Choice]:
    """Return the orders that a sheet has for pieces that no step waits for."""
    return _chosen(ruleset, state, seat, sheet, ruleset.optional(state, seat))


def _chosen(
    ruleset: Ruleset[S, O], state: S, seat: Seat, sheet: Sheet, wanted: Sequence[str]
) -> list[Choice]:
    if not wanted:
        return []
    found: list[Choice] = []
    pieces = {text: _piece(ruleset, state, seat, text) for text in set(texts(sheet))}
    for piece in wanted:
        mine = {text for text in pieces if pieces[text] == piece}
        choice = choose(ruleset, state, seat, sheet, piece, mine)
        if choice is not None:
            sheet = choice.sheet
            found.append(choice)
    return found


def sheet_after_letter(
    ruleset: Ruleset[S, O], state: S, seat: Seat, before: Sheet, now: Sheet, written: Written
) -> Sheet:
    """Return a seat's sheet after a letter; `before` is its sheet when the turn began.

    A second letter for a turn replaces the first. Where all act together, it replaces only the
    orders of those pieces that it has orders for. If none of a piece's new orders is possible now,
    an old one that is possible stays, in front of them: a card for the next turn does not take
    away the card for this one. An order that is followed again and again does not stay.
    """
    if not ruleset.phase(state).simultaneous:
        return merge(before, written)

    def may(text: str, passing: bool = False) -> bool:
        order = _legal(ruleset, state, seat, text, [])
        return order is not None and not (passing and ruleset.keeps(order))

    named = {_piece(ruleset, state, seat, text) for text in written.queue}
    legal = {_piece(ruleset, state, seat, text) for text in written.queue if may(text)}
    kept = [
        text
        for text in now.queue
        if (piece := _piece(ruleset, state, seat, text)) not in named
        or (piece not in legal and may(text, passing=True))
    ]
    return change(merge(now, written), queue=(*kept, *written.queue))


def still_meant(ruleset: Ruleset[S, O], state: S, seat: Seat, sheet: Sheet) -> Sheet:
    """Return a sheet without the orders of pieces that are out of the game."""
    # Of a seat with one piece all orders stay: what they wait for is told.
    if not ruleset.phase(state).simultaneous:
        return sheet
    meant = {one for one in texts(sheet) if one == ASK or _piece(ruleset, state, seat, one)}
    rules = (rule for rule in sheet.rules if rule.order in meant)
    left = standing_orders(rules, (text for text in sheet.elses if text in meant))
    return change(left, queue=tuple(text for text in sheet.queue if text in meant))


def _piece(ruleset: Ruleset[S, O], state: S, seat: Seat, text: str) -> str:
    """Return the piece that an order is for; "" where the order can't be read any more."""
    try:
        return ruleset.piece(ruleset.parse(state, seat, text))
    except OrderError:
        # What is stored may be from before the rules changed; it must not stop the letter that
        # comes now.
        return ""


def choose(
    ruleset: Ruleset[S, O],
    state: S,
    seat: Seat,
    sheet: Sheet,
    piece: str = "",
    mine: Container[str] | None = None,
) -> Choice | None:
    """Return the first legal order of these: the queue's next, the IF rules that hold, ELSE.

    Return None where none of them is legal. A queued order that is not legal stays in the queue,
    and `passed` says why each order before the chosen one was passed over. A rule with ASK that
    holds, and that no order comes before, leaves the choice to the player. Conditions are tested
    from the point of view of `piece`; only the orders in `mine` count, or all where it is None.
    """
    passed: list[tuple[str, str]] = []
    at = next((n for n, text in enumerate(sheet.queue) if mine is None or text in mine), None)
    # Only the queue's next order is tried: one that is not legal now blocks those behind it.
    if at is not None:
        order = _legal(ruleset, state, seat, sheet.queue[at], passed)
        if order is not None:
            left = sheet.queue[:at] + sheet.queue[at + 1 :]
            after = sheet if ruleset.keeps(order) else change(sheet, queue=left)
            return Choice(order, "queue", after, tuple(passed))
    for number, rule in enumerate(sheet.rules, 1):
        if rule.order == ASK and _holds(ruleset, state, seat, rule, piece):
            return None
        if (mine is None or rule.order in mine) and _holds(ruleset, state, seat, rule, piece):
            order = _legal(ruleset, state, seat, rule.order, passed)
            if order is not None:
                return Choice(order, f"rule {number}", sheet, tuple(passed))
    for text in sheet.elses:
        if mine is None or text in mine:
            order = _legal(ruleset, state, seat, text, passed)
            if order is not None:
                return Choice(order, "else", sheet, tuple(passed))
    return None


def asking(ruleset: Ruleset[S, O], state: S, seat: Seat, sheet: Sheet) -> Rule | None:
    """Return the first rule that stops the battle to ask its player about a piece, or None."""
    for piece in ruleset.owing(state, seat):
        for rule in sheet.rules:
            if rule.order == ASK and _holds(ruleset, state, seat, rule, piece):
                return rule
    return None


def _holds(ruleset: Ruleset[S, O], state: S, seat: Seat, rule: Rule, piece: str) -> bool:
    """Return whether all conditions of a rule hold from a piece's point of view."""
    conditions = ruleset.conditions
    # A rule from before the system lost its conditions never holds.
    return conditions is not None and all(
        conditions.holds(state, seat, c.text, piece) != c.denied for c in rule.conditions
    )


def _legal(
    ruleset: Ruleset[S, O], state: S, seat: Seat, text: str, passed: list[tuple[str, str]]
) -> O | None:
    """Return the order if it is legal now; otherwise add it and the reason to `passed`."""
    try:
        order = ruleset.parse(state, seat, text)
        reason = ruleset.refusal(state, seat, order)
    except OrderError as error:
        reason, order = error.reason or "unreadable", None
    if reason is None:
        return order
    passed.append((text, reason))
    return None
