"""FORMATION: the order in which a team acts, as its captain wants."""

from collections.abc import Sequence
from re import Match

from engine.i18n import say
from engine.names import match_name
from engine.seats import Seat
from pbem.games.session import Session
from pbem.handlers.names.own_pilots_and_places import own_places
from pbem.handlers.offers.challenges import names_in
from pbem.handlers.request import Answer, Refusal, Request
from pbem.storage import Game, stored_games


def formation(request: Request, match: Match[str]) -> Answer:
    """Set the order in which a team acts, as its captain wants; pilots not named act last."""
    places = own_places(request, match["number"])
    session = Session(request.ports.store, request.ports.store.get(Game, places[0].game_id))
    captain = _captain(session, [Seat(place.seat) for place in places])
    team = session.team(captain)
    order = [_mate(name, team) for name in names_in(request, match["names"])]
    if len({*order}) < len(order):
        raise Refusal(say("a name stands there twice"), say("FORMATION {team}", team=team))
    order += [seat for seat in team if seat not in order]
    for number, seat in enumerate(order):
        # The referee asks for a turn in this order (docs/rulings.md, SP-28, teams by mail).
        stored_games.change_place(request.ports.store, session.places[seat].id, acts=number)
    return Answer(True, say("your team acts in this order from now on: {order}", order=order))


def _captain(session: Session, mine: Sequence[Seat]) -> Seat:
    """Return the captain of a player's team; raise Refusal where it is not the player's pilot."""
    if session.over:
        raise Refusal(say("game {game} is over", game=session.game.id))
    captain = session.captain(mine[0])
    if captain is None:
        raise Refusal(
            say(
                "{pilot} fights alone in game {game}, with no team to order",
                pilot=mine[0],
                game=session.game.id,
            )
        )
    if captain not in mine:
        raise Refusal(
            say(
                "the captain of your team is {captain}, whose player alone sets its order",
                captain=captain,
            )
        )
    return captain


def _mate(name: str, team: Sequence[Seat]) -> Seat:
    known = match_name(name, team)
    if known is None:
        raise Refusal(say("{name} is not in your team; it is {team}", name=name, team=team))
    return Seat(known)
