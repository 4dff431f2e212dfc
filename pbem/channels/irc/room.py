"""The room as a channel: one connection, which is kept, and what was heard on it."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from threading import Lock

from pbem.channels.channel import ChannelDown, Portion, Post, PostRefused
from pbem.channels.irc.connection import Connection
from pbem.channels.irc.session import Login, Session

MOST_UNREAD = 10_000
"""When so much was heard and not yet read, the connection is ended: nobody can answer it all."""
PORTION = 100
_CURSOR = "live"
"""The cursor of a room, which keeps nothing that one could read on from."""


class Irc:
    """Connects when it is first used, and again when it is used after the connection was lost."""

    def __init__(
        self, at: tuple[str, int], secure: bool, ca_file: str | None, login: Login, room: str
    ) -> None:
        self._at, self._secure, self._ca_file = at, secure, ca_file
        self._login, self._room = login, room
        self._unread = deque[bytes]()
        self._session: Session | None = None
        self._connecting = Lock()
        self._heard: Callable[[], None] = lambda: None
        self._topic = ""

    def attend(self, heard: Callable[[], None], topic: str) -> None:
        """Call `heard` from another thread when there may be news, and set the room's topic."""
        self._heard, self._topic = heard, topic

    def publish(self, post: Post) -> str:
        """Say a post's lines in the room, or to an account alone, and return its ident.

        What was being said when the connection or the program ended is not said again, since a
        room can't be asked what it has heard. Raises ChannelFault.
        """
        if post.unsure:
            raise PostRefused("It may have been said, and a chat room can't be asked.")
        session = self._connected()
        session.say(post.body, session.nick_of(post.to) if post.to else "")
        return post.ident

    def news(self, cursor: str, watched: Collection[str]) -> Iterator[Portion]:
        """Yield what was heard since the last look. Raises ChannelFault."""
        yield from self._portions()
        self._connected().tend(self._topic)
        yield from self._portions()

    def check(self) -> str:
        """Return that the room can be entered. Raises ChannelFault."""
        self._connected()
        return f"the referee is let into {self._room} as {self._login.user}"

    def obstacles(self) -> Sequence[str]:
        """Return what of the network and the room keeps the referee from its work."""
        return self._connected().obstacles()

    def close(self) -> None:
        """Leave, and close the connection."""
        with self._connecting:
            session, self._session = self._session, None
            if session:
                session.close()

    def _connected(self) -> Session:
        """Return the session, of a new connection if there is none. Raises ChannelDown."""
        with self._connecting:
            if (session := self._session) is not None and session.fault is not None:
                self._session = None
                session.close()
                # Only the next try connects again, so that there is a rest in between.
                raise session.fault
            if self._session is None:
                host, port = self._at
                link = Connection(self._at, self._secure, self._ca_file)
                self._session = Session(
                    *(link, f"{host}:{port}", self._login, self._room),
                    hear=self._keep,
                    changed=lambda: self._heard(),
                )
            return self._session

    def _keep(self, heard: bytes) -> None:
        if len(self._unread) >= MOST_UNREAD:
            raise ChannelDown("More was said than the referee can read.")
        self._unread.append(heard)

    def _portions(self) -> Iterator[Portion]:
        while said := [*islice(self._unread.copy(), PORTION)]:
            yield Portion(said, _CURSOR)
            # Only now: what could not be stored is handed over again.
            for _ in said:
                self._unread.popleft()
