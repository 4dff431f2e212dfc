"""What fuzzing begins with and what it once found, run without a fuzzer (tests/fuzz)."""

import pytest

from tests.fuzz.targets import TARGETS, seeds
from tests.support.paths import TESTS


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_old_crashers_harm_nothing(name: str) -> None:
    found = [file.read_bytes() for file in sorted((TESTS / "fuzz" / name).glob("*"))]
    for raw in [*found, *list(seeds(name))[:60], b"", b"\xff\x00"]:
        TARGETS[name](raw)
