"""CHALLENGE: how a player offers a duel, and what all kinds of challenges share."""

import json
from re import Match

from engine.i18n import Said, say
from pbem.games import commitments, punctuality
from pbem.games.offers import lapses, offer_of
from pbem.games.session import campaign_of, piece_of
from pbem.handlers.along import Along, along
from pbem.handlers.own import anybody, called, own
from pbem.handlers.pairing import bar, busy, objection, often, refuse_twin, setup_of, terms_of
from pbem.handlers.request import Answer, Refusal, Request
from pbem.storage import Challenge, Persona, Player, Pledge

FIRST = {"ME": "one", "THEM": "other", "ROLL": "", None: ""}
"""The words after FIRST, with the value that the database keeps for each."""

TEAM_EXAMPLE = say("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon")
_MOST_FOES = 6
_FIRST_WORDS = {
    "one": say("the challenger"),
    "other": say("you"),
    "": say("the dice decide"),
}


def only_own(request: Request, example: str) -> Persona:
    """Return the player's only pilot that can enter a battle now.

    Raise Refusal where there is none, or more than one.
    """
    mine = request.ports.store.personas_of(request.player.id)
    free = [row for row in mine if not busy(request.ports, row, request.now)]
    if len(free) != 1:
        raise Refusal(say("say with which of your {many}", many=called(request).many), example)
    return free[0]


def challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge another player's pilot to a duel, and notify that player."""
    if "," in match["other"] + (match["one"] or ""):
        raise Refusal(
            say("a duel is one against one; for several write TEAM before it"), TEAM_EXAMPLE
        )
    one = own(request, match["one"]) if match["one"] else None
    named = request.ports.store.player_named(match["other"])
    if named is not None and request.ports.store.persona_named(match["other"]) is None:
        one = one or only_own(request, say("CHALLENGE Kestrel WITH Hawk"))
        return duel(request, one, _only_foe(request, one, named), match)
    other = anybody(request, match["other"])
    one = one or only_own(request, say("CHALLENGE Kestrel WITH Hawk"))
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
    first = FIRST[match["first"].upper() if match["first"] else None]
    pledge = pledged(request, setup_of([[one], [other]], first, terms_of(match)), one.system)
    made = store.challenges.add(
        system=one.system,
        pledge=pledge.id,
        words=json.dumps(request.words),
        one=one.id,
        other=other.id,
        first=first,
        major=match["major"] is not None,
        terms=terms_of(match),
        made=request.now,
    )
    words = along(request, [other.player_id])
    _tell_challenged(request, made, pledge, one, other, words)
    text = say(
        "challenge {number} is on its way to {other}'s player", number=made.id, other=other.name
    )
    title = say("Challenge sent: {one} against {other}", one=one.name, other=other.name)
    return Answer(True, noted(request, words.noted(store, text), made, pledge), title=title)


def pledged(request: Request, setup: dict[str, object], system: str) -> Pledge:
    """Reserve the game of a challenge, so that its commitment is known from the start."""
    return commitments.reserve(
        request.ports.store, system, commitments.battle_terms(setup), request.now
    )


def noted(request: Request, text: Said, made: Challenge, pledge: Pledge) -> Said:
    """Return a challenge's answer with the commitment to its dice, and any reason not to count.

    A moderator must agree to a major battle (SP-31).
    """
    if made.major:
        text = say("{text}; it is a major battle if the moderator agrees", text=text)
    text = say("{text}. {committed}", text=text, committed=committed(pledge))
    much = often(request.ports, offer_of(request.ports.store, made), request.now)
    return say("{text}. {often}", text=text, often=much) if much else text


def committed(pledge: Pledge) -> Said:
    """Return a sentence with the number that a battle will have and the commitment to its dice."""
    return say(
        "It is to be game {game}; the commitment to its dice is {commitment}",
        game=pledge.id,
        commitment=pledge.commitment,
    )


def _tell_challenged(
    request: Request, made: Challenge, pledge: Pledge, one: Persona, other: Persona, words: Along
) -> None:
    ports, player = request.ports, request.ports.store.players.get(other.player_id)
    offer = offer_of(ports.store, made)
    ports.outbox.write(
        player,
        "challenge",
        request.now,
        ident=(made.id,),
        system=made.system,
        number=made.id,
        challenger={"pilot": one.name, "player": request.player.name},
        sheet=campaign_of(one).sheet(piece_of(one)),
        reliability=punctuality.reliability(ports.store, ports.settings.league, request.player.id),
        own=other.name,
        first=_FIRST_WORDS[made.first],
        major=made.major,
        terms=made.terms,
        pledge=commitments.facts(pledge),
        often=often(ports, offer, request.now),
        until=ports.reports.moment(lapses(ports.store, ports.settings.league, offer), player),
        said=words.to(player.id, request.player.id),
    )
