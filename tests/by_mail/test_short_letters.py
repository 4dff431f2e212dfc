"""A report on a telephone is short: what happened, what is asked and by when come first."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.harness import Person, open_league
from tests.support.link_taps import links
from tests.support.players import HAWK, attached, plain, words


class Words(NamedTuple):
    """Words of a report in one language."""

    practise: str
    scan: str
    sound: str
    missed: str
    needed: str
    move: str
    barred: str
    subject: str
    once: str
    often: str
    useless: str
    whole: str


WORDS = {
    "en": Words(
        "PRACTICE WITH Hawk AGAINST easy", "SCAN", "STANDING sound", "your SCAN failed",
        "Your orders for Hawk are needed by Thu 5 Nov 2026", "YOUR MOVE",
        "Not possible now: most orders",
        "Your move in 1: Far range, nobody found yet",
        r"Hawk tries (\w+)", r"tries \w+ (?:at [\w ]+)?(?:twice|\d+ times)",
        "nobody was left for your SCAN to find", "REPORT 1",
    ),
    "de": Words(
        "ÜBEN MIT Hawk GEGEN leicht", "SUCHEN", "DAUERBEFEHLE solide", "SUCHEN ist dir misslungen",
        "Deine Befehle für Hawk werden bis Do., 5. Nov. 2026", "DU BIST AM ZUG",
        "Gerade nicht möglich: die meisten Befehle",
        "Partie 1: Du bist am Zug: Entfernung Mittel, noch niemand gefunden",
        r"Hawk versucht (\w+)", r"versucht \w+ (?:gegen [\w ]+)?(?:zweimal|\d+-mal)",
        "dein SUCHEN war niemand mehr da", "BERICHT 1",
    ),
}  # fmt: skip


@pytest.fixture(params=WORDS)
def practice(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Person, Words]]:
    """Somebody in the first turn of a practice, by an order in either language."""
    language = request.param
    with open_league(tmp_path, language=language) as league:
        ann = league.person("Ann")
        ann.join()
        ann.ask(HAWK)
        ann.reply(WORDS[language].practise)
        ann.new()
        yield ann, WORDS[language]


def test_a_turn_in_which_little_happened_is_one_short_letter(
    practice: tuple[Person, Words],
) -> None:
    """It had 99 lines: all sheets, all dice, and both pilots' empty scans one by one."""
    ann, said = practice
    ann.reply(said.scan, ann.last_about("[G1-T1"))
    [report] = ann.new()
    text = plain(report)
    assert said.subject in report["Subject"]
    assert len(text.splitlines()) <= 40
    top = " ".join(text.splitlines()[:12])
    assert [one for one in (said.missed, said.needed, said.move) if one not in top] == []
    assert said.scan in links(report)
    assert said.barred not in text
    assert not re.search(r"[0-9a-f]{16}", text)
    assert re.search(rb"[0-9a-f]{16}", attached(report)["receipt.txt"])


def test_failures_in_a_row_are_told_in_one_line(practice: tuple[Person, Words]) -> None:
    ann, said = practice
    ann.reply(said.sound, ann.last_about("[G1-T1"))
    ann.new()
    report = words(ann.ask(said.whole, ann.last_about("[G1-T2")))
    assert re.search(said.often, report)
    # 18 turns of Hawk's are told in fewer sentences.
    assert 0 < len(re.findall(said.once, report)) < 18


def test_a_scan_that_is_not_needed_is_pointed_out(practice: tuple[Person, Words]) -> None:
    """Queued once too often, it was said to have failed, as if it were to be tried again."""
    ann, said = practice
    for _ in range(30):
        ann.reply(f"{said.scan}\n{said.scan}", ann.last_about("[G1-T"))
        ann.new()
        if said.useless in words(ann.last_about("[G1-T")):
            return
    raise AssertionError(words(ann.last_about("[G1-T")))
