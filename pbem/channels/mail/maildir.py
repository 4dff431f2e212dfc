"""Letters on this machine's own disk: a Maildir as a source, and as a destination."""

import hashlib
import logging
import os
import re
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from mailbox import Maildir
from pathlib import Path
from time import monotonic

from pbem.channels.mail.connections import Bell
from pbem.channels.mail.fetch_batches import Listed, header_of, in_batches
from pbem.channels.mail.mailbox import MAX_BYTES, Arrival, Batch, Known, MailboxDown
from pbem.channels.mail.transport import TransportDown, check_envelope

POLL_SECONDS = 0.5
_PARTS = ("cur", "new", "tmp")
_log = logging.getLogger(__name__)


class MaildirMailbox:
    """A Maildir as a source of letters, which lie there under the names of their files."""

    def __init__(
        self, path: Path, done_folder: str = "Processed", max_bytes: int = MAX_BYTES
    ) -> None:
        self.account = f"maildir:{path}"
        self.folder = "INBOX"
        self._path = path
        self._done = path / f".{done_folder.replace('/', '.')}"
        self._max_bytes = max_bytes
        self._here: dict[str, Path] = {}
        self._settled: set[str] = set()
        self._seen: set[str] = set()
        self._bell = Bell()
        self.moves = True
        self.withheld: dict[str, str] = {}

    def connect(self) -> None:
        """Check that the Maildir exists, and make the done folder (Maildir++)."""
        with self._faults():
            os.listdir(self._path)
            for folder in (self._path, self._done):
                make_maildir(folder)
            (self._done / "maildirfolder").touch()
        self.look_afresh()

    def look_afresh(self) -> None:
        """Ask of all letters once more whether they are known."""
        self._settled = set()

    def arrivals(self, known: Known) -> Iterator[Batch]:
        """Yield batches of at most 100 letters and about 8 MiB, the oldest file first."""
        listed = [one for one in self._scan().values() if one.place not in self._settled]
        stored = set(known([one.place for one in listed]))
        fresh = dict(enumerate(one for one in listed if one.place not in stored))
        for portion, until in in_batches(fresh, self._max_bytes):
            batch = [self._read(fresh[n]) for n in portion]
            if found := [arrival for arrival in batch if arrival]:
                yield Batch(found, until)
            stored |= {arrival.place for arrival in found}
        # What could not be read is looked at again next time.
        self._settled = (self._settled | stored) & self._here.keys()

    def places(self) -> set[str]:
        """Return the places of all letters in the Maildir."""
        self._scan()
        return set(self._here)

    def lists(self, place: str) -> bool:
        """Return whether a letter lay at a place when the Maildir was last looked at."""
        return place in self._here

    def file(self, places: Collection[str]) -> None:
        """Move letters to the done folder."""
        self._scan()
        for place in places:
            if place in self._here:
                self._put_away(self._here[place])

    def wait(self, seconds: float) -> bool:
        """Look into the folders twice a second."""
        end = monotonic() + seconds
        rung = False
        with self._faults():
            while not (news := self._has_news()) and not rung and (left := end - monotonic()) > 0:
                rung, _ = self._bell.wait(min(left, POLL_SECONDS))
        return news

    def wake(self) -> None:
        """End the present wait, or else the next."""
        self._bell.ring()

    def close(self) -> None:
        """Do nothing: no file is kept open."""

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise MailboxDown(f"There is no Maildir at {self._path} (yet).") from error
        except OSError as error:
            where = error.filename or self._path
            raise MailboxDown(f"{where} cannot be used: {error.strerror or error}.") from error

    def _letters(self) -> Iterator[Path]:
        """Yield new before cur: a letter that a mail program moves meanwhile is then seen twice."""
        for part in ("new", "cur"):
            for name in os.listdir(self._path / part):
                if not name.startswith("."):
                    yield self._path / part / name

    def _has_news(self) -> bool:
        return any(_stem(file.name) not in self._seen for file in self._letters())

    def _scan(self) -> dict[int, Listed]:
        """Return what lies there, the oldest file first, and note what is no letter."""
        with self._faults():
            files = {_stem(file.name): file for file in self._letters()}
        found = list[tuple[int, str, Listed]]()
        self._here, self._seen, self.withheld = {}, set(files), {}
        for stem, file in files.items():
            try:
                status = file.lstat()
            except OSError as error:
                self._withhold(stem, file, error.strerror or str(error))
                continue
            if not stat.S_ISREG(status.st_mode):
                self._withhold(stem, file, "it is no file")
                continue
            place = f"{_mark(stem)} {status.st_size} {status.st_mtime_ns}"
            received = datetime.fromtimestamp(status.st_mtime, UTC)
            self._here[place] = file
            found.append((status.st_mtime_ns, file.name, Listed(status.st_size, received, place)))
        return dict(enumerate(listed for _, _, listed in sorted(found, key=lambda one: one[:2])))

    def _withhold(self, place: str, file: Path, why: str) -> None:
        """Note what can't be read, unless it is gone: it stops nothing, and is tried again."""
        if os.path.lexists(file):
            self.withheld[place] = f"{file.parent.name}/{ascii(file.name)[1:-1]}: {why}"

    def _read(self, one: Listed) -> Arrival | None:
        file = self._here[one.place]
        try:
            with file.open("rb") as opened:
                raw = opened.read(self._max_bytes + 1)
        except OSError as error:
            self._withhold(one.place, file, error.strerror or str(error))
            return None
        truncated = one.octets > self._max_bytes or len(raw) > self._max_bytes
        # Enough to answer a letter that is too large.
        raw = crlf(header_of(raw) if truncated else raw)
        octets = max(one.octets, len(raw)) if truncated else len(raw)
        return Arrival(one.place, one.received, octets, raw, truncated)

    def _put_away(self, file: Path) -> None:
        # Files in `cur` need a suffix for flags, even without flags.
        name = file.name if ":" in file.name else f"{file.name}:2,"
        try:
            file.rename(self._done / "cur" / name)
        except FileNotFoundError:
            pass
        except OSError as error:
            _log.warning("%s can't be moved (%s)", ascii(file.name), error.strerror)


class MaildirTransport:
    """Delivers every letter into one Maildir, with its envelope as header lines above it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Write a letter to disk for good; raise Rejected, or TransportDown if the disk fails."""
        check_envelope(sender, recipient)
        envelope = f"Return-Path: <{sender}>\nX-Envelope-To: {recipient}\n".encode()
        try:
            make_maildir(self._path)
            deliver(self._path, envelope + raw.replace(b"\r\n", b"\n"))
        except OSError as error:
            raise TransportDown(f"{self._path} takes no letters: {error.strerror}.") from error

    def close(self) -> None:
        """Do nothing: no file is kept open."""


def make_maildir(path: Path) -> None:
    """Make the three folders of a Maildir where they are missing. Raises OSError."""
    for part in _PARTS:
        (path / part).mkdir(parents=True, exist_ok=True, mode=0o700)


def deliver(maildir: Path, raw: bytes) -> None:
    """Put a letter into `new`, whole or not at all. Raises OSError."""
    Maildir(maildir).add(raw)
    # The new name is safe only once the folder itself is on the disk.
    _sync(maildir / "new")


def write_down(file: Path, content: bytes) -> None:
    """Write a file and wait until the disk has it. Raises OSError."""
    with file.open("wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def crlf(raw: bytes) -> bytes:
    """Return a letter with the line ends that it has on the wire."""
    return re.sub(rb"\r?\n", b"\r\n", raw)


def _stem(name: str) -> str:
    return name.partition(":")[0]


def _mark(stem: str) -> str:
    """Return a mark of a file's name, which may have any bytes in it."""
    return hashlib.sha256(os.fsencode(stem)).hexdigest()[:24]
