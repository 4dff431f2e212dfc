"""How the lines of an export are sealed, by the recipe of docs/dice.md alone."""

import json
import re
from hashlib import sha256

import pytest

from engine.checking_script.protocol import fingerprint_after
from pbem.games import export
from tests.games.test_verify import BATTLES
from tests.support.forging import Parts, by_engine
from tests.support.paths import DOCS

VECTOR = re.findall(r'^\[\n(?:\{.*"seal".*\n)+\]\n', (DOCS / "dice.md").read_text("utf-8"), re.M)


def plain(part: object) -> str:
    """Canonical JSON, as docs/dice.md says."""
    return json.dumps(part, sort_keys=True, separators=(",", ":"))


def by_the_recipe(parts: Parts) -> str:
    """The text of an export."""
    seals, lines = [""], list[str]()
    for part in parts:
        seals.append(sha256((seals[-1] + plain(part)).encode("ascii")).hexdigest())
        lines.append(plain({**part, "seal": seals[-1]}))
    return "".join(
        f"{line}\n" for line in ["[", *(f"{line}," for line in lines[:-1]), lines[-1], "]"]
    )


def test_the_vector_of_dice_md_is_sealed_by_its_recipe() -> None:
    [told] = VECTOR
    parts = json.loads(told)
    seals = [part.pop("seal") for part in parts]
    assert len(parts) == 3
    assert by_the_recipe(parts) == told
    assert export.write(parts) == told
    before = ["", *seals]
    assert [fingerprint_after(*pair) for pair in zip(before, parts, strict=False)] == seals


@pytest.mark.parametrize("name", ["house", "undone to the start"])
def test_a_battle_sealed_by_the_recipe_is_what_the_program_writes_and_takes(name: str) -> None:
    parts = BATTLES[name]()
    assert by_the_recipe(parts) == export.write(parts)
    assert by_engine(by_the_recipe(parts))[0] == 0
