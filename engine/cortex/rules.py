"""Cortex as one value, for the replay of its scenarios."""

from engine.cortex.events import Refused
from engine.cortex.model import Battle, Filing
from engine.cortex.resolve import refusal, resolve
from engine.cortex.scenario import scenario_order, scenario_orders, scenario_state
from engine.cortex.setup import setup
from engine.cortex.view import phase
from engine.ruleset import Refusal, Replayable, Scenario


def _refused(event: object) -> Refusal | None:
    return Refusal(event.index, event.reason) if isinstance(event, Refused) else None


CORTEX: Replayable[Battle, Filing] = Replayable(
    key="cortex",
    rank=4,
    setup=setup,
    phase=phase,
    refusal=refusal,
    resolve=resolve,
    scenario=Scenario(
        state=scenario_state, order=scenario_order, orders=scenario_orders, refused=_refused
    ),
)
