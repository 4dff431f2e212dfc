"""CHALLENGE ANYBODY: an open challenge, which the first who may fight it takes by ACCEPT."""

import json
from re import Match

from engine.i18n import say
from pbem.games import commitments
from pbem.games.offers import Offer, offer_of
from pbem.handlers.offering import FIRST, noted, only_own
from pbem.handlers.own import own
from pbem.handlers.pairing import bar, busy, objection, refuse_twin, terms_of
from pbem.handlers.request import Answer, Refusal, Request

EXAMPLE = say("CHALLENGE ANYBODY WITH Hawk")


def call(request: Request, match: Match[str]) -> Answer:
    """Make a challenge to anybody; its opponent is not known yet."""
    store = request.ports.store
    one = own(request, match["one"]) if match["one"] else only_own(request, EXAMPLE)
    barred = busy(request.ports, one, request.now)
    if barred is not None:
        raise Refusal(barred)
    refuse_twin(store, one, lambda offer: offer.to_anybody)
    # As for a patrol, only who waits can be committed to.
    terms = commitments.patrol_terms(one.name)
    pledge = commitments.reserve(store, one.system, terms, request.now)
    made = store.challenges.add(
        system=one.system,
        pledge=pledge.id,
        words=json.dumps(request.words),
        one=one.id,
        other=one.id,
        first=FIRST[match["first"].upper() if match["first"] else None],
        major=match["major"] is not None,
        terms=terms_of(match),
        made=request.now,
    )
    text = say(
        "challenge {number} of {pilot} is open to anybody; whoever writes GAMES sees it, and"
        " whoever takes it first fights it",
        number=made.id,
        pilot=one.name,
    )
    if "".join(request.below).strip():
        text = say("{text}. Your words go to nobody, because the challenge names nobody", text=text)
    title = say("Open challenge: {pilot}", pilot=one.name)
    return Answer(True, noted(request, text, made, pledge), title=title)


def called(request: Request, number: str | None) -> list[Offer]:
    """Return the open challenge to anybody of a number, unless it is the player's own."""
    found = request.ports.store.challenges.find(id=int(number), state="open") if number else None
    offer = offer_of(request.ports.store, found) if found else None
    if offer is None or not offer.to_anybody or offer.made_by(request.player.id):
        return []
    return [offer]


def take(request: Request, offer: Offer, name: str | None) -> Offer:
    """Enter a player's pilot as the opponent of an open challenge; return it as it is then."""
    ports, found = request.ports, offer.challenge
    if offer.ones[0].is_guest:
        return _seated(request, offer)
    example = say("ACCEPT {number} WITH Falcon", number=found.id)
    pilot = own(request, name) if name else only_own(request, example)
    barred = bar(ports, offer.ones, [pilot], request.now) or objection(offer.ones, [pilot])
    if barred is not None:
        raise Refusal(barred)
    pledge = ports.store.pledges.get(found.pledge_id)
    if not commitments.is_current(pledge):  # the program was updated to newer rules since
        terms = json.loads(pledge.terms)
        pledge = commitments.reserve(ports.store, found.system, terms, request.now)
    ports.store.challenges.change(found.id, other=pilot.id, pledge=pledge.id)
    return offer_of(ports.store, ports.store.challenges.get(found.id))


def _seated(request: Request, offer: Offer) -> Offer:
    """Give the player a seat in an open match; return the challenge as it is then."""
    store, found = request.ports.store, offer.challenge
    row = store.guest(request.player, found.system, request.now)
    if row in offer.pilots:
        raise Refusal(say("you have a seat in challenge {number} already", number=found.id))
    pledge = store.pledges.get(found.pledge_id)
    if not commitments.is_current(pledge):
        pledge = commitments.reserve(store, found.system, json.loads(pledge.terms), request.now)
        store.challenges.change(found.id, pledge=pledge.id)
    store.summons.add(
        challenge=found.id,
        persona=row.id,
        team="other",
        accepted=True,
        words=json.dumps(request.words),
    )
    return offer_of(store, store.challenges.get(found.id))
