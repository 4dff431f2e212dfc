"""HTML made plain before it is parsed, in time that grows only with its length.

A parser takes far longer for some letters: for each attribute of a tag it looks at all those before
it, and bold type that is never ended begins again in each paragraph. So it gets only what it reads
quickly: tags with the few attributes that matter here, nested no deeper than a cap. All text is
kept, except what is never shown.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from pbem.intake.reading_result import TooMuchError

MOST_ATTRIBUTES = 64
LONGEST_TAG = 16_000
"""In characters; the rest of a longer tag is ignored."""
LONGEST_VALUE = 2_000

_GAP = r"[ \t\n\f\r]"
_TAG = re.compile(r"</?[a-zA-Z]|<[!?/]")
_NAME = re.compile(r"[^ \t\n\f\r/>]{1,30}")
_TAG_END = re.compile(rf">|={_GAP}*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z))")
_SIMPLE = re.compile(r"([a-z][a-z0-9]{0,20})((?: [a-z]{1,20}=\"[^\"<>]{0,500}\"){0,20})>")
"""A tag as most programs write it, which is read at once."""
_ATTRIBUTE = re.compile(
    rf"(?:{_GAP}|/)*+([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)"
    rf"(?:{_GAP}*+={_GAP}*+(?:\"([^\"]*+)\"?|'([^']*+)'?|([^ \t\n\f\r>]*+)))?"
)
_COMMENT_END = re.compile(r"-->|(?<!<!)--!>")
_KEPT = frozenset({"class", "id", "style", "hidden"})
"""The attributes that show what is hidden, quoted or signed (pbem/intake/html.py)."""
_UNNESTED = frozenset(
    "area base br col embed hr img input link meta param source track wbr p li dd dt tr td th "
    "tbody thead tfoot option".split()
)
_RAW = frozenset("style script title textarea iframe noembed noframes".split())
"""Tags whose content is not markup and is never shown."""
_INLINE = frozenset("a b big code em font i nobr s small strike strong tt u".split())
"""Tags that a parser begins again in each block until they end; we need none of them."""
_CROSSED_OUT = {"s": "del", "strike": "del"}
_OTHERS = (
    dict.fromkeys(_INLINE, "span")
    | _CROSSED_OUT
    | {"plaintext": "pre", "xmp": "pre", "listing": "pre"}
)
_LEFT_OUT = frozenset({"frameset", "frame", "option", "optgroup", "selectedcontent"})
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9:-]*")


def sieved(markup: str, most_tags: int, deepest: int) -> tuple[str, int]:
    """Return markup with the same content that parses quickly, and its number of tags.

    Raise TooMuchError for more than `most_tags`. Tags deeper than `deepest` are left out.
    """
    sieve = _Sieve(markup, most_tags, deepest)
    return "".join(sieve.pieces()), sieve.count


class _Sieve:
    """Goes through markup once, from its beginning to its end."""

    def __init__(self, markup: str, most_tags: int, deepest: int) -> None:
        self.markup, self.most_tags, self.deepest = markup, most_tags, deepest
        self.count = self.level = 0
        self.open, self.left_out = Counter[str](), Counter[str]()

    def pieces(self) -> Iterator[str]:
        """Yield the text and the tags that are kept, in their order."""
        at = 0
        while found := _TAG.search(self.markup, at):
            yield self.markup[at : found.start()].replace("<", "&lt;")
            if found[0][-1].isalpha():
                at, tag = self.tag(found.end() - 1, closing=found[0][1] == "/")
                yield tag
            else:
                at = self.behind_remark(found.start())
        yield self.markup[at:].replace("<", "&lt;")

    def behind_remark(self, at: int) -> int:
        """Return where a comment, a declaration or a processing instruction ends."""
        if self.markup.startswith("<!--", at):
            found = _COMMENT_END.search(self.markup, at + 2)
            return found.end() if found else len(self.markup)
        end = self.markup.find(">", at)
        return end + 1 if end >= 0 else len(self.markup)

    def tag(self, at: int, closing: bool) -> tuple[int, str]:
        """Return where the tag whose name begins here ends, and what replaces it."""
        simple = _SIMPLE.match(self.markup, at)
        if simple is not None:
            return self.replaced(simple[1], simple[2], simple.end(), closing)
        named, end = _NAME.match(self.markup, at), self.end_of_tag(at)
        if end is None or named is None:
            return len(self.markup), ""
        last = min(end - 1, at + LONGEST_TAG)
        return self.replaced(named[0].lower(), self.markup[named.end() : last], end, closing)

    def replaced(self, name: str, rest: str, end: int, closing: bool) -> tuple[int, str]:
        """Return where a tag ends, and what replaces it; `rest` is what stands behind its name."""
        self.count += 1
        if self.count > self.most_tags:
            raise TooMuchError(f"HTML of more than {self.most_tags} tags")
        if name in _RAW:
            return (end if closing else self.behind_raw(name, end)), ""
        name = _OTHERS.get(name, name)
        if name in _LEFT_OUT or not _PLAIN_NAME.fullmatch(name):
            return end, ""
        if not self.fits(name, closing):
            return end, ""
        if closing:
            return end, f"</{name}>"
        return end, f"<{name}{_attributes(rest)}>"

    def end_of_tag(self, at: int) -> int | None:
        """Return where a tag ends, None if it never does; a ">" in quotes does not count."""
        for found in _TAG_END.finditer(self.markup, at):
            if found[0] == ">":
                return found.end()
        return None

    def behind_raw(self, name: str, at: int) -> int:
        """Return where the closing tag of a raw element ends."""
        found = re.compile(rf"</{name}(?=[ \t\n\f\r/>])[^>]*+>?", re.I).search(self.markup, at)
        return found.end() if found else len(self.markup)

    def fits(self, name: str, closing: bool) -> bool:
        """Note a tag, and return whether it is kept: tags that are too deep are not."""
        if name in _UNNESTED:
            return True
        if closing:
            if self.left_out[name]:
                self.left_out[name] -= 1
                return False
            if self.open[name]:
                self.open[name] -= 1
                self.level -= 1
            return True
        if self.level >= self.deepest:
            self.left_out[name] += 1
            return False
        self.open[name] += 1
        self.level += 1
        return True


@lru_cache(maxsize=256)  # most tags of a letter have the attributes of another one
def _attributes(written: str) -> str:
    """Return the attributes of a tag that matter, each once, written in one way."""
    seen, kept, at = set[str](), list[str](), 0
    for _ in range(MOST_ATTRIBUTES):
        found = _ATTRIBUTE.match(written, at)
        if found is None:
            break
        at, name = found.end(), found[1].lower()
        if name in _KEPT and name not in seen:
            seen.add(name)
            value = (found[2] or found[3] or found[4] or "")[:LONGEST_VALUE]
            value = value.replace('"', "&quot;").replace("<", "&lt;")
            kept.append(f' {name}="{value}"')
    return "".join(kept)
