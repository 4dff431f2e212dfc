"""Processes of `pbem` that begin at once: forked off one that has imported the program already.

A new Python that imports the program takes 0.4 s, and the tests start hundreds. What is forked is a
process like any other, with its own environment, folder, output and exit status. It is not a child
of the test, so a process between the two waits for it, and reports its status.
"""

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from select import select

from tests.support.paths import ROOT


class ReadyMade:
    """A process that was forked off, with what subprocess.Popen has for one."""

    def __init__(self, status: int, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._status = status

    def poll(self) -> int | None:
        """Return the exit status; None while the process runs."""
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the process. Raise TimeoutExpired."""
        found = self._wait(timeout)
        if found is None:
            raise subprocess.TimeoutExpired("pbem", timeout or 0)
        return found

    def _wait(self, seconds: float | None) -> int | None:
        if self.returncode is None and select([self._status], [], [], seconds)[0]:
            self.returncode = int(os.read(self._status, 16) or b"-9")
            os.close(self._status)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it may end just now
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the process."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)


def start(
    arguments: Sequence[str], environ: Mapping[str, str], stdin: int, stdout: int, stderr: int
) -> ReadyMade:
    """Start `pbem` with arguments and an environment, on open files."""
    wanted = json.dumps([list(arguments), dict(environ), os.getcwd()]).encode()
    reading, writing = os.pipe()
    try:
        link = _forker()
        link.sendall(len(wanted).to_bytes(4, "big"))
        socket.send_fds(link, [b"."], [stdin, stdout, stderr, writing])
        link.sendall(wanted)
        return ReadyMade(reading, int.from_bytes(_read(link, 4), "big"))
    finally:
        os.close(writing)


@cache
def _forker() -> socket.socket:
    """Return a link to the process that forks; it ends with this one."""
    ours, theirs = socket.socketpair()
    forker = subprocess.Popen(
        [sys.executable, "-m", __name__, str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        cwd=ROOT,
    )
    theirs.close()
    atexit.register(_end, ours, forker)
    return ours


def _end(link: socket.socket, forker: subprocess.Popen[bytes]) -> None:
    """End the process that forks, which has waited for all others."""
    link.close()
    forker.wait()


def _read(link: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        more = link.recv(count - len(found))
        if not more:
            raise EOFError
        found += more
    return found


def _serve(link: socket.socket) -> list[str]:
    """Fork for each request; return in the process that was forked off, with its arguments."""
    while True:
        size = int.from_bytes(_read(link, 4), "big")
        _, files, _, _ = socket.recv_fds(link, 1, 4)
        arguments, environ, folder = json.loads(_read(link, size))
        reading, writing = os.pipe()
        if os.fork():
            os.close(writing)
            link.sendall(os.read(reading, 4))
            for file in (reading, *files):
                os.close(file)
            _reap(os.WNOHANG)
            continue
        if pid := os.fork():
            os.write(writing, pid.to_bytes(4, "big"))
            _report(pid, files[3])
        link.close()
        _become(environ, folder, files[:3])
        return [*arguments]


def _reap(options: int) -> None:
    """Wait for processes that have ended, so that their processor time is counted."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, options)[0]:
            pass


def _report(pid: int, status: int) -> None:
    """Wait for a process, write its exit status, and end."""
    os.closerange(0, status)
    os.closerange(status + 1, 64)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.write(status, str(code).encode())
    os._exit(0)


def _become(environ: Mapping[str, str], folder: str, files: Sequence[int]) -> None:
    """Take on an environment, a folder and open files, and keep none of the others."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.closerange(3, 64)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    os.chdir(folder)
    # A new Python would open these so; they stay open to its end.
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


def main() -> None:
    """Import the program, and fork off a process of it for each request."""
    from pbem import cli
    from pbem.demo import duel  # noqa: F401

    gc.freeze()  # or else the first collection copies all memory
    try:
        arguments = _serve(socket.socket(fileno=int(sys.argv[1])))
    except EOFError:
        _reap(0)
    else:
        sys.argv = [str(Path(cli.__file__)), *arguments]
        try:
            status = cli.main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
        # The end of the interpreter would copy all memory that it shares with the one that forked.
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
