"""The log: lines for a person or JSON for a program, without secrets or anybody's address."""

import hashlib
import json
import logging
import re
import secrets
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Literal

from pbem.host.systemd import is_journal
from pbem.host.terminal_escapes import harmless
from pbem.intake.tokens_and_keys import masked

Style = Literal["text", "json"]

_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"'`]+@[^\s<>()\[\],;:\"'`]+")
_SALT = secrets.token_bytes(16)


class Discreet(logging.Formatter):
    """Formats records with addresses as marks, the same for one address until the program ends.

    Addresses in `public`, which are the league's own, stay as they are; tokens and keys never do. A
    record's `facts` are added to its JSON. A line of text that is `dated` begins with its time
    (UTC).
    """

    def __init__(self, style: Style, public: Collection[str] = (), *, dated: bool = False) -> None:
        super().__init__("%(levelname)s %(message)s")
        self._dated = dated
        self._json, self._public = style == "json", {one.lower() for one in public}

    def format(self, record: logging.LogRecord) -> str:
        """Return a record's line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        if not self._json:
            text = self.discreet(super().format(record))
            return f"{at} {text}" if self._dated else text
        line = {
            "at": at,
            "level": record.levelname.lower(),
            "message": " ".join(record.getMessage().splitlines()),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        shown = {key: self.discreet(value) for key, value in line.items()}
        return json.dumps(shown | getattr(record, "facts", {}))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Return a record's message on one line, so that none can look like two."""
        return " ".join(super().formatMessage(record).splitlines())

    def discreet(self, text: str) -> str:
        """Return a text without addresses, tokens and keys, and what a terminal would obey."""
        return harmless(masked(_ADDRESS.sub(self._mark, text)))

    def _mark(self, match: re.Match[str]) -> str:
        address = match[0].rstrip(".")
        if address.lower() in self._public:
            return match[0]
        mark = hashlib.blake2s(address.lower().encode(), key=_SALT, digest_size=4).hexdigest()
        return f"address-{mark}{match[0][len(address) :]}"


def set_up(style: Style, public: Collection[str] = ()) -> None:
    """Send the log to standard error; the journal adds the time of a line itself."""
    handler = logging.StreamHandler()
    handler.setFormatter(Discreet(style, public, dated=not is_journal(handler.stream)))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
