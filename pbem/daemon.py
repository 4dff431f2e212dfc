"""The daemon: puts the parts together, and runs the loop that never gives up."""

import errno
import fcntl
import logging
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from types import FrameType

from engine.i18n import say
from pbem import clock_jump, inbox
from pbem.clock import Alarm
from pbem.mail.backoff import LINK, REFUSED, Backoff
from pbem.mail.mailbox import Mailbox, MailboxDown
from pbem.mail.transport import Transport
from pbem.monitoring.alarms import Alarms
from pbem.monitoring.metrics import MetricsServer, exposition
from pbem.monitoring.presence import LOCK, Mark, at_work
from pbem.outgoing import public_letters
from pbem.outgoing.attempts import Act, failed, recovered
from pbem.service import Clock, Service, wall_clock
from pbem.settings import Settings, SettingsError
from pbem.storage import Store, StoreDown, is_away
from pbem.systemd import notify
from pbem.trial import TrialsApart
from pbem.workers.poster import Poster
from pbem.workers.sender import Sender

log = logging.getLogger("pbem")

IDLE_SECONDS = 45.0
PAUSE = 5.0
"""How long to wait before the database is tried again after a fault, in seconds."""
RESCAN = timedelta(minutes=10)


class Busy(SettingsError):
    """Another program works for the league at the moment."""


@contextmanager
def only_one(settings: Settings) -> Iterator[None]:
    """Hold the league's lock. Raise SettingsError while another program holds it."""
    path = Path(settings.state(LOCK))
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        # These faults pass without a change of the settings, so a restart may help.
        kind = Busy if error.errno in (errno.ENOSPC, errno.EROFS, errno.EIO) else SettingsError
        raise kind(f"{path} can't be written ({error.strerror})") from None
    try:
        _lock(handle, path)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, path: Path) -> None:
    """Take the league's lock. Raise Busy while another program has it."""
    for patience in (0.1, 0.2, 0.0):  # `pbem health` holds the lock for a moment
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(patience)
    raise Busy(f"another pbem works for this league ({path.parent}); stop it first")


class Daemon:
    """Reads, answers, plays and sends until it is stopped."""

    def __init__(
        self, service: Service, mailbox: Mailbox, transport: Transport, clock: Clock = wall_clock
    ) -> None:
        self.service, self.mailbox, self.clock = service, mailbox, clock
        self.stopping = threading.Event()
        self.poster = Poster(service.ports.posts, clock)
        self.sender = Sender(service.delivery, transport, clock, self.wake)
        service.group = self.sender.turn
        service.progress = self._alive
        self.mark: Mark | None = None
        self._alarm = Alarm(mailbox.wake)
        self._alarms = Alarms(service.ports.outbox)
        self.metrics: MetricsServer | None = None
        self._connected = False
        self._failures = 0
        self._rescan = clock()
        self._failing = set[str]()
        self._bell = threading.Event()
        self._rng = random.Random()

    def _alive(self) -> None:
        """Report that the work goes on; only the working thread may call this, as it goes on."""
        notify("WATCHDOG=1")
        if self.mark is not None:
            self.mark.alive()

    def _cannot_work(self, why: str) -> None:
        """Report to `pbem health` why nothing can be done; "" if it can."""
        if self.mark is not None:
            self.mark.fault(why)

    def stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """End the loop after the current work; safe as a signal handler."""
        self.stopping.set()
        self.wake()

    def wake(self) -> None:
        """End the present wait, or else the next one."""
        self._bell.set()
        self.mailbox.wake()

    def run(self) -> None:
        """Work until `stop`; wait out faults of mailbox, server, database and program."""
        log.info("the referee of %s has started", self.service.ports.settings.league.name)
        with ExitStack() as at_end:  # calls all of these, even if one fails
            at_end.callback(self.sender.stop)
            at_end.callback(self.mailbox.close)
            at_end.callback(self._close_metrics)
            at_end.callback(self._alarm.close)
            at_end.callback(self.poster.stop)
            at_end.callback(notify, "STOPPING=1")
            while not self.stopping.is_set():
                self._round()
                self._alive()
        log.info("the referee has stopped")

    def _close_metrics(self) -> None:
        if self.metrics is not None:
            self.metrics.close()

    def _round(self) -> None:
        """Do one round. No exception ends the loop, because a restart would not help."""
        try:
            self.poster.start()
            self.sender.start()
            self._work()
            self._cannot_work("")
        except StoreDown as error:
            log.error("%s; trying again", error)
            self._cannot_work(str(error))
            self.stopping.wait(PAUSE)
        except Exception:
            log.exception("a round failed; trying again")
            self.stopping.wait(PAUSE)

    def _work(self) -> None:
        try:
            fine = self._safely("the round", self._read)
            fine &= self._safely("the sender", self._send)
            fine &= self._safely("the look at how all is", self._look)
            fine &= self._safely("moving letters", self._move)
            fine &= self._safely("the rest", self._rest)
            if not fine:
                self.stopping.wait(PAUSE)
        except MailboxDown as error:
            self._mailbox_down(error)

    def _safely(self, name: str, part: Callable[[], object]) -> bool:
        """Do a part of a round, and return whether it went well. Raises MailboxDown, StoreDown.

        Any other exception is logged, so that the other parts are still done.
        """
        now = self.clock()
        act = Act(f"daemon: {name}", say("a part of each round ({part})", part=name), part)
        try:
            part()
        except (MailboxDown, StoreDown):
            raise
        except Exception:
            log.exception("%s failed; it is tried again", name)
            failed(self.service.ports.outbox, act, now)
            self._failing.add(name)
            return False
        if name in self._failing:
            recovered(self.service.ports.outbox, act)
            self._failing.discard(name)
        return True

    def _read(self) -> None:
        if not self._connected:
            self.mailbox.connect()
            self._connected = True
            log.info("connected to %s", self.mailbox.folder)
            self._rescan = self.clock()
            notify("READY=1\nSTATUS=reading the mailbox")
        if not self._rescan - RESCAN < self.clock() < self._rescan:  # also if the clock went back
            inbox.rescan(self.service.ports.store, self.mailbox, self.clock())
            self._rescan = self.clock() + RESCAN
        done = self.service.attend(self.mailbox, self.clock)
        self._failures = 0
        if done.handled or done.deadlines:
            self.poster.wake()
            facts = {"handled": done.handled, "deadlines": done.deadlines}
            said = "%(handled)d letters answered, %(deadlines)d deadlines played"
            log.info(said, facts, extra={"facts": facts})

    def _look(self) -> None:
        """Check the health, inform the moderator of trouble, and update the metrics."""
        found = self._alarms.look(self.clock())
        if self.metrics is not None:
            counts = self.service.ports.counts + self.service.delivery.counts
            self.metrics.text = exposition(found, counts)

    def _send(self) -> None:
        """Pass what is due to the sender, and write what is new to the feed."""
        self.service.feed(self.clock())
        self.sender.look(self.clock())

    def _move(self) -> None:
        inbox.move_handled(self.service.ports.store, self.mailbox)

    def _rest(self) -> None:
        """Wait for letters, or for what is due next."""
        store, now = self.service.ports.store, self.clock()
        by_clock = (store.next_deadline(), self.service.ports.newsletter.next_due(now))
        until = clock_jump.waits_until(store, now) or now
        # After a jump of the clock nothing is due by the clock before `until`.
        held = (max(moment, until) for moment in by_clock if moment is not None)
        moments = (*held, public_letters.next_due(store), self.sender.next_due(now))
        self._alarm.set(min((m for m in moments if m is not None), default=None))
        if not self.stopping.is_set():
            self.mailbox.wait(IDLE_SECONDS)

    def _mailbox_down(self, error: MailboxDown) -> None:
        """Wait for the mailbox to come back. Letters are still sent; deadlines wait."""
        self._connected = False
        if not error.retry:
            log.error("%s", error)
        pause = self._pause(REFUSED if error.refused else LINK, self._failures)
        self._failures += 1
        log.warning("%s Next try in %.0f s.", error, pause)
        notify("READY=1\nSTATUS=the mailbox can't be reached")
        self._patiently(pause)

    def _patiently(self, seconds: float) -> None:
        began = self.clock()
        until = began + timedelta(seconds=seconds)
        # If the clock goes back, this ends at once, and the mailbox is tried again.
        while began <= self.clock() < until and not self.stopping.is_set():
            self._alive()
            self._safely("the sender", self._send)
            self._safely("the look at how all is", self._look)
            # At most 20 s at a time, so that the watchdog of systemd hears from us.
            left = (until - self.clock()).total_seconds()
            self._bell.wait(max(0.0, min(left, 20)))
            self._bell.clear()

    def _pause(self, backoff: Backoff, attempt: int) -> float:
        return backoff.next(attempt, self._rng)


def run(settings: Settings) -> None:
    """Run the daemon in the foreground until SIGTERM or SIGINT."""
    logging.getLogger("apscheduler").setLevel(logging.WARNING)
    with only_one(settings), at_work(settings) as mark:
        store = _open_store(settings.store_url(), mark)
        try:
            store.hold()
            service = Service(settings, store)
            service.in_hand.trials = TrialsApart(settings)
            daemon = Daemon(service, settings.mailbox(), settings.transport())
            daemon.mark = mark
            if settings.metrics.port:
                daemon.metrics = _metrics(settings.metrics.port)
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, daemon.stop)
            daemon.run()
        finally:
            store.close()


def _open_store(url: str, mark: Mark) -> Store:
    """Open the database, once its server accepts connections. Raises StoreDown."""
    while away := is_away(url):
        log.error("%s; trying again", away)
        notify("READY=1\nWATCHDOG=1\nSTATUS=the database can't be reached")
        mark.alive()
        mark.fault(away)
        time.sleep(PAUSE)
    return Store(url)


def _metrics(port: int) -> MetricsServer:
    """Open the port for Prometheus. Raise SettingsError if another program has it."""
    try:
        return MetricsServer(port)
    except OSError as error:
        raise SettingsError(f"[metrics] port {port} can't be opened ({error.strerror})") from None
