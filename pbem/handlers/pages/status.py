"""STATUS, GAMES and STANDINGS: what a player has, what others fight and offer, and the best."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice
from re import Match
from typing import TypedDict

from engine.i18n import say, spoken
from engine.letter_texts import View
from engine.names import fold
from engine.registry import rules_of
from engine.seats import Seat
from pbem.games import offers, punctuality
from pbem.games.offers import OfferedBattle, listed
from pbem.games.persona_rules import campaign_of, is_gone, persona_sheet, piece_of, unfit
from pbem.games.reports.template_facts import Moment
from pbem.games.session import Session, sessions
from pbem.games.standings import Span
from pbem.games.standings import standings as best_careers
from pbem.handlers.names.taken_names import callsign
from pbem.handlers.offers.checks import bar
from pbem.handlers.personas import medals
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Refusal, Request, pay
from pbem.people import nominations, personas
from pbem.storage import Game, Persona, Place, Player, stored_games

# In a league of 1,600 pilots a STATUS of all of them was 640 KB.
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
    mine = personas.of(store, player.id)
    living = [row for row in mine if not is_gone(row)]
    pay(request, _ROW * (_LOOKED_AT + len(mine)))
    lines = PersonaLines(request, mine)
    rivals = [row for row in personas.rivals(store, player.id, _LOOKED_AT) if not is_gone(row)]
    # Where nobody can be challenged now, those who may be later are better than an empty list.
    foes = [row for row in rivals if lines.foe(row)] or rivals
    open_ = nominations.still_open(store)[: -_ALL - 1 : -1]
    nominated = (medals.facts(request, one, player.id) for one in open_)
    own, free = stored_games.places_of(store, player.id), vacant(request, _FEW)
    battles = sessions(store, {place.game_id for place in (*own, *free)})
    # The lines of both lists at once.
    own_pilots = living or mine
    shown = lines.lines([*own_pilots, *foes[:_FOES]])
    block = {
        "kind": "status",
        "pilots": shown[: len(own_pilots)],
        "starter": None if living else callsign(request.ports, player),
        "number": player.id,
        "nominations": list(islice((one for one in nominated if one["yours"]), _FEW)),
        "reliability": lines.reliability[player.id],
        "games": [listed_game(request, battles[place.game_id], place) for place in own],
        "open": [listed_game(request, battles[place.game_id], place) for place in free],
        "challenges": [
            _listed_challenge(request, offer) for offer in offers.waiting(store, player)
        ],
        "calls": offered(request, lines, _FEW),
        "others": shown[len(own_pilots) :],
        "more": len(rivals) > _FOES,
    }
    return Answer(True, "", blocks=(block,))


def _all(request: Request, first: int) -> dict[str, object]:
    """Return personas of others from a number on, those first whose players wrote last."""
    pay(request, _ROW * _ALL)
    found: Sequence[Persona] = personas.rivals(
        request.ports.store, request.player.id, _ALL + 1, max(first - 1, 0)
    )
    return {
        "kind": "rivals",
        "others": PersonaLines(request).lines(row for row in found[:_ALL] if not is_gone(row)),
        "first": first,
        "next": first + _ALL if len(found) > _ALL else 0,
    }


def listed_game(request: Request, session: Session, place: Place) -> ListedGame:
    """Return how a running game of the player stands, as STATUS lists it."""
    game, seat = session.game, Seat(place.seat)
    others = [p for p in session.places.values() if p.id != place.id]
    mates = [mate for mate in session.team(seat) if mate != seat]
    return {
        "number": game.id,
        "title": session.rules.title,
        "seat": seat,
        "mates": mates,
        "out": not session.active(seat),
        "against": [p.seat for p in others if p.seat not in mates] or [say("the referee")],
        # While a ruling is awaited, nobody owes an order (decision 0033).
        "asked": place.asked and not place.answered and session.question is None,
        "waiting_for": session.others_unanswered(seat),
        "awaiting": session.question is not None,
        "deadline": request.ports.reports.moment(game.deadline, request.player),
    }


def _listed_challenge(request: Request, offer: OfferedBattle) -> dict[str, object]:
    """Return an open challenge that the player has a part in, as STATUS lists it."""
    mine = offer.of(request.player.id)
    return {
        **offer.facts(),
        "one": listed(offer.pilots if offer.is_free else offer.ones),
        "team": not offer.is_duel,
        "free": offer.is_free,
        "yours": offer.made_by(request.player.id),
        "answered": not offer.awaits(request.player.id),
        "silent": [row.name for row in offer.silent],
        "own_sheet": next((persona_sheet(row) for row in mine if not row.is_guest), None),
    }


class ListedPersona(TypedDict):
    """A persona on one line of STATUS; `bar` says why it can't fight now, or what it does.

    `foe` is the reader's own persona that may challenge it.
    """

    name: str
    player: str
    reliability: punctuality.Reliability
    system: str
    sheet: View
    bar: str
    foe: str


class PersonaLines:
    """Lists personas, one line each. What all lines need is looked up once."""

    def __init__(self, request: Request, mine: Sequence[Persona] | None = None) -> None:
        """Look up what all lines need; `mine` are the reader's own personas."""
        store = request.ports.store
        self._request = request
        self.reliability: dict[int, punctuality.Reliability] = {}
        """That of the reader, and of the players of all personas that were listed last."""
        self._fighting = stored_games.fighting(store)
        self._waiting = {one.ones[0].id for one in offers.all_open(store, patrol=True)}
        if mine is None:
            mine = personas.of(store, request.player.id)
        self._free = [row for row in mine if not self._bar(request.ports, row, request.now)]

    def lines(self, rows: Iterable[Persona]) -> list[ListedPersona]:
        """Return some personas as they are listed."""
        listed, ports = list(rows), self._request.ports
        # Several of the personas may be one player's.
        numbers = {row.player_id for row in listed}
        players = ports.store.by_key(Player, numbers)
        numbers.add(self._request.player.id)
        self.reliability = punctuality.reliabilities(ports.store, ports.settings.league, numbers)
        return [
            self._line(row, players[row.player_id].name, self.reliability[row.player_id])
            for row in listed
        ]

    def _line(
        self, row: Persona, player: str, reliability: punctuality.Reliability
    ) -> ListedPersona:
        piece, campaign = piece_of(row), campaign_of(row)
        return {
            "name": row.name,
            "player": player,
            "reliability": reliability,
            "system": row.system,
            "sheet": campaign.sheet(piece),
            "bar": unfit(row, self._request.ports.settings.league, self._request.now)
            or self._busy(row),
            "foe": self.foe(row),
        }

    def foe(self, row: Persona) -> str:
        """Return the name of the reader's first free persona that may fight another now, or ""."""
        ports, now = self._request.ports, self._request.now
        fit = (one for one in self._free if not bar(ports, [[one], [row]], now, self._bar))
        return next((one.name for one in fit), "")

    def _bar(self, ports: Ports, row: Persona, now: datetime) -> str | None:
        """Return why a persona can't enter a battle now, or None."""
        if row.id in self._fighting and not row.is_guest:
            return say("in battle")
        return unfit(row, ports.settings.league, now)

    def _busy(self, row: Persona) -> str:
        """Return what a persona that may fight is doing now, "" for nothing."""
        if row.id in self._fighting:
            return say("in battle")
        return say("on patrol") if row.id in self._waiting else ""


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
    own = {place.game_id for place in stored_games.places_of(store, player)}
    # As many more as may be the player's own, and one to know whether there are others still.
    found = stored_games.latest(store, most + len(own) + 1, running=True, practice=False)
    others = [game for game in found if game.id not in own]
    pay(request, _GAME * len(others[:most]))
    watched = {*stored_games.watched_by(store, player)}
    block = {
        "kind": "games",
        "games": [_battle(request, game, watched) for game in others[:most]],
        "more": len(others) > most,
        "calls": offered(request, PersonaLines(request), _CALLS),
        "patrols": _patrols(request),
        "open": [_open(request, place) for place in vacant(request, _CALLS)],
    }
    return Answer(True, "", blocks=(block,))


def _patrols(request: Request) -> list[str]:
    """Return the personas of others on patrol, those who have waited longest first."""
    store, player = request.ports.store, request.player.id
    waiting = (one.ones[0] for one in offers.all_open(store, patrol=True))
    return [row.name for row in waiting if row.player_id != player][:_CALLS]


def _battle(request: Request, game: Game, watched: set[int]) -> ListedBattle:
    session = Session(request.ports.store, game)
    # What the public may know, because the reader has no seat in this battle.
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
    session = Session(request.ports.store, request.ports.store.get(Game, place.game_id))
    side = [one for one in session.places if one != place.seat]
    number, title = place.game_id, session.rules.title
    return {"number": number, "title": title, "seat": place.seat, "against": [*map(str, side)]}


def vacant(request: Request, most: int) -> list[Place]:
    """Return some places in running battles that may be taken over."""
    return stored_games.places(request.ports.store, vacant=True, game__running=True)[:most]


def offered(request: Request, lines: PersonaLines, most: int) -> list[ListedCall]:
    """Return the latest open challenges of others to anybody."""
    store, player = request.ports.store, request.player.id
    # Twice as many, since some may be the player's own.
    found = [one for one in offers.calls(store, 2 * most) if not one.made_by(player)]
    return [_call(request, lines, offer) for offer in found[:most]]


def _call(request: Request, lines: PersonaLines, offer: OfferedBattle) -> ListedCall:
    row, store = offer.ones[0], request.ports.store
    return {
        "number": offer.number,
        "pilot": row.name,
        "player": store.get(Player, row.player_id).name,
        "system": row.system,
        "title": rules_of(row.system).title,
        "sheet": persona_sheet(row),
        "major": offer.row.major,
        "seats": len(offer.seats),
        "foe": lines.foe(row),
    }


STANDINGS_EXAMPLE = say("STANDINGS 50")
_PLACES, _MOST_PLACES = 10, 100
"""How many places are listed, if the order does not say, and at most."""
_SIDES = 8
"""How many sides are named where somebody asks for one that there is not."""


def standings(request: Request, match: Match[str]) -> Answer:
    """Return the standings: the best, or as many places as are asked for, or those of a side."""
    store = request.ports.store
    # The places are counted among all personas of the league.
    pay(request, _ROW * store.size(Persona))
    side = _side(request, match["side"]) if match["side"] else ""
    found = best_careers(store, request.player.id, _span(match["first"], match["last"], side))
    block = {"kind": "standings", "systems": found, "side": side}
    return Answer(True, "", blocks=(block,))


def _span(first: str | None, last: str | None, side: str) -> Span:
    """Return the places that `50`, or `51 TO 100`, means."""
    start = max(int(first or 1), 1)
    end = int(last) if last else start + _PLACES - 1
    if end < start:
        raise Refusal(say("{first} comes after {last}", first=start, last=end), STANDINGS_EXAMPLE)
    return Span(start, min(end, start + _MOST_PLACES - 1), side)


def _side(request: Request, written: str) -> str:
    """Return the side that is meant; raise Refusal where nobody fights for such a side."""
    sides = personas.sides(request.ports.store)
    for system, side in sides:
        if fold(request.english(system, written)) == fold(side):
            return side
    known = spoken(list(dict.fromkeys(side for _, side in sides))[:_SIDES])
    raise Refusal(
        say("nobody fights for a side called {side}", side=written),
        say("the sides are {sides}", sides=known) if sides else STANDINGS_EXAMPLE,
    )
