"""The stage: mail servers, the referee's program, players, and the album with every letter."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep

from pbem.demo.album import Album
from pbem.demo.cast import Part, Script
from pbem.demo.letter import Letter
from pbem.demo.mailer import Mailer, Post
from pbem.demo.servers import embedded_servers
from pbem.demo.work import ADDRESS, PASSWORD, DemoFailed, Work, league_at_work

_LOOK = 0.05
_PATIENCE = 60.0


class Stage:
    """All that a duel by mail needs; `say` and `hear` put every letter into the album."""

    def __init__(self, post: Post, work: Work, album: Album) -> None:
        self.post, self.work, self.album = post, work, album

    def say(self, mailer: Mailer, text: str, answering: Letter | None = None) -> None:
        """Send a player's letter to the referee."""
        letter = mailer.write(text, ADDRESS, answering)
        self._tell(mailer, letter, to_referee=True)
        self.post.send(letter)

    def hear(self, mailer: Mailer) -> list[Letter]:
        """Return the letters that came for a player."""
        letters = list(mailer.fresh())
        for letter in letters:
            self._tell(mailer, letter, to_referee=False)
        return letters

    def _tell(self, mailer: Mailer, letter: Letter, *, to_referee: bool) -> None:
        card = self.album.add(letter, to_referee=to_referee)
        way = "→" if to_referee else "←"
        print(f"{card.number:3}  {mailer.name:<12} {way} referee   {letter.subject}", flush=True)


class Actor:
    """A scripted player on the stage."""

    def __init__(self, stage: Stage, mailer: Mailer, part: Part) -> None:
        self._stage, self._mailer = stage, mailer
        self._script = Script(part)
        self._opening = part.opening
        self.heard: list[Letter] = []

    def open(self) -> None:
        """Write the first letter."""
        self._stage.say(self._mailer, self._opening)

    def attend(self) -> bool:
        """Read the inbox and answer it; return whether anything had come."""
        letters = self._stage.hear(self._mailer)
        for letter in letters:
            text = self._script.answer(letter)
            if text is not None:
                self._stage.say(self._mailer, text, letter)
        self.heard += letters
        return bool(letters)

    def has_heard(self, subject: str) -> Letter | None:
        """Return the letter with this subject among those that came, or None."""
        return next((letter for letter in self.heard if subject in letter.subject), None)


def play_until(stage: Stage, actors: Sequence[Actor], done: Callable[[], object]) -> None:
    """Let actors read and answer until `done` is true; raise DemoFailed after some time."""
    end = monotonic() + _PATIENCE
    while not done():
        if monotonic() > end:
            raise DemoFailed("the letter that was waited for did not come")
        # Otherwise a daemon that has ended would be waited for until the time is up.
        stage.work.check()
        # Not any(), which would stop at the first who has mail.
        if not sum(actor.attend() for actor in actors):
            sleep(_LOOK)


@contextmanager
def staged(out: Path, *parts: Part, system: str = "") -> Iterator[tuple[Stage, list[Mailer]]]:
    """Set the stage for some players, each with a mailbox, until the block ends.

    The league plays the system that is named, or the usual ones.
    """
    album = Album(out)
    users = {part.address: f"kept by {part.address}" for part in parts}
    # Left in reverse order: the servers stop after those who are connected to them.
    with ExitStack() as stack:
        servers = stack.enter_context(embedded_servers(users | {ADDRESS: PASSWORD}))
        post = Post(servers)
        work = stack.enter_context(league_at_work(servers, system))
        mailers = [
            stack.enter_context(
                post.account(part.name, part.address, users[part.address], part.phone)
            )
            for part in parts
        ]
        try:
            yield Stage(post, work, album), mailers
        except DemoFailed as error:
            album.finish([f"The demo was broken off: {error}."])
            raise
