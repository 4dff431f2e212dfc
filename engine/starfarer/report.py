"""A round as a report tells it: what is told together, and in which order."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from engine.codec import change
from engine.letter_texts import View
from engine.starfarer import events as ev
from engine.starfarer.events import AnyEvent
from engine.starfarer.report_types import Attempt, Blow, Deed, Felt, Report
from engine.starfarer.tables import MORTAL
from engine.starfarer.view import level_name

_MANY = 4
"""With more characters than these attacks and defences stand in a table."""
_SILENT = ev.Planned | ev.Closed | ev.Opened | ev.TakenBack | ev.OutOfDanger | ev.Rolled
_STARTS = (
    ev.Refused | ev.Acted | ev.LimbChecked | ev.Defended | ev.Aborted | ev.Attacked | ev.Moved
    | ev.Posed | ev.Treated
)  # fmt: skip
"""What begins a deed, unless it follows from a check of a limb, or from an abort."""


def report(events: Sequence[AnyEvent], view: View) -> Report:
    """Return a round as the reader of a view is told of it."""
    side = view["side"]
    own = {one["name"] for one in view["pilots"] if side and one["team"] == side}
    rolled = tuple(one for one in events if isinstance(one, ev.Rolled))
    phases, upkeep = _phases(events)
    deeds = [deed for phase in phases for deed in _deeds(phase)]
    points, table = _told(deeds, len(rolled) > _MANY)
    return Report(
        round=next((one.round for one in events if isinstance(one, ev.Closed)), 0),
        rolled=tuple(sorted(rolled, key=lambda one: -one.ap)),
        points=points,
        table=table,
        upkeep=tuple(_by_character(upkeep, own)),
        felt=tuple(sorted(_felt(events, own), key=lambda felt: not felt.mine)),
        failed=tuple(_failed(events, own)),
        ends=tuple(filter(_is_end, events)),
    )


def _is_end(event: AnyEvent) -> bool:
    if isinstance(event, ev.Out):
        return event.why == "forfeit"
    return isinstance(event, ev.Over | ev.Decided | ev.Healed | ev.Freed)


def _phases(events: Iterable[AnyEvent]) -> tuple[list[list[AnyEvent]], list[AnyEvent]]:
    """Return the events of each phase, of which the first is its beginning, and all others."""
    phases, others, acting = list[list[AnyEvent]](), list[AnyEvent](), ""
    for event in events:
        if isinstance(event, ev.Began):
            phases.append([event])
            acting = event.character
        elif isinstance(event, ev.Ended):
            acting = ""
        elif not isinstance(event, _SILENT) and not _is_end(event):
            (phases[-1] if acting else others).append(event)
            if isinstance(event, ev.Out) and event.character == acting:
                acting = ""
    return phases, others


def _deeds(phase: Sequence[AnyEvent]) -> list[list[AnyEvent]]:
    """Return the deeds of a phase; its points stand before the first one of its owner."""
    deeds, points, last = list[list[AnyEvent]](), list(phase[:1]), phase[0]
    for event in phase[1:]:
        if isinstance(event, ev.Acted) and event.do not in ("aim", "hold"):
            continue
        starts = isinstance(event, _STARTS) and not isinstance(last, ev.Aborted | ev.LimbChecked)
        if starts and _who(event) == _who(phase[0]):
            deeds.append([*points, event])
            points = []
        elif starts or not deeds:
            deeds.append([event])
        else:
            deeds[-1].append(event)
        last = event
    return deeds


def _who(event: AnyEvent) -> str:
    return str(getattr(event, "by", None) or getattr(event, "character", ""))


def _told(
    deeds: Iterable[Sequence[AnyEvent]], many: bool
) -> tuple[tuple[Deed, ...], tuple[Attempt, ...]]:
    """Return the deeds as points and, of many characters, their rolls as a table."""
    points, table = list[Deed](), list[Attempt]()
    for deed in deeds:
        first = next((one for one in deed if not isinstance(one, ev.Began)), deed[0])
        if many and isinstance(first, ev.Attacked | ev.Defended):
            table.append(_attempt(first, deed))
            points += ((one,) for one in deed if _falls(one))
        else:
            points.append(tuple(deed))
    return tuple(points), tuple(table)


def _attempt(roll: ev.Attacked | ev.Defended, deed: Sequence[AnyEvent]) -> Attempt:
    hits = (one for one in deed if isinstance(one, ev.Hit))
    wounds = (one for one in deed if isinstance(one, ev.Wounded) and one.marked)
    return Attempt(roll, next(hits, None), next(wounds, None))


def _falls(event: AnyEvent) -> bool:
    """Return whether somebody falls, or is out."""
    return isinstance(event, ev.Out) or (
        isinstance(event, ev.ShockChecked) and event.wakes is not None
    )


def _wakes(event: AnyEvent) -> bool:
    return isinstance(event, ev.WakingChecked) and event.wakes is None


def _by_character(events: Sequence[AnyEvent], own: Collection[str]) -> Iterator[Deed]:
    """Yield what came after all phases, of the reader's side first."""
    names = dict.fromkeys(map(_character, events))
    for name in sorted(names, key=lambda name: name not in own):
        told = (one for one in events if _character(one) == name)
        if news := tuple(one for one in told if getattr(one, "stopped", True)):
            yield news


def _character(event: AnyEvent) -> str:
    """Return to whom something happens."""
    if isinstance(event, ev.Hit | ev.Treated):
        return event.at
    return str(getattr(event, "character", ""))


def _felt(events: Sequence[AnyEvent], own: Collection[str]) -> Iterator[Felt]:
    """Yield how each fared who was hit or treated, or who fell or woke."""
    found: dict[str, list[AnyEvent]] = {}
    for event in events:
        hit = isinstance(event, ev.Hit) and event.shock > 0
        wound = isinstance(event, ev.Wounded) and not event.further
        changed = (_falls(event) and not _is_end(event)) or _wakes(event)
        if hit or wound or changed or isinstance(event, ev.Treated):
            found.setdefault(_character(event), []).append(event)
    for name, told in found.items():
        fates = [one for one in told if _falls(one) or _wakes(one)]
        yield Felt(
            name,
            name in own,
            tuple(_blows(told)),
            tuple(one for one in told if isinstance(one, ev.Treated)),
            tuple(fates[-1:]),
            len(fates) > 1,
        )


def _failed(events: Iterable[AnyEvent], own: Collection[str]) -> Iterator[Deed]:
    """Yield what failed for the reader's side, what is alike together.

    An aim that a hit ends stands there as the act of aiming.
    """
    aims, found = dict[str, ev.Acted](), dict[object, list[AnyEvent]]()
    for n, event in enumerate(events):
        if isinstance(event, ev.Acted) and event.do != "hold":
            # Any other action than aim or hold ends an aim (SF-14).
            aims.pop(event.character, None)
            if event.do == "aim":
                aims[event.character] = event
        elif isinstance(event, ev.Aborted):
            aims.pop(event.character, None)
        elif isinstance(event, ev.Hit) and event.shock and event.at in own and event.at in aims:
            found[n] = [aims.pop(event.at)]
        elif _who(event) in own and _is_failure(event):
            found.setdefault((type(event), *_alike(event)), []).append(event)
    return map(tuple, found.values())


def _alike(event: AnyEvent) -> tuple[object, ...]:
    """Return the same for failures that are told together, whatever the dice."""
    if isinstance(event, ev.Attacked | ev.Hit):
        return (event.at,)
    if isinstance(event, ev.Refused):
        return event.character, event.do, event.at, event.reason
    if isinstance(event, ev.LimbChecked):
        return event.character, event.area
    return _who(event), getattr(event, "do", "")


def _is_failure(event: AnyEvent) -> bool:
    if isinstance(event, ev.Hit):
        return not event.shock and not event.wound
    if isinstance(event, ev.LimbChecked):
        return not event.passed
    if isinstance(event, ev.Attacked):
        return event.los is None
    return isinstance(event, ev.Refused) or (isinstance(event, ev.Defended) and not event.value)


def _blows(told: Iterable[AnyEvent]) -> list[Blow]:
    """Return the hits among what happened to somebody, each with the wounds that follow it."""
    blows = list[Blow]()
    for event in told:
        if isinstance(event, ev.Hit):
            blows.append(Blow(event.by, event.area, ()))
        elif isinstance(event, ev.Wounded) and blows:
            level = level_name(event.area, event.marked or MORTAL)
            blows[-1] = change(blows[-1], levels=(*blows[-1].levels, level))
    return blows
