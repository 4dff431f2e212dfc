"""The wheel in an empty environment, away from the checkout, has all that the program needs."""

import json
import os
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from pbem.channels.mail.maildir import deliver, make_maildir
from tests.support.our_systems import OURS
from tests.support.own_environment import built, installed, pins
from tests.support.paths import ROOT
from tests.support.players import letter

pytestmark = [
    pytest.mark.long,
    pytest.mark.services,
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("wheel"),
]
LEAGUE = """\
[league]
name = "League"
address = "referee@league.example"
[maildir]
path = "in"
out = "out"
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel, its demo, and what these need."""
    folder = tmp_path_factory.mktemp("wheel")
    return installed(folder, pins(), f"{built(folder)}[demo]").parents[1]


def ran(environment: Path, place: Path, program: str, *words: str | Path) -> str:
    """Run a program of the environment in a folder, and return what it prints; it must end well."""
    bare = {"PATH": os.defpath, "HOME": str(place), "LANG": "C.UTF-8"}
    command = [environment / "bin" / program, *words]
    done = subprocess.run(command, cwd=place, env=bare, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_runs_by_itself(environment: Path, tmp_path: Path) -> None:
    where = ran(environment, tmp_path, "python", "-c", "import pbem; print(*pbem.__path__)")
    assert where.startswith(str(environment))
    assert ran(environment, tmp_path, "pbem", "--version") == f"pbem {version('pbem')}\n"
    systems = json.loads(ran(environment, tmp_path, "pbem", "system", "list"))
    assert systems == {key: rules.title for key, rules in OURS.items()}


def test_the_demo_is_played(environment: Path, tmp_path: Path) -> None:
    ran(environment, tmp_path, "pbem", "demo")
    assert (tmp_path / "demo-letters" / "index.html").is_file()


def test_a_league_is_founded_checked_and_answers(environment: Path, tmp_path: Path) -> None:
    ran(environment, tmp_path, "pbem", "init", "new", "--yes")
    assert (tmp_path / "new" / "blackskies.toml").is_file()
    for box in ("in", "out"):
        make_maildir(tmp_path / box)
    (tmp_path / "league.toml").write_text(LEAGUE)
    ran(environment, tmp_path, "pbem", "check")
    deliver(tmp_path / "in", letter("Ann", "JOIN Ann Example", 1).as_bytes())
    ran(environment, tmp_path, "pbem", "once")
    (answer,) = (tmp_path / "out" / "new").iterdir()
    assert b"X-Envelope-To: ann@league.example" in answer.read_bytes()


def test_scripts_that_check_dice_are_printed(environment: Path, tmp_path: Path) -> None:
    for system in OURS:
        script = ran(environment, tmp_path, "pbem", "verify", "--print-script", system)
        compile(script, system, "exec")


def test_all_that_lies_beside_code_is_there(environment: Path) -> None:
    (packages,) = environment.glob("lib/*/site-packages")
    folders = {
        "engine": packages / "engine",
        "pbem": packages / "pbem",
        "templates": packages / "pbem" / "_templates",
        "config": packages / "pbem" / "_config",
        "examples": packages / "pbem" / "_examples",
        "systemd": environment / "share" / "pbem" / "systemd",
    }
    for name, folder in folders.items():
        assert files(ROOT / name) - files(folder) == set(), name
    assert {"py.typed"} <= files(packages / "pbem") & files(packages / "engine")
    shared = environment / "share"
    for doc in (shared / "man/man1/pbem.1", *(shared / "doc/pbem").iterdir()):
        assert doc.read_bytes() == (ROOT / "docs" / doc.name).read_bytes()
    guides = {path.name for path in (shared / "doc/pbem").iterdir()}
    assert guides == {"player.md", "player.de.md"}


def files(folder: Path) -> set[str]:
    """Return the files below a folder, but for those that Python makes."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {str(path) for path in found if "__pycache__" not in path.parts}
