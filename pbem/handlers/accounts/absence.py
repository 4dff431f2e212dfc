"""AWAY, BACK and TIMEZONE: a player's days away, and the time zone that these days are in."""

import re
from datetime import date, datetime, timedelta
from re import Match
from zoneinfo import ZoneInfo

from engine.i18n import Said, say
from pbem.handlers.request import Answer, Refusal, Request
from pbem.i18n import zones
from pbem.i18n.days import dated, day
from pbem.people import absences, players
from pbem.settings.calendar import Absence, used_days
from pbem.storage import Game, Leave, Player

_EXAMPLE = say("AWAY 2026-12-20 TO 2027-01-03")
_POINTED = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})\.?")
_FURTHEST = timedelta(days=366)


def timezone(request: Request, match: Match[str]) -> Answer:
    """Set the time zone of the times in a player's letters, or answer which one it is."""
    usual, name = request.ports.settings.league.zone, match["zone"]
    if name is None:
        return Answer(
            True, say("your letters tell times in {zone}, and in UTC", zone=_zone(request))
        )
    found = zones.find(name)
    if found is None:
        near = zones.near(name)
        alike = say("the zones most like it are {zones}", zones=near)
        hint = alike if near else say("write one like {example}", example="Europe/Oslo")
        if places := zones.at_offset(name, request.now):
            hint = say("it is that time now in {zones}; write one of them", zones=places)
        raise Refusal(say("no time zone is called {name}", name=name), hint)
    players.change(request.ports.store, request.player.id, zone=found)
    # The time there is in the answer, so that a zone that was chosen by mistake is noticed.
    now = dated(request.now, zones.zone(found, usual))
    text = say(
        "your letters tell times in {zone} from now on; there it is {now}", zone=found, now=now
    )
    return Answer(True, text)


def away(request: Request, match: Match[str]) -> Answer:
    """Record days away and move the deadlines that wait for the player; or list the days."""
    if match["first"] is None:
        year = _today(request).year
        return Answer(
            True, say("{days}; {left}", days=_listed(request), left=_budget(request, year))
        )
    absence = _read(request, match["first"], match["last"] or match["first"])
    _check(request, absence)
    moved = request.ports.referee.timetable.away(_player(request), absence, request.now)
    done = say("you are away {days}, by the calendar of {zone}", **_named(absence))
    return _answer(request, done, absence, moved)


def back(request: Request, match: Match[str]) -> Answer:
    """End the days away, or cancel later ones; deadlines come nearer, but leave a whole turn."""
    leave, absence = _meant(request, match["first"])
    moved = request.ports.referee.timetable.back(_player(request), leave, absence, request.now)
    ended = say("your absence {days} has ended", **_named(absence))
    if absence.first > _today(request):
        ended = say("your absence {days} is taken back", **_named(absence))
    return _answer(request, ended, absence, moved)


def _player(request: Request) -> Player:
    """Return the player as the letter's earlier lines have left them."""
    # `request.player` was read before: a TIMEZONE above this order may have changed the row.
    return request.ports.store.get(Player, request.player.id)


def _zone(request: Request) -> ZoneInfo:
    return zones.zone(_player(request).zone, request.ports.settings.league.zone)


def _today(request: Request) -> date:
    # A day away is a day of the player's own calendar, not of the server's.
    return request.now.astimezone(_zone(request)).date()


def _span(absence: Absence) -> Said:
    return say("from {first} to {last}", first=day(absence.first), last=day(absence.last))


def _named(absence: Absence) -> dict[str, object]:
    return {"days": _span(absence), "zone": absence.zone}


def _mine(request: Request) -> list[tuple[Leave, Absence]]:
    return absences.of(request.ports.store, request.ports.settings.league, _player(request))


def _to_come(request: Request) -> list[tuple[Leave, Absence]]:
    return [one for one in _mine(request) if one[1].last >= _today(request)]


def _listed(request: Request) -> Said:
    spans = [_span(absence) for _, absence in _to_come(request)]
    return say("you are away {days}", days=spans) if spans else say("you have put down no absence")


def _read(request: Request, first: str, last: str) -> Absence:
    """Return the days from one date to another in the player's zone.

    Raise Refusal where one of them is not a date.
    """
    return Absence(_day(first), _day(last), _zone(request))


def _day(text: str) -> date:
    """Return a day that is written as `2026-12-20` or `20.12.2026`."""
    pointed = _POINTED.fullmatch(text)
    try:
        # With points the day always comes first; with slashes it depends on where one lives.
        written = "-".join(reversed(pointed.groups())) if pointed else text
        return datetime.strptime(written, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        why = say("{text} is not a day; write year, month and day", text=text)
        raise Refusal(why, _EXAMPLE) from None


def _check(request: Request, absence: Absence) -> None:
    """Raise Refusal for days that are past, too far ahead, taken already, or too many."""
    first, last, today = absence.first, absence.last, _today(request)
    if last < first:
        raise Refusal(say("{last} is before {first}", first=first, last=last), _EXAMPLE)
    if first < today:
        zone = absence.zone
        raise Refusal(
            say("{day} is past; in {zone} it is {today}", day=first, zone=zone, today=today)
        )
    if last - today > _FURTHEST:
        raise Refusal(say("{day} is more than a year off; put it down later", day=last))
    for _, known in _mine(request):
        if known.first <= last and first <= known.last:
            why = say("you are away {days} already, and the two overlap", days=_span(known))
            raise Refusal(
                why,
                say("{order} takes those days back", order=say("BACK {day}", day=str(known.first))),
            )
    # The allowance is per calendar year, and one absence may reach into the next year.
    for year in range(first.year, last.year + 1):
        _check_year(request, absence, year)


def _check_year(request: Request, absence: Absence, year: int) -> None:
    wanted = used_days([absence], year)
    if wanted > _days_left(request, year):
        left = _budget(request, year)
        raise Refusal(
            say("that takes a day of {year}, and {left}", year=year, left=left)
            if wanted == 1
            else say(
                "that takes {days} days of {year}, and {left}", days=wanted, year=year, left=left
            )
        )


def _days_left(request: Request, year: int) -> int:
    known = [one for _, one in _mine(request)]
    return request.ports.settings.league.away_days - used_days(known, year)


def _budget(request: Request, year: int) -> Said:
    most, left = request.ports.settings.league.away_days, _days_left(request, year)
    return say("you have {left} of {most} days left in {year}", left=left, most=most, year=year)


def _answer(request: Request, done: Said, absence: Absence, moved: list[Game]) -> Answer:
    """Return the answer: what was done, which deadlines moved, and how many days are left."""
    numbers = [game.id for game in moved]
    deadlines = say("no deadline moves now")
    if moved:
        deadlines = say("the deadline moves in game {numbers}", numbers=numbers)
    years = range(absence.first.year, absence.last.year + 1)
    left = [_budget(request, year) for year in years]
    return Answer(
        True, say("{done}; {deadlines}; {left}", done=done, deadlines=deadlines, left=left)
    )


def _meant(request: Request, first: str | None) -> tuple[Leave, Absence]:
    """Return the absence that begins on a day; without a day, the current or the only later one.

    Raise Refusal where there is none, or more than one.
    """
    known = _to_come(request)
    on = [one for one in known if one[1].first <= _today(request)]
    fit = [one for one in known if one[1].first == _day(first)] if first else on or known
    if len(fit) == 1:
        return fit[0]
    if fit:
        # Taking back the wrong absence would let a deadline fall while the player is away.
        days = [_span(absence) for _, absence in fit]
        example = say("BACK {day}", day=fit[0][1].first)
        raise Refusal(say("which absence? yours are {days}", days=days), example)
    why = (
        say("no absence of yours begins on {day}", day=first) if first else say("you are not away")
    )
    raise Refusal(why, say("{order} alone lists your days away", order=say("AWAY")))
