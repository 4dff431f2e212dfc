"""The examples of scenarios that the documentation names are battles as they are printed."""

import json
import re

import pytest

from engine.registry import RULESETS
from pbem.cli import main
from pbem.handlers.moderator import gm_battles
from pbem.host.package_data import EXAMPLES
from tests.support.harness import League, duel
from tests.support.paths import ROOT

NAMES = [path.relative_to(EXAMPLES).as_posix() for path in sorted(EXAMPLES.glob("*/*.json"))]


@pytest.mark.parametrize("name", NAMES)
def test_a_printed_example_begins_a_battle(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["system", "example", name]) == 0
    text = capsys.readouterr().out
    found = gm_battles.read(text, tuple(RULESETS))
    state = found.rules.setup(found.setup)
    assert found.rules.phase(state).outcome is None
    assert set(found.seats) == set(found.rules.seats(state))


@pytest.mark.league(systems=tuple(RULESETS))
@pytest.mark.parametrize("name", ["blackskies/asteroids.json", "starfarer/ambush.json"])
def test_it_is_played_by_those_who_are_named(league: League, name: str) -> None:
    ann, _ = duel(league)
    text = (EXAMPLES / name).read_text("utf-8")
    json.loads(text)
    league.rule(f"BATTLE\n{text}")
    league.work()
    assert "[G2-T1" in str(ann.last["Subject"])


def test_the_documentation_names_all_examples_and_no_others() -> None:
    text = (ROOT / "docs" / "moderator.md").read_text("utf-8")
    assert set(re.findall(r"\w+/\w+\.json", text)) >= set(NAMES)
    assert {"blackskies", "starfarer", "cortex"} <= {name.partition("/")[0] for name in NAMES}


def test_the_wheel_holds_the_examples() -> None:
    assert 'examples = "pbem/_examples"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_an_unknown_example_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["system", "example", "nothing"]) == 2
    assert "there is no example nothing" in capsys.readouterr().err
    assert main(["system", "example"]) == 0
    assert set(NAMES) <= set(capsys.readouterr().out.split())
