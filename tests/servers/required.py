"""What a test needs to be installed on the machine, and what happens where it is not."""

import os

import pytest

from tests.servers.daemon import program


def require(*programs: str) -> None:
    """Skip without these programs, or fail where REQUIRE_SERVICES=1 demands them."""
    missing = [name for name in programs if program(name) is None]
    if missing:
        unmet(f"not installed: {', '.join(missing)}")


def unmet(reason: str) -> None:
    """Skip for this reason, or fail for it where REQUIRE_SERVICES=1."""
    if os.environ.get("REQUIRE_SERVICES") == "1":
        pytest.fail(f"REQUIRE_SERVICES=1, but {reason}")
    pytest.skip(reason)
