"""ACCEPT, DECLINE and WITHDRAW: how players answer a challenge."""

import json
from re import Match

from engine.i18n import Said, say
from engine.names import match_name
from pbem.games import commitments
from pbem.games.challenges import Offer, listed
from pbem.games.persona_rules import piece_of
from pbem.games.referee import Entrant
from pbem.handlers import challenge_threads, ended_challenges, new_challenges
from pbem.handlers.challenge_checks import (
    bar,
    chosen,
    is_friendly,
    objection,
    offers,
    words_by_seat,
)
from pbem.handlers.open_challenges import take, takeable
from pbem.handlers.request import Answer, Refusal, Request, refuse_if


def accept(request: Request, match: Match[str]) -> Answer:
    """Accept a challenge; once all have, the battle begins, and all get its first letter."""
    store, player = request.ports.store, request.player.id
    waiting = [offer for offer in offers(request) if offer.awaits(player)]
    # An open challenge needs its number: ACCEPT alone may be meant for another.
    offer = chosen(request, match["number"], waiting + takeable(request, match["number"]))
    if offer.to_anybody:
        return _take_seat(request, take(request, offer, match["one"]))
    _names_its_own(offer, player, match["one"])
    # Checked again: pilots may have entered other battles, or changed, since the challenge.
    refuse_if(
        bar(request.ports, offer.teams, request.now),
        say("the challenge stays open, and can be accepted later"),
    )
    # What bars a battle may pass, but what the rules refuse stays so: the challenge is closed.
    if (refused := objection(offer.teams)) is not None:
        return _close(request, offer, refused)
    setup = new_challenges.setup_now(offer)
    if not commitments.covers(store.pledges.get(offer.challenge.pledge_id), setup):
        return new_challenges.renew(request, offer, setup)
    # A duel has no summons: the other player's ACCEPT begins it at once.
    for row in offer.of(player):
        store.summons.change_all(
            {"challenge_id": offer.challenge.id, "persona_id": row.id},
            accepted=True,
            words=json.dumps(request.words),
        )
    # `offer` was read before this ACCEPT was recorded.
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
            title=say("Challenge {number} accepted", number=offer.challenge.id),
            others=offer.names_besides(player),
        )
    return _begin(request, offer, setup)


def _take_seat(request: Request, offer: Offer) -> Answer:
    """Begin an open challenge that the player has taken a seat of, once all seats are taken."""
    if not offer.to_anybody or len(offer.pilots) >= offer.seats:
        return _begin(request, offer, new_challenges.setup_now(offer))
    return Answer(
        True,
        say(
            "you have a seat in challenge {number}, with {others}; it begins when {seats} have"
            " theirs",
            number=offer.challenge.id,
            others=listed(row for row in offer.pilots if row.player_id != request.player.id),
            seats=offer.seats,
        ),
        title=say("Challenge {number}: you have a seat", number=offer.challenge.id),
        others=offer.names_besides(request.player.id),
    )


def _names_its_own(offer: Offer, player: int, name: str | None) -> None:
    """Raise Refusal where ACCEPT names a pilot who was not challenged."""
    if name is not None and match_name(name, offer.names_of(player)) is None:
        number, pilots = offer.challenge.id, listed(offer.of(player))
        raise Refusal(
            say("challenge {number} is to {pilots}", number=number, pilots=pilots),
            say("ACCEPT {number}", number=number),
        )


def _close(request: Request, offer: Offer, why: Said) -> Answer:
    """Close a challenge whose set-up the rules no longer allow, and notify its other players."""
    number = offer.challenge.id
    request.ports.store.challenges.change(number, state="void")
    challenge_threads.close_thread(request.ports, offer, request.now, "void", why)
    title = say("Challenge {number} is closed", number=number)
    text = say(
        "Challenge {number} of {one} to {other} can't begin: {why}. It is closed.",
        number=number,
        one=listed(offer.ones),
        other=listed(offer.others),
        why=why,
    )
    ended_challenges.notify(
        request.ports, offer, request.player.id, request.now, ("void", number), title, text
    )
    # An Answer and not a Refusal, which would roll back the closing as well.
    closed = say("{why}, so challenge {number} is closed", why=why, number=number)
    others = offer.names_besides(request.player.id)
    return Answer(False, closed, say("the others are told; challenge them again"), others=others)


def _begin(request: Request, offer: Offer, setup: dict[str, object]) -> Answer:
    ports, found = request.ports, offer.challenge
    ports.store.challenges.change(found.id, state="accepted")
    # In a duel no row holds the words of the one who accepts, because there is no summons.
    words = words_by_seat(ports.store, offer) | dict.fromkeys(
        offer.names_of(request.player.id), request.words
    )
    entrants = [Entrant(row, piece_of(row), words[row.name]) for row in offer.pilots]
    # Where the letter holds nothing else, the first report is the reply to it.
    answering = (request.player.id, request.letter.message_id) if request.bare else None
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
        others=offer.names_besides(request.player.id),
    )


def decline(request: Request, match: Match[str]) -> Answer:
    """Decline a challenge, even after having accepted it, and notify the others.

    Who has a seat of an open challenge leaves the seat to somebody else.
    """
    player = request.player.id
    theirs = [offer for offer in offers(request) if not offer.made_by(player)]
    waiting = [offer for offer in theirs if offer.awaits(player)]
    # Without a number, a challenge that waits for an answer is meant before one that was accepted.
    offer = chosen(request, match["number"], theirs if match["number"] else waiting or theirs)
    ended_challenges.decline(request.ports, offer, offer.of(player)[0], request.now)
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
    title, others = say("Challenge {number} declined", number=number), offer.names_besides(player)
    posted = challenge_threads.stands_in(request, offer) and not offer.to_anybody
    return Answer(True, text, title=title, others=others, separate=posted)


def withdraw(request: Request, match: Match[str]) -> Answer:
    """Withdraw the player's own challenge."""
    own_ones = [offer for offer in offers(request) if offer.made_by(request.player.id)]
    offer = chosen(request, match["number"], own_ones)
    ended_challenges.withdraw(request.ports, offer, request.now)
    number, other = offer.challenge.id, offer.opponents
    text = say("your challenge {number} to {other} is withdrawn", number=number, other=other)
    title = say("Challenge {number} withdrawn", number=number)
    others = offer.names_besides(request.player.id)
    posted = challenge_threads.stands_in(request, offer)
    return Answer(True, text, title=title, others=others, separate=posted)
