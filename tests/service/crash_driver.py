"""Kills the service at every point of a duel, and reports where its result then differs.

A duel is played by mail, or by one player on a board, and its letters and posts are kept. Then each
round of them is worked off again, by a
process that is killed at its first point, by one that is killed at its second, and so on; after
each another process takes over. What is then in the database, the mailbox and the post must be
what one undisturbed process leaves there.
"""

import json
import os
import re
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import psycopg

from pbem.channels import KINDS
from pbem.channels.mail import maildir
from pbem.channels.mail.maildir import MaildirMailbox, MaildirTransport, make_maildir
from pbem.rendering import Renderer
from pbem.routing import router
from pbem.service import service
from pbem.settings import Settings
from pbem.storage import MODELS, Row, Store
from pbem.storage.backends import Postgres, Sqlite, database_of
from pbem.storage.connection import Connection
from pbem.storage.stored_letters import message_id
from tests.support import daemon_until_idle
from tests.support.board_league import BOARD, look
from tests.support.filed_board import FiledBoard, FiledChannel, FiledSettings
from tests.support.harness import League, drop, duel, fixed_entropy, settings_for
from tests.support.memory_board import US
from tests.support.players import STANDING, words

Facts = dict[str, Any]
SERVER = os.environ.get("CRASH_SERVER", "")
"""The URL of a PostgreSQL server for the databases, up to the database's name; "" for SQLite."""
ON_BOARD = "CRASH_BOARD" in os.environ
"""Whether one player plays on a board."""
FILE = "board.json"
"""The file of a folder that holds the board."""


def url_of(folder: Path) -> str:
    """Return the URL of the database of a folder; each shard has databases of its own."""
    return f"{SERVER}{_database(folder)}" if SERVER else f"sqlite:///{folder / 'league.db'}"


def _database(folder: Path) -> str:
    return f"crash_{folder.parent.name}_{folder.name}"


def settings_of(folder: Path) -> Settings:
    """Return the settings of the league in a folder."""
    settings = settings_for(folder, url=url_of(folder), turns_per_letter=16)
    channels = {BOARD: FiledSettings(server=FILE)} if ON_BOARD else {}
    return replace(settings, channels=channels)


@dataclass(frozen=True)
class Round:
    """What comes before the service looks, letters or else posts, and the time when it does.

    A post is its writer's account, its text, and whether it stands in the battle's thread.
    """

    now: datetime
    letters: list[bytes]
    posts: list[tuple[str, str, bool]] = field(default_factory=list)


class Recorder(League):
    """A harness that keeps what comes in, round by round."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, fixed_entropy, url=url_of(folder), turns_per_letter=16)
        self.board = folder / FILE
        self.settings = settings_of(folder)
        self.service = service.Service(self.settings, self.store)
        self.rounds: list[Round] = []
        self._fresh: list[bytes] = []

    def drop(self, raw: bytes, at: datetime | None = None) -> None:
        """Keep a letter, and let it in."""
        self._fresh.append(raw)
        super().drop(raw, at)

    def work(self) -> service.Done:
        """Close a round, and work it off."""
        if self._fresh:
            self.rounds.append(Round(self.now, self._fresh))
            self._fresh = []
            self.later(0.01)
        done = super().work()
        self.service.ports.posts.flush_all(self.now)
        return done

    def say(self, text: str, in_thread: bool = True) -> None:
        """Write on the board as Ada, and work that off as a round of its own."""
        self.rounds.append(Round(self.now, [], [("ada", text, in_thread)]))
        write_on(self.board, self.rounds[-1])
        self.later(0.01)
        look(self)
        self.work()


def write_on(file: Path, one: Round) -> None:
    """Put the posts of a round on the board in a file."""
    board = FiledBoard.opened(file)
    board.now = one.now
    for account, text, in_thread in one.posts:
        board.post(account, text, board.written[0].topic if in_thread else "")


def record_on_board(folder: Path) -> list[Round]:
    """Play a duel with one player on a board and one by mail."""
    league = Recorder(folder)
    try:
        ann, bob = duel(league)
        look(league)
        ann.write(f"LINK {BOARD}\nKEY {ann.key}")
        league.work()
        [code] = re.findall(r"LINK (\w{16})", words(ann.last))
        league.say(f"LINK {code}", in_thread=False)
        bob.reply(f"{STANDING}TARGT Hawk", bob.last_about("[G1-"))
        league.work()
        story = "SCAN\n\nSTORY\nHawk came out of the sun."
        for text in (story, "STATUS", "CLOSE", "Hawk: scan", "SURRENDER"):
            league.say(text)
        assert not league.game.running
        return league.rounds
    finally:
        league.close()


def record(folder: Path) -> list[Round]:
    """Play a duel that has something of everything."""
    league = Recorder(folder)
    try:
        ann, bob = duel(league)
        for text in ("SCAN\nHawk came out of the sun.", f"SHEET\n{STANDING}", "REPORT"):
            ann.reply(text)
        bob.reply(f"{STANDING}TARGT Hawk")
        league.work()
        for number in range(20):
            if not league.game.running:
                return league.rounds
            for person in (ann, bob):
                person.reply("READY" if number % 2 else STANDING)
            league.work()
        raise RuntimeError("the duel does not end")
    finally:
        league.close()


class Killer:
    """Counts the points that are passed, and kills this process at one of them."""

    def __init__(self, at: int) -> None:
        self.at, self.passed = at, 0

    def point(self) -> None:
        """Pass a point, or die there."""
        self.passed += 1
        if self.passed == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def before(self, owner: Any, name: str, counts: Callable[..., bool] = lambda *_: True) -> None:
        """Make a point of the moment before a function, which is that after the one before."""
        whole = getattr(owner, name)

        def wrapped(*given: Any, **named: Any) -> Any:
            if counts(*given):
                self.point()
            return whole(*given, **named)

        setattr(owner, name, wrapped)


def lay_mines(killer: Killer) -> None:
    """Make points of all that leaves a trace."""
    for write in ("run", "create"):
        killer.before(Connection, write)
    killer.before(Postgres if SERVER else Sqlite, "commit")
    killer.before(router, "handle")
    killer.before(MaildirMailbox, "_read")
    killer.before(MaildirMailbox, "file")
    killer.before(MaildirTransport, "send")
    killer.before(maildir, "write_down")
    killer.before(Path, "rename")
    killer.before(Path, "replace")
    killer.before(Store, "close")
    killer.before(FiledChannel, "publish")
    killer.before(FiledChannel, "news")


def work(folder: Path, now: datetime) -> None:
    """Run the daemon until nothing is left to do; its sender is a thread of its own."""
    settings = settings_of(folder)
    store = Store(settings.store_url(), fixed_entropy)
    desk_of = service.Service(settings, store)
    mailbox, transport = MaildirMailbox(folder / "in"), MaildirTransport(folder / "out")
    daemon_until_idle.work(desk_of, mailbox, transport, now)
    store.close()


def in_a_process(folder: Path, now: datetime, at: int) -> tuple[int, int]:
    """Work in a process that is killed at a point (0: at none); return its status and points."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        _be_the_child(folder, now, at, mouth)
    os.close(mouth)
    with os.fdopen(ear) as pipe:
        passed = pipe.read()
    _, status = os.waitpid(child, 0)
    return status, int(passed or 0)


def _be_the_child(folder: Path, now: datetime, at: int, mouth: int) -> NoReturn:
    killer = Killer(at)
    lay_mines(killer)
    try:
        work(folder, now)
        os.write(mouth, str(killer.passed).encode())
        os._exit(0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)


def facts(folder: Path) -> Facts:
    """Return all that may be compared: every row of the database, every letter, every file.

    The notes of rounds differ: what a killed one has done is known without them (decision 0008).
    """
    with closing(database_of(url_of(folder))) as books:
        rows = {
            f"table {model._meta.table_name}": books.execute_sql(_compared(model)).fetchall()
            for model in MODELS
            if model._meta.table_name != "round"
        }
    post: dict[str, set[bytes]] = {}
    for file in (folder / "out" / "new").iterdir():
        raw = file.read_bytes()
        post.setdefault(message_id(raw), set()).add(raw)
    filed = {name: sorted(os.listdir(folder / "in" / name)) for name in ("new", "cur")}
    filed["done"] = sorted(os.listdir(folder / "in" / ".Processed" / "cur"))
    return {"post": post, "filed": filed, "board": standing(folder)} | rows


def standing(folder: Path) -> list[dict[str, Any]]:
    """Return all that stands on the board of a folder; the same edit may be made twice."""
    return [asdict(one) | {"version": 0} for one in FiledBoard.opened(folder / FILE).written]


def _compared(model: type[Row]) -> str:
    """Return the query for the rows of a table that must be the same after a kill.

    A letter that was in hand counts an attempt, so its attempts differ. A process that looks at a
    board after another has posted there reads that as well, so its cursor differs.
    """
    name = model._meta.table_name
    left_out = {"letter": ("tries", "error"), "cursor": ("cursor",)}.get(name, ())
    names = [one.column_name for one in model._meta.sorted_fields]
    columns = ", ".join(f'"{one}"' for one in names if one not in left_out)
    return f'SELECT {columns} FROM "{name}" ORDER BY 1'


def differences(found: Facts, wanted: Facts) -> list[str]:
    """Tell what is not as it should be: what is there too much, and what is missing."""
    told = []
    for key in sorted(found.keys() | wanted.keys()):
        if found.get(key) != wanted.get(key):
            there, due = list(found.get(key, ())), list(wanted.get(key, ()))
            more = [one for one in there if one not in due]
            less = [one for one in due if one not in there]
            told.append(f"{key}: {str(more)[:500]} instead of {str(less)[:500]}")
    return told


def again(source: Path, target: Path) -> Path:
    """Replace a folder and its database by a copy of another."""
    shutil.rmtree(target, ignore_errors=True)
    if SERVER:
        make_database(target, _database(source))
    return Path(shutil.copytree(source, target))


def make_database(folder: Path, like: str = "template0") -> None:
    """Make a folder's database on the server anew, like another."""
    with psycopg.connect(f"{SERVER}postgres", autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {_database(folder)} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {_database(folder)} TEMPLATE {like}")


def crashes(folder: Path, rounds: list[Round], shard: int, shards: int) -> Iterator[Facts]:
    """Work off each round, killed at each point of this shard's; return the result of each."""
    kept, live = folder / "kept", folder / "live"
    make_maildir(kept / "in")
    make_maildir(kept / "out")
    if SERVER:
        make_database(kept)
    for number, one in enumerate(rounds):
        for serial, raw in enumerate(one.letters):
            drop(kept / "in", f"{number:03}-{serial:03}", raw, one.now)
        write_on(kept / FILE, one)
        status, points = in_a_process(again(kept, live), one.now, 0)
        if status:
            raise RuntimeError(f"round {number} fails undisturbed")
        after = again(live, folder / "after")
        wanted = facts(after)
        for at in range(1 + shard, points + 1, shards):
            yield {"round": number, "point": at} | killed_at(again(kept, live), one.now, at, wanted)
        again(after, kept)


def killed_at(folder: Path, now: datetime, at: int, wanted: Facts) -> Facts:
    """Kill one process and have another take over.

    Its threads pass the points in any order, and a few times more or less: so the last points may
    not be reached, and then the first has done all.
    """
    status, _ = in_a_process(folder, now, at)
    second, _ = in_a_process(folder, now, 0)
    return {
        "killed": os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL,
        "recovered": second == 0 and (status == 0 or os.WIFSIGNALED(status)),
        "different": differences(facts(folder), wanted),
    }


def main(folder: Path, shard: int, shards: int) -> None:
    """Play, kill, and print what was found."""
    service.Renderer = _once(Renderer)  # type: ignore[misc, assignment]
    # Here alone: tests that import from this module look at each kind.
    KINDS["filed"] = FiledSettings
    (folder / "played").mkdir()
    if SERVER:
        make_database(folder / "played")
    rounds = (record_on_board if ON_BOARD else record)(folder / "played")
    results = list(crashes(folder, rounds, shard, shards))
    end = facts(folder / "kept")
    found = {
        "letters": sum(len(one.letters) + len(one.posts) for one in rounds),
        "posted": len(end["post"]),
        "board": [one["message_id"] for one in end["board"] if one["account"] == US],
        "states": Counter(states(folder / "kept")),
        "kills": sum(each["killed"] for each in results),
        "bad": [r for r in results if not r["recovered"] or r["different"]],
    }
    print(json.dumps(found))


def states(folder: Path) -> list[str]:
    """Return the state of all letters, in and out."""
    with closing(database_of(url_of(folder))) as books:
        found = books.execute_sql("SELECT state FROM letter UNION ALL SELECT state FROM outgoing")
        return [state for (state,) in found.fetchall()]


def _once(make: Callable[..., Renderer]) -> Callable[..., Renderer]:
    """Load the templates once, for all processes."""
    made: list[Renderer] = []

    def renderer(*given: Any) -> Renderer:
        made.extend([] if made else [make(*given)])
        return made[0]

    return renderer


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
