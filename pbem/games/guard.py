"""The guard: no deadline is played for a time without the referee, and no game stops others."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine.said import say
from pbem.store import Game, StoreDown

if TYPE_CHECKING:
    from pbem.office import Office

log = logging.getLogger("pbem")

LAST_POLL = "last_poll"
"""Under this key the books say when the mailbox was read last."""

_LEAST = timedelta(hours=1)
_SET_BACK = timedelta(hours=1)
_PUT_OFF = timedelta(hours=24)
_SHARE = 2 / 3
"""The share of all players in battle whose silence at once is improbable."""


def watch(office: "Office", last: datetime | None, now: datetime) -> int:
    """Move deadlines after an outage or a jump of the clock, tell the players, and give how many.

    `last` is when the mailbox was read before (UTC). What was moved is not moved again after a
    crash: that it was read now is written down along with it.
    """
    moved = 0
    with office.store.transaction():
        for game in office.store.games.all(running=True) if last else []:
            assert last is not None
            deadline = held(office, game, last, now)
            if deadline != game.deadline:
                office.reports.log(
                    game, say("the referee was out of reach, so the deadline is moved"), now
                )
                office.referee.timetable.move(game, deadline, now, "outage")
                moved += 1
        if moved:
            _tell_moderator(office, "outage", moved, now)
            office.store.set_meta(LAST_POLL, now.isoformat())
            log.warning("the mailbox was not read, or the clock jumped: %d deadlines moved", moved)
    return moved


def held(office: "Office", game: Game, last: datetime, now: datetime) -> datetime | None:
    """Give the deadline that is fair after the mailbox was read at `last` and then not until now.

    After more than the league's `outage_hours`, or where the clock was set back by more than an
    hour, the time that was left at `last` is left now, an hour at least.
    """
    out = now - last > timedelta(hours=office.settings.league.outage_hours)
    if game.deadline is None or not (out or last - now > _SET_BACK):
        return game.deadline
    timetable = office.referee.timetable
    fair = timetable.after(game, max(timetable.left(game, last), _LEAST), now)
    return max(game.deadline, fair) if out else min(game.deadline, fair)


def playable(office: "Office", due: Sequence[Game], now: datetime) -> list[Game]:
    """Give the games whose deadline has fallen that are to be played now.

    Where an improbable share of the league would miss its deadline at once, all those are put
    off once, by a day, and the players and the moderator are told.
    """
    fresh = [game for game in due if not game.held and not game.practice]
    if not fresh or not _is_improbable(office, fresh):
        return list(due)
    with office.store.transaction():
        for game in fresh:
            why = say("too many were silent at once, so the deadline is moved")
            office.reports.log(game, why, now)
            later = office.referee.timetable.after(game, _PUT_OFF, now)
            office.store.games.change(game.id, held=True)
            office.referee.timetable.move(game, later, now, "silence")
        _tell_moderator(office, "silence", len(fresh), now)
    log.warning("too many players were silent at once: %d deadlines moved", len(fresh))
    return [game for game in due if game not in fresh]


def _is_improbable(office: "Office", games: Sequence[Game]) -> bool:
    """Tell whether so many would miss the deadlines of these games that their mail must be lost."""
    fewest = office.settings.league.silent_players
    places = office.store.places
    silent = {
        place.player_id
        for game in games
        for place in places.all(game=game.id, asked=True, answered=False)
    }
    awaited = office.store.players_in_battle()
    return bool(fewest) and len(silent) >= max(fewest, _SHARE * len(awaited))


def safely(office: "Office", game: Game, act: Callable[[], None], now: datetime) -> bool:
    """Do something with a game, in one transaction, and tell whether it went well.

    A game that the program fails at is paused, and the moderator told; all others go on.
    """
    try:
        with office.store.transaction():
            act()
    except StoreDown:
        raise
    except Exception:
        log.exception("game %d can't be played; it is paused", game.id)
        _set_aside(office, game, now)
        return False
    return True


def _set_aside(office: "Office", game: Game, now: datetime) -> None:
    league = office.settings.league
    with office.store.transaction():
        office.reports.log(game, say("the program failed at the game, so it is paused"), now)
        rest = int(league.allowed.total_seconds())
        office.store.games.change(game.id, deadline=None, paused=rest)
        if league.moderator:
            ident = ("stumbled", game.id, now.isoformat())
            office.outbox.write_stranger(league.moderator, "stumbled", now, ident, "", game=game.id)


def _tell_moderator(office: "Office", why: str, moved: int, now: datetime) -> None:
    moderator = office.settings.league.moderator
    if moderator:
        ident = (why, now.isoformat())
        office.outbox.write_stranger(moderator, "held", now, ident, "", why=why, moved=moved)
