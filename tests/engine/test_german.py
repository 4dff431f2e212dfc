"""German orders: read as well as English ones for German players, and shown as they are read."""

import time

import pytest

from engine.names import fold
from engine.order_translations import GRAMMARS, turned
from engine.orders.orders_on_file import Written, lines
from engine.orders.reading import read_for
from engine.ruleset import Near
from engine.starpilot.german import GERMAN
from engine.starpilot.if_conditions import _PLAIN
from engine.starpilot.rules import STARPILOT
from engine.starpilot.tables import APTITUDES, COMMANDS, SIDES, STATS
from tests.support.processor_time import quiet

GRAMMAR = GRAMMARS["de"]
CONDITIONS = [*_PLAIN, "STRUCTURE <= 1", "ENEMY SHIELDS <= 0", "TURN >= 10", "NOT NEAR"]


def read(text: str, language: str = "de") -> Written:
    return read_for(STARPILOT, None, None, text, language)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_read_as_it_is_shown(command: str) -> None:
    for order in (command, f"{command} Kestrel") if command in ("FIRE", "TARGET") else (command,):
        shown = GRAMMAR.shown(order, GERMAN)
        assert shown != order
        assert read(shown).queue == (order,)
        assert read(order).queue == (order,)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_every_condition_is_read_as_it_is_shown(condition: str) -> None:
    rule = f"IF {condition} AND FAR: FIRE"
    shown = GRAMMAR.shown(rule, GERMAN)
    assert shown.startswith("WENN ")
    written = read(shown).standing
    assert written is not None
    assert lines(written) == [rule]


def test_no_german_word_means_two_things() -> None:
    for words in (GERMAN.commands, GERMAN.things, GRAMMAR.words):
        written = [fold(word) for all_ in words.values() for word in all_]
        assert len(written) == len(set(written))
        assert len(turned(words)) >= len(written)


def test_every_command_condition_stat_and_side_has_its_german_word() -> None:
    assert set(GERMAN.commands) == set(COMMANDS)
    named = {*_PLAIN, *(word.upper() for word in (*STATS, *APTITUDES, *SIDES))}
    assert named <= set(GERMAN.things)


def test_a_whole_letter_in_german() -> None:
    written = read(
        """Ziele auf Kestrel
        DAUERBEFEHLE
          WENN BESCHOSSEN: AUSWEICHEN
          FALLS RAKETE KOMMT DANN STOEREN
          WENN STRUKTUR <= 1 UND NICHT NAH: Aussteigen
          IF LOCKED: FEUER
          SONST: ZIEL
        ENDE
        SALZ meine Worte
        Der Himmel war schwarz.
        """
    )
    assert written.queue == ("TARGET Kestrel",)
    assert written.standing is not None
    assert lines(written.standing) == [
        "IF FIRED ON: JINK",
        "IF LAUNCHED AT: ECM",
        "IF STRUCTURE <= 1 AND NOT NEAR: EJECT",
        "IF LOCKED: FIRE",
        "ELSE: TARGET",
    ]
    assert written.salts == ("meine Worte",)
    assert [line.strip() for line in written.words] == ["Der Himmel war schwarz."]


def test_a_salt_of_one_word_needs_no_capitals() -> None:
    for line in ("salz Hai-77", "Salz: Hai-77", "salt Hai-77"):
        written = read(line)
        assert (written.salts, written.words) == (("Hai-77",), ())
    assert read("Salz auf meiner Haut.").words == ("Salz auf meiner Haut.",)


@pytest.mark.parametrize("begin", ["WENN", "WENN x", "SONST", "SALZ", "DAUERBEFEHLE"])
@pytest.mark.parametrize("unit", [" ", "-", "—", " UND", " DANN", ":", "& "])
def test_hostile_1_a_long_german_line_is_read_in_linear_time(begin: str, unit: str) -> None:
    """A letter of 40 KB with one rule of spaces took 50 s: the issue's bound is 2 s a letter."""
    began = time.process_time()
    read(begin + unit * 200_000 + "y")
    read((begin + unit * (390 // len(unit)) + "y\n") * 20)
    assert quiet(time.process_time() - began) < 2


def test_standing_orders_are_ended_in_german() -> None:
    written = read("DAUERBEFEHLE KEINE").standing
    assert written is not None
    assert lines(written) == []


@pytest.mark.parametrize(
    ("line", "hint"), [("FEURE AUF Kestrel", "FIRE Kestrel"), ("AUSWEICHN", "JINK")]
)
def test_what_is_nearly_german_is_asked_about(line: str, hint: str) -> None:
    assert read(line).near == (Near(line, hint),)


def test_a_mistyped_condition_gets_a_german_hint() -> None:
    [near] = read("DAUERBEFEHLE\nWENN BESCHOSEN: FEUER").near
    hint = "'BESCHOSEN' is not a condition; perhaps BESCHOSSEN"
    assert near == Near("WENN BESCHOSEN: FEUER", hint, why=True)


@pytest.mark.parametrize(
    "line",
    ["Ziel verloren", "Feuer frei, rief er.", "Feuer und Rauch überall", "Suche nach dem Feind"],
)
def test_german_stories_stay_stories(line: str) -> None:
    assert read(line).words == (line,)


@pytest.mark.parametrize("line", ["FEUER", "ZIEL Kestrel", "WENN BESCHOSSEN: JINK", "SALZ Meer"])
def test_german_is_read_for_germans_only(line: str) -> None:
    written = read(line, "en")
    assert written.words == (line,)
    assert written.empty
    assert not written.near


@pytest.mark.parametrize("line", ["FEUER AUF Otto 1", "ERFASSEN Otto 1"])
def test_a_name_may_have_a_number(line: str) -> None:
    assert [order.split(" ", 1)[1] for order in read(line).queue] == ["Otto 1"]
    assert read("FEUER 1").queue == ()
