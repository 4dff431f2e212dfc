"""A web hook in Discord's form: a message for each post, in parts where it is long."""

from dataclasses import dataclass

from pbem.channels.channel import (
    Channel,
    ChannelDown,
    ChannelSettings,
    Home,
    Post,
    PostDeferred,
    PostRefused,
)
from pbem.channels.markup import PostFormat
from pbem.channels.web import Web, number, wrong_url

# Or a name such as @everyone would notify a whole server.
NOBODY: dict[str, list[str]] = {"parse": []}
"""Whom a message may notify: nobody."""
# Discord's SUPPRESS_EMBEDS: links in a story are not fetched and shown.
NO_PREVIEWS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings(ChannelSettings):
    """The file with the hook's URL; everyone who knows the URL may post."""

    # Discord takes 2,000 characters.
    limit = 1_900

    url_file: str
    ca_file: str = ""

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts: Discord's Markdown."""
        return PostFormat("markdown", "spoilers", headed=True)

    def wrong(self) -> str | None:
        """Return None: the URL is read when the hook is first used."""
        return None

    def open(self, home: Home) -> Channel:
        """Return the channel. Raise ChannelDown if the file holds no URL."""
        url = home.secret(self.url_file).strip()
        # The paths of messages are added to the URL, which a query would end.
        if wrong_url(url) or "?" in url:
            raise ChannelDown(f"{self.url_file} holds no web hook's https URL.", refused=True)
        ca_file = str(home.path(self.ca_file)) if self.ca_file else None
        return Webhook(Web(url, {}, ca_file))


class Webhook:
    """A post is found by its message's number."""

    def __init__(self, web: Web) -> None:
        self._web = web

    def publish(self, post: Post) -> str:
        """Send a message or change it. Raises ChannelFault.

        A hook can't be asked what it has, so a message that may have come through is not sent
        again.
        """
        message = {"content": post.body, "allowed_mentions": NOBODY, "flags": NO_PREVIEWS}
        if post.stands:
            self._web.ask("PATCH", f"/messages/{post.stands}", message)
            return post.stands
        if post.unsure:
            raise PostRefused("It may have come through, and a web hook can't be asked.")
        return number(self._web.ask("POST", "?wait=true", message), "id")

    def check(self) -> str:
        """Ask the hook about itself, as Discord's can be. Raises ChannelFault."""
        try:
            self._web.ask("GET", "")
        except PostDeferred as error:
            # Others in Discord's form may take posts alone.
            return f"the hook answers, and does not say whether it takes posts ({error})"
        return "the hook is there"

    def close(self) -> None:
        """Do nothing: no connection is kept."""
