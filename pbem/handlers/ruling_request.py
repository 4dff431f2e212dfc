"""The moderator's request: one ruling while it is made, and what most rulings need."""

from dataclasses import dataclass
from datetime import datetime

from engine.i18n import say
from engine.preview.budget import Budget
from pbem.games import ruling_log
from pbem.handlers import taken_names
from pbem.handlers.request import Refusal, too_dear
from pbem.ports import Ports
from pbem.storage import Game, Place, Player, Store

_DEAREST = 150_000
"""The most that a ruling is charged, so that one is always possible."""


@dataclass(frozen=True, slots=True)
class RulingRequest:
    """What a ruling needs: the ports, the time (UTC), and the lines `below` it.

    `budget` is what its letter may still cost; None for a ruling from the shell, which has no
    limit. `why` is the moderator's reason, which the players read, "" for none.
    """

    ports: Ports
    now: datetime
    below: tuple[str, ...] = ()
    budget: Budget | None = None
    why: str = ""


def afford(request: RulingRequest, units: int) -> None:
    """Spend what a ruling costs; raise Refusal where its letter has cost too much already."""
    if request.budget is not None and not request.budget.take(min(units, _DEAREST)):
        raise too_dear()


def game_of(request: RulingRequest, number: str) -> Game:
    """Return a game by its number; raise Refusal where there is none."""
    game = request.ports.store.games.find(id=int(number))
    if game is None:
        raise Refusal(say("there is no game {number}", number=number), _going_on(request))
    return game


def _going_on(request: RulingRequest) -> str:
    """Return which games may be meant."""
    games = [game.id for game in request.ports.store.games.all(running=True)]
    return say("these go on: {games}", games=games) if games else say("no game goes on now")


def running(request: RulingRequest, number: str) -> Game:
    """Return a running game by its number; raise Refusal where there is none."""
    game = game_of(request, number)
    if not game.running:
        raise Refusal(say("game {number} is over", number=number), _going_on(request))
    return game


def place_in(request: RulingRequest, game: Game, name: str) -> Place:
    """Return the place of a seat in a game; raise Refusal where there is none."""
    places = request.ports.store.places.all(game=game.id)
    for place in places:
        if place.seat.casefold() == name.casefold():
            return place
    seats = [place.seat for place in places]
    raise Refusal(
        say(
            "{seat} is not in game {game}; its seats: {seats}", seat=name, game=game.id, seats=seats
        )
    )


def moderator(ports: Ports) -> Player | None:
    """Return the player with the moderator's address, confirmed or not."""
    return ports.store.player_at(ports.settings.league.moderator.lower())


def is_moderator(ports: Ports, player: Player) -> bool:
    """Return whether one of a player's addresses is the moderator's."""
    return ports.settings.league.moderator.lower() in ports.store.addresses_of(player)


def player_named(store: Store, who: str) -> Player | None:
    """Return the player with an address or a name, or whose pilot has the name, or None.

    Raise Refusal where two players have the name.
    """
    # The address first, because it can't be two players'.
    return store.player_at(who.lower()) or taken_names.whose(store, who)


def proclaim(request: RulingRequest, game: Game, text: str) -> str:
    """Log a ruling, notify each player of the game, and return the answer."""
    text = with_reason(request, text)
    ruling_log.announce(request.ports.reports, game, text, request.now)
    return _told(game, text)


def log(request: RulingRequest, game: Game, text: str) -> str:
    """Log a ruling that the players learn from another letter, and return the answer."""
    text = with_reason(request, text)
    ruling_log.log(request.ports.store, game, text, request.now)
    return _told(game, text)


def with_reason(request: RulingRequest, text: str) -> str:
    """Return what was ruled, with the moderator's reason if there is one."""
    if not request.why:
        return text
    return say("{text} (the reason: {why})", text=text, why=request.why)


def _told(game: Game, text: str) -> str:
    return say("game {game}: {text}; its players are told", game=game.id, text=text)
