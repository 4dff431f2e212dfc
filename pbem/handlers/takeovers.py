"""TAKEOVER: replacing a player whose place was declared open."""

from datetime import timedelta
from re import Match

from engine.i18n import say
from pbem.games import meetings
from pbem.handlers.request import Answer, Refusal, Request
from pbem.storage import Game, Place


def takeover(request: Request, match: Match[str]) -> Answer:
    """Take over an open place; the pilot still belongs to its owner."""
    ports = request.ports
    game = ports.store.games.find(id=int(match["number"]))
    if game is None:
        raise Refusal(say("there is no game {game}", game=match["number"]), _HINT)
    if not game.running:
        raise Refusal(say("game {game} is over", game=game.id), _HINT)
    place = _place(request, game, match["seat"])
    _has_no_interest(request, game, place)
    ports.referee.seating.hand_over(game, place, request.player, request.words, request.now)
    done = say("you have taken {seat} over in game {game}", seat=place.seat, game=game.id)
    return Answer(True, say("{done}; its report follows", done=done))


_HINT = say("{order} lists the places that are open", order=say("GAMES"))


def _place(request: Request, game: Game, seat: str | None) -> Place:
    """Return the open place that is meant.

    Raise Refusal where there is none, or more than one, or the player has a part in the game.
    """
    places = request.ports.store.places.all(game=game.id)
    fit = [place for place in places if place.vacant]
    if seat is not None:
        fit = [place for place in fit if place.seat.casefold() == seat.casefold()]
    if not fit:
        raise Refusal(say("no such place in game {game} is open", game=game.id), _HINT)
    if len(fit) > 1:
        seats = [place.seat for place in fit]
        example = say("TAKEOVER {game} AS {seat}", game=game.id, seat=fit[0].seat)
        raise Refusal(say("which place? open are {seats}", seats=seats), example)
    if any(_is_in(request, place) for place in places if place.id != fit[0].id):
        raise Refusal(say("you have a place in game {game} already", game=game.id))
    if fit[0].player_id == request.player.id:
        keep = say("send orders or {order} to keep it", order=say("READY"))
        raise Refusal(say("{seat} is yours still", seat=fit[0].seat), keep)
    return fit[0]


def _is_in(request: Request, place: Place) -> bool:
    """Return whether a place or its persona is or was the player's, who then knows its orders."""
    # A token of the place shows that the player got its reports before.
    store, player = request.ports.store, request.player.id
    owner = store.personas.get(place.persona_id).player_id
    was_told = store.tokens.find(place=place.id, player=player) is not None
    return was_told or player in (place.player_id, owner)


def _has_no_interest(request: Request, game: Game, place: Place) -> None:
    """Raise Refusal where the player may want the place to lose, as a recent friend or rival might.

    That is a player who was in a battle with the place's owner, or with somebody of the other side,
    within the league's `takeover_days`, as an ally or an opponent.
    """
    store, days = request.ports.store, request.ports.settings.limits.takeover_days
    owner = store.personas.get(place.persona_id).player_id
    if not days or owner == request.player.id:
        return
    foes = {one for side in meetings.sides(store, game) if owner not in side for one in side}
    since = request.now - timedelta(days=days)
    if meetings.met_since(store, request.player.id, {owner, *foes}, since):
        raise Refusal(
            say(
                "within the last {days} days you were in a battle with a player of game {game};"
                " so that nobody need doubt how it ends, somebody else must take {seat} over",
                days=days,
                game=game.id,
                seat=place.seat,
            ),
            _HINT,
        )
