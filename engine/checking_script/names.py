"""What checking scripts of systems share that write orders in words: names among these words.

`pbem.games.checking_script` puts it into each script that imports it, so that players get one file.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable

# ---- names as orders write them; it is the same for every system that imports it ---------------

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def folded(text: str) -> str:
    """Return a text without case, accents and spaces."""
    bare = [c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)]
    return "".join(unicodedata.normalize("NFKD", "".join(bare).casefold()).split())


class Names:
    """The names in a battle, as orders write them.

    A name is in quotes where it holds one of the `reserved` words, those of orders in any language.
    Such a name is read as a single letter of its own. `unit` may stand behind a number.
    """

    def __init__(self, names: Iterable[str], reserved: Collection[str], unit: str = "") -> None:
        self.reserved, self.unit = reserved, unit
        self.known: dict[str, str] = {}
        self.letters: dict[str, str] = {}
        for n, name in enumerate(names):
            written = self.quoted(name)
            # Letters for private use: Unicode has no meaning for them, and no order has them.
            self.letters[written] = chr(0xF0000 + n)
            self.known[self.letters[written] if written[0] == '"' else name] = name

    def quoted(self, name: str) -> str:
        """Write a name as orders do: in quotes where it might be taken for something else."""
        words = name.split()
        # No word of an order is longer than three words.
        spans = [" ".join(words[n : n + k]) for n in range(len(words)) for k in (1, 2, 3)]
        plain = re.fullmatch(r"\w(?:[\w .'-]*[\w'])?", name) and " ".join(words) == name
        number = re.fullmatch(rf"-?[0-9]{{1,9}}|-?\d{{1,9}}{self.unit}", name, re.I)
        odd = number or not plain or any(folded(span) in self.reserved for span in spans)
        return json.dumps(name, ensure_ascii=False) if odd else name

    def shortened(self, text: str) -> str:
        """Return a text with a letter for each name in quotes."""
        return QUOTED.sub(lambda match: self.letters[match[0]], text)
