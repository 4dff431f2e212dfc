"""Discourse as a board that is read, against a forum that behaves as its documents say."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from pbem.channels import web
from pbem.channels.channel import ChannelDown, Message, PostDeferred
from pbem.channels.discourse import SETTLED, WISHES, Discourse
from tests.project.test_docs import part
from tests.servers.boards import Answer, hanging
from tests.servers.discourse import EASY, INSTALLED, NotTaken
from tests.servers.discourse import Discourse as Forum
from tests.support.board_reading import Reader, draft
from tests.support.paths import DOCS
from tests.support.played_discourse import PlayedDiscourse

ELSEWHERE = 9
"""Another category of the forum."""


@pytest.fixture
def forum() -> Iterator[Forum]:
    """A forum where something stands, whose moderator has made it easy to play there."""
    with Forum().running() as forum:
        forum.settings = dict(EASY)
        forum.write(forum.referee, "Here we play.")
        yield forum


@pytest.fixture
def board(forum: Forum) -> PlayedDiscourse:
    """The forum as players see it."""
    return PlayedDiscourse(forum)


@pytest.fixture
def reader(board: PlayedDiscourse) -> Reader:
    """The referee's eyes, which have looked once."""
    reader = Reader(board.settings, "k3y")
    assert reader.look() == []
    return reader


def channel(reader: Reader) -> Discourse:
    assert isinstance(reader.board, Discourse)
    return reader.board


def battle(reader: Reader) -> str:
    """Begin a battle's topic, and return its number."""
    stands = channel(reader).publish(draft("The battle begins; it is your turn."))
    [own] = reader.look()
    assert own.own
    assert own.threads == (reader.settings.topic(stands),)
    return own.threads[0]


# --- reading --------------------------------------------------------------------------------------


def test_a_post_is_read_once_with_who_where_and_when(
    reader: Reader, board: PlayedDiscourse
) -> None:
    topic = battle(reader)
    board.forum.later(minutes=3)
    number = board.post("ann", "SCAN\n\n> FIRE", topic)
    [message] = reader.look()
    assert message == Message(
        room="posts",
        number=number,
        at=board.forum.now,
        account=str(board.user("ann").id),
        name="ann",
        threads=(topic,),
        text="SCAN",
    )
    assert reader.look() == []


def test_nothing_from_before_the_first_look_is_read(board: PlayedDiscourse) -> None:
    old = board.post("ann", "SCAN")
    board.private("ann", "SURRENDER")
    reader = Reader(board.settings, "k3y")
    assert reader.look([old]) == []
    board.post("ann", "HOLD")
    assert reader.words() == ["HOLD"]


def test_the_first_post_of_an_empty_forum_is_read(board: PlayedDiscourse) -> None:
    board.forum.written.clear()
    reader = Reader(board.settings, "k3y")
    assert reader.look() == []
    board.post("ann", "SCAN")
    assert reader.words() == ["SCAN"]


def test_an_interrupted_look_reads_the_same_again(reader: Reader, board: PlayedDiscourse) -> None:
    board.post("ann", "SCAN")
    before = reader.cursor
    assert reader.words() == ["SCAN"]
    first, reader.cursor = reader.raw[-1], before
    reader.open()
    assert reader.words() == ["SCAN"]
    assert reader.raw[-1] == first


def test_a_post_that_appears_after_later_ones_is_read(
    reader: Reader, board: PlayedDiscourse
) -> None:
    late, soon = int(board.post("ann", "FIRE")), board.post("bob", "HOLD")
    board.forum.written[late].committed = False
    assert reader.words() == ["HOLD"]
    for turn in range(SETTLED - 10):
        board.post("bob", f"SCAN {turn}")
    assert len(reader.look()) == SETTLED - 10
    board.forum.written[late].committed = True
    assert [message.number for message in reader.look([soon])] == [str(late), soon]
    assert reader.look() == []


@pytest.mark.parametrize("upside_down", [False, True])
def test_a_flood_is_read_in_order_and_step_by_step(
    reader: Reader, board: PlayedDiscourse, upside_down: bool
) -> None:
    board.forum.upside_down = upside_down
    topic, others = board.post("ann", "HOLD"), board.user("cat")
    for one in range(500):
        place = {"category": ELSEWHERE} if one % 3 else {}
        board.forum.write(others, f"FIRE {one}", **place)
    private = board.private("ann", "SECRET")
    sizes, cursors = list[int](), set[str]()
    numbers = list[str]()
    for portion in channel(reader).news(reader.cursor, []):
        found = list(map(reader.settings.message, portion.messages))
        sizes.append(len(found))
        cursors.add(portion.cursor)
        numbers += [message.number for message in found]
    forum, [_, *posts] = board.forum, board.forum.written.values()
    here = [one for one in posts if forum.topics[one.topic].category != ELSEWHERE]
    assert numbers == [str(one.id) for one in here]
    assert numbers[0] == topic
    assert numbers[-1] == private
    assert max(sizes) <= 2 * SETTLED
    assert len(cursors) == len(sizes) > 5
    assert max(map(len, cursors)) < 100 * SETTLED


def test_a_look_that_breaks_off_goes_on_where_it_was(
    reader: Reader, board: PlayedDiscourse
) -> None:
    numbers = [board.post("ann", f"FIRE {one}") for one in range(300)]
    waits = {"errors": ["Slow down"], "extras": {"wait_seconds": 33}}
    board.forum.instead("/posts.json?before=2", (429, waits, {}))
    with pytest.raises(ChannelDown) as fault:
        reader.look()
    assert fault.value.after == 33
    done = len(reader.raw)
    assert 0 < done < 300
    reader.look()
    read = [reader.settings.message(raw).number for raw in reader.raw]
    assert read == numbers


def test_a_reader_that_is_killed_again_and_again_reads_all_once(
    reader: Reader, board: PlayedDiscourse
) -> None:
    numbers = [board.post("ann", f"FIRE {one}") for one in range(230)]
    read = list[str]()
    for turn in range(20):
        reader.open()
        portion = next(channel(reader).news(reader.cursor, []))
        if turn % 2:  # the others are lost before they are stored
            reader.cursor = portion.cursor
            read += [reader.settings.message(raw).number for raw in portion.messages]
    assert read == numbers


def test_posts_are_read_in_topics_of_others_but_not_elsewhere(
    reader: Reader, board: PlayedDiscourse
) -> None:
    forum, ann = board.forum, board.user("ann")
    here = board.post("ann", "GAME 12 SCAN")
    forum.write(ann, "SCAN", category=ELSEWHERE)
    [message] = reader.look()
    assert message.number == here
    # One that is moved here soon is read then.
    astray = forum.write(ann, "FIRE", category=ELSEWHERE)
    assert reader.look() == []
    forum.move(astray, int(message.threads[0]))
    [moved] = reader.look()
    assert (moved.number, moved.threads) == (str(astray), message.threads)


def test_a_battle_is_read_where_a_moderator_has_moved_it(
    reader: Reader, board: PlayedDiscourse
) -> None:
    forum = board.forum
    topics = [battle(reader), *(_more(reader, number) for number in range(2, 9))]
    reader.look()
    for topic in topics:
        forum.topics[int(topic)].category = ELSEWHERE
        board.post("ann", f"SCAN {topic}", topic)
    forum.write(board.user("ann"), "SCAN", category=ELSEWHERE)
    assert reader.words() == [f"SCAN {topic}" for topic in topics]


def _more(reader: Reader, number: int) -> str:
    post = draft("It begins.", ident=f"G{number}-T1")
    return reader.settings.topic(channel(reader).publish(post))


def test_the_forum_itself_and_its_staff_say_no_orders(
    reader: Reader, board: PlayedDiscourse
) -> None:
    forum, topic = board.forum, int(battle(reader))
    moderator = forum.register(7, "mod", moderator=True)
    forum.write(moderator, "Closed.", topic, kind=3)
    forum.write(moderator, "A whisper", topic, kind=4)
    forum.write(forum.users[-1], "Welcome!", to=[forum.referee])
    forum.write(moderator, "joined", to=[forum.referee], kind=3)
    forum.write(moderator, "SCAN", topic)
    assert reader.words() == ["SCAN"]


def test_a_shown_name_is_nobodys(reader: Reader, board: PlayedDiscourse) -> None:
    forum, topic = board.forum, battle(reader)
    ann, other = board.user("ann"), forum.register(66, "ann_", name="Ann")
    forum.write(other, "SURRENDER", int(topic))
    forum.write(ann, "SCAN", int(topic))
    found = reader.look()
    assert [message.account for message in found] == ["66", str(ann.id)]
    # Nor is a user's name, which may change.
    ann.username, other.username = "hawk", "ann"
    forum.write(other, "SURRENDER", int(topic))
    assert reader.look()[0].account == "66"
    assert not any(message.own for message in found)


OTHERS = """[quote="bob, post:2, topic:12, full:true"]
SURRENDER
[/quote]

> LEAVE

@referee SCAN

~~HOLD~~ [spoiler]DRAW[/spoiler]

```
FIRE 3
```
"""


def test_the_words_of_others_are_no_orders(reader: Reader, board: PlayedDiscourse) -> None:
    board.post("ann", OTHERS)
    [words] = reader.words()
    assert [line for line in words.split("\n") if line.isalpha()] == ["SCAN"]
    assert not any(one in words for one in ("SURRENDER", "LEAVE", "HOLD", "DRAW", "FIRE"))


def test_a_very_long_post_is_read(reader: Reader, board: PlayedDiscourse) -> None:
    for _ in range(board.forum.page):
        board.post("ann", "Ω" * 31_990 + "\nSCAN")
    found = reader.look()
    assert len(found) == board.forum.page
    assert all(len(message.text) > 30_000 for message in found)


# --- private messages -----------------------------------------------------------------------------


def test_what_only_the_referee_can_read_is_private(reader: Reader, board: PlayedDiscourse) -> None:
    forum, ann, bob = board.forum, board.user("ann"), board.user("bob")
    alone = board.private("ann", "SALT of mine")
    told = str(forum.write(ann, "ACCEPT", to=[forum.referee, bob]))
    crew = int(board.private("ann", "STANDING"))
    forum.topics[forum.written[crew].topic].groups.append("crew")
    found = {message.number: message.private for message in reader.look()}
    assert found == {alone: True, told: False, str(crew): False}


def test_messages_of_others_are_not_read_with_an_administrators_key(
    reader: Reader, board: PlayedDiscourse
) -> None:
    forum = board.forum
    forum.referee.admin = True
    forum.write(board.user("ann"), "My secret", to=[board.user("bob")])
    number = board.private("ann", "SCAN")
    assert [message.number for message in reader.look()] == [number]
    assert not any(b"secret" in raw for raw in reader.raw)
    forum.asked.clear()
    assert reader.look() == []
    assert not [path for path in forum.asked if "/t/" in path]  # it is known whose they are


def test_a_message_that_is_deleted_while_it_is_read_holds_up_nothing(
    reader: Reader, board: PlayedDiscourse
) -> None:
    gone = int(board.private("ann", "SCAN"))
    board.post("bob", "HOLD")
    topic = board.forum.written[gone].topic
    board.forum.instead(f"/t/{topic}.json", (404, {"error_type": "not_found"}, {}))
    assert reader.words() == ["HOLD"]


def test_an_answer_goes_to_the_account_alone(reader: Reader, board: PlayedDiscourse) -> None:
    forum, ann = board.forum, board.user("ann")
    to = str(ann.id)
    ann.username = "hawk"  # an account may change its name
    first = channel(reader).publish(draft("Your ships.", ident="A1", to=to))
    again = channel(reader).publish(draft("Their ships.", ident="A2", to=to, root=first))
    assert reader.settings.topic(first) == reader.settings.topic(again)
    assert [(one.text, one.to) for one in board.posts()[1:]] == [
        ("Your ships.", "hawk"),
        ("Their ships.", "hawk"),
    ]
    forum.write(ann, "SCAN", int(reader.settings.topic(first)))
    *own, answer = reader.look()
    assert all(message.own for message in own)
    assert (answer.text, answer.private, answer.own) == ("SCAN", True, False)
    assert answer.threads == (reader.settings.topic(first),)


def test_an_account_that_is_gone_or_hides_is_told_of(
    reader: Reader, board: PlayedDiscourse
) -> None:
    board.forum.referee.moderator = False
    board.user("ann").profile_hidden = True
    for account in (str(board.user("ann").id), "4711"):
        with pytest.raises(PostDeferred, match=f"Account {account} is gone, or hides"):
            channel(reader).publish(draft("Your ships.", to=account))


def test_what_came_through_is_found_though_others_wrote_hundreds_since(
    reader: Reader, board: PlayedDiscourse
) -> None:
    topic = battle(reader)
    root = f"{topic}/101"
    for ident, to in (("G1-T2", ""), ("A1", str(board.user("ann").id))):
        post = draft("Turn 2.", ident=ident, root="" if to else root, to=to)
        stands = channel(reader).publish(post)
        board.forum.later(minutes=5)  # what the forum remembers of requests is forgotten
        for one in range(30):
            board.post("bob", f"SCAN {one}", topic)
        assert channel(reader).publish(replace(post, unsure=True)) == stands


# --- edits and deletions --------------------------------------------------------------------------


@pytest.mark.parametrize("staff", [True, False])
def test_an_edit_is_another_form_even_where_it_leaves_no_trace(
    reader: Reader, board: PlayedDiscourse, staff: bool
) -> None:
    board.forum.referee.moderator = staff
    number = board.post("ann", "SCAN")
    [first] = reader.look()
    forms = [first.version]
    for minutes, words in ((1, "HOLD"), (3, "FIRE"), (600, "FIRE 2")):
        board.forum.later(minutes=minutes)
        board.edit(number, words)
        if minutes > 100:
            flood(board)
            reader.look()
        [message] = reader.look([number])
        assert (message.number, message.text, message.deleted) == (number, words, False)
        assert message.at == board.forum.now
        assert [message] == reader.look([number])
        forms.append(message.version)
    assert forms[0] == ""
    assert len(set(forms)) == 4


def flood(board: PlayedDiscourse) -> None:
    """Write more than is looked at again."""
    for one in range(3 * SETTLED):
        board.post("cat", f"Words {one}")


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("staff", [True, False])
def test_a_deletion_is_read_whoever_deletes_and_whoever_looks(
    reader: Reader, board: PlayedDiscourse, staff: bool, old: bool
) -> None:
    forum = board.forum
    forum.referee.moderator = staff
    moderator = forum.register(7, "mod", moderator=True)
    ways: list[Callable[[int], None]] = [
        forum.delete,
        lambda number: forum.delete(number, moderator),
        lambda number: forum.hide(number),
        lambda number: forum.written.pop(number) and None,
    ]
    numbers = [board.post("ann", f"SURRENDER {one}") for one in range(4)]
    private = board.private("ann", "SURRENDER")
    assert len(reader.look()) == 5
    if old:
        flood(board)
        reader.look()
    assert not any(message.deleted for message in reader.look([*numbers, private]))
    for number, way in zip([*numbers, private], [*ways, forum.delete], strict=True):
        way(int(number))
    if old:
        flood(board)
    found = [one for one in reader.look([*numbers, private]) if one.name != "cat"]
    assert [message.number for message in found] == [*numbers, private]
    assert all(message.deleted and message.version and not message.text for message in found)
    assert [message.private for message in found] == [False] * 4 + [True]


def test_a_private_message_that_is_wiped_out_stays_private(
    reader: Reader, board: PlayedDiscourse
) -> None:
    number = board.private("ann", "SCAN")
    reader.look()
    del board.forum.written[int(number)]
    assert [(one.deleted, one.private) for one in reader.look([number])] == [(True, True)]


def test_of_a_watched_message_is_asked_once_whether_it_is_private(
    reader: Reader, board: PlayedDiscourse
) -> None:
    numbers = [board.post("ann", "SCAN"), board.private("ann", "SCAN")]
    flood(board)
    reader.look()
    for asked in (2, 0, 0):
        board.forum.asked.clear()
        reader.open()
        assert [message.private for message in reader.look(numbers)] == [False, True]
        assert len([path for path in board.forum.asked if "/t/" in path]) == asked
        flood(board)
        reader.look(numbers)


def test_a_post_that_is_hidden_at_first_is_read_when_it_is_shown(
    reader: Reader, board: PlayedDiscourse
) -> None:
    number = int(board.post("ann", "SCAN"))
    board.forum.hide(number)
    assert reader.look() == []
    board.forum.hide(number, False)
    assert reader.words() == ["SCAN"]


def test_a_post_that_comes_back_has_another_form(reader: Reader, board: PlayedDiscourse) -> None:
    number = board.post("ann", "SCAN")
    reader.look()
    board.delete(number)
    [gone] = reader.look([number])
    one = board.forum.written[int(number)]
    one.raw, one.user_deleted, one.version = "SCAN", False, 3
    [back] = reader.look([number])
    assert (back.text, back.deleted) == ("SCAN", False)
    assert len({"", gone.version, back.version}) == 3


def test_what_may_not_be_read_any_more_is_not_taken_for_deleted(
    reader: Reader, board: PlayedDiscourse
) -> None:
    number = board.post("ann", "SCAN")
    reader.look()
    flood(board)
    reader.look()
    board.forum.forbidden = [f"/posts/{number}"]
    assert reader.look([number]) == []
    page = b"<html><body>404 Not Found: we are updating the forum</body></html>"
    board.forum.forbidden = []
    board.forum.instead(f"/posts/{number}", (404, page, {}))
    with pytest.raises(ChannelDown, match="we are updating"):
        reader.look([number])
    assert reader.words([number]) == ["SCAN"]


# --- at its worst ---------------------------------------------------------------------------------

BARE = {"id": 103, "post_type": 1, "user_id": 4}
WAIT = (429, b"Slow down, you're making too many requests.", {"Retry-After": "12"})
BROKEN: dict[str, Answer] = {
    "down": (502, b"<html>Bad gateway</html>", {}),
    "failed": (500, {"errors": ["Oops"]}, {}),
    "a page": (200, b"<html>Log in, please</html>", {}),
    "cut": (200, b'{"latest_posts": [{"id": 10', {}),
    "shorter than it said": (200, b'{"latest_posts": []}', {"Content-Length": "900"}),
    "a list": (200, b"[]", {}),
    "other keys": (200, {"posts": []}, {}),
    "no ids": (200, {"latest_posts": [{"raw": "SCAN"}], "private_posts": [{}]}, {}),
    "no list": (200, {"latest_posts": 5, "private_posts": 5}, {}),
    "no form": (200, {"latest_posts": [BARE], "private_posts": [BARE]}, {}),
    "nested": (200, b'{"latest_posts": ' + b"[" * 50_000, {}),
    "too often": WAIT,
    "no right": (403, {"errors": ["You are not permitted"], "error_type": "invalid_access"}, {}),
}


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("path", ["/posts.json", "/private-posts.json"])
def test_nothing_is_lost_by_a_broken_answer(
    reader: Reader, board: PlayedDiscourse, path: str, broken: str
) -> None:
    board.post("ann", "SCAN")
    board.private("ann", "HOLD")
    board.forum.instead(path, BROKEN[broken])
    with pytest.raises(ChannelDown) as fault:
        reader.look()
    assert fault.value.after == (12 if broken == "too often" else fault.value.after)
    assert fault.value.refused == (broken == "no right")
    assert reader.words() == ["SCAN", "HOLD"]


def test_a_forum_that_does_not_answer_is_waited_for(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "TIMEOUT", 0.05)
    with hanging() as url:
        slow = Reader(replace(reader.settings, url=url), "k3y")  # type: ignore[type-var]
        with pytest.raises(ChannelDown):
            slow.look()
    assert slow.cursor == ""


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"{}",
        b'{"id": 5}',
        json.dumps({"id": 5, "created_at": "yesterday"}).encode(),
    ],
)
def test_what_is_no_post_of_discourse_is_told(reader: Reader, raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of several kinds
        reader.settings.message(raw)


# --- what must be set -----------------------------------------------------------------------------


def refused(forum: Forum) -> list[str]:
    """Let a new player do what players do, and return what the forum refuses, and why."""
    found = list[str]()
    topic = forum.write(forum.referee, "A battle of Hawk against Kestrel begins.")
    player = forum.register(1000 + len(forum.users), f"new{len(forum.users)}", trust=0)
    deeds: list[dict[str, Any]] = [{"raw": "SCAN", "typed": 1}, {"raw": "SCAN"}]
    deeds += [{"raw": words} for words in ("HOLD", "FIRE 2 AT 7", "SCAN") * 5]
    for deed in deeds:
        forum.later(seconds=6)
        try:
            forum.write(player, topic=forum.written[topic].topic, **deed)
        except NotTaken as fault:
            found.append(str(fault))
    for words in ("SALT", "SALT"):
        forum.later(seconds=6)
        try:
            forum.write(player, words, to=[forum.referee])
        except NotTaken as fault:
            found.append(str(fault))
    return found


def test_a_forum_as_it_is_installed_refuses_orders(board: PlayedDiscourse) -> None:
    board.forum.settings = dict(INSTALLED)
    said = refused(board.forum)
    assert "Body is too short (minimum is 20 characters)" in said
    assert "You can't send personal messages." in said


HARD = [wish.setting for wish in WISHES if not wish.holds(str(INSTALLED[wish.setting]).lower())]
"""The settings that refuse orders where a forum is as it was installed."""


@pytest.mark.parametrize("name", HARD)
def test_each_obstacle_is_told_with_what_to_set_and_then_is_none(
    reader: Reader, board: PlayedDiscourse, name: str
) -> None:
    forum = board.forum
    forum.referee.admin = True
    easy = channel(reader).obstacles()
    assert ["is an administrator" in sentence for sentence in easy] == [True]
    forum.settings[name] = INSTALLED[name]
    [told] = [one for one in channel(reader).obstacles() if one not in easy]
    assert told.startswith(f"{name} is {INSTALLED[name]!s}".replace("False", "false"))
    assert refused(forum) or name == "min_first_post_length"
    found = re.search(r"set it to (\w+)\.$", told)
    assert found
    value: Any = {"true": True, "trust_level_0": "10|11"}.get(found[1], found[1])
    forum.settings[name] = int(value) if str(value).isdigit() else value
    assert channel(reader).obstacles() == easy
    assert refused(forum) == []


def test_settings_that_only_an_administrator_sees_are_named(
    reader: Reader, board: PlayedDiscourse
) -> None:
    board.forum.settings = dict(INSTALLED)
    assert [one.split()[0] for one in channel(reader).obstacles()] == [
        "min_post_length",
        "min_first_post_length",
        "min_personal_message_post_length",
        "personal_message_enabled_groups",
    ]
    named = channel(reader).check().partition("; only an administrator can see ")[2].split(", ")
    assert named == [wish.setting for wish in WISHES[5:]]
    board.forum.referee.admin = True
    assert "administrator" not in channel(reader).check()


def test_the_docs_say_what_to_set() -> None:
    text = part((DOCS / "boards.md").read_text("utf-8"), "Discourse")
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| `?(\w+)`? \|", text, re.M)
    assert rows == [(wish.setting, wish.value) for wish in WISHES]


def test_a_user_without_rank_is_told_of(reader: Reader, board: PlayedDiscourse) -> None:
    board.forum.referee.moderator = False
    assert "referee is no moderator" in channel(reader).obstacles()[-1]


def test_check_posts_nothing_and_says_what_is_amiss(reader: Reader, board: PlayedDiscourse) -> None:
    forum = board.forum
    battle(reader)
    board.private("ann", "SCAN")
    stood = board.posts()
    assert "write private messages" in channel(reader).check()
    for amiss, mended, text in FAULTS:
        amiss(forum)
        with pytest.raises(ChannelDown, match=text) as fault:
            channel(reader).check()
        assert fault.value.refused
        mended(forum)
        channel(reader).check()
    assert board.posts() == stood


def _forbid(*paths: str) -> Callable[[Forum], None]:
    return lambda forum: setattr(forum, "forbidden", list(paths))


def _make(**rights: Any) -> Callable[[Forum], None]:
    def change(forum: Forum) -> None:
        for name, value in rights.items():
            setattr(forum.referee, name, value)

    return change


def _wait(forum: Forum) -> None:
    forum.later(days=3)
    forum.referee.trust, forum.referee.moderator = 1, False
    forum.settings["personal_message_enabled_groups"] = "11"


FAULTS: list[tuple[Callable[[Forum], None], Callable[[Forum], None], str]] = [
    (_make(silenced=True), _make(silenced=False), "may not post: it is silenced"),
    (_make(trust=-5, moderator=False), _make(trust=1, moderator=True), "may not write private"),
    (_wait, _make(moderator=True), r"may not edit its post \d+ any more; make it a moderator"),
    (_forbid("/private-posts"), _forbid(), r"/private-posts\.json can't be read: .* 403"),
    (_forbid("/posts/"), _forbid(), r"/posts/\d+\.json can't be read"),
    (_forbid("/session"), _forbid(), r"/session/current\.json can't be read"),
]
