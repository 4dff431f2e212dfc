"""ACCEPT, DECLINE and WITHDRAW: how players answer a challenge."""

from collections.abc import Sequence
from re import Match

from engine.i18n import Said, say
from engine.names import match_name
from pbem.games import commitments, offers
from pbem.games.offers import OfferedBattle, listed
from pbem.handlers.names.doctrines import given
from pbem.handlers.offers import ending, threads
from pbem.handlers.offers.beginning import begin_for, setup_now, take_seat
from pbem.handlers.offers.checks import bar, objection, own_or_only
from pbem.handlers.offers.making import committed
from pbem.handlers.request import Answer, Refusal, Request, refuse_if
from pbem.people import personas
from pbem.storage import Persona, Pledge


def accept(request: Request, match: Match[str]) -> Answer:
    """Accept a challenge; once all have, the battle begins, and all get its first letter."""
    store, player = request.ports.store, request.player.id
    waiting = [one for one in offers.waiting(store, request.player) if one.awaits(player)]
    # An open challenge needs its number: ACCEPT alone may be meant for another.
    offer = _chosen(request, match["number"], waiting + _takeable(request, match["number"]))
    if offer.to_anybody:
        return _take(request, offer, match["one"], match["doctrine"])
    _names_its_own(offer, player, match["one"])
    # Checked again: pilots may have entered other battles, or changed, since the challenge.
    refuse_if(
        bar(request.ports, offer.teams, request.now),
        say("the challenge stays open, and can be accepted later"),
    )
    # What bars a battle may pass, but what the rules refuse stays so: the challenge is closed.
    if (refused := objection(offer.teams)) is not None:
        return _close(request, offer, refused)
    setup = setup_now(offer)
    if not commitments.covers(store.get(Pledge, offer.row.pledge_id), setup):
        return _renew(request, offer, setup)
    standing = given(request, offer.of(player), match["doctrine"])
    offer = offers.accept(store, offer, player, request.words, standing)
    if not offer.silent:
        return begin_for(request, offer)
    return Answer(
        True,
        say(
            "challenge {number} is accepted for {pilots}; it waits for {silent} now",
            number=offer.number,
            pilots=listed(offer.of(player)),
            silent=listed(offer.silent),
        ),
        title=say("Challenge {number} accepted", number=offer.number),
        others=offer.names_besides(player),
    )


def _chosen(request: Request, number: str | None, fit: Sequence[OfferedBattle]) -> OfferedBattle:
    """Return the challenge of a number among those that fit, or the only one that fits.

    Raise Refusal where there is none, or more than one.
    """
    if number is not None:
        fit = [offer for offer in fit if offer.number == int(number)]
    if len(fit) == 1:
        return fit[0]
    if number is not None or not fit:
        which = say("no challenge is open for you")
        if number is not None:
            found = offers.challenge(request.ports.store, int(number))
            which = say("challenge {number} is not open for you", number=number)
            if found is not None and found.row.state != "open":
                which = say("challenge {number} is not open any more", number=number)
        raise Refusal(which, say("STATUS lists the challenges that wait for you"))
    numbers = [offer.number for offer in fit]
    raise Refusal(
        say("which challenge? open are {numbers}", numbers=numbers),
        say("write its number behind the order"),
    )


def _takeable(request: Request, number: str | None) -> list[OfferedBattle]:
    """Return the open challenge to anybody of a number, unless it is the player's own."""
    offer = offers.challenge(request.ports.store, int(number)) if number else None
    if offer is None or offer.row.state != "open" or offer.made_by(request.player.id):
        return []
    return [offer] if offer.to_anybody else []


def _take(request: Request, offer: OfferedBattle, name: str | None, doctrine: str | None) -> Answer:
    """Take a seat of an open challenge; once all are taken, the battle begins."""
    offer = take_seat(request, offer, _taker(request, offer, name), doctrine)
    if not offer.to_anybody:
        return begin_for(request, offer)
    return Answer(
        True,
        say(
            "you have a seat in challenge {number}, with {others}; it begins when {seats} have"
            " theirs",
            number=offer.number,
            others=listed(row for row in offer.pilots if row.player_id != request.player.id),
            seats=len(offer.seats),
        ),
        title=say("Challenge {number}: you have a seat", number=offer.number),
        others=offer.names_besides(request.player.id),
    )


def _taker(request: Request, offer: OfferedBattle, name: str | None) -> Persona:
    """Return who takes a seat of an open challenge; raise Refusal for who can't, or has one."""
    # Players are guests in games without a campaign, so there is no pilot to name.
    if offer.ones[0].is_guest:
        row = personas.guest(request.ports.store, request.player, offer.row.system, request.now)
    else:
        row = own_or_only(request, name, say("ACCEPT {number} WITH Falcon", number=offer.number))
    if row in offer.pilots:
        raise Refusal(say("you have a seat in challenge {number} already", number=offer.number))
    if not row.is_guest:
        teams = [*offer.teams, [row]]
        refuse_if(bar(request.ports, teams, request.now) or objection(teams))
    return row


def _names_its_own(offer: OfferedBattle, player: int, name: str | None) -> None:
    """Raise Refusal where ACCEPT names a pilot who was not challenged."""
    if name is not None and match_name(name, [row.name for row in offer.of(player)]) is None:
        raise Refusal(
            say(
                "challenge {number} is to {pilots}",
                number=offer.number,
                pilots=listed(offer.of(player)),
            ),
            say("ACCEPT {number}", number=offer.number),
        )


def renewed(request: Request, row: Persona) -> None:
    """Make new commitments for the open challenges of a pilot who has changed."""
    store = request.ports.store
    for offer in offers.open_with(store, row):
        if not offer.to_anybody and objection(offer.teams) is None:
            setup = setup_now(offer)
            if not commitments.covers(store.get(Pledge, offer.row.pledge_id), setup):
                _renew(request, offer, setup)


def _renew(request: Request, offer: OfferedBattle, setup: dict[str, object]) -> Answer:
    """Make a new commitment for a battle whose pilots have changed since, and notify everybody."""
    # The commitment covers the set-up. With an old one, nobody could check the dice afterwards.
    ports, number = request.ports, offer.number
    terms = commitments.battle_terms(setup)
    pledge = commitments.reserve(ports.store, offer.row.system, terms, request.now)
    threads.move_thread(ports, offer, pledge, request.now)
    changed = say(
        "somebody in challenge {number} has changed since it was made, so it is another battle",
        number=number,
    )
    title = say("Challenge {number} is renewed", number=number)
    text = say("{changed}. It stands open as before.", changed=changed)
    ident = ("renewed", number, pledge.id)
    ending.notify(
        ports,
        offer,
        request.player.id,
        request.now,
        ident,
        title,
        text,
        pledge=commitments.facts(pledge),
    )
    # An Answer and not a Refusal, which would roll back the new commitment.
    accept = (say("to fight"), say("ACCEPT {number}", number=number))
    others = offer.names_besides(request.player.id)
    return Answer(False, changed, blocks=(committed(pledge),), taps=(accept,), others=others)


def _close(request: Request, offer: OfferedBattle, why: Said) -> Answer:
    """Close a challenge whose set-up the rules no longer allow, and notify its other players."""
    number = offer.number
    offers.end(request.ports.store, offer, "void")
    threads.close_thread(request.ports, offer, request.now, "void", why)
    title = say("Challenge {number} is closed", number=number)
    text = say(
        "Challenge {number} of {one} to {other} can't begin: {why}. It is closed.",
        number=number,
        one=listed(offer.ones),
        other=listed(offer.others),
        why=why,
    )
    ending.notify(
        request.ports, offer, request.player.id, request.now, ("void", number), title, text
    )
    # An Answer and not a Refusal, which would roll back the closing as well.
    closed = say("{why}, so challenge {number} is closed", why=why, number=number)
    others = offer.names_besides(request.player.id)
    return Answer(False, closed, say("the others are told; challenge them again"), others=others)


def decline(request: Request, match: Match[str]) -> Answer:
    """Decline a challenge, even after having accepted it, and notify the others.

    Who has a seat of an open challenge leaves the seat to somebody else.
    """
    player = request.player.id
    theirs = [
        offer
        for offer in offers.waiting(request.ports.store, request.player)
        if not offer.made_by(player)
    ]
    waiting = [offer for offer in theirs if offer.awaits(player)]
    # Without a number, a challenge that waits for an answer is meant before one that was accepted.
    offer = _chosen(request, match["number"], theirs if match["number"] else waiting or theirs)
    ending.decline(request.ports, offer, offer.of(player)[0], request.now)
    number, one = offer.number, offer.ones[0].name
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
    title, others = say("Challenge {number} declined", number=number), offer.names_besides(player)
    posted = threads.stands_in(request, offer) and not offer.to_anybody
    return Answer(True, text, title=title, others=others, separate=posted)


def withdraw(request: Request, match: Match[str]) -> Answer:
    """Withdraw the player's own challenge."""
    own_ones = [
        offer
        for offer in offers.waiting(request.ports.store, request.player)
        if offer.made_by(request.player.id)
    ]
    offer = _chosen(request, match["number"], own_ones)
    ending.withdraw(request.ports, offer, request.now)
    number, other = offer.number, offer.opponents
    text = say("your challenge {number} to {other} is withdrawn", number=number, other=other)
    title = say("Challenge {number} withdrawn", number=number)
    others = offer.names_besides(request.player.id)
    posted = threads.stands_in(request, offer)
    return Answer(True, text, title=title, others=others, separate=posted)
