"""A played board whose accounts have numbers, for tests that call people by their names."""

from collections.abc import Callable
from datetime import datetime

from tests.support.played_boards import PlayedBoard, Stood


class NamedBoard(PlayedBoard):
    """Passes on what is done under a name as done by an account; `set_clock` sets its time."""

    def __init__(
        self, board: PlayedBoard, accounts: dict[str, str], set_clock: Callable[[datetime], None]
    ) -> None:
        self.board, self.accounts, self._set_clock = board, accounts, set_clock

    @property
    def now(self) -> datetime:
        """What the board's clock was last set to."""
        return self._time

    @now.setter
    def now(self, time: datetime) -> None:
        self._time = time
        self._set_clock(time)

    def post(self, account: str, text: str, thread: str = "") -> str:
        """Post as an account in a thread, or begin one, and return the post's number."""
        return self.board.post(self.accounts[account], text, thread)

    def edit(self, number: str, text: str) -> None:
        """Edit a post where it stands, as its writer."""
        self.board.edit(number, text)

    def delete(self, number: str) -> None:
        """Delete a post, as its writer."""
        self.board.delete(number)

    def private(self, account: str, text: str) -> str:
        """Write to the referee alone, and return the message's number."""
        return self.board.private(self.accounts[account], text)

    def posts(self) -> list[Stood]:
        """Return all that stands there, the referee's posts too, oldest first."""
        names = {number: name for name, number in self.accounts.items()} | {"": ""}
        return [
            one._replace(account=names[one.account], to=names[one.to]) for one in self.board.posts()
        ]
