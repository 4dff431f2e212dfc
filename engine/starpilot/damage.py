"""Shots that land: hits, the damage table, and the standard ejection (SP-20, SP-26, SP-27)."""

from engine.events import Play
from engine.starpilot import events as ev
from engine.starpilot.apply import victory
from engine.starpilot.model import Battle, Fate, Shot, Weapon, pair_of
from engine.starpilot.tables import (
    BEAMS,
    DAMAGE_BOUNDS,
    DESTROYED_AT,
    EXTREME,
    FAR,
    HP_KILL,
    MISSILES,
    NEAR,
    STRUCTURE,
    WOUND_ROLL,
    damaged_stat,
    ejection_chance,
)


def land_all(play: Play[Battle], name: str) -> None:
    """Land every shot at the pilot, in the order fired, until its ship is destroyed (SP-20)."""
    # A list first: the battle's shots change as each of them lands.
    for shot in [s for s in play.battle.shots if s.at == name]:
        _land(play, shot)
        if play.battle.pilots[name].fate != "active":
            return


def hits(ratings: tuple[int, ...], weapon: Weapon, origin: int, now: int) -> int:
    """Return the number of hits of a shot by the ranges at which it was fired and lands (SP-20)."""
    if weapon == "fire":
        return ratings[BEAMS] if origin == NEAR else 1
    # Beams hit as they were fired; missiles are still on their way, so the range now counts.
    return ratings[MISSILES] if origin == FAR and now != EXTREME else 1


def _land(play: Play[Battle], shot: Shot) -> None:
    """Roll a shot's hits on the damage table until the ship is destroyed (SP-26)."""
    # The rating counts, no matter what damage the shooter has taken since (SP-20).
    rated = play.battle.pilots[shot.by].card.ratings
    now = pair_of(play.battle, shot.by, shot.at).range
    count = hits(rated, shot.weapon, shot.origin, now)
    play.record(ev.Landed(shot.by, shot.at, shot.weapon, count))
    # Hits are rolled one by one: each may destroy the ship, and then no die is drawn.
    for _ in range(count):
        _hit(play, shot)
        if _is_destroyed(play.battle, shot.at):
            _destroy(play, shot)
            return


def _hit(play: Play[Battle], shot: Shot) -> None:
    # A wound is part of the same roll, so its bound is one of those where the result changes.
    roll = play.dice.roll(100, f"damage to {shot.at}", (*DAMAGE_BOUNDS, WOUND_ROLL - 1))
    stat = damaged_stat(roll)
    value = play.battle.pilots[shot.at].stats[stat]
    # A stat at -1 takes no more, but the ship was hit (SP-26, SP-28c).
    ignored = value <= DESTROYED_AT
    after = value if ignored else value - 1
    play.record(ev.Hit(shot.by, shot.at, roll, stat, after, ignored, roll >= WOUND_ROLL))


def _is_destroyed(battle: Battle, name: str) -> bool:
    stats = battle.pilots[name].stats
    return stats[STRUCTURE] <= DESTROYED_AT or stats.count(DESTROYED_AT) >= 2


def _destroy(play: Play[Battle], shot: Shot) -> None:
    """Roll the standard ejection; the shooter has the kill in any case (SP-27)."""
    name = shot.at
    play.record(ev.Destroyed(name, shot.by))
    # The chance is that of EJECT, but no HP are lost (SP-27).
    odds = ejection_chance(play.battle.pilots[name].card.rank)
    roll = play.dice.roll(100, f"{name} standard ejection", (odds,))
    play.record(ev.Bailed(name, odds, roll, roll <= odds))
    fate: Fate = "ejected" if roll <= odds else "killed"
    play.record(ev.Left(name, fate, shot.by))
    victory(play, shot.by, HP_KILL, "kill")
