"""Words for others in a letter: without a greeting or a signature, and in paragraphs."""

import re
from collections.abc import Sequence

from pbem.intake import contact_details
from pbem.intake.courtesy_words import is_polite

LONGEST = 10_000
"""The most characters of a letter that is passed on."""
_WRAPPED = 50
"""A longer line was broken by a mail program, so that the next one continues it."""
_MORE = re.compile(r"[^,]*,(?:\s+\S+){3}")
"""A greeting by which more is said on the same line, such as `Dear Kestrel, your paint is ugly.`"""


def for_a_person(lines: Sequence[str]) -> list[str]:
    """Return the lines that are meant for another player, without a signature.

    Unlike a story, they may ask and plead.
    """
    # A signature often holds an address or a telephone number.
    signed = contact_details.signed(lines)
    left = [line for n, line in enumerate(lines) if n not in signed]
    return left if any(map(_MORE.match, left)) or not is_polite(left) else []


def paragraphs(text: str) -> list[str]:
    """Return a text's paragraphs: join the lines that a mail program broke, and drop blank ones."""
    found, open_ = list[str](), False
    for line in text.splitlines():
        bare = " ".join(line.split())
        if bare and open_:
            found[-1] += f" {bare}"
        elif bare:
            found.append(bare)
        open_ = len(bare) > _WRAPPED
    return found
