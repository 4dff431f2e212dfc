"""A whole duel by mail: between two scripted players, or a person against a bot."""

import sys
from collections.abc import Callable
from functools import wraps
from io import TextIOWrapper
from pathlib import Path
from subprocess import SubprocessError
from time import monotonic, sleep

from pbem.demo.album import Album
from pbem.demo.cast import ANN, BJORN, ENLISTED, SCRIPT, Part
from pbem.demo.letter import Letter
from pbem.demo.mailer import Mailer
from pbem.demo.proof import prove
from pbem.demo.stage import Actor, Stage, play_until, staged
from pbem.demo.work import DemoFailed

_QUIET = 1.0
_ANSWER = 15.0


def _plainly(act: Callable[[Path], int]) -> Callable[[Path], int]:
    """Report a failure in one sentence, and write on any terminal."""

    @wraps(act)
    def guarded(out: Path) -> int:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        try:
            return act(out)
        except BrokenPipeError:
            raise
        except (DemoFailed, OSError, SubprocessError) as error:
            print(f"pbem demo: {error}", file=sys.stderr)
            return 1

    return guarded


@_plainly
def demonstrate(out: Path) -> int:
    """Play a duel of two scripted players to its end, and check its dice; return 0 if
    all is well."""
    began = monotonic()
    with staged(out, ANN, BJORN) as (stage, mailers):
        ann, bjorn = (Actor(stage, m, p) for m, p in zip(mailers, (ANN, BJORN), strict=True))
        bjorn.open()
        play_until(stage, [bjorn], lambda: bjorn.has_heard(ENLISTED))
        ann.open()
        play_until(stage, [ann, bjorn], lambda: ann.has_heard(SCRIPT))
        letter = ann.has_heard(SCRIPT)
        assert letter is not None
        proof = prove(stage.album, stage.work, letter)
    _close(stage.album, [*proof.findings, _numbers(stage.album, monotonic() - began)])
    return 0 if proof.ok else 1


def _numbers(album: Album, seconds: float) -> str:
    there, back = album.count(to_referee=True), album.count(to_referee=False)
    return (
        f"{there} letters went to the referee and {back} came from it, over SMTP and IMAP,"
        f" in {seconds:.0f} seconds."
    )


def _close(album: Album, findings: list[str]) -> None:
    page = album.finish(findings)
    print("", *findings, f"All letters lie in {album.folder}; open {page}", sep="\n")


PERSON = Part("You", "you@home.example", False, "", ())

_GREETING = """
You have a mail program, and the league's referee has an address. You fly against the house:
Kestrel, of the alliance. Begin with a letter such as

  JOIN Your Name

The letters that come back say how to go on: enlist a pilot of another side, CHALLENGE Kestrel,
and send orders. A line with a single . sends your letter; an empty letter is one too. The end
of input (Ctrl-D) leaves.
"""


@_plainly
def play(out: Path) -> int:
    """Let a person write one side's letters at the terminal, against a scripted pilot."""
    began = monotonic()
    with staged(out, PERSON, BJORN) as (stage, (person, other)):
        opponent = Actor(stage, other, BJORN)
        opponent.open()
        play_until(stage, [opponent], lambda: opponent.has_heard(ENLISTED))
        print(_GREETING)
        _converse(stage, person, opponent)
    _close(stage.album, [_numbers(stage.album, monotonic() - began)])
    return 0


def _converse(stage: Stage, person: Mailer, opponent: Actor) -> None:
    """Send what the person types, and show what comes, until the input ends."""
    latest, more = None, True
    while more:
        text, more = _typed()
        if text or more:
            stage.say(person, text, latest)
            latest = _shown(stage, person, opponent) or latest


def _typed() -> tuple[str, bool]:
    """Return lines up to a single dot, and whether there may be more."""
    print("Your letter:", flush=True)
    lines: list[str] = []
    for line in sys.stdin:
        if line.strip() == ".":
            return "\n".join(lines), True
        lines.append(line.rstrip("\r\n"))
    return "\n".join(lines).strip(), False


def _shown(stage: Stage, person: Mailer, opponent: Actor) -> Letter | None:
    """Wait for letters, show them, and return the last; the scripted pilot answers meanwhile."""
    latest, until = None, monotonic() + _ANSWER
    while monotonic() < until:
        stage.work.check()
        letters = stage.hear(person)
        for latest in letters:
            print(f"\n{latest.text}\n{'=' * 72}", flush=True)
        if opponent.attend() or letters:
            until = monotonic() + _QUIET
        sleep(0.05)
    return latest
