"""What is stored about a person, from the shell: `pbem person show`, `pbem person erase`."""

import sys

import click

from pbem.commands.common import JSON, UsageError, command, show
from pbem.commands.lists import player_named
from pbem.commands.open_league import opened
from pbem.handlers.accounts import leaving
from pbem.handlers.request import Refusal
from pbem.host.clock import wall_clock
from pbem.people import personal_data
from pbem.service.lock import only_one
from pbem.service.service import Service
from pbem.storage import Player


@command
@click.argument("act", type=click.Choice(("show", "erase")))
@click.argument("who")
@click.option("--yes", is_flag=True, help="ask nothing")
@JSON
def person(act: str, who: str, yes: bool, as_json: bool) -> None:
    """Show all that is stored about a person, or erase it.

    WHO is an address, a name, a pilot or a number.
    """
    with opened() as (settings, store):
        player = player_named(store, who)
        if act == "show":
            show(as_json, personal_data.kept(store, player))
            return
        with only_one(settings):
            store.hold()
            if not yes:
                _confirm(player)
            show(as_json, _erased(Service(settings, store), player))


def _confirm(player: Player) -> None:
    if not sys.stdin.isatty():
        raise UsageError("erasing can't be undone; say --yes if you mean it")
    if input(f"Erase {player.name} for good? Write their name: ").strip() != player.name:
        raise UsageError("nothing was erased")


def _erased(service: Service, player: Player) -> dict[str, object]:
    try:
        with service.ports.store.transaction():
            leaving.erase(service.ports, player, wall_clock())
    except Refusal as error:
        raise UsageError(f"nothing was erased: {error}") from None
    personal_data.drop_erased(service.ports.store)
    # After the transactions: only then can the bytes be taken out of the database's files.
    personal_data.clean_files(service.ports.store)
    return {"erased": player.id, "left": service.ports.store.get(Player, player.id).name}
