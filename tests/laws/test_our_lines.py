"""No line of any letter of ours, quoted or not, is an order."""

import pytest

from engine.blackskies.rules import BLACKSKIES
from tests.rendering.test_letter_templates import DUEL, RULES
from tests.rendering.test_skies_letters import battle
from tests.support.effort import some
from tests.support.html_words import html_text
from tests.support.read_back import Battle, taken_for_orders
from tests.support.snapshot import FOLDER

KEPT = FOLDER / "letters"
IN_BATTLE = "[G"
"""What the subject of a letter about a battle begins with."""


def lines(language: str) -> dict[str, bool]:
    """Return the lines of all letters in a language, and whether each is in a letter on
    a battle."""
    found: dict[str, bool] = {}
    for path in (KEPT if language == "en" else KEPT / language).glob("*.*"):
        about = path.with_suffix(".txt").read_text("utf-8").startswith(f"Subject: {IN_BATTLE}")
        text = path.read_text("utf-8")
        shown = html_text(text) if path.suffix == ".html" else text
        for line in shown.splitlines():
            bare = line.lstrip("> ")  # marks of quotation do not change how a line is read
            found[bare] = found.get(bare, False) or about
    return found


@pytest.mark.parametrize("language", some(["en", "de"], 1))
def test_fault_41_no_line_of_a_letter_is_an_order(language: str) -> None:
    known = lines(language)
    battles: list[Battle] = [(RULES, DUEL.state), (BLACKSKIES, battle(2)[0])]
    assert taken_for_orders("\n".join(known), language) == []
    about = "\n".join(line for line, is_about in known.items() if is_about)
    assert taken_for_orders(about, language, battles) == []
