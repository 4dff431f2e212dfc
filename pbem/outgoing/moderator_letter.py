"""The moderator's daily letter: what needs a decision; no letter on a day without any."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta

from engine.i18n import say
from pbem.outgoing import reachability, strangers
from pbem.outgoing.digest import last_hour
from pbem.outgoing.outbox import Outbox
from pbem.people import nominations
from pbem.settings import Settings
from pbem.storage import (
    Game,
    Outgoing,
    Persona,
    Post,
    Store,
    clock_jumps,
    queues,
    stored_games,
    stored_letters,
)

SENT = "briefing"
"""The key in the database for the hour up to which the moderator was notified."""
DAY = timedelta(days=1)
OVERDUE = timedelta(days=7)
"""A game is overdue if it was paused, or its deadline passed, this long ago."""


def send_due(outbox: Outbox, now: datetime, more: Callable[[], Iterable[str]] = tuple) -> bool:
    """Write the day's letter once its hour has come; return whether there was any to write.

    The hour is saved, so that a day has one letter also across restarts. The letter reports on
    sending, too, so it is not part of the rounds that can be replayed (decision 0008).
    """
    store, settings = outbox.store, outbox.settings
    bound = last_hour(now, settings.watch.briefing_hour, settings.league.zone).isoformat()
    known = store.meta(SENT)
    waits = clock_jumps.waits_until(store, now) is not None
    if waits or not settings.league.moderator or known == bound:
        return False
    # The first time only the hour is saved: a new league has a day before its first letter.
    items = [*decisions(store, settings, now), *more()] if known is not None else []
    with store.transaction():
        # With the letter in one transaction, so that a crash neither loses it nor sends two.
        store.set_meta(SENT, bound)
        if items:
            outbox.write_moderator("briefing", now, (bound,), items=items)
    return bool(items)


def decisions(store: Store, settings: Settings, now: datetime) -> Iterator[str]:
    """Yield what waits for the moderator, a sentence each."""
    yield from _nominations(store)
    yield from _games(store, now)
    for player, since in reachability.all_out_of_reach(store, settings):
        yield say(
            "letters to {name} have come back since {day}", name=player.name, day=since.date()
        )
    if shunted := stored_letters.count(store, state="shunted"):
        yield say(
            "letters that the program set aside: {count}; pbem shunted list names them, and"
            " pbem shunted retry with a number tries one again",
            count=shunted,
        )
    # Only once: most that nobody confirms are forged, and wait for nothing.
    if held := stored_letters.letters(store, kept__gt=now - DAY, state="held"):
        yield say(
            "letters that your mail server disowned, held until their players say YES: {numbers};"
            " pbem held list says more, and GM RELEASE LETTER {first} reads one as if it had been"
            " confirmed",
            numbers=[letter.id for letter in held],
            first=held[0].id,
        )
    if failed := queues.count(store, Outgoing, state="failed"):
        yield say(
            "letters that could not be sent: {count}; pbem outbox list says why, and pbem outbox"
            " retry with a number tries one again",
            count=failed,
        )
    if refused := queues.count(store, Post, state="failed"):
        yield say(
            "posts that their boards refused: {count}; pbem posts list says why, and pbem posts"
            " retry with a number tries one again",
            count=refused,
        )
    yield from _waiting(store, settings, now)
    # Of yesterday and today: `counted_since` leaves out the day that it is asked from.
    if unanswered := store.counted_since(strangers.UNANSWERED, now - 2 * DAY):
        yield say(
            "strangers wrote more than is answered in a day; letters without an answer: {count}",
            count=unanswered,
        )


def _nominations(store: Store) -> Iterator[str]:
    for one in nominations.still_open(store):
        yield say(
            "nomination {number}, of {pilot} for game {game}, waits for the endorsements of"
            " players",
            number=one.id,
            pilot=store.get(Persona, one.persona_id).name,
            game=one.game_id,
        )


def _games(store: Store, now: datetime) -> Iterator[str]:
    for game in stored_games.games(store, major="asked"):
        yield say(
            "game {game} is proposed as a major battle; answer with GM MAJOR {game} or"
            " GM NO MAJOR {game}",
            game=game.id,
        )
    for game in stored_games.games(store, running=True, practice=False):
        if _is_overdue(game, now):
            yield say(
                "game {game} stands still: paused, or its deadline is long past", game=game.id
            )
        for place in stored_games.places(store, game=game.id, vacant=True):
            yield say(
                "in game {game} the place of {seat} is open, and nobody has taken it over",
                game=game.id,
                seat=place.seat,
            )


def _is_overdue(game: Game, now: datetime) -> bool:
    """Return whether nothing can have happened in a game for a long time."""
    # A game that is paused has no deadline, so its age counts from when its turn opened.
    moment = game.deadline or game.opened
    return moment is not None and now - moment > OVERDUE


def _waiting(store: Store, settings: Settings, now: datetime) -> Iterator[str]:
    """Yield a sentence if the outbox is stuck, and for each channel whose posts are."""
    long_ago = now - timedelta(hours=settings.watch.outbox_hours)
    oldest = queues.first(store, Outgoing, state="queued")
    if oldest and oldest.made < long_ago:
        count = queues.count(store, Outgoing, state="queued")
        yield say("letters that have waited long to be sent: {count}", count=count)
    for channel in settings.channels:
        head = queues.first(store, Post, channel=channel, state="queued")
        if head and head.made < long_ago:
            yield say(
                "posts to {channel} have waited since {day}; pbem posts list says why",
                channel=channel,
                day=head.made.date(),
            )
