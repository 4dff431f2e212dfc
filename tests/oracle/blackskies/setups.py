"""Random set-ups of Black Skies that try everything the format allows."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle.blackskies.tables import HARDPOINTS, Json, Place, within

SIDES = ("red", "blue", "Étoile", "the lower side", "A", "Red", "Black Tiger", "|referee")
ELEMENTS = ("Red", "Blue", "Gold", "Équipe", "alpha", "  padded  ", "fly", "7", "red", "Ж", "a b")
FIGHTERS = ("Ace", "Zoë", "O'Brien", "Wål", "1", "null", "Red 1", "Blue 1", "ace", "Ace ", "⚔", "q")
DESIGNS = ("Lancer", "Kite", "Laser Cannon", "Dart", "Ox", "black tiger", "ö")
SKILLS = (1, 1, 1, 2, 2, 3, 4)
WEAPONS = ("Tail Gun", "Black Tiger", "Beam", "Turret", "Mass Driver", "laser cannon")


def random_setup(rng: Random) -> Json:
    """Two sides that are fit to fight."""
    weapons = {name: random_weapon(rng) for name in rng.sample(WEAPONS, rng.randint(0, 4))}
    designs = {
        name: random_design(rng, ["Laser Cannon", *weapons])
        for name in rng.sample(DESIGNS, rng.randint(0, 4))
    }
    setup: Json = {"teams": random_teams(rng, ["Black Tiger", *designs])}
    for key, things in (("weapons", weapons), ("designs", designs)):
        if things or rng.random() < 0.3:
            setup[key] = things or rng.choice(({}, None, {"unused": None}))
    add_the_rest(rng, setup)
    return setup


def add_the_rest(rng: Random, setup: Json) -> None:
    """Who is first, how many turns, the asteroids, and a key that is not known."""
    sides = [team["name"] for team in setup["teams"]]
    if rng.random() < 0.4:
        setup["first"] = rng.choice((*sides, *sides, None))
    if rng.random() < 0.5:
        setup["turns"] = rng.choice((None, rng.randint(1, 6), rng.randint(1, 100), 100))
    if rng.random() < 0.45:
        setup["asteroids"] = random_asteroids(rng, setup)
    if rng.random() < 0.1:
        setup["weather"] = rng.choice(("fine", None, {"q": []}))


def random_weapon(rng: Random) -> Json:
    """A weapon; most of them can shoot ahead."""
    arcs = rng.sample(range(6), rng.choice((1, 1, 2, 3, 6)))
    if 0 not in arcs and rng.random() < 0.6:
        arcs.append(0)
    farthest = rng.choice((9, 18, 30, 99))
    return {
        "arc": arcs,
        "rof": rng.choice((1, 1, 2, 3, 6)),
        "range": sorted(rng.randint(1, farthest) for _ in range(3)),
        "die": rng.choice((4, 6, 8, 10, 12)),
    }


def random_design(rng: Random, weapons: list[str]) -> Json:
    """A design that spends its hardpoints, or some of them."""
    weight = rng.choice(("light", "medium", "heavy"))
    design: Json = {
        "weight": weight,
        "thrusters": rng.sample(("rear", "side", "forward"), rng.choice((0, 1, 2, 3, 3, 3))),
        "weapons": [],
        "armour": 0,
        "shields": 0,
    }
    for _ in range(HARDPOINTS[weight] - (rng.random() < 0.1)):
        spend_a_hardpoint(rng, design, weapons)
    return design


def spend_a_hardpoint(rng: Random, design: Json, weapons: list[str]) -> None:
    """Mostly a weapon, otherwise a level of armour or shields."""
    part = rng.choice(("weapon", "weapon", "weapon", "armour", "shields"))
    most = 1 if design["weight"] == "light" and part == "armour" else 2
    if part != "weapon" and design[part] < most:
        design[part] += 1
    else:
        design["weapons"].append(rng.choice(weapons))


def random_teams(rng: Random, designs: list[str]) -> list[Json]:
    """Sides of one to four elements, seldom more, placed near or far."""
    sizes = [rng.randint(1, 4), rng.randint(1, 4)]
    if rng.random() < 0.03:
        sizes[rng.randrange(2)] = rng.randint(5, 8)
    names = iter([*rng.sample(ELEMENTS, len(ELEMENTS)), *(f"E{n}" for n in range(5))])
    pilots = iter([*rng.sample(FIGHTERS, len(FIGHTERS)), *(f"F{n}" for n in range(40))])
    ground = rng.choice(GROUNDS)
    teams = []
    for side, (name, size) in enumerate(zip(rng.sample(SIDES, 2), sizes, strict=True)):
        elements = []
        for number in range(size):
            lead, heading = ground(rng, side, number)
            element = {"name": next(names), "design": rng.choice(designs), "heading": heading}
            element["speed"] = rng.choice((0, 1, 3, 4, 6, 6, 8, 9, 10, 12))
            element["fighters"] = random_fighters(rng, lead, pilots)
            if rng.random() < 0.05:  # keys that nobody knows
                element.update(rng.choice(({"seat": "blue"}, {"seat": 3}, {"colour": None})))
            elements.append(element)
        teams.append({"name": name, "elements": elements})
    for team in teams:
        add_deck(rng, team, max(sizes))
    return teams


def random_fighters(rng: Random, lead: Place, names: Any) -> list[Json]:
    """A lead, and mostly a wingman within six inches of it."""
    places = [lead]
    if rng.random() < 0.65:
        places.append(rng.choice(wing_places(lead)))
    return [{"name": next(names), "skill": rng.choice(SKILLS), "q": q, "r": r} for q, r in places]


def wing_places(lead: Place) -> list[Place]:
    """Where a wingman may be, exactly six inches away included."""
    q, r = lead
    edges = [(12, 0), (-12, 0), (0, 12), (12, -12), (-4, 4), (0, 0), (3, 5), (-7, 1), (5, -9)]
    places = [(q + dq, r + dr) for dq, dr in edges]
    return [place for place in places if max(map(abs, place)) <= 999 and within(lead, place, 6)]


def add_deck(rng: Random, team: Json, size: int) -> None:
    """BS-9: sometimes a deck of one's own, with the placeholders anywhere."""
    if rng.random() < 0.4:
        names = [element["name"] for element in team["elements"]]
        deck = names + [None] * (size - len(names))
        rng.shuffle(deck)
        team["deck"] = deck
    elif rng.random() < 0.1:
        team["deck"] = None


# ---- where they stand --------------------------------------------------------------------


def mixed(rng: Random, _side: int, _number: int) -> tuple[Place, int]:
    """All in one place: shots from the first card on."""
    return (rng.randint(-12, 12), rng.randint(-12, 12)), rng.randrange(6)


def facing(rng: Random, side: int, _number: int) -> tuple[Place, int]:
    """Nose to nose at a turn's distance."""
    away = rng.randint(8, 24) * (1 if side else -1)
    return (away, rng.randint(-9, 9) - away // 2), rng.choice(((0, 1, 5), (3, 2, 4))[side])


def standard(_rng: Random, side: int, number: int) -> tuple[Place, int]:
    """BS-28."""
    k = 7 * ((number + 1) // 2) * (1 if number % 2 else -1)
    place = (-24 - k, 2 * k)
    return ((-place[0], -place[1]), 3) if side else (place, 0)


def distant(rng: Random, _side: int, _number: int) -> tuple[Place, int]:
    """Far enough to withdraw, or never to meet."""
    return (rng.randint(-90, 90), rng.randint(-90, 90)), rng.randrange(6)


def heaped(rng: Random, _side: int, _number: int) -> tuple[Place, int]:
    """Points that many share, and lines on which the edges of arcs are."""
    return rng.choice(((0, 0), (6, 0), (2, 2), (-4, 8), (8, -4), (0, 6))), rng.randrange(6)


def at_the_edge(rng: Random, side: int, _number: int) -> tuple[Place, int]:
    """As far out as a set-up may put them."""
    return (999 - rng.randint(0, 12), -999 + rng.randint(0, 12)), (0, 3)[side]


GROUNDS = (mixed, mixed, facing, facing, facing, standard, standard, distant, heaped, at_the_edge)


def random_asteroids(rng: Random, setup: Json) -> list[Json]:
    """Up to six, mostly where the fight will be."""
    lead = setup["teams"][0]["elements"][0]["fighters"][0]
    asteroids = []
    for _ in range(rng.randint(0, 6)):
        q, r = (lead[key] + rng.randint(-25, 25) for key in ("q", "r"))
        place = {"q": max(-999, min(999, q)), "r": max(-999, min(999, r))}
        asteroids.append({**place, "radius": rng.choice((1, 1, 2, 3, 5, 12))})
    return asteroids
