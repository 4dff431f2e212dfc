"""Cutting the words of a player who has left the league out of newsletters already printed."""

import json
import re
from collections.abc import Iterable, Sequence
from html import escape, unescape

from pbem.people.personal_identifiers import TELLING, Pieces

_GAP = r"(?:[\s>|│]|<[^<>]{0,300}>)+"
"""What may stand between two words: line breaks, quote marks, and tags."""
_CUT = "[…]"
_HEAD = 4
"""How many words of a line must match; after them, as many are cut as follow."""


def without(page: str, texts: Sequence[str]) -> str:
    """Return an issue, as JSON by language, without some texts, or '' if they can't be cut.

    That is so if none of them is found, or if some of them may still stand in it.
    """
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    pages: dict[str, dict[str, str]] = json.loads(page)
    for one in pages.values():
        before = dict(one)
        for part in ("text", "html"):
            spell = escape if part == "html" else str
            one[part] = _cut(one[part], [spell(text) for text in (*texts, *lines)])
        # Where nothing was found, the words may stand in a form that is not known.
        if before["text"] == one["text"] or before["html"] == one["html"]:
            return ""
        # Pictures show the names of pilots alone, and no words of players.
        if _holds((one[part] for part in ("subject", "text", "html")), lines):
            return ""
    return json.dumps(pages)


def _cut(page: str, texts: Iterable[str]) -> str:
    """Return a page without some texts."""
    # The longest first: a text is no longer found as a whole once one of its lines is cut.
    for text in sorted(dict.fromkeys(texts), key=len, reverse=True):
        if _letters(text) >= TELLING:
            page = _cut_words(page, text.split())
    return page


def _cut_words(page: str, words: Sequence[str]) -> str:
    """Cut the page wherever the words begin, with as many of them as follow there."""
    head = re.compile(rf"(?<!\w){_GAP.join(map(_pattern, words[:_HEAD]))}")
    # A few short words are in many texts, so then all words must match.
    if _letters(" ".join(words[:_HEAD])) < TELLING // 2:
        head = re.compile(rf"(?<!\w){_GAP.join(map(_pattern, words))}")
    at = 0
    while (match := head.search(page, at)) is not None:
        end = match.end()
        for word in words[_HEAD:]:
            further = re.compile(_GAP + _pattern(word)).match(page, end)
            if further is None:
                break
            end = further.end()
        page = page[: match.start()] + _CUT + page[end:]
        at = match.start() + len(_CUT)
    return page


def _pattern(word: str) -> str:
    """Return a pattern for a word, in which quotation marks may be escaped in several ways."""
    quotes = {"&quot;": "(?:&quot;|&#34;)", "&#x27;": "(?:&#x27;|&#39;|')"}
    found = re.escape(word)
    for mark, others in quotes.items():
        found = found.replace(re.escape(mark), others)
    return found


def _holds(parts: Iterable[str], lines: Sequence[str]) -> bool:
    """Return whether a page may still hold any of some lines; short lines are not cut."""
    text = unescape(re.sub("<[^<>]*>", " ", " ".join(parts)))
    short = [line for line in lines if _letters(line) < TELLING]
    found = (re.search(rf"(?<!\w){_GAP.join(map(_pattern, one.split()))}", text) for one in short)
    return Pieces(lines).are_in(text) or any(found)


def _letters(text: str) -> int:
    return sum(sign.isalnum() for sign in text)
