"""Battles of Cortex, and forged ones, before `pbem verify` and the script for players."""

import copy
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.cortex.rules import CORTEX as RULES
from engine.cortex.vocabulary import VOCABULARY
from engine.seats import REFEREE
from pbem.games import export
from tests.engine.cortex.battles import crewed, fighter, setup, ship
from tests.games.cortex_fights import Wild, checked, wild
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
from tests.support.trial_counts import some

SCRIPT = path_of("cortex")


# ---- battles -----------------------------------------------------------------------------------

EYE = {"name": "Eye", "alt": "d8", "lp": 10, "designator": True, "uplink": "handset"}
FIELD = setup(
    [fighter("Lance"), fighter("Open Range", seat="mate"), ship("Bastion", crew=crewed()), EYE],
    [fighter("Raider"), ship("Citadel", crew=crewed())],
    sites=[{"name": "port", "kind": "small city", "population": 9000}],
    obstacles=[
        {"name": "rock", "random": True},
        {"name": "hulk", "size": "huge", "speed": 2, "vector": "away"},
    ],
    options=None,
)
ORDERS = {
    "blue": "Lance: FIRE gun AT engines OF Raider, LOCK dart ON nearest, KEEP\n"
    "Bastion: COMMANDER ASSIST guns, PLOT, FIRE 6 railgun AT Citadel,"
    " BOMBARD port WITH 2 railgun, SPOTTER Eye\n"
    "Eye: SPOT port",
    "mate": '"Open Range": JOIN Lance, HOLD',
    "red": "Raider: PRESS, AIM gun AT weakest\n"
    "Citadel: EVADE, LOCK dart ON Lance, FIRE railgun AT Bastion, LAUNCH dart AT Lance",
}
MORE = {
    "blue": "Lance: TRICK missile AROUND Raider, OUTFLY missile\n"
    "Bastion: INTERCEPT missile WITH gun, FIRE railgun AT Citadel, CLOSE ON Citadel\nEye: HOLD",
    "mate": '"Open Range": LEAVE, CLOSE ON Raider, FIRE 2 gun AT Raider, FIRE gun AT Raider',
    "red": "Raider: CLOSE ON Lance, FIRE gun AT Lance\nCitadel: SENSE FOR pilot, OPEN, PLOT",
}
TURNS = (ORDERS, "END", MORE, "END")


def silent() -> Parts:
    """A battle in which nobody does anything, which the referee ends."""
    battle = Recorded(RULES, FIELD, Random(3))
    battle.follow("END")
    while RULES.outcome(battle.state) is None:
        battle.follow("END")
    return battle.parts()


def undone() -> Parts:
    """A battle that is over, is taken back under a new secret, and ends otherwise."""
    battle = Recorded(RULES, FIELD, Random(2))
    battle.take({})
    battle.follow(*TURNS, "FORFEIT red")
    battle.undo(2, bytes([7]) * 32)
    battle.follow(MORE, "END", "DRAW")
    return battle.parts()


BATTLES: dict[str, Callable[[], Parts]] = {
    "agreed": lambda: played(RULES, FIELD, *TURNS, "DRAW"),
    "agreed at once": lambda: played(RULES, FIELD, "DRAW"),
    "forfeit": lambda: played(RULES, FIELD, "FORFEIT mate", ORDERS | {"mate": ""}, "FORFEIT blue"),
    "silent": silent,
    "undone": undone,
}
BATTLES = {name: cache(make) for name, make in BATTLES.items()}


SHOWING = (256, 180, 34, 360, 29, 970, 978)
"""Random battles that together show every order and roll."""


@cache
def fought(seed: int) -> Parts:
    """A random battle."""
    return Wild(seed).play().parts()


# ---- what is accepted --------------------------------------------------------------------------


def test_the_referee_ends_a_battle_that_goes_nowhere() -> None:
    assert BATTLES["silent"]()[-1]["drawn"]
    assert len(BATTLES["silent"]()) == 10


@pytest.mark.parametrize("chunk", some(range(80), 1))
def test_the_script_accepts_random_battles(chunk: int) -> None:
    """More of them: `python -m tests.games.cortex_fights 20000 --seed 1`."""
    numbers = range(chunk * 25, (chunk + 1) * 25)
    wrong = [(n, why) for n, why in zip(numbers, checked(wild(numbers)), strict=True) if why]
    assert wrong == []


def test_both_accept_random_battles(by_script: Check) -> None:
    for seed in SHOWING:
        text = export.write(fought(seed))
        assert by_engine(text)[0] == by_script(text)[0] == 0


def test_random_battles_show_every_order_and_roll() -> None:
    """So that the script was asked about all of them."""
    steps = [step for seed in SHOWING for step in fought(seed)[1:-1]]
    texts = " ".join(text for step in steps for _, text in step["orders"])
    words = set(VOCABULARY.english) - {"AND", "THEN", "FOR", "CALLED", "CLOSE ON", "tactical"}
    assert [word for word in sorted(words) if word not in texts] == []
    whys = " ".join(why for step in steps for _, _, why in step["rolls"])
    rolled = (
        "size,speed,vector,Advantage,initiative,defends,damage to,lock on,joins,avoids,strafes,"
        "out-flies,distracts,is offered to,evades,presses,commander,comms,sensors,tactical,"
        "scatter at,resists,which of,battle damage,loses a gun,loses a weapon"
    )
    assert [word for word in rolled.split(",") if word not in whys] == []


# ---- forgeries under new seals -----------------------------------------------------------------

LANCE = ("state", "vessels", "Lance")
FORGERIES: dict[str, tuple[str, Callable[[Parts], object], str]] = {
    "a roll of an obstacle": ("agreed", put(1, "rolls", 0, 1, value=11), "step 0"),
    "an order dropped": ("agreed", lambda p: p[1]["orders"].pop(0), "step 0"),
    "an order of another seat": ("agreed", put(1, "orders", 0, 0, value="red"), "step 0"),
    "another order": (
        "agreed",
        put(1, "orders", 0, 1, value="Lance: FIRE gun AT Raider"),
        "step 0",
    ),
    "a turn too many": ("silent", lambda p: p.insert(-1, {**p[-2], "step": len(p) - 2}), "step"),
    "a forfeit of nobody": ("agreed", order(2, (REFEREE, "FORFEIT nobody")), "step 2"),
    "a ruling by a player": ("agreed", order(2, ("red", "DRAW")), "step 2"),
    "a ruling of other systems": ("agreed", order(2, (REFEREE, "HEAL Lance")), "step 2"),
    "no end": ("agreed", lambda p: p.pop(-2), "result"),
    "a winner": ("agreed", put(-1, "winner", value="red"), "result"),
    "no winner": ("forfeit", put(-1, "winner", value=None), "result"),
    "a wound": ("agreed", put(-1, *LANCE, "wound", value=399), "result"),
    "stun": ("agreed", put(-1, *LANCE, "stun", value=399), "result"),
    "a missile left": ("agreed", put(-1, *LANCE, "weapons", "dart", value=9), "result"),
    "an aim": (
        "agreed",
        put(-1, *LANCE, "aim", value={"gun": {"at": "Raider", "steps": 1}}),
        "result",
    ),
    "a wing": ("forfeit", put(-1, *LANCE, "wing", value="Lance"), "result"),
    "a fate": ("forfeit", put(-1, *LANCE, "fate", value="destroyed"), "result"),
    "a range": (
        "agreed",
        put(-1, "state", "pairs", "Lance|Raider", "range", value="long"),
        "result",
    ),
    "casualties": ("agreed", put(-1, "state", "sites", "port", "killed", value=9000), "result"),
    "a lock": (
        "agreed",
        lambda p: p[-1]["state"]["locks"].append(
            {"by": "Lance", "weapon": "dart", "at": "Citadel"}
        ),
        "result",
    ),
}


ILLEGAL = {
    "no such order": ("red", "Raider: DANCE"),
    "small letters": ("red", "Raider: evade"),
    "words that players may write, but exports do not": ("red", "Raider: DODGE"),
    "a name that is not whole": ("red", "Raider: FIRE gun AT lance"),
    "a space too many": ("red", "Raider: EVADE "),
    "quotes that need not be": ("red", '"Raider": EVADE'),
    "no quotes where they are needed": ("mate", "Open Range: EVADE"),
    "no order": ("red", "Raider: KEEP"),
    "too many orders": ("red", "Raider: " + ", ".join(["OPEN"] * 25)),
    "a friend as a target": ("red", "Raider: FIRE gun AT Citadel"),
    "nobody as a target": ("red", "Raider: CLOSE ON Zed"),
    "an enemy to join": ("red", "Raider: JOIN Lance"),
    "an enemy helped": ("red", "Citadel: ASSIST pilot OF Lance"),
    "a site shot at": ("red", "Raider: FIRE gun AT port"),
    "a vessel bombarded": ("red", "Citadel: BOMBARD Lance WITH railgun"),
    "an enemy's spotter": ("red", "Citadel: BOMBARD port WITH railgun, SPOTTER Eye"),
    "a weapon of nobody": ("red", "Raider: FIRE halberd AT Lance"),
    "a weapon of an enemy alone": ("red", "Raider: SENSE FOR halberd"),
    "no weapon named": ("red", "Raider: FIRE AT Lance"),
    "a leading zero": ("red", "Citadel: FIRE 06 railgun AT Lance"),
    "too many guns": ("red", "Citadel: FIRE 7 railgun AT Lance"),
    "a missile fired": ("red", "Raider: FIRE dart AT Lance"),
    "a gun locked": ("red", "Raider: LOCK gun ON Lance"),
    "no lock": ("red", "Raider: LAUNCH dart AT Lance"),
    "no missile": ("red", "Raider: OUTFLY missile"),
    "a rule that is off": ("red", "Citadel: SENSE FOR pilot"),
    "no such station": ("red", "Raider: PLOT"),
    "a pilot as a commander": ("red", "Citadel: PILOT ASSIST guns"),
    "no drive": ("red", "Raider: JUMP"),
    "a spacecraft in a wing": ("red", "Citadel: JOIN Raider"),
    "a spotter that fires": ("blue", "Eye: DEFEND"),
    "a vessel that spots": ("red", "Raider: SPOT port"),
    "somebody else's vessel": ("red", "Lance: EVADE"),
    "nobody's vessel": ("red", "Zed: EVADE"),
    "no seat": ("nobody", "Raider: EVADE"),
    "nothing": ("red", ""),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_order_that_the_rules_forbid_is_refused(name: str, by_script: Check) -> None:
    """It has an honest digest."""
    parts = copy.deepcopy(BATTLES["agreed"]())
    order(0, ILLEGAL[name])(parts)
    refused(by_script, export.write(parts), "step 0")


# ---- the script as a file ----------------------------------------------------------------------


def test_the_script_quotes_names_as_orders_do() -> None:
    """Its words are those of orders, so that no order can be written in two ways."""
    space: dict[str, Any] = {"__name__": "read"}
    exec(compile(SCRIPT.read_text("utf-8"), SCRIPT.name, "exec"), space)
    forms = [one for words in (VOCABULARY.english, *VOCABULARY.others) for one in words.values()]
    odd = ("Bo", "O'Hara", "Élan", "Open to X", "12", "20m", "-3", "a;b", " x", "M1", "Jean Luc")
    for name in (*(one for words in forms for one in words), *odd):
        written = space["Names"]([name], space["RESERVED"]).quoted(name)
        assert written == VOCABULARY.name_text(name)


class TestTheScript(ScriptContract):
    system = "cortex"
    battles = BATTLES
    forgeries = FORGERIES
    small = "agreed at once"
    changed = ("agreed", "undone")
    other = ("PRESS", "EVADE")
