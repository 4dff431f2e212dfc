"""The signs of a program in a letter that answers none of ours.

A module of its own, so that an ordinary reply passes none of it (docs/decisions/0026-one-reply.md).
"""

from __future__ import annotations

import re

from pbem.intake import robot_phrases as phrases
from pbem.intake.letter import Letter
from pbem.intake.reading import ANSWERING


def names_another(letter: Letter, order: re.Match[str], said: str) -> bool:
    """Return whether a letter from a list's address for an order names that for another one."""
    sender = letter.sender.address if letter.sender else ""
    host = sender.removeprefix(order.string)
    if order.end() < len(order.string):
        return False
    own = re.escape(order.string[: order.start()]) + phrases.COMMAND.pattern + re.escape(host)
    return bool(set(re.findall(own, said)) - {sender})


def unasked(letter: Letter, local: str, said: str) -> str | None:
    """Return why a letter that answers none of ours is a program's, or None."""
    signs = {
        "comes from an account of a computer": phrases.ACCOUNTS.fullmatch(local)
        and is_account_name(letter),
        "was written by a program": any(
            program.match(letter.headers.first(field))
            for field, program in phrases.PROGRAMS.items()
        ),
        "says that it is automatic": phrases.SURELY_AUTOMATIC.search(said),
        "comes from a desk and speaks of a ticket": phrases.DESKS.fullmatch(local)
        and phrases.YOUR_TICKET.search(said),
        "tells what became of a ticket": phrases.DESK_SAYS.match(said),
        "greets a customer": phrases.GREETS_CUSTOMERS.match(said),
        "thanks for a letter as a firm does": not ANSWERING.match(letter.subject)
        and phrases.THANKS.search(f"{letter.subject[:300].lower()} {said}"),
    }
    return next((f"it {sign}" for sign, found in signs.items() if found), None)


def is_account_name(letter: Letter) -> bool:
    """Return whether the name in From is not a person's: none, an account's, or a program's."""
    name = letter.sender.name if letter.sender else ""
    return not name or "@" in name or bool(phrases.ACCOUNT_NAMES.fullmatch(name))
