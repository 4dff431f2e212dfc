"""The daemon: puts the parts together, and runs the loop that no fault ends."""

import logging
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import asdict
from datetime import timedelta
from types import FrameType

from engine.i18n import say
from pbem import clock_jump, inbox, link_faults
from pbem.channels.channel import ChannelFault
from pbem.channels.mail.backoff import LINK, REFUSED
from pbem.channels.mail.mailbox import Mailbox, MailboxDown
from pbem.channels.mail.transport import Transport
from pbem.clock import Clock, wall_clock
from pbem.handled_apart import HandledApart
from pbem.lock import only_one
from pbem.monitoring.alarms import Alarms
from pbem.monitoring.daemon_status import Mark, at_work
from pbem.monitoring.metrics import MetricsServer, exposition
from pbem.outgoing import public_letters
from pbem.outgoing.retried_tasks import Task, attempt
from pbem.rounds import Done, Track
from pbem.service import Service
from pbem.settings import Settings, SettingsError
from pbem.storage import Store, StoreDown, is_away
from pbem.systemd import notify
from pbem.workers.board import BoardWorker
from pbem.workers.sender import Sender
from pbem.workers.worker import Worker

log = logging.getLogger("pbem")

# IDLE is only a hint, and a link behind NAT dies without a sign (fault 7). So the mailbox is
# looked at after this time anyway, and all of it after RESCAN.
IDLE_SECONDS = 45.0
PAUSE = 5.0
"""How long to wait before the next round after a fault, in seconds."""
RESCAN = timedelta(minutes=10)
STEADY = 60.0
"""How long a connection must last before the next failure counts as the first, in seconds: else a
server that cuts each one soon after a good read would see a login every second."""


class Daemon:
    """Reads, answers, plays and sends: until it is stopped, or once."""

    def __init__(
        self, service: Service, mailbox: Mailbox, transport: Transport, clock: Clock = wall_clock
    ) -> None:
        ports = service.ports
        self.service, self.store, self.outbox = service, ports.store, ports.outbox
        self.mailbox, self.transport, self.clock = mailbox, transport, clock
        self.stopping, self.reloading = threading.Event(), threading.Event()
        self.replaced: Callable[[], bool] = lambda: False
        """Asked at a reload: whether another daemon, with new settings, takes this one's place."""
        self.boards = [
            BoardWorker(name, ports.posts, ports.outbox, clock, mailbox.wake)
            for name in ports.posts.channels
        ]
        self.sender = Sender(service.delivery, transport, ports.outbox, clock)
        self.mark: Mark | None = None
        self.metrics: MetricsServer | None = None
        self._alarms = Alarms(ports.outbox)
        self._connected = False
        self._failures = 0
        self._connected_at = 0.0
        self._rescan = clock()
        self._rng = random.Random()

    @property
    def _workers(self) -> list[Worker]:
        return [self.sender, *self.boards]

    def _progress(self) -> None:
        """Wake the sender for new letters, and report that the work goes on.

        Only the working thread may call this, as it goes on.
        """
        self.sender.wake()
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
        self.mailbox.wake()

    def reload(self, number: int = 0, frame: FrameType | None = None) -> None:
        """Read the settings again after the current work; safe as a signal handler."""
        self.reloading.set()
        self.mailbox.wake()

    def run(self) -> None:
        """Work until `stop`, or until it is replaced.

        Faults of mailbox, server, database and program are waited out.
        """
        log.info("the referee of %s has started", self.service.ports.settings.league.name)
        self.service.progress = self._progress
        with ExitStack() as at_end:  # calls all of these, even if one fails
            # The last one is called first.
            at_end.callback(self.sender.stop)
            at_end.callback(self.mailbox.close)
            at_end.callback(self._close_metrics)
            for board in self.boards:
                at_end.callback(board.stop)
            while not self.stopping.is_set():
                if self.reloading.is_set():
                    self.reloading.clear()
                    if self.replaced():
                        return
                self._round()
                self._progress()
            notify("STOPPING=1")
        log.info("the referee has stopped")

    def once(self, track: Track) -> dict[str, int]:
        """Do one round, and send all that is due. Return what was done, in numbers.

        Raises MailboxDown, TransportDown and StoreDown.
        """
        try:
            self._read_boards()
            done = self._read(track)
            self._look()
            sent = self.service.delivery.flush(self.transport, self.clock)
            moved = self._move()
            posts = self.service.ports.posts.flush_all(self.clock())
        except MailboxDown as error:
            self._note_mailbox(error)
            raise
        finally:
            self.mailbox.close()
            self.transport.close()
        for fault in posts.faults:
            log.warning("%s Nothing is lost.", fault)
        found = asdict(done) | {"sent": sent, "moved": moved, "posted": posts.sent}
        found["waiting"] = self.store.outbox.count(state="queued")
        found["posts_waiting"] = self.store.posts.count(state="queued")
        return found

    def _read_boards(self) -> None:
        """Read the boards that are played on; one that is down keeps nothing else from its work."""
        for name, channel in self.service.ports.settings.channels.items():
            if channel.play:
                try:
                    inbox.read_board(self.store, self.service.ports.settings, name, self.clock())
                except ChannelFault as error:
                    log.warning("%s can't be read: %s Nothing is lost.", name, error)

    def _close_metrics(self) -> None:
        if self.metrics is not None:
            self.metrics.close()

    def _round(self) -> None:
        """Do one round. No exception ends the loop, because a restart would not help."""
        try:
            for worker in self._workers:
                worker.start()
            self._work()
        except StoreDown as error:
            log.error("%s; trying again", error)
            self._cannot_work(str(error))
            self.stopping.wait(PAUSE)
        except Exception:
            log.exception("a round failed; trying again")
            self.stopping.wait(PAUSE)

    def _work(self) -> None:
        """Do the parts of a round, each of which may fail alone."""
        try:
            fine = self._safely("the round", self._read)
            # Before the look, which would report a fault that is over, and before the long rest.
            self._cannot_work("")
            fine &= self._safely("the look at how all is", self._look)
            fine &= self._safely("moving letters", self._move)
            fine &= self._safely("the rest", self._rest)
            if not fine:
                self.stopping.wait(PAUSE)
        except MailboxDown as error:
            self._mailbox_down(error)

    def _safely(self, name: str, part: Callable[[], object]) -> bool:
        """Do a part of a round, and return whether it went well. Raises MailboxDown, StoreDown."""
        label = say("a part of each round ({part})", part=name)
        return attempt(self.outbox, Task(f"daemon: {name}", label, part, vital=True), self.clock())

    def _read(self, track: Track = iter) -> Done:
        """Read and answer all that waits."""
        if not self._connected:
            self.mailbox.connect()
            self._connected, self._connected_at = True, time.monotonic()
            log.info("connected to %s", self.mailbox.folder)
            self._rescan = self.clock() + RESCAN
            notify("READY=1\nSTATUS=reading the mailbox")
        if not self._rescan - RESCAN < self.clock() < self._rescan:  # also if the clock went back
            self.mailbox.look_afresh()
            self._rescan = self.clock() + RESCAN
        done = self.service.attend(self.mailbox, self.clock, track)
        link_faults.works(self.store, link_faults.MAILBOX)
        if time.monotonic() - self._connected_at > STEADY:
            self._failures = 0
        if done.handled or done.deadlines:
            facts = {"handled": done.handled, "deadlines": done.deadlines}
            said = "%(handled)d letters answered, %(deadlines)d deadlines played"
            log.info(said, facts, extra={"facts": facts})
        return done

    def _play_on_boards(self) -> None:
        """Answer what was written on boards while the mailbox can't be reached."""
        if any(channel.play for channel in self.service.ports.posts.channels.values()):
            with self.service.attempts.apart:
                self.service.work(self.clock(), mail_down=True)
            for worker in self._workers:
                worker.wake()

    def _look(self) -> None:
        """Check the health, inform the moderator of trouble, and update the metrics."""
        found = self._alarms.look(self.clock())
        if self.metrics is not None:
            counts = self.service.ports.counts + self.service.delivery.counts
            self.metrics.text = exposition(found, counts)

    def _move(self) -> int:
        return inbox.move_handled(self.store, self.mailbox)

    def _rest(self) -> None:
        """Wait for letters, or for what is due next."""
        now = self.clock()
        deadline = self.store.games.least("deadline", running=True)
        by_clock = (deadline, self.service.ports.newsletter.next_due(now))
        # What the round has just failed at is due still, and is not tried again at once.
        soonest = now + timedelta(seconds=PAUSE)
        # After a jump of the clock nothing is due by the clock before it is trusted again.
        soonest = max(soonest, clock_jump.waits_until(self.store, now) or now)
        moments = [max(moment, soonest) for moment in by_clock if moment is not None]
        portion = public_letters.next_due(self.store)
        moments += [portion] if portion is not None else []
        left = ((moment - now).total_seconds() for moment in moments)
        for worker in self._workers:
            worker.wake()
        if not self.stopping.is_set():
            self.mailbox.wait(max(0.0, min([IDLE_SECONDS, *left])))

    @property
    def _interrupted(self) -> bool:
        return self.stopping.is_set() or self.reloading.is_set()

    def _note_mailbox(self, error: MailboxDown) -> None:
        refused = error.refused or not error.retry
        link_faults.failed(
            self.store, link_faults.MAILBOX, str(error), self.clock(), refused=refused
        )

    def _mailbox_down(self, error: MailboxDown) -> None:
        """Wait for the mailbox to come back. Letters are still sent; deadlines wait."""
        self._note_mailbox(error)
        self._connected = False
        if not error.retry:
            log.error("%s", error)
        # Longer after a refused login: servers lock accounts out after several (fault 8).
        pause = (REFUSED if error.refused else LINK).next(self._failures, self._rng)
        self._failures += 1
        log.warning("%s Next try in %.0f s.", error, pause)
        # Ready even so: systemd would end a start that takes longer than two minutes.
        notify("READY=1\nSTATUS=the mailbox can't be reached")
        began = self.clock()
        until = began + timedelta(seconds=pause)
        # If the clock goes back, this ends at once, and the mailbox is tried again.
        while began <= self.clock() < until and not self._interrupted:
            self._safely("the boards", self._play_on_boards)
            # A mailbox that is away for long is a trouble too.
            self._safely("the look at how all is", self._look)
            self._progress()
            # At most 20 s at a time, so that the watchdog of systemd hears from us.
            left = (until - self.clock()).total_seconds()
            end = time.monotonic() + min(left, 20)
            # In short steps, since a signal that comes just before a wait does not end it.
            while (rest := end - time.monotonic()) > 0 and not self._interrupted:
                self.stopping.wait(min(rest, 1))


def run(read: Callable[[], Settings]) -> None:
    """Run the daemon in the foreground until SIGTERM or SIGINT; SIGHUP lets it `read` again."""
    settings = read()
    with (
        only_one(settings),
        at_work(settings) as mark,
        closing(_open_store(settings.store_url(), mark)) as store,
    ):
        # The lock file says nothing of other machines, which may use the same server.
        store.hold()
        made = _made(settings, store, mark)
        if settings.metrics.port:
            made.metrics = _metrics(settings.metrics.port)
        worker: Daemon | None = made
        while worker is not None:
            worker = _until_replaced(worker, read, store, mark)


def _until_replaced(
    worker: Daemon, read: Callable[[], Settings], store: Store, mark: Mark
) -> Daemon | None:
    """Run a daemon, and return the one with new settings that takes its place, if any does."""
    current = [worker]

    def replaced() -> bool:
        notify("RELOADING=1")
        try:
            current.append(_successor(worker, read(), store, mark))
        except SettingsError as error:
            log.error("the new settings can't be used, the old ones stay: %s", error)
            mark.rejected(str(error))
        notify("READY=1")
        return current[-1] is not worker

    worker.replaced = replaced
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: current[-1].stop())
    signal.signal(signal.SIGHUP, lambda *_: current[-1].reload())
    worker.run()
    return current[-1] if current[-1] is not worker else None


def _successor(worker: Daemon, settings: Settings, store: Store, mark: Mark) -> Daemon:
    """Return a daemon that takes another's place. Raise SettingsError, and change nothing then."""
    before = worker.service.ports.settings
    if settings.store_url() != before.store_url():
        raise SettingsError("[store] url can't change while the daemon runs: restart it")
    made = _made(settings, store, mark)
    # A signal to stop that comes while one makes room for the other is for both.
    made.stopping = worker.stopping
    if settings.metrics == before.metrics:
        made.metrics, worker.metrics = worker.metrics, None
    elif settings.metrics.port:
        made.metrics = _metrics(settings.metrics.port)
    log.info("the settings were read again")
    mark.settings(settings.fingerprint)
    return made


def _made(settings: Settings, store: Store, mark: Mark) -> Daemon:
    """Return a daemon with these settings. Raise SettingsError where they can't be used."""
    service = Service(settings, store)
    service.attempts.apart = HandledApart(settings)
    worker = Daemon(service, settings.mailbox(), settings.transport())
    worker.mark = mark
    warn_of_exposed(settings)
    return worker


def warn_of_exposed(settings: Settings) -> None:
    """Log which passwords and keys everybody on this machine can read."""
    for file in settings.exposed():
        log.warning("everybody on this machine can read %s: chmod 600 %s", file, file)


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
