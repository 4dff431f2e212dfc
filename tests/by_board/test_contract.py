"""What holds on a board of each kind, with a whole league around it.

How a duel there ends, edits, deletions, codes and outages stand in the files beside this one.
"""

from collections.abc import Callable, Iterable, Iterator
from threading import Event, Thread
from typing import Any

import pytest

from pbem.channels.channel import Channel, ChannelDown, ChannelSettings, Home, Portion, Post
from pbem.service.board_worker import BoardWorker
from pbem.storage import Cursor, Letter, Step
from pbem.storage import Post as PostRow
from tests.by_board.conftest import Duel
from tests.by_board.test_accounts import place
from tests.by_board.test_duel import posts, to_the_end, turns
from tests.by_board.test_edits import bob_scans, orders
from tests.support.board_league import BOARD, Poster, by_us, look, thread_of, unmarked, work
from tests.support.each_board import each_clock, each_kind

Changed = Callable[[Iterator[Portion]], Iterable[Portion]]


def read_through(patch: pytest.MonkeyPatch, settings: ChannelSettings, changed: Changed) -> None:
    """Let a board be read through a function that changes what comes from it."""
    used_through(patch, settings, "news", lambda news: lambda *asked: changed(news(*asked)))


def used_through(
    patch: pytest.MonkeyPatch,
    settings: ChannelSettings,
    name: str,
    wrapped: Callable[[Callable[..., Any]], Callable[..., Any]],
) -> None:
    """Let what a board does under a name be done through another function."""
    kind = type(settings)
    opened = kind.open

    def changing(self: ChannelSettings, home: Home) -> Channel:
        board = opened(self, home)
        patch.setattr(board, name, wrapped(getattr(board, name)))
        return board

    patch.setattr(kind, "open", changing)


def all_that_came(fight: Duel) -> list[object]:
    """Return what was kept, played, posted and sent to players."""
    store = fight.league.store
    kept = [
        (one.message_id, one.place, one.state)
        for one in store.all(Letter.select().order_by(Letter.id))
    ]
    steps = [(one.orders, one.source) for one in store.all(Step.select().order_by(Step.id))]
    return [kept, steps, by_us(fight.server), len(fight.league.post.letters)]


def bob_there(fight: Duel) -> Poster:
    """Give Bob an account on the board as well."""
    bob = Poster(fight.league, fight.bob, fight.server, "bob")
    bob.link()
    return bob


@each_kind
def test_what_comes_twice_changes_nothing_and_is_answered_once(
    fight: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob, store = bob_there(fight), fight.league.store
    read_through(
        monkeypatch, fight.kind.settings, lambda portions: (one for one in portions for _ in "12")
    )
    known = store.first(Cursor.select().where(Cursor.channel == BOARD))
    assert known is not None
    to_the_end(fight, bob)
    assert len(turns(fight)) == fight.league.game.turn
    before = all_that_came(fight)
    store.run(Cursor.update(cursor=known.cursor).where(Cursor.channel == BOARD))
    assert work(fight.league) == []
    assert all_that_came(fight) == before
    names = [
        one.message_id
        for one in store.all(Letter.select().where(Letter.channel == BOARD).order_by(Letter.id))
    ]
    assert len(names) == len(set(names))


@each_clock
def test_what_comes_late_is_for_the_turn_that_its_writer_saw(
    fight: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, holding = list[Portion](), Event()

    def hold(portions: Iterator[Portion]) -> Iterator[Portion]:
        """Keep the messages of a look, while the cursor goes on; give them after later ones."""
        found = list(portions)
        if holding.is_set():
            held.extend(found)
            yield Portion([], found[-1].cursor if found else "")
            return
        yield from found
        while held:
            yield Portion(held.pop().messages, found[-1].cursor)

    read_through(monkeypatch, fight.kind.settings, hold)
    holding.set()
    fight.ann.post("CLOSE")
    fight.later(1)
    fight.ann.person.write(f"GAME 1\nSCAN\nKEY {fight.ann.person.key}")
    bob_scans(fight)
    assert orders(fight).count("Hawk") == 1
    holding.clear()
    fight.later(1)
    fight.ann.post("What a shot!")
    assert not place(fight, "Hawk").answered
    assert "too late" in unmarked(posts(fight)[-1])


@each_clock
def test_an_edit_counts_though_its_first_form_comes_later(
    fight: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, known = (
        list[bytes](),
        fight.league.store.first(Cursor.select().where(Cursor.channel == BOARD)),
    )
    assert known is not None

    def keep(portions: Iterator[Portion]) -> Iterator[Portion]:
        held.extend(raw for one in portions for raw in one.messages)
        yield Portion([], known.cursor)

    def give(portions: Iterator[Portion]) -> Iterator[Portion]:
        *others, last = portions
        yield from others
        yield Portion([*last.messages, *held], last.cursor)

    with monkeypatch.context() as patch:
        read_through(patch, fight.kind.settings, keep)
        number = fight.ann.post("SURRENDER")
    fight.later(1)
    fight.server.edit(number, "SCAN")
    work(fight.league)
    assert "understood: SCAN" in unmarked(posts(fight)[-1])
    # A copy of the board that lags behind is asked.
    read_through(monkeypatch, fight.kind.settings, give)
    fight.ann.post("What a fight!")
    bob_scans(fight)
    assert fight.league.game.running
    assert '["Hawk", "SCAN"]' in orders(fight)


@each_kind
@pytest.mark.parametrize("own", ["> {}", "the board's"])
def test_what_is_quoted_does_nothing(fight: Duel, own: str) -> None:
    quoted = (fight.kind.quote if own == "the board's" else own).format("SURRENDER")
    before = len(posts(fight))
    fight.ann.post(quoted)
    assert fight.league.game.running
    assert not place(fight, "Hawk").answered
    assert len(posts(fight)) == before, "nothing new was written"
    fight.ann.post(f"SCAN\n\n{quoted}")
    bob_scans(fight)
    assert '["Hawk", "SCAN"]' in orders(fight)


@each_kind
def test_a_flood_loses_no_order_of_another_player(fight: Duel) -> None:
    bob, thread = bob_there(fight), thread_of(fight.league, fight.league.game)
    for number in range(300):
        fight.server.post("mallory", f"I say it {number} times: SURRENDER", thread)
    for _ in range(60):
        fight.server.post("ada", "SCAN", thread)
    fight.server.post("bob", "SCAN", thread)
    assert work(fight.league) == []
    work(fight.league)
    assert place(fight, "Kestrel").answered or fight.league.game.steps > 0
    limit = fight.league.settings.limits.letters_a_day
    assert len(posts(fight)) <= limit + 10
    fight.later(24)
    bob.post("SCAN")
    fight.ann.post("SCAN")
    assert fight.league.game.running


@each_kind
def test_a_very_long_post_keeps_nobody_else_waiting(fight: Duel) -> None:
    bob = bob_there(fight)
    length = fight.kind.longest - 20
    before = len(posts(fight))
    fight.server.post(
        "ada",
        "SCAN\n\n" + "a word and " * (length // 11),
        thread_of(fight.league, fight.league.game),
    )
    bob.post("SCAN")
    assert place(fight, "Kestrel").answered or fight.league.game.steps > 0
    assert len(posts(fight)) <= before + 3
    assert all(len(one) <= fight.kind.settings.limit for one in posts(fight))


@each_kind
def test_mail_goes_on_while_a_board_is_slow(fight: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on, is_read = Event(), Event()

    def slow(portions: Iterator[Portion]) -> Iterator[Portion]:
        for one in portions:
            is_read.set()
            assert goes_on.wait(30)
            yield one

    league, ports = fight.league, fight.league.service.ports
    fight.server.post("ada", "SCAN", thread_of(league, league.game))
    with monkeypatch.context() as patch:
        read_through(patch, fight.kind.settings, slow)
        worker = BoardWorker(BOARD, ports.posts, lambda: league.now)

        def look_slowly() -> None:
            worker.publish()
            worker.read()

        reading = Thread(target=look_slowly)
        reading.start()
        assert is_read.wait(30)
        fight.bob.ask(f"STATUS\nKEY {fight.bob.key}")
        goes_on.set()
        reading.join()
    bob_scans(fight)
    assert '["Hawk", "SCAN"]' in orders(fight)


@each_kind
def test_a_post_stands_once_though_its_answer_was_lost(
    fight: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = set[str]()

    def losing(publish: Callable[[Post], str]) -> Callable[[Post], str]:
        def published(post: Post) -> str:
            stands = publish(post)
            if post.ident not in lost:
                lost.add(post.ident)
                raise ChannelDown("The line was cut.", unsure=True)
            return stands

        return published

    before = len(by_us(fight.server))
    used_through(monkeypatch, fight.kind.settings, "publish", losing)
    if fight.kind.settings.private:
        fight.ann.whisper("STATUS")
    fight.ann.post("SCAN")
    bob_scans(fight)
    for _ in range(5):
        fight.later(2)
        work(fight.league)
    assert fight.league.store.count(PostRow.select().where(PostRow.state != "sent")) == 0
    assert len(by_us(fight.server)) == before + 2, "an answer, and a turn"
    alone = [one.text for one in fight.server.posts() if one.account == "referee" and one.to]
    assert len(alone) == (1 if fight.kind.settings.private else 0)


class Killed(BaseException):
    """The end of a process."""


@each_kind
def test_nothing_is_lost_or_done_twice_where_the_process_ends(
    fight: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(portions: Iterator[Portion]) -> Iterator[Portion]:
        yield from portions
        raise Killed

    league = fight.league
    before = len(posts(fight))
    fight.server.post("ada", "SCAN", thread_of(league, league.game))
    with monkeypatch.context() as patch:
        read_through(patch, fight.kind.settings, end)
        for _ in range(2):
            with pytest.raises(Killed):
                look(league)
            league.close()
            league.open()
            # The harness opens a service without its board.
            league.service.ports.posts.settings = league.settings
    work(league)
    assert len(posts(fight)) == before + 1, "one answer"
    bob_scans(fight)
    assert orders(fight).count('["Hawk", "SCAN"]') == 1
