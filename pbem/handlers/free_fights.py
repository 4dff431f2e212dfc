"""CHALLENGE Herons, Kites WITH Ravens: fights of more than two, each a team of its own."""

from collections.abc import Sequence
from re import Match

from engine import registry
from engine.i18n import say
from pbem.games.challenges import TEAMS, listed, offer_of
from pbem.games.personas import campaign_of
from pbem.handlers import duels, new_challenges
from pbem.handlers.challenge_words import words_with
from pbem.handlers.new_challenges import TEAM_EXAMPLE, asked
from pbem.handlers.pairing import bar, objection, own_or_only, refuse_twin
from pbem.handlers.request import Answer, Refusal, Request
from pbem.handlers.teams import line, member, names_in
from pbem.storage import Persona

_EXAMPLE = say("CHALLENGE Kites, Herons WITH Ravens")


def challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge one to a duel, or several to a fight of each against all others."""
    names = list(names_in(request, match["other"]))
    if len(names) < 2 or "," in (match["one"] or ""):
        return duels.challenge(request, match)
    one = own_or_only(request, match["one"], _EXAMPLE)
    return offer(request, [one, *(member(request, name, one.system) for name in names)], match)


def offer(request: Request, rows: Sequence[Persona], match: Match[str]) -> Answer:
    """Offer a fight of each against all others, by what the order says of MAJOR and terms."""
    _check(request, rows)
    store, teams = request.ports.store, [[row] for row in rows]
    # Who begins is told of two alone.
    made = new_challenges.to_named(request, teams, asked(match)._replace(first=""))
    for team, row in zip(TEAMS, rows, strict=False):
        accepted = row is rows[0]
        store.summons.insert(challenge=made.id, persona=row.id, team=team, accepted=accepted)
    found = offer_of(store, made)
    words = words_with(request, found.players())
    for row in rows[1:]:
        new_challenges.notify(
            request,
            "free_fight",
            found,
            store.players.get(row.player_id),
            words,
            by=request.player.name,
            own=row.name,
            names=[other.name for other in found.pilots],
            pilots=[line(request, other) for other in found.pilots],
        )
    text = say(
        "challenge {number} is on its way to the players of {pilots}",
        number=made.id,
        pilots=listed(found.silent),
    )
    return Answer(True, new_challenges.noted(request, words.noted(store, text), made))


def _check(request: Request, rows: Sequence[Persona]) -> None:
    """Raise Refusal where these can't fight each other now, each against all others."""
    one, nouns = rows[0], registry.nouns({rows[0].system})
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
