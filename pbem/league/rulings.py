"""Rulings over one game: its clock, its end, its rank, and what is taken back."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from re import Match

from engine.errors import EngineError
from engine.said import say
from pbem import clock_jump
from pbem.games import audit
from pbem.games.rewind import rewind
from pbem.games.session import Session
from pbem.league.chair import Chair, afford, game_of, log, place_in, proclaim, running
from pbem.league.visit import DRAWN, STEP, Refusal
from pbem.store import Game


def extend(chair: Chair, match: Match[str]) -> str:
    """Move a game's deadline by hours or days; reminders come anew where their time has not."""
    game = running(chair, match["number"])
    if game.deadline is None:
        raise Refusal(say("game {game} has no deadline now", game=game.id))
    hours = int(match["amount"]) * (24 if match["unit"].lower().startswith("d") else 1)
    deadline = game.deadline + timedelta(hours=hours)
    chair.office.referee.timetable.move(game, deadline, chair.now, "extended")
    moment = chair.office.reports.moment(deadline)
    assert moment is not None
    return log(chair, game, say("the deadline is now {local} ({utc})", **moment))


def pause(chair: Chair, match: Match[str]) -> str:
    """Stop the clock of one game, or of all; orders are still taken."""
    games = [g for g in _chosen(chair, match["number"]) if g.paused is None]
    for game in games:
        chair.office.referee.timetable.pause(game, chair.now)
        log(chair, game, say("the game is paused"))
    return _counted(games, say("paused"))


def resume(chair: Chair, match: Match[str]) -> str:
    """Let the clock of paused games run on with the time that was left, an hour at least."""
    games = [g for g in _chosen(chair, match["number"]) if g.paused is not None]
    for game in games:
        chair.office.referee.timetable.resume(game, chair.now)
        log(chair, game, say("the game goes on"))
        session = Session(chair.office.store, chair.office.store.games.get(game.id))
        chair.office.referee.advance(session, chair.now)
    return _counted(games, say("resumed"))


def draw(chair: Chair, match: Match[str]) -> str:
    """End a game as a draw (SP-29)."""
    return _rule(chair, match["number"], "DRAW", say("the battle ends in a draw"))


def forfeit(chair: Chair, match: Match[str]) -> str:
    """Let a pilot forfeit, as if it had surrendered (SP-29)."""
    game = running(chair, match["number"])
    seat = place_in(chair, game, match["seat"]).seat
    return _rule(
        chair, match["number"], f"FORFEIT {seat}", say("{seat} forfeits the battle", seat=seat)
    )


def open_(chair: Chair, match: Match[str]) -> str:
    """Declare a place open, so that another player may take it over."""
    game = running(chair, match["number"])
    if game.practice:
        raise Refusal(say("game {game} is practice", game=game.id))
    place = place_in(chair, game, match["seat"])
    if place.left is not None:
        raise Refusal(say("{seat} is out of game {game}", seat=place.seat, game=game.id))
    if place.vacant:
        raise Refusal(say("the place of {seat} is open already", seat=place.seat))
    chair.office.referee.seating.open(game, place, chair.now)
    return log(chair, game, say("the place of {seat} is open", seat=place.seat))


def major(chair: Chair, match: Match[str]) -> str:
    """Approve of a battle as major, or decline it (SP-31)."""
    game = game_of(chair, match["number"])
    approved = match["no"] is None
    chair.office.referee.laurels.rule_major(game, approved, chair.now)
    told = say("this is a major battle") if approved else say("this is not a major battle")
    return proclaim(chair, game, told)


def undo(chair: Chair, match: Match[str]) -> str:
    """Take a game back to after a step, and play on from there."""
    office, game = chair.office, game_of(chair, match["number"])
    session, to, last = Session(office.store, game), int(match["step"]), game.steps - 1
    if to >= last:
        raise Refusal(
            say(
                "game {game} has steps 0 to {last}; nothing was done after step {to}",
                game=game.id,
                last=last,
                to=to,
            )
        )
    afford(chair, STEP * game.steps + DRAWN)
    told = proclaim(chair, game, _undone(game, to))
    with _refusing():
        rewind(office.referee, session, to, chair.now)
    return told


def _undone(game: Game, to: int) -> str:
    back = say(
        "it goes back to after step {to}; the steps since then, up to {last}, are void, but can"
        " still be read. Orders on file are those that were in force at that step, and what is"
        " played from now on has new step numbers, and so new dice. A report with what may be"
        " ordered comes in a letter of its own",
        to=to,
        last=game.steps - 1,
    )
    if game.running:
        return back
    return say(
        "{back}. What the end of the battle had brought is taken back. The secret was"
        " told, so the dice come from a new one from now on; the report holds its commitment",
        back=back,
    )


def _chosen(chair: Chair, number: str | None) -> list[Game]:
    if number is None:
        return chair.office.store.games.all(running=True)
    return [running(chair, number)]


def _counted(games: list[Game], done: str) -> str:
    if not games:
        return say("no game was to be {done}", done=done)
    return say("{done}: game {numbers}", done=done, numbers=[game.id for game in games])


def _rule(chair: Chair, number: str, order: str, told: str) -> str:
    game = running(chair, number)
    text = proclaim(chair, game, told)
    session = Session(chair.office.store, game)
    with _refusing():
        chair.office.referee.rule(session, order, chair.now)
    return text


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what the engine refuses into a Refusal."""
    try:
        yield
    except EngineError as error:
        raise Refusal(str(error)) from None


def clock_right(chair: Chair, match: Match[str]) -> str:
    """Let what waited after a jump of the clock go on, for the moderator knows that it is right."""
    store = chair.office.store
    if clock_jump.waits_until(store, chair.now) is None:
        raise Refusal(say("nothing waits for the clock"))
    clock_jump.trust(store)
    return say("the clock is taken to be right, and what waited goes on")


_MOST_FINDINGS = 10
"""So many pairs are told by letter; `pbem audit` tells all."""


def tell_audit(chair: Chair, match: Match[str]) -> str:
    """Return what the audit has found, to the moderator alone; nothing is done about it."""
    found = audit.findings(chair.office.store, chair.now, letters=False)
    if not found:
        return say("the audit has found nothing")
    told = found[0].text
    for one in found[1:_MOST_FINDINGS]:
        told = say("{before}; {finding}", before=told, finding=one.text)
    return say("the audit, the heaviest of {count} first: {told}", count=len(found), told=told)
