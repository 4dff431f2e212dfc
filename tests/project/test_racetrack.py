"""The example from outside: installed as its users would, and played by mail to its end."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT

RACETRACK = ROOT / "examples" / "racetrack"


def test_its_tests_pass_where_it_is_installed(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    options = ["--no-build-isolation", "--disable-pip-version-check", "--target", str(tmp_path)]
    subprocess.run([*build, *options, str(RACETRACK)], check=True, timeout=120)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(RACETRACK / "tests")],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout


def test_it_imports_the_engine_alone_and_is_short() -> None:
    code = [p for p in (RACETRACK / "racetrack").rglob("*.*") if p.suffix in (".py", ".j2")]
    texts = {path: path.read_text("utf-8") for path in code}
    assert not [path for path, text in texts.items() if "pbem" in text]
    assert sum(len(text.splitlines()) for text in texts.values()) <= 400
