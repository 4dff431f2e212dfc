"""What a command brings: it is carried out alone, and what it changes is said in words."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.dice import Dice
from engine.events import Play
from engine.i18n import Said, all_of, say
from engine.letter_texts import Alone, Difference, Effects
from engine.seats import Seat
from engine.starpilot.apply import apply
from engine.starpilot.damage import hits
from engine.starpilot.events import Tried
from engine.starpilot.legal import threats
from engine.starpilot.model import Battle, Order, Shot, opponents
from engine.starpilot.resolve import command
from engine.starpilot.tables import LOCK_BONUS, RANGES, STATS, STOPS, STRUCTURE, tenths


def _alone(battle: Battle, seat: Seat, order: Order, dice: Dice) -> Alone:
    """Carry out a command without what follows it in a turn, such as shots that land."""
    play = Play(battle, dice, apply)
    command(play, seat, order)
    success = all(event.success is not False for event in play.events if isinstance(event, Tried))
    return Alone(play.battle, play.events, success)


class _Brought:
    """What a command of a pilot changed, for those who write about it."""

    def __init__(self, battle: Battle, me: str, differences: Sequence[Difference]) -> None:
        self.battle, self.me = battle, me
        self.foes = opponents(battle, me)
        self.differences = differences

    def of(self, first: str, last: str = "") -> Iterator[tuple[str, Any, Any]]:
        """Yield whom or what each change of a kind is of, with what was there and is there."""
        for where, before, after in self.differences:
            if where[0] == first and (not last or where[-1] == last):
                yield where[1] if last else "", before, after[0]

    def foe(self, pair: str) -> str:
        """Return the opponent of a pair."""
        return next(name for name in pair.split("|") if name != self.me)

    def named(self, names: Sequence[str]) -> str | None:
        """Return opponents by their names, None where there is nobody else."""
        return None if len(self.foes) == 1 else all_of(names)


def _words(
    battle: Battle, seat: Seat, order: Order, differences: Sequence[Difference]
) -> Iterator[Said]:
    brought = _Brought(battle, seat, differences)
    out = list(_fates(brought))
    yield from out
    if order.command in STOPS and not threats(battle, seat):
        yield say("nothing comes at you now")
    # Locks and shots of who is out are void, which helps nobody any more.
    for tell in () if out else (_finds, _ranges, _advantages, _locks, _shots):
        yield from tell(brought)
    yield from _points(brought)


def _fates(brought: _Brought) -> Iterator[Said]:
    for _, _, fate in brought.of("pilots", "fate"):
        yield {
            "escaped": say("you leave the battle, alive"),
            "ejected": say("you get out alive, the ship is lost"),
            "surrendered": say("you are out, and a prisoner"),
        }[fate]


def _finds(brought: _Brought) -> Iterator[Said]:
    found = dict.fromkeys(
        foe for _, before, after in brought.of("pilots", "found") for foe in sorted(after - before)
    )
    if found:
        yield say("finds {names}", names=all_of(list(found)))


def _ranges(brought: _Brought) -> Iterator[Said]:
    at: dict[int, list[str]] = {}
    for pair, _, now in brought.of("pairs", "range"):
        at.setdefault(now, []).append(brought.foe(pair))
    for now, foes in at.items():
        distance = say(RANGES[now].capitalize())
        if len(foes) == len(brought.foes):
            yield say("to {range}", range=distance)
        else:
            yield say("to {range} of {names}", range=distance, names=all_of(foes))


def _advantages(brought: _Brought) -> Iterator[Said]:
    for pair, before, now in brought.of("pairs", "advantage"):
        foe, named = brought.foe(pair), brought.named([brought.foe(pair)])
        if now is not None:
            won = say("you have the Advantage")
            yield won if named is None else say("you have the Advantage over {name}", name=foe)
        elif before == brought.me:
            ends = say("your Advantage ends")
            yield ends if named is None else say("your Advantage over {name} ends", name=foe)
        else:
            yield say("takes away {name}'s Advantage", name=before)


def _locks(brought: _Brought) -> Iterator[Said]:
    for _, before, after in brought.of("locks"):
        for lock in after:
            if lock not in before:
                held = any(one.on == lock.on and one.by == lock.by for one in before)
                new = say("a lock, +{bonus} to a shot next turn", bonus=LOCK_BONUS)
                yield say("renews your lock") if held else new
        broken = [lock.by for lock in before if lock not in after]
        if broken:
            yield say("breaks the lock of {names}", names=all_of(list(dict.fromkeys(broken))))


def _shots(brought: _Brought) -> Iterator[Said]:
    battle = brought.battle
    for _, before, after in brought.of("shots"):
        for shot in after[len(before) :]:
            yield _coming(battle, shot)
            left = battle.pilots[shot.at].stats[STRUCTURE]
            stat = say(STATS[STRUCTURE].capitalize())
            if brought.named([shot.at]) is None:
                yield say("{stat} is at {left}", stat=stat, left=left)
            else:
                yield say("{stat} of {name} is at {left}", stat=stat, name=shot.at, left=left)
        stopped = sum(_hits(battle, shot) for shot in before if shot not in after)
        if stopped:
            spared = say("saves you {hits} hits", hits=stopped)
            yield say("saves you 1 hit") if stopped == 1 else spared


def _hits(battle: Battle, shot: Shot) -> int:
    """Return how many hits a shot makes that lands now."""
    key = next(key for key in battle.pairs if {*key.split("|")} == {shot.by, shot.at})
    ratings = battle.pilots[shot.by].card.ratings
    return hits(ratings, shot.weapon, shot.origin, battle.pairs[key].range)


def _coming(battle: Battle, shot: Shot) -> Said:
    count = _hits(battle, shot)
    return (
        say("1 hit if not stopped") if count == 1 else say("{hits} hits if not stopped", hits=count)
    )


def _points(brought: _Brought) -> Iterator[Said]:
    for name, before, after in brought.of("pilots", "hp"):
        won = tenths(after - before)
        yield (
            say("{hp} HP for you", hp=won)
            if name == brought.me
            else say("{hp} HP for {name}", hp=won, name=name)
        )
    for _, before, after in brought.of("pilots", "hp_lost"):
        yield say("costs you {hp} HP", hp=tenths(after - before))


EFFECTS: Effects[Battle, Order] = Effects(alone=_alone, words=_words)
