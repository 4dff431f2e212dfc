"""Discord's REST interface for a bot, as its documentation says that it behaves.

A channel of text or a forum, its threads, and private channels. Lists of messages come newest
first; a limit is told by 429 with `retry_after`; a private channel can be opened, but not listed.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers.boards import Answer, Board, need
from tests.support.played_boards import Stood

BOT = "400000000000000001"
GUILD = "400000000000000002"
CHANNEL = "400000000000000003"
ROLE = "400000000000000004"
TEXT, FORUM = 0, 15
EPOCH = 1_420_070_400_000
RIGHTS = {
    "View Channel": 1 << 10,
    "Send Messages": 1 << 11,
    "Read Message History": 1 << 16,
    "Create Public Threads": 1 << 35,
    "Send Messages in Threads": 1 << 38,
}


@dataclass
class Said:
    """A message; `kind` is Discord's type."""

    ident: str
    channel: str
    account: str
    content: str
    kind: int = 0
    edited: str | None = None
    hook: str = ""
    nonce: str = ""


@dataclass
class Thread:
    """A thread; `last` is the number of its last message, deleted or not."""

    ident: str
    name: str
    owner: str
    kind: int = 11
    last: str = ""
    archived: str = ""
    parent: str = CHANNEL


class DiscordGuild(Board):
    """A server of Discord's with one channel of ours, of text or a forum."""

    def __init__(self, kind: int = TEXT) -> None:
        super().__init__()
        self.kind = kind
        self.asked: list[tuple[str, str]] = []
        self.now = 1_795_000_000_000
        self.said: dict[str, Said] = {}
        self.threads: dict[str, Thread] = {}
        self.private: dict[str, str] = {}
        self.last_in_channel = ""
        self.names = {BOT: "referee"}
        self.bots = {BOT}
        self.rights = sum(RIGHTS.values())
        self.overwrites: list[dict[str, Any]] = []
        self.flags = 1 << 19
        self.slow = 0
        self.channel_flags = 0
        self.takes_no_private: set[str] = set()
        self.limited = 0
        self.retry_after = 0.3

    # --- what happens on the server ---------------------------------------------------------------

    def number(self, earlier: int = 0) -> str:
        """Return a new number; `earlier` are the milliseconds by which another machine is late."""
        self.now += 1000
        return str((self.now - earlier - EPOCH) << 22)

    def time(self) -> str:
        """Return the time now, as Discord writes it."""
        return datetime.fromtimestamp(self.now / 1000, UTC).isoformat(timespec="microseconds")

    def say(self, account: str, text: str, channel: str = CHANNEL, **more: Any) -> str:
        """Keep a message and return its number."""
        ident = more.pop("ident", "") or self.number(more.pop("earlier", 0))
        self.names.setdefault(account, f"user{account}")
        self.said[ident] = Said(ident, channel, account, text, **more)
        if channel == CHANNEL:
            self.last_in_channel = ident
        if channel in self.threads:
            thread = self.threads[channel]
            thread.last, thread.archived = ident, ""
        topic = int(ident if channel == CHANNEL else channel)
        self.posts[int(ident)] = (topic, text)
        return ident

    def begin(self, account: str, name: str, text: str, **more: Any) -> str:
        """Begin a thread as Discord's own program does, and return its number."""
        ident = self.number() if self.kind == FORUM else self.say(account, text)
        self.threads[ident] = Thread(ident, name, account, **more)
        self.titles[int(ident)] = name
        if self.kind == FORUM:
            self.say(account, text, ident, ident=ident)
        else:
            self.say(account, "", ident, kind=21)
        return ident

    def archive(self, thread: str) -> None:
        """Archive a thread, as happens when nobody has written in it for long."""
        self.now += 1000
        self.threads[thread].archived = self.time()

    def reword(self, ident: str, text: str) -> None:
        """Edit a message."""
        self.now += 1000
        self.said[ident].content, self.said[ident].edited = text, self.time()
        self.change(int(ident), text)

    def remove(self, ident: str) -> None:
        """Delete a message."""
        del self.said[ident], self.posts[int(ident)]

    # --- the interface ----------------------------------------------------------------------------

    def act(self, method: str, path: str, headers: Any, body: Any) -> Answer:
        """Do what is asked for."""
        self.asked.append((method, path))
        if headers["Authorization"] != "Bot t0ken":
            return 401, {"message": "401: Unauthorized", "code": 0}, {}
        if not headers["User-Agent"].startswith("DiscordBot ("):
            return 403, b"<html>error code: 1010</html>", {}
        if self.limited:
            self.limited -= 1
            limit = {"message": "You are being rate limited.", "global": False}
            return 429, limit | {"retry_after": self.retry_after}, {}
        at = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(at.query).items()}
        match at.path.strip("/").split("/"):
            case ["users", "@me"]:
                return 200, {"id": BOT, "username": self.names[BOT], "bot": True}, {}
            case ["users", "@me", "channels"]:
                return self._open_private(method, body)
            case ["applications", "@me"]:
                return 200, {"id": BOT, "flags": self.flags}, {}
            case ["guilds", _, *rest]:
                return self._guild(rest)
            case ["channels", channel, *rest]:
                return self._channel(method, channel, rest, query, body)
        return _no(404, 0, "404: Not Found")

    def _open_private(self, method: str, body: Any) -> Answer:
        if method == "GET":
            return 200, [], {}
        account = body["recipient_id"]
        if not account.isdecimal():
            return _no(400, 50035, "Invalid Form Body")
        self.private.setdefault(account, self.number())
        return 200, {"id": self.private[account], "type": 1}, {}

    def _guild(self, rest: list[str]) -> Answer:
        if rest == ["threads", "active"]:
            active = [self._told(one) for one in self.threads.values() if not one.archived]
            return 200, {"threads": active[::-1], "members": []}, {}
        if rest[:1] == ["members"]:
            return 200, {"roles": [ROLE]}, {}
        rights = str(self.rights if self.may_begin_topics else 0)
        roles = [{"id": GUILD, "permissions": "0"}, {"id": ROLE, "permissions": rights}]
        return 200, {"id": GUILD, "owner_id": "1", "roles": roles}, {}

    def _told(self, thread: Thread) -> dict[str, Any]:
        return {
            "id": thread.ident,
            "type": thread.kind,
            "name": thread.name,
            "parent_id": thread.parent,
            "owner_id": thread.owner,
            "last_message_id": thread.last or None,
            "thread_metadata": {
                "archived": bool(thread.archived),
                "archive_timestamp": thread.archived or self.time(),
            },
        }

    def _channel(
        self, method: str, channel: str, rest: list[str], query: dict[str, str], body: Any
    ) -> Answer:
        if channel not in {CHANNEL, *self.threads, *self.private.values()}:
            return _no(404, 10003, "Unknown Channel")
        match rest:
            case []:
                return self._itself(method, channel, body)
            case ["messages"] if method == "GET":
                return 200, self._listed(channel, query), {}
            case ["messages"]:
                return self._send(channel, body)
            case ["messages", ident]:
                return self._message(method, channel, ident, body)
            case ["messages", ident, "threads"]:
                return self._thread_on(ident, body)
            case ["threads"]:
                return self._forum_post(body)
        need(rest == ["threads", "archived", "public"], "no such page")
        return self._archived(query)

    def _itself(self, method: str, channel: str, body: Any) -> Answer:
        if method == "PATCH":
            need(body == {"archived": False}, "only to make it active")
            self.threads[channel].archived = ""
            return 200, self._told(self.threads[channel]), {}
        threads = [thread.ident for thread in self.threads.values()]
        last = self.last_in_channel if self.kind == TEXT else max(threads, default="")
        told = {
            "id": CHANNEL,
            "guild_id": GUILD,
            "type": self.kind,
            "name": "battles",
            "last_message_id": last or None,
            "permission_overwrites": self.overwrites,
            "rate_limit_per_user": self.slow,
            "flags": self.channel_flags,
        }
        return 200, told, {}

    def _archived(self, query: dict[str, str]) -> Answer:
        before = datetime.fromisoformat(query["before"]) if "before" in query else None
        found = [
            one
            for one in self.threads.values()
            if one.archived
            and one.parent == CHANNEL
            and one.kind == 11
            and (before is None or datetime.fromisoformat(one.archived) < before)
        ]
        found.sort(key=lambda one: one.archived, reverse=True)
        page = [self._told(one) for one in found[: min(2, int(query["limit"]))]]
        return 200, {"threads": page, "members": [], "has_more": len(found) > len(page)}, {}

    def _listed(self, channel: str, query: dict[str, str]) -> list[dict[str, Any]]:
        size = int(query.get("limit", 50))
        need(1 <= size <= 100, "limit is 1 to 100")
        found = sorted((one for one in self.said.values() if one.channel == channel), key=_order)
        if "after" in query:
            found = [one for one in found if int(one.ident) > int(query["after"])][:size]
        return [self._shown(one) for one in found[-size:][::-1]]

    def _shown(self, one: Said) -> dict[str, Any]:
        """A message as the bot sees it: without its words, where it lacks the right to them."""
        hidden = not self.flags and one.account != BOT and one.channel not in self.private.values()
        named = f"<@{BOT}>" in one.content
        bot = bool(one.hook) or one.account in self.bots
        name = self.names[one.account]
        shown = {
            "id": one.ident,
            "channel_id": one.channel,
            "author": {"id": one.account, "username": name, "global_name": None, "bot": bot},
            "content": "" if hidden and not named else one.content,
            "timestamp": datetime.fromtimestamp(
                ((int(one.ident) >> 22) + EPOCH) / 1000, UTC
            ).isoformat(),
            "edited_timestamp": one.edited,
            "type": one.kind,
            "attachments": [],
        }
        if one.hook:
            shown["webhook_id"] = one.hook
        if one.channel == CHANNEL and one.ident in self.threads:
            shown["thread"] = self._told(self.threads[one.ident])
        return shown

    def _send(self, channel: str, body: Any) -> Answer:
        need(self.kind == TEXT or channel != CHANNEL, "no messages in a forum channel")
        self._need_content(body)
        need(body["enforce_nonce"] and 0 < len(body["nonce"]) <= 25, "a nonce")
        to = next((who for who, there in self.private.items() if there == channel), "")
        if to in self.takes_no_private:
            return _no(403, 50007, "Cannot send messages to this user")
        sent = (one for one in self.said.values() if one.nonce == body["nonce"])
        ident = next((one.ident for one in sent), "")
        ident = ident or self.say(BOT, body["content"], channel, nonce=body["nonce"])
        return 200, self._shown(self.said[ident]), {}

    def _need_content(self, body: dict[str, Any]) -> None:
        need(0 < len(body["content"]) <= 2000, "content is 1 to 2000 characters")
        need(body["allowed_mentions"] == {"parse": []}, "it might call somebody")

    def _message(self, method: str, channel: str, ident: str, body: Any) -> Answer:
        if ident not in self.said or self.said[ident].channel != channel:
            return _no(404, 10008, "Unknown Message")
        if method == "PATCH":
            self._need_content(body)
            need(self.said[ident].account == BOT, "not ours")
            if channel in self.threads and self.threads[channel].archived:
                return _no(400, 50083, "Thread is archived")
            self.reword(ident, body["content"])
        return 200, self._shown(self.said[ident]), {}

    def _thread_on(self, ident: str, body: Any) -> Answer:
        need(self.kind == TEXT and 0 < len(body["name"]) <= 100, "name is 1 to 100 characters")
        if ident not in self.said:
            return _no(404, 10008, "Unknown Message")
        if ident in self.threads:
            return _no(400, 160004, "A thread has already been created for this message")
        self.threads[ident] = Thread(ident, body["name"], BOT)
        self._name(ident, body["name"])
        return 201, self._told(self.threads[ident]), {}

    def _name(self, ident: str, name: str) -> None:
        self.titles[int(ident)] = name
        if "state of the war" in name:
            self.last_change = self.said[ident].content

    def _forum_post(self, body: Any) -> Answer:
        need(self.kind == FORUM and 0 < len(body["name"]) <= 100, "a post of a forum")
        self._need_content(body["message"])
        ident = self.number()
        self.threads[ident] = Thread(ident, body["name"], BOT)
        self.say(BOT, body["message"]["content"], ident, ident=ident)
        self._name(ident, body["name"])
        return 201, self._told(self.threads[ident]) | {"message": {"id": ident}}, {}


def _order(one: Said) -> int:
    return int(one.ident)


def _no(status: int, code: int, message: str) -> Answer:
    return status, {"code": code, "message": message}, {}


class PlayedDiscord:
    """The channel as its members use it."""

    def __init__(self, server: DiscordGuild) -> None:
        self.server = server

    def post(self, account: str, text: str, thread: str = "") -> str:
        """Write in a thread, or begin one, and return the message's number."""
        if thread:
            return f"{thread}/{self.server.say(account, text, thread)}"
        if self.server.kind == FORUM:
            begun = self.server.begin(account, "A thread of ours", text)
            return f"{begun}/{begun}"
        return f"{CHANNEL}/{self.server.say(account, text)}"

    def edit(self, number: str, text: str) -> None:
        """Edit a message where it stands."""
        self.server.reword(number.partition("/")[2], text)

    def delete(self, number: str) -> None:
        """Delete a message."""
        self.server.remove(number.partition("/")[2])

    def private(self, account: str, text: str) -> str:
        """Write to the referee alone, and return the message's number."""
        there = self.server.private.setdefault(account, self.server.number())
        return f"{there}/{self.server.say(account, text, there)}"

    def posts(self) -> list[Stood]:
        """Return all that stands there, oldest first."""
        server = self.server
        whose = {there: account for account, there in server.private.items()}
        found = list[Stood]()
        for one in sorted(server.said.values(), key=_order):
            thread = one.ident if one.channel == CHANNEL else one.channel
            to = ""
            if one.channel in whose:
                to = whose[one.channel] if one.account == BOT else BOT
            if one.kind == 0:
                found.append(Stood(one.account, thread, one.content, to))
        return found
