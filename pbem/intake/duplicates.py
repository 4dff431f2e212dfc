"""What two deliveries of the same letter share, whatever servers on the way added above it."""

import hashlib
import re

from pbem.intake.headers import FIELD, FOLD, split_header
from pbem.intake.mime import plain_line_ends

_WRITERS = re.compile(
    rb"(?:from|sender|reply-to|to|cc|date|subject|message-id|in-reply-to|references|auto-submitted"
    rb"|mime-version|content-.*)",
    re.IGNORECASE,
)
"""The fields that a letter's writer sets; servers add others, such as Received."""
_LONGEST_HEADER = 100 << 10


def digest(raw: bytes) -> str:
    """Return a digest that is the same for each delivery of one letter, and differs for another."""
    plain = plain_line_ends(raw)
    head, body = split_header(plain)
    if len(head) > _LONGEST_HEADER:
        return hashlib.sha256(plain).hexdigest()
    found = FIELD.findall(FOLD.sub(b" ", head))
    own = [name.lower() + b":" + value.strip() for name, value in found if _WRITERS.fullmatch(name)]
    return hashlib.sha256(b"\n".join([*own, b"", body.rstrip()])).hexdigest()
