"""NEW KEY: a new key in place of one that was lost or seen by others."""

from re import Match

from engine.i18n import say
from pbem.handlers import safeguards
from pbem.handlers.request import Answer, Request


def new_key(request: Request, match: Match[str]) -> Answer:
    """Send a new key; the old one and all reply tokens so far prove nothing from now on."""
    asked = safeguards.ask(request, "NEW KEY")
    if asked is not None:
        return asked
    safeguards.renew(request.ports, request.player, request.letter, request.now)
    return Answer(True, say("a new key comes in a letter of its own"), separate=True)
