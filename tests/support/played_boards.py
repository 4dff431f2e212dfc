"""Boards on which tests write as players would."""

from typing import NamedTuple, Protocol


class Stood(NamedTuple):
    """A post as it stands on a board: who wrote it, in which thread, and to whom alone, if so."""

    account: str
    thread: str
    text: str
    to: str = ""


class PlayedBoard(Protocol):
    """A board that others write on as well. Threads are named as `ChannelSettings.topic` does."""

    def post(self, account: str, text: str, thread: str = "") -> str:
        """Post as an account in a thread, or begin one, and return the post's number."""

    def edit(self, number: str, text: str) -> None:
        """Edit a post where it stands, as its writer."""

    def delete(self, number: str) -> None:
        """Delete a post, as its writer."""

    def private(self, account: str, text: str) -> str:
        """Write to the referee alone, and return the message's number."""

    def posts(self) -> list[Stood]:
        """Return all that stands there, the referee's posts too, oldest first."""
