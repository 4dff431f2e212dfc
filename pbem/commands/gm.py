"""The moderator's rulings from the shell: `pbem gm EXTEND 12 48h`."""

from pbem.commands.common import Args, UsageError, opened
from pbem.league.moderation import by_shell
from pbem.league.visit import Refusal
from pbem.office import Office, wall_clock


def gm(args: Args) -> None:
    """Make a ruling, log it, and tell the players."""
    with opened(args) as (settings, store):
        office = Office(settings, store)
        try:
            print(by_shell(office, " ".join(args.ruling), wall_clock()))
        except Refusal as error:
            raise UsageError(f"{error}{'; ' + error.hint if error.hint else ''}") from None
