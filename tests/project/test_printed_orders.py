"""Each order sheet that is printed anywhere fights well, and never runs out of orders."""

from collections.abc import Iterator
from itertools import count, islice

import pytest

from engine.campaign import Specimen
from engine.dice import SeededDice
from engine.order_languages import PRESETS
from engine.orders.orders_on_file import texts
from engine.orders.reading import read_for
from engine.registry import RULESETS
from engine.simulation.duels import Bout, bouts
from engine.starpilot.tables import BEAMS, MISSILES, SHIPS
from tests.support.printed_order_duels import BY_SHEET, drill
from tests.support.printed_orders import Printed, different, printed
from tests.support.trial_counts import some, tries

LEAST = {
    ("starpilot", "easy"): 60,
    ("starpilot", "sound"): 45,
    ("blackskies", "easy"): 60,
}
"""How many of 100 duels a sheet must win, by its system and the house pilot. Nobody holds his own
against a sound pilot of Black Skies by rules, which do not look ahead."""
DUELS = tries(1000, 60)
CAMPAIGNS = {k: rules.campaign for k, rules in RULESETS.items() if rules.campaign is not None}
SHEETS = printed()
DIFFERENT = different(SHEETS)
SHOTS = {"FIRE": BEAMS, "LAUNCH": MISSILES}


def light_fighters(sheet: Printed, foe: str) -> Iterator[Bout]:
    """Duels of Light fighters that have a weapon which a sheet of StarPilot shoots with."""
    stats = [SHOTS[rule.order] for rule in sheet.standing.rules if rule.order in SHOTS]
    for bout in bouts(
        CAMPAIGNS["starpilot"], CAMPAIGNS["starpilot"].fleets["light"], (BY_SHEET, foe)
    ):
        ship = SHIPS[bout.pilots[bout.strengths.index(BY_SHEET)].kind]
        if any(ship.stats[stat] for stat in stats):
            yield bout


def squadrons(sheet: Printed, foe: str) -> Iterator[Bout]:
    """Battles of a squadron with a sheet's elements against others of the same fighters."""
    campaign, orders = CAMPAIGNS["blackskies"], texts(sheet.standing)
    names = dict.fromkeys(order.partition(":")[0] for order in orders if order)
    wings = (f"{name}: 2 Black Tiger SKILL 2" for name in names)
    one = campaign.enlist(f"Vultures WITH {'; '.join(wings)}")
    for number in count():
        other = campaign.sparring(one, SeededDice(b"", "sparring", number, b""))
        pair, strengths = [Specimen("", "", one), Specimen("", "", other)], [BY_SHEET, foe]
        turned = number % 2 == 0
        (first, second), (mine, theirs) = (x[::-1] if turned else x for x in (pair, strengths))
        yield Bout((first, second), (mine, theirs), number // 2 % 2)


BOUTS = {"starpilot": light_fighters, "blackskies": squadrons}


def test_sheets_are_found_in_letters_and_guides_of_both_languages() -> None:
    assert {"answers-help.txt", "letters.md", "player.md"} <= {sheet.file for sheet in SHEETS}
    assert {sheet.language for sheet in SHEETS if sheet.file == "answers-help.txt"} == {"en", "de"}
    assert {sheet.system for sheet in SHEETS} == {r.key for r in RULESETS.values() if r.usual}


@pytest.mark.parametrize(("system", "foe"), LEAST)
def test_every_printed_sheet_fights_well(system: str, foe: str) -> None:
    sheets = [sheet for sheet in DIFFERENT if sheet.system == system]
    assert sheets
    for sheet in sheets:
        duels = islice(BOUTS[system](sheet, foe), DUELS)
        found = drill(RULESETS[system], sheet.text, duels, sheet.language)
        assert found.stalled == 0, sheet
        assert found.percent > LEAST[system, foe], sheet


@pytest.mark.parametrize(("system", "foe"), LEAST)
@pytest.mark.parametrize("weight", some(["light", "heavy", "medium", "improved"], 2))
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_fights_well(preset: str, weight: str, system: str, foe: str) -> None:
    campaign = CAMPAIGNS[system]
    if weight not in campaign.fleets:
        return
    duels = islice(bouts(campaign, campaign.fleets[weight], (BY_SHEET, foe)), DUELS)
    found = drill(RULESETS[system], f"STANDING {preset}", duels)
    assert found.stalled == 0
    assert found.percent > LEAST[system, foe]


def test_a_passive_sheet_is_found_out() -> None:
    """What HELP printed before never fights for the Advantage, and some of it stalls."""
    old = read_for(RULESETS["starpilot"], None, None, OLD).standing
    assert old is not None
    duels = light_fighters(Printed("", "en", "starpilot", old, OLD), "easy")
    found = drill(RULESETS["starpilot"], OLD, islice(duels, 60))
    assert found.stalled > 0
    assert found.percent < LEAST["starpilot", "easy"]


OLD = """\
STANDING
IF FIRED ON: JINK
IF LAUNCHED AT: ECM
IF LOCKED: FIRE
IF STRUCTURE <= 1 AND SHOT AT: EJECT
ELSE: TARGET
END"""
