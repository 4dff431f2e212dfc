"""How large the database is for a duel, by table."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import letters_per_duel
from benchmarks.sample_league import BEGIN, settings
from pbem.storage import Outgoing, Store, queues

DUELS = 40
_SMALL = 1024
"""Tables of fewer bytes a duel are not shown."""


def measure(duels: int = DUELS) -> dict[str, dict[str, int]]:
    """Play duels, and return the bytes a duel by table, `whole` among them.

    They are counted when all letters are new, and after those that were sent have been dropped.
    """
    with TemporaryDirectory(prefix="pbem-size-") as folder:
        home = Path(folder)
        letters_per_duel.play(home, duels)
        found = {"new": _sizes(home / "league.db", duels)}
        with closing(Store(settings(home).store_url())) as store:
            queues.mark_sent(
                store,
                store.all(
                    Outgoing.select().where(Outgoing.state == "queued").order_by(Outgoing.id)
                ),
                BEGIN,
            )
            queues.drop_sent(store, BEGIN + timedelta(days=1))
        return found | {"sent letters dropped": _sizes(home / "league.db", duels)}


def _sizes(file: Path, duels: int) -> dict[str, int]:
    """Return the bytes a duel of each table with its indexes, the largest first."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        by_table = (
            "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name)"
            " GROUP BY 1 ORDER BY 2 DESC"
        )
        sizes = {name: size // duels for name, size in database.execute(by_table)}
    shown = {name: size for name, size in sizes.items() if size >= _SMALL}
    return {"whole": file.stat().st_size // duels} | shown
