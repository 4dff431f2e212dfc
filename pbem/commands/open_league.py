"""Opening the league that a command is about."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from pbem.commands.common import UsageError, config
from pbem.host.clock import wall_clock
from pbem.maintenance.upgrade import bring_up
from pbem.settings import Settings
from pbem.settings.load import load
from pbem.storage import Store, copies


@contextmanager
def opened(*, new: bool = False) -> Iterator[tuple[Settings, Store]]:
    """Open a league's settings and database. A missing database is made only if it may be `new`."""
    settings = load(config())
    if not new:
        need_database(settings)
    bring_up(settings, config(), wall_clock())
    with closing(Store(settings.store_url())) as store:
        yield settings, store


def need_database(settings: Settings) -> None:
    """Raise UsageError if the league's database is a file that is not there, or is empty."""
    file = copies.file_of(settings.store_url())
    # It would be made, and a mistyped path would look like a league where nothing has happened.
    if file is not None and not (file.exists() and file.stat().st_size):
        raise UsageError(f"there is no database {file} yet; `pbem init`, `run` and `once` make one")
