"""Commands about one league: init, check, run, once, status, game."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine import codec
from pbem import clock_jump, daemon, logs
from pbem.clock import wall_clock
from pbem.clock_jump import LAST_POLL
from pbem.commands import lists
from pbem.commands.common import (
    Args,
    UsageError,
    called,
    config,
    opened,
    print_json,
    progress,
    show,
)
from pbem.games import picture_files
from pbem.games.battle_pictures import Viewer
from pbem.games.cheat_detection import findings
from pbem.games.session import Session, game_id
from pbem.handled_apart import HandledApart
from pbem.i18n.days import in_utc
from pbem.lock import only_one
from pbem.maintenance import checkup, founding, roundtrip
from pbem.maintenance.upgrade import bring_up
from pbem.monitoring.daemon_status import at_work
from pbem.outgoing.reachability import all_out_of_reach
from pbem.service import Service
from pbem.settings import Settings
from pbem.settings.load import load
from pbem.storage import Game, Letter, Place, Store


def init(args: Args) -> None:
    """Make a new league's folder."""
    given = _pairs(args.set)
    flags = {"league.name": args.name, "league.address": args.address}
    given |= {key: value for key, value in flags.items() if value is not None}
    folder = Path(args.dir)
    if sys.stdin.isatty() and not args.yes:
        # Before the questions, so that nobody answers twelve of them for nothing.
        founding.free(folder)
        given = _answers(given)
    lacking = founding.missing(given)
    if lacking and not args.yes:
        settings = " ".join(f"--set {name}=VALUE" for name in lacking)
        raise UsageError(
            f"init: nobody is there to answer questions; say also {settings}, or --yes to take the"
            " example's values"
        )
    file = founding.found_league(folder, given)
    secrets = " and ".join(str(folder / name) for name in founding.PASSWORDS)
    print(f"{file} is written, and the database is made. Next:")
    if lacking:
        print(f"  0. set {', '.join(lacking)} in {file.name}: they are the example's")
    print(f"  1. write the passwords into {secrets}, and look through {file.name}")
    print(f"  2. {called()} --config {file} check")
    print(f"  3. {called()} --config {file} run")


def _answers(given: dict[str, str]) -> dict[str, str]:
    print("An empty answer takes the value in brackets.")
    try:
        return founding.ask(given, input, print)
    except EOFError:
        raise UsageError("init: the questions were not answered; nothing was written") from None


def _pairs(settings: list[str]) -> dict[str, str]:
    for setting in settings:
        if "=" not in setting:
            raise UsageError(f"--set {setting}: write it as SECTION.KEY=VALUE")
    return dict(setting.split("=", 1) for setting in settings)


def check(args: Args) -> int:
    """Test each part and print what is wrong."""
    failed = 0
    # Printed one by one, since a server that does not answer takes a while.
    for finding in _findings(args):
        failed += not finding.ok
        if args.json:
            print_json({"part": finding.part, "ok": finding.ok, "text": finding.text})
        else:
            sign = "WRONG" if not finding.ok else "WARN " if finding.warns else "ok   "
            print(f"{sign}  {finding.part}: {finding.text}")
    return 1 if failed else 0


def _findings(args: Args) -> Iterator[checkup.Finding]:
    sound = True
    for finding in checkup.check(config(args)):
        sound = sound and finding.ok
        yield finding
    # A letter comes back only where all parts work; the faults are named already.
    if args.send and sound:
        yield from roundtrip.check(load(config(args)), args.wait)


def run(args: Args) -> None:
    """Run the daemon."""

    def read() -> Settings:
        settings = load(config(args))
        users = (part.user for part in (settings.imap, settings.smtp) if part is not None)
        logs.set_up(settings.watch.log, (settings.league.address, *users))
        return settings

    bring_up(read(), config(args), wall_clock())
    daemon.run(read)


def once(args: Args) -> int:
    """Do all that is due, and end; print nothing when all is well, for cron mails what is printed.

    The log of faults goes to standard error.
    """
    with opened(args, new=True) as (settings, store), only_one(settings), at_work(settings):
        store.hold()
        service = Service(settings, store)
        # Letters that may do harm are handled in a second process (decision 0020).
        service.attempts.apart = HandledApart(settings)
        worker = daemon.Daemon(service, settings.mailbox(), settings.transport())
        daemon.warn_of_exposed(settings)
        done = worker.once(_progress)
        if args.json:
            print_json(done)
    return 0


def _progress(letters: list[Letter]) -> Iterable[Letter]:
    """Show a bar on a long list of letters."""
    return progress(letters, "letters")


def status(args: Args) -> None:
    """Print the state of the league: figures, and then what goes on."""
    with opened(args) as (settings, store):
        going_on = lists.going_on(settings, store)
        show(
            args,
            {
                "league": settings.league.name,
                "players": store.players.count(confirmed=True),
                "pilots": store.personas.count(),
                "open_challenges": store.challenges.count(state="open"),
                "players_out_of_reach": [
                    f"{player.name} since {since:%Y-%m-%d}"
                    for player, since in all_out_of_reach(store, settings)
                ],
                "running_battles": store.games.count(running=True),
                "finished_battles": store.games.count(running=False),
                "letters_waiting": store.letters.count(state="received"),
                "letters_held": store.letters.count(state="held"),
                "letters_shunted": store.letters.count(state="shunted"),
                "outbox_queued": store.outbox.count(state="queued"),
                "outbox_failed": store.outbox.count(state="failed"),
                "posts_queued": store.posts.count(state="queued"),
                "posts_failed": store.posts.count(state="failed"),
                "last_poll": store.meta(LAST_POLL),
                "clock_waits_until": _clock(store),
            }
            | ({"going_on": {one.heading: one.lines for one in going_on}} if args.json else {}),
        )
        if not args.json:
            lists.print_sections(going_on)


def audit(args: Args) -> None:
    """Print what may be cheating, a line for each pair of players. Nothing is done about it."""
    with opened(args) as (_, store):
        all_found = list(findings(store, wall_clock()))
        if not all_found and not args.json:
            print("Nothing was found.")
        for found in all_found:
            if args.json:
                line = {"players": found.pair, "weight": found.weight, "text": str(found.text)}
                print_json(line)
            else:
                print(f"{found.weight:4}  {found.text}")


def _clock(store: Store) -> str | None:
    """Return until when a jump of the clock delays what can't be undone."""
    until = clock_jump.waits_until(store, wall_clock())
    return in_utc(until) if until else None


def game(args: Args) -> None:
    """Print the state of a battle, export a finished one, or draw it."""
    with opened(args) as (settings, store):
        found = lists.game_named(store, args.game)
        if args.export:
            print(_export(Service(settings, store), found), end="")
            return
        session = Session(store, found)
        if args.pictures:
            show(
                args, {"written": _pictures(Service(settings, store), session, Path(args.pictures))}
            )
            return
        facts = _standing(session)
        if args.json:
            form = session.rules.scenario
            state = session.state if form is None else form.state(session.state)
            # In the form of the replay format where the system has one, so that it can be replayed.
            facts["state"] = codec.plain(state)
        show(args, facts)


def _standing(session: Session) -> dict[str, object]:
    found = session.game
    outcome = session.rules.outcome(session.state)
    facts: dict[str, object] = {
        "game": game_id(found.id),
        "system": session.rules.title,
        "running": found.running,
        "turn": found.turn,
        "steps": found.steps,
        "deadline": found.deadline and found.deadline.isoformat(timespec="minutes"),
        "winner": (outcome.winner or "nobody") if outcome else "not yet",
        "commitment": found.commitment,
    }
    facts["seats"] = {seat: _sitting(session, place) for seat, place in session.places.items()}
    return facts


def _sitting(session: Session, place: Place) -> str:
    player = session.store.players.get(place.player_id).name
    return f"{player}, {_asked(place)}, {place.misses} deadlines missed in a row"


def _asked(place: Place) -> str:
    if not place.asked:
        return "not asked"
    return "has answered" if place.answered else "is waited for"


def _pictures(service: Service, session: Session, folder: Path) -> list[str]:
    """Write pictures of what everybody may see of a battle."""
    viewer = Viewer(service.ports.outbox.renderer, service.ports.settings.league.language)
    try:
        return picture_files.write(viewer, session, folder)
    except ValueError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{folder} can't be written ({error.strerror})") from None


def _export(service: Service, found: Game) -> str:
    try:
        return service.export(found)
    except ValueError as error:
        raise UsageError(str(error)) from None
