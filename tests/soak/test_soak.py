"""The short form of the soak (tests/soak/soak.py): 1,500 letters, and a kill every few hundred."""

import pytest

from tests.servers.required import require
from tests.soak.soak import open_soak
from tests.support.trial_counts import tries

GROWTH = 16 * 1024
"""The most that the daemon may grow while it reads the last letters, in KiB.

It loads some libraries when they are first needed, so the first half of these letters is left out.
"""


@pytest.mark.long
@pytest.mark.services
def test_fault_01_02_03_kills_and_faults_lose_nothing_and_double_nothing() -> None:
    require("dovecot", "smtp-sink")
    with open_soak(tries(2_000, 1_500), seed=11) as soak:
        found = soak.run()
    assert found.bad == []
    assert found.kills >= 3
    assert found.faults == tries(20, 15)
    assert found.memory[-1] - found.memory[len(found.memory) // 2] < GROWTH
