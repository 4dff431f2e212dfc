"""The settings that decisions depend on: stored as text when they change, and parsed again."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime

from pbem.channels import KINDS
from pbem.settings import Settings
from pbem.settings.load import parse
from pbem.storage import noted_rounds
from pbem.storage.store import Store

SECTIONS = ("league", "reports", "privacy", "limits", "newsletter", "authentication")
"""All other sections are about transport and monitoring, and change no letter's words."""

NOTED = "settings"
"""The database's key for the settings that were noted last."""


def written(settings: Settings) -> str:
    """Return what decisions depend on as text, the same text for the same settings."""
    parts = {name: asdict(getattr(settings, name)) for name in SECTIONS}
    kinds = {kind: name for name, kind in KINDS.items()}
    channels = {
        name: {"kind": kinds[type(one)], **asdict(one)}  # type: ignore[call-overload]
        for name, one in settings.channels.items()
    }
    return json.dumps(_plain(parts | {"channels": channels}), sort_keys=True)


def _plain(value: object) -> object:
    """Return a value in one form, so that 72 and 72.0 hours are the same."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def note(store: Store, settings: Settings, now: datetime) -> None:
    """Note the settings that apply from now on, if they differ from before."""
    text = written(settings)
    if store.meta(NOTED) != text:
        with store.transaction():
            store.set_meta(NOTED, text)
            noted_rounds.note(store, now, settings=text)


def in_force(text: str, settings: Settings) -> Settings:
    """Return settings with the stored ones in force. Raise SettingsError if one is unknown now."""
    # Checked like league.toml: a setting that this program does not know must stop a rebuild.
    kept = parse(json.loads(text), settings.home)
    return replace(settings, **{name: getattr(kept, name) for name in (*SECTIONS, "channels")})


def changes(before: str, after: str) -> Iterator[str]:
    """Yield the settings in which two texts differ."""
    one, other = _flat(json.loads(before)), _flat(json.loads(after))
    for name in sorted(one.keys() | other.keys()):
        was, now = (json.dumps(each.get(name)) for each in (one, other))
        if was != now:
            yield f"{name} from {was} to {now}"


def _flat(parts: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    return {
        f"[{part}] {key}": value for part, values in parts.items() for key, value in values.items()
    }
