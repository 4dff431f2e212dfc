"""Letters on this machine's own disk: a Maildir as a source, and as a destination."""

import os
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from time import monotonic, time, time_ns

from pbem.mail.connections import Bell
from pbem.mail.fetch_batches import Size, in_batches
from pbem.mail.mailbox import HEADER_BYTES, MAX_BYTES, Arrival, Batch, Cursor, MailboxDown
from pbem.mail.transport import TransportDown, check_envelope

UID_FILE = "pbem-uids"
POLL_SECONDS = 0.5
_PARTS = ("cur", "new", "tmp")
_serial = count()


class MaildirMailbox:
    """A Maildir with lasting UIDs of its own, kept in the file `pbem-uids` in the same folder.

    If that file is lost, all letters get new numbers under another UIDVALIDITY.
    """

    def __init__(
        self, path: Path, done_folder: str = "Processed", max_bytes: int = MAX_BYTES
    ) -> None:
        self.account = f"maildir:{path}"
        self.folder = "INBOX"
        self._path = path
        self._done = path / f".{done_folder.replace('/', '.')}"
        self._max_bytes = max_bytes
        self._numbers = UidList(path / UID_FILE)
        self._seen: set[str] = set()
        self._bell = Bell()

    def connect(self) -> None:
        """Check that the Maildir exists, and make the done folder (Maildir++)."""
        with self._faults():
            os.listdir(self._path)
            for folder in (self._path, self._done):
                make_maildir(folder)
            (self._done / "maildirfolder").touch()
            self._numbers.load()

    def arrivals(self, after: Cursor | None) -> Iterator[Batch]:
        """Yield batches of at most 100 letters and about 8 MiB, by rising UID."""
        with self._faults():
            files = self._scan()
            self._seen = {_stem(file.name) for file in files.values()}
        usable = after is not None and after.uidvalidity == self._numbers.uidvalidity
        first = after.uid if after and usable else 0
        known = ((uid, _size(file)) for uid, file in files.items() if uid > first)
        sizes = {uid: size for uid, size in known if size}
        for portion, until in in_batches(sizes, self._max_bytes):
            with self._faults():
                batch = [self._read(uid, files[uid], sizes[uid]) for uid in portion]
            if found := [arrival for arrival in batch if arrival]:
                yield Batch(found, until)

    def uids(self) -> tuple[int, set[int]]:
        """Return the UIDVALIDITY and every UID in the Maildir."""
        with self._faults():
            files = self._scan()
        return self._numbers.uidvalidity, set(files)

    def file(self, uidvalidity: int, uids: Sequence[int]) -> None:
        """Move letters to the done folder; UIDs of another UIDVALIDITY mean nothing."""
        with self._faults():
            files = self._scan()
            if uidvalidity == self._numbers.uidvalidity:
                for uid in files.keys() & set(uids):
                    self._put_away(files[uid])

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

    def _scan(self) -> dict[int, Path]:
        """Number new letters by age, and return the file of each UID."""
        files = {_stem(file.name): file for file in self._letters()}
        uids = self._numbers.renumber(sorted(files, key=lambda stem: _age(files[stem])))
        return {uids[stem]: file for stem, file in files.items()}

    def _read(self, uid: int, file: Path, size: Size) -> Arrival | None:
        truncated = size.octets > self._max_bytes
        try:
            with file.open("rb") as text:
                # Enough to answer a letter that is too large.
                raw = _header(text.read(HEADER_BYTES)) if truncated else text.read()
        except FileNotFoundError:
            return None
        raw = crlf(raw)
        octets = size.octets if truncated else len(raw)
        return Arrival(self._numbers.uidvalidity, uid, size.received, octets, raw, truncated)

    def _put_away(self, file: Path) -> None:
        # Files in `cur` need a suffix for flags, even without flags.
        name = file.name if ":" in file.name else f"{file.name}:2,"
        with suppress(FileNotFoundError):
            file.rename(self._done / "cur" / name)


class UidList:
    """Numbers for names that outlive the process; written whole, by rename."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.uidvalidity = 0
        self._next = 1
        self._uids: dict[str, int] = {}

    def load(self) -> None:
        """Read the file; start with an empty list when it is missing or damaged."""
        try:
            head, *lines = self._file.read_text().splitlines()
            _, self.uidvalidity, self._next = (int(word) for word in head.split())
            pairs = (line.split(" ", 1) for line in lines)
            self._uids = {name: int(uid) for uid, name in pairs}
        except (FileNotFoundError, ValueError):
            # The time is greater than any UIDVALIDITY before it, as RFC 3501 asks.
            self.uidvalidity, self._next, self._uids = int(time()), 1, {}

    def renumber(self, names: Sequence[str]) -> dict[str, int]:
        """Number new names in this order, drop missing ones, save, and return all numbers."""
        kept = {name: self._uids[name] for name in names if name in self._uids}
        fresh = [name for name in names if name not in kept]
        numbered = kept | dict(zip(fresh, count(self._next), strict=False))
        if numbered != self._uids or not self._file.exists():
            self._next += len(fresh)
            self._uids = numbered
            self._save()
        return numbered

    def _save(self) -> None:
        lines = [f"1 {self.uidvalidity} {self._next}"]
        lines += [f"{uid} {name}" for name, uid in self._uids.items()]
        # By rename, so that a crash leaves the old list or the new one, whole.
        draft = self._file.with_suffix(".tmp")
        write_down(draft, "\n".join(lines).encode() + b"\n")
        draft.replace(self._file)


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
    seconds, rest = divmod(time_ns(), 10**9)
    # A slash would name a folder, and a colon begins the flags of a Maildir's file name.
    host = re.sub(r"[/:]", "_", socket.gethostname())
    name = f"{seconds}.M{rest // 1000}P{os.getpid()}Q{next(_serial)}.{host}"
    draft = maildir / "tmp" / name
    write_down(draft, raw)
    draft.rename(maildir / "new" / name)
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


def _header(start: bytes) -> bytes:
    end = re.search(rb"\n\r?\n", start)
    return start[: end.end()] if end else start


def _stem(name: str) -> str:
    return name.partition(":")[0]


def _age(file: Path) -> tuple[int, str]:
    try:
        return file.stat().st_mtime_ns, file.name
    except FileNotFoundError:
        return 0, file.name


def _size(file: Path) -> Size | None:
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return Size(status.st_size, datetime.fromtimestamp(status.st_mtime, UTC))
