"""The queue of outgoing letters, filled in the transaction that decides on them.

With each letter it is saved whose words it carries, so that they can be erased
(pbem.outgoing.authorship).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal

from engine.i18n import say
from engine.pictures import Picture
from pbem.channels.mail.mime_writer import Attachment, Envelope, Inline, compose
from pbem.channels.markup import as_it_stands
from pbem.intake import tokens_and_keys
from pbem.outgoing import questions
from pbem.outgoing.authorship import authors, note_authors
from pbem.outgoing.calendar_files import Appointment, calendar
from pbem.people import linked_accounts, personas, tokens
from pbem.rendering import Page, Renderer
from pbem.rendering.letter_script import unwrapped
from pbem.settings import Settings
from pbem.storage import Account, Authorship, Player, Store, queues

CALENDAR = "deadline.ics", "text/calendar; charset=utf-8; method=PUBLISH"
"""The name and the type of the file that is sent along with a deadline."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply to a letter will carry: a token's kind, its game's turn, and its place.

    A token is the same for the same turn of a place, or for the same thing that it is `about`. It
    is valid for `days`, or else for the number of days that the league sets.

    `question` are the lines that YES carries out, none where the letter asks nothing; or YES
    releases the letter with the number `held`. `sender` is the only address that may say YES.
    Battle orders count at the deadline without it, unless they are `by_yes_only`.
    """

    kind: str = "league"
    game: int | None = None
    turn: int = 0
    place: int | None = None
    about: tuple[object, ...] = ()
    days: int = 0
    question: str = ""
    held: int | None = None
    sender: str = ""
    by_yes_only: bool = False


TALK = "talk"
"""The kind of token that a reply to a letter of another player carries."""


def reply_to(store: Store, writer: int, name: str, signs: str = "") -> Reply:
    """Return what a reply to a player's letter carries: who wrote it, as whom, and to whom.

    The token names the reader, as every token does, so it counts from nobody else. Pilots stand in
    it by their numbers: an erased player's name must not stay in a token.
    """
    pilots = (personas.named(store, one) if one else None for one in (name, signs))
    return Reply(TALK, about=(writer, *(one.id if one else 0 for one in pilots)))


Urgency = Literal["now", "later", "idle"]
"""How urgent a letter is: `later` may wait for a digest, and `idle` may also be left out."""


def _state(player: Player, urgency: Urgency, answering: str | None) -> str:
    """Return the state in which a letter begins, by its player's wish; an answer is never held."""
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


def cid(svg: str) -> str:
    """Return the name under which a letter's HTML shows a picture."""
    # By content, so that a letter that is made again has the same bytes.
    return f"{sha256(svg.encode()).hexdigest()[:24]}@picture.invalid"


def facts_of(picture: Picture) -> dict[str, str]:
    """Return what a letter's template says of a picture."""
    return {"cid": cid(picture.svg), "alt": picture.short or picture.alt}


def place_of(uid: str) -> int:
    """Return the number of the place that a calendar file is for."""
    return int(uid.partition("@")[0].partition("-")[2])


def _composed(
    player: Player,
    page: Page,
    envelope: Envelope,
    attachments: Sequence[Attachment],
    pictures: Sequence[Picture],
) -> bytes:
    """Return a letter in the form that its player wants."""
    if player.format == "text":
        return compose(envelope, page.subject, page.text, None, attachments)
    inline, files = _inline(picture.svg for picture in pictures), [*attachments, *_whole(page)]
    return compose(envelope, page.subject, page.text, page.html, files, inline)


def _whole(page: Page) -> list[Attachment]:
    """Return the text of a letter whose HTML is cut as a file."""
    if not page.cut:
        return []
    # RFC 2046: the lines of a text in mail end so.
    text = page.text.replace("\n", "\r\n").encode()
    return [Attachment("letter.txt", "text/plain; charset=utf-8", text)]


def _inline(svgs: Iterable[str]) -> list[Inline]:
    """Return pictures as PNG, since no mail program shows SVG (decision 0012)."""
    # Drawing takes 2 MB of memory, of which a daemon that sends no picture has no need.
    from pbem.rendering.raster import png

    return [Inline(cid(svg), png(svg)) for svg in svgs]


def proof(store: Store, player: Player, kind: str, *about: object) -> str:
    """Return a player's token for something; a new key makes all of them different."""
    return tokens_and_keys.token(store.secret, player.id, player.key_serial, kind, *about)


_NO_FILES = say("Files come by mail alone: REPORT, by mail, brings the files of a battle's report.")


def _without_marker(text: str) -> str:
    """Return a letter's text without the line above which replies by mail are written."""
    first, _, rest = text.partition("\n")
    return rest.lstrip("\n") if first.startswith("##-") else text


def is_message_id(answering: str | None) -> bool:
    """Return whether what is answered came by mail, or nothing is answered.

    What was written on a board is named otherwise (docs/dice.md).
    """
    return not answering or answering.startswith("<")


class Outbox:
    """Writes letters into the database's queue."""

    def __init__(self, store: Store, renderer: Renderer, settings: Settings) -> None:
        self.store, self.renderer, self.settings = store, renderer, settings

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
        due: Sequence[Due] = (),
        urgency: Urgency = "now",
        pictures: Sequence[Picture] = (),
        **facts: object,
    ) -> str:
        """Queue a letter to a player and return its Message-ID.

        `ident` names it for ever: letters with the same ident are queued once. Its Message-ID
        depends on that and on the letter's content. `answering` is the Message-ID of the letter
        that it answers. `due` are sent along as calendar files, which replace the game's earlier
        ones. What is not urgent may be held for a digest, or not be sent at all, as the player
        wishes.
        """
        token = self._token(player, reply or Reply(), ident, now)
        address, name = self.reply_address(token), self._ident(player.id, kind, ident)
        state = _state(player, urgency, answering)
        # A letter in a digest can't be answered by itself.
        home = {"token": token, "address": address, "held": state == "held"}
        page = self._page(player, kind, system, home, pictures, facts)
        # What is about a battle, or answers a message there, goes to where the player plays.
        on_board = (reply is not None and reply.kind == "game") or not is_message_id(answering)
        account = self._private_account(player) if on_board and state == "queued" else None
        if account is not None:
            words = _without_marker(page.text)
            if attachments or due:
                words += f"\n\n{self.renderer.say(_NO_FILES, self.language(player))}"
            told = replace(page, text=words)
            self._write_private(account, name, told, now, authors(facts) - {player.id})
            return name
        to, to_name = player.address, player.name
        envelope = self._envelope(to, address, now, name, answering, thread, to_name)
        files = [*attachments, *(self._calendar(player, one, now) for one in due)]
        raw = _composed(player, page, envelope, files, pictures)
        message_id = self._queue(name, kind, player.id, player.address, raw, slot, now, state)
        # A player's own words need no note here: erasing a player drops all letters to them.
        note_authors(self.store, message_id, authors(facts) - {player.id})
        return message_id

    def _private_account(self, player: Player) -> Account | None:
        """Return the account to which a player is written alone, or None for mail."""
        # A letter is no line: who talks live gets it by mail.
        boards = [
            name
            for name, one in self.settings.channels.items()
            if one.play and one.private and not one.live
        ]
        if not boards:
            return None
        # Read again: the message that is answered may have come from another place than the last.
        channel = self.store.get(Player, player.id).channel
        if channel not in boards:
            return None
        return linked_accounts.of_player(self.store, channel, player.id)

    def _write_private(
        self, account: Account, ident: str, page: Page, now: datetime, words_of: Iterable[int]
    ) -> None:
        """Queue a letter's words as a private message on a board; files stay behind."""
        settings = self.settings.channels[account.channel]
        queues.queue_post(
            self.store,
            now,
            channel=account.channel,
            ident=ident,
            thread=f"@{account.ident}",
            title=page.subject,
            body=as_it_stands(unwrapped(page.text), settings.post_format)[: settings.limit],
            recipient=account.ident,
        )
        note_authors(self.store, Authorship.post_name(account.channel, ident), words_of)

    def _page(
        self,
        player: Player,
        kind: str,
        system: str | None,
        reply: Mapping[str, object],
        pictures: Sequence[Picture],
        facts: Mapping[str, object],
    ) -> Page:
        """Return the words of a letter in its player's language."""
        shown = list(map(facts_of, pictures))
        known = {"player": {"name": player.name}, "reply": reply, "pictures": shown}
        return self.renderer.page(kind, system, self.language(player), **known, **facts)

    def pdf_page(
        self, player: Player, kind: str, name: str, system: str, **facts: object
    ) -> list[Attachment]:
        """Return a page to print as an attachment, or nothing if the league sends none."""
        if not self.settings.reports.pdf:
            return []
        made = self.renderer.pdf_page(kind, system, self.language(player), **facts)
        return [Attachment(f"{name}.pdf", "application/pdf", made)]

    def language(self, player: Player | None) -> str:
        """Return the language that a player reads: the chosen one, or else the league's."""
        return (player and player.language) or self.settings.league.language

    def _calendar(self, player: Player, due: Due, now: datetime) -> Attachment:
        address = self.settings.league.address
        appointment = Appointment(
            # The same in each letter about a place: calendars then move the entry, and add none.
            uid=f"G{due.game}-{due.place}@{address.rpartition('@')[2]}",
            when=due.when,
            sequence=due.sequence,
            made=now,
            organizer=address,
            title=self.renderer.say(due.title, self.language(player)),
            text=self.renderer.say(due.words, self.language(player)),
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
        language: str = "",
        player: Player | None = None,
        **facts: object,
    ) -> None:
        """Queue a fixed text to an address, a stranger's or a player's.

        A reply may bring a token back; none is stored for it.
        """
        home = self.reply_address(token) if token else self.settings.league.address
        reply, language = {"token": token, "address": home}, language or self.language(None)
        page = self.renderer.page(kind, None, language, reply=reply, **facts)
        name = self._ident(0, kind, ident)
        envelope = self._envelope(address, home, now, name, answers)
        raw = compose(envelope, page.subject, page.text, page.html, _whole(page))
        state = _state(player, "now", answers) if player else "queued"
        number = player.id if player else None
        self._queue(name, kind, number, address, raw, "", now, state)

    def write_moderator(
        self, kind: str, now: datetime, ident: Sequence[object], **facts: object
    ) -> None:
        """Queue a letter to the moderator, if the league has one."""
        # To the address alone, because the moderator need not be a player.
        if moderator := self.settings.league.moderator:
            self.write_stranger(
                moderator, kind, now, ident, answers="", token="", language="", player=None, **facts
            )

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
        **facts: object,
    ) -> None:
        """Queue a letter with a part that many get, and with further header fields."""
        token = self._token(player, Reply(), ident, now) if player else ""
        home = self.reply_address(token) if token else self.settings.league.address
        name = player.name if player else ""
        reply = {"token": token, "address": home}
        language, who = self.language(player), {"name": name}
        page = self.renderer.around(part, kind, language, player=who, reply=reply, **facts)
        # With the address: all who get the part share the rest of the ident.
        letter = self._ident(0, kind, (*ident, address))
        envelope = self._envelope(address, home, now, letter, None, (), name, fields)
        html = page.html if player is None or player.format == "html" else None
        inline = _inline(part.svgs) if html else []
        raw = compose(envelope, page.subject, page.text, html, (), inline)
        number = player.id if player else None
        message_id = self._queue(letter, kind, number, address, raw, "", now)
        note_authors(self.store, message_id, authors(facts))

    def _envelope(
        self,
        to: str,
        reply_to: str,
        now: datetime,
        message_id: str,
        answering: str | None,
        thread: Sequence[str] = (),
        to_name: str = "",
        fields: Mapping[str, str] | None = None,
    ) -> Envelope:
        # What names a message on a board is no Message-ID.
        answered = answering if answering and is_message_id(answering) else ""
        return Envelope(
            league=self.settings.league.name,
            address=self.settings.league.address,
            to=to,
            to_name=to_name,
            reply_to=reply_to,
            fields=fields or {},
            date=now,
            message_id=message_id,
            answers=answered,
            thread=[*thread, *([answered] if answered else [])],
            # RFC 3834: with it no absence note or other machine answers this letter.
            automatic="auto-replied" if answering else "auto-generated",
        )

    def _queue(
        self,
        ident: str,
        kind: str,
        player: int | None,
        recipient: str,
        raw: bytes,
        slot: str,
        now: datetime,
        state: str = "queued",
    ) -> str:
        """Queue a letter that was written with its ident as Message-ID; return the final one."""
        message_id = self.store.message_id(
            ident, tokens_and_keys.message_id_of(self.store.secret, ident, raw)
        )
        # The id depends on the letter's bytes, so it is known only after the letter is written.
        raw = raw.replace(ident.encode("ascii"), message_id.encode("ascii"), 1)
        return queues.queue(
            self.store,
            # A letter that is held or unwanted must not replace one that is about to be sent.
            slot if state == "queued" else "",
            ident=ident,
            message_id=message_id,
            kind=kind,
            player=player,
            recipient=recipient,
            content=raw,
            state=state,
            due=now,
            made=now,
        )

    def _ident(self, player: int, kind: str, ident: Sequence[object]) -> str:
        address = self.settings.league.address
        return tokens_and_keys.message_id(self.store.secret, address, player, kind, *ident)

    def thread(self, *about: object) -> str:
        """Return a Message-ID that all letters about something refer to, and that no letter has."""
        return self._ident(0, "thread", about)

    def _token(self, player: Player, reply: Reply, ident: Sequence[object], now: datetime) -> str:
        game = (reply.game, reply.turn, reply.place)
        # All letters of a turn share a token, so that a reply to any of them counts.
        about = reply.about or (game if reply.kind == "game" else tuple(ident))
        asks = reply.question or reply.held is not None
        if asks:
            # A letter that asks has a token of its own, so that YES answers what it asks alone.
            about = (*about, reply.question)
        token = proof(self.store, player, reply.kind, *about)
        tokens.remember(
            self.store,
            token=token,
            player=player.id,
            kind=reply.kind,
            game=reply.game,
            turn=reply.turn,
            place=reply.place,
            expires=now + timedelta(days=reply.days or self.settings.league.token_days),
            # Not the question itself, which may name others, and is forgotten once it is answered.
            about='["question"]' if asks else json.dumps([str(part) for part in reply.about]),
        )
        if asks:
            questions.ask(
                self.store,
                token=token,
                lines=reply.question,
                letter=reply.held,
                sender=reply.sender,
                by_yes_only=reply.by_yes_only,
            )
        return token

    def ask(self, player: Player, reply: Reply, ident: Sequence[object], now: datetime) -> None:
        """Ask a player something on a board, where a yes answers it without a token."""
        self._token(player, reply, ident, now)

    def reply_address(self, token: str) -> str:
        """Return the address for replies, with the token in it if the mail host allows that."""
        address = self.settings.league.address
        if not self.settings.league.plus_addresses:
            return address
        # RFC 5233: what stands after the plus is the recipient's own to use.
        local, _, host = address.rpartition("@")
        return f"{local}+{token}@{host}"
