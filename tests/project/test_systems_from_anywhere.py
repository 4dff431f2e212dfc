"""Systems are found by entry points, wherever their packages lie; a broken one stops nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import registry
from pbem.maintenance import founding
from tests.support.our_systems import OURS
from tests.support.outside_systems import CODE, install
from tests.support.paths import ROOT
from tests.support.trial_counts import some

RENDERED = """
import json
from engine import registry
from pbem.host.package_data import TEMPLATES
from pbem.rendering import LeagueFacts, Renderer
renderer = Renderer(LeagueFacts("League", "referee@host.example", {}, ()), TEMPLATES)
def short(language):
    page = renderer.letters(language, "coin").get_template("coin/situation.j2")
    return str(page.module.short({"thrown": 3}))
print(json.dumps({
    "keys": [*registry.RULESETS], "faults": registry.FAULTS, "words": [short("en"), short("de")],
}))
"""


def ran(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the packages of a folder beside those that are installed."""
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"},
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
    )


def test_ours_are_found_in_the_same_way_and_in_their_order() -> None:
    assert [*registry.RULESETS][:2] == ["starpilot", "blackskies"]
    assert registry.PACKAGES["starpilot"] == "engine.starpilot"
    assert not registry.FAULTS


def test_a_system_from_outside_brings_its_templates_and_its_german(tmp_path: Path) -> None:
    install(tmp_path, "coin", CODE)
    done = ran(tmp_path, "-c", RENDERED)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["keys"] == [*OURS, "coin"]
    assert found["words"] == [
        "So far the coin was thrown 3 times.",
        "Bisher ist die Münze 3-mal geflogen.",
    ]
    assert not found["faults"]


PLAYED = """
import sys, tempfile
from pathlib import Path
from tests.support.harness import open_league
from tests.support.players import plain
with tempfile.TemporaryDirectory() as folder, open_league(Path(folder)) as league:
    ann, bob = (league.person(name) for name in ("Ann", "Bob"))
    ann.join()
    bob.join()
    ann.ask("CHALLENGE Bob Example AT coin")
    bob.ask("ACCEPT 1")
    while league.game.running:
        for person in (ann, bob):
            person.reply("THROW")
        league.work()
    assert "has won." in plain(ann.last), plain(ann.last)
"""


def test_the_game_of_the_guide_is_played_by_mail_to_its_end(tmp_path: Path) -> None:
    install(tmp_path, "coin", CODE)
    done = ran(tmp_path, "-c", PLAYED)
    assert done.returncode == 0, done.stderr + done.stdout


@pytest.mark.parametrize(
    ("key", "code", "why"),
    some(
        [
            ("dice", "import nothing_of_this_name", "ModuleNotFoundError: No module named"),
            ("dice", "RULES = 3", "TypeError: dice.rules:RULES is a int, and no Ruleset"),
            ("dice", CODE, "ValueError: the key is 'coin'; it must be the entry point's name"),
            ("starpilot", CODE.replace('"coin"', '"starpilot"'), "ValueError: "),
        ],
        1,
    ),
    ids=["no module", "no ruleset", "another key", "a key of ours"],
)
def test_a_broken_system_is_left_out_and_check_says_why(
    tmp_path: Path, key: str, code: str, why: str
) -> None:
    install(tmp_path, key, code, "dice")
    answers = {"league.name": "League", "league.address": "referee@host.example"}
    file = founding.found_league(tmp_path / "league", answers)
    played = f'[league]\nsystems = ["blackskies", "{key}"]\n'
    file.write_text(file.read_text("utf-8").replace("[league]\n", played, 1), "utf-8")
    checked = ran(tmp_path, "-m", "pbem", "--config", str(file), "check", "--json")
    lines = [json.loads(line) for line in checked.stdout.splitlines()]
    found = [one for one in lines if one["part"] == "systems"]
    assert checked.returncode == 1
    assert [one["ok"] for one in found] == [True, False]
    assert f"{key} is left out: {why}" in found[1]["text"]
    assert "settings" in [one["part"] for one in lines if one["ok"]]
    status = ran(tmp_path, "-m", "pbem", "--config", str(file), "status", "--json")
    assert (status.returncode, status.stderr.count("Traceback")) == (0, 0)
