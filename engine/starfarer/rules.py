"""Starfarer as one value, for the replay of its scenarios."""

from engine.ruleset import Outcome, Refusal, Replayable
from engine.seats import Seat
from engine.starfarer.events import Refused
from engine.starfarer.legal import refusal
from engine.starfarer.model import Battle, Order, seats, to_plan
from engine.starfarer.resolve import resolve
from engine.starfarer.scenario import scenario_order, scenario_state
from engine.starfarer.setup import setup


def _to_act(battle: Battle) -> tuple[Seat, ...]:
    owing = {battle.sheets[name].seat for name in to_plan(battle)}
    return tuple(seat for seat in seats(battle) if seat in owing)


def _outcome(battle: Battle) -> Outcome | None:
    return Outcome(battle.winner, battle.winner is None) if battle.over else None


def _refused(event: object) -> Refusal | None:
    return Refusal(event.index, event.reason) if isinstance(event, Refused) else None


STARFARER: Replayable[Battle, Order] = Replayable(
    key="starfarer",
    setup=setup,
    to_act=_to_act,
    refusal=refusal,
    resolve=resolve,
    outcome=_outcome,
    scenario_state=scenario_state,
    scenario_order=scenario_order,
    simultaneous=True,
    refused=_refused,
)
