"""The service knows no rules: no word of a system occurs in pbem/ and in generic templates."""

import re
from pathlib import Path

import pytest

from engine.registry import REPLAYABLE
from tests.support.paths import ROOT

PBEM = ROOT / "pbem"
WORDS = re.compile(
    rf"\b(?:{'|'.join(REPLAYABLE)}|missiles?|lasers?|thrusters?|hexes|squadrons?)\b", re.I
)
GENERIC = ("any", "kit", "letters", "parts", "posts")
EXEMPT = {
    PBEM / "demo" / "players.py",  # the letters of the demo's players
    PBEM / "handlers" / "german.py",  # German for order words that systems bring
}


def rooms() -> list[Path]:
    code = [path for path in PBEM.rglob("*.py") if path not in EXEMPT]
    words = [path for name in GENERIC for path in (ROOT / "templates" / name).glob("*.j2")]
    return sorted(code + words)


@pytest.mark.parametrize("room", rooms(), ids=lambda room: str(room.relative_to(ROOT)))
def test_no_room_of_the_house_names_a_rule_system_or_its_things(room: Path) -> None:
    lines = room.read_text("utf-8").splitlines()
    assert [line for line in lines if WORDS.search(line)] == []
