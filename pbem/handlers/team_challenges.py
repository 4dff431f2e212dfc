"""TEAM CHALLENGE and FORMATION: battles with several pilots per side (Appendix E)."""

import re
from collections.abc import Iterator, Sequence
from re import Match

from engine.i18n import say
from engine.names import match_name, unquote
from engine.seats import Seat
from pbem.games import punctuality
from pbem.games.challenges import listed, offer_of
from pbem.games.persona_rules import persona_sheet
from pbem.games.session import Session
from pbem.handlers import new_challenges
from pbem.handlers.challenge_checks import (
    busy,
    own_or_only,
    refuse_duplicate,
    refuse_unfit,
    repeated,
)
from pbem.handlers.lookup import anybody, called, own_places
from pbem.handlers.new_challenges import TEAM_EXAMPLE, asked
from pbem.handlers.request import Answer, Refusal, Request
from pbem.storage import Persona

MOST = 8
"""The most pilots in a team, so that letters stay short enough to read."""

_COMMA = re.compile(r"\s*,\s*(?:(?:and|&)\s+)?", re.I)
_AND = re.compile(r"\s+(?:and|&)\s+", re.I)


def team_challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge to a team battle, and notify every other player whose pilots it names."""
    written = list(names_in(request, match["ones"])) if match["ones"] else []
    # The first pilot is the challenger's own, and says which system is played.
    lead = anybody(request, written[0]) if written else own_or_only(request, None, TEAM_EXAMPLE)
    ones = [lead, *(member(request, name, lead.system) for name in written[1:])]
    others = [member(request, name, lead.system) for name in names_in(request, match["others"])]
    return battle(request, ones, others, match)


def battle(
    request: Request, ones: Sequence[Persona], others: Sequence[Persona], match: Match[str]
) -> Answer:
    """Offer a battle of two teams, with the FIRST and the MAJOR of the order."""
    _check(request, ones, others)
    store = request.ports.store
    made = new_challenges.to_named(request, [ones, others], asked(request, match))
    for team, rows in (("one", ones), ("other", others)):
        for row in rows:
            # The challenger has agreed by asking, for all of their own pilots.
            accepted = row.player_id == request.player.id
            store.summons.insert(challenge=made.id, persona=row.id, team=team, accepted=accepted)
    offer = offer_of(store, made)
    leads = {"one": ones[0].name, "other": others[0].name, "": ""}
    # One letter for each player, no matter how many of their pilots are named.
    for player in dict.fromkeys(row.player_id for row in offer.silent):
        new_challenges.notify(
            request,
            "team_challenge",
            offer,
            store.players.get(player),
            by=request.player.name,
            own=listed(offer.of(player)),
            teams=[[line(request, row) for row in team] for team in (ones, others)],
            first=leads[made.first],
        )
    text = say(
        "team challenge {number} is on its way to the players of {pilots}",
        number=made.id,
        pilots=listed(offer.silent),
    )
    title = say("Challenge sent: {one} against {other}", one=listed(ones), other=listed(others))
    return new_challenges.answer(request, text, made, title)


def member(request: Request, name: str, system: str) -> Persona:
    """Return the pilot of a name, or the only one of that player who may enter a battle now.

    Raise Refusal where there is none, or more than one.
    """
    store = request.ports.store
    player = store.player_named(name)
    if player is None or store.persona_named(name) is not None:
        return anybody(request, name)
    theirs = store.personas.all(player=player.id, system=system)
    free = [row for row in theirs if not busy(request.ports, row, request.now)]
    if len(free) == 1:
        return free[0]
    nouns = called(request, system)
    if not free:
        raise Refusal(
            say("{player} has {none} that may fight now", player=player.name, none=nouns.none),
            say("STATUS lists whom you may challenge"),
        )
    raise Refusal(
        say("{player} has several {many}; say which", player=player.name, many=nouns.many),
        say("write one of these instead: {names}", names=[row.name for row in free]),
    )


def names_in(request: Request, written: str) -> Iterator[str]:
    """Yield the names in `Hawk, Falcon and Finch`; an AND may also be part of a pilot's name.

    Raise Refusal where a part may be one name or several.
    """
    store = request.ports.store
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


def _check(request: Request, ones: Sequence[Persona], others: Sequence[Persona]) -> None:
    """Raise Refusal where two teams can't fight each other now."""
    named = [*ones, *others]
    twice = repeated(named)
    if twice is not None:
        raise Refusal(say("{pilot} is named twice", pilot=twice.name), TEAM_EXAMPLE)
    if len(named) == 2:
        duel = say("CHALLENGE {other} WITH {one}", other=others[0].name, one=ones[0].name)
        raise Refusal(say("one against one is a duel"), duel)
    if max(len(ones), len(others)) > MOST:
        raise Refusal(say("a team has {most} {many} at most", most=MOST, many=called(request).many))
    # The player of the first pilot is the challenger (Offer.made_by).
    if ones[0].player_id != request.player.id:
        raise Refusal(
            say(
                "{pilot} is not yours; name one of your own first behind WITH",
                pilot=ones[0].name,
            )
        )
    refuse_unfit(request.ports, [ones, others], request.now)
    refuse_duplicate(
        request.ports.store,
        ones[0],
        lambda offer: _same(offer.ones, ones) and _same(offer.others, others),
    )


def _same(one: Sequence[Persona], other: Sequence[Persona]) -> bool:
    return {row.id for row in one} == {row.id for row in other}


def line(request: Request, row: Persona) -> dict[str, object]:
    """Return a pilot of a team as facts for a template."""
    store, league = request.ports.store, request.ports.settings.league
    return {
        "name": row.name,
        "player": store.players.get(row.player_id).name,
        "reliability": punctuality.reliability(store, league, row.player_id),
        "system": row.system,
        "sheet": persona_sheet(row),
        "bar": "",
    }


def formation(request: Request, match: Match[str]) -> Answer:
    """Set the order in which a team acts, as its captain wants; pilots not named act last."""
    places = own_places(request, match["number"])
    session = Session(request.ports.store, request.ports.store.games.get(places[0].game_id))
    captain = _captain(session, [Seat(place.seat) for place in places])
    team = session.team(captain)
    order = [_mate(name, team) for name in names_in(request, match["names"])]
    if len({*order}) < len(order):
        raise Refusal(say("a name stands there twice"), say("FORMATION {team}", team=team))
    order += [seat for seat in team if seat not in order]
    for number, seat in enumerate(order):
        # The referee asks for a turn in this order (docs/rulings.md, SP-28, teams by mail).
        request.ports.store.places.change(session.places[seat].id, acts=number)
    return Answer(True, say("your team acts in this order from now on: {order}", order=order))


def _captain(session: Session, mine: Sequence[Seat]) -> Seat:
    """Return the captain of a player's team; raise Refusal where it is not the player's pilot."""
    if session.over:
        raise Refusal(say("game {game} is over", game=session.game.id))
    captain = session.captain(mine[0])
    if captain is None:
        raise Refusal(
            say(
                "{pilot} fights alone in game {game}, with no team to order",
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
