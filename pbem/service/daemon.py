"""The daemon: puts the parts together, and has its jobs done until it is stopped."""

import logging
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import asdict
from datetime import datetime, timedelta
from enum import Enum, auto
from queue import Empty, SimpleQueue
from types import FrameType

from engine.i18n import say
from pbem.channels.channel import ChannelFault
from pbem.channels.mail.backoff import Rest
from pbem.channels.mail.mailbox import Mailbox, MailboxDown
from pbem.channels.mail.transport import Transport
from pbem.host.clock import Clock, StepBack, wall_clock
from pbem.host.systemd import notify
from pbem.outgoing import link_faults, public_letters
from pbem.outgoing.retried_tasks import Task, attempt
from pbem.service import inbox, round_tasks
from pbem.service.alarms import Alarms
from pbem.service.board_worker import BoardWorker
from pbem.service.daemon_status import Mark, at_work
from pbem.service.jobs import PAUSE, Job, Jobs
from pbem.service.letter_sandbox import HandledApart
from pbem.service.lock import only_one
from pbem.service.metrics import MetricsServer, exposition
from pbem.service.rounds import Done, Track
from pbem.service.sender import Sender
from pbem.service.service import Service
from pbem.settings import Settings, SettingsError
from pbem.storage import Outgoing, Post, Store, clock_jumps, is_away, queues, stored_games

log = logging.getLogger("pbem")

# IDLE is only a hint, and a link behind NAT dies without a sign (fault 7). So the mailbox is
# looked at after this time anyway, and all of it after RESCAN.
POLL = timedelta(seconds=45)
RESCAN = timedelta(minutes=10)
BOARD_POLL = timedelta(seconds=30)
"""How often a board is read."""
QUEUE_POLL = timedelta(minutes=5)
"""How often a queue is looked at that nothing is known to be due in."""
UPKEEP = timedelta(minutes=10)
"""How often is asked whether old letters are to be dropped, and the like."""
CLOCK_POLL = 20.0
"""How often is asked whether the clock was set back, in seconds."""
STEADY = 60.0
"""How long a connection must last before the next failure counts as the first, in seconds: else a
server that cuts each one soon after a good read would see a login every second."""

ROUND, LISTENING, SENDER, LIVE = "round", "listening", "sender", "live"


class Command(Enum):
    """What a daemon is told by a signal."""

    STOP = auto()
    RELOAD = auto()


class Daemon:
    """Reads, answers, plays and sends: until it is stopped, or once."""

    def __init__(
        self, service: Service, mailbox: Mailbox, transport: Transport, clock: Clock = wall_clock
    ) -> None:
        ports = service.ports
        self.service, self.store, self.outbox = service, ports.store, ports.outbox
        self.mailbox, self.transport, self.clock = mailbox, transport, clock
        # A queue of this kind alone may be filled by a signal handler.
        self.commands: SimpleQueue[Command] = SimpleQueue()
        self.replaced: Callable[[], bool] = lambda: False
        """Asked at a reload: whether another daemon, with new settings, takes this one's place."""
        self.jobs = Jobs(ports.outbox, clock, mailbox.wake, self._cannot_work, self._send_queued)
        stopping = self.jobs.stopping
        self.sender = Sender(service.delivery, transport, clock, lambda: not stopping.is_set())
        self.boards = [self._worker(name) for name in ports.posts.channels]
        self.mark: Mark | None = None
        self.metrics: MetricsServer | None = None
        self._alarms = Alarms(ports.outbox)
        self._rest = Rest(clock)
        self._connected = False
        self._connected_at = 0.0
        self._rescan = clock()

    def _worker(self, name: str) -> BoardWorker:
        posts, jobs = self.service.ports.posts, self.jobs
        round_of_it = LIVE if posts.channels[name].live else ROUND
        return BoardWorker(
            *(name, posts, self.clock),
            heard=lambda: jobs.wake(round_of_it),
            wake=lambda: jobs.wake(_reading_of(name)),
            go_on=lambda: not jobs.stopping.is_set(),
        )

    def plan(self) -> None:
        """Add all jobs, in the order in which they are first done."""
        add = self.jobs.add
        read = _vital("the round", self._read_or_rest)
        add(Job(name=ROUND, task=read, every=POLL, next_due=self._next_due))
        look = _vital("the look at how all is", self._look)
        add(Job(name="health", task=look, every=POLL))
        wait = _vital("the rest", self._listen)
        add(Job(name=LISTENING, task=wait, every=QUEUE_POLL, yields=True))
        for task in round_tasks.upkeep(self.service.ports, self.clock):
            add(Job(name=task.name, task=task, every=UPKEEP))
        send, due = _vital("the sender", self.sender.work), self.sender.next_due
        add(Job(name=SENDER, task=send, every=QUEUE_POLL, next_due=due, thread=SENDER))
        if any(board.live for board in self.boards):
            play = _vital("the round of live boards", self._play_without_mail)
            add(Job(name=LIVE, task=play, every=QUEUE_POLL))
        for board in self.boards:
            thread = _reading_of(board.name)
            if self.service.ports.posts.channels[board.name].play:
                look = _vital(f"the {thread}", board.read)
                due = board.next_look
                add(Job(name=thread, task=look, every=BOARD_POLL, next_due=due, thread=thread))
            publish, due = _vital(f"the posts of {thread}", board.publish), board.next_post
            name = _posts_of(board)
            own = name if board.live else thread
            add(Job(name=name, task=publish, every=QUEUE_POLL, next_due=due, thread=own))

    def _progress(self) -> None:
        """Wake the sender for new letters, and report that the work goes on.

        Only the league's thread may call this, as it goes on.
        """
        self.jobs.wake(SENDER)
        notify("WATCHDOG=1")
        if self.mark is not None:
            self.mark.alive()

    def _send_queued(self) -> None:
        """Wake all that sends what a job of the league may have queued."""
        self._progress()
        for board in self.boards:
            self.jobs.wake(_posts_of(board))

    def _cannot_work(self, why: str) -> None:
        """Report to `pbem health` why nothing can be done; "" if it can."""
        if self.mark is not None:
            self.mark.fault(why)

    def stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """End after the current work; safe as a signal handler."""
        self.commands.put(Command.STOP)

    def reload(self, number: int = 0, frame: FrameType | None = None) -> None:
        """Read the settings again; safe as a signal handler."""
        self.commands.put(Command.RELOAD)

    def run(self) -> None:
        """Work until `stop`, or until it is replaced.

        Faults of mailbox, server, database and program are waited out.
        """
        log.info("the referee of %s has started", self.service.ports.settings.league.name)
        self.service.progress = self._progress
        self.plan()
        with ExitStack() as at_end:  # calls all of these, even if one fails
            # The last one is called first.
            at_end.callback(self.transport.close)
            at_end.callback(self.mailbox.close)
            at_end.callback(self._close_metrics)
            at_end.callback(self.service.ports.posts.close)
            at_end.callback(self.jobs.stop)
            self.jobs.start()
            while (command := self._next_command()) is not Command.STOP:
                if command is Command.RELOAD and self.replaced():
                    return
            notify("STOPPING=1")
        log.info("the referee has stopped")

    def _next_command(self) -> Command:
        """Wait for a command. Meanwhile all jobs are done at once if the clock is set back."""
        step_back = StepBack()
        while True:
            try:
                return self.commands.get(timeout=CLOCK_POLL)
            except Empty:
                if step_back.happened():
                    self.jobs.wake_all()

    def once(self, track: Track) -> dict[str, int]:
        """Do all that is due once, and return what was done, in numbers.

        Raises MailboxDown, TransportDown and StoreDown.
        """
        try:
            self._read_boards()
            done = self._read(track)
            upkeep = round_tasks.upkeep(self.service.ports, self.clock)
            round_tasks.do_all(self.service.ports, upkeep, self.clock())
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
            self.service.ports.posts.close()
        for fault in posts.faults:
            log.warning("%s Nothing is lost.", fault)
        found = asdict(done) | {"sent": sent, "moved": moved, "posted": posts.sent}
        found["waiting"] = queues.count(self.store, Outgoing, state="queued")
        found["posts_waiting"] = queues.count(self.store, Post, state="queued")
        return found

    def _read_boards(self) -> None:
        """Read the boards that are played on; one that is down keeps nothing else from its work."""
        settings = self.service.ports.settings
        for board in self.boards:
            name = board.name
            if settings.channels[name].play:
                try:
                    inbox.read_board(self.store, settings, name, self.clock(), board.kept_open())
                except ChannelFault as error:
                    log.warning("%s can't be read: %s Nothing is lost.", name, error)

    def _close_metrics(self) -> None:
        if self.metrics is not None:
            self.metrics.close()

    def _read_or_rest(self) -> None:
        """Do a round with the mailbox, or without it while it is down."""
        if self._rest.until is None:
            try:
                self._read()
                attempt(self.outbox, _vital("moving letters", self._move), self.clock())
            except MailboxDown as error:
                self._mailbox_down(error)
        self._cannot_work("")
        if not self._connected:
            self._play_on_boards()

    def _read(self, track: Track = iter) -> Done:
        """Read and answer all that waits."""
        if not self._connected:
            self.mailbox.connect()
            self._connected, self._connected_at = True, time.monotonic()
            log.info("connected to %s", self.mailbox.folder)
            self._rescan = self.clock() + RESCAN
            notify("READY=1\nSTATUS=reading the mailbox")
            self.jobs.wake(LISTENING)
        if not self._rescan - RESCAN < self.clock() < self._rescan:  # also if the clock went back
            self.mailbox.look_afresh()
            self._rescan = self.clock() + RESCAN
        done = self.service.attend(self.mailbox, self.clock, track)
        link_faults.works(self.store, link_faults.MAILBOX)
        if time.monotonic() - self._connected_at > STEADY:
            self._rest.over()
        if done.handled or done.deadlines:
            facts = {"handled": done.handled, "deadlines": done.deadlines}
            said = "%(handled)d letters answered, %(deadlines)d deadlines played"
            log.info(said, facts, extra={"facts": facts})
        return done

    def _listen(self) -> None:
        """Wait for letters until a job waits for this thread, and begin anew after it."""
        if not self._connected:
            return
        try:
            if not self.jobs.waiting and self.mailbox.wait(POLL.total_seconds()):
                self.jobs.wake(ROUND)
        except MailboxDown as error:
            self._mailbox_down(error)
            self.jobs.wake(ROUND)
        else:
            self.jobs.wake(LISTENING)

    def _play_on_boards(self) -> None:
        """Answer what was written on boards while the mailbox can't be reached."""
        if any(channel.play for channel in self.service.ports.posts.channels.values()):
            self._play_without_mail()

    def _play_without_mail(self) -> None:
        """Answer what was written on boards, without a look at the mailbox, which takes long."""
        with self.service.attempts.apart:
            self.service.work(self.clock(), mail_down=True)

    def _look(self) -> None:
        """Check the health, inform the moderator of trouble, and update the metrics."""
        found = self._alarms.look(self.clock())
        # A daemon that takes this one's place takes the port meanwhile.
        if (metrics := self.metrics) is not None:
            counts = self.service.ports.counts + self.service.delivery.counts
            metrics.text = exposition(found, counts)

    def _move(self) -> int:
        return inbox.move_handled(self.store, self.mailbox)

    def _next_due(self) -> datetime | None:
        """Return when the next round is due: for what falls due, or to try the mailbox again."""
        if not self._connected:
            return self._rest.until
        now = self.clock()
        deadline = stored_games.next_deadline(self.store)
        by_clock = (deadline, self.service.ports.newsletter.next_due(now))
        # What the round has just failed at is due still, and is not tried again at once. After a
        # jump of the clock nothing is due by the clock before it is trusted again.
        soonest = max(now + PAUSE, clock_jumps.waits_until(self.store, now) or now)
        moments = [max(moment, soonest) for moment in by_clock if moment is not None]
        portion = public_letters.next_due(self.store)
        moments += [portion] if portion is not None else []
        return min(moments, default=None)

    def _note_mailbox(self, error: MailboxDown) -> None:
        refused = error.refused or not error.retry
        link_faults.failed(
            self.store, link_faults.MAILBOX, str(error), self.clock(), refused=refused
        )

    def _mailbox_down(self, error: MailboxDown) -> None:
        """Let the mailbox rest. Letters are still sent; deadlines wait."""
        self._connected = False
        self._note_mailbox(error)
        if not error.retry:
            log.error("%s", error)
        log.warning("%s Next try in %.0f s.", error, self._rest.begin(error.refused))
        # Ready even so: systemd would end a start that takes longer than two minutes.
        notify("READY=1\nSTATUS=the mailbox can't be reached")


def _vital(name: str, do: Callable[[], object]) -> Task:
    """Return a task of the daemon that is tried however often it failed."""
    label = say("a part of each round ({part})", part=name)
    return Task(f"daemon: {name}", label, do, vital=True)


def _reading_of(name: str) -> str:
    return f"board {name}"


def _posts_of(board: BoardWorker) -> str:
    return f"posts of board {board.name}"


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
    made.commands = worker.commands
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
        time.sleep(PAUSE.total_seconds())
    return Store(url)


def _metrics(port: int) -> MetricsServer:
    """Open the port for Prometheus. Raise SettingsError if another program has it."""
    try:
        return MetricsServer(port)
    except OSError as error:
        raise SettingsError(f"[metrics] port {port} can't be opened ({error.strerror})") from None
