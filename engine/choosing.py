"""Which order a sheet leads to now: the first rule that holds, the next in the queue, or ELSE."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.codec import change
from engine.errors import OrderError
from engine.order_sheet import Rule, Sheet, Written, merge, texts
from engine.ruleset import Ruleset
from engine.seats import Seat

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


def merged(
    ruleset: Ruleset[S, O], state: S, seat: Seat, before: Sheet, now: Sheet, written: Written
) -> Sheet:
    """Return a seat's sheet after a letter, by its sheets at the turn's beginning and now.

    A second letter for a turn replaces the first. Where all act together, it replaces only the
    orders of those pieces that it has orders for.
    """
    if not ruleset.phase(state).simultaneous:
        return merge(before, written)
    anew = {_piece(ruleset, state, seat, text) for text in written.queue}
    kept = [text for text in now.queue if _piece(ruleset, state, seat, text) not in anew]
    return change(merge(now, written), queue=(*kept, *written.queue))


def _piece(ruleset: Ruleset[S, O], state: S, seat: Seat, text: str) -> str:
    """Return the piece that an order is for; "" where the order can't be read any more."""
    try:
        return ruleset.piece(ruleset.parse(state, seat, text))
    except OrderError:
        return ""


def choose(
    ruleset: Ruleset[S, O],
    state: S,
    seat: Seat,
    sheet: Sheet,
    piece: str = "",
    mine: Container[str] | None = None,
) -> Choice | None:
    """Return the first legal order of these: the IF rules that hold, the queue's next, ELSE.

    Return None where none of them is legal. A queued order that is not legal stays in the queue,
    and `passed` says why each order before the chosen one was passed over. Conditions are tested
    from the point of view of `piece`; only the orders in `mine` count, or all where it is None.
    """
    passed: list[tuple[str, str]] = []
    # Rules go before the queue, so that one that holds can interrupt a plan.
    for number, rule in enumerate(sheet.rules, 1):
        if (mine is None or rule.order in mine) and _holds(ruleset, state, seat, rule, piece):
            order = _legal(ruleset, state, seat, rule.order, passed)
            if order is not None:
                return Choice(order, f"rule {number}", sheet, tuple(passed))
    place = next((n for n, text in enumerate(sheet.queue) if mine is None or text in mine), None)
    # Only the queue's next order is tried: one that is not legal now blocks those behind it.
    if place is not None:
        order = _legal(ruleset, state, seat, sheet.queue[place], passed)
        if order is not None:
            left = sheet.queue[:place] + sheet.queue[place + 1 :]
            after = sheet if ruleset.keeps(order) else change(sheet, queue=left)
            return Choice(order, "queue", after, tuple(passed))
    for text in sheet.elses:
        if mine is None or text in mine:
            order = _legal(ruleset, state, seat, text, passed)
            if order is not None:
                return Choice(order, "else", sheet, tuple(passed))
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
