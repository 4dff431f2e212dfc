"""NEW KEY: another key in place of one that was lost or told."""

from re import Match

from engine.said import say
from pbem.league import safeguards
from pbem.league.visit import Answer, Visit


def new_key(visit: Visit, match: Match[str]) -> Answer:
    """Make another key; the old one, and all reply tokens so far, prove nothing from now on."""
    asked = safeguards.ask(visit, "NEW KEY")
    if asked is not None:
        return asked
    safeguards.renew(visit.office, visit.player, visit.letter, visit.now)
    return Answer(True, say("a new key comes in a letter of its own"), told=True)
