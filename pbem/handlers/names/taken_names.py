"""Names: who has one, who may take one, and who is meant by one.

Players and personas of all systems share one name space. A persona may have its own player's name,
but nobody else's. Blueprints and parts of personas may not have the name of a player or persona
either. Two players' blueprints may have the same name, because only their owners look them up, and
a battle keeps them apart.

A name is taken if it looks like another (UTS 39), no matter what characters it has. A lookup needs
the name itself: for a name that only looks like it, the writer is asked which one is meant.
"""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from engine.campaign import Persona as Piece
from engine.i18n import Said, say
from engine.names import fold, unquote
from pbem.games.persona_rules import is_over
from pbem.handlers.names.reserved_names import reserved
from pbem.handlers.ports import Ports
from pbem.handlers.request import Refusal
from pbem.people import personas, players
from pbem.people.lookalikes import fault, looks
from pbem.people.scrub import Scrub
from pbem.storage import Persona, Player, Store

_CALLSIGNS = (
    "Falcon Osprey Condor Plover Heron Curlew Bittern Lapwing Gannet Petrel Sparrow Dunlin"
    " Goshawk Harrier Hobby Linnet Magpie Nightjar Oriole Pipit Raven Redstart Siskin Skylark"
    " Starling Swift Tern Thrush Turnstone Wagtail Warbler Whimbrel Woodcock Wryneck Avocet"
    " Bullfinch Buzzard Cormorant Dotterel Fulmar"
).split()
"""Names that a new player's first pilot may have."""
_EXAMPLE = say("a name is made of letters of one script, such as Ada Example or Red Baron 2")
_TAKEN = say("it is taken, or so like a name that is taken that letters would be mistaken")


class Owner(NamedTuple):
    """The owner of a name: the name is the player's own, or that of one of their pilots."""

    player: int
    name: str
    is_pilot: bool


def owners(store: Store, name: str) -> Iterator[Owner]:
    """Yield the owners of a name and of names that look like it; at most a few."""
    like = looks(name)
    # Either form alone would miss `rnorse` for Morse, or `KestreI` for Kestrel (decision 0021).
    for column, form in (("skeleton", like.small), ("shape", like.shape)):
        if form:
            for player in players.like(store, column, form):
                yield Owner(player.id, player.name, is_pilot=False)
            for pilot in personas.like(store, column, form):
                yield Owner(pilot.player_id, pilot.name, is_pilot=True)


def wrong(ports: Ports, name: str, player: int | None) -> Said | None:
    """Return why a player can't take a name, None if they can.

    `player` is None for somebody who has not joined yet. The reason does not repeat the name.
    """
    found = fault(name) or reserved(name, ports.settings.league)
    if found is not None:
        return found
    found = Scrub(ports.store, player).secret(name)
    if found is not None:
        return found
    taken = any(owner.player != player for owner in owners(ports.store, name))
    return _TAKEN if taken else None


def check(ports: Ports, name: str, player: int) -> None:
    """Raise Refusal where a player's pilot or blueprint can't have a name."""
    why = wrong(ports, name, player)
    # `wrong` hides the other name from strangers; a player may know which name is in the way.
    if why is _TAKEN:
        raise _taken(name, next(o.name for o in owners(ports.store, name) if o.player != player))
    if why is not None:
        raise Refusal(say("{name} can't be a name here: {why}", name=name, why=why), _EXAMPLE)


def _taken(name: str, other: str) -> Refusal:
    if fold(other) == fold(name):
        return Refusal(
            say("the name {taken} is taken; the league gives each name only once", taken=other)
        )
    return Refusal(
        say("{name} looks like {taken}, a name that is taken", name=name, taken=other), _EXAMPLE
    )


def check_persona(ports: Ports, piece: Piece, parts: tuple[str, ...], player: int) -> None:
    """Raise Refusal where a new persona, or one of its parts, can't have its name.

    No part's name may look like another part's, or like anybody else's.
    """
    # `check` lets players use their own names again. That is meant for a pilot named like its
    # player, and not for two pilots.
    for owner in owners(ports.store, piece.name):
        if owner.is_pilot:
            raise _taken(piece.name, owner.name)
    check(ports, piece.name, player)
    for n, part in enumerate(parts):
        check(ports, part, player)
        check_apart(part, parts[:n])


def check_apart(name: str, others: Sequence[str]) -> None:
    """Raise Refusal where a name looks like another name of the same owner."""
    like = looks(name)
    for other in others:
        if looks(other).small == like.small or looks(other).shape == like.shape:
            raise Refusal(say("{one} and {other} look alike", one=other, other=name), _EXAMPLE)


def whose(store: Store, written: str) -> Player | None:
    """Return the player who has a name, or whose pilot has it; None if nobody does.

    Where two players have it, the one who spells it exactly so is meant. If that does not decide
    it, raise Refusal with a question to the writer.
    """
    name = unquote(written)
    player, pilot = players.named(store, name), personas.named(store, name)
    found: dict[int, str] = {}
    for row, owner in (
        (player, player.id if player else 0),
        (pilot, pilot.player_id if pilot else 0),
    ):
        # A pilot may be named like its own player, in another spelling; the exact one decides.
        if row is not None and owner is not None and found.get(owner) != name:
            found[owner] = row.name
    exact = [owner for owner, spelled in found.items() if spelled == name]
    meant = exact if len(exact) == 1 else list(found)
    if len(meant) > 1:
        raise _asked(store, name, meant)
    return store.get(Player, meant[0]) if meant else None


def _asked(store: Store, name: str, several: list[int]) -> Refusal:
    """Return a Refusal that asks which of several players is meant, and lists their other names."""
    others = [
        *(store.get(Player, one).name for one in several),
        *(row.name for one in several for row in store.of_player(Persona, one)),
    ]
    names = [other for other in dict.fromkeys(others) if fold(other) != fold(name)]
    return Refusal(
        say("{name} is the name of several; whom do you mean?", name=name),
        say("write another of their names: {names}", names=names) if names else say(""),
    )


def meant(store: Store, written: str) -> Said | None:
    """Return a question that suggests the player or pilot with a similar name, or None."""
    owner = next(owners(store, unquote(written)), None)
    return None if owner is None else say("did you mean {name}?", name=owner.name)


def callsign(ports: Ports, player: Player) -> str:
    """Return a name that is free, another one for each new player; at worst the player's own."""
    return next(callsigns(ports, player))


def callsigns(ports: Ports, player: Player) -> Iterator[str]:
    """Yield names that are free, in another order for each new player; then the player's own."""
    # By number and not by chance: a replay must find the same names (decision 0008).
    first = player.id % len(_CALLSIGNS)
    for name in _CALLSIGNS[first:] + _CALLSIGNS[:first]:
        taken = any(True for _ in owners(ports.store, name))
        if not taken and wrong(ports, name, player.id) is None:
            yield name
    yield from repeat(player.name)


def beginner(ports: Ports, player: Player) -> str | None:
    """Return a name for a player's next pilot, or None where one can still fight."""
    mine = personas.of(ports.store, player.id)
    return callsign(ports, player) if all(map(is_over, mine)) else None
