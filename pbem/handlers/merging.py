"""GM MERGE: two players who turn out to be the same person."""

from itertools import product
from re import Match

from engine.i18n import say
from engine.names import fold, unquote
from engine.seats import Seat
from pbem.games.personas import campaign_of, piece_of
from pbem.games.session import Session
from pbem.handlers.request import Refusal
from pbem.handlers.ruling_request import RulingRequest, player_named
from pbem.people import erasing
from pbem.storage import Persona, Player, Store

_TAKEN_OVER = ("league", "game")
"""Kinds of tokens that the remaining player keeps. All others confirm something that the merged
player asked for, and are dropped."""
_DROPPED = ("blocks", "watches", "leaves", "bounces", "subscriptions")
"""Tables whose rows of the merged player are dropped: preferences, and the like, of which the
remaining player has their own."""


def merge(request: RulingRequest, match: Match[str]) -> str:
    """Move a player's pilots, places and addresses to another player, who is the same person."""
    store = request.ports.store
    gone, kept = (_player(request, match[name]) for name in ("one", "other"))
    if gone.id == kept.id:
        raise Refusal(say("that is one player already: {name}", name=kept.name))
    _not_against_themselves(request, gone, kept)
    _room_for_all(store, gone, kept)
    addresses = store.addresses_of(gone)  # before their rows are removed
    _move(store, gone, kept)
    erasing.pseudonym(store, gone)
    store.further.remove(player=gone.id)
    for address in addresses:
        store.further.insert(player=kept.id, address=address, added=request.now)
    _tell(request, gone, kept)
    return say("{one} and {other} are one player now: {other}", one=gone.name, other=kept.name)


def _player(request: RulingRequest, written: str) -> Player:
    """Return a confirmed player by number, name, pilot or address.

    Raise Refusal if there is none.
    """
    name = unquote(written)
    store = request.ports.store
    found = store.players.find(id=int(name)) if name.isdecimal() else player_named(store, name)
    if found is None or not found.confirmed:
        raise Refusal(say("there is no player {name}", name=name))
    return found


def _not_against_themselves(request: RulingRequest, gone: Player, kept: Player) -> None:
    """Raise Refusal where the player would then face themselves in a battle or a challenge."""
    store = request.ports.store
    for place, other in product(store.places_of(gone.id), store.places_of(kept.id)):
        if place.game_id == other.game_id:
            session = Session(store, store.games.get(place.game_id))
            sides = {session.rules.side(session.state, Seat(p.seat)) for p in (place, other)}
            if len(sides) > 1:
                raise Refusal(
                    say("they fight each other in game {game}", game=place.game_id),
                    say("end it first: GM DRAW {game}", game=place.game_id),
                )
    mine, theirs = ({row.id for row in store.personas.all(player=p.id)} for p in (gone, kept))
    for one in store.challenges.all(state="open"):
        if {one.one_id, one.other_id} & mine and {one.one_id, one.other_id} & theirs:
            raise Refusal(say("they have an open challenge: number {number}", number=one.id))


def _room_for_all(store: Store, gone: Player, kept: Player) -> None:
    """Raise Refusal where one player may not have all these pilots at once (SP-2)."""
    rows: list[Persona] = store.personas_of(kept.id)
    for row in store.personas_of(gone.id):
        if not campaign_of(row).gone(piece_of(row)):
            same = [piece_of(other) for other in rows if other.system == row.system]
            crowded = campaign_of(row).crowded(same, piece_of(row))
            if crowded is not None:
                raise Refusal(crowded)
        rows.append(row)


def _move(store: Store, gone: Player, kept: Player) -> None:
    """Move all rows of one player to the other.

    Of two endorsements of the same nomination one is dropped, so that nobody counts twice. Of two
    blueprints of the same name, that of the remaining player is kept.
    """
    for blueprint in store.blueprints.all(player=kept.id):
        store.blueprints.remove(
            player=gone.id, system=blueprint.system, folded=fold(blueprint.name)
        )
    for word in store.endorsements.all(player=gone.id):
        if store.endorsements.find(nomination=word.nomination_id, player=kept.id):
            store.endorsements.remove(id=word.id)
    for token in store.tokens.all(player=gone.id):
        if token.kind not in _TAKEN_OVER:
            store.tokens.remove(token=token.token)
    for table in (
        store.personas,
        store.places,
        store.letters,
        store.tokens,
        store.outbox,
        store.nominations,
        store.endorsements,
        store.turnouts,
        store.editorials,
        store.blueprints,
        store.public_letters,
        store.stories,
        store.authorships,
    ):
        table.change_all({"player": gone.id}, player=kept.id)
    for name in _DROPPED:
        getattr(store, name).remove(player=gone.id)
    store.blocks.remove(other=gone.id)


def _tell(request: RulingRequest, gone: Player, kept: Player) -> None:
    request.ports.outbox.write(
        kept,
        "notice",
        request.now,
        ident=("merged", gone.id, kept.id),
        title=say("Your two names are one"),
        text=say(
            "the moderator has put the players {one} and {other} together, for both are you."
            " Battles, addresses and all else are those of {other} now; letters go to the address"
            " that {other} had.",
            one=gone.name,
            other=kept.name,
        ),
    )
