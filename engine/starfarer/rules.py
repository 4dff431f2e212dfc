"""Starfarer as one value, for the replay of its scenarios."""

from engine.ruleset import Refusal, Replayable, Scenario
from engine.starfarer.events import Refused
from engine.starfarer.legal import refusal
from engine.starfarer.model import Battle, Order
from engine.starfarer.resolve import resolve
from engine.starfarer.scenario import scenario_order, scenario_state
from engine.starfarer.setup import setup
from engine.starfarer.view import phase


def _refused(event: object) -> Refusal | None:
    return Refusal(event.index, event.reason) if isinstance(event, Refused) else None


STARFARER: Replayable[Battle, Order] = Replayable(
    key="starfarer",
    rank=3,
    setup=setup,
    phase=phase,
    refusal=refusal,
    resolve=resolve,
    scenario=Scenario(state=scenario_state, order=scenario_order, refused=_refused),
)
