"""What a moderator looks up: `players`, `games`, `letters`, what goes on, and who is meant."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta

import click

from pbem.channels.mail.mime_writer import visible
from pbem.commands.common import JSON, UsageError, command, show_rows
from pbem.commands.open_league import opened
from pbem.games import overview
from pbem.handlers import ruling_request
from pbem.handlers.request import Refusal
from pbem.host.clock import wall_clock
from pbem.i18n.days import in_utc
from pbem.intake import subject_of
from pbem.outgoing.reachability import bounces_of, dead_since
from pbem.people import personas
from pbem.settings import Settings
from pbem.storage import Game, Letter, Outgoing, Player, Store, queues, stored_games, stored_letters

_LISTED = 50
"""The most lines of each section of `pbem status`."""
_AGO = re.compile(r"(?P<amount>\d{1,4}) ?(?P<unit>h|d|w)(?:ours?|ays?|eeks?)?(?: ago)?", re.I)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_DAYS = {"today": 0, "yesterday": 1}
_PLAYER = click.option(
    "--player",
    metavar="WHO",
    help="only one player's: an address, a name, a pilot or a number",
)


def going_on(settings: Settings, store: Store) -> list[overview.Section]:
    """Return what goes on in the league, with times in UTC."""
    return overview.sections(store, settings, wall_clock(), in_utc, _LISTED)


def print_sections(sections: Iterable[overview.Section]) -> None:
    """Print what goes on in the league, for a person."""
    for section in sections:
        print(f"\n{section.heading}:")
        for line in section.lines:
            print(f"  {line}")


def game_named(store: Store, written: str) -> Game:
    """Return a battle by its number (12 or G12), or by the name of somebody in it."""
    number = re.fullmatch(r"[Gg#]?(\d{1,9})", written)
    try:
        return ruling_request.game_named(store, number[1] if number else written)
    except Refusal as error:
        raise refused(error) from None


def player_named(store: Store, who: str) -> Player:
    """Return the player of an address, a name, a pilot's name or a number."""
    try:
        found = ruling_request.player_named(store, who)
    except Refusal as error:
        raise refused(error) from None
    if found is None:
        raise UsageError(
            f"nobody here has {who!r} as an address, a name, a pilot or a number;"
            " `pbem players` lists all"
        )
    return found


def refused(error: Refusal) -> UsageError:
    """Return a refusal as the shell says it: in one line, with its hint."""
    return UsageError(f"{error}{'; ' + error.hint if error.hint else ''}")


@command
@JSON
def players(as_json: bool) -> None:
    """List the players, those first who wrote last."""
    with opened() as (settings, store):
        found = sorted(store.each(Player), key=lambda one: one.heard, reverse=True)
        show_rows(
            as_json, [_player(settings, store, one) for one in found], "Nobody has joined yet."
        )


def _player(settings: Settings, store: Store, row: Player) -> dict[str, object]:
    pilots = ", ".join(one.name for one in personas.of(store, row.id))
    numbers = dict.fromkeys(place.game_id for place in stored_games.places_of(store, row.id))
    return {
        "player": row.id,
        "name": row.name,
        "address": row.address,
        "heard": f"last letter {in_utc(row.heard)}",
        "joined": f"joined {in_utc(row.joined)}",
        "pilots": f"leads {pilots}" if pilots else "",
        "games": f"plays game {', '.join(map(str, numbers))}" if numbers else "",
        "state": _standing(settings, store, row),
    }


def _standing(settings: Settings, store: Store, row: Player) -> str:
    """Return what keeps a player from playing, "" for nothing."""
    if row.banned:
        return "banned"
    if not row.confirmed:
        return "not confirmed"
    return "out of reach" if dead_since(settings.limits, row, bounces_of(store, [row.id])) else ""


@command
@click.option("--all", "of_all_times", is_flag=True, help="those that are over, too")
@_PLAYER
@JSON
def games(of_all_times: bool, player: str | None, as_json: bool) -> None:
    """List the battles that run, with who is late."""
    with opened() as (_, store):
        found = stored_games.games(store, **({} if of_all_times else {"running": True}))
        if player is not None:
            number = player_named(store, player).id
            own = {place.game_id for place in stored_games.places(store, player=number)}
            found = [game for game in found if game.id in own]
        rows = [_battle(one, as_json=as_json) for one in overview.battles(store, found)]
        show_rows(
            as_json, rows, "No battle." if of_all_times else "No battle runs; --all lists all."
        )


def _battle(battle: overview.Battle, *, as_json: bool) -> dict[str, object]:
    if not as_json:
        return {"line": battle.line(in_utc)}
    return {
        "game": battle.number,
        "system": battle.system,
        "teams": battle.teams,
        "turn": battle.turn,
        "running": battle.running,
        "paused": battle.paused,
        "practice": battle.practice,
        "deadline": battle.deadline and in_utc(battle.deadline),
        "waits_for": [
            {"player": player, "seat": seat, "missed_in_a_row": misses}
            for player, seat, misses in battle.late
        ],
        "winner": battle.winner,
    }


@command
@_PLAYER
@click.option(
    "--since",
    default="7d",
    metavar="WHEN",
    help="today, yesterday, 36h, 3d or a day like 2026-11-20 (default: 7d)",
)
@JSON
def letters(player: str | None, since: str, as_json: bool) -> None:
    """List the letters that came and went, oldest first."""
    with opened() as (_, store):
        begin = _since(since, wall_clock())
        of_player = {} if player is None else {"player": player_named(store, player).id}
        rows = [
            *map(_came, stored_letters.letters(store, received__gte=begin, **of_player)),
            *map(_went, queues.rows(store, Outgoing, made__gte=begin, **of_player)),
        ]
        rows.sort(key=lambda row: str(row["at"]))
        show_rows(as_json, rows, f"No letter since {in_utc(begin)}; --since goes further back.")


def _came(row: Letter) -> dict[str, object]:
    return {
        "at": in_utc(row.received),
        "way": "in",
        "letter": row.id,
        "state": row.state,
        "kind": row.klass,
        "subject": visible(subject_of(row.content)),
        "reason": visible(row.reason),
    }


def _went(row: Outgoing) -> dict[str, object]:
    return {
        "at": in_utc(row.made),
        "way": "out",
        "letter": row.id,
        "state": row.state,
        "kind": row.kind,
        "subject": visible(subject_of(row.content)),
        "to": row.recipient,
    }


def _since(written: str, now: datetime) -> datetime:
    """Return the moment that is meant by `yesterday`, `3 days`, `36h` or `2026-11-20` (UTC)."""
    word = " ".join(written.lower().split())
    if word in _DAYS:
        return _midnight(now - timedelta(days=_DAYS[word]))
    if (ago := _AGO.fullmatch(word)) is not None:
        return now - int(ago["amount"]) * _UNITS[ago["unit"].lower()]
    try:
        found = datetime.fromisoformat(written.strip())
    except ValueError:
        raise UsageError(
            f"--since {written}: write today, yesterday, 36h, 3d, 2w or a day like 2026-11-20"
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _midnight(day: datetime) -> datetime:
    return datetime.combine(day.date(), time(), UTC)
