"""The shell lines of moderator.md do what it says to a league that uses every part.

They are run as they stand there, in a folder that stands for the root of the machine. Programs that
belong to the machine, such as systemctl, are replaced by ones that do nothing.
"""

import difflib
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pbem import cli
from pbem.settings.load import load
from pbem.storage import Player, Store
from tests.support.paths import DOCS, ROOT

MODERATOR = (DOCS / "moderator.md").read_text("utf-8")
CHANNELS = """
[channels.forum]
kind = "discourse"
url = "https://forum.league.example"
user = "referee"
key_file = "discourse-key"
category = 5

[channels.board]
kind = "nodebb"
url = "https://board.league.example"
token_file = "keys/nodebb-token"
category = 5

[newsletter]
unsubscribe_url = "https://league.example/newsletter"
"""
SECRETS = ("imap-password", "smtp-password", "discourse-key", "keys/nodebb-token")
OF_THE_MACHINE = ("systemctl", "journalctl")


def block(*words: str) -> str:
    """Return the one block of shell lines in moderator.md that holds these words."""
    every = re.findall(r"^ *```\w*\n(.*?)^ *```", MODERATOR, re.M | re.S)
    [found] = [text for text in every if all(word in text for word in words)]
    return str(found)


class Machine:
    """A folder that stands for the root of a machine, with a league in `myleague`."""

    def __init__(self, root: Path) -> None:
        self.root, self.etc = root, root / "etc/pbem"
        self.league = root / "myleague"
        settings = ("--name", "Avalon", "--address", "referee@league.example")
        assert cli.main(["init", str(self.league), "--yes", *settings]) == 0
        with (self.league / "league.toml").open("a") as file:
            file.write(CHANNELS)
        (self.league / "keys").mkdir()
        for name in SECRETS:
            (self.league / name).write_text(f"the {name}\n")
        for folder in ("etc/systemd/system", "var/lib", "opt/pbem/bin"):
            (root / folder).mkdir(parents=True)
        for name in OF_THE_MACHINE:
            self._program(root / "opt/pbem/bin" / name, "exit 0")
        self._program(root / "opt/pbem/bin/pbem", f'exec {sys.executable} -m pbem "$@"')
        (root / "systemd").symlink_to(ROOT / "systemd")

    @staticmethod
    def _program(file: Path, text: str) -> None:
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def run(self, lines: str) -> str:
        """Run shell lines, in which each path of the machine means one below its root."""
        for path in ("/etc/", "/var/lib/", "/opt/"):
            # Not in the URL of a database: a machine's own path is what the lines write there.
            lines = re.sub(rf"(?<![\w/]){path}", f"{self.root}{path}", lines)
        path = f"{self.root}/opt/pbem/bin:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-euc", lines],
            cwd=self.root,
            env={"PATH": path, "PYTHONPATH": str(ROOT), "PBEM_CONFIG": "myleague"},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, f"{lines}\n{done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_league_becomes_a_service_with_all_that_it_uses(machine: Machine) -> None:
    machine.run(block("cp -R myleague", "sed -i"))
    was, now = (
        (folder / "league.toml").read_text().splitlines()
        for folder in (machine.league, machine.etc)
    )
    changed = [line for line in difflib.ndiff(was, now) if line.startswith(("+ ", "- "))]
    assert [line[:8] for line in changed] == ["- url = ", "+ url = "]
    assert "/var/lib/pbem/league.db" in changed[1]
    assert set(load(machine.etc / "league.toml").channels) == {"forum", "board"}
    for name in SECRETS:
        assert (machine.etc / name).read_text() == f"the {name}\n"
        assert (machine.etc / name).stat().st_mode & 0o077 == 0
    assert not list(machine.etc.glob("*.db*"))


def test_the_unit_is_installed_from_the_checkout(machine: Machine) -> None:
    machine.run(block("cp systemd/pbem.service").replace("journalctl -u pbem -f", ""))
    machine.run(block("cp systemd/pbem-backup"))
    there = {file.name for file in (machine.root / "etc/systemd/system").iterdir()}
    assert there == {"pbem.service", "pbem-backup.service", "pbem-backup.timer"}


def test_a_backup_moves_to_another_machine_as_a_service(machine: Machine) -> None:
    backup = machine.root / "pbem-20261120T031500Z.tar.gz"
    made = machine.run(f"pbem backup {machine.root} && mv pbem-2*.tar.gz {backup.name}")
    assert "backup" in made
    lines = block("install -d -m 700", "/etc/pbem restore")
    machine.run(lines.replace("-o root -g root ", ""))
    assert (machine.root / "var/lib/pbem").resolve() == machine.root / "var/lib/private/pbem"
    settings = load(machine.etc / "league.toml")
    assert settings.league.name == "Avalon"
    for name in SECRETS:
        assert (machine.etc / name).read_text().strip() == f"the {name}"
    with closing(Store(settings.store_url())) as store:
        assert store.count(Player.select()) == 0


def test_shunted_letters_are_listed(machine: Machine) -> None:
    first, *others = block("pbem shunted list").strip().splitlines()
    assert machine.run(first) == "No letter is shunted.\n"
    assert [line.split()[2] for line in others] == ["show", "retry", "drop"]
