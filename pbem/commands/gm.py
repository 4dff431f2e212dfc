"""The moderator's rulings from the shell: `pbem gm EXTEND 12 48h`."""

import sys

import click

from pbem.commands import lists
from pbem.commands.common import command
from pbem.commands.open_league import opened
from pbem.handlers.moderator.ruling_table import RULINGS, TAKE_TEXT, by_shell
from pbem.handlers.request import Refusal
from pbem.host.clock import wall_clock
from pbem.service.service import Service
from pbem.settings import Settings
from pbem.storage import Store

EXAMPLES = "rulings: " + "; ".join(one.example.removeprefix("GM ") for one in RULINGS)
"""What `pbem gm HELP` lists."""


@command
@click.argument("ruling", nargs=-1, required=True)
@click.option("--reason", default="", help="why, for the players to read")
def gm(ruling: tuple[str, ...], reason: str) -> None:
    """Make a ruling as the moderator, such as EXTEND 12 48h.

    Others are PAUSE ALL and FORFEIT 12 Hawk; `pbem gm HELP` lists all. The players are told. PROXY
    and POST read their text from standard input.
    """
    # By mail a ruling begins with GM, so moderators write it here too.
    named = ruling[0].upper() == "GM" and len(ruling) > 1
    words = ruling[1:] if named else ruling
    if [word.upper() for word in words] == ["HELP"]:
        print(EXAMPLES.replace("; ", "\n  ").replace(": ", ":\n  ", 1))
        return
    if [word.upper() for word in words] == ["STATUS"]:
        with opened() as (settings, store):
            lists.print_sections(lists.going_on(settings, store))
        return
    text = " ".join(words)
    if reason:
        text += f" BECAUSE {reason}"
    # With a line end, the text is part of the arguments already.
    if words[0].upper() in TAKE_TEXT and "\n" not in text:
        text += "\n" + sys.stdin.read()
    with opened() as (settings, store):
        print(ruled(settings, store, text))


def ruled(settings: Settings, store: Store, text: str) -> str:
    """Make a ruling and return what was done. Raises UsageError."""
    try:
        return by_shell(Service(settings, store).ports, text, wall_clock())
    except Refusal as error:
        raise lists.refused(error) from None
