"""What one seat may know of a battle, built up for templates, and who is to order."""

from engine.blackskies.design import Design, shown, weight_of
from engine.blackskies.geometry import Point, bearing, hour, norm, tenths
from engine.blackskies.letter_remarks import moves
from engine.blackskies.model import (
    Battle,
    Element,
    Fighter,
    Shot,
    active,
    all_elements,
    design_of,
    enemies,
    is_crippled,
    points,
    seats,
    to_order,
    unordered,
)
from engine.blackskies.view_types import (
    BattleView,
    ElementView,
    EnemySeen,
    FighterSeen,
    FighterView,
    OwnView,
    PilotView,
    PlaceSeen,
    RockSeen,
    ShotView,
    SideView,
    WingmanSeen,
)
from engine.blackskies.written_orders import format_order
from engine.ruleset import Outcome, Phase
from engine.seats import Seat, by_seat


def view(battle: Battle, seat: Seat | None) -> BattleView:
    """Return what a seat, the referee or the public (None) may know.

    All see the plane; only a seat knows its own orders of the open turn (BS-10).
    """
    elements = [battle.elements[name] for name in all_elements(battle)]
    own = [element.name for element in elements if element.seat == seat]
    side = battle.elements[own[0]].side if own else None
    return {
        "me": seat if own else None,
        "side": None if side is None else battle.sides[side].name,
        "turn": battle.turn,
        "last": battle.last,
        "first": None if battle.first is None else battle.sides[battle.first].name,
        "over": battle.over,
        "winner": battle.winner,
        # All may see the decks: they are fixed at the start, and are not orders (BS-9, BS-10).
        "teams": [_side(battle, number) for number in (0, 1)],
        "mates": []
        if side is None
        else sorted({e.seat for e in elements if e.side == side} - {seat}),
        "designs": [shown(design) for _, design in sorted(battle.designs.items())],
        "asteroids": [{"q": a.q, "r": a.r, "radius": a.radius} for a in battle.asteroids],
        "elements": [_element(battle, element) for element in elements],
        "pilots": [_pilot(battle, e, one) for e in elements for one in e.fighters],
        "tracks": {name: [list(at) for at in track] for name, track in battle.tracks.items()},
        "shots": [_shot(shot) for shot in battle.shots],
        "mine": [_own(battle, name) for name in own],
        "to_order": [] if seat is None else unordered(battle, seat),
    }


def _pilot(battle: Battle, element: Element, name: str) -> PilotView:
    """Return a fighter with what a list of fighters needs of its element."""
    design = design_of(battle, element)
    return {
        "team": battle.sides[element.side].name,
        "element": element.name,
        "design": design.name,
        "full": weight_of(design).hull,
        **_fighter(design, battle.fighters[name]),
    }


def _shot(shot: Shot) -> ShotView:
    # Lists, since a view has to be the same after its way through JSON, which knows no tuples.
    return {
        "by": shot.by,
        "at": shot.at,
        "start": list(shot.start),
        "end": list(shot.end),
        "hits": shot.hits,
    }


def _side(battle: Battle, number: int) -> SideView:
    side = battle.sides[number]
    return {
        "name": side.name,
        "elements": list(side.elements),
        "deck": list(side.deck),
        "points": points(battle)[number],
    }


def _element(battle: Battle, element: Element) -> ElementView:
    design = design_of(battle, element)
    return {
        "name": element.name,
        "side": battle.sides[element.side].name,
        "seat": element.seat,
        "design": shown(design),
        "active": bool(active(battle, element.name)),
        "heading": element.heading,
        "speed": element.speed,
        "retrograde": element.retrograde,
        "fighters": [_fighter(design, battle.fighters[name]) for name in element.fighters],
    }


def _fighter(design: Design, fighter: Fighter) -> FighterView:
    flies = fighter.fate == "active"
    return {
        "name": fighter.name,
        "skill": fighter.skill,
        "fate": fighter.fate,
        # A fighter that is out has no place any more, though its record keeps the last one.
        "q": fighter.q if flies else None,
        "r": fighter.r if flies else None,
        "hull": fighter.hull,
        "crippled": is_crippled(design, fighter.hull),
        "kills": fighter.kills,
    }


def _own(battle: Battle, name: str) -> OwnView:
    """Return what a seat knows of its own element: its order, what it sees, and its cards."""
    order = battle.pending.get(name)
    flies = bool(active(battle, name))
    return {
        "name": name,
        "order": None if order is None else format_order(order),
        "bearings": _enemies_seen(battle, name) if flies else [],
        "rocks": _rocks(battle, name) if flies else [],
        "wingman": _wingman(battle, name) if flies else None,
        "moves": moves(battle, name) if flies and not battle.over else [],
    }


def phase(battle: Battle) -> Phase:
    """Return who may order, and who owes orders for which elements; or how the battle ended."""
    if battle.over:
        return Phase((), {}, True, Outcome(battle.winner, battle.winner is None))
    elements = battle.elements
    may = {elements[name].seat: None for name in all_elements(battle) if active(battle, name)}
    # By the order of the seats, which is that of their first elements, in flight or not.
    owing = by_seat(to_order(battle), lambda name: elements[name].seat, seats(battle))
    return Phase(tuple(may), owing, True)


def _enemies_seen(battle: Battle, name: str) -> list[EnemySeen]:
    """Return each enemy element as seen from an element's lead, the nearest first.

    `hour` and `arc` say where a fighter is, `aspect` the arc of its own that the lead is in.
    """
    element, lead = battle.elements[name], active(battle, name)[0]
    found: dict[str, EnemySeen] = {}
    for other, foe in enemies(battle, element.side):
        away, design = (foe.q - lead.q, foe.r - lead.r), design_of(battle, other)
        fighter: FighterSeen = {
            **_seen_at(away, element.heading),
            "enemy": foe.name,
            # The vector turned round: from the enemy to our lead.
            "aspect": bearing(-away[0], -away[1], other.heading),
            "hull": foe.hull,
            "crippled": is_crippled(design, foe.hull),
        }
        kept: EnemySeen = {
            "element": other.name,
            "heading": other.heading,
            "speed": other.speed,
            "retrograde": other.retrograde,
            "fighters": [],
        }
        found.setdefault(other.name, kept)["fighters"].append(fighter)
    # By its nearest fighter, whether that is the lead or the wingman.
    near = {key: min(f["distance"] for f in one["fighters"]) for key, one in found.items()}
    return [found[key] for key in sorted(found, key=near.__getitem__)]


def _rocks(battle: Battle, name: str) -> list[RockSeen]:
    """Return each asteroid as seen from an element's lead, the nearest first."""
    element, lead = battle.elements[name], active(battle, name)[0]
    found: list[RockSeen] = [
        {**_seen_at((a.q - lead.q, a.r - lead.r), element.heading), "radius": a.radius}
        for a in battle.asteroids
    ]
    return sorted(found, key=lambda one: one["distance"])


def _wingman(battle: Battle, name: str) -> WingmanSeen | None:
    """Return where an element's wingman flies, None if it has none."""
    lead, *others = active(battle, name)
    if not others:
        return None
    away = others[0].q - lead.q, others[0].r - lead.r
    return {**_seen_at(away, battle.elements[name].heading), "name": others[0].name}


def _seen_at(away: Point, heading: int) -> PlaceSeen:
    """Return a direction by hour and arc, and a distance in tenths of an inch."""
    return {
        "arc": bearing(*away, heading),
        "hour": hour(*away, heading),
        "distance": tenths(norm(*away)),
    }
