"""Letters that try to cost much: each kind as a function from a size in bytes to a letter."""

from typing import NamedTuple

from tests.hostile.bomb_parts import FULL, HEADER, Make
from tests.hostile.bombs_header import HEADERS, SENDERS
from tests.hostile.bombs_html import HTML
from tests.hostile.bombs_mime import BOUNCES, MIME
from tests.hostile.bombs_text import TEXT


class Bomb(NamedTuple):
    """A kind of letter, made at a size; `most` is the largest size that says something new."""

    make: Make
    most: int = FULL


_GROUPS = {
    "html": HTML,
    "text": TEXT,
    "header": HEADERS,
    "sender": SENDERS,
    "bounce": BOUNCES,
    "mime": MIME,
}
BOMBS = {
    f"{group}: {name}": Bomb(make, HEADER if group in ("header", "sender") else FULL)
    for group, makes in _GROUPS.items()
    for name, make in makes.items()
}


def made(name: str, size: int, sender: bytes, token: bytes = b"") -> bytes:
    """Make a bomb of at most a size, from somebody, with a token where they have one."""
    raw = BOMBS[name].make(size - 400)
    if len(raw) > size - 400 and "10 MB" not in name:
        raw = BOMBS[name].make((size - 400) ** 2 // len(raw))
    head = b"Message-ID: <" + name.encode().hex().encode()[:200] + b"@x.example>\n"
    head += b"" if raw.startswith(b"From:") else b"From: " + sender + b"\n"
    return head + b"To: referee" + b"+" * bool(token) + token + b"@league.example\n" + raw
