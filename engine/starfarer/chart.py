"""The field as a line in metres, with a row for each person: as it is now, or a whole fight."""

from collections.abc import Callable, Mapping, Sequence

from engine.i18n import Said, listed, say
from engine.pictures import (
    FONT,
    INK,
    LETTERS,
    MARGIN,
    PALE,
    PAPER,
    SIDES,
    WIDTH,
    Picture,
    Word,
    cut,
    legible,
    line,
    of_sides,
    sheet,
    spread,
    text,
    wide,
)
from engine.starfarer.body_chart import bodies, sign
from engine.starfarer.view_types import BattleView, CharacterView

_ROW, _TIGHT, _HEAD = 58, 46, 56
_MANY = 10
"""With more people than this the rows stand closer together."""
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000)
_TICKS = 6
"""The most metres that are written below the field."""
WORDS = (
    "Before the first round", "After round {round}", "At the end", "unconscious", "dead", "prone",
    "surrendered", "Round {round}",
)  # fmt: skip
"""The words of the pictures that are in no sentence."""


def pictures(view: BattleView, word: Word) -> tuple[Picture, ...]:
    """Return the field as it is now, and the bodies of those who are hurt."""
    shown = [one for one in view["pilots"] if one["fate"] != "left"]
    title = text(MARGIN, 38, heading(view, word, "After round {round}"))
    rows, bottom = field(view, shown, word, _HEAD)
    legend, height = _legend(view, bottom)
    short = say("The field: {facts}.", facts=_left(view))
    drawn = Picture(sheet(height, [title, *rows, *legend]), _told(view), short)
    hurt = bodies(view, word)
    return (drawn,) if hurt is None else (drawn, hurt)


def _left(view: BattleView) -> str:
    """Return how many people each side has left, in words."""
    return of_sides((team["name"], team["active"]) for team in view["teams"])


def heading(view: BattleView, word: Word, form: str) -> str:
    """Return which round was played last, in the words of `form`."""
    if view["round"] is None:
        return word("At the end")
    if view["round"] == 1:
        return word("Before the first round")
    return word(form).format(round=view["round"] - 1)


def field(
    view: BattleView, shown: Sequence[CharacterView], word: Word, top: int
) -> tuple[list[str], int]:
    """Return the rows of people with the metres below them, and where they end."""
    names = [team["name"] for team in view["teams"]]
    # With nobody left on it the whole field is shown.
    places = [one["at"] for one in shown] or [0, view["field"]]
    low, high = _range(places, view["field"])
    height = _TIGHT if len(shown) > _MANY else _ROW
    drawn = list[str]()
    bottom = top + height * len(shown)
    for metre in _ticks(low, high):
        x = _across(metre, low, high)
        drawn += [line(x, top, x, bottom), text(x, bottom + 30, f"{metre} m", "middle", PALE)]
    for number, one in enumerate(shown):
        y = top + height * number + height // 2
        team = names.index(one["team"])
        x = _across(one["at"], low, high)
        drawn.append(line(MARGIN, y, WIDTH - MARGIN, y, PALE, 1))
        lies = one["prone"] or one["fate"] == "dead"
        drawn.append(person(x, y, team, lies, one["fate"] == "dead"))
        name = legible(one["name"], view["pilots"].index(one) + 1)
        drawn.append(_name(one, name, word, x, y, team))
    return drawn, bottom + 44


def _name(one: CharacterView, name: str, word: Word, x: int, y: int, team: int) -> str:
    """Draw a name, and how its bearer is, on the side that has more space."""
    state = one["fate"] if one["fate"] != "active" else "prone" if one["prone"] else ""
    # Towards the middle, so that a name never runs off the paper.
    right = x < WIDTH // 2
    space = (WIDTH - x if right else x) - 44
    words = cut(f"{name}, {word(state)}" if state else name, space)
    at = x + 34 if right else x - 34
    return text(at, y + FONT // 3, words, "start" if right else "end", SIDES[team])


def _range(places: Sequence[int], whole: int) -> tuple[int, int]:
    """Return the part of the field that is shown: all of it, or where people are if it is long."""
    low, high = min(places), max(places)
    aside = max((high - low) // 6, 5)
    # A field can be 300 km long: then people would stand on one spot.
    if whole <= 3 * (high - low + 10):
        return 0, whole
    return max(low - aside, 0), min(high + aside, whole)


def _across(metre: int, low: int, high: int) -> int:
    """Return where a metre of the field is on the paper."""
    edge = MARGIN + 24
    return edge + (WIDTH - 2 * edge) * (metre - low) // max(high - low, 1)


def _ticks(low: int, high: int) -> range:
    step = next((s for s in _STEPS if (high - low) // s < _TICKS), _STEPS[-1])
    # Only round metres, the first at or after the left edge.
    return range(-(-low // step) * step, high + 1, step)


def _legend(view: BattleView, top: int) -> tuple[list[str], int]:
    """Return the sign of each team with its name, and where the drawing ends."""
    drawn, x, y = [line(0, top + 8, WIDTH, top + 8)], MARGIN, top + 42
    for number, team in enumerate(view["teams"]):
        words = cut(legible(team["name"], LETTERS[number]), WIDTH - 2 * MARGIN - 40)
        needed = 40 + wide(words, FONT) + 24
        # A first sign of a row is never moved: its row would stay empty.
        if x + needed > WIDTH and x > MARGIN:
            x, y = MARGIN, y + 38
        drawn += [sign(x + 14, y, number), text(x + 36, y + FONT // 3, words, "start", INK)]
        x += needed
    return drawn, y + 30


def _told(view: BattleView) -> str:
    """Return a sentence that says all that the field shows."""
    facts = [_stands(one) for one in view["pilots"]]
    return say("Field of {field} m: {facts}.", field=view["field"], facts=listed(facts))


def _stands(one: CharacterView) -> Said:
    """Return where somebody is, and how."""
    form = _FORMS["prone" if one["fate"] == "active" and one["prone"] else one["fate"]]
    return form(name=one["name"], team=one["team"], at=one["at"])


_FORMS: Mapping[str, Callable[..., Said]] = {
    "active": lambda **facts: say("{name} of {team} stands at {at}", **facts),
    "prone": lambda **facts: say("{name} of {team} lies at {at}", **facts),
    "unconscious": lambda **facts: say("{name} of {team} lies unconscious at {at}", **facts),
    "dead": lambda **facts: say("{name} of {team} lies dead at {at}", **facts),
    "surrendered": lambda **facts: say("{name} of {team} has surrendered at {at}", **facts),
    "left": lambda **facts: say("{name} of {team} has left", **facts),
}


def person(x: int, y: int, team: int, lies: bool, dead: bool) -> str:
    """Draw a person by its team's sign: upright or lying, with a cross for one that is dead."""
    body = line(0, 10, 0, 34, SIDES[team], 7) + line(-12, 22, 12, 22, SIDES[team], 5)
    turn = " rotate(90) translate(0 -16)" if lies else " translate(0 -16)"
    cross = (
        f'<path d="M-16 -16L16 16M16 -16L-16 16" stroke="{PAPER}" stroke-width="11"/>'
        f'<path d="M-16 -16L16 16M16 -16L-16 16" stroke="{INK}" stroke-width="6"/>'
    )
    figure = f'<g transform="translate({x} {y}){turn}">{body}{sign(0, 0, team)}</g>'
    return figure + (f'<g transform="translate({x} {y})">{cross}</g>' if dead else "")


_FRAMES = 5
"""The most drawings of a film."""
_TITLE = 50


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
        rows, bottom = field(view, shown, word, top + _TITLE)
        title = text(MARGIN, top + 36, heading(view, word, "After round {round}"))
        drawn += [line(0, top, WIDTH, top), title, *rows]
        top = bottom
    texts = (
        say("The fight in drawings: {facts}.", facts=facts)
        for facts in (listed(map(_moment, frames)), _left(frames[-1]))
    )
    return (Picture(sheet(top, drawn), *texts),)


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
