"""What the league makes of any room where people talk at once: a room in memory stands for all."""

import json
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from pbem.channels.channel import ChannelDown, ChannelSettings, Home, Message, Portion, Post
from pbem.channels.markup import PostFormat
from pbem.outgoing import link_faults
from pbem.people import linked_accounts, players
from pbem.service import inbox
from pbem.service.board_worker import BoardWorker
from pbem.service.daemon import Daemon
from pbem.storage import Letter, Token, queues
from pbem.storage import Post as PostRow
from tests.channels.test_channels import fight_on
from tests.support.chat import CHAT, talk_there
from tests.support.harness import League, duel, open_league
from tests.support.running_daemon import running


@dataclass
class Hall:
    """The room: what was said to us, what we said, and whether it is down."""

    said: list[bytes] = field(default_factory=list)
    ours: list[tuple[str, str]] = field(default_factory=list)
    down: bool = False
    topic: str = ""
    closed: int = 0
    opened: int = 0
    heard: Callable[[], None] = lambda: None
    numbers: Iterator[int] = field(default_factory=count)

    def hear(self, account: str = "", text: str = "", **more: object) -> None:
        """Let somebody say something, or come or leave."""
        facts = {"account": account, "text": text, "number": str(next(self.numbers)), **more}
        self.said.append(json.dumps(facts).encode())
        self.heard()

    # --- as a channel -----------------------------------------------------------------------------

    def attend(self, heard: Callable[[], None], topic: str) -> None:
        """Keep what to call, and the topic."""
        self.heard, self.topic = heard, topic

    def publish(self, post: Post) -> str:
        """Say a post."""
        self._up()
        self.ours.append((post.to, post.body))
        return post.ident

    def news(self, cursor: str, watched: Collection[str]) -> Iterator[Portion]:
        """Yield what was said."""
        self._up()
        said, self.said = self.said, []
        yield Portion(said, "live")

    def check(self) -> str:
        """Return that all is well."""
        return "the room is there"

    def obstacles(self) -> Sequence[str]:
        """Return none."""
        return ()

    def close(self) -> None:
        """Count it."""
        self.closed += 1

    def _up(self) -> None:
        if self.down:
            raise ChannelDown("The room is down.")


@dataclass(frozen=True, kw_only=True)
class HallSettings(ChannelSettings):
    """A channel to the room."""

    hall: Hall
    editable = False
    private = True
    play = True
    live = True

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts."""
        return PostFormat()

    def wrong(self) -> str | None:
        """Return None."""
        return None

    def open(self, home: Home) -> Hall:
        """Return the room."""
        self.hall.opened += 1
        return self.hall

    def message(self, raw: bytes) -> Message:
        """Return what was said."""
        at = datetime(2026, 11, 2, 12, tzinfo=UTC)
        return Message(room="hall", at=at, **json.loads(raw))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[tuple[League, Hall]]:
    """A league with a duel, and a room of which Ann has an account: ada."""
    with open_league(tmp_path) as league:
        ann, _ = duel(league)
        player = players.at(league.store, ann.address)
        assert player is not None
        found = Hall()
        talk_there(league, HallSettings(hall=found))
        about = {"player": player.id, "linked": league.now, "words": ""}
        linked_accounts.link(league.store, channel=CHAT, ident="ada", name="ada", **about)
        yield league, found


def read(league: League) -> int:
    """Read the room, and return how many messages are new."""
    return inbox.read_board(league.store, league.settings, CHAT, league.now)


def kept(league: League) -> list[tuple[str, str]]:
    """Return what is kept of the room: who came and left, and what was said."""
    rows = league.store.all(Letter.select().where(Letter.channel == CHAT).order_by(Letter.id))
    found = [league.settings.channels[CHAT].message(row.content) for row in rows]
    return [(one.presence or one.text, one.account) for one in found]


def code_of(league: League) -> str:
    """Return a token that the league has given to somebody."""
    token = league.store.first(Token.select())
    assert token is not None
    return token.token


def say(league: League, thread: str, *bodies: str) -> None:
    """Queue posts of a thread."""
    for body in bodies:
        about = {"ident": body, "thread": thread, "title": "", "body": body}
        queues.queue_post(league.store, league.now, channel=CHAT, **about)


def test_of_strangers_no_more_is_kept_than_what_is_for_the_referee(
    hall: tuple[League, Hall],
) -> None:
    league, room = hall
    room.hear(presence="lost")
    for account in ("ada", "mallory", ""):
        room.hear(account, presence="came")
        room.hear(account, "nice weather")
        room.hear(account, "!help")
        room.hear(account, "scan", private=True)
        room.hear(account, presence="left")
    assert read(league) == 1 + 4 + 2 + 2
    assert kept(league) == [
        ("lost", ""),
        *[(text, "ada") for text in ("came", "!help", "scan", "left")],
        *[(text, "mallory") for text in ("!help", "scan")],
        *[(text, "") for text in ("!help", "scan")],
    ]


def test_a_flood_of_strangers_fills_no_database_and_hides_no_code(
    hall: tuple[League, Hall],
) -> None:
    league, room = hall
    for number in range(2 * inbox.MOST_OF_OTHERS):
        room.hear("mallory", f"!flood {number}")
    read(league)
    assert len(kept(league)) == inbox.MOST_OF_OTHERS
    room.hear("ada", "!scan")
    room.hear("bob", f"LINK {code_of(league)}")
    assert read(league) == 2


def test_posts_for_all_boards_stay_out_of_a_room(hall: tuple[League, Hall]) -> None:
    league, room = hall
    fight_on(league)
    league.service.ports.posts.flush_all(league.now)
    assert room.ours == []
    assert league.store.all(PostRow.select().where(PostRow.channel == CHAT)) == []


def test_threads_take_turns(hall: tuple[League, Hall]) -> None:
    league, room = hall
    say(league, "G1", "a1", "a2", "a3")
    say(league, "G2", "b1", "b2")
    say(league, "G3", "c1")
    worker = BoardWorker(CHAT, league.service.ports.posts, lambda: league.now)
    worker.publish()
    assert [body for _, body in room.ours] == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert (room.opened, room.closed) == (1, 0)


def test_a_stop_waits_for_one_turn_of_the_threads(hall: tuple[League, Hall]) -> None:
    league, room = hall
    say(league, "G1", "a1", "a2", "a3")
    BoardWorker(CHAT, league.service.ports.posts, lambda: league.now, go_on=lambda: False).publish()
    assert [body for _, body in room.ours] == ["a1"]


def test_what_could_not_be_said_is_said_once_the_room_is_back(hall: tuple[League, Hall]) -> None:
    league, room = hall
    posts = league.service.ports.posts
    worker = BoardWorker(CHAT, posts, lambda: league.now)
    worker.read()
    room.down = True
    say(league, "G1", "a1")
    worker.publish()
    worker.read()
    rest = worker.next_look()
    assert rest is not None
    assert link_faults.board(CHAT) in link_faults.failing(league.store)
    room.down = False
    league.now = rest + timedelta(seconds=1)
    worker.publish()
    assert room.ours == []
    worker.read()
    worker.publish()
    assert [body for _, body in room.ours] == ["a1"]
    assert link_faults.failing(league.store) == {}


def test_a_server_that_cuts_each_connection_is_left_alone_longer_each_time(
    hall: tuple[League, Hall],
) -> None:
    league, room = hall
    worker, rests = BoardWorker(CHAT, league.service.ports.posts, lambda: league.now), []
    for _ in range(12):
        room.down = True
        worker.read()
        until = worker.next_look()
        assert until is not None
        rests.append((until - league.now).total_seconds())
        league.now = until + timedelta(seconds=1)
        room.down = False
        worker.read()
    assert max(rests[:2]) < 5 < rests[-1]


def test_the_topic_says_how_a_stranger_begins(hall: tuple[League, Hall]) -> None:
    league, room = hall
    BoardWorker(CHAT, league.service.ports.posts, lambda: league.now).read()
    assert "!help" in room.topic
    assert f"LINK {CHAT}" in room.topic
    assert len(room.topic) < 300


def test_a_room_is_heard_over_one_connection_and_closed_at_the_end(
    hall: tuple[League, Hall],
) -> None:
    league, room = hall
    daemon = Daemon(league.service, league.mailbox, league.transport, lambda: league.now)
    answered = threading.Event()
    with running(daemon):
        while room.topic == "":
            answered.wait(0.01)
        room.hear("ada", "!scan")
        last = 2000
        while kept(league) == [] and last:
            last -= 1
            answered.wait(0.01)
        assert kept(league) == [("!scan", "ada")]
        say(league, "G1", "psst")
        daemon.jobs.wake_all()
        while ("", "psst") not in room.ours and last:
            last -= 1
            answered.wait(0.01)
    assert ("", "psst") in room.ours
    assert (room.opened, room.closed) == (1, 1)


def test_once_reads_and_speaks_and_leaves(hall: tuple[League, Hall]) -> None:
    league, room = hall
    room.hear("ada", "!scan")
    say(league, "G1", "a1", "a2")
    Daemon(league.service, league.mailbox, league.transport, lambda: league.now).once(iter)
    assert kept(league) == [("!scan", "ada")]
    assert [body for _, body in room.ours if body in ("a1", "a2")] == ["a1", "a2"]
    assert (room.opened, room.closed) == (1, 1)
