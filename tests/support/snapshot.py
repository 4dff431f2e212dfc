"""Snapshots: texts kept as files that a reviewer can read; PBEM_SNAPSHOTS=write renews them."""

import os

from tests.support.paths import TESTS

FOLDER = TESTS / "snapshots"


def matches(name: str, text: str) -> bool:
    """Return whether a text equals the kept one, after renewing that if it is wanted."""
    path = FOLDER / name
    if os.environ.get("PBEM_SNAPSHOTS") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing; run with PBEM_SNAPSHOTS=write"
    return path.read_text(encoding="utf-8") == text
