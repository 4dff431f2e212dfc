"""CHALLENGE, ACCEPT, DECLINE and WITHDRAW: how a battle comes about."""

import json
from datetime import datetime
from re import Match
from typing import TYPE_CHECKING

from engine.said import Said, say
from pbem.games import pledges, turnout
from pbem.games.referee import Entrant
from pbem.games.session import career_of, piece_of
from pbem.league.offers import (
    Offer,
    bar,
    busy,
    chosen,
    is_friendly,
    listed,
    objection,
    offer_of,
    offers,
    often,
    open_to,
    setup_of,
    words_by_seat,
)
from pbem.league.own import anybody, called, own
from pbem.league.visit import Answer, Refusal, Visit
from pbem.store import Challenge, Persona, Pledge

if TYPE_CHECKING:
    from pbem.office import Office

FIRST = {"ME": "one", "THEM": "other", "ROLL": "", None: ""}
"""What FIRST says, as the books keep it."""

TEAM_EXAMPLE = say("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon")
_FIRST_WORDS = {
    "one": say("the challenger moves first"),
    "other": say("you move first"),
    "": say("by the dice"),
}


def only_own(visit: Visit, example: str) -> Persona:
    """Give the player's only pilot that can enter a battle now; raises Refusal."""
    mine = visit.office.store.personas.all(player=visit.player.id)
    free = [row for row in mine if not busy(visit.office, row, visit.now)]
    if len(free) != 1:
        raise Refusal(say("say with which of your {many}", many=called(visit).many), example)
    return free[0]


def challenge(visit: Visit, match: Match[str]) -> Answer:
    """Offer a duel to another player's pilot, and write to that player."""
    store = visit.office.store
    if "," in match["other"] + (match["one"] or ""):
        raise Refusal(
            say("a duel is one against one; for several write TEAM before it"), TEAM_EXAMPLE
        )
    other = anybody(visit, match["other"])
    one = own(visit, match["one"]) if match["one"] else None
    one = one or only_own(visit, say("CHALLENGE Kestrel WITH Hawk"))
    barred = bar(visit.office, [one], [other], visit.now) or objection([one], [other])
    if barred is not None:
        raise Refusal(barred)
    twins = [offer for offer in open_to(store, one) if offer.pilots == (one, other)]
    if twins:
        number = twins[0].challenge.id
        raise Refusal(say("that challenge is open already: number {number}", number=number))
    first = FIRST[match["first"].upper() if match["first"] else None]
    pledge = pledged(visit, setup_of([one], [other], first), one.system)
    made = store.challenges.add(
        system=one.system,
        pledge=pledge.id,
        words=json.dumps(visit.words),
        one=one.id,
        other=other.id,
        first=first,
        major=match["major"] is not None,
        made=visit.now,
    )
    _tell_challenged(visit, made, pledge, one, other)
    text = say(
        "challenge {number} is on its way to {other}'s player", number=made.id, other=other.name
    )
    return Answer(True, noted(visit, text, made, pledge))


def pledged(visit: Visit, setup: dict[str, object], system: str) -> Pledge:
    """Reserve the game that a challenge is to be, so that its commitment can be told with it."""
    return pledges.reserve(visit.office.store, system, pledges.battle_terms(setup), visit.now)


def noted(visit: Visit, text: Said, made: Challenge, pledge: Pledge) -> Said:
    """Say of a challenge what its dice are committed to, and whether it may not count.

    A moderator must agree to a major battle (SP-31).
    """
    if made.major:
        text = say("{text}; it is a major battle if a moderator says so", text=text)
    text = say("{text}. {committed}", text=text, committed=committed(pledge))
    much = often(visit.office, offer_of(visit.office.store, made), visit.now)
    return say("{text}. {often}", text=text, often=much) if much else text


def committed(pledge: Pledge) -> Said:
    """Say which game a battle is to be, and what its dice are committed to."""
    return say(
        "It is to be game {game}; the commitment to its dice is {commitment}",
        game=pledge.id,
        commitment=pledge.commitment,
    )


def _tell_challenged(
    visit: Visit, made: Challenge, pledge: Pledge, one: Persona, other: Persona
) -> None:
    visit.office.outbox.write(
        visit.office.store.players.get(other.player_id),
        "challenge",
        visit.now,
        ident=(made.id,),
        system=made.system,
        number=made.id,
        challenger={"pilot": one.name, "player": visit.player.name},
        sheet=career_of(one).sheet(piece_of(one)),
        reliability=turnout.reliability(
            visit.office.store, visit.office.settings.league, visit.player.id
        ),
        own=other.name,
        first=_FIRST_WORDS[made.first],
        major=made.major,
        pledge=pledges.told(pledge),
        often=often(visit.office, offer_of(visit.office.store, made), visit.now),
    )


def accept(visit: Visit, match: Match[str]) -> Answer:
    """Take up a challenge; with the last word the battle begins, and all get its first letter."""
    store, player = visit.office.store, visit.player.id
    waiting = [offer for offer in offers(visit) if offer.awaits(player)]
    offer = chosen(visit, match["number"], waiting)
    barred = bar(visit.office, offer.ones, offer.others, visit.now)
    if barred is not None:
        raise Refusal(barred)
    if (refused := objection(offer.ones, offer.others)) is not None:
        return _close(visit, offer, refused)
    setup = setup_of(offer.ones, offer.others, offer.challenge.first)
    if not pledges.covers(store.pledges.get(offer.challenge.pledge_id), setup):
        return _renew(visit, offer, setup)
    for row in offer.of(player):
        store.summons.change_all(
            {"challenge_id": offer.challenge.id, "persona_id": row.id},
            accepted=True,
            words=json.dumps(visit.words),
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
    return _begin(visit, offer, setup)


def _close(visit: Visit, offer: Offer, why: Said) -> Answer:
    """Close a challenge whose set-up the rules refuse by now, and tell its other players."""
    store, number = visit.office.store, offer.challenge.id
    store.challenges.change(number, state="void")
    for player in offer.players():
        if player != visit.player.id:
            visit.office.outbox.write(
                store.players.get(player),
                "notice",
                visit.now,
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


def _renew(visit: Visit, offer: Offer, setup: dict[str, object]) -> Answer:
    """Commit anew to a battle whose pilots have changed since the challenge, and tell everybody."""
    office, number = visit.office, offer.challenge.id
    pledge = pledged(visit, setup, offer.challenge.system)
    office.store.challenges.change(number, pledge=pledge.id)
    changed = say(
        "a pilot of challenge {number} has changed since it was made, so it is another battle."
        " {committed}",
        number=number,
        committed=committed(pledge),
    )
    for player in offer.players():
        if player != visit.player.id:
            office.outbox.write(
                office.store.players.get(player),
                "notice",
                visit.now,
                ident=("renewed", number, pledge.id),
                urgency="later",
                title=say("Challenge {number} is renewed", number=number),
                text=say("{changed}. It stands open as before.", changed=changed),
            )
    return Answer(False, changed, say("to fight, write {order}", order=f"ACCEPT {number}"))


def _begin(visit: Visit, offer: Offer, setup: dict[str, object]) -> Answer:
    office, found = visit.office, offer.challenge
    office.store.challenges.change(found.id, state="accepted")
    words = words_by_seat(office.store, offer) | dict.fromkeys(
        offer.names_of(visit.player.id), visit.words
    )
    entrants = [Entrant(row, piece_of(row), words[row.name]) for row in offer.pilots]
    answering = (visit.player.id, visit.letter.message_id) if visit.alone else None
    game = office.referee.begin(
        found.system,
        setup,
        entrants,
        visit.now,
        found.major,
        friendly=is_friendly(office, offer.ones, offer.others, visit.now),
        answering=answering,
        pledge=office.store.pledges.get(found.pledge_id),
    )
    return Answer(
        True, say("game {game} begins; its first letter follows", game=game.id), told=True
    )


def decline(visit: Visit, match: Match[str]) -> Answer:
    """Turn a challenge down, also after having accepted it, and tell all of it."""
    player = visit.player.id
    theirs = [offer for offer in offers(visit) if not offer.made_by(player)]
    waiting = [offer for offer in theirs if offer.awaits(player)]
    offer = chosen(visit, match["number"], theirs if match["number"] else waiting or theirs)
    _decline(visit.office, offer, offer.of(player)[0], visit.now)
    number, one = offer.challenge.id, offer.ones[0].name
    if offer.is_duel:
        told = say(
            "challenge {number} is declined, and {one}'s player is told", number=number, one=one
        )
    else:
        told = say("challenge {number} is declined, and its other players are told", number=number)
    return Answer(True, told)


def _decline(office: "Office", offer: Offer, by: Persona, now: datetime) -> None:
    """End a challenge for a pilot whose player would not fight."""
    found = offer.challenge
    office.store.challenges.change(found.id, state="declined")
    if not offer.is_duel:
        _call_off(office, offer, by, "declined", now)
        return
    office.outbox.write(
        office.store.players.get(offer.ones[0].player_id),
        "declined",
        now,
        urgency="later",
        ident=(found.id,),
        number=found.id,
        one=offer.ones[0].name,
        other=by.name,
    )


def _withdraw(office: "Office", offer: Offer, now: datetime) -> None:
    office.store.challenges.change(offer.challenge.id, state="withdrawn")
    if not offer.is_duel:
        _call_off(office, offer, offer.ones[0], "withdrawn", now)


def _call_off(office: "Office", offer: Offer, by: Persona, how: str, now: datetime) -> None:
    """Tell the other players of a team challenge that it is off, and by whom."""
    store = office.store
    for player in offer.players():
        if player != by.player_id:
            office.outbox.write(
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


def clear(office: "Office", row: Persona, now: datetime) -> None:
    """Take back what a pilot has offered, and decline what it was called to, and end its patrol."""
    for offer in open_to(office.store, row):
        if offer.made_by(row.player_id):
            _withdraw(office, offer, now)
        else:
            _decline(office, offer, row, now)
    office.store.patrols.change_all({"persona": row.id, "state": "open"}, state="off")


def withdraw(visit: Visit, match: Match[str]) -> Answer:
    """Take one's own challenge back."""
    own_ones = [offer for offer in offers(visit) if offer.made_by(visit.player.id)]
    offer = chosen(visit, match["number"], own_ones)
    _withdraw(visit.office, offer, visit.now)
    number, others = offer.challenge.id, listed(offer.others)
    return Answer(
        True, say("your challenge {number} to {other} is withdrawn", number=number, other=others)
    )
