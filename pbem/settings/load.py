"""Read settings from league.toml. Each fault is one sentence that names the place."""

import json
import logging
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msgspec import Meta, ValidationError, convert

from engine.errors import SetupError
from engine.names import closest
from engine.registry import FAULTS, RULESETS
from pbem.channels import KINDS
from pbem.channels.channel import ChannelSettings
from pbem.settings import Settings, SettingsError
from pbem.settings.checks import faults
from pbem.settings.sections import MAY_BE_EMPTY, Count, LeagueSettings

log = logging.getLogger("pbem")

_CHANNEL = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_RETIRED = ("check_dkim", "resolver")
_OTHERS = ("channels", "catalogues", "stocks", "home", "fingerprint")

SECTIONS: dict[str, Any] = {
    # A section that may be missing has the type "... | None".
    name: next(iter(get_args(kind)), kind)
    for name, kind in get_type_hints(Settings).items()
    if name not in _OTHERS
}
"""The sections of league.toml and what each holds, apart from [channels.NAME] and [catalogues]."""


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
        raise SettingsError(f"{file} can't be read: it is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"{file} can't be understood: {error}; a text must stand in quotation marks, and a"
            " section's name in brackets"
        ) from None
    settings = parse(_with_environment(raw, environment), file.parent)
    return replace(settings, fingerprint=_fingerprint(raw, settings))


def _fingerprint(raw: Mapping[str, Any], settings: Settings) -> str:
    """Return a mark of what the files say, the same in each environment and for other comments."""
    said = [json.dumps(raw, sort_keys=True, default=str)]
    said += [f"{key} {stock!r}" for key, stock in sorted(settings.stocks.items())]
    return sha256("\0".join(said).encode()).hexdigest()[:16]


def _with_environment(raw: dict[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    merged = {name: dict(part) if isinstance(part, dict) else part for name, part in raw.items()}
    for name, text in environment.items():
        section, mark, key = name.removeprefix("PBEM_").lower().partition("__")
        part = merged.setdefault(section, {}) if name.startswith("PBEM_") and mark else None
        # If it is not a section, `parse` says so.
        if isinstance(part, dict):
            part[key] = _Text(text)
    return merged


class _Text(str):
    """A setting that came as text and is read as its key's type."""


def parse(raw: Mapping[str, Any], home: Path) -> Settings:
    """Return settings made of plain values. Raise SettingsError that names section and key."""
    raw = _without_retired(raw)
    for name, part in raw.items():
        if name not in (*SECTIONS, "channels", "catalogues"):
            known = *SECTIONS, "channels.NAME", "catalogues"
            meant = closest(name, known)
            sections = ", ".join(f"[{section}]" for section in known)
            perhaps = f"perhaps [{meant}] is meant" if meant else f"the sections are {sections}"
            raise SettingsError(f"[{name}] is not a section; {perhaps}")
        if not isinstance(part, dict):
            raise SettingsError(f"[{name}] must be a section of settings")
    if "league" not in raw:
        raise SettingsError("[league] is missing: name and address are needed")
    parts = {
        name: _section(name, raw[name], kind) for name, kind in SECTIONS.items() if name in raw
    }
    parts["league"] = _without_broken(parts["league"])
    # In the order of their names, as in the database: a replay queues posts in the same order.
    channels = {
        name: _channel(name, part) for name, part in sorted(raw.get("channels", {}).items())
    }
    named = raw.get("catalogues", {})
    stocks = {system: _stock(system, name, home) for system, name in named.items()}
    settings = Settings(home=home, channels=channels, catalogues=named, stocks=stocks, **parts)
    for fault in faults(settings):
        raise SettingsError(fault)
    return settings


def _without_retired(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain values without the settings of signatures, which earlier versions had."""
    # An upgrade must not stop a league, so these are no faults.
    kept = {name: part for name, part in raw.items() if name != "dkim"}
    if "dkim" in raw:
        log.warning(
            "[dkim] has no effect any more: take it out of league.toml, and let the mail server"
            " sign what the league sends (docs/providers.md says how)"
        )
    told = raw.get("authentication")
    if isinstance(told, dict) and (gone := [key for key in _RETIRED if key in told]):
        # Without a server nothing can pass now.
        useless = () if told.get("server") else ("passed",)
        kept["authentication"] = {k: told[k] for k in told if k not in (*gone, *useless)}
        log.warning(
            "[authentication] %s has no effect any more: take it out of league.toml, and let the"
            " mail server check signatures and name it as server (docs/providers.md says how)",
            " and ".join(gone),
        )
    return kept


def _without_broken(league: LeagueSettings) -> LeagueSettings:
    """Return the settings without systems that could not be loaded; the log and `check` say why."""
    # A package that can't be loaded must not end the daemon: only its own games are paused.
    whole = [key for key in league.systems if key in RULESETS or key not in FAULTS]
    return replace(league, systems=tuple(whole))


def _channel(name: str, raw: Any) -> ChannelSettings:
    """Return the settings of a channel by its kind."""
    where, kind = f"channels.{name}", raw.get("kind") if isinstance(raw, dict) else None
    if not _CHANNEL.fullmatch(name):
        raise SettingsError(f"[{where}]: a channel's name is of small letters and digits")
    if kind is None:
        raise SettingsError(f"[{where}] kind is missing; write one of {', '.join(KINDS)}")
    if not isinstance(kind, str) or kind not in KINDS:
        raise SettingsError(f"[{where}] kind is {kind!r}; it must be one of {', '.join(KINDS)}")
    given = {key: value for key, value in raw.items() if key != "kind"}
    found: ChannelSettings = _section(where, given, KINDS[kind])
    wrong = found.wrong()
    if wrong:
        raise SettingsError(f"[{where}] {wrong}")
    return found


def _section(name: str, raw: Mapping[str, Any], kind: Any) -> Any:
    hints = get_type_hints(kind, include_extras=True)
    for key in raw:
        if key not in hints:
            meant = closest(key, hints)
            perhaps = f"perhaps {meant} is meant" if meant else f"known are {', '.join(hints)}"
            raise SettingsError(f"[{name}] {key} is not a setting; {perhaps}")
    for known in fields(kind):
        if known.name not in raw and known.default is MISSING:
            raise SettingsError(f"[{name}] {known.name} is missing")
        if known.name in raw and (wrong := _not_given(raw[known.name], known)):
            raise SettingsError(f"[{name}] {known.name} {wrong}")
    return kind(**{key: _value(f"[{name}] {key}", raw[key], hints[key]) for key in raw})


def _not_given(value: Any, key: Field[Any]) -> str:
    """Return why a value is none, or ""; only where nothing is the default may a text be empty."""
    if not isinstance(value, str) or value.strip() or value == key.default:
        return ""
    if key.metadata.get(MAY_BE_EMPTY):
        return ""
    if key.default is MISSING:
        return "is empty, and it is needed"
    return f"is empty; write one, or take the line out for {key.default!r}"


def _value(where: str, value: Any, kind: Any) -> Any:
    """Return a value as its key's type; for a key that holds a list, one value is a list of one."""
    from_text = isinstance(value, _Text)
    # Forums' settings have plain numbers, which count or name something.
    kind = Count if kind is int else kind
    if get_origin(kind) is tuple:
        if from_text:
            value = [_Text(part.strip()) for part in value.split(",") if part.strip()]
        values = value if isinstance(value, list) else [value]
        return tuple(_value(where, one, get_args(kind)[0]) for one in values)
    if kind is str and isinstance(value, str) and not value.isprintable():
        # No file, server or user has such a name, and the system refuses some of them.
        raise SettingsError(f"{where} must be one line of text, not {str(value)!r}")
    try:
        # The environment holds nothing but text, so there "5" is a number.
        return convert(str(value) if from_text else value, kind, strict=not from_text)
    except _MISFITS:
        raise SettingsError(f"{where} {_wrong(value, kind)}") from None


_MISFITS = (ValidationError, UnicodeError)
"""What msgspec raises for a value; the second one where the environment holds bytes, not text."""
_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def _wrong(value: Any, kind: Any) -> str:
    """Return what is wrong with a value that its key's type does not take."""
    plain, bounds = get_args(kind) if get_origin(kind) is Annotated else (kind, Meta())
    if plain not in _NAMES:
        return f"is {value!r}; it must be one of {', '.join(get_args(plain))}"
    try:
        number = convert(value, plain, strict=not isinstance(value, _Text))
    except _MISFITS:
        return f"must be {_NAMES[plain]}, not {value!r}"
    if bounds.description:
        return f"is {value!r}; it must be {bounds.description}"
    if bounds.gt == 0 and number <= 0:
        return "must be more than 0"
    return f"must be from {bounds.ge or 0} to {bounds.le}, not {value}"


def _stock(system: str, name: Any, home: Path) -> Any:
    """Return the catalogue of a system: a file next to league.toml, of what all players may use."""
    known = {key: rules.blueprints for key, rules in RULESETS.items() if rules.blueprints}
    if system not in known:
        raise SettingsError(f"[catalogues] {system} has none; known are {', '.join(known)}")
    # A backup holds it by its name alone, and puts it back next to league.toml.
    if not isinstance(name, str) or not name or Path(name).name != name:
        raise SettingsError(f"[catalogues] {system} must be the name of a file next to league.toml")
    try:
        return known[system].stock(tomllib.loads((home / name).read_text("utf-8")))
    except (OSError, UnicodeError) as error:
        why = f"can't be read ({getattr(error, 'strerror', None) or 'it is not text'})"
    except tomllib.TOMLDecodeError as error:
        why = f"is not TOML: {error}"
    except SetupError as error:
        raise SettingsError(f"[catalogues] {system}: {name}: {error}") from None
    raise SettingsError(f"[catalogues] {system}: {name} {why}")
