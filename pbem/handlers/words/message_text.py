"""Words for others in a letter, in paragraphs."""

LONGEST = 10_000
"""The most characters of a letter that is passed on."""
_WRAPPED = 50
"""A longer line was broken by a mail program, so that the next one continues it."""


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
