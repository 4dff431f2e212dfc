"""AWAY, BACK and TIMEZONE: a player's days away, and the zone in which days are meant."""

from datetime import date, datetime, timedelta
from re import Match
from zoneinfo import ZoneInfo

from engine.said import Said, say
from pbem.deadlines import Absence, used_days
from pbem.league.visit import Answer, Refusal, Visit
from pbem.people import absences
from pbem.store import Game, Leave, Player
from pbem.words import zones
from pbem.words.days import dated

_EXAMPLE = say("AWAY 2026-12-20 TO 2027-01-03")
_FURTHEST = timedelta(days=366)


def timezone(visit: Visit, match: Match[str]) -> Answer:
    """Tell, or set, the zone in which a player's letters tell times."""
    usual, name = visit.office.settings.league.zone, match["zone"]
    if name is None:
        return Answer(True, say("your letters tell times in {zone}, and in UTC", zone=_zone(visit)))
    found = zones.find(name)
    if found is None:
        near = zones.near(name)
        alike = say("the zones most like it are {zones}", zones=near)
        hint = alike if near else say("write one like {example}", example="Europe/Oslo")
        raise Refusal(say("no time zone is called {name}", name=name), hint)
    visit.office.store.players.change(visit.player.id, zone=found)
    now = dated(visit.now, zones.zone(found, usual))
    told = say(
        "your letters tell times in {zone} from now on; there it is {now}", zone=found, now=now
    )
    return Answer(True, told)


def away(visit: Visit, match: Match[str]) -> Answer:
    """Put down days away, whereupon deadlines that wait for the player move; or list them."""
    if match["first"] is None:
        year = _today(visit).year
        return Answer(True, say("{days}; {left}", days=_listed(visit), left=_budget(visit, year)))
    absence = _read(visit, match["first"], match["last"] or match["first"])
    _check(visit, absence)
    moved = visit.office.referee.timetable.away(_player(visit), absence, visit.now)
    done = say("you are away {days}, by the calendar of {zone}", **_named(absence))
    return _answer(visit, done, absence, moved)


def back(visit: Visit, match: Match[str]) -> Answer:
    """End the days away or take back those to come; deadlines are nearer, but a turn off."""
    leave, absence = _meant(visit, match["first"])
    moved = visit.office.referee.timetable.back(_player(visit), leave, absence, visit.now)
    ended = say("your absence {days} has ended", **_named(absence))
    if absence.first > _today(visit):
        ended = say("your absence {days} is taken back", **_named(absence))
    return _answer(visit, ended, absence, moved)


def _player(visit: Visit) -> Player:
    """Give the player as the letter's earlier lines have left them."""
    return visit.office.store.players.get(visit.player.id)


def _zone(visit: Visit) -> ZoneInfo:
    return zones.zone(_player(visit).zone, visit.office.settings.league.zone)


def _today(visit: Visit) -> date:
    return visit.now.astimezone(_zone(visit)).date()


def _span(absence: Absence) -> Said:
    return say("from {first} to {last}", first=absence.first, last=absence.last)


def _named(absence: Absence) -> dict[str, object]:
    return {"days": _span(absence), "zone": absence.zone}


def _mine(visit: Visit) -> list[tuple[Leave, Absence]]:
    return absences.of(visit.office.store, visit.office.settings.league, _player(visit))


def _to_come(visit: Visit) -> list[tuple[Leave, Absence]]:
    return [one for one in _mine(visit) if one[1].last >= _today(visit)]


def _listed(visit: Visit) -> Said:
    spans = [_span(absence) for _, absence in _to_come(visit)]
    return say("you are away {days}", days=spans) if spans else say("you have put down no absence")


def _read(visit: Visit, first: str, last: str) -> Absence:
    """Read two dates in the player's zone; raises Refusal."""
    return Absence(_day(first), _day(last), _zone(visit))


def _day(text: str) -> date:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        why = say("{text} is no day; write year, month and day", text=text)
        raise Refusal(why, _EXAMPLE) from None


def _check(visit: Visit, absence: Absence) -> None:
    """Raise Refusal for days that are past, too far off, taken already, or too many."""
    first, last, today = absence.first, absence.last, _today(visit)
    if last < first:
        raise Refusal(say("{last} is before {first}", first=first, last=last), _EXAMPLE)
    if first < today:
        zone = absence.zone
        raise Refusal(
            say("{day} is past; in {zone} it is {today}", day=first, zone=zone, today=today)
        )
    if last - today > _FURTHEST:
        raise Refusal(say("{day} is more than a year off; put it down later", day=last))
    for _, known in _mine(visit):
        if known.first <= last and first <= known.last:
            why = say("you are away {days} already, and the two overlap", days=_span(known))
            raise Refusal(why, say("{order} takes those days back", order=f"BACK {known.first}"))
    for year in range(first.year, last.year + 1):
        _check_year(visit, absence, year)


def _check_year(visit: Visit, absence: Absence, year: int) -> None:
    wanted = used_days([absence], year)
    if wanted > _days_left(visit, year):
        left = _budget(visit, year)
        raise Refusal(
            say("that takes {days} days of {year}, and {left}", days=wanted, year=year, left=left)
        )


def _days_left(visit: Visit, year: int) -> int:
    known = [one for _, one in _mine(visit)]
    return visit.office.settings.league.away_days - used_days(known, year)


def _budget(visit: Visit, year: int) -> Said:
    most, left = visit.office.settings.league.away_days, _days_left(visit, year)
    return say("you have {left} of {most} days left in {year}", left=left, most=most, year=year)


def _answer(visit: Visit, done: Said, absence: Absence, moved: list[Game]) -> Answer:
    """Say what was done, what moved, and how many days are left."""
    numbers = [game.id for game in moved]
    deadlines = say("no deadline moves now")
    if moved:
        deadlines = say("the deadline moves in game {numbers}", numbers=numbers)
    years = range(absence.first.year, absence.last.year + 1)
    left = [_budget(visit, year) for year in years]
    return Answer(
        True, say("{done}; {deadlines}; {left}", done=done, deadlines=deadlines, left=left)
    )


def _meant(visit: Visit, first: str | None) -> tuple[Leave, Absence]:
    """Give the absence that begins on a day, or that which is on, or the only one to come."""
    known = _to_come(visit)
    on = [one for one in known if one[1].first <= _today(visit)]
    fit = [one for one in known if str(one[1].first) == first] if first else on or known
    if len(fit) == 1:
        return fit[0]
    if fit:
        days = [_span(absence) for _, absence in fit]
        example = say("BACK {day}", day=fit[0][1].first)
        raise Refusal(say("which absence? yours are {days}", days=days), example)
    why = (
        say("no absence of yours begins on {day}", day=first) if first else say("you are not away")
    )
    raise Refusal(why, say("{order} alone lists your days away", order=say("AWAY")))
