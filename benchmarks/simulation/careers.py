"""Careers for balance trials: pilots that fight day by day until they are dead or have won."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from benchmarks.simulation.duels import meet
from engine.campaign import Campaign, Day, Persona, Specimen
from engine.dice import Dice, SeededDice
from engine.ruleset import AnyRuleset
from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Life:
    """One pilot's career: its number, how it began, its persona now, and its duels and days."""

    number: int
    began: Specimen
    persona: Persona
    duels: int = 0
    days: int = 0


class League:
    """A league of bots of one strength, in which each fights once a day if it can.

    A pilot that is dead, struck off or retired is replaced by a new one of the same build.
    """

    def __init__(
        self, ruleset: AnyRuleset, fleet: Sequence[Specimen], strength: str, seed: int
    ) -> None:
        assert ruleset.campaign is not None
        self.ruleset, self.strength, self.seed = ruleset, strength, seed
        self.campaign: Campaign = ruleset.campaign
        self._numbers = count(1)
        self.lives = [self._new(specimen) for specimen in fleet]

    def _new(self, specimen: Specimen) -> Life:
        number = next(self._numbers)
        return Life(number, specimen, replace(specimen.persona, name=f"Pilot {number}"))

    def first(self, most: int) -> Iterator[Life]:
        """Yield the `most` careers that begin first, in the order in which they end."""
        left = set(range(1, most + 1))
        for day in count(1):
            for life in self._day(day):
                if life.number in left:
                    left.discard(life.number)
                    yield life
            if not left:
                return

    def _day(self, number: int) -> Iterator[Life]:
        """Play a day, and yield the careers that end on it."""
        # Six digits, as days are compared as texts.
        dice, day = SeededDice(b"league", str(self.seed), number, b""), f"{number:06}"
        self._pair(dice, day)
        for n, life in enumerate(self.lives):
            rewards = self.campaign.rewards
            change = None if rewards is None else rewards.thrift(life.persona, dice, day)
            persona = change.persona if change else life.persona
            self.lives[n] = replace(life, persona=persona, days=life.days + 1)
            if self._has_ended(self.lives[n]):
                yield self.lives[n]
                self.lives[n] = self._new(life.began)

    def _has_ended(self, life: Life) -> bool:
        """Return whether a pilot will never fight again: it is not available even on the last
        day."""
        # A prisoner is free again on a later day, so the last day of six digits is tested.
        return self.campaign.available(life.persona, "999999") is not None

    def _pair(self, dice: Dice, day: Day) -> None:
        """Pair free pilots at random and fly their battles; a pilot may be left over."""
        free = _shuffled(range(len(self.lives)), dice)
        while free:
            one = free.pop()
            other = next((n for n in free if self._may_meet(one, n, day)), None)
            if other is not None:
                free.remove(other)
                self._meet((one, other), dice, day)

    def _may_meet(self, one: int, other: int, day: Day) -> bool:
        pair = [self.lives[n].persona for n in (one, other)]
        away = any(self.campaign.available(persona, day) for persona in pair)
        return not away and self.campaign.bar(*pair) is None

    def _meet(self, pair: tuple[int, int], dice: Dice, day: Day) -> None:
        one, other = (self.lives[n] for n in pair)
        # Each bout has dice of its own, so that its length does not change the pairings that
        # follow.
        seed = dice.roll(2**32, "bout")
        strengths = self.strength, self.strength
        score = meet(self.ruleset, (one.persona, other.persona), strengths, None, seed)
        for n, life in zip(pair, (one, other), strict=True):
            seat = Seat(life.persona.name)
            change = self.campaign.after(life.persona, score.state, seat, day, day)
            self.lives[n] = replace(life, persona=change.persona, duels=life.duels + 1)


def _shuffled(numbers: Sequence[int], dice: Dice) -> list[int]:
    """Return the numbers in an order that the dice choose."""
    # Not random.shuffle: only the engine's dice fall alike for a seed on every version of Python.
    mixed = list(numbers)
    for last in range(len(mixed) - 1, 0, -1):
        chosen = dice.roll(last + 1, "pairing") - 1
        mixed[last], mixed[chosen] = mixed[chosen], mixed[last]
    return mixed
