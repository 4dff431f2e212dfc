"""Backups: database, settings and secrets in one file; rotated, and restored."""

import gzip
import os
import shutil
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.host.ownership import to_owner_of_folder
from pbem.service.backup_age import AUTOMATIC, BY_HAND, made_at, name_of
from pbem.settings import Settings, SettingsError
from pbem.storage import StoreDown, copies

DATABASE, CONFIG, SECRETS = "league.db", "league.toml", "secrets/"
CATALOGUES = "catalogues/"


class BackupError(Exception):
    """A backup can't be made or restored; the text says why."""


@dataclass(frozen=True, slots=True)
class Made:
    """A backup: its file, what it lacks, and the older ones that were removed."""

    file: Path
    without: list[str]
    removed: list[Path]


def make(
    settings: Settings, config: Path, folder: Path, now: datetime, kind: str = BY_HAND
) -> Made:
    """Write a backup into a folder, readable only by its owner.

    One that is AUTOMATIC removes older ones of its kind that are out of turn, and nothing removes
    any other. Raises StoreDown or BackupError, and leaves nothing half-written behind.
    """
    file, without = _unused(folder, kind, now), []
    try:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True)
            to_owner_of_folder(folder)
        with TemporaryDirectory(dir=folder, prefix=".making-") as work:
            draft = Path(work) / file.name
            # A copy by the database, not of its file: a daemon may be writing to that.
            copies.copy(settings.store_url(), Path(work) / DATABASE)
            with tarfile.open(draft, "w:gz") as archive:
                archive.add(Path(work) / DATABASE, DATABASE)
                archive.add(config, CONFIG)
                for name in settings.catalogues.values():
                    archive.add(settings.path(name), CATALOGUES + name)
                for name in secret_files(settings) if settings.backup.secrets else ():
                    if not _add_secret(archive, settings, name):
                        without.append(name)
            # It holds the league's secret, and perhaps passwords.
            draft.chmod(0o600)
            # Renamed only when it is on the disk, so that no backup is ever half a file.
            _sync(draft)
            draft.rename(file)
            to_owner_of_folder(file)
    except OSError as error:
        raise BackupError(f"{file} can't be written ({error.strerror or error})") from None
    removed = list(_out_of_turn(folder, settings)) if kind == AUTOMATIC else []
    for old in removed:
        old.unlink(missing_ok=True)
    return Made(file, without, removed)


def _unused(folder: Path, kind: str, now: datetime) -> Path:
    """Return the file of a backup that is made now; another one of this second stays."""
    while (file := folder / name_of(kind, now)).exists():
        now += timedelta(seconds=1)
    return file


def _sync(file: Path) -> None:
    with file.open("rb") as handle:
        os.fsync(handle.fileno())


def _add_secret(archive: tarfile.TarFile, settings: Settings, name: str) -> bool:
    try:
        data = settings.secret(name).encode()
    except SettingsError:
        return False
    member = tarfile.TarInfo(SECRETS + name)
    member.size, member.mode = len(data), 0o600
    archive.addfile(member, BytesIO(data))
    return True


def secret_files(settings: Settings) -> list[str]:
    """Return the files in the league's folder that hold its settings' secrets, each once."""
    parts = [
        settings.store,
        settings.imap,
        settings.smtp,
        settings.oauth,
        *settings.channels.values(),
    ]
    named = [
        getattr(part, field.name)
        for part in parts
        if part is not None
        for field in fields(part)  # type: ignore[arg-type]
        # By the field's name, so that a new setting of this kind is not forgotten.
        if field.name.endswith("_file")
    ]
    # Others, such as a system's list of certificates, are not the league's own.
    return [name for name in dict.fromkeys(named) if _is_inside(name)]


def _out_of_turn(folder: Path, settings: Settings) -> Iterator[Path]:
    names = ((made_at(file.name, AUTOMATIC), file) for file in folder.iterdir())
    files = {moment: file for moment, file in names if moment}
    stay = in_turn(files, settings.backup.daily, settings.backup.weekly)
    return (file for moment, file in files.items() if moment not in stay)


def in_turn(moments: Iterable[datetime], daily: int, weekly: int) -> set[datetime]:
    """Return which backups to keep: the last of each of the latest days and weeks."""
    days: dict[object, datetime] = {}
    weeks: dict[object, datetime] = {}
    for moment in sorted(moments):
        days[moment.date()] = weeks[moment.isocalendar()[:2]] = moment
    # Even if both settings are 0, the backup that was just made stays.
    newest = sorted(days.values())[-1:]
    return {*newest, *_last(days.values(), daily), *_last(weeks.values(), weekly)}


def _last(moments: Iterable[datetime], count: int) -> list[datetime]:
    return sorted(moments)[-count:] if count else []


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored: the counts of what it holds, and where the old database is now."""

    held: dict[str, int]
    old_file: Path | None


def unpack_config(backup: Path, config: Path) -> list[str]:
    """Write the files of a backup that are missing, apart from the database. Return their names.

    These are league.toml, the catalogues that it names, and the secrets.
    """
    written = []
    with _opened(backup) as archive:
        config.parent.mkdir(parents=True, exist_ok=True)
        for member in archive:
            secret, catalogue = member.name.startswith(SECRETS), member.name.startswith(CATALOGUES)
            name = member.name.partition("/")[2] if secret or catalogue else config.name
            wanted = member.name == CONFIG or ((secret or catalogue) and _is_inside(name))
            target = config.parent / name
            if wanted and not target.exists():
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                _unpack(archive, member, target, 0o600 if secret else 0o644)
                written.append(name)
    return written


def _is_inside(name: str) -> bool:
    """Return whether a file's name leads into the league's folder, or a folder in it."""
    # So that no archive can write elsewhere, and no system's own file is taken along.
    return bool(name) and not Path(name).is_absolute() and ".." not in Path(name).parts


def restore(settings: Settings, backup: Path, now: datetime, *, force: bool = False) -> Restored:
    """Restore a backup's database; an old file is kept next to it under another name.

    The caller holds the league's lock. Raise BackupError if the league holds anything, unless
    `force` is set, and StoreDown if the backup's database is not sound, or has to go into a
    server's database that holds anything.
    """
    url = settings.store_url()
    file = copies.file_of(url)
    if file is not None:
        return _put_back(file, backup, now, force)
    with TemporaryDirectory(prefix="pbem-") as folder:
        draft = Path(folder) / DATABASE
        _draw(backup, draft)
        return Restored(copies.carry(f"sqlite:///{draft}", url), None)


def _put_back(file: Path, backup: Path, now: datetime, force: bool) -> Restored:
    # Next to the database: a rename within a file system is done as a whole or not at all.
    draft = file.with_name(f"{file.name}.restoring")
    try:
        draft.unlink(missing_ok=True)
        # First: only a sound backup may move the old database aside.
        _draw(backup, draft)
        _refuse_to_lose(file, force)
        old_file = copies.set_aside(file, now.astimezone(UTC).strftime("before-%Y%m%dT%H%M%SZ"))
        to_owner_of_folder(draft)
        draft.rename(file)
    except OSError as error:
        raise BackupError(f"{file} can't be written ({error.strerror or error})") from None
    finally:
        draft.unlink(missing_ok=True)
    return Restored(copies.held(file), old_file)


def _draw(backup: Path, draft: Path) -> None:
    """Take the database out of a backup, and check that it is sound."""
    with _opened(backup) as archive:
        _unpack(archive, _database_of(archive), draft, 0o600)
    copies.check(draft)


def _refuse_to_lose(file: Path, force: bool) -> None:
    if force or not file.exists():
        return
    try:
        counts = copies.held(file)
    except StoreDown as error:
        raise BackupError(f"{error}; --force sets it aside") from None
    if any(counts.values()):
        contents = ", ".join(f"{count} {name}" for name, count in counts.items())
        raise BackupError(f"the league in {file} holds {contents}; --force sets it aside")


@contextmanager
def _opened(backup: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(backup) as archive:
            yield archive
    # What a damaged archive raises depends on where it is damaged. BadGzipFile is an OSError, so
    # it must stand before that.
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile):
        raise BackupError(f"{backup} is damaged, or is not a backup") from None
    except OSError as error:
        where = error.filename or backup
        raise BackupError(f"{where} can't be used ({error.strerror or error})") from None


def _database_of(archive: tarfile.TarFile) -> tarfile.TarInfo:
    try:
        return archive.getmember(DATABASE)
    except KeyError:
        raise BackupError(
            f"{archive.name!s} holds no {DATABASE}; it is not a backup of pbem"
        ) from None


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, file: Path, mode: int) -> None:
    """Write a plain member to a new file, and sync it."""
    inner = archive.extractfile(member)
    if inner is None:
        raise BackupError(f"{member.name} in {archive.name!s} is not a plain file")
    # O_EXCL: never through a link, or over a file that is there.
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as handle:
        shutil.copyfileobj(inner, handle)
        handle.flush()
        os.fsync(handle.fileno())
