"""ENLIST: new pilots."""

import json
from re import Match

from engine import library
from engine.errors import OrderError
from engine.words import fold
from pbem.league.inquiries import sheet_block
from pbem.league.visit import Answer, Refusal, Visit
from pbem.session import piece_of

SYSTEM = "starpilot"


def enlist(visit: Visit, match: Match[str]) -> Answer:
    """Take a new pilot into the league and answer with its persona sheet (SP-1 to SP-3)."""
    store, player = visit.office.store, visit.player
    career = library.RULESETS[SYSTEM].career
    assert career is not None
    try:
        piece = career.enlist(match["what"])
    except OrderError as error:
        raise Refusal(str(error), f"like this: {error.hint}" if error.hint else "") from None
    taken = store.persona_named(piece.name)
    if taken is not None:
        raise Refusal(f"the name {taken.name} is taken; a pilot's name is unique in the league")
    mine = [piece_of(row) for row in store.personas.all(player=player.id, system=SYSTEM)]
    crowded = career.crowded(mine, piece)
    if crowded is not None:
        raise Refusal(crowded)
    row = store.personas.add(
        player=player.id,
        system=SYSTEM,
        name=piece.name,
        folded=fold(piece.name),
        side=piece.side,
        record=json.dumps(piece.record),
        joined=visit.now,
    )
    return Answer(True, f"{row.name} flies for the {row.side}", blocks=(sheet_block(row),))
