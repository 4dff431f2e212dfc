"""How reliably players meet their deadlines: a figure that everybody may see."""

from collections.abc import Mapping
from typing import TypedDict

from engine.seats import Seat
from pbem.games.session import Session
from pbem.settings.sections import LeagueSettings
from pbem.storage import Store


class Reliability(TypedDict):
    """How many of the last deadlines a player met, also in percent; None without any."""

    met: int
    asked: int
    percent: int | None


class NamedReliability(Reliability):
    """The reliability of a player, or of the player of a pilot, under a name."""

    name: str


def reliability(store: Store, league: LeagueSettings, player: int) -> Reliability:
    """Return how many of the last deadlines a player met, also in percent (None without any)."""
    met, asked = store.turnout(player, league.reliability_turns)
    return {"met": met, "asked": asked, "percent": round(100 * met / asked) if asked else None}


def record(session: Session, misses: Mapping[Seat, int]) -> None:
    """Record who met the deadline of the turn that is over; `misses` are the counts before it.

    A player whose orders on file were played without a letter has met it, too.
    """
    for seat, place in session.places.items():
        if place.asked:
            session.store.turnouts.insert(
                player=place.player_id,
                game=session.game.id,
                turn=session.game.turn,
                met=place.answered or place.misses == misses[seat],
            )
