"""Random StarPilot scenarios, valid and broken, that try the whole replay format."""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Callable
from random import Random
from typing import Any

from tests.oracle.naive_starpilot import (
    AT_ONE_OPPONENT,
    COMMANDS,
    LIGHT_STRUCTURE,
    SHIPS,
    SIDES,
    SKILLS,
    STATS,
    Battle,
    Json,
    ejection_chance,
)

Moods = dict[str, dict[str, float]]

NAMES = (
    "Hawk",
    "Kestrel",
    "Red Hawk",
    "Élodie Durand",
    "Jürgen",
    "Zoë",
    "O'Brien",
    "Señor Plomo",
    "van der Wål",
    "Ace",
    "zulu",
    "Łukasz",
    "Ñandú",
    "Никита",
    "T-800",
    "Dr. No",
    "  padded  ",
    "a",
    "SCAN",
    "red",
)
TEAM_NAMES = ("red", "blue", "Étoile", "the lower team", "A", "B", "Hawk")
NEEDED_TO_ACT = ("maneuver", "speed", "shields", "electronics")
DAMAGE_EDGES = (1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 60, 61, 89, 90, 100)
BAD_HP_TEXTS = (
    "",
    "-1",
    "+1",
    "1.",
    ".5",
    "1.25",
    "1,3",
    " 1",
    "1 ",
    "1\n",
    "x",
    "1e1",
    "1.3.4",
    "²",
)
HP_TEXTS = ("0", "0.0", "0.1", "0.2", "0.3", "1", "1.3", "2.0", "12.9")

# How eager a pilot is for each order, in the moods that a battle can be in.
MOODS: Moods = {
    "fight": {
        "FIRE": 30,
        "LAUNCH": 30,
        "DOGFIGHT": 12,
        "TARGET": 12,
        "CLOSE": 4,
        "OPEN": 1,
        "JINK": 1,
        "ECM": 1,
        "PROTECT": 1,
        "SCAN": 1,
        "EJECT": 1,
        "ESCAPE": 1,
        "SURRENDER": 0.02,
        "HOLD": 1,
    },
    "careful": {
        "FIRE": 12,
        "LAUNCH": 12,
        "DOGFIGHT": 6,
        "TARGET": 8,
        "CLOSE": 3,
        "OPEN": 4,
        "JINK": 5,
        "ECM": 5,
        "PROTECT": 5,
        "SCAN": 1,
        "EJECT": 6,
        "ESCAPE": 5,
        "SURRENDER": 0.1,
        "HOLD": 2,
    },
    "run": {"OPEN": 20, "ESCAPE": 15, "SCAN": 3, "JINK": 2, "PROTECT": 1, "HOLD": 1, "EJECT": 1},
    "loiter": {"OPEN": 20, "SCAN": 3, "JINK": 3, "ECM": 3, "TARGET": 3, "LAUNCH": 3, "HOLD": 1},
    "stall": {"SCAN": 5, "JINK": 2, "ECM": 2, "PROTECT": 2, "DOGFIGHT": 1, "CLOSE": 1, "HOLD": 5},
    "idle": {"HOLD": 20, "SCAN": 1, "DOGFIGHT": 1},
    "yield": {"EJECT": 20, "SURRENDER": 2, "TARGET": 8, "LAUNCH": 4, "FIRE": 4, "DOGFIGHT": 3},
    "any": dict.fromkeys(COMMANDS, 1.0),
}


class RecordingDie:
    """A die that rolls what the knobs make likely, and remembers it."""

    def __init__(self, rng: Random) -> None:
        """Turn the knobs at random for one scenario."""
        self.rng = rng
        self.rolled: list[int] = []
        self.hints: list[int] = []  # where success turns into failure
        self.watched: Battle | None = None  # for knob "cripple"
        self.tie = rng.choice((0.0, 0.0, 0.3))
        self.command = rng.choice(("fair", "low", "low", "low", "edge", "edge", "high"))
        self.damage = rng.choice(("fair", "fair", "soft", "edge", "hundreds", "cripple"))
        self.ejection = rng.choice(("fair", "edge", "high"))

    def roll(self, purpose: str, who: str) -> int:
        """Roll a d100 and remember it."""
        result = self.biased(purpose, who)
        self.rolled.append(result)
        return result

    def biased(self, purpose: str, who: str) -> int:
        """One result, by the knob of its purpose."""
        if purpose == "initiative":
            if self.rolled and self.rng.random() < self.tie:
                return self.rolled[-1]
            return self.rng.randint(1, 100)
        if purpose == "damage":
            return self.damage_roll(who)
        return self.by_knob(self.command if purpose == "command" else self.ejection)

    def by_knob(self, knob: str) -> int:
        """A result for a command or an ejection."""
        fair = self.rng.randint(1, 100)
        if knob == "low":
            return min(fair, self.rng.randint(1, 100), self.rng.randint(1, 100))
        if knob == "high":
            return max(fair, self.rng.randint(1, 100))
        if knob == "edge" and self.hints and self.rng.random() < 0.7:
            near = self.rng.choice(self.hints) + self.rng.choice((0, 0, 1))
            return max(1, min(100, near))
        return fair

    def damage_roll(self, who: str) -> int:
        """A result for the damage table."""
        if self.damage == "soft":
            return self.rng.randint(1, 66)
        if self.damage == "hundreds" and self.rng.random() < 0.3:
            return 100
        if self.damage == "edge":
            return self.rng.choice(DAMAGE_EDGES)
        if self.damage == "cripple" and self.watched is not None:
            return crippling_roll(self.rng, self.watched.pilots[who]["stats"])
        return self.rng.randint(1, 100)


def crippling_roll(rng: Random, stats: dict[str, int]) -> int:
    """A roll that lowers the healthiest stat, so that a ship ends useless but whole."""
    worn = [stat for stat in NEEDED_TO_ACT if stats[stat] > 0]
    if not worn or rng.random() < 0.1:
        return rng.randint(1, 60)
    best = max(worn, key=lambda stat: (stats[stat], rng.random()))
    return STATS.index(best) * 10 + rng.randint(1, 10)


# ---- the setup ---------------------------------------------------------------------------


def random_setup(rng: Random) -> Json:
    """Two teams that are fit to fight."""
    sizes = rng.choice(((1, 1), (1, 1), (1, 1), (2, 2), (2, 2), (1, 2), (2, 1), (3, 3)))
    if rng.random() < 0.15:
        sizes = (rng.randint(1, 4), rng.randint(1, 4))
    sides = rng.sample(SIDES, 4)
    cut = rng.randint(1, 3)
    names = rng.sample(NAMES, sum(sizes))
    first, second = rng.sample(TEAM_NAMES, 2)
    strong = rng.random() < 0.7
    red = [random_pilot(rng, name, sides[:cut], strong) for name in names[: sizes[0]]]
    blue = [random_pilot(rng, name, sides[cut:], strong) for name in names[sizes[0] :]]
    if rng.random() < 0.1:  # a team that finds nobody but who hits it
        for pilot in rng.choice((red, blue)):
            pilot.update(weapons=18, piloting=18, sensors=1)
    setup: Json = {"teams": [{"name": first, "pilots": red}, {"name": second, "pilots": blue}]}
    if rng.random() < 0.4:
        setup["first"] = rng.choice((first, second))
    return setup


def random_pilot(rng: Random, name: str, sides: list[str], strong: bool) -> Json:
    """A pilot of one of these sides."""
    side = rng.choice(sides)
    ship = rng.choice(sorted(ship for ship, (of, _) in SHIPS.items() if of == side))
    light = SHIPS[ship][1][-1] == LIGHT_STRUCTURE
    weapons, piloting, sensors = random_aptitudes(rng, strong)
    return {
        "name": name,
        "side": side,
        "rank": rng.randint(1, 4),
        "weapons": weapons,
        "piloting": piloting,
        "sensors": sensors,
        "ship": ship,
        "mark": rng.choice((0, 15 if light else 63, rng.randint(0, 15 if light else 63))),
        "hp": rng.choice(HP_TEXTS),
    }


def random_aptitudes(rng: Random, strong: bool) -> list[int]:
    """Three aptitudes of at least 36 points in all."""
    while True:
        points = [rng.randint(13 if strong else 1, 18) for _ in range(3)]
        if sum(points) >= 36:
            return points


# ---- the orders --------------------------------------------------------------------------


class Author:
    """Writes the orders of one scenario, while it plays them with the naive referee."""

    def __init__(self, rng: Random) -> None:
        """Choose the setup, the die and the moods."""
        self.rng = rng
        self.die = RecordingDie(rng)
        self.setup = random_setup(rng)
        self.battle = Battle(copy.deepcopy(self.setup), self.die.roll)
        self.die.watched = self.battle
        self.orders: list[Json] = []
        self.gone = 0  # how many had left when it was last looked at
        self.noise = rng.choice((0.0, 0.0, 0.05, 0.25))
        self.new_moods()

    def new_moods(self) -> None:
        """The battle's mood, and now and then another one for a single pilot."""
        mood = self.rng.choice((*["fight"] * 8, *["careful"] * 3, *MOODS))
        self.moods = dict.fromkeys(self.battle.pilots, mood)
        for name in self.moods:
            if self.rng.random() < 0.15:
                self.moods[name] = self.rng.choice(sorted(MOODS))

    def write(self) -> None:
        """Write orders up to a random length, or to the end and a little beyond it."""
        length = self.rng.choice((self.rng.randint(0, 12), 60, 120, 250))
        if self.rng.random() < 0.06:
            self.play_for_a_draw()
        while len(self.orders) < length and not self.battle.over:
            self.one_order()
            if self.rng.random() < 0.03:
                self.new_moods()
        if self.battle.over and self.rng.random() < 0.3:
            for _ in range(self.rng.randint(1, 3)):
                self.give(self.noisy_order(self.rng.choice(sorted(self.battle.pilots))))

    def play_for_a_draw(self) -> None:
        """Some fighting, then nothing that could hit until the battle ends by SP-28c."""
        for _ in range(self.rng.choice((0, 0, 20, 40))):
            if not self.battle.over:
                self.one_order()
        self.die.command = self.rng.choice(("high", "fair"))
        self.moods = dict.fromkeys(self.battle.pilots, self.rng.choice(("stall", "loiter")))
        for _ in range(300 * len(self.battle.pilots)):
            if not self.battle.over:
                self.one_order()

    def one_order(self) -> None:
        """The next order, mostly a plausible one."""
        name = self.rng.choice(self.battle.to_act())
        gone = sum(pilot["fate"] != "active" for pilot in self.battle.pilots.values())
        if gone > self.gone:  # what the leaver leaves behind is worth a look
            self.gone = gone
            hasty = self.rng.choice(("EJECT", "EJECT", "HOLD", "PROTECT", "OPEN"))
            self.give({"pilot": name, "command": hasty})
            return
        if self.is_crippled(name) and self.rng.random() < 0.3:
            self.moods = dict.fromkeys(self.battle.pilots, "idle")
        if self.rng.random() < self.noise:
            self.give(self.noisy_order(name))
        else:
            self.give(self.plausible_order(name))

    def is_crippled(self, name: str) -> bool:
        """Whether the pilot is nearly helpless, so that it may HOLD if nobody shoots at it."""
        return all(self.battle.pilots[name]["stats"][stat] <= 0 for stat in NEEDED_TO_ACT)

    def give(self, order: Json) -> None:
        """Write an order down and play it."""
        self.orders.append(order)
        pilot = self.battle.pilots.get(order["pilot"])
        if pilot is not None and order["command"] in SKILLS:
            stat, aptitude = SKILLS[order["command"]]
            skill = pilot[aptitude] * pilot["ratings"][stat]
            self.die.hints = [skill, skill + 30, ejection_chance(pilot)]
        elif pilot is not None:
            self.die.hints = [ejection_chance(pilot)]
        self.battle.give(order)

    def plausible_order(self, name: str) -> Json:
        """An order that is legal and suits the pilot's mood."""
        threatened = self.battle.is_threatened(name)
        weights = dict(MOODS[self.moods[name]])
        if threatened and "JINK" in weights:
            weights.update(JINK=6, ECM=6, PROTECT=6)
        if not self.battle.pilots[name]["found"] and self.rng.random() < 0.97:
            weights["SCAN"] = 1000
        while weights:
            command = self.rng.choices(list(weights), list(weights.values()))[0]
            del weights[command]
            order = self.addressed(name, command)
            if self.battle.refusal(order) is None:
                return order
        return self.addressed(name, self.rng.choice(COMMANDS[:10]))

    def addressed(self, name: str, command: str) -> Json:
        """An order with `at` where it is called for, and sometimes where it is not."""
        order: Json = {"pilot": name, "command": command}
        opponents = self.battle.opponents(name)
        needed = command in (*AT_ONE_OPPONENT, "SURRENDER")
        if needed and (len(opponents) > 1 or self.rng.random() < 0.7):
            order["at"] = self.favourite(name, opponents)
        elif not needed and self.rng.random() < 0.03:
            order["at"] = self.rng.choice([*self.battle.pilots, "nobody", ""])
        return order

    def favourite(self, name: str, opponents: list[str]) -> str:
        """The opponent to go for: often one that can be shot at."""
        held = [o for o in opponents if self.battle.advantages[self.battle.pair(name, o)] == name]
        locked = [o for o in opponents if self.battle.has_lock(name, o)]
        if (held or locked) and self.rng.random() < 0.8:
            return self.rng.choice(held + locked)
        return self.rng.choice(opponents)

    def noisy_order(self, name: str) -> Json:
        """An order that is quite likely to be refused."""
        command = self.rng.choice(COMMANDS)
        anybody = self.rng.choice([*self.battle.pilots, "nobody", name.upper(), "", name])
        return self.rng.choice(
            (
                {"pilot": anybody, "command": command},
                {"pilot": name, "command": self.rng.choice(("scan", "WAIT", "", "FIRE ", command))},
                {"pilot": name, "command": command},
                {"pilot": name, "command": command, "at": anybody},
                {"pilot": anybody, "command": command, "at": name},
                {"pilot": name, "command": self.rng.choice(AT_ONE_OPPONENT), "at": anybody},
            )
        )


def author(rng: Random) -> Author:
    """An author whose scenario is written, for readers who want to see what happened in it."""
    writer = Author(rng)
    writer.write()
    return writer


def scenario_of(writer: Author) -> Json:
    """The scenario that an author wrote."""
    return {
        "system": "starpilot",
        "setup": writer.setup,
        "orders": writer.orders,
        "dice": writer.die.rolled,
    }


def scenario(rng: Random) -> Json:
    """A random valid scenario, with exactly the dice that it needs."""
    return scenario_of(author(rng))


# ---- broken ones -------------------------------------------------------------------------


def broken_by(kind: str, rng: Random) -> Json:
    """A scenario that is not valid in the way that was chosen."""
    good = scenario(rng)
    BREAKS[kind](rng, good)
    return good


def some_pilot(rng: Random, scenario: Json) -> Json:
    """Any pilot of the setup."""
    pilots: list[Json] = [p for team in scenario["setup"]["teams"] for p in team["pilots"]]
    return rng.choice(pilots)


def some_team(rng: Random, scenario: Json) -> Json:
    """Any team of the setup."""
    teams: list[Json] = scenario["setup"]["teams"]
    return rng.choice(teams)


def break_missing_key(rng: Random, scenario: Json) -> None:
    """Leave a key out."""
    holder, keys = rng.choice(
        (
            (scenario, ("system", "setup", "orders", "dice")),
            (scenario["setup"], ("teams",)),
            (some_team(rng, scenario), ("name", "pilots")),
            (some_pilot(rng, scenario), PILOT_KEYS),
            (some_pilot(rng, scenario), PILOT_KEYS),
        )
    )
    del holder[rng.choice(keys)]


def break_type(rng: Random, scenario: Json) -> None:
    """Put a value of the wrong type somewhere."""
    pilot = some_pilot(rng, scenario)
    holder, key, values = rng.choice(
        (
            (scenario, "setup", ([], "x", None, 3)),
            (scenario, "orders", ({}, "x", None, 3)),
            (scenario, "dice", ({}, "x", None, 3)),
            (scenario["setup"], "teams", ({}, "x", None, 3)),
            (some_team(rng, scenario), "pilots", ({}, "x", None, 3)),
            (some_team(rng, scenario), "name", ({}, [], None, 3)),
            (pilot, rng.choice(("name", "side", "ship")), ({}, [], None, 3, True)),
            (pilot, "hp", (0, 1.3, None, [], True)),
            (pilot, rng.choice(NUMBER_KEYS), ("12", None, [], {}, 2.5)),
            (pilot, rng.choice(("rank", "mark")), (True, "1")),
        )
    )
    holder[key] = rng.choice(values)


def break_element(rng: Random, scenario: Json) -> None:
    """Put something that is not a pilot, team or order into a list of them."""
    junk: Any = rng.choice((None, "x", 3, []))
    holder = rng.choice(
        (scenario["setup"]["teams"], some_team(rng, scenario)["pilots"], scenario["orders"])
    )
    if holder:
        holder[rng.randrange(len(holder))] = junk
    else:
        holder.append(junk)


def break_order(rng: Random, scenario: Json) -> None:
    """Spoil one order's shape, even if it would be refused anyway."""
    spoilt: Json = {"pilot": "Hawk", "command": "SCAN", "at": "Kestrel"}
    key = rng.choice(("pilot", "command", "at"))
    if key == "at" or rng.random() < 0.6:
        spoilt[key] = rng.choice((3, [], {}, True))
    else:
        del spoilt[key]
    scenario["orders"].append(spoilt)


def break_system(rng: Random, scenario: Json) -> None:
    """Name another system."""
    scenario["system"] = rng.choice(("Starpilot", "", "chess", None, 3))


def break_dice_run_out(rng: Random, scenario: Json) -> None:
    """Take dice away from the end."""
    dice = scenario["dice"]
    if dice:
        del dice[rng.randrange(len(dice)) :]
    else:  # the setup named who starts, and nobody rolled
        del scenario["setup"]["first"]


def break_dice_left_over(rng: Random, scenario: Json) -> None:
    """Add dice that nobody rolls."""
    scenario["dice"] = scenario["dice"] + [rng.randint(1, 100) for _ in range(rng.randint(1, 3))]


def break_dice_range(rng: Random, scenario: Json) -> None:
    """A number that a d100 cannot show."""
    dice = scenario["dice"]
    wrong = rng.choice((0, 101, -1, 1000, 10**30, 12.5))
    if dice:
        dice[rng.randrange(len(dice))] = wrong
    else:
        dice.append(wrong)


def break_dice_type(rng: Random, scenario: Json) -> None:
    """A die that shows no number at all."""
    dice = scenario["dice"]
    wrong: Any = rng.choice((None, "7", [7], True))
    if dice:
        dice[rng.randrange(len(dice))] = wrong
    else:
        dice.append(wrong)


def break_aptitude(rng: Random, scenario: Json) -> None:
    """An aptitude out of 1 to 18."""
    pilot = some_pilot(rng, scenario)
    keys = ["weapons", "piloting", "sensors"]
    pilot.update(dict.fromkeys(keys, 18))
    pilot[rng.choice(keys)] = rng.choice((0, -1, 19, 100))


def break_aptitude_sum(rng: Random, scenario: Json) -> None:
    """Aptitudes that sum to less than 36."""
    pilot = some_pilot(rng, scenario)
    points = rng.choice(((12, 12, 11), (1, 16, 18), (1, 1, 1), (18, 1, 16)))
    pilot["weapons"], pilot["piloting"], pilot["sensors"] = points


def break_rank(rng: Random, scenario: Json) -> None:
    """A rank out of 1 to 4."""
    some_pilot(rng, scenario)["rank"] = rng.choice((0, 5, -1, 10))


def break_ship(rng: Random, scenario: Json) -> None:
    """A ship that does not exist, or is of another side."""
    pilot = some_pilot(rng, scenario)
    foreign = sorted(ship for ship, (side, _) in SHIPS.items() if side != pilot["side"])
    pilot["mark"] = 0
    pilot["ship"] = rng.choice(("", pilot["ship"].lower(), "X-Wing", *foreign[:9]))


def break_side(rng: Random, scenario: Json) -> None:
    """A side that does not exist."""
    some_pilot(rng, scenario)["side"] = rng.choice(("", "Empire", "Alliance", "LEAGUE"))


def break_mark(rng: Random, scenario: Json) -> None:
    """A Mark out of its bounds."""
    pilot = some_pilot(rng, scenario)
    light = SHIPS[pilot["ship"]][1][-1] == LIGHT_STRUCTURE
    pilot["mark"] = rng.choice((-1, 64, 1000, *((16, 32, 63) if light else ())))


def break_light_mark(rng: Random, scenario: Json) -> None:
    """A Light ship with a weapon mark."""
    pilot = some_pilot(rng, scenario)
    light = {s for s, (_, stats) in SHIPS.items() if stats[-1] == LIGHT_STRUCTURE}
    pilot["ship"] = rng.choice(sorted(s for s in light if SHIPS[s][0] == pilot["side"]))
    pilot["mark"] = rng.randint(16, 63)


def break_hp(rng: Random, scenario: Json) -> None:
    """HP text that is not `N` or `N.t`."""
    some_pilot(rng, scenario)["hp"] = rng.choice(BAD_HP_TEXTS)


def break_name(rng: Random, scenario: Json) -> None:
    """A blank name, or one that holds a |."""
    some_pilot(rng, scenario)["name"] = rng.choice(("", " ", "\t \n", "|", "Ha|wk", "Hawk|"))


def plain_name(name: str) -> str:
    """A name without case, accents and spacing."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(c for c in letters if not unicodedata.combining(c) and not c.isspace())


def break_twin(rng: Random, scenario: Json) -> None:
    """Two pilots whose names differ in case, accents or spacing at most."""
    pilots = [p for team in scenario["setup"]["teams"] for p in team["pilots"]]
    one, other = rng.sample(pilots, 2)
    one["name"] = rng.choice(("Hawk", "Red Hawk", "Élodie Durand", "Zoë", "Ñandú", "van der Wål"))
    other["name"] = twin_of(rng, one["name"])
    assert plain_name(one["name"]) == plain_name(other["name"])


def twin_of(rng: Random, name: str) -> str:
    """The same name in the sense of SP-2."""
    changes: tuple[Callable[[str], str], ...] = (
        str,
        str.upper,
        str.lower,
        lambda text: text.replace(" ", ""),
        lambda text: f"  {text} ",
        lambda text: " ".join(text),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: "".join(c for c in unicodedata.normalize("NFD", text) if ord(c) < 128),
    )
    for change in rng.sample(changes, 2):
        name = change(name)
    return name


def break_sides(rng: Random, scenario: Json) -> None:
    """A side that flies on both teams."""
    red, blue = scenario["setup"]["teams"]
    pilot = rng.choice(blue["pilots"])
    other = rng.choice(red["pilots"])
    pilot.update(side=other["side"], ship=other["ship"], mark=0)


def break_teams(rng: Random, scenario: Json) -> None:
    """Not two teams, or of one name, or one without a pilot."""
    teams = scenario["setup"]["teams"]
    how = rng.randrange(5)
    if how == 0:
        del teams[rng.randrange(2)]
    elif how == 1:
        extra = copy.deepcopy(teams[0])
        extra["name"] = "third"
        for number, pilot in enumerate(extra["pilots"]):
            pilot["name"] = f"extra {number}"
        teams.append(extra)
    elif how == 2:
        teams.clear()
    elif how == 3:
        teams[0]["name"] = teams[1]["name"]
    else:
        rng.choice(teams)["pilots"].clear()


def break_first(rng: Random, scenario: Json) -> None:
    """A first team that does not exist."""
    scenario["setup"]["first"] = rng.choice(("", "nobody", "RED ", 0, [], True))


NUMBER_KEYS = ("rank", "weapons", "piloting", "sensors", "mark")
PILOT_KEYS = ("name", "side", "ship", "hp", *NUMBER_KEYS)

BREAKS: dict[str, Callable[[Random, Json], None]] = {
    "aptitude": break_aptitude,
    "aptitude sum": break_aptitude_sum,
    "dice left over": break_dice_left_over,
    "die that cannot be": break_dice_range,
    "dice run out": break_dice_run_out,
    "dice type": break_dice_type,
    "element": break_element,
    "first": break_first,
    "hp": break_hp,
    "light mark": break_light_mark,
    "mark": break_mark,
    "missing key": break_missing_key,
    "name": break_name,
    "order": break_order,
    "rank": break_rank,
    "ship": break_ship,
    "side": break_side,
    "sides": break_sides,
    "system": break_system,
    "teams": break_teams,
    "twin": break_twin,
    "type": break_type,
}
