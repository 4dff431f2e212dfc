"""TEAM CHALLENGE and FORMATION: battles of several pilots a side (Appendix E)."""

import json
import re
from collections.abc import Iterator, Sequence
from re import Match

from engine.said import say
from engine.seats import Seat
from engine.words import match_name, unquote
from pbem.games import pledges, turnout
from pbem.games.session import Session, career_of, piece_of
from pbem.league.challenges import FIRST, TEAM_EXAMPLE, noted, only_own, pledged
from pbem.league.offers import (
    Offer,
    bar,
    listed,
    objection,
    offer_of,
    often,
    open_to,
    setup_of,
)
from pbem.league.own import anybody, called, own_places
from pbem.league.visit import Answer, Refusal, Visit
from pbem.store import Persona

MOST = 8
"""How many pilots a team has at most, so that its letters can still be read."""

_COMMA = re.compile(r"\s*,\s*(?:(?:and|&)\s+)?", re.I)
_AND = re.compile(r"\s+(?:and|&)\s+", re.I)


def team_challenge(visit: Visit, match: Match[str]) -> Answer:
    """Offer a team battle, and write to every other player whose pilots it names."""
    others = _team(visit, match["others"])
    ones = _team(visit, match["ones"]) if match["ones"] else [only_own(visit, TEAM_EXAMPLE)]
    _check(visit, ones, others)
    store = visit.office.store
    first = FIRST[match["first"].upper() if match["first"] else None]
    pledge = pledged(visit, setup_of(ones, others, first), ones[0].system)
    made = store.challenges.add(
        system=ones[0].system,
        pledge=pledge.id,
        words=json.dumps(visit.words),
        one=ones[0].id,
        other=others[0].id,
        first=first,
        major=match["major"] is not None,
        made=visit.now,
    )
    for team, rows in (("one", ones), ("other", others)):
        for row in rows:
            accepted = row.player_id == visit.player.id
            store.summons.insert(challenge=made.id, persona=row.id, team=team, accepted=accepted)
    offer = offer_of(store, made)
    _tell(visit, offer)
    text = say(
        "team challenge {number} is on its way to the players of {pilots}",
        number=made.id,
        pilots=listed(offer.silent),
    )
    return Answer(True, noted(visit, text, made, pledge))


def _team(visit: Visit, written: str) -> list[Persona]:
    """Give the pilots of a list; raises Refusal."""
    return [anybody(visit, name) for name in _names(visit, written)]


def _names(visit: Visit, written: str) -> Iterator[str]:
    """Split `Hawk, Falcon and Finch` into names; an AND may also be part of a pilot's name."""
    store = visit.office.store
    for part in filter(None, _COMMA.split(written)):
        several, bare = _AND.split(part), unquote(part)
        if bare != part or store.persona_named(part) is None:
            yield from [bare] if bare != part else several
            continue
        if len(several) > 1 and all(store.persona_named(name) is not None for name in several):
            raise Refusal(
                say("{name} is a name, and may also be several; which is meant?", name=part),
                say(
                    'write "{name}" for the one, and {names} for the others',
                    name=part,
                    names=several,
                ),
            )
        yield part


def _check(visit: Visit, ones: Sequence[Persona], others: Sequence[Persona]) -> None:
    """Raise Refusal for teams that can't fight each other now."""
    named = [row.id for row in (*ones, *others)]
    twice = next((row for row in (*ones, *others) if named.count(row.id) > 1), None)
    if twice is not None:
        raise Refusal(say("{pilot} is named twice", pilot=twice.name), TEAM_EXAMPLE)
    if len(named) == 2:
        duel = say("CHALLENGE {other} WITH {one}", other=others[0].name, one=ones[0].name)
        raise Refusal(say("one against one is a duel"), duel)
    if max(len(ones), len(others)) > MOST:
        raise Refusal(say("a team has {most} {many} at most", most=MOST, many=called(visit).many))
    if ones[0].player_id != visit.player.id:
        raise Refusal(
            say(
                "{pilot} is not yours; name one of your own first behind WITH",
                pilot=ones[0].name,
            )
        )
    barred = bar(visit.office, ones, others, visit.now) or objection(ones, others)
    if barred is not None:
        raise Refusal(barred)
    for offer in open_to(visit.office.store, ones[0]):
        if _same(offer.ones, ones) and _same(offer.others, others):
            number = offer.challenge.id
            raise Refusal(say("that challenge is open already: number {number}", number=number))


def _same(one: Sequence[Persona], other: Sequence[Persona]) -> bool:
    return {row.id for row in one} == {row.id for row in other}


def _tell(visit: Visit, offer: Offer) -> None:
    """Write to each player whose word is needed."""
    found, store = offer.challenge, visit.office.store
    leads = {"one": offer.ones[0].name, "other": offer.others[0].name, "": ""}
    for player in dict.fromkeys(row.player_id for row in offer.silent):
        visit.office.outbox.write(
            store.players.get(player),
            "team_challenge",
            visit.now,
            ident=(found.id,),
            system=found.system,
            number=found.id,
            by=visit.player.name,
            own=listed(offer.of(player)),
            teams=[[_line(visit, row) for row in team] for team in (offer.ones, offer.others)],
            first=leads[found.first],
            major=found.major,
            pledge=pledges.told(store.pledges.get(found.pledge_id)),
            often=often(visit.office, offer, visit.now),
        )


def _line(visit: Visit, row: Persona) -> dict[str, object]:
    """Give a pilot of a team as facts."""
    store, league = visit.office.store, visit.office.settings.league
    return {
        "name": row.name,
        "player": store.players.get(row.player_id).name,
        "reliability": turnout.reliability(store, league, row.player_id),
        "system": row.system,
        "sheet": career_of(row).sheet(piece_of(row)),
        "bar": "",
    }


def formation(visit: Visit, match: Match[str]) -> Answer:
    """Set the order in which a team acts, on its captain's word; who is left out acts last."""
    places = own_places(visit, match["number"])
    session = Session(visit.office.store, visit.office.store.games.get(places[0].game_id))
    captain = _captain(session, [Seat(place.seat) for place in places])
    team = session.team(captain)
    order = [_mate(name, team) for name in _names(visit, match["names"])]
    if len({*order}) < len(order):
        raise Refusal(say("a name stands there twice"), say("FORMATION {team}", team=team))
    order += [seat for seat in team if seat not in order]
    for number, seat in enumerate(order):
        visit.office.store.places.change(session.places[seat].id, acts=number)
    return Answer(True, say("your team acts in this order from now on: {order}", order=order))


def _captain(session: Session, mine: Sequence[Seat]) -> Seat:
    """Give the captain of a player's team, which must be theirs; raises Refusal."""
    if session.over:
        raise Refusal(say("game {game} is over", game=session.game.id))
    captain = session.captain(mine[0])
    if captain is None:
        raise Refusal(
            say(
                "{pilot} flies alone in game {game}, with no team to order",
                pilot=mine[0],
                game=session.game.id,
            )
        )
    if captain not in mine:
        raise Refusal(
            say(
                "the captain of your team is {captain}, whose player alone sets its order",
                captain=captain,
            )
        )
    return captain


def _mate(name: str, team: Sequence[Seat]) -> Seat:
    known = match_name(name, team)
    if known is None:
        raise Refusal(say("{name} is not in your team; it is {team}", name=name, team=team))
    return Seat(known)
