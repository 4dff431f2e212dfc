"""The limits of answers hold for German letters too, and German absence notes order nothing."""

import pytest

from pbem.settings.sections import LimitSettings
from pbem.storage import Leave, Place
from tests.support.harness import League, Person, duel
from tests.support.players import words


@pytest.fixture
def ann(league: League) -> Person:
    """Ann, who plays in German, in a duel that waits for her orders."""
    ann, _ = duel(league)
    ann.ask("SPRACHE Deutsch", ann.last_about("[G1-"))
    ann.new()
    return ann


def answers(league: League, ann: Person, *letters: str, hours: float = 1) -> int:
    """Reply to the report with each of these, and return how many are answered."""
    report, before = ann.last_about("[G1-"), len(ann.letters)
    for text in letters:
        league.later(hours)
        ann.reply(text, report)
        league.work()
    return len(ann.letters) - before


NOTES = (
    "vielen Dank für Ihre Nachricht. Ich bin derzeit im Urlaub und ab dem 7. Dezember wieder da.",
    "Ich bin vom 23.11.2026 bis 04.12.2026 abwesend.\nIhre Nachricht wird nicht weitergeleitet.",
    "Abwesend bis 4.12.2026",
    "Urlaub vom 23.11.2026 bis 4.12.2026! Danach feuern wir wieder aus allen Rohren.",
    "ich bin außer Haus. In dringenden Fällen suchen Sie bitte meine Kollegin Frau Maier auf.",
    "Vielen Dank für Ihre E-Mail. Wir bestätigen den Eingang und warten auf Unterlagen.",
)
"""Absence notes and receipts that bear no mark of a machine."""


@pytest.mark.parametrize("note", NOTES)
def test_a_note_that_nothing_marks_orders_nothing_and_is_answered_thrice(
    league: League, ann: Person, note: str
) -> None:
    assert answers(league, ann, *[f"Guten Tag,\n\n{note}\n\nMit freundlichen Grüßen\nAnn"] * 8) == 3
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert '"queue":[]' in place.sheet.replace(" ", "")
    assert not place.answered
    assert league.store.count(Leave.select()) == 0


def test_one_letter_has_so_many_questions_answered(ann: Person) -> None:
    most = LimitSettings().questions_a_letter
    answer = words(ann.ask("\n".join(f"BOGEN Niemand{n}" for n in range(most + 7))))
    assert "Ausgelassene Befehle: 7; mehr löst" in answer
    answer = words(ann.ask("HILFE\nHILFE\nHILFE"))
    assert "Fragen, die mehr als einmal dastanden: 2" in answer


@pytest.mark.league(limits={"tells_a_day": 2})
def test_so_many_private_letters_are_passed_on_in_a_day(league: League, ann: Person) -> None:
    bob = league.person("Bob")
    bob.new()
    for number in range(3):
        league.later(0.1)
        answer = ann.ask(f"SAGE Kestrel\nGruß Nummer {number}")
    assert len(bob.new()) == 2
    assert "heute" in words(answer)


def test_so_many_letters_are_read_in_a_day(league: League, ann: Person) -> None:
    most = LimitSettings().letters_a_day
    orders = ["SUCHEN", "SUCHEN, SUCHEN"] * most
    assert answers(league, ann, *orders, hours=0.01) <= most
    assert league.last_letter().klass == "refused"
