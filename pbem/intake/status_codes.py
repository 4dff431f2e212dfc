"""The status codes of mail systems (RFC 3463), compared as numbers: 5.1.10 does not begin 5.1.1."""

import re

Status = tuple[int, int, int]

NO_SUCH_ADDRESS: frozenset[Status] = frozenset(
    {(5, 1, 1), (5, 1, 2), (5, 1, 3), (5, 1, 6), (5, 1, 10)}
)
"""The codes that say that there is no such mailbox or domain (RFC 3463, RFC 7505)."""
TOO_LARGE: frozenset[Status] = frozenset({(5, 2, 3), (5, 3, 4)})
"""The codes that say that the letter is too large."""
CONTENT, POLICY = 6, 7
"""The subjects, which are a code's second number, of what a letter holds and of who may send it."""

# No octet of an IPv4 address, and no version.
_STATUS = re.compile(r"(?<![\w.])([245])\.(\d{1,3})\.(\d{1,3})(?!\w|\.\d)")


def codes_in(text: str) -> frozenset[Status]:
    """Return the codes in a text: of an SMTP reply, each line has one, as a rule the same."""
    return frozenset((int(one[1]), int(one[2]), int(one[3])) for one in _STATUS.finditer(text))


def certainly(codes: frozenset[Status], known: frozenset[Status]) -> bool:
    """Return whether there are codes and all are known ones; one that speaks against it counts."""
    return bool(codes) and codes <= known
