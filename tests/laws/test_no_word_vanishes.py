"""Every word below an order is done, said back, shown to others by its mark, or asked about."""

import re

import pytest

from pbem.handlers.order_table import ORDERS
from pbem.storage import Editorial, Nomination, Story
from tests.support.harness import League, Person, duel
from tests.support.players import plain

WORDS = "Zqwords for an old friend, on a fine day."


def _here(example: str) -> str:
    """Return an example with the number of the game that is played here."""
    return re.sub(r" 12(?=$| \d+h)", " 1", example)


FORMS = sorted({(one.word, _here(str(one.example)), one.takes_all) for one in ORDERS})
BATTLE = [
    "SCAN",
    "TARGET",
    "STANDING sound",
    "SALT xyzzy",
    "TARGT",
    "PREVIEW\nSCAN",
    "GAME 99",
    "GAME 1",
    "FOR Hawk",
    "YES",
]
"""What is no league order: battle orders, one that is mistyped, and what heads others."""


def shown(league: League, ann: Person) -> bool:
    """Return whether the words are in a letter to their writer, or kept where others read them."""
    letters, store = [plain(one) for one in ann.new()], league.store
    kept = [
        row.text
        for row in (
            *store.all(Editorial.select().order_by(Editorial.id)),
            *store.all(Story.select().order_by(Story.id)),
        )
    ]
    kept += [row.citation for row in store.all(Nomination.select().order_by(Nomination.id))]
    return any("Zqwords" in text for text in (*letters, *kept))


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize(("word", "example", "takes_all"), FORMS)
def test_law_no_word_below_a_league_order_vanishes(
    league: League, word: str, example: str, takes_all: bool, gap: str
) -> None:
    ann, bob = duel(league)
    ann.new()
    ann.reply(f"{example}{gap}{WORDS}", ann.last_about("[G1-T1"))
    assert shown(league, ann)
    told = [one for one in bob.new() if "Zqwords" in plain(one)]
    assert not told or word in ("TELL", "PRESS")


@pytest.mark.parametrize("written", BATTLE)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_law_no_word_below_another_line_vanishes(league: League, written: str, gap: str) -> None:
    ann, bob = duel(league)
    ann.new()
    ann.reply(f"{written}{gap}{WORDS}", ann.last_about("[G1-T1"))
    assert shown(league, ann)
    assert not any("Zqwords" in plain(one) for one in bob.new())


@pytest.mark.parametrize("example", sorted({_here(str(one.example)) for one in ORDERS}))
def test_law_no_word_vanishes_outside_a_battle(league: League, example: str) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.write(f"KEY {cat.key}\n{example}\n\n{WORDS}")
    assert shown(league, cat)
