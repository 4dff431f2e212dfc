"""The command about one battle."""

from pathlib import Path

import click

from engine import codec
from pbem.commands import lists
from pbem.commands.common import JSON, UsageError, command, show
from pbem.commands.open_league import opened
from pbem.games.reports import picture_files
from pbem.games.reports.battle_pictures import Viewer
from pbem.games.session import Session, game_id
from pbem.service.service import Service
from pbem.storage import Game, Place, Player


@command
@click.argument("named", metavar="GAME")
@click.option("--export", is_flag=True, help="print a finished battle as a file")
@click.option(
    "--pictures",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="draw each turn as everybody may see it",
)
@JSON
def game(named: str, export: bool, pictures: Path | None, as_json: bool) -> None:
    """Show a battle, by its number or the name of somebody in it."""
    with opened() as (settings, store):
        found = lists.game_named(store, named)
        if export:
            print(_export(Service(settings, store), found), end="")
            return
        session = Session(store, found)
        if pictures:
            written = _pictures(Service(settings, store), session, pictures)
            show(as_json, {"written": written})
            return
        facts = _standing(session)
        if as_json:
            form = session.rules.scenario
            state = session.state if form is None else form.state(session.state)
            # In the form of the replay format where the system has one, so that it can be replayed.
            facts["state"] = codec.plain(state)
        show(as_json, facts)


def _standing(session: Session) -> dict[str, object]:
    found = session.game
    outcome = session.rules.outcome(session.state)
    facts: dict[str, object] = {
        "game": game_id(found.id),
        "system": session.rules.title,
        "running": found.running,
        "turn": found.turn,
        "steps": found.steps,
        "deadline": found.deadline and found.deadline.isoformat(timespec="minutes"),
        "winner": (outcome.winner or "nobody") if outcome else "not yet",
        "commitment": found.commitment,
    }
    facts["seats"] = {seat: _sitting(session, place) for seat, place in session.places.items()}
    return facts


def _sitting(session: Session, place: Place) -> str:
    player = session.store.get(Player, place.player_id).name
    return f"{player}, {_asked(place)}, {place.misses} deadlines missed in a row"


def _asked(place: Place) -> str:
    if not place.asked:
        return "not asked"
    return "has answered" if place.answered else "is waited for"


def _pictures(service: Service, session: Session, folder: Path) -> list[str]:
    """Write pictures of what everybody may see of a battle."""
    viewer = Viewer(service.ports.outbox.renderer, service.ports.settings.league.language)
    try:
        return picture_files.write(viewer, session, folder)
    except ValueError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{folder} can't be written ({error.strerror})") from None


def _export(service: Service, found: Game) -> str:
    try:
        return service.export(found)
    except ValueError as error:
        raise UsageError(str(error)) from None
