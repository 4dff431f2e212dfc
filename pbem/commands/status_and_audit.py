"""Commands about the state of a league: status, audit."""

from pbem.commands import lists
from pbem.commands.common import JSON, command, print_json, show
from pbem.commands.open_league import opened
from pbem.games import offers
from pbem.games.cheat_detection import findings
from pbem.host.clock import wall_clock
from pbem.i18n.days import in_utc
from pbem.outgoing.reachability import all_out_of_reach
from pbem.people import players
from pbem.storage import (
    Outgoing,
    Persona,
    Post,
    Store,
    clock_jumps,
    queues,
    stored_games,
    stored_letters,
)
from pbem.storage.clock_jumps import LAST_POLL


@command
@JSON
def status(as_json: bool) -> None:
    """Show what goes on, and what waits for you.

    Battles with who is late, challenges and players are counted too.
    """
    with opened() as (settings, store):
        going_on = lists.going_on(settings, store)
        show(
            as_json,
            {
                "league": settings.league.name,
                "players": len(players.confirmed(store)),
                "pilots": store.size(Persona),
                "open_challenges": offers.count(store),
                "players_out_of_reach": [
                    f"{player.name} since {since:%Y-%m-%d}"
                    for player, since in all_out_of_reach(store, settings)
                ],
                "running_battles": stored_games.count(store, running=True),
                "finished_battles": stored_games.count(store, running=False),
                "letters_waiting": stored_letters.count(store, state="received"),
                "letters_held": stored_letters.count(store, state="held"),
                "letters_shunted": stored_letters.count(store, state="shunted"),
                "outbox_queued": queues.count(store, Outgoing, state="queued"),
                "outbox_failed": queues.count(store, Outgoing, state="failed"),
                "posts_queued": queues.count(store, Post, state="queued"),
                "posts_failed": queues.count(store, Post, state="failed"),
                "last_poll": store.meta(LAST_POLL),
                "clock_waits_until": _clock(store),
            }
            | ({"going_on": {one.heading: one.lines for one in going_on}} if as_json else {}),
        )
        if not as_json:
            lists.print_sections(going_on)


@command
@JSON
def audit(as_json: bool) -> None:
    """List what may be cheating, a line for each pair of players. Nothing is done about it."""
    with opened() as (_, store):
        all_found = list(findings(store, wall_clock()))
        if not all_found and not as_json:
            print("Nothing was found.")
        for found in all_found:
            if as_json:
                line = {"players": found.pair, "weight": found.weight, "text": str(found.text)}
                print_json(line)
            else:
                print(f"{found.weight:4}  {found.text}")


def _clock(store: Store) -> str | None:
    """Return until when a jump of the clock delays what can't be undone."""
    until = clock_jumps.waits_until(store, wall_clock())
    return in_utc(until) if until else None
