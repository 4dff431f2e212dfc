"""Orders that a mail program wrapped are read as they were typed, or not at all."""

import textwrap

import pytest

from engine.blackskies.rules import BLACKSKIES
from engine.cortex.rules import CORTEX
from engine.orders.orders_on_file import Sheet, Written, lines
from engine.orders.reading import read_for
from engine.ruleset import AnyRuleset
from engine.starpilot.rules import STARPILOT

WIDTHS = range(66, 80)
RULE = "IF NOT UNDETECTED AND STRUCTURE <= 1 AND ENEMY SHIELDS <= 2 AND NEUTRAL: SURRENDER"


def read(text: str, language: str = "en") -> Written:
    return read_for(STARPILOT, None, None, text, language)


def wrapped(line: str, width: int) -> str:
    """Wrap as mail programs do: at the last space that fits."""
    rows = [""]
    for word in line.split():
        if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
            rows.append("")
        rows[-1] = f"{rows[-1]} {word}".strip()
    return "\n".join(rows)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "rule",
    [
        RULE,
        "IF ADVANTAGE AND NOT UNDETECTED AND ENEMY SHIELDS <= 0 AND LOCKED: FIRE AT Kestrel",
        "IF DISADVANTAGE AND NOT UNDETECTED AND ENEMY BEAMS <= 3 AND NEAR THEN DOGFIGHT",
    ],
)
def test_a_rule_wrapped_at_any_width_is_read_whole(rule: str, width: int) -> None:
    written = read(f"SCAN\nSTANDING\n{wrapped(rule, width)}\nELSE: TARGET\nEND")
    assert written.near == ()
    assert written.queue == ("SCAN",)
    assert written.standing is not None
    assert lines(written.standing) == [*lines(_standing(rule)), "ELSE: TARGET"]


def _standing(rule: str) -> Sheet:
    found = read(rule).standing
    assert found is not None
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_a_german_rule_wrapped_at_any_width_is_read_whole(width: int) -> None:
    rule = "WENN NICHT NICHTS GEFUNDEN UND STRUKTUR <= 1 UND FEIND SCHILDE <= 2: ERGEBEN"
    written = read(f"{wrapped(rule, width)}\nSONST: ZIEL", "de")
    assert (written.near, written.queue) == ((), ())
    assert written.standing is not None
    assert len(written.standing.rules) == 1


@pytest.mark.parametrize("order", ["SURRENDER", "FIRE", "EJECT", "HOLD"])
@pytest.mark.parametrize(
    "head",
    [
        "IF NEAR AND HUNGRY:",
        "IF NEAR AND",
        "IF NEAR AND LOCKED THEN",
        "IF NEAR ->",
        "ELSE",
        "ELSE:",
        "IF STRUCTURE <=",
        "IF NEAR AND THE WIND BLOWS",
    ],
)
def test_an_order_below_an_unfinished_rule_is_no_order_by_itself(head: str, order: str) -> None:
    written = read(f"TARGET\n{head}\n{order}")
    assert written.queue == ("TARGET",)


@pytest.mark.parametrize("head", ["IF NEAR AND HUNGRY:", "IF NEAR AND THE WIND BLOWS"])
def test_a_rule_that_cannot_be_read_is_reported_with_the_order_below(head: str) -> None:
    written = read(f"{head}\nSURRENDER")
    assert [near.text for near in written.near] == [f"{head} SURRENDER"]
    assert written.words == ()


def test_a_rule_above_another_rule_does_not_swallow_it() -> None:
    written = read("STANDING\nIF NEAR AND\nIF LOCKED: FIRE\nELSE: TARGET")
    assert written.standing is not None
    assert lines(written.standing) == ["IF LOCKED: FIRE", "ELSE: TARGET"]
    assert [near.text for near in written.near] == ["IF NEAR AND"]


@pytest.mark.parametrize(
    "sentence",
    [
        "If you want war, you shall have it.",
        "If only there were more time, thought Hawk, and looked at the instruments again",
        "When the sun rose we were still there",
    ],
)
def test_a_sentence_above_an_order_is_story(sentence: str) -> None:
    written = read(f"{sentence}\nFIRE")
    assert written.queue == ("FIRE",)
    assert written.words == (sentence,)


def test_a_card_wrapped_behind_its_targets_is_read_whole() -> None:
    card = "Red: BREAK LEFT; TARGETS Vultures Blue 1, Vultures Blue 2, Vultures Gold 1, Gold 2"
    whole = read_for(BLACKSKIES, None, None, card)
    assert whole.queue
    for width in WIDTHS:
        assert read_for(BLACKSKIES, None, None, wrapped(card, width)).queue == whole.queue


CITADEL = "Citadel: COMMANDER ASSIST guns, PLOT, FIRE 6 Railgun AT Fort, LOCK Javelin ON Raider,"


def test_what_goes_on_behind_a_comma_is_one_order() -> None:
    assert read_for(CORTEX, None, None, f"{CITADEL}\nWITHDRAW").queue == (f"{CITADEL} WITHDRAW",)


def test_a_comma_above_a_named_order_parts_two_orders() -> None:
    found = read_for(CORTEX, None, None, f"{CITADEL}\nLance: HOLD")
    assert found.queue == (CITADEL[:-1], "Lance: HOLD")


TYPED = [
    (
        STARPILOT,
        "en",
        "If not undetected and structure <= 1 and enemy shields <= 2 and neutral: surrender",
    ),
    (
        STARPILOT,
        "de",
        "wenn nicht nichts gefunden und Struktur <= 1 und Feind Schilde <= 2 und neutral: ergeben",
    ),
    (
        BLACKSKIES,
        "en",
        "if crippled and alone and range <= 12 and not enemy in arc: Red: surrender",
    ),
    (
        BLACKSKIES,
        "de",
        "wenn angeschlagen und allein und Entfernung <= 12 und Tempo >= 6: Red: ergeben",
    ),
    (
        CORTEX,
        "en",
        "if locked on and not advantage and lp <= 10: Lance: close on Raider, fire Talon at Raider",
    ),
    (
        CORTEX,
        "de",
        "wenn erfasst und nicht Vorteil und LP <= 10: Lance: nähern an Raider, verteidigen",
    ),
]
"""Rules as they are typed on a telephone."""


@pytest.mark.parametrize(("ruleset", "language", "rule"), TYPED)
def test_a_rule_in_small_letters_is_whole_and_never_an_order(
    ruleset: AnyRuleset, language: str, rule: str
) -> None:
    whole = read_for(ruleset, None, None, rule, language).standing
    for width in range(24, 80):
        found = read_for(ruleset, None, None, textwrap.fill(rule, width), language)
        assert found.queue == (), width
        # Narrower lines no mail program makes: there it may be told as words.
        assert found.standing == whole or width < 64, width
