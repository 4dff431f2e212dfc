"""Letters that may do harm are handled in a second process, which a letter may end.

They are large ones, those that failed before, and those that were in hand when the program died
(docs/decisions/0020-bombs.md). Only the end of this process counts against a letter, and only if
the daemon outlives it: what ends the daemon, or both at once, is no letter's fault.
"""

import logging
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from pbem.service.rounds import ENDED, Apart, Result
from pbem.service.service import Service
from pbem.settings import Settings
from pbem.storage import Letter, Store, StoreDown, StoreLocked

log = logging.getLogger("pbem")

SECONDS = 15.0
"""The processor time that a letter may take in the second process, in seconds."""
PATIENCE = 60.0
"""How long to wait for the second process, in seconds; the watchdog waits longer."""
MEMORY = 400 << 20
"""The address space that the second process may have, in bytes."""
GRACE = 0.5
"""How long after the end of the second process a letter is blamed for it, in seconds.

Who kills all of our processes one after the other has killed this one by then, too.
"""


class HandledApart(Apart):
    """Handles letters in a second process, which begins with the first and ends with the block."""

    def __init__(self, settings: Settings, module: str = __name__) -> None:
        """Handle letters of the league of these settings; `module` is what the process runs."""
        self._settings, self._module = settings, module
        self._second: _SecondProcess | None = None

    def __exit__(self, *_: object) -> None:
        """End the process, if there is one."""
        if self._second is not None:
            self._second.end()
            self._second = None

    def handle(self, letter: Letter, now: datetime) -> Result | None:
        """Handle a letter. Return what became of it, or None if no process could be begun.

        Raises StoreDown.
        """
        result = self._ask("handle", letter, now)
        if result is None or not result.ended:
            return result
        log.error("letter %d ended the process that handled it", letter.id)
        time.sleep(GRACE)
        # There too, since the letter is read once more for a notice to its writer.
        return self._ask("blame", letter, now) or result

    def _ask(self, act: str, letter: Letter, now: datetime) -> Result | None:
        if self._second is not None and self._second.ended:
            self.__exit__()  # between two letters, so it is the fault of neither
        try:
            if self._second is None:
                self._second = _SecondProcess(self._settings, self._module)
        except (OSError, EOFError) as error:
            log.warning("no second process can be begun: %r", error)
            return None
        try:
            found = self._second.asked((act, letter.id, now))
        except (OSError, EOFError):
            self.__exit__()
            return Result(ended=True)
        if isinstance(found, str):
            raise StoreDown(found)
        return found


class _SecondProcess:
    """A module of ours that runs on its own, and the link to it. Raises OSError and EOFError."""

    def __init__(self, settings: Settings, module: str) -> None:
        self._link, its = Pipe()
        with its:
            self._process = subprocess.Popen(
                # -P: modules in the folder where the program was started must not be imported.
                [sys.executable, "-P", "-m", module, str(its.fileno())],
                pass_fds=[its.fileno()],
                # Nothing that it prints goes to the log: a traceback could name addresses.
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        try:
            self.asked(settings)  # answered once the league is open
        except BaseException:
            self.end()
            raise

    @property
    def ended(self) -> bool:
        """Whether the process has ended by itself, or somebody killed it."""
        return self._process.poll() is not None

    def asked(self, question: object) -> Result | str:
        """Return the answer to a question: what became of a letter, or why the database failed."""
        self._link.send(question)
        if not self._link.poll(PATIENCE):
            raise TimeoutError("the second process is too slow")
        found: Result | str = self._link.recv()
        return found

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._link.close()


def serve(link: Connection) -> None:
    """Handle letters until nobody asks any more."""
    for number in (signal.SIGINT, signal.SIGTERM):  # a stop of the service is not a letter's fault
        signal.signal(number, signal.SIG_IGN)
    confine(MEMORY)
    with suppress(EOFError, OSError):
        settings: Settings = link.recv()
        with closing(Store(settings.store_url())) as store:
            service = Service(settings, store)
            link.send(Result())
            while True:
                act, number, now = link.recv()
                with limited(SECONDS):
                    answer = _answer(service, act, number, now)
                link.send(answer)


def _answer(service: Service, act: str, number: int, now: datetime) -> Result | str:
    """Do what is asked, and return what became of the letter, or why the database failed."""
    ports = service.ports
    ports.counts.clear()
    try:
        letter = ports.store.find(Letter, number)
        if (
            letter is None or letter.state != "received"
        ):  # dropped or erased since, or handled by another process before this
            return Result()
        if act == "blame":
            service.attempts.failed(letter, ENDED, now)
            return Result(failed=True, counts=Counter(ports.counts))
        try:
            done = service.handle(letter, now)
        except StoreLocked:
            raise
        except StoreDown:
            # Where this can be written, the letter is at fault, and must not stop all others.
            service.attempts.failed(letter, traceback.format_exc(), now)
            done = False
        return Result(settled=done, failed=not done, counts=Counter(ports.counts))
    except StoreDown as error:
        return str(error)


def confine(memory: int) -> None:
    """Limit this process to so many bytes of memory; if it dies, it leaves no core."""
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End this process if the block takes more than so many seconds of processor time."""
    # SIGPROF ends a process that does not handle it, even inside of code in C.
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
