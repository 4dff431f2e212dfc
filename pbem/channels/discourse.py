"""A Discourse forum, over its API: a topic for each battle, and private messages."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import quote

from pbem.channels.channel import (
    Channel,
    ChannelDown,
    ChannelSettings,
    Home,
    Message,
    Portion,
    Post,
    PostDeferred,
)
from pbem.channels.markup import PostFormat
from pbem.channels.web import Missing, Web, number, wrong_url
from pbem.host.clock import wall_clock
from pbem.intake.post_text import new_words

LOOKED_AT = 5
"""How many of our last posts in a topic are searched for one that may have come through."""
SETTLED = 50
"""How many numbers below the last one are looked at again: a post may appear after later ones."""

_MAY_BEGIN_TOPICS = 1
"""What Discourse says of a category in which a user has all rights."""
_WRITTEN = 1
"""The type of a post that somebody wrote, and not of a notice or a whisper of the staff."""
_KEPT = (
    "id topic_id user_id username created_at updated_at version raw hidden user_deleted deleted_at"
    " yours"
).split()
"""What is kept of a post: nothing that changes while it is only read or liked."""

_Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscourseSettings(ChannelSettings):
    """The forum, who posts there with which key, and the category's number."""

    # Discourse takes 32,000 characters as it is installed.
    limit = 31_000
    private = True

    url: str
    user: str
    key_file: str
    category: int
    play: bool = False
    ca_file: str = ""

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts: Markdown with Discourse's own folds."""
        return PostFormat("markdown", "brackets")

    def wrong(self) -> str | None:
        """Return what is wrong with the URL, or None."""
        return wrong_url(self.url)

    def open(self, home: Home) -> Channel:
        """Return the channel."""
        headers = {"Api-Key": home.secret(self.key_file), "Api-Username": self.user}
        ca_file = str(home.path(self.ca_file)) if self.ca_file else None
        return Discourse(Web(self.url, headers, ca_file), self)

    def topic(self, stands: str) -> str:
        """Return the number of the topic in which a post is."""
        return stands.partition("/")[0]

    def message(self, raw: bytes) -> Message:
        """Return what a post says. Raises ValueError."""
        try:
            return _message(json.loads(raw), self.user)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"this is no post of Discourse: {error!r}") from error


class Discourse:
    """A post is found by its topic's number and its own, such as 17/203."""

    def __init__(self, web: Web, at: DiscourseSettings) -> None:
        self._web, self._at = web, at

    def publish(self, post: Post) -> str:
        """Make a topic, reply in one, write to an account, or change a post.

        Raises ChannelFault.
        """
        with _documented():
            if post.stands:
                # Only the text: a post that is edited keeps its topic and its title.
                own = post.stands.partition("/")[2]
                self._web.ask("PUT", f"/posts/{own}.json", {"post": {"raw": post.body}})
                return post.stands
            if post.unsure and (found := self._found(post)):
                return found
            place = self._place(post)
        made = self._web.ask("POST", "/posts.json", {"raw": post.body, **place})
        return number(made, "topic_id", "id")

    def check(self) -> str:
        """Ask what the key's user may do, and read what is read in play. Raises ChannelFault."""
        category = self._at.category
        with _documented():
            found = self._web.ask("GET", f"/c/{category}/show.json")["category"]
            if found.get("permission") != _MAY_BEGIN_TOPICS:
                raise _may_not(f"begin topics in category {category}")
            may = f"the user of the key may begin topics in category {category}"
            if not self._at.play:
                return may
            self._check_play()
            values = self._settings(self._user())
        unseen = [wish.setting for wish in WISHES if wish.setting not in values]
        return f"{may}, and read, edit and write private messages" + (
            f"; only an administrator can see {', '.join(unseen)}" if unseen else ""
        )

    def obstacles(self) -> Sequence[str]:
        """Return which settings of the site refuse orders or answers. Raises ChannelFault."""
        with _documented():
            user = self._user()
            values = self._settings(user)
            amiss = [
                f"{wish.setting} is {values[wish.setting]}: {wish.why}; set it to {wish.value}."
                for wish in WISHES
                if wish.setting in values and not wish.holds(str(values[wish.setting]).lower())
            ]
            return [*amiss, *_rank(self._at.user, user)]

    def news(self, cursor: str, watched: Collection[str]) -> Iterator[Portion]:
        """Yield the posts since a cursor, and the watched ones again. Raises ChannelFault."""
        with _documented():
            lists = self._lists()
            last = max(posts.last for posts in lists)
            if not cursor:
                yield Portion((), _Mark(last).cursor)
                return
            mark, again = _Mark.of(cursor), sorted(map(int, watched))
            high = mark.settled
            while high < last:
                # What is far behind is settled, and stored step by step; the rest is one step.
                far = last - mark.settled > 2 * SETTLED
                high = mark.settled + SETTLED if far else last
                new = self._new(lists, mark.settled, high, mark.known)
                mark.add(new)
                mark.settle(min(high, last - SETTLED), again)
                yield Portion([_raw(new[one]) for one in sorted(new) if new[one]], mark.cursor)
            forms = {one: self._again(lists, one, mark.known.get(one)) for one in again}
            if any(forms.values()):
                mark.add({one: form for one, form in forms.items() if form})
                yield Portion([_raw(form) for form in forms.values() if form], mark.cursor)

    def close(self) -> None:
        """Do nothing: no connection is kept."""

    # --- posting ---------------------------------------------------------------------------------

    def _place(self, post: Post) -> _Json:
        if post.root:
            return {"topic_id": int(self._at.topic(post.root))}
        named = {"title": post.title, "external_id": _external_id(post)}
        if not post.to:
            return named | {"category": self._at.category}
        to = self._username(post.to)
        return named | {"archetype": "private_message", "target_recipients": to}

    def _username(self, account: str) -> str:
        """Return the present name of an account. Raises PostDeferred."""
        users = self._ask(f"/user-cards.json?user_ids={account}")["users"]
        for one in users:
            if str(one["id"]) == account:
                return str(one["username"])
        raise PostDeferred(
            f"Account {account} is gone, or hides its profile from {self._at.user}; a moderator "
            "sees all profiles."
        )

    def _found(self, post: Post) -> str:
        """Return where a post is that came through although its attempt was interrupted, or ""."""
        try:
            if not post.root:
                # Discourse keeps an external id once, so a topic is found by it for certain.
                topic = self._web.ask("GET", f"/t/external_id/{_external_id(post)}.json")
                return f"{topic['id']}/{topic['post_stream']['stream'][0]}"
            # Our own posts alone: others may have written hundreds since.
            only = f"username_filters={quote(self._at.user)}"
            topic = self._web.ask("GET", f"/t/{self._at.topic(post.root)}.json?{only}")
        except Missing:
            return ""
        last = topic["post_stream"]["stream"][-LOOKED_AT:]
        here = (one for one in last if self._is(post, one))
        return next((f"{topic['id']}/{one}" for one in here), "")

    def _is(self, post: Post, own: int) -> bool:
        raw = self._web.ask("GET", f"/posts/{own}.json").get("raw", "")
        # Boards change blanks and line ends, so only the words are compared.
        return str(raw).split() == post.body.split()

    # --- asking what we may do -------------------------------------------------------------------

    def _check_play(self) -> None:
        user = self._user()
        if not user.get("can_create_topic"):
            raise _may_not("post: it is silenced, or its trust level is too low")
        if not user.get("can_send_private_messages"):
            raise _may_not("write private messages; put it into personal_message_enabled_groups")
        for posts in self._lists():
            for one in list(posts.latest)[:1]:
                self._ask(f"/posts/{one}.json")
        for topic in [one for one in self._begun("") if not one.get("archived")][-1:]:
            first = self._ask(f"/t/{topic['id']}.json")["post_stream"]["posts"][0]
            if first.get("yours") and not first.get("can_edit"):
                raise _may_not(f"edit its post {first['id']} any more; make it a moderator")

    def _user(self) -> _Json:
        found = self._ask("/session/current.json")["current_user"]
        if str(found["username"]).lower() != self._at.user.lower():
            raise ChannelDown(f"The key is {found['username']}'s.", refused=True)
        return dict(found)

    def _settings(self, user: _Json) -> _Json:
        """Return those of the forum's settings that our user can see."""
        values = self._ask("/site/settings.json")
        if user.get("admin"):
            listed = self._ask("/admin/site_settings.json")["site_settings"]
            values = values | {one["setting"]: one["value"] for one in listed}
        return values

    def _ask(self, path: str) -> _Json:
        """Return what everybody can read whose key may read all. Raises ChannelDown."""
        try:
            return self._web.ask("GET", path)
        except (Missing, PostDeferred) as error:
            raise _unreadable(path, error) from error

    # --- reading ---------------------------------------------------------------------------------

    def _lists(self) -> Sequence["_List"]:
        private = _List(self._ask, "private-posts", "private_posts")
        return private, _List(self._ask, "posts", "latest_posts")

    def _new(
        self, lists: Sequence["_List"], low: int, high: int, known: Collection[int]
    ) -> dict[int, _Json]:
        """Return the posts in a range that are not known yet; {} for one that is not for us."""
        private, public = (
            {
                one: post
                for one, post in posts.between(low, high).items()
                if one not in known and _is_written(post) and not post["hidden"]
            }
            for posts in lists
        )
        return self._public(public) | self._messages(private)

    def _public(self, posts: Mapping[int, _Json]) -> dict[int, _Json]:
        category = self._at.category
        here = {one: post for one, post in posts.items() if post["category_id"] == category}
        if len(here) < len(posts):
            # A battle goes on where a moderator has moved its topic.
            times = [p["created_at"] for one, p in posts.items() if one not in here]
            begun = {topic["id"] for topic in self._begun(min(times))}
            here |= {one: post for one, post in posts.items() if post["topic_id"] in begun}
        return {one: _kept(post, private=False) for one, post in here.items()}

    def _begun(self, since: str) -> Iterator[_Json]:
        """Yield the topics that we began, the last active first; without a time, thirty at most."""
        page = 0
        while True:
            path = f"/topics/created-by/{quote(self._at.user)}.json?page={page}"
            found = self._ask(path)["topic_list"]
            yield from found["topics"]
            # What is pinned comes first, however old it is.
            last = str(found["topics"][-1]["bumped_at"]) if found["topics"] else ""
            if not since or last < since or not found.get("more_topics_url"):
                return
            page += 1

    def _messages(self, posts: Mapping[int, _Json]) -> dict[int, _Json]:
        others, kept = dict[int, int | None](), dict[int, _Json]()
        for one, post in posts.items():
            topic = post["topic_id"]
            if not post["yours"] and topic not in others:
                others[topic] = self._others(topic)
            for_us = others.get(topic, 1)
            kept[one] = {} if for_us is None else _kept(post, private=for_us == 1)
        return kept

    def _others(self, topic: int) -> int | None:
        """Return how many beside us may read a private topic; None if we are not invited to it."""
        path = f"/t/{topic}.json"
        try:
            details = self._web.ask("GET", path)["details"]
        except Missing:
            # It was deleted since it was listed.
            return None
        except PostDeferred as error:
            raise _unreadable(path, error) from error
        readers = [str(one["username"]).lower() for one in details.get("allowed_users", ())]
        # An administrator is shown everybody's messages.
        if self._at.user.lower() not in readers:
            return None
        return len(readers) - 1 + len(details.get("allowed_groups", ()))

    def _again(self, lists: Sequence["_List"], one: int, alone: bool | None) -> _Json:
        """Return a post as it is now, or {} if it stands where we may not read.

        `alone` is whether it is private, if that is known.
        """
        private, public = (posts.latest.get(one) for posts in lists)
        post = private or public
        if post is None:
            try:
                post = self._web.ask("GET", f"/posts/{one}.json")
            except Missing:
                gone = {"id": one, "deleted_at": wall_clock().isoformat(), "private": bool(alone)}
                return dict.fromkeys(_KEPT) | gone
            except PostDeferred:
                return {}
        if alone is None:
            alone = not public and self._others(post["topic_id"]) == 1
        return _kept(post, private=alone)


class _Mark:
    """How far a forum has been read: the cursor.

    All posts up to the number `settled` are read; `known` are those above it that are as well, and
    the watched ones: whether each is private, None for one that is not for us.
    """

    def __init__(self, settled: int, known: Mapping[int, bool | None] | None = None) -> None:
        self.settled, self.known = settled, dict(known or {})

    @classmethod
    def of(cls, cursor: str) -> "_Mark":
        """Return the mark of a cursor."""
        found = json.loads(cursor)
        return cls(found["settled"], {int(one): alone for one, alone in found["known"].items()})

    @property
    def cursor(self) -> str:
        """Return the mark as a text."""
        return json.dumps({"settled": self.settled, "known": dict(sorted(self.known.items()))})

    def add(self, posts: Mapping[int, _Json]) -> None:
        """Take posts as read."""
        self.known |= {one: post.get("private") for one, post in posts.items()}

    def settle(self, high: int, watched: Collection[int]) -> None:
        """Wait no longer for posts up to a number, and forget them unless they are watched."""
        self.settled = max(self.settled, high)
        kept = {one for one in self.known if one > self.settled or one in watched}
        self.known = {one: self.known[one] for one in kept}


class _List:
    """One of the two lists of a forum's posts, whose last page has been read.

    A page holds the posts below a number, as many as the forum likes, in any order.
    """

    def __init__(self, ask: Callable[[str], _Json], name: str, key: str) -> None:
        self._ask, self._name, self._key = ask, name, key
        self.latest = self._page()

    @property
    def last(self) -> int:
        """Return the number of the last post."""
        return max(self.latest, default=0)

    def between(self, low: int, high: int) -> dict[int, _Json]:
        """Return the posts above a number up to another."""
        page, found = self.latest, dict[int, _Json]()
        if page and min(page) > low and self.last > high:
            page = self._page(high + 1)
        while True:
            found |= {one: post for one, post in page.items() if low < one <= high}
            if not page or min(page) <= low:
                return found
            earlier = self._page(min(page))
            if min(earlier, default=min(page)) >= min(page):
                return found
            page = earlier

    def _page(self, before: int = 0) -> dict[int, _Json]:
        path = f"/{self._name}.json" + (f"?before={before}" if before else "")
        return {int(post["id"]): post for post in self._ask(path)[self._key]}


class Wish(NamedTuple):
    """A setting of a forum, whether a value lets orders and answers through, what to set, and why.

    Each value is a text, in small letters.
    """

    setting: str
    holds: Callable[[str], bool]
    value: str
    why: str


def _most(limit: int) -> Callable[[str], bool]:
    return lambda value: int(value) <= limit


def _least(limit: int) -> Callable[[str], bool]:
    return lambda value: int(value) >= limit


WISHES = (
    # These can be read by everybody.
    Wish("min_post_length", _most(2), "2", "a shorter order, such as SCAN, is refused"),
    Wish("min_first_post_length", _most(2), "2", "a shorter order in a new topic is refused"),
    Wish("min_personal_message_post_length", _most(2), "2", "a shorter private order is refused"),
    Wish("max_post_length", _least(32_000), "32000", "the referee's longer posts are refused"),
    Wish(
        "personal_message_enabled_groups",
        lambda value: not {"0", "10"}.isdisjoint(value.split("|")),
        "trust_level_0",
        "new players can't write privately to the referee",
    ),
    # These can be read by an administrator alone.
    Wish("body_min_entropy", _most(2), "2", "an order of few different letters is refused"),
    Wish("title_min_entropy", _most(10), "10", "titles of battles are refused"),
    Wish("allow_uppercase_posts", lambda value: value == "true", "true", "SCAN is refused"),
    Wish("unique_posts_mins", _most(0), "0", "the same order soon again is refused"),
    Wish("max_consecutive_replies", _most(0), "0", "one more order in a row is refused"),
    Wish("min_first_post_typing_time", _most(0), "0", "who pastes a first order is silenced"),
    Wish("newuser_max_replies_per_topic", _least(100), "100", "a new player's next is refused"),
    Wish("max_replies_in_first_day", _least(100), "100", "a new player's next is refused"),
    Wish("rate_limit_new_user_create_post", _most(5), "5", "a new player must wait between orders"),
    Wish("rate_limit_create_post", _most(5), "5", "players must wait between orders"),
    Wish("approve_post_count", _most(0), "0", "a new player's orders wait for a moderator"),
)
"""The settings that may stand in the way of orders; most do where a forum is as installed."""


def _rank(name: str, user: _Json) -> Iterator[str]:
    """Yield a sentence if the referee's user has too many rights, or too few."""
    if user.get("admin"):
        yield (
            f"{name} is an administrator, whose key opens the private messages of all; let it be "
            "a moderator."
        )
    elif not user.get("moderator"):
        yield (
            f"{name} is no moderator: max_topics_per_day, max_personal_messages_per_day, "
            "max_edits_per_day and post_edit_time_limit hold for its posts; make it a moderator."
        )


@contextmanager
def _documented() -> Iterator[None]:
    """Raise ChannelDown where an answer has not the form that Discourse's documents tell."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ChannelDown(f"The forum answered what is not documented: {error!r}") from error


def _unreadable(path: str, error: Exception) -> ChannelDown:
    return ChannelDown(f"{path} can't be read: {error}", refused=True)


def _may_not(deed: str) -> ChannelDown:
    return ChannelDown(f"The user of the key may not {deed}.", refused=True)


def _is_written(post: _Json) -> bool:
    """Return whether a person wrote it: accounts of the forum itself have numbers below 0."""
    return post.get("post_type") == _WRITTEN and (post.get("user_id") or 0) > 0


def _kept(post: _Json, *, private: bool) -> _Json:
    """Return what is kept of a post."""
    # Of a hidden post the words may be missing.
    whole = {"raw": None} | post if post["hidden"] else post
    return {name: whole[name] for name in _KEPT} | {"private": private}


def _raw(post: _Json) -> bytes:
    return json.dumps(post).encode()


def _message(post: _Json, us: str) -> Message:
    deleted = any(post[name] for name in ("deleted_at", "user_deleted", "hidden"))
    version = _version(post)
    topic = post["topic_id"]
    return Message(
        room="posts",
        number=str(post["id"]),
        at=_time(post["deleted_at"] or post["updated_at" if version else "created_at"]),
        version=version,
        account=str(post["user_id"] or ""),
        name=str(post["username"] or ""),
        threads=(str(topic),) if topic else (),
        text="" if deleted else new_words(post["raw"], "markdown", [us]),
        private=post["private"],
        deleted=deleted,
        own=bool(post["yours"]),
    )


def _version(post: _Json) -> str:
    """Return which form of a post it is, "" for the first.

    Within the grace period Discourse counts no version, so the words count too.
    """
    if post["deleted_at"]:
        return "deleted"
    gone = bool(post["hidden"]), bool(post["user_deleted"])
    if post["version"] == 1 and post["updated_at"] == post["created_at"] and not any(gone):
        return ""
    form = repr((post["raw"], *gone)).encode()
    return f"{post['version']}-{sha256(form).hexdigest()[:8]}"


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(f"{text} names no zone")
    return time.astimezone(UTC)


def _external_id(post: Post) -> str:
    """Return the name under which Discourse keeps a topic once: 32 characters of the Message-ID."""
    return post.message_id[1:33]
