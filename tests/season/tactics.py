"""Standing orders for a ship, as a player writes them who knows the tables of ships by heart."""

from collections.abc import Sequence

from engine.starpilot.tables import SHIPS

AT_ONE = ("FIRE", "LAUNCH", "TARGET", "DOGFIGHT", "SURRENDER")
_RULES = """\
IF UNDETECTED: SCAN
{last}
IF {arm} <= 0 AND EXTREME: ESCAPE
IF {arm} <= 0 AND SPEED <= 0: SURRENDER
IF {arm} <= 0: OPEN
IF EXTREME: CLOSE
IF FIRED ON AND STRUCTURE <= 2: JINK
IF ADVANTAGE: {shoot}
IF LOCKED: {shoot}
IF {wrong}: {move}
IF MANEUVER <= 0 AND ELECTRONICS <= 0: SURRENDER
IF MANEUVER <= 0: TARGET
IF TURN >= 1: DOGFIGHT
IF TURN >= 1: TARGET
IF TURN >= 1: SURRENDER"""
_LAST = {
    "bold": "IF STRUCTURE <= 0 AND SHOT AT: EJECT",
    "careful": "IF STRUCTURE <= 1: SURRENDER",
    "wary": "IF STRUCTURE <= 2 AND EXTREME: ESCAPE\nIF STRUCTURE <= 1 AND SHOT AT: EJECT",
}
TEMPERS = tuple(_LAST)


def standing(ship: str, temper: str, foes: Sequence[str]) -> str:
    """Return standing orders; where there are several opponents each of them is named."""
    beams = SHIPS[ship].stats[0] >= SHIPS[ship].stats[1]
    text = _RULES.format(
        last=_LAST[temper],
        arm="BEAMS" if beams else "MISSILES",
        shoot="FIRE" if beams else "LAUNCH",
        wrong="FAR" if beams else "NEAR",
        move="CLOSE" if beams else "OPEN",
    )
    rules = text.splitlines()
    if len(foes) > 1:
        rules = [line for rule in rules for line in _named(rule, foes)]
    return "\n".join(["STANDING", *rules, "END"])


def _named(rule: str, foes: Sequence[str]) -> list[str]:
    return [f"{rule} {foe}" for foe in foes] if rule.endswith(AT_ONE) else [rule]
