"""The disks that a league writes to: whether they can be written, and how much room is left."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from engine.i18n import say
from pbem.settings import Settings
from pbem.storage import copies

_PROBE = bytes(256 * 1024)
"""What is written to test the disk; about as much as a large letter needs."""
_FULL = (errno.ENOSPC, errno.EDQUOT)


def trouble(settings: Settings, url: str, *, probing: bool) -> str:
    """Return which folders and files of a league can't be written, and why; "" where all can.

    With `probing`, a file is written next to the database and removed, because only that reveals
    quotas. The database itself is not touched: not even opened, which would release SQLite's locks.
    """
    faults = [
        _folder(folder, settings.watch.disk_mib, probing) for folder in _folders(settings, url)
    ]
    # A folder that can't be written explains its files.
    if not any(faults):
        faults = [_file(file) for file in _files(url)]
    return "; ".join(dict.fromkeys(text for text in faults if text))


def _folders(settings: Settings, url: str) -> list[Path]:
    """Return the folders that are written to, each once."""
    file = copies.file_of(url)
    maildir = settings.maildir
    # A Maildir's letters are written to tmp first.
    named = [settings.path(name) / "tmp" for name in (maildir.path, maildir.out) if name]
    database = [file.parent] if file is not None else []
    found = [*database, settings.state("."), *named]
    return list(dict.fromkeys(folder.resolve() for folder in found if folder.is_dir()))


def _files(url: str) -> Iterator[Path]:
    """Yield the existing files of a SQLite database."""
    file = copies.file_of(url)
    if file is not None:
        named = (file.with_name(f"{file.name}{ending}") for ending in ("", "-wal", "-shm"))
        yield from (each for each in named if each.exists())


def _folder(folder: Path, least: int, probing: bool) -> str:
    try:
        disk = os.statvfs(folder)
        if disk.f_flag & os.ST_RDONLY:
            return _unwritable(folder, errno.EROFS)
        if probing:
            _probe(folder)
    except OSError as error:
        return _unwritable(folder, error.errno or 0)
    # Not f_bfree, which counts what is reserved for root.
    left = disk.f_bavail * disk.f_frsize // 2**20
    if left >= least:
        return ""
    return say("the disk of {path} has only {left} MiB left", path=str(folder), left=left)


def _probe(folder: Path) -> None:
    """Write a file into a folder, to the disk, and remove it. Raise OSError if that fails."""
    handle, name = tempfile.mkstemp(prefix=".pbem-probe-", dir=folder)
    try:
        written = 0
        while written < len(_PROBE):
            written += os.write(handle, _PROBE[written:])
        # Some file systems look for room only when they write to the disk.
        os.fsync(handle)
    finally:
        os.close(handle)
        with suppress(OSError):
            os.unlink(name)


def _file(file: Path) -> str:
    """Return a sentence if a file can't be written though its folder can; the kernel is asked."""
    if os.access(file, os.W_OK):
        return ""
    with suppress(OSError):
        if os.statvfs(file).f_flag & os.ST_RDONLY:
            return _unwritable(file, errno.EROFS)
    return _unwritable(file, errno.EACCES)


def _unwritable(path: Path, number: int) -> str:
    if number in _FULL:
        return say("the disk of {path} is full: nothing can be written", path=str(path))
    if number == errno.EROFS:
        return say("{path} can't be written: read-only file system", path=str(path))
    return say("{path} can't be written: {why}", path=str(path), why=os.strerror(number))
