"""Discord as a board that is read: by REST alone, in threads, and privately."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbem.channels import web
from pbem.channels.channel import Board, ChannelDown, PostDeferred, PostRefused
from pbem.channels.discord import WAITS, Discord, DiscordSettings
from pbem.channels.web import Web
from tests.servers.boards import Answer, hanging
from tests.servers.discord import (
    BOT,
    CHANNEL,
    FORUM,
    RIGHTS,
    ROLE,
    TEXT,
    DiscordGuild,
    PlayedDiscord,
)
from tests.support.board_reading import Reader, draft
from tests.support.paths import DOCS

ANN, BOB = "500000000000000011", "500000000000000012"


@pytest.fixture(params=[TEXT, FORUM], ids=["text", "forum"])
def server(request: pytest.FixtureRequest) -> Iterator[DiscordGuild]:
    """A channel of text, and a forum."""
    with DiscordGuild(request.param).running() as guild:
        yield guild


@pytest.fixture
def played(server: DiscordGuild) -> PlayedDiscord:
    return PlayedDiscord(server)


@pytest.fixture
def reader(server: DiscordGuild) -> Reader:
    """The channel as the referee reads it."""
    settings = DiscordSettings(url=server.url, token_file="t", channel=CHANNEL, play=True)
    found = Reader(settings, "t0ken")
    assert isinstance(found.board, Board)
    return found


def patient(server: DiscordGuild, waited: list[float]) -> Discord:
    """Return the channel, which writes down how long it waits instead of waiting."""
    headers = {"Authorization": "Bot t0ken", "User-Agent": "DiscordBot (test, 1)"}
    settings = DiscordSettings(url=server.url, token_file="t", channel=CHANNEL, play=True)
    return Discord(Web(server.url, headers), settings, waited.append)


# --- what is read --------------------------------------------------------------------------------


def test_the_first_look_reads_nothing_older(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    played.post(ANN, "What is this?")
    old = server.begin(BOB, "An old thread", "And this?")
    server.archive(old)
    assert reader.look() == []
    number = played.post(ANN, "SCAN")
    server.say(BOB, "SCAN too", old)
    assert set(reader.words()) == {"SCAN", "SCAN too"}
    assert number in {reader.settings.message(raw).number for raw in reader.raw}
    assert reader.words() == []


def test_a_message_says_who_wrote_what_where_and_when(
    played: PlayedDiscord, reader: Reader
) -> None:
    reader.look()
    thread = reader.settings.topic(reader.board.publish(draft("The battle begins.")))
    number = played.post(ANN, "> The battle begins.\nSCAN now", thread)
    now = played.server.now
    ours, theirs = reader.look()
    assert (ours.own, ours.account) == (True, BOT)
    assert (theirs.own, theirs.private, theirs.deleted) == (False, False, False)
    assert (theirs.number, theirs.account, theirs.name) == (number, ANN, f"user{ANN}")
    assert theirs.threads == ours.threads == (thread,)
    assert theirs.text == "SCAN now"
    assert int(theirs.at.timestamp() * 1000) == now


def test_a_mention_of_the_bot_is_no_word(played: PlayedDiscord, reader: Reader) -> None:
    reader.look()
    played.post(ANN, f"<@{BOT}> SCAN")
    assert reader.words() == ["SCAN"]


def test_notes_of_discord_are_no_messages(server: DiscordGuild, reader: Reader) -> None:
    reader.look()
    begun = server.begin(ANN, "CHALLENGE Kestrel", "The words")
    server.say(ANN, "a name", begun, kind=4)
    server.say(ANN, "an answer", begun, kind=19)
    assert reader.words() == ["The words", "an answer"]


def test_a_private_message_is_read_of_those_who_wrote_in_public(
    played: PlayedDiscord, reader: Reader
) -> None:
    reader.look()
    first = played.private(BOB, "STANDING\nSCAN")
    assert reader.look() == []  # Discord tells a bot of no private channel that it has not opened
    played.server.now += 3_600_000
    played.post(ANN, "An hour later")
    assert reader.words() == ["An hour later"]
    played.post(BOB, "Here I am")
    public, message = reader.look()
    assert (public.text, public.private) == ("Here I am", False)
    assert (message.private, message.account, message.number) == (True, BOB, first)
    played.private(BOB, "SALT and pepper")
    [later] = reader.look()
    assert (later.text, later.private) == ("SALT and pepper", True)
    stands = reader.board.publish(draft("Done.", to=BOB))
    [ours] = reader.look()
    assert (ours.own, ours.private) == (True, True)
    assert ours.threads == message.threads == (reader.settings.topic(stands),)


def test_private_channels_are_opened_a_few_at_a_time(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    reader.look()
    people = [f"5000000000000001{n:02}" for n in range(12)]
    for account in people:
        played.post(account, "Here I am")
        played.private(account, f"SCAN {account}")
    assert len(reader.words()) == 12 + 5
    assert len(reader.words()) == 5
    assert len(reader.words()) == 2
    opened = [path for method, path in server.asked if method == "POST"]
    assert len(opened) == 12
    assert reader.words() == []


def test_a_thread_of_others_in_another_channel_or_private_is_not_read(
    server: DiscordGuild, reader: Reader
) -> None:
    reader.look()
    server.begin(ANN, "elsewhere", "words", parent="9")
    hidden = server.begin(ANN, "hidden", "more words", kind=12)
    server.say(ANN, "SURRENDER", hidden)
    found = set(reader.words())
    assert "SURRENDER" not in found
    assert found == ({"words", "more words"} if server.kind == TEXT else set())


def test_a_thread_that_was_archived_while_we_were_away_is_read(
    server: DiscordGuild, reader: Reader
) -> None:
    threads = [server.begin(ANN, f"thread {n}", "before") for n in range(7)]
    for one in threads:
        server.archive(one)
    reader.look()
    for one in threads:
        server.say(BOB, f"SCAN {one}", one)
    server.now += 8 * 24 * 3_600_000
    for one in threads:
        server.archive(one)
    assert sorted(reader.words()) == sorted(f"SCAN {one}" for one in threads)
    assert reader.look() == []


def test_a_number_that_shows_up_late_is_not_skipped(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    one, other = server.begin(ANN, "one", "before"), server.begin(BOB, "other", "before")
    reader.look()
    server.now += 100_000
    played.post(ANN, "on time", one)
    assert reader.words() == ["on time"]
    server.say(BOB, "late", other, earlier=40_000)
    assert reader.words() == ["late"]
    assert reader.words() == []


def test_a_flood_comes_in_portions_and_goes_on_where_it_broke_off(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    thread = server.begin(ANN, "one", "before")
    reader.look()
    for n in range(500):
        played.post(ANN, f"order {n}", thread)
    portions = reader.board.news(reader.cursor, ())
    first = [next(portions) for _ in range(2)]
    found = [reader.settings.message(raw).text for one in first for raw in one.messages]
    assert [len(one.messages) for one in first] == [100, 100]
    reader.cursor = first[-1].cursor
    reader.open()
    found += reader.words()
    assert found == [f"order {n}" for n in range(500)]
    assert len(reader.cursor) < 3000


def test_the_same_bytes_mean_the_same(played: PlayedDiscord, reader: Reader) -> None:
    reader.look()
    number = played.post(ANN, "SCAN")
    place = played.private(ANN, "SCAN there")
    first = reader.look()
    first += reader.look((number, place))
    assert isinstance(reader.settings, DiscordSettings)
    later = replace(reader.settings, channel="400000000000000009")
    assert [later.message(raw) for raw in reader.raw] == first
    assert not any(" " in one.room for one in first)  # the core names messages by room and number
    assert len(set(first)) == 2  # each came once as news, and once as what is watched


@pytest.mark.parametrize("raw", [b"", b"{}", b"[]", b'{"message": {}}', b'{"gone": 7}'])
def test_bytes_that_are_no_message_are_told(raw: bytes) -> None:
    settings = DiscordSettings(token_file="t", channel=CHANNEL)
    with pytest.raises(ValueError, match=r"no message|Expecting"):
        settings.message(raw)


# --- edits and deletions -------------------------------------------------------------------------


def test_an_edit_is_another_form_of_a_watched_message(
    played: PlayedDiscord, reader: Reader
) -> None:
    reader.look()
    number, place = played.post(ANN, "SCAN"), played.private(ANN, "SCAN there")
    before = reader.look()
    played.edit(number, "FIRE")
    played.edit(place, "FIRE there")
    assert reader.look() == []
    after = reader.look((number, place))
    assert [one.text for one in after] == ["FIRE", "FIRE there"]
    assert [one.private for one in after] == [False, True]
    assert {one.number for one in before} == {one.number for one in after}
    assert not {one.place for one in before} & {one.place for one in after}
    assert all(later.at > earlier.at for earlier, later in zip(before, after, strict=True))


def test_a_deletion_is_the_last_form_of_a_watched_message(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    reader.look()
    thread = server.begin(BOB, "one", "before")
    numbers = [played.post(ANN, "SCAN", thread), played.private(ANN, "SCAN there")]
    lost = server.begin(BOB, "two", "before")
    numbers.append(played.post(ANN, "SCAN", lost))
    reader.look()
    played.delete(numbers[0])
    played.delete(numbers[1])
    played.delete(numbers[2])
    del server.threads[lost]
    gone = reader.look(numbers)
    assert [one.number for one in gone] == numbers
    assert [(one.deleted, one.version, one.private) for one in gone] == [
        (True, "deleted", False),
        (True, "deleted", True),
        (True, "deleted", False),
    ]


@pytest.mark.parametrize(
    ("status", "page"),
    [(404, b"<h1>Not found</h1>"), (404, {"message": "404: Not Found", "code": 0})],
)
def test_a_page_of_another_server_withdraws_no_order(
    server: DiscordGuild,
    played: PlayedDiscord,
    reader: Reader,
    status: int,
    page: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader.look()
    number = played.post(ANN, "SCAN")
    reader.look()
    monkeypatch.setattr(server, "_message", lambda *asked: (status, page, {}))
    with pytest.raises(ChannelDown, match="404"):
        reader.look((number,))


def test_a_message_that_we_may_not_see_for_now_is_not_gone(
    server: DiscordGuild,
    played: PlayedDiscord,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader.look()
    number = played.post(ANN, "SCAN")
    reader.look()
    lacks = (403, {"code": 50001, "message": "Missing Access"}, {})
    monkeypatch.setattr(server, "_message", lambda *asked: lacks)
    assert reader.look((number,)) == []


# --- impostors -----------------------------------------------------------------------------------


def test_a_hook_with_a_players_name_is_nobody(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    reader.look()
    thread = server.begin(ANN, "one", "before")
    server.names |= {ANN: "Kestrel", BOB: "Kestrel", "77": "Kestrel", "88": "referee"}
    server.bots.add("88")
    played.post(ANN, "SURRENDER 1", thread)
    played.post(BOB, "SURRENDER 2", thread)
    server.say("77", "SURRENDER 3", thread, hook="77")
    server.say("88", "SURRENDER 4", thread)
    found = reader.look()[1:]
    assert [one.account for one in found] == [ANN, BOB, "", ""]
    assert [one.name for one in found] == ["Kestrel", "Kestrel", "Kestrel", "referee"]
    assert not any(one.own for one in found)
    assert set(server.private) == {ANN, BOB}  # nobody writes to a hook


# --- what is posted ------------------------------------------------------------------------------


def test_a_thread_is_begun_answered_in_and_edited(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    reader.look()
    root = reader.board.publish(draft("The battle begins.", title="Game 1: " + "x" * 200))
    reply = reader.board.publish(draft("Turn 1.", ident="G1-T2", root=root))
    thread = reader.settings.topic(root)
    assert reader.settings.topic(reply) == thread
    assert len(server.threads[thread].name) == 100
    assert reader.board.publish(draft("Turn 1, mended.", stands=reply)) == reply
    assert reader.board.publish(draft("The battle began.", stands=root)) == root
    assert played.posts() == [
        (BOT, thread, "The battle began.", ""),
        (BOT, thread, "Turn 1, mended.", ""),
    ]


def test_an_archived_thread_is_opened_again_for_an_edit(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    root = reader.board.publish(draft("The battle begins."))
    reply = reader.board.publish(draft("Turn 1.", ident="G1-T2", root=root))
    server.archive(reader.settings.topic(root))
    reader.board.publish(draft("Turn 1, mended.", stands=reply))
    assert played.posts()[-1].text == "Turn 1, mended."


def test_others_are_answered_in_a_thread_of_their_own(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    reader.look()
    played.post(ANN, "CHALLENGE Kestrel WITH Hawk")
    [asked] = reader.look()
    [topic] = asked.threads
    stands = reader.board.publish(draft("Here it is.", root=topic))
    assert reader.settings.topic(stands) == topic
    assert reader.look()[0].threads == (topic,)
    assert set(server.threads) == {topic}


@pytest.mark.parametrize("where", ["thread", "reply", "private"])
def test_what_came_through_is_not_posted_twice(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader, where: str
) -> None:
    root = reader.board.publish(draft("The battle begins.")) if where == "reply" else ""
    facts = {"root": root, "to": BOB if where == "private" else "", "ident": "G1-T9"}
    if where == "private":
        played.private(BOB, "before")
    body = "What happened."
    server.swallow = True
    with pytest.raises(ChannelDown):
        reader.board.publish(draft(body, **facts))
    server.swallow = False
    for said in server.said.values():
        said.nonce = ""  # Discord knows it for minutes alone
    played.post(ANN, body, root.partition("/")[0])
    if where == "private":
        # The first request that was cut off had opened the channel alone.
        reader.board.publish(draft(body, **facts))
        for said in server.said.values():
            said.nonce = ""
        played.private(BOB, body)
    found = reader.board.publish(draft(body, unsure=True, **facts))
    assert [one.text for one in played.posts() if one.account == BOT].count(body) == 1
    assert reader.board.publish(draft("Mended.", stands=found)) == found


def test_a_thread_that_came_through_is_not_begun_again(
    server: DiscordGuild,
    played: PlayedDiscord,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if server.kind == FORUM:
        pytest.skip("a forum takes the thread and its message at once")
    begin = server._thread_on

    def cut_off(ident: str, body: object) -> Answer:
        server.swallow = True
        return begin(ident, body)

    monkeypatch.setattr(server, "_thread_on", cut_off)
    with pytest.raises(ChannelDown) as fault:
        reader.board.publish(draft("The battle begins."))
    assert fault.value.unsure
    monkeypatch.setattr(server, "_thread_on", begin)
    server.swallow = False
    for said in server.said.values():
        said.nonce = ""
    reader.board.publish(draft("The battle begins.", unsure=True))
    assert len(played.posts()) == len(server.threads) == 1


def test_a_thread_that_was_refused_is_begun_on_the_same_message(
    server: DiscordGuild,
    played: PlayedDiscord,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if server.kind == FORUM:
        pytest.skip("a forum takes the thread and its message at once")
    lacks = (403, {"code": 50013, "message": "Missing Permissions"}, {})
    with monkeypatch.context() as patched:
        patched.setattr(server, "_thread_on", lambda *asked: lacks)
        with pytest.raises(PostDeferred):
            reader.board.publish(draft("The battle begins."))
    for said in server.said.values():
        said.nonce = ""
    reader.board.publish(draft("The battle begins."))
    assert len(played.posts()) == len(server.threads) == 1


def test_the_same_words_again_are_another_post(played: PlayedDiscord, reader: Reader) -> None:
    reader.board.publish(draft("The same words.", ident="P1"))
    reader.board.publish(draft("The same words.", ident="P2"))
    assert len(played.posts()) == 2


def test_who_takes_no_private_messages_is_told_at_once(
    server: DiscordGuild, reader: Reader
) -> None:
    server.takes_no_private = {BOB}
    with pytest.raises(PostRefused, match="takes no private messages"):
        reader.board.publish(draft("Psst.", to=BOB))


# --- limits and faults ---------------------------------------------------------------------------


def test_a_short_limit_is_waited_for(server: DiscordGuild, played: PlayedDiscord) -> None:
    waited = list[float]()
    board = patient(server, waited)
    [first] = board.news("", ())
    played.post(ANN, "SCAN")
    server.limited = 3
    found = [raw for portion in board.news(first.cursor, ()) for raw in portion.messages]
    assert len(found) == 1
    assert waited == [1, 1, 1]
    server.limited = 1
    board.publish(draft("The battle begins."))
    assert len([one for one in played.posts() if one.account == BOT]) == 1


def test_a_long_limit_is_the_workers_to_wait_for(server: DiscordGuild) -> None:
    waited = list[float]()
    board = patient(server, waited)
    server.limited, server.retry_after = 1, 64.57
    with pytest.raises(ChannelDown) as fault:
        list(board.news("", ()))
    assert (fault.value.after, waited) == (64.57, [])
    server.limited, server.retry_after = 99, 0.3
    with pytest.raises(ChannelDown):
        list(board.news("", ()))
    assert len(waited) == WAITS


@pytest.mark.parametrize(
    ("status", "page"),
    [
        (503, b"upstream connect error"),
        (502, b"<html>cloudflare</html>"),
        (200, b"<html>Sign in</html>"),
        (200, b'{"id": "4'),
        (200, b"[]"),
        (200, {}),
        (200, {"id": "7", "type": 0, "threads": [7]}),
        (401, {"message": "401: Unauthorized", "code": 0}),
        (403, {"message": "Missing Access", "code": 50001}),
        (404, {"message": "Unknown Channel", "code": 10003}),
    ],
)
def test_a_board_that_fails_loses_nothing(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader, status: int, page: object
) -> None:
    number = played.post(ANN, "before")
    reader.look()
    known = reader.cursor
    server.fault_page = page
    server.fail(status)
    with pytest.raises(ChannelDown) as fault:
        reader.look((number,))
    with pytest.raises(ChannelDown):
        reader.board.check()
    with pytest.raises(ChannelDown):
        reader.board.obstacles()
    assert fault.value.refused == (400 <= status < 500)
    assert reader.cursor == known
    played.post(ANN, "SCAN")
    server.mend()
    assert reader.words() == ["SCAN"]


def test_a_board_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "TIMEOUT", 0.05)
    with hanging() as url:
        slow = Reader(DiscordSettings(url=url, token_file="t", channel=CHANNEL), "t0ken")
        with pytest.raises(ChannelDown):
            slow.look()


# --- settings ------------------------------------------------------------------------------------


def test_missing_permissions_are_named(server: DiscordGuild, reader: Reader) -> None:
    assert reader.board.obstacles() == []
    assert "may begin threads, read, reply and edit in #battles" in reader.board.check()
    needed = [name for name in RIGHTS if server.kind == TEXT or name != "Create Public Threads"]
    for name in needed:
        server.rights = sum(bit for right, bit in RIGHTS.items() if right != name)
        assert reader.board.obstacles() == [
            f"The bot lacks {name}: give its role these permissions."
        ]
        with pytest.raises(ChannelDown, match=f"lacks {name} in the channel"):
            reader.board.check()
    server.rights = 1 << 3
    assert reader.board.obstacles() == []
    assert all(method == "GET" for method, _ in server.asked)


def test_the_rules_of_the_channel_change_permissions(server: DiscordGuild, reader: Reader) -> None:
    view = str(RIGHTS["View Channel"])
    server.overwrites = [{"id": ROLE, "type": 0, "deny": view, "allow": "0"}]
    assert "lacks View Channel" in reader.board.obstacles()[0]
    server.overwrites.append({"id": BOT, "type": 1, "deny": "0", "allow": view})
    assert reader.board.obstacles() == []
    server.overwrites = [{"id": "other", "type": 0, "deny": view, "allow": "0"}]
    assert reader.board.obstacles() == []


def test_a_bot_that_may_not_read_words_is_told(
    server: DiscordGuild, played: PlayedDiscord, reader: Reader
) -> None:
    reader.look()
    server.flags = 0
    [told] = reader.board.obstacles()
    assert "Message Content Intent" in told
    with pytest.raises(ChannelDown, match="Message Content Intent"):
        reader.board.check()
    played.post(ANN, "SCAN")
    assert reader.words() == [""]


def test_the_invitation_in_the_docs_asks_for_what_is_needed() -> None:
    page = (DOCS / "boards.md").read_text("utf-8")
    assert f"permissions={sum(RIGHTS.values())}`" in page
    assert all(name in page for name in RIGHTS)


def test_slow_mode_and_tags_are_obstacles(server: DiscordGuild, reader: Reader) -> None:
    server.slow, server.channel_flags = 30, 1 << 4
    slow, tags = reader.board.obstacles()
    assert "30 seconds" in slow
    assert "tag" in tags
