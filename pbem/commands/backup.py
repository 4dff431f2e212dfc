"""Commands that protect a league from loss: backup, restore, move, fsck, rebuild."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from pbem.clock import wall_clock
from pbem.commands.common import (
    Args,
    UsageError,
    config,
    need_database,
    print_json,
    progress,
    show,
)
from pbem.lock import LOCK, only_one
from pbem.maintenance import backup as backups
from pbem.maintenance import fsck as checks
from pbem.maintenance import rebuild as rebuilding
from pbem.monitoring.backups import AUTOMATIC, BY_HAND
from pbem.settings.load import load
from pbem.settings.sections import StoreSettings
from pbem.storage import copies


def backup(args: Args) -> None:
    """Write a backup, whether the daemon runs or not; with --rotate, remove old automatic ones."""
    settings = load(config(args))
    need_database(settings)
    folder = Path(args.dir) if args.dir else settings.state(settings.backup.path)
    kind = AUTOMATIC if args.rotate else BY_HAND
    made = backups.make(settings, config(args), folder, wall_clock(), kind)
    facts: dict[str, object] = {"backup": str(made.file), "bytes": made.file.stat().st_size}
    show(args, facts | {"without": made.without, "removed": [old.name for old in made.removed]})


def restore(args: Args) -> None:
    """Restore a backup; the league's old database is kept next to it."""
    file = Path(args.file)
    # First the settings: on a new machine only the backup says where the database goes.
    written = backups.unpack_config(file, config(args))
    settings = load(config(args))
    with only_one(settings):
        # Under the league's lock: no daemon may write while the database is exchanged.
        done = backups.restore(settings, file, wall_clock(), force=args.force)
    old_file = str(done.old_file) if done.old_file else None
    show(args, {"restored": str(file), **done.held, "written": written, "old_database": old_file})


def move(args: Args) -> None:
    """Copy another database into the one that the settings name."""
    settings = load(config(args))
    old = replace(settings, store=StoreSettings(url=args.source))
    with ExitStack() as held:
        held.enter_context(only_one(settings))
        # A daemon of the old database may hold another lock, next to that one.
        lock = old.state(LOCK)
        if lock.exists() and lock.resolve() != settings.state(LOCK).resolve():
            held.enter_context(only_one(old))
        show(args, copies.carry(old.store_url(), settings.store_url(), alone=True))


def fsck(args: Args) -> int:
    """Check the database against itself. Return status 1 if anything is wrong."""
    url = load(config(args)).store_url()
    found = list(checks.inspect(url, lambda games: progress(games, "battles")))
    if args.json:
        print_json([{"part": one.part, "where": one.where, "text": one.text} for one in found])
    else:
        for one in found:
            print(f"WRONG  {one.part}, {one.where}: {one.text}")
        print("Nothing is wrong." if not found else f"{len(found)} things are wrong.\n{_ADVICE}")
    return 1 if found else 0


_ADVICE = """\
Restore a backup (`pbem restore`), or rebuild the league from its letters (`pbem rebuild`)."""


def rebuild(args: Args) -> int:
    """Rebuild the league from its letters in a new file. Return status 1 if it differs."""
    settings, new = load(config(args)), Path(args.file)
    if new.exists():
        raise UsageError(f"{new} exists already; name a new file")
    changes: list[str] = []
    found = rebuilding.rebuild(
        settings, new, lambda moments: progress(moments, "rounds"), changes.append
    )
    if args.json:
        print_json({"rebuilt": str(new), "settings": changes, "differences": found})
        return 1 if found else 0
    for text in changes:
        print(f"SETTING  {text}")
    for text in found:
        print(f"DIFFERS  {text}")
    print(f"{new} holds {'another' if found else 'the same'} league.")
    return 1 if found else 0
