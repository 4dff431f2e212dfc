"""CHALLENGE: how a player offers a duel."""

from re import Match

from engine.i18n import say
from pbem.games import punctuality
from pbem.games.challenges import offer_of
from pbem.games.personas import campaign_of, piece_of
from pbem.handlers import new_challenges
from pbem.handlers.challenge_words import words_with
from pbem.handlers.lookup import anybody, called, own
from pbem.handlers.new_challenges import TEAM_EXAMPLE, asked
from pbem.handlers.pairing import bar, objection, own_or_only, refuse_twin
from pbem.handlers.request import Answer, Refusal, Request
from pbem.storage import Persona, Player

_MOST_FOES = 6
_FIRST_WORDS = {
    "one": say("the challenger"),
    "other": say("you"),
    "": say("the dice decide"),
}


def challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge another player's pilot to a duel, and notify that player."""
    if "," in match["other"] + (match["one"] or ""):
        raise Refusal(
            say("a duel is one against one; for several write TEAM before it"), TEAM_EXAMPLE
        )
    one = own(request, match["one"]) if match["one"] else None
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
    """Offer a duel between two pilots, by what the order says of FIRST and MAJOR."""
    store = request.ports.store
    barred = bar(request.ports, [[one], [other]], request.now) or objection([[one], [other]])
    if barred is not None:
        raise Refusal(barred)
    refuse_twin(store, one, lambda offer: offer.pilots == (one, other))
    made = new_challenges.to_named(request, [[one], [other]], asked(match))
    offer, reader = offer_of(store, made), store.players.get(other.player_id)
    words = words_with(request, [reader.id])
    new_challenges.notify(
        request,
        "challenge",
        offer,
        reader,
        words,
        challenger={"pilot": one.name, "player": request.player.name},
        sheet=campaign_of(one).sheet(piece_of(one)),
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
    return Answer(True, new_challenges.noted(request, words.noted(store, text), made), title=title)
