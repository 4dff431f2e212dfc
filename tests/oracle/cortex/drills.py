"""Set-ups of Cortex with first orders that lead to what random ones seldom meet."""

from __future__ import annotations

from random import Random

from tests.oracle.cortex.figures import OPTIONS, Json
from tests.oracle.cortex.setups import random_options

Drill = tuple[Json, list[list[Json]]]  # the set-up, and some orders of the first turns


def vessel(rng: Random, name: str, scale: str, **other: object) -> Json:
    """A vessel that stands a hit or two."""
    dice = {key: rng.choice(("d2", "d4", "d6", "d8", "d10", "d12")) for key in ("str", "vit")}
    made: Json = {
        "name": name,
        "scale": scale,
        "agi": rng.choice(("d4", "d6", "d8")),
        "alt": "d6",
        "gunnery": "d12+d6",
        "speed": rng.choice((1, 3, 6, 8, 9)),
        "lp": 60,
        "weapons": [],
        "crew": {"pilot": {"skill": rng.choice(("d4", "d8", "d12"))}},
        **dice,
    }
    return {**made, **other}


def with_rules(rng: Random, *wanted: str) -> list[str] | None:
    """Any options, but with those that the drill is about."""
    options = random_options(rng)
    if options is None:
        return None
    drafts = {"crew1", "crew2"} & {*wanted}
    kept = [o for o in options if not drafts or o not in ("crew1", "crew2")]
    return kept + [option for option in OPTIONS if option in wanted and option not in kept]


def feet(rng: Random, setup: Json, word: str) -> object:
    """A range as it is told there."""
    if not setup.get("atmosphere"):
        return word
    return rng.choice({"skirmish": (100, 260, 900), "capital": (1_001, 4_000)}[word])


def trick(rng: Random) -> Drill:
    """A missile at a fighter, or a wing, that has a decoy or a rock at hand."""
    options = with_rules(rng, "missiles")
    setup: Json = {"options": options, "obstacles": []}
    setup["atmosphere"] = options is not None and "atmosphere" in options and rng.random() < 0.4
    torpedo = {"name": "torpedo", "range": "long", "missile": True, "size": "light", "count": 9}
    scale = rng.choice(("planetcraft", "planetcraft", "spacecraft"))
    prey = vessel(rng, "prey", scale, speed=rng.choice((2, 5, 9, 10)))
    decoy = vessel(rng, "decoy", rng.choice(("planetcraft", "spacecraft")))
    if rng.random() < 0.1:
        decoy["fixed"] = True
    shooter = vessel(rng, "shooter", "spacecraft", weapons=[torpedo])
    other = vessel(rng, "other", "planetcraft")
    setup["teams"] = [
        {"name": "red", "vessels": [prey, {**prey, "name": "mate"}]},
        {"name": "blue", "vessels": [decoy, shooter, other]},
    ]
    vector = rng.choice(("toward", "perpendicular", "away"))
    rock = {"name": "rock", "size": rng.choice(("small", "large")), "speed": 2, "vector": vector}
    setup["obstacles"].append(rock)
    setup["range"] = feet(rng, setup, "skirmish")
    setup["ranges"] = {f"{name}|shooter": feet(rng, setup, "capital") for name in ("prey", "mate")}
    order = {"unit": "shooter", "weapon": "torpedo", "at": "prey"}
    first: list[Json] = [{**order, "do": "lock"}, {**order, "do": "launch"}]
    if rng.random() < 0.3:
        first.append({"unit": "mate", "do": "join", "at": "prey"})
    at = rng.choice(("decoy", "decoy", "other", "rock"))
    second: list[Json] = [{"unit": "prey", "do": "trick", "missile": "M1", "at": at}]
    courses = ({"do": "close", "at": "decoy"}, {"do": "open"}, {"do": "close", "at": "other"})
    second.append({"unit": "prey", **rng.choice(courses)})
    if rng.random() < 0.2:  # it keeps up with who flies away from it
        prey["speed"] = 12
        second[1] = {"unit": "prey", "do": "close", "at": at if at != "rock" else "decoy"}
    wishes: tuple[Json, ...] = (
        {"do": "close", "at": "prey"},
        {"do": "open"},
        {"do": "close", "at": "mate"},
    )
    for name in ("decoy", "other"):
        second += [{"unit": name, **rng.choice(wishes)}] if rng.random() < 0.6 else []
    return setup, [first, second]


def squadron(rng: Random) -> Drill:
    """Seven fighters that want to be one wing, and what it flies at and by."""
    setup: Json = {
        "options": with_rules(rng, "wings"),
        "range": rng.choice(("skirmish", "capital")),
    }
    gun = {"name": "gun", "range": "short", "damage": "d6", "count": rng.choice((1, 2, 4, 40))}
    if rng.random() < 0.5:
        gun["linked"] = True
    flak = {"name": "flak", "range": "skirmish", "damage": "d8", "count": 4, "pd": True}
    fighter = vessel(rng, "F0", "planetcraft", weapons=[gun], lp=rng.choice((5, 12, 30)), ftl=True)
    fighters = [
        {**fighter, "name": f"F{n}", "crew": {"pilot": {"skill": rng.choice(("d8", "d10"))}}}
        for n in range(8)
    ]
    for one in fighters:
        if rng.random() < 0.1:
            one.update(str=rng.choice(("d2", "d6", "d12")), ftl=False)
        if rng.random() < 0.1:
            one["weapons"] = [gun, flak]
    scale = rng.choice(("planetcraft", "spacecraft", "spacecraft"))
    target = vessel(rng, "target", scale, weapons=[flak, gun, {**flak, "name": "flak 2"}])
    escort = vessel(rng, "escort", "planetcraft", weapons=[gun])
    setup["teams"] = [
        {"name": "red", "vessels": fighters},
        {"name": "blue", "vessels": [target, escort]},
    ]
    turns = orders_of_squadron(rng)
    rock = {"name": "rock", "speed": 9, "vector": "toward"}
    rock["size"] = rng.choice(("small", "medium", "huge"))
    turn = rng.choice((1, 2, 2, 3))
    setup["obstacles"] = [{**rock, "turn": turn, "against": f"F{rng.randrange(4)}"}]
    return setup, turns


def orders_of_squadron(rng: Random) -> list[list[Json]]:
    """First they join; then some leave, and the others fly at something."""
    first: list[Json] = [
        {"unit": f"F{n}", "do": "join", "at": rng.choice(("F0", "F0", "F1"))} for n in range(1, 8)
    ]
    if rng.random() < 0.5:
        first.append({"unit": "F0", "do": "close", "at": "target"})
    second: list[Json] = [{"unit": "F0", "do": "shield", "at": f"F{rng.randint(0, 6)}"}]
    for n in range(6):
        if rng.random() < 0.3:
            second.append({"unit": f"F{n}", "do": "leave"})
            to = {"do": "join", "at": rng.choice(("F0", "F5"))}
            second.append({"unit": f"F{n}", **rng.choice((to, {"do": "open"}))})
    near = rng.choice(("close", "ram", "strafe", "fire", "jump"))
    at = rng.choice(("target", "escort"))
    if rng.random() < 0.2:
        second.append({"unit": "target", "do": "close", "at": "F3"})
        second.append({"unit": "F0", "do": "check_fire"})
    second.append({"unit": "F0", "do": near, "weapon": "gun", "at": at})
    if rng.random() < 0.5:  # whoever leads when the first is gone
        second.append({"unit": "F1", "do": "fire", "weapon": "gun", "at": at})
    second.append({"unit": "target", "do": "fire", "weapon": "gun", "at": "F2"})
    return [first, second]


def spotting(rng: Random) -> Drill:
    """Spotters of both sides, who are bombarded when they have been detected."""
    setup: Json = {"options": with_rules(rng, "bombardment", "spotters"), "range": "short"}
    guns = [
        {"name": "gun", "range": "long", "damage": "d4", "count": 12, "battery": True},
        {"name": "laser", "range": "long", "damage": "d6", "scale": "planetcraft"},
        {"name": "nuke", "range": "short", "missile": True, "size": "heavy", "count": 9},
        {"name": "dart", "range": "long", "missile": True, "size": "light", "count": 9,
         "warhead": "fragments", "scale": "planetcraft"},
    ]  # fmt: skip
    eye = {"alt": "d8", "gunnery": "d8", "lp": rng.choice((5, 20)), "designator": True,
           "uplink": "transceiver"}  # fmt: skip
    setup["teams"] = [
        {
            "name": team,
            "vessels": [vessel(rng, f"{team} ship", "spacecraft", weapons=guns, altitude=900)],
            "spotters": [{**eye, "name": f"{team} eye", "scope": rng.random() < 0.5}],
        }
        for team in ("red", "blue")
    ]
    kinds = ("area", "small building", "small city", "megalopolis")
    setup["sites"] = [
        {"name": "site", "kind": rng.choice(kinds), "lp": 9, "population": rng.choice((7, 9_999))}
    ]
    turns = []
    for number in range(4):
        turn: list[Json] = []
        for team, other in (("red", "blue"), ("blue", "red")):
            mark = "site" if number == 0 else rng.choice(("site", f"{other} eye"))
            turn.append({"unit": f"{team} eye", "do": "spot", "at": mark})
            fire: Json = {"unit": f"{team} ship", "do": "bombard", "at": mark}
            fire["weapon"] = rng.choice(("gun", "laser", "nuke", "nuke", "dart"))
            if rng.random() < 0.6:
                fire["spotter"] = rng.choice((f"{team} eye",) * 5 + (f"{other} eye",))
            turn.append(fire)
        turns.append(turn)
    return setup, turns


def staff(rng: Random) -> Drill:
    """First-draft crews that help other ships too."""
    setup: Json = {"options": with_rules(rng, "crew1", "battle_damage"), "range": "capital"}
    guns = [{"name": "gun", "range": "long", "damage": "d12+d12", "count": 2}]
    officer = {"attr": "d10", "skill": "d8"}
    crew = {
        "pilot": {"skill": "d6"}, "commander": {**officer, "trait": "d4"}, "executive": officer,
        "comms": officer, "sensors": {"skill": "d8", "trait": "d4"},
    }  # fmt: skip
    setup["teams"] = [
        {
            "name": team,
            "vessels": [
                vessel(rng, f"{team} {n}", "spacecraft", weapons=guns, crew=crew, ftl=True)
                for n in range(2)
            ],
        }
        for team in ("red", "blue")
    ]
    turns = []
    for _ in range(4):
        turn: list[Json] = []
        for team, other in (("red", "blue"), ("blue", "red")):
            at = f"{team} {rng.randrange(2)}"
            to = rng.choice(("pilot", "sensors", "comms", "gun", "tactical"))
            turn.append({"unit": f"{team} 0", "do": "assist", "at": at, "to": to})
            turn.append({"unit": f"{team} 0", "do": "assist", "station": "executive", "to": to})
            if rng.random() < 0.7:
                turn.append({"unit": f"{team} 0", "do": "forward"})
            fire = {"do": "fire", "weapon": "gun", "at": f"{other} {rng.randrange(2)}"}
            called = rng.choice((None, None, "sensors", "engines", "weapon"))
            turn.append({"unit": f"{team} 1", **fire, "called": called})
            turn.append({"unit": f"{team} 0", **fire})
        turns.append(turn)
    return setup, turns


def officers(rng: Random) -> Drill:
    """Wings of fighters with whole crews, whose officers help at all stations of all members."""
    draft = rng.choice(("crew1", "crew1", "crew1", "crew2"))
    setup: Json = {"options": with_rules(rng, "wings", draft), "range": "skirmish"}
    if setup["options"] is None:
        setup["options"] = ["dogfighting", "wings", draft]
    guns = [{"name": name, "range": "capital", "damage": "d4", "count": 3} for name in "ab"]
    teams = []
    for team in ("red", "blue"):
        fighters = []
        for n in range(rng.choice((2, 3, 4))):
            pilot = {"skill": rng.choice(("d2", "d4", "d8", "d12"))}
            other = {"attr": "d10", "skill": "d10"}
            crew: Json = {"pilot": pilot, "commander": other, "comms": other}
            for station in ("executive", "sensors", "tactical"):
                if rng.random() < 0.7:
                    crew[station] = {**other, "trait": rng.choice(("d2", "d6"))}
            if rng.random() < 0.15:
                del crew[rng.choice(("commander", "comms"))]
            arms = rng.choice((guns, guns, guns[:1], guns[1:]))
            one = vessel(rng, f"{team} {n}", "planetcraft", weapons=arms, crew=crew, lp=200)
            fighters.append({**one, "agi": "d12", "str": "d6", "speed": 6})
        teams.append({"name": team, "vessels": fighters})
    setup["teams"] = teams
    names = {one["name"]: [ship["name"] for ship in one["vessels"]] for one in teams}
    first: list[Json] = [
        {"unit": name, "do": "join", "at": of[0]} for of in names.values() for name in of[1:]
    ]
    turns = [first]
    for _ in range(rng.choice((3, 4, 5))):
        turn: list[Json] = []
        for of, foes in ((names["red"], names["blue"]), (names["blue"], names["red"])):
            turn += orders_of_officers(rng, of, foes)
        turns.append(turn)
    return setup, turns


def orders_of_officers(rng: Random, of: list[str], foes: list[str]) -> list[Json]:
    """A turn of a wing: help with and without `at`, what it is for, and what it is used in."""
    leader, at = of[0], rng.choice(foes)
    orders: list[Json] = []
    for station in ("commander", "executive"):
        if rng.random() < 0.85:
            to = rng.choice(("pilot", "sensors", "comms", "a", "b", "guns", "tactical"))
            help_ = {"unit": leader, "do": "assist", "station": station, "to": to}
            orders.append(help_ if rng.random() < 0.4 else {**help_, "at": rng.choice(of)})
    if rng.random() < 0.7:
        orders.append({"unit": leader, "do": "forward"})
    for do in ("sense", "plot"):
        if rng.random() < 0.6:
            orders.append({"unit": leader, "do": do, "to": rng.choice(("pilot", "a", "b"))})
    if rng.random() < 0.4:
        do = rng.choice(("defend", "evade", "press"))
        orders.append({"unit": leader, "do": do, "weapon": rng.choice("ab")})
    if rng.random() < 0.1:  # another one leads, and may be the worst pilot or not
        orders.append({"unit": leader, "do": "leave"})
    called = rng.choice((None, None, "sensors"))
    fire = {"do": "fire", "at": at, "called": called}
    orders += [{"unit": rng.choice(of), "weapon": name, **fire} for name in "ab"]
    return orders


def wreck(rng: Random) -> Drill:
    """Great ships that take long to destroy, with few weapons that can be lost."""
    setup: Json = {"options": with_rules(rng, "battle_damage"), "range": "short"}
    driver = {"name": "driver", "range": "long", "damage": "d12+d12+d12+d12", "count": 2}
    more = [
        {"name": "flak", "range": "skirmish", "damage": "d4", "pd": True},
        {"name": "dart", "range": "short", "missile": True, "size": "light", "count": 2},
    ]
    setup["teams"] = [
        {
            "name": team,
            "vessels": [
                vessel(
                    rng, f"{team} ship", "spacecraft", lp=rng.choice((80, 120, 200)), str="d2",
                    vit="d2", fixed=rng.random() < 0.5, ftl=rng.random() < 0.5,
                    weapons=[driver, *rng.sample(more, rng.choice((0, 1, 2)))],
                )
            ],
        }
        for team in ("red", "blue")
    ]  # fmt: skip
    turns = []
    for _ in range(8):
        turn: list[Json] = []
        for team, other in (("red", "blue"), ("blue", "red")):
            fire = {"unit": f"{team} ship", "do": "fire", "weapon": "driver", "at": f"{other} ship"}
            called = rng.choice((None, None, "sensors", "engines", "weapon"))
            turn += [{**fire, "called": called}, fire]
        turns.append(turn)
    return setup, turns


def gauntlet(rng: Random) -> Drill:
    """Fighters that go near ships with point defence, of the enemy and of their own side."""
    setup: Json = {"options": with_rules(rng, "point_defence", "strafing")}
    flak = {"name": "flak", "range": "skirmish", "damage": rng.choice(("d4", "d12")), "pd": True}
    gun = {"name": "gun", "range": "short", "damage": "d6", "count": 3}
    more = {**flak, "name": "flak 2", "scale": "personal"}
    teams = []
    for team in ("red", "blue"):
        ship = vessel(
            rng, f"{team} ship", rng.choice(("spacecraft", "spacecraft", "planetcraft")),
            weapons=[gun, flak, *rng.choice(([], [more]))], fixed=rng.random() < 0.3,
        )  # fmt: skip
        fighter = vessel(rng, f"{team} fighter", "planetcraft", weapons=[gun])
        fighter["crew"]["pilot"]["skill"] = rng.choice(("d4", "d12+d12"))
        teams.append({"name": team, "vessels": [ship, fighter]})
    setup["teams"] = teams
    setup["range"] = rng.choice(("capital", "capital", "skirmish"))
    setup["ranges"] = {"red ship|blue fighter": "skirmish", "red fighter|blue ship": "capital"}
    first: list[Json] = []
    for team, other in (("red", "blue"), ("blue", "red")):
        kind = rng.choice(("ship", "fighter"))
        first.append({"unit": f"{team} fighter", "do": "close", "at": f"{other} {kind}"})
        if rng.random() < 0.2:
            first.append({"unit": f"{team} ship", "do": rng.choice(("check_fire", "surrender"))})
        if rng.random() < 0.3:
            first.append({"unit": f"{team} ship", "do": "close", "at": f"{other} fighter"})
    second: list[Json] = []
    for team, other in (("red", "blue"), ("blue", "red")):
        run = rng.choice(("strafe", "strafe", "ram"))
        second.append({"unit": f"{team} fighter", "do": run, "at": f"{other} ship"})
        weapon = rng.choice(("gun", "gun", "flak"))
        fire = {"do": "fire", "weapon": weapon, "at": f"{other} fighter"}
        second.append({"unit": f"{team} ship", **fire})
        if rng.random() < 0.3:
            wish = rng.choice(({"do": "open"}, {"do": "close", "at": f"{other} fighter"}))
            second.append({"unit": f"{team} ship", **wish})
    return setup, [first, second]


DRILLS = (trick, squadron, spotting, staff, officers, officers, wreck, gauntlet)
