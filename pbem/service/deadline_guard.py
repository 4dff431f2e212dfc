"""The guard: no player loses time to an outage, and no broken game stops the others."""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from engine import registry
from engine.i18n import say
from pbem.games import offers, ruling_log
from pbem.handlers.ports import Ports
from pbem.i18n.days import in_utc
from pbem.news import stored_issues
from pbem.outgoing import public_letters
from pbem.outgoing.delivery import RETRY
from pbem.people import players
from pbem.service.boards_read_until import BoardTimes
from pbem.storage import (
    Game,
    Player,
    StoreDown,
    clock_jumps,
    queues,
    stored_games,
)

log = logging.getLogger("pbem")

_LEAST = clock_jumps.WAIT + timedelta(hours=6)
"""The least time left after a jump: a day without deadlines, and then time for a reminder."""
_PUT_OFF = timedelta(hours=24)
_SHARE = 2 / 3
"""If so large a share of all players in battle is silent at once, mail was probably lost."""
# Where the program fails at a game, that one is paused once its deadline is played.
_NOT_MOVED = "the deadline of game %d can't be moved"
_RETRY_MOST = timedelta(seconds=RETRY.most)
"""The longest time that a letter waits for its next try, and no post waits longer."""


def watch(ports: Ports, last: datetime | None, now: datetime) -> int:
    """Move deadlines after an outage or a jump of the clock, inform players, and return how many.

    Irreversible acts wait for a day from then on, and the moderator is informed. `last` is when the
    mailbox was read before (UTC). The time of this reading is saved in the same transaction, so
    that a crash does not make the deadlines move twice.
    """
    if last is None or not clock_jumps.is_jump(ports.settings.league, last, now):
        return 0
    with ports.store.transaction():
        until = clock_jumps.note(ports.store, last, now)
        moved = 0
        for game in stored_games.games(ports.store, running=True):
            with ports.store.alone(log, _NOT_MOVED, game.id):
                moved += _moved(ports, game, last, now)
        if now < last:
            # Queues would wait for as long as the clock had been ahead.
            _bring_back(ports, now)
        _tell_moderator(ports, "outage", moved, now, until)
        # If the program dies after this, the next start must not see the same jump again.
        ports.store.set_meta(clock_jumps.LAST_POLL, now.isoformat())
    log.warning(
        "the mailbox was not read, or the clock jumped: %d deadlines moved; what can't be undone"
        " waits until %s",
        moved,
        f"{until:%Y-%m-%d %H:%M} UTC",
    )
    return moved


def watch_boards(ports: Ports, times: Mapping[str, BoardTimes], now: datetime) -> int:
    """Move deadlines of those who play on a board that was out of reach, and return how many.

    They have as much time left as when it was read before the outage, and always more than a day.
    """
    league, moved = ports.settings.league, 0
    for board, one in times.items():
        if one.before and one.now and clock_jumps.is_ahead(league, one.before, one.now):
            with ports.store.transaction():
                for game in stored_games.games(ports.store, running=True):
                    if board in boards_of(ports, game):
                        with ports.store.alone(log, _NOT_MOVED, game.id):
                            moved += _moved(ports, game, one.before, now)
            log.warning("%s was not read for long: %d deadlines moved", board, moved)
    return moved


def waits_for_board(ports: Ports, game: Game, times: Mapping[str, BoardTimes]) -> bool:
    """Return whether orders may have come in time on a board that has not been read since."""
    assert game.deadline is not None
    return any(
        (read := times[board].now) is None or read < game.deadline
        for board in boards_of(ports, game)
        if board in times
    )


def boards_of(ports: Ports, game: Game) -> set[str]:
    """Return the boards on which players last wrote who are asked, and have not answered.

    Mail is among them as MAIL.
    """
    store = ports.store
    if game.is_live:
        return set()  # its room is read at once, and its clock stands still while it is not
    silent = stored_games.players(store, game=game.id, asked=True, answered=False)
    return {store.get(Player, player).channel for player in silent}


def _moved(ports: Ports, game: Game, last: datetime, now: datetime) -> bool:
    """Move a game's deadline if that is fair after a jump. Return whether it was moved."""
    # In a chat room the clock stands still by itself while the referee is away (SP-41).
    if game.is_live:
        return False
    deadline = held(ports, game, last, now)
    if deadline == game.deadline:
        return False
    ruling_log.log(
        ports.store, game, say("the referee was out of reach, so the deadline is moved"), now
    )
    ports.referee.timetable.move(game, deadline, now, "outage")
    return True


def _bring_back(ports: Ports, now: datetime) -> None:
    """Reset times that lie in the future because the clock had gone ahead."""
    store = ports.store
    # Later than any retry, so it is the wrong clock that set this time.
    queues.bring_back(store, now + _RETRY_MOST, now)
    offers.bring_back(store, now)
    stored_issues.bring_back(store, now)
    public_letters.bring_back(store, now)
    players.set_back(store, now)


def held(ports: Ports, game: Game, last: datetime, now: datetime) -> datetime | None:
    """Return the deadline that is fair if the mailbox was read at `last` and then not until now.

    After more than the league's `outage_hours`, or if the clock was set back by more than an hour,
    players have as much time left now as at `last`, and always more than a day.
    """
    league = ports.settings.league
    if game.deadline is None or not clock_jumps.is_jump(league, last, now):
        return game.deadline
    timetable = ports.referee.timetable
    fair = timetable.after(game, max(timetable.left(game, last), _LEAST), now)
    ahead = clock_jumps.is_ahead(league, last, now)
    # A player never loses time that was promised, and never gains from a clock that was wrong.
    return max(game.deadline, fair) if ahead else min(game.deadline, fair)


def playable(ports: Ports, due: Sequence[Game], now: datetime) -> list[Game]:
    """Return the games whose deadline has passed that are to be played now.

    If an improbable share of the league would miss its deadline at once, those games are put off
    once, by a day, and the players and the moderator are informed.
    """
    fresh = [game for game in due if not (game.held or game.practice or game.is_live)]
    if not fresh or not _is_improbable(ports, fresh):
        return list(due)
    moved = list[Game]()
    with ports.store.transaction():
        for game in fresh:
            with ports.store.alone(log, _NOT_MOVED, game.id):
                why = say("too many were silent at once, so the deadline is moved")
                ruling_log.log(ports.store, game, why, now)
                later = ports.referee.timetable.after(game, _PUT_OFF, now)
                # Once in a turn: a league whose players have left would wait for ever.
                stored_games.change_game(ports.store, game.id, held=True)
                ports.referee.timetable.move(game, later, now, "silence")
                moved.append(game)
        _tell_moderator(ports, "silence", len(moved), now)
    log.warning("too many players were silent at once: %d deadlines moved", len(moved))
    return [game for game in due if game not in moved]


def _is_improbable(ports: Ports, games: Sequence[Game]) -> bool:
    """Return whether so many would miss these deadlines that their mail was probably lost."""
    fewest = ports.settings.league.silent_players
    numbers, playing = [game.id for game in games], partial(stored_games.players, ports.store)
    silent = playing(game__in=numbers, asked=True, answered=False)
    awaited = playing(game__running=True, game__practice=False)
    # A few players may well be silent together, so a share alone shows nothing. 0 turns this off.
    return bool(fewest) and len(silent) >= max(fewest, _SHARE * len(awaited))


def safely(ports: Ports, game: Game, act: Callable[[], None], now: datetime) -> bool:
    """Do something with a game, in one transaction, and return whether it went well.

    If it fails, the game is paused and the moderator informed; all others go on.
    """
    try:
        with ports.store.transaction():
            act()
    except StoreDown:
        raise
    except Exception:
        log.exception("game %d can't be played; it is paused", game.id)
        # In another transaction: the one that failed is rolled back.
        _set_aside(ports, game, now)
        return False
    return True


def pause_unloaded(ports: Ports, now: datetime) -> None:
    """Pause the running games whose systems can't be loaded any more, and inform the moderator."""
    running = {"running": True, "paused": None}
    for system in sorted(stored_games.systems(ports.store, **running) - {*registry.RULESETS}):
        for game in stored_games.games(ports.store, system=system, **running):
            log.error("game %d is paused: there is no system %s", game.id, system)
            _set_aside(ports, game, now)


def _set_aside(ports: Ports, game: Game, now: datetime) -> None:
    with ports.store.transaction():
        gone = game.system not in registry.RULESETS
        why = say("the program failed at the game, so it is paused")
        if gone:
            why = say("the rules of {system} can't be loaded, so it is paused", system=game.system)
        ruling_log.log(ports.store, game, why, now)
        rest = int(ports.settings.league.allowed.total_seconds())
        stored_games.change_game(ports.store, game.id, deadline=None, paused=rest)
        # With the time: the game may fail again after RESUME.
        ident, system = ("stumbled", game.id, now.isoformat()), game.system if gone else ""
        ports.outbox.write_moderator("stumbled", now, ident, game=game.id, gone=system)


def _tell_moderator(
    ports: Ports, why: str, moved: int, now: datetime, until: datetime | None = None
) -> None:
    """Inform the moderator of moved deadlines, and until when irreversible acts wait."""
    ident, waits = (why, now.isoformat()), in_utc(until) if until else ""
    ports.outbox.write_moderator("held", now, ident, why=why, moved=moved, until=waits)
