"""Orders that only ask: HELP, RULES, STATUS, STANDINGS, SHEET, REPORT, SCRIPT."""

from re import Match
from typing import Any

from engine import library
from engine.said import say
from pbem import books, patrols, turnout
from pbem.handout import SCRIPT_NAME, script
from pbem.league.honours import facts
from pbem.league.visit import Answer, Refusal, Visit
from pbem.letters import Attachment
from pbem.session import Session, career_of, game_id, piece_of
from pbem.standings import MOST, standings
from pbem.store import Challenge, Persona, Place

TOPICS = (
    "orders join enlist challenge battle standing deadlines dice rewards medals letters".split()
)
"""What HELP can be asked about."""


def help_(visit: Visit, match: Match[str]) -> Answer:
    """Give the help text, or that of a topic."""
    topic = (match["topic"] or "orders").lower()
    if topic not in TOPICS:
        raise Refusal(
            say("there is no help on {topic}", topic=topic),
            say("the topics are {topics}", topics=TOPICS),
        )
    return Answer(True, "", blocks=({"kind": "help", "topic": topic},))


def already(visit: Visit, match: Match[str]) -> Answer:
    """Answer a JOIN of somebody who has joined."""
    return Answer(False, say("you are in the league already, as {name}", name=visit.player.name))


def rules(visit: Visit, match: Match[str]) -> Answer:
    """Give a summary of a system's rules, with its credits."""
    key = (match["system"] or "starpilot").lower()
    if key not in library.RULESETS:
        raise Refusal(
            say("{system} is not played here", system=key),
            say("played are {systems}", systems=list(library.RULESETS)),
        )
    found = library.RULESETS[key]
    block = {"kind": "rules", "system": key, "title": found.title, "credits": found.credits}
    return Answer(True, "", blocks=(block,))


def status(visit: Visit, match: Match[str]) -> Answer:
    """Tell a player what is theirs, what waits for them, and whom they may challenge."""
    store, player = visit.office.store, visit.player
    mine, rows = store.personas.all(player=player.id), store.personas.all()
    living = [row for row in rows if not career_of(row).gone(piece_of(row))]
    winners = [row for row in rows if career_of(row).sheet(piece_of(row))["retired"]]
    block = {
        "kind": "status",
        "pilots": [_line(visit, row) for row in mine],
        "nominations": [facts(visit, one) for one in store.nominations.all(state="open")],
        "hall": [_line(visit, row) for row in winners],
        "reliability": turnout.reliability(store, visit.office.settings.league, player.id),
        "games": [_game(visit, place) for place in store.places_of(player.id)],
        "open": [_game(visit, place) for place in store.vacant_places()],
        "challenges": [c for row in mine for c in _challenges(visit, row)],
        "others": [_line(visit, row) for row in living if row.player_id != player.id],
    }
    return Answer(True, "", blocks=(block,))


def ranking(visit: Visit, match: Match[str]) -> Answer:
    """Tell how pilots and sides stand, and where the player's own are."""
    systems = standings(visit.office.store, visit.player.id)
    players = turnout.players(visit.office.store, visit.office.settings.league)
    block = {"kind": "standings", "systems": systems, "players": players[:MOST]}
    return Answer(True, "", blocks=(block,))


def _line(visit: Visit, row: Persona) -> dict[str, Any]:
    store, piece, career = visit.office.store, piece_of(row), career_of(row)
    owner = store.players.get(row.player_id).name
    return {
        "name": row.name,
        "player": owner,
        "reliability": _reliability(visit, row),
        "sheet": career.sheet(piece),
        "bar": career.available(piece, visit.day) or _busy(visit, row),
    }


def _busy(visit: Visit, row: Persona) -> str:
    """Say what a persona that may fight does now."""
    if visit.office.store.is_fighting(row.id):
        return say("in battle")
    return say("on patrol") if patrols.of(visit.office.store, row) else ""


def _reliability(visit: Visit, row: Persona) -> dict[str, Any]:
    """Give how reliably a persona's player meets deadlines."""
    office = visit.office
    return turnout.reliability(office.store, office.settings.league, row.player_id)


def _game(visit: Visit, place: Place) -> dict[str, Any]:
    office = visit.office
    game = office.store.games.get(place.game_id)
    others = [p for p in office.store.places.all(game=game.id) if p.id != place.id]
    return {
        "number": game.id,
        "title": office.reports.rules(game.system).title,
        "seat": place.seat,
        "against": [p.seat for p in others] or [say("the house")],
        "asked": place.asked and not place.answered,
        "waiting_for": [p.seat for p in others if p.asked and not p.answered],
        "deadline": office.reports.moment(game.deadline, visit.player),
    }


def _challenges(visit: Visit, row: Persona) -> list[dict[str, Any]]:
    store = visit.office.store
    found = store.challenges.all(one=row.id, state="open")
    found += store.challenges.all(other=row.id, state="open")
    return [_challenge(visit, challenge, row) for challenge in found]


def _challenge(visit: Visit, challenge: Challenge, mine: Persona) -> dict[str, Any]:
    store = visit.office.store
    return {
        "number": challenge.id,
        "one": store.personas.get(challenge.one_id).name,
        "other": store.personas.get(challenge.other_id).name,
        "yours": challenge.one_id == mine.id,
    }


def sheet(visit: Visit, match: Match[str]) -> Answer:
    """Give one persona sheet, or all of the player's own."""
    store, name = visit.office.store, match["name"]
    if name:
        row = store.persona_named(name)
        if row is None:
            raise Refusal(
                say("no pilot is called {name}", name=name), say("STATUS lists all pilots")
            )
        found = [row]
    else:
        mine = store.personas.all(player=visit.player.id)
        found = [row for row in mine if not career_of(row).gone(piece_of(row))] or mine
    if not found:
        raise Refusal(say("you have no pilot yet"), say("HELP enlist tells how to get one"))
    return Answer(True, "", blocks=tuple(sheet_block(visit, row) for row in found))


def sheet_block(visit: Visit, row: Persona) -> dict[str, Any]:
    """Give the block that shows a persona's sheet, its career, and its next reward's commitment."""
    store, piece, career = visit.office.store, piece_of(row), career_of(row)
    own = row.player_id == visit.player.id
    return {
        "kind": "sheet",
        "system": row.system,
        "sheet": career.sheet(piece),
        "reliability": _reliability(visit, row),
        "career": books.career(store, row, visit.office.settings.league.zone),
        "own": own,
        "commitment": books.commitment(store, row) if own and not career.gone(piece) else None,
    }


def own_place(visit: Visit, number: str | None) -> Place:
    """Give the player's place in a game by its number, or in the one that is meant."""
    store, player = visit.office.store, visit.player
    if number:
        place = store.places.find(game=int(number), player=player.id)
        if place is None:
            raise Refusal(
                say("you have no pilot in game {number}", number=number),
                say("STATUS lists your games"),
            )
        return place
    if visit.place is not None:
        return visit.place
    running = store.places_of(player.id)
    if len(running) == 1:
        return running[0]
    if not running:
        raise Refusal(say("you are in no running game"), say("STATUS lists your games"))
    numbers = [place.game_id for place in running]
    raise Refusal(
        say("which game? you are in {numbers}", numbers=numbers),
        say("write its number behind the order"),
    )


def report(visit: Visit, match: Match[str]) -> Answer:
    """Send the last report of a battle again, with a fresh token."""
    office, place = visit.office, own_place(visit, match["number"])
    session = Session(office.store, office.store.games.get(place.game_id))
    office.reports.again(session, place, visit.letter.sha256, visit.now)
    return Answer(
        True,
        say("the last report of game {game} comes in a letter of its own", game=place.game_id),
        told=True,
    )


def send_script(visit: Visit, match: Match[str]) -> Answer:
    """Send the stand-alone checking script, with a finished battle's export if one is named."""
    office, number = visit.office, match["number"]
    files = [Attachment(SCRIPT_NAME, "text/x-python", script().encode())]
    if number:
        game = office.store.games.get(own_place(visit, number).game_id)
        if game.running:
            raise Refusal(
                say("game {number} is not over, so its dice can't be checked yet", number=number)
            )
        export = office.export(game)
        files.append(Attachment(f"{game_id(game.id)}.json", "application/json", export.encode()))
    office.outbox.write(
        visit.player,
        "notice",
        visit.now,
        ident=("script", visit.letter.sha256),
        attachments=files,
        title=say("The checking script"),
        text=say(
            "Attached is the script that checks the dice of a finished battle. It needs nothing"
            " but Python: python3 {script} and the name of the battle's export.",
            script=SCRIPT_NAME,
        ),
    )
    return Answer(True, say("the checking script comes in a letter of its own"), told=True)
