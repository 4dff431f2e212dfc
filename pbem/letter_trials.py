"""Letters tried in a second process, so that one that kills its process does no harm.

A letter that was in hand when the program died is handled there first, in a transaction that is
undone. So the daemon dies at most once for all the letters in hand that kill it, and those after
them are answered in their order. A letter that can't be tried is handled as if it had passed.
"""

import logging
import os
import signal
import sys
from contextlib import closing, suppress
from datetime import datetime
from multiprocessing.connection import Connection

from pbem.child_process import SecondProcess, confine, limited, link_of
from pbem.rounds import Trials
from pbem.routing import router
from pbem.service import Service
from pbem.settings import Settings
from pbem.storage import Letter, Store

log = logging.getLogger("pbem")

SECONDS = 30.0
"""The processor time that a letter may take in a trial, in seconds."""
PATIENCE = 60.0
"""How long to wait for a trial, in seconds; the watchdog waits longer."""
MEMORY = 1 << 30
"""The address space that the second process may have, in bytes."""


class TrialsApart(Trials):
    """Tries letters in a second process, which begins with the first and ends with the block."""

    def __init__(self, settings: Settings, module: str = __name__) -> None:
        """Try letters of the league of these settings; `module` is what the process runs."""
        self._settings, self._module = settings, module
        self._second: _Second | None = None

    def __exit__(self, *_: object) -> None:
        """End the process, if there is one."""
        if self._second is not None:
            self._second.end()
            self._second = None

    def survives(self, letter: Letter, now: datetime) -> bool:
        """Return True if a process that handles the letter survives, or if none could try it."""
        try:
            if self._second is None:
                self._second = _Second(self._settings, self._module)
            begun = self._second.begins(letter, now)
        except (OSError, EOFError) as error:
            log.warning("letter %d can't be tried in a second process: %r", letter.id, error)
            self.__exit__()
            return True
        if begun and not self._second.ends_well():
            log.error("letter %d killed the process in which it was tried", letter.id)
            self.__exit__()
            return False
        return True


class _Second(SecondProcess):
    """A second process, which handles letters and undoes it. Raises OSError and EOFError."""

    def __init__(self, settings: Settings, module: str) -> None:
        # Nothing that it prints goes to the log: a traceback could name addresses.
        super().__init__(module, settings, silent=True)

    def begins(self, letter: Letter, now: datetime) -> bool:
        """Have a letter handled. Return whether that was begun: the letter may be gone."""
        self.link.send((letter.id, now))
        if not self.link.poll(PATIENCE):
            raise TimeoutError("the second process is too slow")
        return bool(self.link.recv())

    def ends_well(self) -> bool:
        """Return whether the process is alive after the letter was handled."""
        with suppress(OSError, EOFError):
            return self.link.poll(PATIENCE) and bool(self.link.recv())
        return False


class _Tried(Exception):
    """Raised to undo what was only tried."""


def serve(link: Connection) -> None:
    """Handle letters, and undo it, until nobody asks any more."""
    for number in (signal.SIGINT, signal.SIGTERM):  # a stop of the service is not a letter's fault
        signal.signal(number, signal.SIG_IGN)
    confine(MEMORY)
    with suppress(EOFError, OSError):
        settings: Settings = link.recv()
        with closing(Store(settings.store_url())) as store:
            service = Service(settings, store)
            while True:
                _serve_one(link, service, *link.recv())


def _serve_one(link: Connection, service: Service, number: int, now: datetime) -> None:
    letter = service.ports.store.letters.find(id=number)
    link.send(letter is not None)
    if letter is None:
        return
    try:
        with limited(SECONDS), service.ports.store.transaction():
            router.handle(service.ports, letter, now)
            raise _Tried
    except MemoryError:
        os._exit(1)
    except Exception:
        link.send(True)  # the daemon survives an exception too


if __name__ == "__main__":
    serve(link_of(sys.argv))
