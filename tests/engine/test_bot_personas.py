"""House pilots to practise with: fair builds of as many points as the player's pilot has."""

import pytest

from engine.dice import SeededDice
from engine.starpilot.bot_personas import sparring
from engine.starpilot.persona_record import Pilot, persona_of, pilot_of
from engine.starpilot.tables import MOST_APTITUDE, SHIPS

BUILDS = [(12, 12, 12), (16, 4, 16), (4, 16, 16), (18, 18, 12), (18, 18, 18), (18, 17, 18)]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("seed", range(8))
def test_a_partner_has_as_many_points_and_spends_them_well(
    build: tuple[int, int, int], seed: int
) -> None:
    hawk = persona_of("Hawk", Pilot("cartel", "BB", *build, "Angela 313B", 0, 1))
    partner = pilot_of(sparring(hawk, SeededDice(b"house", "G1", seed, b"")))
    aptitudes = partner.weapons, partner.piloting, partner.sensors
    assert sum(aptitudes) == sum(build)
    assert max(aptitudes) <= MOST_APTITUDE
    # Whatever the player's pilot neglects, this one can shoot and fly.
    assert partner.weapons >= 12
    assert partner.piloting >= 14
    assert SHIPS[partner.ship].weight == SHIPS["Angela 313B"].weight
    assert partner.side != "cartel"
