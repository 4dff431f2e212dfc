"""A map in a sentence: all that it shows, for those who do not see it."""

from collections import defaultdict

from engine.blackskies.facts import BattleView, ElementView, FighterView, PilotView
from engine.blackskies.space import bearing, norm, tenths
from engine.i18n import listed, say

COMPASS = ("east", "north-east", "north-west", "west", "south-west", "south-east")
BEARINGS = (
    "straight ahead", "ahead to the left", "behind to the left", "straight behind",
    "behind to the right", "ahead to the right",
)  # fmt: skip


def map_text(view: BattleView) -> str:
    """Return a sentence that says all that the map shows."""
    facts = [_element(view, element) for element in view["elements"] if element["active"]]
    found = [*facts, *_shots(view)] or [say("no fighter is left")]
    return say("Map: {facts}.", facts=listed(found))


def _element(view: BattleView, element: ElementView) -> str:
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


def _shots(view: BattleView) -> list[str]:
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
    struck = {shot["at"] for shot in view["shots"] if shot["hits"]} | view["tracks"].keys()
    return [p for p in view["pilots"] if p["fate"] == "destroyed" and p["name"] in struck]
