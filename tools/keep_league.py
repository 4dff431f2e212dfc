"""Makes a small league with any version of pbem, as the test of upgrades keeps some.

`python -m tools.keep_league TARGET.tar.xz [SOURCE]` founds a league by the program whose source is
in a folder (this one, or a worktree of an older commit), plays parts of it by letters in a Maildir,
and writes what that program's `pbem backup` makes, with the export of a finished battle beside it.
It uses only commands and letters of the program, so that it works with old ones too.
"""

import os
import sqlite3
import subprocess
import sys
import tarfile
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.paths import ROOT
from tests.support.players import HAWK, KESTREL, PATIENT, REFEREE, STANDING, letter, parsed, reply

DATABASE = "league.db"
EXPORT = "export.json"
"""The name of the finished battle's export in the file."""
PEOPLE = ("Ann", "Bob", "Cat", "Dan", "Mona")
SETTINGS = f"""\
[league]
name = "Kept League"
address = "{REFEREE}"
moderator = "mona@league.example"
systems = ["starpilot", "blackskies", "starfarer", "cortex"]

[maildir]
path = "in"
out = "out"

[newsletter]
when = "0 9 1 * *"
strangers = true

# Small, so that what is kept is small.
[reports]
pictures = false
pdf = false

[limits]
letters_a_day = 1000
"""
BATTLES = (
    (HAWK, KESTREL, "CHALLENGE Kestrel WITH Hawk FIRST me"),
    (
        "SQUADRON Vultures WITH Red: 1 Gadfly SKILL 2; Gold: 1 Gadfly SKILL 2",
        "SQUADRON Kites WITH Blue: 2 Gadfly SKILL 2",
        "CHALLENGE Kites WITH Vultures",
    ),
    (
        "SQUAD Ravens WITH Kitai: scout; Bo: guard",
        "SQUAD Owls WITH Cy: medic; Di: guard",
        "CHALLENGE Owls WITH Ravens",
    ),
    (
        "GROUP Larks WITH Lance: fighter; Citadel: frigate",
        "GROUP Terns WITH Raider: fighter; Fort: frigate",
        "CHALLENGE Terns WITH Larks",
    ),
)
"""What Ann and Bob enlist in each system, and how Ann challenges Bob."""
SHORT = "STANDING\nIF TURN >= 4: SURRENDER\nELSE: SCAN\nEND"
"""Rules under which a duel is over soon, with nobody dead."""
TURNS = (
    (f"{PATIENT}\nSALT of the earth\n\nThe rain fell on Avalon.", "SCAN"),
    ("Red: AFTERBURNER\nGold: STEADY", "Blue: STEADY"),
    ("Kitai: AIM AT Cy\nKitai: ATTACK Cy\nBo: HOLD", "Cy: HOLD\nDi: HOLD"),
    ("Lance: CLOSE ON Fort\nCitadel: FIRE Railgun AT Fort", "Raider: DEFEND\nFort: EVADE"),
)
"""What the two order first in each battle, so that its first turn is played."""


@dataclass
class League:
    """A league that a program of any version runs, and the mail of all who play in it."""

    folder: Path
    source: Path
    dropped: int = 0
    letters: list[EmailMessage] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def found(self) -> None:
        """Make the league's folder."""
        (self.folder / "league.toml").write_text(SETTINGS)
        for box in ("in", "out"):
            for part in ("cur", "new", "tmp"):
                (self.folder / box / part).mkdir(parents=True)

    def pbem(self, *words: str) -> str:
        """Run a command of the program, and return what it printed."""
        program = [sys.executable, "-m", "pbem", "--config", str(self.folder / "league.toml")]
        environment = os.environ | {"PYTHONPATH": str(self.source)}
        done = subprocess.run(
            [*program, *words], cwd=self.source, env=environment, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"pbem {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def work(self) -> None:
        """Do a round, and collect what was sent."""
        self.pbem("once")
        sent = (self.folder / "out" / "new").iterdir()
        for file in sorted(sent, key=lambda one: one.stat().st_mtime_ns):
            if file.name not in self.seen:
                self.seen.add(file.name)
                self.letters.append(parsed(file.read_bytes()))

    def write(self, name: str, text: str) -> None:
        """Send a new letter of a person."""
        self._drop(letter(name, text, self.dropped))

    def answer(self, name: str, text: str, about: str = "") -> None:
        """Reply to the last letter that a person got, or to the last one about something."""
        address = f"{name.lower()}@league.example"
        got = [one for one in self.letters if address in str(one["To"])]
        fits = [one for one in got if about in str(one["Subject"])]
        if not fits:
            raise SystemExit(
                f"{name} has no {about!r} among {[str(one['Subject']) for one in got]}"
            )
        self._drop(reply(name, fits[-1], text, self.dropped))

    def _drop(self, written: EmailMessage) -> None:
        self.dropped += 1
        (self.folder / "in" / "new" / f"{self.dropped:04}").write_bytes(written.as_bytes())


def play(league: League) -> None:
    """Play what the test of upgrades plays on: game 1 to 4 run, and game 5 is over."""
    for name in PEOPLE:
        league.write(name, f"JOIN {name} Example")
    league.write("Eve", "SUBSCRIBE newsletter")
    league.work()
    for name in (*PEOPLE, "Eve"):
        league.answer(name, "Yes, that was me.")
    league.work()
    for ours, theirs, _ in BATTLES:
        league.answer("Ann", ours)
        league.answer("Bob", f"FORMAT text\n{theirs}")
    # Cat and Dan fight game 5 until it is over.
    league.answer("Cat", f"FORMAT text\n{HAWK.replace('Hawk', 'Osprey')}")
    league.answer("Dan", f"FORMAT text\n{KESTREL.replace('Kestrel', 'Merlin')}")
    league.work()
    for _, _, challenge in BATTLES:
        league.answer("Ann", challenge)
    league.answer("Cat", "CHALLENGE Merlin WITH Osprey FIRST me")
    league.work()
    for number in range(1, len(BATTLES) + 1):
        league.answer("Bob", f"ACCEPT {number}")
    league.answer("Dan", "ACCEPT 5")
    league.work()
    for game, orders in enumerate(TURNS, 1):
        for name, text in zip(("Ann", "Bob"), orders, strict=True):
            league.answer(name, text, f"[G{game}-")
    while not any("[G5" in one["Subject"] and " over" in one["Subject"] for one in league.letters):
        league.answer("Cat", STANDING, "[G5-")
        league.answer("Dan", SHORT, "[G5-")
        league.work()
    league.answer("Dan", "CHALLENGE ANYBODY WITH Merlin")
    league.answer("Cat", "AWAY 2026-12-20 TO 2026-12-30\nSUBSCRIBE newsletter")
    league.answer("Mona", KESTREL.replace("Kestrel", "Heron"))
    league.work()
    league.answer("Mona", "CHALLENGE Osprey WITH Heron")
    league.work()
    # While the way out is shut, what is written stays queued.
    settings = league.folder / "league.toml"
    settings.write_text(SETTINGS.replace('out = "out"', 'sendmail = "/bin/false"'))
    league.answer("Ann", "FIRE", "[G1-")
    league.pbem("once")
    settings.write_text(SETTINGS)


def keep(target: Path, source: Path) -> None:
    """Play a league by a program, and write what is kept of it."""
    with TemporaryDirectory(prefix="pbem-") as folder:
        league = League(Path(folder), source)
        league.found()
        play(league)
        league.pbem("backup")
        [backup] = (league.folder / "backups").glob("pbem-*.tar.gz")
        made = Path(folder) / "made"
        with tarfile.open(backup) as archive:
            archive.extractall(made, filter="data")
        _recode(made / DATABASE, zlib.decompress)
        (made / EXPORT).write_text(league.pbem("game", "5", "--export"))
        with tarfile.open(target, "w:xz") as kept:
            for name in (DATABASE, "league.toml", EXPORT):
                kept.add(made / name, name)


def unpack(kept: Path, folder: Path) -> None:
    """Write the files of a kept league into a folder, as its program had written them."""
    with tarfile.open(kept) as archive:
        archive.extractall(folder, filter="data")
    _recode(folder / DATABASE, lambda content: zlib.compress(content, 6))


def _recode(database: Path, code: Callable[[bytes], bytes]) -> None:
    """Change how all letters are stored: without compression of their own, they pack far better."""
    with closing(sqlite3.connect(database)) as opened:
        opened.create_function("code", 1, lambda content: code(content) if content else b"")
        for table in ("letter", "outgoing"):
            opened.execute(f"UPDATE {table} SET content = code(content)")
        opened.commit()
        opened.execute("VACUUM")


if __name__ == "__main__":
    keep(Path(sys.argv[1]), Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else ROOT)
