"""LINEUP: how a persona enters its next battles, in words of its system."""

import json
from re import Match

from engine.i18n import say
from pbem.games.personas import campaign_of, piece_of
from pbem.handlers.challenge_answers import renewed
from pbem.handlers.inquiries import sheet_block
from pbem.handlers.lookup import own, refusing
from pbem.handlers.request import Answer, Request


def line_up(request: Request, match: Match[str]) -> Answer:
    """Change how a persona enters its next battles, and renew the challenges that it has a part in.

    A battle that runs already is as it was.
    """
    row, store = own(request, match["name"]), request.ports.store
    with refusing():
        piece = campaign_of(row).line_up(piece_of(row), match["what"])
    store.personas.change(row.id, record=json.dumps(piece.record))
    renewed(request, row)
    text = say("{pilot} enters its next battles so", pilot=row.name)
    return Answer(True, text, blocks=(sheet_block(request, store.personas.get(row.id)),))
