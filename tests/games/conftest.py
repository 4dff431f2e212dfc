"""What tests of the checking scripts ask for."""

from pathlib import Path

import pytest

from tests.support.forging import Check, checking


@pytest.fixture
def by_script(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Check:
    """What the checking script finds that a module names as its SCRIPT."""
    return checking(request.module.SCRIPT, tmp_path, monkeypatch)
