"""Threads of a Discord channel, by REST alone: no gateway, so nothing is lost while we are away.

A message is named by the channel or thread in which it stands and its own number, such as 17/203.
A thread that was begun on a message has that message's number.
"""

import json
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import Any, TypeVar

from pbem.channels.channel import (
    Channel,
    ChannelDown,
    ChannelSettings,
    Home,
    Message,
    Portion,
    Post,
    PostRefused,
)
from pbem.channels.markup import PostFormat
from pbem.channels.read_numbers import ReadNumbers
from pbem.channels.web import Missing, Refused, Web, number, reading_answers, wrong_url
from pbem.channels.webhook import NO_PREVIEWS, NOBODY
from pbem.intake.post_text import new_words

LONGEST_WAIT = 10.0
"""Seconds that we wait for a limit of Discord's ourselves; a longer one is the worker's."""
WAITS = 5
"""How often we wait for one request."""
SLACK = 60_000 << 22
"""A minute in Discord's numbers, which begin with the milliseconds: so late one may show up."""
PAGE = 100
WATCHED = 20
"""How many watched messages are stored together; each is asked for by itself."""
OPENED = 5
"""How many private channels are opened in a look: Discord takes many at once for spam."""
LOOKED_AT = 50
"""How many of a channel's last messages are searched for one that may have come through."""
PEOPLE = 200
"""With how many of those who wrote last the private channels are read; each is asked for."""
# Discord answers no program of another name.
AGENT = "DiscordBot (pbem, 1.0)"

_FORUM, _TEXT, _NEWS = 15, 0, 5
_PUBLIC_THREADS = (10, 11)
_WRITTEN = (0, 19)
"""The types of messages that somebody wrote: a message, and a reply."""
_NO_MESSAGE, _NO_CHANNEL = 10008, 10003
_ARCHIVED = 50083
_HAS_THREAD = 160004
_REACHES_NOBODY = (10013, 50007, 50278)
"""Codes that say that somebody takes no private messages from us."""
_READS_CONTENT = 1 << 18 | 1 << 19
_TAG_NEEDED = 1 << 4
_ADMINISTRATOR = 1 << 3
_NEEDED = {
    "View Channel": 1 << 10,
    "Send Messages": 1 << 11,
    "Read Message History": 1 << 16,
    "Send Messages in Threads": 1 << 38,
}
_THREADS = {"Create Public Threads": 1 << 35}
_ROOM = "messages"
"""The one room: each number of Discord's is given once."""
_ID = re.compile(r"[1-9][0-9]{16,19}")
_KEPT = ("id", "channel_id", "content", "timestamp", "edited_timestamp", "type", "webhook_id")
_AUTHOR = ("id", "username", "global_name", "bot")
_NO_CONTENT = (
    "The bot may not read what players write: switch on Message Content Intent, on the page Bot of"
    " its application."
)

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordSettings(ChannelSettings):
    """The file with the bot's token, and the number of a text channel or a forum channel."""

    # Discord takes 2,000 characters.
    limit = 1_900
    private = True

    token_file: str
    channel: str
    play: bool = False
    url: str = "https://discord.com/api/v10"
    ca_file: str = ""

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts: Discord's Markdown."""
        return PostFormat("markdown", "spoilers", headed=True)

    def wrong(self) -> str | None:
        """Return what is wrong with the channel's number or the URL, or None."""
        if not _ID.fullmatch(self.channel):
            return f"channel is {self.channel!r}; it must be the channel's ID, 17 to 20 digits"
        return wrong_url(self.url)

    def open(self, home: Home) -> Channel:
        """Return the channel."""
        headers = {"Authorization": f"Bot {home.secret(self.token_file)}", "User-Agent": AGENT}
        ca_file = str(home.path(self.ca_file)) if self.ca_file else None
        return Discord(Web(self.url, headers, ca_file), self)

    def topic(self, stands: str) -> str:
        """Return a thread's number."""
        return stands.partition("/")[0]

    def message(self, raw: bytes) -> Message:
        """Return what a message says. Raises ValueError."""
        try:
            found = json.loads(raw)
            return _gone(found) if "gone" in found else _said(found)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"this is no message of Discord: {error!r}") from error


def _said(found: dict[str, Any]) -> Message:
    said = found["message"]
    author, edited = said["author"], said.get("edited_timestamp")
    own = author["id"] == found["reader"][0]
    # A web hook writes under any name, and a bot for anybody.
    vouched = own or not (said.get("webhook_id") or author.get("bot"))
    return Message(
        room=_ROOM,
        number=f"{said['channel_id']}/{said['id']}",
        at=_time(edited or said["timestamp"]),
        version=str(edited or ""),
        account=author["id"] if vouched else "",
        name=author.get("global_name") or author["username"],
        threads=(found["thread"],),
        text=new_words(said["content"] or "", "chat", found["reader"]),
        private=found["private"],
        own=own,
    )


def _gone(found: dict[str, Any]) -> Message:
    return Message(
        room=_ROOM,
        number=found["gone"],
        at=datetime.fromisoformat(found["seen"]),
        version="deleted",
        private=found["private"],
        deleted=True,
    )


def _time(written: str) -> datetime:
    return datetime.fromisoformat(written).astimezone(UTC)


@dataclass
class _Read:
    """What was read: a cursor, taken apart.

    `begun`: the number of the newest message at the first look. `people`: who wrote since, and the
    private channel with each, "" where none was opened yet.
    """

    numbers: ReadNumbers
    begun: int
    people: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, cursor: str) -> "_Read":
        """Return what a cursor says."""
        found = json.loads(cursor)
        return cls(ReadNumbers.read(found["numbers"]), found["begun"], found["people"])

    def cursor(self) -> str:
        """Return the cursor."""
        facts = {"begun": self.begun, "people": self.people}
        return json.dumps(facts | {"numbers": self.numbers.written()})


class Discord:
    """A post is found by its thread's number and its own, such as 17/203."""

    def __init__(
        self, web: Web, at: DiscordSettings, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._web, self._channel, self._play, self._wait = web, at.channel, at.play, wait

    # --- posts ------------------------------------------------------------------------------------

    def publish(self, post: Post) -> str:
        """Begin a thread, write in one or privately, or change a post. Raises ChannelFault."""
        if post.stands:
            return self._edit(post)
        try:
            if post.to:
                return self._write_privately(post)
            if post.root:
                return self._reply(post, post.root.partition("/")[0])
            return self._begin_post(post) if self._is_forum else self._begin_thread(post)
        except Missing as missing:
            # A place that is missing may come back: that is no reason to give the post up.
            raise Refused(str(missing), 404, missing.answer) from missing

    def _begin_thread(self, post: Post) -> str:
        # Looked for each time: its thread may have been refused when it stood there already.
        found = self._found(post, self._channel, threadless=not post.unsure)
        own = found or self._send(self._channel, post)
        self._open_thread(own, post.title)
        return f"{own}/{own}"

    def _open_thread(self, message: str, title: str) -> None:
        """Begin a thread on a message of the channel, if none is there."""
        try:
            path = f"/channels/{self._channel}/messages/{message}/threads"
            self._ask("POST", path, {"name": title[:100], "auto_archive_duration": 10080})
        except Refused as refusal:
            if refusal.answer.get("code") != _HAS_THREAD:
                raise

    def _begin_post(self, post: Post) -> str:
        """Begin a post of a forum channel: a thread and its first message have one number."""
        if post.unsure:
            for thread in self._active():
                ours = thread.get("owner_id") == self._self and thread["name"] == post.title[:100]
                if ours and self._found(post, thread["id"]):
                    return f"{thread['id']}/{thread['id']}"
        made = self._ask(
            "POST",
            f"/channels/{self._channel}/threads",
            {"name": post.title[:100], "auto_archive_duration": 10080, "message": _body(post)},
        )
        return f"{number(made, 'id')}/{made['id']}"

    def _reply(self, post: Post, thread: str) -> str:
        try:
            found = self._found(post, thread) if post.unsure else ""
            return f"{thread}/{found or self._send(thread, post)}"
        except (Missing, Refused) as fault:
            # What others wrote in the channel itself has no thread until it is answered.
            if fault.answer.get("code") != _NO_CHANNEL or self._is_forum:
                raise
        self._open_thread(thread, post.title)
        return f"{thread}/{self._send(thread, post)}"

    def _edit(self, post: Post) -> str:
        thread, _, own = post.stands.partition("/")
        # The message on which a thread was begun stands in the channel.
        there = self._channel if thread == own and not self._is_forum else thread
        body = {"content": post.body, "allowed_mentions": NOBODY, "flags": NO_PREVIEWS}
        path = f"/channels/{there}/messages/{own}"
        try:
            self._ask("PATCH", path, body)
        except Refused as refusal:
            if refusal.answer.get("code") != _ARCHIVED:
                raise
            self._ask("PATCH", f"/channels/{there}", {"archived": False})
            self._ask("PATCH", path, body)
        return post.stands

    def _write_privately(self, post: Post) -> str:
        try:
            there = self._private_channel(post.to)
            found = self._found(post, there) if post.unsure else ""
            return f"{there}/{found or self._send(there, post)}"
        except Refused as refusal:
            if refusal.answer.get("code") not in _REACHES_NOBODY:
                raise
            raise PostRefused(f"User {post.to} takes no private messages from us.") from refusal

    def _private_channel(self, account: str) -> str:
        """Return the private channel with somebody, which is opened if there is none."""
        return number(self._ask("POST", "/users/@me/channels", {"recipient_id": account}), "id")

    def _send(self, channel: str, post: Post) -> str:
        # Discord sends nothing twice that has the same nonce within minutes.
        nonce = sha256(post.message_id.encode()).hexdigest()[:25]
        body = _body(post) | {"nonce": nonce, "enforce_nonce": True}
        return number(self._ask("POST", f"/channels/{channel}/messages", body), "id")

    def _found(self, post: Post, channel: str, *, threadless: bool = False) -> str:
        """Return the number of a message that came through although it was interrupted, or "".

        `threadless`: no message on which a thread was begun is meant.
        """
        last = self._items(f"/channels/{channel}/messages?limit={LOOKED_AT}")
        if threadless:
            last = [one for one in last if "thread" not in one]
        ours = (one for one in last if one["author"]["id"] == self._self)
        # Discord changes blanks, so only the words are compared.
        words = post.body.split()
        return next((str(one["id"]) for one in ours if one["content"].split() == words), "")

    # --- what is asked of us ----------------------------------------------------------------------

    @reading_answers()
    def check(self) -> str:
        """Ask what the bot may do in the channel. Raises ChannelFault."""
        place = self._place
        if place["type"] not in (_TEXT, _NEWS, _FORUM):
            raise ChannelDown("The channel is no text channel and no forum.", refused=True)
        if lacks := self._lacks(place):
            raise ChannelDown(f"The bot lacks {', '.join(lacks)} in the channel.", refused=True)
        if self._play and not self._reads_content():
            raise ChannelDown(_NO_CONTENT, refused=True)
        return f"the bot may begin threads, read, reply and edit in #{place['name']}"

    @reading_answers()
    def obstacles(self) -> Sequence[str]:
        """Return which settings refuse orders or answers. Raises ChannelFault."""
        place, found = self._place, list[str]()
        if lacks := self._lacks(place):
            found.append(f"The bot lacks {', '.join(lacks)}: give its role these permissions.")
        if not self._reads_content():
            found.append(_NO_CONTENT)
        slow = place.get("rate_limit_per_user") or place.get("default_thread_rate_limit_per_user")
        if slow:
            found.append(
                f"Slow mode is on: players wait {slow} seconds between messages; set it to Off."
            )
        if place.get("flags", 0) & _TAG_NEEDED:
            found.append("The forum wants a tag for each post: switch that off, as we set none.")
        return found

    def _lacks(self, place: Mapping[str, Any]) -> list[str]:
        """Return the permissions that the bot lacks in the channel, as Discord shows them."""
        guild = self._ask("GET", f"/guilds/{place['guild_id']}")
        mine = self._ask("GET", f"/guilds/{place['guild_id']}/members/{self._self}")["roles"]
        held = {guild["id"], *mine}
        may = 0
        for role in guild["roles"]:
            may |= int(role["permissions"]) if role["id"] in held else 0
        if may & _ADMINISTRATOR or guild["owner_id"] == self._self:
            return []
        # Discord's order: everyone, all roles at once, then the member.
        for who in ({guild["id"]}, set(mine), {self._self}):
            rules = [one for one in place.get("permission_overwrites", ()) if one["id"] in who]
            for rule in rules:
                may &= ~int(rule["deny"])
            for rule in rules:
                may |= int(rule["allow"])
        needed = _NEEDED if place["type"] == _FORUM else _NEEDED | _THREADS
        return [name for name, bit in needed.items() if not may & bit]

    def _reads_content(self) -> bool:
        return bool(self._ask("GET", "/applications/@me").get("flags", 0) & _READS_CONTENT)

    def close(self) -> None:
        """Do nothing: no connection is kept."""

    @property
    def _place(self) -> dict[str, Any]:
        return self._ask("GET", f"/channels/{self._channel}")

    @cached_property
    def _is_forum(self) -> bool:
        return bool(self._place["type"] == _FORUM)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The bot's number, and what it is called."""
        found = self._ask("GET", "/users/@me")
        return str(found["id"]), str(found["username"])

    @property
    def _self(self) -> str:
        return self._names[0]

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        return self._patiently(lambda: self._web.ask(method, path, body))

    def _items(self, path: str) -> list[dict[str, Any]]:
        return self._patiently(lambda: self._web.items(path))

    def _patiently(self, asked: Callable[[], Answer]) -> Answer:
        """Ask, and wait where Discord says that a limit passes within seconds."""
        for _ in range(WAITS):
            try:
                return asked()
            except ChannelDown as down:
                # After a fault of the server's nobody knows what came through.
                if down.unsure or not 0 < down.after <= LONGEST_WAIT:
                    raise
                self._wait(down.after)
        return asked()

    # --- what others write ------------------------------------------------------------------------

    def news(self, cursor: str, watched: Collection[str]) -> Iterator[Portion]:
        """Yield new messages, thread by thread, then private ones, then what is watched."""
        with reading_answers():
            if cursor:
                read = _Read.of(cursor)
            else:
                begun = self._newest()
                read = _Read(ReadNumbers(begun), begun)
            for portion in self._new(read):
                cursor = portion.cursor
                yield portion
            if read.cursor() != cursor:
                yield Portion((), read.cursor())
            yield from self._later_forms(watched, read)

    def _new(self, read: _Read) -> Iterator[Portion]:
        """Yield what was not read yet, and settle then which numbers those are."""
        floor = read.numbers.floor
        for place in self._places(floor):
            yield from self._new_messages(read, place, floor)
        yield from self._private_messages(read)
        read.numbers.settle(SLACK)

    def _newest(self) -> int:
        places = [self._place, *self._active(), *islice(self._archived(0), PAGE)]
        return max(map(_last, places))

    def _places(self, floor: int) -> Iterator[str]:
        """Yield the channel and its threads, as far as something newer than `floor` is there."""
        place = self._place
        if place["type"] != _FORUM and _last(place) > floor:
            yield self._channel
        # First what is archived: a thread that is written in meanwhile becomes active.
        threads = {one["id"]: one for one in [*self._archived(floor), *self._active()]}
        yield from (own for own, thread in threads.items() if _last(thread) > floor)

    def _active(self) -> list[dict[str, Any]]:
        """Return the channel's public threads that are not archived."""
        found = self._ask("GET", f"/guilds/{self._guild}/threads/active")["threads"]
        return [
            thread
            for thread in found
            if thread.get("parent_id") == self._channel and thread["type"] in _PUBLIC_THREADS
        ]

    @cached_property
    def _guild(self) -> str:
        return str(self._place["guild_id"])

    def _archived(self, floor: int) -> Iterator[dict[str, Any]]:
        """Yield the public threads that were archived since a number was given, latest first."""
        before, since = "", _since(floor)
        while True:
            path = f"/channels/{self._channel}/threads/archived/public?limit={PAGE}{before}"
            page = self._ask("GET", path)
            for thread in page["threads"]:
                when = str(thread["thread_metadata"]["archive_timestamp"])
                if _time(when) < since:
                    return
                yield thread
                before = f"&before={_time(when).strftime('%Y-%m-%dT%H:%M:%S.%fZ')}"
            if not page.get("has_more") or not page["threads"]:
                return

    def _new_messages(
        self, read: _Read, channel: str, after: int, private: bool = False
    ) -> Iterator[Portion]:
        """Yield the messages of a channel or thread after a number that were not read yet."""
        while True:
            path = f"/channels/{channel}/messages?after={after}&limit={PAGE}"
            page = sorted(self._items(path), key=lambda one: int(one["id"]))
            new = [one for one in page if int(one["id"]) not in read.numbers.seen]
            for one in new:
                read.numbers.add(int(one["id"]))
                self._note_writer(read, one)
            if new:
                written = [one for one in new if one["type"] in _WRITTEN]
                yield Portion([self._raw(one, private) for one in written], read.cursor())
            if len(page) < PAGE:
                return
            after = int(page[-1]["id"])

    def _note_writer(self, read: _Read, message: Mapping[str, Any]) -> None:
        author = message["author"]
        if not author.get("bot") and not message.get("webhook_id"):
            # To the end, so that those who are silent longest are given up first.
            read.people[author["id"]] = read.people.pop(author["id"], "")
            if len(read.people) > PEOPLE:
                del read.people[next(iter(read.people))]

    def _private_messages(self, read: _Read) -> Iterator[Portion]:
        """Yield what those wrote to us who wrote in the channel: Discord lists no others."""
        known = {account: there for account, there in read.people.items() if there}
        for there in known.values():
            yield from self._new_messages(read, there, read.numbers.floor, private=True)
        for account in [one for one in read.people if one not in known][:OPENED]:
            try:
                there = self._private_channel(account)
            except Refused:
                # They are noted again when they write again.
                del read.people[account]
                continue
            # They may have written before we knew them.
            yield from self._new_messages(read, there, read.begun, private=True)
            read.people[account] = there

    def _raw(self, message: Mapping[str, Any], private: bool) -> bytes:
        kept = {key: message.get(key) for key in _KEPT}
        kept["author"] = {key: message["author"].get(key) for key in _AUTHOR}
        there = message["channel_id"]
        # In the channel itself each message may begin a thread, which gets its number.
        thread = message["id"] if there == self._channel else there
        return _bytes(message=kept, thread=thread, private=private, reader=self._names)

    def _later_forms(self, watched: Collection[str], read: _Read) -> Iterator[Portion]:
        """Yield what watched messages are now."""
        numbers = sorted(watched, key=lambda one: int(one.partition("/")[2]))
        private = set(read.people.values())
        for at in range(0, len(numbers), WATCHED):
            found = list[bytes]()
            for one in numbers[at : at + WATCHED]:
                found += self._later_form(one, one.partition("/")[0] in private)
            yield Portion(found, read.cursor())

    def _later_form(self, place: str, private: bool) -> Iterator[bytes]:
        channel, _, own = place.partition("/")
        # Nothing is known of what we may not see for now.
        with suppress(Refused):
            try:
                found = self._ask("GET", f"/channels/{channel}/messages/{own}")
            except Missing as missing:
                if missing.answer.get("code") not in (_NO_MESSAGE, _NO_CHANNEL):
                    raise ChannelDown(str(missing)) from missing
                # A message that is gone tells no time.
                seen = datetime.now(UTC).isoformat(timespec="seconds")
                yield _bytes(gone=place, private=private, seen=seen)
                return
            yield self._raw(found, private)


def _body(post: Post) -> dict[str, Any]:
    return {"content": post.body, "allowed_mentions": NOBODY, "flags": NO_PREVIEWS}


def _last(place: Mapping[str, Any]) -> int:
    """Return the number of a channel's or thread's last message, or its own."""
    return int(place.get("last_message_id") or place["id"])


def _since(floor: int) -> datetime:
    """Return the time that is in a number of Discord's, which count from the year 2015."""
    return datetime.fromtimestamp(((floor >> 22) + 1_420_070_400_000) / 1000, UTC)


def _bytes(**told: object) -> bytes:
    return json.dumps(told, sort_keys=True).encode()
