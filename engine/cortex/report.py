"""A turn as a report tells it: what is told together, and in which order."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.cortex import attack_events as at
from engine.cortex import events as ev
from engine.cortex.attack_events import AnyEvent
from engine.cortex.report_types import Deed, Felt, Hit, Report, TurnPart
from engine.cortex.ways_of_attack import Ways, note
from engine.letter_texts import DID, FELT, OTHERS, View

_MANY = 6
"""Of more units than these what they did alike is told once, and shots stand in a table."""
_SILENT = (
    ev.Filed | ev.Prepared | ev.Closed | ev.Began | ev.Positioned | ev.WingChanged | ev.Ended
    | ev.Over | at.AimEnded | at.OnTarget | at.Locked
)  # fmt: skip
_Harm = at.Struck | ev.Gone | at.GunsLost | at.Resisted | at.DamageRolled | at.Damaged | at.Slowed
"""What becomes of a vessel."""
_FOLLOWING = (
    _Harm | ev.Prompted | at.HitLost | at.MissileGone | at.MissileTurned | at.Arrived | at.Shelled
    | at.Scattered | at.Detected
)  # fmt: skip
"""What comes of something; all else begins a deed, where somebody else does it."""
_ALONE = at.Launched | at.MissileFlew | ev.Ranged
_NEWS = at.Shelled | at.Launched | at.MissileTurned
"""What the short form tells of either side."""
_TRIED = ev.Joined | ev.RunMade | ev.Forwarded | at.Tricked
"""What may fail."""
_SITUATION = ev.Ranged | at.Arrived | at.MissileFlew
"""What the situation says of many."""

_Alike = tuple[object, ...]
"""The same for events that are alike but for their units; () for one that is told alone."""


class _Told(NamedTuple):
    """An event that is told: in which part, whose deed it is, and how its attacker struck."""

    event: AnyEvent
    part: int = OTHERS
    who: str = ""
    alike: _Alike = ()
    way: str = ""


def report(events: Sequence[AnyEvent], view: View) -> Report:
    """Return a turn as the reader of a view is told of it."""
    began = [one for one in events if isinstance(one, ev.Began)]
    leaders, many = {one.unit for one in began}, len(began) > _MANY
    sides = _Sides(view)
    told = list(_told(events, sides, many))
    return Report(
        turn=next((one.turn for one in events if isinstance(one, ev.Closed)), 0),
        many=many,
        wings=tuple(u["name"] for u in view["units"] if not leaders.issuperset(u["members"])),
        fights=tuple(one for one in began if one.dogfight),
        calm=tuple(one for one in began if not one.dogfight),
        advantages=_advantages(events, leaders),
        parts=tuple(_parts(told, sides, many)),
        felt=tuple(sorted(_harmed(told, sides), key=lambda felt: not felt.mine)),
        news=tuple(_news(events, sides)),
        ends=tuple(one for one in events if getattr(one, "over", isinstance(one, ev.Over))),
    )


def _advantages(
    events: Sequence[AnyEvent], leaders: set[str]
) -> tuple[tuple[str, int, tuple[str, ...]], ...] | None:
    """Return who has Advantage over whom, of units as they were when the turn began."""
    placed = [one for one in events if isinstance(one, ev.Positioned)]
    found: dict[tuple[str, int], list[str]] = {}
    for pair, one in placed[0].advantages.items() if placed else ():
        (under,) = set(pair.split("|")) - {one.holder}
        if leaders.issuperset((one.holder, under)):
            found.setdefault((one.holder, one.steps), []).append(under)
    return tuple((*by, tuple(over)) for by, over in found.items()) if placed else None


class _Sides:
    """Which side each piece is on, by the view of a reader."""

    def __init__(self, view: View) -> None:
        self.side = view["side"]
        self.of = {one["name"]: one["team"] for one in (*view["pilots"], *view["spotters"])}
        self.parted = self.side is not None and len(view["pilots"]) > 2

    def owns(self, name: str) -> bool:
        """Return whether a piece is on the reader's side."""
        return self.side is not None and self.of.get(name) == self.side

    def part(self, event: AnyEvent, before: int) -> int:
        """Return in which part an event is told, where `before` is that of the one before it."""
        if not self.parted:
            return FELT
        aimed = any(map(self.owns, _aims(event)))
        if isinstance(event, ev.Gone) and event.fate not in ("destroyed", "disabled"):
            return FELT if aimed else OTHERS
        if aimed and isinstance(event, _Harm | at.Arrived | at.PointDefended):
            return FELT
        if isinstance(event, at.Struck | at.PointDefended):
            return OTHERS if event.by in self.of and not self.owns(event.by) else DID
        if isinstance(event, _Harm | at.Arrived):
            return DID if isinstance(event, at.Arrived) else before or DID
        who = event.missile.by if isinstance(event, at.Launched) else _who(event)
        if self.owns(who):
            return DID
        return FELT if aimed else OTHERS if who else before


def _who(event: AnyEvent) -> str:
    return next((getattr(event, key) for key in ("unit", "by", "name") if hasattr(event, key)), "")


def _aims(event: AnyEvent) -> Iterable[str]:
    """Return at whom an event is aimed."""
    if isinstance(event, at.Launched):
        return (event.missile.at,)
    if isinstance(event, at.Arrived):
        return event.shares
    if isinstance(event, at.HitLost):
        return event.members
    return (event.name,) if isinstance(event, _Harm) else (getattr(event, "at", None) or "",)


def _alike(event: AnyEvent, many: bool) -> _Alike:
    if isinstance(event, ev.Signalled):
        return type(event), event.do, event.at
    if isinstance(event, ev.Refused):
        return type(event), event.do, event.reason
    if isinstance(event, at.Launched):
        return (type(event), event.missile.since + event.missile.turns) if many else ()
    return (type(event),) if isinstance(event, ev.Defaulted | at.HitLost) else ()


def _told(events: Sequence[AnyEvent], sides: _Sides, many: bool) -> Iterator[_Told]:
    ways, part, silent = Ways(), OTHERS, _SILENT | _SITUATION if many else _SILENT
    for event in events:
        note(ways, event)
        fired = isinstance(event, at.GunsLost) and event.why == "fired"
        if not fired and not isinstance(event, silent):
            part, way = sides.part(event, part), ways.get(getattr(event, "by", ""), "")
            yield _Told(event, part, _who(event), _alike(event, many), way)


def _parts(told: Sequence[_Told], sides: _Sides, many: bool) -> Iterator[TurnPart]:
    parts = [_TurnPart(many) for _ in (FELT, DID, OTHERS)]
    for before, now in pairwise((_Told(ev.Prepared()), *told)):
        parts[now.part].take(now, before)
    for which, part in enumerate(parts):
        points: list[Felt | Deed] = [_felt(*item, sides) for item in part.felt.items()]
        points += filter(None, map(_deed, part.points))
        if points or part.shots or part.defence:
            tables = tuple(part.shots), tuple(part.defence)
            yield TurnPart(which if sides.parted else None, tuple(points), *tables)


class _TurnPart:
    """A part of a turn while it is put together; of `many` units more is told together."""

    def __init__(self, many: bool) -> None:
        self.felt: dict[str, list[_Told]] = {}
        self.points: list[list[_Told]] = []
        self.shots: list[at.Attacked] = []
        self.defence: list[at.PointDefended] = []
        self._many, self._last = many, _Alike()
        self._alike: dict[_Alike, list[_Told]] = {}

    def take(self, now: _Told, before: _Told) -> None:
        """Take an event in, which follows another."""
        event, many = now.event, self._many
        if many and isinstance(event, _Harm):
            self.felt.setdefault(event.name, []).append(now)
        elif many and isinstance(event, at.PointDefended):
            self.defence.append(event)
        elif many and isinstance(event, at.Attacked) and event.do != "bombard":
            self.shots.append(event)
        elif now.alike in self._alike and (many or now.alike == before.alike):
            self._alike[now.alike].append(now)
        elif self._opens(now, before):
            self.points.append([now])
            if now.alike:
                self._alike[now.alike] = self.points[-1]
        else:
            self.points[-1].append(now)
            self._alike.pop(now.alike, None)
        self._last = now.alike

    def _opens(self, now: _Told, before: _Told) -> bool:
        """Return whether an event begins a point of its own."""
        if not self.points or now.part != before.part or isinstance(now.event, _ALONE):
            return True
        if self._many and (now.alike or self._last):
            return True
        if isinstance(now.event, at.Struck):
            # A hit may take effect only below an attack by somebody else (CX-19).
            first = self.points[-1][0].event
            return isinstance(first, at.Attacked) and now.event.by not in (first.unit, first.by)
        return now.who != before.who and not isinstance(now.event, _FOLLOWING)


def _deed(told: Sequence[_Told]) -> Deed | None:
    """Return a point as it is told, None where nothing of it is news."""
    alike = len(told) > 1 and {one.alike for one in told} == {told[0].alike} != {()}
    events = tuple(one.event for one in told if not _is_void(one.event))
    return Deed(events, alike) if events else None


def _is_void(event: AnyEvent) -> bool:
    """Return whether an event has nothing to tell, such as a missile that flew its last turn."""
    if isinstance(event, at.MissileGone):
        return event.why == "arrived"
    return not (event.ranges if isinstance(event, ev.Ranged) else getattr(event, "turns", True))


def _harmed(told: Sequence[_Told], sides: _Sides) -> Iterator[Felt]:
    """Yield what became of each vessel that was harmed, in short."""
    found: dict[str, list[_Told]] = {}
    for one in told:
        event = one.event
        stopped = isinstance(event, at.Struck) and not event.stun + event.wound
        if isinstance(event, at.Struck | ev.Gone | at.Damaged | at.Slowed) and not stopped:
            found.setdefault(event.name, []).append(one)
    for name, events in found.items():
        slowed = [one for one in events if isinstance(one.event, at.Slowed)]
        yield _felt(name, [one for one in events if one not in slowed[:-1]], sides)


def _news(events: Sequence[AnyEvent], sides: _Sides) -> Iterator[Deed]:
    """Yield what the short form tells besides harm: missiles, and what failed for the reader."""
    struck = [one for one in events if isinstance(one, at.Struck)]
    arrived = {one.id for one in events if isinstance(one, at.Arrived)}
    hit = {one.by for one in struck}
    harmed = {(one.name, one.by) for one in struck if one.stun or one.wound}

    def is_news(event: AnyEvent) -> bool:
        if isinstance(event, at.Struck):
            known = event.by in arrived or sides.owns(event.by)
            return known and (event.name, event.by) not in harmed
        if isinstance(event, at.Arrived):
            return event.id not in hit
        if isinstance(event, at.MissileGone):
            return event.why != "arrived"
        if isinstance(event, at.Attacked) and event.do != "bombard":
            return sides.owns(event.by) and not event.hit
        if isinstance(event, ev.Refused | at.Outflown | at.HitLost):
            return sides.owns(_who(event))
        if isinstance(event, _TRIED):
            joined = isinstance(event, ev.Joined) and event.passed
            return joined or (sides.owns(_who(event)) and not event.passed)
        return isinstance(event, _NEWS | at.Attacked)

    found: dict[_Alike, list[AnyEvent]] = {}
    for n, event in enumerate(filter(is_news, events)):
        found.setdefault(_in_short(event) or (n,), []).append(event)
    return (Deed(tuple(those), len(those) > 1) for those in found.values())


def _in_short(event: AnyEvent) -> _Alike:
    """Return the same for events that the short form tells together."""
    if isinstance(event, at.Attacked) and event.do != "bombard":
        return type(event), event.do, event.at
    return (type(event), event.name) if isinstance(event, at.Struck) else _alike(event, many=True)


def _felt(name: str, told: Sequence[_Told], sides: _Sides) -> Felt:
    struck = [(one.event, one.way) for one in told if isinstance(one.event, at.Struck)]
    hits = (
        Hit(hit.stun, hit.wound, hit.by, way, sides.of.get(hit.by) == sides.of[name])
        for hit, way in struck
        if hit.stun or hit.wound
    )
    by = tuple(dict.fromkeys(hit.by for hit, _ in struck))
    then = tuple(one.event for one in told if not isinstance(one.event, at.Struck))
    return Felt(name, sides.owns(name), tuple(hits), by, then)
