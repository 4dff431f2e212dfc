"""ACCEPT, DECLINE and WITHDRAW: how players answer a challenge."""

import json
from collections.abc import Sequence
from datetime import datetime
from re import Match

from engine.i18n import Said, say
from engine.names import match_name
from pbem.games import commitments
from pbem.games.challenges import Offer, listed, open_to
from pbem.games.personas import piece_of
from pbem.games.referee import Entrant
from pbem.handlers.new_challenges import committed
from pbem.handlers.open_challenges import called, take
from pbem.handlers.pairing import (
    bar,
    chosen,
    is_friendly,
    objection,
    offers,
    setup_of,
    words_by_seat,
)
from pbem.handlers.request import Answer, Refusal, Request
from pbem.ports import Ports
from pbem.storage import Persona


def accept(request: Request, match: Match[str]) -> Answer:
    """Accept a challenge; once all have, the battle begins, and all get its first letter."""
    store, player = request.ports.store, request.player.id
    waiting = [offer for offer in offers(request) if offer.awaits(player)]
    offer = chosen(request, match["number"], waiting + called(request, match["number"]))
    if offer.to_anybody:
        return _take_seat(request, take(request, offer, match["one"]))
    _names_its_own(offer, player, match["one"])
    # Checked again: pilots may have entered other battles, or changed, since the challenge.
    barred = bar(request.ports, offer.teams, request.now)
    if barred is not None:
        raise Refusal(barred)
    if (refused := objection(offer.teams)) is not None:
        return _close(request, offer, refused)
    setup = _setup(offer)
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


def _take_seat(request: Request, offer: Offer) -> Answer:
    """Begin an open challenge that the player has taken a seat of, once all seats are taken."""
    if not offer.to_anybody or len(offer.pilots) >= offer.seats:
        return _begin(request, offer, _setup(offer))
    return Answer(
        True,
        say(
            "you have a seat in challenge {number}, with {others}; it begins when {seats} have"
            " theirs",
            number=offer.challenge.id,
            others=listed(row for row in offer.pilots if row.player_id != request.player.id),
            seats=offer.seats,
        ),
    )


def _setup(offer: Offer) -> dict[str, object]:
    """Return the set-up of an offered battle as its pilots are now."""
    found = offer.challenge
    return setup_of(offer.teams, found.first, found.terms)


def _names_its_own(offer: Offer, player: int, name: str | None) -> None:
    """Raise Refusal where ACCEPT names a pilot who was not challenged."""
    if name is not None and match_name(name, offer.names_of(player)) is None:
        number, pilots = offer.challenge.id, listed(offer.of(player))
        raise Refusal(
            say("challenge {number} is to {pilots}", number=number, pilots=pilots),
            f"ACCEPT {number}",
        )


def _close(request: Request, offer: Offer, why: Said) -> Answer:
    """Close a challenge whose set-up the rules no longer allow, and notify its other players."""
    number = offer.challenge.id
    request.ports.store.challenges.change(number, state="void")
    title = say("Challenge {number} is closed", number=number)
    text = say(
        "Challenge {number} of {one} to {other} can't begin: {why}. It is closed.",
        number=number,
        one=listed(offer.ones),
        other=listed(offer.others),
        why=why,
    )
    _notify(request.ports, offer, request.player.id, request.now, ("void", number), title, text)
    closed = say("{why}, so challenge {number} is closed", why=why, number=number)
    return Answer(False, closed, say("the others are told; challenge them anew"))


def _notify(
    ports: Ports,
    offer: Offer,
    by: int,
    now: datetime,
    ident: Sequence[object],
    title: Said,
    text: Said,
) -> None:
    """Notify the players of a challenge, except the one whose act it was."""
    for player in offer.players():
        if player != by:
            ports.outbox.write(
                ports.store.players.get(player),
                "notice",
                now,
                urgency="later",
                ident=ident,
                title=title,
                text=text,
            )


def renewed(request: Request, row: Persona) -> None:
    """Make new commitments for the open challenges of a pilot who has changed."""
    store = request.ports.store
    for offer in open_to(store, row):
        if not offer.to_anybody and objection(offer.teams) is None:
            setup = _setup(offer)
            if not commitments.covers(store.pledges.get(offer.challenge.pledge_id), setup):
                _renew(request, offer, setup)


def _renew(request: Request, offer: Offer, setup: dict[str, object]) -> Answer:
    """Make a new commitment for a battle whose pilots have changed since, and notify everybody."""
    # The commitment covers the set-up. With an old one, nobody could check the dice afterwards.
    ports, number = request.ports, offer.challenge.id
    terms = commitments.battle_terms(setup)
    pledge = commitments.reserve(ports.store, offer.challenge.system, terms, request.now)
    ports.store.challenges.change(number, pledge=pledge.id)
    changed = say(
        "a pilot of challenge {number} has changed since it was made, so it is another battle."
        " {committed}",
        number=number,
        committed=committed(pledge),
    )
    title = say("Challenge {number} is renewed", number=number)
    text = say("{changed}. It stands open as before.", changed=changed)
    ident = ("renewed", number, pledge.id)
    _notify(ports, offer, request.player.id, request.now, ident, title, text)
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
        True,
        say("game {game} begins; a letter of its own says what you may order", game=game.id),
        separate=True,
    )


def decline(request: Request, match: Match[str]) -> Answer:
    """Decline a challenge, even after having accepted it, and notify the others.

    Who has a seat of an open challenge leaves the seat to somebody else.
    """
    player = request.player.id
    theirs = [offer for offer in offers(request) if not offer.made_by(player)]
    waiting = [offer for offer in theirs if offer.awaits(player)]
    offer = chosen(request, match["number"], theirs if match["number"] else waiting or theirs)
    _decline(request.ports, offer, offer.of(player)[0], request.now)
    number, one = offer.challenge.id, offer.ones[0].name
    if offer.to_anybody:
        text = say(
            "your seat in challenge {number} is free again, and its other players are told",
            number=number,
        )
    elif offer.is_duel:
        text = say(
            "challenge {number} is declined, and {one}'s player is told", number=number, one=one
        )
    else:
        text = say("challenge {number} is declined, and its other players are told", number=number)
    return Answer(True, text)


def _decline(ports: Ports, offer: Offer, by: Persona, now: datetime) -> None:
    """Close a challenge because the player of one of its pilots declined."""
    found = offer.challenge
    if offer.to_anybody:
        _vacate(ports, offer, by, now)
        return
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
        played=by.system if by.is_guest else "",
    )


def _vacate(ports: Ports, offer: Offer, by: Persona, now: datetime) -> None:
    """Free a pilot's seat in an open challenge, which stands open for others."""
    number = offer.challenge.id
    ports.store.summons.remove(challenge=number, persona=by.id)
    title = say("Challenge {number}: a seat is free again", number=number)
    text = say(
        "{pilot} has left a seat of challenge {number} by {one}. The challenge stands open, and"
        " anybody may take the seat.",
        pilot=by.name,
        number=number,
        one=offer.ones[0].name,
    )
    _notify(ports, offer, by.player_id, now, ("vacated", number, by.id, now), title, text)


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
                played=by.system if by.is_guest else "",
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
    number, other = offer.challenge.id, offer.opponents
    return Answer(
        True, say("your challenge {number} to {other} is withdrawn", number=number, other=other)
    )
