"""CHALLENGE ANYBODY: a challenge to nobody by name; the first who may fight accepts it."""

import json
from re import Match

from engine import registry
from engine.i18n import say
from pbem.games import commitments
from pbem.games.challenges import SEATS, TEAMS, Offer, offer_of
from pbem.games.persona_rules import campaign_of
from pbem.handlers import challenge_threads, new_challenges
from pbem.handlers.challenge_checks import (
    bar,
    busy,
    in_place_of,
    meanwhile,
    objection,
    own_or_only,
    refuse_duplicate,
    to_anybody,
)
from pbem.handlers.new_challenges import asked
from pbem.handlers.request import Answer, Refusal, Request, refuse_if
from pbem.storage import Persona, Pledge

EXAMPLE = say("CHALLENGE ANYBODY WITH Hawk")


def call(request: Request, match: Match[str]) -> Answer:
    """Make a challenge to anybody; its opponent is not known yet."""
    store = request.ports.store
    one = own_or_only(request, match["one"], EXAMPLE, order=to_anybody)
    barred, hint = busy(request.ports, one, request.now), meanwhile(request.ports, one)
    refuse_if(barred, hint, in_place_of(request.ports, one, to_anybody))
    refuse_duplicate(store, one, lambda offer: offer.to_anybody)
    seats = _seats(match["seats"], one)
    wanted = asked(request, match)
    if seats > 2:
        wanted = wanted._replace(terms=f"{SEATS} {seats} {wanted.terms}".strip())
    made = new_challenges.to_anybody(request, one, wanted)
    text = say(
        "challenge {number} of {pilot} is open to anybody; GAMES lists it, and"
        " the first who takes it fights it",
        number=made.id,
        pilot=one.name,
    )
    if seats > 2:
        text = say(
            "challenge {number} of {pilot} is open to anybody, with {seats} seats, each against all"
            " others; GAMES lists it, and ACCEPT {number} takes a seat",
            number=made.id,
            pilot=one.name,
            seats=seats,
        )
    title = say("Open challenge: {pilot}", pilot=one.name)
    return new_challenges.answer(request, text, made, title)


def _seats(written: str | None, one: Persona) -> int:
    """Return how many may fight an open challenge; raise Refusal where it can't be so many."""
    seats, free = int(written or 2), campaign_of(one).free_for_all
    most = free.most if free else 2
    if not 2 <= seats <= most:
        nouns = registry.nouns({one.system})
        raise Refusal(
            say(
                "{least} to {most} {many} fight each other, not {seats}",
                least=2,
                most=most,
                many=nouns.many,
                seats=seats,
            )
            if free
            else say("two {many} fight each other, not {seats}", many=nouns.many, seats=seats),
            EXAMPLE,
        )
    return seats


def takeable(request: Request, number: str | None) -> list[Offer]:
    """Return the open challenge to anybody of a number, unless it is the player's own."""
    found = request.ports.store.challenges.find(id=int(number), state="open") if number else None
    offer = offer_of(request.ports.store, found) if found else None
    if offer is None or not offer.to_anybody or offer.made_by(request.player.id):
        return []
    return [offer]


def take(request: Request, offer: Offer, name: str | None) -> Offer:
    """Enter a player's pilot as an opponent of an open challenge; return it as it is then."""
    ports, found = request.ports, offer.challenge
    # Players are guests in games without a campaign, so there is no pilot to name.
    if offer.ones[0].is_guest:
        row = ports.store.guest(request.player, found.system, request.now)
        _refuse_seated(offer, row)
        return _seated(request, offer, row, TEAMS[1])
    example = say("ACCEPT {number} WITH Falcon", number=found.id)
    pilot = own_or_only(request, name, example)
    _refuse_seated(offer, pilot)
    teams = [*offer.teams, [pilot]]
    refuse_if(bar(ports, teams, request.now) or objection(teams))
    if offer.seats > 2:
        # Not the next one by number: somebody may have left a seat again.
        taken = {call.team for call in ports.store.summons.all(challenge=found.id)}
        return _seated(request, offer, pilot, next(one for one in TEAMS[1:] if one not in taken))
    pledge = _current(request, offer)
    ports.store.challenges.change(found.id, other=pilot.id, pledge=pledge.id)
    return offer_of(ports.store, ports.store.challenges.get(found.id))


def _refuse_seated(offer: Offer, row: Persona) -> None:
    """Raise Refusal where somebody has a seat of an open challenge already."""
    if row in offer.pilots:
        number = offer.challenge.id
        raise Refusal(say("you have a seat in challenge {number} already", number=number))


def _seated(request: Request, offer: Offer, row: Persona, team: str) -> Offer:
    """Seat a pilot in one of the teams of an open challenge; return it as it is then."""
    store, found = request.ports.store, offer.challenge
    store.challenges.change(found.id, pledge=_current(request, offer).id)
    store.summons.add(
        challenge=found.id,
        persona=row.id,
        team=team,
        accepted=True,
        words=json.dumps(request.words),
    )
    return offer_of(store, store.challenges.get(found.id))


def _current(request: Request, offer: Offer) -> Pledge:
    """Return an open challenge's commitment, a new one where the rules are newer by now."""
    store, found = request.ports.store, offer.challenge
    pledge = store.pledges.get(found.pledge_id)
    if commitments.is_current(pledge):
        return pledge
    renewed = commitments.reserve(store, found.system, json.loads(pledge.terms), request.now)
    challenge_threads.move_thread(request.ports, offer, renewed, request.now)
    return renewed
