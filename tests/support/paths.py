"""Where things are in this repository."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
LETTERS = TESTS / "letters"
SCENARIOS = TESTS / "scenarios"
DOCS = ROOT / "docs"
