"""A report in a few words, for its subject and its first lines."""

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.events import Event
from engine.i18n import Said, all_of, listed, say
from engine.letter_texts import Gist
from engine.seats import Seat
from engine.starpilot.events import (
    Acted,
    Faded,
    Hit,
    Landed,
    Left,
    Located,
    Passed,
    Restarted,
    Tried,
)
from engine.starpilot.model import ACTIVE, Battle, opponents, pair_of
from engine.starpilot.tables import RANGES

_NEWS = 2
"""The most items of news, not counting that the reader's own order failed."""
_MOST = 2
"""The most remarks on how the battle stands, not counting the range."""


def gist(battle: Battle, events: Sequence[Event], me: Seat) -> Gist:
    """Return what happened in some events, and how a battle stands now, for a pilot."""
    stands = list(_state(battle, me))
    return Gist(_news(battle, events, me), say("{parts}", parts=stands) if stands else "")


def _news(battle: Battle, events: Sequence[Event], me: str) -> str:
    """Return the most important events, or what became of the pilot's order."""
    news = [*_ends(events, me), *_wounds(events, me), *_hits(events, me), *_finds(events, me)]
    news += [say("the battle starts again") for event in events if isinstance(event, Restarted)]
    # Last: in a report of many turns the reader's latest failure matters least.
    told = [*news[:_NEWS], *_fails(battle, events, me)]
    own = [e for e in events if isinstance(e, Tried) and e.pilot == me and e.roll is not None]
    if not told and own:
        return say("your {order} succeeded", order=say(own[-1].command))
    # "Nobody was hit" is news only where somebody tried something.
    if not told and any(isinstance(event, Tried) for event in events):
        return say("nobody was hit")
    return listed(told or [say("")])


def _ends(events: Sequence[Event], me: str) -> Iterator[Said]:
    for event in events:
        if isinstance(event, Left) and event.pilot == me:
            yield {
                "killed": say("you were killed"),
                "ejected": say("you lost the ship"),
                "surrendered": say("you surrendered"),
                "escaped": say("you escaped"),
            }[event.fate]
        elif isinstance(event, Left):
            yield {
                "killed": say("{name} was killed", name=event.pilot),
                "ejected": say("{name} lost the ship", name=event.pilot),
                "surrendered": say("{name} surrendered", name=event.pilot),
                "escaped": say("{name} escaped", name=event.pilot),
            }[event.fate]


def _fails(battle: Battle, events: Sequence[Event], me: str) -> Iterator[Said]:
    """Yield that a pilot's latest roll failed; an earlier failure may have been repaired since.

    Of a SCAN yield whether anybody was left to find, since players queue more than they need.
    """
    found, last = False, None
    for event in events:
        if isinstance(event, Tried) and event.pilot == me and event.roll is not None:
            found, last = False, event
        elif isinstance(event, Located):
            found = found or event.pilot not in opponents(battle, me)
    if last is not None and last.command == "SCAN" and not found and _found_all(battle, me):
        yield say("nobody was left for your {order} to find", order=say("SCAN"))
    elif last is not None and not last.success:
        yield say("your {order} failed", order=say(last.command))


def _found_all(battle: Battle, me: str) -> bool:
    foes = set(opponents(battle, me))
    return bool(foes) and battle.pilots[me].found >= foes


def _wounds(events: Sequence[Event], me: str) -> Iterator[Said]:
    out = {event.pilot for event in events if isinstance(event, Left)}
    hurt = dict.fromkeys(event.at for event in events if isinstance(event, Hit) and event.wounds)
    # Of who is out as well, that is the news.
    for name in sorted((one for one in hurt if one not in out), key=lambda one: one != me):
        yield say("you are wounded") if name == me else say("{name} is wounded", name=name)


def _hits(events: Sequence[Event], me: str) -> Iterator[Said]:
    hits: Counter[tuple[str, str]] = Counter()
    for event in events:
        if isinstance(event, Landed) and event.hits:
            hits[event.by, event.at] += event.hits
    # What concerns the reader comes first.
    for (by, at), count in sorted(hits.items(), key=lambda item: me not in item[0]):
        if by == me:
            yield say("you hit {at} {times}", at=at, times=_times(count))
        elif at == me:
            yield say("{by} hit you {times}", by=by, times=_times(count))
        else:
            yield say("{by} hit {at} {times}", by=by, at=at, times=_times(count))


def _times(count: int) -> Said:
    if count > len(_FEW):
        return say("{count} times", count=count)
    return say(_FEW[count - 1])


_FEW = (say("once"), say("twice"))


def _finds(events: Sequence[Event], me: str) -> Iterator[Said]:
    finders = list[str]()
    for event in events:
        if isinstance(event, Located) and event.pilot == me:
            yield say("you found {foes}", foes=all_of(event.foes))
        # One SCAN finds for the whole team.
        elif isinstance(event, Located) and me in event.foes:
            finders.append(event.pilot)
    if len(finders) == 1:
        yield say("{name} found you", name=finders[0])
    elif finders:
        yield say("{names} found you", names=all_of(finders))


def _state(battle: Battle, me: str) -> Iterator[Said]:
    """Yield the range, if it is the same to all, and the most important of the rest."""
    if battle.pilots[me].fate != ACTIVE or battle.over:
        return
    ranges = {pair_of(battle, me, foe).range for foe in opponents(battle, me)}
    if len(ranges) == 1:
        yield say("{range} range", range=say(RANGES[ranges.pop()].capitalize()))
    yield from list(_remarks(battle, me))[:_MOST]


def _remarks(battle: Battle, me: str) -> Iterator[Said]:
    coming = sum(shot.at == me for shot in battle.shots)
    if not battle.pilots[me].found:
        yield say("nobody found yet")
    if coming:
        yield say("a shot comes at you") if coming == 1 else say("shots come at you")
    holders = {pair_of(battle, me, foe).advantage for foe in opponents(battle, me)} - {None}
    # Sorted: a set has no order, and a report must read the same on every machine.
    for holder in sorted(str(name) for name in holders - {me}):
        yield say("{name} has the Advantage", name=holder)
    locking = sorted({lock.by for lock in battle.locks if lock.on == me})
    if len(locking) == 1:
        yield say("{name} has a lock on you", name=locking[0])
    elif locking:
        yield say("{names} have a lock on you", names=all_of(locking))
    if me in holders:
        yield say("you have the Advantage")
    if any(lock.by == me for lock in battle.locks):
        yield say("you have a lock")
    if any(shot.by == me for shot in battle.shots):
        yield say("your shot is on its way")


def alike(events: Sequence[Event]) -> str:
    """Return what was tried in a step that had no other consequence; "" for any other step."""
    # These follow from the turn itself, and say nothing of what was tried.
    told = [event for event in events if not isinstance(event, Acted | Faded | Passed)]
    first = told[0] if len(told) == 1 else None
    if not isinstance(first, Tried) or first.roll is None:
        return ""
    # With chance and result, because one sentence tells all steps that are alike.
    return f"{first.pilot} {first.command} {first.at} {first.chance} {first.locked} {first.success}"
