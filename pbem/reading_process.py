"""Reading large letters in a second process, which is ended if one takes too long.

A process that only reads can be ended, whatever a letter does to it (docs/decisions/0020-bombs.md).
"""

import os
import signal
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Self

from pbem.child_process import SecondProcess, confine, limited, link_of
from pbem.intake import Limits, Reading, read_letter

SECONDS = 5.0
"""The processor time that a letter may take in the second process, in seconds."""
PATIENCE = 60.0
"""How long to wait for the second process, in seconds."""
MEMORY = 400 << 20
"""The memory that the second process may have, in bytes."""


class ReadingFailed(Exception):
    """A letter could not be read: it took too much time or memory, or the program failed."""


class ReadingProcess:
    """Reads large letters in a process that is ended if it takes too long.

    Inside its block one process reads all letters; it starts with the first.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._second: SecondProcess | None = None
        self._inside = False

    def __enter__(self) -> Self:
        """Begin."""
        self._inside = True
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, if there is one."""
        self._inside = False
        if self._second is not None:
            self._second.end()
            self._second = None

    def read(self, letter: bytes) -> Reading:
        """Return what a letter is, and its words. Raises ReadingFailed."""
        try:
            if self._second is None:
                self._second = SecondProcess(__name__, self.limits)
        # A system that can't begin a process must still read letters.
        except OSError:
            return read_letter(letter, self.limits)
        found = self._read_there(self._second, letter)
        if isinstance(found, str):
            raise ReadingFailed(found)
        return found

    def _read_there(self, second: SecondProcess, letter: bytes) -> Reading | str:
        """Return a letter's reading, or why it failed. End the process if it is too slow."""
        answered = False
        try:
            second.link.send(letter)
            if not second.link.poll(PATIENCE):
                raise TimeoutError
            found: Reading | str = second.link.recv()
            answered = True
            return found
        except (OSError, EOFError):
            raise ReadingFailed("reading the letter took too much time or memory") from None
        finally:
            if not (answered and self._inside):
                second.end()
                self._second = None


def _serve(link: Connection) -> None:
    """Read letters until nobody asks any more."""
    # Ctrl-C goes to the whole process group; the daemon ends this process itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    confine(MEMORY)
    with suppress(EOFError, OSError):
        limits = link.recv()
        while True:
            link.send(_bounded(link.recv(), limits))


def _bounded(letter: bytes, limits: Limits) -> Reading | str:
    """Return the reading of a letter; end the process if that takes too much processor time."""
    try:
        with limited(SECONDS):
            return read_letter(letter, limits)
    except MemoryError:
        # Without memory even a traceback may fail; the parent sees the end of the process.
        os._exit(1)
    except Exception:
        return traceback.format_exc()


if __name__ == "__main__":
    _serve(link_of(sys.argv))
