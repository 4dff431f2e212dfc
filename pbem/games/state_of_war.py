"""The state of the war: running battles, the latest results, and pilots by their kills."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TypedDict

from engine.telling import View
from pbem.games.persona_rules import campaign_of, piece_of
from pbem.games.session import Session
from pbem.storage import Game, Persona, Store

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


RESULTS, STANDINGS = 10, 20
RECENT = timedelta(days=60)


def state_of_war(store: Store, now: datetime) -> War:
    """Return what everybody may know of the league's battles and pilots."""
    ended = store.games.all(running=False, practice=False, ended__gte=now - RECENT)
    # A number grows with the beginning of a game, and results are listed by their end.
    last = sorted(ended, key=lambda game: (game.ended or now, game.id), reverse=True)
    ranked = sorted(
        # Guests have no careers (decision 0030).
        map(_pilot, (row for row in store.personas.all() if not row.is_guest)),
        key=_falling,
    )
    return {
        "running": _battles(store, store.games.all(running=True, practice=False)),
        "results": _battles(store, last[:RESULTS]),
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
    campaign, piece = campaign_of(row), piece_of(row)
    figures = campaign.standing(piece).figures
    return {
        "system": row.system,
        "name": row.name,
        "sheet": campaign.sheet(piece),
        "figures": {key: figures.get(key, 0) for key in ("kills", "prizes")},
    }


def _falling(row: RankedPilot) -> tuple[int, int, str]:
    """Return a sort key: the most kills first, then the most prizes, if a system has any."""
    return -row["figures"]["kills"], -row["figures"]["prizes"], row["name"]
