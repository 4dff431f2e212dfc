"""Patrols: personas that wait for any opponent, until they meet one or enter another battle."""

from datetime import datetime

from engine.i18n import say
from pbem.outgoing.outbox import Outbox
from pbem.storage import Game, Patrol, Persona, Store


def of(store: Store, row: Persona) -> Patrol | None:
    """Return a persona's patrol, if it is on one."""
    return store.patrols.find(persona=row.id, state="open")


def lapse(store: Store, outbox: Outbox, row: Persona, game: Game, now: datetime) -> None:
    """End the patrol of a persona that enters another battle, and notify its player."""
    patrol = of(store, row)
    if patrol is None:
        return
    store.patrols.change(patrol.id, state="lapsed")
    outbox.write(
        store.players.get(row.player_id),
        "notice",
        now,
        ident=("patrol", patrol.id),
        title=say("{pilot} is on patrol no longer", pilot=row.name),
        text=say(
            "{pilot} has got into game {game}, so the patrol is over.", pilot=row.name, game=game.id
        ),
    )
