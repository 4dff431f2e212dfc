"""The queue of what is to be sent: filled in the deciding transaction, emptied apart from it."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import islice
from typing import Any, Literal

from engine.ruleset import Picture
from pbem import identity, raster
from pbem.backoff import Backoff
from pbem.congestion import Congestion
from pbem.courier import Courier, Deferred, Rejected
from pbem.letters import Appointment, Attachment, Envelope, Inline, calendar, compose
from pbem.press import Page, Press
from pbem.reach import note, return_path
from pbem.settings import Settings
from pbem.store import Outgoing, Player, Store

BATCH = 50
BULK = "newsletter"
"""The kind of letters that go after all others, one by one, and are not kept once they are sent."""
CALENDAR = "deadline.ics", "text/calendar; charset=utf-8; method=PUBLISH"
"""The name and the kind of the file that goes along with a deadline."""
PART = 20
"""The most letters of that kind that are handed over at a time."""
GIVE_UP = timedelta(days=5)
_RETRY = Backoff(first=60, most=6 * 3600)


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer to a letter will carry: a token's kind, its game's turn, and its place.

    A token is the same for the same turn of a place, or for the same thing that it is `about`; it
    lives for the league's number of days if it has none of its own.
    """

    kind: str = "league"
    game: int | None = None
    turn: int = 0
    place: int | None = None
    about: tuple[object, ...] = ()
    days: int = 0


Urgency = Literal["now", "later", "idle"]
"""How much a letter matters: `later` may wait for a digest, and `idle` may be left out besides."""


def _state(player: Player, urgency: Urgency, answering: str | None) -> str:
    """Give the state that a letter begins in, by its player's wish; an answer is never held."""
    if player.mail == "none" or (player.mail == "decisions" and urgency == "idle"):
        return "unwanted"
    waits = player.mail == "digest" and urgency != "now" and answering is None
    return "held" if waits else "queued"


@dataclass(frozen=True, slots=True)
class Due:
    """When a game's orders are due, for a calendar; `sequence` grows with each change of it."""

    game: int
    place: int
    sequence: int
    when: datetime
    title: str
    words: str
    cancelled: bool = False


def _cid(picture: Picture) -> str:
    """Give the name under which a letter's HTML shows a picture."""
    return f"{sha256(picture.svg.encode()).hexdigest()[:24]}@picture.invalid"


def place_of(uid: str) -> int:
    """Give the number of the place that a calendar file is for."""
    return int(uid.partition("@")[0].partition("-")[2])


def _composed(
    player: Player,
    page: Page,
    envelope: Envelope,
    attachments: Sequence[Attachment],
    pictures: Sequence[Picture],
) -> bytes:
    """Write a letter in the form that its player wants."""
    if player.format == "text":
        return compose(envelope, page.subject, page.text, None, attachments)
    inline = [Inline(_cid(one), raster.png(one.svg)) for one in pictures]
    return compose(envelope, page.subject, page.text, page.html, attachments, inline)


class Outbox:
    """Writes letters into the store's queue, and hands them to a courier."""

    def __init__(self, store: Store, press: Press, settings: Settings) -> None:
        self.store, self.press, self.settings = store, press, settings
        self.counts: Counter[tuple[str, str]] = Counter()
        self._congestion = Congestion()

    def write(
        self,
        player: Player,
        kind: str,
        now: datetime,
        *,
        ident: Sequence[object],
        reply: Reply | None = None,
        system: str | None = None,
        answering: str | None = None,
        thread: Sequence[str] = (),
        slot: str = "",
        attachments: Sequence[Attachment] = (),
        due: Due | None = None,
        urgency: Urgency = "now",
        pictures: Sequence[Picture] = (),
        **facts: object,
    ) -> str:
        """Queue a letter to a player and give its Message-ID.

        `ident` names it for ever: the same ident gives the same Message-ID, and is queued once.
        `answering` is the Message-ID of the letter that it answers. `due` goes along as a
        calendar file, which replaces the game's earlier ones. What is not urgent may be held for a
        digest, or not come at all, as the player wishes.
        """
        reply = reply or Reply()
        token = self._token(player, reply, ident, now)
        address = self.reply_address(token)
        page = self.press.page(
            kind,
            system,
            self.language(player),
            player={"name": player.name},
            reply={"token": token, "address": address},
            pictures=[{"cid": _cid(picture), "alt": picture.alt} for picture in pictures],
            **facts,
        )
        message_id = self._message_id(player.id, kind, ident)
        envelope = self._envelope(player.address, address, now, message_id, answering, thread)
        envelope = replace(envelope, to_name=player.name)
        if due is not None:
            attachments = [*attachments, self._calendar(player, due, now)]
        raw = _composed(player, page, envelope, attachments, pictures)
        state = _state(player, urgency, answering)
        self._queue(message_id, kind, player.id, player.address, raw, slot, now, state)
        return message_id

    def paper(
        self, player: Player, kind: str, name: str, system: str, **facts: object
    ) -> list[Attachment]:
        """Give a page to print as what goes along with a letter, if the league sends them."""
        if not self.settings.reports.papers:
            return []
        made = self.press.paper(kind, system, self.language(player), **facts)
        return [Attachment(f"{name}.pdf", "application/pdf", made.data)]

    def language(self, player: Player | None) -> str:
        """Give the language that a player reads: the chosen one, or else the league's."""
        return (player and player.language) or self.settings.league.language

    def _calendar(self, player: Player, due: Due, now: datetime) -> Attachment:
        address = self.settings.league.address
        appointment = Appointment(
            uid=f"G{due.game}-{due.place}@{address.rpartition('@')[2]}",
            when=due.when,
            sequence=due.sequence,
            made=now,
            organizer=address,
            title=self.press.say(due.title, self.language(player)),
            text=self.press.say(due.words, self.language(player)),
            cancelled=due.cancelled,
        )
        return Attachment(*CALENDAR, calendar(appointment))

    def write_stranger(
        self,
        address: str,
        kind: str,
        now: datetime,
        ident: Sequence[object],
        answers: str,
        token: str = "",
        **facts: object,
    ) -> None:
        """Queue a fixed text, which a reply may bring a token back from, to no player's address."""
        home = self.reply_address(token) if token else self.settings.league.address
        language, reply = self.settings.league.language, {"token": token, "address": home}
        page = self.press.page(kind, None, language, reply=reply, **facts)
        message_id = self._message_id(0, kind, ident)
        envelope = self._envelope(address, home, now, message_id, answers)
        raw = compose(envelope, page.subject, page.text, page.html)
        self._queue(message_id, kind, None, address, raw, "", now)

    def circulate(
        self,
        part: Page,
        kind: str,
        address: str,
        player: Player | None,
        now: datetime,
        *,
        ident: Sequence[object],
        fields: Mapping[str, str],
        **facts: Any,
    ) -> None:
        """Queue a letter with a part that many get, and further header fields."""
        token = self._token(player, Reply(), ident, now) if player else ""
        home = self.reply_address(token) if token else self.settings.league.address
        name = player.name if player else ""
        reply = {"token": token, "address": home}
        language, who = self.language(player), {"name": name}
        page = self.press.around(part, kind, language, player=who, reply=reply, **facts)
        message_id = self._message_id(0, kind, (*ident, address))
        envelope = self._envelope(address, home, now, message_id, None)
        envelope = replace(envelope, to_name=name, fields=fields)
        html = page.html if player is None or player.format == "html" else None
        raw = compose(envelope, page.subject, page.text, html)
        self._queue(message_id, kind, player.id if player else None, address, raw, "", now)

    def _envelope(
        self,
        to: str,
        reply_to: str,
        now: datetime,
        message_id: str,
        answering: str | None,
        thread: Sequence[str] = (),
    ) -> Envelope:
        return Envelope(
            league=self.settings.league.name,
            address=self.settings.league.address,
            to=to,
            reply_to=reply_to,
            date=now,
            message_id=message_id,
            answers=answering or "",
            thread=[*thread, *([answering] if answering else [])],
            automatic="auto-replied" if answering else "auto-generated",
        )

    def _queue(
        self,
        message_id: str,
        kind: str,
        player: int | None,
        recipient: str,
        raw: bytes,
        slot: str,
        now: datetime,
        state: str = "queued",
    ) -> None:
        self.store.queue(
            slot if state == "queued" else "",
            message_id=message_id,
            kind=kind,
            player=player,
            recipient=recipient,
            content=raw,
            state=state,
            due=now,
            made=now,
        )

    def _message_id(self, player: int, kind: str, ident: Sequence[object]) -> str:
        address = self.settings.league.address
        return identity.message_id(self.store.secret, address, player, kind, *ident)

    def thread(self, *about: object) -> str:
        """Give the Message-ID that all letters about something refer to; no letter has it."""
        return self._message_id(0, "thread", about)

    def _token(self, player: Player, reply: Reply, ident: Sequence[object], now: datetime) -> str:
        game = (reply.game, reply.turn, reply.place)
        about = reply.about or (game if reply.kind == "game" else tuple(ident))
        token = identity.token(self.store.secret, player.id, reply.kind, *about)
        self.store.remember_token(
            token=token,
            player=player.id,
            kind=reply.kind,
            game=reply.game,
            turn=reply.turn,
            place=reply.place,
            expires=now + timedelta(days=reply.days or self.settings.league.token_days),
        )
        return token

    def reply_address(self, token: str) -> str:
        """Give the address that a reply goes to, with its token where the host takes it."""
        address = self.settings.league.address
        if not self.settings.league.plus_addresses:
            return address
        local, _, host = address.rpartition("@")
        return f"{local}+{token}@{host}"

    def flush(self, courier: Courier, now: datetime) -> int:
        """Hand over all that is due and give how many were sent; raises CourierDown.

        Of the bulk only a part goes at a time, so that the mailbox is looked at in between.
        What was being sent when a program died, or the database failed, is sent again.
        """
        self.store.unclaim()
        try:
            return sum(self._send(courier, batch, now) for batch in self._claimed(now))
        finally:
            self.store.unclaim()

    def _claimed(self, now: datetime) -> Iterator[list[Outgoing]]:
        """Take what is due in batches, and after that a part of the bulk, one by one."""
        while batch := self.store.claim(now, BATCH, kind__ne=BULK):
            yield batch
        bulk = iter(lambda: self.store.claim(now, 1, kind=BULK), [])
        yield from islice(bulk, PART)

    def _send(self, courier: Courier, batch: Sequence[Outgoing], now: datetime) -> int:
        done: list[int] = []
        try:
            for row in batch:
                if self._send_one(courier, row, now):
                    done.append(row.id)
        finally:
            if done:
                self.store.mark_sent(done, now, forget=batch[0].kind == BULK)
        return len(done)

    def _send_one(self, courier: Courier, row: Outgoing, now: datetime) -> bool:
        """Hand over a letter and tell whether it was taken; a domain at rest is left alone."""
        rest = self._congestion.until(row.recipient, now)
        if rest is not None:
            self.store.outbox.change(row.id, state="queued", due=rest)
            return False
        try:
            sender = return_path(self.store, self.settings, row, now)
            courier.send(sender, row.recipient, row.content)
        except Deferred as error:
            self.counts["outgoing", "deferred"] += 1
            if error.code is not None:
                self._congestion.put_off(row.recipient, now)
            self._defer(row, str(error), now)
            return False
        except Rejected as error:
            self.counts["outgoing", "refused"] += 1
            self.store.outbox.change(row.id, state="failed", error=str(error))
            if error.bad_address and row.player_id is not None:
                note(self.store, row.player_id, "refused", row.message_id, now)
            return False
        self.counts["outgoing", "sent"] += 1
        self._congestion.took(row.recipient)
        return True

    def _defer(self, row: Outgoing, why: str, now: datetime) -> None:
        """Try again later, for five days; then give up and say so in the books."""
        if now - row.made > GIVE_UP:
            self.store.outbox.change(row.id, state="failed", error=why)
            return
        wait = _RETRY.next(row.tries, random.Random(row.message_id + str(row.tries)))
        self.store.outbox.change(
            row.id,
            state="queued",
            tries=row.tries + 1,
            due=now + timedelta(seconds=wait),
            error=why,
        )
