"""Finished battles, and forged ones, before `pbem verify` and the script that players get."""

import copy
import hmac
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.seats import REFEREE, Seat
from engine.starpilot.model import Battle, Order, opponents
from engine.starpilot.rules import STARPILOT as RULES
from pbem.cli import main
from pbem.games import export
from pbem.games.checking_script import script
from tests.engine.battles import hawk, kestrel, pilot, setup
from tests.oracle.scenarios import random_setup
from tests.support.checking_script_contract import ScriptContract
from tests.support.forging import (
    SECRET,
    Check,
    Parts,
    by_engine,
    committed,
    ground,
    ground_of,
    head,
    honest,
    mark,
    other_secret,
    other_setup,
    path_of,
    put,
    refused,
    renewed,
    reorder,
    result,
    run,
    taken,
    undo,
)
from tests.support.trial_counts import tries

Choose = Callable[[Battle, Random], tuple[Seat, Order]]

SCRIPT = path_of("starpilot")
FIGHTING = ("FIRE", "LAUNCH", "DOGFIGHT", "TARGET", "CLOSE")


# ---- battles -----------------------------------------------------------------------------------


def battle(
    at_first: dict[str, Any],
    choose: Choose,
    seed: int = 1,
    undos: Sequence[tuple[int, int]] = (),
    bots: str = "",
) -> Parts:
    """Fly a battle to its end and return the parts of its export.

    Once it has so many steps, or is over before that, it is taken back to after a step. With a
    `bots`, a bot flies the last seat.
    """
    rng, state, known, left = Random(seed), RULES.setup(at_first), {}, [*undos]
    on = ground(RULES, at_first, bots)
    words, steps = dict(on.before), Parts()
    while RULES.outcome(state) is None or left:
        n = len(steps)
        if left and (n >= left[0][0] or RULES.outcome(state)):
            over, (_, to) = RULES.outcome(state) is not None, left.pop(0)
            later = renewed(RULES, on, n, bytes([len(left)]) * 32) if over else None
            steps.append(undo(n, to, words, on, later))
            state, on = known[to], later or on
            known[n] = state
            continue
        orders: dict[Seat, list[Order]] = {}
        proxied: list[str] = []
        if RULES.to_act(state):
            seat, order = choose(state, rng)
            orders[seat] = [order]
            if seat in words and rng.random() < 0.2:
                salts = [rng.choice(("abc", 'ünï "x"', "1 2 3"))] * rng.randint(0, 2)
                words[seat] = {"letter": mark(f"{n}"), "salts": salts}
            proxied = [seat] if seat in words and rng.random() < 0.1 else []
        state, part = taken(RULES, state, n, orders, words, on, proxied)
        known[n] = state
        steps.append(part)
    return [head(RULES, at_first, ground(RULES, at_first, bots)), *steps, result(RULES, state)]


def anything(state: Battle, rng: Random) -> tuple[Seat, Order]:
    """An order of any kind, mostly of those that fight."""
    seat = rng.choice(RULES.to_act(state))
    offers = [offer.order for offer in RULES.offers(state, seat)]
    if rng.random() < 0.02:
        return seat, rng.choice(offers)
    lasting = [o for o in offers if o.command not in ("SURRENDER", "EJECT")] or offers
    fighting = [o for o in lasting if o.command in FIGHTING]
    return seat, rng.choice(fighting if fighting and rng.random() < 0.7 else lasting)


def eager(*wanted: str) -> Choose:
    """Pilots who send the first of these orders that they may, and else anything."""

    def choose(state: Battle, rng: Random) -> tuple[Seat, Order]:
        seat = rng.choice(RULES.to_act(state))
        offers = {offer.order.command: offer.order for offer in RULES.offers(state, seat)}
        found = [offers[command] for command in wanted if command in offers]
        return (seat, found[0]) if found else anything(state, rng)

    return choose


def ruled(after: int, *rulings: str) -> Choose:
    """Pilots who order anything until the referee rules, once so many turns have been taken."""

    def choose(state: Battle, rng: Random) -> tuple[Seat, Order]:
        if sum(p.turns for p in state.pilots.values()) < after:
            return anything(state, rng)
        gone = sum(p.fate != "active" for p in state.pilots.values())
        return REFEREE, RULES.parse(state, REFEREE, rulings[gone])

    return choose


def under_fire(state: Battle, rng: Random) -> tuple[Seat, Order]:
    """Pilots who agree to a draw with a shot in flight and a lock held."""
    if state.shots and state.locks:
        return REFEREE, RULES.parse(state, REFEREE, "DRAW")
    return anything(state, rng)


def forfeited_under_fire(state: Battle, rng: Random) -> tuple[Seat, Order]:
    """A pilot forfeits as soon as another opponent than the first of its set-up shoots at it."""
    for shot in state.shots:
        if shot.by != opponents(state, shot.at)[0]:
            return REFEREE, RULES.parse(state, REFEREE, f"FORFEIT {shot.at}")
    return anything(state, rng)


def wild(seed: int) -> Parts:
    """A random battle of random teams, which may be ruled to end."""
    rng = Random(seed)
    odds = rng.choice((0, 0, 0.005, 0.03))

    def choose(state: Battle, rng: Random) -> tuple[Seat, Order]:
        if rng.random() < odds:
            active = [name for name, p in state.pilots.items() if p.fate == "active"]
            text = rng.choice(("DRAW", f"FORFEIT {rng.choice(active)}"))
            return REFEREE, RULES.parse(state, REFEREE, text)
        return anything(state, rng)

    return battle(random_setup(rng), choose, seed)


DUEL = setup([hawk(hp="1.3")], [kestrel(hp="0.1")])
ROLLED = {"teams": DUEL["teams"]}
MELEE = setup(
    [hawk(rank=3), pilot("Harrier", mark=15), pilot("Ünï")],
    [kestrel(weapons=16), pilot("Kite", "alliance", ship="Cymru 215-B", mark=63)],
)

BATTLES: dict[str, Callable[[], Parts]] = {
    "duel": lambda: battle(ROLLED, anything, 5),
    "melee": lambda: battle(MELEE, anything, 3),
    "agreed": lambda: battle(ROLLED, ruled(9, "DRAW")),
    "agreed at once": lambda: battle(ROLLED, ruled(0, "DRAW by both")),
    "draw with shots": lambda: battle(MELEE, under_fire),
    "quiet": lambda: battle(DUEL, eager("SCAN")),
    "forfeit": lambda: battle(DUEL, ruled(2, "FORFEIT Hawk")),
    "forfeit under fire": lambda: battle(MELEE, forfeited_under_fire),
    "forfeits": lambda: battle(MELEE, ruled(5, "FORFEIT Kite", "FORFEIT Hawk", "FORFEIT Kestrel")),
    "yielded": lambda: battle(DUEL, eager("SURRENDER")),
    "escape": lambda: battle(ROLLED, eager("ESCAPE", "OPEN", "SCAN"), 4),
    "restarts": lambda: battle(ROLLED, eager("OPEN", "SCAN"), 4),
    "undone": lambda: battle(ROLLED, anything, 5, [(12, 7), (16, 7), (20, 16), (10**6, 4)]),
    "undone to the start": lambda: battle(DUEL, ruled(4, "DRAW"), 2, [(3, 0), (99, 5), (99, 9)]),
    "house": lambda: battle(DUEL, anything, 7, bots="sound"),
    "ejected": lambda: battle(MELEE, eager("EJECT", "FIRE", "LAUNCH", "TARGET", "SCAN"), 6),
}


# ---- what is accepted --------------------------------------------------------------------------


def test_both_accept_random_battles(by_script: Check) -> None:
    for seed in range(tries(60, 20)):
        text = export.write(wild(seed))
        assert by_engine(text)[0] == 0, seed
        assert by_script(text)[0] == 0, seed


def test_the_battles_show_every_order_fate_and_end() -> None:
    games = [*(make() for make in BATTLES.values()), *map(wild, range(20))]
    steps = [step for parts in games for step in parts[1:-1]]
    orders = {order.split()[0] for step in steps for _, order in step["orders"]}
    assert orders == {*RULES_ORDERS, "DRAW", "FORFEIT", "UNDO"} - {"HOLD"}
    fates = {p["fate"] for parts in games for p in parts[-1]["state"]["pilots"].values()}
    assert fates == {"active", "killed", "ejected", "surrendered", "escaped"}
    assert any(step["step"] and not step["orders"] for step in steps), "no restart"
    pairs = [p for parts in games for p in parts[-1]["state"]["pairs"].values()]
    assert any(p["locks"] for p in pairs)
    assert any(p["shots"] for p in pairs)


def test_both_agree_on_hold(by_script: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """With dice from 21 to 60 ships lose all that they can do before they are lost (SP-28b)."""
    fair_digest = hmac.digest

    def biased(key: bytes, message: bytes, name: str) -> bytes:
        digest = fair_digest(key, message, name)
        words = [int.from_bytes(digest[n : n + 4], "big") for n in range(0, 32, 4)]
        return b"".join((20 + word % 40).to_bytes(4, "big") for word in words)

    monkeypatch.setattr(hmac, "digest", biased)
    games = [battle(DUEL, eager("HOLD", "FIRE", "LAUNCH", "TARGET"), seed) for seed in range(60)]
    assert sum("HOLD" in step["orders"][0] for g in games for step in g[1:-1] if step["orders"]) > 5
    for parts in games:
        text = export.write(parts)
        assert by_engine(text)[0] == by_script(text)[0] == 0


RULES_ORDERS = {
    *("FIRE", "LAUNCH", "DOGFIGHT", "JINK", "CLOSE", "OPEN", "PROTECT", "ECM", "SCAN", "TARGET"),
    *("ESCAPE", "SURRENDER", "EJECT", "HOLD"),
}


# ---- forgeries under new seals -----------------------------------------------------------------


def forged(name: str, forge: Callable[[Parts], object]) -> str:
    """A battle that was forged, and sealed anew."""
    parts = copy.deepcopy(BATTLES[name]())
    forge(parts)
    return export.write(parts)


def order(parts: Parts, n: int, seat: str, text: str, *rolls: str) -> None:
    """Replace a step's order, with honest digest and dice."""
    step = parts[n + 1]
    step.update(orders=[[seat, text]], rolls=[[100, 1, why] for why in rolls])
    honest(parts, step)


def resaid(parts: Parts, n: int, **words: Any) -> None:
    """Replace a step's words, with honest digest and dice."""
    step = parts[n + 1]
    step["words"].update(words)
    honest(parts, step)


def remark(parts: Parts, n: int, proxied: list[str]) -> None:
    """Mark other seats of a step as ordered by PROXY, with honest digest and dice."""
    step = parts[n + 1]
    step["proxied"] = proxied
    honest(parts, step)


def swap_secret(parts: Parts) -> None:
    """Replace the secret and its commitment."""
    parts[0]["secret"] = bytes(32).hex()
    committed(parts)


def other_version(parts: Parts) -> None:
    """Claim that the rules are of a later version, and commit to that."""
    parts[0]["version"] = 2
    committed(parts)


def cut_short(parts: Parts) -> None:
    """End a battle before its end, with the result at that moment."""
    state = RULES.setup(parts[0]["setup"])
    for n, part in enumerate(parts[1:6]):
        orders = {Seat(s): [RULES.parse(state, Seat(s), text)] for s, text in part["orders"]}
        state, _ = taken(RULES, state, n, orders, part["words"], ground_of(parts))
    shown = {**RULES.scenario.state(state), "turn": None, "to_act": [], "over": True}
    parts[6:] = [{"state": shown, "winner": None, "drawn": False}]


def undo_at(at: int, to: int, secret: bytes | None = None) -> Callable[[Parts], None]:
    """A forgery that puts an UNDO in a step's place."""

    def forge(parts: Parts) -> None:
        on, words = ground_of(parts), parts[at + 1]["words"]
        later = renewed(RULES, on, at, secret) if secret else None
        parts[at + 1] = undo(at, to, words, on, later)

    return forge


def unspent(parts: Parts) -> None:
    """Take back the end of a battle, but keep its secret."""
    at = len(parts) - 2
    parts.insert(-1, undo(at, 2, parts[-2]["words"], ground_of(parts), None))


def undone_at_last(parts: Parts) -> None:
    """Take back a battle at its end, and let nothing follow."""
    parts.insert(-1, undo(len(parts) - 2, 1, parts[-2]["words"], ground_of(parts), None))


BEFORE = dict(ground(RULES, DUEL).before)
EMPTY = {
    "step": 0,
    "orders": [],
    "proxied": [],
    "words": BEFORE,
    "digest": "",
    "rolls": [],
}
SCANS = {**EMPTY, "orders": [["Hawk", "SCAN"]], "rolls": [[100, 1, "Hawk SCAN"]]}

FORGERIES: dict[str, tuple[str, Callable[[Parts], object], str]] = {
    "a roll": ("duel", put(8, "rolls", 0, 1, value=101), "step 7"),
    "what a roll is for": ("duel", put(8, "rolls", 0, 2, value="luck"), "step 7"),
    "a roll's sides": ("duel", put(8, "rolls", 0, 0, value=20), "step 7"),
    "a roll more": ("duel", lambda p: p[8]["rolls"].append([100, 5, "luck"]), "step 7"),
    "a roll less": ("duel", lambda p: p[8]["rolls"].pop(), "step 7"),
    "a roll that is not a whole number": ("duel", put(8, "rolls", 0, 0, value=100.5), "step 7"),
    "a digest": ("duel", put(8, "digest", value="00" * 32), "step 7"),
    "an order": ("duel", put(8, "orders", 0, 1, value="SURRENDER"), "step 7"),
    "an order's author": ("duel", put(8, "orders", 0, 0, value="Nobody"), "step 7"),
    "an order, its digest and dice": (
        "quiet",
        lambda p: order(p, 7, "Hawk", "SURRENDER"),
        "step 8",
    ),
    "a salt": ("duel", put(8, "words", "Hawk", "salts", value=["more"]), "step 7"),
    "a letter": ("duel", put(8, "words", "Kestrel", "letter", value=mark("x")), "step 7"),
    "no words of one": ("duel", lambda p: p[8]["words"].pop("Hawk"), "step 7"),
    "words of nobody": (
        "duel",
        lambda p: resaid(p, 7, Nobody={"letter": "", "salts": []}),
        "step 7",
    ),
    "a letter that is none": (
        "duel",
        lambda p: resaid(p, 7, Hawk={"letter": "x", "salts": []}),
        "step 7",
    ),
    "a field more in words": (
        "duel",
        lambda p: resaid(p, 7, Hawk={"letter": "", "salts": [], "x": 1}),
        "step 7",
    ),
    "salts that are a text": (
        "duel",
        lambda p: resaid(p, 7, Hawk={"letter": "", "salts": "abc"}),
        "step 7",
    ),
    "a salt that is none": (
        "duel",
        lambda p: resaid(p, 7, Hawk={"letter": "", "salts": [1]}),
        "step 7",
    ),
    "words that are a list": ("duel", put(8, "words", value=[]), "step 7"),
    "a mark of PROXY": ("duel", lambda p: p[8]["proxied"].append(p[8]["orders"][0][0]), "step 7"),
    "a mark of PROXY of nobody": ("duel", lambda p: remark(p, 7, ["Nobody"]), "step 7"),
    "a mark of PROXY twice": (
        "duel",
        lambda p: remark(p, 7, [p[8]["orders"][0][0]] * 2),
        "step 7",
    ),
    "a mark of PROXY of who rolls": ("duel", lambda p: remark(p, 0, ["Hawk"]), "step 0"),
    "words from before the game": (
        "duel",
        put(0, "words", "Hawk", "letter", value=mark("x")),
        "step 0",
    ),
    "no words from before the game": ("duel", put(0, "words", value={}), "head"),
    "one without words before the game": ("duel", lambda p: p[0]["words"].pop("Hawk"), "head"),
    "a house pilot where there is none": ("duel", put(0, "house", value="sharp"), "head"),
    "another house pilot": ("house", put(0, "house", value="sharp"), "step 0"),
    "an unknown house pilot": ("house", put(0, "house", value="dull"), "head"),
    "terms of another set-up": ("duel", put(0, "terms", "setup", value="0" * 64), "head"),
    "terms of a patrol": ("duel", put(0, "terms", value={"patrol": "Hawk"}), "head"),
    "terms of who was not a patrol": ("duel", put(0, "terms", value={"patrol": "Kestrel"}), "head"),
    "a set-up, committed": ("duel", other_setup("teams", 0, "pilots", 0, "rank", value=4), "step"),
    "a set-up's unused value, committed": (
        "duel",
        other_setup("teams", 0, "pilots", 0, "hp", value="1.2"),
        "step 0",
    ),
    "a set-up": ("duel", put(0, "setup", "teams", 0, "pilots", 0, "hp", value="1.2"), "head"),
    "another version, committed": ("duel", other_version, "(head|step 0)"),
    "orders that are not a list": ("duel", put(8, "orders", value=7), "step 7"),
    "a number": ("duel", put(8, "step", value=8), "step 7"),
    "a number as text": ("duel", put(8, "step", value="7"), "step 7"),
    "no number": ("duel", lambda p: p[8].pop("step"), "step 7"),
    "a field less": ("duel", lambda p: p[8].pop("words"), "step 7"),
    "a field more in the head": ("duel", lambda p: p[0].update(note="x"), "head"),
    "a step dropped": ("duel", lambda p: p.pop(8), "step 7"),
    "two steps changed about": ("duel", lambda p: p.insert(8, p.pop(9)), "step 7"),
    "a step twice": ("duel", lambda p: p.insert(8, p[8]), "step 8"),
    "a turn dropped": ("quiet", reorder(6, None), "step 6"),
    "a turn out of turn": ("quiet", reorder(2, SCANS), "step 2"),
    "an empty step": ("quiet", reorder(6, EMPTY), "step 6"),
    "no initiative": ("duel", reorder(0, None), "step 0"),
    "a turn after the end": ("quiet", lambda p: reorder(len(p) - 2, SCANS)(p), r"step \d+"),
    "an empty step after the end": (
        "quiet",
        lambda p: reorder(len(p) - 2, EMPTY)(p),
        r"step \d+",
    ),
    "an end before the end": ("quiet", cut_short, "result"),
    "an undo to a later step": ("duel", undo_at(8, 9), "step 8"),
    "an undo to itself": ("duel", undo_at(8, 8), "step 8"),
    "an undo to a step that was undone": ("undone", undo_at(14, 9), "step 14"),
    "an undo and nothing after it": ("forfeit", undone_at_last, "step 4"),
    "an undo with a new secret before the end": ("duel", undo_at(8, 4, bytes(32)), "step 8"),
    "an undo of the end under the old secret": ("duel", unspent, r"step \d+"),
    "a secret that was not committed to": ("undone", other_secret, r"step \d+"),
    "an undo with a roll": ("undone", lambda p: p[13]["rolls"].append([100, 1, "x"]), "step 12"),
    "an undo by a pilot": ("undone", put(13, "orders", 0, 0, value="Hawk"), "step 12"),
    "an undo in other words": ("undone", put(13, "orders", 0, 1, value="UNDO TO 07"), "step 12"),
    "two orders in an undo": ("undone", lambda p: p[13]["orders"].append(["x", "y"]), "step 12"),
    "a step of an undone part": ("undone", lambda p: p.pop(11), "step 10"),
    "a roll that was undone": ("undone", put(12, "digest", value="00" * 32), "step 11"),
    "no result": ("duel", lambda p: p.pop(), "result"),
    "two results": ("duel", lambda p: p.append(p[-1]), r"step \d+"),
    "another secret": ("duel", put(0, "secret", value="00" * 32), "head"),
    "another commitment": ("duel", put(0, "commitment", value="00" * 32), "head"),
    "another secret, committed": ("duel", swap_secret, "step 0"),
    "a secret in capitals": ("duel", put(0, "secret", value=SECRET.hex().upper()), "head"),
    "another game": ("duel", put(0, "id", value="G13"), "head"),
    "another format": ("duel", put(0, "format", value="pbem-game-3"), "head"),
    "another system": ("duel", put(0, "system", value="chess"), "head"),
    "another version": ("duel", put(0, "version", value=2), "head"),
    "another pilot": ("duel", put(0, "setup", "teams", 0, "pilots", 0, "name", value="X"), "head"),
    "a ship that is none": (
        "duel",
        put(0, "setup", "teams", 0, "pilots", 0, "ship", value="Titan 1"),
        "head",
    ),
    "no set-up": ("duel", put(0, "setup", value=None), "head"),
    "the winner": ("forfeit", put(-1, "winner", value="red"), "result"),
    "no winner": ("forfeit", put(-1, "winner", value=None), "result"),
    "a draw": ("forfeit", put(-1, "drawn", value=True), "result"),
    "a draw as a number": ("forfeit", put(-1, "drawn", value=0), "result"),
    "no draw": ("quiet", put(-1, "drawn", value=False), "result"),
    "hero points": ("duel", put(-1, "state", "pilots", "Hawk", "hp", value="5"), "result"),
    "a stat": ("duel", put(-1, "state", "pilots", "Hawk", "stats", "beams", value=9), "result"),
    "a fate": ("forfeit", put(-1, "state", "pilots", "Hawk", "fate", value="killed"), "result"),
    "a range": ("agreed", put(-1, "state", "pairs", "Hawk|Kestrel", "range", value="!"), "result"),
    "a lock": ("agreed", put(-1, "state", "pairs", "Hawk|Kestrel", "locks", value=["K"]), "result"),
}
"""What is changed in which battle, and the place that both checks have to name.

What the scripts of all systems have in common is forged here alone.
"""


ILLEGAL = {
    "no lock": ("Hawk", "FIRE", "Hawk FIRE"),
    "no lock, named": ("Hawk", "FIRE Kestrel", "Hawk FIRE"),
    "disabled": ("Hawk", "LAUNCH", "Hawk LAUNCH"),
    "not at extreme": ("Hawk", "ESCAPE"),
    "nothing to escape": ("Hawk", "EJECT", "Hawk EJECT"),
    "can act": ("Hawk", "HOLD"),
    "not your turn": ("Kestrel", "SCAN", "Kestrel SCAN"),
    "unknown pilot": ("Nobody", "SCAN", "Nobody SCAN"),
    "bad target": ("Hawk", "TARGET Hawk", "Hawk TARGET"),
    "unknown command": ("Hawk", "WAIT", "Hawk WAIT"),
    "small letters": ("Hawk", "close", "Hawk CLOSE"),
    "a name too many": ("Hawk", "CLOSE Kestrel", "Hawk CLOSE"),
    "a space too many": ("Hawk", "CLOSE ", "Hawk CLOSE"),
    "another space too many": ("Hawk", "DOGFIGHT ", "Hawk DOGFIGHT"),
    "no order": ("Hawk", ""),
    "a ruling by a pilot": ("Hawk", "DRAW"),
    "a forfeit by a pilot": ("Hawk", "FORFEIT Kestrel"),
    "an order by the referee": (REFEREE, "SCAN", "Hawk SCAN"),
    "a forfeit of nobody": (REFEREE, "FORFEIT Nobody"),
    "a forfeit without a name": (REFEREE, "FORFEIT"),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_order_that_the_rules_forbid_is_refused(name: str, by_script: Check) -> None:
    """It has an honest digest and honest dice, where Hawk is to act, and far from Kestrel."""
    state, n, parts = RULES.setup(DUEL), 0, battle(DUEL, eager("SCAN"))
    while not (state.turn == "red" and state.pilots["Hawk"].found):
        (step,) = parts[n + 1 : n + 2]
        orders = {Seat(s): [RULES.parse(state, Seat(s), text)] for s, text in step["orders"]}
        state, n = taken(RULES, state, n, orders, step["words"], ground_of(parts))[0], n + 1
    order(parts, n, *ILLEGAL[name])
    refused(by_script, export.write(parts), f"step {n}")


ELSEWHERE: dict[str, Callable[[Parts], object]] = {
    "a field more": lambda p: p[3].update(note="x"),
    "an aptitude of 19": other_setup("teams", 0, "pilots", 0, "weapons", value=19),
}
"""What is refused by both, whichever place they name."""


@pytest.mark.parametrize("name", ELSEWHERE)
def test_both_also_refuse(name: str, by_script: Check) -> None:
    text = forged("yielded", ELSEWHERE[name])
    assert by_engine(text)[0] == by_script(text)[0] == 1


# ---- garbage -----------------------------------------------------------------------------------


def wrap(*lines: str) -> str:
    """Lines between the brackets of an export."""
    return "[\n" + ",\n".join(lines) + "\n]\n"


GARBAGE = {  # besides what every script refuses
    "one part": wrap("{}"),
    "sealed empty parts": export.write([{}, {}, {}]),
    "numbers": wrap("1", "2", "3"),
    "deep lists": wrap("[" * 100_000, "{}", "{}"),
    "deep objects": wrap('{"a":' * 100_000, "{}", "{}"),
    "a long number": wrap("9" * 10_000, "{}", "{}"),
    "no number": wrap('{"a":NaN}', "{}", "{}"),
    "infinity": export.write([{"step": float("inf")}, {}, {}]),
    "half a pair": export.write([{"id": "\ud800", "step": "\ud800"}, {}, {}]),
    "half a pair as a game": export.write([head(RULES, DUEL) | {"id": "\ud800"}, {}, {}]),
    "half a pair as a name": export.write(
        [
            head(RULES, setup([pilot("\ud800")], [kestrel()])),
            {**EMPTY, "orders": [["\ud800", "X"]]},
            {},
        ]
    ),
    "no text": "\x00\x01\ufffd",
    "an empty head": export.write([{}, EMPTY, {}]),
    "words": "He turned and fired.\n" * 9,
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_refused_in_a_line(name: str, by_script: Check) -> None:
    for check in (by_engine, by_script):
        status, last = check(GARBAGE[name])
        assert status == 1
        assert last.encode("utf-8")


def test_random_garbage_is_refused(by_script: Check) -> None:
    rng = Random(9)
    for _ in range(300):
        text = rng.randbytes(rng.randrange(200)).decode("utf-8", "replace")
        assert by_engine(text)[0] == by_script(text)[0] == 1


# ---- the script as a file ----------------------------------------------------------------------


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A battle's export, as a file."""
    return _file(tmp_path, export.write(BATTLES["melee"]()).encode())


def _file(folder: Path, content: bytes) -> Path:
    file = folder / "G12.json"
    file.write_bytes(content)
    return file


def test_the_script_says_line_by_line_what_agrees(good: Path) -> None:
    done = run("-I", str(SCRIPT), str(good))
    text = done.stdout.splitlines()
    assert done.returncode == 0
    assert not done.stderr
    assert text[:2] == ["agrees: line 2 (head) ", "agrees: line 3 (step 0) "]
    assert text[-2] == f"agrees: line {len(text)} (result) - so all of it agrees"
    assert text[-1].startswith("Now compare the commitment")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe[\n", b"[\n" * 9, b"\x00" * 99])
def test_the_script_refuses_a_file_in_a_line(tmp_path: Path, content: bytes) -> None:
    done = run("-I", str(SCRIPT), str(_file(tmp_path, content)))
    assert done.returncode == 1
    assert not done.stderr
    assert done.stdout.startswith("WRONG: ")
    assert done.stdout.count("\n") == 1


def test_the_script_names_a_changed_line(good: Path) -> None:
    lines = good.read_text().split("\n")
    lines[9] = lines[9].replace('"step":7', '"step":1')
    good.write_text("\n".join(lines))
    done = run("-I", str(SCRIPT), str(good))
    assert done.returncode == 1
    assert not done.stderr
    assert done.stdout.splitlines()[-1].startswith("WRONG: line 10 (step 7): ")


@pytest.mark.parametrize("arguments", [[], ["no-such-file"], ["a", "b"], ["/"], ["--all"]])
def test_the_script_explains_its_use(arguments: list[str]) -> None:
    done = run("-I", str(SCRIPT), *arguments)
    assert done.returncode == 2
    assert "usage: " in done.stderr
    assert not done.stdout


def test_the_script_checks_as_much_without_assertions(good: Path) -> None:
    assert run("-O", str(SCRIPT), str(good)).returncode == 0
    good.write_text(good.read_text().replace('"step":7', '"step":1'))
    assert run("-O", str(SCRIPT), str(good)).returncode == 1


@pytest.mark.long
def test_both_check_a_battle_of_two_thousand_lines(by_script: Check) -> None:
    lasting = eager("SCAN", "PROTECT", "HOLD")
    teams = [[pilot(f"{t}{n}", side) for n in range(12)] for t, side in enumerate(TWO_SIDES)]
    text = export.write(battle(setup(*teams), lasting))
    assert text.count("\n") > 2000
    for check in (by_engine, by_script):
        assert check(text)[0] == 0


TWO_SIDES = ("cartel", "alliance")


def test_the_command_checks_an_export_and_prints_the_script(
    good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(good)]) == 0
    assert capsys.readouterr().out.endswith("All of it agrees.\n")
    good.write_bytes(good.read_bytes().replace(b'"step":7', b'"step":\xff'))
    assert main(["verify", str(good)]) == 1
    assert "WRONG  line 10 (step 7): " in capsys.readouterr().out
    assert main(["verify", "--print-script"]) == 0
    assert capsys.readouterr().out == script("starpilot") == SCRIPT.read_text("utf-8")


class TestTheScript(ScriptContract):
    system = "starpilot"
    battles = BATTLES
    forgeries = FORGERIES
    small = "forfeit"
    changed = ("duel", "forfeit", "draw with shots", "undone to the start")
    other = ("SCAN", "HOLD")
