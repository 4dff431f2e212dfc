"""Orders that only ask: HELP, RULES, STATUS, STANDINGS, SHEET, REPORT, SCRIPT."""

from collections.abc import Iterable
from functools import cache, partial
from re import Match
from typing import Any

from engine import library
from engine.said import either, say, spoken
from engine.seats import Seat
from pbem.games import turnout
from pbem.games.session import Session, career_of, game_id, piece_of
from pbem.games.standings import MOST, standings
from pbem.handout import script, script_name
from pbem.league import honours
from pbem.league.offers import facts, offers
from pbem.league.own import anybody, called, own_places
from pbem.league.visit import DRAWN, STEP, Answer, Refusal, Visit, pay
from pbem.letters import Attachment
from pbem.people import books
from pbem.store import Persona, Place

_OWN = {
    rules.workshop.word.lower(): key for key, rules in library.RULESETS.items() if rules.workshop
}
"""Topics of a system alone."""
TOPICS = (
    *"orders join enlist challenge teams battle standing deadlines dice rewards medals".split(),
    *("letters", "gm", *_OWN),
)
"""What HELP can be asked about."""


def help_(visit: Visit, match: Match[str]) -> Answer:
    """Give the help text, or that of a topic."""
    topic = (match["topic"] or "orders").lower()
    played = visit.office.settings.league.systems
    known = [one for one in TOPICS if one not in _OWN or _OWN[one] in played]
    if topic not in known:
        raise Refusal(
            say("there is no help on {topic}", topic=topic),
            say("the topics are {topics}", topics=spoken(known)),
        )
    return Answer(True, "", blocks=({"kind": "help", "topic": topic},))


def already(visit: Visit, match: Match[str]) -> Answer:
    """Answer a JOIN of somebody who has joined."""
    return Answer(False, say("you are in the league already, as {name}", name=visit.player.name))


def rules(visit: Visit, match: Match[str]) -> Answer:
    """Give a summary of a system's rules, or of all systems of the league, with the credits."""
    played = visit.office.settings.league.systems
    key = (match["system"] or "").lower()
    if key and key not in played:
        raise Refusal(
            say("{system} is not played here", system=key),
            say("played are {systems}", systems=list(played)),
        )
    return Answer(True, "", blocks=tuple(_rules(one) for one in ([key] if key else played)))


def _rules(system: str) -> dict[str, Any]:
    found = library.RULESETS[system]
    return {"kind": "rules", "system": system, "title": found.title, "credits": found.credits}


_MOST_OTHERS = 100
"""So many that may be challenged are listed, those whose players wrote last first."""
_ROW = 60
"""What it costs to look at one of all personas, in units of a Budget."""


def status(visit: Visit, match: Match[str]) -> Answer:
    """Tell a player what is theirs, what waits for them, and whom they may challenge."""
    store, player = visit.office.store, visit.player
    mine, rows = store.personas.all(player=player.id), store.personas.all()
    living = [row for row in rows if not career_of(row).gone(piece_of(row))]
    heard = {each.id: each.heard for each in store.players.all()}
    others = [row for row in living if row.player_id != player.id]
    others.sort(key=lambda row: heard[row.player_id], reverse=True)
    pay(visit, _ROW * len(rows))
    winners = [row for row in rows if career_of(row).sheet(piece_of(row))["retired"]]
    roll = _Roll(visit)
    block = {
        "kind": "status",
        "pilots": roll.lines(mine),
        "nominations": [honours.facts(visit, one) for one in store.nominations.all(state="open")],
        "hall": roll.lines(winners[-_MOST_OTHERS:]),
        "reliability": turnout.reliability(store, visit.office.settings.league, player.id),
        "games": [_game(visit, place) for place in store.places_of(player.id)],
        "open": [_game(visit, place) for place in store.vacant_places()],
        "challenges": [facts(visit, offer) for offer in offers(visit)],
        "others": roll.lines(others[:_MOST_OTHERS]),
        "more": max(len(others) - _MOST_OTHERS, 0),
    }
    return Answer(True, "", blocks=(block,))


def ranking(visit: Visit, match: Match[str]) -> Answer:
    """Tell how pilots and sides stand, and where the player's own are."""
    pay(visit, _ROW * visit.office.store.personas.count())
    systems = standings(visit.office.store, visit.player.id)
    players = turnout.players(visit.office.store, visit.office.settings.league)
    block = {"kind": "standings", "systems": systems, "players": players[:MOST]}
    return Answer(True, "", blocks=(block,))


class _Roll:
    """Lists personas a line each; what every line asks for is looked up once for all."""

    def __init__(self, visit: Visit) -> None:
        store = visit.office.store
        self._day = visit.day
        self._players = {player.id: player.name for player in store.players.all()}
        self._fighting = store.fighting()
        self._waiting = {patrol.persona_id for patrol in store.patrols.all(state="open")}
        self._reliability = cache(partial(turnout.reliability, store, visit.office.settings.league))

    def lines(self, rows: Iterable[Persona]) -> list[dict[str, Any]]:
        return [self._line(row) for row in rows]

    def _line(self, row: Persona) -> dict[str, Any]:
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
        """Say what a persona that may fight does now."""
        if row.id in self._fighting:
            return say("in battle")
        return say("on patrol") if row.id in self._waiting else ""


def _reliability(visit: Visit, row: Persona) -> dict[str, Any]:
    """Give how reliably a persona's player meets deadlines."""
    office = visit.office
    return turnout.reliability(office.store, office.settings.league, row.player_id)


def _game(visit: Visit, place: Place) -> dict[str, Any]:
    office = visit.office
    game = office.store.games.get(place.game_id)
    session, seat = Session(office.store, game), Seat(place.seat)
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
        "deadline": office.reports.moment(game.deadline, visit.player),
    }


def sheet(visit: Visit, match: Match[str]) -> Answer:
    """Give one persona sheet, or all of the player's own."""
    store, name = visit.office.store, match["name"]
    if name:
        found = [anybody(visit, name)]
    else:
        mine = store.personas.all(player=visit.player.id)
        found = [row for row in mine if not career_of(row).gone(piece_of(row))] or mine
    if not found:
        raise Refusal(
            say("you have {none} yet", none=called(visit).none),
            say("HELP enlist tells how to get one"),
        )
    return Answer(True, "", blocks=tuple(sheet_block(visit, row) for row in found))


def sheet_block(visit: Visit, row: Persona) -> dict[str, Any]:
    """Give the block that shows a persona's sheet, its career, and its next reward's commitment."""
    store, piece, career = visit.office.store, piece_of(row), career_of(row)
    own = row.player_id == visit.player.id
    rewarded = own and career.rewards and not career.gone(piece)
    return {
        "kind": "sheet",
        "system": row.system,
        "sheet": career.sheet(piece),
        "reliability": _reliability(visit, row),
        "career": books.career(store, row, visit.office.settings.league.zone),
        "own": own,
        "commitment": books.commitment(store, row) if rewarded else None,
    }


def report(visit: Visit, match: Match[str]) -> Answer:
    """Send the last report of a battle again, with a fresh token, for each of one's pilots."""
    office, places = visit.office, own_places(visit, match["number"])
    game = office.store.games.get(places[0].game_id)
    for place in places:
        pay(visit, DRAWN + STEP * (game.steps - (place.retold if game.running else 0)))
    for place in places:
        office.reports.again(Session(office.store, game), place, visit.letter.sha256, visit.now)
    return Answer(
        True,
        say("the last report of game {game} comes in a letter of its own", game=game.id),
        told=True,
    )


def send_script(visit: Visit, match: Match[str]) -> Answer:
    """Send a checking script, with a finished battle's export if one is named."""
    office, number = visit.office, match["number"]
    systems, exported = list(office.settings.league.systems), list[Attachment]()
    if number:
        game = office.store.games.get(own_places(visit, number)[0].game_id)
        if game.running:
            raise Refusal(
                say("game {number} is not over, so its dice can't be checked yet", number=number)
            )
        name, content = f"{game_id(game.id)}.json", office.export(game).encode()
        systems, exported = [game.system], [Attachment(name, "application/json", content)]
    names = [script_name(system) for system in systems]
    office.outbox.write(
        visit.player,
        "notice",
        visit.now,
        ident=("script", visit.letter.sha256),
        attachments=[*map(_script, systems), *exported],
        title=say("The checking script"),
        text=say(
            "Attached is the script that checks the dice of a finished battle. It needs nothing"
            " but Python: python3 {script} and the name of the battle's export.",
            script=either(names),
        ),
    )
    return Answer(True, say("the checking script comes in a letter of its own"), told=True)


def _script(system: str) -> Attachment:
    return Attachment(script_name(system), "text/x-python", script(system).encode())
