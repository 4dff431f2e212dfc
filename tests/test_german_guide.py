"""The German guide for players: its words are those that are read."""

import re

import pytest

from engine.ruleset import Near
from engine.standing import lines, read_for
from engine.starpilot.rules import STARPILOT
from engine.starpilot.tables import COMMANDS
from pbem.league import orders
from tests.test_docs import ROOT, first_cells, part

GUIDE = (ROOT / "docs" / "player.de.md").read_text("utf-8")
PAIR = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \|", re.M)


@pytest.mark.parametrize(("german", "english"), PAIR.findall(part(GUIDE, "Kampfbefehle")))
def test_every_battle_order_means_what_the_guide_says(german: str, english: str) -> None:
    assert read_for(STARPILOT, None, None, german, "de").queue == (english,)


def test_every_battle_order_stands_in_the_guide() -> None:
    told = [english for _, english in PAIR.findall(part(GUIDE, "Kampfbefehle"))]
    assert sorted(told) == sorted(COMMANDS)


@pytest.mark.parametrize(("german", "english"), PAIR.findall(part(GUIDE, "Dauerbefehle")))
def test_every_condition_means_what_the_guide_says(german: str, english: str) -> None:
    written = read_for(STARPILOT, None, None, f"WENN {german}: FEUER", "de").standing
    assert written is not None
    assert lines(written) == [f"IF {english}: FIRE"]


@pytest.mark.parametrize("example", first_cells(part(GUIDE, "Befehle der Liga")))
def test_every_league_order_of_the_guide_is_one(example: str) -> None:
    assert isinstance(orders.find(example, "de"), tuple)


@pytest.mark.parametrize("block", re.findall(r"```\n(.*?)```", GUIDE, re.S))
def test_every_block_of_orders_is_read_whole(block: str) -> None:
    found = {line: orders.find(line, "de") for line in block.splitlines()}
    rest = [line for line, order in found.items() if order is None or isinstance(order, Near)]
    written = read_for(STARPILOT, None, None, "\n".join(rest), "de")
    assert (written.near, written.story) == ((), ())
