"""The whole program with a room on a real IRC network."""

import json
import signal
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.storage import Letter, Post, Store, queues
from tests.channels.test_channels import found_of, league_with
from tests.servers.irc import PASSWORD, IrcNetwork
from tests.support.chat import CHAT, room_settings
from tests.support.chatter import Chatter
from tests.support.program import running

pytestmark = pytest.mark.services
LINES = 11
"""More than go out at once, so that some wait for the server's rate when the program dies."""


@pytest.fixture
def folder(irc: IrcNetwork, tmp_path: Path) -> Path:
    """A league with a room of its own."""
    settings = room_settings(irc)
    league_with(tmp_path, "irc", **{k: v for k, v in asdict(settings).items() if k != "nick"})
    (tmp_path / "irc-password").write_text(PASSWORD)
    return tmp_path


@pytest.fixture
def ada(irc: IrcNetwork, folder: Path) -> Iterator[Chatter]:
    """Somebody in that room."""
    text = (folder / "league.toml").read_text()
    room = text.partition('room = "')[2].partition('"')[0]
    with irc.chatter("ann", "ada") as found:
        yield found.join(room)


def store_of(folder: Path) -> Store:
    """Return the league's database, which is made where there is none."""
    return Store(f"sqlite:///{folder / 'league.db'}")


def gaps(store: Store) -> int:
    """Return how often the referee noted that it was away from the room."""
    rows = store.all(Letter.select().where(Letter.channel == CHAT))
    return sum(json.loads(row.content).get("presence") == "lost" for row in rows)


def test_check_tries_the_room_and_says_what_is_in_the_way(folder: Path) -> None:
    found = found_of(folder)
    assert found.ok
    assert found.text.startswith("the referee is let into #room")
    (folder / "irc-password").write_text("wrong")
    found = found_of(folder)
    assert not found.ok
    assert "refused the login of referee" in found.text


def test_after_a_kill_no_line_comes_twice_and_the_gap_is_told(folder: Path, ada: Chatter) -> None:
    with closing(store_of(folder)) as store:
        for number in range(LINES):
            about = {"ident": f"n{number}", "thread": f"t{number}", "title": ""}
            about["body"] = f"line {number}."
            queues.queue_post(store, datetime.now(UTC), channel=CHAT, **about)
        with running(folder / "league.toml") as daemon:
            ada.wait_for("line 3.")
            daemon.stop(signal.SIGKILL)
        assert gaps(store) == 1
        with running(folder / "league.toml") as daemon:
            ada.until(lambda: queues.count(store, Post, state="queued") == 0)
            ada.until(lambda: any(f"line {LINES - 1}." in one for one in ada.said))
            daemon.stop()
        lost = queues.rows(store, Post, state="failed")
        assert gaps(store) == 2
    said = [one for one in ada.said if one.startswith("line ")]
    assert len(said) == len(set(said)) >= LINES - 1
    assert len(said) + len(lost) >= LINES
    assert len(lost) <= 1
    assert all("a chat room can't be asked" in one.error for one in lost)
