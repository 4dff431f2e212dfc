"""Reading letters in a second process: ahead of their turn, and where one might take too long.

Answering keeps one processor busy, and all threads of a program share that one. And a process that
only reads can be ended, whatever a letter does to it (docs/decisions/0020-bombs.md).
"""

import os
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Self

from pbem.intake import Limits, Reading, read_letter

PORTION = 25
"""So many letters are given to the second process at a time; it is not begun for fewer."""
SMALL = 32 << 10
"""Up to so many bytes a letter is read here, where it takes a fraction of a second at worst."""
SECONDS = 5.0
"""The processor time that a letter may take in the second process."""
PATIENCE = 60.0
"""How long the second process is waited for, in seconds."""
MEMORY = 400 << 20
"""The memory that the second process may have, in bytes."""


class ReadingFailed(Exception):
    """A letter could not be read: it took too much time or memory, or the program failed at it."""


class ReadingProcess:
    """Knows what letters say before it is asked; what it doesn't know yet, it reads then.

    The second process begins once many letters are expected, and ends with the block. Should it
    fail, or where there is but one processor, letters are read when they are asked for: small ones
    here, others in a process that is ended if it takes too long.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._known: dict[str, Reading] = {}
        self._second: _Second | None = None
        self._guarded: _Second | None = None
        self._hand: ThreadPoolExecutor | None = None
        self._inside = False

    def __enter__(self) -> Self:
        """Begin."""
        self._inside = True
        if (os.cpu_count() or 1) > 1:
            self._hand = ThreadPoolExecutor(1, "readahead")
        return self

    def __exit__(self, *_: object) -> None:
        """End, whatever is being read."""
        self._inside = False
        for process in (self._second, self._guarded):
            if process is not None:
                process.end()
        if self._hand is not None:
            self._hand.shutdown(cancel_futures=True)
        self._hand = self._second = self._guarded = None
        self._known.clear()

    def expect(self, letters: Sequence[tuple[str, bytes]]) -> None:
        """Begin to read letters, each with its SHA-256.

        To be called by one thread, and by none once the block is left.
        """
        if self._hand is None or (self._second is None and len(letters) < PORTION):
            return
        with suppress(OSError):
            if self._second is None or self._second.ended:
                self._second = _Second(self._limits)
            self._hand.submit(self._read, self._second, letters)

    def reading(self, sha256: str, letter: bytes) -> Reading:
        """Return what a letter is, and its words; what was read ahead is forgotten then.

        Raises ReadingFailed.
        """
        known = self._known.pop(sha256, None)
        if known is not None:
            return known
        if len(letter) <= SMALL:
            return read_letter(letter, self._limits)
        return self._read_guarded(letter)

    def _read_guarded(self, letter: bytes) -> Reading:
        try:
            if self._guarded is None:
                self._guarded = _Second(self._limits)
        except OSError:
            return read_letter(letter, self._limits)
        try:
            [found] = self._guarded.read([letter])
        except (OSError, EOFError):
            self._guarded.end()
            self._guarded = None
            raise ReadingFailed("reading the letter took too much time or memory") from None
        finally:
            if not self._inside and self._guarded is not None:
                self._guarded.end()
                self._guarded = None
        if isinstance(found, str):
            raise ReadingFailed(found)
        return found

    def _read(self, second: "_Second", letters: Sequence[tuple[str, bytes]]) -> None:
        try:
            for start in range(0, len(letters), PORTION):
                names, portion = zip(*letters[start : start + PORTION], strict=True)
                for name, found in zip(names, second.read(portion), strict=True):
                    if isinstance(found, Reading):
                        self._known[name] = found
        except (OSError, EOFError):
            second.end()


class _Second:
    """A second process, which reads letters and knows nothing else; raises OSError."""

    def __init__(self, limits: Limits) -> None:
        self._link, its = Pipe()
        with its:
            command = [sys.executable, "-P", "-m", __name__, str(its.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[its.fileno()])
        self._link.send(limits)

    def read(self, letters: Sequence[bytes]) -> list[Reading | str]:
        """Have letters read, each to a reading or to what went wrong.

        Raises OSError and EOFError where the process has ended, or is too slow.
        """
        self._link.send(letters)
        if not self._link.poll(PATIENCE):
            raise TimeoutError
        found: list[Reading | str] = self._link.recv()
        return found

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()


def _serve(link: Connection) -> None:
    """Read letters until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with suppress(EOFError, OSError):
        limits = link.recv()
        while True:
            link.send([_bounded(letter, limits) for letter in link.recv()])


def _bounded(letter: bytes, limits: Limits) -> Reading | str:
    """Read a letter; the process ends where that takes too much of the processor."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return read_letter(letter, limits)
    except MemoryError:
        os._exit(1)
    except Exception:
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])))
