"""ENLIST and RESIGN: how pilots come and go."""

import json
import re
from re import Match

from engine import library
from engine.ruleset import Change, Entry
from engine.said import say
from engine.words import fold
from pbem import books, identity
from pbem.league.challenges import clear
from pbem.league.inquiries import sheet_block
from pbem.league.own import idle, own, refusing
from pbem.league.visit import Answer, Refusal, Visit
from pbem.session import career_of, piece_of
from pbem.store import Persona

SYSTEM = "starpilot"


def enlist(visit: Visit, match: Match[str]) -> Answer:
    """Take a new pilot into the league and answer with its persona sheet (SP-1 to SP-3)."""
    store, player = visit.office.store, visit.player
    career = library.RULESETS[SYSTEM].career
    assert career is not None
    with refusing():
        name, *rest = re.split(r"( FOR )", match["what"], maxsplit=1, flags=re.I)
        piece = career.enlist(name + visit.english(SYSTEM, "".join(rest)))
    taken = store.persona_named(piece.name)
    if taken is not None:
        raise Refusal(
            say(
                "the name {taken} is taken; a pilot's name is unique in the league",
                taken=taken.name,
            )
        )
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
    enlisted = Entry("enlisted", news=True, facts={"ship": career.sheet(piece)["ship"]})
    books.enter(store, row, Change(piece, (enlisted,)), visit.now)
    return Answer(
        True,
        say("{pilot} flies for the {side}", pilot=row.name, side=say(row.side)),
        blocks=(sheet_block(visit, row),),
    )


def resign(visit: Visit, match: Match[str]) -> Answer:
    """Strike a pilot off, once its player has confirmed it with the code that was mailed."""
    row = own(visit, match["name"])
    idle(visit, row)
    career, store = career_of(row), visit.office.store
    if career.gone(piece_of(row)) or career.sheet(piece_of(row))["retired"]:
        raise Refusal(say("{pilot} holds no place any more", pilot=row.name))
    code = _code(visit, row)
    if match["code"] is None:
        line = f"RESIGN {row.name} CODE {code}"
        return Answer(True, "", blocks=({"kind": "resign", "name": row.name, "line": line},))
    if not identity.same(match["code"].lower(), code):
        raise Refusal(
            say("that is not the code that was mailed for {pilot}", pilot=row.name),
            say("RESIGN {pilot}", pilot=row.name),
        )
    books.enter(store, row, career.resign(piece_of(row)), visit.now)
    clear(visit.office, row, visit.now)
    return Answer(
        True, say("{pilot} is struck off the list, and its place is free", pilot=row.name)
    )


def _code(visit: Visit, row: Persona) -> str:
    """Give the code that confirms a resignation; it changes with each line of the career."""
    lines = visit.office.store.entries.count(persona=row.id)
    return identity.token(visit.office.store.secret, "resign", visit.player.id, row.id, lines)[:8]
