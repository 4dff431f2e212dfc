"""What each letter of a battle says, and what none says twice, played by what letters suggest."""

import re
from pathlib import Path

import pytest

from benchmarks.letters import CHOICES, HAND, KINDS, STANDING, fight, words
from benchmarks.sample_league import Member
from pbem.storage import Outgoing

DUELS = [
    name
    for name in KINDS
    if name.split(", ")[1] in ("a duel", "two elements", "two characters", "four vessels")
]
REPORTS = ("begin", "turn", "final")
MOST = 110
"""The most lines of a report of a battle of two players with few pieces."""


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
def test_no_sheet_or_explanation_comes_twice_unchanged(tmp_path: Path, name: str, way: str) -> None:
    for member in fight(tmp_path, KINDS[name], 1, way):
        known: set[str] = set()
        for row in reports(member):
            long = [one for one in paragraphs(words(row)) if one.count("\n") >= 3]
            assert not known.intersection(long)
            known.update(long)


@pytest.mark.parametrize("name", DUELS)
def test_each_letter_of_a_running_battle_says_who_acts_by_when_and_how(
    tmp_path: Path, name: str
) -> None:
    for member in fight(tmp_path, KINDS[name], 1, HAND):
        for row in reports(member)[:-1]:
            text = words(row)
            told = " ".join(text.split())
            assert re.search(
                r"needed by \w{3} \d|The referee is waiting for|is out of the battle", told
            )
            asks = "are needed by" in told
            assert not asks or any(f"\n{heading}\n" in text for heading in CHOICES)
            head = text[: text.find("\nYOUR MOVE\n")] if asks and row.kind == "turn" else ""
            assert head.count("\n") <= 13
            assert len(text.splitlines()) <= MOST or row.kind == "begin"


def test_report_brings_what_was_left_out(tmp_path: Path) -> None:
    """The foot of a letter says so."""
    member, _ = fight(tmp_path, KINDS["StarPilot, a duel"], 1, HAND)
    turns = [words(row) for row in member.received if row.kind == "turn"]
    assert all("REPORT 1 brings sheets and all the rest." in text for text in turns)
    assert not any("Points left" in text for text in turns)
