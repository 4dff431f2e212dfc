"""How the battle of an offer begins, with its set-up as its pilots are now."""

import json
from collections.abc import Mapping
from datetime import datetime

from engine import fair_dice
from engine.dice import KeyedDice
from engine.fair_dice import Words
from engine.i18n import say
from pbem.games import commitments, offers
from pbem.games.offers import OfferedBattle
from pbem.games.persona_rules import campaign_of, piece_of
from pbem.games.referee import Entrant
from pbem.games.session import game_id
from pbem.handlers.names.doctrines import given
from pbem.handlers.offers import threads
from pbem.handlers.offers.checks import is_friendly, setup_of
from pbem.handlers.offers.live_rooms import is_room
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Request
from pbem.storage import Game, Persona, Pledge


def setup_now(offer: OfferedBattle) -> dict[str, object]:
    """Return the set-up of an offered battle as its pilots are now."""
    return setup_of(offer.teams, offer.row.first, offer.row.terms)


def current(ports: Ports, offer: OfferedBattle, now: datetime) -> OfferedBattle:
    """Return an offer with a new commitment where the rules are newer than the one that it has."""
    pledge = ports.store.get(Pledge, offer.row.pledge_id)
    if commitments.is_current(pledge):
        return offer
    terms = json.loads(pledge.terms)
    renewed = commitments.reserve(ports.store, offer.row.system, terms, now)
    return threads.move_thread(ports, offer, renewed, now)


def take_seat(
    request: Request, offer: OfferedBattle, row: Persona, doctrine: str | None
) -> OfferedBattle:
    """Seat a player's pilot, who begins with a doctrine or without, on a free seat of an offer.

    Return the offer as it is then.
    """
    ports, now = request.ports, request.now
    standing = given(request, [row], doctrine)[row.id]
    return offers.take_seat(ports.store, current(ports, offer, now), row, request.words, standing)


def begin(
    ports: Ports,
    offer: OfferedBattle,
    setup: dict[str, object],
    now: datetime,
    bots: str = "",
    answering: tuple[int, str] | None = None,
) -> Game:
    """Begin the battle of an offer; its seats that nobody has are played by bots.

    `answering` is a player, and the Message-ID of the letter that the first report answers.
    """
    offers.end(ports.store, offer, "begun")
    return ports.referee.begin(
        offer.row.system,
        setup,
        [
            Entrant(row, piece_of(row), offer.words[row.name], offer.standing[row.name])
            for row in offer.pilots
        ],
        now,
        offer.row.major,
        bots=bots,
        friendly=is_friendly(ports, offer.ones, offer.others, now),
        answering=answering,
        pledge=ports.store.get(Pledge, offer.row.pledge_id),
        room=(offer.row.channel, offer.row.terms) if is_room(ports, offer.row.channel) else None,
    )


def against_bot(
    row: Persona, game: int, secret: bytes, words: Mapping[str, Words]
) -> dict[str, object]:
    """Return the set-up of a duel of a pilot with a bot, which comes from the game's own secret."""
    # So that the bot can be checked afterwards, too.
    whims = KeyedDice(fair_dice.sparring(secret, game_id(game), words))
    campaign, piece = campaign_of(row), piece_of(row)
    return campaign.melee((piece,), (campaign.sparring(piece, whims),), None)


def begin_for(request: Request, offer: OfferedBattle, done: str = "") -> Answer:
    """Begin a battle by a player's order; `done` is what the order did before, if anything."""
    # Where the letter holds nothing else, the first report is the reply to it.
    answering = (request.player.id, request.letter.message_id) if request.bare else None
    setup = setup_now(offer)
    game = begin(request.ports, offer, setup, request.now, answering=answering)
    text = begins(game)
    if done:
        text = say(
            "{done}: game {game} begins; a letter of its own says what you may order",
            done=done,
            game=game.id,
        )
    others = offer.names_besides(request.player.id)
    return Answer(True, text, separate=True, others=others)


def begins(game: Game) -> str:
    """Return the sentence that a battle begins."""
    return say("game {game} begins; a letter of its own says what you may order", game=game.id)
