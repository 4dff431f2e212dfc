"""The league's lock: only one program works for a league at a time."""

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.host.ownership import to_owner_of_folder
from pbem.settings import Settings, SettingsError

LOCK = ".pbem.lock"
"""The name of the locked file, next to the league's database."""


_PASSING = (errno.ENOENT, errno.ENOSPC, errno.EROFS, errno.EIO)


class Busy(SettingsError):
    """The lock can't be taken at the moment, without a fault in the settings."""


class Occupied(Busy):
    """Another program works for the league at the moment."""


@contextmanager
def only_one(settings: Settings) -> Iterator[None]:
    """Hold the league's lock. Raise Occupied while another program holds it, else SettingsError."""
    path = Path(settings.state(LOCK))
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        to_owner_of_folder(path)
    except OSError as error:
        # These faults pass without a change of the settings, such as a disk that is not there yet,
        # so a restart may help.
        kind = Busy if error.errno in _PASSING else SettingsError
        raise kind(f"{path} can't be written ({error.strerror})") from None
    try:
        _lock(handle, path)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, path: Path) -> None:
    """Take the league's lock. Raise Occupied while another program has it."""
    for patience in (0.1, 0.2, 0.0):  # `pbem health` holds the lock for a moment
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(patience)
    raise Occupied(f"another pbem works for this league ({path.parent}); stop it first")
