"""What each letter of a battle says, and what none says twice, played by what letters suggest."""

import re
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import pytest

from benchmarks.letters import CHOICES, HAND, KINDS, STANDING, fight, figures, words
from benchmarks.sample_league import Member
from benchmarks.sample_players import Received
from pbem.storage import Outgoing

DUELS = [
    name
    for name in KINDS
    if name.split(", ")[1] in ("a duel", "two elements", "two characters", "four vessels")
]
REPORTS = ("begin", "turn", "final")
MOST, MOST_OF_MANY = 110, 140
"""The most lines of a report of a battle of few pieces, and of a team battle or of many."""
USUAL = {"starpilot": 40, "blackskies": 64, "starfarer": 60, "cortex": 80}
"""The most lines of half of the turns that are played by hand."""
FRAME = 4
"""The lines around each letter: one above it, one below, and a blank beside each."""
FIRST = 12
"""Within so many lines a letter says what happened, what is at stake, by when, and what to do."""
RECEIPT = 6
"""The most lines of a receipt without its frame."""


@cache
def fought(name: str, way: str) -> list[Member]:
    """Return the players of a battle of a kind, with all of their letters."""
    with TemporaryDirectory() as folder:
        return fight(Path(folder), KINDS[name], 1, way)


def height(row: Outgoing) -> int:
    """Return how many lines a letter has."""
    return len(words(row).splitlines())


def reports(member: Member) -> list[Outgoing]:
    """Return the reports that a player got, oldest first."""
    return [row for row in member.received if row.kind in REPORTS]


def paragraphs(text: str) -> list[str]:
    """Return what a letter tells, without the choices of the turn, by paragraphs and tables."""
    told, choosing = [], False
    for block in text.split("\n\n"):
        if block.isupper():
            choosing = block.strip() in CHOICES
        elif not choosing:
            told.append(block.strip())
    return told


@pytest.mark.parametrize("way", [HAND, STANDING])
@pytest.mark.parametrize("name", DUELS)
def test_no_sheet_or_explanation_comes_twice_unchanged(name: str, way: str) -> None:
    for member in fought(name, way):
        known: set[str] = set()
        for row in reports(member):
            long = [one for one in paragraphs(words(row)) if one.count("\n") >= 3]
            assert not known.intersection(long)
            known.update(long)
        assert sum("\nCredits: " in words(row) for row in reports(member)) == 1


@pytest.mark.parametrize("name", DUELS)
def test_each_letter_of_a_running_battle_says_who_acts_by_when_and_how(name: str) -> None:
    for member in fought(name, HAND):
        for row in reports(member)[:-1]:
            text = words(row)
            told = " ".join(text.split())
            assert re.search(
                r"needed by \w{3} \d|The referee is waiting for|is out of the battle", told
            )
            asks = "are needed by" in told
            assert not asks or any(f"\n{heading}\n" in text for heading in CHOICES)
            head = text[: text.find("\nYOUR MOVE\n")] if asks and "\nYOUR MOVE" in text else ""
            assert head.count("\n") <= FIRST + FRAME // 2


@pytest.mark.parametrize("name", KINDS)
def test_no_report_is_longer_than_one_reads(name: str) -> None:
    """First letters had up to 165 lines, and eight elements that flew by themselves 163."""
    most = MOST if name in DUELS else MOST_OF_MANY
    rows = [row for member in fought(name, STANDING) for row in reports(member)]
    assert [height(row) for row in rows if height(row) > most] == []


@pytest.mark.parametrize("name", DUELS)
def test_half_of_the_turns_are_short_and_little_is_said_again(name: str) -> None:
    people = fought(name, HAND)
    turns = [height(row) for one in people for row in reports(one) if row.kind == "turn"]
    assert max(turns) <= MOST
    assert median(turns) <= USUAL[KINDS[name].system]
    found = figures(people)
    assert found.again <= 0.2 * found.told


@pytest.mark.parametrize("way", [HAND, STANDING])
@pytest.mark.parametrize("name", DUELS)
def test_an_acknowledgement_is_a_receipt(name: str, way: str) -> None:
    """Orders as they were understood, when they are played, and how they are changed."""
    letters = [row for one in fought(name, way) for row in one.received if row.kind == "ack"]
    receipts = [row for row in letters if "are filed" in Received(row.content).subject]
    assert receipts
    for row in receipts:
        told = " ".join(words(row).split())
        assert height(row) <= RECEIPT + FRAME
        assert re.search(r"Game 1 has your (?:orders?:|(?:\d+ )?standing orders?[:;])", told)
        assert re.search(r"It goes on once .*, or on \w{3} \d.* A new reply replaces it\.", told)


def test_report_brings_what_was_left_out() -> None:
    """The foot of a letter says so."""
    member, _ = fought("StarPilot, a duel", HAND)
    turns = [words(row) for row in member.received if row.kind == "turn"]
    assert all("REPORT 1 brings sheets and all the rest." in text for text in turns)
    assert not any("Points left" in text for text in turns)
