"""What is stored about a person, from the shell: `pbem person show`, `pbem person erase`."""

import sys

from pbem.clock import wall_clock
from pbem.commands.common import Args, UsageError, opened, print_json, show
from pbem.handlers import leaving, taken_names
from pbem.handlers.request import Refusal
from pbem.lock import only_one
from pbem.people import persons
from pbem.service import Service
from pbem.storage import Player, Store


def person(args: Args) -> None:
    """Show all that is stored about a person, or erase it."""
    with opened(args) as (settings, store):
        player = _found(store, args.who)
        if args.act == "show":
            show(args, persons.kept(store, player))
            return
        with only_one(settings):
            store.hold()
            _erase(args, Service(settings, store), player)


def _found(store: Store, who: str) -> Player:
    """Return the player of an address, a name, a pilot's name or a number."""
    try:
        found = store.player_at(who.lower()) or taken_names.whose(store, who)
    except Refusal as error:
        raise UsageError(f"{error} {error.hint}") from None
    if found is None and who.isdigit():
        found = store.players.find(id=int(who))
    if found is None:
        raise UsageError(f"nobody here has {who!r} as an address, a name, a pilot or a number")
    return found


def _erase(args: Args, service: Service, player: Player) -> None:
    if not args.yes:
        if not sys.stdin.isatty():
            raise UsageError("erasing can't be undone; say --yes if you mean it")
        if input(f"Erase {player.name} for good? Write their name: ").strip() != player.name:
            raise UsageError("nothing was erased")
    try:
        with service.ports.store.transaction():
            leaving.erase(service.ports, player, wall_clock())
    except Refusal as error:
        raise UsageError(f"nothing was erased: {error}") from None
    # After the transaction: only then can the erased bytes be taken out of the database's file.
    persons.clean(service.ports.store, service.ports.settings.privacy, wall_clock())
    facts = {"erased": player.id, "left": service.ports.store.players.get(player.id).name}
    print_json(facts) if args.json else show(args, facts)
