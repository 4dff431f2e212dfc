"""How much is tried: little by default, and much in `make thorough`."""

import os
from collections.abc import Sequence
from typing import Any

import pytest

MANY = os.environ.get("PBEM_TESTS") == "many"


def tries(many: int, few: int) -> int:
    """Return how often something random is tried."""
    return many if MANY else few


def some(cases: Sequence[Any], few: int) -> list[Any]:
    """Return cases for a test, of which all but the first few are left to the long tests.

    A tuple holds the values of several parameters.
    """
    return [
        case
        if n < few
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for n, case in enumerate(cases)
    ]
