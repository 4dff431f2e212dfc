"""Missed deadlines: which one is the last before a forfeit, and what they are counted for."""

from collections.abc import Mapping

from engine.seats import Seat
from pbem.games import punctuality
from pbem.games.session import Session
from pbem.settings.sections import LeagueSettings
from pbem.storage import Place


def is_last(place: Place, league: LeagueSettings) -> bool:
    """Return whether a place misses the current deadline, and has no further miss left."""
    missed = place.asked and not place.answered
    return missed and place.misses + 1 >= league.misses_before_forfeit


def are_mutual(session: Session, league: LeagueSettings) -> bool:
    """Return whether one player misses for the last time, and all the others are as silent."""
    active = [session.places[seat] for seat in session.parts]
    # Somebody who was not asked this time could not miss, so one miss fewer counts as silence.
    fewest = max(1, league.misses_before_forfeit - 1)
    last = [is_last(place, league) for place in active]
    silent = [one or place.misses >= fewest for one, place in zip(last, active, strict=True)]
    return any(last) and all(silent)


def count(session: Session, league: LeagueSettings, before: Mapping[Seat, int]) -> None:
    """Record who met the deadline, and declare places open for their misses; no practice.

    `before` are the misses that each seat had before this deadline.
    """
    if session.game.practice:
        return
    # Nobody asked to be in a battle that the moderator has set up.
    if not session.game.staged:
        punctuality.record(session, before)
    fewest = league.misses_before_open  # 0: no place is ever declared open
    for seat, place in session.places.items():
        if place.misses > before[seat] and 0 < fewest <= place.misses:
            session.change(seat, vacant=True)
