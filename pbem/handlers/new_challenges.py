"""New challenges: the record of one, the letters to those it names, the words along, its answer."""

import json
from collections.abc import Sequence
from re import Match
from typing import Any, NamedTuple

from engine.i18n import Said, say
from pbem.games import commitments, dice_receipt
from pbem.games.challenges import Offer, lapses, offer_of, open_to
from pbem.games.commitments import Terms
from pbem.handlers import challenge_threads, ended_challenges
from pbem.handlers.challenge_checks import objection, often, setup_of, terms_of
from pbem.handlers.request import Answer, Block, Refusal, Request
from pbem.outgoing.outbox import Reply
from pbem.storage import Challenge, Persona, Player, Pledge

_FIRST = {"ME": "one", "THEM": "other", "ROLL": "", None: ""}
"""The words after FIRST, with the value that the database keeps for each."""

TEAM_EXAMPLE = say("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon")


class Asked(NamedTuple):
    """What a challenge asks for: who begins, whether it is to be major, and a system's terms.

    `channel` is the board on which it is to be played, "" for none.
    """

    first: str = ""
    major: bool = False
    terms: str = ""
    channel: str = ""


def asked(request: Request, match: Match[str]) -> Asked:
    """Return what the words of a challenge ask for."""
    first = _FIRST[match["first"].upper() if match["first"] else None]
    terms = terms_of(match, request.language)
    return Asked(first, match["major"] is not None, terms, board_of(request, match))


def board_of(request: Request, match: Match[str]) -> str:
    """Return the board on which a challenge is to be played, or "".

    It is the one that the challenge names, or on which it was written, or else the league's.
    Raise Refusal where nobody plays on it.
    """
    boards = request.ports.posts.boards
    here = request.letter.channel if request.letter.channel in boards else ""
    board = (match["board"] or here or request.ports.settings.league.board).lower()
    if board and board not in boards:
        raise Refusal(
            say("nobody plays on {board} here", board=board),
            say("you can play by mail, or on one of these boards: {boards}", boards=boards)
            if boards
            else say("without ON and a board it is played by mail"),
        )
    return board


def to_named(request: Request, teams: Sequence[Sequence[Persona]], asked: Asked) -> Challenge:
    """Record a challenge of the first team's first pilot to others by name.

    Raise Refusal for terms that the rules refuse.
    """
    terms = commitments.battle_terms(setup_of(teams, asked.first, asked.terms))
    return _add(request, teams[0][0], teams[1][0], terms, asked)


def to_anybody(request: Request, one: Persona, asked: Asked) -> Challenge:
    """Record a challenge of a pilot to the first who takes it."""
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


def notify(request: Request, letter: str, offer: Offer, reader: Player, **facts: Any) -> None:
    """Write to a player whose pilots a challenge names; `facts` are what that letter adds."""
    ports, made = request.ports, offer.challenge
    pledge = commitments.facts(ports.store.pledges.get(made.pledge_id))
    ports.outbox.write(
        reader,
        letter,
        request.now,
        ident=(made.id,),
        reply=Reply(question=f"ACCEPT {made.id}"),
        system=made.system,
        number=made.id,
        major=made.major,
        terms=made.terms,
        pledge=pledge,
        attachments=[dice_receipt.commitment(ports.outbox, reader, pledge)],
        often=often(ports, offer, request.now),
        until=ports.reports.moment(lapses(ports.store, ports.settings.league, offer), reader),
        **facts,
    )


def answer(request: Request, text: Said, made: Challenge, title: Said) -> Answer:
    """Open a challenge's thread, if it is for a board, and return its answer.

    It holds the commitment to the dice, and any reason not to count. A moderator must agree to a
    major battle (SP-31).
    """
    store = request.ports.store
    if made.major:
        text = say("{text}; it is a major battle if the moderator agrees", text=text)
    if made.channel:
        text = say("{text}, and stands on the board {board}", text=text, board=made.channel)
    offer = offer_of(store, made)
    challenge_threads.open_thread(request.ports, offer, request.now)
    much = often(request.ports, offer, request.now)
    text = say("{text}. {often}", text=text, often=much) if much else text
    back = (say("takes it back"), say("WITHDRAW {number}", number=made.id))
    blocks = (committed(store.pledges.get(made.pledge_id)),)
    others = offer.names_besides(request.player.id)
    return Answer(True, text, blocks=blocks, title=title, taps=(back,), others=others)


def committed(pledge: Pledge) -> Block:
    """Return the block with the number that a battle will have and the commitment to its dice."""
    return {"kind": "pledge", "pledge": commitments.facts(pledge)}


def renewed(request: Request, row: Persona) -> None:
    """Make new commitments for the open challenges of a pilot who has changed."""
    store = request.ports.store
    for offer in open_to(store, row):
        if not offer.to_anybody and objection(offer.teams) is None:
            setup = setup_now(offer)
            if not commitments.covers(store.pledges.get(offer.challenge.pledge_id), setup):
                renew(request, offer, setup)


def renew(request: Request, offer: Offer, setup: dict[str, object]) -> Answer:
    """Make a new commitment for a battle whose pilots have changed since, and notify everybody."""
    # The commitment covers the set-up. With an old one, nobody could check the dice afterwards.
    ports, number = request.ports, offer.challenge.id
    terms = commitments.battle_terms(setup)
    pledge = commitments.reserve(ports.store, offer.challenge.system, terms, request.now)
    ports.store.challenges.change(number, pledge=pledge.id)
    challenge_threads.move_thread(ports, offer, pledge, request.now)
    changed = say(
        "somebody in challenge {number} has changed since it was made, so it is another battle",
        number=number,
    )
    title = say("Challenge {number} is renewed", number=number)
    text = say("{changed}. It stands open as before.", changed=changed)
    ident = ("renewed", number, pledge.id)
    ended_challenges.notify(
        ports,
        offer,
        request.player.id,
        request.now,
        ident,
        title,
        text,
        pledge=commitments.facts(pledge),
    )
    # An Answer and not a Refusal, which would roll back the new commitment.
    accept = (say("to fight"), say("ACCEPT {number}", number=number))
    others = offer.names_besides(request.player.id)
    return Answer(False, changed, blocks=(committed(pledge),), taps=(accept,), others=others)


def setup_now(offer: Offer) -> dict[str, object]:
    """Return the set-up of an offered battle as its pilots are now."""
    found = offer.challenge
    return setup_of(offer.teams, found.first, found.terms)
