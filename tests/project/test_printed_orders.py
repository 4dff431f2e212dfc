"""Each order sheet that is printed anywhere fights well, and never runs out of orders."""

from collections.abc import Iterator
from itertools import count, islice

import pytest

from benchmarks.simulation.duels import Bout, bouts
from engine.campaign import Specimen
from engine.dice import SeededDice
from engine.order_translations import DOCTRINES
from engine.orders.orders_on_file import texts
from engine.orders.reading import read_for
from engine.registry import RULESETS
from engine.starfarer.equipment import ARCHETYPES
from engine.starpilot.tables import BEAMS, MISSILES, SHIPS
from tests.support.printed_order_duels import BY_SHEET, drill
from tests.support.printed_orders import Printed, different, printed
from tests.support.trial_counts import some, tries

LEAST = {
    ("starpilot", "easy"): 60,
    ("starpilot", "sound"): 45,
    ("blackskies", "easy"): 60,
    ("starfarer", "easy"): 60,
    ("starfarer", "sound"): 45,
    ("cortex", "easy"): 60,
    ("cortex", "sound"): 45,
}
"""How many of 100 duels a sheet must win, by its system and the house pilot. Nobody holds his own
against a sound pilot of Black Skies by rules, which do not look ahead."""
GROUPS = {
    "cortex": (
        "A: 3 strikers",
        "A: fighter; B: gunboat; C: striker",
        "A: 3 gunboats",
        "A: 3 fighters",
        "A: 2 fighters; B: 2 interceptors",
        "A: frigate; B: fighter",
        "A: frigate",
    ),
    "starfarer": tuple(f"A: {kind}" for kind in ARCHETYPES),
}
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


PIECES = {
    "blackskies": "2 Black Tiger SKILL 2",
    "starfarer": "scout",
    "cortex": "fighter, veteran",
}
"""What a piece is that a sheet orders by its name."""


def alike(sheet: Printed, foe: str) -> Iterator[Bout]:
    """Battles of who has the pieces that a sheet orders, against as many of the same kind."""
    orders = texts(sheet.standing)
    names = dict.fromkeys(order.partition(":")[0] for order in orders if order)
    pieces = "; ".join(f"{name}: {PIECES[sheet.system]}" for name in names)
    return against_its_like(sheet.system, pieces, foe)


def against_its_like(system: str, pieces: str, foe: str) -> Iterator[Bout]:
    """Battles of some pieces against others of the same kinds; each side begins in turn."""
    campaign = CAMPAIGNS[system]
    one = campaign.enlist(f"Vultures WITH {pieces}")
    for number in count():
        other = campaign.sparring(one, SeededDice(b"", "sparring", number, b""))
        pair, strengths = [Specimen("", "", one), Specimen("", "", other)], [BY_SHEET, foe]
        turned = number % 2 == 0
        (first, second), (mine, theirs) = (x[::-1] if turned else x for x in (pair, strengths))
        yield Bout((first, second), (mine, theirs), number // 2 % 2)


BOUTS = {"starpilot": light_fighters, **dict.fromkeys(PIECES, alike)}


def test_sheets_are_found_in_letters_and_guides_of_both_languages() -> None:
    assert {"answers-help.txt", "letters.md", "player.md"} <= {sheet.file for sheet in SHEETS}
    assert {sheet.language for sheet in SHEETS if sheet.file == "answers-help.txt"} == {"en", "de"}
    assert {sheet.system for sheet in SHEETS} == {*CAMPAIGNS}


@pytest.mark.parametrize(("system", "foe"), LEAST)
def test_every_printed_sheet_fights_well(system: str, foe: str) -> None:
    sheets = [sheet for sheet in DIFFERENT if sheet.system == system]
    assert sheets
    for sheet in sheets:
        # Fights of one against one take no time, so there can be more of them.
        duels = islice(BOUTS[system](sheet, foe), DUELS * (4 if system in GROUPS else 1))
        found = drill(RULESETS[system], sheet.text, duels, sheet.language)
        assert found.stalled == 0, sheet
        assert found.percent > LEAST[system, foe], sheet


@pytest.mark.parametrize(("system", "foe"), [pair for pair in LEAST if pair[0] not in GROUPS])
@pytest.mark.parametrize("weight", some(["light", "heavy", "medium", "improved"], 2))
@pytest.mark.parametrize("doctrine", DOCTRINES)
def test_every_doctrine_fights_well(doctrine: str, weight: str, system: str, foe: str) -> None:
    campaign = CAMPAIGNS[system]
    if weight not in campaign.fleets:
        return
    duels = islice(bouts(campaign, campaign.fleets[weight], (BY_SHEET, foe)), DUELS)
    found = drill(RULESETS[system], f"STANDING {doctrine}", duels)
    assert found.stalled == 0
    assert found.percent > LEAST[system, foe]


@pytest.mark.parametrize(
    ("system", "pieces"),
    some([(system, one) for one in range(9) for system in GROUPS if one < len(GROUPS[system])], 3),
)
@pytest.mark.parametrize("doctrine", DOCTRINES)
def test_every_doctrine_for_a_group_fights_well(doctrine: str, system: str, pieces: int) -> None:
    """STANDING sound of three strikers, or of three gunboats, won 0 of 40 against sound ones."""
    for foe in ("easy", "sound"):
        duels = islice(against_its_like(system, GROUPS[system][pieces], foe), tries(400, 24))
        found = drill(RULESETS[system], f"STANDING {doctrine}", duels)
        assert found.stalled == 0
        # So few battles find out the hopeless alone.
        assert found.percent > LEAST[system, foe] - tries(0, 16)


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
