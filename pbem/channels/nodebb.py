"""A NodeBB forum, over its read API and its write API (v3): a topic for each battle.

A post is named by its number (pid), a private message by its chat room and its own number: 5/45.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import count
from typing import Any

from pbem.channels.channel import (
    Channel,
    ChannelDown,
    ChannelSettings,
    Home,
    Message,
    Portion,
    Post,
    PostDeferred,
    PostRefused,
)
from pbem.channels.markup import Format, PostFormat
from pbem.channels.read_numbers import ReadNumbers
from pbem.channels.web import Missing, Refused, Web, number, reading_answers, wrong_url
from pbem.intake.post_text import Markup, new_words

LOOKED_AT = 5
"""How many of our last posts in a topic are searched for one that may have come through."""
PORTION = 20
"""How many posts are stored together; each is asked for by itself."""
SLACK = 10
"""How many numbers below the newest a post may have that shows up after it."""
SHORTEST_ORDER = 2
"""The shortest post that a board should take: a refusal, NO."""
_POSTS, _CHATS = "posts", "chats"
"""The rooms; each has numbers of its own."""
_MARKUP: dict[Format, Markup] = {"text": "plain", "bbcode": "bbcode", "markdown": "markdown"}
_POST = ("pid", "tid", "uid", "timestamp", "edited", "deleted", "content", "sourceContent")
_CHAT = ("roomId", "fromuid", "timestamp", "edited", "deleted")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodebbSettings(ChannelSettings):
    """The forum, the token of the user who posts there, and the category's number."""

    # NodeBB takes 32,767 characters as it is installed.
    limit = 32_000
    private = True

    url: str
    token_file: str
    category: int
    uid: int = 0
    play: bool = False
    format: Format = "markdown"
    ca_file: str = ""

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts."""
        return PostFormat(self.format)

    def wrong(self) -> str | None:
        """Return what is wrong with the URL, or None."""
        return wrong_url(self.url)

    def open(self, home: Home) -> Channel:
        """Return the channel."""
        headers = {"Authorization": f"Bearer {home.secret(self.token_file)}"}
        ca_file = str(home.path(self.ca_file)) if self.ca_file else None
        return Nodebb(Web(self.url, headers, ca_file), self)

    def topic(self, stands: str) -> str:
        """Return a topic's number, or a chat room's as chat/5."""
        return stands.rpartition("/")[0] or stands

    def message(self, raw: bytes) -> Message:
        """Return what a post or a private message says. Raises ValueError."""
        try:
            found = json.loads(raw)
            if "gone" in found:
                return _gone(found)
            return _post_said(found) if "post" in found else _chat_said(found)
        except (LookupError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"this is no post of NodeBB: {error!r}") from error


def _post_said(found: dict[str, Any]) -> Message:
    post = found["post"]
    return Message(
        room=_POSTS,
        number=str(post["pid"]),
        threads=(str(post["tid"]),),
        text=_words(found, post.get("sourceContent") or post["content"]),
        own=post["uid"] == found["reader"]["uid"],
        **_told(found, post, post["uid"]),
    )


def _chat_said(found: dict[str, Any]) -> Message:
    chat = found["chat"]
    return Message(
        room=_CHATS,
        number=f"{chat['roomId']}/{chat['mid']}",
        threads=(f"chat/{chat['roomId']}",),
        text=_words(found, chat["content"]),
        private=True,
        own=chat["fromuid"] == found["reader"]["uid"],
        **_told(found, chat, chat["fromuid"]),
    )


def _gone(found: dict[str, Any]) -> Message:
    private = "/" in found["gone"]
    return Message(
        room=_CHATS if private else _POSTS,
        number=found["gone"],
        at=datetime.fromisoformat(found["seen"]),
        version="deleted",
        private=private,
        deleted=True,
    )


def _words(found: dict[str, Any], content: object) -> str:
    us = {found["reader"]["username"], found["reader"]["userslug"]}
    return new_words(str(content), _MARKUP[found["format"]], us)


def _told(found: dict[str, Any], form: dict[str, Any], uid: object) -> dict[str, Any]:
    """Return what the forms of posts and of private messages say in the same words."""
    edited = form.get("edited") or 0
    deleted = bool(form.get("deleted"))
    at = datetime.fromtimestamp((edited or form["timestamp"]) / 1000, UTC)
    if deleted:
        # NodeBB keeps no time for it.
        at = datetime.fromisoformat(form["seen"])
    # Guests have the number 0, and whoever comes from another site has an address.
    account = str(uid) if isinstance(uid, int) and uid > 0 else ""
    return {
        "at": at,
        "version": "deleted" if deleted else str(edited or ""),
        "account": account,
        "name": found["name"],
        "deleted": deleted,
    }


class _Read:
    """What was read: a cursor, taken apart. `chats` is None while the board shows us none."""

    def __init__(self, cursor: str) -> None:
        found = json.loads(cursor) if cursor else {"posts": None, "chats": None}
        self.posts = ReadNumbers.read(found["posts"]) if found["posts"] else None
        self.chats = ReadNumbers.read(found["chats"]) if found["chats"] else None

    def cursor(self) -> str:
        """Return the cursor."""
        kinds = {"posts": self.posts, "chats": self.chats}
        return json.dumps({kind: read and read.written() for kind, read in kinds.items()})


class Nodebb:
    """A post is found by its topic's number and its own, such as 17/203, or chat/5/45."""

    def __init__(self, web: Web, at: NodebbSettings) -> None:
        self._web, self._category, self._format = web, at.category, at.format
        # Only a master token acts for a user, and NodeBB then asks whose post it is.
        self._as = {"_uid": at.uid} if at.uid else {}

    # --- posts ------------------------------------------------------------------------------------

    def publish(self, post: Post) -> str:
        """Make a topic, reply in one, write privately, or change a post. Raises ChannelFault."""
        if post.stands.startswith("chat/"):
            room, own = post.stands.split("/")[1:]
            self._write("PUT", f"/chats/{room}/messages/{own}", message=post.body)
            return post.stands
        if post.stands:
            own = post.stands.partition("/")[2]
            self._write("PUT", f"/posts/{own}", content=post.body)
            return post.stands
        if post.to:
            return self._write_privately(post)
        topic = post.root.partition("/")[0]
        if post.unsure and (found := self._found(post, topic)):
            return found
        if topic:
            made = self._write("POST", f"/topics/{topic}", content=post.body)
            return f"{topic}/{number(made, 'pid')}"
        made = self._write(
            "POST", "/topics", cid=self._category, title=post.title, content=post.body
        )
        return number(made, "tid", "mainPid")

    def _write(self, method: str, path: str, **body: object) -> dict[str, Any]:
        answer = self._web.ask(method, f"/api/v3{path}", body | self._as)
        return dict(answer["response"])

    def _found(self, post: Post, topic: str) -> str:
        """Return where a post is that came through although its attempt was interrupted, or ""."""
        try:
            if topic:
                read = self._get(f"/api/topic/{topic}?sort=newest_to_oldest")["posts"]
                here = [(topic, one["pid"]) for one in read if one["uid"] == self._self]
            else:
                # NodeBB has no ids of ours, so the latest topics are compared by their words.
                read = self._get(f"/api/category/{self._category}?sort=recently_created")["topics"]
                here = [(one["tid"], one["mainPid"]) for one in read if one["uid"] == self._self]
        except Missing:
            return ""
        return next((f"{tid}/{pid}" for tid, pid in here[:LOOKED_AT] if self._is(post, pid)), "")

    def _is(self, post: Post, own: int) -> bool:
        return _same(self._get(f"/api/v3/posts/{own}/raw")["response"]["content"], post.body)

    def _write_privately(self, post: Post) -> str:
        """Write into the chat with an account, in as many messages as it takes."""
        room = self._room(post.to)
        stood = self._last_words(room) if post.unsure else {}
        made = list[object]()
        for part in _cut(post.body, int(self._config["maximumChatMessageLength"])):
            known = next((mid for mid, words in stood.items() if _same(words, part)), None)
            made.append(
                known or number(self._write("POST", f"/chats/{room}", message=part), "messageId")
            )
        return f"chat/{room}/{made[0]}"

    def _room(self, account: str) -> int:
        if not account.isdecimal():
            raise PostRefused(f"{account!r} is the number of no account.")
        known = self._get(f"/api/v3/users/{account}/chat")["response"].get("roomId")
        if known:
            return int(known)
        try:
            return int(number(self._write("POST", "/chats", uids=[int(account)]), "roomId"))
        except PostDeferred:
            user = self._get(f"/api/user/uid/{account}")["userslug"]
            if self._get(f"/api/user/{user}").get("canChat", True):
                raise
            raise PostRefused(f"User {account} takes no private messages from us.") from None

    def _last_words(self, room: int) -> dict[int, str]:
        """Return our last private messages in a room, by their numbers."""
        last = self._get(f"/api/v3/chats/{room}/messages")["response"]["messages"]
        ours = [one["messageId"] for one in last if one["fromuid"] == self._self]
        return {mid: self._chat_words(room, mid) for mid in ours}

    # --- what is asked of us ----------------------------------------------------------------------

    @reading_answers()
    def check(self) -> str:
        """Ask what the token's user may do in the category. Raises ChannelFault."""
        may = self._privileges
        where = f"in category {self._category}"
        if not may.get("topics:create"):
            raise ChannelDown(f"The user may not begin topics {where}.", refused=True)
        if not may.get("topics:read"):
            raise ChannelDown(f"The user may not read topics {where}.", refused=True)
        for topic in self._category_page["topics"][:1]:
            there = self._get(f"/api/topic/{topic['tid']}")["privileges"]
            if not there.get("topics:reply") or not there.get("posts:edit"):
                raise ChannelDown(f"The user may not reply and edit posts {where}.", refused=True)
        return f"the user may begin topics, read, reply and edit {where}"

    @reading_answers()
    def obstacles(self) -> Sequence[str]:
        """Return which settings of the forum refuse orders or answers. Raises ChannelFault."""
        set_to, config = dict[str, tuple[str, str]](), self._config
        if int(config["minimumPostLength"]) > SHORTEST_ORDER:
            set_to["minimumPostLength"] = ("1", "short orders such as SCAN are refused")
        if int(config["minimumTitleLength"]) > 15:
            set_to["minimumTitleLength"] = ("3", "our titles are refused")
        if config.get("postQueue"):
            set_to["postQueue"] = ("0", "orders of new members wait for approval")
        if config.get("disableChat"):
            set_to["disableChat"] = ("0", "secret orders and private answers go by mail alone")
        if config.get("disableChatMessageEditing"):
            set_to["disableChatMessageEditing"] = ("0", "nobody can mend a private order")
        if int(config["maximumChatMessageLength"]) < 4000:
            set_to["maximumChatMessageLength"] = ("4000", "long private orders are refused")
        found = [
            f"{name} is {json.dumps(config[name])}: {why}; set it to {value}."
            for name, (value, why) in set_to.items()
        ]
        if not self._privileges.get("isAdminOrMod"):
            found.append(
                f"The user is no moderator of category {self._category}: postDelay,"
                " newbiePostDelay and postEditDuration hold up our posts; make it one."
            )
        if not config.get("disableChat") and self._page_of_rooms(1) is None:
            found.append(
                "The user may not chat: secret orders and private answers go by mail alone;"
                " give its group the privilege chat."
            )
        return found

    def close(self) -> None:
        """Do nothing: no connection is kept."""

    @property
    def _config(self) -> dict[str, Any]:
        return self._get("/api/config")

    @cached_property
    def _reader(self) -> dict[str, Any]:
        """Whose token it is."""
        found = self._get("/api/self")
        return {key: found[key] for key in ("uid", "username", "userslug")}

    @property
    def _self(self) -> int:
        return int(self._reader["uid"])

    @property
    def _category_page(self) -> dict[str, Any]:
        return self._get(f"/api/category/{self._category}")

    @property
    def _privileges(self) -> dict[str, Any]:
        return dict(self._category_page.get("privileges", {}))

    def _get(self, path: str) -> dict[str, Any]:
        return self._web.ask("GET", self._for_user(path))

    def _for_user(self, path: str) -> str:
        # NodeBB refuses a master token without it, even for what everybody may read.
        return f"{path}{'&' if '?' in path else '?'}_uid={self._as['_uid']}" if self._as else path

    # --- what others write ------------------------------------------------------------------------

    def news(self, cursor: str, watched: Collection[str]) -> Iterator[Portion]:
        """Yield new posts of the category, private messages, then what is watched."""
        with reading_answers():
            read = _Read(cursor)
            if read.posts is None:
                read.posts = ReadNumbers(self._newest())
            read.chats = read.chats or self._first_chats()
            if read.cursor() != cursor:
                yield Portion((), read.cursor())
            yield from self._new_posts(read, read.posts)
            if read.chats is not None:
                yield from self._new_chats(read, read.chats)
            yield from self._later_forms(watched, read.cursor())

    def _newest(self) -> int:
        """Return the highest number of the latest posts that we may read, anywhere."""
        # The first list may be full of what we may not read, the second is of our category alone.
        latest = self._web.items(self._for_user("/api/recent/posts"))
        latest += self._get(f"/api/v3/categories/{self._category}/posts")["response"]["posts"]
        return max((one["pid"] for one in latest if isinstance(one["pid"], int)), default=0)

    def _new_posts(self, read: _Read, posts: ReadNumbers) -> Iterator[Portion]:
        """Yield the posts of the category that were not read yet, by their numbers.

        By their numbers, because lists are sorted by time: a post that had to be approved has a
        new number and the time at which it was written, perhaps of days ago.
        """
        newest, found, asked = self._newest(), list[bytes](), 0
        for pid in count(posts.floor + 1):
            if pid in posts:
                continue
            summary = self._summary(pid)
            if summary is None and pid > newest:
                break
            if summary is None:
                continue
            posts.add(pid)
            asked += 1
            if summary["topic"]["cid"] == self._category and not _is_deleted(summary):
                found += self._whole(pid, summary)
            if asked % PORTION == 0:
                posts.settle(SLACK)
                yield Portion(found, read.cursor())
                found = []
        posts.settle(SLACK)
        if asked % PORTION:
            yield Portion(found, read.cursor())

    def _summary(self, pid: int) -> dict[str, Any] | None:
        try:
            return dict(self._get(f"/api/v3/posts/{pid}/summary")["response"])
        except Missing as missing:
            _need_nodebb(missing)
            return None

    def _whole(self, pid: int, summary: dict[str, Any]) -> Iterator[bytes]:
        """Yield the post, unless it has gone since."""
        try:
            post = self._get(f"/api/v3/posts/{pid}")["response"]
        except Missing as missing:
            _need_nodebb(missing)
            return
        kept = {key: post[key] for key in _POST if key in post}
        if _is_deleted(summary):
            # A moderator would still see the words.
            kept |= {"deleted": 1, "seen": _now(), "content": "", "sourceContent": ""}
        name = summary["user"]["username"] if summary.get("user") else ""
        yield self._bytes(post=kept, name=name)

    def _page_of_rooms(self, page: int) -> list[dict[str, Any]] | None:
        """Return chat rooms, the one that was last written in first; None if we may not chat."""
        try:
            found = self._get(f"/api/v3/chats?page={page}&perPage=50")["response"]["rooms"]
        except Refused as refusal:
            if refusal.status != 403:
                raise
            return None
        return list(found)

    def _first_chats(self) -> ReadNumbers | None:
        rooms = self._page_of_rooms(1)
        if rooms is None:
            return None
        newest = (one["messageId"] for room in rooms[:1] for one in self._chat_page(room, 0))
        return ReadNumbers(max(newest, default=0))

    def _chat_page(self, room: dict[str, Any], start: int) -> list[dict[str, Any]]:
        path = f"/api/v3/chats/{room['roomId']}/messages?start={start}"
        return list(self._get(path)["response"]["messages"])

    def _new_chats(self, read: _Read, chats: ReadNumbers) -> Iterator[Portion]:
        """Yield the private messages that were not read yet, by their numbers."""
        new = sorted(self._unread_chats(chats), key=lambda one: int(one["messageId"]))
        for at in range(0, len(new), PORTION):
            found = list[bytes]()
            for chat in new[at : at + PORTION]:
                chats.add(chat["messageId"])
                if not chat.get("deleted") and not chat.get("system"):
                    found.append(self._whole_chat(chat))
            if at + PORTION >= len(new):
                chats.settle(SLACK)
            yield Portion(found, read.cursor())

    def _unread_chats(self, chats: ReadNumbers) -> Iterator[dict[str, Any]]:
        for page in count(1):
            rooms = self._page_of_rooms(page)
            if not rooms:
                return
            for room in rooms:
                highest = 0
                for last in self._chat_pages(room):
                    numbers = [one["messageId"] for one in last]
                    highest = max(highest, *numbers)
                    if _is_private(room):
                        yield from (one for one in last if one["messageId"] not in chats)
                    if min(numbers) <= chats.floor:
                        break
                # Nobody has written since in the rooms below it.
                if 0 < highest <= chats.floor:
                    return

    def _chat_pages(self, room: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
        """Yield a room's messages, the last page first."""
        start = 0
        while page := self._chat_page(room, start):
            yield page
            start += len(page)

    def _whole_chat(self, chat: dict[str, Any]) -> bytes:
        room, mid = int(chat["roomId"]), int(chat["messageId"])
        kept = {key: chat[key] for key in _CHAT if key in chat}
        kept |= {"roomId": room, "mid": mid}
        if kept.get("deleted"):
            kept |= {"content": "", "seen": _now()}
        else:
            # The list has the words as HTML.
            kept["content"] = self._chat_words(room, mid)
        return self._bytes(chat=kept, name=chat["fromUser"]["username"])

    def _bytes(self, **told: object) -> bytes:
        # What else is needed to read them is kept as well: settings may be others later.
        return _bytes(reader=self._reader, format=self._format, **told)

    def _chat_words(self, room: int, mid: int) -> str:
        return str(self._get(f"/api/v3/chats/{room}/messages/{mid}/raw")["response"]["content"])

    def _later_forms(self, watched: Collection[str], cursor: str) -> Iterator[Portion]:
        """Yield what watched messages are now."""
        numbers = sorted(watched, key=lambda one: ("/" in one, [int(n) for n in one.split("/")]))
        for at in range(0, len(numbers), PORTION):
            found = list[bytes]()
            for one in numbers[at : at + PORTION]:
                found += self._later_chat(one) if "/" in one else self._later_post(one)
            yield Portion(found, cursor)

    def _later_post(self, pid: str) -> Iterator[bytes]:
        summary = self._summary(int(pid))
        found = list(self._whole(int(pid), summary)) if summary else []
        if not found:
            # Or every order would be withdrawn because a moderator took a right from us.
            if not self._privileges.get("topics:read"):
                raise ChannelDown("The user may not read the category any more.", refused=True)
            found = [_no_more(pid)]
        yield from found

    def _later_chat(self, place: str) -> Iterator[bytes]:
        room, _, mid = place.partition("/")
        try:
            found = self._get(f"/api/v3/chats/{room}/messages/{mid}")["response"]
        except Missing as missing:
            _need_nodebb(missing)
            found = {}
        except Refused as refusal:
            # A room that we are in no more says nothing of the message.
            if refusal.status == 403:
                return
            _need_nodebb(refusal)
            found = {}
        yield self._whole_chat(found) if found else _no_more(place)


def _is_private(room: dict[str, Any]) -> bool:
    return not room.get("public") and not room.get("groupChat") and len(room["users"]) == 1


def _is_deleted(summary: dict[str, Any]) -> bool:
    return bool(summary.get("deleted") or summary["topic"].get("deleted"))


def _need_nodebb(fault: Missing | Refused) -> None:
    """Raise ChannelDown unless it was NodeBB itself that knew of nothing there."""
    if not isinstance(fault.answer.get("status"), dict):
        raise ChannelDown(str(fault)) from fault


def _no_more(place: str) -> bytes:
    return _bytes(gone=place, seen=_now())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _bytes(**told: object) -> bytes:
    return json.dumps(told, sort_keys=True).encode()


def _same(stands: object, body: str) -> bool:
    # Boards change blanks and line ends, so only the words are compared.
    return str(stands).split() == body.split()


def _cut(body: str, most: int) -> Iterator[str]:
    """Yield a text in parts of at most so many characters, cut at line ends where there are any."""
    while len(body) > most:
        at = body.rfind("\n", 1, most) + 1 or most
        yield body[:at]
        body = body[at:]
    yield body
