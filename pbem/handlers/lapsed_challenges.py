"""Challenges that nobody has answered in time lapse, and both sides are told."""

from datetime import datetime, timedelta
from functools import partial

from engine.i18n import say
from pbem.games.challenges import Offer, lapses, listed, offer_of
from pbem.outgoing.tasks import Task, attempt
from pbem.ports import Ports


def lapse_due(ports: Ports, now: datetime) -> None:
    """Close the challenges whose time is over; an error with one does not stop the others."""
    league = ports.settings.league
    if not league.challenge_days:
        return
    since = now - timedelta(days=league.challenge_days)
    for found in ports.store.challenges.all(state="open", made__lte=since):
        offer = offer_of(ports.store, found)
        until = lapses(ports.store, league, offer)
        if until is not None and until <= now:
            task = Task(
                f"challenge {found.id}",
                say("challenge {number}, which lapses", number=found.id),
                partial(_lapse, ports, offer, now),
                on_failure=partial(ports.store.challenges.change, found.id, state="lapsed"),
            )
            attempt(ports.outbox, task, now)


def _lapse(ports: Ports, offer: Offer, now: datetime) -> None:
    """Close a challenge, and write one letter to each of its players."""
    store, number = ports.store, offer.challenge.id
    with store.transaction():
        store.challenges.change(number, state="lapsed")
        for player in offer.players():
            mine, others = offer.of(player), [p for p in offer.pilots if p.player_id != player]
            ports.outbox.write(
                store.players.get(player),
                "lapsed",
                now,
                urgency="later",
                ident=(number,),
                number=number,
                one=listed(offer.ones),
                other=offer.opponents,
                days=ports.settings.league.challenge_days,
                yours=offer.made_by(player),
                anybody=offer.to_anybody,
                played=offer.ones[0].system if offer.ones[0].is_guest else "",
                again=[mine[0].name, others[0].name] if offer.is_duel and others else [],
            )
