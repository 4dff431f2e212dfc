"""One letter of the demo, as a mail program shows it."""

import re
from base64 import b64encode
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from functools import cached_property

from pbem.intake import CUT_MARKER

_TOKEN = re.compile(r"\[PBEM \w{16}\] ?| \w{16}(?=\])")


class ShownLetter:
    """A letter's bytes, and what can be read in them."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    @cached_property
    def message(self) -> EmailMessage:
        """The letter, parsed."""
        return message_from_bytes(self.raw, policy=default)

    def header(self, name: str) -> str:
        """Return a header's text, empty where there is none."""
        return str(self.message[name] or "")

    @property
    def sender(self) -> str:
        """The sender's name."""
        return _shown(self.header("From"))

    @property
    def recipient(self) -> str:
        """The recipient's name."""
        return _shown(self.header("To"))

    @property
    def subject(self) -> str:
        """The subject without the token."""
        return _TOKEN.sub("", " ".join(self.header("Subject").split()))

    @property
    def text(self) -> str:
        """The plain part, without the line that replies are written above."""
        return self._part("plain").replace(CUT_MARKER, "", 1).strip() + "\n"

    @property
    def html(self) -> str:
        """The HTML part with its pictures in it, empty where it has none."""
        shown = self._part("html")
        for part in self.message.walk():
            name = str(part["Content-ID"] or "").strip("<>")
            if name:
                # In data URLs, which a browser shows without the letter around them.
                data = b64encode(part.get_payload(decode=True)).decode()  # type: ignore[arg-type]
                shown = shown.replace(
                    f"cid:{name}", f"data:{part.get_content_type()};base64,{data}"
                )
        return shown

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return "" if part is None else str(part.get_content()).replace("\r\n", "\n")

    def attachments(self) -> dict[str, bytes]:
        """The attached files by name."""
        return {
            str(part.get_filename()): part.get_payload(decode=True)  # type: ignore[misc]
            for part in self.message.iter_attachments()
        }


def _shown(header: str) -> str:
    name, address = parseaddr(header)
    return name or address
