"""What a round of the office does beside letters and deadlines; each act fails alone."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from engine.said import say
from pbem.case import Case
from pbem.deadlines import reminders_due
from pbem.games import audit
from pbem.games.session import Session
from pbem.league.patrols import meet_house
from pbem.mail import vouching
from pbem.news import pledged
from pbem.outgoing import briefing, digest
from pbem.outgoing.attempts import Act, attempt
from pbem.people import persons
from pbem.readahead import ReadingFailed
from pbem.store import Game, Letter, StoreDown

if TYPE_CHECKING:
    from pbem.mail.dkim import Lookup
    from pbem.office import Office

log = logging.getLogger("pbem")

_CHECKED = 100
"""So many letters are taken in hand at a time to have their signatures checked."""


def of_round(office: "Office", now: datetime) -> Iterator[Act]:
    """Yield the acts that are part of a round, and of its replay (pbem.upkeep.rebuild)."""
    privacy = office.settings.privacy
    yield Act("reminders", say("the reminders"), lambda: remind(office, now))
    yield Act("patrols", say("the patrols"), lambda: meet_house(office, now))
    yield Act("digests", say("the digests"), lambda: digest.send_due(office.outbox, now))
    yield Act("newsletter", say("the newsletter"), lambda: office.newsletter.publish(now))
    yield Act(
        "commitments",
        say("the list of commitments"),
        lambda: pledged.post_due(office.reports, now),
    )
    yield Act("tidy", say("forgetting strangers"), lambda: persons.tidy(office.store, privacy, now))


def after_round(office: "Office", now: datetime) -> Iterator[Act]:
    """Yield the acts that come after a round, and are no part of what can be replayed."""
    store, privacy = office.store, office.settings.privacy
    yield Act("clean", say("dropping old letters"), lambda: persons.clean(store, privacy, now))
    yield Act("briefing", say("your daily letter"), lambda: _brief(office, now))


def do_all(office: "Office", acts: Iterable[Act], now: datetime) -> None:
    """Do acts one after the other, whatever becomes of each; raises StoreDown."""
    for act in acts:
        attempt(office.outbox, act, now)


def remind(office: "Office", now: datetime) -> int:
    """Remind those who are asked and have not answered, each time once; return how many games."""
    hours = office.settings.league.reminder_hours
    soon = now + timedelta(hours=max(hours, default=0))
    reminded = 0
    for game in office.store.due_games(soon):
        if game.deadline is None or game.opened is None:
            continue
        found = reminders_due(now, game.deadline, game.opened, hours)
        if found and (game.reminded is None or found[-1] < game.reminded):
            act = _reminder(office, game, found[-1], now)
            reminded += attempt(office.outbox, act, now) is True
    return reminded


def _reminder(office: "Office", game: Game, hours: float, now: datetime) -> Act:
    """Return the act of reminding in a game; after too many failures nobody is reminded there."""
    told = say("the reminder of game {game}", game=game.id)
    aside = partial(office.store.games.change, game.id, reminded=hours)
    return Act(f"reminder {game.id}", told, partial(_remind, office, game, hours, now), aside=aside)


def _remind(office: "Office", game: Game, hours: float, now: datetime) -> bool:
    with office.store.transaction():
        office.reports.reminder(Session(office.store, game), hours, now)
        office.store.games.change(game.id, reminded=hours)
    return True


def check_signatures(office: "Office") -> None:
    """Check the signatures of new letters under players' addresses, if the league wants it.

    What they say is kept, since DNS may say something else when a league is replayed.
    """
    if not office.settings.authentication.check_dkim:
        return
    lookup = vouching.patient(office.settings.authentication.lookup())
    unchecked = office.store.letters.all(state="received", checked="")
    for group in office.in_hand.groups(unchecked, _CHECKED):
        office.in_hand.take(group)
        for letter in group:
            with suppress(ReadingFailed):  # which is told when the letter is handled
                said = _checked(office, letter, lookup)
                office.store.letters.change(letter.id, checked=said)
        office.in_hand.put_back(group)
        office.progress()


def _checked(office: "Office", letter: Letter, lookup: "Lookup") -> str:
    """Return what a letter's signatures say; what the program fails at says nothing."""
    try:
        sender = Case(office, letter, letter.received).known
        return vouching.look(letter.content, lookup, letter.received) if sender else "none"
    except (ReadingFailed, StoreDown):
        raise
    except Exception:
        log.exception("the signatures of letter %d can't be checked", letter.id)
        return "none"


def _brief(office: "Office", now: datetime) -> None:
    """Write the moderator's daily letter, with what battles show of pairs of players."""
    briefing.send_due(office.outbox, now, lambda: audit.news(office.store, now))
