"""The moderator's request: one ruling while it is made, and what most rulings need."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from engine.i18n import say
from engine.names import fold, unquote
from engine.preview.budget import Budget
from pbem.games import ruling_log
from pbem.handlers.names import taken_names
from pbem.handlers.ports import Ports
from pbem.handlers.request import Refusal, too_dear
from pbem.people import personas, players
from pbem.storage import Game, Place, Player, Store, stored_games

_LISTED = 20
"""How many running games a refusal lists, the newest first."""
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


def game_of(request: RulingRequest, written: str) -> Game:
    """Return a game by its number, or by the name of somebody in it; raise Refusal for none."""
    return game_named(request.ports.store, written)


def game_named(store: Store, written: str) -> Game:
    """Return the game with a number, or that of a pilot, another seat or a player of the name.

    A running game goes before those that are over, of which the latest is meant. Raise Refusal
    where there is none, or where several run.
    """
    if written.isdecimal():
        game = store.find(Game, int(written))
        if game is None:
            raise Refusal(say("there is no game {number}", number=written), _going_on(store))
        return game
    running = _games_of(store, written, running=True)
    if len(running) > 1:
        raise Refusal(
            say("{name} is in games {games}", name=written, games=running),
            say("write the number of one of them"),
        )
    if found := running or _games_of(store, written, running=False)[-1:]:
        return store.get(Game, found[0])
    raise Refusal(say("{name} is in no game", name=written), _going_on(store))


def _games_of(store: Store, written: str, *, running: bool) -> list[int]:
    """Return the numbers of the games of a pilot, another seat or a player, oldest first."""
    name = unquote(written)
    pilot, player = personas.named(store, name), players.named(store, name)
    found = partial(stored_games.places, store, game__running=running)
    places = found(persona=pilot.id) if pilot else []
    places += found(player=player.id) if player else []
    if not places and running:
        # A seat need not be named like a pilot; only running games are few enough to search.
        every = found()
        places = [place for place in every if fold(place.seat) == fold(name)]
    # Somebody who has left a battle that goes on is free for others (SP-29).
    places = [place for place in places if place.left is None] or places
    return sorted({place.game_id for place in places})


def _going_on(store: Store) -> str:
    """Return which games may be meant."""
    games = [game.id for game in stored_games.latest(store, _LISTED, running=True)]
    return say("these go on: {games}", games=games) if games else say("no game goes on now")


def running(request: RulingRequest, written: str) -> Game:
    """Return a running game by its number or a name in it; raise Refusal where there is none."""
    game = game_of(request, written)
    if not game.running:
        raise Refusal(say("game {number} is over", number=game.id), _going_on(request.ports.store))
    return game


def place_in(request: RulingRequest, game: Game, name: str) -> Place:
    """Return the place of a seat in a game; raise Refusal where there is none."""
    places = stored_games.places_in(request.ports.store, game.id)
    for place in places:
        if place.seat.casefold() == name.casefold():
            return place
    seats = [place.seat for place in places]
    raise Refusal(
        say(
            "{seat} is not in game {game}; its seats: {seats}", seat=name, game=game.id, seats=seats
        )
    )


def seat_named(request: RulingRequest, name: str, number: str | None) -> tuple[Game, Place]:
    """Return a running game and the place of a seat in it; without a number, the seat's only one.

    Raise Refusal where there is none, or where several run.
    """
    game = running(request, name if number is None else number)
    return game, place_in(request, game, unquote(name))


def moderator(ports: Ports) -> Player | None:
    """Return the player with the moderator's address, confirmed or not."""
    return players.at(ports.store, ports.settings.league.moderator.lower())


def is_moderator(ports: Ports, player: Player) -> bool:
    """Return whether one of a player's addresses is the moderator's."""
    return ports.settings.league.moderator.lower() in players.addresses(ports.store, player)


def player_named(store: Store, who: str) -> Player | None:
    """Return the player with an address, a name or a number, or whose pilot has the name, or None.

    Raise Refusal where two players have the name.
    """
    # No name is a number.
    if who.isdecimal():
        return store.find(Player, int(who))
    # The address first, because it can't be two players'.
    return players.at(store, who.lower()) or taken_names.whose(store, who)


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
