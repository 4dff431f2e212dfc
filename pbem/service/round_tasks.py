"""What a round does apart from letters and deadlines; if one task fails, the others go on."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial

from engine.i18n import Said, say
from pbem.games import cheat_detection
from pbem.games.session import Session
from pbem.handlers.offers.ending import lapse_due
from pbem.handlers.offers.patrols import meet_bots
from pbem.handlers.ports import Ports
from pbem.host.clock import Clock
from pbem.news import daily_commitments
from pbem.outgoing import digest, moderator_letter, public_letters
from pbem.outgoing.retried_tasks import Failing, Task, attempt, failing
from pbem.people import personal_data
from pbem.settings.calendar import reminders_due
from pbem.storage import Game, stored_games


def of_letters(ports: Ports, now: datetime) -> Iterator[Task]:
    """Yield the tasks that finish what letters have begun, also after a jump of the clock."""
    yield Task(
        public_letters.TASK,
        say("passing public letters on"),
        lambda: public_letters.pass_on(ports.outbox, now),
    )


def of_round(ports: Ports, now: datetime) -> Iterator[Task]:
    """Yield the tasks that are part of a round, and of its replay (pbem.maintenance.rebuild)."""
    privacy = ports.settings.privacy
    yield Task("reminders", say("the reminders"), lambda: remind(ports, now))
    yield Task("patrols", say("the patrols"), lambda: meet_bots(ports, now))
    yield Task("challenges", say("the challenges that lapse"), lambda: lapse_due(ports, now))
    yield Task("digests", say("the digests"), lambda: digest.send_due(ports.outbox, now))
    yield Task("newsletter", say("the newsletter"), lambda: ports.newsletter.publish(now))
    yield Task(
        "commitments",
        say("the list of commitments"),
        lambda: daily_commitments.post_due(ports.reports, now),
    )
    yield Task(
        "tidy", say("forgetting strangers"), lambda: personal_data.tidy(ports.store, privacy, now)
    )


def upkeep(ports: Ports, clock: Clock) -> Iterator[Task]:
    """Yield the tasks that are not part of a round, nor of a replay."""
    store, privacy = ports.store, ports.settings.privacy
    dropping = say("dropping old letters")
    yield Task("clean", dropping, lambda: personal_data.clean(store, privacy, clock()))
    yield Task("briefing", say("your daily letter"), lambda: _brief(ports, clock()))
    yield Task("feed", say("the feed"), ports.newsletter.feed)


def do_all(
    ports: Ports,
    tasks: Iterable[Task],
    now: datetime,
    failures: dict[str, Failing] | None = None,
) -> None:
    """Do tasks one after the other, even if some fail. Raises StoreDown.

    The tasks that failed before are read unless the caller knows them, as `failures`.
    """
    failures = failing(ports.store) if failures is None else failures
    for task in tasks:
        attempt(ports.outbox, task, now, failures)


def remind(ports: Ports, now: datetime) -> None:
    """Remind once those who are asked and have not answered."""
    hours = ports.settings.league.reminder_hours
    soon = now + timedelta(hours=max(hours, default=0))
    for game in stored_games.due(ports.store, soon):
        if game.deadline is None or game.opened is None:
            continue
        found = reminders_due(now, game.deadline, game.opened, hours)
        # Only the latest: after an outage several may be due, and one letter is enough.
        if found and (game.reminded is None or found[-1] < game.reminded):
            attempt(ports.outbox, _reminder(ports, game, found[-1], now), now)


def _reminder(ports: Ports, game: Game, hours: float, now: datetime) -> Task:
    """Return the task of reminding in a game; after too many failures nobody is reminded there."""
    label = say("the reminder of game {game}", game=game.id)
    on_failure = partial(stored_games.change_game, ports.store, game.id, reminded=hours)
    return Task(
        f"reminder {game.id}",
        label,
        partial(_remind, ports, game, hours, now),
        on_failure=on_failure,
    )


def _remind(ports: Ports, game: Game, hours: float, now: datetime) -> None:
    with ports.store.transaction():
        # A ruling from the shell may have moved the deadline since the game was found.
        if ports.store.get(Game, game.id) == game:
            ports.reports.reminder(Session(ports.store, game), hours, now)
            stored_games.change_game(ports.store, game.id, reminded=hours)


def _brief(ports: Ports, now: datetime) -> None:
    """Write the moderator's daily letter, with what battles show about pairs of players."""
    moderator_letter.send_due(
        ports.outbox, now, lambda: (*_awaiting(ports), *cheat_detection.news(ports.store, now))
    )


def _awaiting(ports: Ports) -> Iterator[Said]:
    """Yield a sentence for each game that waits for the moderator's ruling."""
    # No other running game is without a deadline and not paused.
    for game in stored_games.games(ports.store, running=True, deadline=None, paused=None):
        awaited = Session(ports.store, game).question
        if awaited is not None:
            yield say(
                "game {game} waits for your ruling: {question}? Answer with GM RULE {game} and one"
                " of {ways}",
                game=game.id,
                question=awaited.text,
                ways=list(awaited.rulings),
            )
