"""What comes in, by mail or on boards: stored first, and letters moved once they are handled."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial

from pbem.channels.channel import Board, ChannelDown, ChannelFault, ChannelSettings, Message
from pbem.channels.mail.mailbox import Mailbox
from pbem.intake import chat_lines, tokens_and_keys
from pbem.outgoing import link_faults
from pbem.people import linked_accounts, tokens
from pbem.service import boards_read_until
from pbem.settings import Settings, SettingsError
from pbem.storage import Cursor, Post, Store, queues, stored_games, stored_letters

MOST_OF_OTHERS = 100
"""So many messages a day are kept of a board's accounts that are no player's."""

WITHHELD = "withheld"
"""The single value with the letters that the mailbox lists and does not hand over, as JSON."""


def keep(store: Store, mailbox: Mailbox, now: datetime) -> Iterator[datetime | None]:
    """Store all letters in the mailbox that are not known yet, raw, a batch at a time.

    After each batch yield a time of receipt: all letters up to then can be answered, because those
    still to come were received later. Yield None if that is not so for any. Raises MailboxDown.
    """
    known = partial(
        stored_letters.known_places, store, mailbox.account, mailbox.folder, moves=mailbox.moves
    )
    for batch in mailbox.arrivals(known):
        stored_letters.keep(store, mailbox.account, mailbox.folder, now, batch, mailbox.lists)
        yield batch.until
    if mailbox.withheld != withheld(store):
        store.set_meta(WITHHELD, json.dumps(mailbox.withheld))


def withheld(store: Store) -> Mapping[str, str]:
    """Return the letters that the mailbox lists and does not hand over, each with the reason."""
    return dict(json.loads(store.meta(WITHHELD) or "{}"))


def move_handled(store: Store, mailbox: Mailbox) -> int:
    """Move handled letters to the folder for handled letters, and return how many.

    Raises MailboxDown.
    """
    moved = 0
    while found := stored_letters.unmoved(store, mailbox.account, mailbox.folder):
        mailbox.file([place for _, place in found])
        stored_letters.note_moved(store, [number for number, _ in found])
        moved += len(found)
    return moved


def read_board(
    store: Store, settings: Settings, name: str, now: datetime, kept: Board | None = None
) -> int:
    """Read a board that is played on, and return how many messages are new.

    `kept` is the board where it is open, and stays so. What fails is noted for `health`. Raises
    ChannelFault.
    """
    link, channel = link_faults.reading(name), kept
    try:
        channel = channel or _opened(settings, name)
        new = keep_news(store, name, settings.channels[name], channel, now)
    except ChannelFault as error:
        refused = isinstance(error, ChannelDown) and error.refused
        link_faults.failed(store, link, str(error), now, refused=refused)
        raise
    finally:
        if channel is not None and kept is None:
            channel.close()
    link_faults.works(store, link)
    return new


def _opened(settings: Settings, name: str) -> Board:
    try:
        channel = settings.channels[name].open(settings)
    except SettingsError as error:
        raise ChannelDown(str(error), refused=True) from error
    assert isinstance(channel, Board), f"{name} has play, and can't be read"
    return channel


def keep_news(
    store: Store, name: str, settings: ChannelSettings, board: Board, now: datetime
) -> int:
    """Store what was written on a board since it was last read, raw; return how many are new.

    Each portion is one commit with the cursor behind it. What players did not write, and what
    nobody sent to the referee, is not kept. Raises ChannelFault.
    """
    known = store.find(Cursor, name)
    new = 0
    for portion in board.news(known.cursor if known else "", watched(store, name)):
        with store.transaction():
            for raw in portion.messages:
                new += _keep_message(store, name, settings, raw, now)
            boards_read_until.note_cursor(store, name, cursor=portion.cursor)
    # Only once all was read: until then a deadline may have been met by what is still to come.
    boards_read_until.note_cursor(store, name, read=now)
    return new


def watched(store: Store, name: str) -> set[str]:
    """Return the numbers of a board's messages that last ordered in battles that go on."""
    places = stored_games.places(store, message__gt=0, game__running=True)
    last = stored_letters.letters(store, channel=name, id__in=[one.message for one in places])
    return {number_in(one.message_id) for one in last}


def message_name(channel: str, message: Message) -> str:
    """Return what names a message for ever, in all its forms (docs/dice.md)."""
    return f"{channel} {message.room} {message.number}"


def number_in(name: str) -> str:
    """Return a message's number by its name."""
    return name.split(" ", 2)[2]


def _keep_message(
    store: Store, channel: str, settings: ChannelSettings, raw: bytes, now: datetime
) -> bool:
    """Store a message that is for the referee, and return whether it is new."""
    try:
        message = settings.message(raw)
    except ValueError as error:
        # Kept for a person to look at: the board may have begun to speak another way.
        sha256 = hashlib.sha256(raw).hexdigest()
        here = {"channel": channel, "folder": "", "place": sha256}
        if stored_letters.count(store, **here):
            return False
        unread = {"state": "shunted", "error": str(error), "received": now}
        stored_letters.keep_message(store, raw, now, **here, **unread)
        return True
    here = {"channel": channel, "folder": message.room, "place": message.place}
    if message.own or stored_letters.count(store, **here):
        return False
    name = message_name(channel, message)
    # A copy of the board may lag behind, and show a first form after a later one was read.
    if not message.version and stored_letters.count(store, channel=channel, message_id=name):
        return False
    thread = _thread(store, channel, message, name)
    if settings.live and not (message.presence or _may_be_order(message)):
        return False
    # What may be an order in a chat room is for the referee, like a post in a battle's thread.
    to_us = bool(thread) or message.private or settings.live
    if not _is_kept(store, channel, message, to_us, name, now):
        return False
    # A board whose clock is ahead must not make messages count as late. A line of a chat room has
    # come in this moment, whatever its server's clock says.
    received = now if settings.live else min(message.at, now)
    about = {"message_id": name, "received": received, "thread": thread}
    stored_letters.keep_message(store, raw, now, **here, **about)
    return True


def _may_be_order(message: Message) -> bool:
    """Return whether a line of a chat room may be for the referee, or holds a code of LINK."""
    code = tokens_and_keys.bare_tokens(message.text)
    return bool(code) or chat_lines.may_be_for_referee(message.text, private=message.private)


def _thread(store: Store, channel: str, message: Message, name: str) -> str:
    """Return our thread that a message stands in, or stood in before it was deleted, or ""."""
    if not message.threads:
        earlier = stored_letters.letters(store, channel=channel, message_id=name)
        return earlier[0].thread if earlier else ""
    post = queues.first(store, Post, channel=channel, topic__in=message.threads)
    return "" if post is None else post.thread


def _is_kept(
    store: Store, channel: str, message: Message, to_us: bool, name: str, now: datetime
) -> bool:
    """Return whether a message is kept: a board's other words are no business of ours.

    `to_us`: it was said to the referee, or where the referee answers.
    """
    if message.presence == "lost":
        return True
    if (
        linked_accounts.vouched(store, channel, message.account)
        # A later form of one that was kept; or a code of LINK from an account that nobody has yet.
        or stored_letters.count(store, channel=channel, message_id=name)
        or any(map(partial(tokens.named, store), tokens_and_keys.bare_tokens(message.text)))
    ):
        return True
    if not to_us or message.presence:
        return False
    # Who is no player may be told how to become one; but a crowd must not fill the disk.
    today = now - timedelta(days=1)
    others = stored_letters.count(store, kept__gt=today, channel=channel, player=None)
    return others < MOST_OF_OTHERS
