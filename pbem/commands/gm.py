"""The moderator's rulings from the shell: `pbem gm EXTEND 12 48h`."""

import sys

from pbem.clock import wall_clock
from pbem.commands import lists
from pbem.commands.common import Args, opened
from pbem.handlers.request import Refusal
from pbem.handlers.ruling_table import RULINGS, TAKE_TEXT, by_shell
from pbem.service import Service
from pbem.settings import Settings
from pbem.storage import Store

EXAMPLES = "rulings: " + "; ".join(one.example.removeprefix("GM ") for one in RULINGS)
"""What `pbem gm --help` and `pbem gm HELP` list."""


def gm(args: Args) -> None:
    """Make a ruling, log it, and inform the players; PROXY and POST read their text from stdin."""
    # By mail a ruling begins with GM, so moderators write it here too.
    named = args.ruling[0].upper() == "GM" and len(args.ruling) > 1
    words = args.ruling[1:] if named else args.ruling
    if [word.upper() for word in words] == ["HELP"]:
        print(EXAMPLES.replace("; ", "\n  ").replace(": ", ":\n  ", 1))
        return
    if [word.upper() for word in words] == ["STATUS"]:
        with opened(args) as (settings, store):
            lists.print_sections(lists.going_on(settings, store))
        return
    text = " ".join(words)
    if args.reason:
        text += f" BECAUSE {args.reason}"
    # With a line end, the text is part of the arguments already.
    if words[0].upper() in TAKE_TEXT and "\n" not in text:
        text += "\n" + sys.stdin.read()
    with opened(args) as (settings, store):
        print(ruled(settings, store, text))


def ruled(settings: Settings, store: Store, text: str) -> str:
    """Make a ruling and return what was done. Raises UsageError."""
    try:
        return by_shell(Service(settings, store).ports, text, wall_clock())
    except Refusal as error:
        raise lists.refused(error) from None
