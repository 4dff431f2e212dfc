"""Whose the files are that root makes where a service's user must open them."""

import os
from contextlib import suppress
from pathlib import Path


def to_owner_of_folder(file: Path) -> None:
    """Make a new file or folder belong to the owner of its folder, if this is root and may do so.

    Moderators run commands as root, in the folder of a service that systemd runs as another user;
    a database of root's in there would keep the service from ever starting again.
    """
    if os.geteuid() == 0:
        # Some network disks let nobody do that.
        with suppress(OSError):
            folder = file.parent.stat()
            os.chown(file, folder.st_uid, folder.st_gid, follow_symlinks=False)
