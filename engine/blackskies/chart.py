"""A map of the turn last played, which can be read in grey, and a sentence that says as much."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from math import isqrt

from engine.blackskies import symbols
from engine.blackskies.canvas import FONT, Canvas, wide
from engine.blackskies.geometry import Point, bearing, norm, tenths
from engine.blackskies.symbols import has_arcs, height, legend
from engine.blackskies.view_types import BattleView, ElementView, FighterView, PilotView, SideView
from engine.i18n import listed, say
from engine.pictures import PALE, Picture, legible, of_sides

Word = Callable[[str], str]

_MARGIN, _HEAD = 450, 420


def pictures(view: BattleView, word: Word) -> tuple[Picture, ...]:
    """Return a map of the plane as it is, with what happened in the turn last played."""
    canvas = Canvas(spots(view), _MARGIN, top=_HEAD)
    bottom = canvas.box.bottom + height(view)
    parts = [
        *_arcs(canvas, view),
        *plane(canvas, view),
        *_names(canvas, view),
        symbols.covered(canvas.box, bottom),
        symbols.text(_MARGIN // 2, 290, title(view, word, "After turn {turn} of {last}")),
        *legend(canvas, view, word),
    ]
    short = say("Map: {facts}.", facts=of_sides((t["name"], left(view, t)) for t in view["teams"]))
    drawn = symbols.sheet(bottom, parts)
    return (Picture(drawn, map_text(view), short),)


def title(view: BattleView, word: Word, form: str) -> str:
    """Return which turn was played last, in the words of `form`."""
    if view["over"]:
        return word("At the end")
    if view["turn"] == 1:
        return word("Before the first turn")
    return word(form).format(turn=view["turn"] - 1, last=view["last"])


def left(view: BattleView, team: SideView) -> int:
    """Return how many fighters a team has left."""
    own = (p for p in view["pilots"] if p["team"] == team["name"])
    return sum(pilot["fate"] == "active" for pilot in own)


def spots(view: BattleView) -> list[Point]:
    """Return all points that must be on the map."""
    found = [(p["q"], p["r"]) for p in view["pilots"] if p["fate"] == "active"]
    found += [(q, r) for track in view["tracks"].values() for q, r in track]
    return found + [(q, r) for shot in view["shots"] for q, r in (shot["start"], shot["end"])]


def plane(canvas: Canvas, view: BattleView) -> Iterator[str]:
    """Draw what is on the plane, without names."""
    yield from _rocks(canvas, view)
    sides = {p["name"]: side_of(view, p) for p in view["pilots"]}
    for name, track in view["tracks"].items():
        points = [canvas.at(q, r) for q, r in track]
        canvas.line(points)
        yield symbols.track(points, sides[name])
    yield from _shots(canvas, view)
    yield from _ships(canvas, view)


def side_of(view: BattleView, pilot: PilotView) -> int:
    """Return the number of a fighter's side."""
    return 0 if pilot["team"] == view["teams"][0]["name"] else 1


def _rocks(canvas: Canvas, view: BattleView) -> Iterator[str]:
    """Draw the asteroids that are at least partly on the map."""
    box = canvas.box
    for rock in view["asteroids"]:
        (x, y), radius = canvas.at(rock["q"], rock["r"]), canvas.length(2000 * rock["radius"])
        across = box.left < x + radius and x - radius < box.right
        if across and box.top < y + radius and y - radius < box.bottom:
            yield symbols.rock(x, y, radius)


def _arcs(canvas: Canvas, view: BattleView) -> Iterator[str]:
    """Draw where the weapons of each element reach at close range."""
    flying = [element for element in view["elements"] if element["active"]]
    # The legend asks the same, so that it never explains what is not drawn.
    for element in flying if has_arcs(view) else ():
        lead = next(f for f in element["fighters"] if f["fate"] == "active")
        x, y = canvas.at(lead["q"], lead["r"])
        for arc, inches in sorted(_reach(element).items()):
            yield symbols.wedge(x, y, element["heading"] + arc, canvas.length(2000 * inches))


def _reach(element: ElementView) -> dict[int, int]:
    """Return the close range of an element's best weapon in each arc, in inches."""
    found: dict[int, int] = {}
    for weapon in element["design"]["weapons"]:
        for arc in weapon["arc"]:
            found[arc] = max(found.get(arc, 0), weapon["range"][0])
    return found


def _shots(canvas: Canvas, view: BattleView) -> Iterator[str]:
    """Draw a line for all shots of one fighter at another, with a star at its end if one hits."""
    volleys: dict[tuple[Point, Point], int] = defaultdict(int)
    for shot in view["shots"]:
        # By places, not by names: lines between the same places would hide each other.
        volleys[canvas.at(*shot["start"]), canvas.at(*shot["end"])] += shot["hits"]
    stars = []
    for (start, end), hits in volleys.items():
        canvas.line([start, end])
        yield symbols.shot(*start, *end, bool(hits))
        if hits:
            x, y = _before(start, end)
            canvas.mark(x, y, symbols.BURST)
            stars.append(symbols.star(x, y, hits))
    # Last, so that no later line is drawn over a number.
    yield from stars


def _before(start: Point, end: Point) -> Point:
    """Return a point of a line that leaves space for the ship at its end."""
    (x, y), (to_x, to_y) = start, end
    length = max(isqrt((to_x - x) ** 2 + (to_y - y) ** 2), 1)
    # At most half-way, or the star of a very near shot would lie behind the shooter.
    back = min(symbols.SHIP + symbols.BURST, length // 2)
    return to_x - (to_x - x) * back // length, to_y - (to_y - y) * back // length


def _ships(canvas: Canvas, view: BattleView) -> Iterator[str]:
    """Draw the ships, and a cross where one was destroyed."""
    elements = {element["name"]: element for element in view["elements"]}
    for pilot in view["pilots"]:
        if pilot["fate"] == "active":
            x, y = canvas.at(pilot["q"], pilot["r"])
            canvas.mark(x, y, symbols.SHIP)
            heading = elements[pilot["element"]]["heading"]
            yield symbols.ship(x, y, heading, side_of(view, pilot))
    for pilot in lost(view):
        x, y = grave(canvas, view, pilot)
        canvas.mark(x, y, symbols.CROSS)
        yield symbols.wreck(x, y)


def grave(canvas: Canvas, view: BattleView, pilot: PilotView) -> Point:
    """Return where a fighter was destroyed: where it was hit last, or where its track ends."""
    name = pilot["name"]
    ends = [shot["end"] for shot in view["shots"] if shot["at"] == name and shot["hits"]]
    # Hits come after the flight in a turn, so that the last of both is the later one.
    return canvas.at(*[*view["tracks"].get(name, ()), *ends][-1])


def _names(canvas: Canvas, view: BattleView) -> Iterator[str]:
    """Draw the names of fighters; a wingman next to its lead has only what differs."""
    gone = [p["name"] for p in lost(view)]
    for pilot in view["pilots"]:
        if pilot["fate"] == "active":
            yield from _name(canvas, view, pilot, *canvas.at(pilot["q"], pilot["r"]))
        elif pilot["name"] in gone:
            yield from _name(canvas, view, pilot, *grave(canvas, view, pilot))


def _name(canvas: Canvas, view: BattleView, pilot: PilotView, x: int, y: int) -> Iterator[str]:
    """Draw a name at the best place, with a line to its ship where that is far."""
    words = called(view, pilot)
    spot = canvas.label(x, y, words, symbols.SHIP)
    # Next to its ship a name needs no line.
    if spot.ring > 1:
        yield symbols.line([(x, y), (spot.x, spot.y - FONT // 3)], PALE, 18)
    if pilot["fate"] == "active" and pilot["crippled"]:
        yield symbols.underline(spot.x, spot.y, wide(words))
    yield symbols.text(spot.x, spot.y, words, "middle", symbols.inked(side_of(view, pilot)))


def called(view: BattleView, pilot: PilotView) -> str:
    """Return what a fighter is called on the map."""
    element = next(e for e in view["elements"] if e["name"] == pilot["element"])
    flying = [f["name"] for f in element["fighters"] if f["fate"] == "active"]
    name, prefix = str(pilot["name"]), f"{element['name']} "
    follows = len(flying) == 2 and name == flying[1]
    # `Red 2` next to `Red 1` is called `2`: a map on a telephone has little space for words.
    short = name.removeprefix(prefix) if follows and flying[0].startswith(prefix) else name
    return legible(short, view["pilots"].index(pilot) + 1)


COMPASS = ("east", "north-east", "north-west", "west", "south-west", "south-east")
BEARINGS = (
    "ahead", "ahead to the left", "behind to the left", "behind",
    "behind to the right", "ahead to the right",
)  # fmt: skip


def map_text(view: BattleView) -> str:
    """Return a sentence that says all that the map shows."""
    facts = [_element_text(view, element) for element in view["elements"] if element["active"]]
    found = [*facts, *_shots_text(view)] or [say("no fighter is left")]
    return say("Map: {facts}.", facts=listed(found))


def _element_text(view: BattleView, element: ElementView) -> str:
    flying = [f for f in element["fighters"] if f["fate"] == "active"]
    states = [
        *([say("tail first")] if element["retrograde"] else []),
        *(say("{name} crippled", name=f["name"]) for f in flying if f["crippled"]),
        _nearest(view, element, flying[0]),
    ]
    heading = say(COMPASS[element["heading"]])
    return say(
        "{name} of {side} heading {heading} at speed {speed}, {states}",
        name=element["name"],
        side=element["side"],
        heading=heading,
        speed=element["speed"],
        states=states,
    )


def _nearest(view: BattleView, element: ElementView, lead: FighterView) -> str:
    """Return where the nearest enemy is."""
    foes = [
        (norm(p["q"] - lead["q"], p["r"] - lead["r"]), p)
        for p in view["pilots"]
        if p["fate"] == "active" and p["team"] != element["side"]
    ]
    if not foes:
        return say("no enemy left")
    far, foe = min(foes, key=lambda one: one[0])
    arc = bearing(foe["q"] - lead["q"], foe["r"] - lead["r"], element["heading"])
    inches, tenth = divmod(tenths(far), 10)
    place = say("at the same spot" if arc is None else BEARINGS[arc])
    return say(
        "nearest enemy {name} at {inches}.{tenth} inches, {place}",
        name=foe["name"],
        inches=inches,
        tenth=tenth,
        place=place,
    )


def _shots_text(view: BattleView) -> list[str]:
    """Return who shot at whom, and how often it hit."""
    volleys: dict[tuple[str, str], list[int]] = defaultdict(list)
    for shot in view["shots"]:
        volleys[shot["by"], shot["at"]].append(shot["hits"])
    facts = [
        say("{by} shot at {at}, hits: {hits}", by=by, at=at, hits=sum(hits))
        for (by, at), hits in volleys.items()
    ]
    return [*facts, *(say("{name} destroyed", name=pilot["name"]) for pilot in lost(view))]


def lost(view: BattleView) -> list[PilotView]:
    """Return the fighters destroyed in the turn last played, by fire or an asteroid."""
    # Tracks, too: an asteroid destroys without a shot (BS-23).
    struck = {shot["at"] for shot in view["shots"] if shot["hits"]} | view["tracks"].keys()
    return [p for p in view["pilots"] if p["fate"] == "destroyed" and p["name"] in struck]
