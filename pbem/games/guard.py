"""The guard: no deadline is played for a time without the referee, and no game stops others."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine.said import say
from pbem import clock_jump
from pbem.store import Game, StoreDown
from pbem.words.days import in_utc

if TYPE_CHECKING:
    from pbem.office import Office

log = logging.getLogger("pbem")

_LEAST = clock_jump.WAIT + timedelta(hours=6)
"""The least time that is left after a jump: none is played in the day after it, and a reminder
comes before it is."""
_PUT_OFF = timedelta(hours=24)
_SHARE = 2 / 3
"""The share of all players in battle whose silence at once is improbable."""
_RETRY_MOST = timedelta(hours=6)
"""The longest time that a letter or a post waits for its next try."""


def watch(office: "Office", last: datetime | None, now: datetime) -> int:
    """Move deadlines after an outage or a jump of the clock, tell the players, and give how many.

    What can't be undone waits for a day from then on, and the moderator is told. `last` is when
    the mailbox was read before (UTC). What was moved is not moved again after a crash: that it
    was read now is written down along with it.
    """
    if last is None or not clock_jump.is_jump(office.settings.league, last, now):
        return 0
    with office.store.transaction():
        until = clock_jump.note(office.store, last, now)
        moved = sum(_moved(office, g, last, now) for g in office.store.games.all(running=True))
        if now < last:
            _bring_back(office, now)
        _tell_moderator(office, "outage", moved, now, until)
        office.store.set_meta(clock_jump.LAST_POLL, now.isoformat())
    log.warning(
        "the mailbox was not read, or the clock jumped: %d deadlines moved; what can't be undone"
        " waits until %s",
        moved,
        f"{until:%Y-%m-%d %H:%M} UTC",
    )
    return moved


def _moved(office: "Office", game: Game, last: datetime, now: datetime) -> bool:
    """Move a game's deadline if that is fair after a jump, and tell whether it was moved."""
    deadline = held(office, game, last, now)
    if deadline == game.deadline:
        return False
    office.reports.log(game, say("the referee was out of reach, so the deadline is moved"), now)
    office.referee.timetable.move(game, deadline, now, "outage")
    return True


def _bring_back(office: "Office", now: datetime) -> None:
    """Let nothing wait for a time that only a clock which went ahead has shown."""
    store = office.store
    for row in store.outbox.all(state="queued", due__gt=now + _RETRY_MOST):
        store.outbox.change(row.id, due=now)
    for post in store.posts.all(state="queued", due__gt=now + _RETRY_MOST):
        store.posts.change(post.id, due=now)
    for patrol in store.patrols.all(state="open", made__gt=now):
        store.patrols.change(patrol.id, made=now)
    for issue in store.issues.all(done=False, due__gt=now):
        store.issues.change(issue.id, due=now)
    for player in store.players.all(heard__gt=now):
        store.players.change(player.id, heard=now)


def held(office: "Office", game: Game, last: datetime, now: datetime) -> datetime | None:
    """Give the deadline that is fair after the mailbox was read at `last` and then not until now.

    After more than the league's `outage_hours`, or where the clock was set back by more than an
    hour, the time that was left at `last` is left now, and more than a day at least.
    """
    league = office.settings.league
    if game.deadline is None or not clock_jump.is_jump(league, last, now):
        return game.deadline
    timetable = office.referee.timetable
    fair = timetable.after(game, max(timetable.left(game, last), _LEAST), now)
    ahead = clock_jump.is_ahead(league, last, now)
    return max(game.deadline, fair) if ahead else min(game.deadline, fair)


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


def _tell_moderator(
    office: "Office", why: str, moved: int, now: datetime, until: datetime | None = None
) -> None:
    """Tell the moderator of deadlines that moved, and until when what can't be undone waits."""
    moderator = office.settings.league.moderator
    if moderator:
        waits = in_utc(until) if until else ""
        ident = (why, now.isoformat())
        office.outbox.write_stranger(
            moderator, "held", now, ident, "", why=why, moved=moved, until=waits
        )
