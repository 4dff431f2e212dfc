"""The newsletter as an Atom feed (RFC 4287), for readers who would rather fetch it."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pbem.channels.mail.maildir import write_down
from pbem.rendering import Page

ENTRIES = 12
"""How many issues the feed holds, the latest."""
_ATOM = "http://www.w3.org/2005/Atom"


class Entry(NamedTuple):
    """An issue in the feed: its permanent id, when it came out (UTC), and its words."""

    id: str
    at: datetime
    page: Page


def write(file: Path, content: bytes) -> None:
    """Write a feed as a whole or not at all, unless the file holds it already. Raises OSError."""
    if file.is_file() and file.read_bytes() == content:
        return
    # Renamed into place, so that nobody ever fetches half a file.
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    write_down(draft, content)
    draft.replace(file)


def atom(name: str, league: str, entries: Sequence[Entry]) -> bytes:
    """Return issues, the latest first, as a feed with this id."""
    feed = Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _add(feed, "id", name)
    _add(feed, "title", f"{league}: the newsletter")
    _add(feed, "updated", _time(entries[0].at))
    # RFC 4287 (4.1.1) asks for an author of the feed or of each entry.
    _add(SubElement(feed, "author"), "name", league)
    for entry in entries:
        found = SubElement(feed, "entry")
        _add(found, "id", entry.id)
        _add(found, "title", entry.page.subject)
        _add(found, "updated", _time(entry.at))
        _add(found, "content", entry.page.html, type="html")
    indent(feed)
    words: str = tostring(feed, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{words}\n'.encode()


def _add(parent: Element, tag: str, text: str, **attributes: str) -> None:
    SubElement(parent, tag, attributes).text = text


def _time(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
