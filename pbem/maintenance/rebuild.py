"""A whole league rebuilt from its raw letters, in an empty database, and compared with the old one.

From the old database come: the letters as they were received, the moments at which the service
worked, the settings at that time, the rulings made from the shell, and the secrets. Everything else
follows from these.
"""

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.handlers.moderator import ruling_table
from pbem.handlers.request import Refusal
from pbem.service import boards_read_until
from pbem.service.service import Service
from pbem.settings import Settings, SettingsError
from pbem.storage import Store, StoreDown, copies, kept_settings
from pbem.storage.clock_jumps import LAST_POLL
from pbem.storage.rebuild_database import Moment, RebuildStore

Track = Callable[[list[Moment]], Iterable[Moment]]
"""Something that shows the progress of a list that is gone through."""


def rebuild(
    settings: Settings, new: Path, track: Track = iter, tell: Callable[[str], object] = str
) -> list[str]:
    """Replay a league into a new file, and return how that differs from the old database.

    Each moment is replayed under the settings of its time; `tell` is called with their changes. The
    old database is only read, as it is at one moment. Raises StoreDown and SettingsError.
    """
    with TemporaryDirectory(prefix="pbem-") as folder:
        copy = Path(folder) / "old.db"
        copies.copy(settings.store_url(), copy)
        Store(f"sqlite:///{copy}", upgrade=True).close()
        with closing(RebuildStore(new, copy)) as store:
            if store.dropped():
                raise StoreDown(
                    f"{store.dropped()} letters were dropped or erased (docs/privacy.md), and only"
                    " a league that has kept them all can be made again from its letters"
                )
            _replay_all(settings, store, track, tell)
            store.finish()
            return list(store.differences())


def _replay_all(
    settings: Settings, store: RebuildStore, track: Track, tell: Callable[[str], object]
) -> None:
    """Replay all moments, each by a service with the settings that were noted last before it.

    Before the first noted settings, those first ones apply.
    """
    moments = store.moments()
    known = next((one.settings for one in moments if one.settings), kept_settings.written(settings))
    service = Service(_at(known, settings), store)
    for moment in track(moments):
        if not moment.settings:
            try:
                replay(service, store, moment)
            except Refusal as error:
                # A later version may refuse a ruling that an earlier one made, without any effect.
                tell(f"{moment.at:%Y-%m-%d %H:%M} UTC: {moment.ruling!r} is refused now: {error}")
        elif moment.settings != known:
            for change in kept_settings.changes(known, moment.settings):
                tell(f"{moment.at:%Y-%m-%d %H:%M} UTC: {change}")
            known = moment.settings
            service = Service(_at(known, settings), store)


def _at(text: str, settings: Settings) -> Settings:
    try:
        return kept_settings.in_force(text, settings)
    except SettingsError as error:
        raise SettingsError(f"earlier settings can't be read any more: {error}") from None


def replay(service: Service, store: RebuildStore, moment: Moment) -> None:
    """Replay what the service did at a moment."""
    if moment.ruling:
        ruling_table.by_shell(service.ports, moment.ruling, moment.at)
        return
    if moment.last is not None:
        # An outage before this moment moved deadlines; the service must see it again.
        store.set_meta(LAST_POLL, moment.last.isoformat())
    boards_read_until.restore(store, moment.boards)
    store.receive(moment.letters)
    service.work(moment.at, mail_down=boards_read_until.mail_was_down(moment.boards))
