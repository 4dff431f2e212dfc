"""A server program run in the foreground: started, waited for until it greets, and stopped."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

Address = tuple[str, int]

LOOPBACK = "127.0.0.1"
_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin", "/sbin"])


def program(name: str) -> str | None:
    """Return the path of an installed program, also where only root would look."""
    return shutil.which(name, path=_PATH)


def free_address() -> Address:
    """Return a loopback address that nobody listens on at present."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        host, port = probe.getsockname()
        return host, port


def written(address: Address) -> str:
    """Return host:port."""
    return f"{address[0]}:{address[1]}"


@contextmanager
def open_folder() -> Iterator[Path]:
    """Make a folder that servers which run as another user may enter, and remove it at the end."""
    with tempfile.TemporaryDirectory(prefix="pbem-", ignore_cleanup_errors=True) as made:
        Path(made).chmod(0o755)
        yield Path(made)


class Daemon:
    """One server program, the addresses it greets at, and the log that says why it did not.

    A program that leaves the process group it was started in names its own leader in a pid file.
    """

    def __init__(
        self,
        command: Sequence[str],
        greetings: dict[Address, bytes],
        log: Path,
        pid_file: Path | None = None,
    ) -> None:
        self._command = list(command)
        self._greetings = greetings
        self._log = log
        self._pid_file = pid_file
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the program and return when it greets at every address."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            for address, greeting in self._greetings.items():
                self._wait_for(address, greeting)
        except BaseException:
            self.stop()
            raise

    @property
    def running_now(self) -> bool:
        """Return whether it was started, and not stopped since."""
        return self._process is not None

    def stop(self) -> None:
        """End the program and all its children, and return when it is gone."""
        process, self._process = self._process, None
        if process is None:
            return
        self._signal(process, signal.SIGTERM)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._signal(process, signal.SIGKILL)
            process.wait()
        if self._pid_file:
            self._pid_file.unlink(missing_ok=True)

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Keep the program running until the block ends."""
        self.start()
        try:
            yield self
        finally:
            self.stop()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Keep the program down until the block ends; then it runs as before."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    def _signal(self, process: subprocess.Popen[bytes], number: signal.Signals) -> None:
        leaders = [process.pid]
        if self._pid_file and self._pid_file.exists():
            leaders.insert(0, int(self._pid_file.read_text()))
        for leader in leaders:
            with suppress(ProcessLookupError):
                os.killpg(leader, number)

    def _wait_for(self, address: Address, greeting: bytes, seconds: float = 20) -> None:
        last_moment = time.monotonic() + seconds
        while not _greets(address, greeting):
            if self._process is None or self._process.poll() is not None:
                raise RuntimeError(f"{self._command[0]} ended at once:\n{self._log.read_text()}")
            if time.monotonic() > last_moment:
                raise TimeoutError(f"{address} does not greet:\n{self._log.read_text()}")
            time.sleep(0.01)


def _greets(address: Address, greeting: bytes) -> bool:
    with suppress(OSError), socket.create_connection(address, timeout=5) as link:
        return link.recv(1024).startswith(greeting)
    return False
