"""A second process, which works on what it is sent, and is ended whatever that does to it."""

import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection


class SecondProcess:
    """A module of ours that runs on its own, and the link to it. Raises OSError."""

    def __init__(self, module: str, first: object, *, silent: bool = False) -> None:
        """Start a module, and send it its first object; a `silent` one prints nothing."""
        self.link, its = Pipe()
        output = subprocess.DEVNULL if silent else None
        with its:
            self._process = subprocess.Popen(
                # -P: modules in the folder where the program was started must not be imported.
                [sys.executable, "-P", "-m", module, str(its.fileno())],
                pass_fds=[its.fileno()],
                stdin=output,
                stdout=output,
                stderr=output,
            )
        self.link.send(first)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self.link.close()


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


def link_of(arguments: list[str]) -> Connection:
    """Return the link to the process that started this one."""
    return Connection(int(arguments[1]))
