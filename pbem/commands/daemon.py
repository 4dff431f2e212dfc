"""The commands that answer letters: run, once."""

from collections.abc import Iterable

from pbem.commands.common import JSON, command, config, print_json, progress
from pbem.commands.open_league import opened
from pbem.host import logs
from pbem.host.clock import wall_clock
from pbem.maintenance.upgrade import bring_up
from pbem.service import daemon
from pbem.service.daemon_status import at_work
from pbem.service.letter_sandbox import HandledApart
from pbem.service.lock import only_one
from pbem.service.service import Service
from pbem.settings import Settings
from pbem.settings.load import load
from pbem.storage import Letter


@command
def run() -> None:
    """Run the daemon until it is stopped."""

    def read() -> Settings:
        settings = load(config())
        users = (part.user for part in (settings.imap, settings.smtp) if part is not None)
        logs.set_up(settings.watch.log, (settings.league.address, *users))
        return settings

    bring_up(read(), config(), wall_clock())
    daemon.run(read)


@command
@JSON
def once(as_json: bool) -> None:
    """Read, answer, play and send all that is due, then end.

    Nothing is printed when all is well, for cron mails what is printed. The log of faults goes to
    standard error.
    """
    with opened(new=True) as (settings, store), only_one(settings), at_work(settings):
        store.hold()
        service = Service(settings, store)
        # Letters that may do harm are handled in a second process (decision 0020).
        service.attempts.apart = HandledApart(settings)
        worker = daemon.Daemon(service, settings.mailbox(), settings.transport())
        daemon.warn_of_exposed(settings)
        done = worker.once(_progress)
        if as_json:
            print_json(done)


def _progress(letters: list[Letter]) -> Iterable[Letter]:
    """Show a bar on a long list of letters."""
    return progress(letters, "letters")
