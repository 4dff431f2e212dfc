"""Duels for balance trials: who meets whom, so that nobody is favoured, and how each ends."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, count
from typing import NamedTuple

from engine.campaign import Campaign, Persona, Specimen
from engine.dice import Dice, SeededDice
from engine.play import Flyer, bot_flyer, play_on
from engine.ruleset import AnyRuleset
from engine.seats import Seat

NAMES = ("One", "Other")
"""What the two pilots of a bout are called."""


class Bout(NamedTuple):
    """A duel to be fought: both pilots, the strength of each one's bot, and who begins (0 or 1)."""

    pilots: tuple[Specimen, Specimen]
    strengths: tuple[str, str]
    first: int


class Score(NamedTuple):
    """How a duel ended: the winner (0, 1 or None for nobody), turns taken, and the last state."""

    winner: int | None
    turns: int
    state: object


def bouts(
    campaign: Campaign, fleet: Sequence[Specimen], strengths: tuple[str, str]
) -> Iterator[Bout]:
    """Yield duels without end, four of each meeting: either may begin, and have either strength.

    All kinds that may fight each other meet equally often; their builds take turns.
    """
    kinds = {one.kind: [s for s in fleet if s.kind == one.kind] for one in fleet}
    # Whether two kinds may fight does not depend on their builds, so the first of each is asked.
    first = {kind: specimens[0].persona for kind, specimens in kinds.items()}
    pairs = [(a, b) for a, b in combinations(kinds, 2) if campaign.bar(first[a], first[b]) is None]
    for number in count():
        turn, place = divmod(number, len(pairs))
        one, other = (kinds[kind] for kind in pairs[place])
        # The shift in each round brings all builds together. Without it, two lists of one length
        # would always meet in the same pairs.
        meeting = one[turn % len(one)], other[(turn // len(other) + turn + place) % len(other)]
        for order in (strengths, strengths[::-1]):
            yield from (Bout(meeting, order, first) for first in (0, 1))


def fight(ruleset: AnyRuleset, bout: Bout, seed: int) -> Score:
    """Fight a duel to its end; the dice depend on the seed alone."""
    named = zip(bout.pilots, NAMES, strict=True)
    one, other = (replace(s.persona, name=name) for s, name in named)
    return meet(ruleset, (one, other), bout.strengths, NAMES[bout.first], seed)


def meet(
    ruleset: AnyRuleset,
    pilots: tuple[Persona, Persona],
    strengths: tuple[str, str],
    first: str | None,
    seed: int,
) -> Score:
    """Fly a battle of two personas of different names by bots; `first` may name who begins."""

    def flown(state: object, seat: Seat, whims: Dice) -> Flyer[object, object]:
        strength = strengths[seat != pilots[0].name]
        return bot_flyer(ruleset, strength, seat, whims)

    return played(ruleset, pilots, flown, first, seed)


def played(
    ruleset: AnyRuleset,
    pilots: tuple[Persona, Persona],
    flown: Callable[[object, Seat, Dice], Flyer[object, object]],
    first: str | None,
    seed: int,
) -> Score:
    """Fly a battle of two personas.

    `flown` returns the flyer of a seat; it gets the first state and the bots' dice.
    """
    assert ruleset.campaign is not None
    # Bots have dice of their own, so that a bot which rolls more often does not change the
    # battle's.
    dice, whims = (SeededDice(use, "bout", seed, b"") for use in (b"dice", b"whims"))
    state, turns = ruleset.setup(ruleset.campaign.melee(pilots[:1], pilots[1:], first)), 0
    seats = [Seat(persona.name) for persona in pilots]
    flyers = {seat: flown(state, seat, whims) for seat in seats}
    for turn in play_on(ruleset, state, flyers, dice):
        state, turns = turn.state, turns + 1
    outcome = ruleset.outcome(state)
    won = [n for n, s in enumerate(seats) if outcome and outcome.winner == ruleset.side(state, s)]
    return Score(won[0] if won else None, turns, state)
