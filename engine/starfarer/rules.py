"""Starfarer as one value, for the replay of its scenarios."""

from engine.ruleset import Refusal, Replayable
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
    setup=setup,
    to_act=lambda battle: phase(battle).owing,
    refusal=refusal,
    resolve=resolve,
    outcome=lambda battle: phase(battle).outcome,
    scenario_state=scenario_state,
    scenario_order=scenario_order,
    simultaneous=True,
    refused=_refused,
)
