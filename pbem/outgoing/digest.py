"""The digest: those of a player's letters that could wait, in one letter a day."""

from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from engine.i18n import say
from pbem.channels.mail.mime_writer import Attachment, attached, plain_text, title
from pbem.i18n import zones
from pbem.outgoing.authorship import WHOSE, authors_of
from pbem.outgoing.calendar_files import calendars
from pbem.outgoing.outbox import CALENDAR, Outbox, place_of
from pbem.outgoing.retried_tasks import Task, attempt
from pbem.storage import Outgoing, Place, Player, Store, queues


def send_due(outbox: Outbox, now: datetime) -> None:
    """Write the digests that are due.

    Everything that was held before the day's hour, in the player's own zone, goes into one letter,
    in one transaction. So a digest that was not written in time is written later, and nothing is
    sent twice.
    """
    store, usual = outbox.store, outbox.settings.league.zone
    for player_id in queues.players_with_held(store):
        player = store.get(Player, player_id)
        zone = zones.zone(player.zone, usual)
        bound = last_hour(now, outbox.settings.reports.digest_hour, zone)
        rows = queues.rows(store, Outgoing, player=player_id, state="held", made__lte=bound)
        if rows:
            label = say("the digest of player {number}", number=player_id)
            task = Task(f"digest {player_id}", label, partial(_write, outbox, player, rows, now))
            attempt(outbox, task, now)


def last_hour(now: datetime, hour: int, zone: ZoneInfo) -> datetime:
    """Return the last time up to now at which it was this hour of a day in a zone."""
    today = now.astimezone(zone).date()
    # Before the hour has come today, it is yesterday's.
    days = (today, today - timedelta(days=1))
    moments = (datetime.combine(day, time(hour), zone) for day in days)
    return next(moment for moment in moments if moment <= now)


def _write(outbox: Outbox, player: Player, rows: Sequence[Outgoing], now: datetime) -> None:
    """Write one digest of letters that were held for a player, in one transaction."""
    with outbox.store.transaction():
        outbox.write(
            player,
            "digest",
            now,
            # Named by its contents, so the same letters are never put into two digests.
            ident=[row.message_id for row in rows],
            items=[_item(row) | {WHOSE: authors_of(outbox.store, row.message_id)} for row in rows],
            attachments=[*_receipts(rows), *_calendars(outbox.store, rows)],
        )
        for row in rows:
            queues.change(outbox.store, row, state="digested", sent=now)


def _calendars(store: Store, rows: Sequence[Outgoing]) -> list[Attachment]:
    """Return the newest calendar file of each place that came with the letters.

    These files remove deadlines. If another deadline was set since, its file was sent at once, and
    the old one is left out.
    """
    newest: dict[str, bytes] = {}
    for row in rows:
        newest |= calendars(row.content)
    places = {uid: store.find(Place, place_of(uid)) for uid in newest}
    stale = {uid for uid, place in places.items() if place is None or place.invited}
    return [Attachment(*CALENDAR, data) for uid, data in newest.items() if uid not in stale]


def _receipts(rows: Sequence[Outgoing]) -> list[Attachment]:
    """Return the dice that came with the letters, each as a file of its own."""
    found = [one for row in rows for one in attached(row.content, "text/plain")]
    kind = "text/plain; charset=utf-8"
    # A commitment's file has a name of its own already, which its letter tells.
    return [
        Attachment(f"receipt-{n}.txt" if name == "receipt.txt" else name, kind, data)
        for n, (name, data) in enumerate(found, 1)
    ]


def _item(row: Outgoing) -> dict[str, object]:
    """Return a letter's title and text, without the frame that all letters have."""
    text = "\n".join(plain_text(row.content).split("\r\n")).strip()
    # The first paragraph is the marker, and the last one the foot.
    paragraphs = text.split("\n\n")[1:-1]
    return {"title": title(row.content), "blocks": list(blocks(paragraphs))}


def blocks(paragraphs: list[str]) -> Iterator[dict[str, object]]:
    """Yield the kind of each paragraph of a letter's text with its lines, to lay it out again."""
    for paragraph in paragraphs:
        lines = paragraph.strip("\n").splitlines()
        if not lines:
            continue
        if lines[0].startswith("- "):
            yield {"kind": "points", "lines": list(_points(lines))}
        elif len(lines) == 1 and lines[0].isupper():
            yield {"kind": "heading", "lines": lines}
        elif lines[0].startswith("| "):
            yield {"kind": "tale", "lines": [line.removeprefix("| ") for line in lines]}
        # Two blanks keep columns apart, and such lines must not be joined.
        elif any("  " in line for line in lines):
            yield {"kind": "lines", "lines": lines}
        else:
            yield {"kind": "para", "lines": [" ".join(lines)]}


def _points(lines: list[str]) -> Iterator[str]:
    """Yield each point of a list as one line."""
    point = ""
    for line in lines:
        if line.startswith("- ") and point:
            yield point
            point = ""
        point = f"{point} {line.removeprefix('- ').strip()}".strip()
    yield point
