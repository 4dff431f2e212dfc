"""A battle of sixteen elements by letter: what a player needs to order, and no more."""

import re

import pytest

from tests.support.harness import League, skies
from tests.support.players import plain


def squadron(name: str, colour: str) -> str:
    elements = (f"{colour} {n}: 2 Black Tiger SKILL 2" for n in range(1, 9))
    return f"{name} WITH {'; '.join(elements)}"


@pytest.mark.league(turns_per_letter=6)
@pytest.mark.parametrize(
    ("language", "turn", "shot", "state"),
    [
        (
            "en",
            "Turn",
            "Inches Shots Hits",
            r"^- Red \d [a-z-]+ at speed \d+: Red \d \d hull \d( \(crippled\))?",
        ),
        (
            "de",
            "Zug",
            "Zoll Schüsse Treffer",
            r"^- Red \d [A-Za-zü]+, Tempo \d+: Red \d \d Hülle \d",
        ),
    ],
)
def test_several_turns_of_many_are_told_in_short(
    language: str, turn: str, shot: str, state: str, league: League
) -> None:
    people = skies(league, squadron("Hawks", "Red"), squadron("Kites", "Blue"))
    for person in people:
        person.ask(f"LANGUAGE {language}", person.last_about("[G1-"))
        person.reply("STANDING sound", person.last_about("[G1-"))
    league.work()
    report = plain(people[0].last_about("[G1-T2"))
    told = [int(n) for n in re.findall(rf"^{turn} (\d+)\. ", report, re.M)]
    # The latest turns, without a gap; where room was lacking for the first, HISTORY is named.
    assert told
    assert told == list(range(told[0], 1 + league.game.steps))
    assert told[0] == 1 or re.search(r"\b(HISTORY|CHRONIK) 1\b", report)
    assert shot not in report
    # An element is told in a line, with its side and design once for all of them.
    assert len(re.findall(state, report, re.M)) == 8
    assert len(report.splitlines()) < 180
