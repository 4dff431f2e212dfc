"""The order given for a pilot whose player is silent."""

from engine.starpilot.legal import can_act, refusal
from engine.starpilot.model import Battle, Order, Pilot
from engine.starpilot.tables import SKILL_STAT


def cautious(battle: Battle, name: str) -> str:
    """Give the command for a pilot whose player is silent.

    It defends itself where a shot or lock is on it, else it scans, and else keeps its guard up;
    it never shoots, moves, leaves or yields.
    """
    pilot = battle.pilots[name]
    if not can_act(battle, name):
        return "HOLD"
    if not pilot.found:
        return "SCAN" if _able(pilot, "SCAN") else "ESCAPE"
    guards = [c for c in _answers(battle, name) if _able(pilot, c)]
    if guards:
        return max(guards, key=lambda c: (pilot.card.skills[c], c))
    return next((c for c in (*SKILL_STAT, "EJECT", "ESCAPE") if _plain(battle, name, c)), "HOLD")


def _able(pilot: Pilot, command: str) -> bool:
    return pilot.stats[SKILL_STAT[command]] > 0


def _plain(battle: Battle, name: str, command: str) -> bool:
    return refusal(battle, name, Order(command)) is None


def _answers(battle: Battle, name: str) -> tuple[str, ...]:
    """Give the defences that answer what is on the pilot, or all of them."""
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
