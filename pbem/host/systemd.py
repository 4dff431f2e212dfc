"""Notes to systemd, if it is there: ready, alive, stopping (sd_notify(3)); and its journal."""

import os
import socket
from contextlib import suppress
from typing import TextIO


def notify(state: str) -> None:
    """Send a state such as READY=1 to the service manager; do nothing if there is none."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        # "@" stands for Linux's abstract namespace.
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.settimeout(1)
        link.connect(address)
        link.sendall(state.encode())


def is_journal(stream: TextIO) -> bool:
    """Return whether a stream leads to the journal, which adds the time (systemd.exec(5))."""
    try:
        found = os.fstat(stream.fileno())
    except OSError:
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"
