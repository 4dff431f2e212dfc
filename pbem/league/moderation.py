"""The moderator's desk: rulings over a game, each logged and told to its players."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from re import Match, Pattern
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import EngineError
from engine.said import say
from engine.words import clean
from pbem.league.visit import Answer, Refusal, Visit
from pbem.session import Session
from pbem.store import Game, Place

if TYPE_CHECKING:
    from pbem.office import Office


@dataclass(frozen=True, slots=True)
class Chair:
    """Where the moderator sits while a ruling is made (UTC)."""

    office: "Office"
    now: datetime


class Ruling(NamedTuple):
    """One ruling: its whole-line pattern, an example, and who carries it out."""

    pattern: Pattern[str]
    example: str
    act: Callable[[Chair, Match[str]], str]


def extend(chair: Chair, match: Match[str]) -> str:
    """Move a game's deadline by hours or days; reminders come anew where their time has not."""
    game = _running(chair, match["number"])
    if game.deadline is None:
        raise Refusal(say("game {game} has no deadline now", game=game.id))
    hours = int(match["amount"]) * (24 if match["unit"].lower().startswith("d") else 1)
    deadline = game.deadline + timedelta(hours=hours)
    chair.office.referee.timetable.move(game, deadline, chair.now, "extended")
    moment = chair.office.reports.moment(deadline)
    assert moment is not None
    return _log(chair, game, say("the deadline is now {local} ({utc})", **moment))


def pause(chair: Chair, match: Match[str]) -> str:
    """Stop the clock of one game, or of all; orders are still taken."""
    games = [g for g in _chosen(chair, match["number"]) if g.paused is None]
    for game in games:
        chair.office.referee.timetable.pause(game, chair.now)
        _log(chair, game, say("the game is paused"))
    return _counted(games, say("paused"))


def resume(chair: Chair, match: Match[str]) -> str:
    """Let the clock of paused games run on with the time that was left, an hour at least."""
    games = [g for g in _chosen(chair, match["number"]) if g.paused is not None]
    for game in games:
        chair.office.referee.timetable.resume(game, chair.now)
        _log(chair, game, say("the game goes on"))
        session = Session(chair.office.store, chair.office.store.games.get(game.id))
        chair.office.referee.advance(session, chair.now)
    return _counted(games, say("resumed"))


def draw(chair: Chair, match: Match[str]) -> str:
    """End a game as a draw (SP-29)."""
    return _rule(chair, match["number"], "DRAW", say("the battle ends in a draw"))


def forfeit(chair: Chair, match: Match[str]) -> str:
    """Let a pilot forfeit, as if it had surrendered (SP-29)."""
    game = _running(chair, match["number"])
    seat = _place(chair, game, match["seat"]).seat
    return _rule(
        chair, match["number"], f"FORFEIT {seat}", say("{seat} forfeits the battle", seat=seat)
    )


def open_(chair: Chair, match: Match[str]) -> str:
    """Declare a place open, so that another player may take it over."""
    game = _running(chair, match["number"])
    if game.practice:
        raise Refusal(say("game {game} is practice", game=game.id))
    place = _place(chair, game, match["seat"])
    if place.vacant:
        raise Refusal(say("the place of {seat} is open already", seat=place.seat))
    chair.office.referee.seating.open(game, place, chair.now)
    return _log(chair, game, say("the place of {seat} is open", seat=place.seat))


def major(chair: Chair, match: Match[str]) -> str:
    """Approve of a battle as major, or decline it (SP-31)."""
    game = _game(chair, match["number"])
    approved = match["no"] is None
    chair.office.referee.rule_major(game, approved, chair.now)
    told = say("this is a major battle") if approved else say("this is not a major battle")
    return _proclaim(chair, game, told)


_NUMBER = r"(?:GAME |BATTLE )?[G#]?(?P<number>\d{1,9})"
_SOME = rf"(?:{_NUMBER}|ALL)"

RULINGS = tuple(
    Ruling(re.compile(pattern, re.I), example, act)
    for pattern, example, act in (
        (
            rf"EXTEND {_NUMBER} (?:BY )?(?P<amount>\d{{1,4}}) ?(?P<unit>h|d|hours?|days?)",
            "GM EXTEND 12 48h",
            extend,
        ),
        (rf"PAUSE {_SOME}", "GM PAUSE 12", pause),
        (rf"RESUME {_SOME}", "GM RESUME ALL", resume),
        (rf"DRAW {_NUMBER}", "GM DRAW 12", draw),
        (rf"FORFEIT {_NUMBER} (?P<seat>.{{1,40}})", "GM FORFEIT 12 Hawk", forfeit),
        (rf"OPEN {_NUMBER} (?P<seat>.{{1,40}})", "GM OPEN 12 Hawk", open_),
        (rf"(?P<no>NO )?MAJOR {_NUMBER}", "GM MAJOR 12", major),
    )
)


def rule(office: "Office", text: str, now: datetime) -> str:
    """Make a ruling, without the word GM, and say what was done; raises Refusal."""
    line = clean(text)
    for ruling in RULINGS:
        match = ruling.pattern.fullmatch(line)
        if match is not None:
            return ruling.act(Chair(office, now), match)
    examples = [say(ruling.example) for ruling in RULINGS]
    raise Refusal(
        say("{text!r} is no ruling", text=text.strip()),
        say("rulings are like these: {examples}", examples=examples),
    )


def by_shell(office: "Office", text: str, now: datetime) -> str:
    """Make a ruling from the shell, noted so that it can be made again; raises Refusal."""
    with office.store.transaction():
        told = rule(office, text, now)
        office.store.rounds.insert(at=now, ruling=text)
    return told


def by_mail(visit: Visit, match: Match[str]) -> Answer:
    """Make a ruling by letter: only from the moderator's address, and with the key."""
    moderator = visit.office.settings.league.moderator.lower()
    if moderator not in visit.office.store.addresses_of(visit.player):
        raise Refusal(say("GM orders are for the league's moderator"))
    if not visit.keyed:
        raise Refusal(say("a GM order needs your key: a line KEY abc-def-ghi in the same letter"))
    return Answer(True, rule(visit.office, match["what"], visit.now))


def _game(chair: Chair, number: str) -> Game:
    game = chair.office.store.games.find(id=int(number))
    if game is None:
        raise Refusal(say("there is no game {number}", number=number))
    return game


def _running(chair: Chair, number: str) -> Game:
    game = _game(chair, number)
    if not game.running:
        raise Refusal(say("game {number} is over", number=number))
    return game


def _place(chair: Chair, game: Game, name: str) -> Place:
    """Give the place of a seat in a game; raises Refusal."""
    places = chair.office.store.places.all(game=game.id)
    for place in places:
        if place.seat.casefold() == name.casefold():
            return place
    seats = [place.seat for place in places]
    raise Refusal(
        say(
            "{seat} is not in game {game}; its seats: {seats}", seat=name, game=game.id, seats=seats
        )
    )


def _chosen(chair: Chair, number: str | None) -> list[Game]:
    if number is None:
        return chair.office.store.games.all(running=True)
    return [_running(chair, number)]


def _counted(games: list[Game], done: str) -> str:
    if not games:
        return say("no game was to be {done}", done=done)
    return say("{done}: game {numbers}", done=done, numbers=[game.id for game in games])


def _rule(chair: Chair, number: str, order: str, told: str) -> str:
    game = _running(chair, number)
    text = _proclaim(chair, game, told)
    session = Session(chair.office.store, replace(game, paused=None))
    try:
        chair.office.referee.rule(session, order, chair.now)
    except EngineError as error:
        raise Refusal(str(error)) from None
    return text


def _proclaim(chair: Chair, game: Game, text: str) -> str:
    """Log a ruling, and tell each player of the game."""
    chair.office.reports.rule(game, text, chair.now)
    return _told(game, text)


def _log(chair: Chair, game: Game, text: str) -> str:
    """Log a ruling that a letter of its own tells the players of."""
    chair.office.reports.log(game, text, chair.now)
    return _told(game, text)


def _told(game: Game, text: str) -> str:
    return say("game {game}: {text}; its players are told", game=game.id, text=text)
