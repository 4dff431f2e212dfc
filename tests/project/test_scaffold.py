"""`pbem system new`: the game that it writes is installed, checked and played by mail."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.registry import RULESETS
from pbem.cli import main
from tests.support.paths import ROOT

pytestmark = pytest.mark.long
SYSTEMS = (ROOT / "docs" / "systems.md").read_text("utf-8")
"""The guide for authors, which explains the game."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the new system `tosses`, which is installed there."""
    folder = tmp_path_factory.mktemp("author")
    ran(folder, "-m", "pbem", "system", "new", "tosses")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    ran(folder, "-m", "pip", "install", *options, "--target", str(folder / "site"), "./tosses")
    return folder


def ran(folder: Path, *arguments: str) -> str:
    """Run Python with what is installed in a folder's `site`, and return what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{folder / 'site'}"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_whole_and_short(home: Path) -> None:
    files = [path for path in (home / "tosses").rglob("*") if path.is_file()]
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    assert lines < 250
    names = {str(path.relative_to(home / "tosses")) for path in files}
    assert {"pyproject.toml", "tosses/rules.py", "tests/test_tosses.py"} <= names
    assert not [path for path in files if re.search("@[A-Z]+@|KEY", path.read_text("utf-8"))]


def test_it_keeps_the_laws_and_passes_its_own_tests(home: Path) -> None:
    output = ran(home, "-m", "pbem", "system", "check", "tosses", "--games", "3")
    assert "BROKEN" not in output
    assert "words" in output
    options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={home}"]
    assert "passed" in ran(home, "-m", "pytest", *options, "tosses/tests")


PLAYED = """
import tempfile
from pathlib import Path
from tests.support.harness import open_league
from tests.support.players import words
with tempfile.TemporaryDirectory() as folder, open_league(Path(folder)) as league:
    ann, bob = (league.person(name) for name in ("Ann", "Bob"))
    ann.join()
    bob.join()
    bob.ask("LANGUAGE de")
    assert "Whoever first throws a head has won." in words(ann.ask("RULES tosses"))
    assert "SHIPS tosses" not in words(ann.last)
    assert "TOSSES IN KÜRZE" in words(bob.ask("REGELN tosses"))
    ann.ask("CHALLENGE Bob Example AT tosses")
    bob.ask("ANNEHMEN 1")
    while league.game.running:
        for person in (ann, bob):
            person.reply("THROW")
        league.work()
    assert "has won." in words(ann.last), words(ann.last)
    assert "hat gewonnen." in words(bob.last), words(bob.last)
"""


def test_it_is_played_by_mail_in_both_languages(home: Path) -> None:
    ran(home, "-c", PLAYED)


def test_the_guide_shows_what_is_written(home: Path) -> None:
    package = ROOT / "pbem" / "maintenance" / "scaffold" / "KEY"
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", SYSTEMS, re.M | re.S)
    texts = {
        path: path.read_text("utf-8").replace("@KEY@", "coin").replace("@TITLE@", "Coin")
        for path in package.rglob("*.txt")
    }
    [code] = [text for kind, text in blocks if kind == "python"]
    assert code == texts[package / "rules.py.txt"]
    shown = [text for kind, text in blocks if kind == "jinja" or text.startswith("msgid")]
    assert len(shown) == 3
    for block in shown:
        for part in block.strip().split("\n\n"):
            assert any(part in text for text in texts.values()), part


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Coin Toss", "'Coin Toss' can't be a system's key: write 2 to 30 small letters"),
        (next(iter(RULESETS)), "there is a system starpilot already; choose another name"),
        ("json", "Python has a module json already; choose another name"),
        ("tosses", "tosses is there already; choose another name, or remove it"),
    ],
)
def test_what_can_not_be_written_is_told_in_one_line(
    name: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "tosses").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["system", "new", name]) == 2
    error = capsys.readouterr().err
    assert why in error
    assert error.count("\n") == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["tosses"]
