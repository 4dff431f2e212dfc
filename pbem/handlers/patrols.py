"""PATROL: a duel with the next suitable pilot on patrol, or with a bot."""

import json
from datetime import datetime, timedelta
from functools import partial
from re import Match

from engine import fair_dice, registry
from engine.dice import KeyedDice
from engine.fair_dice import Words
from engine.i18n import Said, say
from engine.names import quoted
from pbem.games import commitments
from pbem.games.persona_rules import campaign_of, persona_sheet, piece_of
from pbem.games.referee import Entrant
from pbem.games.session import game_id
from pbem.handlers.challenge_checks import (
    bar,
    busy,
    in_place_of,
    is_friendly,
    meanwhile,
    objection,
    own_or_only,
    refused,
)
from pbem.handlers.lookup import own
from pbem.handlers.new_challenges import committed
from pbem.handlers.request import Answer, Refusal, Request, refuse_if
from pbem.outgoing.retried_tasks import Task, attempt
from pbem.people import patrols
from pbem.ports import Ports
from pbem.storage import Game, Patrol, Persona

_EXAMPLE = say("PATROL WITH Hawk")


def _with(pilot: str) -> Said:
    return say("PATROL WITH {pilot}", pilot=pilot)


def patrol(request: Request, match: Match[str]) -> Answer:
    """Send a pilot on patrol: it meets the suitable pilot that has waited longest, or waits."""
    store = request.ports.store
    row = own_or_only(request, match["name"], _EXAMPLE, order=_with)
    barred, hint = busy(request.ports, row, request.now), meanwhile(request.ports, row)
    refuse_if(barred, hint, in_place_of(request.ports, row, _with))
    if patrols.of(store, row) is not None:
        hint = say("{order} ends that", order=say("PATROL OFF {pilot}", pilot=row.name))
        raise Refusal(say("{pilot} is on patrol already", pilot=row.name), hint)
    for waiting in store.patrols.all(state="open"):
        other = store.personas.get(waiting.persona_id)
        barred = bar(request.ports, [[other], [row]], request.now) or objection([[other], [row]])
        # Two who have fought too often today wait for others: their battle would not count.
        if not (barred or is_friendly(request.ports, [other], [row], request.now)):
            return _meet(request, waiting, other, row)
    pledge = commitments.reserve(store, row.system, commitments.patrol_terms(row.name), request.now)
    store.patrols.insert(
        persona=row.id, pledge=pledge.id, words=json.dumps(request.words), made=request.now
    )
    return Answer(
        True,
        _waiting(request, row),
        blocks=(committed(pledge),),
        title=say("On patrol: {pilot}", pilot=row.name),
        taps=((say("calls the patrol back"), say("PATROL OFF {pilot}", pilot=row.name)),),
    )


def off(request: Request, match: Match[str]) -> Answer:
    """Call a pilot back from patrol."""
    row = own(request, match["name"])
    found = patrols.of(request.ports.store, row)
    if found is None:
        raise Refusal(say("{pilot} is not on patrol", pilot=row.name), _EXAMPLE)
    request.ports.store.patrols.change(found.id, state="off")
    text = say("{pilot} is back from patrol", pilot=row.name)
    return Answer(True, text, title=say("Back from patrol: {pilot}", pilot=row.name))


def meet_bots(ports: Ports, now: datetime) -> None:
    """Begin duels with bots for all who have waited long enough.

    An error with one patrol does not stop the others; after several errors the patrol is closed.
    """
    league = ports.settings.league
    if not league.patrol_bots:
        return
    since = now - timedelta(hours=league.patrol_hours)
    for waiting in ports.store.patrols.all(state="open", made__lte=since):
        task = Task(
            f"patrol {waiting.id}",
            say("patrol {number}, which is to meet a house player", number=waiting.id),
            partial(_meets, ports, waiting, now),
            on_failure=partial(_close, ports, waiting, say("the program failed at it"), now),
        )
        attempt(ports.outbox, task, now)


def _meets(ports: Ports, waiting: Patrol, now: datetime) -> None:
    """Begin a pilot's duel with a bot if it can fight now."""
    row = ports.store.personas.get(waiting.persona_id)
    # Not every system has a bot of the league's strength.
    strong = ports.settings.league.patrol_bots in registry.RULESETS[row.system].strengths
    if strong and busy(ports, row, now) is None:
        with ports.store.transaction():
            _against_bot(ports, waiting, row, now)


def _close(ports: Ports, waiting: Patrol, why: Said, now: datetime) -> None:
    """Close a patrol that can lead to no battle, and notify its player."""
    row = ports.store.personas.get(waiting.persona_id)
    with ports.store.transaction():
        ports.store.patrols.change(waiting.id, state="void")
        ports.outbox.write(
            ports.store.players.get(row.player_id),
            "notice",
            now,
            ident=("void patrol", waiting.id),
            title=say("{pilot} is on patrol no longer", pilot=row.name),
            text=say(
                "No battle can begin with {pilot}: {why}. The patrol is over.",
                pilot=row.name,
                why=why,
            ),
        )


def _meet(request: Request, waiting: Patrol, other: Persona, row: Persona) -> Answer:
    """Begin a duel between two pilots on patrol; both players get its first letter."""
    pieces = piece_of(other), piece_of(row)
    setup = campaign_of(row).melee(pieces[:1], pieces[1:], None)
    first: Words = json.loads(waiting.words)
    entrants = [Entrant(other, pieces[0], first), Entrant(row, pieces[1], request.words)]
    answering = (request.player.id, request.letter.message_id) if request.bare else None
    game = _begin(request.ports, waiting, setup, entrants, request.now, answering=answering)
    done = say("{pilot} meets {other}", pilot=row.name, other=other.name)
    text = say(
        "{done}: game {game} begins; a letter of its own says what you may order",
        done=done,
        game=game.id,
    )
    return Answer(True, text, separate=True, others=[quoted(other.name)])


def _against_bot(ports: Ports, waiting: Patrol, row: Persona, now: datetime) -> None:
    """Begin a duel with a bot, or close the patrol where the rules refuse one."""
    campaign, piece = campaign_of(row), piece_of(row)
    pledge, words = ports.store.pledges.get(waiting.pledge_id), json.loads(waiting.words)
    # The opponent comes from the game's own secret, so that it can be checked afterwards too.
    whims = KeyedDice(fair_dice.sparring(pledge.secret, game_id(pledge.id), {row.name: words}))
    setup = campaign.melee((piece,), (campaign.sparring(piece, whims),), None)
    if (why := refused(row.system, setup)) is not None:
        _close(ports, waiting, why, now)
        return
    bots = ports.settings.league.patrol_bots
    _begin(ports, waiting, setup, [Entrant(row, piece, words)], now, bots)


def _begin(
    ports: Ports,
    waiting: Patrol,
    setup: dict[str, object],
    entrants: list[Entrant],
    now: datetime,
    bots: str = "",
    answering: tuple[int, str] | None = None,
) -> Game:
    # The battle has the number and the commitment that the pilot who waited was told.
    ports.store.patrols.change(waiting.id, state="met")
    system = entrants[0].persona.system
    pledge = ports.store.pledges.get(waiting.pledge_id)
    if not commitments.is_current(pledge):  # the program was updated to newer rules since
        pledge = commitments.reserve(ports.store, system, json.loads(pledge.terms), now)
    return ports.referee.begin(
        system, setup, entrants, now, bots=bots, answering=answering, pledge=pledge
    )


def _waiting(request: Request, row: Persona) -> Said:
    """Return a sentence about the opponent that a pilot on patrol will meet, and when."""
    league = request.ports.settings.league
    next_one = say("{pilot} is on patrol, and meets the next that may be fought", pilot=row.name)
    if league.patrol_bots:
        next_one = say(
            "{patrol}; if none comes within {hours} h, a house player ({strength}) does",
            patrol=next_one,
            hours=f"{league.patrol_hours:g}",
            strength=say(league.patrol_bots),
        )
    if persona_sheet(row)["owed"]:
        next_one = say(
            "{patrol}. A reward still waits for its choice: what is chosen after the battle begins"
            " counts from the next one on",
            patrol=next_one,
        )
    return next_one
