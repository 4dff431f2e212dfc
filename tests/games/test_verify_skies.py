"""Battles of Black Skies, and forged ones, before `pbem verify` and the script for players."""

import copy
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.blackskies.model import Battle, Order
from engine.blackskies.rules import BLACKSKIES as RULES
from engine.codec import change
from engine.registry import RULESETS
from engine.seats import REFEREE, Seat
from pbem.cli import main
from pbem.games import export
from pbem.games.checking_script import has_script, script
from tests.engine.blackskies.fights import element, setup
from tests.laws.skies import random_skies
from tests.support.checking_script_contract import ScriptContract
from tests.support.forging import (
    Check,
    Parts,
    by_engine,
    ground,
    ground_of,
    head,
    honest,
    mark,
    order,
    other_setup,
    path_of,
    put,
    refused,
    renewed,
    reorder,
    result,
    taken,
    undo,
)

SCRIPT = path_of("blackskies")
QUITS = ("withdraw", "surrender")

Orders = dict[Seat, list[Order]]


# ---- battles -----------------------------------------------------------------------------------


def orders_of(state: Battle, rng: Random, quits: float) -> Orders:
    """An order for most elements, at targets of all kinds."""
    found: Orders = {}
    for seat in RULES.to_act(state):
        for name in RULES.owing(state, seat):
            if rng.random() < 0.9:
                found.setdefault(seat, []).append(order_of(state, seat, name, rng, quits))
    return dict(sorted(found.items()))


def order_of(state: Battle, seat: Seat, name: str, rng: Random, quits: float) -> Order:
    """A legal order of an element."""
    offers = [offer.order for offer in RULES.offers(state, seat) if offer.order.element == name]
    wished = QUITS if rng.random() < quits else ("fly",)
    order = rng.choice([one for one in offers if one.command in wished])
    if order.command != "fly" or rng.random() < 0.4:
        return order
    side = state.elements[name].side
    foes = [e for e in state.elements.values() if e.side != side]
    known = [n for e in foes for n in (e.name, *e.fighters)]
    targets = tuple(rng.choices(known, k=rng.randint(0, 3)))
    return change(order, targets=targets, hold_fire=rng.random() < 0.1)


def steps_of(state: Battle, rng: Random, quits: float) -> Orders:
    """What the next step resolves: a turn, some orders for it, or a step of the referee's own."""
    if not RULES.to_act(state):
        return {}
    orders = orders_of(state, rng, quits)
    if rng.random() < 0.8:
        return {**orders, REFEREE: [Order(command="end")]}
    return orders or {REFEREE: [Order(command="end")]}


def battle(
    at_first: dict[str, Any], seed: int, quits: float = 0.02, undos: tuple[int, ...] = ()
) -> Parts:
    """Fly a battle to its end; each time that it is over take it back to a step, if one is left."""
    rng, state, known = Random(seed), RULES.setup(at_first), dict[int, Battle]()
    on = ground(RULES, at_first)
    words, steps, left = dict(on.before), Parts(), [*undos]
    while RULES.outcome(state) is None or left:
        n = len(steps)
        if RULES.outcome(state) is not None:
            later = renewed(RULES, on, n, bytes([len(left)]) * 32)
            back = left.pop(0)
            steps.append(undo(n, back, words, on, later))
            state, on = known[back], later
        else:
            orders = steps_of(state, rng, quits)
            players = sorted({*orders} - {REFEREE})
            for seat in players if rng.random() < 0.3 else ():
                words[seat] = {"letter": mark(f"{n}"), "salts": ["ünï 7"]}
            state, part = taken(RULES, state, n, orders, words, on, players[: rng.randint(-9, 1)])
            steps.append(part)
        known[n] = state
    return [head(RULES, at_first), *steps, result(RULES, state)]


def ruled(at_first: dict[str, Any], *rulings: str) -> Parts:
    """Fly a turn, once it is known who moves first; then the referee rules."""
    state, rng, steps, on = RULES.setup(at_first), Random(1), Parts(), ground(RULES, at_first)
    for text in ("", "END", *rulings)[state.first is not None :]:
        orders: Orders = {REFEREE: [RULES.parse(state, REFEREE, text)]} if text else {}
        flown = orders_of(state, rng, 0) if state.turn == 1 and text == "END" else {}
        state, part = taken(RULES, state, len(steps), {**flown, **orders}, dict(on.before), on)
        steps.append(part)
    return [head(RULES, at_first), *steps, result(RULES, state)]


DUEL = setup([element("Red", (0, 0))], [element("Blue", (12, 0), heading=3)], turns=3)
ROLLED = {key: value for key, value in DUEL.items() if key != "first"}
BARGES = [element(name, at, design="Barge") for name, at in (("Red", (0, 0)), ("Gold", (0, 9)))]
QUIET = setup(
    [BARGES[0], {**BARGES[1], "seat": "Mate"}], [element("Blue", (12, 0), design="Barge")], turns=3
)
MATES = setup(
    [element("Red", (0, 0), (-2, 1)), element("Gold", (0, 9), seat="Mate")],
    [element("Blue", (12, 0), heading=3), element("O'Grey", (9, 9), (8, 9), design="Bear")],
    asteroids=[{"q": 4, "r": 0, "radius": 1}],
    turns=5,
)

BATTLES: dict[str, Callable[[], Parts]] = {
    "duel": lambda: battle(DUEL, 1),
    "mates": lambda: battle(MATES, 2),
    "fled": lambda: battle(setup(BARGES[:1], [element("Blue", (99, 0))]), 1, 1),
    "undone": lambda: battle(DUEL, 3, 0, (1, 1, 0)),
    "agreed": lambda: ruled(DUEL, "DRAW"),
    "agreed at once": lambda: ruled(MATES, "DRAW"),
    "forfeit": lambda: ruled(ROLLED, "FORFEIT red"),
    "forfeits": lambda: ruled(QUIET, "FORFEIT Mate", "END", "FORFEIT red"),
    "silence": lambda: ruled(QUIET, "END", "END"),
}
BATTLES = {name: cache(make) for name, make in BATTLES.items()}


def wild(seed: int) -> Parts:
    """A random battle, which may be taken back."""
    rng = Random(seed)
    undos = (1,) if rng.random() < 0.3 else ()
    return battle({**random_skies(rng), "turns": rng.choice((2, 4, 15))}, seed, 0.03, undos)


# ---- what is accepted --------------------------------------------------------------------------


def test_both_accept_random_battles(by_script: Check) -> None:
    for seed in range(40):
        text = export.write(wild(seed))
        assert by_engine(text)[0] == 0, seed
        assert by_script(text)[0] == 0, (seed, by_script(text)[1])


def test_the_battles_show_every_order_fate_and_roll() -> None:
    games = [*(make() for make in BATTLES.values()), *map(wild, range(40))]
    steps = [step for parts in games for step in parts[1:-1]]
    texts = " ".join(text for step in steps for _, text in step["orders"])
    cards = "STEADY ACCELERATE DECELERATE BREAK SMOOTH LATE AFTERBURNER HARD SNAKE SIDESLIP"
    rest = "BOOTLEGGER REVERSE LEFT RIGHT TARGETS HOLD SURRENDER WITHDRAW END DRAW FORFEIT UNDO"
    assert [word for word in f"{cards} {rest}".split() if word not in texts] == []
    fates = {f["fate"] for parts in games for f in parts[-1]["state"]["fighters"].values()}
    assert fates == {"active", "destroyed", "surrendered", "withdrawn"}
    elements = [e for parts in games for e in parts[-1]["state"]["elements"].values()]
    assert any(e["retrograde"] for e in elements)
    whys = " ".join(why for step in steps for _, _, why in step["rolls"])
    for word in ("who moves first", "piloting", "asteroid damage", "damage to", "Lance at"):
        assert word in whys
    assert {sides for step in steps for sides, _, _ in step["rolls"]} >= {3, 4, 6, 8, 12}


# ---- forgeries under new seals -----------------------------------------------------------------


def undone_at_last(secret: bytes | None) -> Callable[[Parts], None]:
    """A forgery that takes a battle back at its end, and lets nothing follow."""

    def forge(parts: Parts) -> None:
        n, on = len(parts) - 2, ground_of(parts)
        later = renewed(RULES, on, n, secret) if secret else None
        parts.insert(-1, undo(n, 1, parts[-2]["words"], on, later))

    return forge


EMPTY = {
    "step": 0,
    "orders": [],
    "proxied": [],
    "words": dict(ground(RULES, DUEL).before),
    "digest": "",
    "rolls": [],
}
END = {**EMPTY, "orders": [[REFEREE, "END"]]}
FIGHTERS = ("state", "fighters", "Red 1")

FORGERIES: dict[str, tuple[str, Callable[[Parts], object], str]] = {
    "an order": ("agreed", put(1, "orders", 0, 1, value="Blue: SURRENDER"), "step 0"),
    "an order, its digest and dice": (
        "agreed",
        order(0, ("blue", "Blue: SURRENDER"), (REFEREE, "END")),
        "step 1",
    ),
    "an order's author": ("agreed", put(1, "orders", 0, 0, value="red"), "step 0"),
    "orders out of order": (
        "agreed",
        order(0, ("red", "Red: STEADY"), ("blue", "Blue: STEADY"), (REFEREE, "END")),
        "step 0",
    ),
    "a set-up, committed": ("agreed", other_setup("turns", value=19), "step 0"),
    "a turn dropped": ("silence", reorder(1, None), "result"),
    "a turn put in": ("silence", reorder(1, END), "step 3"),
    "an empty step": ("silence", reorder(1, EMPTY), "step 1"),
    "two turns in a step": ("silence", order(1, (REFEREE, "END"), (REFEREE, "END")), "step 2"),
    "a ruling after the end": (
        "silence",
        order(2, (REFEREE, "END"), (REFEREE, "FORFEIT red")),
        "step 2",
    ),
    "an end after a draw": ("agreed", order(1, (REFEREE, "DRAW"), (REFEREE, "END")), "step 1"),
    "an end before the end": ("silence", lambda p: p.pop(-2), "result"),
    "a forfeit of nobody": ("agreed", order(1, (REFEREE, "FORFEIT nobody")), "step 1"),
    "a ruling by a player": ("agreed", order(1, ("red", "DRAW")), "step 1"),
    "a ruling in other words": ("agreed", order(1, (REFEREE, "DRAW by both")), "step 1"),
    "a short secret": (
        "silence",
        undone_at_last(bytes(31)),
        "step 3",
    ),
    "another skill": (
        "mates",
        put(0, "setup", "teams", 0, "elements", 0, "fighters", 0, "skill", value=1),
        "head",
    ),
    "the winner": ("forfeit", put(-1, "winner", value="red"), "result"),
    "no winner": ("forfeit", put(-1, "winner", value=None), "result"),
    "a draw": ("forfeit", put(-1, "drawn", value=True), "result"),
    "no draw": ("agreed", put(-1, "drawn", value=False), "result"),
    "points": ("forfeit", put(-1, "state", "points", "red", value=1), "result"),
    "a hull": ("agreed", put(-1, *FIGHTERS, "hull", value=99), "result"),
    "a kill": ("agreed", put(-1, *FIGHTERS, "kills", value=9), "result"),
    "a fate": ("forfeit", put(-1, *FIGHTERS, "fate", value="withdrawn"), "result"),
    "a place": ("agreed", put(-1, *FIGHTERS, "q", value=99), "result"),
    "a heading": ("agreed", put(-1, "state", "elements", "Red", "heading", value=9), "result"),
}
"""What is changed in which battle, and the place that both checks have to name."""


ILLEGAL = {
    "no such card": ("red", "Red: LOOPING"),
    "a turn to no side": ("red", "Red: BREAK"),
    "too much": ("red", "Red: ACCELERATE 4"),
    "nothing to accelerate by": ("red", "Red: ACCELERATE"),
    "a leading zero": ("red", "Red: ACCELERATE 01"),
    "a number where none belongs": ("red", "Red: STEADY 1"),
    "an enemy near": ("red", "Red: WITHDRAW"),
    "a target that there is not": ("red", "Red: STEADY; TARGETS Green"),
    "a friend as a target": ("red", "Red: STEADY; TARGETS Gold"),
    "targets of who surrenders": ("red", "Red: SURRENDER; HOLD FIRE"),
    "small letters": ("red", "Red: steady"),
    "a space too many": ("red", "Red: STEADY "),
    "an order too many words": ("red", "Red: STEADY; HOLD FIRE; TARGETS Blue"),
    "quotes that need not be": ("red", '"Red": STEADY'),
    "an element of another seat": ("red", "Gold: STEADY"),
    "an element of the enemy": ("red", "Blue: STEADY"),
    "no thrusters": ("blue", "O'Grey: BOOTLEGGER"),
    "no order": ("red", ""),
    "no seat": ("nobody", "Red: STEADY"),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_order_that_the_rules_forbid_is_refused(name: str, by_script: Check) -> None:
    """It has an honest digest."""
    design = {**MATES["designs"]["Bear"], "thrusters": []}
    plain = {**MATES, "designs": {**MATES["designs"], "Bear": design}}
    parts = ruled(plain, "DRAW")
    parts[1].update(orders=[list(ILLEGAL[name]), [REFEREE, "END"]])
    if ILLEGAL[name][0] > REFEREE:
        parts[1]["orders"].reverse()
    honest(parts, parts[1])
    refused(by_script, export.write(parts), "step 0")


def test_only_some_cards_are_flown_tail_first(by_script: Check) -> None:
    state, parts, on = RULES.setup(DUEL), [head(RULES, DUEL)], ground(RULES, DUEL)
    words = {**on.before, "red": {"letter": mark("0"), "salts": []}}  # so that both live on
    for n, text in enumerate(("Red: BOOTLEGGER", "Red: STEADY")):
        orders = {Seat("red"): [RULES.parse(state, Seat("red"), text)]}
        orders[REFEREE] = [Order(command="end")]
        state, part = taken(RULES, state, n, orders, words, on)
        parts.append(part)
    assert state.elements["Red"].retrograde
    state, part = taken(RULES, state, 2, {REFEREE: [Order(command="draw")]}, words, on)
    text = export.write([*parts, part, result(RULES, state)])
    assert by_engine(text)[0] == by_script(text)[0] == 0
    parts[2]["orders"][0][1] = "Red: SMOOTH LEFT"
    honest(parts, parts[2])
    refused(by_script, export.write([*parts, part, result(RULES, state)]), "step 1")


# ---- garbage -----------------------------------------------------------------------------------


def test_battles_of_another_system_are_not_called_wrong_for_their_dice(by_script: Check) -> None:
    parts = copy.deepcopy(BATTLES["duel"]())
    parts[0]["system"] = "starpilot"
    assert "this script checks battles of Black Skies only" in by_script(export.write(parts))[1]


# ---- the script as a file ----------------------------------------------------------------------


def test_systems_hand_out_their_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    having = [system for system in RULESETS if has_script(system)]
    assert {"starpilot", "blackskies", "starfarer", "cortex"} <= {*having}
    for system in having:
        assert main(["verify", "--print-script", system]) == 0
        assert capsys.readouterr().out == script(system) == path_of(system).read_text("utf-8")
    assert len({*map(script, having)}) == len(having)
    for system in {*RULESETS} - {*having}:
        assert main(["verify", "--print-script", system]) == 2
        assert f"{system} has no checking script" in capsys.readouterr().err
    assert main(["verify", "--print-script", "chess"]) == 2


class TestTheScript(ScriptContract):
    system = "blackskies"
    battles = BATTLES
    forgeries = FORGERIES
    small = "forfeit"
    changed = ("mates", "agreed", "undone")
    other = ("LEFT", "RIGHT")
