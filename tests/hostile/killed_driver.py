"""The daemon at work in a league's folder, where a letter that says so kills it.

`python -m tests.hostile.killed_driver FOLDER HOUR`; all is answered and sent that can be. Letters
that may do harm are handled in a second process, `python -m tests.hostile.killed_driver FD`, which
FATAL kills too. With KILL_ALL that process kills the daemon and itself at its first letter.
"""

import os
import signal
import sys
from contextlib import closing
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

from pbem.channels.mail.maildir import MaildirMailbox, MaildirTransport
from pbem.handlers.request import Verdict
from pbem.routing import router
from pbem.service.letter_sandbox import HandledApart, serve
from pbem.service.service import Service
from pbem.storage import Letter, Store, StoreDown
from tests.support import daemon_until_idle
from tests.support.harness import START, fixed_entropy, settings_for
from tests.support.players import address_of

FATAL = b"This kills."
TOO_MUCH = b"This is too much for the database."
KILL_ALL = "PBEM_KILL_ALL"
"""The variable that makes the second process kill the daemon and itself at the first letter."""


def lay_mine(second: bool) -> None:
    """Make the letters that say so kill this process."""
    whole = router.handle

    def handle(service: Service, letter: Letter, now: datetime) -> Verdict:
        verdict = whole(service, letter, now)
        if second and KILL_ALL in os.environ:
            os.kill(os.getppid(), signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)
        if TOO_MUCH in letter.content:
            raise StoreDown("the database failed: too many SQL variables")
        if FATAL in letter.content:
            os.kill(os.getpid(), signal.SIGKILL)
        return verdict

    router.handle = handle


def main(folder: Path, hour: int) -> None:
    """Work until nothing waits, or until a letter kills this process."""
    settings = settings_for(folder, moderator=address_of("Mona"))
    with closing(Store(settings.store_url(), fixed_entropy)) as store:
        service = Service(settings, store)
        service.attempts.apart = HandledApart(settings, "tests.hostile.killed_driver")
        mailbox, transport = MaildirMailbox(folder / "in"), MaildirTransport(folder / "out")
        daemon_until_idle.work(service, mailbox, transport, START + timedelta(hours=hour))


if __name__ == "__main__":
    lay_mine(second=len(sys.argv) == 2)
    if len(sys.argv) == 2:
        serve(Connection(int(sys.argv[1])))
    else:
        main(Path(sys.argv[1]), int(sys.argv[2]))
