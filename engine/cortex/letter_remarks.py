"""What a letter says besides orders: what they need, what can't be done, and how it stands."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from engine.cortex.attack_events import Attacked, Struck
from engine.cortex.chances import chance_of
from engine.cortex.default_targets import meant
from engine.cortex.events import Gone
from engine.cortex.legal import COURSES, LASTING, REASONS, hindrance, poised
from engine.cortex.model import Battle, Filing, Orders
from engine.cortex.possible_orders import candidates
from engine.cortex.queries import (
    active,
    active_in,
    is_active,
    seat_of,
    team_of,
    to_order,
)
from engine.events import Event
from engine.i18n import Said, all_of, listed, say
from engine.letter_texts import Barred, Gist, Tally, by_reason, by_side, hits_of
from engine.seats import Seat


def chance(battle: Battle, seat: Seat, filed: Filing) -> int | None:
    """Return the chance of a unit's last order that dice decide, as things stand; None for none."""
    if not isinstance(filed, Orders) or seat_of(battle, filed.unit) != seat:
        return None
    play = poised(battle)
    # The last one, because courses and crew come before the shot that they are for.
    for order in reversed(meant(battle, filed).orders):
        reason = hindrance(play, filed.unit, order)
        # A shot may come into reach by the course that stands before it.
        if reason is None or (reason == "out of range" and order.do == "fire"):
            found = chance_of(play, filed.unit, order)
            if found is not None:
                return found
    return None


_TOLD = frozenset({"out of range", "spent", "no lock", "immobile", "no drive", "no equipment"})
"""Why something can't be done that a player might well think of."""


def barred(battle: Battle, seat: Seat) -> list[Barred[Filing]]:
    """Return what a seat's units can't do now, by unit and reason."""
    found: list[Barred[Filing]] = []
    for name in to_order(battle):
        if seat_of(battle, name) == seat:
            found += by_reason(_hindered(battle, name), REASONS)
    return found


def _hindered(battle: Battle, name: str) -> Iterator[tuple[Filing, str]]:
    play = poised(battle)
    for order in candidates(battle, name):
        reason = hindrance(play, name, order)
        if reason in _TOLD:
            yield Orders(name, (order,)), reason


def vain(battle: Battle, seat: Seat, filed: Filing) -> str | None:
    """Return why a unit's orders can do nothing any more in this battle, or None."""
    if not isinstance(filed, Orders):
        return None
    ats = [order.at for order in filed.orders]
    gone = [at for at in ats if at in battle.sheets and not is_active(battle, at)]
    # One order that can still do something keeps the whole letter alive.
    if not gone or len(gone) < len(ats):
        return None
    return say("{names} out of the battle for good", names=all_of(list(dict.fromkeys(gone))))


def doubt(battle: Battle, seat: Seat, filed: Filing) -> str | None:
    """Return why one of a unit's orders would fail as things stand, or None."""
    if not isinstance(filed, Orders) or filed.unit not in battle.sheets:
        return None
    play, flown = poised(battle), False
    for order in meant(battle, filed).orders:
        reason = hindrance(play, filed.unit, order)
        # By a course that stands before it a shot may come into reach.
        if reason in LASTING or (reason == "out of range" and not flown):
            return REASONS[str(reason)]
        flown = flown or order.do in COURSES
    return None


def struck(event: object) -> Seat | None:
    """Return whose vessel or spotter an event harms."""
    return event.seat if isinstance(event, Struck) and (event.stun or event.wound) else None


def gist(battle: Battle, events: Sequence[Event], seat: Seat) -> Gist:
    """Return what some events did to either side, and how many each has left."""
    team = team_of(battle, seat)
    own = set[str]() if team is None else set(map(str, battle.teams[team].vessels))
    if team is not None:
        own |= set(battle.teams[team].spotters)
    told = by_side(_told(events, own, mine=True), _told(events, own, mine=False))
    if not told and events:
        shots = sum(isinstance(event, Attacked) and event.do == "fire" for event in events)
        told = [_vain(shots) if shots else say("nobody was hit")]
    return Gist(listed(told) if told else "", "" if battle.over else _stands(battle, seat))


def _stands(battle: Battle, seat: Seat) -> Said:
    """Return which turn is open, and how many are active: one's own team against the others."""
    team = team_of(battle, seat)
    own = 0 if team is None else len(active_in(battle, team))
    foes = len(active(battle)) - own
    return say("turn {turn}, {own} against {foes}", turn=battle.turn + 1, own=own, foes=foes)


_FATES: Mapping[str, Tally] = {
    "destroyed": Tally("{names} destroyed", "{count} destroyed"),
    "disabled": Tally("{names} disabled", "{count} disabled"),
    "surrendered": Tally("{names} surrendered", "{count} surrendered"),
    "withdrawn": Tally("{names} withdrew", "{count} withdrew"),
    "jumped": Tally("{names} jumped", "{count} jumped"),
}


def _told(events: Sequence[Event], own: Collection[str], mine: bool) -> list[Said]:
    """Return who of one's own, or of the others, is out of the battle now, the worst first.

    Hits are news where nobody is out; one that armour stopped is none for its reader.
    """
    gone = [e for e in events if isinstance(e, Gone) and (e.name in own) == mine]
    fates = {fate: [e.name for e in gone if e.fate == fate] for fate in _FATES}
    told = [_FATES[fate].of(names) for fate, names in fates.items() if names]
    harmed = (e for e in events if isinstance(e, Struck) and e.stun + e.wound > 0)
    return told or hits_of(sum((e.name in own) == mine for e in harmed))


def _vain(shots: int) -> Said:
    return say("1 shot, no hit") if shots == 1 else say("{count} shots, no hit", count=shots)
