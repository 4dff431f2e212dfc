"""STANDINGS: the best careers, a player's own and those around them, and the sides."""

from re import Match

from engine.i18n import say, spoken
from engine.names import fold
from pbem.games.standings import Span, standings
from pbem.handlers.request import Answer, Refusal, Request, pay

EXAMPLE = say("STANDINGS 50")
_USUAL, _MOST = 10, 100
"""How many places are listed, if the order does not say, and at most."""
_SIDES = 8
"""How many sides are named where somebody asks for one that there is not."""
_ROW = 60
"""What it costs to look at one persona of the league, in units of a Budget."""


def ranking(request: Request, match: Match[str]) -> Answer:
    """Return the standings: the best, or as many places as are asked for, or those of a side."""
    store = request.ports.store
    pay(request, _ROW * store.personas.count())
    side = _side(request, match["side"]) if match["side"] else ""
    found = standings(store, request.player.id, _span(match["first"], match["last"], side))
    block = {"kind": "standings", "systems": found, "side": side}
    return Answer(True, "", blocks=(block,))


def _span(first: str | None, last: str | None, side: str) -> Span:
    """Return the places that `50`, or `51 TO 100`, means."""
    start = max(int(first or 1), 1)
    end = int(last) if last else start + _USUAL - 1
    if end < start:
        raise Refusal(say("{first} comes after {last}", first=start, last=end), EXAMPLE)
    return Span(start, min(end, start + _MOST - 1), side)


def _side(request: Request, written: str) -> str:
    """Return the side that is meant; raise Refusal where nobody fights for such a side."""
    sides = request.ports.store.sides()
    for system, side in sides:
        if fold(request.english(system, written)) == fold(side):
            return side
    known = spoken(list(dict.fromkeys(side for _, side in sides))[:_SIDES])
    raise Refusal(
        say("nobody fights for a side called {side}", side=written),
        say("the sides are {sides}", sides=known) if sides else EXAMPLE,
    )
