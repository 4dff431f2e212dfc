"""The example from outside: installed as its users would, and played by mail to its end."""

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.servers.host import MailHost
from tests.support.paths import ROOT
from tests.support.players import (
    MailProgram,
    join_the_league,
    mail_program,
    words,
)
from tests.support.program import pbem, running, sections, write_league

RACETRACK = ROOT / "examples" / "racetrack"
AHEAD = 6
"""So many turns the racers plan ahead."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the example is installed."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    options = ["--no-build-isolation", "--disable-pip-version-check", "--target", str(folder)]
    subprocess.run([*build, *options, str(RACETRACK)], check=True, timeout=120)
    return folder


@pytest.mark.long
def test_its_tests_pass_where_it_is_installed(site: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(RACETRACK / "tests")],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{site}"},
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


@pytest.fixture
def racing(site: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example's own test of races, which knows the fastest way."""
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.syspath_prepend(str(RACETRACK / "tests"))
    return import_module("test_race")


def ahead(racing: Any, name: str, report: str) -> list[str]:
    """Return the orders for a racer's next turns, from what the report says of the car."""
    [(x, y, dx, dy)] = re.findall(
        rf"{name} Example (?:is at|ist auf) (\d+), (\d+)"
        r"(?: (?:and goes on by|und fährt weiter um) (-?\d+), (-?\d+))?",
        report,
    )
    car = racing.Car(((int(x), int(y)),), (int(dx or 0), int(dy or 0)))
    orders = []
    for _ in range(AHEAD):
        way = racing.fastest(car)
        move = tuple(a + b for a, b in zip(car.move, racing.STEPS[way], strict=True))
        orders.append(f"STEER {way}")
        through = racing.line(car.trail[-1], move)
        if any(racing.square(point) == "F" for point in through):
            break
        car = racing.Car((through[-1] if through else car.trail[-1],), move)
    return orders


def race(racing: Any, people: list[MailProgram]) -> None:
    """Reply to each report that asks for orders, until all have the last one."""
    while not all(re.search("is over|ist vorbei", one.last["Subject"]) for one in people):
        for person in people:
            if person.unread():
                letter = person.next()
                if re.search(
                    "Your (move|orders) in |Du bist am Zug|: Deine Befehle",
                    letter["Subject"],
                ):
                    orders = ahead(racing, person.name, words(letter))
                    person.reply("\n".join(orders), letter)


@pytest.mark.services
@pytest.mark.long
def test_four_race_through_dovecot_and_postfix(
    installed: MailHost, site: Path, racing: Any, tmp_path: Path
) -> None:
    config = write_league(tmp_path, sections(installed))
    path = f"{ROOT}{os.pathsep}{site}"
    with running(config, PYTHONPATH=path) as daemon, ExitStack() as stack:
        people = [
            stack.enter_context(mail_program(installed, name))
            for name in ("Ann", "Bob", "Cat", "Dan")
        ]
        for person in people:
            join_the_league(person)
        ann, bob, cat, dan = people
        dan.ask("LANGUAGE de")
        ann.ask("CHALLENGE ANYBODY AT racetrack SEATS 4")
        for person in (bob, cat):
            assert "you have a seat in challenge 1" in words(person.ask("ACCEPT 1"))
        dan.reply("ANNEHMEN 1")
        race(racing, people)
        ends = [words(person.last) for person in people]
        assert all("has won the race." in text for text in ends[:3])
        assert "hat das Rennen gewonnen." in ends[3]
        assert daemon.stop() < 5
        assert "Traceback" not in daemon.log.read_text()
    export = pbem("--config", config, "game", 1, "--export", PYTHONPATH=path)
    file = tmp_path / "G1.json"
    file.write_bytes(export.stdout)
    checked = pbem("verify", file, PYTHONPATH=path)
    assert checked.returncode == 0, checked.stdout
