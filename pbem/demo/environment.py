"""The whole demo: mail servers, the referee's program, players, and every letter archived."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep

from pbem.demo.league import ADDRESS, PASSWORD, DemoFailed, DemoLeague, running_league
from pbem.demo.letter import ShownLetter
from pbem.demo.letter_archive import LetterArchive
from pbem.demo.mail_program import Mailer, Post
from pbem.demo.players import Role, Script
from pbem.demo.servers import embedded_servers

_LOOK = 0.05
_PATIENCE = 60.0


class Environment:
    """All that a duel by mail needs; `say` and `hear` archive every letter."""

    def __init__(self, post: Post, league: DemoLeague, archive: LetterArchive) -> None:
        self.post, self.league, self.archive = post, league, archive

    def say(self, mailer: Mailer, text: str, answering: ShownLetter | None = None) -> None:
        """Send a player's letter to the referee."""
        letter = mailer.write(text, ADDRESS, answering)
        self._tell(mailer, letter, to_referee=True)
        self.post.send(letter)

    def hear(self, mailer: Mailer) -> list[ShownLetter]:
        """Return the letters that came for a player."""
        letters = list(mailer.fresh())
        for letter in letters:
            self._tell(mailer, letter, to_referee=False)
        return letters

    def _tell(self, mailer: Mailer, letter: ShownLetter, *, to_referee: bool) -> None:
        card = self.archive.add(letter, to_referee=to_referee)
        way = "→" if to_referee else "←"
        print(f"{card.number:3}  {mailer.name:<12} {way} referee   {letter.subject}", flush=True)


class Actor:
    """A scripted player of the demo."""

    def __init__(self, demo: Environment, mailer: Mailer, part: Role) -> None:
        self._demo, self._mailer = demo, mailer
        self._script = Script(part)
        self._opening = part.opening
        self.heard: list[ShownLetter] = []

    def open(self) -> None:
        """Write the first letter."""
        self._demo.say(self._mailer, self._opening)

    def attend(self) -> bool:
        """Read the inbox and answer it; return whether anything had come."""
        letters = self._demo.hear(self._mailer)
        for letter in letters:
            text = self._script.answer(letter)
            if text is not None:
                self._demo.say(self._mailer, text, letter)
        self.heard += letters
        return bool(letters)

    def has_heard(self, subject: str) -> ShownLetter | None:
        """Return the letter with this subject among those that came, or None."""
        return next((letter for letter in self.heard if subject in letter.subject), None)


def play_until(demo: Environment, actors: Sequence[Actor], done: Callable[[], object]) -> None:
    """Let actors read and answer until `done` is true; raise DemoFailed after some time."""
    end = monotonic() + _PATIENCE
    while not done():
        if monotonic() > end:
            raise DemoFailed("the letter that was waited for did not come")
        # Otherwise a daemon that has ended would be waited for until the time is up.
        demo.league.check()
        # Not any(), which would stop at the first who has mail.
        if not sum(actor.attend() for actor in actors):
            sleep(_LOOK)


@contextmanager
def set_up(out: Path, *parts: Role, system: str = "") -> Iterator[tuple[Environment, list[Mailer]]]:
    """Set up the demo for some players, each with a mailbox, until the block ends.

    The league plays the system that is named, or the usual ones.
    """
    archive = LetterArchive(out)
    users = {part.address: f"kept by {part.address}" for part in parts}
    # Left in reverse order: the servers stop after those who are connected to them.
    with ExitStack() as stack:
        servers = stack.enter_context(embedded_servers(users | {ADDRESS: PASSWORD}))
        post = Post(servers)
        league = stack.enter_context(running_league(servers, system))
        mailers = [
            stack.enter_context(
                post.account(part.name, part.address, users[part.address], part.phone)
            )
            for part in parts
        ]
        try:
            yield Environment(post, league, archive), mailers
        except DemoFailed as error:
            archive.finish([f"The demo was broken off: {error}."])
            raise
