"""What is stored changes only together with the schema's number, so that each change is migrated.

`stored_formats.json` has a digest of each format, and the number that they belong to. After a
migration was added, PBEM_SNAPSHOTS=write renews it; without one it refuses to.
"""

import hashlib
import json
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec

from engine.orders.orders_on_file import Sheet
from engine.registry import RULESETS
from pbem.settings import Settings
from pbem.storage.kept_settings import SECTIONS
from pbem.storage.migrations import newest
from pbem.storage.models import MODELS

FILE = Path(__file__).parent / "stored_formats.json"
SYSTEMS = ("starpilot", "blackskies", "starfarer", "cortex")


def digest(value: object) -> str:
    """Return a short digest of what describes a format."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def form(kind: Any) -> str:
    """Return the digest of how values of a type are written as JSON."""
    return digest(_bare(msgspec.json.schema(kind)))


def _bare(schema: Any) -> Any:
    """Return a JSON schema without its words, but with fields that are called like them."""
    if isinstance(schema, dict):
        words = {key for key in ("description", "title") if isinstance(schema.get(key), str)}
        return {key: _bare(one) for key, one in schema.items() if key not in words}
    return [_bare(one) for one in schema] if isinstance(schema, list) else schema


def found() -> dict[str, str]:
    """Return the digests of all that is stored."""
    formats = {"sheets": form(Sheet)}
    for model in MODELS:
        fields_ = [
            (one.column_name, type(one).__name__, one.null, one.unique, one.index)
            for one in model._meta.sorted_fields
        ]
        formats[f"table {model._meta.table_name}"] = digest([fields_, model._meta.indexes])
    for system in SYSTEMS:
        formats[f"states of {system}"] = form(RULESETS[system].state)
        formats[f"events of {system}"] = form(RULESETS[system].event)
    kinds = {one.name: one.type for one in fields(Settings)}
    for section in SECTIONS:
        named = [one.name for one in fields(kinds[section])]  # type: ignore[arg-type]
        formats[f"settings of {section}"] = digest(named)
    return formats


def test_a_stored_format_changes_only_with_the_number_of_the_schema() -> None:
    kept, now = json.loads(FILE.read_text()), {"schema": newest(), "formats": found()}
    names = kept["formats"].keys() | now["formats"].keys()
    unlike = sorted(n for n in names if kept["formats"].get(n) != now["formats"].get(n))
    assert not unlike or kept["schema"] != now["schema"], (
        f"{', '.join(unlike)}: a stored format has changed; add a migration"
        " (pbem/storage/migrations.py), and PBEM_SNAPSHOTS=write renews this file"
    )
    if os.environ.get("PBEM_SNAPSHOTS") == "write":
        FILE.write_text(json.dumps(now, indent=1) + "\n")
        return
    assert kept["schema"] == now["schema"], "a migration was added: renew by PBEM_SNAPSHOTS=write"
