"""Fights of Starfarer, and forged ones, before `pbem verify` and the script for players."""

import copy
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.errors import EngineError
from engine.seats import REFEREE, Seat
from engine.starfarer.model import Order, everybody
from engine.starfarer.rules import STARFARER as RULES
from engine.starfarer.vocabulary import VOCABULARY
from pbem.games import export
from tests.engine.starfarer.skirmishes import ann, bo
from tests.oracle.starfarer.plans import MOODS, Planner
from tests.oracle.starfarer.setups import random_setup
from tests.support.checking_script_contract import ScriptContract
from tests.support.forging import (
    Check,
    Parts,
    Recorded,
    by_engine,
    order,
    path_of,
    played,
    put,
    refused,
)
from tests.support.trial_counts import tries

SCRIPT = path_of("starfarer")

Orders = dict[Seat, list[Order]]


# ---- fights ------------------------------------------------------------------------------------


class Fight(Recorded):
    """A fight that is played to its end by random plans, step by step."""

    def __init__(self, at_first: dict[str, Any], seed: int) -> None:
        """Set the fight up."""
        super().__init__(RULES, at_first, Random(seed))
        teams = at_first["teams"]
        people = [character for team in teams for character in team["characters"]]
        self.planners = {one["name"]: Planner(self.rng, teams, one) for one in people}
        self.mood = self.rng.choice(MOODS)

    def plans(self) -> Orders:
        """Plans of most characters, as orders in words are read."""
        found: Orders = {}
        for name in everybody(self.state):
            plan = self.plan(name) if self.rng.random() < 0.9 else None
            if plan is not None:
                found.setdefault(self.state.sheets[name].seat, []).append(plan)
        return dict(sorted(found.items()))

    def plan(self, name: str) -> Order | None:
        """A plan that is legal, and that letters can say; None where none was found."""
        seat, several = self.state.sheets[name].seat, self.state.options.multiple
        for _ in range(9):
            made = self.planners[name].plan(self.mood, several)
            entry = {"round": self.state.round, "character": name, **made}
            _, order = RULES.scenario.order(self.state, entry, 0)
            if RULES.refusal(self.state, seat, order) is None:
                try:
                    read = RULES.parse(self.state, seat, RULES.format(order))
                except EngineError:
                    continue
                if RULES.format(read) == RULES.format(order) and self.rng.random() < 0.9:
                    return read
        return None

    def play(self, rounds: int = 30) -> "Fight":
        """Play to the end; after so many rounds all agree to it."""
        while RULES.outcome(self.state) is None:
            awaiting = RULES.phase(self.state).awaiting
            if awaiting is not None:
                text = self.rng.choice(awaiting.rulings)
                self.take({REFEREE: [RULES.parse(self.state, REFEREE, text)]})
                continue
            plans = self.plans()
            if self.state.round > rounds:
                self.take({REFEREE: [RULES.parse(self.state, REFEREE, "DRAW")]})
            elif self.rng.random() < 0.2 and plans:
                self.take(plans)
            elif RULES.to_act(self.state):
                self.take({**plans, REFEREE: [RULES.parse(self.state, REFEREE, "END")]})
            else:
                self.take({})
        return self


@cache
def wild(seed: int) -> Parts:
    """A random fight."""
    setup = random_setup(Random(seed))
    if seed % 3 == 2:
        setup["options"] = {**(setup.get("options") or {}), "aftermath": True}
    return Fight(setup, seed).play().parts()


def undone() -> Parts:
    """A fight that is over, is taken back under a new secret, and ends otherwise."""
    fight = Fight(PAIR, 1)
    fight.follow(PLANS, "END", "FORFEIT blue")
    fight.undo(0, bytes([7]) * 32)
    return fight.play().parts()


PAIR = {
    "field": 40,
    "teams": [
        {"name": "red", "characters": [ann(20), {**ann(21), "name": "O'Hara", "seat": "mate"}]},
        {"name": "blue", "characters": [bo(24), {**bo(28), "name": "Rise Again"}]},
    ],
}
PLANS = {
    "red": 'Ann: IF ENGAGED: PARRY, ELSE ATTACK "Rise Again" WITH pistol left hand; AIM AT Bo;'
    " ABORT: EVADE; KEEP",
    "mate": "O'Hara: TREAT left leg OF Ann, ELSE MOVE TOWARD nearest",
    "blue": '"Rise Again": DROP; MOVE TO -5',
}
BATTLES: dict[str, Callable[[], Parts]] = {
    "agreed": lambda: played(RULES, PAIR, PLANS, "END", "DRAW"),
    "agreed at once": lambda: played(RULES, PAIR, "DRAW"),
    "forfeit": lambda: played(RULES, PAIR, "FORFEIT mate", "END", "FORFEIT blue"),
    "ruled": lambda: played(
        RULES,
        PAIR | {"options": {"aftermath": True}},
        PLANS,
        *["END"] * 3,
        "FORFEIT blue",
        "HEAL Bo",
        "DONE",
    ),
    "silence": lambda: Fight(PAIR, 5).play().parts(),
    "undone": undone,
}
BATTLES = {name: cache(make) for name, make in BATTLES.items()}


# ---- what is accepted --------------------------------------------------------------------------


WILD = range(tries(60, 6))


def test_both_accept_random_fights(by_script: Check) -> None:
    for seed in WILD:
        text = export.write(wild(seed))
        assert by_script(text)[0] == 0, (seed, by_script(text)[1])
        if seed % 10 == 0:
            assert by_engine(text)[0] == 0, seed


def test_random_fights_show_every_action_and_roll() -> None:
    """So that the script was asked about all of them."""
    steps = [step for seed in range(12) for step in wild(seed)[1:-1]]
    texts = " ".join(text for step in steps for _, text in step["orders"])
    words = "ATTACK AIM EVADE PARRY TREAT MOVE DROP RISE HOLD IF ELSE ABORT WITHIN FINISH AND END"
    words += " HEAL FREE DONE"
    assert [word for word in words.split() if word not in texts] == []
    whys = " ".join(why for step in steps for _, _, why in step["rolls"])
    rolled = "initiative,attack on,evade,parry,arm,leg,treats,shock,wakes,sleeps,bleeding,survival"
    assert [word for word in rolled.split(",") if word not in whys] == []


# ---- forgeries under new seals -----------------------------------------------------------------


ANN = ("state", "characters", "Ann")
FORGERIES: dict[str, tuple[str, Callable[[Parts], object], str]] = {
    "a plan dropped": ("agreed", lambda p: p[1]["orders"].pop(0), "step 0"),
    "a plan of another seat": ("agreed", put(1, "orders", 0, 0, value="red"), "step 0"),
    "a round too many": ("silence", lambda p: p.insert(-1, {**p[-2], "step": len(p) - 2}), "step"),
    "a forfeit of nobody": ("agreed", order(2, (REFEREE, "FORFEIT nobody")), "step 2"),
    "a ruling by a player": ("agreed", order(2, ("red", "DRAW")), "step 2"),
    "no end": ("agreed", lambda p: p.pop(-2), "result"),
    "a winner": ("agreed", put(-1, "winner", value="red"), "result"),
    "a wound": ("agreed", put(-1, *ANN, "wounds", "head", 5, value="X"), "result"),
    "a wound of another kind": ("silence", lambda p: swap_mark(p), "result"),
    "shock": ("agreed", put(-1, *ANN, "shock", value=99), "result"),
    "a place": ("agreed", put(-1, *ANN, "at", value=3), "result"),
    "a fate": ("forfeit", put(-1, "state", "characters", "Bo", "fate", value="dead"), "result"),
}


def swap_mark(parts: Parts) -> None:
    """Turn an X of the result into a /."""
    circles = next(
        area
        for body in parts[-1]["state"]["characters"].values()
        for area in body["wounds"].values()
        if "X" in "".join(area)
    )
    circles[:] = [marks.replace("X", "/") for marks in circles]


UNDUE = {
    "whom nothing hurts": "HEAL Ann",
    "who is not a prisoner": "FREE Bo",
    "who is nobody": "HEAL Zed",
    "another round": "END",
}


@pytest.mark.parametrize("name", UNDUE)
def test_a_ruling_that_is_not_due_is_refused(name: str, by_script: Check) -> None:
    parts = copy.deepcopy(BATTLES["ruled"]())
    order(5, (REFEREE, UNDUE[name]))(parts)
    refused(by_script, export.write(parts), "step 5")


ILLEGAL = {
    "no such action": ("red", "Ann: DANCE"),
    "small letters": ("red", "Ann: evade"),
    "words that players may write, but exports do not": ("red", "Ann: SHOOT Bo"),
    "a space too many": ("red", "Ann: EVADE "),
    "quotes that need not be": ("red", '"Ann": EVADE'),
    "no quotes where they are needed": ("blue", "Rise Again: EVADE"),
    "a friend as a target": ("red", "Ann: ATTACK O'Hara"),
    "nobody as a target": ("red", "Ann: AIM AT Zed"),
    "a weapon of nobody": ("red", "Ann: ATTACK Bo WITH halberd"),
    "a parry with a pistol": ("red", "Ann: PARRY WITH pistol"),
    "an opponent treated": ("red", "Ann: TREAT head OF Bo"),
    "no such area": ("red", "Ann: TREAT toe"),
    "toward oneself": ("red", "Ann: MOVE TOWARD Ann"),
    "a leading zero": ("red", "Ann: MOVE TO 05"),
    "two actions in a phase": ("red", "Ann: EVADE AND HOLD"),
    "no phase": ("red", "Ann: ABORT: EVADE"),
    "another way to abort": ("red", "Ann: EVADE; ABORT: HOLD"),
    "an abort before a phase": ("red", "Ann: ABORT: EVADE; EVADE"),
    "another condition": ("red", "Ann: IF LUCKY: EVADE"),
    "a refusal in what else to do": ("red", "Ann: EVADE, ELSE ATTACK O'Hara"),
    "somebody else's character": ("red", "O'Hara: EVADE"),
    "nobody's character": ("red", "Zed: EVADE"),
    "no seat": ("nobody", "Ann: EVADE"),
    "no plan": ("red", ""),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_a_plan_that_the_rules_forbid_is_refused(name: str, by_script: Check) -> None:
    """It has an honest digest."""
    parts = copy.deepcopy(BATTLES["agreed"]())
    order(0, ILLEGAL[name])(parts)
    refused(by_script, export.write(parts), "step 0")


# ---- the script as a file ----------------------------------------------------------------------


def test_the_script_quotes_names_as_plans_do() -> None:
    """Its words are those of plans, so that no plan can be written in two ways."""
    space = {"__name__": "read"}
    exec(compile(SCRIPT.read_text("utf-8"), SCRIPT.name, "exec"), space)
    shape: Any = space["Names"]
    words = [
        *VOCABULARY.english,
        *(one for forms in VOCABULARY.others for w in forms.values() for one in w),
    ]
    names = (
        *words,
        "Bo",
        "O'Hara",
        "Élan",
        "Go to X",
        "12",
        "20m",
        "-3",
        "a;b",
        " x",
        "M",
        "Jean Luc",
    )
    for name in names:
        written = shape([name], space["RESERVED"], unit="m").quoted(name)
        assert written == VOCABULARY.name_text(name)


class TestTheScript(ScriptContract):
    system = "starfarer"
    battles = BATTLES
    forgeries = FORGERIES
    small = "agreed at once"
    changed = ("agreed", "undone")
    other = ("ENGAGED", "CLEAR")
