"""What is searched for in texts when somebody is erased: whole addresses, and a distinctive name.

A name is searched for only if it can't be something that the league itself printed, or a common
word: erasing a player called `to` must not touch a letter that holds "to".
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from engine.names import fold
from engine.registry import RULESETS, campaigns
from pbem.package_data import TEMPLATES

_LONG = 8
"""A name of one word is distinctive from this many letters on."""
_WORD = re.compile(r"\w+")
_GAP = r"(?:[\s>|]|&nbsp;)+"
"""What may stand between two words of a name: also line breaks and quote marks."""
TELLING = 16
"""The fewest letters of a line that can show whose words a quote holds."""
_PIECE = 40


class Traces:
    """A person's addresses and name, to be found in texts."""

    def __init__(self, name: str, addresses: Iterable[str], others: Iterable[str] = ()) -> None:
        """Set up the search; `others` are the names of everybody else, which are printed, too."""
        self._addresses = tuple(address_pattern(one) for one in addresses)
        self._name = name_pattern(name) if is_distinctive(name, others) else None

    @property
    def patterns(self) -> Iterator[re.Pattern[str]]:
        """Yield the patterns that are searched for."""
        yield from self._addresses
        if self._name is not None:
            yield self._name

    def are_in(self, text: str) -> bool:
        """Return whether a text holds a whole address or the name."""
        return any(pattern.search(text) for pattern in self.patterns)

    def name_is_in(self, text: str) -> bool:
        """Return whether a text holds the name, if the name is searched for."""
        return self._name is not None and self._name.search(text) is not None

    def of_addresses(self) -> "Traces":
        """Return the same traces without the name."""
        found = Traces("", ())
        found._addresses = self._addresses
        return found

    def replaced(self, text: str, pseudonym: str) -> str:
        """Return a text with a pseudonym in place of each trace."""
        for pattern in self.patterns:
            text = pattern.sub(pseudonym, text)
        return text


def address_pattern(address: str) -> re.Pattern[str]:
    """Return a pattern that finds a mail address, but not as a part of a longer one."""
    before = r"(?<![\w.+=%!#$&*/?^{}~@-])"  # a quotation mark may stand before it
    return re.compile(rf"{before}{re.escape(address)}(?![\w@-]|\.\w)", re.I)


def name_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern that finds a name as whole words; a single word only in the same case."""
    parts = [re.escape(part) for part in name.split()]
    # A single word such as Will would otherwise be found in every sentence.
    flags = re.I if len(parts) > 1 else re.NOFLAG
    return re.compile(rf"(?<!\w){_GAP.join(parts)}(?!\w)", flags)


def is_distinctive(name: str, others: Iterable[str] = ()) -> bool:
    """Return whether a name may be searched for: long, and not made of the league's words.

    It has two words, or is one word of eight letters or more with a capital. At least one of its
    words has three letters or more, and stands in nothing that the league prints, such as others'
    names. The whole name does not stand in the rules' credits.
    """
    if any(name_pattern(name).search(rules.credits) for rules in RULESETS.values()):
        return False
    words = _WORD.findall(name)
    printed = {fold(word) for other in others for word in _WORD.findall(other)}
    long = len(words) > 1 or (len(name) >= _LONG and name != name.lower())
    return long and any(
        len(word) > 2 and not word.isdigit() and fold(word) not in vocabulary() | printed
        for word in words
    )


@cache
def vocabulary() -> frozenset[str]:
    """Return the words of everything that the league itself prints, in every language."""
    found = set[str]()
    for file in (*TEMPLATES.rglob("*.j2"), *TEMPLATES.rglob("*.po")):
        found |= {fold(word) for word in _WORD.findall(file.read_text("utf-8"))}
    return frozenset(found | {fold(word) for text in _of_rules() for word in _WORD.findall(text)})


def _of_rules() -> Iterator[str]:
    """Yield texts of the rules: parts of personas, what may be drawn, and order words."""
    for rules in RULESETS.values():
        yield rules.title
        if rules.blueprints is not None:
            yield repr(rules.blueprints.view(rules.blueprints.stock(None)))
        for translation in rules.translations.values():
            yield repr((translation.commands, translation.things, translation.links))
    for campaign in campaigns().values():
        for fleet in campaign.fleets.values():
            yield from (text for one in fleet for text in (one.kind, repr(one.persona)))


class Pieces:
    """A person's own lines, which are found again in a quote even if it was wrapped or cut."""

    def __init__(self, lines: Iterable[str]) -> None:
        # A quote may be cut off, so only the beginning of each line is searched for.
        bare = {_bare(line)[:_PIECE] for line in lines}
        self._pieces = [piece for piece in bare if len(piece) >= TELLING]

    def are_in(self, text: str) -> bool:
        """Return whether a text holds one of the lines."""
        found = _bare(text)
        return any(piece in found for piece in self._pieces)


def _bare(text: str) -> str:
    """Return only the letters and digits of a text, because wrapping changes all else."""
    return "".join(c for c in text.casefold() if c.isalnum())
