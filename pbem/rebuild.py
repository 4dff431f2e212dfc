"""A whole league made again from its raw letters, in an empty database, and compared with it.

From the old database come: the letters as they were received, the moments at which the office
worked, the rulings made from the shell, and the secrets; all else follows from them.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.guard import LAST_POLL
from pbem.league import moderation
from pbem.office import Office
from pbem.settings import Settings
from pbem.store import Store, StoreDown, copies
from pbem.store.old import Carried, Moment, carried

Track = Callable[[list[Moment]], Iterable[Moment]]
"""Something that shows the progress of a list that is gone through."""


def rebuild(settings: Settings, new: Path, track: Track = iter) -> list[str]:
    """Replay a league into a new file, and say in what that differs from the old database.

    The old one is only read, as it is at one moment. Raises StoreDown.
    """
    old = copies.file_of(settings.store_url())
    with TemporaryDirectory(prefix="pbem-") as folder:
        copy = Path(folder) / "old.db"
        copies.copy(old, copy)
        Store(f"sqlite:///{copy}").close()  # brings it to this program's schema
        with carried(new, copy) as store:
            if store.dropped():
                raise StoreDown(
                    f"{store.dropped()} letters were dropped or erased (docs/privacy.md), and only"
                    " a league that has kept them all can be made again from its letters"
                )
            office = Office(settings, store)
            for moment in track(store.moments()):
                replay(office, store, moment)
            store.finish()
            return list(store.differences())


def replay(office: Office, store: Carried, moment: Moment) -> None:
    """Let the office do what it did at a moment."""
    if moment.ruling:
        moderation.by_shell(office, moment.ruling, moment.at)
        return
    if moment.last is not None:
        store.set_meta(LAST_POLL, moment.last.isoformat())
    store.receive(moment.letters)
    office.work(moment.at)
