"""What our own letters order if they come back with no mark that they are quoted."""

import textwrap
from collections.abc import Iterable, Sequence
from email.message import EmailMessage
from functools import cache

from engine.registry import RULESETS
from pbem.intake import NewText, new_text, read_letter
from pbem.routing.line_tests import is_order


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text as a mail program wraps them; a width of 0 leaves them alone."""
    if not width:
        return text.split("\n")
    return [new for line in text.split("\n") for new in textwrap.wrap(line, width) or [""]]


def read_back(body: str, ours: Sequence[str], language: str = "en", page: str = "") -> NewText:
    """Return what somebody wrote in a letter that may hold words of ours, a page of them HTML."""
    head = "From: hawk@example.org\nContent-Type: text/plain; charset=utf-8\n\n"
    sent = EmailMessage()
    sent.set_content("\n\n".join(ours))
    if page:
        sent.add_alternative(page, subtype="html")
    reading = read_letter(f"{head}{body}".encode())
    return new_text(reading, [bytes(sent)], lambda line: orders([line], language) != [])


def orders(lines: Iterable[str], language: str = "en") -> list[str]:
    """Return the lines that are orders by themselves."""
    return [line for line in lines if is_order(line, language, tuple(RULESETS))]


def orders_in(found: NewText, language: str = "en") -> list[str]:
    """Return the lines that would be done as orders."""
    return orders(found.text.splitlines(), language)


@cache
def ordered_by_quotes(text: str, language: str = "en") -> list[str]:
    """Return what is ordered by a letter of ours that comes back bare and without its marker."""
    quote = text.partition("-##")[2] or text
    return [
        order
        for width in (0, 40, 64, 90)
        for order in orders_in(
            read_back("\n".join(wrapped(quote, width)), [text], language), language
        )
    ]
