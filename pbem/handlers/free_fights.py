"""CHALLENGE Herons, Kites WITH Ravens: fights of more than two, each a team of its own."""

import json
from collections.abc import Sequence
from re import Match

from engine import library
from engine.i18n import say
from pbem.games import commitments
from pbem.games.offers import TEAMS, Offer, lapses, listed, offer_of
from pbem.games.session import campaign_of
from pbem.handlers import offering
from pbem.handlers.along import Along, along
from pbem.handlers.offering import TEAM_EXAMPLE, noted, only_own, pledged
from pbem.handlers.own import own
from pbem.handlers.pairing import bar, objection, often, refuse_twin, setup_of, terms_of
from pbem.handlers.request import Answer, Refusal, Request
from pbem.handlers.teams import line, member, names_in
from pbem.storage import Persona

_EXAMPLE = say("CHALLENGE Kites, Herons WITH Ravens")


def challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge one to a duel, or several to a fight of each against all others."""
    names = list(names_in(request, match["other"]))
    if len(names) < 2 or "," in (match["one"] or ""):
        return offering.challenge(request, match)
    one = own(request, match["one"]) if match["one"] else only_own(request, _EXAMPLE)
    return offer(request, [one, *(member(request, name, one.system) for name in names)], match)


def offer(request: Request, rows: Sequence[Persona], match: Match[str]) -> Answer:
    """Offer a fight of each against all others, by what the order says of MAJOR and terms."""
    _check(request, rows)
    store, one, teams = request.ports.store, rows[0], [[row] for row in rows]
    pledge = pledged(request, setup_of(teams, "", terms_of(match)), one.system)
    made = store.challenges.add(
        system=one.system,
        pledge=pledge.id,
        words=json.dumps(request.words),
        one=one.id,
        other=rows[1].id,
        major=match["major"] is not None,
        terms=terms_of(match),
        made=request.now,
    )
    for team, row in zip(TEAMS, rows, strict=False):
        accepted = row is one
        store.summons.insert(challenge=made.id, persona=row.id, team=team, accepted=accepted)
    found = offer_of(store, made)
    words = along(request, found.players())
    for row in rows[1:]:
        _tell(request, found, row, words)
    text = say(
        "challenge {number} is on its way to the players of {pilots}",
        number=made.id,
        pilots=listed(found.silent),
    )
    return Answer(True, noted(request, words.noted(store, text), made, pledge))


def _check(request: Request, rows: Sequence[Persona]) -> None:
    """Raise Refusal where these can't fight each other now, each against all others."""
    one, nouns = rows[0], library.nouns({rows[0].system})
    twice = next((row for n, row in enumerate(rows) if row in rows[:n]), None)
    if twice is not None:
        raise Refusal(say("{pilot} is named twice", pilot=twice.name), _EXAMPLE)
    free = campaign_of(one).free_for_all
    if free is None:
        raise Refusal(
            say("a duel is one against one; for several write TEAM before it"), TEAM_EXAMPLE
        )
    if len(rows) > free.most:
        raise Refusal(
            say(
                "at most {most} {many} fight each other, and you name {count}",
                most=free.most,
                many=nouns.many,
                count=len(rows),
            ),
            _EXAMPLE,
        )
    teams = [[row] for row in rows]
    barred = bar(request.ports, teams, request.now) or objection(teams)
    if barred is not None:
        raise Refusal(barred)
    wanted = {row.id for row in rows}
    refuse_twin(
        request.ports.store,
        one,
        lambda open_: len(open_.teams) == len(rows) and {row.id for row in open_.pilots} == wanted,
    )


def _tell(request: Request, found: Offer, row: Persona, words: Along) -> None:
    """Notify the player of one who must still accept."""
    ports, made = request.ports, found.challenge
    reader = ports.store.players.get(row.player_id)
    ports.outbox.write(
        reader,
        "free_fight",
        request.now,
        ident=(made.id,),
        system=made.system,
        number=made.id,
        by=request.player.name,
        own=row.name,
        names=[other.name for other in found.pilots],
        pilots=[line(request, other) for other in found.pilots],
        major=made.major,
        terms=made.terms,
        pledge=commitments.facts(ports.store.pledges.get(made.pledge_id)),
        often=often(ports, found, request.now),
        until=ports.reports.moment(lapses(ports.store, ports.settings.league, found), reader),
        said=words.to(reader.id, request.player.id),
    )
