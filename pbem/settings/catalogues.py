"""Catalogues: for each system a file next to league.toml, of what all players may use."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.errors import SetupError
from engine.library import RULESETS
from pbem.settings import SettingsError


def stocks(named: Mapping[str, Any], home: Path) -> dict[str, Any]:
    """Return the catalogues that [catalogues] names, by system. Raises SettingsError."""
    return {system: _stock(system, name, home) for system, name in named.items()}


def _stock(system: str, name: Any, home: Path) -> Any:
    known = {key: rules.workshop for key, rules in RULESETS.items() if rules.workshop}
    if system not in known:
        raise SettingsError(f"[catalogues] {system} has none; known are {', '.join(known)}")
    if not isinstance(name, str) or not name or Path(name).name != name:
        raise SettingsError(f"[catalogues] {system} must be the name of a file beside league.toml")
    try:
        raw = tomllib.loads((home / name).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise SettingsError(f"[catalogues] {system}: {name} can't be read ({why})") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"[catalogues] {system}: {name} is no TOML: {error}") from None
    try:
        return known[system].stock(raw)
    except SetupError as error:
        raise SettingsError(f"[catalogues] {system}: {name}: {error}") from None
