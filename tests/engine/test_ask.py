"""IF …: ASK, by which standing orders stop a battle and ask their player, in all systems."""

from itertools import islice
from typing import Any

import pytest

from engine.order_translations import ASK, GRAMMARS
from engine.orders.orders_on_file import asking, choices, lines, still_meant
from engine.orders.reading import read_for
from engine.seats import Seat
from tests.laws.systems import SYSTEMS, playout

OURS = ("blackskies", "cortex", "starfarer", "starpilot")
# What holds at the beginning of a battle, and its opposite.
HOLDS = dict.fromkeys(OURS, ("TURN >= 1", "NOT TURN >= 1")) | {"starfarer": ("NOT HURT", "HURT")}


def acting(key: str) -> tuple[Any, Seat]:
    """Return a state of a random game, and a seat that is to act in it."""
    rules = SYSTEMS[key]
    for step in islice(playout(key, 3), 200):
        if rules.to_act(step.before):
            return step.before, rules.to_act(step.before)[0]
    raise AssertionError("nobody is ever to act")


def written(key: str, language: str, text: str) -> Any:
    state, seat = acting(key)
    return read_for(SYSTEMS[key], state, seat, text, language, 1)


def form(key: str, language: str) -> str:
    """Return standing orders that ask at once."""
    lines = f"STANDING\nIF {HOLDS[key][0]}: ASK\nEND"
    if language == "de":
        german = SYSTEMS[key].translations["de"]
        asks = GRAMMARS["de"].conditions(HOLDS[key][0], german)
        lines = f"DAUERBEFEHLE\nWENN {asks}: frage\nENDE"
    return lines


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("key", OURS)
def test_a_rule_may_ask_in_each_system_and_language(key: str, language: str) -> None:
    found = written(key, language, form(key, language))
    assert not found.near, found.near
    assert found.standing is not None
    [rule] = found.standing.rules
    assert rule.order == ASK
    state, seat = acting(key)
    rules = SYSTEMS[key]
    assert asking(rules, state, seat, found.standing) == rule
    assert choices(rules, state, seat, found.standing) == []
    # Rules of pieces that are out are forgotten, and one that asks is for no piece by name.
    assert still_meant(rules, state, seat, found.standing).rules == (rule,)


@pytest.mark.parametrize("key", OURS)
def test_what_stands_above_comes_first_and_what_stands_below_does_not(key: str) -> None:
    rules = SYSTEMS[key]
    state, seat = acting(key)
    piece = rules.owing(state, seat)[0]
    offered = next(o.order for o in rules.offers(state, seat) if rules.piece(o.order) == piece)
    order = f"IF {HOLDS[key][0]}: {rules.format(offered)}"
    asks, not_now = (f"IF {condition}: ASK" for condition in HOLDS[key])
    above = written(key, "en", f"STANDING\n{order}\n{asks}\nEND").standing
    below = written(key, "en", f"STANDING\n{asks}\n{order}\nEND").standing
    never = written(key, "en", f"STANDING\n{not_now}\n{order}\nEND").standing
    assert [one.order for one in choices(rules, state, seat, above)] == [offered]
    assert choices(rules, state, seat, below) == []
    assert [one.order for one in choices(rules, state, seat, never)] == [offered]


def test_a_german_letter_shows_the_german_word() -> None:
    found, german = (
        written("starpilot", "de", form("starpilot", "de")),
        SYSTEMS["starpilot"].translations["de"],
    )
    shown = [GRAMMARS["de"].shown(line, german) for line in lines(found.standing)]
    assert shown == ["WENN ZUG >= 1: FRAGEN"]
