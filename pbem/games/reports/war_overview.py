"""The state of the war: running battles, the latest results, and pilots by their kills."""

import json
import logging
from collections.abc import Iterable
from typing import TypedDict

from engine import registry
from engine.letter_texts import View
from pbem.games.persona_rules import persona_sheet
from pbem.games.session import Session
from pbem.people import personas
from pbem.storage import Game, Persona, Store, stored_games

log = logging.getLogger("pbem")


class Battle(TypedDict):
    """A battle on one line; `day` is "" while it runs."""

    number: int
    teams: list[str]
    steps: int
    winner: str | None
    day: str


class RankedPilot(TypedDict):
    """A persona with its kills and prizes."""

    system: str
    name: str
    sheet: View
    figures: dict[str, int]


class War(TypedDict):
    """What everybody may know of the league's battles and pilots."""

    running: list[Battle]
    results: list[Battle]
    standings: list[RankedPilot]


RUNNING, RESULTS, STANDINGS = 30, 10, 20
"""How many are listed: the newest running battles, the latest results, the pilots."""
SEARCHED = 100
"""Among how many of a system's best careers those with the most kills are found."""


def state_of_war(store: Store) -> War:
    """Return what everybody may know of the league's battles and pilots.

    Each report posts it, so it reads only what it shows.
    """
    best = (
        row for system in registry.campaigns() for row in personas.best(store, system, SEARCHED)
    )
    ranked = sorted(map(_pilot, best), key=_falling)
    running = stored_games.latest(store, RUNNING, running=True, practice=False)
    return {
        "running": _battles(store, reversed(running)),
        "results": _battles(store, stored_games.last_ended(store, RESULTS)),
        "standings": [row for row in ranked if any(row["figures"].values())][:STANDINGS],
    }


def _battles(store: Store, games: Iterable[Game]) -> list[Battle]:
    """Return battles, each on a line, without those at which the program fails."""
    found = list[Battle]()
    for game in games:
        # Each report posts the state of the war, so a damaged game would stop all others.
        with store.alone(log, "game %d is left out of the state of the war", game.id):
            found.append(_battle(store, game))
    return found


def _battle(store: Store, game: Game) -> Battle:
    session = Session(store, game)
    outcome = session.rules.outcome(session.state)
    return {
        "number": game.id,
        "teams": list(session.rules.teams(session.state)),
        "steps": game.steps,
        "winner": outcome.winner if outcome else None,
        "day": game.ended.date().isoformat() if game.ended else "",
    }


def _pilot(row: Persona) -> RankedPilot:
    figures = json.loads(row.figures)
    return {
        "system": row.system,
        "name": row.name,
        "sheet": persona_sheet(row),
        "figures": {key: figures.get(key, 0) for key in ("kills", "prizes")},
    }


def _falling(row: RankedPilot) -> tuple[int, int, str]:
    """Return a sort key: the most kills first, then the most prizes, if a system has any."""
    return -row["figures"]["kills"], -row["figures"]["prizes"], row["name"]
