"""What bombs are built of: letters, and units that are repeated up to a size."""

from collections.abc import Callable
from itertools import count

FULL = 1 << 20
"""The most that the league takes of one letter."""
HEADER = 100 << 10
"""The most that it takes of a header."""

Make = Callable[[int], bytes]


def filled(unit: bytes, size: int) -> bytes:
    """Repeat a unit up to a size."""
    return unit * max(1, size // len(unit))


def numbered(form: str, size: int) -> bytes:
    """Repeat a unit that differs each time, by its number or a word made of it, up to a size."""
    made, length = list[bytes](), 0
    for number in count(1):
        made.append(form.format(n=number, w=word(number)).encode())
        length += len(made[-1])
        if length >= size:
            return b"".join(made)[:size]
    raise AssertionError


def word(number: int) -> str:
    """Write a number in letters."""
    letters = ""
    while number:
        number, digit = divmod(number, 26)
        letters += "abcdefghijklmnopqrstuvwxyz"[digit]
    return letters


def letter(body: bytes, head: bytes = b"", subject: bytes = b"Hello") -> bytes:
    """Write a letter whose From and To are added where it is sent."""
    return b"Subject: " + subject + b"\n" + head + b"\n" + body


def html(body: bytes) -> bytes:
    """Write an HTML letter."""
    return letter(body, b"Content-Type: text/html; charset=utf-8\n")


def run(unit: str, before: str = "", after: str = "") -> Make:
    """Fill one line."""
    return lambda size: letter(
        before.encode() + filled(unit.encode(), size - len(before)) + after.encode()
    )
