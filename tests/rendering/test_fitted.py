"""What has happened, written in as many lines as a report has for it."""

from collections.abc import Sequence

import pytest
from markupsafe import Markup

from pbem.rendering.letter_script import Kit, height, shown, text

KIT = Kit(shown)
CUT = KIT.block("para", [["Only the end."]])


def told(items: Sequence[str], whole: int, room: int) -> tuple[str, list[tuple[str, bool]]]:
    """Return the text, and what was written: each item, and whether in full."""
    written: list[tuple[str, bool]] = []

    def caller(item: str, full: bool) -> Markup:
        written.append((item, full))
        paragraphs = [KIT.block("para", [[f"{item} & {n}"]]) for n in range(3)]
        return Markup().join(paragraphs) if full else Markup(f"{item} & so on")

    return text(str(KIT.fitted(items, whole, room, CUT, caller))), written


@pytest.mark.parametrize(
    ("room", "lines"),
    [
        (20, ["A & so on", "B & 0", "B & 1", "B & 2", "C & 0", "C & 1", "C & 2"]),
        (12, ["A & so on", "B & so on", "C & 0", "C & 1", "C & 2"]),
        (7, ["A & so on", "B & so on", "C & so on"]),
        (3, ["A & so on", "B & so on", "C & so on"]),
        (2, ["Only the end.", "C & so on"]),
    ],
)
def test_the_last_are_told_in_full_and_the_earliest_left_out(room: int, lines: list[str]) -> None:
    found, _ = told("ABC", 2, room)
    assert [line for line in found.splitlines() if line] == lines
    assert height(found) <= max(room, 3)


def test_of_lines_that_are_too_many_the_latest_are_told() -> None:
    found, _ = told("ABCDEF", 2, 5)
    assert found == "Only the end.\n\nD & so on\nE & so on\nF & so on\n"


def test_nothing_is_written_twice() -> None:
    items = [str(n) for n in range(60)]
    for room in (500, 50, 5):
        _, written = told(items, 4, room)
        assert len(written) == len(set(written))
        assert len(written) <= len(items) + 4
