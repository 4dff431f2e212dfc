"""What people write who have not learnt the orders: it is answered, and nothing is guessed."""

import pytest

from pbem.people import personas
from pbem.storage import Place, Story
from tests.support.harness import League, Person, duel
from tests.support.players import words


def answered(league: League, written: str, german: bool) -> str:
    """Return the answer to a player of a duel who writes this, and check that nothing is filed."""
    ann, _ = duel(league)
    report = ann.last_about("[G1-")
    if german:
        ann.ask("LANGUAGE de")
    text = words(ann.ask(written, report))
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert '"queue":[],"rules":[]' in place.sheet.replace(" ", "")
    assert not league.store.count(Story.select())
    return text


@pytest.mark.parametrize(
    "written", ["go away", "shoot laser", "ok fire", "scan, target, fire", "3x SCAN"]
)
def test_words_that_are_no_order_are_said_back_and_what_can_be_ordered_is_shown(
    league: League, written: str
) -> None:
    text = answered(league, written, german=False)
    assert "YOUR MOVE" in text
    assert f"WORDS THAT NOBODY HAS SEEN | {written}" in text


@pytest.mark.parametrize(
    "written",
    ["SUCHEN", "WENN ZIEL ERFASST UND NICHT IM VORTEIL UND RUNDE >= 10: FEUER", "HILFE"],
)
def test_german_orders_of_who_reads_english_are_told_how_to_be_german(
    league: League, written: str
) -> None:
    assert "LANGUAGE de lets you write in it" in answered(league, written, german=False)


@pytest.mark.parametrize("written", ["Hawk: SCAN", "FOR Hawk: SCAN", "hawk, scan"])
def test_an_order_behind_the_pilots_name_is_shown_without_it(league: League, written: str) -> None:
    assert "READ, BUT NOT DONE YET" in answered(league, written, german=False)


@pytest.mark.parametrize("german", [False, True])
def test_an_empty_letter_is_shown_what_can_be_ordered(league: League, german: bool) -> None:
    assert ("DU BIST AM ZUG" if german else "YOUR MOVE") in answered(league, "", german)


@pytest.mark.parametrize(
    "written",
    [
        "SQUADRON Kites WITH Red: 1 Gadfly SKILL 2\nGold: 1 Gadfly SKILL 4",
        "SQUADRON Kites WITH Red: 1 Gadfly SKILL 2;\nGold: 1 Gadfly SKILL 4",
        "SQUADRON Kites WITH\nRed: 1 Gadfly SKILL 2\nGold: 1 Gadfly SKILL 4",
        "SQUADRON Kites WITH:\n- Red: 1 Gadfly SKILL 2,\n- Gold: 1 Gadfly SKILL 4",
        "SQUADRON Kites\nRed: 1 Gadfly SKILL 2\nGold: 1 Gadfly SKILL 4",
        "STAFFEL Kites MIT\n  Red: 1 Gadfly KÖNNEN 2\n  Gold: 1 Gadfly KÖNNEN 4",
    ],
)
@pytest.mark.league(systems=("blackskies",))
def test_a_squadron_on_several_lines_is_enlisted_whole(
    league: League, ann: Person, written: str
) -> None:
    if written.startswith("STAFFEL"):
        ann.ask("LANGUAGE de")
    ann.ask(f"{written}\n\nThey fly at dawn.")
    found = personas.named(league.store, "Kites")
    assert found is not None
    assert [found.record.count(f'"{name}"') for name in ("Red", "Gold")] == [1, 1]


@pytest.mark.league(systems=("blackskies",))
def test_a_squadron_like_the_printed_example_is_the_players(league: League, ann: Person) -> None:
    example = words(ann.ask("HELP enlist"))
    lines = "Red: 2 Black Tiger SKILL 2", "Gold: 1 Gadfly SKILL 3"
    assert "; ".join(lines) in example
    ann.ask("\n".join(("SQUADRON Kites WITH", *lines)))
    assert personas.named(league.store, "Kites") is not None


def test_a_pilot_on_several_lines_is_enlisted(league: League, ann: Person) -> None:
    ann.ask("ENLIST Falcon\nFOR cartel\nWEAPONS 12\nPILOTING 12\nSENSORS 12\nSHIP Angela 313B")
    assert personas.named(league.store, "Falcon") is not None
