"""Measures what bombs cost, each in a process of its own, so that no other letter is counted.

`python -m tests.hostile.bomb_meter WAY SIZE NAME...` prints one line of JSON for each.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from pbem.intake import read_letter
from pbem.people.erasing import erase
from pbem.rendering import Renderer
from pbem.service import service
from pbem.storage import Player, Token
from tests.hostile.bombs import BOMBS, made
from tests.service.crash_driver import _once
from tests.support.harness import League, duel, open_league

PATIENCE = 10.0
"""A bomb is ended after this much processor time, in seconds."""


@dataclass(frozen=True)
class Cost:
    """What one bomb took: processor seconds, here and in helpers, and memory at its highest."""

    name: str
    size: int
    seconds: float
    helpers: float
    mebibytes: float
    fate: str


def _spent(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def _highest() -> float:
    """Return the most memory since the last look, of this process or a helper that ended."""
    status = Path("/proc/self/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    helper = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return max(int(line.split()[1]), helper) / 1024


_began = [0.0, 0.0]


def begin() -> None:
    """Count from now on."""
    Path("/proc/self/clear_refs").write_text("5")
    _began[:] = _spent(resource.RUSAGE_SELF), _spent(resource.RUSAGE_CHILDREN)


def measured(name: str, raw: bytes, act: Callable[[bytes], str]) -> Cost:
    """Do something with a bomb in a process of its own, and return its cost."""
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        _act(name, raw, act, mouth)
    os.close(mouth)
    with os.fdopen(ear) as pipe:
        output = pipe.read()
    os.waitpid(child, 0)
    found = json.loads(output) if output else [PATIENCE, 0.0, 0.0, "killed"]
    return Cost(name, len(raw), *found)


def _act(name: str, raw: bytes, act: Callable[[bytes], str], mouth: int) -> None:
    try:
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        begin()
        fate = act(raw)
        seconds = _spent(resource.RUSAGE_SELF) - _began[0]
        helpers = _spent(resource.RUSAGE_CHILDREN) - _began[1]
        os.write(mouth, json.dumps([seconds, helpers, _highest(), fate]).encode())
        os._exit(0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)


def _read(raw: bytes) -> str:
    return read_letter(raw).klass


def _worked(league: League, raw: bytes) -> str:
    """Have the service handle a letter, and return the result."""
    league.drop(raw)
    league.work()
    letter = league.last_letter()
    return f"{letter.state} {letter.error[-200:]}".strip()


def _left(league: League, raw: bytes) -> str:
    """Erase a player while a bomb from somebody else is in the database."""
    fate = _worked(league, raw)
    before = _spent(resource.RUSAGE_SELF)
    with league.store.transaction():
        erase(league.store, league.store.all(Player.select().order_by(Player.id))[0])
    return f"{fate}, erased in {_spent(resource.RUSAGE_SELF) - before:.3f}"


def costs(way: str, size: int, names: Iterable[str]) -> Iterator[Cost]:
    """Measure bombs: read alone, or handled from a stranger or a player, or searched."""
    if way == "read":
        for name in names:
            yield measured(name, made(name, size, b"eve@evil.example"), _read)
        return
    service.Renderer = _once(Renderer)  # type: ignore[misc, assignment]
    with TemporaryDirectory() as folder:
        with open_league(Path(folder)) as league:
            bob = duel(league)[1].address.encode()
            token = [
                one
                for one in league.store.all(
                    Token.select().where(Token.player == 2).order_by(Token.token)
                )
                if one.game_id
            ][-1].token
            if way == "german":
                league.store.run(Player.update(language="de").where(Player.id == 2))
        for name in names:
            known = way in ("player", "german")
            sender, proof = (bob, token.encode()) if known else (b"eve@evil.example", b"")
            raw = made(name, size, sender, proof)
            act = _left if way == "leaving" else _worked
            yield measured(name, raw, partial(_in_a_copy, Path(folder), act))


def _in_a_copy(folder: Path, act: Callable[[League, bytes], str], raw: bytes) -> str:
    """Do something in a copy of a league, so that each bomb finds the same one."""
    with TemporaryDirectory() as other:
        copy = Path(copytree(folder, other, dirs_exist_ok=True))
        with open_league(copy) as league:
            league.now += timedelta(hours=1)
            begin()
            return act(league, raw)


def main() -> None:
    """Measure what the command names."""
    way, size, *names = sys.argv[1:]
    for cost in costs(way, int(size), names or BOMBS):
        print(json.dumps(asdict(cost)), flush=True)


if __name__ == "__main__":
    main()
