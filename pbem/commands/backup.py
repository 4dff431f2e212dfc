"""Commands that protect a league from loss: backup, restore, move, fsck, rebuild."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from pbem.commands.common import JSON, UsageError, command, config, print_json, progress, show
from pbem.commands.open_league import need_database
from pbem.host.clock import wall_clock
from pbem.maintenance import backup as backups
from pbem.maintenance import fsck as checks
from pbem.maintenance import rebuild as rebuilding
from pbem.service.backup_age import AUTOMATIC, BY_HAND
from pbem.service.lock import LOCK, only_one
from pbem.settings.load import load
from pbem.settings.sections import StoreSettings
from pbem.storage import copies


@command
@click.argument("folder", metavar="[DIR]", required=False)
@click.option("--rotate", is_flag=True, help="by a timer: later ones may replace this one")
@JSON
def backup(folder: str | None, rotate: bool, as_json: bool) -> None:
    """Write a backup into DIR, or where [backup] path says.

    The daemon may run meanwhile.
    """
    settings = load(config())
    need_database(settings)
    place = Path(folder) if folder else settings.state(settings.backup.path)
    kind = AUTOMATIC if rotate else BY_HAND
    made = backups.make(settings, config(), place, wall_clock(), kind)
    facts: dict[str, object] = {"backup": str(made.file), "bytes": made.file.stat().st_size}
    show(as_json, facts | {"without": made.without, "removed": [old.name for old in made.removed]})


@command
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="even if the league is not empty")
@JSON
def restore(file: Path, force: bool, as_json: bool) -> None:
    """Restore a backup.

    The league's old database is kept next to it.
    """
    # First the settings: on a new machine only the backup says where the database goes.
    written = backups.unpack_config(file, config())
    settings = load(config())
    with only_one(settings):
        # Under the league's lock: no daemon may write while the database is exchanged.
        done = backups.restore(settings, file, wall_clock(), force=force)
    old_file = str(done.old_file) if done.old_file else None
    show(
        as_json, {"restored": str(file), **done.held, "written": written, "old_database": old_file}
    )


@command
@click.argument("source", metavar="URL")
@JSON
def move(source: str, as_json: bool) -> None:
    """Copy another database into the league's.

    URL names the other one, such as sqlite:///league.db.
    """
    settings = load(config())
    old = replace(settings, store=StoreSettings(url=source))
    with ExitStack() as held:
        held.enter_context(only_one(settings))
        # A daemon of the old database may hold another lock, next to that one.
        lock = old.state(LOCK)
        if lock.exists() and lock.resolve() != settings.state(LOCK).resolve():
            held.enter_context(only_one(old))
        show(as_json, copies.carry(old.store_url(), settings.store_url(), alone=True))


@command
@JSON
def fsck(as_json: bool) -> int:
    """Check the database, and each battle against its log.

    The status is 1 if anything is wrong.
    """
    url = load(config()).store_url()
    found = list(checks.inspect(url, lambda games: progress(games, "battles")))
    if as_json:
        print_json([{"part": one.part, "where": one.where, "text": one.text} for one in found])
    else:
        for one in found:
            print(f"WRONG  {one.part}, {one.where}: {one.text}")
        print("Nothing is wrong." if not found else f"{len(found)} things are wrong.\n{_ADVICE}")
    return 1 if found else 0


_ADVICE = """\
Restore a backup (`pbem restore`), or rebuild the league from its letters (`pbem rebuild`)."""


@command
@click.argument("new", metavar="NEW.db", type=click.Path(path_type=Path))
@JSON
def rebuild(new: Path, as_json: bool) -> int:
    """Replay all letters of the league into a new database.

    The status is 1 if it differs.
    """
    settings = load(config())
    if new.exists():
        raise UsageError(f"{new} exists already; name a new file")
    changes: list[str] = []
    found = rebuilding.rebuild(
        settings, new, lambda moments: progress(moments, "rounds"), changes.append
    )
    if as_json:
        print_json({"rebuilt": str(new), "settings": changes, "differences": found})
        return 1 if found else 0
    for text in changes:
        print(f"SETTING  {text}")
    for text in found:
        print(f"DIFFERS  {text}")
    print(f"{new} holds {'another' if found else 'the same'} league.")
    return 1 if found else 0
