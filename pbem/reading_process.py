"""Reading letters in a second process: in advance, and where one might take too long.

Answering keeps one processor busy, and all threads of a program share that one. And a process that
only reads can be ended, whatever a letter does to it (docs/decisions/0020-bombs.md).
"""

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Self

from pbem.intake import Limits, Reading, read_letter
from pbem.second_process import SecondProcess, confine, limited, link_of

PORTION = 25
"""How many letters the second process gets at a time; it is not started for fewer."""
SMALL = 32 << 10
"""Up to so many bytes a letter is read here, which takes a fraction of a second at worst."""
SECONDS = 5.0
"""The processor time that a letter may take in the second process, in seconds."""
PATIENCE = 60.0
"""How long to wait for the second process, in seconds."""
MEMORY = 400 << 20
"""The memory that the second process may have, in bytes."""


class ReadingFailed(Exception):
    """A letter could not be read: it took too much time or memory, or the program failed."""


class ReadingProcess:
    """Reads letters in advance; what it does not know yet when asked, it reads then.

    The second process starts once many letters are expected, and ends with the block. If it fails,
    or if there is only one processor, letters are read when they are asked for: small ones here,
    others in a process that is ended if it takes too long.
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
            self._hand = ThreadPoolExecutor(1, "reading")
        return self

    def __exit__(self, *_: object) -> None:
        """End, even while something is being read."""
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

        Only one thread may call this, and only inside the block.
        """
        if self._hand is None or (self._second is None and len(letters) < PORTION):
            return
        with suppress(OSError):
            if self._second is None or self._second.ended:
                self._second = _Second(self._limits)
            self._hand.submit(self._read, self._second, letters)

    def reading(self, sha256: str, letter: bytes) -> Reading:
        """Return what a letter is, and its words; drop the result if it was read in advance.

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


class _Second(SecondProcess):
    """A second process, which reads letters and knows nothing else. Raises OSError."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(__name__, limits)

    def read(self, letters: Sequence[bytes]) -> list[Reading | str]:
        """Return for each letter a reading, or the reason why it failed.

        Raise OSError or EOFError if the process has ended or is too slow.
        """
        self.link.send(letters)
        if not self.link.poll(PATIENCE):
            raise TimeoutError
        found: list[Reading | str] = self.link.recv()
        return found


def _serve(link: Connection) -> None:
    """Read letters until nobody asks any more."""
    # Ctrl-C goes to the whole process group; the daemon ends this process itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    confine(MEMORY)
    with suppress(EOFError, OSError):
        limits = link.recv()
        while True:
            link.send([_bounded(letter, limits) for letter in link.recv()])


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
