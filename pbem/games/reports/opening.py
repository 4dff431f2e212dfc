"""How a report begins: the turn as a battle's account tells it, and what is at stake now."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from engine.letter_texts import ASIDE, CHANGE, END, HARM, Beat
from engine.ruleset import AnyRuleset
from engine.seats import Seat
from pbem.games.reports.battle_account import SeenStep, told
from pbem.games.reports.turning_points import Swing

_MOST = 2
"""The most beats of an opening: with the stakes they make four sentences."""


class Opening(TypedDict):
    """What a report says first.

    `beats` are what matters most of the steps, in their order; a `moment` harmed somebody or was
    somebody's end. `stakes` are as they are now, empty where they have not changed. `won` is about
    how many of 100 such fights the reader's side would win, and `before` how many at the last
    letter; None where nobody knows, or where it has not changed.
    """

    beats: list[Beat]
    moment: bool
    stakes: Mapping[str, Any]
    won: int | None
    before: int | None


def opening(
    rules: AnyRuleset, state: object, seat: Seat, steps: Sequence[SeenStep], before: object | None
) -> Opening:
    """Return how a report of some steps to a seat begins.

    `before` is the state at the reader's last letter, None where that does not matter.
    """
    beats = _chosen(rules, steps)
    known: Mapping[str, Any] = {}
    stakes, won, earlier = known, None, None
    # Of a battle that is over all is told elsewhere.
    if rules.outcome(state) is None:
        stakes, won = rules.telling.stakes(state, seat), _won(rules, state, seat)
        if before is not None:
            known, earlier = rules.telling.stakes(before, seat), _won(rules, before, seat)
    same = won == earlier
    return {
        "beats": beats,
        "moment": any(_weight(rules, beat) >= HARM for beat in beats),
        "stakes": {} if stakes == known else stakes,
        "won": None if same else won,
        "before": None if same else earlier,
    }


def _won(rules: AnyRuleset, state: object, seat: Seat) -> int | None:
    """Return about how many of 100 fights like this one a seat's side would win, if known."""
    teams = list(rules.teams(state))
    # The odds are the first side's: of several others nobody knows who wins the rest.
    if rules.telling.lead is None or len(teams) != 2:
        return None
    lead = rules.telling.lead(state)
    return lead if rules.side(state, seat) == teams[0] else 100 - lead


def _chosen(rules: AnyRuleset, steps: Sequence[SeenStep]) -> list[Beat]:
    """Return what matters most of some steps, in their order."""
    beats = _beats(rules, steps)
    weights = [_weight(rules, beat) for beat in beats]
    # Of those that matter the same, the latest say more of how it stands now.
    order = sorted(range(len(beats)), key=lambda n: (-weights[n], -n))
    kept = [n for n in order if weights[n] > ASIDE][:_MOST]
    # A change is soon out of date: beside harm or an end it is not news.
    if any(weights[n] > CHANGE for n in kept):
        kept = [n for n in kept if weights[n] > CHANGE]
    return [beats[n] for n in sorted(kept or order[:1])]


def _beats(
    rules: AnyRuleset, steps: Sequence[SeenStep], swings: Sequence[Swing] = ()
) -> list[Beat]:
    valid = [step for step in steps if not step["void"] and step["undo"] is None]
    # What a system tells in the words of its log stands below.
    return [beat for beat in told(rules, valid, swings) if beat["kind"] != "event"]


def _weight(rules: AnyRuleset, beat: Beat) -> int:
    return END if beat["kind"] in ("turn", "ended") else rules.telling.weight(beat)


def tale(rules: AnyRuleset, steps: Sequence[SeenStep], swings: Sequence[Swing]) -> list[Beat]:
    """Return a battle that is over by its turning points: how it began, what turned it, who fell.

    Turning points come first where there is no room for all; then losses, the latest before the
    earlier ones, and last other harm.
    """
    beats = _beats(rules, steps, swings[:_TURNS])
    weights = [_weight(rules, beat) for beat in beats]
    first = next((n for n, weight in enumerate(weights) if weight >= CHANGE), 0)
    turned = [n for n, beat in enumerate(beats) if beat["kind"] == "turn"]
    # A turning point says nothing without what led to it.
    causes = [_cause(beats, weights, n) for n in turned if n]
    sure = {first, *turned, *causes} if beats else set[int]()
    rest = sorted(set(range(len(beats))) - sure, key=lambda n: (-weights[n], -n))
    losses = [n for n in rest if weights[n] == END]
    harm = [n for n in rest if weights[n] == HARM][: max(_FEWEST - len(sure) - len(losses), 0)]
    return [beats[n] for n in sorted([*sure, *[*losses, *harm][: _TALE - len(sure)]])]


def _cause(beats: Sequence[Beat], weights: Sequence[int], turn: int) -> int:
    """Return the place of the beat that matters most in the step of a turning point."""
    same = [n for n in range(turn) if beats[n]["last"] == beats[turn]["first"]]
    return max(same or [turn - 1], key=lambda n: (weights[n], n))


_TALE, _FEWEST, _TURNS = 10, 8, 2
"""The most beats of a tale, how many it has if there was harm enough, and its turning points."""
