"""German orders of Black Skies: read as well as English ones, and shown as they are read."""

from random import Random

import pytest

from engine.blackskies.german import GERMAN
from engine.blackskies.grammar import _FILLING, _WORDS
from engine.blackskies.if_conditions import _PLAIN
from engine.blackskies.legal import REASONS
from engine.blackskies.model import Battle, seats
from engine.blackskies.persona_record import read_squadron
from engine.blackskies.rules import BLACKSKIES
from engine.blackskies.written_orders import format_order
from engine.codec import change
from engine.names import fold
from engine.order_translations import GRAMMARS
from engine.orders.orders_on_file import Written, lines
from engine.orders.reading import read_for
from engine.seats import Seat
from tests.engine.blackskies.fights import element, fight
from tests.laws.skies import random_skies

GRAMMAR = GRAMMARS["de"]
NUMBERS = ("SPEED", "ENEMY SPEED", "RANGE", "HULL", "TURN")
RED = Seat("red")
TWO = fight([element("Rot", (0, 0)), element("Links", (0, 9))], [element("Blau", (9, 9))]).battle
ONE = fight([element("Rot", (0, 0))], [element("Blau", (9, 9), (9, 8))]).battle


def read(text: str, battle: Battle | None = TWO, language: str = "de") -> Written:
    return read_for(BLACKSKIES, battle, RED if battle else None, text, language)


def test_every_order_is_read_as_it_is_shown() -> None:
    """With odd names, targets and HOLD FIRE, each order comes back from either language."""
    for seed in range(30):
        rng = Random(seed)
        battle = BLACKSKIES.setup({**random_skies(rng), "first": "red"})
        names = [*battle.elements, *battle.fighters]
        for seat in seats(battle):
            for offer in BLACKSKIES.offers(battle, seat):
                side = battle.elements[offer.order.element].side
                foes = [n for n in names if _side(battle, n) != side]
                order = offer.order
                if order.command == "fly":
                    aimed = tuple(rng.sample(foes, rng.randint(0, len(foes))))
                    order = change(order, targets=aimed, hold_fire=rng.random() < 0.5)
                text = format_order(order)
                shown = GRAMMAR.shown(text, GERMAN)
                assert shown != text
                for written in (shown, text, f" - {shown}"):
                    assert read_for(BLACKSKIES, battle, seat, written, "de").queue == (text,)


def _side(battle: Battle, name: str) -> int:
    holder = next(e for e in battle.elements.values() if name == e.name or name in e.fighters)
    return holder.side


def test_every_word_of_an_order_has_its_german_word() -> None:
    assert set(GERMAN.commands) == {*_WORDS, *_FILLING} - {"STRAIGHT", "FIRST"}


@pytest.mark.parametrize("condition", [*_PLAIN, *(f"{n} <= 3" for n in NUMBERS), "NOT ALONE"])
def test_every_condition_is_read_as_it_is_shown(condition: str) -> None:
    rule = f"IF {condition} AND SPEED >= 4: Rot: BREAK LEFT"
    shown = GRAMMAR.shown(rule, GERMAN)
    assert shown.startswith("WENN ")
    assert not any(word in shown for word in ("ENEMY", "SPEED", "CRIPPLED", "BREAK"))
    written = read(shown).standing
    assert written is not None
    assert lines(written) == [rule]


def test_no_german_word_means_two_things() -> None:
    for words in (GERMAN.commands, GERMAN.things):
        written = [fold(word) for all_ in words.values() for word in all_]
        assert len(written) == len(set(written))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("Rot: scharf links", "Rot: BREAK LEFT"),
        (
            "Rot: links scharf; Ziel Blau; nicht feuern",
            "Rot: BREAK LEFT; TARGETS Blau; HOLD FIRE",
        ),
        ("Rot scharf links", "Rot: BREAK LEFT"),
        ("rot: 2 scharf", "Rot: BREAK LEFT"),
        ("Rot: Beschleunige um 2, nicht schießen", "Rot: ACCELERATE 2; HOLD FIRE"),
        ("Rot: spaet rechts ziel: Blau 1", "Rot: LATE RIGHT; TARGETS Blau 1"),
        ("Rot: Break links", "Rot: BREAK LEFT"),
        ("Rot: sanft links; Feuer auf Blau 1", "Rot: SMOOTH LEFT; TARGETS Blau 1"),
        ("Rot: sanft links, schieß auf Blau", "Rot: SMOOTH LEFT; TARGETS Blau"),
        ("Rot: geradeaus; HOLD FIRE", "Rot: STEADY; HOLD FIRE"),
        ("Links: sanft rechts", "Links: SMOOTH RIGHT"),
        ("Rot: Rückzug", "Rot: WITHDRAW"),
        ("Rot: AUFGEBEN", "Rot: SURRENDER"),
    ],
)
def test_german_as_people_write_it(line: str, order: str) -> None:
    assert read(line).queue == (order,)
    assert read(line, language="en").queue == ()


def test_a_seat_with_one_element_may_leave_its_name_out() -> None:
    assert read("SCHARF LINKS", ONE).queue == ("Rot: BREAK LEFT",)
    assert read("Nachbrenner; Ziel Blau 2", None).queue == ("AFTERBURNER; TARGETS Blau 2",)


def test_a_whole_letter_in_german() -> None:
    written = read(
        """Rot: HART LINKS; ZIELE Blau
        DAUERBEFEHLE
          WENN FEIND LINKS: Rot: SCHARF LINKS
          FALLS ENTFERNUNG <= 6 UND NICHT ANGESCHLAGEN DANN Links: Kehre rechts
          SONST: Rot: GERADEAUS
        ENDE
        Der Himmel war schwarz, und links brannte ein Schiff."""
    )
    assert written.queue == ("Rot: HARD LEFT; TARGETS Blau",)
    assert written.standing is not None
    assert lines(written.standing) == [
        "IF ENEMY LEFT: Rot: BREAK LEFT",
        "IF RANGE <= 6 AND NOT CRIPPLED: Links: REVERSE RIGHT",
        "ELSE: Rot: STEADY",
    ]
    assert [line.strip() for line in written.words] == [
        "Der Himmel war schwarz, und links brannte ein Schiff."
    ]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("Rot: SCHRAF LINKS", "Rot: BREAK LEFT"),
        ("Rot: Nachbrener", "Rot: AFTERBURNER"),
        ("Rot: SCHARF", "Rot: BREAK LEFT or Rot: BREAK RIGHT"),
        ("Rott: SCHARF LINKS", "Rot: BREAK LEFT"),
    ],
)
def test_what_is_nearly_german_is_asked_about(line: str, hint: str) -> None:
    [near] = read(line).near
    assert (near.text, " or ".join(near.meant)) == (line, hint)


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("Rot: SCHARF LINKS; ZIELE Grün", "de"),
        ("Rot: SCHARF LINKS; ZIEL Blau und Grün", "de"),
        ("Rot: BREAK LEFT; TARGETS Green", "en"),
        ("Rot: BREAK LEFT; TARGETS Links", "en"),
        ("Rot: BREAK LEFT; TARGETS", "en"),
        ("BREAK LEFT; TARGETS Green", "en"),
    ],
)
def test_a_target_that_is_not_known_is_what_is_in_the_way(line: str, language: str) -> None:
    [near] = read(line, language=language).near
    assert (near.text, near.hint, near.why) == (line, REASONS["bad target"], True)


def test_a_hint_is_shown_in_german() -> None:
    assert GERMAN.shown("Rot: BREAK LEFT") == "Rot: SCHARF LINKS"
    assert GERMAN.shown("say it with WAIT") == "say it with WAIT"


@pytest.mark.parametrize(
    "line",
    [
        "Links zog der Nebel vorbei.",
        "Geradeaus und hindurch, dachte sie.",
        "Gleiten wie ein Falke",
        "Hart wie Stahl",
        "Rot: das Licht des Alarms",
    ],
)
def test_german_stories_stay_stories(line: str) -> None:
    assert read(line).words == (line,)


def test_a_squadron_in_german_keeps_its_names() -> None:
    text = "Bug WITH Heck: 2 Black Tiger KÖNNEN 2; Tempo: 1 Gadfly Können 3 TEMPO 8"
    english = "Bug WITH Heck: 2 Black Tiger SKILL 2; Tempo: 1 Gadfly SKILL 3 SPEED 8"
    assert GERMAN.english(text) == english
    assert [wing.name for wing in read_squadron(english)[1].wings] == ["Heck", "Tempo"]
