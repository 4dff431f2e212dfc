"""A map of the turn last played: tracks, headings, arcs, shots and hits, to be seen in grey too."""

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from engine.blackskies.space import HEADINGS, STEPS
from engine.ruleset import Picture, View
from engine.said import say

Facts = dict[str, Any]
Word = Callable[[str], str]
_Spot = tuple[int, int]

WIDTH = 6400
"""The map's width in its own units, ten a pixel; all is drawn in whole ones."""
_MARGIN, _LEGEND = 500, 420
_SMALLEST = 40_000
"""The least that a map shows across, in thousandths of a half-inch."""
_INK, _PALE, _ARC = "#1b2733", "#9aa7b4", "#e3e8ee"
_COLOURS = ("#0b5cad", "#b3401a")
_DASHES = ("", ' stroke-dasharray="90 60"')
COMPASS = ("east", "north-east", "north-west", "west", "south-west", "south-east")


def pictures(view: View, word: Word) -> tuple[Picture, ...]:
    """Draw the plane as it is, and how it came to that in the turn last played."""
    return (Picture(_svg(view, word), _told(view)),)


def _told(view: View) -> str:
    """Say in a sentence all that the map shows."""
    facts = [_place(pilot, view) for pilot in view["pilots"] if pilot["fate"] == "active"]
    facts += [
        say("a shot of {by} at {at}, hits: {hits}", by=s["by"], at=s["at"], hits=s["hits"])
        for s in view["shots"]
    ]
    return say("Map: {facts}.", facts=facts)


def _place(pilot: Facts, view: View) -> str:
    element = next(e for e in view["elements"] if e["name"] == pilot["element"])
    return say(
        "{name} heading {heading} at speed {speed}",
        name=pilot["name"],
        heading=say(COMPASS[element["heading"]]),
        speed=element["speed"],
    )


class _Paper:
    """Where points of the plane are on the map."""

    def __init__(self, spots: list[_Spot]) -> None:
        flat = [_flat(spot) for spot in spots] or [(0, 0)]
        xs, ys = [x for x, _ in flat], [y for _, y in flat]
        wide = max(max(xs) - min(xs), _SMALLEST)
        self.high = max(max(ys) - min(ys), _SMALLEST // 2)
        self.span = max(wide, self.high)
        self.left, self.top = (max(xs) + min(xs) - self.span) // 2, (max(ys) + min(ys)) // 2
        self.height = self.length(self.high) + 2 * _MARGIN

    def length(self, thousandths: int) -> int:
        """Give a length on the map."""
        return thousandths * (WIDTH - 2 * _MARGIN) // self.span

    def at(self, q: int, r: int) -> _Spot:
        """Give a point on the map."""
        x, y = _flat((q, r))
        return (
            _MARGIN + self.length(x - self.left),
            self.height // 2 + self.length(y - self.top),
        )


def _flat(spot: _Spot) -> _Spot:
    """Give a point's right angles in thousandths of a half-inch, downwards positive."""
    q, r = spot
    return 1000 * q + 500 * r, 866 * r


def _spots(view: View) -> list[_Spot]:
    """Give all points that must be on the map."""
    found = [(p["q"], p["r"]) for p in view["pilots"] if p["fate"] == "active"]
    found += [(q, r) for track in view["tracks"].values() for q, r in track]
    return found + [(q, r) for shot in view["shots"] for q, r in (shot["start"], shot["end"])]


def _svg(view: View, word: Word) -> str:
    paper = _Paper(_spots(view))
    parts = [
        *(_rock(paper, rock) for rock in view["asteroids"]),
        *(part for e in view["elements"] if e["active"] for part in _arcs(paper, e)),
        *(_track(paper, view, name, track) for name, track in view["tracks"].items()),
        *(part for shot in view["shots"] for part in _shot(paper, shot)),
        *(part for pilot in view["pilots"] for part in _ship(paper, view, pilot)),
        *_legend(paper, view, word),
    ]
    height = paper.height + _LEGEND
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH // 10}" height="{height // 10}"'
        f' font-family="Source Sans Pro, sans-serif" font-size="170" fill="{_INK}">'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>' + "".join(parts) + "</svg>"
    )


def _rock(paper: _Paper, rock: Facts) -> str:
    x, y = paper.at(rock["q"], rock["r"])
    radius = paper.length(2000 * rock["radius"])
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{_PALE}" stroke="{_INK}" stroke-width="15"/>'
    )


def _arcs(paper: _Paper, element: Facts) -> Iterator[str]:
    """Draw where an element's weapons reach, as far as their close range."""
    lead = next(f for f in element["fighters"] if f["fate"] == "active")
    reach: dict[int, int] = {}
    for weapon in element["design"]["weapons"]:
        for arc in weapon["arc"]:
            reach[arc] = max(reach.get(arc, 0), weapon["range"][0])
    for arc, inches in reach.items():
        heading = (element["heading"] + arc) % HEADINGS
        edges = [_corner(lead, heading, n, inches * 1155 // 1000) for n in (-1, 0)]
        points = " ".join(f"{x},{y}" for x, y in (paper.at(*spot) for spot in edges))
        x, y = paper.at(lead["q"], lead["r"])
        yield f'<polygon points="{x},{y} {points}" fill="{_ARC}"/>'


def _corner(lead: Facts, heading: int, side: int, length: int) -> _Spot:
    """Give a point on the edge of a wedge: half-way between two headings."""
    (q1, r1), (q2, r2) = STEPS[(heading + side) % HEADINGS], STEPS[(heading + side + 1) % HEADINGS]
    return lead["q"] + (q1 + q2) * length, lead["r"] + (r1 + r2) * length


def _team(view: View, pilot: Facts) -> int:
    return 0 if pilot["team"] == view["teams"][0]["name"] else 1


def _track(paper: _Paper, view: View, name: str, track: list[list[int]]) -> str:
    pilot = next(p for p in view["pilots"] if p["name"] == name)
    number = _team(view, pilot)
    points = " ".join(f"{x},{y}" for x, y in (paper.at(q, r) for q, r in track))
    return (
        f'<polyline points="{points}" fill="none" stroke="{_COLOURS[number]}"'
        f' stroke-width="25"{_DASHES[number]}/>'
    )


def _shot(paper: _Paper, shot: Facts) -> Iterator[str]:
    """Draw a shot as a thin line, and a star where it hits."""
    (x, y), (to_x, to_y) = paper.at(*shot["start"]), paper.at(*shot["end"])
    yield f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{_INK}" stroke-width="12" fill="none"/>'
    if shot["hits"]:
        spikes = "l35 75l80 -25l-30 75l75 35l-75 35l30 75l-80 -25l-35 75l-35 -75l-80 25l30 -75"
        yield (
            f'<path d="M{to_x} {to_y - 160}{spikes}l-75 -35l75 -35l-30 -75l80 25z" fill="#fff"'
            f' stroke="{_INK}" stroke-width="20"/>'
        )


def _ship(paper: _Paper, view: View, pilot: Facts) -> Iterator[str]:
    """Draw a fighter, a dart or a ring with a nose by its side; a wingman's name stands below."""
    if pilot["fate"] != "active":
        yield from _wreck(paper, view, pilot)
        return
    element = next(e for e in view["elements"] if e["name"] == pilot["element"])
    number, (x, y) = _team(view, pilot), paper.at(pilot["q"], pilot["r"])
    turn = f' transform="translate({x} {y}) rotate({-60 * element["heading"]})"'
    colour = _COLOURS[number]
    if number == 0:
        yield f'<path d="M150 0L-110 -90L-60 0L-110 90z" fill="{colour}"{turn}/>'
    else:
        yield (
            f'<path d="M170 0L60 -70A85 85 0 1 0 60 70z" fill="#fff" stroke="{colour}"'
            f' stroke-width="40"{turn}/>'
        )
    below = pilot["name"] != element["fighters"][0]["name"]
    label = y + 270 if below else y - 150
    yield f'<text x="{x}" y="{label}" text-anchor="middle">{escape(pilot["name"])}</text>'


def _wreck(paper: _Paper, view: View, pilot: Facts) -> Iterator[str]:
    """Mark where a fighter was destroyed in the turn last played."""
    ends = [shot["end"] for shot in view["shots"] if shot["at"] == pilot["name"]]
    if pilot["fate"] == "destroyed" and ends:
        x, y = paper.at(*ends[-1])
        yield (
            f'<path d="M{x - 110} {y - 110}l220 220m0 -220l-220 220" stroke="{_INK}"'
            ' stroke-width="40"/>'
        )
        yield f'<text x="{x}" y="{y - 190}" text-anchor="middle">{escape(pilot["name"])}</text>'


def _legend(paper: _Paper, view: View, word: Word) -> Iterator[str]:
    """Draw the scale, and which shape and line is whose."""
    y, length = paper.height + _LEGEND // 2, paper.length(12_000)
    bar = f"M{_MARGIN} {y}v-60v120v-60h{length}v-60v120"
    yield f'<path d="{bar}" stroke="{_INK}" stroke-width="20" fill="none"/>'
    yield f'<text x="{_MARGIN + length + 100}" y="{y + 55}">{escape(word("6 inches"))}</text>'
    for number, team in enumerate(view["teams"]):
        x = WIDTH - 3300 + 1600 * number
        yield (
            f'<path d="M{x} {y}h400" stroke="{_COLOURS[number]}" stroke-width="30"'
            f"{_DASHES[number]}/>"
            f'<text x="{x + 480}" y="{y + 55}">{escape(team["name"])}</text>'
        )
