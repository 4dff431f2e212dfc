"""Read settings from league.toml. Each fault is one sentence that names the place."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from engine.words import closest
from pbem.forum import KINDS
from pbem.forum.channel import ChannelSettings
from pbem.mail.authentication import AuthenticationSettings
from pbem.mail.signing import DkimSettings
from pbem.settings import Settings, SettingsError
from pbem.settings.catalogues import stocks
from pbem.settings.checks import check
from pbem.settings.sections import (
    BackupSettings,
    ImapSettings,
    LeagueSettings,
    LimitSettings,
    MaildirSettings,
    MetricsSettings,
    NewsletterSettings,
    OauthSettings,
    PrivacySettings,
    ReportSettings,
    SmtpSettings,
    StoreSettings,
    WatchSettings,
)

_CHANNEL = re.compile(r"[a-z][a-z0-9_-]{0,39}")

SECTIONS: dict[str, Any] = {
    "league": LeagueSettings,
    "imap": ImapSettings,
    "smtp": SmtpSettings,
    "oauth": OauthSettings,
    "dkim": DkimSettings,
    "authentication": AuthenticationSettings,
    "maildir": MaildirSettings,
    "store": StoreSettings,
    "backup": BackupSettings,
    "reports": ReportSettings,
    "privacy": PrivacySettings,
    "limits": LimitSettings,
    "watch": WatchSettings,
    "metrics": MetricsSettings,
    "newsletter": NewsletterSettings,
}
"""The sections of league.toml and what each holds, apart from [channels.NAME] and [catalogues]."""
_OTHERS = "channels", "catalogues"


def load(file: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings in league.toml, with some overridden by `PBEM_SECTION__KEY`.

    Raises SettingsError.
    """
    try:
        raw = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsError(
            f"{file} does not exist; make one with: pbem init {file.parent}, or name yours"
            " with --config FILE"
        ) from None
    except OSError as error:
        raise SettingsError(f"{file} can't be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file} can't be read: it is no text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is no TOML: {error}") from None
    return parse(_with_environment(raw, environment), file.parent)


def _with_environment(raw: dict[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    merged = {name: dict(part) if isinstance(part, dict) else part for name, part in raw.items()}
    for name, text in environment.items():
        section, mark, key = name.removeprefix("PBEM_").lower().partition("__")
        if name.startswith("PBEM_") and mark:
            merged.setdefault(section, {})[key] = _Text(text)
    return merged


class _Text(str):
    """A setting that came as text and is read as its key's type."""


def parse(raw: Mapping[str, Any], home: Path) -> Settings:
    """Return settings made of plain values. Raise SettingsError that names section and key."""
    for name, part in raw.items():
        if name not in (*SECTIONS, *_OTHERS):
            known = *SECTIONS, "channels.NAME", "catalogues"
            sections = ", ".join(f"[{section}]" for section in known)
            raise SettingsError(f"[{name}] is no section; the sections are {sections}")
        if not isinstance(part, dict):
            raise SettingsError(f"[{name}] must be a section of settings")
    if "league" not in raw:
        raise SettingsError("[league] is missing: name and address are needed")
    parts = {
        name: _section(name, raw[name], kind) for name, kind in SECTIONS.items() if name in raw
    }
    channels = {name: _channel(name, part) for name, part in raw.get("channels", {}).items()}
    catalogues = raw.get("catalogues", {})
    stock = stocks(catalogues, home)
    settings = Settings(home=home, channels=channels, catalogues=catalogues, stocks=stock, **parts)
    check(settings)
    return settings


def _channel(name: str, raw: Any) -> ChannelSettings:
    """Return the settings of a channel by its kind."""
    where, kind = f"channels.{name}", raw.get("kind") if isinstance(raw, dict) else None
    if not _CHANNEL.fullmatch(name):
        raise SettingsError(f"[{where}]: a channel's name is of small letters and digits")
    if not isinstance(kind, str) or kind not in KINDS:
        raise SettingsError(f"[{where}] kind is {kind!r}; it must be one of {', '.join(KINDS)}")
    given = {key: value for key, value in raw.items() if key != "kind"}
    found: ChannelSettings = _section(where, given, KINDS[kind])
    wrong = found.wrong()
    if wrong:
        raise SettingsError(f"[{where}] {wrong}")
    return found


def _section(name: str, raw: Mapping[str, Any], kind: Any) -> Any:
    hints = get_type_hints(kind)
    for key in raw:
        if key not in hints:
            meant = closest(key, hints)
            perhaps = f"perhaps {meant} is meant" if meant else f"known are {', '.join(hints)}"
            raise SettingsError(f"[{name}] {key} is no setting; {perhaps}")
    for known in fields(kind):
        if known.name not in raw and known.default is MISSING:
            raise SettingsError(f"[{name}] {known.name} is missing")
    return kind(**{key: _value(f"[{name}] {key}", raw[key], hints[key]) for key in raw})


def _value(where: str, value: Any, kind: Any) -> Any:
    if isinstance(value, _Text) and get_origin(kind) is tuple:
        value = [_Text(part.strip()) for part in value.split(",") if part.strip()]
    if isinstance(value, _Text):
        value = _from_text(where, value, kind)
    choices = get_args(kind)
    if get_origin(kind) is tuple:
        return _many(where, value, choices[0])
    if choices:
        if value not in choices:
            raise SettingsError(f"{where} is {value!r}; it must be one of {', '.join(choices)}")
        return value
    # TOML has 72 and 72.0, but a person means the same.
    if kind is float and type(value) is int:
        return float(value)
    # Not isinstance: in Python, true is an int, but in settings it is a mistake.
    if type(value) is not kind:
        raise SettingsError(f"{where} must be {_NAMES[kind]}, not {value!r}")
    return value


def _many(where: str, value: Any, kind: Any) -> tuple[Any, ...]:
    """Return a list of values; a single value counts as a list of one."""
    values = value if isinstance(value, list) else [value]
    return tuple(_value(where, one, kind) for one in values)


_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def _from_text(where: str, text: str, kind: Any) -> Any:
    if kind is bool:
        return {"true": True, "false": False, "1": True, "0": False}.get(text.lower(), text)
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            raise SettingsError(f"{where} must be {_NAMES[kind]}, not {str(text)!r}") from None
    return str(text)
