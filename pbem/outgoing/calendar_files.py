"""Deadlines as calendar files (RFC 5545), attached to letters."""

from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.policy import default

from pbem.channels.mail.mime_writer import cleaned


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """A deadline for a calendar; a later `sequence` of one uid replaces the earlier (RFC 5545).

    `made` is when this is written, `organizer` the league's address.
    """

    uid: str
    when: datetime
    sequence: int
    made: datetime
    organizer: str
    title: str
    text: str
    cancelled: bool = False


def calendar(appointment: Appointment) -> bytes:
    """Return a deadline as a calendar file to be published (RFC 5546, 3.2.1)."""
    # Not above: it is a tenth of what each command loads, and few write a deadline.
    from icalendar import Calendar, Event

    event = Event()
    event.add("uid", cleaned(appointment.uid))
    event.add("dtstamp", appointment.made)
    event.add("dtstart", appointment.when)
    event.add("sequence", appointment.sequence)
    event.add("status", "CANCELLED" if appointment.cancelled else "CONFIRMED")
    event.add("organizer", f"mailto:{appointment.organizer}")
    event.add("summary", cleaned(appointment.title))
    event.add("description", cleaned(appointment.text))
    event.add("transp", "TRANSPARENT")
    whole = Calendar()
    whole.add("prodid", "-//pbem//referee//EN")
    whole.add("version", "2.0")
    whole.add("method", "PUBLISH")
    whole.add_component(event)
    return bytes(whole.to_ical())


def calendars(raw: bytes) -> dict[str, bytes]:
    """Return the calendar files of a letter that `compose` wrote, by the uid of their event."""
    from icalendar import Calendar

    letter = message_from_bytes(raw, policy=default)
    found = [
        part.get_payload(decode=True)
        for part in letter.walk()
        if part.get_content_type() == "text/calendar"
    ]
    return {
        str(event["uid"]): data
        for data in found
        if isinstance(data, bytes)
        for event in Calendar.from_ical(data).walk("VEVENT")
    }
