"""A forum like Discourse that tests write in."""

from datetime import datetime

from pbem.channels.discourse import DiscourseSettings
from tests.servers.discourse import CATEGORY, Discourse, User, Written
from tests.support.played_boards import PlayedBoard, Stood


class PlayedDiscourse(PlayedBoard):
    """The forum as players see it: each account by its name, opened when it is first named."""

    def __init__(self, forum: Discourse) -> None:
        self.forum = forum
        self.settings = DiscourseSettings(
            url=forum.url, user="referee", key_file="key", category=CATEGORY, play=True
        )

    @property
    def now(self) -> datetime:
        """Return the forum's time."""
        return self.forum.now

    @now.setter
    def now(self, time: datetime) -> None:
        self.forum.now = time

    def user(self, account: str) -> User:
        """Return an account, opened when it is first named."""
        known = {user.username: user for user in self.forum.users.values()}
        return known.get(account) or self.forum.register(40 + len(known), account, name="Ann")

    def post(self, account: str, text: str, thread: str = "") -> str:
        """Post as an account in a thread, or begin one, and return the post's number."""
        return str(self.forum.write(self.user(account), text, int(thread or 0)))

    def edit(self, number: str, text: str) -> None:
        """Edit a post where it stands, as its writer."""
        self.forum.edit(int(number), text)

    def delete(self, number: str) -> None:
        """Delete a post, as its writer."""
        self.forum.delete(int(number))

    def private(self, account: str, text: str) -> str:
        """Write to the referee alone, and return the message's number."""
        return str(self.forum.write(self.user(account), text, to=[self.forum.referee]))

    def posts(self) -> list[Stood]:
        """Return all that stands there, the referee's posts too, oldest first."""
        return [self._stood(one) for one in self.forum.written.values() if not one.deleted]

    def _stood(self, one: Written) -> Stood:
        topic = self.forum.topics[one.topic]
        to = [self.forum.users[user].username for user in topic.allowed if user != one.by]
        return Stood(self.forum.users[one.by].username, str(one.topic), one.raw, ",".join(to))
