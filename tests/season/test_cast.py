"""Nobody of the season's cast bears a name that the league refuses, or that another's looks like.

The season itself takes minutes and needs servers; a new rule of names shows here at once.
"""

from random import Random

from pbem.handlers.names.reserved_names import reserved
from pbem.people.lookalikes import fault, looks
from pbem.settings.sections import LeagueSettings
from tests.season.habits import NAMES
from tests.season.plan import FULL, MODERATOR, pilot_names
from tests.support.players import REFEREE

LEAGUE = LeagueSettings(name="Avalon League", address=REFEREE, timezone="Europe/Oslo")
CAST = [f"{name} Example" for name in (MODERATOR, *NAMES)] + list(pilot_names(Random(1)))


def test_nobody_of_the_cast_has_a_name_that_is_refused() -> None:
    assert len(NAMES) >= FULL.players
    refused = {name: fault(name) or reserved(name, LEAGUE) for name in CAST}
    assert {name: why for name, why in refused.items() if why} == {}


def test_no_two_of_the_cast_look_alike() -> None:
    assert len({looks(name).small for name in CAST}) == len(CAST)
    assert len({looks(name).shape for name in CAST}) == len(CAST)
