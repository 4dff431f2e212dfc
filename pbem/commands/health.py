"""The command that reports the health of a league, as far as it can be read."""

from contextlib import closing
from datetime import datetime

from pbem.commands.common import JSON, command, config, print_json, show
from pbem.host.clock import wall_clock
from pbem.service.health import Health, Trouble, around, examine
from pbem.settings import Settings
from pbem.settings.load import load
from pbem.storage import Store, StoreDown


@command
@JSON
def health(as_json: bool) -> int:
    """Show what is wrong, and change nothing.

    The status is 1 if there is any trouble.
    """
    settings, now = load(config()), wall_clock()
    found = _examined(settings, now)
    troubles = found.troubles if isinstance(found, Health) else found
    facts = found.facts() if isinstance(found, Health) else {"at": now.isoformat()}
    if as_json:
        print_json(facts | {"troubles": {one.key: str(one.text) for one in troubles}})
    else:
        show(as_json, {key: value for key, value in facts.items() if key != "troubles"})
        for one in troubles:
            print(f"WRONG  {one.key}: {' '.join(str(one.text).split())}")
        print(end="" if troubles else "Nothing is wrong.\n")
    return 1 if troubles else 0


def _examined(settings: Settings, now: datetime) -> Health | tuple[Trouble, ...]:
    """Return all that can be found out; if the database can't be read, what else is wrong."""
    url = settings.store_url()
    try:
        with closing(Store(url, only_read=True)) as store:
            return examine(settings, store, now, probing=True)
    except StoreDown as error:
        why = str(error)
    except Exception as error:  # a damaged database makes anything fail
        why = f"the database can't be read ({error}); `pbem fsck` shows more"
    # Disk, daemon and backups can be checked without the database.
    return around(settings, url, now, probing=True, database=why)
