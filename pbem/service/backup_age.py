"""The age of the newest backup, by its name, which says when it was made."""

from datetime import UTC, datetime, timedelta

from engine.i18n import say
from pbem.settings import Settings

BY_HAND, AUTOMATIC, UPGRADE = "pbem", "pbem-auto", "pbem-before-upgrade"
"""Who made a backup, as its name begins; only automatic ones are ever removed by pbem."""
_MOMENT = "-%Y%m%dT%H%M%SZ.tar.gz"


def name_of(kind: str, now: datetime) -> str:
    """Return the name of a backup that is made now."""
    return f"{kind}{now.astimezone(UTC).strftime(_MOMENT)}"


def made_at(name: str, *kinds: str) -> datetime | None:
    """Return when a backup of some kinds was made, by its name; None for any other file."""
    for kind in kinds:
        try:
            # By the name and not the file's time, which changes when it is copied.
            return datetime.strptime(name, f"{kind}{_MOMENT}").replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def newest(settings: Settings) -> datetime | None:
    """Return when the newest backup was made; None if there is none. Raises OSError."""
    folder = settings.state(settings.backup.path)
    names = (file.name for file in folder.iterdir())
    made = (made_at(name, BY_HAND, AUTOMATIC, UPGRADE) for name in names)
    return max((moment for moment in made if moment is not None), default=None)


def trouble(settings: Settings, now: datetime) -> str:
    """Return a sentence if backups are too old; "" if none were ever made, or the check is off."""
    folder, most = settings.state(settings.backup.path), settings.watch.backup_hours
    if not most or not folder.exists():
        return ""
    try:
        found = newest(settings)
    except OSError as error:
        return say("the backups in {path} can't be seen: {why}", path=str(folder), why=str(error))
    if found is None:
        return say("there is no backup in {path}", path=str(folder))
    age = now - found
    if age <= timedelta(hours=most):
        return ""
    hours = int(age.total_seconds() // 3600)
    return say("the newest backup is {hours} h old, in {path}", hours=hours, path=str(folder))
