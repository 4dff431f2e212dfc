"""A turn as a report tells it: element by element, the reader's own first."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

from engine.blackskies import events as ev
from engine.blackskies.events import AnyEvent
from engine.blackskies.report_types import Blow, ElementReport, Flight, Report, Volley
from engine.letter_texts import View

E = TypeVar("E", bound=AnyEvent)

_MANY = 8
"""Of more elements than these shots stand in a table."""


def report(events: Sequence[AnyEvent], view: View) -> Report:
    """Return a turn as the reader of a view is told of it."""
    elements = {one["name"]: one for one in view["elements"]}
    owner = {f["name"]: name for name, one in elements.items() for f in one["fighters"]}
    found: dict[str, list[AnyEvent]] = {}
    for event in events:
        if name := _whose(event, owner):
            found.setdefault(name, []).append(event)
    order = sorted(found, key=lambda name: elements[name]["side"] != view["side"])
    rows = [_row(elements[name], found[name]) for name in order]
    many = len(rows) > _MANY
    busy = [one for one in rows if _is_busy(one, many)]
    return Report(
        turn=next((one.turn for one in events if isinstance(one, ev.Closed)), 0),
        many=many,
        rows=tuple(rows),
        busy=tuple(busy),
        calm=_flights((one for one in rows if one not in busy), lambda e: (_card(e), _course(e))),
        cards=_flights(rows, lambda e: (_card(e), e.mastered)),
        ends=tuple(one for one in events if isinstance(one, ev.Begun | ev.Over)),
    )


def _whose(event: AnyEvent, owner: Mapping[str, str]) -> str:
    """Return the element that an event is told of, "" for none."""
    if isinstance(event, ev.Left | ev.Flown):
        return event.element
    if isinstance(event, ev.Checked | ev.Grazed | ev.Destroyed):
        return owner[event.fighter]
    if isinstance(event, ev.Fired | ev.Hit):
        return owner[event.by if isinstance(event, ev.Fired) else event.at]
    return ""


def _row(element: Mapping[str, Any], events: Sequence[AnyEvent]) -> ElementReport:
    checks = (one for one in events if isinstance(one, ev.Checked))
    return ElementReport(
        name=element["name"],
        full=element["design"]["hull"],
        left=tuple(one for one in events if isinstance(one, ev.Left)),
        flown=tuple(one for one in events if isinstance(one, ev.Flown)),
        checks=tuple(one for one in checks if one.asteroid is not None or not one.passed),
        volleys=tuple(map(_volley, _groups(events, ev.Fired, lambda e: (e.at, e.by)))),
        blows=tuple(map(_blow, _groups(events, ev.Hit, lambda e: (e.by, e.at)))),
        lost=tuple(one for one in events if isinstance(one, ev.Grazed | ev.Destroyed)),
    )


def _groups(
    events: Iterable[AnyEvent], kind: type[E], names: Callable[[E], tuple[str, str]]
) -> Iterator[list[E]]:
    """Yield the events of a kind, those of the same two fighters together."""

    def key(event: E) -> tuple[str, ...]:
        return tuple(name.lower() for name in names(event))

    for _, together in groupby(sorted((e for e in events if isinstance(e, kind)), key=key), key):
        yield list(together)


def _volley(shots: Sequence[ev.Fired]) -> Volley:
    weapons = tuple(dict.fromkeys(shot.weapon for shot in shots))
    rolls, hits = sum(len(shot.rolls) for shot in shots), sum(shot.hits for shot in shots)
    return Volley(shots[0].by, shots[0].at, shots[0].distance, weapons, rolls, hits)


def _blow(hits: Sequence[ev.Hit]) -> Blow:
    damage, hull = sum(hit.damage for hit in hits), min(hit.hull for hit in hits)
    return Blow(hits[0].by, hits[0].at, damage, hull)


def _is_busy(row: ElementReport, many: bool) -> bool:
    """Return whether more than a card is told of an element."""
    failed = any(not one.passed for one in row.checks)
    return bool(row.left or row.blows or row.lost or failed or (row.volleys and not many))


def _flights(
    rows: Iterable[ElementReport], key: Callable[[ev.Flown], object]
) -> tuple[Flight, ...]:
    """Return the flights of some elements; those that `key` does not tell apart are one."""
    found: dict[object, list[ElementReport]] = {}
    for row in rows:
        for flown in row.flown[:1]:
            found.setdefault(key(flown), []).append(row)
    return tuple(Flight(tuple(r.name for r in flew), flew[0].flown[0]) for flew in found.values())


def _card(flown: ev.Flown) -> object:
    return flown.card, flown.option, flown.by if flown.mastered else None


def _course(flown: ev.Flown) -> object:
    return flown.heading, flown.slowed, flown.retrograde
