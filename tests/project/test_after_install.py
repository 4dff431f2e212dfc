"""README's steps in a fresh copy: what they name as the next command works as it stands there."""

import os
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.servers.host import MailHost
from tests.servers.required import unmet
from tests.support.paths import ROOT
from tests.support.players import REFEREE

pytestmark = [pytest.mark.long, pytest.mark.services, pytest.mark.timeout(1200)]
README = (ROOT / "README.md").read_text("utf-8")
JOIN = b"From: ann@league.example\r\nSubject: Hello\r\n\r\nJOIN Ann Example\r\n"
NOT_COPIED = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "demo-letters")


def ran(place: Path, command: str, *more: str) -> str:
    """Run a command as it is written, and return what it printed; it must end well."""
    bare = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(place), "LANG": "C.UTF-8"}
    pip = {name: text for name, text in os.environ.items() if name.startswith("PIP_")}
    done = subprocess.run(
        [*shlex.split(command), *more],
        cwd=place,
        env=bare | pip,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def named(output: str) -> list[str]:
    """Return the commands that an output names, each on a line of its own."""
    found = (re.match(r" +(?:\d\. )?(\S*(?:pbem|python) .*)", line) for line in output.splitlines())
    return [match[1] for match in found if match]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, installed as README says."""
    place = tmp_path_factory.mktemp("fresh") / "pbem"
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*NOT_COPIED))
    _, install = re.findall(r"\n   (git clone .*)\n   (make .*)\n", README)[0]
    try:
        ran(place, install, f"PYTHON={shutil.which('python3')}")
    except AssertionError as error:
        if "No matching distribution" in str(error):
            unmet("no packages can be downloaded")
        raise
    return place


def test_the_first_ten_minutes(place: Path, embedded: MailHost) -> None:
    """Found, check, run and join, by what README and each output name as the next command."""
    _, found, check, run = re.findall(r"\n   ((?:make|\.venv/bin/pbem) .*)\n", README)
    output = ran(place, found, "--yes", *settings(embedded))
    assert named(output) == [check, run]
    for name in ("imap-password", "smtp-password"):
        (place / "myleague" / name).write_text("referee-secret\n")
    assert "WRONG" not in ran(place, check)
    with subprocess.Popen(shlex.split(run), cwd=place) as referee:
        try:
            embedded.deliver(JOIN, REFEREE, "ann@league.example")
            (answer,) = embedded.wait_for_letters("ann@league.example", 1, 60)
            referee.send_signal(signal.SIGINT)
            assert referee.wait(timeout=30) == 0
        finally:
            referee.kill()
    assert b"Avalon" in answer
    for command in ("status", "once", "health", "backup", "fsck"):
        ran(place, check.removesuffix("check") + command)


def settings(host: MailHost) -> list[str]:
    """Return what answers the questions of `pbem init`."""
    given = {"league.name": "Avalon", "league.address": REFEREE}
    for part, (name, port) in (("imap", host.imap), ("smtp", host.smtp)):
        values = {"host": name, "port": port, "tls": "none", "user": REFEREE}
        given |= {f"{part}.{key}": str(value) for key, value in values.items()}
    return [word for key, value in given.items() for word in ("--set", f"{key}={value}")]


def test_the_demo(place: Path) -> None:
    ran(place, "make demo")
    assert (place / "demo-letters" / "index.html").exists()
    (play,) = re.findall(r"\n(\S*pbem demo --play)\n", README)
    assert "Your letter:" in ran(place, play)


def test_a_game_of_ones_own(place: Path) -> None:
    """What `pbem system new` names as next, then what its guide does."""
    install, check = named(ran(place, ".venv/bin/pbem system new coin"))
    ran(place, install)
    assert "BROKEN" not in ran(place, check, "--games", "1")
    assert "Your letter" in ran(place, ".venv/bin/pbem demo --play coin")
