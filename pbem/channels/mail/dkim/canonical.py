"""What a signature covers: fields and body in the forms of RFC 6376, section 3.4."""

import re
from collections.abc import Iterable, Iterator, Sequence

Field = tuple[bytes, bytes]
"""A header field as written: its name, and all after the colon up to the last line's end."""

_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:(.*)", re.DOTALL)
_SPACE = re.compile(rb"[ \t]+")
_BLANK = re.compile(rb"[ \t\r\n]+")


def parted(raw: bytes) -> tuple[list[Field], bytes]:
    """Return a letter's fields and its body; line ends are LF afterwards."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    found = (_FIELD.fullmatch(one) for one in re.split(rb"\n(?![ \t])", head))
    return [(one[1], one[2]) for one in found if one], body


def field(name: bytes, value: bytes, form: str) -> bytes:
    """Return a field in the form "relaxed" or "simple", without the line's end."""
    if form == "simple":
        return name + b":" + value.replace(b"\n", b"\r\n")
    return name.lower() + b":" + _BLANK.sub(b" ", value).strip(b" ")


def body(text: bytes, form: str) -> bytes:
    """Return a body in the form "relaxed" or "simple"."""
    lines = text.split(b"\n")
    if form == "relaxed":
        lines = [_SPACE.sub(b" ", line).rstrip(b" ") for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    # An empty body is one line end here, and nothing in the form "relaxed" (3.4.3 and 3.4.4).
    if not lines and form == "simple":
        return b"\r\n"
    return b"".join(line + b"\r\n" for line in lines)


def chosen(fields: Sequence[Field], names: Iterable[bytes]) -> Iterator[Field]:
    """Yield the fields that are signed: of those with one name the last first, each once."""
    left: dict[bytes, list[Field]] = {}
    for name, value in fields:
        left.setdefault(name.lower(), []).append((name, value))
    for name in names:
        if left.get(name.lower()):
            yield left[name.lower()].pop()
