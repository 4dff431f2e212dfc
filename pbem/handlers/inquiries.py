"""Orders that only ask: HELP, RULES, STATUS, STANDINGS, SHEET, REPORT and SCRIPT."""

from collections.abc import Iterable
from functools import cache, partial
from re import Match
from typing import TypedDict

from engine import library
from engine.i18n import either, say, spoken
from engine.ruleset import View
from engine.seats import Seat
from pbem.games import export, punctuality
from pbem.games.facts import Moment
from pbem.games.session import Session, career_of, game_id, piece_of
from pbem.games.standings import MOST, standings
from pbem.handlers import honours
from pbem.handlers.own import anybody, called, own_places
from pbem.handlers.pairing import facts, offers
from pbem.handlers.request import DRAWN, STEP, Answer, Block, Refusal, Request, SheetBlock, pay
from pbem.handout import script, script_name
from pbem.letters import Attachment
from pbem.people import career_log
from pbem.storage import Persona, Place

_OWN = {
    rules.workshop.word.lower(): key for key, rules in library.RULESETS.items() if rules.workshop
}
"""Topics about one system only, each with that system."""
TOPICS = (
    *"orders join enlist challenge teams battle standing deadlines dice rewards medals".split(),
    *("letters", "gm", *_OWN),
)
"""The topics that HELP knows."""


def help_(request: Request, match: Match[str]) -> Answer:
    """Return the help text about all orders, or about one topic."""
    topic = (match["topic"] or "orders").lower()
    played = request.ports.settings.league.systems
    known = [one for one in TOPICS if one not in _OWN or _OWN[one] in played]
    if topic not in known:
        raise Refusal(
            say("there is no help on {topic}", topic=topic),
            say("the topics are {topics}", topics=spoken(known)),
        )
    return Answer(True, "", blocks=({"kind": "help", "topic": topic},))


def already(request: Request, match: Match[str]) -> Answer:
    """Answer a JOIN from somebody who is a player already."""
    return Answer(False, say("you are in the league already, as {name}", name=request.player.name))


def rules(request: Request, match: Match[str]) -> Answer:
    """Return a summary of a system's rules, or of all systems of the league, with the credits."""
    played = request.ports.settings.league.systems
    key = (match["system"] or "").lower()
    if key and key not in played:
        raise Refusal(
            say("{system} is not played here", system=key),
            say("played are {systems}", systems=list(played)),
        )
    return Answer(True, "", blocks=tuple(_rules(one) for one in ([key] if key else played)))


def _rules(system: str) -> Block:
    found = library.RULESETS[system]
    return {"kind": "rules", "system": system, "title": found.title, "credits": found.credits}


_MOST_OTHERS = 100
"""The most personas that STATUS lists as opponents, those whose players wrote last first."""
_ROW = 60
"""What it costs to look at one persona of the league, in units of a Budget."""


def status(request: Request, match: Match[str]) -> Answer:
    """Return what a player has, what waits for them, and whom they may challenge."""
    store, player = request.ports.store, request.player
    mine, rows = store.personas.all(player=player.id), store.personas.all()
    living = [row for row in rows if not career_of(row).gone(piece_of(row))]
    heard = {each.id: each.heard for each in store.players.all()}
    others = [row for row in living if row.player_id != player.id]
    others.sort(key=lambda row: heard[row.player_id], reverse=True)
    pay(request, _ROW * len(rows))
    winners = [row for row in rows if career_of(row).sheet(piece_of(row))["retired"]]
    roll = _Roll(request)
    block = {
        "kind": "status",
        "pilots": roll.lines(mine),
        "nominations": [honours.facts(request, one) for one in store.nominations.all(state="open")],
        "hall": roll.lines(winners[-_MOST_OTHERS:]),
        "reliability": punctuality.reliability(store, request.ports.settings.league, player.id),
        "games": [_game(request, place) for place in store.places_of(player.id)],
        "open": [_game(request, place) for place in store.vacant_places()],
        "challenges": [facts(request, offer) for offer in offers(request)],
        "others": roll.lines(others[:_MOST_OTHERS]),
        "more": max(len(others) - _MOST_OTHERS, 0),
    }
    return Answer(True, "", blocks=(block,))


def ranking(request: Request, match: Match[str]) -> Answer:
    """Return the standings of pilots, sides and players, with the player's own pilots."""
    pay(request, _ROW * request.ports.store.personas.count())
    systems = standings(request.ports.store, request.player.id)
    players = punctuality.players(request.ports.store, request.ports.settings.league)
    block = {"kind": "standings", "systems": systems, "players": players[:MOST]}
    return Answer(True, "", blocks=(block,))


class ListedPersona(TypedDict):
    """A persona on one line of STATUS; `bar` says why it can't fight now, or what it does."""

    name: str
    player: str
    reliability: punctuality.Reliability
    system: str
    sheet: View
    bar: str


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
    deadline: Moment | None


class _Roll:
    """Lists personas, one line each. What all lines need is looked up once."""

    def __init__(self, request: Request) -> None:
        store = request.ports.store
        self._day = request.day
        self._players = {player.id: player.name for player in store.players.all()}
        self._fighting = store.fighting()
        self._waiting = {patrol.persona_id for patrol in store.patrols.all(state="open")}
        self._reliability = cache(
            partial(punctuality.reliability, store, request.ports.settings.league)
        )

    def lines(self, rows: Iterable[Persona]) -> list[ListedPersona]:
        return [self._line(row) for row in rows]

    def _line(self, row: Persona) -> ListedPersona:
        piece, career = piece_of(row), career_of(row)
        return {
            "name": row.name,
            "player": self._players[row.player_id],
            "reliability": self._reliability(row.player_id),
            "system": row.system,
            "sheet": career.sheet(piece),
            "bar": career.available(piece, self._day) or self._busy(row),
        }

    def _busy(self, row: Persona) -> str:
        """Return what a persona that may fight is doing now, "" for nothing."""
        if row.id in self._fighting:
            return say("in battle")
        return say("on patrol") if row.id in self._waiting else ""


def _reliability(request: Request, row: Persona) -> punctuality.Reliability:
    """Return how reliably a persona's player meets deadlines."""
    ports = request.ports
    return punctuality.reliability(ports.store, ports.settings.league, row.player_id)


def _game(request: Request, place: Place) -> ListedGame:
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
        "asked": place.asked and not place.answered,
        "waiting_for": session.waiting_for(seat),
        "deadline": ports.reports.moment(game.deadline, request.player),
    }


def sheet(request: Request, match: Match[str]) -> Answer:
    """Return one persona's sheet, or those of all the player's own."""
    store, name = request.ports.store, match["name"]
    if name:
        found = [anybody(request, name)]
    else:
        mine = store.personas.all(player=request.player.id)
        found = [row for row in mine if not career_of(row).gone(piece_of(row))] or mine
    if not found:
        raise Refusal(
            say("you have {none} yet", none=called(request).none),
            say("HELP enlist tells how to get one"),
        )
    return Answer(True, "", blocks=tuple(sheet_block(request, row) for row in found))


def sheet_block(request: Request, row: Persona) -> SheetBlock:
    """Return the block with a persona's sheet, career, and the commitment to its next reward."""
    store, piece, career = request.ports.store, piece_of(row), career_of(row)
    own = row.player_id == request.player.id
    # `commitment` counts as shown to the owner, who alone can spend points on a reward.
    rewarded = own and career.rewards and not career.gone(piece)
    return {
        "kind": "sheet",
        "system": row.system,
        "sheet": career.sheet(piece),
        "reliability": _reliability(request, row),
        "career": career_log.career(store, row, request.ports.settings.league.zone),
        "own": own,
        "commitment": career_log.commitment(store, row) if rewarded else None,
    }


def report(request: Request, match: Match[str]) -> Answer:
    """Send the last report of a battle again, with a new token, for each of the player's pilots."""
    ports, places = request.ports, own_places(request, match["number"])
    game = ports.store.games.get(places[0].game_id)
    # All reports are paid for before the first is written, so that a refusal leaves none behind.
    for place in places:
        pay(request, DRAWN + STEP * (game.steps - (place.reported_from if game.running else 0)))
    for place in places:
        ports.reports.again(Session(ports.store, game), place, request.letter.sha256, request.now)
    return Answer(
        True,
        say("the last report of game {game} comes in a letter of its own", game=game.id),
        separate=True,
    )


def send_script(request: Request, match: Match[str]) -> Answer:
    """Send a script that checks dice, with the export of a finished battle if one is named."""
    ports, number = request.ports, match["number"]
    systems, exported = list(ports.settings.league.systems), list[Attachment]()
    if number:
        game = ports.store.games.get(own_places(request, number)[0].game_id)
        if game.running:
            raise Refusal(
                say("game {number} is not over, so its dice can't be checked yet", number=number)
            )
        name, content = f"{game_id(game.id)}.json", export.export(ports.store, game).encode()
        systems, exported = [game.system], [Attachment(name, "application/json", content)]
    names = [script_name(system) for system in systems]
    ports.outbox.write(
        request.player,
        "notice",
        request.now,
        ident=("script", request.letter.sha256),
        attachments=[*map(_script, systems), *exported],
        title=say("The checking script"),
        text=say(
            "Attached is the script that checks the dice of a finished battle. It needs nothing"
            " but Python: python3 {script} and the name of the battle's export.",
            script=either(names),
        ),
    )
    return Answer(True, say("the checking script comes in a letter of its own"), separate=True)


def _script(system: str) -> Attachment:
    return Attachment(script_name(system), "text/x-python", script(system).encode())
