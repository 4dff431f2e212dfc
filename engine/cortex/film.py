"""A whole battle in a few drawings: what is left of all vessels, one moment below the other."""

from collections.abc import Sequence

from engine.briefing import Picture
from engine.cortex.chart import EDGE, heading, vessels
from engine.cortex.facts import BattleView
from engine.i18n import listed, say
from engine.sketch import MARGIN, WIDTH, Word, line, spread, text, tile, tiled

_FRAMES = 4
"""The most drawings of a film."""
_HEAD = 50


def film(views: Sequence[BattleView], word: Word) -> tuple[Picture, ...]:
    """Return a battle drawn from the views after its steps; nothing before the first turn."""
    # Steps that only file orders change nothing to see.
    turns = list({(view["played"], view["over"]): view for view in views}.values())
    frames = spread(turns, _FRAMES)
    if len(frames) < 2:
        return ()
    top, drawn = 0, list[str]()
    for view in frames:
        title = [line(0, top + 1, WIDTH, top + 1), text(MARGIN, top + 36, heading(view, word))]
        rows, bottom = vessels(view, word, top + _HEAD)
        drawn += [tile(0, top, WIDTH, _HEAD - EDGE, title), *rows]
        top = bottom
    told = say("The battle in drawings: {facts}.", facts=listed(map(_moment, frames)))
    return (Picture(tiled(top, drawn), told),)


def _moment(view: BattleView) -> str:
    """Return when a drawing is of, and how many of each team are active then."""
    if view["over"]:
        when = say("at the end")
    elif not view["played"]:
        when = say("before the first turn")
    else:
        when = say("after turn {turn}", turn=view["played"])
    counts = [say("{team} {count}", team=t["name"], count=t["active"]) for t in view["teams"]]
    return say("{when} {counts}", when=when, counts=counts)
