"""`pbem system`: the list of systems, and the laws tried on one."""

import json
import time
from dataclasses import replace

import pytest

from engine.laws import LAWS
from engine.registry import RULESETS
from pbem.cli import main
from tests.support.our_systems import OURS
from tests.support.trial_counts import tries


def test_all_systems_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["system", "list"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        key: rules.title for key, rules in RULESETS.items()
    }


@pytest.mark.parametrize("key", sorted(OURS)[: tries(9, 1)])
def test_our_own_systems_keep_the_laws(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["system", "check", key, "--games", "1"]) == 0
    output = capsys.readouterr().out
    states = {law.name: "not tried" if law.lacks(RULESETS[key]) else "held" for law in LAWS}
    for name, state in {**states, "words": "held", "translated": "not tried"}.items():
        assert f"{name:14}{state}" in output
    assert "steps a second" in output


def test_its_work_has_a_bound_and_it_says_what_was_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    began = time.process_time()
    assert main(["system", "check", "cortex", "--seconds", "1"]) == 0
    # A step that was begun is done to its end, and so are the few that are timed.
    assert time.process_time() - began < 30
    output = capsys.readouterr().out
    assert "Time was up after 1 s; --seconds tries more of the games." in output
    assert "held   in    1 games" in output
    assert main(["system", "check", "toss", "--games", "1"]) == 0
    assert "time was up" not in capsys.readouterr().out


@pytest.mark.long
def test_a_broken_law_is_told_with_the_smallest_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pilots = RULESETS["starpilot"]
    broken = replace(pilots, credits=pilots.credits, audience=lambda event: frozenset())
    monkeypatch.setitem(RULESETS, "starpilot", broken)
    monkeypatch.setattr("pbem.commands.rule_systems.LAWS", LAWS[5:6])
    assert main(["system", "check", "starpilot", "--games", "1", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    secrets = next(one for one in found["laws"] if one["law"] == "keeps secrets")
    assert "shows more than the events it may know" in secrets["broken"]
    assert main(["system", "check", "starpilot", "--games", "1"]) == 1
    output = capsys.readouterr().out
    assert "keeps secrets BROKEN" in output
    assert '\nGame 0:\n  set-up: {"teams":' in output
    assert "\n  1. no orders\n" in output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["check"], "system check: which one? There are starpilot, blackskies"),
        (["check", "chess"], "there is no system chess; there are starpilot"),
        (["check", "starpilot", "--games", "0"], "--games 0: at least 1"),
        (["check", "starpilot", "--seconds", "0"], "--seconds 0: at least 1"),
    ],
)
def test_bad_input_is_told_in_one_line(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["system", *arguments]) == 2
    error = capsys.readouterr().err
    assert expected in error
    assert error.count("\n") == 1
