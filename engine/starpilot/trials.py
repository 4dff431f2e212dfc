"""What `engine.laws` must know of StarPilot: how its events tell that an order succeeded."""

from collections.abc import Sequence

from engine.ruleset import Trials
from engine.starpilot.events import Event, Tried


def _succeeded(events: Sequence[Event]) -> bool:
    """Return whether the command of a step succeeded; it is what is rolled for first."""
    return next(event.success for event in events if isinstance(event, Tried))


TRIALS = Trials(succeeded=_succeeded)
