"""ENLIST, SHEET, LINEUP and RESIGN: how personas of all systems join, fight and leave."""

import json
import re
from re import Match

from engine import registry
from engine.campaign import Change, Entry
from engine.campaign import Persona as Piece
from engine.errors import ForeignOrder, IllegalOrder, OrderError
from engine.guest_campaign import PLAYERS
from engine.i18n import say
from pbem.games import punctuality
from pbem.games.persona_rules import (
    busy,
    campaign_of,
    heir,
    is_gone,
    is_over,
    persona_sheet,
    piece_of,
)
from pbem.handlers.accounts import account_safeguards
from pbem.handlers.names import taken_names
from pbem.handlers.names.own_pilots_and_places import anybody, called, idle, own, refusing
from pbem.handlers.offers.answers import renewed
from pbem.handlers.offers.checks import to_anybody, trial
from pbem.handlers.offers.ending import clear
from pbem.handlers.offers.live_rooms import rooms
from pbem.handlers.personas.blueprints import drawn
from pbem.handlers.request import Answer, Block, Refusal, Request, SheetBlock, Taps, refuse_if
from pbem.people import career_log, doctrines, personas
from pbem.people.lookalikes import columns
from pbem.storage import Persona, stored_games

_LINK = re.compile(r"( (?:FOR|WITH) )", re.I)


def enlist(request: Request, match: Match[str]) -> Answer:
    """Add a new persona to the league, and answer with its sheet (SP-1 to SP-3)."""
    store, player = request.ports.store, request.player
    system, piece = _read(request, match)
    campaign = registry.campaigns()[system]
    taken_names.check_persona(request.ports, piece, campaign.parts(piece), player.id)
    mine = [piece_of(row) for row in personas.of(store, player.id, system=system)]
    refuse_if(campaign.crowded(mine, piece))
    # A trial duel: a persona that the rules would refuse in a battle must not get on the list.
    trial(system, campaign, piece)
    if campaign.fights_live(piece) and not rooms(request.ports):
        raise Refusal(
            say("this league has no chat room, so nobody can fight live"),
            say("the same without MODE RTC"),
        )
    row = personas.add(
        store,
        player=player.id,
        system=system,
        name=piece.name,
        **columns(piece.name),
        side=piece.side,
        record=json.dumps(piece.record),
        joined=request.now,
    )
    enlisted = Entry("enlisted", news=True, facts=campaign.began(piece))
    career_log.enter(store, row, Change(piece, (enlisted,)), request.now)
    flies = say("{pilot} flies for the {side}", pilot=row.name, side=say(row.side))
    if row.side == row.name:
        flies = say("{pilot} is on the list, and ready for battle", pilot=row.name)
    title = say("Enlisted: {pilot}", pilot=row.name)
    sheet = sheet_block(request, row)
    return Answer(True, flies, blocks=(sheet,), title=title, taps=_next(request, row))


def _next(request: Request, row: Persona) -> Taps:
    """Return what to do with a new persona: a first practice, unless one is done or under way."""
    first = (
        say("tries it out at once, in practice"),
        say("PRACTICE WITH {pilot}", pilot=row.name),
    )
    practised = stored_games.places(
        request.ports.store, player=request.player.id, game__practice=True
    )
    if not (practised or request.alone):
        return ()  # another line of the letter begins a battle, or does what matters more
    return (*(() if practised else (first,)), *to_fight(request, row))


def can_read(request: Request, match: Match[str]) -> bool:
    """Return whether an ENLIST is whole, though it may break a rule."""
    found, errors = _tried(request, match)
    return found is not None or any(isinstance(error, IllegalOrder) for error in errors)


def breaks_a_rule(request: Request, match: Match[str]) -> bool:
    """Return whether an ENLIST is whole, but not what the rules allow."""
    found, errors = _tried(request, match)
    return found is None and any(isinstance(error, IllegalOrder) for error in errors)


def _tried(
    request: Request, match: Match[str]
) -> tuple[tuple[str, Piece] | None, list[OrderError]]:
    """Return a new persona and its system, if one can read the text, and the others' errors.

    A word of one system's own, such as SQUAD, means that system; ENLIST means all.
    """
    errors: list[OrderError] = []
    word = match.string[: match.start("what")].strip().upper()
    # Nobody enlists for a game without a campaign.
    played = request.ports.settings.league.systems
    careers = {key: one for key, one in registry.campaigns().items() if key in played}
    meant = [key for key, campaign in careers.items() if campaign.enlisting == word]
    for system in meant or careers:
        name, *rest = _LINK.split(match["what"], maxsplit=1)
        text = name + request.english(system, "".join(rest))
        try:
            return (system, _piece(request, system, text)), errors
        except OrderError as error:
            errors.append(error)
    return None, errors


def _read(request: Request, match: Match[str]) -> tuple[str, Piece]:
    """Return a new persona, with the first of the league's systems that can read its text.

    Raise Refusal where no system can, with the error of the first system whose form the text has.
    """
    found, errors = _tried(request, match)
    if found is not None:
        return found
    if not errors:
        raise Refusal(
            say("nobody enlists here: you play as yourself"), say("STATUS lists your games")
        )
    meant = [error for error in errors if not isinstance(error, ForeignOrder)]
    form = errors[0].hint
    if len(errors) > 1:
        form = say("{form}; HELP enlist shows the other kinds", form=form)
    with refusing():
        raise meant[0] if meant else OrderError(str(errors[0]), hint=form)


def _piece(request: Request, system: str, text: str) -> Piece:
    """Read a new persona, which may use the player's blueprints and the league's stock."""
    campaign = registry.campaigns()[system]
    blueprints = campaign.blueprints
    if blueprints is None:
        return campaign.enlist(text)
    own = drawn(request.ports.store, system, request.player.id)
    return blueprints.enlist(text, request.ports.settings.stock(system), own)


def resign(request: Request, match: Match[str]) -> Answer:
    """Strike off a pilot, once its player has confirmed that."""
    row = own(request, match["name"])
    idle(request, row)
    campaign, store = campaign_of(row), request.ports.store
    if is_over(row):
        raise Refusal(say("{pilot} holds no place any more", pilot=row.name))
    # The question goes to that address, so a thief who has just added one could answer it.
    if account_safeguards.settled(store, request.player, request.now) != request.player.address:
        raise Refusal(
            say(
                "your letters go to a new address, and within its first {days} days no {one} can"
                " be struck off: that is for your safety",
                days=account_safeguards.SETTLING.days,
                one=called(request, row.system).one,
            )
        )
    if not request.confirmed:
        block = {"kind": "resign", "name": row.name}
        return Answer(True, "", blocks=(block,), question=f"RESIGN {row.name}")
    # Its row stays, and so does its name (docs/rulings.md, SP-2).
    struck = campaign.resign(piece_of(row))
    career_log.enter(store, row, struck, request.now)
    # Its open challenges could not begin any more.
    clear(request.ports, row, request.now)
    gone = store.get(Persona, row.id)
    text = say("{pilot} is struck off the list, and its place is free", pilot=row.name)
    return Answer(True, text, blocks=(career_block(request, gone, struck),))


def line_up(request: Request, match: Match[str]) -> Answer:
    """Change how a persona enters its next battles, and renew the challenges that it has a part in.

    A battle that runs already is as it was.
    """
    row, store = own(request, match["name"]), request.ports.store
    with refusing():
        piece = campaign_of(row).line_up(piece_of(row), match["what"])
    personas.set_record(store, row, json.dumps(piece.record))
    renewed(request, row)
    text = say("{pilot} enters its next battles so", pilot=row.name)
    return Answer(True, text, blocks=(sheet_block(request, store.get(Persona, row.id)),))


def sheet(request: Request, match: Match[str]) -> Answer:
    """Return one persona's sheet, or those of all the player's own."""
    store, name = request.ports.store, match["name"]
    if name:
        found = [anybody(request, name)]
    else:
        mine = personas.of(store, request.player.id)
        found = [row for row in mine if not is_gone(row)] or mine
    if not found and called(request) == PLAYERS:
        raise Refusal(
            say("there are no sheets: you play as yourself"), say("STATUS lists your games")
        )
    if not found:
        raise Refusal(
            say("you have {none} yet", none=called(request).none),
            say("HELP enlist tells how to get one"),
        )
    title = say("The sheet of {pilot}", pilot=found[0].name) if len(found) == 1 else ""
    return Answer(True, "", blocks=tuple(sheet_block(request, row) for row in found), title=title)


def career_block(request: Request, row: Persona, change: Change) -> Block:
    """Return the block that tells what an order has changed in a persona's career.

    `row` is the persona after it; `heir` is a name for its successor, "" while it can fight.
    """
    return {
        "kind": "career",
        "system": row.system,
        "sheet": persona_sheet(row),
        "changes": career_log.facts_of(change.entries),
        "heir": heir(request.ports.store, row),
    }


def to_fight(request: Request, row: Persona) -> Taps:
    """Return how a persona gets into its next battle, nothing where it can't enter one now."""
    ports = request.ports
    if busy(ports.store, ports.settings.league, row, request.now):
        return ()
    return (
        (say("lists whom to challenge"), say("STATUS")),
        (say("offers a battle to the first who takes it"), to_anybody(row.name)),
    )


def sheet_block(request: Request, row: Persona) -> SheetBlock:
    """Return the block with a persona's sheet, career, and the commitment to its next reward."""
    store, league = request.ports.store, request.ports.settings.league
    piece, campaign = piece_of(row), campaign_of(row)
    own = row.player_id == request.player.id
    # The commitment counts as told to the owner, who alone can spend points on a reward.
    rewarded = own and campaign.rewards and not campaign.gone(piece)
    mine = doctrines.of(store, request.player.id, row.id) if own else []
    return {
        "kind": "sheet",
        "system": row.system,
        "sheet": campaign.sheet(piece),
        "reliability": punctuality.reliability(store, league, row.player_id),
        "career": career_log.career(store, row, league.zone),
        "own": own,
        "next": career_log.committed(store, row) if rewarded else None,
        "doctrines": [one.name for one in mine],
    }
