"""What all challenges share: the record of one, the letters to those it names, and its answer."""

import json
from collections.abc import Sequence
from re import Match
from typing import Any, NamedTuple

from engine.i18n import Said, say
from pbem.games import commitments
from pbem.games.challenges import Offer, lapses, offer_of
from pbem.games.commitments import Terms
from pbem.handlers.challenge_words import ChallengeWords
from pbem.handlers.pairing import often, setup_of, terms_of
from pbem.handlers.request import Request
from pbem.storage import Challenge, Persona, Player, Pledge

_FIRST = {"ME": "one", "THEM": "other", "ROLL": "", None: ""}
"""The words after FIRST, with the value that the database keeps for each."""

TEAM_EXAMPLE = say("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon")


class Asked(NamedTuple):
    """What a challenge asks for: who begins, whether it is to be major, and a system's terms."""

    first: str = ""
    major: bool = False
    terms: str = ""


NOTHING_ASKED = Asked()


def asked(match: Match[str]) -> Asked:
    """Return what the words of a challenge ask for."""
    first = _FIRST[match["first"].upper() if match["first"] else None]
    return Asked(first, match["major"] is not None, terms_of(match))


def to_named(
    request: Request, teams: Sequence[Sequence[Persona]], asked: Asked = NOTHING_ASKED
) -> Challenge:
    """Record a challenge of the first team's first pilot to others by name.

    Raise Refusal for terms that the rules refuse.
    """
    terms = commitments.battle_terms(setup_of(teams, asked.first, asked.terms))
    return _add(request, teams[0][0], teams[1][0], terms, asked)


def to_anybody(request: Request, one: Persona, asked: Asked) -> Challenge:
    """Record a challenge of a pilot to whoever takes it."""
    # As for a patrol, only who waits can be committed to.
    return _add(request, one, one, commitments.patrol_terms(one.name), asked)


def _add(request: Request, one: Persona, other: Persona, terms: Terms, asked: Asked) -> Challenge:
    # The game is reserved at once, so that its commitment is known from the start.
    store = request.ports.store
    pledge = commitments.reserve(store, one.system, terms, request.now)
    return store.challenges.add(
        system=one.system,
        pledge=pledge.id,
        words=json.dumps(request.words),
        one=one.id,
        other=other.id,
        made=request.now,
        **asked._asdict(),
    )


def notify(
    request: Request, letter: str, offer: Offer, reader: Player, words: ChallengeWords, **facts: Any
) -> None:
    """Write to a player whose pilots a challenge names; `facts` are what its kind of letter adds.

    `words` are what the challenger wrote along with it.
    """
    ports, made = request.ports, offer.challenge
    ports.outbox.write(
        reader,
        letter,
        request.now,
        ident=(made.id,),
        system=made.system,
        number=made.id,
        major=made.major,
        terms=made.terms,
        pledge=commitments.facts(ports.store.pledges.get(made.pledge_id)),
        often=often(ports, offer, request.now),
        until=ports.reports.moment(lapses(ports.store, ports.settings.league, offer), reader),
        said=words.to(reader.id, request.player.id),
        **facts,
    )


def noted(request: Request, text: Said, made: Challenge) -> Said:
    """Return a challenge's answer with the commitment to its dice, and any reason not to count.

    A moderator must agree to a major battle (SP-31).
    """
    if made.major:
        text = say("{text}; it is a major battle if the moderator agrees", text=text)
    pledge = request.ports.store.pledges.get(made.pledge_id)
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
