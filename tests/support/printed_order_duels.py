"""Duels of printed order sheets against house pilots: whether they fight well, or stall."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from benchmarks.simulation.duels import NAMES, Bout, Score, played
from engine.dice import Dice
from engine.order_translations import ENGLISH
from engine.orders.orders_on_file import Sheet, merge
from engine.orders.reading import read_for
from engine.play import Flyer, bot_flyer
from engine.preview.odds import sheet_flyer
from engine.ruleset import AnyRuleset
from engine.seats import Seat

BY_SHEET = ""
"""In a bout, the strength of the pilot whose orders are those of the sheet."""


@dataclass(slots=True)
class Drill:
    """How a sheet fared: duels fought, won and lost, and those in which it ran out of orders."""

    duels: int = 0
    won: int = 0
    lost: int = 0
    stalled: int = 0

    @property
    def percent(self) -> float:
        """The share won, in percent; a duel that nobody won counts half."""
        return 50 * (self.duels + self.won - self.lost) / self.duels


def drill(ruleset: AnyRuleset, text: str, bouts: Iterable[Bout], language: str = ENGLISH) -> Drill:
    """Fight duels in each of which one pilot follows a player's text, and the other is a bot."""
    found = Drill()
    for number, bout in enumerate(bouts, 1):
        mine = bout.strengths.index(BY_SHEET)
        score, stalled = _fight(ruleset, text, language, bout, number)
        found.duels += 1
        found.won += score.winner == mine
        found.lost += score.winner == 1 - mine
        found.stalled += stalled
    return found


def _fight(
    ruleset: AnyRuleset, text: str, language: str, bout: Bout, seed: int
) -> tuple[Score, bool]:
    """Fight one duel, and return how it ended and whether the sheet had no legal order in it."""
    strengths = dict(zip(NAMES, bout.strengths, strict=True))
    stalls: list[object] = []

    def flown(state: object, seat: Seat, whims: Dice) -> Flyer[object, object]:
        if strengths[seat] != BY_SHEET:
            return bot_flyer(ruleset, strengths[seat], seat, whims)

        def stalled(now: object) -> object:
            stalls.append(now)
            return ruleset.cautious(now, seat)

        sheet = merge(Sheet(), read_for(ruleset, state, seat, text, language))
        return sheet_flyer(ruleset, seat, sheet, stalled)

    named = zip(bout.pilots, NAMES, strict=True)
    one, other = (replace(s.persona, name=name) for s, name in named)
    return played(ruleset, (one, other), flown, NAMES[bout.first], seed), bool(stalls)
