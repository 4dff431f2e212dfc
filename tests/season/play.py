"""A season from its first letter to its last post."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

from pbem.storage import Letter, Post
from tests.season.cast import Player
from tests.season.habits import NAMES, Habits, habits
from tests.season.plan import MODERATOR, Plan, Size
from tests.season.posters import Poster
from tests.season.rosters import Rosters
from tests.season.world import BEGIN, BOARD, Inbox, World, open_world
from tests.servers.inn import GROUP

GRACE = timedelta(days=40)
"""How much longer than planned a season may last until its last battle is over."""
OUTAGE = (0.3, 0.55)
"""Between these shares of the season the news server is down."""


@dataclass(repr=False)
class Season:
    """A season that was played: the world as it is left, and all who were in it."""

    world: World
    plan: Plan
    players: list[Player]
    outage_posts: int = 0
    bowed: bool = False

    def play(self) -> None:
        """Play until the time is up and every battle is over."""
        self.world.play(self._step)
        for player in self.players:
            player.collect()

    def _step(self) -> bool:
        """Act for everybody for one step, and return whether there is another."""
        now = self.world.clock.now
        self._weather(self.plan.share(now) / 1.25)
        if not self.bowed:
            for player in self.players:
                player.live()
        if self.plan.ended(now) and self.plan.complete:
            return self._close()
        return not self.plan.ended(now - GRACE)

    def _close(self) -> bool:
        """Ask for all sheets, and return whether to wait for the last letters and posts."""
        if self.bowed:
            waits = self._unposted() or self._unhandled()
            return bool(waits) and not self.plan.ended(self.world.clock.now - GRACE)
        for player in self.players:
            player.bow()
        self.bowed = True
        return True

    def _unposted(self) -> int:
        store = self.world.store
        return store.count(Post.select().where(Post.state == "queued")) + store.count(
            Post.select().where(Post.state == "sending")
        )

    def _unhandled(self) -> set[str]:
        """Return what the referee has not handled yet; Postfix may still have letters."""
        handled = self.world.store.all(
            Letter.select()
            .where(Letter.state.in_(["answered", "discarded", "filed"]))
            .order_by(Letter.id)
        )
        sent = {str(letter["Message-ID"]) for player in self.players for letter in player.sent}
        for player in self.players:
            if isinstance(player, Poster):
                sent |= {f"{BOARD} {GROUP} {one.ident}" for one in player.posts}
        return sent - {letter.message_id for letter in handled}

    def _weather(self, share: float) -> None:
        """Stop the news server for a while, and start it again."""
        inn = self.world.inn
        down = OUTAGE[0] <= share < OUTAGE[1]
        if down and inn.running_now:
            inn.stop()
        elif not down and not inn.running_now:
            self.outage_posts = self._unposted()
            inn.start()


@contextmanager
def open_season(folder: Path, size: Size, seed: int) -> Iterator[Season]:
    """Gather the players in a world of their own."""
    names = [MODERATOR, *NAMES[: size.players]]
    with open_world(folder, names, seed) as world, ExitStack() as stack:
        plan = Plan(size, BEGIN, seed)
        yield Season(world, plan, cast(world, plan, stack))


def cast(world: World, plan: Plan, stack: ExitStack) -> list[Player]:
    """Return all players, the moderator first."""
    moderator = _player(MODERATOR, Habits("bold", 1.0), world, plan, stack)
    made = [_player(name, own, world, plan, stack) for name, own in habits(plan)]
    return [moderator, *made]


def _player(name: str, own: Habits, world: World, plan: Plan, stack: ExitStack) -> Player:
    rng = Random(f"{name} plays {plan.seed}")
    rosters = Rosters(plan, own.temper, Random(f"{name} leads {plan.seed}"))
    kind = Poster if own.on_board else Player
    return kind(name, own, Inbox(world, name, stack), world, plan, rng, rosters)
