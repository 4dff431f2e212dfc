"""A parsed letter, as the rows of the table see it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from pbem.intake.addresses import Mailbox, addresses_in, one_mailbox
from pbem.intake.alternatives import Form, Weighed, weighed
from pbem.intake.body import letter_text, other_text
from pbem.intake.bounce_phrases import DAEMON_NAMES, DAEMONS
from pbem.intake.charsets import one_line
from pbem.intake.headers import decode_words, parameters
from pbem.intake.mime import Part, read_parts
from pbem.intake.quotes import Own, own_text, own_words
from pbem.intake.reading import ANSWERING, Limits, TooMuchError, has_marker

DELIVERED = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to", "cc")
NOTICE = 4_000


MOST_FILES = 5
TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
NO_FILES = re.compile(r"application/(?:pgp|(?:x-)?pkcs7)-.*|text/(?:x-)?vcard|message/.*|image/.*")
"""What programs attach by themselves: signatures, cards, and the pictures of a layout."""


def is_file(part: Part) -> bool:
    """Return whether a part is a file that the writer may have put orders into."""
    return part.kind in TNEF or (part.attached and not NO_FILES.fullmatch(part.kind))


def file_name(part: Part) -> str:
    """Return the name of an attached file, or else its kind."""
    params = parameters(part.headers.first("content-disposition"))[1]
    name = params.get("filename") or part.params.get("name") or ""
    return one_line(decode_words(name))[:60] or part.kind


def attached_text(raw: bytes, ending: str) -> str:
    """Return the text of a letter's first attached file whose name ends so, or ""."""
    parts = read_parts(raw, Limits()).walk()
    files = (part for part in parts if is_file(part) and not part.parts)
    found = next((part for part in files if file_name(part).lower().endswith(ending)), None)
    return "" if found is None else found.text()


class Letter:
    """One letter with what the rows ask for, each thing read once and only when asked."""

    def __init__(self, raw: bytes, limits: Limits) -> None:
        self.limits = limits
        self.root: Part = read_parts(raw, limits)
        self.headers = self.root.headers

    @cached_property
    def sender(self) -> Mailbox | None:
        """The one clean mailbox of the one From, or None."""
        values = self.headers.all("from")
        return one_mailbox(values[0]) if len(values) == 1 else None

    @cached_property
    def subject(self) -> str:
        """The subject as one clean line."""
        return decode_words(self.headers.first("subject"))

    @property
    def topic(self) -> str:
        """The subject without its Re: and Fwd:."""
        topic = self.subject
        while found := ANSWERING.match(topic):
            topic = topic[found.end() :]
        return " ".join(topic.split()).casefold()

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The content types of all parts."""
        return frozenset(part.kind for part in self.root.walk())

    @cached_property
    def shown(self) -> tuple[str, str]:
        """All the text that the letter shows; or "", and the cap that it exceeds."""
        try:
            text = letter_text(self.root, self.limits)
        except TooMuchError as error:
            return "", str(error)
        if text.count("\n") > self.limits.lines:
            return "", f"more than {self.limits.lines} lines"
        return text, ""

    @property
    def whole(self) -> str:
        """All the text that the letter shows."""
        return self.shown[0]

    @property
    def quotes_bare(self) -> bool:
        """Whether the marker of our letters is on a line that is not marked as quoted."""
        marked = (line for line in self.whole.splitlines() if "##-" in line and has_marker(line))
        return any(not line.lstrip().startswith(">") for line in marked)

    @cached_property
    def own(self) -> Own:
        """The writer's own new text by its first form, and the lines that may be a signature."""
        return own_words(self.whole)

    @property
    def unread(self) -> tuple[str, ...]:
        """The names of attached files, which nobody reads, without signatures and the like."""
        files = (part for part in self.root.walk() if not part.parts)
        return tuple(file_name(part) for part in files if is_file(part))[:MOST_FILES]

    @cached_property
    def weighed(self) -> Weighed:
        """The writer's own new text, and the lines in which its plain and HTML forms differ."""
        plain = Form(self.own.text, self.whole)
        for beginning in (True, False):
            other = other_text(self.root, self.limits, beginning)
            found = weighed(plain, Form(own_text(other), other)) if other else Weighed(plain.own)
            if not beginning or found.same:
                return found
        raise AssertionError("the whole HTML is always the last")

    @property
    def text(self) -> str:
        """The writer's own new text."""
        return self.weighed.text

    @cached_property
    def notice(self) -> str:
        """The beginning of the text, on one line and in lower case."""
        return " ".join(self.whole[:NOTICE].split()).casefold()

    @cached_property
    def recipients(self) -> tuple[str, ...]:
        """The addresses that the letter was sent to."""
        values = (value for name in DELIVERED for value in self.headers.all(name))
        return addresses_in(dict.fromkeys(values))

    @cached_property
    def addressed(self) -> tuple[str, ...]:
        """The addresses in To and Cc."""
        return addresses_in(value for name in ("to", "cc") for value in self.headers.all(name))

    @property
    def null_path(self) -> bool:
        """Whether the letter came with an empty return path, which only machines use."""
        return any(value.strip() == "<>" for value in self.headers.all("return-path"))

    @cached_property
    def from_daemon(self) -> bool:
        """Whether the sender is a mail system."""
        value = " ".join(self.headers.all("from"))
        local = any(DAEMONS.fullmatch(each) for each in self.from_locals())
        return local or bool(DAEMON_NAMES.search(value[:NOTICE])) or value.strip() == "<>"

    def from_locals(self) -> Iterator[str]:
        """Yield the words before an @ in From, or alone there, without punctuation."""
        for value in self.headers.all("from"):
            for word in re.split(r"[\s<>()\"]+", value[:NOTICE]):
                yield re.sub(r"[-_.+]", "", word.partition("@")[0])
