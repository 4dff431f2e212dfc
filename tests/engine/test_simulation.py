"""Duels and careers that house pilots fight by the thousand, and the files about them."""

import csv
from collections import Counter
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.simulation.__main__ import main
from benchmarks.simulation.careers import League
from benchmarks.simulation.duels import bouts, fight
from benchmarks.simulation.results import histogram, shares, spread
from engine.registry import RULESETS
from tests.support.trial_counts import tries

RULES = RULESETS["starpilot"]
assert RULES.campaign is not None
CAMPAIGN = RULES.campaign
LIGHT = CAMPAIGN.fleets["light"]


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_bouts_favour_nobody() -> None:
    pairs, builds = 24, 6
    found = list(islice(bouts(CAMPAIGN, LIGHT, ("sharp", "easy")), pairs * builds**2 * 4))
    met = Counter(
        (*(pilot.kind for pilot in bout.pilots), *(pilot.build for pilot in bout.pilots))
        for bout in found
    )
    assert len(met) == pairs * builds**2
    assert set(met.values()) == {4}
    begun = Counter((*bout.strengths, bout.first) for bout in found)
    assert len(begun) == 4
    assert set(begun.values()) == {len(found) // 4}
    assert all(bout.pilots[0].persona.side != bout.pilots[1].persona.side for bout in found)


@pytest.mark.long
@pytest.mark.parametrize(
    ("strong", "weak", "least"), [("sharp", "easy", 60), ("sound", "easy", 60)]
)
def test_who_is_stronger_wins_more(strong: str, weak: str, least: int) -> None:
    count, won = tries(300, 100), 0
    for seed, bout in enumerate(islice(bouts(CAMPAIGN, LIGHT, (strong, weak)), count)):
        score = fight(RULES, bout, seed)
        won += score.winner is not None and bout.strengths[score.winner] == strong
    assert 100 * won / count >= least


def test_a_fight_is_the_same_again() -> None:
    bout = next(bouts(CAMPAIGN, LIGHT, ("sharp", "easy")))
    first, again, other = (fight(RULES, bout, seed) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("fleet", CAMPAIGN.fleets)
def test_careers_end(fleet: str) -> None:
    lives = list(League(RULES, CAMPAIGN.fleets[fleet][:8], "sound", 1).first(16))
    assert sorted(life.number for life in lives) == list(range(1, 17))
    for life in lives:
        sheet = CAMPAIGN.sheet(life.persona)
        assert sheet["dead"] or sheet["retired"]
        assert sheet["missions"] <= life.duels <= life.days


def test_all_is_written_and_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for name in ("one", "two"):
        out = tmp_path / name
        main(["--duels=96", "--careers=4", f"--out={out}"])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "96 duels" in told[0]
    assert "4 careers" in told[0]
    for name in ("duels.csv", "careers.csv", "duels.svg", "careers.svg"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    duels = rows_of(tmp_path / "one" / "duels.csv")
    assert len(duels) == 96
    assert {row["winner"] for row in duels} <= {"one", "other", ""}
    assert Counter(row["first"] for row in duels) == {"one": 48, "other": 48}
    assert len(rows_of(tmp_path / "one" / "careers.csv")) == 4
    assert ElementTree.parse(tmp_path / "one" / "duels.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("--fleet=huge", "known are light, improved, heavy"),
        ("--strength=mean", "known are easy, sound, sharp"),
        ("--against=mean", "known are easy, sound, sharp"),
        ("--duels=-1", "must not be negative"),
    ],
)
def test_what_can_not_be_simulated(
    option: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([f"--out={tmp_path}", option])
    assert expected in capsys.readouterr().err


def test_designs_are_tried_too(tmp_path: Path) -> None:
    told = ["--system=blackskies", "--fleet=medium", "--duels=4", "--careers=1"]
    main([*told, f"--out={tmp_path}"])
    assert len(rows_of(tmp_path / "duels.csv")) == 4


def test_figures() -> None:
    rows = [
        {"one": "A", "other": "B", "winner": "one"},
        {"one": "B", "other": "A", "winner": ""},
        {"one": "A", "other": "A", "winner": "one"},
    ]
    assert {key: tally.percent for key, tally in shares(rows, "").items()} == {"A": 50, "B": 0}
    found = histogram([1, 20, 21, 5000], 20)
    assert {step: n for step, n in found.items() if n} == {
        "1-20": 50,
        "21-40": 25,
        "281 and more": 25,
    }
    assert len(found) == 15
    assert spread([1, 2, 3]) == {"mean": 2, "5%": 1.1, "median": 2, "95%": 2.9}
    assert set(spread([7]).values()) == {7}
