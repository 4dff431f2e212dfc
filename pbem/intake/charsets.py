"""Bytes to clean text, whatever charset they claim to be in."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

# Programs declare a small charset and use the larger one that contains it (WHATWG Encoding).
STAND_INS = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso2022_jp": "iso2022_jp_ext",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "big5": "big5hkscs",
}
OTHER_NAMES = {
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "unicode-1-1-utf-8": "utf-8",
    "utf8mb4": "utf-8",
    "windows-31j": "cp932",
    "cp50220": "iso2022_jp_ext",
    "cp50221": "iso2022_jp_ext",
    "x-sjis": "cp932",
    "x-gbk": "gb18030",
    "windows-949": "cp949",
    "windows-874": "cp874",
    "x-mac-ce": "mac-latin2",
    "x-mac-centraleurroman": "mac-latin2",
    "x-mac-japanese": "cp932",
    "x-mac-korean": "cp949",
    "x-mac-chinesesimp": "gb18030",
    "x-mac-chinesetrad": "big5",
    "koi8-ru": "koi8-u",
}
# Python has other codecs too, such as unicode_escape and idna, in which nobody writes letters.
ALLOWED = re.compile(
    r"utf-(?:8|8-sig|16|16-le|16-be|32|32-le|32-be)|iso8859-\d+|cp\d{3,4}|koi8-[rut]|gb18030|hz"
    r"|big5hkscs|euc_j\w+|iso2022_(?:jp|kr)\w*|johab|mac-\w+|kz1048|ptcp154"
)

LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
# Arabic and Indian scripts need joiners between their letters; next to ASCII they only hide.
JOINERS = re.compile("(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f])")
SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f]")
LOOKED_AT = 4096
"""How many bytes of a text in an unknown charset are looked at."""
_LOW = bytes(range(128))
_SEEN = bytes([*b"\n", *range(32, 127)])


def decode(raw: bytes, charset: str = "") -> str:
    """Decode bytes as declared, or else as UTF-8, or else by what they look like.

    Some programs declare Latin letters whatever they write, so a text that would have far too many
    accents is looked at too.
    """
    # Nearly all header fields. ESC may begin ISO-2022-JP, which is ASCII too.
    if not charset and raw.isascii() and b"\x1b" not in raw:
        return raw.decode("ascii")
    codec = known_codec(charset) if charset else None
    strange = not raw.isascii() and foreign(raw)
    names: list[str | None] = (
        ["utf-8", codec] if strange and codec == "cp1252" else [codec, "utf-8"]
    )
    if strange and codec in (None, "utf-8", "cp1252"):
        names.insert(1, likely_codec(raw))
    if b"\x1b$" in raw and codec in (None, "utf-8", "cp1252"):
        names.insert(0, "iso2022_jp_ext")
    for name in names:
        if name:
            try:
                return raw.decode(name)
            except (UnicodeError, LookupError):
                continue
    return decode_damaged(raw, codec or "utf-8")


def foreign(raw: bytes) -> bool:
    """Return whether the lines that are not ASCII alone have too many such bytes to be Latin."""
    lines = [line for line in raw.split(b"\n") if not line.isascii()]
    high = sum(len(line.translate(None, _LOW)) for line in lines)
    return high * 3 > sum(len(line.translate(None, b" \t\r")) for line in lines)


def likely_codec(raw: bytes) -> str | None:
    """Return the codec that some bytes of another script than Latin are most likely in, or None."""
    import chardet  # loading its models takes 0.3 s and 28 MB, and few letters need it

    lines = [line for line in raw.split(b"\n") if not line.isascii()]
    try:
        found = chardet.detect(b"\n".join(lines)[:LOOKED_AT])["encoding"]
    except Exception:  # whatever it stumbles over: it only guesses, and the letter is read without
        return None
    return known_codec(found) if found else None


def decode_damaged(raw: bytes, codec: str) -> str:
    """Decode bytes that fit no charset, so that most letters are right if possible."""
    loose = raw.decode(codec, "replace")
    lost = loose.count("\ufffd")
    kept = sum(map("\x7f".__lt__, loose)) - lost
    return loose if kept > lost else raw.decode("cp1252", "replace")


@lru_cache(maxsize=128)
def known_codec(charset: str) -> str | None:
    """Return the codec of a declared charset, or None if it is unknown or not allowed."""
    name = charset.strip().strip("\"'").lower()
    name = OTHER_NAMES.get(name, name)
    for spelling in (name, name.removeprefix("x-"), name.removeprefix("x-").replace("mac", "mac-")):
        try:
            found = codecs.lookup(spelling).name
        except (LookupError, ValueError):
            continue
        codec = STAND_INS.get(found, found)
        return codec if ALLOWED.fullmatch(codec) else None
    return None


def clean(text: str) -> str:
    """Make line ends plain and remove invisible characters."""
    if text.isascii() and not text.encode("ascii").translate(None, _SEEN):
        return text
    text = JOINERS.sub("", UNSEEN.sub("", LINE_ENDS.sub("\n", text)))
    return SPACES.sub(" ", text)


def one_line(text: str) -> str:
    """Return a text cleaned for use as a single line."""
    return " ".join(clean(text).split())
