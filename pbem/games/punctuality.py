"""Who meets deadlines and who misses them: how reliable a player is, and which miss is the last."""

from collections.abc import Collection, Mapping
from typing import TypedDict

from peewee import fn

from engine.seats import Seat
from pbem.games.session import Session
from pbem.settings.sections import LeagueSettings
from pbem.storage import Place, Store, Turnout


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
    return reliabilities(store, league, [player])[player]


def reliabilities(
    store: Store, league: LeagueSettings, players: Collection[int]
) -> dict[int, Reliability]:
    """Return the reliability of some players, by their numbers."""
    last = turnouts(store, players, league.reliability_turns)
    return {player: _reliability(sum(met), len(met)) for player, met in last.items()}


def turnouts(store: Store, players: Collection[int], most: int) -> dict[int, list[bool]]:
    """Return which of their last deadlines some players met, by their numbers."""
    age = fn.ROW_NUMBER().over(partition_by=[Turnout.player], order_by=[Turnout.id.desc()])
    each = Turnout.select(Turnout.player, Turnout.met, age.alias("age"))
    last = each.where(Turnout.player.in_(list(players))).alias("last")
    query = Turnout.select(last.c.player_id, last.c.met).from_(last).where(last.c.age <= most)
    found: dict[int, list[bool]] = {player: [] for player in players}
    for player, met in store.tuples(query):
        found[player].append(bool(met))
    return found


def _reliability(met: int, asked: int) -> Reliability:
    return {"met": met, "asked": asked, "percent": round(100 * met / asked) if asked else None}


def _record(session: Session, misses: Mapping[Seat, int]) -> None:
    """Record who met the deadline of the turn that is over; `misses` are the counts before it.

    A player whose orders on file were played without a letter has met it, too.
    """
    found = [
        {
            "player": place.player_id,
            "game": session.game.id,
            "turn": session.game.turn,
            "met": place.answered or place.misses == misses[seat],
        }
        for seat, place in session.places.items()
        if place.asked
    ]
    if found:
        session.store.run(Turnout.insert_many(found))


def is_last_miss(place: Place, league: LeagueSettings) -> bool:
    """Return whether a place misses the current deadline, and has no further miss left."""
    missed = place.asked and not place.answered
    return missed and place.misses + 1 >= league.misses_before_forfeit


def misses_are_mutual(session: Session, league: LeagueSettings) -> bool:
    """Return whether one player misses for the last time, and all the others are as silent."""
    active = [session.places[seat] for seat in session.playing]
    # Somebody who was not asked this time could not miss, so one miss fewer counts as silence.
    fewest = max(1, league.misses_before_forfeit - 1)
    last = [is_last_miss(place, league) for place in active]
    silent = [one or place.misses >= fewest for one, place in zip(last, active, strict=True)]
    return any(last) and all(silent)


def count_misses(session: Session, league: LeagueSettings, before: Mapping[Seat, int]) -> None:
    """Record who met the deadline, and declare places open after too many misses.

    Practice and live battles are left out. `before` are the misses that each seat had before this
    deadline.
    """
    # Who drops out of a live battle is no less reliable for it (SP-39).
    if session.game.practice or session.game.is_live:
        return
    # Nobody asked to be in a battle that the moderator has set up.
    if not session.game.staged:
        _record(session, before)
    fewest = league.misses_before_open  # 0: no place is ever declared open
    for seat, place in session.places.items():
        if place.misses > before[seat] and 0 < fewest <= place.misses:
            session.change(seat, vacant=True)
