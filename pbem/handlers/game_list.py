"""GAMES: the running battles of others, and what is on offer to anybody."""

from re import Match
from typing import TypedDict

from engine.registry import rules_of
from engine.telling import View
from pbem.games import challenges
from pbem.games.challenges import Offer
from pbem.games.personas import campaign_of, piece_of
from pbem.games.session import Session
from pbem.handlers.persona_lines import PersonaLines
from pbem.handlers.request import Answer, Request, pay
from pbem.storage import Game, Place

_USUAL, _MOST = 10, 50
"""How many battles are listed, if the order does not say, and at most."""
_CALLS = 10
"""How many open challenges and open places are listed."""
_GAME = 1500
"""What it costs to read one battle, in units of a Budget."""


class ListedBattle(TypedDict):
    """A running battle of others, as the public may know it."""

    number: int
    title: str
    system: str
    teams: list[str]
    view: View
    watched: bool


class ListedCall(TypedDict):
    """An open challenge to anybody; `foe` is the reader's own persona that may take it."""

    number: int
    pilot: str
    player: str
    system: str
    title: str
    sheet: View
    major: bool
    seats: int
    foe: str


class OpenPlace(TypedDict):
    """A place that may be taken over."""

    number: int
    title: str
    seat: str
    against: list[str]


def games(request: Request, match: Match[str]) -> Answer:
    """Return the latest running battles of others, open challenges, and open places."""
    most = min(int(match["most"] or _USUAL), _MOST)
    store, player = request.ports.store, request.player.id
    own = {place.game_id for place in store.places_of(player)}
    found = store.games.latest(most + len(own) + 1, running=True, practice=False)
    others = [game for game in found if game.id not in own]
    pay(request, _GAME * len(others[:most]))
    watched = {row.game_id for row in store.watches.all(player=player)}
    block = {
        "kind": "games",
        "games": [_battle(request, game, watched) for game in others[:most]],
        "more": len(others) > most,
        "calls": offered(request, PersonaLines(request), _CALLS),
        "open": [_open(request, place) for place in vacant(request, _CALLS)],
    }
    return Answer(True, "", blocks=(block,))


def _battle(request: Request, game: Game, watched: set[int]) -> ListedBattle:
    session = Session(request.ports.store, game)
    view = session.rules.view(session.state, None)
    return {
        "number": game.id,
        "title": session.rules.title,
        "system": game.system,
        "teams": list(session.rules.teams(session.state)),
        "view": view,
        "watched": game.id in watched,
    }


def _open(request: Request, place: Place) -> OpenPlace:
    session = Session(request.ports.store, request.ports.store.games.get(place.game_id))
    side = [one for one in session.places if one != place.seat]
    number, title = place.game_id, session.rules.title
    return {"number": number, "title": title, "seat": place.seat, "against": [*map(str, side)]}


def vacant(request: Request, most: int) -> list[Place]:
    """Return some places in running battles that may be taken over."""
    return request.ports.store.places.some(most, vacant=True, game__running=True)


def offered(request: Request, personas: PersonaLines, most: int) -> list[ListedCall]:
    """Return the latest open challenges of others to anybody."""
    store, player = request.ports.store, request.player.id
    found = [one for one in challenges.calls(store, 2 * most) if not one.made_by(player)]
    return [_call(request, personas, offer) for offer in found[:most]]


def _call(request: Request, personas: PersonaLines, offer: Offer) -> ListedCall:
    row, store = offer.ones[0], request.ports.store
    return {
        "number": offer.challenge.id,
        "pilot": row.name,
        "player": store.players.get(row.player_id).name,
        "system": row.system,
        "title": rules_of(row.system).title,
        "sheet": campaign_of(row).sheet(piece_of(row)),
        "major": offer.challenge.major,
        "seats": offer.seats,
        "foe": personas.foe(row),
    }
