"""CHALLENGE, ACCEPT, DECLINE and WITHDRAW: how players arrange a battle."""

import json
from datetime import datetime
from re import Match

from engine.i18n import Said, say
from pbem.games import commitments, punctuality
from pbem.games.offers import Offer, listed, offer_of, open_to
from pbem.games.referee import Entrant
from pbem.games.session import career_of, piece_of
from pbem.handlers.own import anybody, called, own
from pbem.handlers.pairing import (
    bar,
    busy,
    chosen,
    is_friendly,
    objection,
    offers,
    often,
    setup_of,
    words_by_seat,
)
from pbem.handlers.request import Answer, Refusal, Request
from pbem.ports import Ports
from pbem.storage import Challenge, Persona, Pledge

FIRST = {"ME": "one", "THEM": "other", "ROLL": "", None: ""}
"""The words after FIRST, with the value that the database keeps for each."""

TEAM_EXAMPLE = say("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon")
_FIRST_WORDS = {
    "one": say("the challenger moves first"),
    "other": say("you move first"),
    "": say("by the dice"),
}


def only_own(request: Request, example: str) -> Persona:
    """Return the player's only pilot that can enter a battle now.

    Raise Refusal where there is none, or more than one.
    """
    mine = request.ports.store.personas.all(player=request.player.id)
    free = [row for row in mine if not busy(request.ports, row, request.now)]
    if len(free) != 1:
        raise Refusal(say("say with which of your {many}", many=called(request).many), example)
    return free[0]


def challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge another player's pilot to a duel, and notify that player."""
    store = request.ports.store
    if "," in match["other"] + (match["one"] or ""):
        raise Refusal(
            say("a duel is one against one; for several write TEAM before it"), TEAM_EXAMPLE
        )
    other = anybody(request, match["other"])
    one = own(request, match["one"]) if match["one"] else None
    one = one or only_own(request, say("CHALLENGE Kestrel WITH Hawk"))
    barred = bar(request.ports, [one], [other], request.now) or objection([one], [other])
    if barred is not None:
        raise Refusal(barred)
    twins = [offer for offer in open_to(store, one) if offer.pilots == (one, other)]
    if twins:
        number = twins[0].challenge.id
        raise Refusal(say("that challenge is open already: number {number}", number=number))
    first = FIRST[match["first"].upper() if match["first"] else None]
    pledge = pledged(request, setup_of([one], [other], first), one.system)
    made = store.challenges.add(
        system=one.system,
        pledge=pledge.id,
        words=json.dumps(request.words),
        one=one.id,
        other=other.id,
        first=first,
        major=match["major"] is not None,
        made=request.now,
    )
    _tell_challenged(request, made, pledge, one, other)
    text = say(
        "challenge {number} is on its way to {other}'s player", number=made.id, other=other.name
    )
    return Answer(True, noted(request, text, made, pledge))


def pledged(request: Request, setup: dict[str, object], system: str) -> Pledge:
    """Reserve the game of a challenge, so that its commitment is known from the start."""
    return commitments.reserve(
        request.ports.store, system, commitments.battle_terms(setup), request.now
    )


def noted(request: Request, text: Said, made: Challenge, pledge: Pledge) -> Said:
    """Return a challenge's answer with the commitment to its dice, and any reason not to count.

    A moderator must agree to a major battle (SP-31).
    """
    if made.major:
        text = say("{text}; it is a major battle if a moderator says so", text=text)
    text = say("{text}. {committed}", text=text, committed=committed(pledge))
    much = often(request.ports, offer_of(request.ports.store, made), request.now)
    return say("{text}. {often}", text=text, often=much) if much else text


def committed(pledge: Pledge) -> Said:
    """Return a sentence with the number that a battle will have and the commitment to its dice."""
    return say(
        "It is to be game {game}; the commitment to its dice is {commitment}",
        game=pledge.id,
        commitment=pledge.commitment,
    )


def _tell_challenged(
    request: Request, made: Challenge, pledge: Pledge, one: Persona, other: Persona
) -> None:
    request.ports.outbox.write(
        request.ports.store.players.get(other.player_id),
        "challenge",
        request.now,
        ident=(made.id,),
        system=made.system,
        number=made.id,
        challenger={"pilot": one.name, "player": request.player.name},
        sheet=career_of(one).sheet(piece_of(one)),
        reliability=punctuality.reliability(
            request.ports.store, request.ports.settings.league, request.player.id
        ),
        own=other.name,
        first=_FIRST_WORDS[made.first],
        major=made.major,
        pledge=commitments.facts(pledge),
        often=often(request.ports, offer_of(request.ports.store, made), request.now),
    )


def accept(request: Request, match: Match[str]) -> Answer:
    """Accept a challenge; once all have, the battle begins, and all get its first letter."""
    store, player = request.ports.store, request.player.id
    waiting = [offer for offer in offers(request) if offer.awaits(player)]
    offer = chosen(request, match["number"], waiting)
    # Checked again: pilots may have entered other battles, or changed, since the challenge.
    barred = bar(request.ports, offer.ones, offer.others, request.now)
    if barred is not None:
        raise Refusal(barred)
    if (refused := objection(offer.ones, offer.others)) is not None:
        return _close(request, offer, refused)
    setup = setup_of(offer.ones, offer.others, offer.challenge.first)
    if not commitments.covers(store.pledges.get(offer.challenge.pledge_id), setup):
        return _renew(request, offer, setup)
    # A duel has no summons: the other player's ACCEPT begins it at once.
    for row in offer.of(player):
        store.summons.change_all(
            {"challenge_id": offer.challenge.id, "persona_id": row.id},
            accepted=True,
            words=json.dumps(request.words),
        )
    silent = [row for row in offer.silent if row.player_id != player]
    if silent:
        return Answer(
            True,
            say(
                "challenge {number} is accepted for {pilots}; it waits for {silent} now",
                number=offer.challenge.id,
                pilots=listed(offer.of(player)),
                silent=listed(silent),
            ),
        )
    return _begin(request, offer, setup)


def _close(request: Request, offer: Offer, why: Said) -> Answer:
    """Close a challenge whose set-up the rules no longer allow, and notify its other players."""
    store, number = request.ports.store, offer.challenge.id
    store.challenges.change(number, state="void")
    for player in offer.players():
        if player != request.player.id:
            request.ports.outbox.write(
                store.players.get(player),
                "notice",
                request.now,
                urgency="later",
                ident=("void", number),
                title=say("Challenge {number} is closed", number=number),
                text=say(
                    "Challenge {number} of {one} to {other} can't begin: {why}. It is closed.",
                    number=number,
                    one=listed(offer.ones),
                    other=listed(offer.others),
                    why=why,
                ),
            )
    closed = say("{why}, so challenge {number} is closed", why=why, number=number)
    return Answer(False, closed, say("the others are told; challenge them anew"))


def _renew(request: Request, offer: Offer, setup: dict[str, object]) -> Answer:
    """Make a new commitment for a battle whose pilots have changed since, and notify everybody."""
    # The commitment covers the set-up. With an old one, nobody could check the dice afterwards.
    ports, number = request.ports, offer.challenge.id
    pledge = pledged(request, setup, offer.challenge.system)
    ports.store.challenges.change(number, pledge=pledge.id)
    changed = say(
        "a pilot of challenge {number} has changed since it was made, so it is another battle."
        " {committed}",
        number=number,
        committed=committed(pledge),
    )
    for player in offer.players():
        if player != request.player.id:
            ports.outbox.write(
                ports.store.players.get(player),
                "notice",
                request.now,
                ident=("renewed", number, pledge.id),
                urgency="later",
                title=say("Challenge {number} is renewed", number=number),
                text=say("{changed}. It stands open as before.", changed=changed),
            )
    return Answer(False, changed, say("to fight, write {order}", order=f"ACCEPT {number}"))


def _begin(request: Request, offer: Offer, setup: dict[str, object]) -> Answer:
    ports, found = request.ports, offer.challenge
    ports.store.challenges.change(found.id, state="accepted")
    words = words_by_seat(ports.store, offer) | dict.fromkeys(
        offer.names_of(request.player.id), request.words
    )
    entrants = [Entrant(row, piece_of(row), words[row.name]) for row in offer.pilots]
    # Where the letter holds nothing else, the first report is the reply to it.
    answering = (request.player.id, request.letter.message_id) if request.alone else None
    game = ports.referee.begin(
        found.system,
        setup,
        entrants,
        request.now,
        found.major,
        friendly=is_friendly(ports, offer.ones, offer.others, request.now),
        answering=answering,
        pledge=ports.store.pledges.get(found.pledge_id),
    )
    return Answer(
        True, say("game {game} begins; its first letter follows", game=game.id), separate=True
    )


def decline(request: Request, match: Match[str]) -> Answer:
    """Decline a challenge, even after having accepted it, and notify the others."""
    player = request.player.id
    theirs = [offer for offer in offers(request) if not offer.made_by(player)]
    waiting = [offer for offer in theirs if offer.awaits(player)]
    offer = chosen(request, match["number"], theirs if match["number"] else waiting or theirs)
    _decline(request.ports, offer, offer.of(player)[0], request.now)
    number, one = offer.challenge.id, offer.ones[0].name
    if offer.is_duel:
        text = say(
            "challenge {number} is declined, and {one}'s player is told", number=number, one=one
        )
    else:
        text = say("challenge {number} is declined, and its other players are told", number=number)
    return Answer(True, text)


def _decline(ports: Ports, offer: Offer, by: Persona, now: datetime) -> None:
    """Close a challenge because the player of one of its pilots declined."""
    found = offer.challenge
    ports.store.challenges.change(found.id, state="declined")
    if not offer.is_duel:
        _call_off(ports, offer, by, "declined", now)
        return
    ports.outbox.write(
        ports.store.players.get(offer.ones[0].player_id),
        "declined",
        now,
        urgency="later",
        ident=(found.id,),
        number=found.id,
        one=offer.ones[0].name,
        other=by.name,
    )


def _withdraw(ports: Ports, offer: Offer, now: datetime) -> None:
    ports.store.challenges.change(offer.challenge.id, state="withdrawn")
    if not offer.is_duel:
        _call_off(ports, offer, offer.ones[0], "withdrawn", now)


def _call_off(ports: Ports, offer: Offer, by: Persona, how: str, now: datetime) -> None:
    """Notify the other players of a team challenge that it is off, and who called it off."""
    store = ports.store
    for player in offer.players():
        if player != by.player_id:
            ports.outbox.write(
                store.players.get(player),
                "called_off",
                now,
                urgency="later",
                ident=(offer.challenge.id,),
                number=offer.challenge.id,
                one=listed(offer.ones),
                other=listed(offer.others),
                by={"pilot": by.name, "player": store.players.get(by.player_id).name},
                how=how,
            )


def clear(ports: Ports, row: Persona, now: datetime) -> None:
    """Withdraw a pilot's own challenges, decline those made to it, and end its patrol."""
    for offer in open_to(ports.store, row):
        if offer.made_by(row.player_id):
            _withdraw(ports, offer, now)
        else:
            _decline(ports, offer, row, now)
    ports.store.patrols.change_all({"persona": row.id, "state": "open"}, state="off")


def withdraw(request: Request, match: Match[str]) -> Answer:
    """Withdraw the player's own challenge."""
    own_ones = [offer for offer in offers(request) if offer.made_by(request.player.id)]
    offer = chosen(request, match["number"], own_ones)
    _withdraw(request.ports, offer, request.now)
    number, others = offer.challenge.id, listed(offer.others)
    return Answer(
        True, say("your challenge {number} to {other} is withdrawn", number=number, other=others)
    )
