"""Greetings and signatures: what of a letter is neither a story nor a message."""

import re
from collections.abc import Sequence

from pbem.intake import contact_details

_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|greetings|good (?:morning|day|afternoon|evening)|thanks?|cheers"
    r"|regards|bye|hallo|liebe[rs]?|guten|moin|servus"
    r"|sehr geehrte\w*|danke|gr(?:uß|üße)|viele grüße)\b",
    re.I,
)
_GREETING_WORDS = 6


def is_greeting(story: Sequence[str]) -> bool:
    """Return whether some lines only greet, such as `Hello there!`."""
    lines = [line.strip() for line in story if line.strip()]
    return all(_GREETING.match(one) and len(one.split()) <= _GREETING_WORDS for one in lines)


def for_a_person(lines: Sequence[str]) -> list[str]:
    """Return the lines that are meant for another player, without a signature.

    Unlike a story, they may ask and plead.
    """
    signed = contact_details.signed(lines)
    left = [line for n, line in enumerate(lines) if n not in signed]
    return [] if is_greeting(left) else left
