"""The line grammar that all systems share."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.names import closest, fold, match_name, unquote
from engine.orders.line_shapes import LONGEST, clean, is_unfilled
from tests.support.processor_time import quiet


@pytest.mark.parametrize(
    "line",
    [
        "FIRE AT Kestrel",
        "  FIRE   AT\tKestrel  ",
        "FIRE AT Kestrel.",
        "FIRE AT Kestrel!!!",
        "- FIRE AT Kestrel",
        "-FIRE AT Kestrel",
        "* FIRE AT Kestrel",
        "• FIRE AT Kestrel",
        "— FIRE AT Kestrel",
        "o FIRE AT Kestrel",
        "1. FIRE AT Kestrel",
        "1.FIRE AT Kestrel",
        "12) FIRE AT Kestrel",
        "(3) FIRE AT Kestrel",
        "[x] FIRE AT Kestrel",
        "- 1. FIRE AT Kestrel;",
        "*FIRE AT Kestrel*",
        "**FIRE AT Kestrel**",
        "please FIRE AT Kestrel",
        "Please, FIRE AT Kestrel",
        "FIRE AT Kestrel, please!",
        "FIRE AT Kestrel, thank you.",
        "FIRE\N{NO-BREAK SPACE}AT\N{NARROW NO-BREAK SPACE}Kestrel",
        "FI\N{ZERO WIDTH SPACE}RE AT \N{ZERO WIDTH NO-BREAK SPACE}Kestrel",
        "FI\N{SOFT HYPHEN}RE AT Kestrel",
        "ＦＩＲＥ　ＡＴ　Ｋｅｓｔｒｅｌ",
        "Order 1: FIRE AT Kestrel",
        "order 12 : FIRE AT Kestrel",
        "Order: FIRE AT Kestrel",
        "Order 1: __FIRE AT Kestrel_____",
        "Order 1: ______ FIRE AT Kestrel",
    ],
)
def test_what_does_not_matter_is_taken_away(line: str) -> None:
    assert clean(line) == "FIRE AT Kestrel"


@pytest.mark.parametrize(
    ("line", "cleaned"),
    [
        ("FIRE AT “Red Baron”", 'FIRE AT "Red Baron"'),
        ("FIRE AT O’Brien", "FIRE AT O'Brien"),
        ("STRUCTURE ≤ 1", "STRUCTURE <= 1"),
        ("IF LOCKED → FIRE", "IF LOCKED -> FIRE"),
        ("He said - FIRE", "He said - FIRE"),
        ("T-800 o FIRE", "T-800 o FIRE"),
        ("---", "---"),
        ("\N{EM DASH}-", "---"),
        ("x" * (LONGEST + 1), ""),
    ],
)
def test_what_matters_stays(line: str, cleaned: str) -> None:
    assert clean(line) == cleaned


@given(st.text())
def test_what_is_left_is_one_line_of_visible_words(line: str) -> None:
    left = clean(line)
    assert left == " ".join(left.split())
    assert left.isprintable() or not line.isprintable()


@pytest.mark.parametrize(
    "line",
    [
        "Order 1: ______",
        "Order 2:__",
        "Order 3:",
        "IF ____: ____",
        "ELSE: ______",
        "SALT ____",
        "________",
    ],
)
def test_a_form_that_nobody_filled_in(line: str) -> None:
    assert is_unfilled(line)


@pytest.mark.parametrize("line", ["", "Order", "Order 1: FIRE", "IF ___: FIRE", "ELSE", "a __ b"])
def test_what_is_no_unfilled_form(line: str) -> None:
    assert not is_unfilled(line)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Hawk", "HAWK"), ("Zoë", "zoe"), ("Red Hawk", "redhawk"), ("Straße", "STRASSE")],
)
def test_names_fold_without_case_accents_and_spacing(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_names_that_differ_stay_apart() -> None:
    assert len({fold(name) for name in ("Hawk", "Hawke", "Hawk 2", "Hawk-2", "Хавк")}) == 5


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Kestral", "Kestrel"),
        ("kstrl", "Kestrel"),
        ("Hwak", "Hawk"),
        ("Hakw", "Hawk"),
        ("Hewks", None),
        ("Kastrils", None),
        ("Haw", None),
        ("Howl", None),
        ("Merlin", None),
        ("Kestrel" * 9, None),
    ],
)
def test_closest_is_one_slip_or_two(written: str, meant: str | None) -> None:
    assert closest(written, ["Hawk", "Kestrel"]) == meant
    assert closest("srrendr", ["SURRENDER"]) == "SURRENDER"
    assert closest("srrndr", ["SURRENDER"]) is None
    assert closest("targ", ["TARGET"]) is None  # a word of four letters may have one slip


def test_one_letter_before_a_word_is_a_slip_and_two_are_none() -> None:
    assert closest("unlocked", ["LOCKED", "UNLOCKER"]) == "UNLOCKER"
    assert closest("xlocked", ["LOCKED"]) == "LOCKED"


@pytest.mark.parametrize("known", [["Kesta", "Kestl", "Kests"], ["Kests", "Kestl", "Kesta"]])
def test_of_names_as_near_the_first_by_the_alphabet_is_meant(known: list[str]) -> None:
    assert closest("Kestx", known) == "Kesta"
    assert closest("Kestx", [*known, "Kestxa"]) == "Kestxa"  # nothing of what was written is lost


def test_a_name_is_known_in_quotes_and_with_quotes_of_its_own() -> None:
    assert match_name('"hawk"', ["Kestrel", "Hawk"]) == "Hawk"
    assert match_name("'Hawk'", ["Hawks", "'Hawk'"]) == "'Hawk'"
    assert match_name("Haw", ["Hawk"]) is None
    assert unquote("'Hawk") == "'Hawk"


@pytest.mark.parametrize(
    "piece", [",", " ", "- ", "1. ", "_", "please ", "\N{ZERO WIDTH SPACE}", "\ufdfa"]
)
def test_long_lines_take_no_time(piece: str) -> None:
    began = time.process_time()
    for size in (LONGEST // len(piece), 1_000_000):
        clean(f"x{piece * size}x")
        clean(piece * size)
    assert quiet(time.process_time() - began) < 1
