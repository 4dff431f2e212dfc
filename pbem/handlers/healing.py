"""GM HEAL: who is healed between games, in a league that does not heal by itself."""

from re import Match

from engine.i18n import say
from engine.names import unquote
from pbem.games.personas import campaign_of, piece_of
from pbem.handlers.lookup import refusing
from pbem.handlers.request import Refusal
from pbem.handlers.ruling_request import RulingRequest
from pbem.people import career_log


def heal(request: RulingRequest, match: Match[str]) -> str:
    """Heal a persona, or one of it, and notify its player."""
    store = request.ports.store
    name = unquote(match["name"])
    row = store.persona_named(name)
    if row is None:
        raise Refusal(say("nobody in the league is called {name}", name=name))
    healing = campaign_of(row).healing
    if healing is None:
        raise Refusal(say("{pilot} needs no healing", pilot=row.name))
    if store.is_fighting(row.id):
        raise Refusal(say("{pilot} is in a battle; that waits until it is over", pilot=row.name))
    with refusing():
        change = healing.healed(piece_of(row), unquote(match["part"] or ""))
    career_log.enter(store, row, change, request.now)
    request.ports.reports.career_changed(row, change, request.now, ("healed", request.now))
    return say("{pilot} is healed, and its player is told", pilot=row.name)
