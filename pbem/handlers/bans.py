"""GM BAN and UNBAN: whose letters are kept, but not acted on."""

from re import Match

from engine.i18n import say
from engine.names import unquote
from pbem import credentials
from pbem.handlers.challenge_answers import clear
from pbem.handlers.request import Refusal
from pbem.handlers.ruling_request import RulingRequest, log, player_named
from pbem.intake.addresses import mailbox_of
from pbem.storage import Player, Store


def ban(request: RulingRequest, match: Match[str]) -> str:
    """Ban a player, named by their name, pilot or address, or an address that is no player's."""
    store, who = request.ports.store, unquote(match["who"])
    player = player_named(store, who)
    if player is None:
        address = _address(who)
        if shut_out(store, address):
            raise Refusal(say("{who} is banned already", who=who))
        store.bans.insert(address=mailbox_of(address), made=request.now)
        return say("letters from {who} are filed from now on, and nothing in them is done", who=who)
    if player.banned:
        raise Refusal(say("{who} is banned already", who=player.name))
    # The moderator's own letters would be filed too, and no GM UNBAN could come.
    if request.ports.settings.league.moderator.lower() in store.addresses_of(player):
        raise Refusal(say("that is your own address"))
    store.players.change(player.id, banned=True)
    _notice(request, player, banned=True)
    games = _let_go(request, player)
    text = say("{who} is banned", who=player.name)
    return (
        say("{text}; places are open in games {games}", text=text, games=games) if games else text
    )


def unban(request: RulingRequest, match: Match[str]) -> str:
    """Lift a ban. Places that were opened and challenges that were closed by it stay so."""
    store, who = request.ports.store, unquote(match["who"])
    player = player_named(store, who)
    if player is None:
        if not sum(store.bans.remove(address=one) for one in known_as(store, _address(who))):
            raise Refusal(say("{who} is not banned", who=who))
        return say("letters from {who} are read again", who=who)
    if not player.banned:
        raise Refusal(say("{who} is not banned", who=player.name))
    store.players.change(player.id, banned=False)
    _notice(request, player, banned=False)
    return say("{who} is banned no more", who=player.name)


def shut_out(store: Store, address: str) -> bool:
    """Return whether an address that is no player's is banned, or was that of a banned player."""
    return any(store.bans.find(address=one) is not None for one in known_as(store, address))


def known_as(store: Store, address: str) -> tuple[str, ...]:
    """Return the forms in which an address, or its mailbox, may stand in the table of bans."""
    # A banned player who left the league is kept as a hash alone, so the hashes are looked up too.
    mailbox = mailbox_of(address)
    return mailbox, address, *(credentials.veiled(store.secret, one) for one in (mailbox, address))


def _address(who: str) -> str:
    if "@" not in who:
        raise Refusal(
            say("nobody is called {who}, and it is no address", who=who),
            "GM BAN Kestrel; GM BAN someone@host.example",
        )
    return who.lower()


def _let_go(request: RulingRequest, player: Player) -> list[int]:
    """Open a banned player's places to others, and close their pilots' challenges and patrols.

    Return the numbers of the games with an open place.
    """
    ports, opened = request.ports, []
    for place in ports.store.places_of(player.id):
        game = ports.store.games.get(place.game_id)
        if not game.practice and not place.vacant and place.left is None:
            ports.referee.seating.open(game, place, request.now)
            log(request, game, say("the place of {seat} is open", seat=place.seat))
            opened.append(game.id)
    for row in ports.store.personas.all(player=player.id):
        clear(ports, row, request.now)
    return opened


def _notice(request: RulingRequest, player: Player, *, banned: bool) -> None:
    """Notify a player that their letters are no longer acted on, or are again."""
    request.ports.outbox.write(
        player,
        "banned",
        request.now,
        ident=(request.now.isoformat(), banned),
        banned=banned,
        why=request.why,
        moderator=request.ports.settings.league.moderator,
    )
