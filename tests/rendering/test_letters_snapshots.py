"""Every kind of letter, in both its parts, as a person has read and approved of it."""

import pytest

from tests.rendering.test_letter_templates import SAMPLES, page
from tests.support.snapshot import matches


@pytest.mark.parametrize("name", SAMPLES)
def test_letters_are_as_they_were_reviewed(name: str) -> None:
    made = page(name)
    text = matches(f"letters/{name}.txt", f"Subject: {made.subject}\n\n{made.text}")
    html = matches(f"letters/{name}.html", made.html)
    assert text
    assert html
