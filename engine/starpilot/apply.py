"""`apply`: the only way in which a battle's state changes; and points in a step."""

from collections.abc import Callable
from typing import Any

from engine.codec import change
from engine.events import Event, Play
from engine.starpilot import events as ev
from engine.starpilot.events import (
    Acted,
    Bailed,
    Begun,
    Destroyed,
    Evaded,
    Faded,
    Hit,
    Landed,
    Left,
    Located,
    Locked,
    Moved,
    Over,
    Paid,
    Passed,
    Positioned,
    Restarted,
    Scored,
    Shooting,
    Tied,
    Tried,
)
from engine.starpilot.model import Battle, Lock, Pair, Pilot, Shot, all_pairs, mates, pair_key
from engine.starpilot.tables import HP_LOSS, HP_TEAMMATE


def apply(battle: Battle, event: Event) -> Battle:
    """Return the battle after an event; raise KeyError for an event of an unknown kind."""
    return _APPLY[type(event)](battle, event)


def _pilot(battle: Battle, name: str, **changes: object) -> dict[str, Pilot]:
    # States are never changed in place: the service keeps earlier ones, for UNDO and pictures.
    pilots = battle.pilots.copy()
    pilots[name] = change(pilots[name], **changes)
    return pilots


def _pair(battle: Battle, one: str, other: str, **changes: object) -> Battle:
    key = pair_key(battle, one, other)
    pairs = battle.pairs.copy()
    pairs[key] = change(pairs[key], **changes)
    return change(battle, pairs=pairs)


def _begun(battle: Battle, event: Begun) -> Battle:
    return change(battle, turn=event.team)


def _same(battle: Battle, event: Event) -> Battle:
    return battle


def _moved(battle: Battle, event: Moved) -> Battle:
    # A pair whose range changes loses its Advantage (SP-14).
    return _pair(battle, event.pilot, event.foe, range=event.range, advantage=None)


def _positioned(battle: Battle, event: Positioned) -> Battle:
    return _pair(battle, event.pilot, event.foe, advantage=event.holder)


def _located(battle: Battle, event: Located) -> Battle:
    # What was found stays found, also when it has left (SP-12).
    found = battle.pilots[event.pilot].found.union(event.foes)
    return change(battle, pilots=_pilot(battle, event.pilot, found=found))


def _locked(battle: Battle, event: Locked) -> Battle:
    return change(battle, locks=(*battle.locks, Lock(event.by, event.on)))


def _shooting(battle: Battle, event: Shooting) -> Battle:
    shot = Shot(event.by, event.at, event.weapon, event.origin)
    # A shot that succeeds makes the battle count, even if it is stopped later (SP-28a).
    return change(battle, shots=(*battle.shots, shot), fought=True)


def _evaded(battle: Battle, event: Evaded) -> Battle:
    # A defence stops all shots of its kind at once, so equal ones go together (SP-21).
    shots = tuple(s for s in battle.shots if s not in event.shots)
    locks = tuple(k for k in battle.locks if k not in event.locks)
    return change(battle, shots=shots, locks=locks)


def _faded(battle: Battle, event: Faded) -> Battle:
    return change(battle, locks=tuple(k for k in battle.locks if k.by != event.by or k.fresh))


def _landed(battle: Battle, event: Landed) -> Battle:
    # Of several shots between the same two, the earliest lands first.
    shots = list(battle.shots)
    shots.remove(next(s for s in shots if (s.by, s.at) == (event.by, event.at)))
    return change(battle, shots=tuple(shots), struck=True)


def _hit(battle: Battle, event: Hit) -> Battle:
    pilot = battle.pilots[event.at]
    stats = (*pilot.stats[: event.stat], event.value, *pilot.stats[event.stat + 1 :])
    wounded = pilot.wounded or event.wounds
    # A pilot whose ship is hit finds the ship that hit it, for itself alone (SP-12).
    pilots = _pilot(battle, event.at, stats=stats, wounded=wounded, found=pilot.found | {event.by})
    return change(battle, pilots=pilots)


def _left(battle: Battle, event: Left) -> Battle:
    name = event.pilot
    # Shots and locks of a pilot that is out, and those on it, are void (SP-27).
    shots = tuple(s for s in battle.shots if name not in (s.by, s.at))
    locks = tuple(k for k in battle.locks if name not in (k.by, k.on))
    # Kept for the career: who left before any shot has no mission of what follows (SP-31).
    pilots = _pilot(battle, name, fate=event.fate, unfought=not battle.fought)
    return change(battle, pilots=pilots, shots=shots, locks=locks)


def _scored(battle: Battle, event: Scored) -> Battle:
    pilot = battle.pilots[event.pilot]
    kills, prizes = pilot.kills + (event.why == "kill"), pilot.prizes + (event.why == "prize")
    pilots = _pilot(battle, event.pilot, hp=pilot.hp + event.hp, kills=kills, prizes=prizes)
    return change(battle, pilots=pilots)


def _paid(battle: Battle, event: Paid) -> Battle:
    # Apart from `hp`: what a battle costs is taken from the career when the battle is booked.
    lost = battle.pilots[event.pilot].hp_lost + event.hp
    return change(battle, pilots=_pilot(battle, event.pilot, hp_lost=lost))


def _acted(battle: Battle, event: Acted) -> Battle:
    """Close a pilot's turn: its locks age, and turns without a hit are counted (SP-28c)."""
    name = event.pilot
    locks = [change(k, fresh=False) if k.by == name and k.fresh else k for k in battle.locks]
    return change(
        battle,
        pilots=_pilot(battle, name, turns=battle.pilots[name].turns + 1),
        locks=tuple(locks),
        acted=battle.acted | {name},
        at_edge=battle.at_edge and event.edge,
        quiet=0 if battle.struck else battle.quiet + 1,
        struck=False,
    )


def _passed(battle: Battle, event: Passed) -> Battle:
    # `at_edge` starts as true: each pilot of the team that acts may only make it false (SP-24).
    return change(
        battle, turn=event.team, acted=frozenset(), edge_before=battle.at_edge, at_edge=True
    )


def _restarted(battle: Battle, event: Restarted) -> Battle:
    # What was found, damage and the count of quiet turns stay (SP-24, SP-28c).
    return change(
        battle,
        # The initiative after a restart is rolled, even where the first was agreed (SP-24).
        agreed=None,
        turn=None,
        pairs={key: Pair() for key, _, _ in all_pairs(battle)},
        locks=(),
        shots=(),
        acted=frozenset(),
        at_edge=True,
        edge_before=False,
    )


def _over(battle: Battle, event: Over) -> Battle:
    # Locks, shots and fates stay as they are: a draw changes nobody's fate (SP-28c).
    return change(battle, over=True, drawn=event.drawn, turn=None)


_APPLY: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    Begun: _begun,
    Tied: _same,
    Tried: _same,
    Moved: _moved,
    Positioned: _positioned,
    Located: _located,
    Locked: _locked,
    Shooting: _shooting,
    Evaded: _evaded,
    Faded: _faded,
    Landed: _landed,
    Hit: _hit,
    Destroyed: _same,
    Bailed: _same,
    Left: _left,
    Scored: _scored,
    Paid: _paid,
    Acted: _acted,
    Passed: _passed,
    Restarted: _restarted,
    Over: _over,
}


def victory(play: Play[Battle], name: str, tenths: int, why: str) -> None:
    """Score a kill or prize, and its share for each active teammate (SP-28)."""
    score(play, name, tenths, why)
    battle = play.battle
    for mate in mates(battle, name):
        if mate != name:
            score(play, mate, HP_TEAMMATE, "teammate")


def score(play: Play[Battle], name: str, tenths: int, why: str) -> None:
    """Score HP, unless the battle has not been fought yet (SP-28a)."""
    if play.battle.fought:
        play.record(ev.Scored(name, tenths, why))


def pay(play: Play[Battle], name: str) -> None:
    """Take up to 0.2 HP of those that the pilot brought along (SP-28a)."""
    pilot = play.battle.pilots[name]
    # The HP earned in this battle are not touched, however few were brought along.
    lost = min(HP_LOSS, pilot.card.hp - pilot.hp_lost)
    if lost:
        play.record(ev.Paid(name, lost))
