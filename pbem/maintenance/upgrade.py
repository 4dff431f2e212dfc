"""An upgrade of the database: copied first, then brought to this program's schema."""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from pbem.maintenance import backup
from pbem.service.backup_age import UPGRADE
from pbem.service.lock import only_one
from pbem.settings import Settings
from pbem.storage import OldSchema, Store, copies

log = logging.getLogger("pbem")


def bring_up(settings: Settings, config: Path, now: datetime) -> None:
    """Bring the league's database up, if it is a file of an earlier version, after a backup.

    Nobody may work for the league meanwhile. Raises StoreDown, BackupError and SettingsError.
    """
    url = settings.store_url()
    file = copies.file_of(url)
    # A new one is made by who works with it, who also waits for a server.
    if file is None or not file.exists():
        return
    try:
        Store(url).close()
    except OldSchema:
        with only_one(settings):
            folder = settings.state(settings.backup.path)
            made = backup.make(settings, config, folder, now, UPGRADE)
            Store(url, upgrade=True).close()
        log.warning("an earlier version made the database; it was copied into %s", made.file)
        log.warning("the database is brought up to this version")


@contextmanager
def opened(settings: Settings) -> Iterator[Store]:
    """Open the league's database to look at it, or a copy that is brought up if it is old."""
    url = settings.store_url()
    try:
        store = Store(url)
    except OldSchema:
        file = copies.file_of(url)
        assert file is not None, "a database on a server is brought up at once"
        with copies.upgraded(file) as copied, closing(Store(copied)) as store:
            yield store
        return
    with closing(store):
        yield store
