"""CHALLENGE: others by name, one to a duel or several to a fight of each against all others."""

from collections.abc import Sequence
from re import Match

from engine import registry
from engine.i18n import say
from pbem.games import punctuality
from pbem.games.challenges import TEAMS, listed, offer_of
from pbem.games.persona_rules import campaign_of, persona_sheet
from pbem.handlers import new_challenges
from pbem.handlers.challenge_checks import (
    bar,
    objection,
    own_or_only,
    refuse_duplicate,
    refuse_unfit,
    repeated,
)
from pbem.handlers.lookup import anybody, called, own
from pbem.handlers.new_challenges import TEAM_EXAMPLE, asked
from pbem.handlers.request import Answer, Refusal, Request
from pbem.handlers.team_challenges import line, member, names_in
from pbem.storage import Persona, Player

_EXAMPLE = say("CHALLENGE Kites, Herons WITH Ravens")
_MOST_FOES = 6
_FIRST_WORDS = {
    "one": say("the challenger"),
    "other": say("you"),
    "": say("the dice decide"),
}


def challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge one to a duel, or several to a fight of each against all others."""
    names = list(names_in(request, match["other"]))
    if len(names) < 2 or "," in (match["one"] or ""):
        return _duel_with(request, match)
    one = own_or_only(request, match["one"], _EXAMPLE)
    return free_fight(request, [one, *(member(request, name, one.system) for name in names)], match)


def _duel_with(request: Request, match: Match[str]) -> Answer:
    """Challenge a pilot, or a player's only one, to a duel, and notify its player."""
    if "," in match["other"] + (match["one"] or ""):
        raise Refusal(
            say("a duel is one against one; for several write TEAM before it"), TEAM_EXAMPLE
        )
    one = own(request, match["one"]) if match["one"] else None
    # Where a player and a pilot have one name, the pilot is meant.
    named = request.ports.store.player_named(match["other"])
    if named is not None and request.ports.store.persona_named(match["other"]) is None:
        one = one or own_or_only(request, None, say("CHALLENGE Kestrel WITH Hawk"))
        return duel(request, one, _only_foe(request, one, named), match)
    other = anybody(request, match["other"])
    one = one or own_or_only(request, None, say("CHALLENGE Kestrel WITH Hawk"))
    return duel(request, one, other, match)


def _only_foe(request: Request, one: Persona, player: Player) -> Persona:
    """Return a player's only pilot that may fight one; raise Refusal for none or more than one."""
    theirs = request.ports.store.personas_of(player.id)
    fit = [
        row
        for row in theirs
        if (bar(request.ports, [[one], [row]], request.now) or objection([[one], [row]])) is None
    ]
    if len(fit) == 1:
        return fit[0]
    if not fit:
        raise Refusal(
            say(
                "{player} has {none} that may fight {pilot} now",
                player=player.name,
                none=called(request, one.system).none,
                pilot=one.name,
            ),
            say("STATUS lists whom you may challenge"),
        )
    many = called(request, one.system).many
    taps = [
        ("", say("CHALLENGE {pilot} WITH {one}", pilot=row.name, one=one.name))
        for row in fit[:_MOST_FOES]
    ]
    text = say("{player} has several {many}; say which", player=player.name, many=many)
    raise Refusal(text, taps=taps)


def duel(request: Request, one: Persona, other: Persona, match: Match[str]) -> Answer:
    """Offer a duel between two pilots, with the FIRST and the MAJOR of the order."""
    store = request.ports.store
    refuse_unfit(request.ports, [[one], [other]], request.now)
    refuse_duplicate(store, one, lambda offer: offer.pilots == (one, other))
    made = new_challenges.to_named(request, [[one], [other]], asked(request, match))
    offer, reader = offer_of(store, made), store.players.get(other.player_id)
    new_challenges.notify(
        request,
        "challenge",
        offer,
        reader,
        challenger={"pilot": one.name, "player": request.player.name},
        sheet=persona_sheet(one),
        reliability=punctuality.reliability(
            store, request.ports.settings.league, request.player.id
        ),
        own=other.name,
        first=_FIRST_WORDS[made.first],
    )
    text = say(
        "challenge {number} is on its way to {other}'s player", number=made.id, other=other.name
    )
    title = say("Challenge sent: {one} against {other}", one=one.name, other=other.name)
    return new_challenges.answer(request, text, made, title)


def free_fight(request: Request, rows: Sequence[Persona], match: Match[str]) -> Answer:
    """Offer a fight of each against all others, with the MAJOR and the terms of the order."""
    _check_free_fight(request, rows)
    store, teams = request.ports.store, [[row] for row in rows]
    # Who begins can be asked for only where there are two.
    made = new_challenges.to_named(request, teams, asked(request, match)._replace(first=""))
    # Not strict: there are names for more teams than most fights have.
    for team, row in zip(TEAMS, rows, strict=False):
        # The challenger has agreed by asking.
        accepted = row is rows[0]
        store.summons.insert(challenge=made.id, persona=row.id, team=team, accepted=accepted)
    found = offer_of(store, made)
    for row in rows[1:]:
        new_challenges.notify(
            request,
            "free_fight",
            found,
            store.players.get(row.player_id),
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
    title = say(
        "Challenge sent: {one} against {other}", one=rows[0].name, other=listed(found.silent)
    )
    return new_challenges.answer(request, text, made, title)


def _check_free_fight(request: Request, rows: Sequence[Persona]) -> None:
    """Raise Refusal where these can't fight each other now, each against all others."""
    one, nouns = rows[0], registry.nouns({rows[0].system})
    twice = repeated(rows)
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
    refuse_unfit(request.ports, teams, request.now)
    wanted = {row.id for row in rows}
    refuse_duplicate(
        request.ports.store,
        one,
        lambda open_: len(open_.teams) == len(rows) and {row.id for row in open_.pilots} == wanted,
    )
