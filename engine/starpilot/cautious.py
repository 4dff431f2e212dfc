"""The order for a pilot whose player is silent."""

from engine.starpilot.legal import orders
from engine.starpilot.model import Battle, Order

_PREFERRED = (
    *("SCAN", "TARGET", "OPEN", "DOGFIGHT", "CLOSE"),
    *("LAUNCH", "FIRE", "EJECT", "ESCAPE", "HOLD"),
)
"""What a pilot does that has no defence left: the first of these that is legal."""


def cautious(battle: Battle, name: str) -> Order:
    """Return the order for a pilot whose player is silent.

    It defends itself against the shots and locks on it, scans if it has found nobody, and otherwise
    chooses its best defence. Only a ship without any of these does something else, and none
    surrenders.
    """
    legal = {order.command: order for order in reversed(orders(battle, name))}
    skills = battle.pilots[name].card.skills
    guards = [command for command in _answers(battle, name) if command in legal]
    if guards:
        return legal[max(guards, key=lambda command: (skills[command], command))]
    return next(legal[command] for command in _PREFERRED if command in legal)


def _answers(battle: Battle, name: str) -> tuple[str, ...]:
    """Return the defences that stop what is on the pilot, or all of them."""
    weapons = {s.weapon for s in battle.shots if s.at == name}
    if weapons == {"fire"}:
        return ("JINK", "PROTECT")
    if weapons == {"launch"}:
        return ("ECM", "PROTECT")
    if weapons:
        return ("PROTECT", "JINK", "ECM")
    if any(k.on == name for k in battle.locks):
        return ("ECM", "JINK")
    return ("PROTECT", "JINK", "ECM")
