"""STATUS: what a player has and what waits for it, and whom it may challenge."""

from collections.abc import Sequence
from re import Match
from typing import TypedDict

from engine.i18n import say
from engine.seats import Seat
from pbem.games import punctuality
from pbem.games.facts import Moment
from pbem.games.personas import campaign_of, piece_of
from pbem.games.session import Session
from pbem.handlers import honours
from pbem.handlers.callsigns import callsign
from pbem.handlers.game_list import offered, vacant
from pbem.handlers.pairing import facts, offers
from pbem.handlers.persona_lines import PersonaLines
from pbem.handlers.request import Answer, Request, pay
from pbem.storage import Persona, Place

_FOES, _ALL = 6, 50
"""How many personas of others STATUS lists, and STATUS ALL from one number on."""
_LOOKED_AT = 60
"""How many of those whose players wrote last are looked at for opponents."""
_FEW = 3
"""How many open places, open challenges and nominations are listed; GAMES has more."""
_ROW = 60
"""What it costs to look at one persona of the league, in units of a Budget."""


class ListedGame(TypedDict):
    """A place in a running game, on one line of STATUS."""

    number: int
    title: str
    seat: Seat
    mates: list[Seat]
    out: bool
    against: list[str]
    asked: bool
    waiting_for: list[Seat]
    awaiting: bool
    deadline: Moment | None


def status(request: Request, match: Match[str]) -> Answer:
    """Return what a player has and what waits for it, or with ALL the personas of others."""
    if match["all"]:
        return Answer(True, "", blocks=(_all(request, int(match["first"] or 1)),))
    store, player = request.ports.store, request.player
    mine = store.personas_of(player.id)
    living = [row for row in mine if not _gone(row)]
    pay(request, _ROW * (_LOOKED_AT + len(mine)))
    personas = PersonaLines(request)
    rivals = [row for row in store.rivals(player.id, _LOOKED_AT) if not _gone(row)]
    foes = [row for row in rivals if personas.foe(row)] or rivals
    open_ = store.nominations.latest(_FEW, state="open")
    block = {
        "kind": "status",
        "pilots": personas.lines(living or mine),
        "starter": None if living else callsign(request.ports, player),
        "number": player.id,
        "nominations": [honours.facts(request, one) for one in open_],
        "reliability": punctuality.reliability(store, request.ports.settings.league, player.id),
        "games": [listed_game(request, place) for place in store.places_of(player.id)],
        "open": [listed_game(request, place) for place in vacant(request, _FEW)],
        "challenges": [facts(request, offer) for offer in offers(request)],
        "calls": offered(request, personas, _FEW),
        "others": personas.lines(foes[:_FOES]),
        "more": len(rivals) > _FOES,
    }
    return Answer(True, "", blocks=(block,))


def _gone(row: Persona) -> bool:
    return campaign_of(row).gone(piece_of(row))


def _all(request: Request, first: int) -> dict[str, object]:
    """Return personas of others from a number on, those first whose players wrote last."""
    pay(request, _ROW * _ALL)
    found: Sequence[Persona] = request.ports.store.rivals(
        request.player.id, _ALL + 1, max(first - 1, 0)
    )
    return {
        "kind": "rivals",
        "others": PersonaLines(request).lines(row for row in found[:_ALL] if not _gone(row)),
        "first": first,
        "next": first + _ALL if len(found) > _ALL else 0,
    }


def listed_game(request: Request, place: Place) -> ListedGame:
    ports = request.ports
    game = ports.store.games.get(place.game_id)
    session, seat = Session(ports.store, game), Seat(place.seat)
    others = [p for p in session.places.values() if p.id != place.id]
    mates = [mate for mate in session.team(seat) if mate != seat]
    return {
        "number": game.id,
        "title": session.rules.title,
        "seat": seat,
        "mates": mates,
        "out": not session.active(seat),
        "against": [p.seat for p in others if p.seat not in mates] or [say("the house")],
        "asked": place.asked and not place.answered and session.awaiting is None,
        "waiting_for": session.waiting_for(seat),
        "awaiting": session.awaiting is not None,
        "deadline": ports.reports.moment(game.deadline, request.player),
    }
