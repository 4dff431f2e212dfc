"""GM BAN, UNBAN and MERGE: whose letters are only kept, and two accounts of one person."""

from itertools import permutations, product
from re import Match

from engine.i18n import say
from engine.names import unquote
from engine.seats import Seat
from pbem.games import offers
from pbem.games.persona_rules import campaign_of, is_gone, piece_of
from pbem.games.session import Session
from pbem.handlers.offers.ending import clear
from pbem.handlers.request import Refusal, refuse_if
from pbem.handlers.ruling_request import RulingRequest, is_moderator, log, player_named
from pbem.people import bans, merging, personas, players
from pbem.storage import Game, Persona, Player, Store, stored_games


def ban(request: RulingRequest, match: Match[str]) -> str:
    """Ban a player by name, pilot or address, or an address that does not belong to a player."""
    store, who = request.ports.store, unquote(match["who"])
    player = player_named(store, who)
    if player is None:
        address = _address(who, "BAN")
        if bans.is_banned(store, address):
            raise Refusal(say("{who} is banned already", who=who))
        bans.ban(store, address, request.now)
        return say("letters from {who} are filed from now on, and nothing in them is done", who=who)
    if player.banned:
        raise Refusal(say("{who} is banned already", who=player.name))
    # The moderator's own letters would be filed too, and no GM UNBAN could come.
    if is_moderator(request.ports, player):
        raise Refusal(say("that is your own address"))
    players.change(store, player.id, banned=True)
    _notice(request, player, banned=True)
    games = _let_go(request, player)
    text = say("{who} is banned", who=player.name)
    return say("{text}; places are open in game {games}", text=text, games=games) if games else text


def unban(request: RulingRequest, match: Match[str]) -> str:
    """Lift a ban. Places that were opened and challenges that were closed by it stay so."""
    store, who = request.ports.store, unquote(match["who"])
    player = player_named(store, who)
    if player is None:
        if not bans.lift(store, _address(who, "UNBAN")):
            raise Refusal(say("{who} is not banned", who=who))
        return say("letters from {who} are read again", who=who)
    if not player.banned:
        raise Refusal(say("{who} is not banned", who=player.name))
    players.change(store, player.id, banned=False)
    _notice(request, player, banned=False)
    return say("{who} is banned no more", who=player.name)


def _address(who: str, ruling: str) -> str:
    if "@" not in who:
        raise Refusal(
            say("nobody is called {who}, and it is not an address", who=who),
            f"GM {ruling} Kestrel; GM {ruling} someone@host.example",
        )
    return who.lower()


def _let_go(request: RulingRequest, player: Player) -> list[int]:
    """Open a banned player's places to others, and close their pilots' challenges and patrols.

    Return the numbers of the games with an open place.
    """
    ports, opened = request.ports, []
    for place in stored_games.places_of(ports.store, player.id):
        game = ports.store.get(Game, place.game_id)
        if not game.practice and not place.vacant and place.left is None:
            ports.referee.seating.open(game, place, request.now)
            log(request, game, say("the place of {seat} is open", seat=place.seat))
            opened.append(game.id)
    for row in ports.store.of_player(Persona, player.id):
        # Nobody can play against somebody whose letters are not read.
        clear(ports, row, request.now)
    return opened


def _notice(request: RulingRequest, player: Player, *, banned: bool) -> None:
    """Notify a player that their letters are no longer acted on, or are again."""
    request.ports.outbox.write(
        player,
        "banned",
        request.now,
        # With the time: a player may be banned more than once.
        ident=(request.now.isoformat(), banned),
        # The later one takes the place of one that waits, so they never arrive in the wrong order.
        slot=f"ban/{player.id}",
        banned=banned,
        why=request.why,
        moderator=request.ports.settings.league.moderator,
    )


def merge(request: RulingRequest, match: Match[str]) -> str:
    """Move a player's pilots, places and addresses to another player, who is the same person."""
    store = request.ports.store
    gone, kept = (_one_player(request, match[name]) for name in ("one", "other"))
    if gone.id == kept.id:
        raise Refusal(say("that is one player already: {name}", name=kept.name))
    _not_against_themselves(request, gone, kept)
    _room_for_all(store, gone, kept)
    for player in (gone, kept):
        _tell_of_merger(request, player, gone, kept)
    merging.merge(store, gone, kept, request.now)
    return say(
        "{one} and {other} are one player now: {other}; both addresses are told",
        one=gone.name,
        other=kept.name,
    )


def _one_player(request: RulingRequest, written: str) -> Player:
    """Return a confirmed player by number, name, pilot or address.

    Raise Refusal if there is none.
    """
    name = unquote(written)
    found = player_named(request.ports.store, name)
    if found is None or not found.confirmed:
        raise Refusal(
            say("there is no player {name}", name=name),
            say("name each by player's name, pilot, address or number"),
        )
    return found


def _not_against_themselves(request: RulingRequest, gone: Player, kept: Player) -> None:
    """Raise Refusal where the player would then face themselves in a battle or a challenge."""
    store = request.ports.store
    own, others = (stored_games.places_of(store, one.id) for one in (gone, kept))
    for place, other in product(own, others):
        if place.game_id == other.game_id:
            session = Session(store, store.get(Game, place.game_id))
            sides = {session.rules.side(session.state, Seat(p.seat)) for p in (place, other)}
            if len(sides) > 1:
                raise Refusal(
                    say("they fight each other in game {game}", game=place.game_id),
                    say("end it first: GM DRAW {game}", game=place.game_id),
                )
    for one in offers.open_of(store, [gone.id]):
        # In one team they may stay: a player may lead several pilots of a side.
        teams = [{row.player_id for row in team} for team in one.teams]
        if any(gone.id in team and kept.id in other for team, other in permutations(teams, 2)):
            raise Refusal(say("they have an open challenge: number {number}", number=one.number))


def _room_for_all(store: Store, gone: Player, kept: Player) -> None:
    """Raise Refusal where one player may not have all these pilots at once (SP-2)."""
    rows: list[Persona] = personas.of(store, kept.id)
    for row in personas.of(store, gone.id):
        if not is_gone(row):
            same = [piece_of(other) for other in rows if other.system == row.system]
            refuse_if(campaign_of(row).crowded(same, piece_of(row)))
        rows.append(row)


def _tell_of_merger(request: RulingRequest, player: Player, gone: Player, kept: Player) -> None:
    # The first too: if they are two people after all, nobody else would tell them.
    request.ports.outbox.write(
        player,
        "notice",
        request.now,
        ident=("merged", gone.id, kept.id),
        title=say("Your two names are one"),
        text=say(
            "the moderator has put the players {one} and {other} together, for both are you."
            " Battles, addresses and all else are those of {other} now; letters go to the address"
            " that {other} had, and the key of {other} is the one that counts. If that is wrong,"
            " write to the moderator in person{where}.",
            one=gone.name,
            other=kept.name,
            where=_at(request),
        ),
    )


def _at(request: RulingRequest) -> str:
    address = request.ports.settings.league.moderator
    return say(", at {address}", address=address) if address else ""
