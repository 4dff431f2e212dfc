"""What commitments cover and dice depend on: the vectors of docs/dice.md."""

import hashlib
import re

import pytest

from engine import fair_dice
from engine.dice import KeyedDice, canonical
from engine.fair_dice import Ground
from tests.support.paths import DOCS

DICE_MD = (DOCS / "dice.md").read_text("utf-8")
SECRET = bytes(range(32))
SETUP = f"{7:064x}"
HAWK = fair_dice.words_of("<1@home.example>", [])
KESTREL = fair_dice.words_of("<2@home.example>", ["Grün ist es"])
LATER = fair_dice.words_of("<3@home.example>", ["two", "three"])
LINK = fair_dice.fingerprint(KESTREL)
BEFORE = {"Hawk": HAWK, "Kestrel": KESTREL}
NOW = {"Hawk": LATER, "Kestrel": KESTREL}
COMMITMENT = fair_dice.commitment(SECRET, "demo-1", "starpilot", 1, {"setup": SETUP})
GROUND = Ground(SECRET, COMMITMENT, SETUP, "", BEFORE)
HOUSE = GROUND._replace(bots="sound", before={"Hawk": HAWK})
REWARD_TOLD = fair_dice.commitment(SECRET, "R7", "starpilot", 1, {"reward": "Hawk"})
REWARD = Ground(SECRET, REWARD_TOLD, "", "", {})
FIRE = [("Hawk", "FIRE")]

KEYS = {
    "A": GROUND.step(0, BEFORE, []),
    "B": GROUND.step(1, BEFORE, []),
    "C": GROUND.step(1, NOW, []),
    "D": GROUND.step(1, NOW, FIRE),
    "E": GROUND.step(1, NOW, FIRE, ["Hawk"]),
    "F": GROUND.step(2**33, NOW, []),
    "G": HOUSE.step(1, {"Hawk": HAWK}, FIRE),
    "H": HOUSE.whims(1, {"Hawk": HAWK}),
    "I": fair_dice.sparring(SECRET, "demo-1", {"Hawk": HAWK}),
    "J": REWARD.step(0, {"Hawk": KESTREL}, [("Hawk", "SPEND 3 FOR Hawk")]),
}
"""The keys of the vectors, by the letters that docs/dice.md calls them."""

VECTORS = re.findall(
    r"^\| ([A-J]) \| .* \| d(\d+) \| ([\d, ]+) \| `([0-9a-f]{64})` \|$", DICE_MD, re.M
)


def test_all_vectors_are_in_the_docs() -> None:
    assert {letter for letter, *_ in VECTORS} == set(KEYS)


@pytest.mark.parametrize(("letter", "sides", "rolls", "digest"), VECTORS)
def test_the_vectors_of_dice_md(letter: str, sides: str, rolls: str, digest: str) -> None:
    expected = [int(roll) for roll in rolls.split(", ")]
    dice = KeyedDice(KEYS[letter])
    assert [dice.roll(int(sides), "") for _ in expected] == expected
    assert fair_dice.digest_of(KEYS[letter]) == digest


@pytest.mark.parametrize(
    "terms", [{"setup": SETUP}, {"patrol": "Hawk"}, {"setup": SETUP, "undo": 9}]
)
def test_the_commitments_of_dice_md(terms: dict[str, object]) -> None:
    assert fair_dice.commitment(SECRET, "demo-1", "starpilot", 1, terms) in DICE_MD
    assert REWARD_TOLD in DICE_MD


def test_a_commitment_is_made_of_what_dice_md_says() -> None:
    seal = hashlib.sha256(SECRET).hexdigest()
    text = f'["pbem-dice-2","commitment","demo-1","starpilot",1,"{seal}",{{"setup":"{SETUP}"}}]'
    assert hashlib.sha256(text.encode()).hexdigest() == COMMITMENT


def test_a_key_changes_with_all_that_it_depends_on() -> None:
    others = [
        *KEYS.values(),
        GROUND._replace(secret=bytes(32)).step(0, BEFORE, []),
        GROUND._replace(commitment="0" * 64).step(0, BEFORE, []),
        GROUND._replace(setup="0" * 64).step(0, BEFORE, []),
        GROUND._replace(bots="sharp").step(0, BEFORE, []),
        GROUND._replace(before=NOW).step(0, BEFORE, []),
        GROUND.step(1, {**NOW, "Kestrel": HAWK}, FIRE),
    ]
    assert len(set(others)) == len(others)


def test_words_are_the_fingerprint_of_a_message_id() -> None:
    assert HAWK["letter"] == hashlib.sha256(b"<1@home.example>").hexdigest()
    assert all(words["letter"] in DICE_MD for words in (HAWK, KESTREL, LATER))


def test_words_of_messages_on_boards_are_as_in_dice_md() -> None:
    told = re.findall(r"^\| `([a-z]+ [^`]+)` \| `([0-9a-f]{64})` \|$", DICE_MD, re.M)
    assert len(told) == 2
    for name, letter in told:
        assert fair_dice.words_of(name, [], LINK) == {"letter": letter, "salts": []}
        assert hashlib.sha256(f"{LINK} {name}".encode()).hexdigest() == letter


def test_the_link_of_an_account_is_the_fingerprint_of_a_mails_words() -> None:
    assert f"`LINK` = `{LINK}`" in DICE_MD
    assert f"`{canonical(KESTREL)}`" in DICE_MD
    assert hashlib.sha256(canonical(KESTREL).encode()).hexdigest() == LINK


def test_what_is_told_of_one_message_says_nothing_of_another() -> None:
    """Each has another link or another name in it, and without the link all would be known."""
    names = ("forum 5 1234", "forum 5 1235")
    found = [fair_dice.words_of(name, [], link)["letter"] for name in names for link in ("", LINK)]
    found.append(fair_dice.words_of(names[0], [], fair_dice.fingerprint(HAWK))["letter"])
    assert len(set(found)) == 5
