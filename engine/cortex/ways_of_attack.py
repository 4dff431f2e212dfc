"""How each attacker strikes, so that a hit long after its shot can be told as what it is."""

from engine.cortex.attack_events import AnyEvent, Arrived, Attacked, PointDefended
from engine.cortex.events import Avoided

Ways = dict[str, str]
"""How each attacker struck last: by "guns", "defence", "missile" or "collision"."""


def note(ways: Ways, event: AnyEvent) -> None:
    """Note how those who attack in an event strike."""
    if isinstance(event, Attacked):
        ways[event.by] = "guns"
    elif isinstance(event, PointDefended):
        ways[event.by] = "defence"
    elif isinstance(event, Arrived):
        ways[event.id] = "missile"
    elif isinstance(event, Avoided) and not event.passed:
        ways |= dict.fromkeys((event.at, event.unit), "collision")
