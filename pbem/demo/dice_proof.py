"""The proof of a duel's dice, made as a player makes it, from what came by mail."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from pbem.demo.league import DemoFailed, DemoLeague
from pbem.demo.letter import ShownLetter
from pbem.demo.letter_archive import LetterArchive
from pbem.games.checking_script import script_name

_EXPORT = "G1.json"


@dataclass(frozen=True, slots=True)
class Proof:
    """What was found: whether everything agrees, and how to say so."""

    ok: bool
    findings: list[str]


def prove(archive: LetterArchive, league: DemoLeague, letter: ShownLetter) -> Proof:
    """Run the script that came by mail, and compare its battle with the referee's own database."""
    files = letter.attachments()
    # Without an export no system and no script is found, which is reported below.
    system = json.loads(files.get(_EXPORT, b"[{}]"))[0].get("system")
    script = script_name(system)
    if script not in files:
        raise DemoFailed("the checking script did not come with the battle's export")
    paths = {name: archive.save(name, data) for name, data in files.items()}
    same = league.command("game", "1", "--export").stdout == files[_EXPORT]
    verified = league.command("verify", str(paths[_EXPORT].resolve())).returncode == 0
    ran, words = _run(paths[script], paths[_EXPORT])
    findings = [
        _ending(files[_EXPORT]),
        f"{script}, as it came by mail, says: {words}",
        f"pbem verify says {'yes' if verified else 'NO'}; the referee's own export is"
        f" {'the same' if same else 'NOT the same'}.",
    ]
    return Proof(ran and verified and same, findings)


def _run(script: Path, export: Path) -> tuple[bool, str]:
    done = subprocess.run(
        # Isolated, so that it can't import what a player does not have.
        [sys.executable, "-I", str(script), str(export)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = (done.stdout + done.stderr).strip().splitlines()
    return done.returncode == 0, said[-1] if said else "nothing"


def _ending(export: bytes) -> str:
    """Return a sentence on how the battle ended, from its export."""
    parts = json.loads(export)
    winner, steps = parts[-1]["winner"], len(parts) - 2
    how = f"{winner} has won" if winner else "The battle is a draw"
    return f"{how}, after {steps} steps. The dice of each can be checked."
