"""The daemon at work in a league's folder, where a letter that says so kills it.

`python -m tests.hostile.killed_driver FOLDER HOUR`; all is answered and sent that can be. With a
third argument, letters that were in hand at a death are tried apart first, in a process that they
kill as well: `python -m tests.hostile.killed_driver FD`.
"""

import os
import signal
import sys
from contextlib import closing
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

from pbem import desk
from pbem.league.verdict import Verdict
from pbem.mail.maildir import MaildirCourier, MaildirMailbox
from pbem.office import Office
from pbem.store import Letter, Store
from pbem.trial import TrialsApart, serve
from tests import working
from tests.house import START, fixed_entropy, settings_for
from tests.players import address_of

FATAL = b"This kills."


def lay_mine() -> None:
    """Let the letters that say so kill this process."""
    whole = desk.handle

    def handle(office: Office, letter: Letter, now: datetime) -> Verdict:
        verdict = whole(office, letter, now)
        if FATAL in letter.content:
            os.kill(os.getpid(), signal.SIGKILL)
        return verdict

    desk.handle = handle


def main(folder: Path, hour: int, apart: bool) -> None:
    """Work until nothing waits, or until a letter kills this process."""
    settings = settings_for(folder, moderator=address_of("Mona"))
    with closing(Store(settings.store_url(), fixed_entropy)) as store:
        office = Office(settings, store)
        if apart:
            office.in_hand.trials = TrialsApart(settings, "tests.hostile.killed_driver")
        mailbox, courier = MaildirMailbox(folder / "in"), MaildirCourier(folder / "out")
        working.work(office, mailbox, courier, START + timedelta(hours=hour))


if __name__ == "__main__":
    lay_mine()
    if len(sys.argv) == 2:
        serve(Connection(int(sys.argv[1])))
    else:
        main(Path(sys.argv[1]), int(sys.argv[2]), apart=len(sys.argv) > 3)
