"""Ways in which programs and people write a text so that it looks like another one.

Codes of mail and of the web are decoded, and formatting is removed. The result is searched for
secrets, and shown to nobody.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

_ROUNDS = 3
"""How many layers of encoding are decoded."""
_MOST = 4_000
"""The most characters of a line that are decoded."""
_ENCODED_WORD = re.compile(r"=\?[\w.*-]{1,40}\?[bq]\?[^?\s]{1,400}\?=", re.I)
_QUOTED = re.compile(r"=([0-9A-F]{2})", re.I)
_ESCAPED = re.compile(r"\\(?:u\{?00|u00|x)([0-9a-f]{2})\}?", re.I)
_MARKUP = re.compile(
    r"<!--.{0,80}?-->|</?[a-z][^<>@]{0,80}>|\[/?[a-z*]{1,8}(?:=[^\[\]@]{0,60})?\]"
    r"|\([^()@]{0,20}\)(?=@)|[*\\`\"](?=@)|(?<=@)[*\\`]{1,3}|\*{1,3}|\\|`|~~",
    re.I,
)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}(?:\s{0,3}\n\s{0,3}[A-Za-z0-9+/_-]{4,}={0,2})*")
_HEX = re.compile(r"(?:[0-9a-f]{2}[ :]?){9,}", re.I)
_MOST_BLOCK = 100_000


class Block(NamedTuple):
    """An encoded part of a text: its lines, and its decoded content."""

    first: int
    last: int
    lines: list[str]


def decoded(text: str) -> str:
    """Return a line without the codes of mail headers, quoted-printable, HTML, URLs and scripts."""
    text = text[:_MOST]
    for _ in range(_ROUNDS):
        before = text
        text = unescape(text) if "&" in text else text
        text = unquote(text) if "%" in text else text
        text = _ENCODED_WORD.sub(_word, text) if "=?" in text else text
        text = _QUOTED.sub(_sign, text) if "=" in text else text
        text = _ESCAPED.sub(_sign, text) if "\\" in text else text
        if text == before:
            break
    return text


def _word(match: re.Match[str]) -> str:
    try:
        return str(make_header(decode_header(match[0])))
    except (HeaderParseError, UnicodeError, LookupError, ValueError):
        return match[0]


def _sign(match: re.Match[str]) -> str:
    sign = chr(int(match[1], 16))
    return sign if " " < sign <= "~" else match[0]


def unmarked(text: str) -> str:
    """Return a line without the formatting of HTML, boards and Markdown."""
    return _MARKUP.sub("", text)


def blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Yield the parts that are text in base64 or hex, over any number of lines."""
    text = "\n".join(lines)[:_MOST_BLOCK]
    for pattern, read in ((_BASE64, _base64), (_HEX, _hex)):
        for match in pattern.finditer(text):
            said = [one for one in read("".join(match[0].split())) if one]
            if said:
                first = text.count("\n", 0, match.start())
                yield Block(first, first + match[0].count("\n"), said)


def _base64(code: str) -> Iterator[str]:
    """Yield what a code says, for each place where a group of four may begin."""
    code = code.rstrip("=").replace("-", "+").replace("_", "/")
    if code.isalpha() and (code.islower() or code.isupper()):
        return  # a long word
    for start in range(4):
        part = code[start:]
        cut = part[: len(part) - (len(part) % 4 == 1)]
        with suppress(binascii.Error):
            yield _readable(binascii.a2b_base64(cut + "=" * (-len(cut) % 4)))


def _hex(code: str) -> Iterator[str]:
    code = code.replace(":", "")
    yield _readable(bytes.fromhex(code[: len(code) // 2 * 2]))


def _readable(raw: bytes) -> str:
    """Return bytes as text; '' if they are not text."""
    text = raw.decode("ascii", "replace")
    odd = sum(ord(sign) < 32 and not sign.isspace() for sign in text)
    return text if odd * 8 <= len(text) else ""
