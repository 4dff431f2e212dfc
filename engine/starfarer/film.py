"""A whole fight in a few drawings of the field, one below the other."""

from collections.abc import Sequence

from engine.briefing import Picture
from engine.i18n import listed, say
from engine.sketch import MARGIN, WIDTH, Word, line, sheet, spread, text
from engine.starfarer.chart import field, heading
from engine.starfarer.facts import BattleView

_FRAMES = 5
"""The most drawings of a film."""
_HEAD = 50


def film(views: Sequence[BattleView], word: Word) -> tuple[Picture, ...]:
    """Return a fight drawn from the views after its steps; nothing before the first round."""
    # Steps that only file plans change nothing to see.
    rounds = list({(view["round"], view["over"]): view for view in views}.values())
    frames = spread(rounds, _FRAMES)
    if len(frames) < 2:
        return ()
    top, drawn = 0, list[str]()
    for view in frames:
        shown = [one for one in view["pilots"] if one["fate"] != "left"]
        rows, bottom = field(view, shown, word, top + _HEAD)
        title = text(MARGIN, top + 36, heading(view, word, "After round {round}"))
        drawn += [line(0, top, WIDTH, top), title, *rows]
        top = bottom
    told = say("The fight in drawings: {facts}.", facts=listed(map(_moment, frames)))
    return (Picture(sheet(top, drawn), told),)


def _moment(view: BattleView) -> str:
    """Return when a drawing is of, and how many of each team are active then."""
    if view["round"] is None:
        when = say("at the end")
    elif view["round"] == 1:
        when = say("before the first round")
    else:
        when = say("after round {round}", round=view["round"] - 1)
    counts = [say("{team} {count}", team=t["name"], count=t["active"]) for t in view["teams"]]
    return say("{when} {counts}", when=when, counts=counts)
