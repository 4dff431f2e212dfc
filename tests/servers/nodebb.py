"""A NodeBB of version 4, as its openapi files and its source say that it behaves.

Numbers of posts are given in order, but lists are sorted by time: a post from the queue keeps the
time at which it was written. Lists leave out what we may not read after they were cut into pages.
"""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers.boards import Answer, Board, need
from tests.support.played_boards import Stood

REFEREE = 7
CATEGORY = 5
HOUR = 3_600_000
MISSING: Answer = (404, {"status": {"code": "not-found", "message": "No"}, "response": {}}, {})
REFUSED: Answer = (403, {"status": {"code": "forbidden", "message": "No"}, "response": {}}, {})


@dataclass
class Facts:
    """What NodeBB keeps of a post beside its words."""

    uid: int
    timestamp: int
    edited: int = 0
    deleted: int = 0
    hidden: bool = False


@dataclass
class Topic:
    """A topic, or what is kept of one."""

    cid: int
    title: str
    uid: int
    main: int = 0
    deleted: int = 0


@dataclass
class Room:
    """A chat room: its members, and the numbers of its messages."""

    users: list[int]
    public: bool = False
    mids: list[int] = field(default_factory=list)


class Nodebb(Board):
    """The forum; user 7 is the referee, whose token is a master token or its own."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []
        self.now = 1_795_000_000_000
        self.next_pid, self.next_mid = 100, 1
        self.facts: dict[int, Facts] = {}
        self.topics: dict[int, Topic] = {}
        self.rooms: dict[int, Room] = {}
        self.chats: dict[int, tuple[int, str]] = {}
        self.chat_facts: dict[int, Facts] = {}
        self.names = {REFEREE: "referee"}
        self.may_read = self.may_reply = self.may_edit = self.may_chat = True
        self.moderator = False
        self.takes_no_chats: set[int] = set()
        self.config: dict[str, Any] = {
            "minimumPostLength": 8,
            "maximumPostLength": 32767,
            "minimumTitleLength": 0,
            "postQueue": 1,
            "disableChat": False,
            "disableChatMessageEditing": False,
            "maximumChatMessageLength": 1000,
        }

    # --- what happens on the board ----------------------------------------------------------------

    def write(self, uid: int, topic: int, text: str, *, written: int = 0) -> int:
        """Keep a post; `written` is when it was, if it had to wait for approval."""
        self.now += 1000
        pid, self.next_pid = self.next_pid, self.next_pid + 1
        self.posts[pid] = (topic, text)
        self.facts[pid] = Facts(uid, written or self.now)
        self.topics[topic].main = self.topics[topic].main or pid
        self.names.setdefault(uid, f"user{uid}" if uid else "Guest")
        return pid

    def begin(self, uid: int, title: str, text: str, cid: int = CATEGORY) -> int:
        """Begin a topic, and return its number."""
        tid = 10 + len(self.topics)
        self.topics[tid] = Topic(cid, title, uid)
        self.titles[tid] = title
        self.write(uid, tid, text)
        return tid

    def reword(self, pid: int, text: str) -> None:
        """Edit a post."""
        self.change(pid, text)
        self.now += 1000
        self.facts[pid].edited = self.now

    def purge(self, pid: int) -> None:
        """Delete a post so that nothing is left of it."""
        del self.posts[pid], self.facts[pid]

    def chat(self, uid: int, text: str, room: int = 0) -> int:
        """Write in a chat room, or in that of a user and the referee alone."""
        pair = [REFEREE, uid]
        room = room or next((n for n, r in self.rooms.items() if r.users == pair), 0)
        if not room:
            room = 1 + len(self.rooms)
            self.rooms[room] = Room(pair)
        self.names.setdefault(uid, f"user{uid}")
        return self._say(uid, room, text)

    def _say(self, uid: int, room: int, text: str) -> int:
        self.now += 1000
        mid, self.next_mid = self.next_mid, self.next_mid + 1
        self.chats[mid] = (room, text)
        self.chat_facts[mid] = Facts(uid, self.now)
        self.rooms[room].mids.append(mid)
        return mid

    # --- the interface ----------------------------------------------------------------------------

    def act(self, method: str, path: str, headers: Any, body: Any) -> Answer:
        """Do what is asked for."""
        at = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(at.query).items()}
        user = (body or {}).pop("_uid", None) or query.pop("_uid", None)
        token = headers["Authorization"]
        if token not in ("Bearer t0ken", "Bearer own"):
            return 401, {"status": {"code": "not-authorised", "message": "No"}}, {}
        if token == "Bearer t0ken" and user is None:
            return 500, {"path": path, "error": "[[error:api.master-token-no-uid]]"}, {}
        need(user in (None, REFEREE, str(REFEREE)), "no such user")
        steps = at.path.strip("/").split("/")
        if steps[:2] != ["api", "v3"]:
            return self._page(steps[1:], query)
        need(method == "GET" or body is not None, "a body is wanted")
        if steps[2] == "posts":
            return self._post(method, steps[3:], body)
        if steps[2] == "chats":
            return self._chat(method, steps[3:], query, body) if self.may_chat else REFUSED
        if steps[2] == "users":
            pair = [REFEREE, int(steps[3])]
            found = next((n for n, r in self.rooms.items() if r.users == pair), 0)
            return _done({"roomId": found or None})
        if steps[2] == "categories":
            ours = [pid for pid in self._latest() if self._cid(pid) == CATEGORY]
            return _done({"posts": self._summaries(ours[:5])})
        return self._topic(steps[3:], body)

    def _page(self, steps: list[str], query: dict[str, str]) -> Answer:
        """Answer a page of the forum in JSON."""
        if steps == ["config"]:
            return 200, self.config, {}
        if steps == ["self"]:
            name = self.names[REFEREE]
            return 200, {"uid": REFEREE, "username": name, "userslug": name.lower()}, {}
        if steps == ["recent", "posts"]:
            start = 20 * (int(query.get("page", 1)) - 1)
            return 200, self._summaries(self._latest()[start : start + 20]), {}
        if steps == ["category", str(CATEGORY)]:
            return 200, self._category(query), {}
        if steps[0] == "topic" and int(steps[1]) in self.topics:
            return 200, self._topic_page(int(steps[1]), query), {}
        if steps[:2] == ["user", "uid"]:
            self.names.setdefault(int(steps[2]), f"user{steps[2]}")
            return 200, {"uid": int(steps[2]), "userslug": self.names[int(steps[2])]}, {}
        if steps[0] == "user":
            [uid] = [uid for uid, name in self.names.items() if name == steps[1]]
            return 200, {"uid": uid, "canChat": uid not in self.takes_no_chats}, {}
        return 404, {"path": "/".join(steps), "title": "[[global:404.title]]"}, {}

    def _latest(self) -> list[int]:
        return sorted(self.facts, key=lambda pid: -self.facts[pid].timestamp)

    def _cid(self, pid: int) -> int:
        return self.topics[self.posts[pid][0]].cid

    def _sees(self, pid: int) -> bool:
        """Whether we may read a post; category 9 is for the staff alone."""
        if pid not in self.facts or self.facts[pid].hidden or self._cid(pid) == 9:
            return False
        topic = self.topics[self.posts[pid][0]]
        return self.may_read and (not topic.deleted or self.moderator)

    def _summaries(self, pids: list[int]) -> list[dict[str, Any]]:
        listed = [pid for pid in pids if self._sees(pid)]
        return [self._summary(pid) for pid in listed if not self.facts[pid].deleted]

    def _summary(self, pid: int) -> dict[str, Any]:
        tid, text = self.posts[pid]
        facts, topic = self.facts[pid], self.topics[tid]
        return {
            "pid": pid,
            "tid": tid,
            "uid": facts.uid,
            "content": f"<p>{text}</p>",
            "timestamp": facts.timestamp,
            "deleted": facts.deleted == 1,
            "user": {"uid": facts.uid, "username": self.names[facts.uid]},
            "topic": {
                "tid": tid,
                "cid": topic.cid,
                "deleted": topic.deleted,
                "mainPid": topic.main,
            },
            "category": {"cid": topic.cid},
        }

    def _category(self, query: dict[str, str]) -> dict[str, Any]:
        newest = sorted(
            ((tid, topic) for tid, topic in self.topics.items() if topic.cid == CATEGORY),
            reverse=True,
        )
        rights = {
            "topics:create": self.may_begin_topics,
            "topics:read": self.may_read,
            "isAdminOrMod": self.moderator,
        }
        here = [{"tid": tid, "mainPid": topic.main, "uid": topic.uid} for tid, topic in newest]
        return {"topics": here[:20], "privileges": rights}

    def _topic_page(self, tid: int, query: dict[str, str]) -> dict[str, Any]:
        pids = [pid for pid, (topic, _) in self.posts.items() if topic == tid]
        main, others = pids[:1], pids[1:]
        if query.get("sort") == "newest_to_oldest":
            others.reverse()
        rights = {"topics:reply": self.may_reply, "posts:edit": self.may_edit}
        # The first post stands first in either order.
        here = [{"pid": pid, "uid": self.facts[pid].uid} for pid in (main + others)[:20]]
        return {"tid": tid, "posts": here, "privileges": rights}

    def _post(self, method: str, steps: list[str], body: Any) -> Answer:
        pid = int(steps[0])
        if not self._sees(pid):
            return MISSING
        text, facts = self.posts[pid][1], self.facts[pid]
        if method == "PUT":
            need(set(body) == {"content"}, "content is wanted")
            need(facts.uid == REFEREE, "not ours")
            self.reword(pid, body["content"])
            return _done({"pid": pid})
        hidden = facts.deleted and not self.moderator and facts.uid != REFEREE
        if steps[1:] == ["raw"]:
            return MISSING if hidden else _done({"content": text})
        if steps[1:] == ["summary"]:
            return _done(self._summary(pid))
        shown = "[[topic:post-is-deleted]]" if hidden else text
        kept = {"pid": pid, "tid": self.posts[pid][0], "content": shown, "ip": "192.0.2.7"}
        times = {"timestamp": facts.timestamp, "edited": facts.edited, "deleted": facts.deleted}
        return _done(kept | times | {"uid": facts.uid})

    def _topic(self, steps: list[str], body: Any) -> Answer:
        content = body["content"]
        need(self.config["minimumPostLength"] <= len(content.strip()) <= 32767, "length")
        if not steps:
            need(set(body) == {"cid", "title", "content"}, "a topic's keys")
            need(body["cid"] == CATEGORY and self.may_begin_topics, "no privileges")
            tid = self.begin(REFEREE, body["title"], content)
            self._note(tid, content)
            return _done({"tid": tid, "mainPid": self.topics[tid].main})
        need(set(body) == {"content"} and int(steps[0]) in self.topics, "content is wanted")
        return _done({"pid": self.write(REFEREE, int(steps[0]), content)})

    def _note(self, topic: int, text: str) -> None:
        if "state of the war" in self.titles[topic]:
            self.last_change = text

    def _chat(self, method: str, steps: list[str], query: dict[str, str], body: Any) -> Answer:
        if not steps:
            return self._rooms(query) if method == "GET" else self._new_room(body)
        room = int(steps[0])
        if room not in self.rooms:
            return MISSING
        if REFEREE not in self.rooms[room].users:
            return REFUSED
        if method == "POST":
            need(not self.config["disableChat"], "chats are off")
            need(set(body) == {"message"}, "message is wanted")
            need(0 < len(body["message"]) <= self.config["maximumChatMessageLength"], "length")
            return _done({"messageId": self._say(REFEREE, room, body["message"])})
        if len(steps) == 2:
            start = int(query.get("start", 0))
            mids = self.rooms[room].mids[::-1][start : start + 50][::-1]
            return _done({"messages": [self._told(mid) for mid in mids]})
        mid = int(steps[2])
        need(mid in self.rooms[room].mids, "[[error:invalid-mid]]")
        if method == "PUT":
            self.chats[mid] = (room, body["message"])
            self.chat_facts[mid].edited = self.now
        if steps[3:] == ["raw"]:
            return _done({"content": self.chats[mid][1]})
        return _done(self._told(mid))

    def answer(self, method: str, path: str, headers: Any, body: Any) -> Answer:
        """Answer a request; NodeBB names what is wrong in `status`."""
        self.asked.append((method, path))
        status, found, more = super().answer(method, path, headers, body)
        if status == 400 and "errors" in found and found is not self.fault_page:
            found = {"status": {"code": "bad-request", "message": found["errors"][0]}}
        return status, found, more

    def _rooms(self, query: dict[str, str]) -> Answer:
        mine = [(n, room) for n, room in self.rooms.items() if REFEREE in room.users]
        mine.sort(key=lambda one: -max(one[1].mids, default=0))
        size = int(query["perPage"])
        start = (int(query["page"]) - 1) * size
        told = [
            {
                "roomId": n,
                "public": room.public,
                "groupChat": len(room.users) > 2,
                "users": [{"uid": uid} for uid in room.users if uid != REFEREE],
            }
            for n, room in mine[start : start + size]
        ]
        return _done({"rooms": told, "nextStart": start + size})

    def _new_room(self, body: Any) -> Answer:
        need(not self.config["disableChat"], "chats are off")
        need(not set(body["uids"]) & self.takes_no_chats, "[[error:chat-restricted]]")
        room = 1 + len(self.rooms)
        self.rooms[room] = Room([REFEREE, *body["uids"]])
        return _done({"roomId": room})

    def _told(self, mid: int) -> dict[str, Any]:
        room, text = self.chats[mid]
        facts = self.chat_facts[mid]
        hidden = facts.deleted and facts.uid != REFEREE
        return {
            "messageId": mid,
            "mid": mid,
            "roomId": str(room),
            "content": "[[modules:chat.message-deleted]]" if hidden else f"<p>{text}</p>",
            "fromuid": facts.uid,
            "timestamp": facts.timestamp,
            "edited": facts.edited,
            "deleted": facts.deleted,
            "fromUser": {"uid": facts.uid, "username": self.names[facts.uid]},
        }


def _done(response: Any) -> Answer:
    return 200, {"status": {"code": "ok", "message": "OK"}, "response": response}, {}


class PlayedNodebb:
    """The forum as its members use it; their accounts are their numbers."""

    def __init__(self, server: Nodebb) -> None:
        self.server = server

    def post(self, account: str, text: str, thread: str = "") -> str:
        """Post as an account in a thread, or begin one, and return the post's number."""
        uid = int(account)
        if thread:
            return str(self.server.write(uid, int(thread), text))
        return str(self.server.topics[self.server.begin(uid, "A topic of ours", text)].main)

    def edit(self, number: str, text: str) -> None:
        """Edit a post, or a private message, where it stands."""
        if "/" not in number:
            self.server.reword(int(number), text)
            return
        room, mid = map(int, number.split("/"))
        self.server.now += 1000
        self.server.chats[mid] = (room, text)
        self.server.chat_facts[mid].edited = self.server.now

    def delete(self, number: str) -> None:
        """Delete a post, or a private message."""
        facts = self.server.chat_facts if "/" in number else self.server.facts
        facts[int(number.rpartition("/")[2])].deleted = 1

    def private(self, account: str, text: str) -> str:
        """Write to the referee alone, and return the message's number."""
        mid = self.server.chat(int(account), text)
        return f"{self.server.chats[mid][0]}/{mid}"

    def posts(self) -> list[Stood]:
        """Return all that stands there, oldest first."""
        server = self.server
        public = [
            (server.facts[pid], str(topic), text, "") for pid, (topic, text) in server.posts.items()
        ]
        private = [
            (server.chat_facts[mid], f"chat/{room}", text, self._other(room, mid))
            for mid, (room, text) in server.chats.items()
        ]
        written = sorted(public + private, key=lambda one: one[0].timestamp)
        return [
            Stood(str(facts.uid), thread, text, to)
            for facts, thread, text, to in written
            if not facts.deleted
        ]

    def _other(self, room: int, mid: int) -> str:
        writer = self.server.chat_facts[mid].uid
        [other] = [uid for uid in self.server.rooms[room].users if uid != writer]
        return str(other)
