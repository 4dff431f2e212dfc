"""Random set-ups of Cortex that try everything the format allows."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle.cortex.figures import MISSILES, OPTIONS, RANGES, SCALES, SITES, SIZES, VECTORS

Json = dict[str, Any]

THEMES = {  # the kinds of vessels, how many on a side, and how likely a weapon is a missile
    "duel": (("fighter", "fighter", "fighter", "corvette"), (1, 1, 2), 0.3),
    "wings": (("fighter", "fighter", "fighter", "fighter", "fort", "capital"), (2, 3, 4, 7), 0.2),
    "squadrons": (("fighter",), (2, 3, 4, 6, 8), 0.3),
    "line": (("capital", "capital", "corvette"), (1, 1, 2), 0.3),
    "siege": (("capital",), (1, 1, 2), 0.1),
    "raid": (("fighter", "fighter", "capital", "capital", "fort"), (2, 2, 3, 4), 0.2),
    "missiles": (("fighter", "fighter", "capital", "corvette"), (2, 2, 3, 3), 0.7),
    "mixed": (("fighter", "fighter", "capital", "corvette", "fort", "person"), (1, 2, 3, 4), 0.3),
    "landing": (("capital", "capital", "corvette", "fighter", "person"), (1, 2, 2, 3), 0.3),
}
NEAR = {  # ranges at which a theme is mostly played
    "duel": ("skirmish", "skirmish", "capital"), "wings": ("skirmish", "capital"),
    "squadrons": ("skirmish", "capital"), "raid": ("skirmish", "capital", "capital"),
    "missiles": ("skirmish", "capital", "short"), "siege": ("skirmish", "capital", "short"),
}  # fmt: skip
FEET = {
    "skirmish": (100, 250, 300, 999, 1_000),
    "capital": (1_001, 2_500, 2_501, 5_000),
    "short": (5_001, 9_000, 10_000),
    "long": (10_001, 20_000, 50_000, 50_001, 100_000, 100_001, 250_000, 250_001, 1_000_000),
}
NAMES = ("Lance", "Raider", "Citadel", "Ash", "Birch", "Cedar", "Zoë", "M1", "pilot", "  pad  ",
         "Ж", "rock ", "null", "1", "lance", "O'Hara", "guns", "blue", "Dart", "Eve")  # fmt: skip
TEAMS = ("blue", "red", "Étoile", "M1", "Blue", "Lance")
GUNS = ("cannon", "railgun", "flak", "lance", "Cannon", "gün", "dart")
TUBES = ("dart", "torpedo", "swarm", "Dart", "M1")
SITE_NAMES = ("port", "camp", "town", "hall", "mega", "M2")
SPOTTER_NAMES = ("Eye", "Ear", "Owl", "eye")
OBSTACLE_NAMES = ("rock", "hulk", "wreck", "Rock", "moon")


def random_setup(rng: Random, theme: str) -> Json:
    """Two task groups, and what lies between them."""
    options = random_options(rng)
    used = [o for o in OPTIONS if o != "crew1"] if options is None else options
    atmosphere = "atmosphere" in used and rng.random() < 0.35
    names = iter([*rng.sample(NAMES, len(NAMES)), *(f"V{n}" for n in range(60))])
    sizes = [rng.choice(THEMES[theme][1]) for _ in range(2)]
    if rng.random() < 0.01:
        sizes[rng.randrange(2)] = 24
    teams: list[Json] = [
        {"name": name, "vessels": [random_vessel(rng, next(names), theme) for _ in range(size)]}
        for name, size in zip(rng.sample(TEAMS, 2), sizes, strict=True)
    ]
    if theme in ("wings", "squadrons") and rng.random() < 0.7:
        make_alike(rng, teams)
    add_spotters(rng, teams, theme)
    setup: Json = {"range": random_range(rng, atmosphere, theme), "teams": teams}
    if options is not None or rng.random() < 0.3:
        setup["options"] = options
    if atmosphere or rng.random() < 0.3:
        setup["atmosphere"] = atmosphere or rng.choice((False, None))
    if rng.random() < 0.4:
        setup["conditions"] = rng.choice(("good", "poor", None))
    if rng.random() < (0.8 if theme == "missiles" else 0.4):
        setup["ranges"] = random_ranges(rng, teams, atmosphere, theme)
    if rng.random() < 0.6:
        setup["obstacles"] = random_obstacles(rng, teams)
    if theme == "landing" or rng.random() < 0.15:
        setup["sites"] = random_sites(rng)
    if rng.random() < 0.05:
        setup["weather"] = rng.choice(("fine", None, {"q": []}))
    return setup


def random_options(rng: Random) -> list[str] | None:
    """None, all, all but one or two, one or two, or any."""
    draft = rng.choice(("crew1", "crew1", "crew2", "crew2", ""))
    every = [o for o in OPTIONS if o not in ("crew1", "crew2")] + ([draft] if draft else [])
    kind = rng.choice(("missing", "all", "all but", "all but", "all but", "all but", "few", "any"))
    if kind == "missing":
        return None
    if kind == "all but":
        left_out = rng.sample(every, rng.choice((1, 1, 2, 2, 3)))
        every = [option for option in every if option not in left_out]
    elif kind == "few":
        every = rng.sample(every, rng.choice((0, 1, 1, 2, 2, 3)))
    elif kind == "any":
        every = [option for option in every if rng.random() < 0.5]
    rng.shuffle(every)
    return every


def random_range(rng: Random, atmosphere: bool, theme: str) -> Any:
    """A word, or feet."""
    word = rng.choice(NEAR.get(theme, RANGES) if rng.random() < 0.8 else RANGES)
    return rng.choice(FEET[word]) if atmosphere else word


def random_ranges(rng: Random, teams: list[Json], atmosphere: bool, theme: str) -> Any:
    """Some pairs at a range of their own."""
    if rng.random() < 0.1:
        return rng.choice((None, {}))
    found = {
        f"{one['name']}|{other['name']}": random_range(rng, atmosphere, theme)
        for one in teams[0]["vessels"]
        for other in teams[1]["vessels"]
        if rng.random() < 0.3
    }
    if rng.random() < 0.1:
        found["any|none"] = None
    return found


def make_alike(rng: Random, teams: list[Json]) -> None:
    """Fighters of one make, whose pilots differ, so that wings form easily."""
    for team in teams:
        fighters = [one for one in team["vessels"] if one["scale"] == "planetcraft"]
        for one in fighters[1:]:
            pilot = one["crew"]["pilot"]
            keep = {"name": one["name"], "crew": {**one["crew"], "pilot": pilot}, "fixed": False}
            one.update({**fighters[0], **keep})
            one["speed"] = max(one["speed"], rng.choice((1, 6, 8)))


# ---- vessels -----------------------------------------------------------------------------

DICE = {  # Strength, the others, skills
    "fighter": (("d4", "d6", "d6", "d8", "d10"), ("d4", "d6", "d8", "d10")),
    "fort": (("d2", "d4", "d6", "d8", "d10", "d12"), ("d2", "d4", "d6")),
    "corvette": (("d2", "d4", "d6", "d8"), ("d4", "d6", "d8")),
    "capital": (("d8", "d10", "d12", "d12+d4", "d6"), ("d2", "d4", "d6", "d8", "d12")),
    "person": (("d6",), ("d4", "d6", "d8")),
}
SPEEDS = {
    "fighter": (1, 4, 6, 6, 8, 8, 8, 9, 9, 12, 0), "fort": (0, 0, 2), "corvette": (2, 3, 5, 7),
    "capital": (0, 1, 1, 2, 2, 3, 3, 4, 5), "person": (0, 0, 1),
}  # fmt: skip
LIVES = {
    "fighter": (6, 10, 14, 20, 40), "fort": (10, 30, 80), "corvette": (12, 20, 40),
    "capital": (15, 20, 30, 45, 60, 200), "person": (8, 14),
}  # fmt: skip
SKILLS = ("d2", "d4", "d6", "d6", "d8", "d10", "d12", "d12+d6", None)


def random_vessel(rng: Random, name: str, theme: str) -> Json:
    """A vessel of a kind that fits the theme."""
    kind = rng.choice(THEMES[theme][0])
    scale = {"fighter": "planetcraft", "fort": "planetcraft", "person": "personal"}.get(
        kind, "spacecraft"
    )
    strengths, others = DICE[kind]
    vessel: Json = {
        "name": name,
        "scale": scale,
        "str": rng.choice(strengths),
        **{key: rng.choice(others) for key in ("agi", "vit", "alt")},
        "speed": rng.choice(SPEEDS[kind]),
        "lp": rng.choice(LIVES[kind]),
        "crew": random_crew(rng, kind),
    }
    if rng.random() < 0.05:
        vessel[rng.choice(("str", "agi", "vit", "alt"))] = rng.choice(("d12+d2", "d12+d12+d12"))
    wanted = {
        "gunnery": (*SKILLS, "d8", "d10"),
        "armour": ({"stun": 2, "wound": 2}, {"wound": 1}, {"stun": 4, "wound": None}, {}, None),
        "ftl": (True, True, False, None) if scale != "personal" else (False, True, None),
        "altitude": (900, 1_000, 1_001, 4_000, 9_999, 30_000, 250_000, 1_000_000, None),
    }
    vessel |= {key: rng.choice(values) for key, values in wanted.items() if rng.random() < 0.8}
    if kind == "fort" or rng.random() < 0.03:
        vessel["fixed"] = rng.choice((True, True, False)) if kind == "fort" else True
    if rng.random() < 0.95 or theme == "siege":
        vessel["weapons"] = random_weapons(rng, kind, scale, THEMES[theme][2])
    if theme == "siege":
        fortify(rng, vessel)
    if rng.random() < 0.03:
        vessel.update(rng.choice(({"seat": 3}, {"colour": None}, {"stun": "x"})))
    return vessel


def fortify(rng: Random, vessel: Json) -> None:
    """A ship that stands much, and deals out more: for the rows of CX-34."""
    vessel.update(lp=rng.choice((60, 90, 150, 250, 400)), gunnery="d12+d12", armour=None)
    vessel["weapons"] = vessel["weapons"][: rng.choice((0, 1, 3))]
    vessel["weapons"].append({
        "name": "mass driver",
        "range": "long", "count": rng.choice((4, 8, 30)),
        "damage": rng.choice(("d12", "d12+d12", "d12+d12+d12+d12")), "battery": True,
    })  # fmt: skip


def random_crew(rng: Random, kind: str) -> Json:
    """A pilot, and more on capital ships."""

    def person(attribute: bool) -> Json:
        found: Json = {}
        if attribute or rng.random() < 0.1:
            found["attr"] = rng.choice(("d4", "d6", "d8", "d10", "d12"))
        for key in ("skill", "trait"):
            if rng.random() < (0.8 if key == "skill" else 0.3):
                found[key] = rng.choice(SKILLS)
        return found

    crew: Json = {"pilot": person(False)}
    likely = {"capital": 0.8, "corvette": 0.5, "fighter": 0.12, "fort": 0.3}.get(kind, 0.1)
    for station in ("commander", "executive", "sensors", "comms", "tactical"):
        if rng.random() < likely:
            crew[station] = person(station in ("commander", "executive", "comms"))
        elif rng.random() < 0.1:
            crew[station] = None
    if rng.random() < 0.02:
        crew["cook"] = rng.choice(({}, 3))
    return crew


def random_weapons(rng: Random, kind: str, scale: str, missiles: float) -> list[Json]:
    """None to four weapons."""
    count = rng.choice((1, 2, 2, 3, 4)) if kind == "capital" else rng.choice((0, 1, 1, 2, 2, 3))
    names, tubes = rng.sample(GUNS, len(GUNS)), rng.sample(TUBES, len(TUBES))
    weapons = []
    for _ in range(count):
        if scale != "personal" and rng.random() < missiles:
            weapons.append(random_missile(rng, tubes.pop(), scale))
        else:
            weapons.append(random_gun(rng, names.pop(), kind, scale))
    different = {weapon["name"]: weapon for weapon in weapons}
    return list(different.values())


def random_gun(rng: Random, name: str, kind: str, scale: str) -> Json:
    """A gun: linked, in batteries, for point defence, or plain."""
    weapon: Json = {
        "name": name,
        "range": rng.choice(("skirmish", "skirmish", "capital", "capital", "short", "long")),
        "damage": rng.choice(("d2", "d4", "d6", "d8", "d10", "d12", "d12+d2")),
        **maybe(rng, "count", (1, 1, 2, 2, 3, 4, 6, 8, 12, 16, 24, 99, None)),
    }
    if rng.random() < 0.5:
        weapon["scale"] = rng.choice((scale, scale, *SCALES, None))
    special = rng.choice(("linked", "linked", "pd", ""))
    if kind in ("capital", "corvette"):
        special = rng.choice(("battery", "battery", "battery", "pd", "pd", "linked", ""))
    if special:
        weapon[special] = True
        if special == "pd":
            weapon["range"] = "skirmish"
    for flag in ("linked", "battery", "pd", "missile"):
        if flag not in weapon and rng.random() < 0.1:
            weapon[flag] = rng.choice((False, None))
    if rng.random() < 0.05:
        weapon.update(size=rng.choice(("huge", 3)), warhead="none")
    return weapon


def random_missile(rng: Random, name: str, scale: str) -> Json:
    """A missile of its scale."""
    of = rng.choice((scale, scale, scale, "planetcraft", "spacecraft"))
    return {
        "name": name,
        "range": rng.choice(("skirmish", "capital", "short", "short", "long", "long")),
        "missile": True,
        "size": rng.choice([size for missile, size in MISSILES if missile == of]),
        **({} if of == scale and rng.random() < 0.5 else {"scale": of}),
        **maybe(rng, "count", (1, 1, 2, 2, 3, 4, None)),
        **maybe(rng, "warhead", ("blast", "fragments", "fragments", None)),
        **(maybe(rng, "damage", ("d4", None)) if rng.random() < 0.1 else {}),
    }


def maybe(rng: Random, key: str, values: tuple[Any, ...]) -> Json:
    """The key with one of the values, or nothing."""
    return {key: rng.choice(values)} if rng.random() < 0.8 else {}


# ---- the rest ----------------------------------------------------------------------------


def add_spotters(rng: Random, teams: list[Json], theme: str) -> None:
    """Spotters where something is to be bombarded."""
    names = rng.sample(SPOTTER_NAMES, len(SPOTTER_NAMES))
    for team in teams:
        if rng.random() < (0.9 if theme == "landing" else 0.15):
            team["spotters"] = [random_spotter(rng, names.pop()) for _ in range(rng.choice((1, 2)))]
        elif rng.random() < 0.1:
            team["spotters"] = rng.choice(([], None))


def random_spotter(rng: Random, name: str) -> Json:
    """Mostly with what it needs."""
    spotter: Json = {
        "name": name,
        "alt": rng.choice(("d4", "d6", "d8", "d10")),
        "lp": rng.choice((4, 8, 10, 30)),
        "designator": rng.choice((True,) * 8 + (False, None)),
        "uplink": rng.choice(("handset", "handset", "transceiver", "transceiver")),
        **maybe(rng, "gunnery", ("d4", "d6", "d8", "d12", None)),
        **maybe(rng, "scope", (True, False, None)),
    }
    if rng.random() < 0.15:
        del spotter[rng.choice(("designator", "uplink"))]
    elif rng.random() < 0.1:
        spotter["uplink"] = rng.choice(("none", None))
    return spotter


def random_obstacles(rng: Random, teams: list[Json]) -> Any:
    """Things to be run into."""
    if rng.random() < 0.05:
        return rng.choice(([], None))
    vessels = [one for team in teams for one in team["vessels"] if one["scale"] != "personal"]
    found = []
    for name in rng.sample(OBSTACLE_NAMES, rng.choice((1, 1, 2, 3))):
        obstacle: Json = {"name": name}
        if rng.random() < 0.3:
            obstacle["random"] = True
            obstacle |= rng.choice(({}, {}, {"size": "none"}, {"speed": None}))
        else:
            obstacle |= {"size": rng.choice(SIZES), "vector": rng.choice(list(VECTORS))}
            obstacle["speed"] = rng.choice((0, 0, 1, 2, 3, 5, 6, 8, 9, 99))
            obstacle |= maybe(rng, "random", (False, None)) if rng.random() < 0.2 else {}
        if vessels and rng.random() < 0.7:
            turn = rng.choice((1, 1, 2, 2, 3, 4, 5))
            obstacle |= {"turn": turn, "against": rng.choice(vessels)["name"]}
        elif rng.random() < 0.2:
            obstacle |= {"turn": None, "against": None}
        found.append(obstacle)
    return found


def random_sites(rng: Random) -> Any:
    """What can be bombarded."""
    if rng.random() < 0.03:
        return rng.choice(([], None))
    found = []
    for name in rng.sample(SITE_NAMES, rng.choice((1, 1, 2, 3))):
        site: Json = {"name": name, "kind": rng.choice(list(SITES))}
        if site["kind"] == "area":
            site["lp"] = rng.choice((5, 20, 60))
            site |= maybe(rng, "armour", (0, 1, 3, None))
        elif rng.random() < 0.1:
            site |= {"lp": "x", "armour": -1}  # not read
        site |= maybe(rng, "population", (0, 1, 7, 100, 9_000, 1_000_000_000, None))
        found.append(site)
    return found
