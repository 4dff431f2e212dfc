"""GM BAN and UNBAN: letters that are kept, and not acted on."""

from re import Match

from engine.said import say
from engine.words import unquote
from pbem import identity
from pbem.intake.addresses import mailbox_of
from pbem.league.chair import Chair, log, player_named
from pbem.league.challenges import clear
from pbem.league.visit import Refusal
from pbem.store import Player, Store


def ban(chair: Chair, match: Match[str]) -> str:
    """Ban a player, by name, pilot or address, or an address that is no player's."""
    store, who = chair.office.store, unquote(match["who"])
    player = player_named(store, who)
    if player is None:
        address = _address(who)
        if shut_out(store, address):
            raise Refusal(say("{who} is banned already", who=who))
        store.bans.insert(address=mailbox_of(address), made=chair.now)
        return say("letters from {who} are filed from now on, and nothing in them is done", who=who)
    if player.banned:
        raise Refusal(say("{who} is banned already", who=player.name))
    if chair.office.settings.league.moderator.lower() in store.addresses_of(player):
        raise Refusal(say("that is your own address"))
    store.players.change(player.id, banned=True)
    _notice(chair, player, banned=True)
    games = _let_go(chair, player)
    text = say("{who} is banned", who=player.name)
    return (
        say("{text}; places are open in games {games}", text=text, games=games) if games else text
    )


def unban(chair: Chair, match: Match[str]) -> str:
    """Take a ban back; what was done for it stays done."""
    store, who = chair.office.store, unquote(match["who"])
    player = player_named(store, who)
    if player is None:
        if not sum(store.bans.remove(address=one) for one in known_as(store, _address(who))):
            raise Refusal(say("{who} is not banned", who=who))
        return say("letters from {who} are read again", who=who)
    if not player.banned:
        raise Refusal(say("{who} is not banned", who=player.name))
    store.players.change(player.id, banned=False)
    _notice(chair, player, banned=False)
    return say("{who} is banned no more", who=player.name)


def shut_out(store: Store, address: str) -> bool:
    """Tell whether an address that is no player's is banned, or was a banned player's who left."""
    return any(store.bans.find(address=one) is not None for one in known_as(store, address))


def known_as(store: Store, address: str) -> tuple[str, ...]:
    """Give under what an address, or its mailbox, may stand among the bans."""
    mailbox = mailbox_of(address)
    return mailbox, address, *(identity.veiled(store.secret, one) for one in (mailbox, address))


def _address(who: str) -> str:
    if "@" not in who:
        raise Refusal(
            say("nobody is called {who}, and it is no address", who=who),
            "GM BAN Kestrel; GM BAN someone@host.example",
        )
    return who.lower()


def _let_go(chair: Chair, player: Player) -> list[int]:
    """Open a banned player's places to others, and take back all that waits for the player."""
    office, opened = chair.office, []
    for place in office.store.places_of(player.id):
        game = office.store.games.get(place.game_id)
        if not game.practice and not place.vacant and place.left is None:
            office.referee.seating.open(game, place, chair.now)
            log(chair, game, say("the place of {seat} is open", seat=place.seat))
            opened.append(game.id)
    for row in office.store.personas.all(player=player.id):
        clear(office, row, chair.now)
    return opened


def _notice(chair: Chair, player: Player, *, banned: bool) -> None:
    """Tell a player once that letters are not acted on any more, or are again."""
    chair.office.outbox.write(
        player, "banned", chair.now, ident=(chair.now.isoformat(), banned), banned=banned
    )
