"""The manual page tells of the commands as they are."""

from pbem.cli import COMMANDS
from tools.man_page import PAGE, page


def test_the_manual_page_is_up_to_date() -> None:
    """If it is not, `python -m tools.man_page` writes it anew."""
    found = page()
    assert PAGE.read_text("utf-8") == found
    assert [name for name in COMMANDS if f"\n.SS\npbem {name} " not in found] == []
