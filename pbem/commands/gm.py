"""The moderator's rulings from the shell: `pbem gm EXTEND 12 48h`."""

import sys

from pbem.clock import wall_clock
from pbem.commands.common import Args, UsageError, opened
from pbem.handlers.moderation import TAKE_TEXT, by_shell
from pbem.handlers.request import Refusal
from pbem.service import Service
from pbem.settings import Settings
from pbem.storage import Store


def gm(args: Args) -> None:
    """Make a ruling, log it, and inform the players; PROXY and POST read their text from stdin."""
    named = args.ruling[0].upper() == "GM" and len(args.ruling) > 1
    words = args.ruling[1:] if named else args.ruling
    text = " ".join(words)
    if words[0].upper() in TAKE_TEXT and "\n" not in text:
        text += "\n" + sys.stdin.read()
    with opened(args) as (settings, store):
        print(ruled(settings, store, text))


def ruled(settings: Settings, store: Store, text: str) -> str:
    """Make a ruling and return what was done. Raises UsageError."""
    try:
        return by_shell(Service(settings, store).ports, text, wall_clock())
    except Refusal as error:
        raise UsageError(f"{error}{'; ' + error.hint if error.hint else ''}") from None
