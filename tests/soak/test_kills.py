"""The short form of the kills (tests/soak/kills.py): six of them, with a rebuild after three."""

import pytest

from tests.servers.required import require
from tests.soak.kills import open_kills


@pytest.mark.long
@pytest.mark.services
def test_fault_01_02_03_kills_and_cut_links_lose_double_and_blame_nothing() -> None:
    require("dovecot")
    with open_kills(seed=7) as tried:
        found = tried.run(kills=6, seed=7, each=3)
    assert found.bad == []
    assert (found.kills, found.rebuilds) == (6, 3)
    assert found.letters > 30
    assert found.most_in_hand > 0
