"""Reading ahead: letters are read in a second process while those before them are answered.

Answering keeps one processor busy, and all threads of a program share that one.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Self

from pbem.intake import Limits, Reading, read_letter

PORTION = 25
"""So many letters are given to the second process at a time; it is not begun for fewer."""


class ReadAhead:
    """Knows what letters say before it is asked; what it doesn't know yet, it reads then.

    The second process begins once many letters are expected, and ends with the block. Should it
    fail, or where there is but one processor, letters are read when they are asked for.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._known: dict[str, Reading] = {}
        self._second: _Second | None = None
        self._hand: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        """Begin."""
        if (os.cpu_count() or 1) > 1:
            self._hand = ThreadPoolExecutor(1, "readahead")
        return self

    def __exit__(self, *_: object) -> None:
        """End, whatever is being read."""
        if self._second is not None:
            self._second.end()
        if self._hand is not None:
            self._hand.shutdown(cancel_futures=True)
        self._hand = self._second = None
        self._known.clear()

    def expect(self, letters: Sequence[tuple[str, bytes]]) -> None:
        """Begin to read letters, each with its SHA-256.

        To be called by one thread, and by none once the block is left.
        """
        if self._hand is None or (self._second is None and len(letters) < PORTION):
            return
        with suppress(OSError):
            self._second = self._second or _Second(self._limits)
            self._hand.submit(self._read, self._second, letters)

    def reading(self, sha256: str, letter: bytes) -> Reading:
        """Give what a letter is, and its words; what was read ahead is forgotten then."""
        known = self._known.pop(sha256, None)
        return read_letter(letter, self._limits) if known is None else known

    def _read(self, second: "_Second", letters: Sequence[tuple[str, bytes]]) -> None:
        with suppress(OSError, EOFError):
            for start in range(0, len(letters), PORTION):
                names, portion = zip(*letters[start : start + PORTION], strict=True)
                self._known.update(zip(names, second.read(portion), strict=True))


class _Second:
    """A second process, which reads letters and knows nothing else; raises OSError."""

    def __init__(self, limits: Limits) -> None:
        self._link, its = Pipe()
        with its:
            command = [sys.executable, "-P", "-m", __name__, str(its.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[its.fileno()])
        self._link.send(limits)

    def read(self, letters: Sequence[bytes]) -> list[Reading]:
        """Have letters read; raises OSError and EOFError where the process has ended."""
        self._link.send(letters)
        found: list[Reading] = self._link.recv()
        return found

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()


def _serve(link: Connection) -> None:
    """Read letters until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        limits = link.recv()
        while True:
            link.send([read_letter(letter, limits) for letter in link.recv()])


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])))
