"""Drills of Cortex about single shots: scales, distances and marks in all their combinations."""

from __future__ import annotations

from random import Random

from tests.oracle.cortex.drills import Drill, vessel, with_rules
from tests.oracle.cortex.figures import MISSILES, SCALES, SITES, Json

ENDS = (  # feet, at the ends of increments and one foot farther
    *(100, 101, 125, 250, 251, 500, 501, 750, 751, 1_000, 1_001, 1_500, 1_501, 2_000, 2_001),
    *(3_000, 3_001, 4_000, 5_000, 5_001, 6_000, 8_000, 8_001, 10_000, 10_001, 25_000, 50_000),
    *(50_001, 100_000, 100_001, 250_000, 250_001),
)


def scales(rng: Random) -> Drill:
    """Called shots of weapons of all scales at vessels of all scales."""
    setup: Json = {"options": with_rules(rng), "range": "skirmish"}
    guns: list[Json] = [
        {"name": scale, "range": "long", "damage": "d12+d12", "scale": scale, "count": 3}
        for scale in SCALES
    ]
    setup["teams"] = [
        {
            "name": team,
            "vessels": [
                vessel(
                    rng, f"{team} {n}", rng.choice(SCALES), weapons=guns, lp=rng.choice((40, 400)),
                    vit=rng.choice(("d2", "d6", "d12")), armour={"stun": 3, "wound": 2},
                )
                for n in range(2)
            ],
        }
        for team in ("red", "blue")
    ]  # fmt: skip
    turns = []
    for _ in range(4):
        turn: list[Json] = []
        for team, other in (("red", "blue"), ("blue", "red")):
            for n in range(2):
                order = {"unit": f"{team} {n}", "do": rng.choice(("fire", "fire", "fire", "aim"))}
                order |= {"weapon": rng.choice(SCALES), "at": f"{other} {rng.randrange(2)}"}
                if order["do"] == "fire":
                    order["called"] = rng.choice(("sensors", "engines", "weapon"))
                turn.append(order)
        turns.append(turn)
    return setup, turns


def blasts(rng: Random) -> Drill:
    """Missiles of all sizes that arrive in atmosphere, with others at the ends of blasts."""
    setup: Json = {"atmosphere": True, "range": rng.choice(ENDS)}
    options = with_rules(rng, "missiles", "atmosphere", "wings")
    setup["options"] = options
    tubes = [
        {"name": f"{scale} {size}", "range": rng.choice(("capital", "short", "long")),
         "missile": True, "size": size, "scale": scale, "count": 3,
         "warhead": rng.choice(("blast", "fragments"))}
        for scale, size in rng.sample(list(MISSILES), 3)
    ]  # fmt: skip
    gun = {"name": "gun", "range": rng.choice(("skirmish", "capital", "long")), "damage": "d6"}
    shooters = [vessel(rng, f"S{n}", "spacecraft", weapons=[*tubes, gun]) for n in range(3)]
    prey = vessel(rng, "P0", "planetcraft", weapons=[gun])
    victims = [{**prey, "name": f"P{n}"} for n in range(3)]
    setup["teams"] = [
        {"name": "red", "vessels": victims},
        {"name": "blue", "vessels": shooters},
    ]
    setup["ranges"] = {
        f"P{n}|S{m}": rng.choice(ENDS) for n in range(3) for m in range(3) if rng.random() < 0.8
    }
    for m in range(3):  # that the two can be one wing
        setup["ranges"][f"P1|S{m}"] = setup["ranges"].get(f"P0|S{m}", setup["range"])
    first: list[Json] = [{"unit": "P1", "do": "join", "at": "P0"}]
    turns = [first, [], [], []]
    for turn in turns[:2]:
        for m in range(3):
            order = {"unit": f"S{m}", "weapon": rng.choice(tubes)["name"]}
            order["at"] = rng.choice(("P0", "P0", "P1", "P2"))
            turn += [{**order, "do": "lock"}, {**order, "do": "launch"}]
    turns[2] = [{"unit": "P0", "do": "fire", "weapon": "gun", "at": f"S{m}"} for m in range(3)]
    return setup, turns


def sites(rng: Random) -> Drill:
    """Bombardment of sites of all kinds with weapons of both scales, near and far."""
    setup: Json = {"options": with_rules(rng, "bombardment"), "range": "long"}
    guns: list[Json] = [
        {"name": scale, "range": rng.choice(("skirmish", "capital", "short", "long")),
         "damage": rng.choice(("d4", "d12+d12")), "scale": scale, "count": 9, "battery": True}
        for scale in SCALES
    ]  # fmt: skip
    tubes = [
        {"name": f"{scale} {size}", "range": "long", "missile": True, "size": size,
         "scale": scale, "count": 9, "warhead": rng.choice(("blast", "fragments"))}
        for scale, size in rng.sample(list(MISSILES), 3)
    ]  # fmt: skip
    setup["teams"] = [
        {
            "name": team,
            "vessels": [
                vessel(
                    rng, f"{team} ship", "spacecraft", weapons=[*guns, *tubes],
                    altitude=rng.choice(ENDS), gunnery=rng.choice(("d2", "d12", "d12+d12")),
                )
            ],
        }
        for team in ("red", "blue")
    ]  # fmt: skip
    kinds = rng.sample(list(SITES), 3)
    setup["sites"] = [
        {"name": kind, "kind": kind, "lp": rng.choice((3, 20)), "population": rng.choice((10, 999))}
        for kind in kinds
    ]
    turns = []
    for _ in range(4):
        turn = []
        for team in ("red", "blue"):
            for _ in range(3):
                weapon = rng.choice([*guns, *tubes])["name"]
                order = {"unit": f"{team} ship", "do": "bombard", "weapon": weapon}
                turn.append({**order, "at": rng.choice(kinds)})
        turns.append(turn)
    return setup, turns


SHOTS = (scales, blasts, sites)
