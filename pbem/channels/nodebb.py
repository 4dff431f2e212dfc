"""A NodeBB forum, over its write API (v3): a topic for each battle."""

from dataclasses import dataclass

from pbem.channels.channel import Channel, ChannelDown, ChannelSettings, Home, Post
from pbem.channels.web import Missing, Web, number, wrong_url
from pbem.text.markup import Format, PostFormat

LOOKED_AT = 5
"""How many of a topic's last posts are searched for one that may have come through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodebbSettings(ChannelSettings):
    """The forum, the token of the user who posts there, and the category's number."""

    # NodeBB takes 32,767 characters as it is installed.
    limit = 32_000

    url: str
    token_file: str
    category: int
    uid: int = 0
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
        return Nodebb(Web(self.url, headers, ca_file), self.category, self.uid)


class Nodebb:
    """A post is found by its topic's number and its own, such as 17/203."""

    def __init__(self, web: Web, category: int, uid: int) -> None:
        self._web, self._category = web, category
        # Only a master token acts for a user, and NodeBB then asks whose post it is.
        self._as = {"_uid": uid} if uid else {}

    def publish(self, post: Post) -> str:
        """Make a topic, reply in one, or change a post. Raises ChannelFault."""
        topic = post.root.partition("/")[0]
        if post.stands:
            own = post.stands.partition("/")[2]
            self._write("PUT", f"/posts/{own}", content=post.body)
            return post.stands
        if post.unsure and (found := self._found(post, topic)):
            return found
        if topic:
            made = self._write("POST", f"/topics/{topic}", content=post.body)
            return f"{topic}/{number(made, 'pid')}"
        made = self._write(
            "POST", "/topics", cid=self._category, title=post.title, content=post.body
        )
        return number(made, "tid", "mainPid")

    def check(self) -> str:
        """Ask what the token's user may do in the category. Raises ChannelFault."""
        query = f"?_uid={self._as['_uid']}" if self._as else ""
        found = self._web.ask("GET", f"/api/category/{self._category}{query}")
        may = found.get("privileges", {})
        if not all(may.get(right) for right in ("topics:create", "topics:reply")):
            raise ChannelDown(
                f"The user may not begin topics and reply in category {self._category}.",
                refused=True,
            )
        return f"the user may begin topics and reply in category {self._category}"

    def close(self) -> None:
        """Do nothing: no connection is kept."""

    def _write(self, method: str, path: str, **body: object) -> dict[str, object]:
        answer = self._web.ask(method, f"/api/v3{path}", body | self._as)
        return dict(answer["response"])

    def _found(self, post: Post, topic: str) -> str:
        """Return where a post is that came through although its attempt was interrupted, or ""."""
        try:
            if topic:
                read = self._web.ask("GET", f"/api/topic/{topic}?sort=newest_to_oldest")
                here = [(topic, one["pid"]) for one in read["posts"]]
            else:
                # NodeBB has no ids of ours, so the latest topics are compared by their words.
                read = self._web.ask("GET", f"/api/category/{self._category}")
                here = [(one["tid"], one["mainPid"]) for one in read["topics"]]
        except Missing:
            return ""
        return next((f"{tid}/{pid}" for tid, pid in here[:LOOKED_AT] if self._is(post, pid)), "")

    def _is(self, post: Post, own: int) -> bool:
        query = f"?_uid={self._as['_uid']}" if self._as else ""
        raw = self._web.ask("GET", f"/api/v3/posts/{own}/raw{query}")["response"]["content"]
        # Boards change blanks and line ends, so only the words are compared.
        return str(raw).split() == post.body.split()
