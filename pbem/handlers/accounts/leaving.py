"""LEAVE LEAGUE: asked for, confirmed by a reply, and then all personal data is erased."""

from datetime import datetime
from re import Match

from engine.seats import Seat
from pbem.games.persona_rules import campaign_of, is_over, piece_of
from pbem.games.reports.battle_account import LEFT
from pbem.games.session import Session
from pbem.handlers.accounts import account_safeguards
from pbem.handlers.names.own_pilots_and_places import refusing
from pbem.handlers.offers.ending import clear
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Request
from pbem.outgoing.outbox import Reply
from pbem.outgoing.questions import ASKED
from pbem.people import bans, career_log, erasing, players, tokens
from pbem.storage import FAREWELL, Game, Letter, Persona, Player, stored_games

DAYS = 7
"""How many days a player has to confirm it."""
WORDS = "LEAVE LEAGUE"


def leave(request: Request, match: Match[str]) -> Answer:
    """Let a player leave who has confirmed it; ask anybody else, and do nothing else yet."""
    if request.confirmed == "mailbox":
        _depart(request.ports, request.player, request.letter, request.now)
        return Answer(True, "", separate=True)
    ask(request.ports, request.player, request.letter, request.now)
    return Answer(True, "", separate=True)


def ask(ports: Ports, player: Player, letter: Letter, now: datetime) -> None:
    """Write to a player what leaving means, and how to confirm it.

    A recently added address may be a thief's, so the letter goes to the one before it.
    """
    address = account_safeguards.settled(ports.store, player, now)
    ports.outbox.write(
        player.changed(address=address),
        "leaving",
        now,
        ident=(letter.sha256,),
        reply=Reply(ASKED, question=WORDS, days=DAYS),
        answering=letter.message_id,
        games=[place.game_id for place in stored_games.places_of(ports.store, player.id)],
        days=DAYS,
    )


def _depart(ports: Ports, player: Player, letter: Letter, now: datetime) -> None:
    """Erase a player, and send a farewell that is itself erased once it is sent."""
    erase(ports, player, now)
    # `player` is the row as it was: the erased one has no address any more.
    ports.outbox.write(player, FAREWELL, now, ident=(letter.sha256,), answering=letter.message_id)
    tokens.forget_all(ports.store, player.id)


def erase(ports: Ports, player: Player, now: datetime) -> None:
    """Forfeit a player's battles (SP-29), strike off their pilots, and erase their personal data.

    A pilot that is out of its battle has nothing to forfeit. Pilots that the player had taken over
    go back to their owners. A ban stays in force: a hash of each address is kept, by which the
    address is recognized.

    Raises Refusal where a battle can't be forfeited.
    """
    store = ports.store
    for place in stored_games.places_of(store, player.id):
        session = Session(store, store.get(Game, place.game_id))
        owner = store.get(Player, session.owners[place.persona_id])
        # The place was only taken over: its pilot goes on fighting for its owner.
        if owner.id != player.id and owner.confirmed:
            ports.referee.seating.hand_over(session.game, place, owner, None, now)
        elif not session.over and session.active(Seat(place.seat)):
            # Its reports say that the player left; nobody has ruled that.
            with refusing():
                ports.referee.rule(session, f"FORFEIT {place.seat}", now, LEFT)
    for row in store.of_player(Persona, player.id):
        if not is_over(row):
            # Struck off, not removed: its battles are reported under its name (decision 0021).
            career_log.enter(store, row, campaign_of(row).resign(piece_of(row)), now)
        clear(ports, row, now)
    if player.banned:
        for address in players.addresses(store, player):
            # The address itself is personal data, and erased; a hash is enough to know it again.
            bans.ban(store, address, now, veiled=True)
    erasing.erase(store, player)
