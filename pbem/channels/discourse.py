"""A Discourse forum, over its API: a topic for each battle."""

from dataclasses import dataclass

from pbem.channels.channel import Channel, ChannelDown, ChannelSettings, Home, Post
from pbem.channels.web import Missing, Web, number, wrong_url
from pbem.text.markup import PostFormat

LOOKED_AT = 5
"""How many of a topic's last posts are searched for one that may have come through."""

_MAY_BEGIN_TOPICS = 1
"""What Discourse says of a category in which a user has all rights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscourseSettings(ChannelSettings):
    """The forum, who posts there with which key, and the category's number."""

    # Discourse takes 32,000 characters as it is installed.
    limit = 31_000

    url: str
    user: str
    key_file: str
    category: int
    ca_file: str = ""

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts: Markdown with Discourse's own folds."""
        return PostFormat("markdown", "discourse")

    def wrong(self) -> str | None:
        """Return what is wrong with the URL, or None."""
        return wrong_url(self.url)

    def open(self, home: Home) -> Channel:
        """Return the channel."""
        headers = {"Api-Key": home.secret(self.key_file), "Api-Username": self.user}
        ca_file = str(home.path(self.ca_file)) if self.ca_file else None
        return Discourse(Web(self.url, headers, ca_file), self.category)


class Discourse:
    """A post is found by its topic's number and its own, such as 17/203."""

    def __init__(self, web: Web, category: int) -> None:
        self._web, self._category = web, category

    def publish(self, post: Post) -> str:
        """Make a topic, reply in one, or change a post. Raises ChannelFault."""
        if post.stands:
            # Only the text: a post that is edited keeps its topic and its title.
            own = post.stands.partition("/")[2]
            self._web.ask("PUT", f"/posts/{own}.json", {"post": {"raw": post.body}})
            return post.stands
        if post.unsure and (found := self._found(post)):
            return found
        made = self._web.ask("POST", "/posts.json", {"raw": post.body, **self._place(post)})
        return number(made, "topic_id", "id")

    def check(self) -> str:
        """Ask what the key's user may do in the category. Raises ChannelFault."""
        found = self._web.ask("GET", f"/c/{self._category}/show.json").get("category", {})
        if found.get("permission") != _MAY_BEGIN_TOPICS:
            raise ChannelDown(
                f"The user of the key may not begin topics in category {self._category}.",
                refused=True,
            )
        return f"the user of the key may begin topics in category {self._category}"

    def close(self) -> None:
        """Do nothing: no connection is kept."""

    def _place(self, post: Post) -> dict[str, object]:
        if post.root:
            return {"topic_id": int(post.root.partition("/")[0])}
        return {
            "title": post.title,
            "category": self._category,
            "external_id": _external_id(post),
        }

    def _found(self, post: Post) -> str:
        """Return where a post is that came through although its attempt was interrupted, or ""."""
        try:
            if not post.root:
                # Discourse keeps an external id once, so a topic is found by it for certain.
                topic = self._web.ask("GET", f"/t/external_id/{_external_id(post)}.json")
                return f"{topic['id']}/{topic['post_stream']['stream'][0]}"
            topic = self._web.ask("GET", f"/t/{post.root.partition('/')[0]}.json")
        except Missing:
            return ""
        last = topic["post_stream"]["stream"][-LOOKED_AT:]
        here = (one for one in last if self._is(post, one))
        return next((f"{topic['id']}/{one}" for one in here), "")

    def _is(self, post: Post, own: int) -> bool:
        raw = self._web.ask("GET", f"/posts/{own}.json").get("raw", "")
        # Boards change blanks and line ends, so only the words are compared.
        return str(raw).split() == post.body.split()


def _external_id(post: Post) -> str:
    """Return the name under which Discourse keeps a topic once: 32 characters of the Message-ID."""
    return post.message_id[1:33]
