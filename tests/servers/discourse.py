"""A forum that behaves as the documentation and the source of Discourse say, at its worst.

Players write on it by methods, as in a browser; the referee by its API alone.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers.boards import Answer, Board, need

CATEGORY = 5
INSTALLED: dict[str, Any] = {
    "min_post_length": 20,
    "min_first_post_length": 20,
    "min_personal_message_post_length": 10,
    "max_post_length": 32_000,
    "personal_message_enabled_groups": "11",
    "body_min_entropy": 7,
    "title_min_entropy": 10,
    "allow_uppercase_posts": False,
    "unique_posts_mins": 5,
    "max_consecutive_replies": 3,
    "min_first_post_typing_time": 3000,
    "newuser_max_replies_per_topic": 3,
    "max_replies_in_first_day": 10,
    "rate_limit_new_user_create_post": 30,
    "rate_limit_create_post": 5,
    "approve_post_count": 0,
    "editing_grace_period": 300,
    "max_personal_messages_per_day": 20,
}
"""The settings of a forum as it is installed."""
SEEN_BY_ALL = list(INSTALLED)[:5]
"""Those that everybody can read; the others only an administrator."""
EASY: dict[str, Any] = INSTALLED | {
    "min_post_length": 1,
    "min_first_post_length": 1,
    "min_personal_message_post_length": 1,
    "personal_message_enabled_groups": "10",
    "body_min_entropy": 0,
    "allow_uppercase_posts": True,
    "unique_posts_mins": 0,
    "max_consecutive_replies": 0,
    "min_first_post_typing_time": 0,
    "newuser_max_replies_per_topic": 1000,
    "max_replies_in_first_day": 1000,
    "rate_limit_new_user_create_post": 0,
    "rate_limit_create_post": 0,
}
"""The settings of a forum whose moderator has read our docs."""

NOT_FOUND = 404, {"errors": ["It could not be found."], "error_type": "not_found"}
FORBIDDEN = 403, {"errors": ["You are not permitted to."], "error_type": "invalid_access"}


class NotTaken(Exception):
    """What the forum says to somebody whose post it does not take."""


@dataclass
class User:
    """An account; `trust` is its level, 0 for a new one. `name` is what anybody may choose."""

    id: int
    username: str
    name: str = ""
    trust: int = 1
    moderator: bool = False
    admin: bool = False
    silenced: bool = False
    profile_hidden: bool = False
    last: datetime = datetime(2000, 1, 1, tzinfo=UTC)

    @property
    def staff(self) -> bool:
        """Return whether hardly any limit holds for it."""
        return self.moderator or self.admin


@dataclass
class Topic:
    """A topic: in a category, or between accounts."""

    id: int
    title: str
    by: int
    category: int | None
    allowed: list[int] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    bumped: datetime = datetime(2000, 1, 1, tzinfo=UTC)
    listed: bool = True
    archived: bool = False


@dataclass
class Written:
    """A post; `kind` is 1 for what somebody wrote, 3 for a small action, 4 for a whisper."""

    id: int
    topic: int
    by: int
    raw: str
    created: datetime
    updated: datetime
    kind: int = 1
    version: int = 1
    hidden: bool = False
    user_deleted: bool = False
    deleted: datetime | None = None
    committed: bool = True


class Discourse(Board):
    """The forum. Its time stands still but for `later`; its pages are shorter than real ones."""

    def __init__(self) -> None:
        super().__init__()
        self.settings = dict(INSTALLED)
        self.now = datetime(2026, 11, 29, 12, tzinfo=UTC)
        self.page = 20
        self.upside_down = False
        self.referee = User(3, "referee", "The Referee", trust=1, moderator=True)
        self.users = {3: self.referee, -1: User(-1, "system", trust=4, admin=True)}
        self.topics = dict[int, Topic]()
        self.written = dict[int, Written]()
        self.queue = list[tuple[int, str]]()
        self.asked = list[str]()
        self.forbidden = list[str]()
        self._next = 100
        self._instead = list[tuple[str, Answer]]()
        self._externals = dict[str, int]()
        self._remembered = dict[str, tuple[datetime, Answer]]()
        self._reads = 0

    # --- what people do ---------------------------------------------------------------------------

    def later(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)

    def register(self, id: int, username: str, **more: Any) -> User:
        """Open an account."""
        self.users[id] = User(id, username, **more)
        return self.users[id]

    def write(
        self,
        user: User,
        raw: str,
        topic: int = 0,
        title: str = "",
        to: Iterable[User] = (),
        category: int = CATEGORY,
        typed: float = 10,
        kind: int = 1,
    ) -> int:
        """Post in a topic or begin one, also between accounts, and return the post's number.

        `typed` are the seconds that it took to type. Raises NotTaken.
        """
        allowed = sorted({user.id, *(one.id for one in to)}) if to else []
        made = topic or self._topic(user, title or "A topic of somebody", allowed, category)
        first = not topic
        if problem := self._problem(user, self.topics[made], raw, first, typed):
            raise NotTaken(problem)
        return self._put(user, made, raw, kind)

    def edit(self, post: int, raw: str, by: User | None = None) -> None:
        """Edit a post: within the grace period without a trace, but for the time of the change."""
        one = self.written[post]
        grace = timedelta(seconds=self.settings["editing_grace_period"])
        if self.now - one.updated > grace or (by and by.id != one.by):
            one.version += 1
        one.raw, one.updated = raw, self.now

    def delete(self, post: int, by: User | None = None) -> None:
        """Delete a post: as its author, so that a stub stays for a day, or as a moderator."""
        one = self.written[post]
        if by is None or by.id == one.by:
            one.version += 1
            one.raw, one.user_deleted, one.updated = "(post deleted by author)", True, self.now
        else:
            one.deleted = self.now

    def hide(self, post: int, hidden: bool = True) -> None:
        """Hide a post because of flags, or show it again."""
        self.written[post].hidden = hidden

    def move(self, post: int, topic: int) -> None:
        """Move a post into another topic."""
        self.written[post].topic = topic
        self.topics[topic].bumped = self.now

    def instead(self, path: str, *answers: Answer) -> None:
        """Give these answers to the next requests whose path begins so, one each."""
        self._instead += [(path, answer) for answer in answers]

    # --- what the forum takes ---------------------------------------------------------------------

    def _problem(self, user: User, topic: Topic, raw: str, first: bool, typed: float) -> str:
        """Return why a post is not taken, or nothing."""
        known = self.settings
        private = topic.category is None
        earlier = [one for one in self.written.values() if one.by == user.id]
        if user.silenced and not (private and user.id in topic.allowed):
            return "You are silenced."
        if private and first and not self._may_send(user):
            return "You can't send personal messages."
        kind = "personal_message_post" if private else "first_post" if first else "post"
        if len(raw.strip()) < known[f"min_{kind}_length"]:
            return f"Body is too short (minimum is {known[f'min_{kind}_length']} characters)"
        if len(raw) > known["max_post_length"]:
            return f"Body is limited to {known['max_post_length']} characters"
        loud = raw == raw.upper() != raw.lower() and not known["allow_uppercase_posts"]
        if loud or len(set(raw)) < known["body_min_entropy"]:
            return "Body seems unclear, is it a complete sentence?"
        if user.staff:
            return ""
        wait = "rate_limit_new_user_create_post" if user.trust == 0 else "rate_limit_create_post"
        if (self.now - user.last).total_seconds() < known[wait]:
            return "You're posting too quickly."
        since = self.now - timedelta(minutes=known["unique_posts_mins"])
        if any(one.raw == raw and one.created > since for one in earlier):
            return "Body is too similar to what you recently posted"
        here = [one for one in self.written.values() if one.topic == topic.id]
        most = known["max_consecutive_replies"]
        last = [one.by for one in here[-most:]] if most and not private else []
        if user.id != topic.by and last == [user.id] * most != []:
            return f"No more than {most} consecutive replies are allowed."
        replies = [one for one in here if one.by == user.id]
        if user.trust == 0 and not private:
            if user.id != topic.by and len(replies) >= known["newuser_max_replies_per_topic"]:
                return "New users are temporarily limited in replies in the same topic."
            if len(earlier) >= known["max_replies_in_first_day"]:
                return "You've reached the maximum number of replies a new user can create."
            if not earlier and typed * 1000 < known["min_first_post_typing_time"]:
                user.silenced = True
                self.queue.append((user.id, raw))
                return "Your post needs approval."
            if len(earlier) < known["approve_post_count"]:
                self.queue.append((user.id, raw))
                return "Your post needs approval."
        return ""

    def _may_send(self, user: User) -> bool:
        groups = str(self.settings["personal_message_enabled_groups"]).split("|")
        levels = {str(10 + level) for level in range(user.trust + 1)}
        return user.staff or not levels.isdisjoint(groups)

    def _topic(self, user: User, title: str, allowed: list[int], category: int | None) -> int:
        topic = 10 + len(self.topics)
        self.topics[topic] = Topic(topic, title, user.id, None if allowed else category, allowed)
        return topic

    def _put(self, user: User, topic: int, raw: str, kind: int = 1) -> int:
        self._next += 1
        self.written[self._next] = Written(
            self._next, topic, user.id, raw, self.now, self.now, kind
        )
        self.topics[topic].bumped = user.last = self.now
        return self._next

    # --- the API ----------------------------------------------------------------------------------

    def act(self, method: str, path: str, headers: Any, body: Any) -> Answer:
        """Answer the referee's requests."""
        self.asked.append(f"{method} {path}")
        for at, (start, answer) in enumerate(self._instead):
            if path.startswith(start):
                del self._instead[at]
                return answer
        if headers["Api-Key"] != "k3y" or headers["Api-Username"] != self.referee.username:
            return *FORBIDDEN, {}
        if any(path.startswith(start) for start in self.forbidden):
            return *FORBIDDEN, {}
        at = urlsplit(path)
        asked = {key: values[0] for key, values in parse_qs(at.query).items()}
        if method == "POST" and path == "/posts.json":
            return self._make(body)
        if method == "PUT":
            return self._change(int(path.removeprefix("/posts/").removesuffix(".json")), body)
        for pattern, answered in self._pages.items():
            if found := re.fullmatch(pattern, at.path):
                return answered(self, asked, *found.groups())
        return *NOT_FOUND, {}

    def _make(self, body: dict[str, Any]) -> Answer:
        """Make a post; the same request is answered the same for two minutes."""
        told = json.dumps(body, sort_keys=True)
        if told in self._remembered and self.now - self._remembered[told][0] < timedelta(minutes=2):
            return self._remembered[told][1]
        answer = self._made(dict(body))
        self._remembered[told] = self.now, answer
        return answer

    def _made(self, body: dict[str, Any]) -> Answer:
        us, raw = self.referee, body.pop("raw")
        topic = body.pop("topic_id", 0)
        first = not topic
        if topic:
            need(not body, "a reply has a topic_id and raw")
            if topic not in self.topics:
                return 422, {"errors": ["The requested topic could not be found."]}, {}
        else:
            allowed = list[int]()
            if body.pop("archetype", "") == "private_message":
                name = body.pop("target_recipients")
                to = [one.id for one in self.users.values() if one.username == name]
                if not to:
                    return 422, {"errors": ["You must select a valid user."]}, {}
                allowed = [us.id, *to]
                need(set(body) == {"title", "external_id"}, "a message's keys")
            else:
                need(set(body) == {"title", "external_id", "category"}, "a topic's keys")
                need(len(body["title"]) >= 15 and body["category"] == CATEGORY, "title, category")
            if not (0 < len(body["external_id"]) <= 50) or body["external_id"] in self._externals:
                return 422, {"errors": ["External ID has already been taken"]}, {}
            topic = self._topic(us, body["title"], allowed, CATEGORY)
        if problem := self._problem(us, self.topics[topic], raw, first, 0):
            if first:
                del self.topics[topic]
            return 422, {"action": "create_post", "errors": [problem]}, {}
        if first:
            self._externals[body["external_id"]] = topic
        post = self._put(us, topic, raw)
        if self.topics[topic].category is not None:
            self.titles[topic] = self.topics[topic].title
            self.posts[post] = topic, raw
            war = "state of the war" in self.titles[topic]
            self.last_change = raw if war else self.last_change
        return 200, self._shown(self.written[post]), {}

    def _change(self, number: int, body: dict[str, Any]) -> Answer:
        need(set(body) == {"post"} and set(body["post"]) == {"raw"}, "post[raw] is wanted")
        if number not in self.written:
            return *NOT_FOUND, {}
        if not self._may_edit(self.written[number]):
            return 422, {"errors": ["This post was created too long ago to edit."]}, {}
        self.edit(number, body["post"]["raw"])
        if number in self.posts:
            self.change(number, body["post"]["raw"])
        return 200, {"post": self._shown(self.written[number])}, {}

    def _may_edit(self, one: Written) -> bool:
        fresh = self.now - one.created < timedelta(days=1)
        return one.by == self.referee.id and (fresh or self.referee.staff)

    def _sees(self, one: Written) -> bool:
        topic = self.topics[one.topic]
        mine = self.referee.admin or topic.category is not None
        return one.committed and (mine or self.referee.id in topic.allowed)

    def _shown(self, one: Written, listed: bool = False) -> dict[str, Any]:
        """Return a post as the forum tells it; some of it changes each time."""
        self._reads += 1
        user, topic = self.users[one.by], self.topics[one.topic]
        here = [each.id for each in self.written.values() if each.topic == one.topic]
        shown = {
            "id": one.id,
            "name": user.name,
            "username": user.username,
            "user_id": user.id,
            "created_at": _told(one.created),
            "updated_at": _told(one.updated),
            "cooked": f"<p>{one.raw}</p>",
            "raw": one.raw,
            "post_number": here.index(one.id) + 1,
            "post_type": one.kind,
            "version": one.version,
            "topic_id": one.topic,
            "reads": self._reads,
            "yours": user is self.referee,
            "can_edit": self._may_edit(one),
            "hidden": one.hidden,
            "user_deleted": one.user_deleted,
            "deleted_at": one.deleted and _told(one.deleted),
        }
        if one.hidden and not self.referee.staff:
            del shown["raw"]
        return shown | ({"category_id": topic.category} if listed else {})

    def _list(self, asked: dict[str, str], which: str) -> Answer:
        private = which == "private-posts"
        before = int(asked.get("before", 0)) or self._next + 1
        seen = [
            one
            for one in self.written.values()
            if self._sees(one)
            and not one.deleted
            and one.id < before
            and (self.topics[one.topic].category is None) == private
            and self.topics[one.topic].listed
            and (private or one.kind == 1)
        ]
        last = sorted(seen, key=lambda one: one.id)[-self.page :]
        posts = [self._shown(one, listed=True) for one in last]
        key = "private_posts" if private else "latest_posts"
        return 200, {key: posts if self.upside_down else posts[::-1]}, {}

    def _one(self, asked: dict[str, str], number: str) -> Answer:
        one = self.written.get(int(number))
        if one is None or (one.deleted and not self.referee.staff):
            return *NOT_FOUND, {}
        return (200, self._shown(one), {}) if self._sees(one) else (*FORBIDDEN, {})

    def _whole(self, asked: dict[str, str], number: str) -> Answer:
        topic = self.topics.get(int(number))
        if topic is None:
            return *NOT_FOUND, {}
        names = asked.get("username_filters", "").split(",")
        here = [
            one
            for one in self.written.values()
            if one.topic == topic.id
            and not one.deleted
            and (names == [""] or self.users[one.by].username in names)
        ]
        details: dict[str, Any] = {"created_by": {"id": topic.by}}
        if topic.category is None:
            users = [self.users[one] for one in topic.allowed]
            details["allowed_users"] = [{"id": u.id, "username": u.username} for u in users]
            details["allowed_groups"] = [{"name": name} for name in topic.groups]
        stream = {
            "posts": [self._shown(one) for one in here[:20]],
            "stream": [one.id for one in here],
        }
        kind = "regular" if topic.category else "private_message"
        shown = {"id": topic.id, "archetype": kind, "category_id": topic.category}
        return 200, shown | {"post_stream": stream, "details": details}, {}

    def _external(self, asked: dict[str, str], name: str) -> Answer:
        if name not in self._externals:
            return *NOT_FOUND, {}
        return 301, {}, {"Location": f"{self.url}/t/{self._externals[name]}.json"}

    def _category(self, asked: dict[str, str], number: str) -> Answer:
        if int(number) != CATEGORY:
            return *NOT_FOUND, {}
        permission = 1 if self.may_begin_topics else None
        return 200, {"category": {"id": CATEGORY, "permission": permission}}, {}

    def _begun(self, asked: dict[str, str], name: str) -> Answer:
        page = int(asked.get("page", 0))
        begun = [
            one
            for one in self.topics.values()
            if self.users[one.by].username == name and one.category is not None
        ]
        begun.sort(key=lambda one: (one.bumped, one.id), reverse=True)
        listed = [
            {"id": one.id, "bumped_at": _told(one.bumped), "archived": one.archived}
            for one in begun[page * 3 : page * 3 + 3]
        ]
        more = {"more_topics_url": "/more"} if len(begun) > page * 3 + 3 else {}
        return 200, {"topic_list": {"topics": listed} | more}, {}

    def _current(self, asked: dict[str, str]) -> Answer:
        us = self.referee
        shown = {
            "id": us.id,
            "username": us.username,
            "trust_level": us.trust,
            "moderator": us.moderator,
            "admin": us.admin,
            "can_create_topic": not us.silenced,
            "can_send_private_messages": self._may_send(us) and not us.silenced,
        }
        return 200, {"current_user": shown}, {}

    def _cards(self, asked: dict[str, str]) -> Answer:
        ids = [int(one) for one in asked["user_ids"].split(",")]
        users = [self.users[one] for one in ids if one in self.users]
        shown = [u for u in users if not u.profile_hidden or self.referee.staff]
        return 200, {"users": [{"id": u.id, "username": u.username} for u in shown]}, {}

    def _client_settings(self, asked: dict[str, str]) -> Answer:
        return 200, {name: self.settings[name] for name in SEEN_BY_ALL}, {}

    def _all_settings(self, asked: dict[str, str]) -> Answer:
        if not self.referee.admin:
            return *NOT_FOUND, {}
        values = [{"setting": name, "value": str(v).lower()} for name, v in self.settings.items()]
        return 200, {"site_settings": values}, {}

    _pages: dict[str, Callable[..., Answer]] = {  # noqa: RUF012 - the methods above, by their paths
        r"/(posts|private-posts)\.json": _list,
        r"/posts/(\d+)\.json": _one,
        r"/t/external_id/([^/]+)\.json": _external,
        r"/t/(\d+)\.json": _whole,
        r"/c/(\d+)/show\.json": _category,
        r"/topics/created-by/([^/]+)\.json": _begun,
        r"/session/current\.json": _current,
        r"/user-cards\.json": _cards,
        r"/site/settings\.json": _client_settings,
        r"/admin/site_settings\.json": _all_settings,
    }


def _told(time: datetime) -> str:
    """Return a time as Rails writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z")
