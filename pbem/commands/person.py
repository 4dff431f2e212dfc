"""What is stored about a person, from the shell: `pbem person show`, `pbem person erase`."""

import sys

from pbem.clock import wall_clock
from pbem.commands.common import Args, UsageError, opened, print_json, show
from pbem.commands.lists import player_named
from pbem.handlers import leaving
from pbem.handlers.request import Refusal
from pbem.lock import only_one
from pbem.people import persons
from pbem.service import Service
from pbem.storage import Player


def person(args: Args) -> None:
    """Show all that is stored about a person, or erase it."""
    with opened(args) as (settings, store):
        player = player_named(store, args.who)
        if args.act == "show":
            show(args, persons.kept(store, player))
            return
        with only_one(settings):
            store.hold()
            _erase(args, Service(settings, store), player)


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
    persons.drop_erased(service.ports.store)
    # After the transactions: only then can the bytes be taken out of the database's files.
    persons.clean_files(service.ports.store)
    facts = {"erased": player.id, "left": service.ports.store.players.get(player.id).name}
    print_json(facts) if args.json else show(args, facts)
