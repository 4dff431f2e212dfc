"""Doctrines of players: named sets of standing orders, kept in English from battle to battle."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.codec import change
from engine.errors import UnreadableOrder
from engine.i18n import say
from engine.names import fold
from engine.order_translations import ALL, GRAMMARS
from engine.orders.line_shapes import clean, doctrine_named
from engine.orders.orders_on_file import Rule, Sheet, lines
from engine.orders.reading import LineReader, read_for
from engine.orders.wrapped_lines import joined
from engine.ruleset import AnyRuleset
from engine.seats import Seat


def doctrine_lines(
    ruleset: AnyRuleset, state: Any, seat: Seat, text: str, language: str
) -> list[str]:
    """Return the rules that a player has written for a doctrine, each as a line in English.

    `state` is a battle such as the doctrine is for. Raise UnreadableOrder, which names the line,
    where one is no rule, or where there is none at all.
    """
    reader = LineReader(ruleset, state, seat, language)
    every = (*ruleset.owing(state, seat), *ruleset.optional(state, seat))
    found = list[str]()
    for line in _whole_lines(ruleset, state, seat, text, language):
        name = doctrine_named(reader.english(clean(line)))
        known = reader.doctrine_names.get(fold(name)) if name else None
        if known is not None:
            found.append(f"STANDING {known}")
            continue
        written = read_for(ruleset, state, seat, f"STANDING\n{line}", language)
        found += _told_once(written.standing or Sheet(), every)
    if not found:
        raise UnreadableOrder(say("it has no rule"))
    return found


def _whole_lines(
    ruleset: AnyRuleset, state: Any, seat: Seat, text: str, language: str
) -> Iterator[str]:
    """Yield the lines of a text, those that were wrapped as one; all of them are rules."""
    written = read_for(ruleset, state, seat, f"STANDING\n{text}", language)
    if written.near:
        near, translation = written.near[0], ruleset.translations.get(language)
        order = GRAMMARS[language].shown(near.hint, translation) if translation else near.hint
        why = near.hint if near.why else say("did you mean {order}?", order=order)
        raise UnreadableOrder(
            say("{line!r} can't be one of its rules: {why}", line=near.text, why=why)
        )
    amiss = [*written.words, *written.queue, *written.salts]
    if amiss:
        raise UnreadableOrder(
            say("{line!r} is no rule", line=next(filter(str.strip, amiss)).strip()),
            hint=say("IF condition: order, or ELSE: order; END below the last one"),
        )
    below, kinds = text.splitlines(), written.kinds[1:]
    for at, kind in enumerate(kinds):
        if kind == "order":
            rest = at + 1
            while rest < len(kinds) and kinds[rest] == "rest":
                rest += 1
            yield joined(below[at:rest])


def _told_once(sheet: Sheet, every: Sequence[str]) -> list[str]:
    """Return a line's rules as lines: one where several pieces do the same."""
    orders = [*(rule.order for rule in sheet.rules), *sheet.elses]
    conditions = {rule.conditions for rule in sheet.rules}
    names, deeds = (
        [one.partition(": ")[0] for one in orders],
        {one.partition(": ")[2] for one in orders},
    )
    if len(orders) < 2 or len(deeds) > 1 or len(conditions) > 1:
        return lines(sheet)
    whom = ALL if {name.strip('"') for name in names} == {*every} else ", ".join(names)
    order = f"{whom}: {deeds.pop()}"
    one = (
        change(sheet, rules=(Rule(conditions.pop(), order),))
        if conditions
        else change(sheet, otherwise=order)
    )
    return lines(one)
