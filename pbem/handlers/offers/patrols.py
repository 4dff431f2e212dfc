"""PATROL: a duel with the next suitable pilot on patrol, or with a bot."""

from datetime import datetime, timedelta
from functools import partial
from re import Match

from engine import registry
from engine.i18n import Said, say
from pbem.games import commitments, offers
from pbem.games.offers import NewSeat, OfferedBattle
from pbem.games.persona_rules import persona_sheet
from pbem.handlers.names.doctrines import given
from pbem.handlers.names.own_pilots_and_places import own
from pbem.handlers.offers.beginning import against_bot, begin, begin_for, current, take_seat
from pbem.handlers.offers.checks import (
    bar,
    busy,
    in_place_of,
    is_friendly,
    meanwhile,
    objection,
    own_or_only,
    refused,
)
from pbem.handlers.offers.live_rooms import fights_live
from pbem.handlers.offers.making import committed
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Refusal, Request, refuse_if
from pbem.outgoing.retried_tasks import Task, attempt
from pbem.storage import Persona, Player, Pledge

_EXAMPLE = say("PATROL WITH Hawk")


def _with(pilot: str) -> Said:
    return say("PATROL WITH {pilot}", pilot=pilot)


def patrol(request: Request, match: Match[str]) -> Answer:
    """Send a pilot on patrol: it meets the suitable pilot that has waited longest, or waits."""
    ports, now = request.ports, request.now
    row = own_or_only(request, match["name"], _EXAMPLE, order=_with)
    if fights_live(row):
        raise Refusal(
            say("{pilot} fights live, in a chat room", pilot=row.name),
            say("CHALLENGE ANYBODY WITH {pilot}, there", pilot=row.name),
        )
    barred, hint = busy(ports, row, now), meanwhile(ports, row)
    refuse_if(barred, hint, in_place_of(ports, row, _with))
    if offers.patrol_of(ports.store, row) is not None:
        hint = say("{order} ends that", order=say("PATROL OFF {pilot}", pilot=row.name))
        raise Refusal(say("{pilot} is on patrol already", pilot=row.name), hint)
    for waiting in offers.all_open(ports.store, patrol=True):
        [other] = waiting.ones
        barred = bar(ports, [[other], [row]], now) or objection([[other], [row]])
        # Two who have fought too often today wait for others: their battle would not count.
        if not (barred or is_friendly(ports, [other], [row], now)):
            done = say("{pilot} meets {other}", pilot=row.name, other=other.name)
            seated = take_seat(request, waiting, row, match["doctrine"])
            return begin_for(request, seated, done)
    standing = given(request, [row], match["doctrine"])[row.id]
    pledge = commitments.reserve(ports.store, row.system, commitments.patrol_terms(row.name), now)
    seats = [NewSeat(1, row, request.words, standing), NewSeat(2)]
    offers.add(ports.store, pledge, seats, now, patrol=True)
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
    found = offers.patrol_of(request.ports.store, row)
    if found is None:
        raise Refusal(say("{pilot} is not on patrol", pilot=row.name), _EXAMPLE)
    offers.end(request.ports.store, found, "withdrawn")
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
    for waiting in offers.made_until(ports.store, since, patrol=True):
        task = Task(
            f"patrol {waiting.number}",
            say("patrol {number}, which is to meet a house player", number=waiting.number),
            partial(_meets, ports, waiting, now),
            on_failure=partial(_close, ports, waiting, say("the program failed at it"), now),
        )
        attempt(ports.outbox, task, now)


def _meets(ports: Ports, waiting: OfferedBattle, now: datetime) -> None:
    """Begin a pilot's duel with a bot if it can fight now."""
    [row] = waiting.ones
    # Not every system has a bot of the league's strength.
    strong = ports.settings.league.patrol_bots in registry.RULESETS[row.system].strengths
    if strong and busy(ports, row, now) is None:
        with ports.store.transaction():
            _against_bot(ports, current(ports, waiting, now), row, now)


def _close(ports: Ports, waiting: OfferedBattle, why: Said, now: datetime) -> None:
    """Close a patrol that can lead to no battle, and notify its player."""
    [row] = waiting.ones
    with ports.store.transaction():
        offers.end(ports.store, waiting, "void")
        ports.outbox.write(
            ports.store.get(Player, row.player_id),
            "notice",
            now,
            ident=("void patrol", waiting.number),
            title=say("{pilot} is on patrol no longer", pilot=row.name),
            text=say(
                "No battle can begin with {pilot}: {why}. The patrol is over.",
                pilot=row.name,
                why=why,
            ),
        )


def _against_bot(ports: Ports, waiting: OfferedBattle, row: Persona, now: datetime) -> None:
    """Begin a duel with a bot, or close the patrol where the rules refuse one."""
    pledge = ports.store.get(Pledge, waiting.row.pledge_id)
    setup = against_bot(row, pledge.id, pledge.secret, waiting.words)
    if (why := refused(row.system, setup)) is not None:
        _close(ports, waiting, why, now)
        return
    begin(ports, waiting, setup, now, bots=ports.settings.league.patrol_bots)


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
