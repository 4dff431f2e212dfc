"""Whether a daemon is at work: it notes that, and its end, in the file of the league's lock.

The lock itself ends with the process, however that ends; the content of its file does not. So a
file that nobody has locked and that notes no end belongs to a daemon that was killed.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engine.i18n import say
from pbem.i18n.days import in_utc
from pbem.service.lock import LOCK
from pbem.settings import Settings

SILENCE = timedelta(minutes=10)
"""A daemon that has written nothing for so long is stuck; systemd ends it sooner."""
MEMORY = timedelta(days=1)
"""How long a killed daemon is reported, even if another works since."""

_SIZE = 4096
"""The file keeps this size, so that it can be rewritten even if the disk is full."""
_MOST, _LONGEST = 20, 400
_TEXTS = ("began", "ended", "fault", "pid", "settings", "rejected")


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """What is known of the daemon: when it `began`, was last `seen` and `ended`; times are text.

    `deaths` are the times at which daemons that ended without noting it were last seen, and `fault`
    is why this one can't work at the moment. `settings` is the fingerprint of those that it works
    by, and `rejected` is why it could not take others.
    """

    began: str = ""
    ended: str = ""
    deaths: tuple[str, ...] = ()
    fault: str = ""
    pid: str = ""
    settings: str = ""
    rejected: str = ""
    seen: datetime | None = None
    held: bool = False

    @property
    def killed(self) -> bool:
        """Whether the last daemon is gone without having noted its end."""
        return bool(self.began and not self.ended and not self.held)


def presence(settings: Settings) -> Presence:
    """Return what is known of the daemon of this machine. This writes nothing."""
    file = settings.state(LOCK)
    try:
        handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return Presence()
    try:
        found = _read(handle)
        try:
            # The test takes the lock for a moment; the daemon retries, so it does no harm.
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return replace(found, held=True)
        return found
    finally:
        os.close(handle)


def _read(handle: int) -> Presence:
    """Return what the file says; an empty Presence if another program has written it."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(os.pread(handle, _SIZE, 0))
        deaths = tuple(str(each) for each in kept["deaths"])
        seen = datetime.fromtimestamp(os.fstat(handle).st_mtime, UTC)
        began, ended, fault, pid, settings, rejected = (str(kept[name]) for name in _TEXTS)
        return Presence(
            began=began,
            ended=ended,
            fault=fault,
            pid=pid,
            settings=settings,
            rejected=rejected,
            deaths=deaths,
            seen=seen,
        )
    return Presence()


class Mark:
    """What a daemon notes about itself in the lock's file, as far as that can be written."""

    def __init__(self, file: Path, now: datetime, settings: str = "") -> None:
        """Note that a daemon begins, and whether the one before did not note its end."""
        self._file = file
        with suppress(OSError):
            handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
            try:
                before = _read(handle)
            finally:
                os.close(handle)
            deaths = [each for each in before.deaths if _lately(each, now)]
            # The caller holds the lock, so a daemon that began and has not ended is dead.
            if before.began and not before.ended and before.seen is not None:
                deaths.append(before.seen.isoformat())
            self._kept = Presence(
                began=now.isoformat(),
                deaths=tuple(deaths[-_MOST:]),
                pid=str(os.getpid()),
                settings=settings,
            )
            self._write()

    def alive(self) -> None:
        """Note that the work goes on."""
        with suppress(OSError):
            # Only the file's time, which can be set even if the disk is full.
            os.utime(self._file)

    def fault(self, text: str) -> None:
        """Note why nothing can be done at the moment; "" if all is well again."""
        if text[:_LONGEST] != self._kept.fault:
            self._kept = replace(self._kept, fault=text[:_LONGEST])
            self._write()

    def settings(self, fingerprint: str) -> None:
        """Note that other settings were taken."""
        self._kept = replace(self._kept, settings=fingerprint, rejected="")
        self._write()

    def rejected(self, why: str) -> None:
        """Note why other settings could not be taken."""
        self._kept = replace(self._kept, rejected=why[:_LONGEST])
        self._write()

    def end(self, now: datetime) -> None:
        """Note that the daemon ends normally."""
        self._kept = replace(self._kept, ended=now.isoformat(), fault="")
        self._write()

    def _write(self) -> None:
        kept = asdict(self._kept)
        text = json.dumps({name: kept[name] for name in (*_TEXTS, "deaths")})
        with suppress(OSError):
            handle = os.open(self._file, os.O_WRONLY | os.O_CLOEXEC)
            try:
                # Written in place: a new file would not have the lock, and needs free space.
                os.pwrite(handle, text.encode().ljust(_SIZE), 0)
                os.fsync(handle)
            finally:
                os.close(handle)


@contextmanager
def at_work(settings: Settings) -> Iterator[Mark]:
    """Note a daemon's beginning and end; only for the holder of the league's lock."""
    mark = Mark(settings.state(LOCK), datetime.now(UTC), settings.fingerprint)
    try:
        yield mark
    finally:
        mark.end(datetime.now(UTC))


def _lately(moment: str, now: datetime) -> bool:
    with suppress(ValueError):
        # In both directions, since the clock may have gone back.
        return abs(now - datetime.fromisoformat(moment)) < MEMORY
    return False


def unread(found: Presence, settings: Settings) -> str:
    """Return a sentence if the daemon works by other settings than those that stand there now."""
    works = found.held and found.began and not found.ended
    if not works or found.settings in ("", settings.fingerprint):
        return ""
    if found.rejected:
        return say("the daemon could not take the changed settings: {why}", why=found.rejected)
    return say(
        "the settings were changed, and the daemon has not read them: systemctl reload pbem, or"
        " kill -HUP {pid}",
        pid=found.pid,
    )


def trouble(found: Presence, now: datetime) -> str:
    """Return what is wrong with the daemon; "" if nothing is, or none has ever run."""
    seen = in_utc(found.seen) if found.seen is not None else ""
    if found.killed:
        return say(
            "no daemon is running: the last one ended without saying so, and was last seen {when}",
            when=seen,
        )
    if not found.held or not found.began or found.ended or found.seen is None:
        return ""
    if found.fault:
        return say("the daemon runs, but can't work: {fault}", fault=found.fault)
    if now - found.seen > SILENCE:
        return say("the daemon has done nothing since {when}", when=seen)
    deaths = [each for each in found.deaths if _lately(each, now)]
    if not deaths:
        return ""
    return say(
        "the daemon ended without saying so and was started again (number of times within a day:"
        " {count}; the last: {when})",
        count=len(deaths),
        when=in_utc(datetime.fromisoformat(deaths[-1])),
    )
