"""NodeBB as a board that is read: nothing twice, nothing skipped, nobody taken for another."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.channels import web
from pbem.channels.channel import Board, ChannelDown, PostRefused
from pbem.channels.nodebb import NodebbSettings
from tests.servers.boards import Answer, hanging
from tests.servers.nodebb import HOUR, REFEREE, Nodebb, PlayedNodebb, Room
from tests.support.board_reading import Reader, draft
from tests.support.paths import DOCS

ANN, BOB = "11", "12"


@pytest.fixture
def server() -> Iterator[Nodebb]:
    with Nodebb().running() as board:
        yield board


@pytest.fixture
def played(server: Nodebb) -> PlayedNodebb:
    return PlayedNodebb(server)


@pytest.fixture
def reader(server: Nodebb) -> Reader:
    """The forum as the referee reads it, after a first look."""
    found = Reader(
        NodebbSettings(url=server.url, token_file="t", category=5, uid=7, play=True), "t0ken"
    )
    assert isinstance(found.board, Board)
    return found


# --- what is read --------------------------------------------------------------------------------


def test_the_first_look_reads_nothing_older(played: PlayedNodebb, reader: Reader) -> None:
    played.post(ANN, "What is this?")
    played.private(ANN, "And this?")
    assert reader.look() == []
    assert reader.cursor
    played.post(ANN, "SCAN it is")
    played.private(ANN, "SCAN again")
    assert reader.words() == ["SCAN it is", "SCAN again"]
    assert reader.words() == []


def test_a_post_says_who_wrote_what_where_and_when(played: PlayedNodebb, reader: Reader) -> None:
    reader.look()
    thread = reader.board.publish(draft("The battle begins."))
    number = played.post(ANN, "> The battle begins.\n\nSCAN now", reader.settings.topic(thread))
    ours, theirs = reader.look()
    assert (ours.own, ours.account) == (True, str(REFEREE))
    assert (theirs.own, theirs.private, theirs.deleted) == (False, False, False)
    assert (theirs.number, theirs.account, theirs.name) == (number, ANN, "user11")
    assert theirs.threads == (reader.settings.topic(thread),) == ours.threads
    assert theirs.text == "SCAN now"
    assert int(theirs.at.timestamp() * 1000) == played.server.now
    assert b"192.0.2.7" not in reader.raw[-1]  # a moderator is shown where a post came from


def test_a_private_message_is_for_the_referee_alone(played: PlayedNodebb, reader: Reader) -> None:
    reader.look()
    number = played.private(BOB, "STANDING\nSCAN")
    [message] = reader.look()
    assert (message.private, message.account, message.number) == (True, BOB, number)
    assert message.text == "STANDING\nSCAN"
    stands = reader.board.publish(draft("Done.", to=BOB))
    [ours] = reader.look()
    assert (ours.own, ours.private) == (True, True)
    assert ours.threads == message.threads == (reader.settings.topic(stands),)


def test_a_chat_of_three_is_not_private(server: Nodebb, reader: Reader) -> None:
    reader.look()
    server.rooms |= {8: Room([REFEREE, 11, 12]), 9: Room([REFEREE, 11], public=True)}
    server.chat(11, "SURRENDER, says Bob", 8)
    server.chat(11, "SURRENDER, say I", 9)
    assert reader.look() == []
    server.chat(12, "SCAN alone")
    assert reader.words() == ["SCAN alone"]


def test_what_waited_for_approval_is_read_although_lists_show_it_last(
    server: Nodebb, played: PlayedNodebb, reader: Reader
) -> None:
    topic = str(server.begin(11, "A topic", "before"))
    reader.look()
    for n in range(30):
        played.post(BOB, f"words {n}", topic)
    assert len(reader.look()) == 30
    server.write(11, int(topic), "approved", written=server.now - 48 * HOUR)
    assert reader.words() == ["approved"]


def test_a_number_that_shows_up_late_is_not_skipped(
    server: Nodebb, played: PlayedNodebb, reader: Reader
) -> None:
    topic = str(server.begin(11, "A topic", "before"))
    reader.look()
    late = [int(played.post(ANN, f"late {n}", topic)) for n in range(3)]
    for pid in late:
        server.facts[pid].hidden = True
    played.post(BOB, "early", topic)
    assert reader.words() == ["early"]
    server.facts[late[1]].hidden = False
    assert reader.words() == ["late 1"]
    server.facts[late[0]].hidden = server.facts[late[2]].hidden = False
    assert reader.words() == ["late 0", "late 2"]


def test_several_threads_and_other_categories(server: Nodebb, reader: Reader) -> None:
    reader.look()
    own = int(reader.board.publish(draft("The battle begins.")).partition("/")[0])
    other = server.begin(11, "A topic of theirs", "CHALLENGE Kestrel WITH Hawk")
    server.begin(11, "Elsewhere", "SURRENDER elsewhere", cid=6)
    for _ in range(30):  # hidden from us, so that the list of the latest posts is empty
        server.begin(99, "For the staff", "SURRENDER the staff", cid=9)
    server.write(12, own, "SCAN in ours")
    server.write(11, other, "and in theirs")
    assert reader.words() == [
        "The battle begins.",
        "CHALLENGE Kestrel WITH Hawk",
        "SCAN in ours",
        "and in theirs",
    ]
    assert reader.words() == []


def test_a_flood_comes_in_portions_and_goes_on_where_it_broke_off(
    server: Nodebb, played: PlayedNodebb, reader: Reader
) -> None:
    topic = str(server.begin(11, "A topic", "before"))
    reader.look()
    for n in range(500):
        played.post(ANN, f"order {n}", topic)
    portions = reader.board.news(reader.cursor, ())
    first = [next(portions) for _ in range(7)]
    found = [reader.settings.message(raw).text for one in first for raw in one.messages]
    assert max(len(one.messages) for one in first) <= 20
    reader.cursor = first[-1].cursor
    assert len(reader.cursor) < 1000
    reader.open()
    found += reader.words()
    assert found == [f"order {n}" for n in range(500)]


def test_many_private_messages_in_many_rooms(played: PlayedNodebb, reader: Reader) -> None:
    for account in range(20, 90):
        played.private(str(account), "before")
    reader.look()
    sent = [played.private(str(20 + n % 70), f"order {n}") for n in range(200)]
    assert [message.number for message in reader.look()] == sent
    for n in range(60):
        played.private("20", f"one room {n}")
    assert reader.words() == [f"one room {n}" for n in range(60)]
    assert reader.look() == []


def test_a_post_that_was_deleted_before_it_was_read_is_not_read(
    played: PlayedNodebb, reader: Reader
) -> None:
    reader.look()
    played.delete(played.post(ANN, "SCAN, no"))
    played.delete(played.private(ANN, "SCAN, no"))
    assert reader.look() == []


def test_the_same_bytes_mean_the_same(played: PlayedNodebb, reader: Reader) -> None:
    reader.look()
    number = played.post(ANN, "SCAN it is")
    place = played.private(ANN, "SCAN there")
    first = reader.look((number, place))
    assert isinstance(reader.settings, NodebbSettings)
    later = replace(reader.settings, category=6, format="text")
    assert [later.message(raw) for raw in reader.raw] == first
    assert not any(" " in one.room for one in first)  # the core names messages by room and number
    assert len(set(first)) == 2  # each came once as news, and once as what is watched


@pytest.mark.parametrize("raw", [b"", b"{}", b"[]", b'{"post": {}}', b'{"chat": 7}', b'{"gone":7}'])
def test_bytes_that_are_no_post_are_told(reader: Reader, raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"no post|JSON|Expecting|isoformat"):
        reader.settings.message(raw)


# --- edits and deletions -------------------------------------------------------------------------


def test_an_edit_is_another_form_of_a_watched_message(played: PlayedNodebb, reader: Reader) -> None:
    reader.look()
    number, place = played.post(ANN, "SCAN it is"), played.private(ANN, "SCAN there")
    before = reader.look()
    played.edit(number, "FIRE it is")
    played.edit(place, "FIRE there")
    assert reader.look() == []
    after = reader.look((number, place))
    assert [one.text for one in after] == ["FIRE it is", "FIRE there"]
    assert {one.number for one in before} == {one.number for one in after}
    assert not {one.place for one in before} & {one.place for one in after}
    assert all(later.at > earlier.at for earlier, later in zip(before, after, strict=True))


@pytest.mark.parametrize("moderator", [False, True])
def test_a_deletion_is_the_last_form_of_a_watched_message(
    server: Nodebb, played: PlayedNodebb, reader: Reader, moderator: bool
) -> None:
    """A moderator still sees what was deleted."""
    server.moderator = moderator
    reader.look()
    numbers = [played.post(ANN, f"SCAN {n} please") for n in range(3)]
    numbers.append(played.private(ANN, "SCAN there"))
    reader.look()
    before = datetime.now(UTC) - timedelta(seconds=1)
    played.delete(numbers[0])
    server.purge(int(numbers[1]))
    server.topics[server.posts[int(numbers[2])][0]].deleted = 1
    played.delete(numbers[3])
    gone = reader.look(numbers)
    assert {one.number for one in gone} == set(numbers)
    assert {(one.deleted, one.version) for one in gone} == {(True, "deleted")}
    assert [one.private for one in gone] == [False, False, False, True]
    assert {one.text for one in gone} == {""}
    assert all(before < one.at <= datetime.now(UTC) for one in gone)


def test_a_right_that_was_taken_from_us_withdraws_no_order(
    server: Nodebb, played: PlayedNodebb, reader: Reader
) -> None:
    reader.look()
    number, place = played.post(ANN, "SCAN it is"), played.private(ANN, "SCAN there")
    reader.look()
    server.may_read = False
    with pytest.raises(ChannelDown, match="may not read") as fault:
        reader.look((number,))
    assert fault.value.refused
    server.may_read = True
    server.rooms[1].users = [11]
    assert [one.text for one in reader.look((number, place))] == ["SCAN it is"]


def test_a_page_of_another_server_withdraws_no_order(
    server: Nodebb, played: PlayedNodebb, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.look()
    number = played.post(ANN, "SCAN it is")
    reader.look()
    act = server.act

    def astray(method: str, path: str, headers: object, body: object) -> Answer:
        lost = path.startswith(f"/api/v3/posts/{number}/")
        return (404, b"<h1>Not found</h1>", {}) if lost else act(method, path, headers, body)

    monkeypatch.setattr(server, "act", astray)
    with pytest.raises(ChannelDown, match="404"):
        reader.look((number,))


# --- impostors -----------------------------------------------------------------------------------


def test_a_name_is_nobodys_proof(server: Nodebb, played: PlayedNodebb, reader: Reader) -> None:
    reader.look()
    server.names |= {11: "Kestrel", 12: "Kestrel", 13: "referee"}
    for account in ("11", "12", "13"):
        played.post(account, "SURRENDER now")
    found = reader.look()
    assert [one.account for one in found] == ["11", "12", "13"]
    assert [one.own for one in found] == [False, False, False]


def test_nobody_vouches_for_a_guest(server: Nodebb, played: PlayedNodebb, reader: Reader) -> None:
    reader.look()
    server.names[0] = "Kestrel"
    played.post("0", "SURRENDER now")
    [found] = reader.look()
    assert (found.account, found.name) == ("", "Kestrel")


# --- what is posted ------------------------------------------------------------------------------


def test_a_thread_is_begun_answered_in_and_edited(played: PlayedNodebb, reader: Reader) -> None:
    root = reader.board.publish(draft("The battle begins."))
    reply = reader.board.publish(draft("Turn 1 it is.", root=root))
    assert reader.settings.topic(root) == reader.settings.topic(reply)
    assert reader.board.publish(draft("Turn 1, mended.", stands=reply)) == reply
    # A thread that others began is known by its topic alone.
    topic = str(played.server.begin(11, "A topic of theirs", "CHALLENGE Kestrel"))
    reader.board.publish(draft("Here it is.", root=topic))
    texts = [(one.thread, one.text) for one in played.posts() if one.account == str(REFEREE)]
    ours = reader.settings.topic(root)
    assert texts == [
        (ours, "The battle begins."),
        (ours, "Turn 1, mended."),
        (topic, "Here it is."),
    ]


@pytest.mark.parametrize("where", ["thread", "reply", "private"])
def test_what_came_through_is_not_posted_twice(
    server: Nodebb, played: PlayedNodebb, reader: Reader, where: str
) -> None:
    root = reader.board.publish(draft("The battle begins.")) if where == "reply" else ""
    post = {"root": root, "to": BOB if where == "private" else ""}
    body = "\n".join(f"Line {n} of what happened." for n in range(80))
    server.swallow = True
    with pytest.raises(ChannelDown):
        reader.board.publish(draft(body, **post))
    server.swallow = False
    for n in range(4):  # others write in between, and one repeats us
        played.post(ANN, body if n == 2 else f"words {n}", root.partition("/")[0])
        if where == "private":
            played.private(BOB, f"words {n}")
    found = reader.board.publish(draft(body, unsure=True, **post))
    texts = [one.text for one in played.posts() if one.account == str(REFEREE)]
    assert "".join(texts).count("Line 7 of") == 1
    assert "".join(texts).count("Line 79 of") == 1
    facts = server.chat_facts if where == "private" else server.facts
    assert facts[int(found.rpartition("/")[2])].uid == REFEREE


def test_a_long_private_message_comes_in_parts(played: PlayedNodebb, reader: Reader) -> None:
    body = "\n".join(f"Line {n} of what happened." for n in range(200)) + "x" * 2500
    stands = reader.board.publish(draft(body, to=BOB))
    parts = [one for one in played.posts() if one.to == BOB]
    assert "".join(one.text for one in parts) == body
    assert max(len(one.text) for one in parts) <= 1000
    assert stands == f"chat/1/{1}"
    reader.board.publish(draft("Mended.", to=BOB, stands=stands))
    assert played.posts()[0].text == "Mended."


def test_who_takes_no_private_messages_is_told_at_once(server: Nodebb, reader: Reader) -> None:
    server.takes_no_chats = {12}
    with pytest.raises(PostRefused, match="User 12 takes no private messages"):
        reader.board.publish(draft("Psst.", to=BOB))
    with pytest.raises(PostRefused, match="no account"):
        reader.board.publish(draft("Psst.", to="Bob"))


def test_a_post_that_waits_for_approval_counts_as_refused(
    server: Nodebb, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: Answer = (200, {"response": {"id": "reply-1", "queued": True}}, {})
    monkeypatch.setattr(server, "_topic", lambda steps, body: queued)
    with pytest.raises(PostRefused, match="wait for approval"):
        reader.board.publish(draft("The battle begins."))


# --- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "page"),
    [
        (503, b"<html><h1>Maintenance</h1></html>"),
        (502, b""),
        (500, {"error": "x"}),
        (200, b"<html>Sign in</html>"),
        (200, b'{"uid": 7, "pos'),
        (200, b"[]"),
        (200, b'[{"pid": 1}, null, 7]'),
        (200, {"response": {}}),
        (200, {"response": {"posts": [7], "rooms": [7]}}),
        (403, {"status": {"code": "forbidden"}}),
        (404, {"path": "/config"}),
        (429, {"status": {"code": "too-many-requests"}}),
    ],
)
def test_a_board_that_fails_loses_nothing(
    server: Nodebb, played: PlayedNodebb, reader: Reader, status: int, page: object
) -> None:
    number = played.post(ANN, "before")
    reader.look()
    known = reader.cursor
    server.fault_page = page
    server.fail(status, {"Retry-After": "90"} if status == 429 else {})
    with pytest.raises(ChannelDown) as fault:
        reader.look((number,))
    assert fault.value.after == {429: 90, 500: 60, 502: 60, 503: 60}.get(status, 0)
    assert fault.value.refused == (status in (403, 404))
    assert reader.cursor == known
    played.post(ANN, "SCAN it is")
    server.mend()
    assert reader.words() == ["SCAN it is"]


def test_a_board_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "TIMEOUT", 0.05)
    with hanging() as url:
        slow = Reader(NodebbSettings(url=url, token_file="t", category=5), "own")
        with pytest.raises(ChannelDown):
            slow.look()


def test_a_board_without_chats_is_read_all_the_same(
    server: Nodebb, played: PlayedNodebb, reader: Reader
) -> None:
    server.may_chat = False
    played.private(ANN, "long ago")
    reader.look()
    played.post(ANN, "SCAN it is")
    assert reader.words() == ["SCAN it is"]
    server.may_chat = True
    assert reader.look() == []
    played.private(ANN, "SCAN there")
    assert reader.words() == ["SCAN there"]


# --- settings ------------------------------------------------------------------------------------


def test_an_installed_forum_has_obstacles(server: Nodebb, reader: Reader) -> None:
    found = "\n".join(reader.board.obstacles())
    assert "minimumPostLength is 8: short orders such as SCAN are refused; set it to 1." in found
    assert "postQueue is 1: orders of new members wait for approval; set it to 0." in found
    assert "maximumChatMessageLength is 1000" in found
    assert "no moderator of category 5: postDelay" in found
    server.config |= {"disableChat": True, "minimumTitleLength": 30}
    server.config |= {"disableChatMessageEditing": True}
    named = [one.partition(" ")[0] for one in reader.board.obstacles()[:-1]]
    assert len(named) == 6
    page = (DOCS / "boards.md").read_text("utf-8")
    assert [name for name in named if f"| {name} |" not in page] == []
    server.config |= {"minimumPostLength": 1, "postQueue": 0, "maximumChatMessageLength": 32767}
    server.config |= {"disableChat": False, "minimumTitleLength": 3}
    server.config |= {"disableChatMessageEditing": False}
    server.moderator = True
    assert reader.board.obstacles() == []
    server.may_chat = False
    [chat] = reader.board.obstacles()
    assert "may not chat" in chat


def test_check_asks_for_each_right(server: Nodebb, reader: Reader) -> None:
    assert "may begin topics, read, reply and edit" in reader.board.check()
    server.begin(11, "A topic", "words of it")
    assert "may begin topics, read, reply and edit" in reader.board.check()
    for right, told in {
        "may_begin_topics": "begin topics",
        "may_read": "read topics",
        "may_reply": "reply and edit",
        "may_edit": "reply and edit",
    }.items():
        setattr(server, right, False)
        with pytest.raises(ChannelDown, match=f"may not {told}"):
            reader.board.check()
        setattr(server, right, True)
    assert all(method == "GET" for method, _ in server.asked)


def test_a_users_own_token_needs_no_number(server: Nodebb, played: PlayedNodebb) -> None:
    own = Reader(NodebbSettings(url=server.url, token_file="t", category=5), "own")
    own.look()
    own.board.publish(draft("The battle begins."))
    played.post(ANN, "SCAN it is")
    assert [one.own for one in own.look()] == [True, False]
    assert "may begin topics" in own.board.check()
