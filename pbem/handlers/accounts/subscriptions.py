"""SUBSCRIBE and UNSUBSCRIBE: the newsletter, for players, and for others where it is allowed."""

from collections.abc import Collection
from datetime import datetime
from re import Match

from engine.i18n import say
from engine.orders.line_shapes import clean
from pbem.handlers.accounts.joining import language_of
from pbem.handlers.order_words import in_english_from_any
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Request, Verdict
from pbem.intake import Reading, tokens_and_keys
from pbem.outgoing import strangers
from pbem.people import players, readers
from pbem.storage import Letter, Player, Subscription


def subscribe(request: Request, match: Match[str]) -> Answer:
    """Subscribe a player to the newsletter."""
    if not readers.enrol(request.ports.store, request.now, request.player.id):
        return Answer(True, say("you get the newsletter already"))
    return Answer(True, say("the newsletter comes to you from now on; UNSUBSCRIBE ends it"))


def unsubscribe(request: Request, match: Match[str]) -> Answer:
    """End a player's subscription; letters about battles still come."""
    if not readers.strike(request.ports.store, request.player.id):
        return Answer(True, say("no newsletter comes to you as it is"))
    return Answer(True, say("no newsletter comes to you any more; the letters of your battles do"))


def stop(
    ports: Ports, reader: Subscription, letter: Letter, reading: Reading, now: datetime
) -> Verdict:
    """End a subscription; only a letter from the reader in person is answered, and only once."""
    why = "ends a subscription by its token"
    # Unasked: anybody who has the token may end it, a mail program too (RFC 8058).
    readers.end(ports.store, reader)
    if reader.active and reading.klass == "human" and reading.sender in _addresses(ports, reader):
        _tell(ports, reading, "gone", letter, now)
        return Verdict("answered", "human", why, reader.player_id)
    return Verdict("filed", reading.klass, why, reader.player_id)


def _addresses(ports: Ports, reader: Subscription) -> Collection[str]:
    """Return all addresses of a reader."""
    store = ports.store
    if reader.player_id is None:
        return (reader.address or "",)
    return players.addresses(store, store.get(Player, reader.player_id))


def wished(ports: Ports, reading: Reading) -> str:
    """Return what somebody who is not a player wants: "in", "out", "yes" to confirm, or ""."""
    sender = reading.sender or ""
    known = readers.at(ports.store, sender)
    tokens = tokens_and_keys.tokens_in(reading.subject, reading.recipients)
    if known is not None and not known.active and readers.proof(ports.store, known) in tokens:
        return "yes"
    lines = map(clean, reading.text.splitlines())
    said = (line for cleaned in lines for line, _ in in_english_from_any(cleaned))
    asked = next(filter(None, map(readers.wish, said)), "")
    # Also where strangers can't subscribe any more: who did so before may always leave.
    if asked == "out":
        return asked if known is not None and known.active else ""
    return asked if ports.settings.newsletter.strangers else ""


def serve(ports: Ports, letter: Letter, reading: Reading, now: datetime) -> Verdict:
    """Answer somebody who is not a player about the newsletter.

    A subscription, and its end, must be confirmed by a reply from that address.
    """
    sender, wish = reading.sender or "", wished(ports, reading)
    kind = {"in": "confirm", "out": "leaving"}.get(wish)
    limits = ports.settings.limits
    # Anybody can put an address in From, so it gets only so many letters that ask to confirm.
    if kind and not strangers.may_write(ports.store, limits, sender, kind, now):
        return Verdict("discarded", "stranger", "was written to this week, or too many were today")
    reader = readers.apply_for(ports.store, now, sender)
    if wish == "yes":
        readers.set_active(ports.store, reader, active=True)
        strangers.proved(ports.store, sender)
        _tell(ports, reading, "welcome", letter, now, reader.token)
    elif wish == "out":
        _tell(ports, reading, "leaving", letter, now, reader.token)
    else:
        _tell(ports, reading, "confirm", letter, now, readers.proof(ports.store, reader))
    return Verdict("answered", "stranger", f"is not a player, and wants the newsletter: {wish}")


def _tell(
    ports: Ports, reading: Reading, step: str, letter: Letter, now: datetime, token: str = ""
) -> None:
    ports.outbox.write_stranger(
        reading.sender or "",
        "reader",
        now,
        (step, letter.sha256),
        letter.message_id,
        token,
        language_of(ports, reading),
        step=step,
    )
