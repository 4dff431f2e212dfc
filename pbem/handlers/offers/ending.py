"""Challenges that end without a battle: declined, withdrawn or lapsed; the others are told."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from engine.i18n import Said, say
from pbem.games import offers
from pbem.games.commitments import Committed
from pbem.games.offers import OfferedBattle, lapses, listed
from pbem.games.reports import dice_receipt
from pbem.handlers.offers import threads
from pbem.handlers.ports import Ports
from pbem.outgoing.retried_tasks import Task, attempt
from pbem.storage import Persona, Player


def decline(ports: Ports, offer: OfferedBattle, by: Persona, now: datetime) -> None:
    """Close a challenge because the player of one of its pilots declined."""
    if offer.to_anybody:
        _vacate(ports, offer, by, now)
        return
    offers.end(ports.store, offer, "declined")
    threads.close_thread(ports, offer, now, "declined")
    if offer.is_duel:
        [one] = offer.ones
        _write(ports, offer, "declined", one.player_id, now, one=one.name, other=by.name)
    else:
        _call_off(ports, offer, by, "declined", now)


def _vacate(ports: Ports, offer: OfferedBattle, by: Persona, now: datetime) -> None:
    """Free a pilot's seat in an open challenge, which stands open for others."""
    number = offer.number
    offers.leave_seat(ports.store, offer, by)
    title = say("Challenge {number}: a seat is free again", number=number)
    text = say(
        "{pilot} has left a seat of challenge {number} by {one}. The challenge stands open, and"
        " anybody may take the seat.",
        pilot=by.name,
        number=number,
        one=offer.ones[0].name,
    )
    # With the time: a pilot may take and leave the same seat more than once.
    notify(ports, offer, by.player_id, now, ("vacated", number, by.id, now), title, text)


def withdraw(ports: Ports, offer: OfferedBattle, now: datetime) -> None:
    """Take a challenge back for its challenger; all who were named in one of several are told."""
    offers.end(ports.store, offer, "withdrawn")
    threads.close_thread(ports, offer, now, "withdrawn")
    if not offer.is_duel:
        _call_off(ports, offer, offer.ones[0], "withdrawn", now)


def _call_off(ports: Ports, offer: OfferedBattle, by: Persona, how: str, now: datetime) -> None:
    """Notify the other players of a team challenge that it is off, and who called it off."""
    who = {"pilot": by.name, "player": ports.store.get(Player, by.player_id).name}
    facts = {"one": listed(offer.ones), "other": listed(offer.others), "by": who, "how": how}
    for player in offer.players():
        if player != by.player_id:
            _write(ports, offer, "called_off", player, now, **facts)


def _write(
    ports: Ports, offer: OfferedBattle, letter: str, player: int, now: datetime, **facts: Any
) -> None:
    """Write to a player that a challenge leads to no battle."""
    ports.outbox.write(
        ports.store.get(Player, player),
        letter,
        now,
        urgency="later",
        ident=(offer.number,),
        number=offer.number,
        played=offer.row.system if offer.ones[0].is_guest else "",
        **facts,
    )


def clear(ports: Ports, row: Persona, now: datetime) -> None:
    """Withdraw a pilot's own challenges, decline those made to it, and end its patrol."""
    for offer in offers.open_with(ports.store, row):
        if offer.made_by(row.player_id):
            withdraw(ports, offer, now)
        else:
            decline(ports, offer, row, now)
    if patrol := offers.patrol_of(ports.store, row):
        offers.end(ports.store, patrol, "withdrawn")


def lapse_due(ports: Ports, now: datetime) -> None:
    """Close the challenges whose time is over; an error with one does not stop the others."""
    league = ports.settings.league
    if not league.challenge_days:
        return
    since = now - timedelta(days=league.challenge_days)
    for offer in offers.made_until(ports.store, since):
        task = Task(
            f"challenge {offer.number}",
            say("challenge {number}, which lapses", number=offer.number),
            partial(_lapse, ports, offer, now),
            # Otherwise it would fail again each day.
            on_failure=partial(offers.end, ports.store, offer, "lapsed"),
        )
        attempt(ports.outbox, task, now)


def _lapse(ports: Ports, offer: OfferedBattle, now: datetime) -> None:
    """Close a challenge if it is due, and write one letter to each of its players."""
    store = ports.store
    # Days away of those who have not answered yet do not count.
    until = lapses(store, ports.settings.league, offer)
    if until is None or until > now:
        return
    # The state and all letters in one transaction: after a crash nobody is told twice.
    with store.transaction():
        offers.end(store, offer, "lapsed")
        threads.close_thread(ports, offer, now, "lapsed")
        for player in offer.players():
            mine, others = offer.of(player), [p for p in offer.pilots if p.player_id != player]
            _write(
                ports,
                offer,
                "lapsed",
                player,
                now,
                one=listed(offer.ones),
                other=offer.opponents,
                days=ports.settings.league.challenge_days,
                yours=offer.made_by(player),
                anybody=offer.to_anybody,
                again=[mine[0].name, others[0].name] if offer.is_duel and others else [],
            )


def notify(
    ports: Ports,
    offer: OfferedBattle,
    by: int,
    now: datetime,
    ident: Sequence[object],
    title: Said,
    text: Said,
    pledge: Committed | None = None,
) -> None:
    """Notify the players of a challenge, except the one whose act it was."""
    for number in offer.players():
        if number != by:
            player = ports.store.get(Player, number)
            files = [dice_receipt.commitment(ports.outbox, player, pledge)] if pledge else []
            ports.outbox.write(
                player,
                "notice",
                now,
                urgency="later",
                ident=ident,
                title=title,
                text=text,
                pledge=pledge,
                attachments=files,
            )
