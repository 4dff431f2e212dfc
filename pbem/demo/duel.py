"""A whole duel by mail between two scripted players."""

import sys
from collections.abc import Callable
from functools import wraps
from io import TextIOWrapper
from pathlib import Path
from subprocess import SubprocessError
from time import monotonic
from typing import ParamSpec

from pbem.demo.dice_proof import prove
from pbem.demo.environment import Actor, play_until, set_up
from pbem.demo.league import DemoFailed
from pbem.demo.letter_archive import LetterArchive
from pbem.demo.players import ANN, BJORN, ENLISTED, SCRIPT

P = ParamSpec("P")


def plainly(act: Callable[P, int]) -> Callable[P, int]:
    """Report a failure in one sentence, and write on any terminal."""

    @wraps(act)
    def guarded(*given: P.args, **named: P.kwargs) -> int:
        if isinstance(sys.stdout, TextIOWrapper):
            # Not every terminal has ø and arrows, and a letter must not end the demo.
            sys.stdout.reconfigure(errors="replace")
        try:
            return act(*given, **named)
        except BrokenPipeError:
            # Nobody reads the output any more, and pbem.cli ends quietly then.
            raise
        except (DemoFailed, OSError, SubprocessError) as error:
            print(f"pbem demo: {error}", file=sys.stderr)
            return 1

    return guarded


@plainly
def demonstrate(out: Path) -> int:
    """Play a duel of two scripted players, and check its dice; return 0 if all is well."""
    began = monotonic()
    with set_up(out, ANN, BJORN) as (demo, mailers):
        ann, bjorn = (Actor(demo, m, p) for m, p in zip(mailers, (ANN, BJORN), strict=True))
        # Ann challenges Kestrel, so that pilot must be there before she writes.
        bjorn.open()
        play_until(demo, [bjorn], lambda: bjorn.has_heard(ENLISTED))
        ann.open()
        play_until(demo, [ann, bjorn], lambda: ann.has_heard(SCRIPT))
        letter = ann.has_heard(SCRIPT)
        assert letter is not None
        proof = prove(demo.archive, demo.league, letter)
    close(demo.archive, [*proof.findings, numbers(demo.archive, monotonic() - began)])
    return 0 if proof.ok else 1


def numbers(archive: LetterArchive, seconds: float) -> str:
    """Return how many letters went which way, as a sentence."""
    there, back = archive.count(to_referee=True), archive.count(to_referee=False)
    return (
        f"{there} letters went to the referee and {back} came from it, over SMTP and IMAP,"
        f" in {seconds:.0f} seconds."
    )


def close(archive: LetterArchive, findings: list[str]) -> None:
    """Write the page of all letters, and print what was found and where the page is."""
    page = archive.finish(findings)
    print("", *findings, f"All letters lie in {archive.folder}; open {page}", sep="\n")
