"""What could not go out: `pbem outbox` and `pbem posts`."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.channels.mail.transport import Rejected
from pbem.commands import outbox_and_posts
from pbem.maintenance.fsck import check
from pbem.outgoing.moderator_letter import decisions
from pbem.storage import Outgoing, Post
from tests.channels.test_channels import connect, put_up, story
from tests.servers.boards import Board
from tests.servers.discourse import Discourse
from tests.support.harness import League, duel
from tests.support.players import REFEREE
from tests.support.program import Run, beside, write_league


class Refusing:
    """A transport whose server takes no letter until it is mended."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.mended = inner, False

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Refuse a letter, or send it."""
        if not self.mended:
            raise Rejected("550 relaying denied\x1b[31m", 550)
        self.inner.send(sender, recipient, raw)

    def close(self) -> None:
        """Nothing is held open."""


@pytest.fixture
def board() -> Iterator[Board]:
    with Discourse().running() as board:
        yield board


@pytest.fixture
def run(
    league: League,
    board: Board,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Run a command on a league with a forum, at the league's time."""
    forum = {"kind": "discourse", "user": "referee", "key_file": "key", "category": 5}
    connect(league, {"forum": forum | {"url": board.url}})
    file = write_league(
        tmp_path,
        {
            "league": {"name": "Avalon League", "address": REFEREE},
            "store": {"url": league.store.url},
            "channels.forum": forum | {"url": board.url},
        },
    )
    monkeypatch.setattr(outbox_and_posts, "wall_clock", lambda: league.now)
    return beside(league.store, file, capsys)


def posts(league: League, state: str) -> list[Post]:
    return league.store.all(Post.select().where(Post.state == state).order_by(Post.id))


def letters(league: League, state: str) -> list[Outgoing]:
    return league.store.all(Outgoing.select().where(Outgoing.state == state).order_by(Outgoing.id))


def test_a_refused_post_is_listed_shown_and_tried_again(
    league: League, board: Board, run: Run
) -> None:
    duel(league)
    board.fail(413)
    put_up(league)
    failed = posts(league, "failed")
    assert failed
    listed = run("posts", "list")[1].splitlines()
    assert len(listed) == len(failed)
    assert "failed" in listed[0]
    assert "answered 413" in listed[0]
    shown = run("posts", "show", failed[0].id)[1]
    assert failed[0].body.splitlines()[0] in shown
    board.mend()
    assert run("posts", "retry", failed[0].id)[0] == 0
    assert put_up(league) == []
    assert board.standing("G1") == [failed[0].body]
    assert len(posts(league, "failed")) == len(failed) - 1


def test_when_a_board_is_mended_all_that_waits_goes_out_at_once(
    league: League, board: Board, run: Run
) -> None:
    duel(league)
    board.fail(403)  # it takes nothing from us, so that posts wait for as long as an hour
    put_up(league)
    story(league)
    board.mend()
    assert put_up(league) == []
    assert board.standing("G1") == []
    status, out, _ = run("posts", "retry", "--json")
    assert status == 0
    # After two in a row the board was left alone, and the rest was not tried.
    assert len(json.loads(out)["posts"]) == 2
    assert put_up(league) == []
    assert posts(league, "queued") == []
    assert board.standing("G1") != []


def test_a_post_is_dropped_with_a_reason(league: League, board: Board, run: Run) -> None:
    duel(league)
    board.fail(413)
    put_up(league)
    first, *rest = posts(league, "failed")
    status, _, err = run("posts", "drop", first.id)
    assert (status, err.count("\n")) == (2, 1)
    assert run("posts", "drop", first.id, "--reason", "it is  old")[0] == 0
    assert [one.error for one in posts(league, "dropped")] == [
        "dropped by the moderator: it is old"
    ]
    board.mend()
    run("posts", "retry")
    put_up(league)
    assert [one.id for one in posts(league, "sent")] == [one.id for one in rest]
    assert posts(league, "dropped") != []
    assert not list(check(league.store))


def test_a_post_that_is_dropped_while_it_is_looked_at_is_not_sent(
    league: League, board: Board, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel(league)
    whole = league.service.ports.posts.channel

    def dropping(name: str) -> Any:
        for row in posts(league, "queued"):
            run("posts", "drop", row.id, "--reason", "no")
        return whole(name)

    monkeypatch.setattr(league.service.ports.posts, "channel", dropping)
    assert put_up(league) == []
    assert board.posts == {}


def test_a_letter_that_was_refused_is_sent_again(league: League, run: Run) -> None:
    ann = league.person("Ann")
    ann.join()
    server = league.transport = Refusing(league.post)
    ann.reply("HELP")
    league.work()
    [failed] = letters(league, "failed")
    listed = run("outbox", "list")[1]
    assert listed.startswith(f"{failed.id}  failed")
    assert "550 relaying denied" in listed
    assert ann.address in listed
    assert "\x1b" not in listed + run("outbox", "show", failed.id)[1]
    server.mended = True
    assert run("outbox", "retry")[1] == f"letters: {failed.id}\nstate: queued\n"
    league.send()
    assert ann.last["Message-ID"] == failed.message_id
    assert run("outbox", "list")[1] == "No letter has failed or is put off.\n"


def test_a_letter_that_a_newer_one_has_replaced_stays_where_it_is(league: League, run: Run) -> None:
    duel(league)
    server = league.transport = Refusing(league.post)
    for hours in (49, 18):
        league.later(hours)
        league.work()
    # The reminders 24 and 6 hours before the deadline, of both players.
    reminded = letters(league, "failed")
    server.mended = True
    newer = next(one for one in reminded[1:] if one.slot == reminded[0].slot)
    status, _, err = run("outbox", "retry", reminded[0].id)
    assert (status, err.count("\n")) == (2, 1)
    assert f"letter {newer.id} has taken its place" in err
    run("outbox", "retry")
    assert {one.id for one in letters(league, "failed")} == {one.id for one in reminded[:2]}
    assert run("outbox", "drop", reminded[0].id, "--reason", "too late")[0] == 0
    assert not list(check(league.store))


@pytest.mark.parametrize(("command", "model"), [("outbox", Outgoing), ("posts", Post)])
def test_what_can_not_be_done_is_one_line(
    league: League, run: Run, command: str, model: type[Outgoing] | type[Post]
) -> None:
    duel(league)
    put_up(league)
    sent = league.store.all(model.select().where(model.state == "sent").order_by(model.id))[0].id
    drop = ("drop", "--reason", "x")
    for arguments in (("show",), drop, ("show", 999), ("retry", 999), ("retry", sent)):
        status, out, err = run(command, *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"`pbem {command} list`" in err


def test_the_daily_letter_names_the_commands(league: League, board: Board, run: Run) -> None:
    duel(league)
    board.fail(403)
    put_up(league)
    row = letters(league, "sent")[0]
    league.store.run(Outgoing.update(state="failed").where(Outgoing.id == row.id))
    post = posts(league, "queued")[-1]
    league.store.run(Post.update(state="failed").where(Post.id == post.id))
    soon = "\n".join(map(str, decisions(league.store, league.settings, league.now)))
    assert "pbem outbox retry" in soon
    assert "pbem posts retry" in soon
    assert "posts to" not in soon
    later = league.now + timedelta(hours=13)
    assert any("posts to" in str(one) for one in decisions(league.store, league.settings, later))
