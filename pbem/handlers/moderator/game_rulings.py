"""Rulings about one game, such as EXTEND, DRAW and UNDO; and CLOCK RIGHT, AUDIT, HEAL and POST."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from re import Match

from engine import registry
from engine.errors import EngineError
from engine.i18n import say
from engine.names import fold, unquote
from engine.seats import Seat
from engine.undo import START
from pbem.games import cheat_detection, step_log
from pbem.games.persona_rules import campaign_of, piece_of
from pbem.games.rewind import rewind
from pbem.games.session import Session
from pbem.handlers.names.own_pilots_and_places import refusing
from pbem.handlers.request import DRAWN, STEP, Refusal
from pbem.handlers.ruling_request import (
    RulingRequest,
    afford,
    game_of,
    log,
    proclaim,
    running,
    seat_named,
    with_reason,
)
from pbem.people import career_log, personas
from pbem.storage import Game, clock_jumps, stored_games

_LONGEST_POST = 10_000
"""The most characters of a post."""


def extend(request: RulingRequest, match: Match[str]) -> str:
    """Move a game's deadline by hours or days, with the reminders that are still to come."""
    game = running(request, match["number"])
    if game.deadline is None:
        raise _clock_stands(game)
    hours = int(match["amount"]) * (24 if match["unit"].lower().startswith("d") else 1)
    deadline = game.deadline + timedelta(hours=hours)
    request.ports.referee.timetable.extend(game, deadline, request.now, request.why)
    moment = request.ports.reports.clock(deadline)
    in_utc = str(moment["local"]).endswith(" UTC")
    when = moment["local"] if in_utc else say("{local} ({utc})", **moment)
    # Only logged: the timetable has written to the players, with the new deadline.
    return log(request, game, say("the deadline is now {when}", when=when))


def pause(request: RulingRequest, match: Match[str]) -> str:
    """Stop the clock of one game, or of all; orders are still accepted."""
    games = _chosen(request, match["number"], lambda game: game.deadline is not None)
    request.ports.referee.timetable.pause(games, request.now, request.why)
    for game in games:
        log(request, game, say("the game is paused"))
    return _counted(games, say("paused"))


def resume(request: RulingRequest, match: Match[str]) -> str:
    """Restart the clock of paused games with the time that was left, at least an hour."""
    games = _chosen(request, match["number"], lambda game: game.paused is not None)
    request.ports.referee.timetable.resume(games, request.now, request.why)
    for game in games:
        log(request, game, say("the game goes on"))
        # Orders that came during the pause may be complete by now.
        session = Session(request.ports.store, request.ports.store.get(Game, game.id))
        request.ports.referee.advance(session, request.now)
    return _counted(games, say("resumed"))


def draw(request: RulingRequest, match: Match[str]) -> str:
    """End a game as a draw (SP-29)."""
    game = running(request, match["number"])
    return _rule(request, game, "DRAW", say("the game ends in a draw"))


def forfeit(request: RulingRequest, match: Match[str]) -> str:
    """Make a pilot forfeit, as if it had surrendered (SP-29)."""
    game, place = seat_named(request, match["seat"], match["number"])
    seat = Seat(place.seat)
    return _rule(request, game, f"FORFEIT {seat}", say("{seat} forfeits the game", seat=seat))


def answer(request: RulingRequest, match: Match[str]) -> str:
    """Rule what the rules of a game leave to a person, where it waits for that."""
    game = running(request, match["number"])
    session = Session(request.ports.store, game)
    awaited = session.question
    if awaited is None:
        raise Refusal(say("game {game} waits for no ruling", game=game.id))
    ruled = next((one for one in awaited.rulings if fold(one) == fold(match["ruling"])), None)
    if ruled is None:
        raise Refusal(
            say(
                "{ruling!r} is not a ruling that game {game} waits for",
                ruling=match["ruling"],
                game=game.id,
            ),
            say("write one of these: {ways}", ways=list(awaited.rulings)),
        )
    # Logged first, because the log says after how many steps a ruling was made.
    log(request, game, say(ruled))
    with _refusing():
        request.ports.referee.rule(session, ruled, request.now)
    if session.question is None:
        return say("game {game}: {ruling}; its players are told", game=game.id, ruling=ruled)
    return say(
        "game {game}: {ruling}. It still waits: {question}? Its players are told all of it after"
        " the last ruling; open are {ways}",
        game=game.id,
        ruling=ruled,
        question=session.question.text,
        ways=list(session.question.rulings),
    )


def open_(request: RulingRequest, match: Match[str]) -> str:
    """Declare a place open, so that another player can take it over."""
    game, place = seat_named(request, match["seat"], match["number"])
    if game.practice:
        raise Refusal(say("game {game} is practice", game=game.id))
    if place.left is not None:
        raise Refusal(say("{seat} is out of game {game}", seat=place.seat, game=game.id))
    if place.vacant:
        raise Refusal(say("the place of {seat} is open already", seat=place.seat))
    request.ports.referee.seating.open(game, place, request.now)
    return log(request, game, say("the place of {seat} is open", seat=place.seat))


def major(request: RulingRequest, match: Match[str]) -> str:
    """Approve a battle as major, or decline that (SP-31)."""
    # A ruling may come before, during or after the battle (docs/rulings.md, SP-31).
    game = game_of(request, match["number"])
    approved = match["no"] is None
    counts = game.system in registry.campaigns() and not (game.practice or game.friendly)
    if not counts:
        raise Refusal(
            say(
                "game {game} leaves nothing in anybody's career, so it can't be a major battle",
                game=game.id,
            )
        )
    if game.major == "approved":
        raise Refusal(say("game {game} is a major battle already, and that stays so", game=game.id))
    request.ports.referee.career_entries.rule_major(game, approved, request.now)
    text = say("this is a major battle") if approved else say("this is not a major battle")
    return proclaim(request, game, text)


def undo(request: RulingRequest, match: Match[str]) -> str:
    """Rewind a game to just after a step, or to its start, and continue from there."""
    # A game that is over can be taken back too (docs/rulings.md, SP-29).
    ports, game = request.ports, game_of(request, match["number"])
    session, last = Session(ports.store, game), game.steps - 1
    to = _start(session) if match["step"] is None else int(match["step"])
    if last < 0:
        raise Refusal(say("nothing was done in game {game} yet", game=game.id))
    if to >= last:
        raise Refusal(
            say(
                "game {game} has steps 0 to {last}; nothing was done after step {to}",
                game=game.id,
                last=last,
                to=to,
            )
        )
    # The steps up to there are played again, and the new reports hold pictures.
    afford(request, STEP * game.steps + DRAWN)
    # Before the rewind, because the log says after how many steps a ruling was made.
    text = proclaim(replace(request, why=""), game, _undone(request, game, to))
    with _refusing():
        rewind(ports.referee, session, to, request.now)
    return text


def _start(session: Session) -> int:
    """Return the last step before anybody had ordered anything; START where that was the first.

    So the roll for who begins stands: it would fall again before anybody could send new words.
    """
    steps = step_log.steps_of(session.store, session.game.id)
    first = next((step.n for step in steps if json.loads(step.orders)), len(steps))
    return first + START


def _undone(request: RulingRequest, game: Game, to: int) -> str:
    # The reason stands here, since behind all that follows it would seem to be for the last of it.
    where = (
        say("the game goes back to its start, where nobody had orders on file")
        if to == START
        else say(
            "the game goes back to where it stood after step {to}, with the orders that were on"
            " file then",
            to=to,
        )
    )
    back = say(
        "{goes_back}; the steps since then, up to {last}, are void, but can still be read. What is"
        " played from now on has new step numbers, and so new dice. A report with what may be"
        " ordered comes in a letter of its own",
        goes_back=with_reason(request, where),
        last=game.steps - 1,
    )
    if game.running:
        return back
    return say(
        "{back}. What the end of the game had brought is taken back. The secret was"
        " told, so the dice come from a new one from now on; the report holds its commitment",
        back=back,
    )


def _chosen(request: RulingRequest, number: str | None, fits: Callable[[Game], bool]) -> list[Game]:
    """Return the games of a ruling. Raise Refusal where it names one that does not fit."""
    if number is None:
        return [
            game for game in stored_games.games(request.ports.store, running=True) if fits(game)
        ]
    game = running(request, number)
    if not fits(game):
        raise _clock_stands(game)
    return [game]


def _counted(games: list[Game], done: str) -> str:
    if not games:
        return say("there is no game for which that could be done")
    numbers = [game.id for game in games]
    return say("{done}: game {numbers}; all players are told", done=done, numbers=numbers)


def _clock_stands(game: Game) -> Refusal:
    """Return what a game's clock does, as the reason why it can't be told to do anything else."""
    if game.paused is not None:
        return Refusal(
            say("game {game} is paused", game=game.id), say("GM RESUME {game}", game=game.id)
        )
    if game.deadline is None:
        return Refusal(
            say("game {game} has no deadline now, for it waits for a ruling", game=game.id),
            say("the letter about it lists what you may rule"),
        )
    return Refusal(
        say("game {game} is not paused", game=game.id), say("GM PAUSE {game}", game=game.id)
    )


def _rule(request: RulingRequest, game: Game, order: str, text: str) -> str:
    text = proclaim(request, game, text)
    session = Session(request.ports.store, game)
    with _refusing():
        request.ports.referee.rule(session, order, request.now)
    return text


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn an EngineError into a Refusal."""
    try:
        yield
    except EngineError as error:
        raise Refusal(str(error)) from None


def clock_right(request: RulingRequest, match: Match[str]) -> str:
    """Resume what waits after a jump of the clock, because the moderator says it is right now."""
    store = request.ports.store
    if clock_jumps.waits_until(store, request.now) is None:
        raise Refusal(say("nothing waits for the clock"))
    clock_jumps.trust(store)
    return say("the clock is taken to be right, and what waited goes on")


_MOST_FINDINGS = 10
"""The most findings in a letter; `pbem audit` shows all."""


def tell_audit(request: RulingRequest, match: Match[str]) -> str:
    """Return the audit's findings, for the moderator alone; nothing is done about them."""
    found = cheat_detection.findings(request.ports.store, request.now)
    if not found:
        return say("the audit has found nothing")
    text = found[0].text
    for one in found[1:_MOST_FINDINGS]:
        text = say("{before}; {finding}", before=text, finding=one.text)
    return say("the audit, the heaviest of {count} first: {told}", count=len(found), told=text)


def heal(request: RulingRequest, match: Match[str]) -> str:
    """Heal a persona, or one of it, and notify its player."""
    store = request.ports.store
    name = unquote(match["name"])
    row = personas.named(store, name)
    if row is None:
        raise Refusal(
            say("nobody in the league is called {name}", name=name),
            say("for one of several: {example}", example=say("GM HEAL Kitai OF Ravens")),
        )
    healing = campaign_of(row).healing
    if healing is None:
        raise Refusal(say("{pilot} needs no healing", pilot=row.name))
    if stored_games.is_fighting(store, row.id):
        raise Refusal(say("{pilot} is in a battle; that waits until it is over", pilot=row.name))
    with refusing():
        change = healing.healed(piece_of(row), unquote(match["part"] or ""))
    career_log.enter(store, row, change, request.now)
    # With the time: a pilot may be healed more than once.
    request.ports.reports.career_changed(row, change, request.now, ("healed", request.now))
    return say("{pilot} is healed, and its player is told", pilot=row.name)


def post(request: RulingRequest, match: Match[str]) -> str:
    """Post the text below the ruling to all channels, where everybody can read it."""
    posts, lines = request.ports.posts, [line for line in request.below if line.strip()]
    if not posts.channels:
        raise Refusal(
            say("the league has no channel to post to"),
            say("channels stand in league.toml, each in a section such as [channels.list]"),
        )
    if not lines:
        raise Refusal(say("there is no text below it"), say("write it below the line with GM POST"))
    if sum(map(len, lines)) > _LONGEST_POST:
        raise Refusal(say("your text is longer than {most} characters", most=_LONGEST_POST))
    # From the time and the text alone, so that a replay gets the same identifier.
    name = hashlib.sha256("\n".join([request.now.isoformat(), *lines]).encode()).hexdigest()[:12]
    ident = f"post-{name}"
    posts.write("announcement", request.now, ident=ident, thread=ident, lines=lines)
    return say("your text goes to {channels} now", channels=list(posts.channels))
